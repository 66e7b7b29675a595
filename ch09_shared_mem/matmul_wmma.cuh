// The kernels of matmul and matmul-tensor by CUDA's own class for tensor cores, from sm_80 on.
#pragma once
#include <cuda_bf16.h>
#include <mma.h>
#include "matmul_tiles.cuh"

using namespace nvcuda;

const int HALF_TILE = 64, HALF_K = 32, HALF_PITCH = HALF_TILE + 8;

// A tensor core multiplies for a whole warp: the numbers are spread over the registers of its
// lanes, in fragments, here of 16 x 16. A warp has 2 x 2 of those with sums, a block 4 warps.
__global__ void __launch_bounds__(128)
    multiply_wmma_bf16(Size s, const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C)
{
#if __CUDA_ARCH__ >= 800
    __shared__ __align__(32) __nv_bfloat16 s_A[HALF_TILE][HALF_K + 8], s_B[HALF_K][HALF_PITCH];
    __shared__ __align__(32) float s_C[HALF_TILE][HALF_PITCH];
    const Place corner = corner_of_tile(s, HALF_TILE, HALF_TILE);
    const int warp = threadIdx.x / 32, y = warp / 2 * 32, x = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2] = {};
    for (int first = 0; first < s.K; first += HALF_K)
    {
        for (int i = threadIdx.x; i < HALF_TILE * HALF_K; i += 128)
        {
            const int row = corner.row + i / HALF_K, k_A = first + i % HALF_K;
            const int k_B = first + i / HALF_TILE, column = corner.column + i % HALF_TILE;
            s_A[i / HALF_K][i % HALF_K] =
                row < s.M && k_A < s.K ? A[(size_t)row * s.K + k_A] : (__nv_bfloat16)0.0f;
            s_B[i / HALF_TILE][i % HALF_TILE] =
                k_B < s.K && column < s.N ? B[(size_t)k_B * s.N + column] : (__nv_bfloat16)0.0f;
        }
        __syncthreads();
        for (int k = 0; k < HALF_K; k += 16)
        {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b[2];
            for (int i = 0; i < 2; ++i)
            {
                wmma::load_matrix_sync(a[i], &s_A[y + 16 * i][k], HALF_K + 8);
                wmma::load_matrix_sync(b[i], &s_B[k][x + 16 * i], HALF_PITCH);
            }
            for (int i = 0; i < 4; ++i)
            {
                wmma::mma_sync(sums[i / 2][i % 2], a[i / 2], b[i % 2], sums[i / 2][i % 2]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) // a fragment knows no bounds: C's tile goes to shared memory first
    {
        wmma::store_matrix_sync(&s_C[y + i / 2 * 16][x + i % 2 * 16], sums[i / 2][i % 2],
                                HALF_PITCH, wmma::mem_row_major);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < HALF_TILE * HALF_TILE; i += 128)
    {
        const int row = corner.row + i / HALF_TILE, column = corner.column + i % HALF_TILE;
        if (row < s.M && column < s.N)
        {
            C[(size_t)row * s.N + column] = s_C[i / HALF_TILE][i % HALF_TILE];
        }
    }
#endif
}

const int WMMA_TILE = 64, WMMA_K = 16, WMMA_STAGES = 4, WMMA_THREADS = 128;
const size_t WMMA_BYTES = WMMA_STAGES * 2 * WMMA_K * (WMMA_TILE + PAD) * sizeof(double);

// Of doubles a tensor core multiplies 8 x 4 by 4 x 8. A warp has 4 x 4 fragments with sums, and the
// tiles come as in matmul's `pipelined`.
template <int WIDTH>
__global__ void __launch_bounds__(WMMA_THREADS, 3)
    multiply_wmma(Size s, const real *A, const real *B, real *C)
{
#if __CUDA_ARCH__ >= 800
    typedef Copier<WMMA_TILE, WMMA_TILE, WMMA_K, WMMA_THREADS, WIDTH> TileCopier;
    const int PITCH = TileCopier::PITCH_A; // of B, too
    extern __shared__ __align__(16) real s_tiles[];
    const int warp = threadIdx.x / 32, y = warp % 2 * 32, x = warp / 2 * 32;
    const Place corner = corner_of_tile(s, WMMA_TILE, WMMA_TILE);
    TileCopier copier(s, corner, A, B);
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sums[4][4] = {};
    for (int stage = 0; stage < WMMA_STAGES - 1; ++stage)
    {
        copier.copy(s_tiles + stage * TileCopier::NUMBERS);
    }
    for (int tile = 0; tile * WMMA_K < s.K; ++tile)
    {
        __pipeline_wait_prior(WMMA_STAGES - 2);
        __syncthreads();
        copier.copy(s_tiles + (tile + WMMA_STAGES - 1) % WMMA_STAGES * TileCopier::NUMBERS);
        const real *s_A = s_tiles + tile % WMMA_STAGES * TileCopier::NUMBERS;
        const real *s_B = s_A + WMMA_K * PITCH;
#pragma unroll
        for (int k = 0; k < WMMA_K; k += 4)
        {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> a[4];
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
            {
                wmma::load_matrix_sync(a[i], s_A + k * PITCH + y + 8 * i, PITCH);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
            {
                wmma::load_matrix_sync(b[i], s_B + k * PITCH + x + 8 * i, PITCH);
            }
#pragma unroll
            for (int i = 0; i < 16; ++i)
            {
                wmma::mma_sync(sums[i / 4][i % 4], a[i / 4], b[i % 4], sums[i / 4][i % 4]);
            }
        }
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < 16; ++i) // a fragment knows no bounds: C's tile goes to shared memory first
    {
        wmma::store_matrix_sync(s_tiles + (y + i / 4 * 8) * PITCH + x + i % 4 * 8,
                                sums[i / 4][i % 4], PITCH, wmma::mem_row_major);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < WMMA_TILE * WMMA_TILE; i += WMMA_THREADS)
    {
        const int row = corner.row + i / WMMA_TILE, column = corner.column + i % WMMA_TILE;
        if (row < s.M && column < s.N)
        {
            C[(size_t)row * s.N + column] = s_tiles[i / WMMA_TILE * PITCH + i % WMMA_TILE];
        }
    }
#endif
}
