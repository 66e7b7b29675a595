// cub::BlockStore, and the stores that it is made of.
#ifndef CUDACPU_CUB_BLOCK_STORE_CUH
#define CUDACPU_CUB_BLOCK_STORE_CUH
#include "block_load.cuh"

namespace cub
{
enum BlockStoreAlgorithm
{
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

#define CUDACPU_CUB_STORE(name, parameter, place)                                                \
    template <parameter class T, int ITEMS, class Iterator>                                      \
    CUDACPU_CUB_MEMBER __device__ void name(int tid, Iterator tile, T(&items)[ITEMS])            \
    {                                                                                            \
        for (int i = 0; i < ITEMS; ++i)                                                          \
        {                                                                                        \
            tile[place] = items[i];                                                              \
        }                                                                                        \
    }                                                                                            \
    template <parameter class T, int ITEMS, class Iterator>                                      \
    CUDACPU_CUB_MEMBER __device__ void name(int tid, Iterator tile, T(&items)[ITEMS], int valid) \
    {                                                                                            \
        for (int i = 0; i < ITEMS; ++i)                                                          \
        {                                                                                        \
            if (place < valid)                                                                   \
            {                                                                                    \
                tile[place] = items[i];                                                          \
            }                                                                                    \
        }                                                                                        \
    }
#define CUDACPU_CUB_THREADS int THREADS,
CUDACPU_CUB_STORE(StoreDirectBlocked, , detail::blocked<ITEMS>(tid, i))
CUDACPU_CUB_STORE(StoreDirectStriped, CUDACPU_CUB_THREADS, detail::striped<THREADS>(tid, i))
CUDACPU_CUB_STORE(StoreDirectWarpStriped, , detail::warp_striped<ITEMS>(tid, i))
#undef CUDACPU_CUB_THREADS
#undef CUDACPU_CUB_STORE

template <class T, int ITEMS>
__device__ void StoreDirectBlockedVectorized(int tid, T *tile, T (&items)[ITEMS])
{
    StoreDirectBlocked(tid, tile, items);
}

// The transposing ways go through shared memory, as those of BlockLoad do.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockStore
{
    static constexpr int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static constexpr int ITEMS = ITEMS_PER_THREAD;
    static constexpr bool TRANSPOSES = ALGORITHM >= BLOCK_STORE_TRANSPOSE;
    static constexpr bool IN_WARPS = ALGORITHM >= BLOCK_STORE_WARP_TRANSPOSE;
    static_assert(!IN_WARPS || THREADS % detail::WARP == 0,
                  "BLOCK_STORE_WARP_TRANSPOSE takes whole warps");
    struct Exchange
    {
        T tile[TRANSPOSES ? detail::padded<ITEMS>(THREADS * ITEMS) : 1];
    };

  public:
    struct TempStorage : Uninitialized<Exchange>
    {
    };

    CUDACPU_CUB_MEMBER __device__ BlockStore() : storage(own_storage()), tid(this_thread())
    {
    }
    CUDACPU_CUB_MEMBER __device__ BlockStore(TempStorage &storage)
        : storage(storage), tid(this_thread())
    {
    }

    // The transposing ways leave other items in `items` than they found there.
    template <class Iterator>
    CUDACPU_CUB_MEMBER __device__ void Store(Iterator tile, T (&items)[ITEMS])
    {
        store(tile, items);
    }
    template <class Iterator>
    CUDACPU_CUB_MEMBER __device__ void Store(Iterator tile, T (&items)[ITEMS], int valid)
    {
        store(tile, items, valid);
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

    template <class Iterator, class... Limit>
    CUDACPU_CUB_MEMBER void store(Iterator tile, T (&items)[ITEMS], Limit... limit)
    {
        T *exchanged = storage.Alias().tile;
        if constexpr (TRANSPOSES && !IN_WARPS)
        {
            storage.begin_use(tid);
        }
        for (int i = 0; TRANSPOSES && i < ITEMS; ++i)
        {
            exchanged[detail::padded<ITEMS>(detail::blocked<ITEMS>(tid, i))] = items[i];
        }
        if constexpr (IN_WARPS)
        {
            __syncwarp();
            for (int i = 0; i < ITEMS; ++i)
            {
                items[i] = exchanged[detail::padded<ITEMS>(detail::warp_striped<ITEMS>(tid, i))];
            }
            StoreDirectWarpStriped(tid, tile, items, limit...);
        }
        else if constexpr (TRANSPOSES)
        {
            __syncthreads();
            for (int i = 0; i < ITEMS; ++i)
            {
                items[i] = exchanged[detail::padded<ITEMS>(detail::striped<THREADS>(tid, i))];
            }
            storage.end_use();
            StoreDirectStriped<THREADS>(tid, tile, items, limit...);
        }
        else if constexpr (ALGORITHM == BLOCK_STORE_STRIPED)
        {
            StoreDirectStriped<THREADS>(tid, tile, items, limit...);
        }
        else
        {
            StoreDirectBlocked(tid, tile, items, limit...);
        }
    }
};
} // namespace cub

#endif
