// add2gpu: the time of a kernel, the bandwidth it comes to, and how much of a copy's that is
//
// From:    Section 5.1.2, Table 5.1
// Compile: nvcc -O3 add2gpu.cu
// Run:     ./a.out -n 100000000
// Versions:
//   cpu      the function of add1cpu
//   scalar   one element a thread: the book's kernel
//   vector   16 bytes a thread in one access
//   vector2  two such vectors a thread, both asked for before either is awaited
//   vector4  four
//   stream   vector, telling the caches that nothing will be used again
// Checks:  12
//
// An addition for 12 or 24 bytes moved: the memory decides, not the arithmetic. So the yardstick
// is a copy of as many bytes on the same device. Compile with -DUSE_DP for double.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

struct Problem
{
    size_t N;
    unsigned int block_size;
    real *h_x, *h_y, *h_z, *d_x, *d_y, *d_z;
    double *reference;
};

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

void add_cpu(Problem *p)
{
    for (size_t n = 0; n < p->N; ++n)
    {
        p->h_z[n] = p->h_x[n] + p->h_y[n];
    }
}

__global__ void add_scalar(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// 16 bytes, the most that one instruction loads or stores. Fewer, larger accesses keep as many
// bytes under way with a quarter (double: half) of the instructions and threads.
#ifdef USE_DP
typedef double2 Vector;

__device__ Vector add(Vector a, Vector b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}
#else
typedef float4 Vector;

__device__ Vector add(Vector a, Vector b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
#endif

const size_t WIDTH = sizeof(Vector) / sizeof(real);

// The last N % WIDTH elements make no vector: the grid's first threads add them.
__device__ void add_tail(const real *x, const real *y, real *z, size_t N)
{
    const size_t first = N - N % WIDTH + (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    for (size_t n = first; n < N; n += (size_t)blockDim.x * gridDim.x)
    {
        z[n] = x[n] + y[n];
    }
}

// COUNT vectors a thread, a block's width apart, so that each access of a warp is one piece.
template <int COUNT>
__global__ void add_vector(const real *x, const real *y, real *z, size_t N)
{
    const size_t first = (size_t)blockDim.x * COUNT * blockIdx.x + threadIdx.x;
    const size_t num_vectors = N / WIDTH;
    Vector a[COUNT] = {}, b[COUNT] = {};
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
    {
        const size_t n = first + (size_t)blockDim.x * i;
        if (n < num_vectors)
        {
            a[i] = ((const Vector *)x)[n]; // cudaMalloc aligns to 256 bytes, a vector needs 16
            b[i] = ((const Vector *)y)[n];
        }
    }
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
    {
        const size_t n = first + (size_t)blockDim.x * i;
        if (n < num_vectors)
        {
            ((Vector *)z)[n] = add(a[i], b[i]);
        }
    }
    add_tail(x, y, z, N);
}

// Load and store with the hint cs, streaming: the first to be thrown out of the caches.
__global__ void add_stream(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N / WIDTH)
    {
        const Vector a = __ldcs((const Vector *)x + n);
        const Vector b = __ldcs((const Vector *)y + n);
        __stcs((Vector *)z + n, add(a, b));
    }
    add_tail(x, y, z, N);
}

// Blocks for threads that take `each` elements; at least one, as all of N may be tail.
unsigned int grid_size(const Problem *p, size_t each)
{
    const size_t in_block = p->block_size * each;
    return (p->N + in_block - 1) / in_block;
}

void scalar(Problem *p)
{
    add_scalar<<<grid_size(p, 1), p->block_size>>>(p->d_x, p->d_y, p->d_z, p->N);
}

template <int COUNT>
void vector(Problem *p)
{
    const unsigned int grid = grid_size(p, COUNT * WIDTH);
    add_vector<COUNT><<<grid, p->block_size>>>(p->d_x, p->d_y, p->d_z, p->N);
}

void stream(Problem *p)
{
    add_stream<<<grid_size(p, WIDTH), p->block_size>>>(p->d_x, p->d_y, p->d_z, p->N);
}

Outcome check(const Problem *p, const Version<Problem> *version)
{
    check_elements(version->name, p->h_z, p->reference, p->N, REAL_EPSILON / 2);
    return {NAN, largest_error(p->h_z, p->reference, p->N)};
}

const Version<Problem> versions[] = {
    {"cpu", add_cpu, ON_HOST}, {"scalar", scalar},     {"vector", vector<1>},
    {"vector2", vector<2>},    {"vector4", vector<4>}, {"stream", stream},
};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "add2gpu: the time of a kernel, the bandwidth it comes to, and how much of a copy's "
               "that is");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);

    Problem p = {};
    p.N = N;
    p.block_size = args.block_x;
    p.h_x = (real *)malloc(bytes);
    p.h_y = (real *)malloc(bytes);
    p.h_z = (real *)malloc(bytes);
    p.reference = (double *)malloc(N * sizeof(double));
    fill_random(p.h_x, N, args.seed);
    fill_random(p.h_y, N, args.seed + 1);
    add_reference(p.h_x, p.h_y, p.reference, N);
    CHECK(cudaMalloc(&p.d_x, bytes));
    CHECK(cudaMalloc(&p.d_y, bytes));
    CHECK(cudaMalloc(&p.d_z, bytes));
    CHECK(cudaMemcpy(p.d_x, p.h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(p.d_y, p.h_y, bytes, cudaMemcpyHostToDevice));

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_z, p.d_z, bytes};
    ladder.bytes = 3.0 * bytes; // two read, one written
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_y));
    CHECK(cudaFree(p.d_z));
    free(p.h_x);
    free(p.h_y);
    free(p.h_z);
    free(p.reference);
    return verdict();
}
