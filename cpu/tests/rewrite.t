# The CPU backend's compiler driver and rewriter from outside: what cpucc accepts, what it refuses
# and how it says so, and what a debugger sees.
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
    my $env = {CPUCC_CXX => $CXX, CUDA_HOME => undef, %{$how{env} // {}}};
    return run([$cpucc, @$args], dir => $dir, %how, env => $env);
}

sub prints
{
    my ($command, $expected, $title) = @_;
    my $ran = run($command, dir => $dir);
    ok(($ran->{status} // -1) == 0 && $ran->{out} eq $expected, $title) or diag(describe($ran));
}

# ---- What needs a GPU: one line, at the place ----

my %refused = (
    'cuDNN' => [3, "\n#include <cudnn.h>\ncudnnHandle_t handle;\n"],
    'NCCL' => [2, "#include <nccl.h>\nncclComm_t communicator;\n"],
    'DeviceRadixSort: this part of CUB' =>
      [2, "#include <cub/device/device_radix_sort.cuh>\nvoid f() { cub::DeviceRadixSort::SortKeys(); }\n"],
    'DeviceSelect: this part of CUB' =>
      [3, "#include <cub/cub.cuh>\nusing namespace cub;\nvoid f() { DeviceSelect::If(); }\n"],
    'WMMA' => [3, "#include <mma.h>\nusing namespace nvcuda;\nwmma::fragment<wmma::accumulator, 16, 16, 16, float> a;\n"],
    'WMMA (tensor cores)' => [2, "#include <mma.h>\nnamespace wmma = nvcuda::wmma;\n"],
    'cublasLtMatmulDesc_t: cuBLASLt' =>
      [3, "#include <cublasLt.h>\ncublasLtHandle_t handle;\ncublasLtMatmulDesc_t product;\n"],
    'cublasInit: cuBLAS without handles' => [2, "#include <cublas.h>\nint f() { return cublasInit(); }\n"],
    'cufftXtSetGPUs: cuFFT for several GPUs' =>
      [3, "#include <cufftXt.h>\ncufftHandle plan;\nint f() { return cufftXtSetGPUs(plan, 1, NULL); }\n"],
    'cusolverSpHandle_t: cuSOLVER\'s sparse part' => [2, "#include <cusolverSp.h>\ncusolverSpHandle_t handle;\n"],
    'PFN_cuInit: the driver API' => [2, "#include <cudaTypedefs.h>\nPFN_cuInit init;\n"],
    'a mipmapped array' =>
      [3, "int f(cudaMipmappedArray_t *m, cudaExtent e)\n{\n    return cudaMallocMipmappedArray(m, 0, e, 3);\n}\n"],
    'a conditional node' => [1, "cudaGraphConditionalHandle handle;\n"],
    'the driver API' => [2, "#include <cuda.h>\nint f() { return cuInit(0); }\n"],
    'dynamic parallelism' =>
      [2, "__global__ void k() {}\n__global__ void l() { k<<<1, 1>>>(); }\n"],
    'a cooperative launch on several devices' =>
      [2, "void f(cudaLaunchParams *p)\n{ cudaLaunchCooperativeKernelMultiDevice(p, 2); }\n"],
    'a group of grids on several devices (multi_grid)' => [
        3, "#include <cooperative_groups.h>\n__global__ void k()\n"
          . "{ cooperative_groups::this_multi_grid().sync(); }\n"
    ],
);
for my $feature (sort keys %refused)
{
    my ($line, $text) = @{$refused{$feature}};
    write_text("$dir/refused.cu", "${text}int main() {}\n");
    my $ran = cpucc(['refused.cu', '-o', 'refused']);
    ok($ran->{status} == 1
          && $ran->{err} =~ /^refused\.cu:$line: error: .*\Q$feature\E.* needs a GPU: .*\n\z/,
        "$feature is refused in one line")
      or diag(describe($ran));
}

# ---- Headers of which only a part is here may be included, and what is here be used ----

write_text("$dir/headers.cu", <<'END');
#include <cub/cub.cuh>
#include <cub/device/device_for.cuh>
#include <common_functions.h>
#include <cublasLt.h>
#include <cublasXt.h>
#include <cudaTypedefs.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_gl_interop.h>
#include <cudnn.h>
#include <cufftXt.h>
#include <cusolverSp.h>
#include <device_types.h>
#include <mma.h>
#include <nccl.h>
#include <npp.h>
#include <nvml.h>
#include <nvrtc.h>
#include <sm_35_intrinsics.h>
using namespace nvcuda;
struct WarpLoad { int x; };
template <class T> T DeviceSelect(T x) { return x; }
enum Backend { nccl_backend = 1 };
__global__ void k(int *p, cudaRoundMode mode) { *p = mode == cudaRoundZero ? (int)(float)__nv_fp8_e4m3(3.0f) : 0; }
int main()
{
    cublasLtHandle_t lt = NULL;
    cufftHandle plan = 0;
    cusparseHandle_t sparse = NULL;
    WarpLoad load = {DeviceSelect<int>(3)};
    int wmma = 1, *p;
    cudaMallocManaged(&p, sizeof(int));
    k<<<1, 1>>>(p, cudaRoundZero);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", *p, load.x + wmma, lt == NULL && sparse == NULL && plan == 0);
    return cudaFree(p);
}
END
is(cpucc(['headers.cu', '-o', 'headers'])->{err}, '', 'headers of what needs a GPU may be included');
prints(["$dir/headers"], "3 4 1\n", '... and a program runs that uses nothing of them');

# ---- The special functions of C++17 are there where a file, or a header of it, uses one ----

write_text("$dir/zeta.cuh",
    "#include <cmath>\ninline double zeta() { return std::riemann_zeta(2.0); }\n");
write_text("$dir/zeta.cu", <<'END');
#include <cstdio>
#include "zeta.cuh"
int main() { printf("%.4f %.4f\n", zeta(), std::beta(2.0, 3.0)); }
END
my $zeta = cpucc(['zeta.cu', '-o', 'zeta']);
ok($zeta->{status} == 0, 'special functions compile') or diag(describe($zeta));
prints(["$dir/zeta"], "1.6449 0.0833\n", 'and are right');

if (!-d '/usr/include/thrust')
{
    write_text("$dir/library.cu", "#include <thrust/sort.h>\nint main() {}\n");
    is(cpucc(['library.cu'], env => {CUDA_HOME => "$dir/none"})->{err},
        "library.cu:1: error: Thrust is not here: it comes with the CUDA toolkit "
          . "(CUDA_HOME names it) "
          . "and with Debian's libthrust-dev\n",
        'Thrust without a toolkit');
}

write_text("$dir/library.cu", "#include <curand.h>\n#include <curand_kernel.h>\nint main() {}\n");
ok(cpucc(['library.cu', '-c', '-o', 'library.o'], env => {CUDA_HOME => "$dir/none"})->{status} == 0,
    'cuRAND\'s headers need no toolkit');

# ---- Where Thrust is ----

mkdir "$dir/$_" for qw(toolkit toolkit/include toolkit/include/thrust own own/thrust);
for (
    ['of a toolkit', {CUDA_HOME => "$dir/toolkit"}, "$dir/toolkit/include"],
    [   'of CPUCC_THRUST, before that of a toolkit',
        {CUDA_HOME => "$dir/toolkit", CPUCC_THRUST => "$dir/own"},
        "$dir/own"],
    [   'of CPUCC_THRUST, where it is not',
        {CUDA_HOME => "$dir/toolkit", CPUCC_THRUST => "$dir/none"}, undef])
{
    my ($title, $env, $place) = @$_;
    my $ran = cpucc(['-print-thrust'], env => $env);
    is("$ran->{status} $ran->{out}$ran->{err}", defined $place ? "0 $place\n" : '1 ',
        "cpucc -print-thrust: $title");
}

# ---- What no GPU has ----

for my $floats (12288, 12289)
{
    write_text("$dir/shared.cu", <<"END");
template <int N> __global__ void sum(float *x)
{
    __shared__ float s_x[N - 100];
    {
        __shared__ float s_y[50], s_z[50];
        s_y[0] = s_z[0] = s_x[0] = x[0];
    }
}
int main() { sum<$floats><<<1, 1>>>(NULL); }
END
    my $ran = cpucc(['shared.cu', '-o', 'shared']);
    my $wanted =
      $floats == 12288 ? qr/\A\z/ : qr/^shared\.cu:5: error: .*uses too much shared data/m;
    like($ran->{err}, $wanted, 'static shared memory of ' . 4 * $floats . ' bytes');
}

# ---- What nvcc does not take in device code: one line, at the place ----

my $kernel = '__global__ void k(int *p, int n) { BODY }';
my $double = "int twice(int x) { return 2 * x; }\n";
for (
    ['a host function', "${double}$kernel", '*p = twice(n);', 'twice is a function of the host'],
    [   'one that is only declared before the kernel',
        "int twice(int x);\n$kernel\n$double", '*p = 3 + twice(n);', 'twice is a function of the host'],
    [   'a host function, in a device function',
        "${double}__device__ int f(int n) { BODY }", 'return twice(n);', 'twice is a function'],
    ['exit', $kernel, 'if (n < 0) exit(1);', 'device code cannot call exit: return, or __trap\(\)'],
    ['strlen', $kernel, '*p = strlen("a");', 'device code cannot call strlen'],
    ['std::cout', "#include <iostream>\n$kernel", 'std::cout << n;', 'device code cannot use std::cout'],
    ['throw', $kernel, 'if (n < 0) throw 1;', 'device code cannot throw or catch'],
    ['try', $kernel, 'try { *p = n; } catch (int) {}', 'device code cannot throw or catch'],
    ['a host variable', "int size = 3;\n$kernel", '*p = size;', 'size is a variable of the host'],
    ['a host array', "static float a[3];\n$kernel", '*p = a[n];', 'a is a variable of the host'],
    ['cudaMemcpy', $kernel, 'cudaMemcpy(p, p, 4, cudaMemcpyDefault);', 'device code cannot call cudaMemcpy, a function of the host'],
    ['thread_local', $kernel, 'thread_local int a = n; *p = a;', 'device code has no thread_local'],
    [   'dynamic_cast', "struct A { __device__ virtual ~A() {} };\n$kernel",
        'A a; *p = dynamic_cast<A *>(&a) == &a;', 'device code has no dynamic_cast'],
    ['a variable length', $kernel, 'int a[n]; a[0] = 1; *p = a[0];', 'variable length array'],
    [   'a lambda without its flag', $kernel, 'auto f = [=] __device__(int x) { return x; }; *p = f(n);',
        'a lambda with __device__ needs the flag -extended-lambda'])
{
    my ($title, $text, $body, $message) = @$_;
    $text = "#include <cstdlib>\n#include <cstring>\n$text\nint main() {}\n" =~ s/BODY/\n$body\n/r;
    my $line = 1 + ($text =~ /\A(.*?)\Q$body\E/s)[0] =~ tr/\n//;
    write_text("$dir/device.cu", $text);
    my $ran = cpucc(['-c', 'device.cu', '-o', 'device.o']);
    ok($ran->{status} == 1 && $ran->{err} =~ /^device\.cu:$line: error: $message.*\n(?:.*: note: .*\n)*\z/m,
        "in device code, $title is refused")
      or diag(describe($ran));
}

# ---- Variables of the host in device code: nvcc 13.0 refuses each of these, too ----

sub refuses_variable
{
    my ($title, $variable, $text, %files) = @_;
    write_text("$dir/$_", $files{$_}) for keys %files;
    write_text("$dir/variable.cu", "$text\nint main() {}\n");
    my $ran = cpucc(['-extended-lambda', '-c', 'variable.cu', '-o', 'variable.o']);
    my $place = %files ? qr/(?:\.\/)?\w+\.cuh?/ : qr/variable\.cu/;
    my ($line) = $ran->{err} =~ /^$place:(\d+): error: \Q$variable\E is a variable of the host: .*\n\z/;
    ok($ran->{status} == 1 && $line, "$title is refused") or diag(describe($ran));
    return $line;
}

my $mixed = 'static int a[3], *q, b = 4, c(5), d{6};';
for (
    ['static size_t M, N;', 'M', '*p = M;'],
    ['static size_t M, N;', 'N', '*p = N;'],
    ['int M, N;', 'N', '*p = blockIdx.x * N + n;'],
    ['static float *h_A, *h_B, *d_A, *d_B;', 'h_A', '*p = h_A[n];'],
    ['static float *h_A, *h_B, *d_A, *d_B;', 'd_B', 'd_B[0] = 1;'],
    [$mixed, 'a', '*p = a[n];'],
    [$mixed, 'q', '*p = *q;'],
    [$mixed, 'b', 'if (n > b) { *p = 1; }'],
    [$mixed, 'c', '*p = (n * c);'],
    [$mixed, 'd', 'int row[2] = {n, d}; *p = row[0];'],
    ['static dim3 x, y = dim3(1, 2);', 'x', '*p = x.x;'],
    ['static dim3 x, y = dim3(1, 2);', 'y', '*p = y.x;'],
    ['static dim3 x = dim3(1, 2), y;', 'y', '*p = y.x;'],
    ['int M[2][2] = {{1, 2}, {3, 4}}, N = M[0][1];', 'M', '*p = M[0][0];'],
    ['int M[2][2] = {{1, 2}, {3, 4}}, N = M[0][1];', 'N', '*p = N;'],
    ['static size_t M; static size_t K = M;', 'M', '*p = M;'],
    ['static std::size_t M, N;', 'N', '*p = N;'],
    ['static volatile unsigned long M, N;', 'N', '*p = N;'],
    ['static struct { int a; } M, N;', 'N', '*p = N.a;'],
    ['struct S { int a, b; }; static S M = {1, 2}, N;', 'N', '*p = N.a;'],
    ['template <class T> struct P { T a, b; }; static P<int> v, w;', 'w', '*p = w.a;'],
    ['static const char *M[2] = {"a", "b"}, *N;', 'N', '*p = *N;'],
    ['static const int M[2] = {1, 2};', 'M', '*p = M[0];'],
    ['extern int M, N; int M = 3;', 'M', '*p = M;'],
    ['[[maybe_unused]] static int M __attribute__((unused)), N;', 'N', '*p = N;'],
    ['alignas(16) static auto M = 3, N = 4;', 'N', '*p = N;'],
    ['static int M, &N = M;', 'N', '*p = N;'],
    ['namespace { int M, N; }', 'N', '*p = N;'],
    ['namespace s { static int M, N; } using namespace s;', 'N', '*p = N;'],
    ['namespace s { static int M, N; }', 'N', '*p = s::N;'],
    ['static int M, N;', 'N', '*p = ::N;'],
    ['static int M, N;', 'N', 'N = 3;'],
    ['static int M, N;', 'N', 'int *q = &N; *p = *q;'],
    ['static int M, N;', 'N', '*p = sizeof(M) * N;'],
    ['static int M, N; struct S { int N; };', 'N', 'S s = {3}; *p = s.N + N;'],
    ['static int M, N;', 'N', 'auto f = [=](int x) { return x + N; }; *p = f(1);'])
{
    my ($declaration, $variable, $body) = @$_;
    my $text = "#include <cstddef>\n$declaration\n" . $kernel =~ s/BODY/\n$body\n/r;
    my $line = refuses_variable("$declaration $body", $variable, $text);
    is($line, 4, '... with its line') if $line;
}
my $list = 'static int M, N;';
for (
    ['in a template kernel', "template <class T> __global__ void k(T *p) { *p = N; }\nvoid f() { k<<<1, 1>>>((int *)0); }"],
    ['in a device function', '__device__ int f(int x) { return x + N; }'],
    ['in a function of a template', "template <class T> __device__ T f(T x) { return x + N; }\n__device__ int g() { return f(1); }"],
    ['in a specialization', "template <class T> __global__ void k(T *p) {}\ntemplate <> __global__ void k<int>(int *p) { *p = N; }"],
    ['in a function of both sides', '__host__ __device__ int f(int x) { return x + N; }'],
    ['in a lambda', "template <class F> __global__ void k(F f) { f(1); }\nvoid f() { k<<<1, 1>>>([=] __device__(int x) { return x + N; }); }"])
{
    my ($title, $code) = @$_;
    refuses_variable("a variable of a list, $title,", 'N', "$list\n$code");
}
refuses_variable('a variable of a header', 'N', "#include \"state.cuh\"\n__global__ void k(int *p) { *p = N; }",
    'state.cuh' => "$list\n");
refuses_variable('a kernel of a header that reads one', 'N', '#include "state.cuh"',
    'state.cuh' => "$list\n__global__ void k(int *p) { *p = N; }\n");

# ---- What nvcc does not take in the host's code, and calls of kernels ----

my $host = 'int main() { int *p = NULL, n = 3; BODY }';
for (
    ['a launch of a host function', "static void f(int *p) { *p = 1; }\n$host", 'f<<<1, 1>>>(p);',
        'f is a function of the host: a kernel has __global__'],
    ['a call of a kernel', "__global__ void f(int *p) { *p = 1; }\n$host", 'f(p);',
        'f is a kernel: a call of it needs <<<grid, block>>>'],
    ['a call of a kernel in a kernel', "__global__ void f(int *p) { *p = 1; }\n$kernel", 'f(p);',
        'f is a kernel: a call of it needs'],
    ['a call of a device function', "__device__ int f(int n) { return n; }\n$host", 'n = f(n);',
        'f is a function of the device: the host can call it with __host__ __device__'],
    ['__syncthreads', $host, '__syncthreads();', '__syncthreads is for device code only'],
    ['a shared variable', $host, '__shared__ int s[4];', '__shared__ is for variables of device'],
    ['a shared array without its ;', $kernel, "__shared__ int s[4]\nif (true) { s[0] = 1; }",
        "expected ';' after the declaration of a __shared__ variable"],
    ['a shared variable without its ;', $kernel, "__shared__ int s\nfor (int i = 0; i < 1; ++i) { s = 1; }",
        "expected ';' after the declaration of a __shared__ variable"],
    [   'a member that is a kernel', 'struct A { BODY }; int main() { }',
        'static __global__ void k() {}', 'a kernel cannot be a member of a class'],
    [   'a device lambda that takes a reference',
        "template <class F> __global__ void k(F f) { f(1); }\n$host",
        'k<<<1, 1>>>([=, &n] __device__(int i) { n += i; });',
        'a lambda with __device__ cannot capture by reference'])
{
    my ($title, $text, $body, $message) = @$_;
    $text = "#include <cstdlib>\n$text\n" =~ s/BODY/\n$body\n/r;
    my $line = 1 + ($text =~ /\A(.*?)\Q$body\E/s)[0] =~ tr/\n//;
    write_text("$dir/host.cu", $text);
    my $ran = cpucc(['-extended-lambda', '-c', 'host.cu', '-o', 'host.o']);
    ok($ran->{status} == 1 && $ran->{err} =~ /^host\.cu:$line: error: \Q$message\E.*\n\z/m,
        "$title is refused")
      or diag(describe($ran));
}

# What nvcc takes, though it looks like that.
write_text("$dir/device.cu", <<'END');
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
const int LENGTH = 3;
int size = 3, f = 4, abs_sum = 5, t;
float scale[3];
enum { COUNT = 4 };
int twice(int x) { return 2 * x; }
int min(int a, int b, int c) { return a < b ? a : c; }
constexpr int three() { return 3; }
template <class T> __host__ __device__ T same(T x) { return x; }
__device__ int system(int x) { return x; }
struct Twice { __device__ int operator()(int x) const { return 2 * x; } int size; };
__host__ __device__ int both(int x) { if (x < 0) { exit(1); } return twice(x); }
static __device__ int never_called(int x) { return twice(x) + size; }
__device__ int of_parameter(int twice, int *size) { return twice + size[0]; }
template <class F> __device__ int call(F twice) { return twice(3); }
__global__ void k(int *p, int n)
{
    int array[LENGTH], more[COUNT];
    Twice twice, *s = &twice;
    int a = 1, size = 2, f = sizeof(scale) / sizeof(scale[0]);
    for (int i = 0, t = n; i < t; ++i)
    {
        array[i % 3] = more[i % 4] = i;
    }
    s->size = a;
    const auto add = [=](int scale) { return scale + size; };
    decltype(abs_sum) of_type = min(n, 3) + same(3) + f;
    *p = twice(n) + add(2) + system(n) + of_type + array[0] + more[0] + twice.size;
    memcpy(p, &n, 4);
}
__global__ void never(int *p)
{
    if constexpr (LENGTH < 0)
    {
        *p = twice(abs_sum);
    }
}
__device__ int of_device(int x) { return x; }
__device__ int of_both(float x) { return (int)x; }
int of_both(int x) { return x; }
__global__ void launched(int *p) { *p = of_device(1) + of_both(2.f); }
template <class T> int in_template(T x) { return of_device(x); }
struct Launcher
{
    int launched(int x) { return x; }
    int of_device(int x) { return launched(x); }
    friend int atomicAdd(Launcher, int x) { return x; }
    friend __global__ void befriended(int *p);
};
__global__ void befriended(int *p) { *p = 1; }
int of_names(int (*of_device)(int), int x) { return of_device(x); }
void launch(void (*launched)(int *), int *p) { launched<<<1>>>(p); }
int main()
{
    int length = twice(size) + min(1, 2, 3), array[length];
    const auto launched_later = [](int x) { return x; };
    Launcher launcher;
    array[0] = launcher.launched(sizeof(of_device(1))) + of_both(3) + launched_later(1);
    array[0] += atomicAdd(launcher, of_names(twice, 1)) + launcher.of_device(1);
    launch(launched, array);
    {
        int (*of_device)(int) = twice;
        array[0] += of_device(3);
    }
    array[0] = f + t + (int)scale[0] + abs_sum;
    if (length < 0) { throw array[0]; }
    return 0;
}
END
is(cpucc(['-c', 'device.cu', '-o', 'device.o'])->{err}, '', 'what only looks so is taken');
SKIP:
{
    skip 'no nvcc', 1 unless on_path('nvcc');
    my $nvcc = run(['nvcc', '-std=c++17', '-w', '-arch=sm_90', '-c', 'device.cu', '-o', 'device.o'],
        dir => $dir, limit => 120);
    is($nvcc->{status} . $nvcc->{err}, '0', '... by nvcc, too') or diag(describe($nvcc));
}

# Names of the host's variables that mean something else in device code, and what is legal.
write_text("$dir/state.cuh", <<'END');
#pragma once
static size_t M, N, K = 3;
static float *h_A, *h_B, *d_A = NULL, *d_B;
const int WIDTH = 16, HEIGHT = WIDTH / 2;
template <class T> struct Pair { T first, second; };
static Pair<float> lowest, highest = {1, 2};
static struct Options { int n, rows; } options = {1, 2}, defaults;
#ifdef __CUDACC__
static __device__ int never_called() { return (int)N; }
template <class T> __device__ T never_called(T x) { return x + N; }
#endif
inline size_t bytes() { return N * sizeof(float); }
END
write_text("$dir/names.cu", <<'END');
#include <cstdio>
#include <vector>
#include "state.cuh"
static int a[3], *q, b = 4, c(5), e{6}, row = N, column = row + b;
static dim3 x, y = dim3(1, 2), grid(3, 4);
int left, right;
static bool less = 1 < 2;
static std::vector<int> list, more;
constexpr int P = 3, Q = P + 1;
constexpr double PI = 3.14, TAU = 2 * PI;
static const float HALF = 0.5f;
__device__ int d_x, d_y = 3;
__constant__ float c_x[3], c_y;
__managed__ int m_x, m_y;
#define height(n) ((n) + 1)
static int height;
namespace state
{
static int size, steps = 3;
__device__ int level;
}
namespace other
{
__device__ int steps;
__global__ void count(int *p) { *p = steps + state::level; }
}
enum class Kind { N, M };
enum { COUNT = 4 };
struct alignas(16) Aligned { int a; };
struct Box
{
    size_t M, N;
    float *h_A;
    static const int K = 7;
    __host__ __device__ Box(int n) : M(n), N(n + 1), h_A(NULL) {}
    __host__ __device__ size_t area() const { return M * N; }
    __device__ float at(int row, int column) const { return h_A[row * N + column]; }
};
Box box(3), *boxes;
__global__ void parameters(float *d_A, const float *__restrict__ d_B, size_t M, size_t N)
{
    const size_t row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * N + M;
    if (row < M && column < N) { d_A[row * N + column] = d_B[column * M + row]; }
}
__global__ void locals(int *p, int n)
{
    int first = 1, M = n, *q = p, b;
    float row[3], column[WIDTH][HEIGHT];
    size_t N(3), K{4};
    Box *boxes, box(n), *const right = &box;
    const Box &left = box;
    unsigned e = 3, c;
    dim3 x(1), y, grid = dim3(1, 2);
    Aligned aligned[2];
    aligned[0] = Aligned{1};
    b = c = 4, n = e;
    *p = M * N + K, n = 3;
    for (int a = 0, lowest = 3; a < lowest; ++a) { row[a] = column[a][M] = a; }
    boxes = &box;
    q[0] = boxes->M + box.N + left.area() + right->K + (int)row[0] + first + b + c + x.x + y.x + grid.x;
}
__global__ void loops(int *p, int n)
{
    for (size_t N = n, M = 3; N < M; ++N) { *p += N; }
    for (int *q = p, *h_A = p + n; q < h_A; ++q) { *q = 1; }
    int values[3] = {1, 2, 3};
    for (int &a : values) { a = 1; }
    for (const auto b : values) { *p += b; }
    switch (n)
    {
    case 1: int c, *d_B; c = 1; d_B = p + c; *d_B = 3; break;
    default: int e, left; e = left = 2; *p = e * left;
    }
    if (int row = n) { *p = row; }
    while (int column = *p) { *p = column - 1; }
}
template <int N, typename T, class M> __global__ void of_template(T *p, M *q)
{
    __shared__ T s[N], t[N + 1];
    s[0] = t[0] = N;
    p[0] = s[0] + t[0] + q[0] * N;
}
template <class T, int K = (3)> __device__ T twice(T x) { return K * x; }
template <class F> __device__ int call(F f) { return f(3); }
typedef int Integer;
__global__ void lambdas(int *p, int n)
{
    const auto add = [=](int M, float *h_A) { return M + n + (h_A != NULL); };
    const auto more = [N = n](auto K) { return N + K; };
    const auto third = [](const Integer *q, Pair<int> a) -> int { return *q + a.first; };
    using row = int;
    typedef float column;
    row r = 3;
    column s = 4;
    auto left = [&](int y) mutable { return y + r; };
    *p = add(1, NULL) + more(2) + third(p, {1, 2}) + (int)s + left(1) + call([](int b) { return b; }) + twice(n);
}
__global__ void constants(int *p, float *f)
{
    __shared__ int s_x[WIDTH], s_y[HEIGHT][P];
    s_x[0] = s_y[0][0] = WIDTH + HEIGHT + P + Q + COUNT;
    *f = HALF + (float)PI + TAU + c_x[1] + c_y;
    *p = s_x[0] + d_x + d_y + m_x + m_y + Box::K + (int)Kind::N + (int)Kind::M;
}
__global__ void sizes(int *p)
{
    *p = sizeof(N) + sizeof(a) / sizeof(a[0]) + sizeof M + (int)sizeof(box.M) + alignof(decltype(K)) + noexcept(N);
    decltype(b) value = 3;
    static_assert(sizeof(N) == 8, "");
    *p += value;
}
__global__ void macro(int *p, int n) { *p = height(n); }
__global__ void pointers(int (*a)[3], int (&b)[3], int (*c)(int), Pair<int> lowest, std::pair<int, int> *highest)
{
    int(*list)[3] = a;
    list[0][0] = a[0][1] + b[0] + lowest.first + (highest != NULL) + (c != NULL);
}
__global__ void compared(bool *p, int n, int m)
{
    int less;
    bool right = n < m, left = n > m;
    less = right < left;
    p[0] = n < m && m > less;
    p[1] = right || left;
}
__device__ int declared(int N, int M = 3);
__device__ int declared(int N, int M) { return N * M; }
__device__ int *returned(int *h_A) { return h_A; }
__global__ void labels(int *p)
{
    int n = 0;
again:
    Pair<int> row = {n, 1}, column = {row.first, 2}, both[2] = {{1, 2}, column};
    if (++n < 3) { goto again; }
    *p = declared(row.first) + *returned(p) + both[0].first;
}
int main()
{
    N = M = K;
    parameters<<<1, 1>>>(d_A, d_B, M, N);
    of_template<P><<<1, 1>>>(q, q);
    const int a = 3;
    auto of_host = [=] __device__(int N) { return N + a; };
    lambdas<<<1, 1>>>(q, sizeof(of_host));
    h_A = h_B = NULL;
    list = more;
    state::size = state::steps + row + column + left + right + less + c + e + height + x.x + grid.x + (int)box.M;
    boxes = &box;
    options = defaults;
    lowest = highest;
    return (int)bytes() < 0;
}
END
is(cpucc(['-extended-lambda', '-c', 'names.cu', '-o', 'names.o'])->{err}, '',
    'a name that only looks like a variable of the host is taken');
SKIP:
{
    skip 'no nvcc', 1 unless on_path('nvcc');
    my $nvcc = run([qw(nvcc -std=c++17 -w -arch=sm_90 -extended-lambda -c names.cu -o names.o)],
        dir => $dir, limit => 120);
    is($nvcc->{status} . $nvcc->{err}, '0', '... by nvcc, too') or diag(describe($nvcc));
}
write_text("$dir/lambda.cu", <<'END');
template <class F> __global__ void k(F f, int *p) { *p = f(1); }
int main() { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>([=] __device__(int x) { return x; }, p); }
END
for my $flag (qw(-extended-lambda --extended-lambda --expt-extended-lambda))
{
    is(cpucc([$flag, 'lambda.cu', '-o', 'lambda'])->{err}, '', "$flag");
}

# ---- Errors of a program: the source's line and words, nothing of the rewriter's ----

my $right = <<'END';
__global__ void fill(int n, float *x)
{
    const int i = threadIdx.x;
    if (i < n)
    {
        x[i] = 1;
    }
}
int main()
{
    float *d_x;
    cudaMalloc(&d_x, 400);
    fill<<<1, 100>>>(100, d_x);
    return cudaDeviceSynchronize();
}
END
for (
    ['undeclared name', 'i < n', 'i < m', 4],
    ['missing semicolon', 'threadIdx.x;', 'threadIdx.x', '[34]'],
    ['wrong argument', '100, d_x', '100, &d_x', 13],
    ['missing argument', '(100, d_x)', '(100)', 13],
    ['missing semicolon before a brace', 'x[i] = 1;', 'x[i] = 1', '[67]'],
    ['missing semicolon before the last brace', "x[i] = 1;\n    }", 'x[i] = 1; } ++x', '[67]'],
    ['wrong configuration', '<<<1, 100>>>', '<<<>>>', 13])
{
    my ($title, $from, $to, $line) = @$_;
    write_text("$dir/wrong.cu", $right =~ s/\Q$from\E/$to/r);
    my $ran = cpucc(['wrong.cu', '-o', 'wrong']);
    ok($ran->{status} == 1 && $ran->{err} =~ /^wrong\.cu:$line: error: /m,
        "$title: the line is named")
      or diag(describe($ran));
    unlike($ran->{err}, qr/lambda|cpu\/include|\.ii\b/, '... and nothing else');
}

# ---- The driver ----

my $place = "$dir/it's a \"place\"";
mkdir $place or die "$place: $!\n";
write_text("$place/my kernel.cu", <<'END');
#include <stdio.h>
#include "a header.h"
extern "C" int from_c(int);
int from_cpp(int);
__global__ void say(const char *text)
{
    printf("%s %d\n", text, VALUE);
}
int main()
{
    say<<<1, 1>>>(TEXT);
    cudaDeviceSynchronize();
    printf("%d %d\n", from_c(1), from_cpp(2));
    return 0;
}
END
write_text("$place/a header.h", "#define VALUE 5\n");
write_text("$place/in c.c", "int from_c(int class) { return class + 10; }\n");
write_text("$place/cpp.cpp", <<'END');
#include <cuda_runtime.h>
#ifdef __CUDACC__
#error a .cpp file is no CUDA
#endif
__host__ __device__ int from_cpp(int x) { return x + 20; }
END
my @all = ('-DTEXT="it\'s \"so\" $HOME"', 'my kernel.cu', 'in c.c', 'cpp.cpp', '-o', 'a program');
my $ran = cpucc(\@all, dir => $place);
is($ran->{err}, '', 'spaces and quotes in names and values; C and C++ beside CUDA');
prints(["$place/a program"], "it's \"so\" \$HOME 5\n11 22\n", '... and it runs');

$ran = cpucc([split(' ', '-arch=sm_90 -gencode arch=compute_80,code=sm_80 -std c++17 -lineinfo '
      . '-Xcompiler -Wall,-Wextra -use_fast_math --expt-relaxed-constexpr -lcudart '
      . '-maxrregcount 32'),
      @all],
    dir => $place);
is($ran->{status} . $ran->{err}, '0', "nvcc's flags are taken");

$ran = cpucc(['-MMD', '-c', 'cpp.cpp'], dir => $place);
ok($ran->{status} == 0 && -e "$place/cpp.o" && -e "$place/cpp.d", '-c and -MMD name their files');
$ran = cpucc(['-E', 'my kernel.cu', '-DTEXT=""'], dir => $place);
like($ran->{out}, qr/cudacpu::configure\(1, 1\), say ?\(""\)/, '-E shows the rewritten text');
like(cpucc(['--help'])->{out}, qr/^cpucc: .*\n(.*\n)*.*CPUCC_CXX/, '--help');
like(cpucc(['--version'])->{out}, qr/^cpucc: .*\d\n\z/, '--version');
for (['no input file', '-O2'], ['wants an argument', '-o'], ['cannot read none.cu', 'none.cu'])
{
    my ($message, @args) = @$_;
    $ran = cpucc(\@args);
    ok($ran->{status} == 1 && $ran->{err} =~ /^cpucc: .*\Q$message\E.*\n\z/, $message)
      or diag(describe($ran));
}

# ---- Several files with relocatable device code ----

write_text("$dir/main.cu", <<'END');
#include <stdio.h>
extern __device__ int d_value;
extern __constant__ int c_table[2];
__device__ int twice(int x);
__global__ void show() { printf("%d %d\n", d_value + c_table[1], twice(4)); }
int main() { show<<<1, 1>>>(); return cudaDeviceSynchronize(); }
END
write_text("$dir/other.cu", <<'END');
__device__ int d_value = 5;
__constant__ int c_table[2] = {1, 2};
__device__ int twice(int x) { return 2 * x; }
END
is(cpucc([qw(-rdc=true main.cu other.cu -o both)])->{err}, '', '-rdc=true');
prints(["$dir/both"], "7 8\n", '... links device functions and variables');
is(cpucc([qw(-dc main.cu)])->{err} . cpucc([qw(-dc other.cu)])->{err}, '', '-dc');
is(cpucc([qw(main.o other.o -o both)])->{err}, '', '... and objects linked');
prints(["$dir/both"], "7 8\n", '... give the same');
isnt(cpucc([qw(main.cu other.cu -o both)])->{status}, 0, 'without it they stay apart');

# ---- A debugger ----

SKIP:
{
    skip 'no gdb', 1 unless on_path('gdb');
    write_text("$dir/debug.cu", $right);
    cpucc([qw(-O0 -g debug.cu -o debug)]);
    $ran = run(['gdb', '-q', '-batch', '-ex', 'handle SIGSEGV nostop noprint pass',
            (map { ('-ex', $_) } 'break debug.cu:6', 'run', 'print n', 'print i'), 'debug'],
        dir => $dir);
    skip 'gdb may not trace here', 1 if $ran->{err} =~ /ptrace|Operation not permitted/;
    like(
        $ran->{out},
        qr/debug\.cu:6\b.*^\$1 = 100\n.*^\$2 = 0\n/ms,
        'gdb stops in a kernel and reads it');
}

# ---- Text that is cut off, or is no program: a message or what the compiler then refuses ----

my %odd = (
    'nothing' => '',
    'a lambda at the beginning' => '__device__ (int x) { return x; }',
    'a launch at the end' => '__global__ void k(); void f() { k<<<1, 1>>>',
    'a launch at the beginning' => '<<<1, 1>>>();',
    'asm at the end' => "__global__ void k()\n{\nasm(",
    'an open string' => "__global__ void k()\n{\nasm(\"add",
    'an open raw string' => "__global__ void k()\n{\nasm(R\"x(add",
    'a raw string without its bracket' => "__global__ void k(int x)\n{\nasm(R\"abc\" : \"+r\"(x));\n}\n",
    'a shared variable at the end' => "__global__ void k() { __shared__ int s[",
    'only closing brackets' => ')]}' x 1000,
    'only __global__' => '__global__ ' x 1000,
    'a volatile at the end' => "__device__ void f() { volatile",
    'a byte of 0' => "__device__ int f()\0{ return 1; }\nint main() {}\n",
    'a line of 1 MB' => '__global__ void k() { const char *s = "' . 'x' x (1 << 20) . "\"; }\n",
    'a sum of 100000 numbers' => '__device__ int f(int a) { return a' . ' + a' x 100000 . "; }\n",
    '20000 calls' => "int g(int);\nint main() { int a = 0;\n" . 'a = g(a); ' x 20000 . "}\n",
    '2000 sums of volatile numbers' =>
      "__global__ void k() { __shared__ volatile int s[9];\n" . 's[1] = s[2]; ' x 2000 . "}\n",
);
for my $what (sort keys %odd)
{
    write_text("$dir/odd.cu", qq(# 1 "odd.cu"\n$odd{$what}));
    my $ran = run(['sh', '-c', '"$0" -ptx -extended-lambda <odd.cu', "$CPU/build/rewrite"], dir => $dir);
    ok(defined $ran->{status} && ($ran->{status} == 0 || $ran->{status} == 1 && $ran->{err} =~ /^\S+:\d+: error: .+\n\z/),
        "rewriting $what ends")
      or diag(substr describe($ran), 0, 500);
}
write_text("$dir/zero.cu", "#include <cstdio>\n__device__ int d;\0\nint main() { puts(\"all of it\"); }\n");
cpucc(['zero.cu', '-o', 'zero']);
prints(["$dir/zero"], "all of it\n", 'a byte of 0 does not end the text');

done_testing();
