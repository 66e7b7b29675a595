// matmul-tensor: matrices of 16-bit numbers on tensor cores: a warp's, and Hopper's with TMA
//
// From:    S1 4.3.3; S4 BLAS levels
// Compile: nvcc -O3 -arch=sm_90a matmul-tensor.cu -lcublas
// Run:     ./a.out -n 4096
// Needs:   GPU, because a CPU has no tensor cores
// Libs:    -lcublas
// Arch:    sm_90a
// Versions:
//   wmma    fragments of 16 x 16, in a class that hides where its numbers are
//   mma     one instruction, 16 x 8 x 16: operands by ldmatrix, tiles by asynchronous copies
//   wgmma   four warps multiply 64 x 256 x 16 out of shared memory that TMA fills (needs sm_90a)
//   cublas  the library
// Checks:  9 or more
// Sizes:   1x1x1 33x17x5 67x129x31 100x1x257 300x520x72 1000x1016x808
//
// A and B are of bfloat16 (8 bits of precision), sums and C of float, whatever USE_DP says. In the
// table, % is of cuBLAS, and x cpu goes by some rows on the host. ldmatrix and TMA want rows of
// multiples of 16 bytes: others are copied into longer ones first, within the time shown.

#include "matmul_check.cuh"
#include "matmul_rows.cuh"
#if ON_GPU
#include "matmul_cublas.cuh"
#include "matmul_ptx.cuh"
#include "matmul_wmma.cuh"

const int MMA_TILE = 128, MMA_K = 32, MMA_STAGES = 4, MMA_THREADS = 256;

// Rows of 16 bytes more than needed: the 8 rows that ldmatrix reads at a time are in other banks.
struct MmaStage
{
    bf16 A[MMA_TILE][MMA_K + 8], B[MMA_K][MMA_TILE + 8];
};

// A warp has 64 x 32 of a tile of 128 x 128: 4 x 4 times 16 x 8. Copies run three stages ahead.
__global__ void __launch_bounds__(MMA_THREADS, 2) multiply_mma(Size s, Matrix A, Matrix B, float *C)
{
#if __CUDA_ARCH__ >= 800
    extern __shared__ __align__(1024) unsigned char s_memory[];
    MmaStage *s_stages = (MmaStage *)s_memory;
    const Place corner = corner_of_tile(s, MMA_TILE, MMA_TILE);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int y = warp / 4 * 64, x = warp % 4 * 32;
    float sums[4][4][4] = {};
    const auto copy = [&](int step)
    {
        copy_tile<MMA_THREADS>(s_stages[step % MMA_STAGES].A, A, corner.row, step * MMA_K);
        copy_tile<MMA_THREADS>(s_stages[step % MMA_STAGES].B, B, step * MMA_K, corner.column);
        __pipeline_commit();
    };
    for (int step = 0; step < MMA_STAGES - 1; ++step)
    {
        copy(step);
    }
    for (int step = 0; step * MMA_K < s.K; ++step)
    {
        __pipeline_wait_prior(MMA_STAGES - 2);
        __syncthreads();
        copy(step + MMA_STAGES - 1);
        const MmaStage &stage = s_stages[step % MMA_STAGES];
#pragma unroll
        for (int k = 0; k < MMA_K; k += 16)
        {
            uint32_t a[4][4], b[2][4]; // b[i] is two operands, of 8 columns each
#pragma unroll
            for (int i = 0; i < 4; ++i)
            {
                ldmatrix(a[i], &stage.A[y + 16 * i + lane % 16][k + lane / 16 * 8]);
            }
#pragma unroll
            for (int j = 0; j < 2; ++j)
            {
                ldmatrix_trans(b[j], &stage.B[k + lane % 16][x + 16 * j + lane / 16 * 8]);
            }
#pragma unroll
            for (int i = 0; i < 16; ++i)
            {
                mma(sums[i / 4][i % 4], a[i / 4], &b[i % 4 / 2][i % 2 * 2]);
            }
        }
    }
    __pipeline_wait_prior(0);
#pragma unroll
    for (int i = 0; i < 32; ++i)
    {
        const float *c = &sums[i / 8][i / 2 % 4][i % 2 * 2];
        store_pair(s, C, corner.row + y + i / 8 * 16 + i % 2 * 8 + lane / 4,
                   corner.column + x + i / 2 % 4 * 8 + lane % 4 * 2, c[0], c[1]);
    }
#endif
}

// On Hopper nothing passes by registers but the sums. One thread tells TMA which tiles to copy; the
// threads of two warpgroups multiply them where they are. Stages go round: a barrier `full` for
// "the bytes are there", a barrier `empty` for "both have read them". No __syncthreads is needed.
const int WG_M = 128, WG_N = 256, WG_K = 64, WG_STAGES = 4;
const int WG_CONSUMERS = 2, WG_THREADS = 128 * (1 + WG_CONSUMERS); // warpgroups have 128

// TMA swizzles rows of 128 bytes, 64 numbers, so B's tile of 256 columns comes as four boxes.
struct WgStage
{
    bf16 A[WG_M][WG_K], B[WG_N / 64][WG_K][64];
};

struct WgShared
{
    WgStage stages[WG_STAGES];
    uint64_t full[WG_STAGES], empty[WG_STAGES]; // barriers
};

// One thread of the first warpgroup keeps the stages full; nobody else loads anything.
__device__ __forceinline__ void produce(WgShared *s_shared, const CUtensorMap *A,
                                        const CUtensorMap *B, int K, Place corner)
{
    for (int step = 0; step * WG_K < K; ++step)
    {
        const int stage = step % WG_STAGES, round = step / WG_STAGES;
        WgStage *to = &s_shared->stages[stage];
        uint64_t *full = &s_shared->full[stage];
        mbarrier_wait(&s_shared->empty[stage], (round + 1) % 2); // in the first round it is empty
        mbarrier_arrive_expect_tx(full, sizeof(WgStage));
        cp_async_bulk_tensor(to->A, A, corner.row, step * WG_K, full);
        for (int box = 0; box < WG_N / 64; ++box)
        {
            cp_async_bulk_tensor(to->B[box], B, step * WG_K, corner.column + 64 * box, full);
        }
    }
}

// Each other warpgroup multiplies its 64 rows of A with all of B. A wgmma runs on by itself; when
// the one of the step before has ended, that step's stage may be filled again.
__device__ __forceinline__ void consume(WgShared *s_shared, int K, int first_row,
                                        float (&sums)[128])
{
    for (int step = 0; step * WG_K < K; ++step)
    {
        const int stage = step % WG_STAGES, round = step / WG_STAGES;
        const WgStage *from = &s_shared->stages[stage];
        mbarrier_wait(&s_shared->full[stage], round % 2);
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < WG_K; k += 16) // A goes on by 32 bytes of each row, B by 16 rows
        {
            wgmma(sums, descriptor(&from->A[first_row][k], 16, 8 * 128),
                  descriptor(&from->B[0][k][0], sizeof(from->B[0]), 8 * 128));
        }
        wgmma_commit_group();
        wgmma_wait_group<1>();
        if (step > 0 && threadIdx.x % 128 == 0)
        {
            mbarrier_arrive(&s_shared->empty[(step - 1) % WG_STAGES]);
        }
    }
    wgmma_wait_group<0>();
}

// Of each 8 columns a thread gets a pair of sums in one row, and a pair 8 rows below.
__global__ void __launch_bounds__(WG_THREADS, 1)
    multiply_wgmma(Size s, const __grid_constant__ CUtensorMap A,
                   const __grid_constant__ CUtensorMap B, float *C)
{
#if __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ __align__(1024) unsigned char s_memory[];
    WgShared *s_shared = (WgShared *)s_memory;
    const Place corner = corner_of_tile(s, WG_M, WG_N, 16);
    const int tid = threadIdx.x, lane = tid % 32;
    if (tid == 0)
    {
        for (int stage = 0; stage < WG_STAGES; ++stage)
        {
            mbarrier_init(&s_shared->full[stage], 1);
            mbarrier_init(&s_shared->empty[stage], WG_CONSUMERS);
        }
        fence_proxy_async();
    }
    __syncthreads();
    if (tid < 128)
    {
        setmaxnreg_dec<40>(); // who only copies needs few registers ...
        if (tid == 0)
        {
            produce(s_shared, &A, &B, s.K, corner);
        }
        return;
    }
    setmaxnreg_inc<232>(); // ... and who adds up 64 x 256 with 128 threads, many
    float sums[128] = {};
    const int first_row = (tid / 128 - 1) * 64;
    consume(s_shared, s.K, first_row, sums);
    const int row = corner.row + first_row + tid / 32 % 4 * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < 128; i += 4)
    {
        const int column = corner.column + i * 2 + lane % 4 * 2;
        store_pair(s, C, row, column, sums[i], sums[i + 1]);
        store_pair(s, C, row + 8, column, sums[i + 2], sums[i + 3]);
    }
#endif
}

struct Problem : Product<float, bf16>
{
    Size size;
    bf16 *room_A, *room_B; // for longer rows
    Cublas cublas;
};

unsigned int blocks_for(const Problem *p, int height, int width)
{
    return ((p->M - 1) / height + 1) * ((p->N - 1) / width + 1);
}

void launch_wmma(Problem *p)
{
    multiply_wmma_bf16<<<blocks_for(p, HALF_TILE, HALF_TILE), 128>>>(p->size, p->d_A, p->d_B,
                                                                     p->d_C);
}

void launch_mma(Problem *p)
{
    const int bytes = MMA_STAGES * sizeof(MmaStage);
    const Matrix A = align_rows(p->d_A, p->room_A, p->M, p->K);
    const Matrix B = align_rows(p->d_B, p->room_B, p->K, p->N);
    CHECK(cudaFuncSetAttribute(multiply_mma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply_mma<<<blocks_for(p, MMA_TILE, MMA_TILE), MMA_THREADS, bytes>>>(p->size, A, B, p->d_C);
}

void launch_wgmma(Problem *p)
{
    const int bytes = sizeof(WgShared);
    const CUtensorMap A = describe(align_rows(p->d_A, p->room_A, p->M, p->K), WG_M);
    const CUtensorMap B = describe(align_rows(p->d_B, p->room_B, p->K, p->N), WG_K);
    CHECK(cudaFuncSetAttribute(multiply_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply_wgmma<<<blocks_for(p, WG_M, WG_N), WG_THREADS, bytes>>>(p->size, A, B, p->d_C);
}

int run(const Args *args)
{
    Problem p;
    allocate_product(&p, args);
    p.size = {(int)p.M, (int)p.N, (int)p.K};
    p.room_A = allocate_rows(p.M, p.K);
    p.room_B = allocate_rows(p.K, p.N);
    p.epsilon = 2.0 * FLT_EPSILON; // tensor cores may cut off where others round

    cudaFuncAttributes code;
    bool wgmma_here;
    CHECK(cudaFuncGetAttributes(&code, multiply_mma));
    CHECK(cudaMemcpyFromSymbol(&wgmma_here, has_wgmma, sizeof(bool)));
    const bool mma_here = code.ptxVersion >= 80;
    const Version<Problem> versions[] = {
        {"wmma", mma_here ? launch_wmma : NULL, ON_DEVICE, 0.0, "sm_80"},
        {"mma", mma_here ? launch_mma : NULL, ON_DEVICE, 0.0, "sm_80"},
        {"wgmma", wgmma_here ? launch_wgmma : NULL, ON_DEVICE, 0.0, "sm_90a"},
        {"cublas", mma_here ? multiply_cublas<Problem> : NULL, ON_DEVICE, 0.0, "sm_80"},
    };

    Ladder<Problem> ladder = {&p, check_exact};
    ladder.outputs[0] = {p.h_C, p.d_C, p.M * p.N * sizeof(float)};
    fill_exact(&p, args->seed);
    check_versions(args, &ladder, versions);

    ladder.check = check_rounded;
    ladder.what = "bfloat16 to float";
    ladder.operations = 2.0 * p.M * p.N * p.K;
    ladder.cpu_ms = fill_rounded(&p, args->seed);
    const Timing cublas = time_kernel([&] { multiply_cublas(&p); }, args->repeats);
    ladder.other_ceiling = ladder.operations / cublas.median * 1e-6;
    run_versions(args, &ladder, versions);
    printf("%srows made longer for mma and wgmma: of %s\n", g_verdict_prefix,
           p.room_A != NULL   ? (p.room_B != NULL ? "A and B" : "A")
           : p.room_B != NULL ? "B"
                              : "none");

    CHECK(cudaFree(p.room_A));
    CHECK(cudaFree(p.room_B));
    free_product(&p);
    return verdict();
}
#endif

int main(int argc, char **argv)
{
    Args args;
    args.M = args.N = args.K = 4096;
    args.versions = "wmma mma wgmma cublas";
    parse_args(&args, argc, argv, "-n MxNxK -r R -s S -k NAME --csv",
               "matmul-tensor: matrices of 16-bit numbers on tensor cores: a warp's, and Hopper's "
               "with TMA");
    refuse_unfit<float, bf16>(&args, bytes_of_room(args.M, args.K) + bytes_of_room(args.K, args.N));
#if ON_GPU
    return run(&args);
#else
    fprintf(stderr, "matmul-tensor: needs a GPU: a CPU has no tensor cores\n");
    return 77;
#endif
}
