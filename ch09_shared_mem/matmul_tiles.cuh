// Which tile of C a block of matmul's and matmul-tensor's fast kernels computes.
#pragma once

struct Size
{
    int M, N, K;
};

struct Place
{
    int row, column;
};

// Where in C tile number `tile` begins. Tiles that are computed at the same time should need the
// same rows of A and the same columns of B, so that these stay in the L2 cache. So the numbers go
// down `band` tiles before they move on to the next column of tiles.
__device__ inline Place corner_of(int tile, Size s, int height, int width, int band = 8)
{
    const int down = (s.M - 1) / height + 1, across = (s.N - 1) / width + 1;
    const int first = tile / (band * across) * band, in_band = tile % (band * across);
    const int rows = min(band, down - first);
    return {(first + in_band % rows) * height, in_band / rows * width};
}

// Where the block's tile begins. The grid is a line of blocks.
__device__ inline Place corner_of_tile(Size s, int height, int width, int band = 8)
{
    return corner_of(blockIdx.x, s, height, width, band);
}

// A block for each tile of C.
inline unsigned int count_tiles(Size s, int height, int width)
{
    return ((size_t)(s.M - 1) / height + 1) * ((size_t)(s.N - 1) / width + 1);
}
