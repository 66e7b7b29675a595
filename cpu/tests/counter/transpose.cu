// The transposes of Listing 9.4, 512 x 512. Nsight Compute counts the same on an H100: 8192 requests a side,
// 32768 sectors where a warp goes along a row, 262144 where it goes down a column.
#include <stdio.h>

const int TILE = 32;

__global__ void read_coalesced(const float *A, float *B, int N)
{
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const float a = A[y * N + x]; // global load 4: 8192 32768 32768
    B[x * N + y] = a;             // global store 4: 8192 262144 32768
}

__global__ void shared(const float *A, float *B, int N)
{
    __shared__ float S[TILE][TILE];
    const int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float a = A[(y + ty) * N + x + tx]; // global load 4: 8192 32768 32768
    S[ty][tx] = a;                            // shared store 4: 8192 8192 8192
    __syncthreads();
    const float b = S[tx][ty];    // shared load 4: 8192 262144 8192
    B[(x + ty) * N + y + tx] = b; // global store 4: 8192 32768 32768
}

__global__ void padded(const float *A, float *B, int N)
{
    __shared__ float S[TILE][TILE + 1];
    const int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float a = A[(y + ty) * N + x + tx]; // global load 4: 8192 32768 32768
    S[ty][tx] = a;                            // shared store 4: 8192 8192 8192
    __syncthreads();
    const float b = S[tx][ty];    // shared load 4: 8192 8192 8192
    B[(x + ty) * N + y + tx] = b; // global store 4: 8192 32768 32768
}

int main()
{
    const int N = 512;
    float *A, *B;
    cudaMalloc((void **)&A, N * N * sizeof(float));
    cudaMalloc((void **)&B, N * N * sizeof(float));
    cudaMemset(A, 0, N * N * sizeof(float));
    const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
    read_coalesced<<<grid, block>>>(A, B, N);
    shared<<<grid, block>>>(A, B, N);
    padded<<<grid, block>>>(A, B, N);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(A);
    cudaFree(B);
    return error;
}
