// A tile: the thousands of elements that a block of threads scans in its registers, and the
// messages by which blocks that run at the same time tell each other their totals.
#pragma once
#include <stddef.h>
#include <string.h>

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int TILE_THREADS = 256;
const int TILE_WARPS = TILE_THREADS / WARP_SIZE;

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
    static const size_t WARP_ELEMENTS = WARP_SIZE * WIDTH * ROWS;
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
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
            const size_t n = first + row * WARP_SIZE * WIDTH;
            if (is_full)
            {
                rows[row] = *(const Vector<T> *)&x[n];
                continue;
            }
            for (int i = 0; i < WIDTH; ++i)
            {
                rows[row].e[i] = n + i < N ? x[n + i] : (T)Op::IDENTITY;
            }
        }
    }

    // Each vector for itself; then their totals, and what comes before them in the warp. Where
    // rows do not depend on each other theirs is the inner loop, so that they wait together.
    __device__ T scan_warp()
    {
        T totals[ROWS];
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
#pragma unroll
            for (int i = 1; i < WIDTH; ++i)
            {
                rows[row].e[i] = Op::of(rows[row].e[i - 1], rows[row].e[i]);
            }
            totals[row] = rows[row].e[WIDTH - 1];
        }
#pragma unroll
        for (int offset = 1; offset < WARP_SIZE; offset *= 2)
        {
#pragma unroll
            for (int row = 0; row < ROWS; ++row)
            {
                const T left = __shfl_up_sync(FULL_MASK, totals[row], offset);
                totals[row] = lane >= offset ? Op::of(left, totals[row]) : totals[row];
            }
        }
        T sum = Op::IDENTITY;
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
            const T left = __shfl_up_sync(FULL_MASK, totals[row], 1);
            before[row] = lane > 0 ? Op::of(sum, left) : sum;
            sum = Op::of(sum, __shfl_sync(FULL_MASK, totals[row], WARP_SIZE - 1));
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

    // An exclusive scan is the inclusive one moved up by a place: what a vector's last element
    // would have to give away, the next vector has in its `before`.
    __device__ void store(T *y, T before_tile, size_t N, bool exclusive) const
    {
        const T before_rows = Op::of(before_tile, before_warp);
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
        {
            const size_t n = first + row * WARP_SIZE * WIDTH;
            T left = Op::of(before_rows, before[row]);
            const T start = left;
            Vector<T> result;
#pragma unroll
            for (int i = 0; i < WIDTH; ++i)
            {
                const T own = Op::of(start, rows[row].e[i]);
                result.e[i] = exclusive ? left : own;
                left = own;
            }
            if (is_full)
            {
                *(Vector<T> *)&y[n] = result;
                continue;
            }
            for (int i = 0; i < WIDTH && n + i < N; ++i)
            {
                y[n + i] = result.e[i];
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

// The total of all tiles before this one, to the lanes of one warp. They look at the 32 tiles before
// it at once; unless one of them knows its prefix, at the 32 before those. No tile waits for one
// before it to be finished: as soon as that has its own total, it can be looked past.
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
        for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
        {
            value = Op::of(value, __shfl_xor_sync(FULL_MASK, value, offset));
        }
        sum = Op::of(value, sum);
        if (prefixes != 0)
        {
            return sum;
        }
    }
}
