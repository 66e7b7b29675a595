// multiply_pipelined of matmul.cu, and the tiles it takes.
#pragma once
#include "matmul_tiles.cuh"

// The sizes here were found by trying, on an H100.
const int BK = sizeof(real) == 4 ? 16 : 8;
const int STAGES = sizeof(real) == 4 ? 3 : 4; // pairs of tiles in shared memory

// The tile of a block, and a warp's part of it.
template <int HEIGHT, int WIDTH, int WARP_HEIGHT, int WARP_WIDTH>
struct Tiling
{
    static const int BM = HEIGHT, BN = WIDTH, WARP_M = WARP_HEIGHT, WARP_N = WARP_WIDTH;
    static const int THREADS = BM / WARP_M * (BN / WARP_N) * 32;
    static const size_t BYTES = STAGES * Copier<BM, BN, BK, THREADS, 1>::NUMBERS * sizeof(real);

    // Numbers of C that the multiprocessor with the most tiles has to compute.
    static size_t most_work(size_t M, size_t N, size_t multiprocessors)
    {
        const size_t tiles = ((M - 1) / BM + 1) * ((N - 1) / BN + 1);
        return ((tiles - 1) / multiprocessors + 1) * BM * BN;
    }
};

typedef Tiling<128, sizeof(real) == 4 ? 256 : 128, sizeof(real) == 4 ? 64 : 32, 64> Large;
typedef Tiling<64, 64, 32, 32> Small;

// While a thread multiplies what belongs to k, the numbers of k + 1 are on their way from shared
// memory, and the tiles after the next two from global memory. One barrier for BK steps.
template <typename Tile, int WIDTH>
__global__ void __launch_bounds__(Tile::THREADS)
    multiply_pipelined(Size s, const real *A, const real *B, real *C)
{
    const int BM = Tile::BM, BN = Tile::BN, WARP_M = Tile::WARP_M, WARP_N = Tile::WARP_N;
    const int ROWS = WARP_M / 4, COLUMNS = WARP_N / 8, GAP_M = 4 * WIDE, GAP_N = 8 * WIDE;
    typedef Copier<BM, BN, BK, Tile::THREADS, WIDTH> TileCopier;
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
