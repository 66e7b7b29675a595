// constant: constant memory is fast if the lanes of a warp read one address, slow if each its own
//
// From:    Sections 6.2.2 and 7.1, chapter 8
// Compile: nvcc -O3 constant.cu
// Run:     ./a.out -n 10000000 --spread 4
// Versions:
//   constant        __constant__ memory; all lanes of a warp read the same coefficient
//   parameter       the same, but passed by value, as a parameter of the kernel
//   global          an array in global memory
//   readonly        the same through const and __restrict__: the read-only path
//   shared          copied to shared memory by each block first
//   constant-lane   as constant, but lane after lane reads another coefficient
//   parameter-lane  as parameter, global, readonly and shared, but so
//   global-lane
//   readonly-lane
//   shared-lane
// Checks:  20
// Sizes:   1 33 1000 10007
//
// Each element is a polynomial of 256 coefficients: one read a multiply-add, x and y hardly count.

#include <stdio.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/versions.cuh"

const int NUM_TERMS = 256;
const int WARP = 32;
const int NUM_COEFFICIENTS = NUM_TERMS + WARP - 1;

// A struct, because C++ passes an array by its address, and a struct by value.
struct Table
{
    real c[NUM_COEFFICIENTS];
};

// Lane l of a warp takes the coefficients from number l % spread on: with a spread of 1 all lanes
// read the same, with one of 32 each its own. By rising powers; the kernels go the other way.
void polynomials_reference(const Table *table, const real *x, double *y, size_t N, size_t spread)
{
    for (size_t n = 0; n < N; ++n)
    {
        double sum = 0.0, power = 1.0;
        for (size_t j = 0; j < NUM_TERMS; ++j)
        {
            sum += table->c[n % WARP % spread + j] * power;
            power *= x[n];
        }
        y[n] = sum;
    }
}

// Horner's rule, for all kernels: they differ only in where c points to. It is unrolled, so that
// the compiler knows each j. Where it knows c too, a coefficient needs no load for each thread: up
// to Ampere it is an operand of the multiply-add, FFMA R0, R0, R1, c[0x3][0x3fc]; on Hopper one
// ULDC fetches two of them for the whole warp, on Blackwell one LDCU four.
__device__ real horner(const real *c, real x)
{
    real sum = 0;
#pragma unroll
    for (int j = NUM_TERMS - 1; j >= 0; --j)
    {
        sum = sum * x + c[j];
    }
    return sum;
}

// Where a thread's coefficients begin. The compiler must see that it is the same for all threads: a
// spread of 1 that only the host knows leaves a load for each thread, LDC.
template <bool BY_LANE>
__device__ unsigned first_of(size_t n, unsigned spread)
{
    return BY_LANE ? n % WARP % spread : 0;
}

// 64 KB for a program, filled by the host before the launch. The multiprocessor's constant cache
// gives a whole warp one word at a time: different addresses are served one after the other.
__constant__ Table c_table;

template <bool BY_LANE>
__global__ void horner_constant(const real *x, real *y, size_t N, unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = horner(c_table.c + first_of<BY_LANE>(n, spread), x[n]);
    }
}

// Parameters lie in constant memory too, in bank 0 instead of 3: up to 4 KB, since CUDA 12.1 up to
// 32764 bytes. No symbol, no copy, and a launch cannot overwrite what another one still reads.
template <bool BY_LANE>
__global__ void horner_parameter(const Table table, const real *x, real *y, size_t N,
                                 unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = horner(table.c + first_of<BY_LANE>(n, spread), x[n]);
    }
}

// A load for each multiply-add, from the L1 cache. A warp gets one word for all lanes or, at much
// the same cost, 32 neighbouring words.
template <bool BY_LANE>
__global__ void horner_global(const real *c, const real *x, real *y, size_t N, unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = horner(c + first_of<BY_LANE>(n, spread), x[n]);
    }
}

// __restrict__ promises that writing y changes no c, so the loads may go the read-only way (LDG
// becomes LDG.CONSTANT). That is the same cache since Volta: nothing to gain here.
template <bool BY_LANE>
__global__ void horner_readonly(const real *__restrict__ c, const real *__restrict__ x,
                                real *__restrict__ y, size_t N, unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = horner(c + first_of<BY_LANE>(n, spread), x[n]);
    }
}

// On the multiprocessor, as the constant cache is, but with 32 banks: lanes may differ. If they do
// not, the compiler loads four neighbouring coefficients at once.
template <bool BY_LANE>
__global__ void horner_shared(const real *c, const real *x, real *y, size_t N, unsigned spread)
{
    __shared__ real s_c[NUM_COEFFICIENTS];
    for (int j = threadIdx.x; j < NUM_COEFFICIENTS; j += blockDim.x)
    {
        s_c[j] = c[j];
    }
    __syncthreads();
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = horner(s_c + first_of<BY_LANE>(n, spread), x[n]);
    }
}

struct Problem
{
    size_t N;
    unsigned grid, block, spread;
    Table table;
    real *d_c, *d_x, *d_y, *h_y;
    double *reference[2]; // with all lanes alike, and by lane
};

template <bool BY_LANE>
void launch_constant(Problem *p)
{
    horner_constant<BY_LANE><<<p->grid, p->block>>>(p->d_x, p->d_y, p->N, p->spread);
}

template <bool BY_LANE>
void launch_parameter(Problem *p)
{
    horner_parameter<BY_LANE><<<p->grid, p->block>>>(p->table, p->d_x, p->d_y, p->N, p->spread);
}

template <bool BY_LANE>
void launch_global(Problem *p)
{
    horner_global<BY_LANE><<<p->grid, p->block>>>(p->d_c, p->d_x, p->d_y, p->N, p->spread);
}

template <bool BY_LANE>
void launch_readonly(Problem *p)
{
    horner_readonly<BY_LANE><<<p->grid, p->block>>>(p->d_c, p->d_x, p->d_y, p->N, p->spread);
}

template <bool BY_LANE>
void launch_shared(Problem *p)
{
    horner_shared<BY_LANE><<<p->grid, p->block>>>(p->d_c, p->d_x, p->d_y, p->N, p->spread);
}

const Version<Problem> VERSIONS[] = {
    {"constant", launch_constant<false>},       {"parameter", launch_parameter<false>},
    {"global", launch_global<false>},           {"readonly", launch_readonly<false>},
    {"shared", launch_shared<false>},           {"constant-lane", launch_constant<true>},
    {"parameter-lane", launch_parameter<true>}, {"global-lane", launch_global<true>},
    {"readonly-lane", launch_readonly<true>},   {"shared-lane", launch_shared<true>},
};

// Everything is positive, so each of the 2 roundings a term is at most epsilon / 2 of the sum.
Outcome check(const Problem *p, const Version<Problem> *version)
{
    const double *reference = p->reference[strstr(version->name, "-lane") != NULL];
    check_elements(version->name, p->h_y, reference, p->N, NUM_TERMS * REAL_EPSILON);
    return {(double)p->h_y[p->N - 1], largest_error(p->h_y, reference, p->N)};
}

int main(int argc, char **argv)
{
    size_t spread = WARP;
    Args args;
    args.N = default_size(2000000, 4000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(double);
    args.versions = version_names(VERSIONS);
    add_number(&args, "spread", &spread, 1, WARP, "addresses that a warp reads in the -lane rows");
    parse_args(&args, argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "constant: constant memory is fast if the lanes of a warp read one address, slow "
               "if each its own");
    Problem p = {};
    p.N = args.N;
    p.block = args.block_x;
    p.grid = (p.N + p.block - 1) / p.block;
    p.spread = spread;
    const size_t bytes = p.N * sizeof(real);

    real *h_x = (real *)malloc(bytes);
    p.h_y = (real *)malloc(bytes);
    fill_random(p.table.c, NUM_COEFFICIENTS, args.seed);
    for (size_t n = 0; n < p.N; ++n)
    {
        h_x[n] = 1.0 - random_unit(args.seed + 1, n) / NUM_TERMS; // near 1: no term gets lost
    }
    for (int by_lane = 0; by_lane < 2; ++by_lane)
    {
        p.reference[by_lane] = (double *)malloc(p.N * sizeof(double));
        polynomials_reference(&p.table, h_x, p.reference[by_lane], p.N, by_lane ? spread : 1);
    }
    CHECK(cudaMalloc(&p.d_c, sizeof(Table)));
    CHECK(cudaMalloc(&p.d_x, bytes));
    CHECK(cudaMalloc(&p.d_y, bytes));
    CHECK(cudaMemcpy(p.d_c, &p.table, sizeof(Table), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_table, &p.table, sizeof(Table)));
    CHECK(cudaMemcpy(p.d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_y, p.d_y, bytes};
    ladder.operations = 2.0 * NUM_TERMS * p.N;
    ladder.ceiling = MULTIPLY_ADD_CEILING;
    run_versions(&args, &ladder, VERSIONS);

    CHECK(cudaFree(p.d_c));
    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_y));
    free(h_x);
    free(p.h_y);
    free(p.reference[0]);
    free(p.reference[1]);
    return verdict();
}
