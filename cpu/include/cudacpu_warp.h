// Votes and shuffles. All of them are one exchange: every lane of the mask brings a value, waits
// for the others, and reads what it came for.
#ifndef CUDACPU_WARP_H
#define CUDACPU_WARP_H
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cudacpu
{
inline unsigned int lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

// A value of up to eight bytes as the 64 bits that travel, and back.
template <class T>
inline unsigned long pack(T value)
{
    static_assert(sizeof(T) <= sizeof(unsigned long), "a shuffle moves at most 8 bytes");
    unsigned long bits = 0;
    memcpy(&bits, &value, sizeof(value));
    return bits;
}

template <class T>
inline T unpack(unsigned long bits)
{
    T value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Whose value of a lane that is not there will be used, as far as that is certain. A sum by
// __shfl_down_sync has such values in the upper lanes, which nobody reads.
enum Reader
{
    EACH_LANE,
    LOWEST_LANE,
    HIGHEST_LANE
};

__attribute__((noinline)) inline void check_absent(unsigned int mask, unsigned int came, int source,
                                                   Reader reader, const char *file, int line)
{
    const unsigned int own = 1u << lane();
    if (reader == EACH_LANE || (reader == LOWEST_LANE && (came & (own - 1)) == 0) ||
        (reader == HIGHEST_LANE && (came & ~(own | (own - 1))) == 0))
    {
        cudacpu_absent_lane(mask, source, file, line);
    }
}

// The value of lane `source` if it is one of this lane's segment, else this lane's own.
template <class T>
inline T shuffle(unsigned int mask, T value, int source, bool inside, Reader reader,
                 const char *file, int line)
{
    CUDACPU_COUNT_ONCE;
    const unsigned int came = cudacpu_warp_exchange(mask, pack(value), file, line) >> 32;
    if (!inside || source == (int)lane())
    {
        return value;
    }
    if ((came >> source & 1) == 0)
    {
        check_absent(mask, came, source, reader, file, line);
        return value;
    }
    return unpack<T>(cudacpu_lane_value(source));
}

// What all lanes of `mask` have brought, from the lowest lane on, put together by combine(a, b).
template <class T, class Combine>
inline T reduce(unsigned int mask, T value, Combine combine, const char *file, int line)
{
    CUDACPU_COUNT_ONCE;
    const unsigned int came = cudacpu_warp_exchange(mask, pack(value), file, line) >> 32;
    const unsigned int own = lane();
    bool first = true;
    T result = value;
    for (unsigned int rest = came; rest != 0; rest &= rest - 1)
    {
        const unsigned int source = __builtin_ctz(rest);
        const T brought = source == own ? value : unpack<T>(cudacpu_lane_value(source));
        result = first ? brought : combine(result, brought);
        first = false;
    }
    return result;
}

// The lanes of `mask` that have brought the same bits as this one; and all that came.
inline unsigned int match(unsigned int mask, unsigned long bits, unsigned int *all,
                          const char *file, int line)
{
    CUDACPU_COUNT_ONCE;
    const unsigned int came = cudacpu_warp_exchange(mask, bits, file, line) >> 32;
    unsigned int same = 1u << lane();
    for (unsigned int rest = came & ~same; rest != 0; rest &= rest - 1)
    {
        const unsigned int source = __builtin_ctz(rest);
        same |= (unsigned int)(cudacpu_lane_value(source) == bits) << source;
    }
    *all = came;
    return same;
}
} // namespace cudacpu

inline void __syncwarp(unsigned int mask = 0xffffffff, CUDACPU_SITE)
{
    cudacpu_warp_exchange(mask, 0, file, line);
}

// The lanes that are here at the same time: those that come to this line before every lane of the
// warp has come, returned, or waits elsewhere.
inline unsigned int __activemask(CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    const unsigned int mask = cudacpu_activemask(file, line);
    CUDACPU_CHECK_ACTIVE(mask);
    return mask;
}

// --- votes ---------------------------------------------------------------------------------

inline unsigned int __ballot_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    return cudacpu_warp_exchange(mask, condition != 0, file, line);
}

inline int __any_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    return (unsigned int)cudacpu_warp_exchange(mask, condition != 0, file, line) != 0;
}

inline int __all_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    return (unsigned int)cudacpu_warp_exchange(mask, condition == 0, file, line) == 0;
}

inline int __uni_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    const unsigned long outcome = cudacpu_warp_exchange(mask, condition != 0, file, line);
    return (unsigned int)outcome == 0 || (unsigned int)outcome == outcome >> 32;
}

template <class T>
inline unsigned int __match_any_sync(unsigned int mask, T value, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    unsigned int all;
    return cudacpu::match(mask, cudacpu::pack(value), &all, file, line);
}

template <class T>
inline unsigned int __match_all_sync(unsigned int mask, T value, int *all, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    unsigned int came;
    *all = cudacpu::match(mask, cudacpu::pack(value), &came, file, line) == came;
    return *all ? came : 0;
}

// --- shuffles ------------------------------------------------------------------------------

namespace cudacpu
{
// A width that is a constant costs nothing.
__attribute__((always_inline)) inline void check_width(int width, const char *file, int line)
{
    if (width < 1 || width > 32 || (width & (width - 1)) != 0)
    {
        cudacpu_wrong_width(width, file, line);
    }
}
} // namespace cudacpu

// Of the source, the hardware reads five bits.
template <class T>
inline T __shfl_sync(unsigned int mask, T value, int source, int width = 32, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    cudacpu::check_width(width, file, line);
    const int base = (int)cudacpu::lane() & ~(width - 1);
    return cudacpu::shuffle(mask, value, base | (source & (width - 1)), true, cudacpu::EACH_LANE,
                            file, line);
}

template <class T>
inline T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                        CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    cudacpu::check_width(width, file, line);
    const int lane = cudacpu::lane(), source = lane - (int)(delta & 31);
    const bool inside = source >= (lane & ~(width - 1));
    return cudacpu::shuffle(mask, value, source & 31, inside, cudacpu::HIGHEST_LANE, file, line);
}

template <class T>
inline T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                          CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    cudacpu::check_width(width, file, line);
    const int lane = cudacpu::lane(), source = lane + (int)(delta & 31);
    const bool inside = source < (lane & ~(width - 1)) + width;
    return cudacpu::shuffle(mask, value, source & 31, inside, cudacpu::LOWEST_LANE, file, line);
}

template <class T>
inline T __shfl_xor_sync(unsigned int mask, T value, int bits, int width = 32, CUDACPU_SITE)
{
    CUDACPU_COUNT_ONCE;
    cudacpu::check_width(width, file, line);
    const int lane = cudacpu::lane(), source = lane ^ (bits & 31);
    const bool inside = source < (lane & ~(width - 1)) + width;
    return cudacpu::shuffle(mask, value, source & 31, inside, cudacpu::EACH_LANE, file, line);
}

// --- reductions ----------------------------------------------------------------------------

#define CUDACPU_REDUCE(name, T, expression)                                          \
    inline T __reduce_##name##_sync(unsigned int mask, T value, CUDACPU_SITE)        \
    {                                                                                \
        return cudacpu::reduce(                                                      \
            mask, value, [](T a, T b) -> T { return (T)(expression); }, file, line); \
    }
CUDACPU_REDUCE(add, unsigned int, a + b)
CUDACPU_REDUCE(add, int, (unsigned int)a + (unsigned int)b)
CUDACPU_REDUCE(min, unsigned int, b < a ? b : a)
CUDACPU_REDUCE(min, int, b < a ? b : a)
CUDACPU_REDUCE(max, unsigned int, a < b ? b : a)
CUDACPU_REDUCE(max, int, a < b ? b : a)
CUDACPU_REDUCE(and, unsigned int, a &b)
CUDACPU_REDUCE(or, unsigned int, a | b)
CUDACPU_REDUCE(xor, unsigned int, a ^ b)
#undef CUDACPU_REDUCE

#undef CUDACPU_SITE
#endif
