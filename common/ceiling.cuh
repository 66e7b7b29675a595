// The best rates of this device for reading and copying, measured in this process.
//
// A row of a table is compared with the ceiling for the number of bytes that it moves itself,
// because an array that fits into the cache has a higher ceiling. No single way to access memory is
// the fastest on every device, so several are tried and the best counts. The results are verified.
// This also keeps the compiler from leaving the work out. Without a GPU there is no ceiling: 0.
#pragma once
#include <stdint.h>
#include "error.cuh"
#include "timing.cuh"

const int CEILING_BLOCK = 256;
const int CEILING_REPEATS = 10;
const size_t CEILING_ODD = 10007; // one vector in so many adds up to 1, the others to 0

// Vectors of four words that look random. Their sum is known, and no order of additions changes it.
static __global__ void ceiling_fill(uint4 *x, size_t N)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        const unsigned a = (unsigned)n * 2654435761u, b = a * 2246822519u, c = b * 3266489917u;
        x[n] = make_uint4(a, b, c, (n % CEILING_ODD == 0) - a - b - c);
    }
}

// A thread writes only if its sum is not 0, so nearly all of the traffic is reading.
static __global__ void ceiling_read(const uint4 *x, size_t N, unsigned *total)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned sum = 0;
#pragma unroll 4
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        const uint4 v = x[n];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum != 0)
    {
        atomicAdd(total, sum);
    }
}

static __global__ void ceiling_copy(const uint4 *x, uint4 *y, size_t N)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        y[n] = x[n];
    }
}

// As many blocks as run at once.
static inline size_t ceiling_resident_blocks(void)
{
    int device;
    cudaDeviceProp properties;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    return (size_t)properties.multiProcessorCount *
           (properties.maxThreadsPerMultiProcessor / CEILING_BLOCK);
}

static inline void ceiling_verify(bool right)
{
    if (!right)
    {
        fprintf(stderr, "ceiling.cuh: the device read, copied or computed something wrong\n");
        exit(1);
    }
}

// GB/s for `bytes` in all. They are read once, or for a copy half of them is read and half written.
static inline double memory_ceiling(size_t bytes, bool copies)
{
    if (!ON_GPU)
    {
        return 0.0; // not known: nothing is timed
    }
    bytes = bytes > 4096 ? bytes : 4096;
    uint4 *x;
    cudaError_t status;
    while ((status = cudaMalloc(&x, bytes)) == cudaErrorMemoryAllocation && bytes > 4096)
    {
        cudaGetLastError(); // beside the program's own arrays there may be no room: take less
        bytes /= 2;
    }
    CHECK(status);
    unsigned *d_total, total;
    CHECK(cudaMalloc(&d_total, sizeof(unsigned)));

    const size_t N = bytes / sizeof(uint4) / (copies ? 2 : 1);
    const unsigned odd = (N + CEILING_ODD - 1) / CEILING_ODD;
    uint4 *y = x + N;
    const size_t resident = ceiling_resident_blocks(),
                 all = (N + CEILING_BLOCK - 1) / CEILING_BLOCK;
    ceiling_fill<<<resident, CEILING_BLOCK>>>(x, N);
    CHECK_LAUNCH();

    // A stride of the whole grid, a few vectors a thread, one a thread; 0: the runtime's own copy.
    const size_t grids[] = {resident, 4 * resident, (all + 3) / 4, all, 0};
    double best = 0.0;
    for (int i = 0; i < (copies ? 5 : 4); ++i)
    {
        const size_t grid = grids[i];
        CHECK(cudaMemset(d_total, 0, sizeof(unsigned)));
        if (copies)
        {
            CHECK(cudaMemset(y, 0xff, N * sizeof(uint4)));
        }
        Timer timer = new_timer(CEILING_REPEATS);
        while (next_run(&timer))
        {
            if (!copies)
            {
                ceiling_read<<<grid, CEILING_BLOCK>>>(x, N, d_total);
            }
            else if (grid > 0)
            {
                ceiling_copy<<<grid, CEILING_BLOCK>>>(x, y, N);
            }
            else
            {
                CHECK(cudaMemcpyAsync(y, x, N * sizeof(uint4), cudaMemcpyDeviceToDevice));
            }
        }
        if (copies)
        {
            ceiling_read<<<resident, CEILING_BLOCK>>>(y, N, d_total);
            CHECK_LAUNCH();
        }
        CHECK(cudaMemcpy(&total, d_total, sizeof(unsigned), cudaMemcpyDeviceToHost));
        ceiling_verify(total == odd * (copies ? 1 : CEILING_REPEATS + 1)); // and one to warm up
        best = fmax(best, (copies ? 2.0 : 1.0) * N * sizeof(uint4) / timer.median * 1e-6);
    }
    CHECK(cudaFree(x));
    CHECK(cudaFree(d_total));
    return best;
}

static inline double read_ceiling(size_t bytes) { return memory_ceiling(bytes, false); }

static inline double copy_ceiling(size_t bytes) { return memory_ceiling(bytes, true); }
