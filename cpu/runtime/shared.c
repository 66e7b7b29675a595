// Shared memory. Each worker has some for static variables and some for dynamic memory. Each lies
// between guards, and what a kernel uses ends where the second guard begins.
//
//     guard | unused ... | s_b | slack | s_a | guard | unused ... | dynamic | guard
//
// A static variable gets its place when the first thread of a launch comes to its declaration. The
// slack holds a pattern, which is checked after each block.
#include "shared.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "check.h"
#include "report.h"
#include "worker.h"

enum
{
    SHARED_GUARD = 1 << 20, // address space, which costs nothing
    STATIC_BYTES = 1 << 20, // of all functions that a kernel calls; each may have 48 kB
    DYNAMIC_BYTES = 256 * 1024,
    SLACK = 64,
    SLACK_BYTE = 0xcd,
    MAPPING_BYTES = 3 * SHARED_GUARD + STATIC_BYTES + DYNAMIC_BYTES
};
_Static_assert((int)DYNAMIC_BYTES >= (int)DYNAMIC_SHARED_LIMIT + SLACK,
               "room for the largest launch");

THREAD_LOCAL char *cudacpu_dynamic_shared;

static void make(Shared *shared)
{
    char *memory =
        mmap(NULL, MAPPING_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
    {
        exhausted("memory for a block's shared variables", errno);
    }
    shared->memory = memory;
    shared->static_end = memory + SHARED_GUARD + STATIC_BYTES;
    shared->dynamic_end = shared->static_end + SHARED_GUARD + DYNAMIC_BYTES;
    mprotect(memory + SHARED_GUARD, STATIC_BYTES, PROT_READ | PROT_WRITE);
    mprotect(shared->dynamic_end - DYNAMIC_BYTES, DYNAMIC_BYTES, PROT_READ | PROT_WRITE);
}

static char *align_down(char *p, size_t alignment)
{
    return (char *)((uintptr_t)p & ~(uintptr_t)(alignment - 1));
}

// Where the dynamic memory of the launch begins. The checker finds an access past its end by itself, so
// it need not end at the guard.
char *shared_dynamic(const Shared *shared)
{
    const size_t slack = CUDACPU_CHECKS ? SLACK : 0;
    return align_down(shared->dynamic_end - slack - shared->dynamic_bytes, 16);
}

// The worker is about to run blocks of a launch.
void shared_begin(Worker *worker, size_t dynamic_bytes)
{
    Shared *shared = &worker->shared;
    if (shared->memory == NULL)
    {
        make(shared);
    }
    if (cudacpu_shared_start != (uintptr_t)shared->memory) // of this OS thread
    {
        cudacpu_shared_start = (uintptr_t)shared->memory;
        cudacpu_shared_bytes = MAPPING_BYTES;
    }
    while (shared->num > 0)
    {
        *shared->variables[--shared->num].place = NULL;
    }
    shared->lowest = shared->static_end;
    shared->dynamic_bytes = dynamic_bytes;
    cudacpu_dynamic_shared = shared_dynamic(shared);
    check_shared_begin(shared->memory + SHARED_GUARD,
                       shared->dynamic_end - (shared->memory + SHARED_GUARD));
    if (dynamic_bytes > 0)
    {
        check_shared_new(cudacpu_dynamic_shared, dynamic_bytes);
        char *end = cudacpu_dynamic_shared + dynamic_bytes;
        memset(cudacpu_dynamic_shared - SLACK, SLACK_BYTE, SLACK);
        memset(end, SLACK_BYTE, shared->dynamic_end - end);
    }
}

// Another worker has the OS thread from now on: its variables have other places.
void shared_leave(Worker *worker)
{
    for (unsigned i = 0; i < worker->shared.num; ++i)
    {
        *worker->shared.variables[i].place = NULL;
    }
}

// The worker has the OS thread again, in the middle of a launch.
void shared_enter(Worker *worker)
{
    Shared *shared = &worker->shared;
    for (unsigned i = 0; i < shared->num; ++i)
    {
        *shared->variables[i].place = shared->variables[i].start;
    }
    if (shared->memory != NULL)
    {
        cudacpu_shared_start = (uintptr_t)shared->memory;
        cudacpu_shared_bytes = MAPPING_BYTES;
        cudacpu_dynamic_shared = shared_dynamic(shared);
    }
}

// A thread has come to the declaration of a static variable that has no place in this launch yet.
CALLED_BY_KERNELS void cudacpu_place_shared(void **place, size_t bytes, size_t alignment,
                                            const char *name)
{
    Worker *worker = this_worker;
    set_preemptible(worker, false);
    Shared *shared = &worker->shared;
    if (*place != NULL) // another thread had the turn, and was here
    {
        set_preemptible(worker, true);
        return;
    }
    const size_t slack = shared->num > 0 || CUDACPU_CHECKS ? SLACK : 0;
    const size_t room = shared->lowest - (shared->static_end - STATIC_BYTES);
    if (bytes + alignment + 2 * SLACK > room || shared->num == MAX_SHARED_VARIABLES)
    {
        report_error(worker, worker->current, "", 0, "the kernel uses too much shared data");
        worker_abandon(worker, cudaErrorLaunchOutOfResources);
    }
    char *start = align_down(shared->lowest - slack - bytes, alignment > 16 ? alignment : 16);
    memset(start + bytes, SLACK_BYTE, shared->lowest - (start + bytes));
    memset(start - SLACK, SLACK_BYTE, SLACK);
    shared->variables[shared->num++] = (SharedVariable){name, start, bytes, place};
    shared->lowest = start;
    check_shared_new(start, bytes);
    *place = start;
    set_preemptible(worker, true);
}

// --- what was overwritten ------------------------------------------------------------------------

// The first byte of the slack that has changed, or NULL.
static const char *first_changed(const char *p, const char *end)
{
    const uint64_t pattern = 0x0101010101010101u * SLACK_BYTE;
    for (uint64_t word; end - p >= 8; p += 8)
    {
        memcpy(&word, p, 8);
        if (word != pattern)
        {
            break;
        }
    }
    while (p < end && *(const unsigned char *)p == SLACK_BYTE)
    {
        ++p;
    }
    return p < end ? p : NULL;
}

static void describe_offset(const char *p, const char *start, size_t bytes, const char *what,
                            char *text, size_t size)
{
    if (p < start)
    {
        snprintf(text, size, "%zu bytes before the start of %s (%zu bytes)", (size_t)(start - p),
                 what, bytes);
    }
    else
    {
        snprintf(text, size, "%zu bytes past the end of %s (%zu bytes)",
                 (size_t)(p - (start + bytes)), what, bytes);
    }
}

// What lies at an address outside all variables: a place relative to the nearest of them.
static void describe_static(const Shared *shared, const char *p, char *text, size_t size)
{
    const SharedVariable *nearest = NULL;
    size_t least = SIZE_MAX;
    for (unsigned i = 0; i < shared->num; ++i)
    {
        const SharedVariable *v = &shared->variables[i];
        const size_t distance = p < v->start ? v->start - p : p - (v->start + v->bytes);
        // What is as near to the end of one as to the start of the next lies past the end.
        if (distance < least || (distance == least && p >= v->start))
        {
            least = distance;
            nearest = v;
        }
    }
    char what[200];
    if (nearest == NULL)
    {
        snprintf(text, size, "in static shared memory, of which the kernel has none");
        return;
    }
    snprintf(what, sizeof(what), "__shared__ variable %s", nearest->name);
    describe_offset(p, nearest->start, nearest->bytes, what, text, size);
}

static void describe_dynamic(const Shared *shared, const char *p, char *text, size_t size)
{
    if (shared->dynamic_bytes == 0)
    {
        snprintf(text, size,
                 "in dynamic shared memory, of which the launch gives none: its size is the third "
                 "argument of <<< >>>");
        return;
    }
    const char *start = shared_dynamic(shared);
    describe_offset(p, start, shared->dynamic_bytes, "the dynamic shared memory that <<< >>> gives",
                    text, size);
}

// True if the block that has just ended wrote into the slack beside a variable; *text says where.
bool shared_overwritten(const Shared *shared, char *text, size_t size)
{
    const char *above = shared->static_end;
    for (unsigned i = 0; i < shared->num; ++i)
    {
        const SharedVariable *v = &shared->variables[i];
        const char *changed = first_changed(v->start + v->bytes, above);
        changed = changed == NULL && i + 1 == shared->num
                      ? first_changed(v->start - SLACK, v->start)
                      : changed;
        if (changed != NULL)
        {
            describe_static(shared, changed, text, size);
            return true;
        }
        above = v->start;
    }
    if (shared->dynamic_bytes > 0)
    {
        const char *start = shared_dynamic(shared);
        const char *changed = first_changed(start + shared->dynamic_bytes, shared->dynamic_end);
        changed = changed == NULL ? first_changed(start - SLACK, start) : changed;
        if (changed != NULL)
        {
            describe_dynamic(shared, changed, text, size);
            return true;
        }
    }
    return false;
}

// "0 bytes past the end of __shared__ variable s_x (256 bytes)", if the address is near one.
bool shared_describe(const Shared *shared, const void *address, char *text, size_t size)
{
    const char *p = address;
    if (shared->memory == NULL || p < shared->memory || p >= shared->memory + MAPPING_BYTES)
    {
        return false;
    }
    // Of the guard in the middle one half belongs to each side.
    if (p < shared->static_end + SHARED_GUARD / 2)
    {
        describe_static(shared, p, text, size);
    }
    else
    {
        describe_dynamic(shared, p, text, size);
    }
    return true;
}
