// Which volatile writes belong to a read: `*c = *c + 1` and `v[t] += v[t + 32]`, as flags are not written.
//
// The read belongs to the write if the same thread has made it at the same line, or at the line before,
// with neither a fence nor a barrier between. Then the thread has no other moment (threads.h).
#include "volatile.h"
#include <stdlib.h>
#include <string.h>
#include "site.h"
#include "threads.h"

enum
{
    NUM_LATEST = 4,
    NUM_PAIRS = 1 << 12
};

typedef struct Read
{
    const void *address;
    uint32_t site;
} Read;

// The latest volatile reads of a thread, and when they were.
typedef struct Latest
{
    uint32_t sequence, since;
    unsigned num;
    Read reads[NUM_LATEST]; // number i at i % NUM_LATEST
} Latest;
static Latest latest[MAX_BLOCK_THREADS];

static Latest *latest_of(unsigned thread)
{
    Latest *l = &latest[thread];
    if (l->sequence != threads_now.sequence || l->since != threads_now.since[thread])
    {
        l->sequence = threads_now.sequence;
        l->since = threads_now.since[thread];
        l->num = 0;
    }
    return l;
}

void volatile_note_read(unsigned thread, const void *address, uint32_t site)
{
    Latest *l = latest_of(thread);
    l->reads[l->num++ % NUM_LATEST] = (Read){address, site};
}

// How many lines the second place is below the first; -1: above it, or in another file.
static int lines_below(uint32_t first, uint32_t second)
{
    const char *a = site_line(first), *b = site_line(second);
    const char *colon = strrchr(a, ':');
    const size_t length = colon != NULL ? (size_t)(colon - a) + 1 : 0;
    if (length == 0 || strncmp(a, b, length) != 0)
    {
        return -1;
    }
    return atoi(b + length) - atoi(a + length);
}

// To find the lines takes long, so what is known of two places is kept.
static int lines_between(uint32_t read, uint32_t write)
{
    static struct
    {
        uint32_t read, write;
        int lines;
    } known[NUM_PAIRS];
    const unsigned i = (read * 0x9e3779b1u ^ write * 0x85ebca6bu) >> 20;
    if (known[i].read != read || known[i].write != write)
    {
        known[i].lines = lines_below(read, write);
        known[i].read = read;
        known[i].write = write;
    }
    return known[i].lines;
}

// What more is to be said of a volatile write: IS_UPDATE, IS_SUM.
uint32_t volatile_note_write(unsigned thread, const void *address, uint32_t site)
{
    Latest *l = latest_of(thread);
    uint32_t what = 0;
    for (unsigned i = 0; i < l->num && i < NUM_LATEST; ++i)
    {
        const Read *r = &l->reads[i];
        const int lines = lines_between(r->site, site);
        what |= r->address == address && (lines == 0 || lines == 1) ? IS_UPDATE : 0;
        what |= r->address != address && lines == 0 ? IS_SUM : 0;
    }
    l->num = 0;
    return what;
}
