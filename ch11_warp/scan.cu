// scan: sums and products of everything up to each element, from three kernels to a single pass
//
// From:    section 16.1.4; beyond the book
// Compile: nvcc -O3 scan.cu
// Run:     ./a.out -n 100000000 --exclusive
//
// Inclusive: y[n] = x[0] + ... + x[n]. Exclusive: without x[n], so that y[0] is 0. A scan of
// products has * for +, and 1 for 0. All four are checked, of int and of real; one is timed.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"
#include "scan_fast.cuh"

const int BLOCK_SIZE = 1024;
const int WARPS = BLOCK_SIZE / WARP_SIZE; // 32 in a block, so that one warp can scan their totals
const size_t MOST_CHECKED = 4000000;      // elements of the scans that are not timed

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

// Data. Exact: small integers for sums and powers of two for products, whose result is the same in
// any order. Else: numbers in 0 ... 1 for sums. The factors are quotients g[n] / g[n - 1] of random
// numbers, so the product of the first n is g[n], which neither overflows nor vanishes.
real random_element(Sum, real, uint64_t seed, size_t n, bool is_exact)
{
    return is_exact ? (real)random_below(seed, n, 17) - 8 : (real)random_unit(seed, n);
}

real random_element(Product, real, uint64_t seed, size_t n, bool is_exact)
{
    const auto g = [=](size_t at)
    {
        const double sign = random_below(seed + 1, at, 2) == 0 ? 1.0 : -1.0;
        return is_exact ? sign * ldexp(1.0, (int)random_below(seed, at, 17) - 8)
                        : 1.0 + random_unit(seed, at);
    };
    return (real)(n > 0 ? g(n) / g(n - 1) : g(n));
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

// What the versions of one scan work on.
template <class Op, typename T>
struct Scan
{
    size_t N;
    bool exclusive, rounds;
    size_t grid_size, tiles, message_bytes;
    const T *h_x;
    T *h_y;
    const double *reference;
    const T *d_x;
    T *d_y, *d_totals;
    Word *d_words; // the number of the next tile, then the tiles' messages
    Library<Op, T> *library;
};

template <class Op, typename T>
void scan_on_host(Scan<Op, T> *s)
{
    scan_in_order<Op, T>(s->h_x, s->h_y, s->N, s->exclusive);
}

template <class Op, typename T>
void scan_by_hillis_steele(Scan<Op, T> *s)
{
    const size_t grid_size = s->grid_size;
    scan_shared<Op><<<grid_size, BLOCK_SIZE>>>(s->d_x, s->d_y, s->d_totals, s->N, s->exclusive);
    scan_totals<Op><<<1, BLOCK_SIZE>>>(s->d_totals, grid_size);
    add_totals<Op><<<grid_size, BLOCK_SIZE>>>(s->d_y, s->d_totals, s->N);
}

template <class Op, typename T>
void scan_by_shuffles(Scan<Op, T> *s)
{
    const size_t grid_size = s->grid_size;
    scan_shuffle<Op><<<grid_size, BLOCK_SIZE>>>(s->d_x, s->d_y, s->d_totals, s->N, s->exclusive);
    scan_totals<Op><<<1, BLOCK_SIZE>>>(s->d_totals, grid_size);
    add_totals<Op><<<grid_size, BLOCK_SIZE>>>(s->d_y, s->d_totals, s->N);
}

template <class Op, typename T>
void scan_after_reducing(Scan<Op, T> *s)
{
    const size_t tiles = s->tiles;
    reduce_tiles<Op><<<tiles, TILE_THREADS>>>(s->d_x, s->d_totals, s->N);
    scan_totals<Op><<<1, BLOCK_SIZE>>>(s->d_totals, tiles);
    scan_tiles<Op><<<tiles, TILE_THREADS>>>(s->d_x, s->d_y, s->d_totals, s->N, s->exclusive);
}

// To forget the last call's messages is part of the work, and of its time.
template <class Op, typename T>
void scan_in_single_pass(Scan<Op, T> *s)
{
    CHECK(cudaMemsetAsync(s->d_words, 0, s->message_bytes));
    scan_single_pass<Op><<<s->tiles, TILE_THREADS>>>(s->d_x, s->d_y, s->N, s->d_words,
                                                     s->d_words + 1, s->exclusive);
}

template <class Op, typename T>
void scan_by_library(Scan<Op, T> *s)
{
    CHECK(s->library->scan());
}

// The partial sums and products of the real data are positive, so each operation is off by at most
// an epsilon of its result.
template <class Op, typename T>
void check_within(Table<Scan<Op, T>> *table, const Scan<Op, T> *s, double operations)
{
    const double tolerance = s->rounds ? operations * REAL_EPSILON : 0;
    check_elements(table->checking, s->h_y, s->reference, s->N, tolerance);
    table->result = (double)s->h_y[s->N - 1];
    table->error = largest_error(s->h_y, s->reference, s->N);
}

template <class Op, typename T>
void check_loop(Table<Scan<Op, T>> *table, const Scan<Op, T> *s)
{
    check_within(table, s, s->N);
}

// On the device an element goes through 64 operations in its block at most, and one for each 1024
// elements before.
template <class Op, typename T>
void check_blocks(Table<Scan<Op, T>> *table, const Scan<Op, T> *s)
{
    check_within(table, s, 64.0 + s->N / 1024);
}

template <class Op, typename T>
const Version<Scan<Op, T>> VERSIONS[] = {
    {"cpu", "one after the other", ON_HOST, scan_on_host<Op, T>, check_loop<Op, T>},
    {"hillis-steele", "blocks in shared memory, then their totals, then each block adds one",
     ON_DEVICE, scan_by_hillis_steele<Op, T>, check_blocks<Op, T>},
    {"shuffle", "the same, but a warp's partial sums change hands in registers", ON_DEVICE,
     scan_by_shuffles<Op, T>, check_blocks<Op, T>},
    {"reduce-first", "tiles of thousands, first only their totals: nothing is written twice",
     ON_DEVICE, scan_after_reducing<Op, T>, check_blocks<Op, T>},
    {"single-pass", "one kernel: a tile gets what comes before it from those that run beside it",
     ON_DEVICE, scan_in_single_pass<Op, T>, check_blocks<Op, T>},
    {"CUB", "DeviceScan", ON_DEVICE, scan_by_library<Op, T>, check_blocks<Op, T>},
};

// A scan of N elements by all versions: only checked, on exact data, or timed as well.
template <class Op, typename T>
void scan_by_all(size_t N, bool exclusive, bool is_timed)
{
    const size_t bytes = N * sizeof(T);
    const size_t grid_size = (N - 1) / BLOCK_SIZE + 1;
    const size_t tiles = (N - 1) / Tile<Op, T>::ELEMENTS + 1;
    const size_t message_bytes = (1 + tiles * Message<T>::WORDS) * sizeof(Word);
    T *h_x = (T *)malloc(bytes), *h_y = (T *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    T *d_x, *d_y, *d_totals;
    Word *d_words;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_totals, grid_size * sizeof(T))); // there are fewer tiles than blocks
    CHECK(cudaMalloc(&d_words, message_bytes));
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = random_element(Op(), T(), args.seed, n, !is_timed);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    scan_in_order<Op, decltype(total_type(T()))>(h_x, reference, N, exclusive);
    Library<Op, T> library(d_x, d_y, N, exclusive);
    const bool rounds = is_timed && (T)0.5 != (T)0;
    Scan<Op, T> scan = {N,   exclusive, rounds, grid_size, tiles,    message_bytes, h_x,
                        h_y, reference, d_x,    d_y,       d_totals, d_words,       &library};

    char what[64];
    snprintf(what, sizeof(what), "%s %s of %s", exclusive ? "exclusive" : "inclusive",
             Op::IDENTITY == 0 ? "sums" : "products", type_name(T()));
    Table<Scan<Op, T>> table;
    table.data = &scan;
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    table.what = what;
    if (is_timed)
    {
        run_versions(&table, VERSIONS<Op, T>);
    }
    else
    {
        check_versions(&table, VERSIONS<Op, T>);
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_totals));
    CHECK(cudaFree(d_words));
    free(h_x);
    free(h_y);
    free(reference);
}

// All four scans of a type are checked, one of them is timed.
template <typename T>
void scan_type(bool exclusive, bool product)
{
    const size_t N = args.N < MOST_CHECKED ? args.N : MOST_CHECKED;
    for (const bool is_exclusive : {false, true})
    {
        scan_by_all<Sum, T>(N, is_exclusive, false);
        scan_by_all<Product, T>(N, is_exclusive, false);
    }
    if (product)
    {
        scan_by_all<Product, T>(args.N, exclusive, true);
    }
    else
    {
        scan_by_all<Sum, T>(args.N, exclusive, true);
    }
}

int main(int argc, char **argv)
{
    bool exclusive = false, product = false;
    args.N = default_size(100000000, 50000);
    args.bytes_per_element = 2 * sizeof(real) + 1;
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS<Sum, real>);
    add_flag("exclusive", &exclusive, "time the exclusive scan");
    add_flag("product", &product, "time products instead of sums");
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "scan: sums and products of everything up to each element, from three kernels to a "
               "single pass");
    scan_type<int>(exclusive, product);
    scan_type<real>(exclusive, product);
    return verdict();
}
