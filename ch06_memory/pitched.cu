// pitched: matrices and boxes whose rows begin at aligned addresses, and copies of parts of them
//
// From:    section 6.2.1; S1 4.3.2
// Compile: nvcc -O3 pitched.cu
// Run:     ./a.out -n 20x1000x1001
// Checks:  11
//
// A row of 1001 numbers that follows the one before it begins anywhere in a line of memory.
// cudaMallocPitch and cudaMalloc3D lengthen every row to a length of their own choice, the pitch,
// so that all begin alike. The pitch counts bytes, as it need be no multiple of an element: that
// is why the kernels below step from row to row with a char pointer.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const size_t PITCH_UNIT = 512;    // of which pitches are multiples, to estimate what they take
const size_t MOST_BLOCKS = 65535; // of a grid in y and in z

// Each element less the one `down` rows further and `right` columns further, where there is one.
void subtract_reference(const double *x, double *y, size_t rows, size_t K, size_t down,
                        size_t right)
{
    for (size_t row = 0; row < rows; ++row)
    {
        for (size_t k = 0; k < K; ++k)
        {
            const bool inside = row + down < rows && k + right < K;
            y[row * K + k] = x[row * K + k] - (inside ? x[(row + down) * K + k + right] : 0.0);
        }
    }
}

// Row n of a matrix. `x + n * pitch` would count the pitch in elements: four times too far.
template <typename T>
__host__ __device__ T *row_of(T *x, size_t pitch, size_t n)
{
    return (T *)((char *)x + n * pitch);
}

// Each element less its right neighbour. A grid has 65535 blocks in y at most: a thread goes on
// with the row that lies a grid further.
__global__ void subtract_pitched(const real *x, size_t pitch_x, real *y, size_t pitch_y, size_t N,
                                 size_t K)
{
    const size_t k = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t first = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    for (size_t n = first; n < N && k < K; n += (size_t)blockDim.y * gridDim.y)
    {
        const real *row = row_of(x, pitch_x, n);
        row_of(y, pitch_y, n)[k] = row[k] - (k + 1 < K ? row[k + 1] : 0);
    }
}

// Each element less the one in the next slice, which is N rows away: pitch * N bytes.
__global__ void subtract_slices(cudaPitchedPtr x, cudaPitchedPtr y, size_t M, size_t N, size_t K)
{
    const size_t k = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t first = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    for (size_t n = first; n < N && k < K; n += (size_t)blockDim.y * gridDim.y)
    {
        for (size_t m = blockIdx.z; m < M; m += gridDim.z)
        {
            const size_t row = m * N + n; // all slices make one tall matrix
            const real next = m + 1 < M ? row_of((const real *)x.ptr, x.pitch, row + N)[k] : 0;
            row_of((real *)y.ptr, y.pitch, row)[k] =
                row_of((const real *)x.ptr, x.pitch, row)[k] - next;
        }
    }
}

// The bytes between the end of each row and the next one are a matrix like any other: they are
// fetched as one. Poisoned before, they must still be so.
void check_padding(const char *what, const void *d_x, size_t width, size_t pitch, size_t rows)
{
    const size_t padding = pitch - width, bytes = padding * rows;
    unsigned char *h_padding = (unsigned char *)malloc(bytes + 1);
    size_t changed = 0;
    if (padding > 0)
    {
        CHECK(cudaMemcpy2D(h_padding, padding, (const char *)d_x + width, pitch, padding, rows,
                           cudaMemcpyDeviceToHost));
    }
    for (size_t i = 0; i < bytes; ++i)
    {
        changed += h_padding[i] != POISON_BYTE;
    }
    free(h_padding);
    check_true(what, changed == 0);
}

// A part of a matrix or box: where it begins, and how large it is.
struct Part
{
    size_t m, n, k, M, N, K;
};

// From a third of each side on, two thirds of the rest, and at least one.
Part middle_part(size_t M, size_t N, size_t K)
{
    const size_t m = M / 3, n = N / 3, k = K / 3;
    return {m, n, k, (M - m + 1) * 2 / 3, (N - n + 1) * 2 / 3, (K - k + 1) * 2 / 3};
}

// h_y was poisoned, then `part` of the device's y was copied to the same place in it: there it
// must equal the reference, and poison must have stayed everywhere else.
void check_part(const char *what, const real *h_y, const double *reference, const Part *part,
                size_t M, size_t N, size_t K)
{
    real poisoned;
    poison(&poisoned, sizeof(poisoned));
    size_t wrong = 0;
    for (size_t i = 0; i < M * N * K; ++i)
    {
        const size_t m = i / (N * K), n = i / K % N, k = i % K;
        const bool inside = m >= part->m && m < part->m + part->M && n >= part->n &&
                            n < part->n + part->N && k >= part->k && k < part->k + part->K;
        wrong += !(h_y[i] == (inside ? (real)reference[i] : poisoned));
    }
    check_true(what, wrong == 0);
}

unsigned int num_blocks(size_t size, size_t block, size_t most)
{
    const size_t blocks = (size - 1) / block + 1;
    return blocks < most ? blocks : most;
}

struct Problem
{
    size_t M, N, K;
    dim3 block;
    size_t repeats;
    double *x, *reference;
    real *h_x, *h_y; // without padding
};

// The slices below each other are one matrix of M N rows, here with any pitch. The host's rows
// follow one another: its pitch is their width.
void subtract_and_check(const char *what, const Problem *p, real *d_x, size_t pitch_x, real *d_y,
                        size_t pitch_y)
{
    const size_t rows = p->M * p->N, K = p->K, width = K * sizeof(real);
    const dim3 grid(num_blocks(K, p->block.x, INT_MAX), num_blocks(rows, p->block.y, MOST_BLOCKS));
    CHECK(cudaMemcpy2D(d_x, pitch_x, p->h_x, width, width, rows, cudaMemcpyHostToDevice));
    const auto subtract = [&]
    {
        subtract_pitched<<<grid, p->block>>>(d_x, pitch_x, d_y, pitch_y, rows, K);
    };
    const Timing time = time_kernel(subtract, p->repeats);
    poison(p->h_y, width * rows);
    CHECK(cudaMemcpy2D(p->h_y, width, d_y, pitch_y, width, rows, cudaMemcpyDeviceToHost));
    check_elements(what, p->h_y, p->reference, rows * K);
    printf("%s: a row every %zu bytes, %.4g %s, %.1f GB/s\n", what, pitch_x, time.median, TIME_UNIT,
           2e-6 * width * rows / time.median);
}

void two_dimensions(const Problem *p)
{
    const size_t rows = p->M * p->N, K = p->K, width = K * sizeof(real);
    real *d_x, *d_y;
    size_t pitch_x, pitch_y;
    CHECK(cudaMallocPitch(&d_x, &pitch_x, width, rows)); // bytes in a row, and rows
    CHECK(cudaMallocPitch(&d_y, &pitch_y, width, rows));
    CHECK(cudaMemset(d_x, POISON_BYTE, pitch_x * rows));
    CHECK(cudaMemset(d_y, POISON_BYTE, pitch_y * rows));
    subtract_reference(p->x, p->reference, rows, K, 0, 1);
    printf("copy ceiling: %.1f GB/s\n", copy_ceiling(2 * width * rows));
    subtract_and_check("padded", p, d_x, pitch_x, d_y, pitch_y);
    check_padding("the padding of x", d_x, width, pitch_x, rows);
    check_padding("the padding of y", d_y, width, pitch_y, rows);
    check_true("each row begins at a multiple of 32 bytes", pitch_x % 32 == 0 && pitch_x >= width);

    // A part: the same call, from the address of its first element, with its own width.
    const Part part = middle_part(1, rows, K);
    poison(p->h_y, width * rows);
    CHECK(cudaMemcpy2D(row_of(p->h_y, width, part.n) + part.k, width,
                       row_of(d_y, pitch_y, part.n) + part.k, pitch_y, part.K * sizeof(real),
                       part.N, cudaMemcpyDeviceToHost));
    check_part("a rectangle", p->h_y, p->reference, &part, 1, rows, K);

    // The kernel takes any pitch, also that of rows without padding.
    CHECK(cudaMemset(d_y, POISON_BYTE, pitch_y * rows));
    subtract_and_check("packed", p, d_x, width, d_y, width);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

// Copies a part of `from` to the same place in `to`.
void copy_part(cudaPitchedPtr to, cudaPitchedPtr from, const Part *part, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms copy = {}; // zeros: no array, both positions at the origin
    copy.srcPtr = from;
    copy.dstPtr = to;
    copy.srcPos = copy.dstPos = make_cudaPos(part->k * sizeof(real), part->n, part->m);
    copy.extent = make_cudaExtent(part->K * sizeof(real), part->N, part->M); // x in bytes again
    copy.kind = kind;
    CHECK(cudaMemcpy3D(&copy));
}

void three_dimensions(const Problem *p)
{
    const size_t M = p->M, N = p->N, K = p->K, width = K * sizeof(real);
    const dim3 grid(num_blocks(K, p->block.x, INT_MAX), num_blocks(N, p->block.y, MOST_BLOCKS),
                    num_blocks(M, 1, MOST_BLOCKS));
    const cudaExtent extent = make_cudaExtent(width, N, M);
    const Part whole = {0, 0, 0, M, N, K}, part = middle_part(M, N, K);
    cudaPitchedPtr d_x, d_y;
    CHECK(cudaMalloc3D(&d_x, extent));
    CHECK(cudaMalloc3D(&d_y, extent));
    CHECK(cudaMemset(d_x.ptr, POISON_BYTE, d_x.pitch * N * M));
    CHECK(cudaMemset(d_y.ptr, POISON_BYTE, d_y.pitch * N * M));
    // On the host: address, pitch, and the N rows that make a slice.
    const cudaPitchedPtr h_x = make_cudaPitchedPtr(p->h_x, width, K, N);
    const cudaPitchedPtr h_y = make_cudaPitchedPtr(p->h_y, width, K, N);

    copy_part(d_x, h_x, &whole, cudaMemcpyHostToDevice);
    subtract_slices<<<grid, p->block>>>(d_x, d_y, M, N, K);
    CHECK_LAUNCH();
    poison(p->h_y, width * N * M);
    copy_part(h_y, d_y, &whole, cudaMemcpyDeviceToHost);
    subtract_reference(p->x, p->reference, M * N, K, N, 0); // a slice is N rows
    check_elements("the box", p->h_y, p->reference, M * N * K);
    check_padding("the padding of the box x", d_x.ptr, width, d_x.pitch, M * N);
    check_padding("the padding of the box y", d_y.ptr, width, d_y.pitch, M * N);
    check_true("cudaMalloc3D notes the slice's rows", d_x.ysize == N && d_y.ysize == N);

    poison(p->h_y, width * N * M);
    copy_part(h_y, d_y, &part, cudaMemcpyDeviceToHost);
    check_part("a part of the box", p->h_y, p->reference, &part, M, N, K);
    printf("box: %zu of %zu bytes are padding\n", (d_x.pitch - width) * M * N, d_x.pitch * M * N);
    CHECK(cudaFree(d_x.ptr));
    CHECK(cudaFree(d_y.ptr));
}

// What args.cuh asked for knows nothing of padding, which is most of it where rows are short.
void check_room(const Args *args)
{
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const double width = (double)args->K * sizeof(real), rows = (double)args->M * args->N;
    const double padding = rows * (PITCH_UNIT - 1), host = free_host_memory();
    const double on_device = 2.0 * (rows * width + padding);
    if (!(width < INT_MAX - PITCH_UNIT))
    {
        usage_error(args, "a row may have %zu elements, not %zu",
                    (INT_MAX - PITCH_UNIT) / sizeof(real), args->K);
    }
    if (on_device > 0.95 * free_bytes || (host > 0.0 && padding + on_device * !ON_GPU > 0.8 * host))
    {
        usage_error(args, "with %.4g GB of padding that is more memory than is free",
                    3e-9 * padding);
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.M = default_size(32, 7);
    args.N = default_size(1000, 203);
    args.K = default_size(1001, 301);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(double);
    parse_args(&args, argc, argv, "-n MxNxK -b BXxBY -s S -r R",
               "pitched: matrices and boxes whose rows begin at aligned addresses, and copies of "
               "parts of them");
    check_room(&args);
    print_device();
    const size_t count = args.M * args.N * args.K;
    const Problem p = {args.M,
                       args.N,
                       args.K,
                       dim3(args.block_x, args.block_y),
                       args.repeats,
                       (double *)malloc(count * sizeof(double)),
                       (double *)malloc(count * sizeof(double)),
                       (real *)malloc(count * sizeof(real)),
                       (real *)malloc(count * sizeof(real))};
    fill_random(p.x, count, args.seed);
    fill_random(p.h_x, count, args.seed); // 24 bits each: all differences are exact, in float too

    two_dimensions(&p);
    three_dimensions(&p);

    free(p.h_x);
    free(p.h_y);
    free(p.x);
    free(p.reference);
    return verdict();
}
