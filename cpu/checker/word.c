// The records of a word: which of the accesses before race with a new one, and which it keeps.
#include "word.h"
#include "../runtime/worker.h"
#include "finding.h"
#include "guard.h"
#include "site.h"

// --- stores of one value by several lanes --------------------------------------------------------

// Two lanes have stored to one word by the same instruction. Whether the second stores the value of
// the first is seen after its store: that is, when the next access comes.
typedef struct Unsettled
{
    Record before, now;
    const void *address;
    uint32_t value;
    uint32_t mask;
} Unsettled;

enum
{
    MOST_UNSETTLED = 64
};
static Unsettled unsettled[MOST_UNSETTLED];
int word_num_unsettled;

static uint32_t value_at(const void *word, uint32_t mask)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
    {
        value |= mask >> i & 1 ? (uint32_t)((const volatile uint8_t *)word)[i] << 8 * i : 0;
    }
    return value;
}

static bool is_volatile_write(uint32_t what)
{
    return (what & (IS_VOLATILE | IS_ATOMIC | IS_WRITE)) == (IS_VOLATILE | IS_WRITE);
}

static bool is_volatile_read(uint32_t what)
{
    return (what & (IS_VOLATILE | IS_ATOMIC | IS_WRITE)) == IS_VOLATILE;
}

// Two volatile writes, of which one gives a word a new value that comes of its old one.
static bool is_update(const Record *before, const Record *now)
{
    return is_volatile_write(before->what) && is_volatile_write(now->what) &&
           ((before->what | now->what) & IS_UPDATE) != 0;
}

void word_settle_all(void)
{
    const int num = word_num_unsettled;
    word_num_unsettled = 0;
    for (int i = 0; i < num; ++i)
    {
        const Unsettled *u = &unsettled[i];
        const bool same = value_at(u->address, u->mask) == u->value;
        if (!same || !is_update(&u->before, &u->now))
        {
            finding_race(same ? SAME_VALUE : RACE, &u->before, &u->now, u->address, 4);
        }
    }
}

static bool is_one_store(const Record *before, const Record *now)
{
    const unsigned a = before->when & (MAX_BLOCK_THREADS - 1);
    const unsigned b = now->when & (MAX_BLOCK_THREADS - 1);
    return before->what == now->what && (now->what & IS_WRITE) != 0 &&
           (now->what & (IS_STRONG | IS_BULK)) == 0 && before->sequence == now->sequence &&
           a / WARP_SIZE == b / WARP_SIZE && word_num_unsettled < MOST_UNSETTLED;
}

// --- races ---------------------------------------------------------------------------------------

// A volatile write that depends on a volatile read is no flag: another thread may write between the two.
static bool depends(uint32_t a, uint32_t b, bool same_block)
{
    const bool updates = (is_volatile_write(a) && (a & IS_UPDATE) != 0 && (b & IS_WRITE) != 0) ||
                         (is_volatile_write(b) && (b & IS_UPDATE) != 0 && (a & IS_WRITE) != 0);
    const bool sums =
        same_block && ((is_volatile_write(a) && (a & IS_SUM) != 0 && is_volatile_read(b)) ||
                       (is_volatile_write(b) && (b & IS_SUM) != 0 && is_volatile_read(a)));
    return updates || sums;
}

// Which records do not count for a new access.
typedef struct Past
{
    bool is_shared; // the memory is a block's
    uint32_t dead;  // records with a lower number do not count any more
    uint32_t known; // records with a lower number are before the access
} Past;

static inline Past past_of(const Who *who)
{
    const bool is_shared =
        who->in_kernel && (uintptr_t)who->address - cudacpu_shared_start < cudacpu_shared_bytes;
    return (Past){is_shared, order_floor, who->in_kernel ? order_all_before : order_floor};
}

// Accesses that must be ordered, if they are of different threads.
static inline bool conflict(uint32_t a, uint32_t b, bool same_block, bool both_kernels)
{
    if (((a | b) & IS_WRITE) == 0 || (a & b & 15u << MASK_SHIFT) == 0)
    {
        return false;
    }
    if ((a & IS_STRONG) == 0 || (b & IS_STRONG) == 0)
    {
        return true;
    }
    const unsigned scope_a = a & IS_ATOMIC ? a >> SCOPE_SHIFT & 3 : SCOPE_SYSTEM;
    const unsigned scope_b = b & IS_ATOMIC ? b >> SCOPE_SHIFT & 3 : SCOPE_SYSTEM;
    const unsigned scope = scope_a < scope_b ? scope_a : scope_b;
    if (__builtin_expect(((a | b) & IS_VOLATILE) != 0, 0) && depends(a, b, same_block))
    {
        return true;
    }
    return !(scope == SCOPE_SYSTEM || (scope == SCOPE_DEVICE && both_kernels) || same_block);
}

static inline bool is_before(const Record *r, const Who *who, const Past *past)
{
    if (r->sequence < past->known || (past->is_shared && r->sequence != who->sequence))
    {
        return true;
    }
    if (!who->in_kernel)
    {
        return order_before(order_task(r->sequence));
    }
    if (r->sequence >= threads_now.launch)
    {
        return (r->sequence == who->sequence &&
                ((r->when & (MAX_BLOCK_THREADS - 1)) == who->thread ||
                 threads_before(who->thread, r->when))) ||
               (threads_now.acquired &&
                threads_acquired(who->thread, r->sequence, r->when, who->address));
    }
    return order_before(order_task(r->sequence));
}

static __attribute__((noinline)) void found_race(const Record *before, const Record *now,
                                                 const Who *who, const void *word)
{
    const uint32_t mask = now->what >> MASK_SHIFT & 15;
    if (is_one_store(before, now) ||
        (is_update(before, now) && word_num_unsettled < MOST_UNSETTLED))
    {
        unsettled[word_num_unsettled++] =
            (Unsettled){*before, *now, word, value_at(word, mask), mask};
        return;
    }
    const bool both_strong = (before->what & IS_ATOMIC) != 0 && (now->what & IS_ATOMIC) != 0;
    finding_race(now->what & IS_FREE ? FREED_IN_USE
                 : both_strong       ? RACE_SCOPE
                                     : RACE,
                 before, now, who->address, who->bytes);
}

// --- the records of a word -----------------------------------------------------------------------

// Of like accesses a word keeps a few: two of the block that runs, if possible of different warps, and
// one or two of other blocks. With these, each pair of lines that races is found: another thread is in
// another warp than one of the first two, and another block than one of the others. One that is
// before the new one may go: what races with it later races with the new one, too.
typedef struct Slots
{
    Record *empty;
    Record *mine[2];
    Record *other;
    int num_mine;
    const Record *heard; // a volatile write, of which this volatile read's thread has heard
} Slots;

// A record of an earlier operation, which is before the new access, may go for any new one that conflicts
// with all that the old one conflicts with. Else words that many kernels touch would have long chains.
static inline bool stands_for(uint32_t now, uint32_t old)
{
    const uint32_t mask = 15u << MASK_SHIFT, kind = IS_STRONG | 3u << SCOPE_SHIFT;
    return (old & mask & ~now) == 0 && ((now & IS_WRITE) != 0 || (old & IS_WRITE) == 0) &&
           ((now & IS_STRONG) == 0 || ((now ^ old) & kind) == 0);
}

static inline __attribute__((always_inline)) void look_at(Record *r, const Record *now,
                                                          const Who *who, const Past *past,
                                                          const void *word, Slots *slots)
{
    if (r->sequence == 0 || r->sequence < past->dead ||
        (past->is_shared && r->sequence != who->sequence) ||
        (r->sequence < past->known && stands_for(now->what, r->what)))
    {
        r->sequence = 0;
        slots->empty = slots->empty != NULL ? slots->empty : r;
        return;
    }
    if (!guard_wanted && (now->what & IS_COMPARING) != 0 && r->sequence == now->sequence &&
        r->when % MAX_BLOCK_THREADS == who->thread && (r->what & (IS_WRITE | IS_STRONG)) == 0)
    {
        site_note_guard(r->what >> SITE_SHIFT, true);
    }
    if (((r->what | now->what) & IS_WRITE) == 0 && r->what != now->what)
    {
        return; // two reads, at different places
    }
    const bool same_block = r->sequence == now->sequence;
    const bool both_kernels = who->in_kernel && (same_block || r->sequence >= threads_now.launch);
    if (conflict(r->what, now->what, same_block && who->in_kernel, both_kernels) &&
        !is_before(r, who, past))
    {
        found_race(r, now, who, word);
    }
    else if (is_volatile_read(now->what) && is_volatile_write(r->what) && who->in_kernel &&
             r->sequence >= threads_now.launch && (r->what & now->what & 15u << MASK_SHIFT) != 0 &&
             threads_heard_of(who->thread, r->sequence, r->when, who->address) &&
             !is_before(r, who, past))
    {
        slots->heard = r;
    }
    if (r->what == now->what)
    {
        if (same_block && slots->num_mine < 2)
        {
            slots->mine[slots->num_mine++] = r;
        }
        else if (!same_block)
        {
            // Keeps one of another task, and gives the place of the second away.
            slots->empty = slots->other != NULL && slots->empty == NULL ? r : slots->empty;
            slots->other = r;
        }
    }
}

static unsigned warp_of(const Record *r)
{
    return r->when % MAX_BLOCK_THREADS / WARP_SIZE;
}

// The place of the new record, or NULL: it needs a new one.
static inline __attribute__((always_inline)) Record *choose(const Slots *slots, const Record *now)
{
    for (int i = 0; i < slots->num_mine; ++i)
    {
        if (slots->mine[i]->when % MAX_BLOCK_THREADS == now->when % MAX_BLOCK_THREADS ||
            slots->mine[i]->when >> THREAD_BITS < threads_now.barrier)
        {
            return slots->mine[i];
        }
    }
    if (slots->num_mine == 2)
    {
        // The second keeps another warp than the first, if there is one.
        const bool replaces_first =
            warp_of(slots->mine[0]) == warp_of(now) && warp_of(slots->mine[1]) != warp_of(now);
        return slots->mine[!replaces_first];
    }
    return slots->empty;
}

static Record *in_new_more(Word *word, More *last)
{
    const uint32_t more = shadow_new_more();
    *(last != NULL ? &last->next : &word->more) = more;
    return &shadow_more[more].records[0];
}

// Takes records out of the chain as long as there is room before it.
static void shorten(Word *word)
{
    More *more = &shadow_more[word->more];
    int to = 0;
    for (int from = 0; from < RECORDS_IN_MORE; ++from)
    {
        while (to < RECORDS_IN_PLACE && word->records[to].sequence != 0)
        {
            ++to;
        }
        if (to < RECORDS_IN_PLACE && more->records[from].sequence != 0)
        {
            word->records[to] = more->records[from];
            more->records[from].sequence = 0;
        }
    }
    if (to < RECORDS_IN_PLACE) // it is empty
    {
        word->more = shadow_free_more(word->more);
    }
}

void word_note(Word *word, uint32_t sequence, uint32_t when, uint32_t what, const Who *who,
               const void *address)
{
    const Record now = {sequence, when, what};
    const Past past = past_of(who);
    Slots slots = {NULL, {NULL, NULL}, NULL, 0, NULL};
    for (int i = 0; i < RECORDS_IN_PLACE; ++i)
    {
        look_at(&word->records[i], &now, who, &past, address, &slots);
    }
    More *last = NULL;
    for (uint32_t *link = &word->more; *link != 0;)
    {
        More *more = &shadow_more[*link];
        const bool has_empty = slots.empty != NULL;
        uint32_t any = 0;
        for (int i = 0; i < RECORDS_IN_MORE; ++i)
        {
            look_at(&more->records[i], &now, who, &past, address, &slots);
            any |= more->records[i].sequence;
        }
        if (any == 0 && has_empty) // there is room before
        {
            *link = shadow_free_more(*link);
        }
        else
        {
            last = more;
            link = &more->next;
        }
    }
    // Whoever has read the word before looks at it time after time, as at a flag.
    if (slots.heard != NULL && slots.num_mine == 0 && slots.other == NULL)
    {
        found_race(slots.heard, &now, who, address);
    }
    Record *place = choose(&slots, &now);
    place = place != NULL ? place : in_new_more(word, last);
    *place = now;
    if (word->more != 0 && word->records[RECORDS_IN_PLACE - 1].sequence == 0)
    {
        shorten(word);
    }
}
