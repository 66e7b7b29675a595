// pitched: matrices and boxes whose rows begin at aligned addresses, and copies of parts of them
//
// From:    section 6.2.1; S1 4.3.2
// Compile: nvcc -O3 pitched.cu
// Run:     ./a.out -n 20x1000x1001
//
// Rows of 1001 numbers that follow each other without a gap begin at different places within a line
// of memory. cudaMallocPitch and cudaMalloc3D make all rows begin alike. They put unused bytes, the
// padding, behind each row, and choose how many. The distance from the beginning of a row to that
// of the next one is the pitch. It counts bytes, because it need not be a multiple of an element.
// So the kernels below go from row to row with a pointer to char.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/counted.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const size_t PITCH_UNIT = 512;    // a row has less padding than this
const size_t MOST_BLOCKS = 65535; // of a grid in y and in z

// What both parts of the program work on: a box of M slices of N rows of K elements. The arrays of
// the host have no padding.
static size_t M, N, K;
static size_t rows, width;    // all slices below each other, and the bytes of a row that are used
static double *x, *reference; // numbers, and what their differences should be
static real *h_x, *h_y;       // the same numbers as real, and the differences
static dim3 block;
static double ceiling; // of a copy, in GB/s

// Each element less the one that lies `down` rows further and `right` columns further, if there is
// one.
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

// Each element less its right neighbour. `x + n * pitch_x` would be wrong: it counts the pitch in
// elements, not in bytes. A grid has at most 65535 blocks in y, so a thread goes on with the row
// that lies a grid further.
__global__ void subtract_pitched(const real *x, size_t pitch_x, real *y, size_t pitch_y, size_t N,
                                 size_t K)
{
    const size_t k = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t first = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    for (size_t n = first; n < N && k < K; n += (size_t)blockDim.y * gridDim.y)
    {
        const real *row_x = (const real *)((const char *)x + n * pitch_x);
        real *row_y = (real *)((char *)y + n * pitch_y);
        row_y[k] = row_x[k] - (k + 1 < K ? row_x[k + 1] : 0);
    }
}

// Each element less the one in the next slice. A slice is N rows, so the next one lies N * pitch
// bytes further. cudaMalloc3D gives address and pitch together, as a cudaPitchedPtr.
__global__ void subtract_slices(cudaPitchedPtr x, cudaPitchedPtr y, size_t M, size_t N, size_t K)
{
    const size_t k = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t first = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    for (size_t n = first; n < N && k < K; n += (size_t)blockDim.y * gridDim.y)
    {
        for (size_t m = blockIdx.z; m < M; m += gridDim.z)
        {
            const char *slice_x = (const char *)x.ptr + m * N * x.pitch;
            char *slice_y = (char *)y.ptr + m * N * y.pitch;
            const char *next_slice_x = slice_x + N * x.pitch;
            const real *row_x = (const real *)(slice_x + n * x.pitch);
            const real *next_row_x = (const real *)(next_slice_x + n * x.pitch);
            real *row_y = (real *)(slice_y + n * y.pitch);
            row_y[k] = row_x[k] - (m + 1 < M ? next_row_x[k] : 0);
        }
    }
}

// The padding was poisoned, and no kernel may have changed it. The bytes between the end of each
// row and the next row are a matrix too, so one cudaMemcpy2D fetches them.
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

// A part of a matrix or box: its first slice, row and column, and its size.
struct Part
{
    size_t m, n, k, M, N, K;
};

// The middle of each side: it begins at a third, takes two thirds of the rest, and is not empty.
Part middle_part(size_t M, size_t N, size_t K)
{
    const size_t m = M / 3, n = N / 3, k = K / 3;
    return {m, n, k, (M - m + 1) * 2 / 3, (N - n + 1) * 2 / 3, (K - k + 1) * 2 / 3};
}

// `part` of the device's y was copied to the same place in h_y, which was poisoned before. So h_y
// must equal the reference there, and must still be poisoned everywhere else.
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

// Copies a part of the box `from` to the same place in `to`.
void copy_part(cudaPitchedPtr to, cudaPitchedPtr from, const Part *part, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms copy = {}; // all that is not set here must be zero
    copy.srcPtr = from;
    copy.dstPtr = to;
    copy.srcPos = copy.dstPos = make_cudaPos(part->k * sizeof(real), part->n, part->m);
    copy.extent = make_cudaExtent(part->K * sizeof(real), part->N, part->M); // x counts bytes
    copy.kind = kind;
    CHECK(cudaMemcpy3D(&copy));
}

unsigned int num_blocks(size_t size, size_t block, size_t most)
{
    const size_t blocks = (size - 1) / block + 1;
    return blocks < most ? blocks : most;
}

// The matrix of the device, and its pitches: those that cudaMallocPitch chose, or others.
struct Matrix
{
    real *d_x, *d_y;
    size_t pitch_x, pitch_y;
};

// The rows of the host follow each other, so their pitch is the width. On the device any pitch will
// do.
void subtract_and_check(const char *what, const Matrix *matrix)
{
    const size_t pitch_x = matrix->pitch_x, pitch_y = matrix->pitch_y;
    CHECK(cudaMemcpy2D(matrix->d_x, pitch_x, h_x, width, width, rows, cudaMemcpyHostToDevice));
    const dim3 grid(num_blocks(K, block.x, INT_MAX), num_blocks(rows, block.y, MOST_BLOCKS));
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        subtract_pitched<<<grid, block>>>(matrix->d_x, pitch_x, matrix->d_y, pitch_y, rows, K);
    }
    poison(h_y, width * rows);
    CHECK(cudaMemcpy2D(h_y, width, matrix->d_y, pitch_y, width, rows, cudaMemcpyDeviceToHost));
    check_elements(what, h_y, reference, rows * K);
    put_text(what);
    put(pitch_x);
    if (ON_GPU)
    {
        const double rate = rate_of(2.0 * width * rows, timer.median);
        put(timer.median);
        put(rate);
        put(percent_of(rate, ceiling));
    }
    else
    {
        put(sectors_of(&timer.counts.sums.loads, sizeof(real)));
        put(sectors_of(&timer.counts.sums.stores, sizeof(real)));
    }
    end_row();
}

// A part of the matrix: the same call as for the whole, but from the address of the part's first
// element, and with the part's own width.
void copy_rectangle(const Matrix *matrix)
{
    const Part rectangle = middle_part(1, rows, K);
    const size_t offset = rectangle.k * sizeof(real);
    poison(h_y, width * rows);
    CHECK(cudaMemcpy2D((char *)h_y + rectangle.n * width + offset, width,
                       (char *)matrix->d_y + rectangle.n * matrix->pitch_y + offset,
                       matrix->pitch_y, rectangle.K * sizeof(real), rectangle.N,
                       cudaMemcpyDeviceToHost));
    check_part("a rectangle", h_y, reference, &rectangle, 1, rows, K);
}

// Two dimensions: cudaMallocPitch and cudaMemcpy2D. All slices below each other are one tall
// matrix. `expected` is the number of bytes that the program has asked for.
void show_matrix(double expected)
{
    Matrix padded;
    CHECK(cudaMallocPitch(&padded.d_x, &padded.pitch_x, width, rows)); // bytes in a row, and rows
    CHECK(cudaMallocPitch(&padded.d_y, &padded.pitch_y, width, rows));
    CHECK(cudaMemset(padded.d_x, POISON_BYTE, padded.pitch_x * rows));
    CHECK(cudaMemset(padded.d_y, POISON_BYTE, padded.pitch_y * rows));
    subtract_reference(x, reference, rows, K, 0, 1);
    ceiling = copy_ceiling(2 * width * rows);
    const Column COLUMNS[] = {{"rows", "%-6s"},
                              {"pitch", "%8.0f"},
                              {TIME_UNIT, "%10.4g"},
                              {"GB/s", "%8.1f"},
                              {"% of copy", "%10.1f"}};
    const Column COUNTED[] = {{"rows", "%-6s"},
                              {"pitch", "%8.0f"},
                              {"sectors a load", "%15.2f"},
                              {"sectors a store", "%16.2f"}};
    if (ON_GPU)
    {
        print_note("%s, size = %zux%zux%zu, median of %zu repeats, copy ceiling %.1f GB/s\n",
                   REAL_NAME, M, N, K, args.repeats, ceiling);
        begin_table(COLUMNS, 5);
    }
    else
    {
        print_note("%s, size = %zux%zux%zu: counted on the CPU, not timed; %zu sectors would do\n",
                   REAL_NAME, M, N, K, sizeof(real));
        begin_table(COUNTED, 4);
    }

    subtract_and_check("padded", &padded);
    check_padding("the padding of x", padded.d_x, width, padded.pitch_x, rows);
    check_padding("the padding of y", padded.d_y, width, padded.pitch_y, rows);
    check_true("each row begins at a multiple of 32 bytes",
               padded.pitch_x % 32 == 0 && padded.pitch_x >= width);
    const double bytes = (double)rows * (padded.pitch_x + padded.pitch_y);
    check_true("the matrices need what was asked for, or up to 1 KiB a row less",
               bytes <= expected && expected < bytes + rows * 2.0 * PITCH_UNIT);
    copy_rectangle(&padded);

    // The kernel takes any pitch, also the width: then there is no padding.
    const Matrix packed = {padded.d_x, padded.d_y, width, width};
    CHECK(cudaMemset(padded.d_y, POISON_BYTE, padded.pitch_y * rows));
    subtract_and_check("packed", &packed);
    CHECK(cudaFree(padded.d_x));
    CHECK(cudaFree(padded.d_y));
}

// Three dimensions: cudaMalloc3D and cudaMemcpy3D.
void show_box(void)
{
    const cudaExtent extent = make_cudaExtent(width, N, M); // x counts bytes
    cudaPitchedPtr box_x, box_y;
    CHECK(cudaMalloc3D(&box_x, extent));
    CHECK(cudaMalloc3D(&box_y, extent));
    CHECK(cudaMemset(box_x.ptr, POISON_BYTE, box_x.pitch * rows));
    CHECK(cudaMemset(box_y.ptr, POISON_BYTE, box_y.pitch * rows));
    // The same description for the arrays of the host: address, pitch, and the N rows of a slice.
    const cudaPitchedPtr host_box_x = make_cudaPitchedPtr(h_x, width, K, N);
    const cudaPitchedPtr host_box_y = make_cudaPitchedPtr(h_y, width, K, N);

    const Part whole = {0, 0, 0, M, N, K};
    copy_part(box_x, host_box_x, &whole, cudaMemcpyHostToDevice);
    const dim3 grid(num_blocks(K, block.x, INT_MAX), num_blocks(N, block.y, MOST_BLOCKS),
                    num_blocks(M, 1, MOST_BLOCKS));
    subtract_slices<<<grid, block>>>(box_x, box_y, M, N, K);
    CHECK_LAUNCH();
    poison(h_y, width * rows);
    copy_part(host_box_y, box_y, &whole, cudaMemcpyDeviceToHost);

    subtract_reference(x, reference, rows, K, N, 0); // the next slice: N rows further
    check_elements("the box", h_y, reference, rows * K);
    check_padding("the padding of the box x", box_x.ptr, width, box_x.pitch, rows);
    check_padding("the padding of the box y", box_y.ptr, width, box_y.pitch, rows);
    check_true("cudaMalloc3D notes the slice's rows", box_x.ysize == N && box_y.ysize == N);

    const Part part = middle_part(M, N, K);
    poison(h_y, width * rows);
    copy_part(host_box_y, box_y, &part, cudaMemcpyDeviceToHost);
    check_part("a part of the box", h_y, reference, &part, M, N, K);
    print_note("box: %zu of %zu bytes are padding\n", (box_x.pitch - width) * rows,
               box_x.pitch * rows);
    CHECK(cudaFree(box_x.ptr));
    CHECK(cudaFree(box_y.ptr));
}

int main(int argc, char **argv)
{
    args.M = default_size(32, 4);
    args.N = default_size(1000, 64);
    args.K = 1001;
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(double);
    args.columns =
        "  rows       of one matrix: with padding, or packed without it\n"
        "  pitch      bytes from the beginning of a row to that of the next one\n"
        "  ms         the median time\n"
        "  GB/s       bytes that have to be read and written, over the time\n"
        "  % of copy  this rate in per cent of a copy's\n"
        "  sectors    without a GPU: pieces of 32 bytes that a warp asks for at a time\n";
    parse_args(argc, argv, "-n MxNxK -b BXxBY -s S -r R --csv",
               "pitched: matrices and boxes whose rows begin at aligned addresses, and copies of "
               "parts of them");
    M = args.M;
    N = args.N;
    K = args.K;
    rows = M * N;
    width = K * sizeof(real);
    block = dim3(args.block_x, args.block_y);
    if (width >= INT_MAX - PITCH_UNIT)
    {
        usage_error("a row may have %zu elements, not %zu", (INT_MAX - PITCH_UNIT) / sizeof(real),
                    K);
    }
    // Where rows are short, most of the memory is padding. parse_args has not counted it.
    const double padding = (double)rows * (PITCH_UNIT - 1);
    const double on_device = 2.0 * ((double)rows * width + padding);
    require_memory((double)rows * K * args.bytes_on_host + padding, on_device);
    print_device();

    x = (double *)malloc(rows * K * sizeof(double));
    reference = (double *)malloc(rows * K * sizeof(double));
    h_x = (real *)malloc(rows * width);
    h_y = (real *)malloc(rows * width);
    fill_random(x, rows * K, args.seed);
    fill_random(h_x, rows * K, args.seed); // 24 bits each, so all differences are exact in float

    show_matrix(on_device);
    show_box();
    if (!ON_GPU)
    {
        print_card_run();
    }

    free(h_x);
    free(h_y);
    free(x);
    free(reference);
    return verdict();
}
