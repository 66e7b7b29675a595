// A grid-stride loop whose stride an integer division has made 0.
//
// stderr: kernel fill, block \(0,0,0\), thread \(0,0,0\), FILE:(LOOP|BODY)\b
// stderr: hang: this thread goes round in a loop
// out: the launch timed out and was terminated
#include <cstdio>

__global__ void fill(int *x, int n)
{
    const int stride = gridDim.x * blockDim.x / n;
    for (int i = threadIdx.x; i < n; i += stride) // LOOP
    {
        x[i] = i; // BODY
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 100 * sizeof(int));
    fill<<<1, 1>>>(d_x, 100);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
