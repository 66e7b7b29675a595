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
#include "../runtime/turns.h"
#include "lock.h"
#include "meet.h"
#include "order.h"
#include "pairs.h"
#include "site.h"
#include "threads.h"

enum
{
    NUM_BUCKETS = 1 << 14,
    MOST_PRINTED = 100,
    MOST_REPORTS = 100
};

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
    [IN_FLIGHT] = "asynchronous copy used before it is waited for",
    [WRONG_MASK] = "wrong mask or width of an exchange between lanes",
    [WRONG_BARRIER] = "barrier in a branch",
    [FAULT] = "fault",
    [SAME_VALUE] = "note: lanes of one store write the same value",
    [CHECKED_COMPARE] = "note: a plain read before an atomic that compares",
    [UNWRITTEN_COPY] = "note: the host reads what was copied and never written",
    [ACTIVE_MASK] = "note: __activemask() as the mask of an exchange",
};
static const char *const KIND_WORDS[NUM_FINDING_KINDS] = {
    [RACE] = "race",
    [RACE_SCOPE] = "scope",
    [FREED_IN_USE] = "freed-in-use",
    [NEVER_WRITTEN] = "never-written",
    [OUT_OF_BOUNDS] = "out-of-bounds",
    [IN_FLIGHT] = "in-flight",
    [WRONG_MASK] = "mask",
    [WRONG_BARRIER] = "barrier",
    [FAULT] = "fault",
    [SAME_VALUE] = "same-value",
    [CHECKED_COMPARE] = "checked-compare",
    [UNWRITTEN_COPY] = "unwritten-copy",
    [ACTIVE_MASK] = "active-mask",
};

static bool is_error(const Finding *f)
{
    return f->kind < FIRST_NOTE || &cudacpu_check_strict != NULL;
}

// What an error is called that is a note else: "note: " is left out.
static const char *kind_name(const Finding *f)
{
    const char *name = KIND_NAMES[f->kind];
    return f->kind >= FIRST_NOTE && is_error(f) ? name + strlen("note: ") : name;
}

// --- finding -------------------------------------------------------------------------------------

static Distance distance(const Record *a, const Record *b)
{
    const unsigned lane = a->when % MAX_BLOCK_THREADS, other = b->when % MAX_BLOCK_THREADS;
    return a->sequence == b->sequence ? lane / WARP_SIZE == other / WARP_SIZE ? LANES : WARPS
           : a->sequence >= threads_now.launch ? BLOCKS
                                               : LAUNCHES;
}

static Finding *find(FindingKind kind, const Record *before, const Record *now)
{
    const uint32_t a = before != NULL ? before->what >> SITE_SHIFT : 0, b = now->what >> SITE_SHIFT;
    const Distance now_apart = before != NULL ? distance(before, now) : LANES;
    const uint64_t key = ((uint64_t)a << 32 | b) * 8 + kind;
    Finding **bucket = &buckets[key * 0x9e3779b97f4a7c15u >> 50];
    for (Finding *f = *bucket; f != NULL; f = f->next)
    {
        if (f->kind == kind && f->sites[0] == a && f->sites[1] == b)
        {
            ++f->times;
            f->widest = f->widest < now_apart ? now_apart : f->widest;
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
        f->met = now_apart == BLOCKS && meet_has_met(before->sequence, now->sequence);
    }
    f->widest = now_apart;
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

void finding_mistake(FindingKind kind, const Record *before, const Record *now, const char *text)
{
    Finding *f = find(kind, before, now);
    if (f != NULL)
    {
        snprintf(f->where, sizeof(f->where), "%s", text);
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
        reports[i].where = strdup(where);
        num_reports += reports[i].where != NULL;
    }
    i = i < num_reports ? i : MOST_REPORTS; // the rest
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
    const dim3 g = task->grid, b = task->block;
    const uint32_t block =
        (uint32_t)turns_block(r->sequence - task->first, (uint64_t)g.x * g.y * g.z);
    const unsigned thread = turns_thread(r->when % MAX_BLOCK_THREADS, b.x * b.y * b.z);
    snprintf(text, size, "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", task->name, block % g.x,
             block / g.x % g.y, block / g.x / g.y, thread % b.x, thread / b.x % b.y,
             thread / b.x / b.y);
}

// Where the host and the device are not in order, it is the host that has to wait.
static const char *reason_of_host(const Finding *f, const Task *before, const Task *now)
{
    static char text[400];
    const Task *device = now->kind == TASK_HOST ? before : now;
    if (device->kind == TASK_HOST)
    {
        return "nothing orders them";
    }
    snprintf(text, sizeof(text),
             "the host has not waited for %s%s: %s before the host's access, %s, would do it",
             device->kind == TASK_KERNEL ? "kernel " : "the operation of the stream",
             device->kind == TASK_KERNEL ? device->name : "",
             order_is_in_default_stream(device) ? "cudaDeviceSynchronize()"
                                                : "cudaStreamSynchronize() of its stream",
             pairs_line(f, now->kind == TASK_HOST ? 1 : 0));
    return text;
}

static const char *reason_of_streams(const Task *a, const Task *b)
{
    return order_is_node(a) && order_is_node(b)
               ? "they are in two branches of a graph, and no edge orders these"
           : order_is_node(a) || order_is_node(b)
               ? "one is in a graph, and nothing orders it with the other stream"
               : "they are in two streams, and nothing orders these: cudaEventRecord() in the "
                 "one, then cudaStreamWaitEvent() in the other, would";
}

// Of the threads at the two lines the first ones that were found may be nearer than others.
static const char *reason_in_launch(const Finding *f)
{
    const Distance first = distance(&f->before, &f->now);
    if (first == BLOCKS)
    {
        return f->met
                   ? "nothing orders the blocks of a launch. An atomic or volatile word that both "
                     "use does so only with a __threadfence() before the one's write and after the "
                     "other's read"
                   : "nothing orders the blocks of a launch";
    }
    if (f->widest >= BLOCKS)
    {
        return first == LANES
                   ? "these are two lanes of a warp, others are of two blocks, which no "
                     "barrier of a block orders"
                   : "these are two warps of a block, others are of two blocks, which no "
                     "barrier of a block orders";
    }
    return first == WARPS       ? "two warps of a block, with no __syncthreads() between"
           : f->widest == WARPS ? "these are two lanes of a warp, others are of two warps: "
                                  "__syncwarp() is not enough, __syncthreads() is"
                                : "two lanes of a warp, with neither __syncwarp() nor "
                                  "__syncthreads() between";
}

static const char *reason(const Finding *f)
{
    const Task *a = order_task(f->before.sequence), *b = order_task(f->now.sequence);
    if (f->kind == RACE_SCOPE)
    {
        return "one of the atomics is for its block only, and the other thread is elsewhere";
    }
    if (f->kind == WRONG_BARRIER)
    {
        return "all threads of a block must come to the same one";
    }
    if (f->kind == IN_FLIGHT)
    {
        return "the thread that copies has not waited: __pipeline_commit() and "
               "__pipeline_wait_prior(0), or wait(group), make the copy done";
    }
    if (a != b)
    {
        return a->kind == TASK_HOST || b->kind == TASK_HOST ? reason_of_host(f, a, b)
                                                            : reason_of_streams(a, b);
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
    return reason_in_launch(f);
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

// What the other one has done.
static const char *deed_before(const Finding *f)
{
    static char text[40];
    snprintf(text, sizeof(text), "%s before", access_name(f->before.what, true));
    return f->kind == IN_FLIGHT       ? "copied asynchronously before"
           : f->kind == WRONG_BARRIER ? "the other barrier,"
                                      : text;
}

static void print(const Finding *f)
{
    char who[400], other[400];
    if (f->kind == UNWRITTEN_COPY)
    {
        fprintf(stderr, "CPU backend: %s:\n  %s: a copy: %s\n  %s: read by the host\n",
                KIND_NAMES[f->kind], pairs_line(f, 1), f->where, site_line(f->reader));
        return;
    }
    who_text(&f->now, who, sizeof(who));
    fprintf(stderr, "CPU backend: %s:\n  %s: ", kind_name(f), pairs_line(f, 1));
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
        fprintf(stderr, "  %s: %s by %s\n", pairs_line(f, 0), deed_before(f), other);
    }
    fprintf(stderr, "  %s%s%s\n", f->where,
            f->before.sequence != 0 && f->where[0] != '\0' ? "; " : "",
            f->before.sequence != 0 ? reason(f) : "");
}

static bool alike(const Finding *a, const Finding *b)
{
    return a->kind == b->kind && pairs_same_lines(a, b);
}

static bool reads(uint32_t what)
{
    return (what & IS_WRITE) == 0 || (what & IS_ATOMIC) != 0;
}

// A read that races with the write of the same word may come too early: that is the race's finding.
static bool is_of_race(const Finding *read)
{
    const uint32_t site = read->sites[1];
    const Finding *f = oldest;
    while (f != NULL && !((f->kind == RACE || f->kind == SAME_VALUE) &&
                          ((f->sites[0] == site && reads(f->before.what)) ||
                           (f->sites[1] == site && reads(f->now.what)))))
    {
        f = f->younger;
    }
    return f != NULL;
}

// A note says nothing where the same two lines race. Nor does a race with a copy that is not waited for.
static bool is_covered(const Finding *other)
{
    const FindingKind by = other->kind == SAME_VALUE ? RACE : IN_FLIGHT;
    const Finding *f = other->kind == SAME_VALUE || other->kind == RACE ? oldest : NULL;
    while (f != NULL && !(f->kind == by && pairs_same_lines(f, other)))
    {
        f = f->younger;
    }
    return f != NULL;
}

// --- what is new ---------------------------------------------------------------------------------

// Places of one line are one: an inlined function has several.
static void count_new(void)
{
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        f->kind = f->printed ? f->kind : final_kind(f);
    }
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        Finding *same = f->printed ? f : oldest;
        while (same != f && !(same->counted && alike(same, f)))
        {
            same = same->younger;
        }
        if (!f->printed)
        {
            same->widest = same->widest < f->widest ? f->widest : same->widest;
            f->counted =
                same == f && !(f->kind == NEVER_WRITTEN && is_of_race(f)) && !is_covered(f);
            f->printed = true;
        }
    }
}

// Prints what is new since the last call.
void finding_print_new(void)
{
    static const Finding *youngest_told;
    if (youngest == youngest_told)
    {
        return;
    }
    youngest_told = youngest;
    count_new();
    pairs_find_leaders(oldest);
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        if (!f->counted || f->told || pairs_leader(f) != f)
        {
            continue;
        }
        f->told = true;
        if (num_printed++ < MOST_PRINTED)
        {
            fflush(stdout);
            print(f);
            pairs_print_led(oldest, f, "  and ");
            fprintf(stderr, pairs_num_led(oldest, f) > 0 ? "\n" : "");
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
    return f->kind != g->kind ? (int)f->kind - (int)g->kind
                              : strcmp(pairs_line(f, 1), pairs_line(g, 1));
}

// Text with a comma or a quotation mark stands in quotation marks, and each of these twice.
static void write_text(FILE *file, const char *text, bool quoted, const char *end)
{
    quoted = quoted || strpbrk(text, ",\"\n") != NULL;
    fputs(quoted ? "\"" : "", file);
    for (; *text != '\0'; ++text)
    {
        fputs(*text == '"' ? "\"" : "", file);
        fputc(*text, file);
    }
    fprintf(file, "%s%s", quoted ? "\"" : "", end);
}

static void write_csv(Finding *const *all, size_t num)
{
    const char *path = getenv("CUDACPU_CHECK_CSV");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL)
    {
        if (path != NULL)
        {
            fprintf(stderr, "CUDACPU_CHECK_CSV: cannot write to \"%s\"\n", path);
        }
        return;
    }
    fprintf(file, "kind,severity,times,kernel,place,access,other place,other access\n");
    for (size_t i = 0; i < num; ++i)
    {
        const Finding *f = all[i];
        const bool two = f->before.sequence != 0;
        fprintf(file, "%s,%s,%llu,", KIND_WORDS[f->kind], is_error(f) ? "error" : "note",
                (unsigned long long)f->times);
        write_text(file, kernel_name(f), true, ",");
        write_text(file, pairs_line(f, 1), false, ",");
        fprintf(file, "%s,", access_name(f->now.what, false));
        write_text(file, two ? pairs_line(f, 0) : "", false, ",");
        fprintf(file, "%s\n", two ? access_name(f->before.what, false) : "");
    }
    for (unsigned i = 0; i <= MOST_REPORTS; ++i)
    {
        if (reports[i].times > 0)
        {
            fprintf(file, "fault,error,%llu,\"\",", (unsigned long long)reports[i].times);
            write_text(file, reports[i].where != NULL ? reports[i].where : "", false, ",,,\n");
        }
    }
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
    {
        fprintf(stderr, "CUDACPU_CHECK_CSV: cannot write to \"%s\"\n", path);
    }
}

// Of a finding, and of those that are the same mistake.
static unsigned long long times_of(const Finding *leader)
{
    unsigned long long times = 0;
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        times += f->counted && pairs_leader(f) == leader ? f->times : 0;
    }
    return times;
}

static void summarize(Finding *const *all, size_t num, size_t num_errors, size_t num_notes)
{
    fprintf(stderr, "CPU backend: the checker has found %zu error%s and %zu note%s\n", num_errors,
            num_errors == 1 ? "" : "s", num_notes, num_notes == 1 ? "" : "s");
    for (size_t i = 0; i < num; ++i)
    {
        const Finding *f = all[i];
        if (pairs_leader(f) != f)
        {
            continue;
        }
        const bool two = f->before.sequence != 0;
        fprintf(stderr, "  %llu x %s: %s%s%s", times_of(f), kind_name(f), pairs_line(f, 1),
                two ? " and " : "", two ? pairs_line(f, 0) : "");
        pairs_print_led(oldest, f, "; ");
        fprintf(stderr, "\n");
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
    size_t num = 0, num_errors = num_reported, num_notes = 0;
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        f->kind = final_kind(f); // what a read guards may have become known since
        f->counted = f->counted && !is_covered(f);
        num += f->counted;
    }
    pairs_find_leaders(oldest);
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        const bool is_one = f->counted && pairs_leader(f) == f;
        num_errors += is_one && is_error(f);
        num_notes += is_one && !is_error(f);
    }
    Finding **all = calloc(num + 1, sizeof(*all));
    if (all == NULL)
    {
        exhausted("memory for the checker's findings", errno);
    }
    size_t i = 0;
    for (Finding *f = oldest; f != NULL; f = f->younger)
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
        summarize(all, num, num_errors, num_notes);
    }
    if (num_errors > 0)
    {
        fflush(NULL);
        _exit(4);
    }
}
