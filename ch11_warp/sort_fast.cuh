// What sort does beyond the textbook: one pass over the data for each digit, in which tiles tell
// each other how many keys of each digit they have, and CUB beside it.
//
// The floor. A sort of N keys by four digits reads all keys once to count the digits. Then it reads
// and writes all of them in each of four passes. That is 9 N keys of 4 bytes: 36 bytes a key. With
// values it is 68 bytes a key, because the first reading needs no values. A GPU that copies B GB/s
// can sort B / 36 Gkey/s in this way, and B / 68 with values.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "../common/error.cuh"
#include "../common/on_gpu.cuh"
#include "digits.cuh"
#if ON_GPU
#include <cub/device/device_radix_sort.cuh>
#endif

const double KEY_BYTES = 36.0, PAIR_BYTES = 68.0; // that are moved for each key, see above

// The numbers of threads and keys were found by trying, on an H100.
const int SWEEP_THREADS = 384;
const int SWEEP_WARPS = SWEEP_THREADS / WARP_SIZE;
const int SWEEP_BLOCKS = 2; // on a multiprocessor: the compiler has to make do with the registers
const int SWEEP_KEYS = 28;  // of a thread
const int SWEEP_WARP_KEYS = SWEEP_KEYS * WARP_SIZE;
const int SWEEP_TILE = SWEEP_KEYS * SWEEP_THREADS;
static_assert(2 * SWEEP_WARPS * DIGITS <= SWEEP_TILE, "s_tile has room for what the warps see");
static_assert(SWEEP_TILE <= 1 << 16, "a rank has 16 bits");
const int COUNTED_TILES = 4; // that a block of count_all_digits counts

// ---- What tiles tell each other, for each digit ----

// Nothing yet; how often the digit is in this tile; how often in this and all tiles before it.
enum Status
{
    NOTHING,
    TOTAL,
    PREFIX
};

// Status and count share a word of 32 bits, which is stored and loaded as a whole, as in the
// program scan. A thread that sees the status therefore sees the count too, and no fence has to
// keep two stores in order. Two bits are the status, so there may be at most 2^30 - 1 keys.
const int COUNT_BITS = 30;
const uint32_t COUNT_MASK = (1u << COUNT_BITS) - 1;

// Messages of the tiles, tile after tile, with a word for each digit.
__device__ inline void publish(volatile uint32_t *words, size_t tile, int digit, Status status,
                               uint32_t count)
{
    words[tile * DIGITS + digit] = (uint32_t)status << COUNT_BITS | count;
}

const int WINDOW = 4; // messages that a thread reads at a time

// How often the digit is in all tiles before this one. Each thread looks back for a digit of its
// own, tile by tile, until a tile knows its prefix. The threads of a warp read neighbouring words.
//
// A message takes several hundred clocks to arrive. A thread that asks for one tile after the other
// gets back one tile in that time, and meanwhile new tiles have come. So it asks for WINDOW tiles
// at once, and uses the messages that are there.
__device__ inline uint32_t look_back(const volatile uint32_t *words, size_t tile, int digit)
{
    uint32_t sum = 0;
    while (true)
    {
        uint32_t window[WINDOW];
#pragma unroll
        for (size_t i = 0; i < WINDOW; ++i) // before the first tile all counts are 0
        {
            window[i] =
                i < tile ? words[(tile - 1 - i) * DIGITS + digit] : (uint32_t)PREFIX << COUNT_BITS;
        }
#pragma unroll
        for (int i = 0; i < WINDOW; ++i)
        {
            const Status status = (Status)(window[i] >> COUNT_BITS);
            if (status == NOTHING)
            {
                break; // that tile is still counting
            }
            sum += window[i] & COUNT_MASK;
            if (status == PREFIX)
            {
                return sum;
            }
            --tile;
        }
    }
}

// ---- The kernels ----

// How often each digit is there, of all four digits of the keys. The order of the keys does not
// matter for that. So one reading is enough, before the first pass.
__global__ void __launch_bounds__(SWEEP_THREADS)
    count_all_digits(const uint32_t *keys, size_t N, uint32_t *counts)
{
    __shared__ uint32_t s_counts[PASSES * DIGITS];
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += SWEEP_THREADS)
    {
        s_counts[i] = 0;
    }
    __syncthreads();
    for (int tile = 0; tile < COUNTED_TILES; ++tile)
    {
        const size_t first = ((size_t)blockIdx.x * COUNTED_TILES + tile) * SWEEP_TILE + threadIdx.x;
        uint32_t own[SWEEP_KEYS];
#pragma unroll
        for (int i = 0; i < SWEEP_KEYS; ++i) // first all loads, so that they are under way at once
        {
            const size_t n = first + i * SWEEP_THREADS;
            own[i] = n < N ? keys[n] : 0;
        }
#pragma unroll
        for (int i = 0; i < SWEEP_KEYS; ++i)
        {
            if (first + i * SWEEP_THREADS < N)
            {
                for (int number = 0; number < PASSES; ++number)
                {
                    atomicAdd(&s_counts[number * DIGITS + digit_of(own[i], number)], 1);
                }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += SWEEP_THREADS)
    {
        atomicAdd(&counts[i], s_counts[i]);
    }
}

// Turns the counts of each digit into the place where its keys begin in the sorted array. Each
// block has 256 threads and does this for one pass.
__global__ void scan_all_digits(uint32_t *counts)
{
    uint32_t *own = &counts[blockIdx.x * DIGITS + threadIdx.x];
    const uint32_t count = *own;
    *own = scan_block(count, NULL) - count;
}

// What a warp keeps of each digit: a bit for each lane whose key has the digit, and how many keys
// have had it so far. These are two arrays. If both stood side by side in a structure of 8 bytes,
// the lanes' bits would lie in every other bank of shared memory, and more lanes would meet in one.
struct Seen
{
    uint32_t lanes[DIGITS], counts[DIGITS];
};

// How many keys with this digit the warp had before this lane's key. The lanes that have the digit
// find each other by setting their bits in one word. (Eight votes, one for each bit of the digit,
// tell the same. With them nvcc 13.0 made 43 instructions more for a key.) The lowest of these
// lanes counts for all, and clears the bits. If all lanes have one digit, as in sorted keys, they
// know it by a vote, because atomics on one address would come one after the other.
__device__ __forceinline__ uint32_t rank_in_warp(Seen *s_seen, uint32_t digit, int lane)
{
    const bool is_common = __all_sync(FULL_MASK, digit == __shfl_sync(FULL_MASK, digit, 0));
    if (!is_common)
    {
        atomicOr(&s_seen->lanes[digit], 1u << lane);
    }
    __syncwarp(); // all bits are set
    const uint32_t count = s_seen->counts[digit];
    const uint32_t lanes = is_common ? FULL_MASK : s_seen->lanes[digit];
    __syncwarp(); // all lanes have read before one of them writes
    const uint32_t before = lanes & ((1u << lane) - 1);
    if (before == 0)
    {
        s_seen->lanes[digit] = 0;
        s_seen->counts[digit] = count + __popc(lanes);
    }
    __syncwarp();
    return count + __popc(before);
}

// Sorts by one digit. A block moves a tile, and learns from the tiles before it where its keys go.
// In shared memory the tile is put in the order of the digits first. So neighbouring threads store
// to neighbouring places: in random data a digit has 42 keys of a tile, which are 168 bytes.
//
// Blocks may start in any order, so each draws the number of its tile. A tile with a lower number
// was drawn earlier, by a block that runs or has ended. So no block waits for one that has not
// started. Sums of places are unsigned: where one is negative for a moment, it wraps around.
template <bool HAS_VALUES>
__global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    sort_one_digit(Records from, Records to, size_t N, int number, const uint32_t *starts,
                   unsigned *next, uint32_t *words)
{
    // The keys by their digits, then the values; but first what the warps have seen.
    __shared__ uint32_t s_tile[SWEEP_TILE];
    Seen *s_seen = (Seen *)s_tile; // of each warp
    // Where the keys of a digit begin in the array, less where they begin in the tile.
    __shared__ uint32_t s_places[DIGITS];
    __shared__ unsigned s_number;
    const int tid = threadIdx.x, lane = tid % WARP_SIZE, warp = tid / WARP_SIZE;
    if (tid == 0)
    {
        s_number = atomicAdd(next, 1);
    }
    for (int i = tid; i < 2 * SWEEP_WARPS * DIGITS; i += SWEEP_THREADS)
    {
        s_tile[i] = 0;
    }
    __syncthreads();
    const uint32_t tile = s_number;
    const uint32_t begin = tile * SWEEP_TILE; // below 2^30; a size_t would take more registers
    const int length = N - begin < SWEEP_TILE ? N - begin : SWEEP_TILE;
    const int first = warp * SWEEP_WARP_KEYS + lane; // the thread's first key in the tile

    uint32_t keys[SWEEP_KEYS];
#pragma unroll
    for (int i = 0; i < SWEEP_KEYS; ++i)
    {
        const int n = first + i * WARP_SIZE;
        keys[i] = n < length ? from.keys[begin + n] : LAST_KEY;
    }

    // The rank of a key: how many keys of its digit come before it in its warp. Above these 16 bits
    // stands the digit. It could be had from the key again, but then the compiler keeps all these
    // digits in registers of their own, and has too few.
    uint32_t ranks[SWEEP_KEYS];
#pragma unroll
    for (int i = 0; i < SWEEP_KEYS; ++i)
    {
        const uint32_t digit = digit_of(keys[i], number);
        ranks[i] = digit << 16 | rank_in_warp(&s_seen[warp], digit, lane);
    }
    __syncthreads();

    // Each of the first 256 threads has a digit. It turns the counts of the warps into the place in
    // the tile where the keys of each warp begin.
    uint32_t total = 0, counts[SWEEP_WARPS]; // keys of this digit, in the tile and of each warp
    if (tid < DIGITS)
    {
#pragma unroll
        for (int i = 0; i < SWEEP_WARPS; ++i)
        {
            counts[i] = s_seen[i].counts[tid];
            total += counts[i];
        }
        publish(words, tile, tid, tile == 0 ? PREFIX : TOTAL, total);
    }
    const uint32_t place_in_tile = scan_block(total, NULL) - total;
    if (tid < DIGITS)
    {
        uint32_t place = place_in_tile;
#pragma unroll
        for (int i = 0; i < SWEEP_WARPS; ++i)
        {
            s_seen[i].counts[tid] = place;
            place += counts[i];
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SWEEP_KEYS; ++i) // from here on ranks has places in the tile
    {
        ranks[i] = (ranks[i] & 0xffff) + s_seen[warp].counts[ranks[i] >> 16];
    }
    __syncthreads(); // from here on s_tile has keys
#pragma unroll
    for (int i = 0; i < SWEEP_KEYS; ++i)
    {
        s_tile[ranks[i]] = keys[i];
    }
    if (tid < DIGITS)
    {
        const uint32_t before = look_back(words, tile, tid);
        if (tile > 0)
        {
            publish(words, tile, tid, PREFIX, before + total);
        }
        s_places[tid] = starts[tid] + before - place_in_tile;
    }
    __syncthreads();

    uint32_t places[SWEEP_KEYS];
#pragma unroll
    for (int i = 0; i < SWEEP_KEYS; ++i)
    {
        const int n = tid + i * SWEEP_THREADS;
        const uint32_t key = s_tile[n];
        places[i] = s_places[digit_of(key, number)] + n;
        if (n < length)
        {
            to.keys[places[i]] = key;
        }
    }
    if (HAS_VALUES) // they go the same way
    {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SWEEP_KEYS; ++i)
        {
            const int n = first + i * WARP_SIZE;
            s_tile[ranks[i]] = n < length ? from.values[begin + n] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SWEEP_KEYS; ++i)
        {
            const int n = tid + i * SWEEP_THREADS;
            if (n < length)
            {
                to.values[places[i]] = s_tile[n];
            }
        }
    }
}

// What launch_one_sweep needs to work with, in words of 32 bits: counts of the digits, a number of
// the next tile for each pass, and the messages of each pass.
inline size_t words_for_one_sweep(size_t N)
{
    const size_t num_tiles = (N - 1) / SWEEP_TILE + 1;
    return PASSES * DIGITS + PASSES + PASSES * DIGITS * num_tiles;
}

// To forget the last call's messages is part of the work, and of its time. The passes go from x to
// `other`, to y, to `other` and to y.
inline void launch_one_sweep(Records x, Records y, Records other, size_t N, uint32_t *work)
{
    const size_t num_tiles = (N - 1) / SWEEP_TILE + 1;
    uint32_t *counts = work, *next = counts + PASSES * DIGITS, *words = next + PASSES;
    CHECK(cudaMemsetAsync(work, 0, words_for_one_sweep(N) * sizeof(uint32_t)));
    const size_t grid_size = (num_tiles - 1) / COUNTED_TILES + 1;
    count_all_digits<<<grid_size, SWEEP_THREADS>>>(x.keys, N, counts);
    scan_all_digits<<<PASSES, DIGITS>>>(counts);
    for (int number = 0; number < PASSES; ++number)
    {
        const Records from = number == 0 ? x : number % 2 == 1 ? other : y;
        const Records to = number % 2 == 0 ? other : y;
        const uint32_t *starts = counts + number * DIGITS;
        uint32_t *messages = words + number * num_tiles * DIGITS;
        if (x.values != NULL)
        {
            sort_one_digit<true><<<num_tiles, SWEEP_THREADS>>>(from, to, N, number, starts,
                                                               next + number, messages);
        }
        else
        {
            sort_one_digit<false><<<num_tiles, SWEEP_THREADS>>>(from, to, N, number, starts,
                                                                next + number, messages);
        }
    }
}

// ---- The library ----

#if ON_GPU
// CUB's radix sort. If `storage` is NULL, it only sets *bytes to the temporary memory it needs.
inline void launch_cub(Records x, Records y, size_t N, void *storage, size_t *bytes)
{
    if (x.values != NULL)
    {
        CHECK(cub::DeviceRadixSort::SortPairs(storage, *bytes, x.keys, y.keys, x.values, y.values,
                                              N));
    }
    else
    {
        CHECK(cub::DeviceRadixSort::SortKeys(storage, *bytes, x.keys, y.keys, N));
    }
}
#endif
