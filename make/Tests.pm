# ./suite test: the tests, once both precisions are built, and what took longest. The times of all
# commands stay in build/times. With SUITE_ONLY only what tests some programs.
package Tests;
use strict;
use warnings;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use Files;

# The tests that go through all programs one by one share the programs out to all cores by
# themselves. They take longest, so they come first. Then come those that take half a minute or wait
# for long, so that no core is left with one of them at the end.
my @FIRST = qw(programs standalone undefined conformance md md-multi commands faults make cpucc
  lockstep readme multi common usage rewrite);
my @OF_PROGRAMS = qw(programs standalone undefined usage headers readme commands index zh estimates);

# A GPU does what CUDA does; the other tests of the CPU backend are not about it.
sub of_backend
{
    my ($backend) = @_;
    return sorted('cpu/tests/*.t') if $backend ne 'cuda';
    $ENV{TEST_BY} = 'nvcc';
    return 'cpu/tests/conformance.t';
}

sub test
{
    fail('the tests are run by prove, which comes with perl: see make doctor')
      unless on_path('prove');
    my ($backend) = @_;
    my %rank = map { $FIRST[$_] => $_ } 0 .. $#FIRST;
    my %file = map { basename($_) =~ s/\.t$//r => $_ } sorted('tests/*.t'), of_backend($backend);
    my @names = sort { ($rank{$a} // @FIRST) <=> ($rank{$b} // @FIRST) || $a cmp $b } keys %file;
    my @tests = @file{$ENV{SUITE_ONLY} ? @OF_PROGRAMS : @names};

    my $times = getcwd() . "/build/times.$$";
    write_text($times, '');
    $ENV{TEST_TIMES} = $times;
    $ENV{SUITE_PLACES} = tempdir(CLEANUP => 1); # for runs that want the whole device: Device.pm
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)}; # a make that a test starts is its own master
    local @SIG{qw(HUP INT TERM)} = (sub { rename $times, 'build/times'; exit 130 }) x 3;
    system 'prove', '--timer', '-j' . nproc(), @tests;
    my $status = $?;
    rename $times, 'build/times';

    my @slowest = sort { ($b =~ /([\d.]+)/)[0] <=> ($a =~ /([\d.]+)/)[0] }
      split /\n/, read_text('build/times');
    print "The slowest:\n", map { "$_\n" } splice @slowest, 0, 5;
    return $status >> 8 || ($status & 127 ? 1 : 0);
}

1;
