// cub::BlockRadixSort. Thread 0 ranks the keys of all threads by their bits, from the lowest digit
// to the highest. Then keys and values go to their places through shared memory.
#ifndef CUDACPU_CUB_BLOCK_RADIX_SORT_CUH
#define CUDACPU_CUB_BLOCK_RADIX_SORT_CUH
#include "block_scan.cuh"

namespace cub
{
namespace detail
{
template <size_t BYTES>
using bits_of_size = std::conditional_t<
    BYTES == 1, unsigned char,
    std::conditional_t<BYTES == 2, unsigned short,
                       std::conditional_t<BYTES == 4, unsigned int, unsigned long long>>>;

// The key as an unsigned number that is ordered as the keys are. -0 is equal to 0.
template <class Key>
inline bits_of_size<sizeof(Key)> ordered_bits(Key key)
{
    static_assert(std::is_arithmetic<Key>::value && sizeof(Key) <= 8,
                  "the CPU backend sorts integers, float and double");
    typedef bits_of_size<sizeof(Key)> Bits;
    const Bits top = Bits(1) << (8 * sizeof(Key) - 1);
    Bits bits;
    memcpy(&bits, &key, sizeof(Key));
    if (std::is_floating_point<Key>::value)
    {
        bits = bits == top ? Bits(0) : bits;
        return (bits & top) != 0 ? Bits(~bits) : Bits(bits | top);
    }
    return std::is_signed<Key>::value ? Bits(bits ^ top) : bits;
}
} // namespace detail

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig SMEM_CONFIG = cudaSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockRadixSort
{
    static constexpr int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static constexpr int ITEMS = ITEMS_PER_THREAD, TILE = THREADS * ITEMS;
    static constexpr int KEY_BITS = 8 * sizeof(KeyT);
    typedef unsigned short Rank; // shared memory holds no more than 49152 items
    typedef detail::bits_of_size<sizeof(KeyT)> Bits;
    union Exchange
    {
        KeyT keys[TILE];
        Rank ranks[TILE];
        ValueT values[TILE];
        Exchange() = delete;
    };

  public:
    struct TempStorage : Uninitialized<Exchange>
    {
    };

    CUDACPU_CUB_MEMBER __device__ BlockRadixSort() : storage(own_storage()), tid(this_thread())
    {
    }
    CUDACPU_CUB_MEMBER __device__ BlockRadixSort(TempStorage &storage)
        : storage(storage), tid(this_thread())
    {
    }

    // Equal keys keep their order, also in descending order. Of a key only the bits begin_bit ...
    // end_bit - 1 count.
    CUDACPU_CUB_MEMBER __device__ void Sort(KeyT (&keys)[ITEMS], int begin_bit = 0,
                                            int end_bit = KEY_BITS)
    {
        sort(keys, (NullType *)NULL, begin_bit, end_bit, false, false);
    }
    CUDACPU_CUB_MEMBER __device__ void Sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS],
                                            int begin_bit = 0, int end_bit = KEY_BITS)
    {
        sort(keys, values, begin_bit, end_bit, false, false);
    }
    CUDACPU_CUB_MEMBER __device__ void SortDescending(KeyT (&keys)[ITEMS], int begin_bit = 0,
                                                      int end_bit = KEY_BITS)
    {
        sort(keys, (NullType *)NULL, begin_bit, end_bit, true, false);
    }
    CUDACPU_CUB_MEMBER __device__ void SortDescending(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS],
                                                      int begin_bit = 0, int end_bit = KEY_BITS)
    {
        sort(keys, values, begin_bit, end_bit, true, false);
    }

    // Thread t gets the items t, t + THREADS, ... of the sorted tile.
    CUDACPU_CUB_MEMBER __device__ void SortBlockedToStriped(KeyT (&keys)[ITEMS], int begin_bit = 0,
                                                            int end_bit = KEY_BITS)
    {
        sort(keys, (NullType *)NULL, begin_bit, end_bit, false, true);
    }
    CUDACPU_CUB_MEMBER __device__ void SortBlockedToStriped(KeyT (&keys)[ITEMS],
                                                            ValueT (&values)[ITEMS],
                                                            int begin_bit = 0,
                                                            int end_bit = KEY_BITS)
    {
        sort(keys, values, begin_bit, end_bit, false, true);
    }
    CUDACPU_CUB_MEMBER __device__ void
    SortDescendingBlockedToStriped(KeyT (&keys)[ITEMS], int begin_bit = 0, int end_bit = KEY_BITS)
    {
        sort(keys, (NullType *)NULL, begin_bit, end_bit, true, true);
    }
    CUDACPU_CUB_MEMBER __device__ void SortDescendingBlockedToStriped(KeyT (&keys)[ITEMS],
                                                                      ValueT (&values)[ITEMS],
                                                                      int begin_bit = 0,
                                                                      int end_bit = KEY_BITS)
    {
        sort(keys, values, begin_bit, end_bit, true, true);
    }

  private:
    TempStorage &storage;
    int tid;

    static int this_thread()
    {
        return RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
    }
    static __device__ TempStorage &own_storage()
    {
        __shared__ TempStorage own;
        return own;
    }

    // Replaces the keys in shared memory by their ranks. `order` holds the items as sorted by the
    // digits so far.
    CUDACPU_CUB_APART void rank(int begin_bit, int end_bit, bool descending)
    {
        const int DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS;
        Exchange &exchange = *(Exchange *)(void *)storage.bytes;
        Bits *const bits = new Bits[TILE];
        Rank *order = new Rank[TILE], *next = new Rank[TILE];
        for (int i = 0; i < TILE; ++i)
        {
            bits[i] = detail::ordered_bits(exchange.keys[i]);
            bits[i] = descending ? Bits(~bits[i]) : bits[i];
            order[i] = i;
        }
        for (int bit = begin_bit; bit < end_bit; bit += DIGIT_BITS)
        {
            const int width = end_bit - bit < DIGIT_BITS ? end_bit - bit : DIGIT_BITS;
            const auto digit_of = [=](int i)
            {
                return (int)((bits[i] >> bit) & ((1u << width) - 1));
            };
            int start[DIGITS + 1] = {};
            for (int i = 0; i < TILE; ++i)
            {
                ++start[digit_of(i) + 1];
            }
            for (int digit = 0; digit < DIGITS; ++digit)
            {
                start[digit + 1] += start[digit];
            }
            for (int i = 0; i < TILE; ++i)
            {
                next[start[digit_of(order[i])]++] = order[i];
            }
            std::swap(order, next);
        }
        for (int i = 0; i < TILE; ++i)
        {
            exchange.ranks[order[i]] = i;
        }
        delete[] bits;
        delete[] order;
        delete[] next;
    }

    template <class T>
    CUDACPU_CUB_MEMBER void move_items(T (&items)[ITEMS], T *exchanged, const int *ranks,
                                       bool striped)
    {
        __syncthreads();
        for (int i = 0; i < ITEMS; ++i)
        {
            exchanged[ranks[i]] = items[i];
        }
        __syncthreads();
        for (int i = 0; i < ITEMS; ++i)
        {
            items[i] = exchanged[striped ? tid + i * THREADS : tid * ITEMS + i];
        }
    }

    template <class Values>
    CUDACPU_CUB_APART void sort(KeyT (&keys)[ITEMS], Values &&values, int begin_bit, int end_bit,
                                bool descending, bool striped)
    {
        Exchange &exchange = *(Exchange *)(void *)storage.bytes;
        storage.begin_use(tid);
        for (int i = 0; i < ITEMS; ++i)
        {
            exchange.keys[tid * ITEMS + i] = keys[i];
        }
        __syncthreads();
        if (tid == 0)
        {
            rank(begin_bit, end_bit, descending);
        }
        __syncthreads();
        int ranks[ITEMS];
        for (int i = 0; i < ITEMS; ++i)
        {
            ranks[i] = exchange.ranks[tid * ITEMS + i];
        }
        move_items(keys, exchange.keys, ranks, striped);
        if constexpr (std::is_array<std::remove_reference_t<Values>>::value)
        {
            move_items(values, exchange.values, ranks, striped);
        }
        storage.end_use();
    }
};
} // namespace cub

#endif
