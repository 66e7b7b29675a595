// Cooperative groups: a block, or lanes of one warp. A group is the set of its lanes and what it
// is a part of; every collective operation is an exchange between those lanes.
#ifndef CUDACPU_COOPERATIVE_GROUPS_H
#define CUDACPU_COOPERATIVE_GROUPS_H
#include "cuda_runtime.h"
#include "cudacpu_device.h"
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cudacpu
{
inline unsigned int rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

inline unsigned int block_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}

// The lanes that this thread's warp has: the block's last warp may be short.
inline unsigned int warp_lanes()
{
    const unsigned int rest = block_threads() - rank_in_block() / 32 * 32;
    return rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
}

// The `size` lanes, a power of two up to 32, among which this thread is.
inline unsigned int tile_lanes(unsigned int size)
{
    const unsigned int first = lane() / size * size;
    return (size == 32 ? 0xffffffffu : ((1u << size) - 1) << first) & warp_lanes();
}

inline unsigned int rank_among(unsigned int lanes)
{
    return __builtin_popcount(lanes & ((1u << lane()) - 1));
}

// The lane that has this rank, or 32.
inline unsigned int lane_of_rank(unsigned int lanes, unsigned int rank)
{
    for (; lanes != 0; lanes &= lanes - 1)
    {
        if (rank-- == 0)
        {
            return __builtin_ctz(lanes);
        }
    }
    return 32;
}

// A set of lanes as the set of their ranks.
inline unsigned int ranks_of(unsigned int set, unsigned int lanes)
{
    unsigned int ranks = 0;
    for (unsigned int rank = 0; lanes != 0; lanes &= lanes - 1, ++rank)
    {
        ranks |= (set >> __builtin_ctz(lanes) & 1) << rank;
    }
    return ranks;
}

// Values of any size travel in pieces of eight bytes. After each exchange, read(piece) may fetch
// what other lanes have brought.
template <class T, class Read>
inline void exchange_pieces(unsigned int lanes, const T &value, Read read, const char *file,
                            int line)
{
    const unsigned int pieces = (sizeof(T) + 7) / 8;
    unsigned long words[pieces] = {};
    memcpy((void *)words, (const void *)&value, sizeof(T));
    for (unsigned int i = 0; i < pieces; ++i)
    {
        cudacpu_warp_exchange(lanes, words[i], file, line);
        read(i);
    }
}

// The value of the lane `source` of the group; one's own if there is none.
template <class T>
inline T fetch(unsigned int lanes, T value, unsigned int source, const char *file, int line)
{
    const bool own = source >= 32 || source == lane() || (lanes >> source & 1) == 0;
    unsigned long words[(sizeof(T) + 7) / 8];
    exchange_pieces(
        lanes, value, [&](unsigned int i) { words[i] = own ? 0 : cudacpu_lane_value(source); },
        file, line);
    if (!own)
    {
        memcpy((void *)&value, (const void *)words, sizeof(T));
    }
    return value;
}
} // namespace cudacpu

namespace cooperative_groups
{
// --- what all groups share -----------------------------------------------------------------

class thread_group
{
  public:
    unsigned int size() const
    {
        return whole_block ? cudacpu::block_threads() : __builtin_popcount(lanes);
    }
    unsigned int num_threads() const
    {
        return size();
    }
    unsigned int thread_rank() const
    {
        return whole_block ? cudacpu::rank_in_block() : cudacpu::rank_among(lanes);
    }
    void sync(CUDACPU_SITE) const
    {
        if (whole_block)
        {
            __syncthreads(file, line);
        }
        else
        {
            __syncwarp(lanes, file, line);
        }
    }
    bool is_valid() const
    {
        return true;
    }
    unsigned int cudacpu_lanes() const
    {
        return lanes;
    }

  protected:
    thread_group(bool whole_block, unsigned int lanes, unsigned int meta_rank = 0,
                 unsigned int meta_size = 1)
        : whole_block(whole_block), lanes(lanes), meta_rank(meta_rank), meta_size(meta_size)
    {
    }
    bool whole_block;
    unsigned int lanes, meta_rank, meta_size;
};

// --- the block and the grid ----------------------------------------------------------------

class thread_block : public thread_group
{
  public:
    thread_block() : thread_group(true, 0)
    {
    }
    static void sync(CUDACPU_SITE)
    {
        __syncthreads(file, line);
    }
    static void barrier_wait(CUDACPU_SITE)
    {
        __syncthreads(file, line);
    }
    static unsigned int thread_rank()
    {
        return cudacpu::rank_in_block();
    }
    static unsigned int size()
    {
        return cudacpu::block_threads();
    }
    static unsigned int num_threads()
    {
        return cudacpu::block_threads();
    }
    static dim3 group_index()
    {
        return blockIdx;
    }
    static dim3 thread_index()
    {
        return threadIdx;
    }
    static dim3 group_dim()
    {
        return blockDim;
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
};

inline thread_block this_thread_block()
{
    return thread_block();
}

// Memory for tiles of more than a warp, which are not here. Tiles within a warp need none.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory
{
    unsigned long long of_warps[(MaxBlockSize + 31) / 32];
};

template <unsigned int MaxBlockSize>
inline thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return thread_block();
}

class grid_group
{
  public:
    static void sync(CUDACPU_SITE)
    {
        cudacpu_grid_sync(file, line);
    }
    // Whether the launch is a cooperative one.
    static bool is_valid()
    {
        return cudacpu_is_cooperative();
    }
    static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static unsigned long long num_threads()
    {
        return num_blocks() * cudacpu::block_threads();
    }
    static unsigned long long size()
    {
        return num_threads();
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * cudacpu::block_threads() + cudacpu::rank_in_block();
    }
    static dim3 group_dim()
    {
        return gridDim;
    }
    static dim3 dim_blocks()
    {
        return gridDim;
    }
    static dim3 block_index()
    {
        return blockIdx;
    }
};

inline grid_group this_grid()
{
    return grid_group();
}

// --- groups within a warp ------------------------------------------------------------------

// Ranks, not lanes, are what these functions take and return.
class cudacpu_warp_group : public thread_group
{
  public:
    unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    unsigned int meta_group_size() const
    {
        return meta_size;
    }
    template <class T>
    T shfl(T value, int source, CUDACPU_SITE) const
    {
        const unsigned int rank = (unsigned int)source % size();
        return cudacpu::fetch(lanes, value, cudacpu::lane_of_rank(lanes, rank), file, line);
    }
    template <class T>
    T shfl_up(T value, unsigned int delta, CUDACPU_SITE) const
    {
        const unsigned int rank = thread_rank();
        const unsigned int source = delta > rank ? rank : rank - delta;
        return cudacpu::fetch(lanes, value, cudacpu::lane_of_rank(lanes, source), file, line);
    }
    template <class T>
    T shfl_down(T value, unsigned int delta, CUDACPU_SITE) const
    {
        const unsigned int source = thread_rank() + delta; // 32, that is oneself, if there is none
        return cudacpu::fetch(lanes, value, cudacpu::lane_of_rank(lanes, source), file, line);
    }
    int any(int condition, CUDACPU_SITE) const
    {
        return __any_sync(lanes, condition, file, line);
    }
    int all(int condition, CUDACPU_SITE) const
    {
        return __all_sync(lanes, condition, file, line);
    }
    unsigned int ballot(int condition, CUDACPU_SITE) const
    {
        return cudacpu::ranks_of(__ballot_sync(lanes, condition, file, line), lanes);
    }
    template <class T>
    unsigned int match_any(T value, CUDACPU_SITE) const
    {
        return cudacpu::ranks_of(__match_any_sync(lanes, value, file, line), lanes);
    }
    template <class T>
    unsigned int match_all(T value, int &all, CUDACPU_SITE) const
    {
        return cudacpu::ranks_of(__match_all_sync(lanes, value, &all, file, line), lanes);
    }

  protected:
    using thread_group::thread_group;
};

class coalesced_group : public cudacpu_warp_group
{
  public:
    explicit coalesced_group(unsigned int lanes, unsigned int meta_rank = 0,
                             unsigned int meta_size = 1)
        : cudacpu_warp_group(false, lanes, meta_rank, meta_size)
    {
    }
    coalesced_group(const cudacpu_warp_group &tile) : cudacpu_warp_group(tile)
    {
    }
};

inline coalesced_group coalesced_threads(CUDACPU_SITE)
{
    return coalesced_group(cudacpu_activemask(file, line));
}

// Size lanes in a row, a power of two up to 32. The type that tiled_partition returns also names
// the group that was parted.
template <unsigned int Size, class Parent = void>
class thread_block_tile;

template <unsigned int Size>
class thread_block_tile<Size, void> : public cudacpu_warp_group
{
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads; larger ones need a GPU");

  public:
    thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
        : cudacpu_warp_group(false, cudacpu::tile_lanes(Size), meta_rank, meta_size)
    {
    }
    static constexpr unsigned int size()
    {
        return Size;
    }
    static constexpr unsigned int num_threads()
    {
        return Size;
    }
    static unsigned int thread_rank()
    {
        return cudacpu::lane() % Size;
    }
    // Lanes in a row are what the plain shuffles are made for.
    template <class T>
    T shfl(T value, int source, CUDACPU_SITE) const
    {
        const unsigned int first = cudacpu::lane() / Size * Size;
        return cudacpu::fetch(lanes, value, first + (unsigned int)source % Size, file, line);
    }
    template <class T>
    T shfl_up(T value, unsigned int delta, CUDACPU_SITE) const
    {
        const unsigned int source = delta > thread_rank() ? 32 : cudacpu::lane() - delta;
        return cudacpu::fetch(lanes, value, source, file, line);
    }
    template <class T>
    T shfl_down(T value, unsigned int delta, CUDACPU_SITE) const
    {
        const unsigned int source = delta >= Size - thread_rank() ? 32 : cudacpu::lane() + delta;
        return cudacpu::fetch(lanes, value, source, file, line);
    }
    template <class T>
    T shfl_xor(T value, unsigned int bits, CUDACPU_SITE) const
    {
        return cudacpu::fetch(lanes, value, bits < Size ? cudacpu::lane() ^ bits : 32, file, line);
    }
};

template <unsigned int Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void>
{
  public:
    using thread_block_tile<Size, void>::thread_block_tile;
};

inline thread_block_tile<1> this_thread()
{
    return thread_block_tile<1>(0, 1);
}

// --- partitions ----------------------------------------------------------------------------

template <unsigned int Size>
inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &block)
{
    return thread_block_tile<Size, thread_block>(block.thread_rank() / Size,
                                                 (block.size() + Size - 1) / Size);
}

template <unsigned int Size, unsigned int ParentSize, class Grandparent>
inline thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>
tiled_partition(const thread_block_tile<ParentSize, Grandparent> &tile)
{
    static_assert(Size <= ParentSize, "a part cannot be larger than the whole");
    return thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>(
        tile.thread_rank() / Size, ParentSize / Size);
}

// The size known at run time only: every `size` threads, in the order of their ranks.
inline coalesced_group tiled_partition(const coalesced_group &group, unsigned int size)
{
    const unsigned int part = group.thread_rank() / size, lanes = group.cudacpu_lanes();
    unsigned int chosen = 0, rank = 0;
    for (unsigned int rest = lanes; rest != 0; rest &= rest - 1, ++rank)
    {
        chosen |= rank / size == part ? rest & -rest : 0;
    }
    return coalesced_group(chosen, part, (group.size() + size - 1) / size);
}

inline thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    if (group.cudacpu_lanes() != 0)
    {
        return tiled_partition(coalesced_group(group.cudacpu_lanes()), size);
    }
    return coalesced_group(cudacpu::tile_lanes(size), group.thread_rank() / size,
                           (group.size() + size - 1) / size);
}

// The threads of the group that answer alike; those that say yes are the second part.
inline coalesced_group binary_partition(const cudacpu_warp_group &group, bool answer, CUDACPU_SITE)
{
    const unsigned int lanes = group.cudacpu_lanes();
    const unsigned int yes = __ballot_sync(lanes, answer, file, line);
    if (yes == 0 || yes == lanes)
    {
        return coalesced_group(lanes);
    }
    return coalesced_group(answer ? yes : lanes & ~yes, answer, 2);
}

inline coalesced_group labeled_partition(const cudacpu_warp_group &group, bool label, CUDACPU_SITE)
{
    return binary_partition(group, label, file, line);
}

template <class Label>
inline coalesced_group labeled_partition(const cudacpu_warp_group &group, Label label, CUDACPU_SITE)
{
    const unsigned int lanes = group.cudacpu_lanes();
    const unsigned int same = __match_any_sync(lanes, label, file, line);
    const unsigned int leaders =
        __ballot_sync(lanes, __builtin_ctz(same) == (int)cudacpu::lane(), file, line);
    const unsigned int before = leaders & ((1u << __builtin_ctz(same)) - 1);
    return coalesced_group(same, __builtin_popcount(before), __builtin_popcount(leaders));
}

// --- the same as functions -----------------------------------------------------------------

template <class Group>
inline void sync(const Group &group, CUDACPU_SITE)
{
    group.sync(file, line);
}

template <class Group>
inline auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}

template <class Group>
inline auto group_size(const Group &group) -> decltype(group.num_threads())
{
    return group.num_threads();
}
} // namespace cooperative_groups

#undef CUDACPU_SITE
#endif
