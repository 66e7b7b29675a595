// How a kind of numbers is made of random integers. An item is the least that can be made at once:
// one number, or two normal ones. raw[i][lane] is the i-th integer of the item of this lane.
#ifndef CUDACPU_CURAND_KINDS_H
#define CUDACPU_CURAND_KINDS_H
#include "generator.h"

namespace cudacpu_curand
{
const int LANES = 64; // that are worked on at once

typedef unsigned int Raw[LANES];

struct MakeInteger
{
    typedef unsigned int Number;
    static const int RAW = 1, NUMBERS = 1;

    static void make(const Draw *, const Raw *raw, int lane, Number *number)
    {
        number[0] = raw[0][lane];
    }
};

struct MakeUniform
{
    typedef float Number;
    static const int RAW = 1, NUMBERS = 1;

    static void make(const Draw *, const Raw *raw, int lane, Number *number)
    {
        number[0] = cudacpu::uniform(raw[0][lane]);
    }
};

struct MakeUniformDouble
{
    typedef double Number;
    static const int RAW = 2, NUMBERS = 1;

    static void make(const Draw *, const Raw *raw, int lane, Number *number)
    {
        number[0] = cudacpu::uniform_double(raw[0][lane], raw[1][lane]);
    }
};

struct MakeNormal
{
    typedef float Number;
    static const int RAW = 2, NUMBERS = 2;

    static void make(const Draw *draw, const Raw *raw, int lane, Number *number)
    {
        const float2 both = cudacpu::normal(raw[0][lane], raw[1][lane]);
        number[0] = (float)draw->mean + (float)draw->stddev * both.x;
        number[1] = (float)draw->mean + (float)draw->stddev * both.y;
    }
};

struct MakeNormalDouble
{
    typedef double Number;
    static const int RAW = 4, NUMBERS = 2;

    static void make(const Draw *draw, const Raw *raw, int lane, Number *number)
    {
        const double2 both =
            cudacpu::normal_double(raw[0][lane], raw[1][lane], raw[2][lane], raw[3][lane]);
        number[0] = draw->mean + draw->stddev * both.x;
        number[1] = draw->mean + draw->stddev * both.y;
    }
};

struct MakeLogNormal : MakeNormal
{
    static void make(const Draw *draw, const Raw *raw, int lane, Number *number)
    {
        MakeNormal::make(draw, raw, lane, number);
        number[0] = expf(number[0]);
        number[1] = expf(number[1]);
    }
};

struct MakeLogNormalDouble : MakeNormalDouble
{
    static void make(const Draw *draw, const Raw *raw, int lane, Number *number)
    {
        MakeNormalDouble::make(draw, raw, lane, number);
        number[0] = exp(number[0]);
        number[1] = exp(number[1]);
    }
};

} // namespace cudacpu_curand

// Calls function<Make>(arguments ...) for the kind that is asked for.
#define FOR_KIND(kind, function, ...)                     \
    switch (kind)                                         \
    {                                                     \
    case INTEGERS:                                        \
        function<MakeInteger>(__VA_ARGS__);               \
        break;                                            \
    case UNIFORM:                                         \
        function<MakeUniform>(__VA_ARGS__);               \
        break;                                            \
    case UNIFORM_DOUBLE:                                  \
        function<MakeUniformDouble>(__VA_ARGS__);         \
        break;                                            \
    case NORMAL:                                          \
        function<MakeNormal>(__VA_ARGS__);                \
        break;                                            \
    case NORMAL_DOUBLE:                                   \
        function<MakeNormalDouble>(__VA_ARGS__);          \
        break;                                            \
    case LOG_NORMAL:                                      \
        function<MakeLogNormal>(__VA_ARGS__);             \
        break;                                            \
    case LOG_NORMAL_DOUBLE:                               \
        function<MakeLogNormalDouble>(__VA_ARGS__);       \
        break;                                            \
    default:                                              \
        break; /* api.cu gives the others to libcurand */ \
    }

#endif
