// What a kernel has not written, copied to the host's memory and read there: told at the copy. What the
// host does not read, or has written itself, is nothing; nor is the padding of a structure.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

enum
{
    N = 1000,
    BLOCK_SIZE = 128
};

struct Padded
{
    double x;
    int id;
    char flag;
};

// Not all of the array, where the grid has been rounded down.
__global__ void fill(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        x[i] = i;
    }
}

__global__ void fill_even(int *x)
{
    x[2 * threadIdx.x] = threadIdx.x;
}

__global__ void fill_padded(Padded *x, int n)
{
    if (threadIdx.x < n)
    {
        x[threadIdx.x].x = threadIdx.x;
        x[threadIdx.x].id = threadIdx.x;
        x[threadIdx.x].flag = 1;
    }
}

__global__ void use(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        y[i] = x[i]; // never-written:kernel
    }
}

// Not inlined: of a local array clang++ tells the checker nothing else.
__attribute__((noinline)) static double sum(const float *x, int n)
{
    double all = 0.0;
    for (int i = 0; i < n; ++i)
    {
        all += x[i];
    }
    return all;
}

__attribute__((noinline)) static long sum_of_ints(const int *x, int n)
{
    long all = 0;
    for (int i = 0; i < n; ++i)
    {
        all += x[i];
    }
    return all;
}

static double sum_padded(const Padded *x, int n)
{
    double all = 0.0;
    for (int i = 0; i < n; ++i)
    {
        all += x[i].x + x[i].id + x[i].flag;
    }
    return all;
}

int main()
{
    const size_t bytes = N * sizeof(float);
    float *x, *y, *pinned, *heap = (float *)malloc(bytes);
    float on_stack[N];
    int *even, host_even[BLOCK_SIZE];
    double all = 0.0;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMalloc(&even, BLOCK_SIZE * sizeof(int));
    cudaMallocHost(&pinned, bytes);

    fill<<<N / BLOCK_SIZE, BLOCK_SIZE>>>(x, N);
    cudaMemcpy(heap, x, bytes, cudaMemcpyDeviceToHost); // unwritten-copy:heap
    all += sum(heap, N);
    // says: a copy: 416 of its 4000 bytes were never written, from byte 3584 on (element 896, of 4 bytes)
    all += sum(heap, N);                                    // said once
    cudaMemcpy(on_stack, x, bytes, cudaMemcpyDeviceToHost); // unwritten-copy:stack
    all += sum(on_stack, N);
    cudaMemcpy(pinned, x, bytes, cudaMemcpyDeviceToHost); // unwritten-copy:pinned
    all += sum(pinned, N);

    // The host reads no further than the kernel has written, or has written the rest itself.
    std::vector<float> part(N);
    cudaMemcpy(part.data(), x, bytes, cudaMemcpyDeviceToHost);
    all += sum(part.data(), N / BLOCK_SIZE * BLOCK_SIZE);
    for (int i = N / BLOCK_SIZE * BLOCK_SIZE; i < N; ++i)
    {
        part[i] = 0.0f;
    }
    all += sum(part.data(), N);
    cudaMemcpy(part.data(), x, bytes, cudaMemcpyDeviceToHost);
    memset(part.data() + N / BLOCK_SIZE * BLOCK_SIZE, 0,
           bytes - N / BLOCK_SIZE * BLOCK_SIZE * sizeof(float));
    all += sum(part.data(), N);

    // Another copy of the host's has the same gap.
    cudaMemcpy(heap, x, bytes, cudaMemcpyDeviceToHost);
    memcpy(on_stack, heap, bytes); // unwritten-copy:second
    all += sum(on_stack, N);
    // So has what goes back to the device.
    cudaMemcpy(y, heap, bytes, cudaMemcpyHostToDevice);
    use<<<(N - 1) / BLOCK_SIZE + 1, BLOCK_SIZE>>>(y, x, N);
    cudaDeviceSynchronize();

    fill_even<<<1, BLOCK_SIZE / 2>>>(even);
    cudaMemcpy(host_even, even, sizeof(host_even), cudaMemcpyDeviceToHost); // unwritten-copy:even
    all += sum_of_ints(host_even, BLOCK_SIZE);

    Padded *padded;
    std::vector<Padded> host_padded(BLOCK_SIZE);
    cudaMalloc(&padded, BLOCK_SIZE * sizeof(Padded));
    fill_padded<<<1, BLOCK_SIZE>>>(padded, BLOCK_SIZE);
    cudaMemcpy(host_padded.data(), padded, BLOCK_SIZE * sizeof(Padded), cudaMemcpyDeviceToHost);
    all += sum_padded(host_padded.data(), BLOCK_SIZE);
    FILE *file = tmpfile();
    fwrite(host_padded.data(), sizeof(Padded), BLOCK_SIZE, file); // the padding, too
    std::vector<Padded> others = host_padded;
    all += sum_padded(others.data(), BLOCK_SIZE);
    cudaFree(padded);
    cudaMalloc(&padded, BLOCK_SIZE * sizeof(Padded));
    fill_padded<<<1, BLOCK_SIZE>>>(padded, BLOCK_SIZE - 8);
    cudaMemcpy(host_padded.data(), padded, BLOCK_SIZE * sizeof(Padded), // unwritten-copy:padded
               cudaMemcpyDeviceToHost);
    all += sum_padded(host_padded.data(), BLOCK_SIZE);
    cudaMemcpy(host_padded.data(), padded, BLOCK_SIZE * sizeof(Padded), // unwritten-copy:file
               cudaMemcpyDeviceToHost);
    fwrite(host_padded.data(), sizeof(Padded), BLOCK_SIZE, file);
    fclose(file);

    // Rows of a pitched array: the padding between them is not copied.
    float *pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 100 * sizeof(float), 10);
    cudaMemset2D(pitched, pitch, 0, 100 * sizeof(float), 9);
    cudaMemcpy2D(heap, 100 * sizeof(float), pitched, pitch, 100 * sizeof(float), 9,
                 cudaMemcpyDeviceToHost);
    all += sum(heap, 900);
    // says: a copy: 400 of its 4000 bytes were never written, from byte 3600 on (element 900, of 4 bytes)
    const size_t row = 100 * sizeof(float);
    cudaMemcpy2D(heap, row, pitched, pitch, row, 10, cudaMemcpyDeviceToHost); // unwritten-copy:rows
    all += sum(heap, 1000);

    // Memory of the heap that another one owns now.
    cudaMemcpy(heap, y, bytes, cudaMemcpyDeviceToHost);
    free(heap);
    heap = (float *)calloc(N, sizeof(float));
    all += sum(heap, N);
    printf("%s\n", all > 0.0 ? "done" : "nothing");
    free(heap);
    cudaFree(x);
    cudaFree(y);
    cudaFree(even);
    cudaFree(padded);
    cudaFree(pitched);
    cudaFreeHost(pinned);
    return 0;
}
