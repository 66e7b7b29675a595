// stream-events: how a stream and the host wait for an event of another stream, and how the host
// asks without waiting
//
// From:    S1 explicit synchronization; section 12.1, and beyond the book
// Order:   after default-stream-cases
// Compile: nvcc -O3 stream-events.cu
// Run:     ./a.out
//
// An event stands for all work that its stream had when the event was recorded. Another stream can
// wait for it (cudaStreamWaitEvent), and so can the host (cudaEventSynchronize). The host can also
// ask without waiting (cudaEventQuery, and cudaStreamQuery for all work of a stream).
//
// Every order that CUDA guarantees is checked by the data: a kernel that begins too early reads
// rubbish. An order that is not guaranteed is shown, and not checked.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "steps.cuh"

const int BLOCK_SIZE = 128;
const int FEW_BLOCKS = 16; // leave room on the device for another kernel

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

static size_t N;
static unsigned num_steps;  // with them a kernel takes a few milliseconds
static unsigned *h_x, *d_x; // the numbers before the steps
static unsigned *h_y, *h_z; // pinned: copies are to go on beside the host
static unsigned *d_y, *d_z;
static unsigned *reference;
static cudaStream_t producer; // the stream of the first kernel
static cudaStream_t consumer; // the stream of the kernel that reads what the first one writes
static cudaEvent_t ready;     // recorded in `producer`

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

void poison_arrays(void)
{
    const size_t bytes = N * sizeof(unsigned);
    poison(h_y, bytes);
    poison(h_z, bytes);
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    CHECK(cudaDeviceSynchronize());
}

void set_reference(size_t steps)
{
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = steps_reference(h_x[n], steps, FACTOR, SUMMAND);
    }
}

void check_unrecorded_event(void)
{
    check_true("an event that was never recorded has happened",
               cudaEventQuery(ready) == cudaSuccess);
    check_true("waiting for it does nothing",
               cudaStreamWaitEvent(consumer, ready, 0) == cudaSuccess);
}

// The second kernel reads what the first one writes. The host waits for neither of them.
void consume(bool waits)
{
    poison_arrays();
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, producer>>>(d_x, d_y, N, num_steps);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(ready, producer));
    if (waits)
    {
        CHECK(cudaStreamWaitEvent(consumer, ready, 0));
    }
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, consumer>>>(d_y, d_z, N, 1);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h_z, d_z, N * sizeof(unsigned), cudaMemcpyDeviceToHost));
}

size_t count_right(void)
{
    size_t right = 0;
    for (size_t n = 0; n < N; ++n)
    {
        right += h_z[n] == reference[n];
    }
    return right;
}

void show_consumer(void)
{
    const char *const format = "%-28s %zu of %zu elements were ready when they were read\n";
    set_reference((size_t)num_steps + 1);
    consume(true);
    printf(format, "with cudaStreamWaitEvent:", count_right(), N);
    check_true("each element of z was ready when it was read", count_right() == N);
    consume(false);
    printf(format, "without:", count_right(), N);
}

// The event stands between the two halves of the work in one stream.
void issue_two_halves(void)
{
    const size_t bytes = N * sizeof(unsigned);
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, producer>>>(d_x, d_y, N, num_steps);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, producer));
    CHECK(cudaEventRecord(ready, producer));
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, producer>>>(d_y, d_z, N, num_steps);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_z, d_z, bytes, cudaMemcpyDeviceToHost, producer));
}

void show_questions(void)
{
    set_reference(num_steps);
    poison_arrays();
    issue_two_halves();

    size_t questions = 0;
    cudaError_t status;
    while ((status = cudaEventQuery(ready)) == cudaErrorNotReady)
    {
        ++questions; // here the host could do something else
    }
    cudaGetLastError(); // cudaErrorNotReady is no error, but some versions note it as one
    CHECK(status);
    CHECK(cudaEventSynchronize(ready)); // would have waited without asking
    const cudaError_t event_status = cudaEventQuery(ready);
    const cudaError_t stream_status = cudaStreamQuery(producer);
    cudaGetLastError();
    check_true("the event has happened", event_status == cudaSuccess);
    check_elements("y, after its event", h_y, reference, N); // z is not ready yet
    printf(
        said("cudaEventQuery said cudaErrorNotReady %zu times, then %s; cudaStreamQuery said %s\n"),
        questions, cudaGetErrorName(event_status), cudaGetErrorName(stream_status));

    CHECK(cudaStreamSynchronize(producer));
    check_true("nothing is left in the stream", cudaStreamQuery(producer) == cudaSuccess);
    set_reference(2 * (size_t)num_steps);
    check_elements("z, after the stream", h_z, reference, N);
}

void launch(unsigned num_steps) { advance<<<FEW_BLOCKS, BLOCK_SIZE>>>(d_x, d_y, N, num_steps); }

int main(int argc, char **argv)
{
    args.N = default_size(1 << 22, 1 << 16);
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 4 * sizeof(unsigned);
    parse_args(argc, argv, "-n N -s S",
               "stream-events: how a stream and the host wait for an event of another stream, and "
               "how the host asks without waiting");
    print_device();
    if (!ON_GPU)
    {
        print_note("The CPU backend does one operation at a time, in the order of issue: nothing "
                   "overlaps.\n");
    }

    N = args.N;
    const size_t bytes = N * sizeof(unsigned);
    h_x = (unsigned *)malloc(bytes);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&h_y, bytes));
    CHECK(cudaMallocHost((void **)&h_z, bytes));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming)); // cheaper: it only orders

    num_steps = find_num_steps(ON_GPU ? 3.0 : 0.5, launch);
    check_unrecorded_event();
    show_consumer();
    show_questions();

    CHECK(cudaEventDestroy(ready));
    CHECK(cudaStreamDestroy(producer));
    CHECK(cudaStreamDestroy(consumer));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    CHECK(cudaFreeHost(h_y));
    CHECK(cudaFreeHost(h_z));
    free(h_x);
    free(reference);
    return verdict();
}
