// The functions of a warp in words, and what they must return as a host computes it.
#pragma once

const int WARP_SIZE = 32;

enum Function
{
    BALLOT,
    ALL,
    ANY,
    MATCH_ANY,
    MATCH_ALL,
    SHFL,
    SHFL_UP,
    SHFL_DOWN,
    SHFL_XOR,
    REDUCE_ADD,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR,
    NUM_FUNCTIONS
};

const char *const DESCRIPTIONS[NUM_FUNCTIONS][2] = {
    {"__ballot_sync", "a bit for each lane whose value is not 0"},
    {"__all_sync", "1 if no value is 0"},
    {"__any_sync", "1 if some value is not 0"},
    {"__match_any_sync", "a bit for each lane whose value is the same as its own"},
    {"__match_all_sync", "the mask if all values are the same, else 0"},
    {"__shfl_sync", "the value of lane k of its segment, modulo the width"},
    {"__shfl_up_sync", "of the lane k below it in the segment, or its own if there is none"},
    {"__shfl_down_sync", "of the lane k above it, or its own"},
    {"__shfl_xor_sync", "of the lane whose number differs in the bits of k, or its own if behind"},
    {"__reduce_add_sync", "the sum"},
    {"__reduce_min_sync", "the smallest value"},
    {"__reduce_max_sync", "the largest value"},
    {"__reduce_and_sync", "the bits that all values have"},
    {"__reduce_or_sync", "the bits that some value has"},
    {"__reduce_xor_sync", "the bits that an odd number of values have"},
};

// What a warp calls with. The width and the distance k are for shuffles.
struct Call
{
    unsigned mask;
    int width, k;
};

// What a lane must get, from all values of its warp.
unsigned expected(Function function, const Call *c, const unsigned *values, int lane)
{
    unsigned nonzero = 0, same = 0, sum = 0, least = ~0u, most = 0, common = ~0u, some = 0, odd = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (c->mask >> i & 1)
        {
            nonzero |= (unsigned)(values[i] != 0) << i;
            same |= (unsigned)(values[i] == values[lane]) << i;
            sum += values[i];
            least = values[i] < least ? values[i] : least;
            most = values[i] > most ? values[i] : most;
            common &= values[i];
            some |= values[i];
            odd ^= values[i];
        }
    }
    const int first = lane / c->width * c->width, end = first + c->width;
    const unsigned results[NUM_FUNCTIONS] = {nonzero,
                                             nonzero == c->mask,
                                             nonzero != 0,
                                             same,
                                             same == c->mask ? c->mask : 0,
                                             values[first + c->k % c->width],
                                             values[lane - c->k >= first ? lane - c->k : lane],
                                             values[lane + c->k < end ? lane + c->k : lane],
                                             values[(lane ^ c->k) < end ? lane ^ c->k : lane],
                                             sum,
                                             least,
                                             most,
                                             common,
                                             some,
                                             odd};
    return results[function];
}
