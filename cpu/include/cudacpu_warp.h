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

// The value of lane `source` if it is one of this lane's segment, else this lane's own.
template <class T>
inline T shuffle(unsigned int mask, T value, int source, bool inside, const char *file, int line)
{
    cudacpu_warp_exchange(mask, pack(value), file, line);
    if (!inside || (mask >> source & 1) == 0 || source == (int)lane())
    {
        return value;
    }
    const unsigned long bits = cudacpu_lane_value(source);
    T result;
    memcpy(&result, &bits, sizeof(result));
    return result;
}
} // namespace cudacpu

inline void __syncwarp(unsigned int mask = 0xffffffff, CUDACPU_SITE)
{
    cudacpu_warp_exchange(mask, 0, file, line);
}

inline unsigned int __ballot_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    return cudacpu_warp_exchange(mask, condition != 0, file, line);
}

inline int __any_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    return cudacpu_warp_exchange(mask, condition != 0, file, line) != 0;
}

inline int __all_sync(unsigned int mask, int condition, CUDACPU_SITE)
{
    return cudacpu_warp_exchange(mask, condition == 0, file, line) == 0;
}

template <class T>
inline T __shfl_sync(unsigned int mask, T value, int source, int width = 32, CUDACPU_SITE)
{
    const int base = (int)cudacpu::lane() & ~(width - 1);
    return cudacpu::shuffle(mask, value, base | (source & (width - 1)), true, file, line);
}

template <class T>
inline T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                        CUDACPU_SITE)
{
    const int lane = cudacpu::lane(), source = lane - (int)delta;
    const bool inside = source >= (lane & ~(width - 1));
    return cudacpu::shuffle(mask, value, source & 31, inside, file, line);
}

template <class T>
inline T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                          CUDACPU_SITE)
{
    const int lane = cudacpu::lane(), source = lane + (int)delta;
    const bool inside = source < (lane & ~(width - 1)) + width;
    return cudacpu::shuffle(mask, value, source & 31, inside, file, line);
}

template <class T>
inline T __shfl_xor_sync(unsigned int mask, T value, int bits, int width = 32, CUDACPU_SITE)
{
    const int lane = cudacpu::lane(), source = lane ^ bits;
    const bool inside = source < (lane & ~(width - 1)) + width;
    return cudacpu::shuffle(mask, value, source & 31, inside, file, line);
}

#undef CUDACPU_SITE
#endif
