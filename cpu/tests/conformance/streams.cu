// Streams and events: order within and between streams, priorities, default streams, functions of
// the host, queries, what is allowed and what is not.
#include <cuda_runtime.h>
#include <thread>
#include "expect.cuh"

// x = 3 x + number: whoever is late or early changes the result.
__global__ void step(int *x, int number)
{
    *x = 3 * *x + number;
}

static int *d_x, *h_x;

static int start(int value)
{
    *h_x = value;
    return cudaMemcpy(d_x, h_x, sizeof(int), cudaMemcpyHostToDevice);
}

static int result()
{
    cudaDeviceSynchronize();
    cudaMemcpy(h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    return *h_x;
}

// --- order -------------------------------------------------------------------------------------------

static void try_order()
{
    cudaStream_t a, b;
    cudaEvent_t done;
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    start(1);
    step<<<1, 1, 0, a>>>(d_x, 1);
    bool right =
        cudaEventRecord(done, a) == cudaSuccess && cudaStreamWaitEvent(b, done, 0) == cudaSuccess;
    step<<<1, 1, 0, b>>>(d_x, 2);
    right = right && cudaStreamSynchronize(b) == cudaSuccess && cudaStreamQuery(b) == cudaSuccess &&
            cudaEventQuery(done) == cudaSuccess;
    check("one stream waits for another", right && result() == 14);
    start(0);
    step<<<1, 1, 0, a>>>(d_x, 1);
    step<<<1, 1>>>(d_x, 2); // the default stream waits for the others, and they for it
    step<<<1, 1, 0, a>>>(d_x, 3);
    check("the default stream", result() == 18);
    *h_x = 5;
    right = cudaMemcpyAsync(d_x, h_x, sizeof(int), cudaMemcpyHostToDevice, a) == cudaSuccess;
    step<<<1, 1, 0, a>>>(d_x, 1);
    right = right &&
            cudaMemcpyAsync(h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost, a) == cudaSuccess &&
            cudaStreamSynchronize(a) == cudaSuccess && *h_x == 16;
    check("copies in a stream", right);
    int local = 7; // pageable memory is free again when the call returns
    right = cudaMemcpyAsync(d_x, &local, sizeof(int), cudaMemcpyHostToDevice, a) == cudaSuccess;
    local = 0;
    check("a copy from pageable memory", right && result() == 7);
    right = cudaEventDestroy(done) == cudaSuccess && cudaStreamDestroy(a) == cudaSuccess &&
            cudaStreamDestroy(b) == cudaSuccess;
    check("the end of streams", right);
}

// --- what a stream is ----------------------------------------------------------------------------

static void try_properties()
{
    int lowest = 1, highest = 1, priority = 1;
    unsigned int flags = 9;
    cudaStream_t stream;
    bool right =
        cudaDeviceGetStreamPriorityRange(&lowest, &highest) == cudaSuccess && highest <= lowest &&
        cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest) == cudaSuccess &&
        cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == highest &&
        cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking &&
        cudaStreamDestroy(stream) == cudaSuccess &&
        cudaStreamCreateWithPriority(&stream, 0, lowest + 100) == cudaSuccess &&
        cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == lowest &&
        cudaStreamDestroy(stream) == cudaSuccess;
    check("priorities and flags", right);
    right = cudaStreamGetFlags(0, &flags) == cudaSuccess && flags == cudaStreamDefault &&
            is_error(cudaStreamCreate(NULL), cudaErrorInvalidValue) &&
            is_error(cudaStreamCreateWithFlags(&stream, 1000), cudaErrorInvalidValue);
    check("default flags, and wrong ones", right);
    start(2);
    step<<<1, 1, 0, cudaStreamPerThread>>>(d_x, 1);
    right = cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess;
    step<<<1, 1, 0, cudaStreamLegacy>>>(d_x, 1);
    right = right && cudaStreamSynchronize(cudaStreamLegacy) == cudaSuccess;
    check("both default streams", right && result() == 22);
}

static void other_thread(cudaStream_t stream)
{
    step<<<1, 1, 0, stream>>>(d_x, 4);
    cudaStreamSynchronize(stream);
    step<<<1, 1, 0, cudaStreamPerThread>>>(d_x, 5);
    cudaStreamSynchronize(cudaStreamPerThread);
    cudaSetDevice(-1); // an error is the thread's own
}

static void try_threads()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    start(1);
    cudaDeviceSynchronize();
    std::thread other(other_thread, stream);
    other.join();
    check("another thread", result() == 26 && cudaGetLastError() == cudaSuccess);
    cudaStreamDestroy(stream);
}

// --- functions of the host -------------------------------------------------------------------------

static int calls;
static cudaError_t inside, status_seen;

static void CUDART_CB count_call(void *data)
{
    calls = 10 * calls + *(int *)data;
}

static void CUDART_CB call_api(void *)
{
    void *memory;
    inside = cudaMalloc(&memory, 4);
}

static void CUDART_CB callback(cudaStream_t, cudaError_t status, void *data)
{
    status_seen = status;
    count_call(data);
}

static void try_host_functions()
{
    cudaStream_t stream;
    int one = 1, two = 2, three = 3;
    cudaStreamCreate(&stream);
    status_seen = cudaErrorUnknown;
    start(1);
    step<<<1, 1, 0, stream>>>(d_x, 0);
    bool right = cudaLaunchHostFunc(stream, count_call, &one) == cudaSuccess &&
                 cudaStreamAddCallback(stream, callback, &two, 0) == cudaSuccess &&
                 cudaLaunchHostFunc(stream, count_call, &three) == cudaSuccess &&
                 cudaStreamSynchronize(stream) == cudaSuccess;
    check("functions of the host", right && calls == 123 && status_seen == cudaSuccess);
    right = cudaLaunchHostFunc(stream, call_api, NULL) == cudaSuccess &&
            cudaStreamSynchronize(stream) == cudaSuccess;
    check("which must not call the API", right && inside == cudaErrorNotPermitted);
    right = is_error(cudaLaunchHostFunc(stream, NULL, NULL), cudaErrorInvalidValue);
    check("no function", right);
    cudaGetLastError();
    cudaStreamDestroy(stream);
}

// --- events ------------------------------------------------------------------------------------------

static void try_events()
{
    cudaEvent_t first, last, silent;
    float milliseconds = -1.0f;
    cudaEventCreate(&first);
    cudaEventCreateWithFlags(&last, cudaEventBlockingSync);
    cudaEventCreate(&silent, cudaEventDisableTiming);
    bool right = cudaEventQuery(first) == cudaSuccess && cudaEventSynchronize(first) == cudaSuccess;
    check("an event that was not recorded", right);
    right =
        is_error(cudaEventElapsedTime(&milliseconds, first, last), cudaErrorInvalidResourceHandle);
    check("no time before it was", right);
    right = cudaEventRecord(first) == cudaSuccess;
    step<<<1, 1>>>(d_x, 1);
    right = right && cudaEventRecordWithFlags(last, 0, cudaEventRecordDefault) == cudaSuccess &&
            cudaEventRecord(silent, 0) == cudaSuccess &&
            cudaEventSynchronize(last) == cudaSuccess &&
            cudaEventElapsedTime(&milliseconds, first, last) == cudaSuccess &&
            milliseconds >= 0.0f && milliseconds < 60000.0f;
    check("time between events", right);
    right = is_error(cudaEventElapsedTime(&milliseconds, first, silent),
                     cudaErrorInvalidResourceHandle);
    check("an event without time", right);
    right = is_error(cudaEventCreateWithFlags(&first, 1000), cudaErrorInvalidValue) &&
            is_error(cudaEventCreate(NULL), cudaErrorInvalidValue);
    check("wrong flags", right);
    right = is_error(cudaEventRecord(NULL, 0), cudaErrorInvalidResourceHandle) &&
            is_error(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    check("no event", right);
    cudaEventDestroy(last);
    cudaEventDestroy(silent);
}

int main()
{
    cudaMalloc(&d_x, sizeof(int));
    cudaMallocHost(&h_x, sizeof(int));
    try_order();
    try_properties();
    try_threads();
    try_host_functions();
    try_events();
    cudaFree(d_x);
    cudaFreeHost(h_x);
    check("no error is left",
          cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    return num_wrong != 0;
}
