// The functions of section 10.2 as the host computes them, and the operands with which atomics.cu
// calls them.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stddef.h>
#include <type_traits>

typedef long long int64;
typedef unsigned long long uint64;

enum Function // in the order of section 10.2
{
    ADD,
    SUB,
    EXCH,
    MIN,
    MAX,
    INC,
    DEC,
    CAS, // compare and swap
    AND,
    OR,
    XOR,
    NUM_FUNCTIONS,
    ADD_BY_CAS = NUM_FUNCTIONS, // Listing 10.2
    NUM_ROWS
};

const struct
{
    const char *name, *new_value;
} FUNCTIONS[NUM_ROWS] = {
    {"atomicAdd", "old + val"},
    {"atomicSub", "old - val"},
    {"atomicExch", "val"},
    {"atomicMin", "old < val ? old : val"},
    {"atomicMax", "old > val ? old : val"},
    {"atomicInc", "old >= val ? 0 : old + 1"},
    {"atomicDec", "old == 0 || old > val ? val : old - 1"},
    {"atomicCAS", "old == compare ? val : old"},
    {"atomicAnd", "old & val"},
    {"atomicOr", "old | val"},
    {"atomicXor", "old ^ val"},
    {"add_by_cas", "old + val"},
};

// ---- What a function makes of the word ----

template <typename T>
T new_value(Function function, T old, T compare, T val) // of an integer
{
    switch (function)
    {
    case ADD:
        return old + val;
    case SUB:
        return old - val;
    case EXCH:
        return val;
    case MIN:
        return old < val ? old : val;
    case MAX:
        return old > val ? old : val;
    case INC:
        return old >= val ? 0 : old + 1;
    case DEC:
        return old == 0 || old > val ? val : old - 1;
    case CAS:
        return old == compare ? val : old;
    case AND:
        return old & val;
    case OR:
        return old | val;
    default:
        return old ^ val;
    }
}

inline float new_value(Function function, float old, float, float val)
{
    return function == ADD ? old + val : val; // the other one is EXCH
}

inline double new_value(Function, double old, double, double val) // of both additions
{
    return old + val;
}

// The sum of two numbers of 16 bits is exact in float. So it is rounded once, as on the device.
inline __half new_value(Function, __half old, __half, __half val) // ADD only
{
    return (__half)((float)old + (float)val);
}

inline __nv_bfloat16 new_value(Function, __nv_bfloat16 old, __nv_bfloat16,
                               __nv_bfloat16 val) // ADD only
{
    return (__nv_bfloat16)((float)old + (float)val);
}

// 16 bytes, which have had an exchange and a compare-and-swap since compute capability 9.0.
struct alignas(16) Wide
{
    uint64 x, y;
};

inline Wide new_value(Function function, Wide old, Wide compare, Wide val)
{
    const bool changes = function == EXCH || (old.x == compare.x && old.y == compare.y);
    return changes ? val : old;
}

// ---- The operands of the calls ----

const unsigned ROUNDS = 4; // calls of each thread

// The k-th of values in rising order that change every part of a word: both halves of 64 bits, the
// sign of signed integers, and the highest bit of unsigned ones.
template <typename T>
T number(int64 k)
{
    if constexpr (std::is_same_v<T, Wide>)
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

// The word before the first call.
template <typename T>
T first_value(Function function)
{
    if constexpr (std::is_integral_v<T>)
    {
        switch (function)
        {
        case AND:
            return (T) ~(T)0;
        case OR:
        case XOR:
        case INC:
        case DEC:
            return 0;
        default:
            break;
        }
    }
    return number<T>(0);
}

// The operand of call i of `count`, chosen so that most calls change the word. The parts of a pair
// get different operands by `factor`.
template <typename T>
T operand(Function function, int64 i, size_t count, int factor)
{
    if constexpr (std::is_integral_v<T>)
    {
        const T bit = (T)1 << (i * 8 * sizeof(T) / count); // the low bits first
        switch (function)
        {
        case AND:
            return (T)~bit;
        case OR:
        case XOR:
            return bit;
        case INC:
        case DEC:
            return 9;
        default:
            break;
        }
    }
    switch (function)
    {
    case ADD:
    case ADD_BY_CAS:
    case SUB:
        return number<T>(factor * (i % 17 - 8));
    case MIN:
        return number<T>(-i - 1);
    case CAS:
        return number<T>(i * ROUNDS / count + 1); // what the next round compares with
    default:
        return number<T>(i + 1);
    }
}
