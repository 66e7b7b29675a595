// The host's part in reduce.cu: data, the two checks of a sum, and Table 11.1.
#pragma once
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "fold.cuh"

struct Problem
{
    size_t N;
    real *h_x, *d_x;
    real *d_work, *h_sums;   // of `global`, which spoils its input, and for what the host adds up
    real h_sum, *d_sum;      // where every version leaves its result
    unsigned int *d_ticket;  // of `single`
    Slot<real> *d_slots;     // of `polled`
    unsigned int processors; // SMs
    cudaStream_t stream;     // of the versions that are timed in a graph, too
    double reference, chain; // chain: the most additions that a number passes through
    double sum_abs;
    bool spoiled, integers;
};

const int BLOCK_SIZE = 128; // the book's
const size_t SHARED_BYTES = BLOCK_SIZE * sizeof(real);
const int HALVINGS = 7;      // from 128 to 1
const int GRID_SIZE = 10240; // the book's; the later versions' grids are smaller

// Listing 11.7: memory for block sums that is there as long as the program. Aligned for vectors.
__device__ __align__(16) real static_y[GRID_SIZE];

inline real *static_memory(void)
{
    real *d_y;
    CHECK(cudaGetSymbolAddress((void **)&d_y, static_y));
    return d_y;
}

inline int num_blocks(const Problem *p)
{
    return (p->N + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

inline Problem make_problem(size_t N)
{
    Problem p = {};
    p.N = N;
    const size_t padded = num_blocks(&p) * (size_t)BLOCK_SIZE * sizeof(real);
    int device;
    CHECK(cudaGetDevice(&device));
    p.processors = device_attribute(cudaDevAttrMultiProcessorCount, device);
    p.h_x = (real *)malloc(N * sizeof(real));
    p.h_sums = (real *)malloc(num_blocks(&p) * sizeof(real));
    CHECK(cudaMalloc(&p.d_x, N * sizeof(real)));
    CHECK(cudaMalloc(&p.d_work, padded));
    CHECK(cudaMemset(p.d_work, 0, padded));
    CHECK(cudaMalloc(&p.d_sum, sizeof(real)));
    CHECK(cudaMalloc(&p.d_ticket, sizeof(unsigned int)));
    CHECK(cudaMemset(p.d_ticket, 0, sizeof(unsigned int)));
    CHECK(cudaMalloc(&p.d_slots, GRID_SIZE * sizeof(Slot<real>)));
    CHECK(cudaMemset(p.d_slots, 0, GRID_SIZE * sizeof(Slot<real>)));
    return p;
}

inline void free_problem(Problem *p)
{
    CHECK(cudaFree(p->d_x));
    CHECK(cudaFree(p->d_work));
    CHECK(cudaFree(p->d_sum));
    CHECK(cudaFree(p->d_ticket));
    CHECK(cudaFree(p->d_slots));
    free(p->h_x);
    free(p->h_sums);
}

// A sum for each block, of the three versions that leave these to the host.
inline real *allocate_sums(const Problem *p)
{
    real *d_y;
    CHECK(cudaMalloc(&d_y, num_blocks(p) * sizeof(real)));
    return d_y;
}

inline void add_on_host(Problem *p, real *d_y)
{
    const size_t count = num_blocks(p);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p->h_sums, d_y, count * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    real sum = 0.0;
    for (size_t n = 0; n < count; ++n)
    {
        sum += p->h_sums[n];
    }
    CHECK(cudaMemcpy(p->d_sum, &sum, sizeof(real), cudaMemcpyHostToDevice));
    p->chain = HALVINGS + count;
}

// What the sum should be, and the sum of absolute values that its error is measured by.
inline void sum_data(Problem *p)
{
    p->reference = sum_compensated(p->h_x, p->N);
    p->sum_abs = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        p->sum_abs += fabs((double)p->h_x[n]);
    }
}

// h_x is filled.
inline void take_data(Problem *p)
{
    CHECK(cudaMemcpy(p->d_x, p->h_x, p->N * sizeof(real), cudaMemcpyHostToDevice));
    p->spoiled = true;
    sum_data(p);
}

// Untimed, before every launch: `global` gets its input back. Its padding stays zero.
inline void restore_work(Problem *p)
{
    if (p->spoiled)
    {
        const size_t bytes = p->N * sizeof(real);
        CHECK(cudaMemcpy(p->d_work, p->d_x, bytes, cudaMemcpyDeviceToDevice));
        p->spoiled = false;
    }
}

// Small integers have one sum in any order. With others, rounding may add up along the chain.
inline Outcome check_result(const Problem *p, const char *name)
{
    if (p->integers)
    {
        check_elements(name, &p->h_sum, &p->reference, 1);
    }
    else
    {
        check_sum(name, p->h_sum, p->reference, p->sum_abs, p->chain, REAL_EPSILON);
    }
    return {p->h_sum, fabs(p->h_sum - p->reference) / p->sum_abs};
}

inline Outcome check(const Problem *p, const Version<Problem> *version)
{
    return check_result(p, version->name);
}

// In every version, the very sum: whatever the order, an element too few or too many shows.
template <int COUNT>
void check_integers(const Args *args, Ladder<Problem> *ladder,
                    const Version<Problem> (&versions)[COUNT])
{
    Problem *p = ladder->problem;
    p->integers = true;
    fill_integers(p->h_x, p->N, args->seed);
    take_data(p);
    check_versions(args, ladder, versions);
    p->integers = false;
}

const size_t BOOK_N = 100000000;

// Table 11.1's results, of the first ten versions. That the addends are all the same makes them
// the same on every machine: no order of atomic additions can change them.
const struct
{
    float result;
    const char *why;
} TABLE_11_1[] = {
    {33554432.0f, "2^25: floats are 4 apart from here on, and 1.23 is less than half of that"},
    {123633392.0f, "781250 times 157.44, to a sum that rounds it to 160 where floats are 8 apart"},
    {123633392.0f, "(on the host or by atomics, it is one long chain)"},
    {123633392.0f, ""},
    {123633392.0f, ""},
    {123633392.0f, ""},
    {123633392.0f, ""},
    {123633392.0f, ""},
    {123000064.0f, "77 numbers a thread, the rest by halving: none is added to one much larger"},
    {123000064.0f, ""},
};
const int TABLE_ROWS = sizeof(TABLE_11_1) / sizeof(TABLE_11_1[0]);

// Without -n, --book is about 10^8 numbers on a CPU, too.
inline void preset_book(Args *args, int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
    {
        args->N = strcmp(argv[i], "--book") == 0 ? BOOK_N : args->N;
    }
}

// 1.23 N times: what comes out, beside what the book prints for 10^8 floats.
template <int COUNT>
void run_book(const Args *args, Ladder<Problem> *ladder, const Version<Problem> (&versions)[COUNT])
{
    Problem *p = ladder->problem;
    const bool comparable = p->N == BOOK_N && sizeof(real) == sizeof(float);
    fill_constant(p->h_x, p->N, (real)1.23);
    take_data(p);
    Checked checked[COUNT];
    check_versions(args, ladder, versions, checked);
    g_verdict_prefix = args->csv ? "# " : "";
    print_device(g_verdict_prefix);
    printf("%s%s, %zu times 1.23, exactly added %.9g%s\n", g_verdict_prefix, REAL_NAME, p->N,
           p->reference, comparable ? "" : " (Table 11.1 has 10^8 floats)");
    printf(args->csv ? "version,result,book,remark\n"
                     : "version                 result         book\n");
    for (int i = 0; i < COUNT; ++i)
    {
        const double result = checked[i].outcome.result;
        if (!isnan(result))
        {
            const bool in_book = comparable && i < TABLE_ROWS;
            printf(args->csv ? "%s" : "%-16s", versions[i].name);
            print_cell(args->csv, "%13.1f", result);
            print_cell(args->csv, "%12.1f", in_book ? TABLE_11_1[i].result : NAN);
            printf(args->csv ? ",\"%s\"\n" : "  %s\n", in_book ? TABLE_11_1[i].why : "");
            if (in_book)
            {
                check_true(versions[i].name, result == TABLE_11_1[i].result);
            }
        }
    }
}
