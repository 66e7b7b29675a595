// The findings: kept by kind and by the two places, printed as they are found, and again, sorted and
// counted, at the program's end.
#include "finding.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../runtime/check.h"
#include "../runtime/launch_state.h"
#include "lock.h"
#include "order.h"
#include "site.h"
#include "threads.h"

enum
{
    NUM_BUCKETS = 1 << 14,
    MOST_PRINTED = 100,
    MOST_REPORTS = 100
};

typedef struct Finding
{
    FindingKind kind;
    uint32_t sites[2];
    uint64_t times;
    Record before, now; // of the first time
    uint32_t reader;    // where the host has read what a copy has brought
    const void *address;
    size_t bytes;
    char where[600]; // what lies at the address
    bool printed;
    bool counted;            // one of the lines of the summary; another one has the same lines else
    struct Finding *next;    // of its bucket
    struct Finding *younger; // of all
} Finding;

static Finding *buckets[NUM_BUCKETS];
static Finding *oldest, *youngest;
static Finding *described; // the youngest of those that were
int finding_num_new;       // that are not described yet
static int num_printed;
static uint64_t num_reported; // by the runtime itself, ...
static struct
{
    const char *where; // "file.cu:12", or ""
    uint64_t times;
} reports[MOST_REPORTS + 1]; // ... and where
static unsigned num_reports;
static FindingDescriber *describe;

static const char *const KIND_NAMES[NUM_FINDING_KINDS] = {
    [RACE] = "race",
    [RACE_SCOPE] = "race of atomics, whose scope is too narrow",
    [FREED_IN_USE] = "memory freed while in use",
    [NEVER_WRITTEN] = "read of memory that was never written",
    [OUT_OF_BOUNDS] = "access outside the program's memory",
    [FAULT] = "fault",
    [SAME_VALUE] = "note: lanes of one store write the same value",
    [CHECKED_COMPARE] = "note: a plain read before an atomic that compares",
    [UNWRITTEN_COPY] = "note: the host reads what was copied and never written",
};
static const char *const KIND_WORDS[NUM_FINDING_KINDS] = {
    [RACE] = "race",
    [RACE_SCOPE] = "scope",
    [FREED_IN_USE] = "freed-in-use",
    [NEVER_WRITTEN] = "never-written",
    [OUT_OF_BOUNDS] = "out-of-bounds",
    [FAULT] = "fault",
    [SAME_VALUE] = "same-value",
    [CHECKED_COMPARE] = "checked-compare",
    [UNWRITTEN_COPY] = "unwritten-copy",
};

// --- finding -------------------------------------------------------------------------------------

static Finding *find(FindingKind kind, const Record *before, const Record *now)
{
    const uint32_t a = before != NULL ? before->what >> SITE_SHIFT : 0, b = now->what >> SITE_SHIFT;
    const uint64_t key = ((uint64_t)a << 32 | b) * 8 + kind;
    Finding **bucket = &buckets[key * 0x9e3779b97f4a7c15u >> 50];
    for (Finding *f = *bucket; f != NULL; f = f->next)
    {
        if (f->kind == kind && f->sites[0] == a && f->sites[1] == b)
        {
            ++f->times;
            return NULL;
        }
    }
    Finding *f = calloc(1, sizeof(*f));
    if (f == NULL)
    {
        exhausted("memory for the checker's findings", errno);
    }
    *f = (Finding){.kind = kind, .sites = {a, b}, .times = 1, .now = *now, .next = *bucket};
    if (before != NULL)
    {
        f->before = *before;
    }
    *bucket = f;
    *(youngest != NULL ? &youngest->younger : &oldest) = f;
    youngest = f;
    ++finding_num_new;
    return f;
}

void finding_race(FindingKind kind, const Record *before, const Record *now, const void *address,
                  size_t bytes)
{
    Finding *f = find(kind, before, now);
    if (f != NULL)
    {
        f->bytes = bytes;
        f->address = kind != FREED_IN_USE ? address : NULL; // what is gone is nothing any more
    }
}

void finding_access(FindingKind kind, const Record *now, const void *address, size_t bytes)
{
    Finding *f = find(kind, NULL, now);
    if (f != NULL)
    {
        f->bytes = bytes;
        f->address = address;
    }
}

static Finding *after(const Finding *f)
{
    return f != NULL ? f->younger : oldest;
}

void finding_set_describer(FindingDescriber *describer)
{
    describe = describer;
}

// Looks up what lies at the addresses of new findings. Not under our lock: who frees memory has that of
// the allocations first, then ours.
void finding_describe_all(void)
{
    while (finding_num_new > 0)
    {
        lock_take();
        Finding *f = after(described);
        if (f != NULL)
        {
            described = f;
            --finding_num_new;
        }
        lock_give();
        if (f != NULL && f->address != NULL && describe != NULL)
        {
            describe(f->address, f->where, sizeof(f->where));
        }
    }
}

void finding_index(const Record *now, const char *text)
{
    Finding *f = find(OUT_OF_BOUNDS, NULL, now);
    if (f != NULL)
    {
        snprintf(f->where, sizeof(f->where), "%s", text);
    }
}

// A copy to the host, of which the host has read at `reader` what was never written.
void finding_copy(const Record *now, const char *text, uint32_t reader)
{
    Finding *f = find(UNWRITTEN_COPY, NULL, now);
    if (f != NULL)
    {
        f->reader = reader;
        snprintf(f->where, sizeof(f->where), "%s", text);
    }
}

// The runtime has reported an error. If it is the access that the checker has just found, it is one.
void check_reported(const char *where)
{
    if (youngest != NULL && !youngest->printed && youngest->kind == OUT_OF_BOUNDS)
    {
        return;
    }
    ++num_reported;
    unsigned i = 0;
    while (i < num_reports && strcmp(reports[i].where, where) != 0)
    {
        ++i;
    }
    if (i == num_reports && num_reports < MOST_REPORTS)
    {
        reports[num_reports++].where = strdup(where);
    }
    i = i < num_reports && reports[i].where != NULL ? i : MOST_REPORTS; // the rest
    ++reports[i].times;
}

// --- telling -------------------------------------------------------------------------------------

static const char *access_name(uint32_t what, bool is_past)
{
    return what & IS_ATOMIC  ? is_past ? "changed by an atomic" : "atomic"
           : what & IS_WRITE ? is_past ? "written" : "write"
           : is_past         ? "read"
                             : "read";
}

static void who_text(const Record *r, char *text, size_t size)
{
    const Task *task = order_task(r->sequence);
    if (task->kind != TASK_KERNEL)
    {
        snprintf(text, size, "%s",
                 task->kind == TASK_HOST ? "the host" : "an operation of a stream");
        return;
    }
    const uint32_t block = r->sequence - task->first;
    const unsigned thread = r->when % MAX_BLOCK_THREADS;
    const dim3 g = task->grid, b = task->block;
    snprintf(text, size, "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", task->name, block % g.x,
             block / g.x % g.y, block / g.x / g.y, thread % b.x, thread / b.x % b.y,
             thread / b.x / b.y);
}

static const char *barrier_reason(const Finding *f)
{
    const unsigned one = f->before.when % MAX_BLOCK_THREADS,
                   other = f->now.when % MAX_BLOCK_THREADS;
    return one / WARP_SIZE == other / WARP_SIZE
               ? "two lanes of a warp, with neither __syncwarp() nor __syncthreads() between"
               : "two warps of a block, with no __syncthreads() between";
}

static const char *reason(const Finding *f)
{
    const Task *a = order_task(f->before.sequence), *b = order_task(f->now.sequence);
    if (f->kind == RACE_SCOPE)
    {
        return "one of the atomics is for its block only, and the other thread is elsewhere";
    }
    if (a != b)
    {
        return a->kind == TASK_HOST || b->kind == TASK_HOST
                   ? "the host has not waited for the device, or the device began without the host"
                   : "they are in two streams or two branches of a graph, and nothing orders these";
    }
    const uint32_t either = f->before.what | f->now.what, both = f->before.what & f->now.what;
    if ((both & (IS_VOLATILE | IS_WRITE)) == (IS_VOLATILE | IS_WRITE))
    {
        return "the thread has read it before it writes it, and another one may write between";
    }
    const bool same_block = f->before.sequence == f->now.sequence;
    if ((both & IS_VOLATILE) != 0 && !(same_block && (either & IS_SUM) != 0))
    {
        return "the one that writes has no fence before it tells of it by an atomic or a flag";
    }
    if (!same_block)
    {
        return "nothing orders the blocks of a launch";
    }
    return barrier_reason(f);
}

// Whether a place is that of a plain read which races with an atomic that compares.
static bool reads_beside_atomic(uint32_t site)
{
    const uint32_t strong_or_write = IS_WRITE | IS_STRONG;
    for (const Finding *f = oldest; f != NULL; f = f->younger)
    {
        if ((f->sites[0] == site && (f->before.what & strong_or_write) == 0 &&
             (f->now.what & IS_COMPARING) != 0) ||
            (f->sites[1] == site && (f->now.what & strong_or_write) == 0 &&
             (f->before.what & IS_COMPARING) != 0))
        {
            return true;
        }
    }
    return false;
}

// Whether such reads at a line only decide whether an atomic that compares follows. Other reads at the
// line do not matter: they are of other words.
static bool guards(uint32_t site)
{
    bool some = false, misses = false;
    for (uint32_t i = 0, other; (other = site_with_guard(i)) != 0 && !misses; ++i)
    {
        if (other == site || strcmp(site_line(other), site_line(site)) == 0)
        {
            some |= site_at(other)->guards;
            misses |= site_at(other)->guards_not && reads_beside_atomic(other);
        }
    }
    return some && !misses;
}

// A plain read whose value decides whether an atomic that compares follows.
static FindingKind final_kind(const Finding *f)
{
    const uint32_t strong_or_write = IS_WRITE | IS_STRONG;
    const bool guard_before = (f->now.what & IS_COMPARING) != 0 &&
                              (f->before.what & strong_or_write) == 0 && guards(f->sites[0]) &&
                              !site_at(f->sites[1])->unguarded;
    const bool guard_now = (f->before.what & IS_COMPARING) != 0 &&
                           (f->now.what & strong_or_write) == 0 && guards(f->sites[1]) &&
                           !site_at(f->sites[0])->unguarded;
    return f->kind != RACE && f->kind != CHECKED_COMPARE ? f->kind
           : guard_before || guard_now                   ? CHECKED_COMPARE
                                                         : RACE;
}

// The line of one of the two, or within a library that of its call.
static const char *place(const Finding *f, int which)
{
    const uint32_t site = f->sites[which];
    const Record *r = which == 0 ? &f->before : &f->now;
    const uint32_t call = site != 0 && !site_is_known(site) ? order_task(r->sequence)->site : 0;
    return site_line(call != 0 ? call : site);
}

static void print(const Finding *f)
{
    char who[400], other[400];
    if (f->kind == UNWRITTEN_COPY)
    {
        fprintf(stderr, "CPU backend: %s:\n  %s: a copy: %s\n  %s: read by the host\n",
                KIND_NAMES[f->kind], place(f, 1), f->where, site_line(f->reader));
        return;
    }
    who_text(&f->now, who, sizeof(who));
    fprintf(stderr, "CPU backend: %s:\n  %s: ", KIND_NAMES[f->kind], place(f, 1));
    if (f->bytes > 0)
    {
        fprintf(stderr, "%s of %zu byte%s by %s\n", access_name(f->now.what, false), f->bytes,
                f->bytes == 1 ? "" : "s", who);
    }
    else
    {
        fprintf(stderr, "%s\n", who);
    }
    if (f->before.sequence != 0)
    {
        who_text(&f->before, other, sizeof(other));
        fprintf(stderr, "  %s: %s before by %s\n", place(f, 0), access_name(f->before.what, true),
                other);
    }
    fprintf(stderr, "  %s%s%s\n", f->where,
            f->before.sequence != 0 && f->where[0] != '\0' ? "; " : "",
            f->before.sequence != 0 ? reason(f) : "");
}

static bool same_lines(const Finding *a, const Finding *b)
{
    const char *a0 = place(a, 0), *a1 = place(a, 1);
    const char *b0 = place(b, 0), *b1 = place(b, 1);
    return (strcmp(a0, b0) == 0 && strcmp(a1, b1) == 0) ||
           (strcmp(a0, b1) == 0 && strcmp(a1, b0) == 0);
}

static bool alike(const Finding *a, const Finding *b)
{
    return a->kind == b->kind && same_lines(a, b);
}

// A read that races with the write of the same word may come too early: that is the race's finding.
static bool is_of_race(const Finding *read)
{
    const uint32_t site = read->sites[1];
    const Finding *f = oldest;
    while (f != NULL && !((f->kind == RACE || f->kind == SAME_VALUE) &&
                          ((f->sites[0] == site && (f->before.what & IS_WRITE) == 0) ||
                           (f->sites[1] == site && (f->now.what & IS_WRITE) == 0))))
    {
        f = f->younger;
    }
    return f != NULL;
}

// A note says nothing where the same two lines race.
static bool is_covered(const Finding *note)
{
    const Finding *f = oldest;
    while (f != NULL && !(f->kind == RACE && same_lines(f, note)))
    {
        f = f->younger;
    }
    return note->kind == SAME_VALUE && f != NULL;
}

// Prints what is new since the last call. Places of one line are one: an inlined function has several.
void finding_print_new(void)
{
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        f->kind = f->printed ? f->kind : final_kind(f);
    }
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        if (f->printed)
        {
            continue;
        }
        f->printed = true;
        Finding *same = oldest;
        while (same != f && !(same->counted && alike(same, f)))
        {
            same = same->younger;
        }
        f->counted = same == f && !(f->kind == NEVER_WRITTEN && is_of_race(f)) && !is_covered(f);
        if (!f->counted)
        {
            continue;
        }
        if (num_printed++ < MOST_PRINTED)
        {
            fflush(stdout);
            print(f);
        }
    }
}

// --- the end -------------------------------------------------------------------------------------

static const char *kernel_name(const Finding *f)
{
    const Task *task = order_task(f->now.sequence);
    return task->kind == TASK_KERNEL ? task->name : "";
}

static int compare(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    return f->kind != g->kind ? (int)f->kind - (int)g->kind : strcmp(place(f, 1), place(g, 1));
}

static void write_csv(Finding *const *all, size_t num)
{
    const char *path = getenv("CUDACPU_CHECK_CSV");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (path != NULL && file == NULL)
    {
        fprintf(stderr, "CUDACPU_CHECK_CSV: cannot write to \"%s\"\n", path);
    }
    if (file == NULL)
    {
        return;
    }
    fprintf(file, "kind,severity,times,kernel,place,access,other place,other access\n");
    for (size_t i = 0; i < num; ++i)
    {
        const Finding *f = all[i];
        const bool two = f->before.sequence != 0;
        fprintf(file, "%s,%s,%llu,\"%s\",%s,%s,%s,%s\n", KIND_WORDS[f->kind],
                f->kind < FIRST_NOTE ? "error" : "note", (unsigned long long)f->times,
                kernel_name(f), place(f, 1), access_name(f->now.what, false),
                two ? place(f, 0) : "", two ? access_name(f->before.what, false) : "");
    }
    for (unsigned i = 0; i <= MOST_REPORTS; ++i)
    {
        if (reports[i].times > 0)
        {
            fprintf(file, "fault,error,%llu,\"\",%s,,,\n", (unsigned long long)reports[i].times,
                    reports[i].where != NULL ? reports[i].where : "");
        }
    }
    fclose(file);
}

static void summarize(Finding *const *all, size_t num, size_t num_errors)
{
    const size_t num_notes = num + num_reported - num_errors;
    fprintf(stderr, "CPU backend: the checker has found %zu error%s and %zu note%s\n", num_errors,
            num_errors == 1 ? "" : "s", num_notes, num_notes == 1 ? "" : "s");
    for (size_t i = 0; i < num; ++i)
    {
        const Finding *f = all[i];
        const bool two = f->before.sequence != 0;
        fprintf(stderr, "  %llu x %s: %s%s%s\n", (unsigned long long)f->times, KIND_NAMES[f->kind],
                place(f, 1), two ? " and " : "", two ? place(f, 0) : "");
    }
    for (unsigned i = 0; i <= MOST_REPORTS; ++i)
    {
        if (reports[i].times > 0)
        {
            const char *where = reports[i].where != NULL ? reports[i].where : "";
            fprintf(stderr, "  %llu x fault, reported above%s%s\n",
                    (unsigned long long)reports[i].times, where[0] != '\0' ? ": " : "", where);
        }
    }
}

// Tells all of them, and ends the program with status 4 if one is an error.
void finding_tell_all(void)
{
    finding_print_new();
    size_t num = 0, num_errors = num_reported;
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        f->kind = final_kind(f); // what a read guards may have become known since
        f->counted = f->counted && !is_covered(f);
        num += f->counted;
        num_errors += f->counted && f->kind < FIRST_NOTE;
    }
    Finding **all = calloc(num + 1, sizeof(*all));
    size_t i = 0;
    for (Finding *f = oldest; f != NULL && all != NULL; f = f->younger)
    {
        for (Finding *g = f->counted ? NULL : oldest; g != NULL && g != f; g = g->younger)
        {
            g->times += g->counted && alike(g, f) ? f->times : 0;
        }
        if (f->counted)
        {
            all[i++] = f;
        }
    }
    qsort(all, num, sizeof(*all), compare);
    write_csv(all, num);
    if (num > 0 || num_errors > 0)
    {
        fflush(stdout);
        summarize(all, num, num_errors);
    }
    if (num_errors > 0)
    {
        fflush(NULL);
        _exit(4);
    }
}
