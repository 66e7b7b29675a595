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
#include "../common/versions_data.cuh"

const int NUM_TERMS = 256;
const int WARP_SIZE = 32;
const int NUM_COEFFICIENTS = NUM_TERMS + WARP_SIZE - 1;

// A struct, because C++ passes an array by its address, but a struct by value.
struct Coefficients
{
    real c[NUM_COEFFICIENTS];
};

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

// --- The table ---------------------------------------------------------------------------------

// What the versions work on.
struct Data
{
    size_t N;
    unsigned grid_size, block_size;
    size_t spread;
    Coefficients c;
    const real *d_c, *d_x;
    real *h_y, *d_y;
    const double *same_reference, *lane_reference; // of the table's two halves
};

// All numbers are positive, and each term is rounded twice. Each rounding changes the sum by at
// most epsilon / 2 of it.
void check_against(Table<Data> *table, const Data *d, const double *reference)
{
    check_elements(table->checking, d->h_y, reference, d->N, NUM_TERMS * REAL_EPSILON);
    table->result = (double)d->h_y[d->N - 1];
    table->error = largest_error(d->h_y, reference, d->N);
}

void check_same(Table<Data> *table, const Data *d) { check_against(table, d, d->same_reference); }

void check_lane(Table<Data> *table, const Data *d) { check_against(table, d, d->lane_reference); }

void launch_constant(Data *d)
{
    horner_constant<<<d->grid_size, d->block_size>>>(d->d_x, d->d_y, d->N);
}

void launch_parameter(Data *d)
{
    horner_parameter<<<d->grid_size, d->block_size>>>(d->c, d->d_x, d->d_y, d->N);
}

void launch_global(Data *d)
{
    horner_global<<<d->grid_size, d->block_size>>>(d->d_c, d->d_x, d->d_y, d->N);
}

void launch_readonly(Data *d)
{
    horner_readonly<<<d->grid_size, d->block_size>>>(d->d_c, d->d_x, d->d_y, d->N);
}

void launch_shared(Data *d)
{
    horner_shared<<<d->grid_size, d->block_size>>>(d->d_c, d->d_x, d->d_y, d->N);
}

void launch_constant_lane(Data *d)
{
    horner_constant_lane<<<d->grid_size, d->block_size>>>(d->d_x, d->d_y, d->N, d->spread);
}

void launch_parameter_lane(Data *d)
{
    horner_parameter_lane<<<d->grid_size, d->block_size>>>(d->c, d->d_x, d->d_y, d->N, d->spread);
}

void launch_global_lane(Data *d)
{
    horner_global_lane<<<d->grid_size, d->block_size>>>(d->d_c, d->d_x, d->d_y, d->N, d->spread);
}

void launch_readonly_lane(Data *d)
{
    horner_readonly_lane<<<d->grid_size, d->block_size>>>(d->d_c, d->d_x, d->d_y, d->N, d->spread);
}

void launch_shared_lane(Data *d)
{
    horner_shared_lane<<<d->grid_size, d->block_size>>>(d->d_c, d->d_x, d->d_y, d->N, d->spread);
}

const Version<Data> VERSIONS[] = {
    {"constant", "__constant__ memory; all lanes of a warp read the same coefficient", ON_DEVICE,
     launch_constant, check_same},
    {"parameter", "the coefficients are a parameter of the kernel, passed by value", ON_DEVICE,
     launch_parameter, check_same},
    {"global", "the coefficients are an array in global memory", ON_DEVICE, launch_global,
     check_same},
    {"readonly", "the same array through const and __restrict__: the read-only path", ON_DEVICE,
     launch_readonly, check_same},
    {"shared", "each block first copies the coefficients to shared memory", ON_DEVICE,
     launch_shared, check_same},
    {"constant-lane", "__constant__ memory; neighbouring lanes read different coefficients",
     ON_DEVICE, launch_constant_lane, check_lane, NULL, "", true},
    {"parameter-lane", "a parameter, read by lane", ON_DEVICE, launch_parameter_lane, check_lane},
    {"global-lane", "global memory, read by lane", ON_DEVICE, launch_global_lane, check_lane},
    {"readonly-lane", "the read-only path, read by lane", ON_DEVICE, launch_readonly_lane,
     check_lane},
    {"shared-lane", "shared memory, read by lane", ON_DEVICE, launch_shared_lane, check_lane},
};

int main(int argc, char **argv)
{
    size_t spread = WARP_SIZE;
    args.N = default_size(2000000, 4000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(double);
    add_versions(VERSIONS);
    add_number("spread", &spread, 1, WARP_SIZE, "addresses that a warp reads in the -lane rows");
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "constant: constant memory is fast if the lanes of a warp read one address, slow "
               "if each its own");
    const size_t N = args.N, bytes = N * sizeof(real);
    const unsigned block_size = args.block_x, grid_size = (N - 1) / block_size + 1;

    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    double *same_reference = (double *)malloc(N * sizeof(double));
    double *lane_reference = (double *)malloc(N * sizeof(double));
    Coefficients c;
    fill_random(c.c, NUM_COEFFICIENTS, args.seed);
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = 1.0 - random_unit(args.seed + 1, n) / NUM_TERMS; // near 1, so every term counts
    }
    polynomials_reference(&c, h_x, same_reference, N, 1);
    polynomials_reference(&c, h_x, lane_reference, N, spread);

    real *d_c, *d_x, *d_y;
    CHECK(cudaMalloc(&d_c, sizeof(Coefficients)));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpyToSymbol(c_table, &c, sizeof(Coefficients)));
    CHECK(cudaMemcpy(d_c, &c, sizeof(Coefficients), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Data data = {N,   grid_size, block_size,     spread,        c, d_c, d_x,
                 h_y, d_y,       same_reference, lane_reference};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_y, d_y, bytes};
    table.operations = 2.0 * NUM_TERMS * N;
    table.ceiling = multiply_add_ceiling<real>;
    run_versions(&table, VERSIONS);

    for (real *d : {d_c, d_x, d_y})
    {
        CHECK(cudaFree(d));
    }
    for (real *h : {h_x, h_y})
    {
        free(h);
    }
    for (double *reference : {same_reference, lane_reference})
    {
        free(reference);
    }
    return verdict();
}
