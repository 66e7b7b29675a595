// The versions of matmul-tensor.cu that take PTX instructions, with their launchers.
#pragma once
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/compat.cuh"
#include "../common/error.cuh"
#include "matmul_ptx.cuh"
#include "matmul_rows.cuh"
#include "matmul_tiles.cuh"

// ---- For both: a thread's sums are pairs of neighbours in a row of C ----

__device__ inline void store_pair(Size s, float *C, int row, int column, float left, float right)
{
    float *c = C + (size_t)row * s.N + column;
    if (row < s.M && column + 1 < s.N && s.N % 2 == 0)
    {
        *(float2 *)c = make_float2(left, right);
    }
    else if (row < s.M && column < s.N)
    {
        c[0] = left;
        if (column + 1 < s.N)
        {
            c[1] = right;
        }
    }
}

// ---- mma: one instruction for a warp, from sm_80 on ----

// The threads of the block copy a tile of the matrix to shared memory, 16 bytes at a time. Outside
// of the matrix the tile is filled with zeros. Rows of s_tile have ROW_UNIT more columns than the
// tile.
template <int THREADS, int ROWS, int PITCH>
__device__ __forceinline__ void copy_tile(bf16 (&s_tile)[ROWS][PITCH], Matrix X, int first_row,
                                          int first_column)
{
    const int CHUNKS = PITCH / ROW_UNIT - 1; // in a row
#pragma unroll
    for (int i = threadIdx.x; i < ROWS * CHUNKS; i += THREADS)
    {
        const int row = first_row + i / CHUNKS, column = first_column + i % CHUNKS * ROW_UNIT;
        const bool inside = row < X.rows && column < X.columns;
        __pipeline_memcpy_async(&s_tile[i / CHUNKS][i % CHUNKS * ROW_UNIT],
                                inside ? X.numbers + row * X.pitch + column : X.numbers, 16,
                                inside ? 0 : 16);
    }
}

const int MMA_TILE = 128, MMA_K = 32, MMA_STAGES = 4, MMA_THREADS = 256;

// Rows are 16 bytes longer than needed. So the 8 rows that ldmatrix reads at a time stand in
// different banks.
struct MmaStage
{
    bf16 A[MMA_TILE][MMA_K + 8], B[MMA_K][MMA_TILE + 8];
};

__device__ __forceinline__ void copy_stage(MmaStage *s_stage, Matrix A, Matrix B, Place corner,
                                           int step)
{
    copy_tile<MMA_THREADS>(s_stage->A, A, corner.row, step * MMA_K);
    copy_tile<MMA_THREADS>(s_stage->B, B, step * MMA_K, corner.column);
    __pipeline_commit();
}

// The block computes a tile of 128 x 128, and each of its 8 warps 64 x 32 of it: 4 x 4 matrices of
// 16 x 8. The copies to shared memory run three stages ahead.
__global__ void __launch_bounds__(MMA_THREADS, 2) multiply_mma(Size s, Matrix A, Matrix B, float *C)
{
#if __CUDA_ARCH__ >= 800
    extern __shared__ __align__(1024) unsigned char s_memory[];
    MmaStage *s_stages = (MmaStage *)s_memory;
    const Place corner = corner_of_tile(s, MMA_TILE, MMA_TILE);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int y = warp / 4 * 64, x = warp % 4 * 32;
    float sums[4][4][4] = {};
    for (int step = 0; step < MMA_STAGES - 1; ++step)
    {
        copy_stage(&s_stages[step], A, B, corner, step);
    }
    for (int step = 0; step * MMA_K < s.K; ++step)
    {
        __pipeline_wait_prior(MMA_STAGES - 2);
        __syncthreads();
        const int ahead = step + MMA_STAGES - 1;
        copy_stage(&s_stages[ahead % MMA_STAGES], A, B, corner, ahead);
        const MmaStage *stage = &s_stages[step % MMA_STAGES];
#pragma unroll
        for (int k = 0; k < MMA_K; k += 16)
        {
            uint32_t a[4][4], b[2][4]; // b[i] is two operands, of 8 columns each
#pragma unroll
            for (int i = 0; i < 4; ++i)
            {
                ldmatrix(a[i], &stage->A[y + 16 * i + lane % 16][k + lane / 16 * 8]);
            }
#pragma unroll
            for (int j = 0; j < 2; ++j)
            {
                ldmatrix_trans(b[j], &stage->B[k + lane % 16][x + 16 * j + lane / 16 * 8]);
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

inline void launch_mma(Matrix A, Matrix B, float *d_C, Size s)
{
    const int bytes = MMA_STAGES * sizeof(MmaStage);
    CHECK(cudaFuncSetAttribute(multiply_mma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply_mma<<<count_tiles(s, MMA_TILE, MMA_TILE), MMA_THREADS, bytes>>>(s, A, B, d_C);
}

// ---- wgmma: Hopper's, with the copy engine TMA ----

// On Hopper only the sums stand in registers. One thread tells TMA which tiles to copy to shared
// memory. Two warpgroups multiply the tiles there. The stages are used in turn, and each has two
// barriers: `full` says that the bytes have arrived, `empty` says that both warpgroups have read
// them. No __syncthreads is needed.
const int WG_M = 128, WG_N = 256, WG_K = 64, WG_STAGES = 4;
const int NARROW_N = 64, NARROW_STAGES = 8;                        // of `fitted`
const int WG_CONSUMERS = 2, WG_THREADS = 128 * (1 + WG_CONSUMERS); // a warpgroup has 128 threads

// TMA swizzles rows of 128 bytes, which are 64 numbers. So B's tile of 256 columns is copied as
// four boxes.
template <int TILE_N>
struct WgStage
{
    bf16 A[WG_M][WG_K], B[TILE_N / 64][WG_K][64];
};

template <int TILE_N, int STAGES>
struct WgShared
{
    WgStage<TILE_N> stages[STAGES];
    uint64_t full[STAGES], empty[STAGES]; // barriers
};

typedef WgShared<WG_N, WG_STAGES> LargeShared;

// One thread of the first warpgroup keeps the stages full. No other thread loads global memory.
__device__ __forceinline__ void produce(LargeShared *s_shared, const CUtensorMap *A,
                                        const CUtensorMap *B, int K, Place corner)
{
    for (int step = 0; step * WG_K < K; ++step)
    {
        const int stage = step % WG_STAGES, round = step / WG_STAGES;
        WgStage<WG_N> *to = &s_shared->stages[stage];
        uint64_t *full = &s_shared->full[stage];
        mbarrier_wait(&s_shared->empty[stage], (round + 1) % 2); // in the first round it is empty
        mbarrier_arrive_expect_tx(full, sizeof(WgStage<WG_N>));
        cp_async_bulk_tensor(to->A, A, corner.row, step * WG_K, full);
        for (int box = 0; box < WG_N / 64; ++box)
        {
            cp_async_bulk_tensor(to->B[box], B, step * WG_K, corner.column + 64 * box, full);
        }
    }
}

// Each of the other warpgroups multiplies its 64 rows of A with all of B's tile. A wgmma runs
// while the threads go on. When the wgmma of the step before has ended, the stage of that step may
// be filled again.
__device__ __forceinline__ void consume(LargeShared *s_shared, int K, int first_row,
                                        float (&sums)[128])
{
    for (int step = 0; step * WG_K < K; ++step)
    {
        const int stage = step % WG_STAGES, round = step / WG_STAGES;
        const WgStage<WG_N> *from = &s_shared->stages[stage];
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

// Of each 8 columns a thread has two sums in one row, and two sums 8 rows below.
template <int COUNT>
__device__ __forceinline__ void store_tile(Size s, float *C, Place corner, int first_row,
                                           const float (&sums)[COUNT])
{
    const int tid = threadIdx.x, lane = tid % 32;
    const int row = corner.row + first_row + tid / 32 % 4 * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < COUNT; i += 4)
    {
        const int column = corner.column + i * 2 + lane % 4 * 2;
        store_pair(s, C, row, column, sums[i], sums[i + 1]);
        store_pair(s, C, row + 8, column, sums[i + 2], sums[i + 3]);
    }
}

__global__ void __launch_bounds__(WG_THREADS, 1)
    multiply_wgmma(Size s, const __grid_constant__ CUtensorMap A,
                   const __grid_constant__ CUtensorMap B, float *C)
{
#if __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ __align__(1024) unsigned char s_memory[];
    LargeShared *s_shared = (LargeShared *)s_memory;
    const Place corner = corner_of_tile(s, WG_M, WG_N, 16);
    const int tid = threadIdx.x;
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
        setmaxnreg_dec<40>(); // a warpgroup that only copies needs few registers ...
        if (tid == 0)
        {
            produce(s_shared, &A, &B, s.K, corner);
        }
        return;
    }
    setmaxnreg_inc<232>(); // ... and 64 x 256 sums in 128 threads need many
    float sums[128] = {};
    const int first_row = (tid / 128 - 1) * 64;
    consume(s_shared, s.K, first_row, sums);
    store_tile(s, C, corner, first_row, sums);
#endif
}

// A function of the driver, so that a program need not be linked with libcuda. NULL if the driver
// does not have it. It behaves as in the version asked for: 12000 for 12.0.
static inline void *driver_function(const char *name, unsigned int version)
{
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found);
#else
    (void)version;
    const cudaError_t status = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
    return status == cudaSuccess && found == cudaDriverEntryPointSuccess ? function : NULL;
}

typedef decltype(cuTensorMapEncodeTiled) EncodeTiled;

// A matrix as TMA knows it: cut into boxes of so many rows and 64 columns, which are 128 bytes.
// Within each 8 rows of a box the 16-byte pieces are swizzled, against bank conflicts.
inline CUtensorMap describe(Matrix matrix, unsigned int rows_of_box)
{
    static EncodeTiled *const encode =
        (EncodeTiled *)driver_function("cuTensorMapEncodeTiled", 12000);
    const cuuint64_t sizes[] = {(cuuint64_t)matrix.columns, (cuuint64_t)matrix.rows};
    const cuuint64_t strides[] = {matrix.pitch * sizeof(bf16)}; // between rows
    const cuuint32_t box[] = {64, rows_of_box}, steps[] = {1, 1};
    CUtensorMap map;
    const CUresult status =
        encode == NULL ? CUDA_ERROR_NOT_FOUND
                       : encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void *)matrix.numbers,
                                sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE); // zeros beyond the matrix
    if (status != CUDA_SUCCESS)
    {
        fprintf(stderr, "cuTensorMapEncodeTiled: error %d of the driver's\n", (int)status);
        exit(3);
    }
    return map;
}

inline void launch_wgmma(Matrix A, Matrix B, float *d_C, Size s)
{
    const int bytes = sizeof(LargeShared);
    CHECK(cudaFuncSetAttribute(multiply_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply_wgmma<<<count_tiles(s, WG_M, WG_N), WG_THREADS, bytes>>>(s, describe(A, WG_M),
                                                                      describe(B, WG_K), d_C);
}

// ---- multicast and fitted: a block computes one tile after the other ----

// The grid has as many blocks as run at the same time. While the consumers store a tile, the
// producer already fills the stages for the next one, so only the first tile begins with a wait.
//
// In `multicast` two blocks are a cluster. Their tiles lie below each other in C, so they need the
// same columns of B. Each block brings half of them, and TMA writes what it reads once into the
// shared memory of both. So a third fewer bytes come from the L2 cache. A stage is empty when the
// consumers of both blocks have read it.
template <int BLOCKS, int TILE_N, int STAGES>
__global__ void __launch_bounds__(WG_THREADS, 1)
    multiply_tiles(Size s, const __grid_constant__ CUtensorMap A,
                   const __grid_constant__ CUtensorMap B, float *C)
{
#if __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ __align__(1024) unsigned char s_memory[];
    WgShared<TILE_N, STAGES> *s_shared = (WgShared<TILE_N, STAGES> *)s_memory;
    const int tid = threadIdx.x, rank = BLOCKS == 1 ? 0 : rank_in_cluster();
    const int down = (s.M - 1) / (BLOCKS * WG_M) + 1, tiles = down * ((s.N - 1) / TILE_N + 1);
    const int first_tile = blockIdx.x / BLOCKS, clusters = gridDim.x / BLOCKS;
    const int steps = (s.K - 1) / WG_K + 1;
    if (tid == 0)
    {
        for (int stage = 0; stage < STAGES; ++stage)
        {
            mbarrier_init(&s_shared->full[stage], 1);
            mbarrier_init(&s_shared->empty[stage], BLOCKS * WG_CONSUMERS);
        }
        fence_proxy_async();
    }
    if (BLOCKS > 1)
    {
        cluster_sync(); // the other block's barriers, too
    }
    __syncthreads();
    int use = 0; // of the stages, in turn
    if (tid < 128)
    {
        setmaxnreg_dec<40>();
        for (int tile = first_tile; tid == 0 && tile < tiles; tile += clusters)
        {
            Place corner = corner_of(tile, s, BLOCKS * WG_M, TILE_N, 16 / BLOCKS);
            corner.row += rank * WG_M;
            for (int step = 0; step < steps; ++step, ++use)
            {
                const int stage = use % STAGES, round = use / STAGES;
                WgStage<TILE_N> *to = &s_shared->stages[stage];
                uint64_t *full = &s_shared->full[stage];
                mbarrier_wait(&s_shared->empty[stage], (round + 1) % 2);
                mbarrier_arrive_expect_tx(full, sizeof(WgStage<TILE_N>));
                cp_async_bulk_tensor(to->A, &A, corner.row, step * WG_K, full);
                for (int box = rank; box < TILE_N / 64; box += BLOCKS)
                {
                    const int column = corner.column + 64 * box;
                    if (BLOCKS == 1)
                    {
                        cp_async_bulk_tensor(to->B[box], &B, step * WG_K, column, full);
                    }
                    else
                    {
                        cp_async_bulk_tensor_multicast(to->B[box], &B, step * WG_K, column, full,
                                                       (1 << BLOCKS) - 1);
                    }
                }
            }
        }
    }
    else
    {
        setmaxnreg_inc<232>();
        const int first_row = (tid / 128 - 1) * 64;
        for (int tile = first_tile; tile < tiles; tile += clusters)
        {
            Place corner = corner_of(tile, s, BLOCKS * WG_M, TILE_N, 16 / BLOCKS);
            corner.row += rank * WG_M;
            float sums[TILE_N / 2] = {};
            for (int step = 0; step < steps; ++step, ++use)
            {
                const int stage = use % STAGES, round = use / STAGES;
                const WgStage<TILE_N> *from = &s_shared->stages[stage];
                mbarrier_wait(&s_shared->full[stage], round % 2);
                wgmma_fence();
#pragma unroll
                for (int k = 0; k < WG_K; k += 16)
                {
                    wgmma(sums, descriptor(&from->A[first_row][k], 16, 8 * 128),
                          descriptor(&from->B[0][k][0], sizeof(from->B[0]), 8 * 128));
                }
                wgmma_commit_group();
                wgmma_wait_group<1>();
                if (step > 0 && tid % 128 < BLOCKS) // thread 0 tells block 0, thread 1 block 1
                {
                    mbarrier_arrive_at(&s_shared->empty[(use - 1) % STAGES], tid % 128);
                }
            }
            wgmma_wait_group<0>();
            if (tid % 128 < BLOCKS)
            {
                mbarrier_arrive_at(&s_shared->empty[(use - 1) % STAGES], tid % 128);
            }
            store_tile(s, C, corner, first_row, sums);
        }
    }
    __syncwarp();
    if (BLOCKS > 1)
    {
        cluster_sync(); // a block stays until the other one no longer needs its barriers
    }
#endif
}

template <int BLOCKS, int TILE_N, int STAGES>
void launch_tiles(Matrix A, Matrix B, float *d_C, Size s)
{
    void (*const kernel)(Size, const CUtensorMap, const CUtensorMap, float *) =
        multiply_tiles<BLOCKS, TILE_N, STAGES>;
    const int bytes = sizeof(WgShared<TILE_N, STAGES>);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {BLOCKS, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(WG_THREADS);
    config.dynamicSmemBytes = bytes;
    config.attrs = &cluster;
    config.numAttrs = 1;
    static int clusters = 0; // that run at the same time; asked for once, as it takes time
    if (clusters == 0)
    {
        const cudaFuncAttribute dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
        CHECK(cudaFuncSetAttribute(kernel, dynamic, bytes));
        CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
        if (clusters == 0)
        {
            fprintf(stderr, "matmul-tensor: no cluster of %d blocks fits on this GPU\n", BLOCKS);
            exit(3);
        }
    }
    const int tiles = count_tiles(s, BLOCKS * WG_M, TILE_N); // a cluster computes one
    config.gridDim.x = BLOCKS * (tiles < clusters ? tiles : clusters);
    CHECK(cudaLaunchKernelEx(&config, kernel, s, describe(A, WG_M), describe(B, WG_K), d_C));
}

// A C of 1024 x 1024 has 32 tiles of 128 x 256, for 132 multiprocessors. It has 128 of 128 x 64.
// These take more loads for each multiply-add, but four times as many multiprocessors have work.
// A C of 2048 x 2048 has 128 of the large tiles. A block has only one of them, so nothing is gained
// by going on to the next one. There a cluster was no faster than `wgmma` either, on an H100.
inline void launch_fitted(Matrix A, Matrix B, float *d_C, Size s)
{
    static const unsigned int multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    const unsigned int tiles = count_tiles(s, WG_M, WG_N);
    if (2 * tiles <= multiprocessors)
    {
        launch_tiles<1, NARROW_N, NARROW_STAGES>(A, B, d_C, s);
    }
    else if (tiles <= multiprocessors)
    {
        launch_wgmma(A, B, d_C, s);
    }
    else
    {
        launch_tiles<2, WG_N, WG_STAGES>(A, B, d_C, s);
    }
}
