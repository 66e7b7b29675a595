# measure.pl DIRECTORY, for `make figures-data`: runs the programs whose data the figures show, and
# writes the data into DIRECTORY. tables.txt is a result file of `make bench` and says which device,
# driver, date and commit the data are of. Without a GPU nothing is timed: card.txt is the result file of
# a card, by which figures of times are drawn.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../tests";
use File::Path qw(make_path);
use Suite;

delete $ENV{CUDACPU_EXACT};    # for tests: it costs time
my $LIMIT = 600;               # seconds a run may take
my $MOST_NOISE = 0.1;          # by which part two measurements of a speed-up may differ
my $on_cpu = $BACKEND eq 'cpu';

# All that is run; the Makefile reads these two lines, and builds the programs.
my @PROGRAMS = qw(arithmetic2gpu cufft-signal curand-host1 curand-host2 kernel-kernel transfer-parts ljmd ljmd-cpu ljmd-fast ljmd-force);
my @TABLES = qw(neighbor2gpu reduce transpose);

# Those that write their data by -o, and their other arguments.
my %FILES = (
    'cufft-signal' => '',
    'curand-host1' => '',
    'curand-host2' => '',
    'kernel-kernel' => '-r 11',
    'transfer-parts' => '',
    'ljmd' => '8 1000 --interval 10',
    'neighbor2gpu' => '-n 10000');
delete @FILES{qw(kernel-kernel transfer-parts)} if $on_cpu;

sub fail
{
    print STDERR "make figures-data: @_\n";
    exit 1;
}

my ($to) = @ARGV;
eval { make_path($to) };
fail("cannot write into $to") unless -d $to && -w $to;
$to = abs_path($to);
unlink "$to/tables.txt", "$to/card.txt";    # it comes last, so data that are incomplete have none

# What a program prints.
sub output
{
    my ($name, @args) = @_;
    printf STDERR "  %s\n", join ' ', $name, @args;
    my $ran = run([binary(program($name)), @args], limit => $LIMIT);
    return $ran->{out} if ($ran->{status} // -1) == 0;
    my ($why) = split /\n/, $ran->{err};
    fail("$name failed: " . ($why // 'status ' . ($ran->{status} // 'none')));
}

output($_, '-o', "$to/", split ' ', $FILES{$_}) for sort keys %FILES;

# Figures 12.1 and 12.2: a speed-up that another program has disturbed is noise. So kernel-kernel runs
# until two runs, one after the other, agree. If none do, there are no such figures.
sub speedups
{
    return map { -e ? map { (split)[2] } grep { /^\d/ } split /\n/, read_text($_) : () }
      map { "$to/fig12-$_.txt" } 1, 2;
}

sub largest_difference
{
    my ($ones, $others) = @_;
    my @ratios = map { $ones->[$_] / ($others->[$_] || 1e-9) } 0 .. $#$ones;
    my ($largest) = sort { $b <=> $a } 0, map { abs($_ - 1) } @ratios;
    return $largest;
}

my @last = speedups();
my $difference = $on_cpu ? 0 : 1;
for ($on_cpu ? () : 1 .. 4)
{
    output('kernel-kernel', '-o', "$to/", split ' ', $FILES{'kernel-kernel'});
    my @speedups = speedups();
    $difference = largest_difference(\@last, \@speedups);
    last if $difference <= $MOST_NOISE;
    @last = @speedups;
}
if ($difference > $MOST_NOISE)
{
    unlink map { "$to/fig12-$_.txt" } 1, 2;
    printf STDERR "make figures-data: the speed-ups of kernel-kernel differ by %.0f %% from run to run: "
      . "no Figures 12.1 and 12.2; other programs must be idle\n", 100 * $difference;
}

# Figure 5.1: N, the host's time, the device's, the speed-up. --sweep has the powers of ten from 1000
# on. Fewer elements, and points in between, show where the device's time begins to grow.
my @MORE = (1, 3, 10, 30, 100, 300, 3000, 30000, 300000);
my %rows;
for my $args ($on_cpu ? () : (['--sweep'], map { ['-n', $_] } @MORE))
{
    my @rows = output('arithmetic2gpu', @$args) =~ /^ *(\d+(?: +[-+\d.e]+){3}) /mg;
    fail("arithmetic2gpu @$args has printed no rows") unless @rows;
    $rows{(split ' ')[0]} = $_ for @rows;
}
unlink map { "$to/$_.txt" } qw(sweep speeds fig12-1 fig12-2 fig12-3) if $on_cpu;
write_text("$to/sweep.txt", join "\n", "# N  host ms  device ms  speed-up",
    @rows{sort { $a <=> $b } keys %rows}, '')
  unless $on_cpu;

# Table 22.2: million atom-steps in a second.
my $speeds = '';
for my $name ($on_cpu ? () : qw(ljmd-cpu ljmd-force ljmd ljmd-fast))
{
    my ($speed) = output($name, qw(10 1000)) =~ /^speed: ([-+\d.e]+) million/m;
    $speeds .= "$name $speed\n" if defined $speed;
}
write_text("$to/speeds.txt", $speeds) unless $on_cpu;

# Tables 9.1, 10.2 and 11.1, by `make bench`.
my $bench = tempdir(CLEANUP => 1);
{
    local $ENV{SUITE_ONLY} = "@TABLES";
    system("'$^X' bench/bench.pl '$bench' >/dev/null") == 0
      or fail('the tables could not be measured');
}
my ($result) = glob "$bench/*.txt";
my ($card) = read_text('Makefile') =~ /^CARD := (\S+)/m;
write_text("$to/card.txt", read_text($card)) if $on_cpu;
write_text("$to/tables.txt", read_text($result));
unlink "$to/restart.bin";
