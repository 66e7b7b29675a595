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
#include <algorithm>
#include <complex>
#include <vector>
#include "dft.cuh"

const int MOST_BITS = 25;                                 // N is at most 2^25: see root()
const unsigned int MOST_SUMMED = ON_GPU ? 65536u : 4096u; // the sum takes too long for more
const int BLOCK_SIZE = 256;
const int STEPS_IN_BLOCK = 10;                     // of transform_shared
const unsigned int IN_BLOCK = 1 << STEPS_IN_BLOCK; // numbers that its block transforms
const size_t ALL_BINS = 1024, SOME_BINS = 16;      // of the reference that are compared

// ---- On the host: the halving itself, as a recursion ----

// The numbers lie `stride` apart. w^k of a transform of N numbers is w^(k stride) of the whole one,
// so the roots of the whole transform are enough.
template <typename Z>
void transform_by_halving(const Complex *x, size_t stride, Z *X, size_t N, const Z *roots)
{
    if (N == 1)
    {
        X[0] = Z(x->x, x->y);
        return;
    }
    const size_t half = N / 2;
    Z *E = X, *O = X + half;
    transform_by_halving(x, 2 * stride, E, half, roots);
    transform_by_halving(x + stride, 2 * stride, O, half, roots);
    for (size_t k = 0; k < half; ++k)
    {
        const Z a = E[k], b = roots[k * stride] * O[k];
        X[k] = a + b;
        X[k + half] = a - b;
    }
}

// The first half of the powers of w. The recursion needs no others.
template <typename Z>
std::vector<Z> make_roots(size_t N)
{
    std::vector<Z> roots(N / 2);
    for (size_t k = 0; k < N / 2; ++k)
    {
        const double angle = -2.0 * 3.14159265358979323846 * ((double)k / (double)N);
        roots[k] = Z(cos(angle), sin(angle));
    }
    return roots;
}

// ---- Complex numbers on the device ----

__device__ Complex operator+(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }

__device__ Complex operator-(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }

__device__ Complex operator*(Complex a, Complex b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

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

// ---- The kernels ----

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

#include "fft_fast.cuh"

// ---- The versions ----

// What the versions work on.
struct Data
{
    int bits; // N = 2^bits
    unsigned int N;
    const Complex *h_x, *d_x;
    const std::complex<real> *roots; // of the host
    const std::complex<double> *reference;
    std::complex<real> *h_X;
    Complex *d_X, *d_work;
    cufftHandle plan;
};

unsigned int grid_of(unsigned int threads) { return (threads - 1) / BLOCK_SIZE + 1; }

void transform_on_host(Data *d) { transform_by_halving(d->h_x, 1, d->h_X, d->N, d->roots); }

void transform_by_sums(Data *d)
{
    fill_roots<<<grid_of(d->N), BLOCK_SIZE>>>(d->d_work, d->N);
    transform_direct<<<grid_of(d->N), BLOCK_SIZE>>>(d->d_x, d->d_work, d->d_X, d->N);
}

void do_steps_from(int step, Data *d)
{
    for (; step < d->bits; ++step)
    {
        step_global<<<grid_of(d->N / 2), BLOCK_SIZE>>>(d->d_X, step, d->N);
    }
}

void transform_step_by_step(Data *d)
{
    reverse_global<<<grid_of(d->N), BLOCK_SIZE>>>(d->d_x, d->d_X, d->bits);
    do_steps_from(0, d);
}

void transform_in_blocks(Data *d)
{
    const int steps = std::min(d->bits, STEPS_IN_BLOCK);
    const unsigned int count = 1u << steps;
    transform_shared<<<d->N / count, count / 2>>>(d->d_x, d->d_X, d->bits, steps);
    do_steps_from(steps, d);
}

void transform_by_cufft(Data *d)
{
    CHECK_CUFFT(execute(d->plan, (Complex *)d->d_x, d->d_X, CUFFT_FORWARD));
}

bool is_short(const Data *d) { return d->N <= MOST_SUMMED; }

// ---- The checks ----

// The error in the L2 norm, relative to the bins. NaN fails.
void check_within(Table<Data> *table, const Data *d, double bound)
{
    Error error;
    for (size_t k = 0; k < d->N; ++k)
    {
        error.add({d->h_X[k].real(), d->h_X[k].imag()},
                  {d->reference[k].real(), d->reference[k].imag()});
    }
    table->error = error.relative();
    char text[128];
    snprintf(text, sizeof(text), "%s: relative error %.3g, at most %.3g is right", table->checking,
             table->error, bound);
    check_true(text, table->error <= bound);
}

// In a step a root is off by about eps at most, a complex product by 1.12 eps, and a sum by half
// an eps. So a step adds less than 3 eps to the relative error. The errors of the steps may add up.
double bound_of_steps(const Data *d, double epsilon) { return 3.0 * epsilon * d->bits; }

void check_steps(Table<Data> *table, const Data *d)
{
    check_within(table, d, bound_of_steps(d, REAL_EPSILON));
}

// The sum of N random terms grows like sqrt(N), and so do the errors of its additions: by about
// eps sqrt(N) / 5 of the bin. The bound is five times as large, and 3 eps for the terms.
void check_sums(Table<Data> *table, const Data *d)
{
    check_within(table, d, (3.0 + sqrt(d->N)) * REAL_EPSILON);
}

const Version<Data> VERSIONS[] = {
    {"cpu", "a recursion on one core of the host", ON_HOST, transform_on_host, check_steps},
    {"dft", "the sum itself: a thread adds the N terms of a bin", ON_DEVICE, transform_by_sums,
     check_sums, is_short, "a shorter signal"},
    {"radix2", "bit reversal, then a launch for each step, with a thread for each butterfly",
     ON_DEVICE, transform_step_by_step, check_steps},
    {"shared", "a block does the first ten steps in shared memory", ON_DEVICE, transform_in_blocks,
     check_steps},
    // Beyond the section: see fft_fast.cuh.
    {"registers", "a thread does four steps with 16 numbers in registers, without bit reversal",
     ON_DEVICE, [](Data *d) { launch_registers(d->d_x, d->d_work, d->d_X, d->bits); }, check_steps},
    {"tiles", "a block does eight steps with the columns of a tile", ON_DEVICE,
     [](Data *d) { launch_tiles(d->d_x, d->d_work, d->d_X, d->bits); }, check_steps},
    {"cufft", "cuFFT", ON_DEVICE, transform_by_cufft, check_steps},
};

// ---- The reference ----

// The recursion in double.
std::vector<std::complex<double>> make_reference(const Complex *h_x, size_t N)
{
    const std::vector<std::complex<double>> roots = make_roots<std::complex<double>>(N);
    std::vector<std::complex<double>> X(N);
    transform_by_halving(h_x, 1, X.data(), N, roots.data());
    return X;
}

// The reference must itself agree with the sum. For a long signal some random bins are summed. The
// other bins are in the second check: the squares of all bins add up to N times the squares of all
// numbers (Parseval's theorem).
void check_reference(const Data *d, uint64_t seed)
{
    const Roots roots(d->N);
    const size_t count = std::min((size_t)d->N, d->N <= ALL_BINS ? ALL_BINS : SOME_BINS);
    Error error;
    for (size_t i = 0; i < count; ++i)
    {
        const size_t k = count == d->N ? i : random_below(seed + 1, i, d->N);
        error.add({d->reference[k].real(), d->reference[k].imag()},
                  direct_bin(d->h_x, 1, k, roots));
    }
    const double bound = bound_of_steps(d, DBL_EPSILON);
    check_true("the reference and the sum", error.relative() <= bound);

    Sum numbers, bins;
    for (size_t n = 0; n < d->N; ++n)
    {
        const double re = d->h_x[n].x, im = d->h_x[n].y;
        numbers.add(re * re + im * im);
        bins.add(std::norm(d->reference[n]));
    }
    const double ratio = bins.value() / (d->N * numbers.value());
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
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "fft: the fast Fourier transform of 2^m numbers: the sum, hand-written kernels, and "
               "cuFFT");
    Data data;
    data.bits = bits_of();
    data.N = (unsigned int)args.N;
    const size_t bytes = args.N * sizeof(Complex);

    // cuFFT says how much memory it needs to work in. The other versions work in the last N numbers
    // of it, so an index one too far is behind its end.
    size_t work_bytes;
    CHECK_CUFFT(cufftCreate(&data.plan));
    CHECK_CUFFT(cufftSetAutoAllocation(data.plan, 0));
    CHECK_CUFFT(cufftMakePlan1d(data.plan, (int)data.N, C2C, 1, &work_bytes));
    work_bytes = std::max(work_bytes, bytes);

    Complex *h_x = (Complex *)malloc(bytes), *d_x, *d_work;
    data.h_X = (std::complex<real> *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&data.d_X, bytes));
    CHECK(cudaMalloc(&d_work, work_bytes));
    CHECK_CUFFT(cufftSetWorkArea(data.plan, d_work));
    data.d_work = d_work + (work_bytes / sizeof(Complex) - args.N);

    fill_signal(&h_x[0].x, 2 * args.N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    const std::vector<std::complex<double>> reference = make_reference(h_x, args.N);
    const std::vector<std::complex<real>> roots = make_roots<std::complex<real>>(args.N);
    data.h_x = h_x;
    data.d_x = d_x;
    data.reference = reference.data();
    data.roots = roots.data();
    check_reference(&data, args.seed);

    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {data.h_X, data.d_X, bytes};
    table.outputs[1] = {NULL, d_work, work_bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    run_versions(&table, VERSIONS);

    CHECK_CUFFT(cufftDestroy(data.plan));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(data.d_X));
    CHECK(cudaFree(d_work));
    free(h_x);
    free(data.h_X);
    return verdict();
}
