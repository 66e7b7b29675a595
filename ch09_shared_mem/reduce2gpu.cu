// reduce2gpu: each block adds up its numbers, in global or in shared memory; the host adds the rest
//
// From:    Listings 9.3 and 9.4; sections 9.1.1 to 9.1.3; file reduce2gpu.cu
// Compile: nvcc -O3 reduce2gpu.cu
// Run:     ./a.out -n 100000000
//
// Like the book's, the times contain all steps: memory for one sum of each block, the kernel, the
// copy of these sums to the host, and the host's loop over them. The kernel is only a part of this.
// So the three versions differ little. Chapters 10 and 11 remove the other parts.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions_data.cuh"

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
// pointer: beyond.md of this chapter tries `extern __shared__ real *s_y`.
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

// What the versions work on.
struct Data
{
    size_t N;
    int grid_size;
    const real *h_x, *d_x;
    real *d_work; // a copy of d_x, because reduce_global overwrites its input
    bool work_is_copy;
    real sum;
    Total total; // what it should be
};

// ---- The book's function, once for each kernel: it allocates, launches, copies the blocks' sums
// to the host, adds them up, and frees.

real sum_in_global_memory(Data *data)
{
    const int grid_size = data->grid_size;
    const size_t y_bytes = sizeof(real) * grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    real *h_y = (real *)malloc(y_bytes);

    reduce_global<<<grid_size, BLOCK_SIZE>>>(data->d_work, d_y);
    data->work_is_copy = false;

    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    const real result = reduce_cpu(h_y, grid_size);
    free(h_y);
    CHECK(cudaFree(d_y));
    return result;
}

real sum_in_static_shared_memory(const Data *data)
{
    const int grid_size = data->grid_size;
    const size_t y_bytes = sizeof(real) * grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    real *h_y = (real *)malloc(y_bytes);

    reduce_static<<<grid_size, BLOCK_SIZE>>>(data->d_x, d_y, data->N);

    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    const real result = reduce_cpu(h_y, grid_size);
    free(h_y);
    CHECK(cudaFree(d_y));
    return result;
}

real sum_in_dynamic_shared_memory(const Data *data)
{
    const int grid_size = data->grid_size;
    const size_t y_bytes = sizeof(real) * grid_size;
    const int smem = sizeof(real) * BLOCK_SIZE;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    real *h_y = (real *)malloc(y_bytes);

    reduce_dynamic<<<grid_size, BLOCK_SIZE, smem>>>(data->d_x, d_y, data->N);

    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    const real result = reduce_cpu(h_y, grid_size);
    free(h_y);
    CHECK(cudaFree(d_y));
    return result;
}

// ---- The checks: an error may be as large as the most additions of one element can make it.

void check_loop(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, data->N);
}

// 7 in its block. Then the host makes one for each block.
void check_halved(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, HALVINGS + data->grid_size);
}

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "Listing 9.1: a loop", ON_HOST, [](D d) { d->sum = reduce_cpu(d->h_x, d->N); },
     check_loop},
    {"global", "Listing 9.3: a block adds the second half of its numbers to the first, repeatedly",
     ON_DEVICE, [](D d) { d->sum = sum_in_global_memory(d); }, check_halved},
    {"static", "Listing 9.4: the same in shared memory, which is fast; the array stays as it is",
     ON_DEVICE, [](D d) { d->sum = sum_in_static_shared_memory(d); }, check_halved},
    {"dynamic", "9.1.3: the launch gives the size of the shared memory", ON_DEVICE,
     [](D d) { d->sum = sum_in_dynamic_shared_memory(d); }, check_halved},
};

// Before each run: reduce_global wants a fresh copy of the numbers. And a version that allocates
// d_y may get the memory that the last one freed. Its sums must not be in there any more.
void set_up(Data *data)
{
    if (!data->work_is_copy)
    {
        const size_t bytes = data->N * sizeof(real);
        CHECK(cudaMemcpy(data->d_work, data->d_x, bytes, cudaMemcpyDeviceToDevice));
        data->work_is_copy = true;
    }
    const size_t y_bytes = sizeof(real) * data->grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    CHECK(cudaMemset(d_y, POISON_BYTE, y_bytes));
    CHECK(cudaFree(d_y));
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 100000);
    args.bytes_per_element = 2 * sizeof(real) + 1; // and the blocks' sums
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce2gpu: each block adds up its numbers, in global or in shared memory; the "
               "host adds the rest");
    const size_t N = args.N, bytes = N * sizeof(real);
    const int grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t padded_bytes = (size_t)grid_size * BLOCK_SIZE * sizeof(real);

    real *h_x = (real *)malloc(bytes);
    real *d_x, *d_work;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // behind the N numbers there will always be zeros

    Data data = {N, grid_size, h_x, d_x, d_work, false};
    Table<Data> table;
    table.data = &data;
    table.setup = set_up;
    table.outputs[0] = {&data.sum, NULL, sizeof(real)};
    table.bytes = (double)bytes;
    table.ceiling = read_ceiling;

    fill_integers(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    data.total = total_of(h_x, N, IS_EXACT);
    check_versions(&table, VERSIONS);

    if (args.book)
    {
        fill_constant(h_x, N, (real)1.23);
    }
    else
    {
        fill_random(h_x, N, args.seed);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    data.work_is_copy = false;
    data.total = total_of(h_x, N, IS_ROUNDED);
    const bool is_book = fabs(data.total.sum / N - 1.23) <= 1e-7;
    check_true("the numbers are the book's with --book, and only then", is_book == args.book);
    run_versions(&table, VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    free(h_x);
    return verdict();
}
