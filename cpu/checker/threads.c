// Barriers, warps, and what threads publish by fences and atomics.
#include "threads.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../runtime/check.h"
#include "../runtime/worker.h"

BlockTime threads_now;

static uint32_t next_moment(void)
{
    if (threads_now.time == MAX_TIME) // no number is left: the rest of the block counts as ordered
    {
        threads_now.barrier = UINT32_MAX;
        return MAX_TIME;
    }
    return ++threads_now.time;
}

// --- releases ------------------------------------------------------------------------------------

// What a thread has published: all of its block up to `barrier`, and the lanes of its warp up to
// `lanes`. What the thread had acquired before comes with it.
//
// A thread that has no fence between a volatile write and an atomic, or between two volatile writes,
// publishes nothing by that; but others then hear of the first write, and might count on it. Such a
// release is kept, too: it is `unfenced`, and orders nothing.
typedef struct Release
{
    uint32_t sequence, barrier;
    uint32_t when; // the atomic's own time and thread
    bool unfenced;
    uint16_t warp;
    uint16_t num_inherited;
    Scope scope;
    uint32_t inherited; // the first of these in `views`
    uint32_t lanes[WARP_SIZE];
} Release;

// The releases that an atomic or volatile word carries, oldest first. An atomic that reads and writes
// adds to them; a store begins anew.
typedef struct Log
{
    const void *address;
    uint32_t num, capacity;
    bool has_unfenced;
    Release *releases;
    struct Log *older;
} Log;

// A part of a log that a thread has read: its first `num` releases.
typedef struct View
{
    const Log *log;
    uint32_t num;
    Scope scope;
} View;

enum
{
    LOG_BUCKETS = 1 << 12,
    MOST_VIEWS = 64,         // of a thread
    MOST_UNFENCED = 1 << 14, // releases of a launch
    MOST_STEPS = 4096
};

typedef struct Knowledge
{
    uint16_t num, num_pending;
    uint32_t fence, barrier; // the time of the latest fence, and what it saw as the barrier
    uint8_t scope;           // of that fence
    bool fenced;
    bool since_barrier; // the fence is later than the barrier
    bool has_volatile;  // a volatile write, and no fence since
    uint32_t volatile_site;
    const void *volatile_word;
    uint16_t num_heard;
    View views[MOST_VIEWS], pending[MOST_VIEWS];
    View heard[MOST_VIEWS]; // logs with unfenced releases
} Knowledge;

static Log *buckets[LOG_BUCKETS];
static Knowledge *of_thread[MAX_BLOCK_THREADS]; // NULL: none in this block
static Knowledge *spare[MAX_BLOCK_THREADS];
static unsigned num_threads, num_known;
static View *views;
static uint32_t num_views, views_capacity;
static bool any_log, any_heard;
static uint32_t num_unfenced;

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for the checker", errno);
    }
    return memory;
}

static Knowledge *knowledge_of(unsigned thread)
{
    if (of_thread[thread] == NULL)
    {
        spare[thread] = spare[thread] != NULL ? spare[thread] : need(malloc(sizeof(Knowledge)));
        memset(spare[thread], 0, offsetof(Knowledge, views));
        of_thread[thread] = spare[thread];
        ++num_known;
    }
    return of_thread[thread];
}

void threads_begin(uint32_t sequence, uint32_t launch, unsigned threads)
{
    threads_now.sequence = sequence;
    threads_now.launch = launch;
    threads_now.time = 0;
    threads_now.barrier = 0;
    threads_now.acquired = false;
    num_threads = threads;
    memset(threads_now.since, 0, threads * sizeof(*threads_now.since));
    memset(threads_now.met, 0, sizeof(threads_now.met));
    if (num_known > 0)
    {
        memset(of_thread, 0, sizeof(of_thread));
        num_known = 0;
    }
}

void threads_end_launch(void)
{
    for (int i = 0; any_log && i < LOG_BUCKETS; ++i)
    {
        for (Log *log = buckets[i], *older; log != NULL; log = older)
        {
            older = log->older;
            free(log->releases);
            free(log);
        }
        buckets[i] = NULL;
    }
    any_log = any_heard = false;
    num_views = num_unfenced = 0;
}

bool threads_may_release(void)
{
    return any_log || num_known > 0;
}

static Log *log_of(const void *address, bool create)
{
    const unsigned bucket = (uintptr_t)address / 4 * 0x9e3779b97f4a7c15u >> 52;
    for (Log *log = buckets[bucket]; log != NULL; log = log->older)
    {
        if (log->address == address)
        {
            return log; // the newest one comes first
        }
    }
    if (!create)
    {
        return NULL;
    }
    Log *log = need(calloc(1, sizeof(*log)));
    log->address = address;
    log->older = buckets[bucket];
    buckets[bucket] = log;
    any_log = true;
    return log;
}

static void add_view(View *to, uint16_t *num, View view)
{
    for (int i = 0; i < *num; ++i)
    {
        if (to[i].log == view.log)
        {
            to[i].num = to[i].num < view.num ? view.num : to[i].num;
            to[i].scope = to[i].scope < view.scope ? view.scope : to[i].scope;
            return;
        }
    }
    if (*num == MOST_VIEWS) // the oldest is forgotten
    {
        memmove(to, to + 1, (MOST_VIEWS - 1) * sizeof(*to));
        --*num;
    }
    to[(*num)++] = view;
}

// What the thread has read of atomics is its knowledge from now on.
static void take_pending(Knowledge *k)
{
    for (int i = 0; i < k->num_pending; ++i)
    {
        View view = k->pending[i];
        view.scope = view.scope < k->scope ? view.scope : k->scope;
        add_view(k->views, &k->num, view);
    }
    threads_now.acquired |= k->num > 0;
    k->num_pending = 0;
}

void threads_fence(unsigned thread, Scope scope)
{
    Knowledge *k = knowledge_of(thread);
    k->fence = threads_now.since[thread] = next_moment();
    k->barrier = threads_now.barrier;
    k->scope = scope;
    k->fenced = k->since_barrier = true;
    k->has_volatile = false;
    take_pending(k);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static Release *new_release(Log *log)
{
    if (log->num == log->capacity)
    {
        log->capacity = 2 * log->capacity + 1;
        log->releases = need(realloc(log->releases, log->capacity * sizeof(*log->releases)));
    }
    return &log->releases[log->num++];
}

static void add_release(Log *log, unsigned thread, const Knowledge *k, Scope scope)
{
    Release *r = new_release(log);
    const unsigned warp = thread / WARP_SIZE;
    *r = (Release){.sequence = threads_now.sequence,
                   .barrier = k->barrier,
                   .when = threads_when(thread),
                   .warp = warp,
                   .num_inherited = k->num,
                   .scope = scope,
                   .inherited = num_views};
    for (unsigned lane = 0; threads_now.met[warp] && lane < WARP_SIZE; ++lane)
    {
        r->lanes[lane] = least(threads_now.knows[thread][lane], k->fence);
    }
    r->lanes[thread % WARP_SIZE] = k->fence;
    if (num_views + k->num > views_capacity)
    {
        views_capacity = 2 * views_capacity + 2 * MOST_VIEWS;
        views = need(realloc(views, views_capacity * sizeof(*views)));
    }
    memcpy(views + num_views, k->views, k->num * sizeof(*views));
    num_views += k->num;
}

// What the thread has done until now others may hear of, but it is not published.
static void add_unfenced(Log *log, unsigned thread)
{
    Release *r = new_release(log);
    const unsigned warp = thread / WARP_SIZE;
    threads_now.since[thread] = next_moment();
    *r = (Release){.sequence = threads_now.sequence,
                   .barrier = threads_now.barrier,
                   .unfenced = true,
                   .warp = warp};
    for (unsigned lane = 0; threads_now.met[warp] && lane < WARP_SIZE; ++lane)
    {
        r->lanes[lane] = threads_now.knows[thread][lane];
    }
    r->lanes[thread % WARP_SIZE] = threads_now.since[thread];
    log->has_unfenced = true;
    ++num_unfenced;
}

// The thread has made a volatile write. A loop that writes many words at one place counts as one.
void threads_note_volatile(unsigned thread, const void *address, uint32_t site)
{
    Knowledge *k = knowledge_of(thread);
    k->has_volatile = true;
    k->volatile_word = address;
    k->volatile_site = site;
}

// The thread writes an atomic or volatile word. What it did before its latest fence is published.
void threads_release(unsigned thread, const void *address, bool also_reads, Scope scope,
                     uint32_t site)
{
    const Knowledge *k = of_thread[thread];
    const bool publishes = k != NULL && k->fenced;
    const bool tells = k != NULL && k->has_volatile && k->volatile_word != address &&
                       k->volatile_site != site && num_unfenced < MOST_UNFENCED;
    Log *log = log_of(address, publishes || tells);
    if (log == NULL)
    {
        return;
    }
    if (!also_reads && log->num > 0)
    {
        // Those who have read the old log keep it.
        Log *fresh = need(calloc(1, sizeof(*fresh)));
        const unsigned bucket = (uintptr_t)address / 4 * 0x9e3779b97f4a7c15u >> 52;
        fresh->address = address;
        fresh->older = buckets[bucket];
        buckets[bucket] = fresh;
        log = fresh;
    }
    if (publishes)
    {
        add_release(log, thread, k, k->scope < scope ? k->scope : scope);
    }
    if (tells)
    {
        add_unfenced(log, thread);
    }
}

bool threads_tells_host(unsigned thread)
{
    const Knowledge *k = of_thread[thread];
    return k != NULL && k->fenced && k->scope == SCOPE_SYSTEM;
}

// The thread reads an atomic or volatile word. The next fence makes it know what was published there.
// An atomic that writes, too, and has a fence before it, needs no second one.
void threads_acquire(unsigned thread, const void *address, bool also_writes, Scope scope)
{
    const Log *log = any_log ? log_of(address, false) : NULL;
    if (log == NULL || log->num == 0)
    {
        return;
    }
    Knowledge *k = knowledge_of(thread);
    add_view(k->pending, &k->num_pending, (View){log, log->num, scope});
    if (log->has_unfenced)
    {
        add_view(k->heard, &k->num_heard, (View){log, log->num, scope});
        any_heard = true;
    }
    if (also_writes && k->fenced)
    {
        take_pending(k);
    }
}

// The first release of a log, among its first `num`, that is of a block.
static uint32_t first_of_block(const Log *log, uint32_t num, uint32_t sequence)
{
    uint32_t low = 0, high = num;
    while (low < high)
    {
        const uint32_t middle = (low + high) / 2;
        if (log->releases[middle].sequence < sequence)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

static bool covers(const Release *r, uint32_t when)
{
    const unsigned thread = when & (MAX_BLOCK_THREADS - 1);
    const uint32_t time = when >> THREAD_BITS;
    return time < r->barrier ||
           (thread / WARP_SIZE == r->warp && time < r->lanes[thread % WARP_SIZE]);
}

// Whether a view has the access, or what its releases had acquired has it. The atomic that a release comes
// with is before those that have read its word.
static bool view_has(View view, uint32_t sequence, uint32_t when, const void *word, int *steps)
{
    const Log *log = view.log;
    const bool same = sequence == threads_now.sequence;
    for (uint32_t i = first_of_block(log, view.num, sequence);
         (same || view.scope != SCOPE_BLOCK) && i < view.num &&
         log->releases[i].sequence == sequence;
         ++i)
    {
        const Release *r = &log->releases[i];
        if (!r->unfenced && (same || r->scope != SCOPE_BLOCK) &&
            (covers(r, when) || (r->when == when && log->address == word)))
        {
            return true;
        }
    }
    for (uint32_t i = view.num; i-- > 0 && *steps > 0;)
    {
        const Release *r = &log->releases[i];
        for (uint32_t v = 0; v < r->num_inherited && --*steps > 0; ++v)
        {
            if (view_has(views[r->inherited + v], sequence, when, word, steps))
            {
                return true;
            }
        }
        --*steps;
    }
    return false;
}

// Whether the thread has acquired what another one has done, in this block or in another.
bool threads_acquired(unsigned thread, uint32_t sequence, uint32_t when, const void *word)
{
    const Knowledge *k = of_thread[thread];
    int steps = MOST_STEPS;
    for (int i = 0; k != NULL && i < k->num; ++i)
    {
        if (view_has(k->views[i], sequence, when, word, &steps))
        {
            return true;
        }
    }
    return false;
}

// Whether the thread has read, in another word, what another thread has written after the access, with
// no fence between.
bool threads_heard_of(unsigned thread, uint32_t sequence, uint32_t when, const void *word)
{
    const Knowledge *k = any_heard ? of_thread[thread] : NULL;
    for (int i = 0; k != NULL && i < k->num_heard; ++i)
    {
        const Log *log = k->heard[i].log;
        for (uint32_t r = first_of_block(log, k->heard[i].num, sequence);
             log->address != word && r < k->heard[i].num && log->releases[r].sequence == sequence;
             ++r)
        {
            if (log->releases[r].unfenced && covers(&log->releases[r], when))
            {
                return true;
            }
        }
    }
    return false;
}

// --- lanes of a warp -----------------------------------------------------------------------------

static void give_views(Knowledge *k, const Knowledge *all)
{
    memcpy(k->views, all->views, all->num * sizeof(View));
    memcpy(k->heard, all->heard, all->num_heard * sizeof(View));
    k->num = all->num;
    k->num_heard = all->num_heard;
}

// What one lane of a set has acquired or heard of, all know from now on.
static void share_views(unsigned warp, uint32_t lanes)
{
    Knowledge all;
    all.num = all.num_heard = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    {
        const Knowledge *k = of_thread[warp * WARP_SIZE + __builtin_ctz(rest)];
        for (int i = 0; k != NULL && i < k->num; ++i)
        {
            add_view(all.views, &all.num, k->views[i]);
        }
        for (int i = 0; k != NULL && i < k->num_heard; ++i)
        {
            add_view(all.heard, &all.num_heard, k->heard[i]);
        }
    }
    for (uint32_t rest = all.num + all.num_heard > 0 ? lanes : 0; rest != 0; rest &= rest - 1)
    {
        give_views(knowledge_of(warp * WARP_SIZE + __builtin_ctz(rest)), &all);
    }
}

// All lanes of a set come together. What they did until now is known to each of them.
void check_lanes(struct Worker *worker, unsigned warp, uint32_t lanes)
{
    (void)worker;
    uint32_t joined[WARP_SIZE] = {0};
    if (!threads_now.met[warp])
    {
        threads_now.met[warp] = true;
        memset(threads_now.knows[warp * WARP_SIZE], 0, WARP_SIZE * sizeof(*threads_now.knows));
    }
    const uint32_t moment = next_moment();
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    {
        const unsigned thread = warp * WARP_SIZE + __builtin_ctz(rest);
        const uint32_t *knows = threads_now.knows[thread];
        for (unsigned i = 0; i < WARP_SIZE; ++i)
        {
            joined[i] = joined[i] < knows[i] ? knows[i] : joined[i];
        }
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    {
        joined[__builtin_ctz(rest)] = moment;
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    {
        const unsigned thread = warp * WARP_SIZE + __builtin_ctz(rest);
        memcpy(threads_now.knows[thread], joined, sizeof(joined));
        threads_now.since[thread] = moment;
    }
    if (threads_now.acquired || any_heard)
    {
        share_views(warp, lanes);
    }
}

// --- the barrier of a block ----------------------------------------------------------------------

// What one thread has acquired, all know after the barrier. If each thread that is there has had a
// fence since the last barrier, the barrier counts as one of each: what the block did is then
// published by whichever thread writes the atomic.
static void share_knowledge(const struct Worker *worker)
{
    Knowledge all;
    memset(&all, 0, offsetof(Knowledge, views));
    unsigned num_fenced = 0;
    Scope scope = SCOPE_SYSTEM;
    for (unsigned t = 0; t < num_threads; ++t)
    {
        const Knowledge *k = of_thread[t];
        for (int i = 0; k != NULL && i < k->num; ++i)
        {
            add_view(all.views, &all.num, k->views[i]);
        }
        for (int i = 0; k != NULL && i < k->num_heard; ++i)
        {
            add_view(all.heard, &all.num_heard, k->heard[i]);
        }
        if (k != NULL && k->has_volatile)
        {
            all.has_volatile = true;
            all.volatile_word = k->volatile_word;
            all.volatile_site = k->volatile_site;
        }
        num_fenced += k != NULL && k->since_barrier;
        scope = k != NULL && k->since_barrier && k->scope < scope ? k->scope : scope;
    }
    const bool fenced = num_fenced >= worker->num_live;
    const bool some = all.num + all.num_heard > 0 || all.has_volatile;
    for (unsigned t = 0; t < num_threads && (some || num_fenced > 0); ++t)
    {
        if (!fenced && !some && of_thread[t] == NULL)
        {
            continue;
        }
        Knowledge *k = knowledge_of(t);
        give_views(k, &all);
        k->has_volatile = all.has_volatile;
        k->volatile_word = all.volatile_word;
        k->volatile_site = all.volatile_site;
        k->since_barrier = false;
        if (fenced)
        {
            k->fenced = true;
            k->scope = scope;
            k->fence = k->barrier = threads_now.barrier;
        }
    }
    threads_now.acquired |= all.num > 0;
}

void check_barrier(struct Worker *worker)
{
    const uint32_t moment = next_moment();
    threads_now.barrier = moment < MAX_TIME ? moment : UINT32_MAX;
    for (unsigned t = 0; t < num_threads; ++t)
    {
        threads_now.since[t] = moment;
    }
    if (num_known > 0)
    {
        share_knowledge(worker);
    }
}
