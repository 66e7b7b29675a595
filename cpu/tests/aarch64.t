# The CPU backend on AArch64: a cross compiler compiles it, and qemu runs it, where both are here.
# The conformance programs do what they do on x86-64, and faults are named with their lines.
# Inputs: backend cpu/tests/*.t cpu/tests/conformance/* cpu/tests/conformance/*/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $CROSS  = 'aarch64-linux-gnu-g++';
my ($qemu) = grep { on_path($_) } qw(qemu-aarch64-static qemu-aarch64);
plan skip_all => "no $CROSS: Debian's g++-aarch64-linux-gnu has it" unless on_path($CROSS);
plan skip_all => "no qemu-aarch64: Debian's qemu-user-static has it" unless $qemu;

my @tools = map { "./build/$_" } "libcudacpu-$CROSS.a", "cuda_runtime-$CROSS-std=gnu++17-O2-g1";
my $made = run(['make', "CXX=$CROSS", @tools], limit => 300,
    env => {map { $_ => undef } qw(MAKEFLAGS MFLAGS MAKELEVEL CPUCC_CXX)});
ok(($made->{status} // 1) == 0, 'make builds the runtime') or die describe($made);

# ---- A switch between threads is the assembly's, not the C library's ----

my $names = sh("nm '$tools[0]'");
unlike($names->{out}, qr/\b(_longjmp|setcontext)$/m, 'no switch is made by the C library');

# ---- A thread that loses its turn gets its registers back ----

$ENV{RUNNER} = "$qemu -L /usr/aarch64-linux-gnu";
my $dir = tempdir(CLEANUP => 1);

# Compiles by this command and runs.
sub runs
{
    my ($compile, $prints, $title) = @_;
    my $compiled = run([@$compile, '-o', "$dir/program"], env => {CPUCC_CXX => $CROSS});
    ok(($compiled->{status} // 1) == 0 && $compiled->{err} eq '', "$title compiles")
      or diag(describe($compiled));
    my $ran = run(["$dir/program"]);
    is("$ran->{out}$ran->{err}", $prints, "$title prints what it must") or diag(describe($ran));
}

for my $level (qw(-O2 -O0))
{
    runs(['./cpucc', $level, '-Wall', '-Wextra', 'tests/aarch64/registers.cu'],
        "128 are right\n", "registers.cu with $level");
}

# ---- What a signal's frame says, also where qemu leaves it out ----

runs([$CROSS, qw(-std=gnu11 -Wall -Wextra -Iinclude -Iruntime -x c),
        'tests/aarch64/frame.c', qw(-x none), $tools[0]], "right\n", 'frame.c');

# ---- Tests that take any compiler ----

for (['conformance'],
    ['faults', qw(illegal-address null-pointer atomic-past-the-end endless-recursion trap deadlock
          device-assert host-follows-device-pointer wait-for-a-time)])
{
    my ($test, @only) = @$_;
    my $ran = run(['prove', "tests/$test.t", @only ? ('::', @only) : ()],
        env => {CPUCC_CXX => $CROSS, TEST_LIBRARIES => 0}, limit => 600);
    ok(($ran->{status} // 1) == 0, "$test.t passes @only") or diag($ran->{out}, $ran->{err});
}

done_testing();
