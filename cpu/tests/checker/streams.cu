// Streams, events, and the host beside the device.
#include <cstdio>
#include <cstring>

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value; // race:streams race:early race:late race:copy
}

__global__ void fill_right(int *x, int value)
{
    x[threadIdx.x] = value; // freed-in-use:async
}

__global__ void add(int *y, const int *x)
{
    y[threadIdx.x] += x[threadIdx.x]; // race:streams
}

__global__ void add_right(int *y, const int *x)
{
    y[threadIdx.x] += x[threadIdx.x];
}

__global__ void tell(int *x, volatile int *ready)
{
    x[0] = 1; // race:unfenced
    __threadfence();
    *ready = 1;
}

int main()
{
    const int N = 64;
    const size_t bytes = N * sizeof(int);
    int *x, *y, *managed, *pinned, *async;
    cudaStream_t one, two;
    cudaEvent_t event;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&event);
    cudaMemset(y, 0, bytes);
    cudaDeviceSynchronize();

    // With an event, with the default stream between, and without either.
    fill_right<<<1, N, 0, one>>>(x, 1);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    add_right<<<1, N, 0, two>>>(y, x);
    cudaMemset(x, 0, bytes);
    add_right<<<1, N, 0, one>>>(y, x);
    cudaDeviceSynchronize();
    fill<<<1, N, 0, one>>>(x, 1);
    add<<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();

    // The host writes, launches, waits and reads: right. Then it reads, and writes, too early.
    memset(managed, 0, bytes);
    fill_right<<<1, N>>>(managed, 2);
    cudaDeviceSynchronize();
    int sum = managed[3];
    fill<<<1, N>>>(managed, 3);
    sum += managed[3]; // race:early
    managed[4] = 1;    // race:late
    cudaDeviceSynchronize();

    // A copy to pinned memory.
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, one); // race:pinned
    sum += pinned[0];                                               // race:pinned
    cudaStreamSynchronize(one);
    sum += pinned[1];
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, one);
    cudaEventRecord(event, one);
    cudaEventSynchronize(event);
    sum += pinned[2];
    fill<<<1, N, 0, two>>>(x, 1);
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, one); // race:copy
    cudaDeviceSynchronize();

    // A flag for the host after a fence that is of the device only.
    pinned[N - 1] = 0;
    tell<<<1, 1, 0, one>>>(pinned, pinned + N - 1);
    while (((volatile int *)pinned)[N - 1] == 0)
    {
    }
    sum += pinned[0]; // race:unfenced
    cudaDeviceSynchronize();

    // Freed in one stream, used in another.
    cudaMallocAsync(&async, bytes, one);
    cudaStreamSynchronize(one);
    fill_right<<<1, N, 0, two>>>(async, 1);
    cudaFreeAsync(async, one); // freed-in-use:async
    cudaDeviceSynchronize();
    printf("%d\n", sum != -1);
    cudaFree(x);
    cudaFree(y);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    return 0;
}
