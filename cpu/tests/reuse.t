# CUDACPU_REUSE=1: memory that was freed is handed out again with what it holds. Without it fresh memory
# holds a pattern.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
delete @ENV{qw(CUDACPU_REUSE CUDACPU_DEVICES)};

my $source = write_text("$dir/reuse.cu", <<'END');
#include <stdio.h>
#include <string.h>

__global__ void fill(int *x, int n, int value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { x[i] = value; }
}

__global__ void touch(int *x) { x[0] = 1; } // TOUCH

__global__ void read(const int *x) { if (x[5] == 3) { printf("three\n"); } } // READ

typedef enum { DEVICE, ASYNC, MANAGED, PINNED } Kind;

static int *take(Kind kind, int n)
{
    int *x = NULL;
    const size_t bytes = n * sizeof(*x);
    if (kind == DEVICE) { cudaMalloc(&x, bytes); }
    if (kind == ASYNC) { cudaMallocAsync(&x, bytes, 0); }
    if (kind == MANAGED) { cudaMallocManaged(&x, bytes); }
    if (kind == PINNED) { cudaMallocHost(&x, bytes); }
    return x;
}

static void give_back(Kind kind, int *x)
{
    if (kind == ASYNC) { cudaFreeAsync(x, 0); cudaDeviceSynchronize(); return; }
    kind == PINNED ? cudaFreeHost(x) : cudaFree(x);
}

// An array of n elements that a kernel has filled, freed.
static int *leave(Kind kind, int n, int value)
{
    int *x = take(kind, n);
    fill<<<(n + 127) / 128, 128>>>(x, n, value);
    cudaDeviceSynchronize();
    give_back(kind, x);
    return x;
}

// What a new array holds: its value, or -1 where its elements differ from it.
static int find(Kind kind, int n, int value)
{
    static int h_x[20000];
    int *x = take(kind, n);
    cudaMemcpy(h_x, x, n * sizeof(*x), cudaMemcpyDefault);
    for (int i = 0; i < n; ++i)
    {
        if (h_x[i] != value) { value = -1; }
    }
    cudaFree(kind == DEVICE ? x : NULL);
    if (kind != DEVICE) { give_back(kind, x); }
    return value;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "kinds") == 0)
    {
        for (int kind = DEVICE; kind <= PINNED; ++kind)
        {
            leave((Kind)kind, 1000, 7 + kind);
            printf("%d ", find((Kind)kind, 1000, 7 + kind));
        }
    }
    if (strcmp(what, "sizes") == 0)
    {
        for (int n = 1; n < 20000; n = 3 * n + 1) { leave(DEVICE, n, n); }
        for (int n = 1; n < 20000; n = 3 * n + 1) { printf("%d ", find(DEVICE, n, n)); }
        printf("%d ", find(DEVICE, 100, 121));
    }
    if (strcmp(what, "order") == 0)
    {
        int *a = take(DEVICE, 100), *b = take(DEVICE, 100);
        cudaFree(a);
        cudaFree(b);
        int *c = take(DEVICE, 100), *d = take(DEVICE, 100), *e = take(DEVICE, 100);
        printf("%d %d %d ", c == b, d == a, e != a && e != b);
        cudaFree(c);
        cudaFree(d);
        cudaFree(e);
    }
    if (strcmp(what, "devices") == 0)
    {
        leave(DEVICE, 100, 5);
        cudaSetDevice(1);
        printf("%d ", find(DEVICE, 100, 5));
        cudaSetDevice(0);
        printf("%d ", find(DEVICE, 100, 5));
    }
    if (strcmp(what, "reset") == 0)
    {
        leave(DEVICE, 100, 5);
        cudaDeviceReset();
        printf("%d ", find(DEVICE, 100, 5));
    }
    if (strcmp(what, "freed") == 0)
    {
        touch<<<1, 1>>>(leave(DEVICE, 100, 5));
        printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    }
    if (strcmp(what, "again") == 0)
    {
        int *old = leave(DEVICE, 100, 5), *x = take(DEVICE, 100);
        touch<<<1, 1>>>(x);
        printf("%d %s ", x == old, cudaGetErrorName(cudaDeviceSynchronize()));
        touch<<<1, 1>>>(x + 100);
        printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    }
    if (strcmp(what, "check") == 0)
    {
        leave(DEVICE, 100, 3);
        int *x = take(DEVICE, 100);
        read<<<1, 1>>>(x);
        cudaDeviceSynchronize();
        cudaFree(x);
    }
    if (strcmp(what, "much") == 0)
    {
        for (int i = 0; i < 60; ++i)
        {
            char *x;
            cudaMalloc(&x, (size_t)(20 << 20) + 4096 * i);
            cudaMemset(x, 1, (size_t)(20 << 20) + 4096 * i);
            cudaFree(x);
        }
    }
    return 0;
}
END

# Runs a case of the program, with the mode on or off.
sub says
{
    my ($program, $case, $on, $out, $err, $title, %env) = @_;
    my $ran =
      run(["$dir/$program", $case], env => {CUDACPU_REUSE => $on, CUDACPU_LEAKS => 0, %env});
    ok($ran->{out} =~ $out && $ran->{err} =~ $err, $title) or diag(describe($ran));
}

my $made = compile_for_cpu($source, "$dir/reuse");
ok($made->{status} == 0, 'the program compiles') or diag(describe($made));
my $none = qr/\A\z/;
says('reuse', 'kinds', 1, qr/^7 8 9 10 $/, $none, 'each kind of memory has its old content');
says('reuse', 'kinds', $_, qr/^(-1 ){4}$/, $none, 'without the mode none has') for 0, undef;
says('reuse', 'sizes', 1, qr/^1 4 13 40 121 364 1093 3280 9841 -1 $/, $none, 'the size is the same');
says('reuse', 'order', 1, qr/^1 1 1 $/, $none, 'what was freed last comes first');
says('reuse', 'order', 0, qr/^0 0 1 $/, $none, 'without the mode it does not come');
says('reuse', 'devices', 1, qr/^-1 5 $/, $none, 'the device is the same', CUDACPU_DEVICES => 2);
says('reuse', 'reset', 1, qr/^-1 $/, $none, 'nothing is left after cudaDeviceReset');
says('reuse', 'freed', 1, qr/^cudaErrorIllegalAddress $/, qr/in memory of 400 bytes that was freed/,
    'an access to freed memory is found');
says('reuse', 'again', 1, qr/^1 cudaSuccess cudaErrorIllegalAddress $/,
    qr/0 bytes past the end of a device allocation of 400 bytes/,
    'the pointer is valid again, and bounds are watched');
says('reuse', 'again', 0, qr/^0 cudaSuccess cudaErrorIllegalAddress $/, qr/past the end/,
    'without the mode the pointer is another one');
says('reuse', 'check', 1, qr/^three\n$/, $none, 'a plain program reads what was there');
says('reuse', 'kinds', 2, $none, qr/^CPU backend: CUDACPU_REUSE must be 0 or 1, not "2"$/m,
    'another value is refused');

my $much = run(["$dir/reuse", 'much'], env => {CUDACPU_REUSE => 1, CUDACPU_PEAK => 1});
my ($kilobytes) = $much->{err} =~ /bytes of device memory, (\d+) KB of the process/;
cmp_ok($kilobytes // 1e9, '<', 0.6e6, 'not all that is freed is kept') or diag(describe($much));

SKIP:
{
    skip 'the checker is for this processor', 3 if ($ENV{RUNNER} // '') ne '';
    $made = compile_for_cpu($source, "$dir/checked", '--check');
    ok($made->{status} == 0, 'the program compiles with the checker') or diag(describe($made));
    my $line = line_marked(read_text($source), 'READ');
    for my $on (0, 1)
    {
        says('checked', 'check', $on, qr//, qr/reuse\.cu:$line\b/,
            "the checker: memory that is handed out was never written, CUDACPU_REUSE=$on");
    }
}

done_testing();
