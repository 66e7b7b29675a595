// reduce-atomic: a reduction that ends on the device, because its blocks add atomically to one sum
//
// From:    Listing 10.1, section 10.1.1, file reduce.cu of chapter 10
// Compile: nvcc -O3 reduce-atomic.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --book --csv
// Versions:
//   cpu      Listing 9.1: a loop
//   dynamic  the last version of chapter 9: the host copies the blocks' sums and adds them up
//   atomic   Listing 10.1: the blocks add their sums to one number; only this number is copied
//   stay     the same, but the number stays on the device and its memory is allocated only once
// Checks:  13
// Sizes:   4097 1 64 1000 300007 33
// Chinese: 各线程块用原子函数累加部分和，整个归约在设备中完成
//
// `d_y[0] += s_y[0]` consists of a load, an addition and a store. The addition of another block is
// lost if it comes between this load and this store. atomicAdd makes one operation of the three.
// The order of the blocks stays undefined. So the last digits of a sum of floats may differ from
// run to run.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions_old.cuh"

const int BLOCK_SIZE = 128;
const int HALVINGS = 7; // from 128 numbers to 1

// Listing 9.1
real reduce_cpu(const real *x, size_t N)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += x[n];
    }
    return sum;
}

// Listing 9.4 with dynamic shared memory: one sum of each block.
__global__ void reduce_dynamic(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        d_y[bid] = s_y[0];
    }
}

// 10.1.1. The same, but all blocks add to d_y[0], which must be 0 before the launch.
__global__ void reduce_atomic(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        atomicAdd(d_y, s_y[0]); // without the `if` each block would add its sum 128 times
    }
}

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    Total total;
    size_t N = 0;
    int grid_size = 0;
    size_t y_bytes = 0; // one sum of each block
    const size_t shared_bytes = sizeof(real) * BLOCK_SIZE;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;
    real sum = 0.0;                          // where versions leave a sum on the host
    real *d_sum = NULL, sum_on_device = 0.0; // `stay` leaves it in *d_sum; this is a copy

    // The most additions that one element passes through: 7 in its block, then one for each block.
    // This also holds for atomic additions, in any order.
    const auto check = [&]
    {
        check_total(&ladder, sum, &total, HALVINGS + grid_size);
    };
    const Version versions[] = {
        on_host(
            "cpu", [&] { sum = reduce_cpu(h_x, N); },
            [&] { check_total(&ladder, sum, &total, N); }),
        on_device(
            "dynamic",
            [&]
            {
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_dynamic<<<grid_size, BLOCK_SIZE, shared_bytes>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, grid_size);
            },
            check),
        // Listing 10.1. cudaMemcpy takes any address of the host, also that of a local variable.
        on_device(
            "atomic",
            [&]
            {
                real h_sum[1] = {0};
                CHECK(cudaMalloc(&d_y, sizeof(real)));
                CHECK(cudaMemcpy(d_y, h_sum, sizeof(real), cudaMemcpyHostToDevice));
                reduce_atomic<<<grid_size, BLOCK_SIZE, shared_bytes>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_sum, d_y, sizeof(real), cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = h_sum[0];
            },
            check),
        on_device(
            "stay",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_atomic<<<grid_size, BLOCK_SIZE, shared_bytes>>>(d_x, d_sum, N);
            },
            [&] { check_total(&ladder, sum_on_device, &total, HALVINGS + grid_size); }),
    };

    args.N = default_size(100000000, 100000);
    args.bytes_per_element = sizeof(real) + 1; // and the blocks' sums
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce-atomic: a reduction that ends on the device, because its blocks add "
               "atomically to one sum");

    N = args.N;
    const size_t bytes = N * sizeof(real);
    grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    y_bytes = grid_size * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(y_bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_sum, sizeof(real)));

    ladder.setup = [&]
    {
        // A version that allocates d_y may get the memory that the last one freed. Its sums must
        // not be in there any more.
        CHECK(cudaMalloc(&d_y, y_bytes));
        CHECK(cudaMemset(d_y, POISON_BYTE, y_bytes));
        CHECK(cudaFree(d_y));
    };
    ladder.outputs[0] = {&sum, NULL, sizeof(real)};
    ladder.outputs[1] = {&sum_on_device, d_sum, sizeof(real)};
    ladder.outputs[2] = {h_y, NULL, y_bytes};
    ladder.bytes = (double)bytes;
    ladder.ceiling = READ_CEILING;

    fill_integers(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    total = total_of(h_x, N, IS_EXACT);
    check_versions(&args, &ladder, versions);

    if (args.book)
    {
        fill_constant(h_x, N, (real)1.23);
    }
    else
    {
        fill_random(h_x, N, args.seed);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    total = total_of(h_x, N, IS_ROUNDED);
    const bool is_book = fabs(total.sum / N - 1.23) <= 1e-7;
    check_true("the numbers are the book's with --book, and only then", is_book == args.book);
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sum));
    free(h_x);
    free(h_y);
    return verdict();
}
