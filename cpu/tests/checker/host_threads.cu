// Threads of the host, each with a stream of its own. They count as one, and nothing is wrong here but
// what one of them does alone.
#include <thread>
#include <vector>

enum
{
    N = 1000,
    NUM_THREADS = 8,
    REPEATS = 10
};

__global__ void add(int *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        x[i] += i;
    }
}

__global__ void add_to_one(int *x)
{
    *x += 1; // race:one
}

static void work(int number)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int repeat = 0; repeat < REPEATS; ++repeat)
    {
        int *x;
        cudaMallocManaged(&x, N * sizeof(int));
        for (int i = 0; i < N; ++i)
        {
            x[i] = number;
        }
        add<<<(N + 127) / 128, 128, 0, stream>>>(x);
        if (number == 3)
        {
            add_to_one<<<2, 64, 0, stream>>>(x);
        }
        cudaStreamSynchronize(stream);
        x[0] = x[N - 1];
        cudaFree(x);
    }
    cudaStreamDestroy(stream);
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < NUM_THREADS; ++i)
    {
        threads.emplace_back(work, i);
    }
    for (std::thread &thread : threads)
    {
        thread.join();
    }
    return 0;
}
