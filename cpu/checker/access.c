// One access: is it within the program's memory, was what it reads ever written, and is it ordered
// with the accesses before it?
#include "access.h"
#include <string.h>
#include "../runtime/check.h"
#include "../runtime/worker.h"
#include "finding.h"
#include "order.h"
#include "site.h"
#include "threads.h"

// Who accesses.
typedef struct Who
{
    uint32_t sequence, when;
    unsigned thread;
    bool in_kernel;
    bool is_shared; // the memory is a block's
    uint32_t dead;  // records with a lower number do not count any more
    uint32_t known; // records with a lower number are before this access
    const void *address;
    size_t bytes;
} Who;

static bool shared_range_holds(const void *address)
{
    return (uintptr_t)address - cudacpu_shared_start < cudacpu_shared_bytes;
}

// --- one OS thread at a time ---------------------------------------------------------------------

static atomic_flag busy = ATOMIC_FLAG_INIT;

void access_lock(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    {
    }
}

void access_unlock(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

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
static int num_unsettled;

static uint32_t value_at(const void *word, uint32_t mask)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
    {
        value |= mask >> i & 1 ? (uint32_t)((const volatile uint8_t *)word)[i] << 8 * i : 0;
    }
    return value;
}

static __attribute__((noinline)) void settle(void)
{
    const int num = num_unsettled;
    num_unsettled = 0;
    for (int i = 0; i < num; ++i)
    {
        const Unsettled *u = &unsettled[i];
        const bool same = value_at(u->address, u->mask) == u->value;
        finding_race(same ? SAME_VALUE : RACE, &u->before, &u->now, u->address, 4);
    }
}

static inline void settle_if_any(void)
{
    if (__builtin_expect(num_unsettled > 0, 0))
    {
        settle();
    }
}

void access_settle(void)
{
    settle_if_any();
}

static bool is_one_store(const Record *before, const Record *now)
{
    const unsigned a = before->when & (MAX_BLOCK_THREADS - 1);
    const unsigned b = now->when & (MAX_BLOCK_THREADS - 1);
    return before->what == now->what && (now->what & IS_WRITE) != 0 &&
           (now->what & (IS_STRONG | IS_BULK)) == 0 && before->sequence == now->sequence &&
           a / WARP_SIZE == b / WARP_SIZE && num_unsettled < MOST_UNSETTLED;
}

// --- races ---------------------------------------------------------------------------------------

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
    return !(scope == SCOPE_SYSTEM || (scope == SCOPE_DEVICE && both_kernels) || same_block);
}

static inline bool is_before(const Record *r, const Who *who)
{
    if (r->sequence < who->known || (who->is_shared && r->sequence != who->sequence))
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
               (threads_now.acquired && threads_acquired(who->thread, r->sequence, r->when));
    }
    return order_before(order_task(r->sequence));
}

static __attribute__((noinline)) void found_race(const Record *before, const Record *now,
                                                 const Who *who, const void *word)
{
    const uint32_t mask = now->what >> MASK_SHIFT & 15;
    if (is_one_store(before, now))
    {
        unsettled[num_unsettled++] = (Unsettled){*before, *now, word, value_at(word, mask), mask};
        return;
    }
    const bool both_strong = (before->what & IS_STRONG) != 0 && (now->what & IS_STRONG) != 0;
    finding_race(now->what & IS_FREE ? FREED_IN_USE
                 : both_strong       ? RACE_SCOPE
                                     : RACE,
                 before, now, who->address, who->bytes);
}

// Whether the threads' reads are remembered, for the sake of atomics that compare: from the first
// of these on.
static bool sees_comparing;

// --- the records of a word -----------------------------------------------------------------------

// Of like accesses a word keeps a few: two of the block that runs, if possible of different warps, and
// one or two of other blocks. With these, each pair of lines that races is found: another thread is in
// another warp than one of the first two, and another block than one of the others. One that is
// before the new one may go: what races with it later races with the new one, too.
typedef struct Slots
{
    Record *empty, *older; // older: a like one, before the new one
    Record *mine[2];
    Record *other;
    int num_mine;
} Slots;

static inline __attribute__((always_inline)) void
look_at(Record *r, const Record *now, const Who *who, const void *word, Slots *slots)
{
    if (r->sequence == 0 || r->sequence < who->dead ||
        (who->is_shared && r->sequence != who->sequence))
    {
        r->sequence = 0;
        slots->empty = slots->empty != NULL ? slots->empty : r;
        return;
    }
    if (!sees_comparing && (now->what & IS_COMPARING) != 0 && r->sequence == now->sequence &&
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
        !is_before(r, who))
    {
        found_race(r, now, who, word);
    }
    if (r->what == now->what)
    {
        if (r->sequence < who->known)
        {
            slots->older = r;
        }
        else if (same_block && slots->num_mine < 2)
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
    if (slots->older != NULL)
    {
        return slots->older;
    }
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

static inline __attribute__((always_inline)) void note_word(Word *word, const Record *now,
                                                            const Who *who, const void *address)
{
    int num_alike =
        0; // lanes of the warp that have read at this place since they last came together
    for (int i = 0; i < RECORDS_IN_PLACE; ++i)
    {
        const Record *r = &word->records[i];
        if (r->what == now->what && r->sequence == now->sequence &&
            (r->when ^ now->when) / WARP_SIZE == 0)
        {
            // The same thread; or two other lanes have read, and what races with this one races with
            // at least one of them.
            if (r->when == now->when || (++num_alike == 2 && (now->what & IS_WRITE) == 0))
            {
                return;
            }
        }
    }
    Slots slots = {NULL, NULL, {NULL, NULL}, NULL, 0};
    for (int i = 0; i < RECORDS_IN_PLACE; ++i)
    {
        look_at(&word->records[i], now, who, address, &slots);
    }
    More *last = NULL;
    for (uint32_t more = word->more; more != 0; more = last->next)
    {
        last = &shadow_more[more];
        for (int i = 0; i < RECORDS_IN_MORE; ++i)
        {
            look_at(&last->records[i], now, who, address, &slots);
        }
    }
    Record *place = choose(&slots, now);
    place = place != NULL ? place : in_new_more(word, last);
    *place = *now;
}

// --- reads that decide whether an atomicMin follows ----------------------------------------------

// The latest plain reads of a thread since its last atomic that compares.
enum
{
    NUM_LATEST = 8
};
typedef struct Latest
{
    uint32_t sequence; // of the block
    unsigned num, order;
    struct
    {
        uint32_t site;
        unsigned order;
        const void *address;
    } reads[NUM_LATEST];
} Latest;
static Latest latest[MAX_BLOCK_THREADS];

static Latest *latest_of(const Who *who)
{
    Latest *l = &latest[who->thread];
    if (l->sequence != who->sequence)
    {
        l->sequence = who->sequence;
        l->num = 0;
    }
    return l;
}

static void remember_read(const Who *who, uint32_t site)
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
    l->reads[i].address = who->address;
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

static void note_guards(const Who *who)
{
    Latest *l = latest_of(who);
    for (unsigned i = 0; i < l->num; ++i)
    {
        const uint32_t site = l->reads[i].site;
        const bool same = l->reads[i].address == who->address;
        const Site *known = site_at(site);
        if (same ? !known->guards : !known->guards_not && !is_read_later(l, i, who->address))
        {
            site_note_guard(site, same);
        }
    }
    l->num = 0;
}

// --- an access -----------------------------------------------------------------------------------

static inline __attribute__((always_inline)) void find_who(Who *who, const void *address,
                                                           size_t bytes)
{
    const Worker *worker = this_worker;
    who->in_kernel = worker != NULL && worker->in_kernel;
    who->is_shared = who->in_kernel && shared_range_holds(address);
    who->address = address;
    who->bytes = bytes;
    who->dead = order_floor;
    who->known = who->in_kernel ? order_all_before : order_floor;
    if (who->in_kernel)
    {
        who->thread = worker->current;
        who->sequence = threads_now.sequence;
        who->when = threads_when(who->thread);
    }
    else
    {
        who->thread = 0;
        who->sequence = order_sequence();
        who->when = 0;
    }
}

// An access of a few bytes: no byte of it may be outside, and of a read one must have been written.
static void look_at_state(const Chunk *chunk, const Who *who, uint32_t what, uint32_t site)
{
    const uintptr_t start = (uintptr_t)who->address, end = start + who->bytes;
    bool outside = false, written = false, unwritten = false;
    for (uintptr_t at = start; at < end;)
    {
        const size_t here = at % 4, left = end - at, num = left < 4 - here ? left : 4 - here;
        const unsigned mask = ((1u << num) - 1) << here;
        chunk = at % CHUNK_BYTES == 0 ? shadow_chunk((void *)at) : chunk;
        const unsigned valid = chunk != NULL ? shadow_nibble(chunk->valid, at) & mask : 0;
        const unsigned set = chunk != NULL ? shadow_nibble(chunk->set, at) & mask : 0;
        outside |= (set & ~valid) != 0;
        written |= (set & valid) != 0;
        unwritten |= (valid & ~set) != 0;
        at += num;
    }
    const Record now = {who->sequence, who->when, what | site << SITE_SHIFT};
    if (outside)
    {
        finding_access(OUT_OF_BOUNDS, &now, who->address, who->bytes);
    }
    else if (unwritten && (what & IS_BULK) == 0 &&
             ((what & IS_WRITE) == 0 || (what & IS_ATOMIC) != 0) && (!written || who->bytes <= 4))
    {
        finding_access(NEVER_WRITTEN, &now, who->address, who->bytes);
        shadow_set_written(who->address, who->bytes); // said once
    }
}

static void note_words(const Who *who, uint32_t what, uint32_t site)
{
    uintptr_t at = (uintptr_t)who->address;
    const uintptr_t end = at + who->bytes;
    while (at < end)
    {
        Chunk *chunk = shadow_chunk((void *)at);
        const size_t here = at % 4, left = end - at, num = left < 4 - here ? left : 4 - here;
        const unsigned mask = ((1u << num) - 1) << here;
        if (chunk == NULL)
        {
            at += num;
            continue;
        }
        if ((shadow_nibble(chunk->valid, at) & mask) != 0)
        {
            const Record now = {who->sequence, who->when,
                                what | mask << MASK_SHIFT | site << SITE_SHIFT};
            note_word(&chunk->words[at % CHUNK_BYTES / 4], &now, who, (void *)(at - here));
        }
        at += num;
    }
}

// The usual access: a whole word of the program's memory, which has been written if it is read.
static inline bool note_whole_word(Chunk *chunk, const Who *who, uint32_t what, uint32_t site)
{
    const uintptr_t at = (uintptr_t)who->address;
    const size_t byte = at % CHUNK_BYTES / 8;
    const unsigned nibble = 15u << (at & 4);
    if (at % 4 != 0 || (chunk->valid[byte] & nibble) != nibble ||
        ((what & IS_WRITE) == 0 && (chunk->set[byte] & nibble) != nibble))
    {
        return false;
    }
    if ((what & IS_WRITE) != 0)
    {
        chunk->set[byte] |= nibble;
    }
    const Record now = {who->sequence, who->when, what | 15u << MASK_SHIFT | site << SITE_SHIFT};
    note_word(&chunk->words[at % CHUNK_BYTES / 4], &now, who, who->address);
    return true;
}

static void note_any(Chunk *chunk, const Who *who, uint32_t what, uint32_t site)
{
    look_at_state(chunk, who, what, site);
    if (what & IS_WRITE)
    {
        shadow_set_written(who->address, who->bytes);
    }
    note_words(who, what, site);
}

// An access of the program's code, of at most a few words.
void access_note(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    Chunk *chunk = shadow_chunk(address);
    if (chunk == NULL)
    {
        return;
    }
    access_lock();
    settle_if_any();
    Who who;
    find_who(&who, address, bytes);
    const uint32_t site = site_of(pc);
    if (bytes != 4 || (what & IS_ATOMIC) != 0 || !note_whole_word(chunk, &who, what, site))
    {
        note_any(chunk, &who, what, site);
    }
    if (__builtin_expect(sees_comparing, 0) && who.in_kernel)
    {
        if ((what & (IS_WRITE | IS_STRONG)) == 0)
        {
            remember_read(&who, site);
        }
        else if ((what & IS_COMPARING) != 0)
        {
            note_guards(&who);
        }
    }
    sees_comparing |= (what & IS_COMPARING) != 0;
    access_unlock();
}

// An index that is outside its array. The access itself may be anywhere.
void access_note_index(const char *text, const void *pc)
{
    access_lock();
    settle_if_any();
    Who who;
    find_who(&who, text, 0);
    const Record now = {who.sequence, who.when, site_of(pc) << SITE_SHIFT};
    finding_index(&now, text);
    access_unlock();
}

// An access of many bytes that has no place in the program's code: of the call `site`.
void access_bulk(const void *address, size_t bytes, uint32_t what, uint32_t site)
{
    access_lock();
    settle_if_any();
    Who who;
    find_who(&who, address, bytes);
    note_words(&who, what | IS_BULK, site);
    access_unlock();
}
