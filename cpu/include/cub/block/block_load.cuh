// cub::BlockLoad, and the loads that it is made of.
#ifndef CUDACPU_CUB_BLOCK_LOAD_CUH
#define CUDACPU_CUB_BLOCK_LOAD_CUH
#include "../util_type.cuh"

namespace cub
{
enum BlockLoadAlgorithm
{
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

namespace detail
{
// Where a thread's item i lies in its block's tile.
template <int ITEMS>
inline int blocked(int tid, int i)
{
    return tid * ITEMS + i;
}

template <int THREADS>
inline int striped(int tid, int i)
{
    return tid + i * THREADS;
}

template <int ITEMS>
inline int warp_striped(int tid, int i)
{
    return tid / WARP * WARP * ITEMS + tid % WARP + i * WARP;
}

// Where an item is exchanged in shared memory. As in CUB one place in 33 stays free where the items of
// a thread would else be in few banks.
template <int ITEMS>
constexpr int padded(int n)
{
    return ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? n + n / 32 : n;
}
} // namespace detail

#define CUDACPU_CUB_LOAD(name, parameter, place)                                                 \
    template <parameter class T, int ITEMS, class Iterator>                                      \
    CUDACPU_CUB_MEMBER __device__ void name(int tid, Iterator tile, T(&items)[ITEMS])            \
    {                                                                                            \
        for (int i = 0; i < ITEMS; ++i)                                                          \
        {                                                                                        \
            items[i] = tile[place];                                                              \
        }                                                                                        \
    }                                                                                            \
    template <parameter class T, int ITEMS, class Iterator>                                      \
    CUDACPU_CUB_MEMBER __device__ void name(int tid, Iterator tile, T(&items)[ITEMS], int valid) \
    {                                                                                            \
        for (int i = 0; i < ITEMS; ++i)                                                          \
        {                                                                                        \
            if (place < valid)                                                                   \
            {                                                                                    \
                items[i] = tile[place];                                                          \
            }                                                                                    \
        }                                                                                        \
    }                                                                                            \
    template <parameter class T, class Default, int ITEMS, class Iterator>                       \
    CUDACPU_CUB_MEMBER __device__ void name(int tid, Iterator tile, T(&items)[ITEMS], int valid, \
                                            Default other)                                       \
    {                                                                                            \
        for (int i = 0; i < ITEMS; ++i)                                                          \
        {                                                                                        \
            items[i] = other;                                                                    \
            if (place < valid)                                                                   \
            {                                                                                    \
                items[i] = tile[place];                                                          \
            }                                                                                    \
        }                                                                                        \
    }
#define CUDACPU_CUB_THREADS int THREADS,
CUDACPU_CUB_LOAD(LoadDirectBlocked, , detail::blocked<ITEMS>(tid, i))
CUDACPU_CUB_LOAD(LoadDirectStriped, CUDACPU_CUB_THREADS, detail::striped<THREADS>(tid, i))
CUDACPU_CUB_LOAD(LoadDirectWarpStriped, , detail::warp_striped<ITEMS>(tid, i))
#undef CUDACPU_CUB_THREADS
#undef CUDACPU_CUB_LOAD

template <class T, int ITEMS>
__device__ void LoadDirectBlockedVectorized(int tid, T *tile, T (&items)[ITEMS])
{
    LoadDirectBlocked(tid, tile, items);
}

// The transposing ways go through shared memory, as on a GPU. So a barrier that is missing between
// them and the next use of the same storage shows.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockLoad
{
    static constexpr int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static constexpr int ITEMS = ITEMS_PER_THREAD;
    static constexpr bool TRANSPOSES = ALGORITHM >= BLOCK_LOAD_TRANSPOSE;
    static constexpr bool IN_WARPS = ALGORITHM >= BLOCK_LOAD_WARP_TRANSPOSE;
    static_assert(!IN_WARPS || THREADS % detail::WARP == 0,
                  "BLOCK_LOAD_WARP_TRANSPOSE takes whole warps");
    struct Exchange
    {
        T tile[TRANSPOSES ? detail::padded<ITEMS>(THREADS * ITEMS) : 1];
    };

  public:
    struct TempStorage : Uninitialized<Exchange>
    {
    };

    CUDACPU_CUB_MEMBER __device__ BlockLoad() : storage(own_storage()), tid(this_thread())
    {
    }
    CUDACPU_CUB_MEMBER __device__ BlockLoad(TempStorage &storage)
        : storage(storage), tid(this_thread())
    {
    }

    template <class Iterator>
    CUDACPU_CUB_MEMBER __device__ void Load(Iterator tile, T (&items)[ITEMS])
    {
        load(tile, items);
    }
    template <class Iterator>
    CUDACPU_CUB_MEMBER __device__ void Load(Iterator tile, T (&items)[ITEMS], int valid)
    {
        load(tile, items, valid);
    }
    template <class Iterator, class Default>
    CUDACPU_CUB_MEMBER __device__ void Load(Iterator tile, T (&items)[ITEMS], int valid,
                                            Default other)
    {
        load(tile, items, valid, other);
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

    template <class Iterator, class... Limits>
    CUDACPU_CUB_MEMBER void load(Iterator tile, T (&items)[ITEMS], Limits... limits)
    {
        T *exchanged = storage.Alias().tile;
        if constexpr (IN_WARPS)
        {
            LoadDirectWarpStriped(tid, tile, items, limits...);
            for (int i = 0; i < ITEMS; ++i)
            {
                exchanged[detail::padded<ITEMS>(detail::warp_striped<ITEMS>(tid, i))] = items[i];
            }
            __syncwarp();
        }
        else if constexpr (TRANSPOSES)
        {
            LoadDirectStriped<THREADS>(tid, tile, items, limits...);
            storage.begin_use(tid);
            for (int i = 0; i < ITEMS; ++i)
            {
                exchanged[detail::padded<ITEMS>(detail::striped<THREADS>(tid, i))] = items[i];
            }
            __syncthreads();
        }
        else if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
        {
            LoadDirectStriped<THREADS>(tid, tile, items, limits...);
        }
        else
        {
            LoadDirectBlocked(tid, tile, items, limits...);
        }
        for (int i = 0; TRANSPOSES && i < ITEMS; ++i)
        {
            items[i] = exchanged[detail::padded<ITEMS>(detail::blocked<ITEMS>(tid, i))];
        }
        if constexpr (TRANSPOSES && !IN_WARPS)
        {
            storage.end_use();
        }
    }
};
} // namespace cub

#endif
