// fft: the fast Fourier transform of 2^m numbers: the sum, hand-written kernels, and cuFFT
//
// From:    section 20.1, where the book is empty; beyond the book
// Compile: nvcc -O3 fft.cu -lcufft
// Run:     ./a.out -n 65536
// Libs:    -lcufft
//
// The discrete Fourier transform of x[0] ... x[N-1] is
//
//     X[k] = sum over n of x[n] w^(k n),   k = 0 ... N-1,   w = exp(-2 pi i / N)
//
// If N is even, X comes from two transforms of N/2 numbers: E of those with even n, and O of those
// with odd n.
//
//     X[k] = E[k] + w^k O[k],   X[k + N/2] = E[k] - w^k O[k],   k = 0 ... N/2 - 1
//
// If N is a power of two, the halving goes on down to transforms of one number. So there are log2 N
// steps of N/2 butterflies, where the sum has N^2 terms. The page cufft.md explains both.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "dft.cuh"

const int MOST_BITS = 25;                                 // N is at most 2^25: see root()
const unsigned int MOST_SUMMED = ON_GPU ? 65536u : 4096u; // the sum takes too long for more
const int BLOCK_SIZE = 256;
const int STEPS_IN_BLOCK = 10;                     // of transform_shared
const unsigned int IN_BLOCK = 1 << STEPS_IN_BLOCK; // numbers that its block transforms
const size_t ALL_BINS = 1024, SOME_BINS = 16;      // of the reference that are compared

static int bits; // N = 2^bits
static unsigned int N;
static Complex *h_x, *h_X, *d_x, *d_X; // the numbers and their bins
static Complex *h_roots;               // the first half of the powers of w
static double2 *reference;             // what h_X should be
static Complex *d_work;                // room for N numbers
static cufftHandle plan;

// ---- Complex numbers ----

__host__ __device__ Complex operator+(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }

__host__ __device__ Complex operator-(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }

__host__ __device__ Complex operator*(Complex a, Complex b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// ---- On the host: the halving itself, as a recursion ----

// The numbers lie `stride` apart. w^k of a transform of N numbers is w^(k stride) of the whole one,
// so the roots of the whole transform are enough.
void transform_by_halving(const Complex *x, size_t stride, Complex *X, size_t N,
                          const Complex *roots)
{
    if (N == 1)
    {
        X[0] = x[0];
        return;
    }
    const size_t half = N / 2;
    Complex *E = X, *O = X + half;
    transform_by_halving(x, 2 * stride, E, half, roots);
    transform_by_halving(x + stride, 2 * stride, O, half, roots);
    for (size_t k = 0; k < half; ++k)
    {
        const Complex a = E[k], b = roots[k * stride] * O[k];
        X[k] = a + b;
        X[k + half] = a - b;
    }
}

void run_cpu(void) { transform_by_halving(h_x, 1, h_X, N, h_roots); }

// The same in double: the reference.
void transform_in_double(const Complex *x, size_t stride, double2 *X, size_t N,
                         const double2 *roots)
{
    if (N == 1)
    {
        X[0] = as_double(x[0]);
        return;
    }
    const size_t half = N / 2;
    double2 *E = X, *O = X + half;
    transform_in_double(x, 2 * stride, E, half, roots);
    transform_in_double(x + stride, 2 * stride, O, half, roots);
    for (size_t k = 0; k < half; ++k)
    {
        const double2 w = roots[k * stride], a = E[k];
        const double2 b = {w.x * O[k].x - w.y * O[k].y, w.x * O[k].y + w.y * O[k].x};
        X[k] = {a.x + b.x, a.y + b.y};
        X[k + half] = {a.x - b.x, a.y - b.y};
    }
}

// The first half of the powers of w. The recursion needs no others.
void make_roots(double2 *roots, size_t N)
{
    for (size_t k = 0; k < N / 2; ++k)
    {
        const double angle = -2.0 * 3.14159265358979323846 * ((double)k / (double)N);
        roots[k] = {cos(angle), sin(angle)};
    }
}

// ---- The kernels ----

unsigned int grid_of(unsigned int threads) { return (threads - 1) / BLOCK_SIZE + 1; }

// exp(-2 pi i k / N) for k below N. sincospi(t) gives the sine and the cosine of pi t, right to
// about their last bit. N is a power of two, so t = -2 k / N is exact: k is first moved to
// -N/2 ... N/2, and then has at most 24 bits, as many as a float. Each thread computes its own
// roots. A table would have to be read from memory, and these kernels wait for memory as it is.
__device__ Complex root(unsigned int k, unsigned int N)
{
    const int turns = k <= N / 2 ? (int)k : (int)(k - N);
    Complex w;
    sincospi((real)-2 * turns / N, &w.y, &w.x);
    return w;
}

__global__ void fill_roots(Complex *d_roots, unsigned int N)
{
    const unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < N)
    {
        d_roots[k] = root(k, N);
    }
}

// The sum as it stands. A thread computes one bin and reads all N numbers. w^N is 1, so there are
// only N different powers of w, and they are in a table. `& (N - 1)` is the remainder of a division
// by N, as N is a power of two.
__global__ void transform_direct(const Complex *d_x, const Complex *d_roots, Complex *d_X,
                                 unsigned int N)
{
    const unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < N)
    {
        Complex sum = {0, 0};
        for (unsigned int n = 0; n < N; ++n)
        {
            sum = sum + d_roots[k * n & (N - 1)] * d_x[n];
        }
        d_X[k] = sum;
    }
}

void run_dft(void)
{
    fill_roots<<<grid_of(N), BLOCK_SIZE>>>(d_work, N);
    transform_direct<<<grid_of(N), BLOCK_SIZE>>>(d_x, d_work, d_X, N);
}

// The lowest `bits` binary digits of n, in the opposite order. __brev reverses all 32.
__device__ unsigned int reverse_bits(unsigned int n, int bits) { return __brev(n) >> (32 - bits); }

// Butterfly j of step 0, 1, ...: it takes a = x[upper] and b = w^power x[lower], and replaces them
// by a + b and a - b. In step 0 the two are neighbours, then they lie 2 apart, then 4.
struct Butterfly
{
    unsigned int upper, lower, power;
};

__device__ Butterfly butterfly_of(unsigned int j, int step, unsigned int N)
{
    const unsigned int half = 1u << step, k = j & (half - 1);
    const unsigned int upper = 2 * (j - k) + k;
    return {upper, upper + half, k * (N / (2 * half))};
}

__device__ void do_butterfly(Complex *x, Butterfly b, unsigned int N)
{
    const Complex a = x[b.upper], wb = root(b.power, N) * x[b.lower];
    x[b.upper] = a + wb;
    x[b.lower] = a - wb;
}

// Sorts the numbers as the halvings do: even n before odd n, again in each half, and so on. In the
// end x[n] stands where the bits of n are in the opposite order.
__global__ void reverse_global(const Complex *d_x, Complex *d_X, int bits)
{
    const unsigned int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 1u << bits)
    {
        d_X[n] = d_x[reverse_bits(n, bits)];
    }
}

// One step: a thread does one butterfly, in place. Each butterfly needs results of two others of
// the step before, and the blocks of a launch cannot wait for each other. So each step is a launch
// of its own. There are log2 N of them, and each reads and writes all numbers.
__global__ void step_global(Complex *d_X, int step, unsigned int N)
{
    const unsigned int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < N / 2)
    {
        do_butterfly(d_X, butterfly_of(j, step, N), N);
    }
}

void launch_steps_from(int step, Complex *d_X, int bits)
{
    const unsigned int N = 1u << bits;
    for (; step < bits; ++step)
    {
        step_global<<<grid_of(N / 2), BLOCK_SIZE>>>(d_X, step, N);
    }
}

void run_radix2(void)
{
    reverse_global<<<grid_of(N), BLOCK_SIZE>>>(d_x, d_X, bits);
    launch_steps_from(0, d_X, bits);
}

// The first ten steps join numbers that are at most 512 places apart. So 1024 numbers in a row need
// no others, and a block has room for them in shared memory. It takes them in the order of the
// reversed bits, does the ten steps there, and writes once. A barrier lies between two steps
// instead of a launch. So ten steps and the reversal read and write the numbers in global memory
// once, not eleven times.
__global__ void transform_shared(const Complex *d_x, Complex *d_X, int bits, int steps)
{
    __shared__ Complex s_x[IN_BLOCK];
    const unsigned int tid = threadIdx.x, count = 2 * blockDim.x, first = blockIdx.x * count;
    s_x[tid] = d_x[reverse_bits(first + tid, bits)];
    s_x[tid + count / 2] = d_x[reverse_bits(first + tid + count / 2, bits)];
    for (int step = 0; step < steps; ++step)
    {
        __syncthreads();
        do_butterfly(s_x, butterfly_of(tid, step, count), count);
    }
    __syncthreads();
    d_X[first + tid] = s_x[tid];
    d_X[first + tid + count / 2] = s_x[tid + count / 2];
}

void run_shared(void)
{
    const int steps = bits < STEPS_IN_BLOCK ? bits : STEPS_IN_BLOCK;
    const unsigned int count = 1u << steps;
    transform_shared<<<N / count, count / 2>>>(d_x, d_X, bits, steps);
    launch_steps_from(steps, d_X, bits);
}

#include "fft_fast.cuh"

// Beyond the section: see fft_fast.cuh.
static TwoPass two_pass; // how the row two-pass is launched

void run_registers(void) { launch_registers(d_x, d_work, d_X, bits); }
void run_tiles(void) { launch_tiles(d_x, d_work, d_X, bits); }
void run_two_pass(void) { launch_two_pass(&two_pass, d_x, d_work, d_X, bits); }
void run_cufft(void) { CHECK_CUFFT(execute(plan, d_x, d_X, CUFFT_FORWARD)); }

// ---- The checks ----

// The error in the L2 norm, relative to the bins. NaN fails.
void check_within(double bound)
{
    Error error = {};
    for (size_t k = 0; k < N; ++k)
    {
        add_complex_error(&error, as_double(h_X[k]), reference[k]);
    }
    g_error = relative_error(&error);
    char text[128];
    snprintf(text, sizeof(text), "%s: relative error %.3g, at most %.3g is right", g_row, g_error,
             bound);
    check_true(text, g_error <= bound);
}

// In a step a root is off by about eps at most, a complex product by 1.12 eps, and a sum by half
// an eps. So a step adds less than 3 eps to the relative error. The errors of the steps may add up.
double bound_of_steps(double epsilon) { return 3.0 * epsilon * bits; }

void check_steps(void) { check_within(bound_of_steps(REAL_EPSILON)); }

// The sum of N random terms grows like sqrt(N), and so do the errors of its additions: by about
// eps sqrt(N) / 5 of the bin. The bound is five times as large, and 3 eps for the terms.
void check_sums(void) { check_within((3.0 + sqrt(N)) * REAL_EPSILON); }

bool is_short(void) { return N <= MOST_SUMMED; }

// ---- The table ----

const Version VERSIONS[] = {
    {"cpu", "a recursion on one core of the host", run_cpu, check_steps, ON_HOST},
    {"dft", "the sum itself: a thread adds the N terms of a bin", run_dft, check_sums, ON_DEVICE,
     is_short, "a shorter signal"},
    {"radix2", "bit reversal, then a launch for each step, with a thread for each butterfly",
     run_radix2, check_steps},
    {"shared", "a block does the first ten steps in shared memory", run_shared, check_steps},
    {"registers", "a thread does four steps with 16 numbers in registers, without bit reversal",
     run_registers, check_steps},
    {"tiles", "a block does eight steps with the columns of a tile", run_tiles, check_steps},
    {"two-pass", "a pass does up to twelve steps, while the next numbers are loaded", run_two_pass,
     check_steps},
    {"cufft", "cuFFT", run_cufft, check_steps, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// ---- The reference ----

// The recursion in double. The row cpu gets the same roots, rounded.
void make_reference(void)
{
    double2 *roots = (double2 *)malloc(N / 2 * sizeof(double2));
    make_roots(roots, N);
    for (size_t k = 0; k < N / 2; ++k)
    {
        h_roots[k] = {(real)roots[k].x, (real)roots[k].y};
    }
    transform_in_double(h_x, 1, reference, N, roots);
    free(roots);
}

// The reference must itself agree with the sum. For a long signal some random bins are summed. The
// other bins are in the second check: the squares of all bins add up to N times the squares of all
// numbers (Parseval's theorem).
void check_reference(void)
{
    RootTables roots = make_root_tables(N);
    const size_t most = N <= ALL_BINS ? ALL_BINS : SOME_BINS, count = N < most ? N : most;
    Error error = {};
    for (size_t i = 0; i < count; ++i)
    {
        const size_t k = count == N ? i : random_below(args.seed + 1, i, N);
        add_complex_error(&error, reference[k], direct_bin(h_x, 1, k, &roots));
    }
    free_root_tables(&roots);
    const double bound = bound_of_steps(DBL_EPSILON);
    check_true("the reference and the sum", relative_error(&error) <= bound);

    Sum numbers = {}, bins = {};
    for (size_t n = 0; n < N; ++n)
    {
        const double2 x = as_double(h_x[n]), X = reference[n];
        add_term(&numbers, x.x * x.x + x.y * x.y);
        add_term(&bins, X.x * X.x + X.y * X.y);
    }
    const double ratio = value_of(&bins) / (N * value_of(&numbers));
    check_true("Parseval's theorem for the reference", fabs(ratio - 1.0) <= 2.0 * bound);
}

int bits_of(void)
{
    for (int bits = 1; bits <= MOST_BITS; ++bits)
    {
        if (args.N == (size_t)1 << bits)
        {
            return bits;
        }
    }
    usage_error("-n takes a power of two, 2 to %d, not %zu", 1 << MOST_BITS, args.N);
    return 0;
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 24, 4096);
    args.size_is = "how many numbers, a power of two";
    args.bytes_per_element = 3 * sizeof(Complex);
    args.bytes_on_host = 3 * sizeof(double) + 5 * sizeof(Complex) / 2; // half are the roots
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "fft: the fast Fourier transform of 2^m numbers: the sum, hand-written kernels, and "
               "cuFFT");
    bits = bits_of();
    N = (unsigned int)args.N;
    const size_t bytes = N * sizeof(Complex);

    // cuFFT says how much memory it needs to work in. The other versions work in the last N numbers
    // of it, so an index one too far is behind its end. two-pass loads 16 bytes at a time there.
    size_t work_bytes;
    CHECK_CUFFT(cufftCreate(&plan));
    CHECK_CUFFT(cufftSetAutoAllocation(plan, 0));
    CHECK_CUFFT(cufftMakePlan1d(plan, (int)N, C2C, 1, &work_bytes));
    work_bytes = work_bytes > bytes ? (work_bytes + 15) / 16 * 16 : bytes;
    two_pass = make_two_pass(bits);

    h_x = (Complex *)malloc(bytes);
    h_X = (Complex *)malloc(bytes);
    h_roots = (Complex *)malloc(bytes / 2);
    reference = (double2 *)malloc(N * sizeof(double2));
    Complex *d_area;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_X, bytes));
    CHECK(cudaMalloc(&d_area, work_bytes));
    CHECK_CUFFT(cufftSetWorkArea(plan, d_area));
    d_work = d_area + (work_bytes / sizeof(Complex) - N);

    fill_signal(&h_x[0].x, 2 * args.N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    make_reference();
    check_reference();

    Table table = {};
    table.outputs[0] = {h_X, d_X, bytes};
    table.outputs[1] = {NULL, d_area, work_bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    table.element = sizeof(Complex);
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note("two-pass: %s\n", two_pass.count == 2   ? said("two passes")
                                 : two_pass.count == 1 ? said("one pass")
                                                       : said("ran as tiles"));

    CHECK_CUFFT(cufftDestroy(plan));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
    CHECK(cudaFree(d_area));
    free(h_x);
    free(h_X);
    free(h_roots);
    free(reference);
    return verdict();
}
