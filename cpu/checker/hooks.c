// What the runtime tells of memory, launches and copies.
#include <stdlib.h>
#include "../runtime/check.h"
#include "../runtime/worker.h"
#include "access.h"
#include "finding.h"
#include "order.h"
#include "shadow.h"
#include "site.h"
#include "threads.h"

// --- memory --------------------------------------------------------------------------------------

void check_memory_new(char *start, size_t bytes, char *pages, size_t page_bytes, bool set)
{
    access_lock();
    shadow_forget(pages, page_bytes);
    shadow_set_state(pages, page_bytes, OUTSIDE);
    shadow_set_state(start, bytes, set ? WRITTEN : FRESH);
    access_unlock();
}

// To free is to write all of it.
void check_memory_freed(char *start, size_t bytes)
{
    access_bulk(start, bytes, IS_WRITE | IS_FREE, order_site_of_now());
    access_lock();
    shadow_set_state(start, bytes, OUTSIDE);
    shadow_forget(start, bytes);
    access_unlock();
}

void check_memory_gone(char *start, size_t bytes)
{
    access_lock();
    shadow_forget(start, bytes);
    shadow_set_state(start, bytes, UNKNOWN);
    access_unlock();
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
    access_lock();
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
    access_unlock();
}

void check_shared_new(char *start, size_t bytes)
{
    access_lock();
    shadow_set_state(start, bytes, FRESH);
    if (num_placed < MAX_PLACED)
    {
        placed[num_placed].start = start;
        placed[num_placed++].bytes = bytes;
    }
    access_unlock();
}

// --- kernels -------------------------------------------------------------------------------------

static const Task *launched;

void check_launch_begin(struct Launch *launch)
{
    launched = order_begin_launch(launch);
}

void check_launch_end(struct Launch *launch)
{
    (void)launch;
    access_lock();
    access_settle();
    threads_end_launch();
    finding_print_new();
    access_unlock();
}

void check_block_begin(struct Worker *worker)
{
    access_lock();
    access_settle();
    const uint32_t first = launched->first;
    threads_begin(first + (uint32_t)worker->block, first, worker->num_threads);
    for (int i = 0; i < num_placed; ++i)
    {
        shadow_set_state(placed[i].start, placed[i].bytes, FRESH);
    }
    access_unlock();
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
    access_lock();
    if (from != NULL)
    {
        shadow_copy_written(to, from, bytes);
    }
    else
    {
        shadow_set_written(to, bytes);
    }
    access_unlock();
}

// --- the program's end ---------------------------------------------------------------------------

static void tell(int status, void *unused)
{
    (void)status, (void)unused;
    access_lock();
    access_settle();
    access_unlock();
    finding_tell_all();
}

// Before the program's own variables are made, so that it runs after these are destroyed.
static __attribute__((constructor(101))) void tell_at_exit(void)
{
    on_exit(tell, NULL);
}
