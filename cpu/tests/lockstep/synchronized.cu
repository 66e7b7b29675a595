// Volatile shared memory with the barriers that it needs since Volta: there is nothing to warn of.
#include <cstdio>

__global__ void sum(const int *x, int *out)
{
    __shared__ volatile int s_x[64];
    __shared__ volatile bool s_done;
    const int tid = threadIdx.x;
    s_x[tid] = x[tid];
    __syncthreads();
    for (int offset = 32; offset > 0; offset /= 2)
    {
        const int other = tid < offset ? s_x[tid + offset] : 0;
        __syncthreads();
        if (tid < offset)
        {
            s_x[tid] += other;
        }
        __syncthreads();
    }
    if (tid == 0)
    {
        s_done = true;
        out[0] = s_x[0];
    }
    __syncthreads();
    if (s_done && tid < 32)
    {
        for (int offset = 1; offset < 32; offset *= 2)
        {
            s_x[tid] = tid + offset;
            __syncwarp();
            const int other = s_x[tid ^ offset];
            __syncwarp();
            s_x[tid] = other;
        }
        atomicAdd(&out[1], s_x[tid]);
    }
}

int main()
{
    int h[64], *d_x, *d_out;
    for (int n = 0; n < 64; ++n)
    {
        h[n] = n;
    }
    cudaMalloc(&d_x, sizeof(h));
    cudaMalloc(&d_out, 2 * sizeof(int));
    cudaMemcpy(d_x, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, 2 * sizeof(int));
    sum<<<1, 64>>>(d_x, d_out);
    cudaMemcpy(h, d_out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_out);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
