// What transpose needs beside its kernels: which tile is a block's, and 16 bytes at a time.
#pragma once
#include "../common/compat.cuh"
#include "../common/real.cuh"

// Every block takes one tile of A; this is the tile's first row and column. The grid is a line of
// blocks, which may be 2^31 long, and not a plane, which may be only 65535 high.
struct Tile
{
    size_t row, column;
};

const bool ALONG_ROWS = false, DOWN_COLUMNS = true; // which tile is the next block's

template <int ROWS, int COLUMNS, bool ORDER = ALONG_ROWS>
__device__ Tile tile_of_block(size_t M, size_t N)
{
    const unsigned high = (M - 1) / ROWS + 1, wide = (N - 1) / COLUMNS + 1, n = blockIdx.x;
    return !ORDER ? Tile{(size_t)(n / wide) * ROWS, (size_t)(n % wide) * COLUMNS}
                  : Tile{(size_t)(n % high) * ROWS, (size_t)(n / high) * COLUMNS};
}

const int E = 16 / sizeof(real); // elements in 16 bytes

struct alignas(16) Piece
{
    real e[E];
};

// With AHEAD, L2 is to fetch not only the 32 bytes asked for but all 256 around them: others of the
// block want them at once. There is a load for it, but no name in C.
template <bool AHEAD>
__device__ Piece read_piece(const real *x)
{
#if ON_GPU && __CUDA_ARCH__ >= 800
    if (AHEAD)
    {
        uint4 v;
        asm("ld.global.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
            : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
            : "l"(x));
        return *(Piece *)&v;
    }
#endif
    return *(const Piece *)x;
}
