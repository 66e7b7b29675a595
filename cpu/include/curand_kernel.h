// cuRAND's device API for the CPU backend: XORWOW and Philox, with the same numbers as on a GPU.
// The integers and the uniform numbers are the same bits. Normal numbers differ from a GPU's by at
// most 4e-6 in float and 1e-14 in double. The functions may be called by the host, too.
//
// The other generators are declared, and a program that calls them does not link.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#include <cuda_runtime.h>
#include <curand.h>
#include "cudacpu_math.h"

struct curandStateXORWOW
{
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10
{
    uint4 ctr;
    uint4 output; // of this counter
    uint2 key;
    unsigned int STATE; // how many of the four numbers of `output` have been used
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateMtgp32 curandStateMtgp32_t;
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

struct curandStateMRG32k3a
{
    unsigned int s1[3], s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

struct curandStateSobol32
{
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};

struct curandStateScrambledSobol32
{
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};

struct curandStateSobol64
{
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};

struct curandStateScrambledSobol64
{
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};

namespace cudacpu
{
// --- XORWOW --------------------------------------------------------------------------------------

const int XORWOW_WORDS = 5, XORWOW_BITS = 160;
const unsigned int XORWOW_WEYL = 362437u; // what d grows by

// One step of the 160 bits is linear over the field of two numbers: a matrix. Row b of the matrix
// is what the step makes of a state whose bit b alone is set.
struct XorwowMatrix
{
    unsigned int rows[XORWOW_BITS][XORWOW_WORDS];

    __host__ __device__ void apply(const unsigned int *from, unsigned int *to) const
    {
        unsigned int sum[XORWOW_WORDS] = {};
        for (int bit = 0; bit < XORWOW_BITS; ++bit)
        {
            const unsigned int mask = 0u - (from[bit / 32] >> bit % 32 & 1u);
            for (int word = 0; word < XORWOW_WORDS; ++word)
            {
                sum[word] ^= mask & rows[bit][word];
            }
        }
        for (int word = 0; word < XORWOW_WORDS; ++word)
        {
            to[word] = sum[word];
        }
    }
};

__host__ __device__ inline void xorwow_step(unsigned int *v)
{
    const unsigned int t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

// The matrices of 2^k steps: k up to 63 for an offset, and 67 more for a subsequence. They are made
// once, before main, in some milliseconds.
const int XORWOW_SUBSEQUENCE = 67, XORWOW_POWERS = XORWOW_SUBSEQUENCE + 64;
struct XorwowPowers
{
    XorwowMatrix steps[XORWOW_POWERS];

    XorwowPowers()
    {
        for (int bit = 0; bit < XORWOW_BITS; ++bit)
        {
            unsigned int v[XORWOW_WORDS] = {};
            v[bit / 32] = 1u << bit % 32;
            xorwow_step(v);
            memcpy(steps[0].rows[bit], v, sizeof(v));
        }
        for (int k = 1; k < XORWOW_POWERS; ++k)
        {
            square(&steps[k - 1], &steps[k]);
        }
    }

    // Four rows at a time: their 16 sums are made first.
    static void square(const XorwowMatrix *from, XorwowMatrix *to)
    {
        unsigned int sums[XORWOW_BITS / 4][16][XORWOW_WORDS] = {};
        for (int four = 0; four < XORWOW_BITS / 4; ++four)
        {
            for (int chosen = 1; chosen < 16; ++chosen)
            {
                const unsigned int *row = from->rows[4 * four + __builtin_ctz(chosen)];
                for (int word = 0; word < XORWOW_WORDS; ++word)
                {
                    sums[four][chosen][word] = sums[four][chosen & (chosen - 1)][word] ^ row[word];
                }
            }
        }
        for (int bit = 0; bit < XORWOW_BITS; ++bit)
        {
            unsigned int sum[XORWOW_WORDS] = {};
            for (int four = 0; four < XORWOW_BITS / 4; ++four)
            {
                const int chosen = from->rows[bit][four / 8] >> four % 8 * 4 & 15;
                for (int word = 0; word < XORWOW_WORDS; ++word)
                {
                    sum[word] ^= sums[four][chosen][word];
                }
            }
            memcpy(to->rows[bit], sum, sizeof(sum));
        }
    }
};
inline const XorwowPowers xorwow_powers;

// n 2^first steps.
__host__ __device__ inline void xorwow_skip(unsigned int *v, unsigned long long n, int first)
{
    for (int k = first; n != 0; ++k, n >>= 1)
    {
        if (n & 1)
        {
            xorwow_powers.steps[k].apply(v, v);
        }
    }
}

// --- Philox --------------------------------------------------------------------------------------

// Ten rounds make four random numbers of a counter.
__host__ __device__ inline uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; ++round)
    {
        const unsigned long long first = 0xd2511f53ull * counter.x;
        const unsigned long long second = 0xcd9e8d57ull * counter.z;
        counter = make_uint4((unsigned int)(second >> 32) ^ counter.y ^ key.x, (unsigned int)second,
                             (unsigned int)(first >> 32) ^ counter.w ^ key.y, (unsigned int)first);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

// Adds n to the counter. Of all sums only one is not that of numbers with 128 bits: if n ends in 32
// carries. cuRAND loses the last one, so it is lost here, too.
__host__ __device__ inline void philox_add(uint4 *counter, unsigned long long n)
{
    const unsigned int low = (unsigned int)n;
    unsigned int high = (unsigned int)(n >> 32);
    counter->x += low;
    high += counter->x < low;
    counter->y += high;
    if (high > counter->y)
    {
        counter->z += 1;
        counter->w += counter->z == 0;
    }
}

// --- what is made of the integers ----------------------------------------------------------------

__host__ __device__ inline float uniform(unsigned int x)
{
    return x * (1 / 4294967296.0f) + (1 / 8589934592.0f);
}

__host__ __device__ inline double uniform_double(unsigned int x)
{
    return x * (1 / 4294967296.0) + (1 / 4294967296.0);
}

__host__ __device__ inline unsigned long long bits_53(unsigned int x, unsigned int y)
{
    return (unsigned long long)x ^ (unsigned long long)y << 21;
}

__host__ __device__ inline double uniform_double(unsigned int x, unsigned int y)
{
    return bits_53(x, y) * (1 / 9007199254740992.0) + (1 / 18014398509481984.0);
}

// The method of Box and Muller: two normal numbers of two uniform ones.
__host__ __device__ inline float2 normal(unsigned int x, unsigned int y)
{
    const float circle = (1 / 4294967296.0f) * 6.2831855f;
    const float angle = y * circle + circle / 2;
    const float radius = sqrtf(-2.0f * logf(uniform(x)));
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}

__host__ __device__ inline double2 normal_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                                 unsigned int y1)
{
    const double radius = sqrt(-2.0 * log(uniform_double(x0, x1)));
    double sine, cosine;
    sincospi(bits_53(y0, y1) * (1 / 4503599627370496.0) + (1 / 9007199254740992.0), &sine, &cosine);
    return make_double2(radius * sine, radius * cosine);
}
} // namespace cudacpu

// --- the integers ----------------------------------------------------------------------------------

__host__ __device__ inline unsigned int curand(curandStateXORWOW_t *state)
{
    cudacpu::xorwow_step(state->v);
    state->d += cudacpu::XORWOW_WEYL;
    return state->v[4] + state->d;
}

__host__ __device__ inline void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    cudacpu::xorwow_skip(state->v, n, 0);
    state->d += cudacpu::XORWOW_WEYL * (unsigned int)n;
}

// A subsequence has 2^67 numbers. d is the same at the start of each.
__host__ __device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    cudacpu::xorwow_skip(state->v, n, cudacpu::XORWOW_SUBSEQUENCE);
}

__host__ __device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                            unsigned long long offset, curandStateXORWOW_t *state)
{
    const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    const unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    *state = curandStateXORWOW_t();
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

// The four next numbers.
__host__ __device__ inline uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const uint4 old = state->output;
    cudacpu::philox_add(&state->ctr, 1);
    state->output = cudacpu::philox(state->ctr, state->key);
    const uint4 fresh = state->output;
    switch (state->STATE)
    {
    case 1:
        return make_uint4(old.y, old.z, old.w, fresh.x);
    case 2:
        return make_uint4(old.z, old.w, fresh.x, fresh.y);
    case 3:
        return make_uint4(old.w, fresh.x, fresh.y, fresh.z);
    default:
        return old;
    }
}

__host__ __device__ inline unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    const uint4 output = state->output;
    switch (state->STATE++)
    {
    case 0:
        return output.x;
    case 1:
        return output.y;
    case 2:
        return output.z;
    default:
        cudacpu::philox_add(&state->ctr, 1);
        state->output = cudacpu::philox(state->ctr, state->key);
        state->STATE = 0;
        return output.w;
    }
}

__host__ __device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += (unsigned int)(n % 4);
    cudacpu::philox_add(&state->ctr, n / 4 + state->STATE / 4);
    state->STATE %= 4;
    state->output = cudacpu::philox(state->ctr, state->key);
}

// A subsequence has 2^66 numbers.
__host__ __device__ inline void skipahead_sequence(unsigned long long n,
                                                   curandStatePhilox4_32_10_t *state)
{
    const unsigned long long high = (unsigned long long)state->ctr.w << 32 | state->ctr.z;
    state->ctr.z = (unsigned int)(high + n);
    state->ctr.w = (unsigned int)((high + n) >> 32);
    state->output = cudacpu::philox(state->ctr, state->key);
}

__host__ __device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                            unsigned long long offset,
                                            curandStatePhilox4_32_10_t *state)
{
    *state = curandStatePhilox4_32_10_t();
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

// --- uniform numbers -------------------------------------------------------------------------------

// Above 0, up to 1: 1 can occur, 0 cannot.
template <class State>
__host__ __device__ inline float curand_uniform(State *state)
{
    return cudacpu::uniform(curand(state));
}

__host__ __device__ inline double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned int x = curand(state), y = curand(state);
    return cudacpu::uniform_double(x, y);
}

// Of one integer, as in cuRAND: 32 random bits.
__host__ __device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return cudacpu::uniform_double(curand(state));
}

__host__ __device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return make_double2(cudacpu::uniform_double(x.x, x.y), cudacpu::uniform_double(x.z, x.w));
}

__host__ __device__ inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

__host__ __device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return make_float4(cudacpu::uniform(x.x), cudacpu::uniform(x.y), cudacpu::uniform(x.z),
                       cudacpu::uniform(x.w));
}

// --- normal and log-normal numbers -----------------------------------------------------------------

template <class State>
__host__ __device__ inline float2 curand_normal2(State *state)
{
    const unsigned int x = curand(state), y = curand(state);
    return cudacpu::normal(x, y);
}

template <class State>
__host__ __device__ inline double2 curand_normal2_double(State *state)
{
    const unsigned int x0 = curand(state), x1 = curand(state);
    const unsigned int y0 = curand(state), y1 = curand(state);
    return cudacpu::normal_double(x0, x1, y0, y1);
}

template <class State>
__host__ __device__ inline float2 curand_log_normal2(State *state, float mean, float stddev)
{
    const float2 v = curand_normal2(state);
    return make_float2(expf(mean + stddev * v.x), expf(mean + stddev * v.y));
}

template <class State>
__host__ __device__ inline double2 curand_log_normal2_double(State *state, double mean,
                                                             double stddev)
{
    const double2 v = curand_normal2_double(state);
    return make_double2(exp(mean + stddev * v.x), exp(mean + stddev * v.y));
}

// The numbers come in pairs. The state keeps the second one for the next call. A call for numbers
// of the other kind drops it.
#define CUDACPU_ONE_OF_TWO(flag, extra, kind, pair) \
    if (state->flag == kind)                        \
    {                                               \
        state->flag = 0;                            \
        return state->extra;                        \
    }                                               \
    const auto both = pair;                         \
    state->flag = kind;                             \
    state->extra = both.y;                          \
    return both.x;
template <class State>
__host__ __device__ inline float curand_normal(State *state)
{
    CUDACPU_ONE_OF_TWO(boxmuller_flag, boxmuller_extra, 1, curand_normal2(state))
}

template <class State>
__host__ __device__ inline float curand_log_normal(State *state, float mean, float stddev)
{
    CUDACPU_ONE_OF_TWO(boxmuller_flag, boxmuller_extra, 2, curand_log_normal2(state, mean, stddev))
}

template <class State>
__host__ __device__ inline double curand_normal_double(State *state)
{
    CUDACPU_ONE_OF_TWO(boxmuller_flag_double, boxmuller_extra_double, 1,
                       curand_normal2_double(state))
}

template <class State>
__host__ __device__ inline double curand_log_normal_double(State *state, double mean,
                                                           double stddev){
    CUDACPU_ONE_OF_TWO(boxmuller_flag_double, boxmuller_extra_double, 2,
                       curand_log_normal2_double(state, mean, stddev))}
#undef CUDACPU_ONE_OF_TWO

__host__ __device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const float2 a = cudacpu::normal(x.x, x.y), b = cudacpu::normal(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

__host__ __device__ inline double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

__host__ __device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                                     float stddev)
{
    const float4 v = curand_normal4(state);
    return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y),
                       expf(mean + stddev * v.z), expf(mean + stddev * v.w));
}

// --- what a GPU has besides ------------------------------------------------------------------------

void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                 curandStateMRG32k3a_t *state);
void curand_init(curandDirectionVectors32_t vectors, unsigned int offset,
                 curandStateSobol32_t *state);
void curand_init(curandDirectionVectors32_t vectors, unsigned int scramble, unsigned int offset,
                 curandStateScrambledSobol32_t *state);
void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset,
                 curandStateSobol64_t *state);
void curand_init(curandDirectionVectors64_t vectors, unsigned long long scramble,
                 unsigned long long offset, curandStateScrambledSobol64_t *state);
unsigned int curand(curandStateMRG32k3a_t *state);
unsigned int curand(curandStateSobol32_t *state);
unsigned int curand(curandStateScrambledSobol32_t *state);
unsigned long long curand(curandStateSobol64_t *state);
unsigned long long curand(curandStateScrambledSobol64_t *state);
double curand_uniform_double(curandStateMRG32k3a_t *state);
unsigned int curand_poisson(curandStateXORWOW_t *state, double lambda);
unsigned int curand_poisson(curandStatePhilox4_32_10_t *state, double lambda);
uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda);
unsigned int curand_discrete(curandStateXORWOW_t *state, curandDiscreteDistribution_t distribution);
unsigned int curand_discrete(curandStatePhilox4_32_10_t *state,
                             curandDiscreteDistribution_t distribution);

#endif
