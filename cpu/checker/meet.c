// The blocks that have written an atomic or volatile word, for the latest words, and those that the block
// which runs has read of. Both are ranges of numbers, which may have others between.
#include "meet.h"

enum
{
    NUM_WORDS = 1024
};

typedef struct Range
{
    uint32_t first, last;
} Range;

static struct
{
    const void *address;
    Range writers;
} words[NUM_WORDS];

static Range met;
static uint32_t who_met; // the block

static void add(Range *range, Range other)
{
    range->first = range->first < other.first ? range->first : other.first;
    range->last = range->last > other.last ? range->last : other.last;
}

// A block reads or writes such a word, or does both.
void meet_note(uint32_t sequence, uint32_t launch, const void *address, uint32_t what)
{
    const unsigned at = (uintptr_t)address / 4 * 0x9e3779b97f4a7c15u >> 54;
    const bool writes = (what & IS_WRITE) != 0, reads = !writes || (what & IS_ATOMIC) != 0;
    const bool is_known = words[at].address == address && words[at].writers.last >= launch;
    if (reads && is_known)
    {
        if (who_met == sequence)
        {
            add(&met, words[at].writers);
        }
        else
        {
            met = words[at].writers;
            who_met = sequence;
        }
    }
    if (writes)
    {
        const Range own = {sequence, sequence};
        if (reads && is_known)
        {
            add(&words[at].writers, own);
        }
        else
        {
            words[at].address = address;
            words[at].writers = own;
        }
    }
}

bool meet_has_met(uint32_t before, uint32_t now)
{
    return who_met == now && before >= met.first && before <= met.last;
}
