# Inline PTX from outside: what the rewriter refuses, in which line, and whose asm it takes. The programs of
# conformance/ show what the instructions do.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $cpucc = "$CPU/cpucc";

sub cpucc
{
    my ($args, %how) = @_;
    return run([$cpucc, @$args], dir => $dir, %how, env => {CPUCC_CXX => $CXX, CUDA_HOME => undef});
}

sub prints
{
    my ($command, $expected, $title) = @_;
    my $ran = run($command, dir => $dir);
    ok(($ran->{status} // -1) == 0 && $ran->{out} eq $expected, $title) or diag(describe($ran));
}

# ---- What is not there, or is wrong: one line, at its own line ----

my %ptx = (
    'mma.sync is not supported on the CPU' =>
      'asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%1}, {%0};" : "+r"(a) : "r"(a));',
    'wgmma.fence is not supported on the CPU' => 'asm volatile("wgmma.fence.sync.aligned;");',
    'ldmatrix.sync is not supported on the CPU' =>
      'asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(a));',
    'mbarrier.init is not supported on the CPU' =>
      'asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(a));',
    'cp.async.bulk is not supported on the CPU' =>
      'asm volatile("cp.async.bulk.tensor.2d.shared.global [%0], [%1, {%0, %0}];" :: "r"(a), "l"(p));',
    'fence.proxy.async is not supported on the CPU' => 'asm volatile("fence.proxy.async;");',
    'bar.arrive is not supported on the CPU' => 'asm volatile("bar.arrive 1, 64;");',
    'shfl.up.b32 is not supported on the CPU' => 'asm("shfl.up.b32 %0, %0, 1, 0;" : "+r"(a));',
    'add.f16x2 is not supported on the CPU' => 'asm("add.f16x2 %0, %0, %0;" : "+r"(a));',
    '.shared is not supported on the CPU' => 'asm(".shared .b8 s[16];");',
    'call is not supported on the CPU' => 'asm("call (%0), f, (%0);" : "+r"(a));',
    ': the register %envreg3 is not supported on the CPU' => 'asm("mov.u32 %0, %%envreg3;" : "=r"(a));',
    ': the variable counter is not supported' => 'asm("ld.global.u32 %0, [counter];" : "=r"(a));',
    ': the constraint "=q" is not supported' => 'asm("mov.u32 %0, 1;" : "=q"(a));',
    ': asm has no operand %1' => 'asm("mov.u32 %0, %1;" : "=r"(a));',
    'mad.lo.u32: a special register is an operand of mov only' =>
      'asm("mad.lo.u32 %0, %0, %0, %%tid.x;" : "+r"(a));',
    'add.u64: operand 1 has 32 bits' => 'asm("add.u64 %0, %1, %1;" : "=r"(a) : "l"(p));',
    'mov.u32: operand 2 has 64 bits' => 'asm("mov.u32 %0, %1;" : "=r"(a) : "l"(p));',
    'ld.global.u32: the address has 32 bits' => 'asm("ld.global.u32 %0, [%1];" : "=r"(a) : "r"(a));',
    'setp.lt.s32: operand 1 is no predicate' => 'asm("setp.lt.s32 q, %0, 1;" :: "r"(a));',
    'bra: the label nowhere is missing' => 'asm("bra nowhere;");',
    'add.s32: an operand is missing' => 'asm("add.s32 %0, %0;" : "+r"(a));',
    'add.s32 has 3 operands, not 4' => 'asm("add.s32 %0, %0, 1, 2;" : "+r"(a));',
    'bar.red.popc.u32 is not supported on the CPU' => 'asm volatile("bar.red.popc.u32;");',
    'sqrt.approx.f64 is not supported on the CPU' =>
      'double d = 2; asm("sqrt.approx.f64 %0, %0;" : "+d"(d));',
    ': { without its }' => 'asm("{ .reg .u32 t;");',
);
for my $message (sort keys %ptx)
{
    # The line of the instruction, not that of asm.
    my $asm = $ptx{$message} =~ s/asm(?: volatile)?\K\("/("\/\/ first\\n"\n"/r;
    write_text("$dir/refused.cu", "__device__ void f(unsigned a, int *p)\n{\n$asm\n}\nint main() {}\n");
    my $ran = cpucc(['refused.cu', '-o', 'refused']);
    my $colon = $message =~ /^:/ ? '' : ' ';
    ok($ran->{status} == 1 && $ran->{err} =~ /^refused\.cu:[34]: error: inline PTX$colon\Q$message\E[^\n]*\n\z/,
        "refused: inline PTX$colon$message")
      or diag(describe($ran));
}
write_text("$dir/refused.cu", <<'END');
__device__ int f(short a)
{
    int b;
    asm("add.s32 %0, %1, 1;" : "=r"(b) : "r"(a));
    return b;
}
int main() {}
END
like(cpucc(['refused.cu', '-o', 'refused'])->{err},
    qr/^refused\.cu:4: error: static assertion failed.*: inline PTX: operand %1 is not of the size and kind that its constraint "r" says\n\z/m,
    'an operand of another size than its constraint says');

# Whose asm it is: a function of both sides shows the device's part where __CUDA_ARCH__ is compared, and the
# host's where the file asks whether it is defined.
write_text("$dir/sides.cu", <<'END');
#include <cstdio>
#define LANE "mov.u32 %0, %%laneid;"
template <typename T>
__host__ __device__ T compared(T x)
{
#if __CUDA_ARCH__ >= 700
    asm("add.s32 %0, %1, 1;" : "=r"(x) : "r"(x));
#endif
    return x;
}
struct S
{
    int n;
    __device__ int next() const
    {
        int y;
        asm("add.s32 %0, %1, 1;" : "=r"(y) : "r"(n));
        return y;
    }
};
__global__ void k(int *y)
{
    int lane;
    asm(LANE : "=r"(lane));
    auto twice = [](int x) {
        asm("shl.b32 %0, %0, 1;" : "+r"(x));
        return x;
    };
    y[lane] = compared(lane) + S{100}.next() + twice(1000);
}
int main()
{
    int *y;
    cudaMallocManaged(&y, 128);
    k<<<1, 32>>>(y);
    cudaDeviceSynchronize();
    asm volatile("nop" ::: "memory"); // of the host
    printf("%d %d\n", y[0], y[31]);
    return cudaFree(y);
}
END
for my $standard ('-std=c++17', '-std=c++20')
{
    my $sides = cpucc(['sides.cu', '-o', 'sides', $standard, '-Wall', '-Wextra']);
    ok($sides->{status} == 0 && $sides->{err} eq '', "$standard: PTX in all kinds of functions compiles")
      or diag(describe($sides));
    prints(["$dir/sides"], "2102 2133\n", '... and runs');
}
write_text("$dir/of_host.cu", <<'END');
#include <cstdio>
__host__ __device__ inline int next(int x)
{
#ifdef __CUDA_ARCH__
    asm("add.s32 %0, %0, 1;" : "+r"(x));
#else
    asm volatile("" : "+r"(x));
    x += 1;
#endif
    return x;
}
int main() { printf("%d\n", next(4)); }
END
ok(cpucc(['of_host.cu', '-o', 'of_host'])->{status} == 0, "the host's part of a function keeps its asm");
prints(["$dir/of_host"], "5\n", '... and runs');
unlike(cpucc(['-E', 'of_host.cu'])->{out}, qr/cudacpu_ptx/, 'who has no PTX does not pay for its header');

write_text("$dir/host-asm.cu", <<'END');
int main() { asm volatile("" ::: "memory"); return 0; }
END
ok(cpucc(['host-asm.cu', '-o', 'host-asm'])->{status} == 0,
    "the host's own assembly is let through");

done_testing();
