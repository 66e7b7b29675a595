// What the runtime tells of memory, launches and copies.
#include <stdlib.h>
#include "../runtime/check.h"
#include "../runtime/worker.h"
#include "access.h"
#include "async.h"
#include "finding.h"
#include "lock.h"
#include "order.h"
#include "shadow.h"
#include "site.h"
#include "threads.h"
#include "unwritten.h"
#include "word.h"

// --- memory --------------------------------------------------------------------------------------

void check_memory_new(char *start, size_t bytes, char *pages, size_t page_bytes, bool set)
{
    lock_take();
    shadow_forget(pages, page_bytes);
    shadow_set_state(pages, page_bytes, OUTSIDE);
    shadow_set_state(start, bytes, set ? WRITTEN : FRESH);
    lock_give();
}

// That counts as a write of the first bytes: a kernel of another stream would be too early there.
void check_allocated(char *start, size_t bytes)
{
    const size_t most = 1 << 20;
    access_bulk(start, bytes < most ? bytes : most, IS_WRITE, order_site_of_now());
}

// To free is to write all of it.
void check_memory_freed(char *start, size_t bytes)
{
    access_bulk(start, bytes, IS_WRITE | IS_FREE, order_site_of_now());
    lock_take();
    shadow_set_state(start, bytes, OUTSIDE);
    shadow_forget(start, bytes);
    lock_give();
}

void check_memory_gone(char *start, size_t bytes)
{
    lock_take();
    shadow_forget(start, bytes);
    shadow_set_state(start, bytes, UNKNOWN);
    lock_give();
}

// --- shared memory -------------------------------------------------------------------------------

// The variables of the launch: their bytes are fresh again when a block begins.
enum
{
    MAX_PLACED = MAX_SHARED_VARIABLES + 1
};
static struct
{
    char *start;
    size_t bytes;
} placed[MAX_PLACED];
static int num_placed;

void check_shared_begin(char *start, size_t bytes)
{
    static char *known;
    lock_take();
    if (known != start) // all of it, once
    {
        known = start;
        shadow_set_state(start, bytes, OUTSIDE);
    }
    for (int i = 0; i < num_placed; ++i)
    {
        shadow_set_state(placed[i].start, placed[i].bytes, OUTSIDE);
    }
    num_placed = 0;
    lock_give();
}

void check_shared_new(char *start, size_t bytes)
{
    lock_take();
    shadow_set_state(start, bytes, FRESH);
    if (num_placed < MAX_PLACED)
    {
        placed[num_placed].start = start;
        placed[num_placed++].bytes = bytes;
    }
    lock_give();
}

// --- kernels -------------------------------------------------------------------------------------

// The blocks have numbers in the order in which they run.
static uint32_t first_block, next_block;

void check_launch_begin(struct Launch *launch)
{
    lock_take_kernel();
    lock_take();
    first_block = next_block = order_begin_launch(launch);
    lock_give();
}

void check_launch_end(struct Launch *launch)
{
    (void)launch;
    lock_take();
    word_settle();
    threads_end_launch();
    lock_give();
    finding_describe_new();
    lock_take();
    finding_print_new();
    lock_give();
    lock_give_kernel();
}

void check_block_begin(struct Worker *worker)
{
    lock_take();
    word_settle();
    async_begin_block();
    threads_begin(next_block++, first_block, worker->num_threads);
    for (int i = 0; i < num_placed; ++i)
    {
        shadow_set_state(placed[i].start, placed[i].bytes, FRESH);
    }
    lock_give();
}

// --- mistakes ------------------------------------------------------------------------------------

static Record record_at(unsigned thread, const char *file, int line)
{
    return (Record){threads_now.sequence, threads_when(thread),
                    site_of_line(file, line) << SITE_SHIFT};
}

void check_mistake(struct Worker *worker, unsigned thread, CheckMistake kind, const char *text)
{
    lock_take();
    const Record now = record_at(thread, worker->file[thread], worker->line[thread]);
    if (kind == CHECK_BARRIER)
    {
        const Record other = record_at(first_of(worker->barrier.at, worker->num_warps),
                                       worker->barrier.file, worker->barrier.line);
        finding_mistake(WRONG_BARRIER, &other, &now, text);
    }
    else
    {
        finding_mistake(WRONG_MASK, NULL, &now, text);
    }
    lock_give();
}

// The latest mask that __activemask has given to a thread, if not all lanes of the warp were there.
static struct
{
    uint32_t sequence; // of the block
    uint32_t mask;
} active[MAX_BLOCK_THREADS];

void cudacpu_check_active(unsigned mask);
void cudacpu_check_active(unsigned mask)
{
    const Worker *worker = this_worker;
    if (worker != NULL && worker->in_kernel)
    {
        const unsigned thread = worker->current;
        const unsigned rest = worker->num_threads - thread / WARP_SIZE * WARP_SIZE;
        const bool is_whole = mask == (rest >= WARP_SIZE ? UINT32_MAX : (1u << rest) - 1);
        active[thread].sequence = is_whole ? 0 : threads_now.sequence;
        active[thread].mask = mask;
    }
}

void check_mask(struct Worker *worker, unsigned thread, uint32_t mask)
{
    if (active[thread].sequence == threads_now.sequence && active[thread].mask == mask)
    {
        lock_take();
        const Record now = record_at(thread, worker->file[thread], worker->line[thread]);
        finding_mistake(
            ACTIVE_MASK, NULL, &now,
            "the mask is that of __activemask() where not all lanes are: which ones meet "
            "there is not promised. A __ballot_sync() before the branch names them");
        lock_give();
    }
}

// --- copies --------------------------------------------------------------------------------------

void check_copy(char *to, const char *from, size_t bytes)
{
    const uint32_t site = order_site_of_now();
    if (from != NULL)
    {
        access_bulk(from, bytes, 0, site);
    }
    access_bulk(to, bytes, IS_WRITE, site);
    lock_take();
    shadow_set_written(to, bytes);
    if (from != NULL)
    {
        unwritten_copy(to, from, bytes, site, order_sequence());
    }
    else
    {
        unwritten_set_written(to, bytes);
    }
    lock_give();
    finding_describe_new();
}

// --- the program's end ---------------------------------------------------------------------------

static void tell(int status, void *unused)
{
    (void)status, (void)unused;
    lock_take();
    word_settle();
    lock_give();
    finding_describe_new();
    finding_tell_all();
}

// Before the program's own variables are made, so that it runs after these are destroyed.
static __attribute__((constructor(101))) void tell_at_exit(void)
{
    on_exit(tell, NULL);
}
