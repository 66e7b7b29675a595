# A program says how much memory a size needs before it allocates any. Nothing lists these
# estimates: they are compared with what the program then takes.
#
#   device   on a device of one byte a program refuses its size, and names the GB that it needs. On a
#            device that has so much it passes. CUDACPU_PEAK=1 tells the most that it had at one time:
#            not much less.
#   host     10^9 times the size is refused because of the host. On the CPU backend the host's memory
#            includes the device's. From a small size to this one the process may grow by no more
#            than 10^-9 of that.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Suite;
use Parallel;
use Test::More;

plan skip_all => 'a GPU has more than one byte' if $BACKEND eq 'cuda';

# By number of dimensions: two sizes. No machine can hold 10^9 times the larger one.
my @SMALL = (undef, 1003, '101x99', '31x17x33');
my @LARGE = (undef, 1000003, '1001x999', '101x103x99');
my $ROUNDED = 1.0006;         # an estimate is printed with four digits
my $USABLE = 0.95;            # of the memory that is free: see common/
my $CONSTANT = 2 << 20;       # bytes that do not depend on the size: counters, ...
my $OF_LIBRARY = 48 << 20;    # ... and what a library takes for itself: handles, tables of a plan
my $OF_PROCESS = 16 << 20;    # what the C library and the stacks of threads may take

sub count
{
    my $count = 1;
    $count *= $_ for split /x/, $_[0];
    return $count;
}

# The GB that a refusal names; undef if it is none.
sub asked_for
{
    my ($ran, $whose) = @_;
    return undef if ($ran->{status} // -1) != 2;
    return $ran->{err} =~ /^\S+: that size needs (\S+) GB of the ${whose}'s/m ? $1 : undef;
}

# What a size needs of the device, in GB: a program may first ask for what each element takes, and
# then, when it knows more, for all. Undef and the run if it does not ask.
sub estimate
{
    my ($program, $precision, $size) = @_;
    my ($gb, $ran) = (0);
    for (1 .. 3)
    {
        $ran = run([binary($program, $precision), '-n', $size],
            limit => 20, env => {CUDACPU_MEMORY => $gb ? 1e9 * $gb * $ROUNDED / $USABLE : 1});
        my $more = asked_for($ran, 'device') // last;
        $gb = $more;
    }
    return ($gb || undef, $ran);
}

# What a run of a size took on a device of so many bytes: bytes of the device and of the process.
sub taken
{
    my ($program, $precision, $size, $bytes) = @_;
    my @quick = options($program)->{r} ? ('-r', 1) : ();
    my $ran = run(
        [binary($program, $precision), '-n', $size, @quick],
        dir => tempdir(CLEANUP => 1),
        env => {CUDACPU_PEAK => 1, CUDACPU_EXACT => undef, CUDACPU_MEMORY => $bytes});
    my ($device, $kb) = $ran->{err} =~ /: at most (\d+) bytes of device memory, (\d+) KB/;
    return ($ran, $device, defined $kb ? 1024 * $kb : undef);
}

sub test_estimates
{
    my ($job) = @_;
    my ($program, $precision) = @{$job}{qw(program precision)};
    my $dims = options($program)->{dims};
    my @sizes = split ' ', $program->{Sizes} // "$SMALL[$dims] $LARGE[$dims]";
    my ($small, $large) = (sort { count($a) <=> count($b) } @sizes)[0, -1];
    my $title = "$program->{name} -n $large ($precision)";

    my ($gb, $refused) = estimate($program, $precision, $large);
    ok(defined $gb, "$title says what it needs of the device") or diag(describe($refused)), return;
    my $constant = $CONSTANT + ($program->{Libs} ? $OF_LIBRARY : 0);
    my $bytes = 1e9 * $gb * $ROUNDED / $USABLE + $constant;
    my ($ran, $device, $process) = taken($program, $precision, $large, $bytes);
    return pass("$title cannot run here") if ($ran->{status} // -1) == 77;
    is($ran->{status}, 0, "$title passes on a device that has these $gb GB")
      or diag(describe($ran)), return;
    ok($device * 1.6 + $constant >= 1e9 * $gb, "... and $gb GB are not much more than it takes");

    my $too_large = $large =~ s/^(\d+)/$1 * 1e9/er;
    my $asked = run([binary($program, $precision), '-n', $too_large]);
    my $host_gb = asked_for($asked, 'host');
    is($asked->{status}, 2, "$program->{name} -n $too_large is refused") or diag(describe($asked));
    return if !defined $host_gb;    # for another reason
    my (undef, undef, $before) = taken($program, $precision, $small, $bytes);
    my $grown = $process - ($before // 0);
    my $allowed = $host_gb;         # bytes, for a size that is 10^9 times smaller
    ok( $grown <= $ROUNDED * $allowed + $OF_PROCESS + $constant,
        sprintf '%s: the process grows by %.1f MB, within %.1f',
        $title,
        $grown / 1e6,
        $allowed / 1e6);
}

my @jobs;
for my $program (buildable_programs())
{
    my $has = options($program) or next;
    next
      if !$has->{dims}
      || $program->{Expect} != 0
      || $program->{name} =~ /1cpu$|^graph-dfs$/    # on the host
      || $program->{file} =~ /\.cpp$/;
    # The formulas have sizeof(real): double is the same again.
    push @jobs, map { {program => $program, precision => $_} }
      grep { -x binary($program, $_) } 'float', $ENV{SUITE_EXHAUSTIVE} ? 'double' : ();
}
plan skip_all => 'none of these programs has -n' unless @jobs;
test_in_parallel(\&test_estimates, sub { "$_[0]{program}{name} ($_[0]{precision})" }, \@jobs, 2);
