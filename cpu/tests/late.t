# CUDACPU_LATE=1: a program that waits as it must prints what it else prints, and one that forgets
# to wait does not, though the order of issue makes it right by chance.
# Inputs: backend cpu/tests/conformance/* cpu/tests/conformance/*/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Parallel;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

my $BEGIN = <<'END';
#include <atomic>
#include <cstdio>
#include <ctime>
#include <thread>

__global__ void set(int *x, int value)
{
    *x = value;
}

__global__ void copy(int *y, const int *x)
{
    *y = *x;
}

__global__ void nothing()
{
}

static int *x, *y, *h;
static cudaStream_t a, b, c;

// All is 0, and the device idle.
static void clear()
{
    cudaDeviceSynchronize();
    cudaMemset(x, 0, sizeof(int));
    cudaMemset(y, 0, sizeof(int));
    cudaDeviceSynchronize();
    *h = 0;
}

// What b has made of y, as a copy in b sees it.
static void print(const char *title)
{
    cudaMemcpyAsync(h, y, sizeof(int), cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    printf("%s: %d\n", title, *h);
    clear();
}

static void begin()
{
    cudaMalloc(&x, sizeof(int));
    cudaMalloc(&y, sizeof(int));
    cudaMallocHost(&h, sizeof(int));
    for (cudaStream_t *stream : {&a, &b, &c})
    {
        cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
    }
    clear();
}
END

write_text("$dir/waits.cu", $BEGIN . <<'END');

// A graph that copies x after the event.
static cudaGraphExec_t captured(cudaEvent_t event)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal);
    cudaStreamWaitEvent(b, event, cudaEventWaitExternal);
    copy<<<1, 1, 0, b>>>(y, x);
    cudaStreamEndCapture(b, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    return exec;
}

static void launch_without_end(std::atomic<bool> *ended)
{
    while (!*ended)
    {
        nothing<<<1, 1, 0, c>>>();
    }
}

int main()
{
    cudaEvent_t event, start;
    cudaEventCreate(&event);
    cudaEventCreate(&start);
    begin();

    set<<<1, 1, 0, a>>>(x, 7);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    copy<<<1, 1, 0, b>>>(y, x);
    print("an event");

    cudaGraphExec_t graph = captured(event);
    set<<<1, 1, 0, a>>>(x, 7);
    cudaEventRecord(event, a);
    cudaGraphLaunch(graph, b);
    print("an event before a graph");

    cudaGraph_t other;
    cudaStreamBeginCapture(c, cudaStreamCaptureModeRelaxed);
    set<<<1, 1, 0, a>>>(x, 7);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    copy<<<1, 1, 0, b>>>(y, x);
    cudaStreamSynchronize(b);
    cudaStreamEndCapture(c, &other);
    print("an event while a third stream captures");

    set<<<1, 1, 0, a>>>(x, 7);
    while (cudaStreamQuery(a) == cudaErrorNotReady)
    {
    }
    copy<<<1, 1, 0, b>>>(y, x);
    print("asked until it is done");

    cudaStream_t blocking;
    cudaStreamCreate(&blocking);
    set<<<1, 1, 0, blocking>>>(x, 7);
    nothing<<<1, 1>>>();
    cudaStreamSynchronize(0);
    copy<<<1, 1, 0, b>>>(y, x);
    print("the default stream");

    std::atomic<bool> ended{false};
    std::thread other_thread(launch_without_end, &ended);
    for (int i = 0; i < 5; ++i)
    {
        set<<<1, 1>>>(x, 7);
        cudaDeviceSynchronize();
    }
    ended = true;
    other_thread.join();
    copy<<<1, 1, 0, b>>>(y, x);
    print("the device, while another thread launches");

    for (int i = 0; i < 20000; ++i)
    {
        set<<<1, 1, 0, i % 2 == 0 ? a : c>>>(x, 7);
    }
    cudaDeviceSynchronize();
    copy<<<1, 1, 0, b>>>(y, x);
    print("20000 launches");

    float milliseconds;
    const timespec pause = {0, 90000000};
    cudaEventRecord(start);
    nothing<<<1, 1>>>();
    cudaEventRecord(event);
    nanosleep(&pause, nullptr);
    cudaEventSynchronize(event);
    cudaEventElapsedTime(&milliseconds, start, event);
    printf("the time of a kernel is its own: %d\n", milliseconds < 80.0f);
}
END
my $RIGHT = <<'END';
an event: 7
an event before a graph: 7
an event while a third stream captures: 7
asked until it is done: 7
the default stream: 7
the device, while another thread launches: 7
20000 launches: 7
the time of a kernel is its own: 1
END

write_text("$dir/forgets.cu", $BEGIN . <<'END');

int main()
{
    cudaEvent_t event;
    cudaEventCreate(&event);
    begin();

    set<<<1, 1, 0, a>>>(x, 7);
    cudaEventRecord(event, a);
    copy<<<1, 1, 0, b>>>(y, x);
    print("no wait for the event");

    cudaEventRecord(event, a);
    set<<<1, 1, 0, a>>>(x, 7);
    cudaStreamWaitEvent(b, event, 0);
    copy<<<1, 1, 0, b>>>(y, x);
    print("an event too early");

    set<<<1, 1, 0, a>>>(y, 7);
    cudaMemcpyAsync(h, y, sizeof(int), cudaMemcpyDeviceToHost, a);
    nothing<<<1, 1, 0, b>>>();
    cudaStreamSynchronize(b);
    printf("a wait for another stream: %d\n", *h);
    clear();

    set<<<1, 1, 0, a>>>(y, 7);
    cudaMemcpyAsync(h, y, sizeof(int), cudaMemcpyDeviceToHost, a);
    nothing<<<1, 1>>>();
    cudaStreamSynchronize(0);
    printf("the default stream does not wait for it: %d\n", *h);
}
END
my $BY_CHANCE = <<'END';
no wait for the event: 7
an event too early: 7
a wait for another stream: 7
the default stream does not wait for it: 7
END

# Programs, with what they must print without and with CUDACPU_LATE=1; undef: it does not matter.
my @jobs = (
    {source => "$dir/waits.cu", prints => [$RIGHT, $RIGHT]},
    {source => "$dir/forgets.cu", prints => [$BY_CHANCE, $BY_CHANCE =~ s/7$/0/mgr]},
    map({ {source => "$CPU/tests/conformance/$_.cu",
            prints => [undef, read_text("tests/conformance/expected/$_.txt")]} }
        qw(captures graphs memory streams)),
    map({ {source => "$CPU/tests/faults/$_.cu", prints => [undef, ''], says => 1} }
        qw(host-sets-a-flag-late host-thread-sets-a-flag-late cuda-in-a-host-function
          exit-without-waiting many-host-threads)));

sub try
{
    my ($job) = @_;
    my $name = basename($job->{source}, '.cu');
    my $made = compile_for_cpu($job->{source}, "$dir/$name", '-w', '-O0');    # soon compiled
    ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made)), return;
    my @says = $job->{says} ? read_text($job->{source}) =~ m{^// stderr: (.*)$}mg : ();
    for my $late (grep { defined $job->{prints}[$_] } 0, 1)
    {
        my $ran = run(
            ["$dir/$name"],
            dir => $dir,
            limit => 60,
            env =>
              {CUDACPU_LATE => $late, CUDACPU_DEVICES => undef, CUDACPU_STRICT => !$job->{says}});
        my $title = "$name, CUDACPU_LATE=$late";
        is($ran->{status}, 0, "$title: ends") or diag(describe($ran));
        is($ran->{out}, $job->{prints}[$late], "$title: prints what it should");
        my @missing = grep { $ran->{err} !~ /$_/ } @says;
        ok(!@missing, "$title: stderr says so")
          or diag(describe($ran), map { "stderr lacks: $_\n" } @missing);
    }
}

test_in_parallel(\&try, sub { basename($_[0]{source}) }, \@jobs);
