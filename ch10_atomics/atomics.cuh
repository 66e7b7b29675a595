// The types and functions of Table 10.1 in one form, and whether calls happened one at a time.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <algorithm>
#include <type_traits>
#include <vector>
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"

typedef long long int64;
typedef unsigned long long uint64;

// 16 bytes, which have had an exchange and a compare-and-swap since compute capability 9.0.
struct alignas(16) Wide
{
    uint64 x, y;
};

bool operator==(Wide a, Wide b)
{
    return a.x == b.x && a.y == b.y;
}

// What is changed as a whole (pairs and quadruples are changed part by part), the compute
// capability that this needs, times 100, and whether it needs a GPU.
template <typename P, int CAPABILITY, bool GPU>
struct Parts
{
    typedef P Part;
    static const int NEEDS = CAPABILITY;
    static const bool GPU_ONLY = GPU;
};
template <typename T>
struct Of : Parts<T, 0, false>
{
};
template <>
struct Of<Wide> : Parts<Wide, 900, true>
{
};
template <>
struct Of<__half2> : Parts<__half, 0, true>
{
};
template <>
struct Of<__nv_bfloat162> : Parts<__nv_bfloat16, 0, true>
{
};
template <>
struct Of<float2> : Parts<float, 900, true>
{
};
template <>
struct Of<float4> : Parts<float, 900, true>
{
};

// The host adds numbers of 16 bits as float and rounds once more: that is exact rounding.
template <typename T>
auto widen(T x)
{
    if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>)
    {
        return (float)x;
    }
    else
    {
        return x;
    }
}

// The k-th of values in rising order that try every bit: for 64-bit integers, both halves; for
// signed ones, from below 0 to above; for unsigned ones, across the bit that would be the sign.
template <typename T>
T number(int64 k)
{
    typedef typename Of<T>::Part Part;
    if constexpr (!std::is_same_v<T, Part>)
    {
        T all;
        for (size_t i = 0; i < sizeof(T) / sizeof(Part); ++i)
        {
            const Part part = number<Part>((i + 1) * k);
            memcpy((char *)&all + i * sizeof(Part), &part, sizeof(Part));
        }
        return all;
    }
    else if constexpr (std::is_same_v<T, Wide>)
    {
        return {(uint64)k, ~(uint64)k};
    }
    else if constexpr (std::is_integral_v<T>)
    {
        const uint64 middle = std::is_signed_v<T> ? 0 : (uint64)1 << (8 * sizeof(T) - 1);
        return (T)(middle + k * (sizeof(T) == 8 ? 0x100000001 : 1));
    }
    else
    {
        return (T)(float)k;
    }
}

// Calls are numbered; this is the bit for the i-th of `count`, low ones first.
template <typename T>
T bit(size_t i, size_t count)
{
    return (T)1 << (i * 8 * sizeof(T) / count);
}

template <typename T>
typename Of<T>::Part part_of(const T &all, size_t p)
{
    typename Of<T>::Part part;
    memcpy(&part, (const char *)&all + p * sizeof(part), sizeof(part));
    return part;
}

#ifdef __CUDA_ARCH__
const int ARCH = __CUDA_ARCH__; // code for an older device leaves out what that does not have
#else
const int ARCH = 10000;
#endif

enum Scope
{
    DEVICE, // atomic for all threads of the device,
    BLOCK,  // of the block,
    SYSTEM  // of all devices, and for the host
};

// A function: the host's model of it, the operands to try it with, and the call in each scope.
#define FUNCTION(name, arguments, new_value, first, ith)                          \
    struct name                                                                   \
    {                                                                             \
        static constexpr const char *NAME = "atomic" #name, *RULE = #new_value;   \
                                                                                  \
        template <typename T>                                                     \
        static T model(T is, [[maybe_unused]] T compare, [[maybe_unused]] T by)   \
        {                                                                         \
            [[maybe_unused]] const auto old = widen(is), val = widen(by);         \
            return (T)(new_value);                                                \
        }                                                                         \
        template <typename T>                                                     \
        static T start(void)                                                      \
        {                                                                         \
            return first;                                                         \
        }                                                                         \
        template <typename T>                                                     \
        static T operand([[maybe_unused]] int64 i, [[maybe_unused]] size_t count) \
        {                                                                         \
            return ith;                                                           \
        }                                                                         \
        template <Scope SCOPE, typename T>                                        \
        static __device__ T call(T *address, [[maybe_unused]] T compare, T val)   \
        {                                                                         \
            if constexpr (ARCH < Of<T>::NEEDS)                                    \
            {                                                                     \
                return val;                                                       \
            }                                                                     \
            else if constexpr (SCOPE == DEVICE)                                   \
            {                                                                     \
                return atomic##name arguments;                                    \
            }                                                                     \
            else if constexpr (SCOPE == BLOCK)                                    \
            {                                                                     \
                return atomic##name##_block arguments;                            \
            }                                                                     \
            else                                                                  \
            {                                                                     \
                return atomic##name##_system arguments;                           \
            }                                                                     \
        }                                                                         \
    };

template <typename T>
T *to_device(const std::vector<T> &host)
{
    T *device;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <typename T>
void from_device(std::vector<T> &host, T *device)
{
    CHECK(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

struct Test
{
    unsigned N, block_size, grid_size;
};

// ---- Is there an order? ----

struct Step
{
    uint64 from, to;
};

// A value as a number that stands for it.
template <typename T>
uint64 key(T value)
{
    if constexpr (std::is_same_v<T, Wide>)
    {
        return hash_bits(value.x, value.y);
    }
    uint64 bits = 0;
    memcpy(&bits, &value, sizeof(T) < 8 ? sizeof(T) : 8);
    return bits;
}

size_t root_of(std::vector<size_t> &parent, size_t v)
{
    while (parent[v] != v)
    {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

// Can all the steps be taken, one after the other, from `first` to `last`?
bool is_walk(const std::vector<Step> &steps, uint64 first, uint64 last)
{
    std::vector<uint64> values = {first, last};
    for (const Step &step : steps)
    {
        values.push_back(step.from);
        values.push_back(step.to);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto place = [&](uint64 value)
    {
        return (size_t)(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    };
    std::vector<int> surplus(values.size(), 0); // steps that leave, less those that reach it
    std::vector<size_t> parent(values.size());  // of the trees whose roots name what hangs together
    for (size_t v = 0; v < parent.size(); ++v)
    {
        parent[v] = v;
    }
    for (const Step &step : steps)
    {
        const size_t from = place(step.from), to = place(step.to);
        ++surplus[from];
        --surplus[to];
        parent[root_of(parent, from)] = root_of(parent, to);
    }
    --surplus[place(first)];
    ++surplus[place(last)];
    const size_t root = root_of(parent, place(first));
    bool right = true;
    for (size_t v = 0; v < values.size(); ++v)
    {
        right = right && surplus[v] == 0 && root_of(parent, v) == root;
    }
    return right;
}

// It must find an order where there is one, and none where there is none.
void check_walks(void)
{
    check_true("1, 1, 2 adds to 4 in one order", is_walk({{1, 2}, {0, 1}, {2, 4}}, 0, 4));
    check_true("a lost update is noticed", !is_walk({{0, 1}, {0, 1}, {1, 2}}, 0, 2));
    check_true("steps out of reach are noticed", !is_walk({{0, 1}, {5, 6}, {6, 5}}, 0, 1));
}

// Did each word's calls happen one at a time? Call i is one of thread i % N, and so many threads
// share a word. Each part of a pair is a word for itself.
template <typename Function, typename T>
bool are_walks(const std::vector<T> &words, const std::vector<T> &compare,
               const std::vector<T> &val, const std::vector<T> &old, size_t N, size_t sharers)
{
    typedef typename Of<T>::Part Part;
    const T first = Function::template start<T>();
    bool right = true;
    for (size_t p = 0; p < sizeof(T) / sizeof(Part); ++p)
    {
        std::vector<std::vector<Step>> steps(words.size());
        for (size_t i = 0; i < old.size(); ++i)
        {
            const Part is = part_of(old[i], p);
            const Part becomes = Function::model(is, part_of(compare[i], p), part_of(val[i], p));
            const size_t word = i % N / sharers;
            steps[word].push_back({key(is), key(becomes)});
        }
        for (size_t word = 0; word < words.size(); ++word)
        {
            right =
                right && is_walk(steps[word], key(part_of(first, p)), key(part_of(words[word], p)));
        }
    }
    return right;
}
