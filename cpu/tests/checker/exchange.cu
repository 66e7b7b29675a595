// An exchange whose result nobody uses is a write: the memory may be fresh. Else it reads the memory.
#include <cstdio>

__global__ void store(int *x, float *f, unsigned long long *l)
{
    atomicExch(&x[threadIdx.x], 1);
    atomicExch(&f[threadIdx.x], 1.0f);
    (void)atomicExch(&l[threadIdx.x], 1ull);
    atomicExch_block(&x[threadIdx.x], 2);
}

__global__ void push(int *heads, int *next)
{
    next[threadIdx.x] = atomicExch(&heads[threadIdx.x % 4], threadIdx.x); // never-written:heads
}

__global__ void locked(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicExch(lock, 1) != 0)
        {
        }
        __threadfence();
        *total += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void use(const int *x, const float *f, const unsigned long long *l, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + f[threadIdx.x] + l[threadIdx.x];
}

int main()
{
    int *x, *y, *heads;
    float *f;
    unsigned long long *l;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMalloc(&heads, 64 * sizeof(int));
    cudaMalloc(&f, 64 * sizeof(float));
    cudaMalloc(&l, 64 * sizeof(unsigned long long));
    store<<<1, 64>>>(x, f, l);
    use<<<1, 64>>>(x, f, l, y);
    push<<<1, 64>>>(heads, y);
    cudaMemset(x, 0, 64 * sizeof(int));
    locked<<<4, 32>>>(x, x + 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    cudaFree(heads);
    cudaFree(f);
    cudaFree(l);
    return 0;
}
