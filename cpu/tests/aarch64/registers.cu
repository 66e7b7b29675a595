// Threads that lose their turn get their registers back. tests/aarch64.t runs it.
#include <cstdio>
__device__ volatile int turn = 63;

__device__ void go_on(double *x, long long *n)
{
    for (int i = 0; i < 20; ++i)
    {
        x[i] += 1;
        n[i] += 2;
    }
}

// Threads wait for each other, the first for all others. Each counts in 40 registers meanwhile.
__global__ void wait(int *right)
{
    const int tid = threadIdx.x;
    double x[20];
    long long n[20], rounds = 0;
    for (int i = 0; i < 20; ++i)
    {
        x[i] = tid + i;
        n[i] = tid - i;
    }
    for (; turn != tid; ++rounds)
    {
        go_on(x, n);
    }
    turn = tid - 1;
    bool good = true;
    for (int i = 0; i < 20; ++i)
    {
        good = good && x[i] == tid + i + rounds && n[i] == tid - i + 2 * rounds;
    }
    atomicAdd(right, good);
}

// A sequence whose next number needs the last six, which are in registers when other threads run.
__device__ double sequence(double first, bool waits)
{
    double a = first, b = 2, c = first / 4, d = 3, e = first / 8, f = 5;
    for (int i = 0; i < 20; ++i)
    {
        const double next =
            a / 2 + b - c + d / 4 - e + f + (waits ? __shfl_xor_sync(~0u, i, 1) : i);
        a = b, b = c, c = d, d = e, e = f, f = next;
    }
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}

__global__ void exchange(int *right)
{
    atomicAdd(right, sequence(threadIdx.x, true) == sequence(threadIdx.x, false));
}

int main()
{
    int *right;
    cudaMallocManaged(&right, sizeof(int));
    *right = 0;
    wait<<<1, 64>>>(right);
    exchange<<<1, 64>>>(right);
    cudaDeviceSynchronize();
    printf("%d are right\n", *right);
    cudaFree(right);
}
