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
#include "../common/timing.cuh"
#include "steps.cuh"
#include "timeline.cuh"

const int BLOCK_SIZE = 128;
const int MAX_STREAMS = 8;

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

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

// What the functions below work on.
struct Data
{
    size_t N;
    int num_streams;
    unsigned num_steps;
    unsigned grid_size;
    unsigned *h_x, *h_y; // pinned
    unsigned *d_x, *d_y;
    unsigned *reference; // y
    cudaStream_t streams[MAX_STREAMS];
    cudaEvent_t begin; // the moment 0 of a timeline
    Marks marks[NUM_OPERATIONS][MAX_STREAMS];
};

// ---- The operations: each has a part of the numbers, `size` of them from `first` on ----

void copy_in(const Data *data, int i)
{
    const size_t first = data->N * i / data->num_streams;
    const size_t size = data->N * (i + 1) / data->num_streams - first;
    const Marks *marks = &data->marks[COPY_IN][i];
    CHECK(cudaEventRecord(marks->before, data->streams[i]));
    CHECK(cudaMemcpyAsync(data->d_x + first, data->h_x + first, size * sizeof(unsigned),
                          cudaMemcpyHostToDevice, data->streams[i]));
    CHECK(cudaEventRecord(marks->after, data->streams[i]));
}

void compute(const Data *data, int i)
{
    const size_t first = data->N * i / data->num_streams;
    const size_t size = data->N * (i + 1) / data->num_streams - first;
    const Marks *marks = &data->marks[KERNEL][i];
    CHECK(cudaEventRecord(marks->before, data->streams[i]));
    advance<<<data->grid_size / data->num_streams + 1, BLOCK_SIZE, 0, data->streams[i]>>>(
        data->d_x + first, data->d_y + first, size, data->num_steps);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(marks->after, data->streams[i]));
}

void copy_out(const Data *data, int i)
{
    const size_t first = data->N * i / data->num_streams;
    const size_t size = data->N * (i + 1) / data->num_streams - first;
    const Marks *marks = &data->marks[COPY_OUT][i];
    CHECK(cudaEventRecord(marks->before, data->streams[i]));
    CHECK(cudaMemcpyAsync(data->h_y + first, data->d_y + first, size * sizeof(unsigned),
                          cudaMemcpyDeviceToHost, data->streams[i]));
    CHECK(cudaEventRecord(marks->after, data->streams[i]));
}

// ---- The two orders ----

void issue_depth_first(const Data *data)
{
    for (int i = 0; i < data->num_streams; ++i)
    {
        copy_in(data, i);
        compute(data, i);
        copy_out(data, i);
    }
    CHECK(cudaDeviceSynchronize());
}

void issue_breadth_first(const Data *data)
{
    for (int i = 0; i < data->num_streams; ++i)
    {
        copy_in(data, i);
    }
    for (int i = 0; i < data->num_streams; ++i)
    {
        compute(data, i);
    }
    for (int i = 0; i < data->num_streams; ++i)
    {
        copy_out(data, i);
    }
    CHECK(cudaDeviceSynchronize());
}

struct Order
{
    const char *name;
    void (*issue)(const Data *);
};
const Order ORDERS[] = {{"depth-first", issue_depth_first}, {"breadth-first", issue_breadth_first}};

// ---- What is done with each order ----

void check_order(const Order *order, const Data *data)
{
    const size_t bytes = data->N * sizeof(unsigned);
    poison(data->h_y, bytes);
    CHECK(cudaMemset(data->d_x, POISON_BYTE, bytes));
    CHECK(cudaMemset(data->d_y, POISON_BYTE, bytes));
    CHECK(cudaEventRecord(data->begin));
    CHECK(cudaDeviceSynchronize());
    order->issue(data);
    check_elements(order->name, data->h_y, data->reference, data->N);
}

// The time by the host's clock: the work is in many streams, and an event belongs to only one.
double time_order(const Order *order, const Data *data, size_t repeats)
{
    const double ms = time_host([=] { order->issue(data); }, repeats).median;
    bool all_are_idle = true;
    for (const cudaStream_t stream : data->streams)
    {
        all_are_idle = all_are_idle && is_idle(stream);
    }
    check_true("the host has waited for what it timed", all_are_idle);
    return ms;
}

// The spans of the last run. A stream may come to a copy while the copy of another stream is under
// way. So a copy begins when the one before it in the same direction has ended. The same holds for
// the kernels, because each of them fills the device.
void get_spans(const Data *data, Span *spans)
{
    const char *const names[] = {"copy in", "kernel", "copy out"};
    for (int operation = 0; operation < NUM_OPERATIONS; ++operation)
    {
        float end_of_last = 0.0f;
        for (int i = 0; i < data->num_streams; ++i)
        {
            const Marks *marks = &data->marks[operation][i];
            float start, end;
            CHECK(cudaEventElapsedTime(&start, data->begin, marks->before));
            CHECK(cudaEventElapsedTime(&end, data->begin, marks->after));
            spans[operation * data->num_streams + i] = {names[operation],
                                                        fmin(end, fmax(start, end_of_last)), end};
            end_of_last = end;
        }
    }
}

// As many steps as let the kernel of all numbers take as long as the copy of all numbers.
unsigned choose_num_steps(const Data *data)
{
    const auto copy_all = [=]
    {
        const size_t bytes = data->N * sizeof(unsigned);
        CHECK(cudaMemcpyAsync(data->d_x, data->h_x, bytes, cudaMemcpyHostToDevice));
    };
    const auto launch = [=](unsigned num_steps)
    {
        advance<<<data->grid_size, BLOCK_SIZE>>>(data->d_x, data->d_y, data->N, num_steps);
    };
    return find_num_steps(time_kernel(copy_all, 3).min, launch);
}

void create_streams_and_events(Data *data)
{
    CHECK(cudaEventCreate(&data->begin));
    for (int i = 0; i < MAX_STREAMS; ++i)
    {
        CHECK(cudaStreamCreateWithFlags(&data->streams[i], cudaStreamNonBlocking));
        for (auto &of_operation : data->marks)
        {
            CHECK(cudaEventCreate(&of_operation[i].before));
            CHECK(cudaEventCreate(&of_operation[i].after));
        }
    }
}

void destroy_streams_and_events(const Data *data)
{
    CHECK(cudaEventDestroy(data->begin));
    for (int i = 0; i < MAX_STREAMS; ++i)
    {
        CHECK(cudaStreamDestroy(data->streams[i]));
        for (const auto &of_operation : data->marks)
        {
            CHECK(cudaEventDestroy(of_operation[i].before));
            CHECK(cudaEventDestroy(of_operation[i].after));
        }
    }
}

int main(int argc, char **argv)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); // no two streams of this program share a queue
    size_t num_streams = 2;
    args.N = default_size(1 << 22, 1 << 16);
    args.bytes_per_element = 2 * sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    add_number("streams", &num_streams, 1, MAX_STREAMS, "number of streams");
    parse_args(argc, argv, "-n N -r R -s S",
               "issue-order: all of a stream first, or one operation in all streams first");
    print_device();
    if (!ON_GPU)
    {
        printf("The CPU backend does one operation at a time, in the order of issue: nothing "
               "overlaps.\n");
    }

    const size_t N = args.N, bytes = N * sizeof(unsigned);
    Data data;
    data.N = N;
    data.num_streams = (int)num_streams;
    data.grid_size = (unsigned)fmin((N - 1) / BLOCK_SIZE + 1, 1 << 20);
    data.reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&data.h_x, bytes));
    CHECK(cudaMallocHost((void **)&data.h_y, bytes));
    CHECK(cudaMalloc(&data.d_x, bytes));
    CHECK(cudaMalloc(&data.d_y, bytes));
    create_streams_and_events(&data);
    for (size_t n = 0; n < N; ++n)
    {
        data.h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    data.num_steps = choose_num_steps(&data);
    for (size_t n = 0; n < N; ++n)
    {
        data.reference[n] = steps_reference(data.h_x[n], data.num_steps, FACTOR, SUMMAND);
    }

    int device;
    CHECK(cudaGetDevice(&device));
    printf("%d streams, N = %zu, %u steps; this device copies in %d direction(s) beside a kernel\n",
           data.num_streams, N, data.num_steps,
           device_attribute(cudaDevAttrAsyncEngineCount, device) > 1 ? 2 : 1);
    for (const Order &order : ORDERS)
    {
        check_order(&order, &data);
        check_order(&order, &data); // this run is drawn; before it, something may have to be loaded
        Span spans[NUM_OPERATIONS * MAX_STREAMS];
        get_spans(&data, spans);
        printf("\n%s: %.4g %s\n", order.name, time_order(&order, &data, args.repeats), TIME_UNIT);
        print_timeline(spans, NUM_OPERATIONS * data.num_streams);
    }

    destroy_streams_and_events(&data);
    CHECK(cudaFree(data.d_x));
    CHECK(cudaFree(data.d_y));
    CHECK(cudaFreeHost(data.h_x));
    CHECK(cudaFreeHost(data.h_y));
    free(data.reference);
    return verdict();
}
