// What scan-types does beyond the textbook, as scan does: tiles of thousands of elements in
// registers, a single pass over the data in which tiles tell each other their totals, and CUB
// beside it.
#pragma once
#include <cub/device/device_scan.cuh>
#include <stddef.h>
#include <string.h>
#include "../common/error.cuh"

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int TILE_THREADS = 256;
const int TILE_WARPS = TILE_THREADS / WARP_SIZE;
const int TILE_BLOCKS = 3; // on a multiprocessor: the compiler has to make do with the registers

// The 32 values of a warp, scanned by shuffles.
template <class Op, typename T>
__device__ T scan_lanes(T own)
{
    const int lane = threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int offset = 1; offset < WARP_SIZE; offset *= 2)
    {
        const T left = __shfl_up_sync(FULL_MASK, own, offset);
        own = Op::of(lane >= offset ? left : (T)Op::IDENTITY, own);
    }
    return own;
}

template <typename T>
struct alignas(16) Vector // what an instruction loads up to sm_90
{
    static const int WIDTH = 16 / sizeof(T);
    T e[WIDTH];
};

// What a block of threads scans at a time. A warp holds ROWS rows of 32 vectors, and each lane one
// vector of each row. More rows mean more loads under way at once, and fewer tiles. With still more
// rows than these, the registers would not suffice for enough blocks.
template <class Op, typename T>
struct Tile
{
    static const int ROWS = sizeof(T) == 4 ? 12 : 8, WIDTH = Vector<T>::WIDTH;
    static const size_t STEP = WARP_SIZE * WIDTH; // from row to row
    static const size_t WARP_ELEMENTS = STEP * ROWS;
    static const size_t ELEMENTS = WARP_ELEMENTS * TILE_WARPS;

    size_t first; // element of this thread
    bool is_full; // the same for the whole block
    int lane, warp;
    Vector<T> rows[ROWS]; // scanned, each for itself
    T before[ROWS];       // what comes before them in the warp's part of the tile ...
    T before_warp;        // ... and before that

    __device__ Tile(const T *x, size_t tile, size_t N)
    {
        lane = threadIdx.x % WARP_SIZE;
        warp = threadIdx.x / WARP_SIZE;
        first = tile * ELEMENTS + warp * WARP_ELEMENTS + lane * WIDTH;
        is_full = (tile + 1) * ELEMENTS <= N;
        before_warp = Op::IDENTITY;
        if (is_full)
        {
#pragma unroll
            for (int row = 0; row < ROWS; ++row)
            {
                rows[row] = *(const Vector<T> *)&x[first + row * STEP];
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < ROWS * WIDTH; ++i) // the last tile, element by element
        {
            const size_t n = first + i / WIDTH * STEP + i % WIDTH;
            rows[i / WIDTH].e[i % WIDTH] = n < N ? x[n] : (T)Op::IDENTITY;
        }
    }

    // Scans each vector, then the totals of the vectors of a row. Only `sum` goes from row to row,
    // so the shuffles of one row do not wait for those of another.
    __device__ T scan_warp()
    {
        T sum = Op::IDENTITY;
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
#pragma unroll
            for (int i = 1; i < WIDTH; ++i)
            {
                rows[row].e[i] = Op::of(rows[row].e[i - 1], rows[row].e[i]);
            }
            const T total = scan_lanes<Op>(rows[row].e[WIDTH - 1]);
            const T left = __shfl_up_sync(FULL_MASK, total, 1);
            before[row] = Op::of(sum, lane > 0 ? left : (T)Op::IDENTITY);
            sum = Op::of(sum, __shfl_sync(FULL_MASK, total, WARP_SIZE - 1));
        }
        return sum;
    }

    // To be called once, by all threads of the block. Returns the total of the tile.
    __device__ T scan()
    {
        __shared__ T s_totals[TILE_WARPS];
        const T own = scan_warp();
        if (lane == 0)
        {
            s_totals[warp] = own;
        }
        __syncthreads();
        T total = Op::IDENTITY;
        for (int i = 0; i < TILE_WARPS; ++i)
        {
            before_warp = i == warp ? total : before_warp;
            total = Op::of(total, s_totals[i]);
        }
        return total;
    }

    // The result of a vector. An exclusive scan is the inclusive one moved up by one place. The
    // number that leaves a vector at its end is the next vector's `before`.
    __device__ Vector<T> finish(int row, T before_rows, bool exclusive) const
    {
        const T start = Op::of(before_rows, before[row]);
        Vector<T> result;
        T left = start;
#pragma unroll
        for (int i = 0; i < WIDTH; ++i)
        {
            const T own = Op::of(start, rows[row].e[i]);
            result.e[i] = exclusive ? left : own;
            left = own;
        }
        return result;
    }

    __device__ void store(T *y, T before_tile, size_t N, bool exclusive) const
    {
        const T before_rows = Op::of(before_tile, before_warp);
        if (is_full)
        {
#pragma unroll
            for (int row = 0; row < ROWS; ++row)
            {
                const Vector<T> result = finish(row, before_rows, exclusive);
                *(Vector<T> *)&y[first + row * STEP] = result;
            }
            return;
        }
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
            const Vector<T> result = finish(row, before_rows, exclusive);
            for (int i = 0; i < WIDTH; ++i)
            {
                if (first + row * STEP + i < N)
                {
                    y[first + row * STEP + i] = result.e[i];
                }
            }
        }
    }
};

// --- What tiles tell each other --------------------------------------------------------------

// Nothing yet; the total of this tile; the total of this and of all tiles before it.
enum Status
{
    NOTHING,
    TOTAL,
    PREFIX
};

// Status and value share a word of 64 bits, which is stored and loaded as a whole. A thread that
// sees the status therefore sees the value too, and no fence has to keep two stores in order. A
// value of 8 bytes takes two words, half of it in each. It is valid when both have the same status.
typedef unsigned long long Word;

template <typename T>
struct Message
{
    static const int WORDS = sizeof(T) / sizeof(unsigned);

    static __device__ void publish(volatile Word *words, size_t tile, Status status, T value)
    {
        unsigned halves[WORDS];
        memcpy(halves, &value, sizeof(T));
        for (int i = 0; i < WORDS; ++i)
        {
            words[tile * WORDS + i] = (Word)status << 32 | halves[i];
        }
    }

    static __device__ Status read(const volatile Word *words, size_t tile, T *value)
    {
        unsigned halves[WORDS], status[WORDS];
        for (int i = 0; i < WORDS; ++i)
        {
            const Word word = words[tile * WORDS + i];
            halves[i] = (unsigned)word;
            status[i] = (unsigned)(word >> 32);
        }
        memcpy(value, halves, sizeof(T));
        return status[0] == status[WORDS - 1] ? (Status)status[0] : NOTHING;
    }
};

// The total of all tiles before this one, for all lanes of a warp. The lanes look at the 32 tiles
// before it. If one of these knows its prefix, the totals after it complete the sum. Otherwise the
// lanes go on to the 32 tiles before those. A tile needs only the totals of the tiles before it,
// which are there early; it does not wait until those tiles are finished.
template <class Op, typename T>
__device__ T look_back(const volatile Word *words, size_t tile)
{
    const size_t lane = threadIdx.x % WARP_SIZE;
    T sum = Op::IDENTITY;
    for (size_t end = tile;; end -= WARP_SIZE)
    {
        T value = Op::IDENTITY; // before tile 0 there is nothing to add ...
        Status status = PREFIX; // ... and every search ends there
        do
        {
            status = lane < end ? Message<T>::read(words, end - 1 - lane, &value) : PREFIX;
        } while (__any_sync(FULL_MASK, status == NOTHING));

        const unsigned prefixes = __ballot_sync(FULL_MASK, status == PREFIX);
        const int nearest = __ffs(prefixes) - 1; // its prefix holds all tiles before it
        value = prefixes == 0 || (int)lane <= nearest ? value : (T)Op::IDENTITY;
        for (int offset = 1; offset < WARP_SIZE; offset *= 2) // neighbouring tiles first: a product
        {                                                     // of tiles far apart may overflow
            value = Op::of(value, __shfl_xor_sync(FULL_MASK, value, offset));
        }
        sum = Op::of(value, sum);
        if (prefixes != 0)
        {
            return sum;
        }
    }
}

// ---- The kernels ----

// The totals of the tiles, and nothing else. Then x is read twice and y written once: 3 N elements.
// Each thread scans its vectors by itself. In a warp only the totals of the vectors are exchanged.
template <class Op, typename T>
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    reduce_tiles(const T *x, T *totals, size_t N)
{
    Tile<Op, T> tile(x, blockIdx.x, N);
    const T total = tile.scan();
    if (threadIdx.x == 0)
    {
        totals[blockIdx.x] = total;
    }
}

// Scans each tile once more, now with the scanned totals at hand.
template <class Op, typename T>
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    scan_tiles(const T *x, T *y, const T *totals, size_t N, bool exclusive)
{
    Tile<Op, T> tile(x, blockIdx.x, N);
    tile.scan();
    tile.store(y, blockIdx.x > 0 ? totals[blockIdx.x - 1] : (T)Op::IDENTITY, N, exclusive);
}

// x is read once: 2 N elements. Blocks may start in any order, so each draws the number of its
// tile. A tile with a lower number was drawn earlier, by a block that runs or has ended. So no
// block waits for one that has not started.
template <class Op, typename T>
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    scan_single_pass(const T *x, T *y, size_t N, Word *next, Word *words, bool exclusive)
{
    __shared__ size_t s_tile;
    __shared__ T s_before;
    if (threadIdx.x == 0)
    {
        s_tile = atomicAdd(next, 1);
    }
    __syncthreads();
    const size_t number = s_tile;
    Tile<Op, T> tile(x, number, N);
    const T total = tile.scan();
    if (tile.warp == 0)
    {
        if (tile.lane == 0 && number > 0)
        {
            Message<T>::publish(words, number, TOTAL, total);
        }
        const T before_tile = look_back<Op, T>(words, number);
        if (tile.lane == 0)
        {
            Message<T>::publish(words, number, PREFIX, Op::of(before_tile, total));
            s_before = before_tile;
        }
    }
    __syncthreads();
    tile.store(y, s_before, N, exclusive);
}

// ---- The library ----

template <class Op, typename T>
struct Operation
{
    __host__ __device__ T operator()(T a, T b) const { return Op::of(a, b); }
};

static void *d_cub_storage = NULL; // scan_by_all frees it
static size_t cub_bytes = 0;

template <class Op, typename T>
cudaError_t scan_by_cub(const T *d_x, T *d_y, size_t N, bool exclusive)
{
    const Operation<Op, T> operation;
    const T start = (T)Op::IDENTITY;
    if (Op::IDENTITY == 0)
    {
        return exclusive ? cub::DeviceScan::ExclusiveSum(d_cub_storage, cub_bytes, d_x, d_y, N)
                         : cub::DeviceScan::InclusiveSum(d_cub_storage, cub_bytes, d_x, d_y, N);
    }
    return exclusive
               ? cub::DeviceScan::ExclusiveScan(d_cub_storage, cub_bytes, d_x, d_y, operation,
                                                start, N)
               : cub::DeviceScan::InclusiveScan(d_cub_storage, cub_bytes, d_x, d_y, operation, N);
}

// CUB's scan. The first call, without memory, only asks how much temporary memory it needs.
template <class Op, typename T>
void allocate_for_cub(const T *d_x, T *d_y, size_t N, bool exclusive)
{
    d_cub_storage = NULL;
    CHECK(scan_by_cub<Op>(d_x, d_y, N, exclusive));
    CHECK(cudaMalloc(&d_cub_storage, cub_bytes));
}
