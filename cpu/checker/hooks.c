// What the runtime tells of memory, launches and copies.
#include <stdlib.h>
#include "../runtime/check.h"
#include "../runtime/worker.h"
#include "access.h"
#include "finding.h"
#include "lock.h"
#include "order.h"
#include "shadow.h"
#include "site.h"
#include "threads.h"
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
    threads_begin(next_block++, first_block, worker->num_threads);
    for (int i = 0; i < num_placed; ++i)
    {
        shadow_set_state(placed[i].start, placed[i].bytes, FRESH);
    }
    lock_give();
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
    if (from != NULL)
    {
        shadow_copy_written(to, from, bytes);
    }
    else
    {
        shadow_set_written(to, bytes);
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
