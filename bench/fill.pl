# fill.pl README: prints a README with its measured figures written anew, from the result file that
# it names in a line <!-- results: bench/results/FILE.txt -->. A further page of a chapter that names
# none has its figures from the one of the chapter's README.md. Any other is printed as it is.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Results;

my ($readme, $text_file) = @ARGV;
open my $in, '<', $text_file // $readme or die "$readme: $!\n";
my $text = do { local $/; <$in> };
my ($file) = map { /^<!-- results: (\S+) -->$/m } $text, chapters_readme($readme);
my $results = defined $file ? read_results($file) : undef;
my @missing;

# The text of README.md beside a further page of a chapter, or ''.
sub chapters_readme
{
    my ($page) = @_;
    my ($folder, $name) = $page =~ m{^(.*/)(.*)$};
    return '' if !defined $folder || $name =~ /^README/;
    open my $beside, '<', "${folder}README.md" or return '';
    local $/;
    return scalar <$beside> // '';
}

sub figure_of
{
    my ($program, $args, $row, $column, $old) = @_;
    my $command = $args eq '' ? $program : "$program $args";
    my $lines = $results->{runs}{$command};
    my $figure = $lines ? figure($lines, $row, $column) : undef;
    push @missing, $lines ? "`$command` has no $column of $row" : "there is no run of `$command`"
      unless defined $figure;
    return defined $figure ? rounded($figure) : $old;
}

sub filled
{
    my ($whole, $before, @marker) = @_;
    return substr($whole, 0, $before) . figure_of(@marker) . '<!--/-->';
}

$text =~ s{$Results::MARKER}{filled($&, $-[5] - $-[0], $1, $2 // '', $3, $4, $5)}ge if $results;
if (@missing)
{
    my %seen;
    print STDERR map { "$readme: $file: $_\n" } grep { !$seen{$_}++ } @missing;
    exit 1;
}
print $text;
