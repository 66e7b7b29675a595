// What the parts of CUB share: its types, temporary storage, and which thread this is.
#ifndef CUDACPU_CUB_UTIL_TYPE_CUH
#define CUDACPU_CUB_UTIL_TYPE_CUH
#include <iterator>
#include <limits>
#include <type_traits>
#include "version.cuh"

namespace cub
{
struct NullType
{
};

template <class KeyType, class ValueType>
struct KeyValuePair
{
    typedef KeyType Key;
    typedef ValueType Value;

    Key key;
    Value value;

    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const Key &key, const Value &value) : key(key), value(value)
    {
    }
    __host__ __device__ bool operator!=(const KeyValuePair &other) const
    {
        return value != other.value || key != other.key;
    }
};

// The members of collectives, and those that are long. The checker needs them within the kernel: it
// names the kernel's line.
#ifdef CUDACPU_CHECKER
#define CUDACPU_CUB_MEMBER __attribute__((always_inline))
#define CUDACPU_CUB_APART __attribute__((always_inline))
#else
#define CUDACPU_CUB_MEMBER
#define CUDACPU_CUB_APART __attribute__((noinline))
#endif

// What the compiler calls before an access: called by name it keeps the line.
#ifdef CUDACPU_CHECKER
extern "C" void __tsan_read1(const void *address);
extern "C" void __tsan_write1(void *address);
#endif

// Room for a T in shared memory or in a union, where no constructor may run.
template <class T>
struct Uninitialized
{
#ifdef CUDACPU_CHECKER
    char in_use;
#endif
    alignas(T) char bytes[sizeof(T)];

    __host__ __device__ T &Alias()
    {
        return reinterpret_cast<T &>(bytes);
    }

    // Between two uses of a storage a barrier has to stand, also where our own accesses would do
    // without. So the checker sees the first thread write when a use begins, and all read when it
    // ends. The two need a barrier between them.
    __device__ void begin_use(int tid)
    {
#ifdef CUDACPU_CHECKER
        if (tid == 0)
        {
            __tsan_write1(&in_use);
        }
#else
        (void)tid;
#endif
    }
    __device__ void end_use()
    {
#ifdef CUDACPU_CHECKER
        __tsan_read1(&in_use);
#endif
    }
};

// The thread's number in its block, x first.
inline __device__ int RowMajorTid(int block_dim_x, int block_dim_y, int)
{
    return ((int)threadIdx.z * block_dim_y + (int)threadIdx.y) * block_dim_x + (int)threadIdx.x;
}

inline __device__ unsigned int LaneId()
{
    return cudacpu::lane();
}

namespace detail
{
const int WARP = 32;

// What an operation on values of these types gives: CUB adds up chars in an int.
template <class Op, class Init, class Input>
using accumulator = std::decay_t<std::invoke_result_t<Op, Init, Input>>;

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;

// The type that an output iterator takes; `Other` where it does not say.
template <class Iterator, class Other>
using value_of_output =
    std::conditional_t<std::is_void<value_of<Iterator>>::value, Other, value_of<Iterator>>;

// all[0] op all[1] op ..., in the order of a warp's shuffles: first each with its neighbour, then
// pairs of pairs. Sums of floats round as they do on a GPU.
template <class T, class Op>
inline T reduce_lanes(T *all, int n, Op op)
{
    for (int offset = 1; offset < n; offset *= 2)
    {
        for (int i = 0; i + offset < n; i += 2 * offset)
        {
            all[i] = op(all[i], all[i + offset]);
        }
    }
    return all[0];
}

// The same, for the last lane of an inclusive scan: here the pairs are counted from the end.
template <class T, class Op>
inline T scan_lanes(T *all, int n, Op op)
{
    for (int offset = 1; offset < n; offset *= 2)
    {
        for (int i = n - 1; i >= offset; i -= 2 * offset)
        {
            all[i] = op(all[i - offset], all[i]);
        }
    }
    return all[n - 1];
}

// A logical warp: neighbouring lanes of a warp. Those exist for which the block has threads.
template <int WIDTH>
struct Lanes
{
    static_assert(WIDTH >= 1 && WIDTH <= WARP, "a logical warp has 1 to 32 threads");
    int first, lane, number; // of its lanes: the first, this one (from 0 on), how many there are
    unsigned int mask;

    Lanes()
    {
        const int threads = blockDim.x * blockDim.y * blockDim.z;
        const int thread = RowMajorTid(blockDim.x, blockDim.y, blockDim.z);
        const int own = thread % WARP;
        const int in_warp = threads - (thread - own) < WARP ? threads - (thread - own) : WARP;
        first = own - own % WIDTH;
        lane = own % WIDTH;
        number = in_warp - first < WIDTH ? in_warp - first : WIDTH;
        mask = 0xffffffffu >> (WARP - number) << first;
    }

    // All lanes bring a value. This one takes those of the lanes from ... from + n - 1.
    template <class T>
    void exchange(const T &value, int from, int n, T *all) const
    {
        constexpr int WORDS = (sizeof(T) + 7) / 8;
        unsigned long words[WORDS] = {};
        memcpy(words, (const void *)&value, sizeof(T));
        for (int word = 0; word < WORDS; ++word)
        {
            const size_t at = 8 * word, bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
            cudacpu_warp_exchange(mask, words[word], __FILE__, __LINE__);
            for (int i = 0; i < n; ++i)
            {
                const unsigned long bits =
                    from + i == lane ? words[word] : cudacpu_lane_value(first + from + i);
                memcpy((char *)(void *)&all[i] + at, &bits, bytes);
            }
        }
        asm volatile("" : : "r"(all) : "memory"); // g++ cannot see that all of them are filled
    }
};

// Room for 32 values, none of them constructed.
template <class T>
struct LaneValues
{
    alignas(T) char bytes[WARP * sizeof(T)];

    T *all()
    {
        return reinterpret_cast<T *>(bytes);
    }
};
} // namespace detail
} // namespace cub

#endif
