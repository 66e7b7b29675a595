// matmul: C = A B on the way from one number a thread to the speed of the library
//
// From:    S1 4.3.3; S4 BLAS levels
// Compile: nvcc -O3 matmul.cu -lcublas
// Run:     ./a.out -n 4096
// Versions:
//   cpu          one core of the host; for large sizes only if asked for by -k
//   scattered    a number of C a thread, neighbouring threads along a column of C
//   naive        along a row instead: loads of B and stores of C are coalesced
//   tiled        tiles of A and B in shared memory: each number is loaded once a block
//   column       8 numbers of C a thread, in registers: one load of B serves 8 multiply-adds
//   square       8 x 8 numbers a thread: 16 loads serve 64
//   vector       the same with loads of 16 bytes: an instruction brings 4 floats, or 2 doubles
//   pipelined    nothing is waited for: copies run two tiles ahead, and loads a step ahead
//   wmma         tensor cores, which multiply doubles, too (needs a GPU, double and sm_80)
//   cublas       the library (needs a GPU)
// Libs:    -lcublas
// Checks:  24 or more
// Sizes:   1x1x1 33x17x5 67x129x31 100x1x257 300x516x40

#include "matmul_check.cuh"
#include "matmul_tiles.cuh"
#if ON_GPU
#include "matmul_cublas.cuh"
#include "matmul_wmma.cuh"
#endif

const int TILE = 32; // of `tiled`, and the block of the versions before it
const double CPU_STEPS = 1 << 30;

struct Problem : Product<real>
{
    Size size;
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

// Found by trying on an H100: the tile of a block, and of a warp.
const int BM = 128, BN = sizeof(real) == 4 ? 256 : 128, BK = sizeof(real) == 4 ? 16 : 8;
const int WARP_M = sizeof(real) == 4 ? 64 : 32, WARP_N = 64;
const int STAGES = sizeof(real) == 4 ? 3 : 4; // pairs of tiles in shared memory
const int THREADS = BM / WARP_M * (BN / WARP_N) * 32;
const size_t PIPELINE_BYTES = STAGES * Copier<BM, BN, BK, THREADS, 1>::NUMBERS * sizeof(real);

// While a thread multiplies what belongs to k, the numbers of k + 1 are on their way from shared
// memory, and the tiles after the next two from global memory. One barrier for BK steps.
template <int WIDTH>
__global__ void __launch_bounds__(THREADS)
    multiply_pipelined(Size s, const real *A, const real *B, real *C)
{
    const int ROWS = WARP_M / 4, COLUMNS = WARP_N / 8, GAP_M = 4 * WIDE, GAP_N = 8 * WIDE;
    typedef Copier<BM, BN, BK, THREADS, WIDTH> TileCopier;
    extern __shared__ __align__(16) real s_tiles[];
    // A warp's lanes stand in Z order, 4 down and 8 across: 0 1 4 5 over 2 3 6 7, and so on.
    // Those that are served together then need few different numbers.
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int y = warp % (BM / WARP_M) * WARP_M + ((lane & 1) | (lane >> 1 & 2)) * WIDE;
    const int x = warp / (BM / WARP_M) * WARP_N + ((lane >> 1 & 1) | (lane >> 2 & 6)) * WIDE;
    const Place corner = corner_of_tile(s, BM, BN);
    alignas(16) real a[2][ROWS], b[2][COLUMNS], sums[ROWS][COLUMNS] = {};
    const auto load = [&](int to, int stage, int k)
    {
        const real *s_A = s_tiles + stage * TileCopier::NUMBERS;
        const real *s_B = s_A + BK * TileCopier::PITCH_A;
        load_groups<ROWS, WIDE, GAP_M>(a[to], s_A + k * TileCopier::PITCH_A + y);
        load_groups<COLUMNS, WIDE, GAP_N>(b[to], s_B + k * TileCopier::PITCH_B + x);
    };
    TileCopier copier(s, corner, A, B);
    for (int stage = 0; stage < STAGES - 1; ++stage)
    {
        copier.copy(s_tiles + stage * TileCopier::NUMBERS);
    }
    __pipeline_wait_prior(STAGES - 2); // all but so many of this thread's copies are there, ...
    __syncthreads();                   // ... and of the other threads'
    load(0, 0, 0);
    int reading = 0, writing = STAGES - 1;
#pragma unroll 1
    for (int first = 0; first < s.K; first += BK)
    {
#pragma unroll
        for (int k = 0; k < BK; ++k)
        {
            if (k == BK - 1)
            {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads(); // before the next stage is read
                reading = reading == STAGES - 1 ? 0 : reading + 1;
            }
            load((k + 1) % 2, reading, (k + 1) % BK);
            if (k == 0)
            {
                copier.copy(s_tiles + writing * TileCopier::NUMBERS);
                writing = writing == STAGES - 1 ? 0 : writing + 1;
            }
            add_products(sums, a[k % 2], b[k % 2]);
        }
    }
    __pipeline_wait_prior(0);
    store_sums<WIDE, GAP_M, GAP_N>(s, C, {corner.row + y, corner.column + x}, sums);
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
void launch_pipelined(Problem *p)
{
    p->N % WIDE == 0 ? launch<multiply_pipelined<WIDE>, BM, BN, THREADS, 1, PIPELINE_BYTES>(p)
                     : launch<multiply_pipelined<1>, BM, BN, THREADS, 1, PIPELINE_BYTES>(p);
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
        {"pipelined", launch_pipelined},
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
    const size_t shared = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    const double steps = (double)p.M * p.N * p.K;
    skip_if(steps > CPU_STEPS && strcmp(args.version, "cpu") != 0, &versions[0],
            "a smaller size, or -k cpu");
    skip_if(shared < PIPELINE_BYTES, &versions[7], "more shared memory");
    skip_if(!has_wmma(), &versions[8], "double, and sm_80 or later");

    Ladder<Problem> ladder = {&p, check_exact};
    ladder.outputs[0] = {p.h_C, p.d_C, p.M * p.N * sizeof(real)};
    fill_exact(&p, args.seed);
    check_versions(&args, &ladder, versions);

    ladder.check = check_rounded;
    ladder.operations = 2.0 * steps;
    ladder.ceiling = MULTIPLY_ADD_CEILING;
    fill_rounded(&p, args.seed);
    run_versions(&args, &ladder, versions);

    free_product(&p);
    return verdict();
}
