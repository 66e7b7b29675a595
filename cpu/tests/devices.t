# Several devices, which the backend shows where CUDACPU_DEVICES asks for them: the rules of CUDA.
# Inputs: backend cpu/tests/conformance/* cpu/tests/conformance/*/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# ---- The rules, with any number of devices ----

my $made = compile_for_cpu("$CPU/tests/conformance/devices.cu", "$dir/devices");
ok($made->{status} == 0, 'devices.cu compiles') or diag(describe($made));
my $expected = read_text('tests/conformance/expected/devices.txt');
for ([1], [2], [3], [4], [8], [2, CUDACPU_THREADS => 1], [3, CUDACPU_THREADS => 3])
{
    my ($number, @more) = @$_;
    my $ran =
      run(["$dir/devices"], env => {CUDACPU_DEVICES => $number, CUDACPU_STRICT => 1, @more});
    # It tries this, and the backend explains why it cannot be.
    my $tried =
      qr/^CPU backend: devices\.cu:\d+:\n  kernel fill .*: its stream is of another device\n/m;
    my $more_devices = qr/^CPU backend: cudaSetDevice, devices\.cu:\d+:\n  there is no device \d: .*\n/m;
    my $rest = $ran->{err} =~ s/$tried|$more_devices//gr;
    my $right = ($ran->{status} // -1) == 0 && $ran->{out} eq $expected && $rest eq '';
    ok($right, "the rules hold with $number devices @more") or diag(describe($ran));
}

# ---- How many there are ----

my $count = write_text("$dir/count.cu", <<'END');
#include <cstdio>
int main()
{
    int count = -1;
    const cudaError_t error = cudaGetDeviceCount(&count);
    printf("%s, %d:", cudaGetErrorName(error), count);
    for (int device = 0; device < count; ++device)
    {
        cudaDeviceProp properties;
        cudaGetDeviceProperties(&properties, device);
        printf(" %d", properties.pciBusID);
    }
    puts("");
    return 0;
}
END
$made = compile_for_cpu($count, "$dir/count");
ok($made->{status} == 0, 'count.cu compiles') or diag(describe($made));
for (
    [undef, undef, 'cudaSuccess, 1: 0'],
    [1, undef, 'cudaSuccess, 1: 0'],
    [4, undef, 'cudaSuccess, 4: 0 1 2 3'],
    [4, '2,0', 'cudaSuccess, 2: 2 0'],
    [4, '3', 'cudaSuccess, 1: 3'],
    [4, '1,-1,2', 'cudaSuccess, 1: 1'],
    [4, '1,9,2', 'cudaSuccess, 1: 1'],
    [4, 'GPU-00000000-0000-0000-0000-000000000002', 'cudaSuccess, 1: 2'],
    [2, '2', 'cudaErrorNoDevice, 0:'],
    [2, '', 'cudaErrorNoDevice, 0:'])
{
    my ($devices, $visible, $says) = @$_;
    my $ran =
      run(["$dir/count"], env => {CUDACPU_DEVICES => $devices, CUDA_VISIBLE_DEVICES => $visible});
    is( $ran->{out},
        "$says\n",
        join(' ',
            'CUDACPU_DEVICES', $devices // 'unset',
            'CUDA_VISIBLE_DEVICES', $visible // 'unset'));
}
for my $devices ('', '0', '-1', '9', '1e9', 'two', '2x', '1.5', ' ')
{
    my $ran = run(["$dir/count"], env => {CUDACPU_DEVICES => $devices});
    my $right = ($ran->{status} // -1) == 3
      && $ran->{err} =~ /\A[^\n]*CUDACPU_DEVICES[^\n]*\n\z/
      && $ran->{out} eq '';
    ok($right, "CUDACPU_DEVICES='$devices': one line and status 3") or diag(describe($ran));
}

# ---- A device that would be there ----

my $absent = write_text("$dir/absent.cu", <<'END');
#include <cstdio>
int main()
{
    for (int device = 0; device < 3; ++device)
    {
        puts(cudaGetErrorString(cudaSetDevice(device)));
    }
    return 0;
}
END
$made = compile_for_cpu($absent, "$dir/absent");
for ([undef, 1], [2, 2], [3, 3])
{
    my ($devices, $count) = @$_;
    my $ran = run(["$dir/absent"], env => {CUDACPU_DEVICES => $devices});
    my $says = $count == 3
      ? ''
      : "CPU backend: cudaSetDevice, absent.cu:6:\n  there is no device $count: "
      . "CUDACPU_DEVICES=@{[$count + 1]} would show @{[$count + 1]} devices, on the same cores\n";
    my $out = "no error\n" x $count . "invalid device ordinal\n" x (3 - $count);
    ok($ran->{err} eq $says && $ran->{out} eq $out, "with $count devices one line says how to get more")
      or diag(describe($ran));
}

# ---- Memory that another device still copies ----

my $freed = write_text("$dir/freed.cu", <<'END');
#include <cstdio>
const size_t BYTES = 64 << 20;
int main(int argc, char **)
{
    char *from, *to, h = 0;
    cudaMalloc(&from, BYTES);
    cudaMemset(from, 7, BYTES);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    cudaMalloc(&to, BYTES);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    if (argc > 1)
    {
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    }
    for (int i = 0; i < 20; ++i)
    {
        cudaMemcpyPeerAsync(to, 1, from, 0, BYTES, stream);
    }
    if (argc > 1)
    {
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, stream);
    }
    cudaSetDevice(0);
    printf("%d\n", cudaFree(from));
    cudaSetDevice(1);
    cudaMemcpyAsync(&h, to + BYTES - 1, 1, cudaMemcpyDeviceToHost, stream);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", error == cudaSuccess ? h : 0, cudaGetErrorName(error));
    return 0;
}
END
$made = compile_for_cpu($freed, "$dir/freed");
ok($made->{status} == 0, 'freed.cu compiles') or diag(describe($made));
my %two = (CUDACPU_DEVICES => 2, CUDACPU_LEAKS => undef);
my $ran = run(["$dir/freed"], env => \%two);
ok(($ran->{status} // -1) == 0 && $ran->{out} eq "0\n7 cudaSuccess\n" && $ran->{err} eq '',
    'cudaFree waits for the copies of another device')
  or diag(describe($ran));
$ran = run(["$dir/freed", 'graph'], env => \%two);
my $named =
  $ran->{err} =~ /^CPU backend: a copy of device 1 is not done: another device has freed its source/m
  && $ran->{out} eq "0\n0 cudaErrorIllegalAddress\n";
ok(($ran->{status} // -1) == 0 && ($named || $ran->{out} eq "0\n7 cudaSuccess\n"),
    'those of a graph are refused where they come too late')
  or diag(describe($ran));

# ---- An array is freed when no device copies it any more ----

my $array = write_text("$dir/array.cu", <<'END');
#include <cstdio>
#include <unistd.h>
static void CUDART_CB pause_for_a_while(void *) { usleep(200000); }
int main()
{
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    int *x, *y;
    cudaStream_t stream;
    cudaMallocHost(&x, 4096);
    cudaMallocHost(&y, 4096);
    for (int i = 0; i < 1024; ++i)
    {
        x[i] = i;
    }
    cudaMallocArray(&array, &format, 1024);
    cudaMemcpy2DToArray(array, 0, 0, x, 4096, 4096, 1, cudaMemcpyHostToDevice);
    cudaSetDevice(1);
    cudaStreamCreate(&stream);
    cudaLaunchHostFunc(stream, pause_for_a_while, nullptr);
    cudaMemcpy2DFromArrayAsync(y, 4096, array, 0, 0, 4096, 1, cudaMemcpyDeviceToHost, stream);
    cudaSetDevice(0);
    cudaFreeArray(array);
    cudaSetDevice(1);
    printf("%d", cudaStreamSynchronize(stream));
    printf(" %d\n", y[1023]);
    return 0;
}
END
$made = compile_for_cpu($array, "$dir/array");
ok($made->{status} == 0, 'array.cu compiles') or diag(describe($made));
my $waited = run(["$dir/array"], env => {CUDACPU_DEVICES => 2});
is(($waited->{status} // 'signal') . " $waited->{out}", "0 0 1023\n", 'cudaFreeArray waits for another device that copies')
  or diag(describe($waited));

done_testing();
