// Right by luck on a GPU: the host uses variables of its own that have the names of the device's.
__device__ float *d_p;
__device__ int n;
__device__ int d_list[3];
__global__ void k(float *p, int n)
{
    p[0] = n;
    d_list[0] = 1;
}
int main()
{
    cudaMalloc((void **)&d_p, 4);
    n = 3;
    k<<<1, 1>>>(d_p, n);
    return cudaFree(d_p);
}
