# ./suite tour BACKEND BIN: ten commands for a newcomer, those of make/tour.txt. Each is shown and
# run, and then comes what to see in its output; in Chinese where LANG says so. On a terminal it
# waits before each.
#
#   ./suite tour --programs     the names of the programs, which make builds before
#   ./suite tour --builds       says that it does
package Tour;
use strict;
use warnings;
use Files;
use Language;

sub tour
{
    my ($backend, $bin) = @_;
    my @parts = read_text('make/tour.txt') =~ /^= ([^\n]*)\n(.*?)\n\n(.*?)\n(?=\n=|\z)/msg;
    my (%words, @stops);
    while (my ($title, @texts) = splice @parts, 0, 3)
    {
        $words{$title} = say_in(@texts) . "\n";
        push @stops, $title if $title =~ /^\d/;
    }
    if ($backend eq '--programs')
    {
        print map { (split)[1] . "\n" } @stops;
        return 0;
    }
    if ($backend eq '--builds')
    {
        print $words{builds}, "\n";
        return 0;
    }
    $| = 1; # in the order of what the programs print
    print $words{first};
    print $words{cpu} if $backend eq 'cpu';
    for my $number (1 .. @stops)
    {
        return 0 unless goes_on();
        my ($wanted, $command) = split ' ', $stops[$number - 1], 2;
        printf "\n%d/%d  \$ ./bin/%s\n\n", $number, scalar @stops, $command;
        system split ' ', "$bin/$command";
        my $status = $? >> 8;
        fail(say_in("$command ended with status $status, not $wanted: please report it",
                "$command 的退出状态是 $status，而不是 $wanted：请告诉我们"))
          if $status != $wanted;
        print "\n", $words{$stops[$number - 1]};
    }
    return 0 unless goes_on();
    print "\n", $words{last};
    return 0;
}

# On a terminal: Enter goes on, q ends the tour.
sub goes_on
{
    return 1 unless -t STDIN && -t STDOUT;
    printf "\n%s ", say_in('[Enter: go on, q: stop]', '[回车：继续，q：结束]');
    my $answer = <STDIN>;
    return defined $answer && $answer ne "q\n";
}

1;
