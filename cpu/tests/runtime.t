# The CPU backend from outside: small CUDA programs, compiled and run, and what one must see.
# The numbers, names and texts of errors are those a GPU gives.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# Compiles `int main` around a text that may define kernels first, after a line `main:`.
sub program_of
{
    my ($name, $text) = @_;
    my ($kernels, $body) = $text =~ /^(.*?)^main:\n(.*)\z/ms;
    my $source = write_text("$dir/$name.cu", <<"END");
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SAY(call) printf("%s\\n", cudaGetErrorName(call))
$kernels
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    (void)what;
$body
    return 0;
}
END
    my $made = compile_for_cpu($source, "$dir/$name", '-g1', '-Wall', '-Wextra');
    ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made));
    return -x "$dir/$name" ? $name : undef;
}

sub shows
{
    my ($name, $args, $expected, $title) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    $name or return fail($title);
    my $ran = run(["$dir/$name", @$args]);
    my $right = ($ran->{status} // -1) == 0
      && (ref $expected ? $ran->{out} =~ $expected : $ran->{out} eq $expected) && $ran->{err} eq '';
    ok($right, $title) or diag(describe($ran), "expected: $expected\n");
}

# ---- printf and synchronizing ----

my $hello = program_of('hello', <<'END');
__global__ void hello()
{
    printf("%d\n", threadIdx.x);
    printf("%d\n", 100 + threadIdx.x);
}
main:
    hello<<<1, 3>>>();
    if (strcmp(what, "sync") == 0)
    {
        SAY(cudaDeviceSynchronize());
    }
    if (strcmp(what, "copy") == 0)
    {
        void *d;
        cudaMalloc(&d, 4);
        cudaMemset(d, 0, 4);
        SAY(cudaMemcpy(&argc, d, 4, cudaMemcpyDeviceToHost));
        cudaFree(d);
    }
END
shows($hello, [], '', 'without a synchronize nothing is printed');
my $printed = "0\n1\n2\n100\n101\n102\ncudaSuccess\n";
shows($hello, ['sync'], $printed, 'a warp prints statement by statement, lane by lane');
shows($hello, ['copy'], $printed, 'a copy back synchronizes too');

# ---- Grids, shared memory, barriers, symbols ----

my $right = program_of('right', <<'END');
__global__ void count(int *n, int *last)
{
    atomicAdd(n, 1);
    const int bid = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    atomicMax(last, bid * 1000 + tid);
}

__global__ void reverse_static(int *x)
{
    __shared__ int s_x[64];
    s_x[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s_x[63 - threadIdx.x];
}

__global__ void reverse_dynamic(int *x, int n)
{
    extern __shared__ int s_dynamic[];
    s_dynamic[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s_dynamic[n - 1 - threadIdx.x];
}

__global__ void sum_block(const int *x, int *sum)
{
    __shared__ int s_x[1024];
    const int tid = threadIdx.x;
    s_x[tid] = x[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2)
    {
        if (tid < offset)
        {
            s_x[tid] += s_x[tid + offset];
        }
        __syncthreads();
    }
    if (tid == 0)
    {
        sum[blockIdx.x] = s_x[0];
    }
}

__constant__ int c_factor[2];
__device__ int d_total = 5;

__global__ void use_symbols()
{
    d_total += c_factor[0] * c_factor[1];
}

template <typename T>
__global__ void fill(T *x, T value)
{
    x[threadIdx.x] = value;
}

main:
    int h[2] = {0, 0}, *d;
    cudaMalloc(&d, 4096 * sizeof(int));
    cudaMemset(d, 0, sizeof(h));
    count<<<dim3(3, 4, 5), dim3(7, 5, 3)>>>(d, d + 1);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("3-D: %d %d\n", h[0], h[1]);

    int x[4096];
    for (int n = 0; n < 4096; ++n)
    {
        x[n] = n;
    }
    cudaMemcpy(d, x, 64 * sizeof(int), cudaMemcpyHostToDevice);
    reverse_static<<<1, 64>>>(d);
    cudaMemcpy(x, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("static: %d %d %d\n", x[0], x[1], x[63]);
    reverse_dynamic<<<1, 64, 64 * sizeof(int)>>>(d, 64);
    cudaMemcpy(x, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("dynamic: %d %d %d\n", x[0], x[1], x[63]);

    cudaMemcpy(d, x, 4096 * sizeof(int), cudaMemcpyHostToDevice);
    int *d_sum, sum[4];
    cudaMalloc(&d_sum, sizeof(sum));
    sum_block<<<4, 1024>>>(d, d_sum);
    cudaMemcpy(sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    printf("sums: %d %d %d %d\n", sum[0], sum[1], sum[2], sum[3]);

    const int factor[2] = {6, 7};
    int total = 0;
    cudaMemcpyToSymbol(c_factor, factor, sizeof(factor));
    use_symbols<<<1, 1>>>();
    cudaMemcpyFromSymbol(&total, d_total, sizeof(int));
    printf("symbols: %d\n", total);

    fill<double><<<1, 4>>>((double *)d, 2);
    double y[4] = {};
    cudaMemcpy(y, d, sizeof(y), cudaMemcpyDefault);
    printf("template: %g %g\n", y[0], y[3]);

    cudaEvent_t start, stop;
    float ms = -1;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    fill<<<1, 1>>>(d, 1);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    printf("events: %d\n", ms >= 0);

    cudaDeviceProp p;
    int devices = 0;
    size_t bytes_free = 0, bytes_total = 0;
    cudaGetDeviceCount(&devices);
    cudaGetDeviceProperties(&p, 0);
    cudaMemGetInfo(&bytes_free, &bytes_total);
    printf("properties: %d %d %d %d %d %d\n", devices, p.warpSize, p.maxThreadsPerBlock,
           p.multiProcessorCount > 0, p.sharedMemPerBlock >= 48 * 1024,
           0 < bytes_free && bytes_free <= bytes_total && p.totalGlobalMem > 0);
    printf("device: %s\n", p.name);
    cudaFree(d_sum);
    SAY(cudaFree(d));
    SAY(cudaFree(NULL));
    SAY(cudaGetLastError());
END
shows($right, [], qr/^3-D: 6300 59104$/m, 'a 3-D grid of 3-D blocks, every thread once');
shows($right, [], qr/^static: 63 62 0$/m, 'static shared memory');
shows($right, [], qr/^dynamic: 0 1 63$/m, 'dynamic shared memory');
shows($right, [], qr/^sums: 523776 1572352 2620928 3669504$/m, 'barriers in a loop, 1024 threads');
shows($right, [], qr/^symbols: 47$/m, 'constant and static device memory');
shows($right, [], qr/^template: 2 2$/m, 'a template kernel, and cudaMemcpyDefault');
shows($right, [], qr/^events: 1$/m, 'events: time does not run backwards');
shows($right, [], qr/^properties: 1 32 1024 1 1 1$/m, 'device properties');
shows($right, [], qr/^device: .*CPU/m, 'the device calls itself a CPU');
shows($right, [], qr/^cudaSuccess\ncudaSuccess\ncudaSuccess\n\z/m, 'and no error was left');

# ---- Errors with CUDA's numbers ----

my $errors = program_of('errors', <<'END');
__global__ void nothing() {}
main:
    int h[4] = {}, *d;
    SAY(cudaMalloc(&d, sizeof(h)));
    const cudaError_t codes[] = {cudaErrorInvalidValue, cudaErrorMemoryAllocation,
        cudaErrorInvalidConfiguration, cudaErrorIllegalAddress, cudaErrorNoDevice};
    for (cudaError_t code : codes)
    {
        printf("%d %s: %s\n", code, cudaGetErrorName(code), cudaGetErrorString(code));
    }
    SAY(cudaMemcpy(d, h, sizeof(h), cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(h, d, sizeof(h), cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice));
    cudaGetLastError();
    nothing<<<1, 1025>>>();
    SAY(cudaPeekAtLastError());
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    nothing<<<0, 1>>>();
    SAY(cudaGetLastError());
    nothing<<<1, dim3(1, 1, 65)>>>();
    SAY(cudaGetLastError());
    nothing<<<dim3(1, 65536), 1>>>();
    SAY(cudaGetLastError());
    nothing<<<1, 1, 1 << 20>>>();
    SAY(cudaGetLastError());
    nothing<<<1, 1>>>();
    SAY(cudaDeviceSynchronize());
    void *huge;
    SAY(cudaMalloc(&huge, (size_t)1 << 60));
    cudaGetLastError();
    SAY(cudaFree(d));
    SAY(cudaFree(d));
    cudaGetLastError();
    SAY(cudaFree(h));
    cudaGetLastError();
    SAY(cudaDeviceSynchronize());
END
my $ran = run(["$dir/" . ($errors // 'errors')]);
is($ran->{out}, <<'END', "the runtime's errors") or diag(describe($ran));
cudaSuccess
1 cudaErrorInvalidValue: invalid argument
2 cudaErrorMemoryAllocation: out of memory
9 cudaErrorInvalidConfiguration: invalid configuration argument
700 cudaErrorIllegalAddress: an illegal memory access was encountered
100 cudaErrorNoDevice: no CUDA-capable device is detected
cudaErrorInvalidValue
cudaErrorInvalidValue
cudaSuccess
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaSuccess
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidValue
cudaSuccess
cudaErrorMemoryAllocation
cudaSuccess
cudaErrorInvalidValue
cudaErrorInvalidValue
cudaSuccess
END
is($ran->{status} // -1, 0, '... none of which ends the program');

# ---- Which devices ----

my $devices = program_of('devices', <<'END');
__global__ void nothing()
{
}
main:
    int count = -1;
    void *d;
    SAY(cudaGetDeviceCount(&count));
    printf("%d\n", count);
    SAY(cudaSetDevice(0));
    SAY(cudaMalloc(&d, 4));
    nothing<<<1, 1>>>();
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaDeviceReset());
END
for my $list (undef, '0', '0,1', 'GPU-0', '', '-1', '1', '1,0', 'none', '0none', 'GPU-1')
{
    my $there = !defined $list || $list =~ /^(0|0,1|GPU-0)$/;
    my $says = $there ? 'cudaSuccess' : 'cudaErrorNoDevice';
    my $ran = run(["$dir/devices"], env => {CUDA_VISIBLE_DEVICES => $list});
    is($ran->{out}, join("\n", $says, $there ? 1 : 0, ($says) x 5, ''),
        'CUDA_VISIBLE_DEVICES' . (defined $list ? "=$list" : ' unset'));
}

# ---- Limits ----

my $many = program_of('many', <<'END');
__global__ void wait()
{
    __syncthreads();
}
main:
    wait<<<1, 1024>>>();
    SAY(cudaDeviceSynchronize());
END
shows($many, [], "cudaSuccess\n", 'a thousand threads that wait');

# More and more address space, until it is enough. The stacks take 46 MB, so some of these limits
# have room for the program but not for them, however much a machine's libraries take.
my ($without_stack, $limited, @odd) = (0);
for (my $limit = 10000; $limit < 1e6; $limit += 10000)
{
    $limited = sh("ulimit -v $limit; exec '$dir/many'", env => {CUDACPU_THREADS => 1});
    last if ($limited->{status} // -1) == 0;
    next if $limited->{err} !~ /^CPU backend: /;    # it was not even loaded
    my $is_right =
      ($limited->{status} // -1) == 3 && $limited->{err} =~ /\A[^\n]*cannot get [^\n]*\n\z/;
    push @odd, $limited if !$is_right;
    $without_stack++ if $limited->{err} =~ /thread's stack/;
}
ok($without_stack && !@odd, 'without room for another stack: one line and status 3')
  or diag(map { describe($_) } @odd);
is($limited->{out}, "cudaSuccess\n", '... and with room it runs') or diag(describe($limited));

# ---- As many OS threads as there are to be had ----

# The system gives so many threads and no more, as under `ulimit -u`.
my $few = write_text("$dir/few.c", <<'END');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
typedef int Create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*main)(void *), void *data)
{
    static int number;
    Create *create = (Create *)dlsym(RTLD_NEXT, "pthread_create");
    return number++ < atoi(getenv("THREADS_TO_HAVE")) ? create(thread, how, main, data) : EAGAIN;
}
END
my $made = run([split(' ', $CXX), qw(-x c -shared -fPIC -o), "$dir/few.so", $few, '-ldl']);
ok(($made->{status} // 1) == 0, 'a system with few threads') or diag(describe($made));
for my $threads (0 .. 4)
{
    my $env = {LD_PRELOAD => "$dir/few.so", THREADS_TO_HAVE => $threads, CUDACPU_THREADS => 8};
    my $few_ran = run(["$dir/many"], env => $env);
    ok(($few_ran->{status} // -1) == 0 && "$few_ran->{out}$few_ran->{err}" eq "cudaSuccess\n",
        "with $threads more OS threads to be had a kernel runs all the same")
      or diag(describe($few_ran));
}
for (
    ['CUDACPU_THREADS', 'two'],
    ['CUDACPU_THREADS', ''],
    ['CUDACPU_THREADS', '2x'],
    ['CUDACPU_THREADS', 1.5],
    ['CUDACPU_THREADS', 0],
    ['CUDACPU_THREADS', -1],
    ['CUDACPU_THREADS', 1025],
    ['CUDACPU_TIMEOUT', 'never'],
    ['CUDACPU_NOTICE', '-3'],
    ['CUDACPU_DEVICES', 'all'])
{
    my ($variable, $value) = @$_;
    my $refused = run(["$dir/many"], env => {$variable => $value});
    ok(($refused->{status} // -1) == 3
          && $refused->{out} eq ''
          && $refused->{err} =~
          /\ACPU backend: $variable must be a number from \d+ to \S+, not "\Q$value\E"\n\z/,
        "$variable=$value is refused in one line") or diag(describe($refused));
}

# ---- A small device ----

program_of('small', <<'END');
main:
    void *most = NULL, *more = NULL, *pinned = NULL;
    size_t left, total;
    SAY(cudaMalloc(&most, 900000));
    SAY(cudaMemGetInfo(&left, &total));
    printf("%zu of %zu\n", left, total);
    SAY(cudaMalloc(&more, 100001));
    SAY(cudaMalloc(&more, 100000));
    SAY(cudaMallocHost(&pinned, 2000000));
    SAY(cudaFree(most));
    SAY(cudaMalloc(&most, 900000));
    cudaFree(most), cudaFree(more), cudaFreeHost(pinned);
END
{
    local $ENV{CUDACPU_MEMORY} = '1e6';
    shows('small', [], join("\n", ('cudaSuccess') x 2, '100000 of 1000000',
            'cudaErrorMemoryAllocation', ('cudaSuccess') x 4, ''), 'a device with a million bytes');
    $ENV{CUDACPU_MEMORY} = 'much';
    my $ran = run(["$dir/small"]);
    is( $ran->{status} . $ran->{err},
        "3CPU backend: CUDACPU_MEMORY must be a number from 1 to 1e+18, not " . qq{"much"\n},
        'no number of bytes');
    for my $case (
        [CUDACPU_MEMORY => '0', 'a number from 1 to 1e+18', '0'],
        [CUDACPU_DEVICES => "1\n2", 'a number from 1 to 8', '1?2'],
        [CUDACPU_ORDER => '-1', 'a number from 0 to 999999', '-1'],
        map { ["CUDACPU_$_" => 'maybe', '0 or 1', 'maybe'] } qw(STRICT EXACT LEAKS LATE REVERSE))
    {
        my ($name, $value, $must_be, $shown) = @$case;
        local $ENV{CUDACPU_MEMORY} = '1e6';
        local $ENV{$name} = $value;
        my $refused = run(["$dir/small"]);
        is($refused->{status} . $refused->{err},
            qq{3CPU backend: $name must be $must_be, not "$shown"\n}, "$name: a wrong value");
    }
}

# ---- The warps in reverse ----

# Four whole warps and a part of one. The barrier is left out if n is 0.
my $ordered = write_text("$dir/ordered.cu", <<'END');
#include <cstdio>
__global__ void look(int n)
{
    __shared__ int s_n;
    if (threadIdx.x == 0)
    {
        s_n = 7;
    }
    if (n > 0)
    {
        __syncthreads();
    }
    if (threadIdx.x % 32 == 31 && s_n != 7)
    {
        printf("%d ", threadIdx.x);
    }
}
int main(void)
{
    look<<<1, 144>>>(0);
    cudaDeviceSynchronize();
    printf("and ");
    look<<<1, 144>>>(1);
    return cudaDeviceSynchronize();
}
END
{
    ok(compile_for_cpu($ordered, "$dir/ordered")->{status} == 0,
        'a program that relies on an order');
    shows('ordered', [], 'and ', '... is right in order');
    local $ENV{CUDACPU_REVERSE} = 1;
    shows('ordered', [], '127 95 63 and ', '... and wrong in reverse, but with a barrier');
}

# ---- Blocks and warps in other orders ----

# The order of the blocks, and of the warps of the first one. Each thread of each block must come once.
my $turns = write_text("$dir/turns.cu", <<'END');
#include <cstdio>
#include <set>
__device__ int num_blocks, num_warps;
__global__ void note(int *blocks, int *warps, int *times)
{
    if (threadIdx.x == 0)
    {
        blocks[atomicAdd(&num_blocks, 1)] = blockIdx.x + gridDim.x * blockIdx.y;
    }
    if (threadIdx.x % 32 == 0 && blockIdx.x + blockIdx.y == 0)
    {
        warps[atomicAdd(&num_warps, 1)] = threadIdx.x / 32;
    }
    ++times[threadIdx.x + blockDim.x * (blockIdx.x + gridDim.x * blockIdx.y)];
}
int main(void)
{
    int *blocks, *warps, *times;
    cudaMallocManaged(&blocks, 35 * sizeof(int));
    cudaMallocManaged(&warps, 4 * sizeof(int));
    cudaMallocManaged(&times, 35 * 100 * sizeof(int));
    note<<<dim3(7, 5), 100>>>(blocks, warps, times);
    cudaDeviceSynchronize();
    printf("%d %d %d %d, %d %d %d %d", blocks[0], blocks[1], blocks[2], blocks[34], warps[0], warps[1],
           warps[2], warps[3]);
    int wrong = std::set<int>(blocks, blocks + 35).size() != 35;
    for (int i = 0; i < 35 * 100; ++i)
    {
        wrong += times[i] != 1;
    }
    cudaFree(blocks);
    cudaFree(warps);
    cudaFree(times);
    return wrong;
}
END
{
    ok(compile_for_cpu($turns, "$dir/turns")->{status} == 0, 'a program that notes its order');
    local $ENV{CUDACPU_THREADS} = 1;
    local $ENV{CUDACPU_ORDER} = 0;
    shows('turns', [], '0 1 2 34, 0 1 2 3', 'the usual order');
    $ENV{CUDACPU_ORDER} = 1;
    shows('turns', [], '34 33 32 0, 2 1 0 3', 'CUDACPU_ORDER=1: the reverse');
    local $ENV{CUDACPU_REVERSE} = 1;
    shows('turns', [], '34 33 32 0, 0 1 2 3', '... with CUDACPU_REVERSE=1 of the blocks alone');
    delete $ENV{CUDACPU_REVERSE};
    my %orders;
    for my $seed (2 .. 9)
    {
        $ENV{CUDACPU_ORDER} = $seed;
        my ($ran, $again) = map { run(["$dir/turns"]) } 1, 2;
        is($ran->{status}, 0, "CUDACPU_ORDER=$seed: each block once, each thread once");
        is($ran->{out}, $again->{out}, '... and the same order again');
        $orders{$ran->{out}} = 1;
    }
    is(scalar keys %orders, 8, 'each seed has an order of its own');
}

# ---- The list of launches ----

my $launching = write_text("$dir/launching.cu", <<'END');
__global__ void first(int *x)
{
    extern __shared__ int s_x[];
    s_x[threadIdx.x] = x[0];
}
__global__ void second()
{
}
int main(void)
{
    int *x;
    cudaMalloc(&x, sizeof(int));
    first<<<dim3(3, 2), dim3(4, 5, 6), 1024>>>(x);
    second<<<7, 8>>>();
    cudaDeviceSynchronize(); // so what follows is not said before the list is refused
    second<<<0, 8>>>();
    return cudaFree(x);
}
END
{
    ok(compile_for_cpu($launching, "$dir/launching")->{status} == 0,
        'a program with three launches');
    my $list = "$dir/list of launches";
    my $ran = run(["$dir/launching"], env => {CUDACPU_LAUNCHES => $list});
    is($ran->{status}, 0, "... runs");
    is( read_text($list),
        "first: grid 3x2x1, block 4x5x6, shared 1024 bytes, device 0\n"
          . "second: grid 7x1x1, block 8x1x1, shared 0 bytes, device 0\n",
        '... and the two that begin are listed');
    for (
        ['/dev/full', 'No space left on device'],
        [$dir, 'Is a directory'],
        ['', 'No such file or directory'],
        ["$dir/no\nsuch/list", 'No such file or directory'])
    {
        my ($file, $why) = @$_;
        $ran = run(["$dir/launching"], env => {CUDACPU_LAUNCHES => $file});
        my $shown = $file =~ s/\n/?/gr;
        is( "$ran->{status} $ran->{err}",
            qq{3 CPU backend: CUDACPU_LAUNCHES: cannot write to "$shown": $why\n},
            "... but not in '$shown'");
    }

    # The calls of the host, with their lines and errors.
    $list = "$dir/list of calls";
    $ran = run(["$dir/launching"], env => {CUDACPU_CALLS => $list});
    is($ran->{status}, 0, "a list of calls");
    my $calls = read_text($list) =~ s{^\S*?([^/\n]*\.cu:)}{$1}mgr;
    is( $calls =~ s{\b0x\w+}{0x}gr =~ s{^launching\.cu:\d+:}{LINE:}mgr =~ s{^\?: cudaFree}{LINE: cudaFree}mr, # (a jump at the end)
        "LINE: cudaMalloc(0x, 4) = 0\nLINE: first<<<(3, 2, 1), (4, 5, 6), 1024>>> = 0\n"
          . "LINE: second<<<(7, 1, 1), (8, 1, 1), 0>>> = 0\nLINE: cudaDeviceSynchronize() = 0\n"
          . "LINE: second<<<(0, 1, 1), (8, 1, 1), 0>>> = 9\nLINE: cudaFree(0x) = 0\n",
        "... has all, in their order");
    $ran = run(["$dir/launching"], env => {CUDACPU_CALLS => "/dev/full"});
    is("$ran->{status} $ran->{err}",
        qq{3 CPU backend: CUDACPU_CALLS: cannot write to "/dev/full": No space left on device\n},
        "... or the program ends");
}

# ---- The compiler ----

my $unsupported = write_text("$dir/ptx.cu", <<'END');
__global__ void lane(int *x)
{
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(*x) : "r"(0));
}
int main(void)
{
    lane<<<1, 1>>>(0);
    return 0;
}
END
$ran = compile_for_cpu($unsupported, "$dir/ptx");
ok($ran->{status} != 0 && $ran->{err} =~ /ptx\.cu:3\b/, 'inline PTX is refused, with its line')
  or diag(describe($ran));
like($ran->{err}, qr/ldmatrix\.sync is not supported on the CPU/, '... saying which instruction');

my $typo = write_text("$dir/typo.cu", "int main(void)\n{\n    retrun 0;\n}\n");
$ran = compile_for_cpu($typo, "$dir/typo");
ok($ran->{status} != 0 && $ran->{err} =~ /typo\.cu:3\b/,
    "a compiler's error names the source's line")
  or diag(describe($ran));

my $macro = program_of('macro', <<'END');
#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
// A launch in a comment, k<<<1, 1>>>(), and one in a string are none.
const char *const TEXT = "k<<<1, 1>>>(); __shared__ int s;";
__global__ void pair(int a, double b = 0.5)
{
    printf("%d %g\n", a, b);
}
main:
    LAUNCH(pair, 1, 2.5);
    pair<<<dim3(1), dim3(1), 0, 0>>>(3);
    cudaDeviceSynchronize();
    printf("%s %d\n", TEXT, argc << 3 >> 1);
END
shows($macro, [], "1 2.5\n3 0.5\nk<<<1, 1>>>(); __shared__ int s; 4\n",
    'launches in macros, default arguments, and what only looks like a launch');

# ---- Sizes whose products or sums have no number: an error, and nothing is copied ----

my $sizes = write_text("$dir/sizes.cu", <<'END');
#include <cstdint>
#include <cstdio>
int main()
{
    const size_t rows = (size_t(1) << 56) + 1, width = (size_t(1) << 62) + 1;
    char *d, *e;
    cudaArray_t array, cube;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc(&d, 4096);
    cudaMalloc(&e, 4096);
    cudaMallocArray(&array, &format, 16, 16);
    cudaMalloc3DArray(&cube, &format, make_cudaExtent(8, 8, 6), cudaArrayCubemap);
    printf("rows: %d", cudaMemcpy2D(d, 256, e, 256, 128, rows, cudaMemcpyDeviceToDevice));
    printf(" %d\n", cudaMemset2D(d, 256, 0, 128, rows));

    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(e, 256, 256, 16);
    box.dstPtr = make_cudaPitchedPtr(d, 256, 256, 16);
    box.srcPos = make_cudaPos(SIZE_MAX - 3, 0, 0);
    box.extent = make_cudaExtent(8, 1, 1);
    box.kind = cudaMemcpyDeviceToDevice;
    printf("place: %d", cudaMemcpy3D(&box));
    box.srcPos = make_cudaPos(0, SIZE_MAX, 0);
    box.extent = make_cudaExtent(8, 2, 2);
    printf(" %d\n", cudaMemcpy3D(&box));
    box.srcPos = make_cudaPos(0, 0, 0);
    box.dstPtr = {};
    box.dstArray = array;
    box.extent = make_cudaExtent(width, 1, 1);
    printf("array: %d", cudaMemcpy3D(&box));
    box.extent = make_cudaExtent(4, 1, 1);
    box.dstPos = make_cudaPos(size_t(1) << 62, 0, 0);
    printf(" %d\n", cudaMemcpy3D(&box));

    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams set = {};
    set.dst = d;
    set.elementSize = 4;
    set.width = width;
    set.height = 1;
    printf("node: %d", cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &set));
    set.width = 4;
    set.height = rows;
    set.pitch = 256;
    printf(" %d\n", cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &set));
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location = {cudaMemLocationTypeDevice, 0};
    memory.bytesize = 64;
    cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory);
    printf("picture: %d", cudaGraphDebugDotPrint(graph, "/dev/full", 0));
    printf(" %d\n", cudaGraphDebugDotPrint(graph, "sizes.dot", 0));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = cube;
    cudaTextureDesc how = {};
    cudaResourceViewDesc view = {};
    view.width = view.height = 8;
    view.depth = 6;
    view.firstLayer = 1;
    view.lastLayer = 5;
    cudaTextureObject_t texture = 0;
    printf("faces: %d\n", cudaCreateTextureObject(&texture, &resource, &how, &view));
    return 0;
}
END
$made = compile_for_cpu($sizes, "$dir/sizes");
ok($made->{status} == 0, 'sizes.cu compiles') or diag(describe($made));
$ran = run(["$dir/sizes"], dir => $dir);
is(($ran->{status} // 'signal') . " $ran->{out}",
    "0 rows: 1 1\nplace: 12 1\narray: 1 1\nnode: 1 1\npicture: 304 0\nfaces: 1\n", 'sizes without a number are errors')
  or diag(describe($ran));
like(read_text("$dir/sizes.dot"), qr/MEM_ALLOC/, 'a picture names memory of the graph');

done_testing();
