// issue-order: all of a stream first, or one operation in all streams first
//
// From:    S1 overlapping behaviour
// Compile: nvcc -O3 issue-order.cu
// Run:     ./a.out --streams 4
//
// Each stream copies its part of the numbers to the device, advances it, and copies it back. The
// kernels together take about as long as the copies in. The host can issue these operations in two
// orders: depth-first, all of the first stream, then all of the next one; or breadth-first, the
// copy in of each stream, then the kernel of each stream, then the copy out of each. The timelines
// show which operations overlap.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "steps.cuh"
#include "timeline.cuh"

const int BLOCK_SIZE = 128;
const int MAX_STREAMS = 8;

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

enum Operation
{
    COPY_IN,
    KERNEL,
    COPY_OUT,
    NUM_OPERATIONS
};

// The events before and after an operation.
struct Marks
{
    cudaEvent_t before, after;
};

static size_t N;
static int num_streams;
static unsigned num_steps;
static unsigned grid_size;
static unsigned *h_x, *h_y; // pinned
static unsigned *d_x, *d_y;
static unsigned *reference; // y
static cudaStream_t streams[MAX_STREAMS];
static cudaEvent_t begin; // the moment 0 of a timeline
static Marks marks[NUM_OPERATIONS][MAX_STREAMS];

// y is x after so many steps. A grid of any size does all elements.
__global__ void advance(const unsigned *x, unsigned *y, size_t N, unsigned num_steps)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x; n < N; n += stride)
    {
        unsigned value = x[n];
        for (unsigned i = 0; i < num_steps; ++i)
        {
            value = FACTOR * value + SUMMAND;
        }
        y[n] = value;
    }
}

// ---- The operations: each has a part of the numbers, `size` of them from `first` on ----

void copy_in(int i)
{
    const size_t first = N * i / num_streams;
    const size_t size = N * (i + 1) / num_streams - first;
    const Marks *mark = &marks[COPY_IN][i];
    CHECK(cudaEventRecord(mark->before, streams[i]));
    CHECK(cudaMemcpyAsync(d_x + first, h_x + first, size * sizeof(unsigned), cudaMemcpyHostToDevice,
                          streams[i]));
    CHECK(cudaEventRecord(mark->after, streams[i]));
}

void compute(int i)
{
    const size_t first = N * i / num_streams;
    const size_t size = N * (i + 1) / num_streams - first;
    const Marks *mark = &marks[KERNEL][i];
    CHECK(cudaEventRecord(mark->before, streams[i]));
    advance<<<grid_size / num_streams + 1, BLOCK_SIZE, 0, streams[i]>>>(d_x + first, d_y + first,
                                                                        size, num_steps);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(mark->after, streams[i]));
}

void copy_out(int i)
{
    const size_t first = N * i / num_streams;
    const size_t size = N * (i + 1) / num_streams - first;
    const Marks *mark = &marks[COPY_OUT][i];
    CHECK(cudaEventRecord(mark->before, streams[i]));
    CHECK(cudaMemcpyAsync(h_y + first, d_y + first, size * sizeof(unsigned), cudaMemcpyDeviceToHost,
                          streams[i]));
    CHECK(cudaEventRecord(mark->after, streams[i]));
}

// ---- The two orders ----

void issue_depth_first(void)
{
    for (int i = 0; i < num_streams; ++i)
    {
        copy_in(i);
        compute(i);
        copy_out(i);
    }
    CHECK(cudaDeviceSynchronize());
}

void issue_breadth_first(void)
{
    for (int i = 0; i < num_streams; ++i)
    {
        copy_in(i);
    }
    for (int i = 0; i < num_streams; ++i)
    {
        compute(i);
    }
    for (int i = 0; i < num_streams; ++i)
    {
        copy_out(i);
    }
    CHECK(cudaDeviceSynchronize());
}

struct Order
{
    const char *name;
    void (*issue)(void);
};
const Order ORDERS[] = {{"depth-first", issue_depth_first}, {"breadth-first", issue_breadth_first}};
const int NUM_ORDERS = sizeof(ORDERS) / sizeof(ORDERS[0]);

// ---- What is done with each order ----

void check_order(const Order *order)
{
    const size_t bytes = N * sizeof(unsigned);
    poison(h_y, bytes);
    CHECK(cudaMemset(d_x, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    CHECK(cudaEventRecord(begin));
    CHECK(cudaDeviceSynchronize());
    order->issue();
    check_elements(order->name, h_y, reference, N);
}

// The time by the host's clock: the work is in many streams, and an event belongs to only one.
double time_order(const Order *order)
{
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        order->issue();
    }
    bool all_are_idle = true;
    for (int i = 0; i < MAX_STREAMS; ++i)
    {
        all_are_idle = all_are_idle && is_idle(streams[i]);
    }
    check_true("the host has waited for what it timed", all_are_idle);
    return timer.median;
}

// The spans of the last run. A stream may come to a copy while the copy of another stream is under
// way. So a copy begins when the one before it in the same direction has ended. The same holds for
// the kernels, because each of them fills the device.
void get_spans(Span *spans)
{
    const char *const names[] = {"copy in", "kernel", "copy out"};
    for (int operation = 0; operation < NUM_OPERATIONS; ++operation)
    {
        float end_of_last = 0.0f;
        for (int i = 0; i < num_streams; ++i)
        {
            const Marks *mark = &marks[operation][i];
            float start, end;
            CHECK(cudaEventElapsedTime(&start, begin, mark->before));
            CHECK(cudaEventElapsedTime(&end, begin, mark->after));
            spans[operation * num_streams + i] = {names[operation],
                                                  fmin(end, fmax(start, end_of_last)), end};
            end_of_last = end;
        }
    }
}

void launch_all(unsigned num_steps) { advance<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, N, num_steps); }

// As many steps as let the kernel of all numbers take as long as the copy of all numbers.
unsigned choose_num_steps(void)
{
    Timer timer = new_timer(3);
    while (next_run(&timer))
    {
        CHECK(cudaMemcpyAsync(d_x, h_x, N * sizeof(unsigned), cudaMemcpyHostToDevice));
    }
    return find_num_steps(timer.min, launch_all);
}

void create_streams_and_events(void)
{
    CHECK(cudaEventCreate(&begin));
    for (int i = 0; i < MAX_STREAMS; ++i)
    {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        for (int operation = 0; operation < NUM_OPERATIONS; ++operation)
        {
            CHECK(cudaEventCreate(&marks[operation][i].before));
            CHECK(cudaEventCreate(&marks[operation][i].after));
        }
    }
}

void destroy_streams_and_events(void)
{
    CHECK(cudaEventDestroy(begin));
    for (int i = 0; i < MAX_STREAMS; ++i)
    {
        CHECK(cudaStreamDestroy(streams[i]));
        for (int operation = 0; operation < NUM_OPERATIONS; ++operation)
        {
            CHECK(cudaEventDestroy(marks[operation][i].before));
            CHECK(cudaEventDestroy(marks[operation][i].after));
        }
    }
}

int main(int argc, char **argv)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); // no two streams of this program share a queue
    size_t streams_wanted = 2;
    args.N = default_size(1 << 22, 1 << 16);
    args.bytes_per_element = 2 * sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    add_number("streams", &streams_wanted, 1, MAX_STREAMS, "number of streams");
    args.columns = "  ms  the median time of all operations\n";
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "issue-order: all of a stream first, or one operation in all streams first");
    print_device();
    if (!ON_GPU)
    {
        print_note("The CPU backend does one operation at a time, in the order of issue: nothing "
                   "overlaps.\n");
    }

    N = args.N;
    num_streams = (int)streams_wanted;
    grid_size = (unsigned)fmin((N - 1) / BLOCK_SIZE + 1, 1 << 20);
    const size_t bytes = N * sizeof(unsigned);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&h_x, bytes));
    CHECK(cudaMallocHost((void **)&h_y, bytes));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    create_streams_and_events();
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    num_steps = choose_num_steps();
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = steps_reference(h_x[n], num_steps, FACTOR, SUMMAND);
    }

    int device;
    CHECK(cudaGetDevice(&device));
    print_note("%d streams, N = %zu, %u steps; this device copies in %d direction(s) beside a "
               "kernel\n",
               num_streams, N, num_steps,
               device_attribute(cudaDevAttrAsyncEngineCount, device) > 1 ? 2 : 1);
    for (int i = 0; i < NUM_ORDERS; ++i)
    {
        check_order(&ORDERS[i]);
        check_order(&ORDERS[i]); // this run is drawn; before it, something may have to be loaded
        Span spans[NUM_OPERATIONS * MAX_STREAMS];
        get_spans(spans);
        print_timed_note("\n");
        print_timed_note("%s\n", ORDERS[i].name);
        print_timeline(spans, NUM_OPERATIONS * num_streams);
    }

    print_timed_note("\n");
    const Column COLUMNS[] = {{"order", "%-13s"}, {TIME_UNIT, "%10.4g"}};
    begin_timed_table(COLUMNS, 2);
    for (int i = 0; i < NUM_ORDERS; ++i)
    {
        put_text(ORDERS[i].name);
        put_timed(time_order(&ORDERS[i]));
        end_row();
    }

    destroy_streams_and_events();
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
    free(reference);
    return verdict();
}
