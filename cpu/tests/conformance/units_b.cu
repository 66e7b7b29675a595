// units, its second file: the same names, other functions and values.

static __device__ int weight(int x)
{
    return 3 * x;
}

__device__ inline int offset()
{
    return 60;
}

template <class T>
__device__ T scaled(T x)
{
    return 100 * x;
}

__device__ int d_count = 6;
__constant__ int c_table[2] = {9, 10};

static __global__ void mine(int *out)
{
    *out = weight(c_table[1]) + offset() + scaled(d_count);
}

__global__ void theirs(int *out)
{
    *out = weight(c_table[1]) + offset() + scaled(d_count);
}

int run_b(int *d_out)
{
    int out = -1;
    mine<<<1, 1>>>(d_out);
    cudaMemcpy(&out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    return out;
}

extern "C" int set_b(int count)
{
    return cudaMemcpyToSymbol(d_count, &count, sizeof(count));
}
