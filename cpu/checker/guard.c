// Whether a plain read decides about an atomic that compares: what a thread has read before its atomic.
#include "guard.h"
#include <string.h>
#include "site.h"

bool guard_wanted;

// The latest plain reads of a thread since its last atomic that compares.
enum
{
    NUM_LATEST = 16
};
typedef struct Latest
{
    uint32_t sequence; // of the block
    unsigned num, order;
    const void *atomic; // the word of the latest atomic that compares
    struct
    {
        uint32_t site;
        unsigned order;
        const void *address;
    } reads[NUM_LATEST];
} Latest;
static Latest latest[MAX_BLOCK_THREADS];

static Latest *latest_of(Who who)
{
    Latest *l = &latest[who.thread];
    if (l->sequence != who.sequence)
    {
        l->sequence = who.sequence;
        l->num = 0;
        l->atomic = NULL;
    }
    return l;
}

void guard_note_read(Who who, uint32_t site)
{
    Latest *l = latest_of(who);
    unsigned i = 0, oldest = 0;
    while (i < l->num && l->reads[i].site != site)
    {
        oldest = l->reads[i].order < l->reads[oldest].order ? i : oldest;
        ++i;
    }
    i = i < NUM_LATEST ? i : oldest;
    l->num += i == l->num;
    l->reads[i].site = site;
    l->reads[i].address = who.address;
    l->reads[i].order = ++l->order;
}

// A loop may read at one line by two instructions: the later read is what counts.
static bool is_read_later(const Latest *l, unsigned read, const void *address)
{
    for (unsigned i = 0; i < l->num; ++i)
    {
        if (l->reads[i].order > l->reads[read].order && l->reads[i].address == address &&
            strcmp(site_line(l->reads[i].site), site_line(l->reads[read].site)) == 0)
        {
            return true;
        }
    }
    return false;
}

// An atomic with no read before it is no guarded one, but if it tries again, as in a loop of
// atomicCAS. (Of the block that made us begin not all reads are known.)
void guard_note_comparing(Who who, uint32_t atomic_site)
{
    static uint32_t first_block;
    first_block = first_block == 0 ? who.sequence : first_block;
    Latest *l = latest_of(who);
    bool is_guarded = who.sequence == first_block || l->atomic == who.address;
    for (unsigned i = 0; i < l->num; ++i)
    {
        const uint32_t site = l->reads[i].site;
        const bool same = l->reads[i].address == who.address;
        const Site *known = site_at(site);
        if (same ? !known->guards : !known->guards_not && !is_read_later(l, i, who.address))
        {
            site_note_guard(site, same);
        }
        is_guarded |= same;
    }
    site_at(atomic_site)->unguarded |= !is_guarded;
    l->num = 0;
    l->atomic = who.address;
}
