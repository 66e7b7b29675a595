// XORWOW in the order of cuRAND: item n comes from lane n % 4096. Lane l draws from subsequence l of
// the seed, as many integers for each item as the kind needs.
#include "kinds.h"

namespace cudacpu_curand
{
const int PARTS = XORWOW_LANES / LANES;

// Words of neighbouring lanes lie side by side, so that one instruction of the processor can work on
// several lanes.
struct XorwowLanes
{
    unsigned int d[XORWOW_LANES], v[cudacpu::XORWOW_WORDS][XORWOW_LANES];
};

// An offset of n lets each lane draw as if n integers had been drawn already.
static __host__ __device__ void seed_part(XorwowLanes *lanes, unsigned long long seed,
                                          unsigned long long offset, int part)
{
    for (int lane = part * LANES; lane < (part + 1) * LANES; ++lane)
    {
        const bool one_more = (unsigned long long)lane < offset % XORWOW_LANES;
        curandState state;
        curand_init(seed, lane, offset / XORWOW_LANES + one_more, &state);
        lanes->d[lane] = state.d;
        for (int word = 0; word < cudacpu::XORWOW_WORDS; ++word)
        {
            lanes->v[word][lane] = state.v[word];
        }
    }
}

__global__ void xorwow_seed(XorwowLanes *lanes, unsigned long long seed, unsigned long long offset)
{
    seed_part(lanes, seed, offset, blockIdx.x);
}

struct Part
{
    unsigned int d[LANES], v[cudacpu::XORWOW_WORDS][LANES];
};

// The next integer of each lane.
static inline void step(Part *part, unsigned int *raw)
{
    for (int lane = 0; lane < LANES; ++lane)
    {
        const unsigned int t = part->v[0][lane] ^ part->v[0][lane] >> 2;
        const unsigned int last = part->v[4][lane];
        part->v[0][lane] = part->v[1][lane];
        part->v[1][lane] = part->v[2][lane];
        part->v[2][lane] = part->v[3][lane];
        part->v[3][lane] = last;
        part->v[4][lane] = last ^ last << 4 ^ t ^ t << 1;
        part->d[lane] += cudacpu::XORWOW_WEYL;
        raw[lane] = part->v[4][lane] + part->d[lane];
    }
}

// The items of 64 lanes. Item 0 is that of lane `first`. In most rows each lane has an item, and in
// the first and the last row some lanes wait.
template <class Make>
static void draw_part(XorwowLanes *lanes, Draw draw, int first, int index)
{
    const int begin = index * LANES;
    const long long items = draw.n / Make::NUMBERS;
    typename Make::Number *output = (typename Make::Number *)draw.output;
    Part part;
    Raw raw[Make::RAW];
    memcpy(part.d, lanes->d + begin, sizeof(part.d));
    for (int word = 0; word < cudacpu::XORWOW_WORDS; ++word)
    {
        memcpy(part.v[word], lanes->v[word] + begin, sizeof(part.v[word]));
    }
    for (long long item = begin - first; item < items; item += XORWOW_LANES)
    {
        if (item + LANES <= 0)
        {
            continue;
        }
        const int from = item < 0 ? (int)-item : 0;
        const int to = item + LANES > items ? (int)(items - item) : LANES;
        const Part before = part;
        for (int i = 0; i < Make::RAW; ++i)
        {
            step(&part, raw[i]);
        }
        if (from == 0 && to == LANES)
        {
            for (int lane = 0; lane < LANES; ++lane)
            {
                Make::make(&draw, raw, lane, output + Make::NUMBERS * (item + lane));
            }
            continue;
        }
        for (int lane = 0; lane < LANES; ++lane)
        {
            if (lane >= from && lane < to)
            {
                Make::make(&draw, raw, lane, output + Make::NUMBERS * (item + lane));
                continue;
            }
            part.d[lane] = before.d[lane];
            for (int word = 0; word < cudacpu::XORWOW_WORDS; ++word)
            {
                part.v[word][lane] = before.v[word][lane];
            }
        }
    }
    memcpy(lanes->d + begin, part.d, sizeof(part.d));
    for (int word = 0; word < cudacpu::XORWOW_WORDS; ++word)
    {
        memcpy(lanes->v[word] + begin, part.v[word], sizeof(part.v[word]));
    }
}

template <class Make>
__global__ void xorwow_kernel(XorwowLanes *lanes, Draw draw, int first)
{
    draw_part<Make>(lanes, draw, first, blockIdx.x);
}

template <class Make>
static void draw_all(curandGenerator_t generator, const Draw *draw)
{
    XorwowLanes *lanes = (XorwowLanes *)generator->state;
    const int first = (int)(generator->position % XORWOW_LANES);
    generator->position += draw->n / Make::NUMBERS;
    if (!generator->on_host)
    {
        xorwow_kernel<Make><<<PARTS, 1, 0, generator->stream>>>(lanes, *draw, first);
        return;
    }
    for (int part = 0; part < PARTS; ++part)
    {
        draw_part<Make>(lanes, *draw, first, part);
    }
}

// A new seed alone lets the numbers go on where they are.
bool xorwow_draw(curandGenerator_t generator, const Draw *draw)
{
    const Settings *settings = &generator->settings;
    if (!state_of(generator, sizeof(XorwowLanes)))
    {
        return false;
    }
    if (generator->changed & (SEED | OFFSET))
    {
        XorwowLanes *lanes = (XorwowLanes *)generator->state;
        generator->position = generator->changed & OFFSET ? settings->offset : generator->position;
        if (!generator->on_host)
        {
            xorwow_seed<<<PARTS, 1, 0, generator->stream>>>(lanes, settings->seed,
                                                            generator->position);
        }
        for (int part = 0; generator->on_host && part < PARTS; ++part)
        {
            seed_part(lanes, settings->seed, generator->position, part);
        }
    }
    FOR_KIND(draw->kind, draw_all, generator, draw)
    return true;
}
} // namespace cudacpu_curand
