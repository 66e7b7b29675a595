// An index that leaves a local array, upwards, where the stack is.
//
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

// case: over_the_return_address
// fault: write past the end of a local array, over the return address | found with a line of the function when it returns
// stderr: kernel fill, block \(0,0,0\), thread \(\d+,0,0\), FILE:\d+:
// stderr: a local array was written past its end, over what this function returns with
__global__ void fill(int *sum, const int *n)
{
    int a[8];
    for (int i = 0; i < *n; ++i)
    {
        a[i] = i + threadIdx.x + 1;
    }
    for (int i = 0; i < 8; ++i)
    {
        *sum += a[i];
    }
}
static void fill_up_to(int n)
{
    int *d_sum, *d_n;
    cudaMalloc(&d_sum, sizeof(int));
    cudaMalloc(&d_n, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    cudaMemcpy(d_n, &n, sizeof(int), cudaMemcpyHostToDevice);
    fill<<<2, 64>>>(d_sum, d_n);
}
CASE(over_the_return_address)
{
    fill_up_to(13);
}

// case: far_beyond
// fault: access far past the end of a local array | found with its line
// stderr: kernel fill, block \(0,0,0\), thread \(0,0,0\), FILE:
// stderr: illegal address: write past the end of the thread's stack: an index has left a local array
CASE(far_beyond)
{
    fill_up_to(1000000);
}

// case: read_far_beyond
// stderr: kernel add_up, block \(\d,0,0\), thread \(\d,0,0\), FILE:
// stderr: illegal address: read past the end of the thread's stack: an index has left a local array
__global__ void add_up(int *sum, const int *n)
{
    int a[8];
    for (int i = 0; i < 8; ++i)
    {
        a[i] = i + n[0];
    }
    for (int i = 0; i < *n; i += n[1])
    {
        *sum += a[i];
    }
}
CASE(read_far_beyond)
{
    int *d_sum, *d_n;
    const int n[2] = {1000000, 512};
    cudaMalloc(&d_sum, sizeof(int));
    cudaMalloc(&d_n, sizeof(n));
    cudaMemset(d_sum, 0, sizeof(int));
    cudaMemcpy(d_n, n, sizeof(n), cudaMemcpyHostToDevice);
    add_up<<<2, 64>>>(d_sum, d_n);
}

// case: after_a_barrier
// stderr: kernel wait, block \(0,0,0\), thread \(0,0,0\), FILE:
// stderr: a local array was written past its end, over what this function returns with
__global__ void wait(int *sum, const int *n)
{
    int a[8];
    for (int i = 0; i < *n; ++i)
    {
        a[i] = i + threadIdx.x + 1;
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
    {
        *sum += a[i];
    }
}
CASE(after_a_barrier)
{
    int *d_sum, *d_n;
    const int n = 14;
    cudaMalloc(&d_sum, sizeof(int));
    cudaMalloc(&d_n, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    cudaMemcpy(d_n, &n, sizeof(int), cudaMemcpyHostToDevice);
    wait<<<2, 64>>>(d_sum, d_n);
}
