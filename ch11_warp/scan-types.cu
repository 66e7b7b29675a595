// scan-types: scans of other types and operations: of int and real, sums and products, inclusive
// and exclusive
//
// From:    section 16.1.4; beyond the book
// Order:   after scan
// Compile: nvcc -O3 scan-types.cu
// Run:     ./a.out -n 100000000 --exclusive
//
// Inclusive: y[n] = x[0] + ... + x[n]. Exclusive: without x[n], so that y[0] is 0. A scan of
// products has * for +, and 1 for 0. All four are checked, of int and of real; one is timed.
//
// The kernels are those of the program scan. Here they are templates: the type is T, and Op has the
// operation and its identity.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "scan-types_fast.cuh"

const int BLOCK_SIZE = 1024;
const int WARPS = BLOCK_SIZE / WARP_SIZE; // 32 in a block, so that one warp can scan their totals
const size_t MOST_CHECKED = 4000000;      // elements of the scans that are not timed

static size_t N;
static bool exclusive;       // the scan that is now checked or timed
static bool rounds;          // an operation on its data may round
static size_t grid_size;     // blocks of BLOCK_SIZE threads, a thread for each element
static size_t num_tiles;     // of as many elements as registers have room for
static size_t message_bytes; // of d_words
static double *reference;    // what y should be
static Word *d_words;        // the number of the next tile, then the tiles' messages

template <typename T>
struct Arrays
{
    T *h_x, *d_x; // the elements
    T *h_y, *d_y; // their scan
    T *d_totals;  // of blocks or of tiles, which are fewer
};

template <typename T>
static Arrays<T> arrays;

// A scan needs an operation that is associative, (a b) c = a (b c), and its identity. Unsigned
// arithmetic is exact modulo 2^32 in any order; a signed sum that overflows is undefined.
struct Sum
{
    static const int IDENTITY = 0;

    static __host__ __device__ int of(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
    template <typename T>
    static __host__ __device__ T of(T a, T b)
    {
        return a + b;
    }
};

struct Product
{
    static const int IDENTITY = 1;

    static __host__ __device__ int of(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
    template <typename T>
    static __host__ __device__ T of(T a, T b)
    {
        return a * b;
    }
};

// One element after the other. For the reference, Total is exact for int and wider than T for real.
template <class Op, typename Total, typename T, typename Y>
void scan_in_order(const T *x, Y *y, size_t N, bool exclusive)
{
    Total total = Op::IDENTITY;
    for (size_t n = 0; n < N; ++n)
    {
        const Total before = total;
        total = Op::of(total, (Total)x[n]);
        y[n] = (Y)(exclusive ? before : total);
    }
}

// Hillis and Steele: each thread adds the sum that lies 1 to its left, then 2, 4, 8, ... After the
// last step it has the sum of everything up to its own element. The two arrays change places after
// each step, so no thread overwrites a number that another one still has to read.
//
// An exclusive scan is the inclusive scan of the elements moved up by one place.
template <class Op, typename T>
__global__ void scan_shared(const T *d_x, T *d_y, T *d_totals, size_t N, bool exclusive)
{
    __shared__ T s_y[2][BLOCK_SIZE];
    const int tid = threadIdx.x;
    const size_t n = (size_t)blockDim.x * blockIdx.x + tid;
    const size_t shift = exclusive ? 1 : 0;
    T y = Op::IDENTITY;
    if (n < N && n >= shift)
    {
        y = d_x[n - shift];
    }
    int now = 0;
    s_y[now][tid] = y;
    __syncthreads();
    for (int offset = 1; offset < BLOCK_SIZE; offset *= 2)
    {
        if (tid >= offset)
        {
            y = Op::of(s_y[now][tid - offset], y);
        }
        now = 1 - now;
        s_y[now][tid] = y;
        __syncthreads();
    }
    if (n < N)
    {
        d_y[n] = y;
    }
    if (tid == BLOCK_SIZE - 1)
    {
        d_totals[blockIdx.x] = y;
    }
}

// Does the same as scan_shared, and faster. Each warp scans its 32 elements by shuffles, which need
// no barrier. Then one warp scans the 32 totals of the warps. Two barriers are left of eleven.
template <class Op, typename T>
__global__ void scan_shuffle(const T *d_x, T *d_y, T *d_totals, size_t N, bool exclusive)
{
    __shared__ T s_totals[WARPS];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t shift = exclusive ? 1 : 0;
    T y = Op::IDENTITY;
    if (n < N && n >= shift)
    {
        y = d_x[n - shift];
    }
    for (int offset = 1; offset < WARP_SIZE; offset *= 2)
    {
        const T left = __shfl_up_sync(FULL_MASK, y, offset);
        if (lane >= offset)
        {
            y = Op::of(left, y);
        }
    }
    if (lane == WARP_SIZE - 1)
    {
        s_totals[warp] = y;
    }
    __syncthreads();
    if (warp == 0)
    {
        T total = s_totals[lane];
        for (int offset = 1; offset < WARP_SIZE; offset *= 2)
        {
            const T left = __shfl_up_sync(FULL_MASK, total, offset);
            if (lane >= offset)
            {
                total = Op::of(left, total);
            }
        }
        s_totals[lane] = total;
    }
    __syncthreads();
    if (warp > 0)
    {
        y = Op::of(s_totals[warp - 1], y);
    }
    if (n < N)
    {
        d_y[n] = y;
    }
    if (threadIdx.x == BLOCK_SIZE - 1)
    {
        d_totals[blockIdx.x] = y;
    }
}

// The blocks of a usual launch have no common barrier, so their totals need a kernel of their own.
// It has one block and works in place. The block scans 1024 totals as scan_shuffle scans 1024
// elements, then the next 1024, and so on. `before` is the sum of all totals of the rounds before.
template <class Op, typename T>
__global__ void scan_totals(T *d_totals, size_t count)
{
    __shared__ T s_totals[WARPS];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    T before = Op::IDENTITY;
    for (size_t first = 0; first < count; first += BLOCK_SIZE)
    {
        const size_t n = first + threadIdx.x;
        T y = n < count ? d_totals[n] : (T)Op::IDENTITY;
        for (int offset = 1; offset < WARP_SIZE; offset *= 2)
        {
            const T left = __shfl_up_sync(FULL_MASK, y, offset);
            if (lane >= offset)
            {
                y = Op::of(left, y);
            }
        }
        if (lane == WARP_SIZE - 1)
        {
            s_totals[warp] = y;
        }
        __syncthreads();
        if (warp == 0)
        {
            T total = s_totals[lane];
            for (int offset = 1; offset < WARP_SIZE; offset *= 2)
            {
                const T left = __shfl_up_sync(FULL_MASK, total, offset);
                if (lane >= offset)
                {
                    total = Op::of(left, total);
                }
            }
            s_totals[lane] = total;
        }
        __syncthreads();
        if (warp > 0)
        {
            y = Op::of(s_totals[warp - 1], y);
        }
        if (n < count)
        {
            d_totals[n] = Op::of(before, y);
        }
        before = Op::of(before, s_totals[WARPS - 1]);
        __syncthreads(); // all have read s_totals before the next round writes to it
    }
}

// The third kernel. Every y is read and written once more, so 4 N elements are moved in all. A scan
// has to move 2 N.
template <class Op, typename T>
__global__ void add_totals(T *d_y, const T *d_totals, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && blockIdx.x > 0)
    {
        d_y[n] = Op::of(d_totals[blockIdx.x - 1], d_y[n]);
    }
}

// g[n], see below: random numbers that are not 0.
double random_partial_product(uint64_t seed, size_t n, bool is_exact)
{
    const double sign = random_below(seed + 1, n, 2) == 0 ? 1.0 : -1.0;
    return is_exact ? sign * ldexp(1.0, (int)random_below(seed, n, 17) - 8)
                    : 1.0 + random_unit(seed, n);
}

// Data. Exact: small integers for sums and powers of two for products, whose result is the same in
// any order. Else: numbers in 0 ... 1 for sums. The factors are quotients g[n] / g[n - 1] of random
// numbers, so the product of the first n is g[n], which neither overflows nor vanishes.
real random_element(Sum, real, uint64_t seed, size_t n, bool is_exact)
{
    return is_exact ? (real)random_below(seed, n, 17) - 8 : (real)random_unit(seed, n);
}

real random_element(Product, real, uint64_t seed, size_t n, bool is_exact)
{
    const double g = random_partial_product(seed, n, is_exact);
    return (real)(n > 0 ? g / random_partial_product(seed, n - 1, is_exact) : g);
}

// All 32 bits are random. Factors are odd, because a product of 32 even numbers is 0 modulo 2^32.
int random_element(Sum, int, uint64_t seed, size_t n, bool)
{
    return (int)(uint32_t)hash_bits(seed, n);
}

int random_element(Product, int, uint64_t seed, size_t n, bool)
{
    return (int)(uint32_t)hash_bits(seed, n) | 1;
}

// The type of the reference's running total.
int total_type(int);
long double total_type(real);

const char *type_name(int) { return "int"; }

const char *type_name(real) { return REAL_NAME; }

// ---- The versions

template <class Op, typename T>
void run_cpu(void)
{
    scan_in_order<Op, T>(arrays<T>.h_x, arrays<T>.h_y, N, exclusive);
}

template <class Op, typename T>
void run_hillis_steele(void)
{
    const Arrays<T> a = arrays<T>;
    scan_shared<Op><<<grid_size, BLOCK_SIZE>>>(a.d_x, a.d_y, a.d_totals, N, exclusive);
    scan_totals<Op><<<1, BLOCK_SIZE>>>(a.d_totals, grid_size);
    add_totals<Op><<<grid_size, BLOCK_SIZE>>>(a.d_y, a.d_totals, N);
}

template <class Op, typename T>
void run_shuffle(void)
{
    const Arrays<T> a = arrays<T>;
    scan_shuffle<Op><<<grid_size, BLOCK_SIZE>>>(a.d_x, a.d_y, a.d_totals, N, exclusive);
    scan_totals<Op><<<1, BLOCK_SIZE>>>(a.d_totals, grid_size);
    add_totals<Op><<<grid_size, BLOCK_SIZE>>>(a.d_y, a.d_totals, N);
}

template <class Op, typename T>
void run_reduce_first(void)
{
    const Arrays<T> a = arrays<T>;
    reduce_tiles<Op><<<num_tiles, TILE_THREADS>>>(a.d_x, a.d_totals, N);
    scan_totals<Op><<<1, BLOCK_SIZE>>>(a.d_totals, num_tiles);
    scan_tiles<Op><<<num_tiles, TILE_THREADS>>>(a.d_x, a.d_y, a.d_totals, N, exclusive);
}

// To forget the last call's messages is part of the work, and of its time.
template <class Op, typename T>
void run_single_pass(void)
{
    const Arrays<T> a = arrays<T>;
    CHECK(cudaMemsetAsync(d_words, 0, message_bytes));
    scan_single_pass<Op>
        <<<num_tiles, TILE_THREADS>>>(a.d_x, a.d_y, N, d_words, d_words + 1, exclusive);
}

template <class Op, typename T>
void run_cub(void)
{
    CHECK(scan_by_cub<Op>(arrays<T>.d_x, arrays<T>.d_y, N, exclusive));
}

// The partial sums and products of the real data are positive, so each operation is off by at most
// an epsilon of its result.
template <typename T>
void check_within(double operations)
{
    const T *h_y = arrays<T>.h_y;
    const double tolerance = rounds ? operations * REAL_EPSILON : 0;
    check_elements(g_row, h_y, reference, N, tolerance);
    g_result = (double)h_y[N - 1];
    g_error = largest_error(h_y, reference, N);
}

template <typename T>
void check_loop(void)
{
    check_within<T>(N);
}

// On the device an element goes through 64 operations in its block at most, and one for each 1024
// elements before. That is the bound of a sum. A product is off by the errors of all its factors.
template <class Op, typename T>
void check_blocks(void)
{
    check_within<T>(Op::IDENTITY == 0 ? 64.0 + N / 1024 : N);
}

template <class Op, typename T>
const Version VERSIONS[] = {
    {"cpu", "one after the other", run_cpu<Op, T>, check_loop<T>, ON_HOST},
    {"hillis-steele", "blocks in shared memory, then their totals, then each block adds one",
     run_hillis_steele<Op, T>, check_blocks<Op, T>},
    {"shuffle", "the same, but a warp's partial sums change hands in registers", run_shuffle<Op, T>,
     check_blocks<Op, T>},
    {"reduce-first", "tiles of thousands, first only their totals: nothing is written twice",
     run_reduce_first<Op, T>, check_blocks<Op, T>, ON_DEVICE, NULL, NULL, false,
     "faster: more loads under way"},
    {"single-pass", "one kernel: a tile gets what comes before it from those that run beside it",
     run_single_pass<Op, T>, check_blocks<Op, T>, ON_DEVICE, NULL, NULL, false,
     "slower than it looks: tiles wait for earlier ones"},
    {"CUB", "DeviceScan", run_cub<Op, T>, check_blocks<Op, T>, BY_LIBRARY},
};
const int NUM_VERSIONS = 6; // sizeof cannot say it: each array is made when it is used

enum Measuring
{
    ARE_CHECKED, // on exact data
    ARE_TIMED
};

// A scan of `size` elements by all versions.
template <class Op, typename T>
void scan_by_all(size_t size, bool is_exclusive, Measuring measuring)
{
    N = size;
    exclusive = is_exclusive;
    rounds = measuring == ARE_TIMED && (T)0.5 != (T)0;
    grid_size = (N - 1) / BLOCK_SIZE + 1;
    num_tiles = (N - 1) / Tile<Op, T>::ELEMENTS + 1;
    message_bytes = (1 + num_tiles * Message<T>::WORDS) * sizeof(Word);

    const size_t bytes = N * sizeof(T);
    Arrays<T> a;
    a.h_x = (T *)malloc(bytes);
    a.h_y = (T *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&a.d_x, bytes));
    CHECK(cudaMalloc(&a.d_y, bytes));
    CHECK(cudaMalloc(&a.d_totals, grid_size * sizeof(T)));
    CHECK(cudaMalloc(&d_words, message_bytes));
    for (size_t n = 0; n < N; ++n)
    {
        a.h_x[n] = random_element(Op(), T(), args.seed, n, measuring == ARE_CHECKED);
    }
    CHECK(cudaMemcpy(a.d_x, a.h_x, bytes, cudaMemcpyHostToDevice));
    scan_in_order<Op, decltype(total_type(T()))>(a.h_x, reference, N, exclusive);
    allocate_for_cub<Op>(a.d_x, a.d_y, N, exclusive);
    arrays<T> = a;

    char what[64];
    snprintf(what, sizeof(what), said("%s %s of %s"),
             exclusive ? said("exclusive") : said("inclusive"),
             Op::IDENTITY == 0 ? said("sums") : said("products"), type_name(T()));
    Table table = {};
    table.outputs[0] = {a.h_y, a.d_y, bytes};
    table.outputs[1] = {NULL, a.d_totals, grid_size * sizeof(T)};
    table.bytes = 2.0 * bytes;
    table.what = what;
    if (measuring == ARE_TIMED)
    {
        table.ceiling = copy_ceiling(2 * bytes);
        run_versions(&table, VERSIONS<Op, T>, NUM_VERSIONS);
    }
    else
    {
        check_versions(&table, VERSIONS<Op, T>, NUM_VERSIONS);
    }

    CHECK(cudaFree(d_cub_storage));
    CHECK(cudaFree(a.d_x));
    CHECK(cudaFree(a.d_y));
    CHECK(cudaFree(a.d_totals));
    CHECK(cudaFree(d_words));
    free(a.h_x);
    free(a.h_y);
    free(reference);
}

// All four scans of a type are checked, one of them is timed.
template <typename T>
void scan_type(bool is_exclusive, bool is_product)
{
    const size_t size = args.N < MOST_CHECKED ? args.N : MOST_CHECKED;
    scan_by_all<Sum, T>(size, false, ARE_CHECKED);
    scan_by_all<Product, T>(size, false, ARE_CHECKED);
    scan_by_all<Sum, T>(size, true, ARE_CHECKED);
    scan_by_all<Product, T>(size, true, ARE_CHECKED);
    if (is_product)
    {
        scan_by_all<Product, T>(args.N, is_exclusive, ARE_TIMED);
    }
    else
    {
        scan_by_all<Sum, T>(args.N, is_exclusive, ARE_TIMED);
    }
}

int main(int argc, char **argv)
{
    bool is_exclusive = false, is_product = false;
    args.N = default_size(100000000, 49152);
    args.bytes_per_element = 2 * sizeof(real) + 1;
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS<Sum, real>, NUM_VERSIONS);
    add_flag("exclusive", &is_exclusive, "time the exclusive scan");
    add_flag("product", &is_product, "time products instead of sums");
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "scan-types: scans of other types and operations: of int and real, sums and "
               "products, inclusive and exclusive");
    scan_type<int>(is_exclusive, is_product);
    scan_type<real>(is_exclusive, is_product);
    return verdict();
}
