// Structures that functions return and take: the compiler must not hide where they are written and read.
#include <stdio.h>

const int N = 64;

struct Body
{
    double x, y, z;
    int id;
};

__host__ __device__ __noinline__ Body body(int i)
{
    return {1.0 * i, 2.0 * i, 3.0 * i, i};
}

__device__ __noinline__ float4 four(int i)
{
    return make_float4(i, i, i, i);
}

__device__ __noinline__ float2 two(int i)
{
    return make_float2(i, i);
}

__device__ __noinline__ double sum(Body b, float4 f, float2 t)
{
    return b.x + f.x + t.x;
}

__global__ void write(Body *bodies, float4 *fours, float2 *twos, int skipped)
{
    const int n = threadIdx.x;
    if (n != skipped)
    {
        bodies[n] = body(n);
        fours[n] = n < 3 ? four(n) : four(n + 1);
        twos[n] = two(n);
    }
}

__global__ void read(const Body *bodies, const float4 *fours, const float2 *twos, double *sums)
{
    const int n = threadIdx.x;
    sums[n] = sum(bodies[n], fours[n], twos[n]);
}

__global__ void read_bodies(const Body *bodies, double *sums)
{
    const int n = threadIdx.x;
    sums[n] = bodies[n].x + bodies[n].z; // never-written:body
}

__global__ void read_fours(const float4 *fours, double *sums)
{
    const int n = threadIdx.x;
    sums[n] = sum(body(n), fours[n], two(n)); // never-written:four
}

__global__ void read_twos(const float2 *twos, double *sums)
{
    const int n = threadIdx.x;
    sums[n] = sum(body(n), four(n), twos[n]); // never-written:two
}

__global__ void race(Body *bodies, float4 *fours, float2 *twos)
{
    const int n = threadIdx.x;
    bodies[n / 2] = body(n); // race:bodies
    fours[n / 2] = four(n);  // race:fours
    twos[n / 2] = two(n);    // race:twos
}

__global__ void race_of_read(float4 *fours, double *sums)
{
    const int n = threadIdx.x;
    fours[n] = four(n);                            // race:read
    sums[n] = sum(body(n), fours[n ^ 32], two(n)); // race:read
}

int main()
{
    Body *bodies;
    float4 *fours;
    float2 *twos;
    double *sums;
    cudaMalloc(&bodies, N * sizeof(Body));
    cudaMalloc(&fours, N * sizeof(float4));
    cudaMalloc(&twos, N * sizeof(float2));
    cudaMalloc(&sums, N * sizeof(double));
    write<<<1, N>>>(bodies, fours, twos, 5);
    read_bodies<<<1, N>>>(bodies, sums);
    read_fours<<<1, N>>>(fours, sums);
    read_twos<<<1, N>>>(twos, sums);
    write<<<1, N>>>(bodies, fours, twos, -1);
    read<<<1, N>>>(bodies, fours, twos, sums);
    race<<<1, N>>>(bodies, fours, twos);
    race_of_read<<<1, N>>>(fours, sums);
    cudaDeviceSynchronize();
    // The host's, too.
    Body *managed;
    cudaMallocManaged(&managed, N * sizeof(Body));
    for (int n = 0; n < N; ++n)
    {
        managed[n] = body(n);
    }
    read<<<1, N>>>(managed, fours, twos, sums);
    cudaDeviceSynchronize();
    cudaFree(managed);
    cudaFree(bodies);
    cudaFree(fours);
    cudaFree(twos);
    cudaFree(sums);
    return 0;
}
