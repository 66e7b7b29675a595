// The last kernel of matmul: tensor cores multiply doubles, too (sm_80 and later).
#pragma once
#include <mma.h>
#include "matmul_tiles.cuh"

using namespace nvcuda;

const int WMMA_TILE = 64, WMMA_K = 16, WMMA_STAGES = 4, WMMA_THREADS = 128;
const size_t WMMA_BYTES = WMMA_STAGES * 2 * WMMA_K * (WMMA_TILE + PAD) * sizeof(double);

// A tensor core multiplies 8 x 4 by 4 x 8 doubles for a whole warp: the numbers are spread over
// the registers of its lanes, in fragments. A warp has 4 x 4 of those with sums.
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
