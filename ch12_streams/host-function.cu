// host-function: a function of the host in the middle of a stream, and what it must not do
//
// From:    S1 callbacks
// Compile: nvcc -O3 host-function.cu
// Run:     ./a.out
//
// A function of the host may stand in a stream (cudaLaunchHostFunc). It is called when the work
// before it is done, and the work after it waits until it returns. It must not call CUDA. The older
// cudaStreamAddCallback does nearly the same.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "steps.cuh"

const int BLOCK_SIZE = 128;

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

static size_t N;
static unsigned num_steps;
static unsigned *h_x, *h_y, *h_z; // pinned, so that the copies are part of the stream
static unsigned *d_x, *d_y, *d_z;
static unsigned *reference;
static cudaStream_t stream;

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

// A function of the host gets one pointer. This is what it points to.
struct Exchange
{
    const unsigned *from_device;
    unsigned *to_device;
    size_t N;
    pthread_t thread; // the one that called the function
};

// Reads what the device has copied to the host, and writes what it will copy next.
void CUDART_CB invert(void *data)
{
    Exchange *exchange = (Exchange *)data;
    for (size_t n = 0; n < exchange->N; ++n)
    {
        exchange->to_device[n] = ~exchange->from_device[n];
    }
    exchange->thread = pthread_self();
}

// What a function of the host must not do.
struct Attempt
{
    void *memory;
    cudaError_t status;
};

void CUDART_CB call_cuda(void *data)
{
    Attempt *attempt = (Attempt *)data;
    attempt->status = cudaMalloc(&attempt->memory, 4);
}

// Steps on the device, a function of the host, and steps on the device again. The host issues all
// of it at once, and waits at the end only.
void issue(Exchange *exchange, Attempt *attempt)
{
    const size_t bytes = N * sizeof(unsigned);
    const unsigned grid_size = (unsigned)fmin((N - 1) / BLOCK_SIZE + 1, 1 << 20);
    advance<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, d_y, N, num_steps);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, invert, exchange)); // from h_y to h_z
    CHECK(cudaMemcpyAsync(d_y, h_z, bytes, cudaMemcpyHostToDevice, stream));
    advance<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_y, d_z, N, num_steps);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_z, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, call_cuda, attempt));
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

void check_results(void)
{
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = ~steps_reference(h_x[n], num_steps, FACTOR, SUMMAND);
    }
    check_elements("what the function of the host wrote", h_z, reference, N);
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = steps_reference(reference[n], num_steps, FACTOR, SUMMAND);
    }
    check_elements("what the device made of it", h_y, reference, N);
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 22, 1 << 16);
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 4 * sizeof(unsigned);
    parse_args(argc, argv, "-n N -s S",
               "host-function: a function of the host in the middle of a stream, and what it must "
               "not do");
    print_device();

    N = args.N;
    num_steps = ON_GPU ? 1000 : 100;
    const size_t bytes = N * sizeof(unsigned);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&h_x, bytes));
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
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    poison_arrays();
    Exchange exchange = {h_y, h_z, N, pthread_self()};
    Attempt attempt = {NULL, cudaErrorUnknown};
    issue(&exchange, &attempt);
    CHECK(cudaStreamSynchronize(stream));
    check_results();
    check_true("the second function was called", attempt.status != cudaErrorUnknown);
    printf(said("the function of the host ran in %s thread; cudaMalloc in one returned %d, %s\n"),
           pthread_equal(exchange.thread, pthread_self()) ? said("the program's own")
                                                          : said("another"),
           (int)attempt.status, cudaGetErrorName(attempt.status));

    if (attempt.status == cudaSuccess) // CUDA may forbid it, but need not
    {
        CHECK(cudaFree(attempt.memory));
    }
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
    CHECK(cudaFreeHost(h_z));
    free(reference);
    return verdict();
}
