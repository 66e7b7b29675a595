// constant: constant memory is fast if the lanes of a warp read one address, slow if each its own
//
// From:    Sections 6.2.2 and 7.1, chapter 8
// Compile: nvcc -O3 constant.cu
// Run:     ./a.out -n 10000000 --spread 4
//
// Each thread computes a polynomial of 256 coefficients. It reads one coefficient for each
// multiply-add, and reads x and writes y only once. So the time shows how fast coefficients come.

#include <stdio.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/multiply_add.cuh"
#include "../common/options.cuh"
#include "../common/versions.cuh"

const int NUM_TERMS = 256;
const int WARP_SIZE = 32;
const int NUM_COEFFICIENTS = NUM_TERMS + WARP_SIZE - 1;

// A struct, because C++ passes an array by its address, but a struct by value.
struct Coefficients
{
    real c[NUM_COEFFICIENTS];
};

static size_t N;
static unsigned grid_size, block_size;          // a thread for each number
static size_t spread = WARP_SIZE;               // addresses that a warp reads in the -lane rows
static Coefficients h_c;                        // as a parameter of a kernel ...
static real *d_c;                               // ... and in global memory
static real *h_x, *d_x, *h_y, *d_y;             // y[n] is the polynomial of x[n]
static double *same_reference, *lane_reference; // of the table's two halves

// Lane l of a warp takes the 256 coefficients from number l % spread on. With a spread of 1 all
// lanes take the same ones. With a spread of 32 each lane begins at another one. The reference adds
// rising powers of x; the kernels use Horner's rule, which begins with the highest power.
void polynomials_reference(const Coefficients *table, const real *x, double *y, size_t N,
                           size_t spread)
{
    for (size_t n = 0; n < N; ++n)
    {
        double sum = 0.0, power = 1.0;
        for (size_t j = 0; j < NUM_TERMS; ++j)
        {
            sum += table->c[n % WARP_SIZE % spread + j] * power;
            power *= x[n];
        }
        y[n] = sum;
    }
}

// --- All lanes of a warp read the same coefficient ---------------------------------------------

// The kernels differ only in where the coefficients lie. All of them unroll the loop, so that the
// compiler knows each j.

// A program has 64 KB of constant memory. The host fills it before the launch.
__constant__ Coefficients c_table;

// The compiler knows the address of each coefficient, so a thread needs no load for it. Up to
// Ampere the coefficient is an operand of the multiply-add: FFMA R0, R0, R1, c[0x3][0x3fc]. On
// Hopper one ULDC fetches two coefficients for the whole warp. On Blackwell one LDCU fetches four.
__global__ void horner_constant(const real *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + c_table.c[j];
        }
        y[n] = sum;
    }
}

void run_constant(void) { horner_constant<<<grid_size, block_size>>>(d_x, d_y, N); }

// Parameters of a kernel lie in constant memory too, in bank 0 instead of 3. They may take 4 KB,
// and since CUDA 12.1 up to 32764 bytes. They need no symbol and no copy, and a launch cannot
// overwrite what an earlier launch still reads.
__global__ void horner_parameter(const Coefficients table, const real *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + table.c[j];
        }
        y[n] = sum;
    }
}

void run_parameter(void) { horner_parameter<<<grid_size, block_size>>>(h_c, d_x, d_y, N); }

// Each multiply-add needs a load from the L1 cache. The load brings one word for all 32 lanes.
__global__ void horner_global(const real *c, const real *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + c[j];
        }
        y[n] = sum;
    }
}

void run_global(void) { horner_global<<<grid_size, block_size>>>(d_c, d_x, d_y, N); }

// __restrict__ promises that writing y changes no c. So the compiler may load c by the read-only
// path (LDG becomes LDG.CONSTANT). Since Volta this path uses the same L1 cache.
__global__ void horner_readonly(const real *__restrict__ c, const real *__restrict__ x,
                                real *__restrict__ y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + c[j];
        }
        y[n] = sum;
    }
}

void run_readonly(void) { horner_readonly<<<grid_size, block_size>>>(d_c, d_x, d_y, N); }

// Shared memory is as near as the constant cache. The address is the same for all lanes, so the
// compiler loads four neighbouring coefficients at once.
__global__ void horner_shared(const real *c, const real *x, real *y, size_t N)
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
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + s_c[j];
        }
        y[n] = sum;
    }
}

void run_shared(void) { horner_shared<<<grid_size, block_size>>>(d_c, d_x, d_y, N); }

// --- Neighbouring lanes read different coefficients --------------------------------------------

// Only the index changes: each lane adds the number of its first coefficient. The host could pass a
// spread of 1 and the results would be those from above. But the compiler would not know that all
// lanes read the same address, and would make a load for each thread. `first` is a size_t because
// an unsigned first + j could wrap around: then j could not be a constant part of the address.

// The constant cache gives a warp one word at a time. If the lanes want k different words, it needs
// k turns.
__global__ void horner_constant_lane(const real *x, real *y, size_t N, unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const size_t first = n % WARP_SIZE % spread;
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + c_table.c[first + j];
        }
        y[n] = sum;
    }
}

void run_constant_lane(void)
{
    horner_constant_lane<<<grid_size, block_size>>>(d_x, d_y, N, spread);
}

// The same cache, so the same k turns.
__global__ void horner_parameter_lane(const Coefficients table, const real *x, real *y, size_t N,
                                      unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const size_t first = n % WARP_SIZE % spread;
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + table.c[first + j];
        }
        y[n] = sum;
    }
}

void run_parameter_lane(void)
{
    horner_parameter_lane<<<grid_size, block_size>>>(h_c, d_x, d_y, N, spread);
}

// The 32 words are neighbours, so they lie in at most two lines of the L1 cache. One load brings
// them all, at nearly the price of one word.
__global__ void horner_global_lane(const real *c, const real *x, real *y, size_t N, unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const size_t first = n % WARP_SIZE % spread;
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + c[first + j];
        }
        y[n] = sum;
    }
}

void run_global_lane(void)
{
    horner_global_lane<<<grid_size, block_size>>>(d_c, d_x, d_y, N, spread);
}

__global__ void horner_readonly_lane(const real *__restrict__ c, const real *__restrict__ x,
                                     real *__restrict__ y, size_t N, unsigned spread)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const size_t first = n % WARP_SIZE % spread;
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + c[first + j];
        }
        y[n] = sum;
    }
}

void run_readonly_lane(void)
{
    horner_readonly_lane<<<grid_size, block_size>>>(d_c, d_x, d_y, N, spread);
}

// Shared memory has 32 banks. 32 neighbouring words lie in 32 different banks, and come together.
__global__ void horner_shared_lane(const real *c, const real *x, real *y, size_t N, unsigned spread)
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
        const size_t first = n % WARP_SIZE % spread;
        real sum = 0;
#pragma unroll
        for (int j = NUM_TERMS - 1; j >= 0; --j)
        {
            sum = sum * x[n] + s_c[first + j];
        }
        y[n] = sum;
    }
}

void run_shared_lane(void)
{
    horner_shared_lane<<<grid_size, block_size>>>(d_c, d_x, d_y, N, spread);
}

// --- The table ---------------------------------------------------------------------------------

// All numbers are positive, and each term is rounded twice. Each rounding changes the sum by at
// most epsilon / 2 of it.
void check_against(const double *reference)
{
    check_elements(g_row, h_y, reference, N, NUM_TERMS * REAL_EPSILON);
    g_result = h_y[N - 1];
    g_error = largest_error(h_y, reference, N);
}

void check_same(void) { check_against(same_reference); }
void check_lane(void) { check_against(lane_reference); }

const Version VERSIONS[] = {
    {"constant", "__constant__ memory; all lanes of a warp read the same coefficient", run_constant,
     check_same},
    {"parameter", "the coefficients are a parameter of the kernel, passed by value", run_parameter,
     check_same, ON_DEVICE, NULL, "", false, "a parameter lies in constant memory"},
    {"global", "the coefficients are an array in global memory", run_global, check_same},
    {"readonly", "the same array through const and __restrict__: the read-only path", run_readonly,
     check_same},
    {"shared", "each block first copies the coefficients to shared memory", run_shared, check_same,
     ON_DEVICE, NULL, "", false, "faster: one load brings four coefficients"},
    {"constant-lane", "__constant__ memory; neighbouring lanes read different coefficients",
     run_constant_lane, check_lane, ON_DEVICE, NULL, "", true},
    {"parameter-lane", "a parameter, read by lane", run_parameter_lane, check_lane, ON_DEVICE, NULL,
     "", false, "a parameter lies in constant memory"},
    {"global-lane", "global memory, read by lane", run_global_lane, check_lane},
    {"readonly-lane", "the read-only path, read by lane", run_readonly_lane, check_lane},
    {"shared-lane", "shared memory, read by lane", run_shared_lane, check_lane},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(2000000, 1 << 12);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    add_number("spread", &spread, 1, WARP_SIZE, "addresses that a warp reads in the -lane rows");
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "constant: constant memory is fast if the lanes of a warp read one address, slow "
               "if each its own");
    N = args.N;
    block_size = args.block_x;
    grid_size = (N - 1) / block_size + 1;

    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    same_reference = (double *)malloc(N * sizeof(double));
    lane_reference = (double *)malloc(N * sizeof(double));
    fill_random(h_c.c, NUM_COEFFICIENTS, args.seed);
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = 1.0 - random_unit(args.seed + 1, n) / NUM_TERMS; // near 1, so every term counts
    }
    polynomials_reference(&h_c, h_x, same_reference, N, 1);
    polynomials_reference(&h_c, h_x, lane_reference, N, spread);

    CHECK(cudaMalloc(&d_c, sizeof(Coefficients)));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpyToSymbol(c_table, &h_c, sizeof(Coefficients)));
    CHECK(cudaMemcpy(d_c, &h_c, sizeof(Coefficients), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_y, d_y, bytes};
    table.operations = 2.0 * NUM_TERMS * N;
    table.ceiling = multiply_add_ceiling<real>();
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(same_reference);
    free(lane_reference);
    return verdict();
}
