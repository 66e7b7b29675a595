// Each lane stores many numbers, and it takes so long that its turn ends. All lanes store the same.
enum
{
    N = 1 << 19
};

__global__ void fill(int *x)
{
    for (int i = 0; i < N; ++i)
    {
        x[i] = i + 1; // same-value:fill
    }
}

int main()
{
    int *x;
    cudaMalloc(&x, N * sizeof(int));
    fill<<<1, 32>>>(x);
    return cudaDeviceSynchronize();
}
