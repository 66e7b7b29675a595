// What scan scans: two operations, data that suits them, and the results to expect.
#pragma once
#include <stddef.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/versions.cuh"
#include "scan_tile.cuh"

// An operation is associative, (a b) c = a (b c), and has an identity: all that a scan needs.
// Signed overflow is undefined; unsigned arithmetic is modulo 2^32, and so exact in any order.
struct Sum
{
    static const int IDENTITY = 0;

    template <typename T>
    static __host__ __device__ T of(T a, T b)
    {
        return a + b;
    }
    static __host__ __device__ int of(int a, int b)
    {
        return (int)((unsigned)a + (unsigned)b);
    }
};

struct Product
{
    static const int IDENTITY = 1;

    template <typename T>
    static __host__ __device__ T of(T a, T b)
    {
        return a * b;
    }
    static __host__ __device__ int of(int a, int b)
    {
        return (int)((unsigned)a * (unsigned)b);
    }
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const // as CUB calls it
    {
        return of(a, b);
    }
};

// Real numbers for which the order of the operations does not matter (small integers, powers of
// two), or others (uniform in 0 ... 1, ratios of numbers in 1 ... 2). The factors are quotients of
// random numbers, g[n] / g[n - 1], so that their product, g[n], neither overflows nor vanishes.
template <class Op>
double random_element(double, uint64_t seed, size_t n, bool is_exact);

template <>
inline double random_element<Sum>(double, uint64_t seed, size_t n, bool is_exact)
{
    return is_exact ? (double)random_below(seed, n, 17) - 8.0 : random_unit(seed, n);
}

template <>
inline double random_element<Product>(double, uint64_t seed, size_t n, bool is_exact)
{
    double g[2] = {1.0, 1.0}; // of n - 1 and n; that of -1 is 1
    for (size_t i = n > 0 ? 0 : 1; i < 2; ++i)
    {
        const size_t at = n - 1 + i;
        const double sign = random_below(seed + 1, at, 2) == 0 ? 1.0 : -1.0;
        g[i] = is_exact ? sign * ldexp(1.0, (int)random_below(seed, at, 17) - 8)
                        : 1.0 + random_unit(seed, at);
    }
    return g[1] / g[0];
}

// All 32 bits at random; odd factors, as the product of 32 even ones would be 0 for good.
template <class Op>
int random_element(int, uint64_t seed, size_t n, bool)
{
    return (int)(uint32_t)hash_bits(seed, n) | Op::IDENTITY;
}

// One after the other in the type Total, which for real data is wider than T.
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

template <typename T>
struct Problem
{
    size_t N, most; // elements of this scan, and that there is memory for
    bool exclusive, is_exact;
    T *h_x, *h_y, *d_x, *d_y;
    double *reference;
    T *d_totals;   // of blocks or tiles
    Word *d_words; // the number of the next tile, then the tiles' messages
    void *d_temp;  // CUB's
    size_t temp_bytes;
};

template <typename T>
Problem<T> allocate_problem(size_t N)
{
    const size_t totals = N / TILE_THREADS + 1; // more than there are blocks or tiles
    Problem<T> p = {};
    p.most = N;
    p.h_x = (T *)malloc(N * sizeof(T));
    p.h_y = (T *)malloc(N * sizeof(T));
    p.reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&p.d_x, N * sizeof(T)));
    CHECK(cudaMalloc(&p.d_y, N * sizeof(T)));
    CHECK(cudaMalloc(&p.d_totals, totals * sizeof(T)));
    CHECK(cudaMalloc(&p.d_words, (1 + totals * Message<T>::WORDS) * sizeof(Word)));
    return p;
}

template <typename T>
void free_problem(Problem<T> *p)
{
    free(p->h_x);
    free(p->h_y);
    free(p->reference);
    CHECK(cudaFree(p->d_x));
    CHECK(cudaFree(p->d_y));
    CHECK(cudaFree(p->d_totals));
    CHECK(cudaFree(p->d_words));
    CHECK(cudaFree(p->d_temp));
}

// The type of the reference's running total: int's own, as it is exact, or the widest.
int wide(int);
long double wide(double);

template <class Op, typename T>
void prepare(Problem<T> *p, size_t seed)
{
    for (size_t n = 0; n < p->N; ++n)
    {
        p->h_x[n] = (T)random_element<Op>(T(), seed, n, p->is_exact);
    }
    scan_in_order<Op, decltype(wide(T()))>(p->h_x, p->reference, p->N, p->exclusive);
    CHECK(cudaMemcpy(p->d_x, p->h_x, p->N * sizeof(T), cudaMemcpyHostToDevice));
}

// Numbers and sums of them are positive, so that each operation on the way to a result is off by
// at most an epsilon of it. On the device a result comes from at most 64 operations in blocks, and
// one for each block or tile before.
template <typename T>
Outcome check(const Problem<T> *p, const Version<Problem<T>> *version)
{
    const double chain = version->where == ON_HOST ? p->N : 64.0 + p->N / 1024;
    const bool rounds = (T)0.5 != (T)0 && !p->is_exact;
    check_elements(version->name, p->h_y, p->reference, p->N, rounds ? chain * REAL_EPSILON : 0.0);
    return {(double)p->h_y[p->N - 1], largest_error(p->h_y, p->reference, p->N)};
}
