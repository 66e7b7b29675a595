// stream-events: how a stream and the host wait for an event of another stream, and how the host
// asks without waiting
//
// From:    S1 explicit synchronization; section 12.1, and beyond the book
// Order:   after default-stream
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

// What the functions below work on.
struct Data
{
    size_t N;
    unsigned num_steps;    // with them a kernel takes a few milliseconds
    unsigned *h_x, *d_x;   // the numbers before the steps
    unsigned *h_y, *h_z;   // pinned: copies are to go on beside the host
    unsigned *d_y, *d_z;   //
    unsigned *reference;   //
    cudaStream_t producer; // the stream of the first kernel
    cudaStream_t consumer; // the stream of the kernel that reads what the first one writes
    cudaEvent_t ready;     // recorded in `producer`
};

void poison_arrays(const Data *data)
{
    const size_t bytes = data->N * sizeof(unsigned);
    poison(data->h_y, bytes);
    poison(data->h_z, bytes);
    CHECK(cudaMemset(data->d_y, POISON_BYTE, bytes));
    CHECK(cudaMemset(data->d_z, POISON_BYTE, bytes));
    CHECK(cudaDeviceSynchronize());
}

void set_reference(const Data *data, size_t num_steps)
{
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = steps_reference(data->h_x[n], num_steps, FACTOR, SUMMAND);
    }
}

void check_unrecorded_event(const Data *data)
{
    check_true("an event that was never recorded has happened",
               cudaEventQuery(data->ready) == cudaSuccess);
    check_true("waiting for it does nothing",
               cudaStreamWaitEvent(data->consumer, data->ready, 0) == cudaSuccess);
}

// The second kernel reads what the first one writes. The host waits for neither of them.
void consume(const Data *data, bool waits)
{
    poison_arrays(data);
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, data->producer>>>(data->d_x, data->d_y, data->N,
                                                           data->num_steps);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(data->ready, data->producer));
    if (waits)
    {
        CHECK(cudaStreamWaitEvent(data->consumer, data->ready, 0));
    }
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, data->consumer>>>(data->d_y, data->d_z, data->N, 1);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(data->h_z, data->d_z, data->N * sizeof(unsigned), cudaMemcpyDeviceToHost));
}

void show_consumer(const Data *data)
{
    set_reference(data, (size_t)data->num_steps + 1);
    for (const bool waits : {true, false})
    {
        consume(data, waits);
        size_t right = 0;
        for (size_t n = 0; n < data->N; ++n)
        {
            right += data->h_z[n] == data->reference[n];
        }
        printf("%-28s %zu of %zu elements were ready when they were read\n",
               waits ? "with cudaStreamWaitEvent:" : "without:", right, data->N);
        if (waits)
        {
            check_true("each element of z was ready when it was read", right == data->N);
        }
    }
}

// The event stands between the two halves of the work in one stream.
void issue_two_halves(const Data *data)
{
    const size_t bytes = data->N * sizeof(unsigned);
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, data->producer>>>(data->d_x, data->d_y, data->N,
                                                           data->num_steps);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(data->h_y, data->d_y, bytes, cudaMemcpyDeviceToHost, data->producer));
    CHECK(cudaEventRecord(data->ready, data->producer));
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, data->producer>>>(data->d_y, data->d_z, data->N,
                                                           data->num_steps);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(data->h_z, data->d_z, bytes, cudaMemcpyDeviceToHost, data->producer));
}

void show_questions(const Data *data)
{
    set_reference(data, data->num_steps);
    poison_arrays(data);
    issue_two_halves(data);

    size_t questions = 0;
    cudaError_t status;
    while ((status = cudaEventQuery(data->ready)) == cudaErrorNotReady)
    {
        ++questions; // here the host could do something else
    }
    cudaGetLastError(); // cudaErrorNotReady is no error, but some versions note it as one
    CHECK(status);
    CHECK(cudaEventSynchronize(data->ready)); // would have waited without asking
    const cudaError_t event_status = cudaEventQuery(data->ready);
    const cudaError_t stream_status = cudaStreamQuery(data->producer);
    cudaGetLastError();
    check_true("the event has happened", event_status == cudaSuccess);
    check_elements("y, after its event", data->h_y, data->reference, data->N); // z is not ready yet
    printf("cudaEventQuery said cudaErrorNotReady %zu times, then %s; cudaStreamQuery said %s\n",
           questions, cudaGetErrorName(event_status), cudaGetErrorName(stream_status));

    CHECK(cudaStreamSynchronize(data->producer));
    check_true("nothing is left in the stream", cudaStreamQuery(data->producer) == cudaSuccess);
    set_reference(data, 2 * (size_t)data->num_steps);
    check_elements("z, after the stream", data->h_z, data->reference, data->N);
}

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
        printf("The CPU backend does one operation at a time, in the order of issue: nothing "
               "overlaps.\n");
    }

    const size_t N = args.N, bytes = N * sizeof(unsigned);
    Data data;
    data.N = N;
    data.h_x = (unsigned *)malloc(bytes);
    data.reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&data.h_y, bytes));
    CHECK(cudaMallocHost((void **)&data.h_z, bytes));
    for (unsigned **d : {&data.d_x, &data.d_y, &data.d_z})
    {
        CHECK(cudaMalloc(d, bytes));
    }
    for (size_t n = 0; n < N; ++n)
    {
        data.h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    CHECK(cudaMemcpy(data.d_x, data.h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaStreamCreateWithFlags(&data.producer, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&data.consumer, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&data.ready, cudaEventDisableTiming)); // cheaper: it only orders

    const auto launch = [&](unsigned num_steps)
    {
        advance<<<FEW_BLOCKS, BLOCK_SIZE>>>(data.d_x, data.d_y, N, num_steps);
    };
    data.num_steps = find_num_steps(ON_GPU ? 3.0 : 0.5, launch);
    check_unrecorded_event(&data);
    show_consumer(&data);
    show_questions(&data);

    CHECK(cudaEventDestroy(data.ready));
    CHECK(cudaStreamDestroy(data.producer));
    CHECK(cudaStreamDestroy(data.consumer));
    for (unsigned *d : {data.d_x, data.d_y, data.d_z})
    {
        CHECK(cudaFree(d));
    }
    CHECK(cudaFreeHost(data.h_y));
    CHECK(cudaFreeHost(data.h_z));
    free(data.h_x);
    free(data.reference);
    return verdict();
}
