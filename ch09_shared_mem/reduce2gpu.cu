// reduce2gpu: each block adds up its numbers, in global or in shared memory; the host adds the rest
//
// From:    Listings 9.3 and 9.4; sections 9.1.1 to 9.1.3; file reduce2gpu.cu
// Compile: nvcc -O3 reduce2gpu.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --book --csv
// Versions:
//   cpu      Listing 9.1: a loop
//   global   Listing 9.3: a block adds the second half of its numbers to the first, again and again
//   static   Listing 9.4: the same in shared memory, which is fast; the array stays as it is
//   dynamic  9.1.3: the launch gives the size of the shared memory
// Checks:  13
// Sizes:   4097 1 64 1000 300007 33
// Chinese: 每个线程块在全局内存或共享内存中折半归约，其余由主机相加
//
// Like the book's, the times contain all steps: memory for one sum of each block, the kernel, the
// copy of these sums to the host, and the host's loop over them. The kernel is only a part of this.
// So the three versions differ little. Chapters 10 and 11 remove the other parts.

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

// Listing 9.3. At the barrier all threads of the block wait until the last one has added. Only then
// may the next step read the sums. A barrier cannot make different blocks wait for each other, so
// each block has its own numbers and leaves its own sum. The number of elements must be a multiple
// of the block size, and the block size a power of 2.
__global__ void reduce_global(real *d_x, real *d_y)
{
    const int tid = threadIdx.x;
    real *x = d_x + (size_t)blockDim.x * blockIdx.x; // x[0] is the block's first number

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            x[tid] += x[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        d_y[blockIdx.x] = x[0];
    }
}

// Listing 9.4. Each number is read from global memory once, and the array does not change. Threads
// past the end of the array add 0, so N need not be a multiple of the block size.
__global__ void reduce_static(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    __shared__ real s_y[BLOCK_SIZE]; // each block has its own s_y
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads(); // the threads are about to read what other threads stored

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
        d_y[bid] = s_y[0]; // shared memory is lost when its block ends
    }
}

// 9.1.3. The third value in <<<...>>> is the size of s_y in bytes. It is computed from the block
// size, so the two cannot differ by mistake. s_y is an array without a size. It cannot be a
// pointer: this chapter's README tries `extern __shared__ real *s_y`.
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

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    Total total;
    size_t N = 0, bytes = 0;
    int grid_size = 0;
    size_t y_bytes = 0; // of d_y and h_y, which have one sum of each block
    const size_t shared_bytes = sizeof(real) * BLOCK_SIZE;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;
    real *d_work = NULL; // a copy of d_x, because reduce_global overwrites its input
    bool work_is_copy = false;
    real sum = 0.0;

    // The most additions that one element passes through: 7 in its block, then one for each block.
    const auto check = [&]
    {
        check_total(&ladder, sum, &total, HALVINGS + grid_size);
    };
    const Version versions[] = {
        on_host(
            "cpu", [&] { sum = reduce_cpu(h_x, N); },
            [&] { check_total(&ladder, sum, &total, N); }),
        on_device(
            "global",
            [&]
            {
                work_is_copy = false;
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_global<<<grid_size, BLOCK_SIZE>>>(d_work, d_y);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, grid_size);
            },
            check),
        on_device(
            "static",
            [&]
            {
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_static<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, grid_size);
            },
            check),
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
    };

    args.N = default_size(100000000, 100000);
    args.bytes_per_element = 2 * sizeof(real) + 1; // and the blocks' sums
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce2gpu: each block adds up its numbers, in global or in shared memory; the "
               "host adds the rest");

    N = args.N;
    bytes = N * sizeof(real);
    grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    y_bytes = grid_size * sizeof(real);
    const size_t padded_bytes = (size_t)grid_size * BLOCK_SIZE * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(y_bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // behind the N numbers there will always be zeros

    ladder.setup = [&]
    {
        if (!work_is_copy)
        {
            CHECK(cudaMemcpy(d_work, d_x, bytes, cudaMemcpyDeviceToDevice));
            work_is_copy = true;
        }
        // A version that allocates d_y may get the memory that the last one freed. Its sums must
        // not be in there any more.
        CHECK(cudaMalloc(&d_y, y_bytes));
        CHECK(cudaMemset(d_y, POISON_BYTE, y_bytes));
        CHECK(cudaFree(d_y));
    };
    ladder.outputs[0] = {&sum, NULL, sizeof(real)};
    ladder.outputs[1] = {h_y, NULL, y_bytes};
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
    work_is_copy = false;
    total = total_of(h_x, N, IS_ROUNDED);
    const bool is_book = fabs(total.sum / N - 1.23) <= 1e-7;
    check_true("the numbers are the book's with --book, and only then", is_book == args.book);
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    free(h_x);
    free(h_y);
    return verdict();
}
