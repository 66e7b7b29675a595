// matmul: C = A B on the way from one number a thread to the speed of the library
//
// From:    S1 4.3.3; S4 BLAS levels
// Compile: nvcc -O3 matmul.cu -lcublas
// Run:     ./a.out -n 4096
// Versions:
//   cpu          one core of the host; if that takes too long, `x cpu` goes by some of its rows
//   scattered    a number of C a thread, neighbouring threads along a column of C
//   naive        along a row instead: loads of B and stores of C are coalesced
//   tiled        tiles of A and B in shared memory: each number is loaded once a block
//   column       8 numbers of C a thread, in registers: one load of B serves 8 multiply-adds
//   square       8 x 8 numbers a thread: 16 loads serve 64
//   vector       the same with loads of 16 bytes: an instruction brings 4 floats, or 2 doubles
//   pipelined    nothing is waited for: copies run two tiles ahead, and loads a step ahead
//   fitted       tiles of 64 x 64 where larger ones would leave multiprocessors idle
//   wmma         tensor cores, which multiply doubles, too (needs a GPU, double and sm_80)
//   cublas       the library (needs a GPU)
// Libs:    -lcublas
// Checks:  27 or more
// Sizes:   1x1x1 33x17x5 67x129x31 100x1x257 300x516x40

#include "matmul_check.cuh"
#include "matmul_pipelined.cuh"
#if ON_GPU
#include "matmul_cublas.cuh"
#include "matmul_wmma.cuh"
#endif

const int TILE = 32; // of `tiled`, and the block of the versions before it
const double CPU_STEPS = 1 << 30;

struct Problem : Product<real>
{
    Size size;
    size_t multiprocessors, shared_bytes; // the device's
#if ON_GPU
    Cublas cublas;
#endif
};

// Along rows of B and C, as they lie in memory.
void multiply_cpu(Problem *p)
{
    const size_t N = p->N;
    memset(p->h_C, 0, p->M * N * sizeof(real));
    for (size_t i = 0; i < p->M * p->K; ++i)
    {
        const real a = p->h_A[i], *b = p->h_B + i % p->K * N;
        real *c = p->h_C + i / p->K * N;
        for (size_t column = 0; column < N; ++column)
        {
            c[column] += a * b[column];
        }
    }
}

__device__ void multiply_element(Size s, const real *A, const real *B, real *C, int row, int column)
{
    if (column < s.N && row < s.M)
    {
        real sum = 0;
        for (int k = 0; k < s.K; ++k)
        {
            sum += A[(size_t)row * s.K + k] * B[(size_t)k * s.N + column];
        }
        C[(size_t)row * s.N + column] = sum;
    }
}

// A warp's threads are in one column, each in a row of its own: 32 sectors to load for 32 numbers.
__global__ void multiply_scattered(Size s, const real *A, const real *B, real *C)
{
    const Place corner = corner_of_tile(s, TILE, TILE);
    multiply_element(s, A, B, C, corner.row + threadIdx.x, corner.column + threadIdx.y);
}

// A warp is in one row: it loads a single number of A and 32 neighbours of B. But still two loads
// go with each multiply-add, and each number of A is loaded N times, of B M times.
__global__ void multiply_naive(Size s, const real *A, const real *B, real *C)
{
    const Place corner = corner_of_tile(s, TILE, TILE);
    multiply_element(s, A, B, C, corner.row + threadIdx.y, corner.column + threadIdx.x);
}

// Each thread brings a number of A and of B, and all use them: TILE times fewer global loads.
__global__ void multiply_tiled(Size s, const real *A, const real *B, real *C)
{
    __shared__ real s_A[TILE][TILE], s_B[TILE][TILE];
    const Place corner = corner_of_tile(s, TILE, TILE);
    const int x = threadIdx.x, y = threadIdx.y, row = corner.row + y, column = corner.column + x;
    real sum = 0;
    for (int first = 0; first < s.K; first += TILE)
    {
        const int k_A = first + x, k_B = first + y;
        s_A[y][x] = row < s.M && k_A < s.K ? A[(size_t)row * s.K + k_A] : (real)0;
        s_B[y][x] = k_B < s.K && column < s.N ? B[(size_t)k_B * s.N + column] : (real)0;
        __syncthreads(); // the tiles are complete
        for (int k = 0; k < TILE; ++k)
        {
            sum += s_A[y][k] * s_B[k][x];
        }
        __syncthreads(); // and no longer needed
    }
    if (row < s.M && column < s.N)
    {
        C[(size_t)row * s.N + column] = sum;
    }
}

// Each thread computes ROWS x COLUMNS numbers of C, of a tile of BM x BN. Out of shared memory it
// loads ROWS + COLUMNS numbers for ROWS COLUMNS multiply-adds, while `tiled` loads two for each.
// A's tile stands transposed: what a thread needs of a column of A then lies in groups of WIDTH.
template <int BM, int BN, int BK, int ROWS, int COLUMNS, int WIDTH>
__global__ void multiply_registers(Size s, const real *A, const real *B, real *C)
{
    const int ACROSS = BN / COLUMNS, DOWN = BM / ROWS, THREADS = ACROSS * DOWN;
    __shared__ __align__(16) real s_A[BK][BM + PAD], s_B[BK][BN];
    const Place corner = corner_of_tile(s, BM, BN);
    const int tid = threadIdx.x, y = tid / ACROSS * WIDTH, x = tid % ACROSS * WIDTH;
    alignas(16) real sums[ROWS][COLUMNS] = {};
    for (int first = 0; first < s.K; first += BK)
    {
        for (int i = tid; i < BM * BK; i += THREADS)
        {
            const int k = first + i % BK, row = corner.row + i / BK;
            s_A[i % BK][i / BK] = row < s.M && k < s.K ? A[(size_t)row * s.K + k] : (real)0;
        }
        for (int i = tid; i < BK * BN; i += THREADS)
        {
            const int k = first + i / BN, column = corner.column + i % BN;
            s_B[i / BN][i % BN] = k < s.K && column < s.N ? B[(size_t)k * s.N + column] : (real)0;
        }
        __syncthreads(); // the tiles are full
        for (int k = 0; k < BK; ++k)
        {
            alignas(16) real a[ROWS], b[COLUMNS];
            load_groups<ROWS, WIDTH, DOWN * WIDTH>(a, &s_A[k][y]);
            load_groups<COLUMNS, WIDTH, ACROSS * WIDTH>(b, &s_B[k][x]);
            add_products(sums, a, b);
        }
        __syncthreads(); // and may be overwritten
    }
    store_sums<WIDTH, DOWN * WIDTH, ACROSS * WIDTH>(s, C, {corner.row + y, corner.column + x},
                                                    sums);
}

// A block for each tile of C.
template <auto kernel, int HEIGHT, int WIDTH, int BLOCK_X, int BLOCK_Y = 1, size_t BYTES = 0>
void launch(Problem *p)
{
    const size_t blocks = ((p->M - 1) / HEIGHT + 1) * ((p->N - 1) / WIDTH + 1);
    const cudaFuncAttribute dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
    CHECK(cudaFuncSetAttribute((const void *)kernel, dynamic, BYTES));
    kernel<<<blocks, dim3(BLOCK_X, BLOCK_Y), BYTES>>>(p->size, p->d_A, p->d_B, p->d_C);
}

// Copies of 16 bytes must begin at multiples of 16, which rows of B do if N is a multiple of WIDE.
template <typename T>
void launch_pipelined(Problem *p)
{
    p->N % WIDE == 0 ? launch<multiply_pipelined<T, WIDE>, T::BM, T::BN, T::THREADS, 1, T::BYTES>(p)
                     : launch<multiply_pipelined<T, 1>, T::BM, T::BN, T::THREADS, 1, T::BYTES>(p);
}

// A small tile loads more for each multiply-add. But a C of 1024 x 1024 has just 32 of the large
// ones, and on a GPU of 132 multiprocessors 100 have nothing to do.
void launch_fitted(Problem *p)
{
    const size_t with_large = Large::most_work(p->M, p->N, p->multiprocessors);
    const size_t with_small = Small::most_work(p->M, p->N, p->multiprocessors);
    const bool large = p->shared_bytes >= Large::BYTES && with_large <= with_small;
    large ? launch_pipelined<Large>(p) : launch_pipelined<Small>(p);
}

#if ON_GPU && defined(USE_DP)
void launch_wmma(Problem *p)
{
    p->N % WIDE == 0
        ? launch<multiply_wmma<WIDE>, WMMA_TILE, WMMA_TILE, WMMA_THREADS, 1, WMMA_BYTES>(p)
        : launch<multiply_wmma<1>, WMMA_TILE, WMMA_TILE, WMMA_THREADS, 1, WMMA_BYTES>(p);
}

bool has_wmma(void)
{
    cudaFuncAttributes code; // its body is empty in what was compiled for less than sm_80
    CHECK(cudaFuncGetAttributes(&code, multiply_wmma<1>));
    return code.ptxVersion >= 80;
}
#else
void (*const launch_wmma)(Problem *) = NULL;

bool has_wmma(void)
{
    return false;
}
#endif

// What the device, or anyone's patience, does not suffice for is shown as skipped.
void skip_if(bool lacking, Version<Problem> *version, const char *needs)
{
    version->launch = lacking ? NULL : version->launch;
    version->needs = lacking ? needs : version->needs;
}

int main(int argc, char **argv)
{
    Version<Problem> versions[] = {
        {"cpu", multiply_cpu, ON_HOST},
        {"scattered", launch<multiply_scattered, TILE, TILE, TILE, TILE>},
        {"naive", launch<multiply_naive, TILE, TILE, TILE, TILE>},
        {"tiled", launch<multiply_tiled, TILE, TILE, TILE, TILE>},
        {"column", launch<multiply_registers<64, 64, 16, 8, 1, 1>, 64, 64, 512>},
        {"square", launch<multiply_registers<128, 128, 16, 8, 8, 1>, 128, 128, 256>},
        {"vector", launch<multiply_registers<128, 128, 16, 8, 8, WIDE>, 128, 128, 256>},
        {"pipelined", launch_pipelined<Large>},
        {"fitted", launch_fitted},
        {"wmma", launch_wmma},
        {"cublas", GPU_ONLY(multiply_cublas), ON_DEVICE, 0.0, "cuBLAS"},
    };
    Args args;
    args.M = args.N = args.K = default_size(4096, 130);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n MxNxK -r R -s S -k NAME --csv",
               "matmul: C = A B on the way from one number a thread to the speed of the library");
    refuse_unfit<real>(&args);
    Problem p;
    allocate_product(&p, &args);
    p.size = {(int)p.M, (int)p.N, (int)p.K};
    p.multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    p.shared_bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    const double steps = (double)p.M * p.N * p.K;
    skip_if(steps > CPU_STEPS && strcmp(args.version, "cpu") != 0, &versions[0],
            "a smaller size, or -k cpu");
    skip_if(p.shared_bytes < Large::BYTES, &versions[7], "more shared memory");
    skip_if(!has_wmma(), &versions[9], "double, and sm_80 or later");

    Ladder<Problem> ladder = {&p, check_exact};
    ladder.outputs[0] = {p.h_C, p.d_C, p.M * p.N * sizeof(real)};
    fill_exact(&p, args.seed);
    check_versions(&args, &ladder, versions);

    ladder.check = check_rounded;
    ladder.operations = 2.0 * steps;
    ladder.ceiling = MULTIPLY_ADD_CEILING;
    ladder.cpu_ms = fill_rounded(&p, args.seed);
    run_versions(&args, &ladder, versions);

    free_product(&p);
    return verdict();
}
