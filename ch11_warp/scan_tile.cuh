// A tile: the thousands of elements that a block of threads scans in its registers, and the
// messages by which blocks that run at the same time tell each other their totals.
#pragma once
#include <stddef.h>
#include <string.h>

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int TILE_THREADS = 256;
const int TILE_WARPS = TILE_THREADS / WARP_SIZE;
const int TILE_BLOCKS = 3; // at least, on a multiprocessor: the compiler takes no more registers

// Hillis and Steele for the lanes of a warp: no memory and no barrier.
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
struct alignas(16) Vector // the most that one instruction loads or stores
{
    static const int WIDTH = 16 / sizeof(T);
    T e[WIDTH];
};

// A warp has ROWS times 32 vectors in a row, and each lane one of each row. The more rows, the more
// loads are under way at once and the fewer tiles have to hear of each other; more than these, and
// there are no registers for enough blocks.
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

    // Each vector for itself, then the totals of a row's vectors; only `sum` goes from row to row,
    // so that the exchanges of one row need not wait for those of another.
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

    // What becomes of a vector. An exclusive scan is the inclusive one moved up by a place: what
    // that pushes out of a vector the next one has in its `before`.
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
                *(Vector<T> *)&y[first + row * STEP] = finish(row, before_rows, exclusive);
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

// Status and value in one word of 64 bits, stored and loaded as a whole: whoever sees the status
// sees the value, and no fence has to keep two stores in order. A value of 8 bytes takes two words,
// a half in each, and counts when both have the same status.
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

// The total of all tiles before this one, for all lanes of a warp. They look at the 32 tiles before
// it at once and, unless one of these knows its prefix, at the 32 before those. No tile has to wait
// for another to be finished: one that has its own total can be looked past.
template <class Op, typename T>
__device__ T look_back(const volatile Word *words, size_t tile)
{
    const size_t lane = threadIdx.x % WARP_SIZE;
    T sum = Op::IDENTITY;
    for (size_t end = tile;; end -= WARP_SIZE)
    {
        T value = Op::IDENTITY; // of what would be before tile 0 ...
        Status status = PREFIX; // ... where every search ends
        do
        {
            status = lane < end ? Message<T>::read(words, end - 1 - lane, &value) : PREFIX;
        } while (__any_sync(FULL_MASK, status == NOTHING));

        const unsigned prefixes = __ballot_sync(FULL_MASK, status == PREFIX);
        const int nearest = __ffs(prefixes) - 1; // of them; what is before it is in it
        value = prefixes == 0 || (int)lane <= nearest ? value : (T)Op::IDENTITY;
        for (int offset = 1; offset < WARP_SIZE; offset *= 2) // neighbours first: products of tiles
        {                                                     // far apart need not be in range
            value = Op::of(value, __shfl_xor_sync(FULL_MASK, value, offset));
        }
        sum = Op::of(value, sum);
        if (prefixes != 0)
        {
            return sum;
        }
    }
}
