// What scan does beyond the textbook: tiles of thousands of elements in registers, a single pass
// over the data in which tiles tell each other their totals, and CUB beside it.
#pragma once
#include <cub/device/device_scan.cuh>
#include <stddef.h>
#include "../common/error.cuh"

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int TILE_THREADS = 256;
const int TILE_WARPS = TILE_THREADS / WARP_SIZE;
const int TILE_BLOCKS = 3; // on a multiprocessor: the compiler has to make do with the registers

// A warp holds ROWS rows of 32 vectors, and each lane one vector of each row. More rows mean more
// loads under way at once, and fewer tiles. With still more rows than these, the registers would
// not suffice for enough blocks.
const int ROWS = 12;
const int WIDTH = 4;                      // elements of a vector: 16 bytes, an int4
const size_t STEP = WARP_SIZE * WIDTH;    // from row to row
const size_t WARP_ELEMENTS = STEP * ROWS; // of a tile
const size_t TILE_ELEMENTS = WARP_ELEMENTS * TILE_WARPS;

// What a block of threads scans at a time. Each thread has its part of it, in registers.
struct Tile
{
    size_t first; // element of this thread
    bool is_full; // the same for the whole block
    int lane, warp;
    int rows[ROWS][WIDTH]; // scanned, each for itself
    int before[ROWS];      // what comes before them in the warp's part of the tile ...
    int before_warp;       // ... and before that
};

// The 32 values of a warp, scanned by shuffles.
__device__ inline int scan_lanes(int own)
{
    const int lane = threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int offset = 1; offset < WARP_SIZE; offset *= 2)
    {
        const int left = __shfl_up_sync(FULL_MASK, own, offset);
        own += lane >= offset ? left : 0;
    }
    return own;
}

__device__ __forceinline__ void load_tile(Tile *tile, const int *x, size_t number, size_t N)
{
    tile->lane = threadIdx.x % WARP_SIZE;
    tile->warp = threadIdx.x / WARP_SIZE;
    tile->first = number * TILE_ELEMENTS + tile->warp * WARP_ELEMENTS + tile->lane * WIDTH;
    tile->is_full = (number + 1) * TILE_ELEMENTS <= N;
    tile->before_warp = 0;
    if (tile->is_full)
    {
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
            const int4 vector = *(const int4 *)&x[tile->first + row * STEP];
            tile->rows[row][0] = vector.x;
            tile->rows[row][1] = vector.y;
            tile->rows[row][2] = vector.z;
            tile->rows[row][3] = vector.w;
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < ROWS * WIDTH; ++i) // the last tile, element by element
    {
        const size_t n = tile->first + i / WIDTH * STEP + i % WIDTH;
        tile->rows[i / WIDTH][i % WIDTH] = n < N ? x[n] : 0;
    }
}

// Scans each vector, then the totals of the vectors of a row. Only `sum` goes from row to row, so
// the shuffles of one row do not wait for those of another.
__device__ __forceinline__ int scan_warp(Tile *tile)
{
    int sum = 0;
#pragma unroll
    for (int row = 0; row < ROWS; ++row)
    {
#pragma unroll
        for (int i = 1; i < WIDTH; ++i)
        {
            tile->rows[row][i] += tile->rows[row][i - 1];
        }
        const int total = scan_lanes(tile->rows[row][WIDTH - 1]);
        const int left = __shfl_up_sync(FULL_MASK, total, 1);
        tile->before[row] = sum + (tile->lane > 0 ? left : 0);
        sum += __shfl_sync(FULL_MASK, total, WARP_SIZE - 1);
    }
    return sum;
}

// To be called once, by all threads of the block. Returns the total of the tile.
__device__ __forceinline__ int scan_tile(Tile *tile)
{
    __shared__ int s_totals[TILE_WARPS];
    const int own = scan_warp(tile);
    if (tile->lane == 0)
    {
        s_totals[tile->warp] = own;
    }
    __syncthreads();
    int total = 0;
    for (int i = 0; i < TILE_WARPS; ++i)
    {
        tile->before_warp = i == tile->warp ? total : tile->before_warp;
        total += s_totals[i];
    }
    return total;
}

__device__ __forceinline__ void store_tile(const Tile *tile, int *y, int before_tile, size_t N)
{
    const int before_rows = before_tile + tile->before_warp;
#pragma unroll
    for (int row = 0; row < ROWS; ++row)
    {
        const int start = before_rows + tile->before[row];
        const size_t n = tile->first + row * STEP;
        if (tile->is_full)
        {
            *(int4 *)&y[n] = make_int4(start + tile->rows[row][0], start + tile->rows[row][1],
                                       start + tile->rows[row][2], start + tile->rows[row][3]);
            continue;
        }
        for (int i = 0; i < WIDTH; ++i)
        {
            if (n + i < N)
            {
                y[n + i] = start + tile->rows[row][i];
            }
        }
    }
}

// --- What tiles tell each other --------------------------------------------------------------

// Nothing yet; the total of this tile; the total of this and of all tiles before it.
enum Status
{
    NOTHING,
    TOTAL,
    PREFIX
};

// Status and value share a word of 64 bits, which is stored and loaded as a whole. A thread that
// sees the status therefore sees the value too, and no fence has to keep two stores in order.
typedef unsigned long long Word;

__device__ inline void publish(volatile Word *words, size_t tile, Status status, int value)
{
    words[tile] = (Word)status << 32 | (unsigned)value;
}

__device__ inline Status read_message(const volatile Word *words, size_t tile, int *value)
{
    const Word word = words[tile];
    *value = (int)(unsigned)word;
    return (Status)(word >> 32);
}

// The total of all tiles before this one, for all lanes of a warp. The lanes look at the 32 tiles
// before it. If one of these knows its prefix, the totals after it complete the sum. Otherwise the
// lanes go on to the 32 tiles before those. A tile needs only the totals of the tiles before it,
// which are there early; it does not wait until those tiles are finished.
__device__ inline int look_back(const volatile Word *words, size_t tile)
{
    const size_t lane = threadIdx.x % WARP_SIZE;
    int sum = 0;
    for (size_t end = tile;; end -= WARP_SIZE)
    {
        int value = 0;          // before tile 0 there is nothing to add ...
        Status status = PREFIX; // ... and every search ends there
        do
        {
            status = lane < end ? read_message(words, end - 1 - lane, &value) : PREFIX;
        } while (__any_sync(FULL_MASK, status == NOTHING));

        const unsigned prefixes = __ballot_sync(FULL_MASK, status == PREFIX);
        const int nearest = __ffs(prefixes) - 1; // its prefix holds all tiles before it
        value = prefixes == 0 || (int)lane <= nearest ? value : 0;
        for (int offset = 1; offset < WARP_SIZE; offset *= 2)
        {
            value += __shfl_xor_sync(FULL_MASK, value, offset);
        }
        sum += value;
        if (prefixes != 0)
        {
            return sum;
        }
    }
}

// ---- The kernels ----

// The totals of the tiles, and nothing else. Then x is read twice and y written once: 3 N elements.
// Each thread scans its vectors by itself. In a warp only the totals of the vectors are exchanged.
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    reduce_tiles(const int *x, int *totals, size_t N)
{
    Tile tile;
    load_tile(&tile, x, blockIdx.x, N);
    const int total = scan_tile(&tile);
    if (threadIdx.x == 0)
    {
        totals[blockIdx.x] = total;
    }
}

// Scans each tile once more, now with the scanned totals at hand.
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    scan_tiles(const int *x, int *y, const int *totals, size_t N)
{
    Tile tile;
    load_tile(&tile, x, blockIdx.x, N);
    scan_tile(&tile);
    store_tile(&tile, y, blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0, N);
}

// x is read once: 2 N elements. Blocks may start in any order, so each draws the number of its
// tile. A tile with a lower number was drawn earlier, by a block that runs or has ended. So no
// block waits for one that has not started.
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    scan_single_pass(const int *x, int *y, size_t N, Word *next, Word *words)
{
    __shared__ size_t s_tile;
    __shared__ int s_before;
    if (threadIdx.x == 0)
    {
        s_tile = atomicAdd(next, 1);
    }
    __syncthreads();
    const size_t number = s_tile;
    Tile tile;
    load_tile(&tile, x, number, N);
    const int total = scan_tile(&tile);
    if (tile.warp == 0)
    {
        if (tile.lane == 0 && number > 0)
        {
            publish(words, number, TOTAL, total);
        }
        const int before_tile = look_back(words, number);
        if (tile.lane == 0)
        {
            publish(words, number, PREFIX, before_tile + total);
            s_before = before_tile;
        }
    }
    __syncthreads();
    store_tile(&tile, y, s_before, N);
}

// ---- The library ----

static void *d_cub_storage = NULL; // main frees it

// CUB's scan. The first call, without memory, only asks how much temporary memory it needs.
inline void launch_cub(const int *d_x, int *d_y, size_t N)
{
    static size_t bytes = 0;
    if (d_cub_storage == NULL)
    {
        CHECK(cub::DeviceScan::InclusiveSum(NULL, bytes, d_x, d_y, N));
        CHECK(cudaMalloc(&d_cub_storage, bytes));
    }
    CHECK(cub::DeviceScan::InclusiveSum(d_cub_storage, bytes, d_x, d_y, N));
}
