# The CPU backend on AArch64: a cross compiler compiles it, and qemu runs it, where both are here. The
# conformance programs do what they do on x86-64, and faults are named with their lines.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $CROSS  = 'aarch64-linux-gnu-g++';
my ($qemu) = grep { on_path($_) } qw(qemu-aarch64-static qemu-aarch64);
plan skip_all => 'a GPU runs no such code' if $BACKEND eq 'cuda';
plan skip_all => "no $CROSS: Debian's g++-aarch64-linux-gnu has it" unless on_path($CROSS);
plan skip_all => "no qemu-aarch64: Debian's qemu-user-static has it" unless $qemu;

my @tools = map { "build/tools/$_" } "libcudacpu-$CROSS.a", "cuda_runtime-$CROSS-std=gnu++17-O2-g1";
my $made = run(['make', 'BACKEND=cpu', "CXX=$CROSS", @tools], env => {without_make()}, limit => 300);
ok(($made->{status} // 1) == 0, 'make builds the runtime') or BAIL_OUT(describe($made));

# ---- A switch between threads is the assembly's, not the C library's ----

my $names = sh("nm '$tools[0]'");
unlike($names->{out}, qr/\b(_longjmp|setcontext)$/m, 'no switch is made by the C library');

# ---- A thread that loses its turn gets its registers back ----

my $source = <<'END';
#include <cstdio>
__device__ volatile int turn = 63;

__device__ void go_on(double *x, long long *n)
{
    for (int i = 0; i < 20; ++i)
    {
        x[i] += 1;
        n[i] += 2;
    }
}

// Threads wait for each other, the first for all others. Each counts in 40 registers meanwhile.
__global__ void wait(int *right)
{
    const int tid = threadIdx.x;
    double x[20];
    long long n[20], rounds = 0;
    for (int i = 0; i < 20; ++i)
    {
        x[i] = tid + i;
        n[i] = tid - i;
    }
    for (; turn != tid; ++rounds)
    {
        go_on(x, n);
    }
    turn = tid - 1;
    bool good = true;
    for (int i = 0; i < 20; ++i)
    {
        good = good && x[i] == tid + i + rounds && n[i] == tid - i + 2 * rounds;
    }
    atomicAdd(right, good);
}

// A sequence whose next number needs the last six, which are in registers when other threads run.
__device__ double sequence(double first, bool waits)
{
    double a = first, b = 2, c = first / 4, d = 3, e = first / 8, f = 5;
    for (int i = 0; i < 20; ++i)
    {
        const double next = a / 2 + b - c + d / 4 - e + f + (waits ? __shfl_xor_sync(~0u, i, 1) : i);
        a = b, b = c, c = d, d = e, e = f, f = next;
    }
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}

__global__ void exchange(int *right)
{
    atomicAdd(right, sequence(threadIdx.x, true) == sequence(threadIdx.x, false));
}

int main()
{
    int *right;
    cudaMallocManaged(&right, sizeof(int));
    *right = 0;
    wait<<<1, 64>>>(right);
    exchange<<<1, 64>>>(right);
    cudaDeviceSynchronize();
    printf("%d are right\n", *right);
}
END

$ENV{SUITE_RUNNER} = "$qemu -L /usr/aarch64-linux-gnu";
my $dir = tempdir(CLEANUP => 1);
for my $level (qw(-O2 -O0))
{
    my $compiled = run(['cpu/cpucc', $level, '-o', "$dir/wait", write_text("$dir/wait.cu", $source)],
        env => {CPUCC_CXX => $CROSS});
    ok(($compiled->{status} // 1) == 0, "wait.cu compiles with $level") or diag(describe($compiled));
    my $ran = run(["$dir/wait"]);
    is("$ran->{out}$ran->{err}", "128 are right\n", "wait.cu with $level is right")
      or diag(describe($ran));
}

# ---- Tests that take any compiler ----

for (['conformance'],
    ['faults', qw(illegal-address null-pointer past-the-end endless-recursion trap deadlock
          device-assert host-follows-device-pointer)],
    ['odd-kernels', qw(wait-for-a-time)])
{
    my ($test, @only) = @$_;
    my $ran = run(['prove', "tests/$test.t", @only ? ('::', @only) : ()],
        env => {without_make(), SUITE_BACKEND => 'cpu', SUITE_CXX => $CROSS, SUITE_LIBRARIES => 0,
            SUITE_RUNNER => $ENV{SUITE_RUNNER}},
        limit => 600);
    ok(($ran->{status} // 1) == 0, "$test.t passes @only") or diag($ran->{out}, $ran->{err});
}

done_testing();
