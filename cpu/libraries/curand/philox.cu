// Philox in the order of cuRAND. Four numbers in a row come from one of 65536 subsequences, the next
// four from the next one, and after the last one the first goes on. For four numbers a subsequence
// needs one counter, or two if they are doubles. So each subsequence has a counter of its own.
#include "kinds.h"

namespace cudacpu_curand
{
const int PART = 1024; // subsequences of a thread
const int PARTS = PHILOX_SUBSEQUENCES / PART;

// An offset of n lets each subsequence draw as if n integers had been drawn already.
static __host__ __device__ void seed_part(unsigned long long *counters, unsigned long long offset,
                                          int part)
{
    for (int subsequence = part * PART; subsequence < (part + 1) * PART; ++subsequence)
    {
        const unsigned long long fours = offset / 4;
        counters[subsequence] = fours / PHILOX_SUBSEQUENCES +
                                ((unsigned long long)subsequence < fours % PHILOX_SUBSEQUENCES);
    }
}

__global__ void philox_seed(unsigned long long *counters, unsigned long long offset)
{
    seed_part(counters, offset, blockIdx.x);
}

// The numbers of 64 subsequences from the one with this number on. The first number of all is the
// one at position `first`, and `start` is the position of the first four numbers here.
template <class Make>
static void draw_lanes(unsigned long long *counters, const Draw *draw, uint2 key,
                       unsigned long long first, unsigned long long start, int subsequence)
{
    const int ITEMS = 4 / Make::NUMBERS;        // that four numbers are
    const int COUNTERS = ITEMS * Make::RAW / 4; // that four numbers need
    const unsigned long long end = first + draw->n;
    typename Make::Number *output = (typename Make::Number *)draw->output;
    Raw raw[4 * COUNTERS];
    for (int i = 0; i < COUNTERS; ++i)
    {
        for (int lane = 0; lane < LANES; ++lane)
        {
            const unsigned long long n = counters[subsequence + lane] + i;
            const uint4 x = cudacpu::philox(
                make_uint4((unsigned int)n, (unsigned int)(n >> 32), subsequence + lane, 0), key);
            raw[4 * i][lane] = x.x;
            raw[4 * i + 1][lane] = x.y;
            raw[4 * i + 2][lane] = x.z;
            raw[4 * i + 3][lane] = x.w;
        }
    }
    for (int lane = 0; lane < LANES; ++lane)
    {
        const unsigned long long begin = start + 4 * lane;
        typename Make::Number numbers[4];
        for (int item = 0; item < ITEMS; ++item)
        {
            Make::make(draw, raw + item * Make::RAW, lane, numbers + item * Make::NUMBERS);
        }
        if (begin >= first && begin + 4 <= end)
        {
            memcpy(output + (begin - first), numbers, sizeof(numbers));
        }
        for (int i = 0; i < 4 && (begin < first || begin + 4 > end); ++i)
        {
            if (begin + i >= first && begin + i < end)
            {
                output[begin + i - first] = numbers[i];
            }
        }
        const bool ends_here = begin + 4 > first && begin + 4 <= end;
        counters[subsequence + lane] += ends_here ? COUNTERS : 0;
    }
}

template <class Make>
static void draw_part(unsigned long long *counters, const Draw *draw, unsigned long long seed,
                      unsigned long long first, int part)
{
    const uint2 key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    const unsigned long long round = 4ull * PHILOX_SUBSEQUENCES, end = first + draw->n;
    for (unsigned long long start = first - first % round; start < end; start += round)
    {
        for (int subsequence = part * PART; subsequence < (part + 1) * PART; subsequence += LANES)
        {
            const unsigned long long here = start + 4ull * subsequence;
            if (here + 4 * LANES > first && here < end)
            {
                draw_lanes<Make>(counters, draw, key, first, here, subsequence);
            }
        }
    }
}

template <class Make>
__global__ void philox_kernel(unsigned long long *counters, Draw draw, unsigned long long seed,
                              unsigned long long first)
{
    draw_part<Make>(counters, &draw, seed, first, blockIdx.x);
}

template <class Make>
static void draw_all(curandGenerator_t generator, const Draw *draw)
{
    unsigned long long *counters = (unsigned long long *)generator->state;
    const unsigned long long seed = generator->settings.seed, first = generator->position;
    generator->position += draw->n;
    if (!generator->on_host)
    {
        philox_kernel<Make><<<PARTS, 1, 0, generator->stream>>>(counters, *draw, seed, first);
        return;
    }
    for (int part = 0; part < PARTS; ++part)
    {
        draw_part<Make>(counters, draw, seed, first, part);
    }
}

// A new seed alone lets the numbers go on at the next multiple of four.
bool philox_draw(curandGenerator_t generator, const Draw *draw)
{
    const int changed = generator->changed;
    if (!state_of(generator, PHILOX_SUBSEQUENCES * sizeof(unsigned long long)))
    {
        return false;
    }
    if (changed & (SEED | OFFSET))
    {
        generator->position = changed & OFFSET ? generator->settings.offset
                                               : generator->position - generator->position % 4;
        unsigned long long *counters = (unsigned long long *)generator->state;
        if (!generator->on_host)
        {
            philox_seed<<<PARTS, 1, 0, generator->stream>>>(counters, generator->position);
        }
        for (int part = 0; generator->on_host && part < PARTS; ++part)
        {
            seed_part(counters, generator->position, part);
        }
    }
    FOR_KIND(draw->kind, draw_all, generator, draw)
    return true;
}
} // namespace cudacpu_curand
