// Stacks, made when they are first needed, and kept.
#include "fiber.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include "machine.h"

enum
{
    ROOMY_FIBERS = 32,
    ROOMY_BYTES = 256 * 1024,
    ROOMY_GUARD = 64 * 1024, // a multiple of every page size
    LEAST_BYTES = 32 * 1024
};

// Address space costs nothing, and memory is taken only where it is touched. Where `ulimit -v` counts
// address space, the stacks of all cores together get a quarter of it. But each has at least 32 KB,
// and the first ones have room for large local arrays: kernels with barriers seldom have any.
static void choose_size(Fiber *fiber, int i)
{
    const size_t share = machine_address_space() / 4 / machine_cores() / MAX_BLOCK_THREADS;
    fiber->bytes = ROOMY_BYTES;
    fiber->guard = ROOMY_GUARD;
    if (i >= ROOMY_FIBERS && share < ROOMY_BYTES + 2 * ROOMY_GUARD)
    {
        fiber->guard = sysconf(_SC_PAGESIZE);
        fiber->bytes = share > LEAST_BYTES + 2 * fiber->guard
                           ? (share - 2 * fiber->guard) / LEAST_BYTES * LEAST_BYTES
                           : LEAST_BYTES;
    }
}

// The least address space that the stacks of one worker take when all threads of a block wait.
size_t fiber_least_room(void)
{
    return ROOMY_FIBERS * (ROOMY_BYTES + 2 * ROOMY_GUARD) +
           (MAX_BLOCK_THREADS - ROOMY_FIBERS) * (LEAST_BYTES + 2 * (size_t)sysconf(_SC_PAGESIZE));
}

// If all stacks had the same alignment, their hot ends would share a few sets of each cache. So
// each fiber starts 13 cache lines further down than the one before it.
static size_t bytes_used(const Fibers *fibers, const Fiber *fiber)
{
    const size_t stagger = (size_t)(fiber - fibers->all) * 13 * 64 % (fiber->bytes / 2);
    const size_t watched = 1024; // the watch may read so much above a stack pointer
    return fiber->bytes - stagger - watched;
}

void fiber_restart(Fibers *fibers, Fiber *fiber, void (*entry)(void))
{
    context_make(&fiber->context, fiber->stack, bytes_used(fibers, fiber), entry);
}

// How far down its stack a frame lies.
size_t fiber_depth(const Fibers *fibers, const Fiber *fiber, const void *frame)
{
    return (char *)fiber->stack + bytes_used(fibers, fiber) - (const char *)frame;
}

static void reset(Fibers *fibers, int i)
{
    fiber_restart(fibers, &fibers->all[i], fibers->entry);
}

// A block whose threads do not wait takes one stack only: one with room.
static void put_first_on_top(Fibers *fibers)
{
    const int top = fibers->num - 1;
    int i = top;
    while (fibers->idle[i] != &fibers->all[0])
    {
        --i;
    }
    fibers->idle[i] = fibers->idle[top];
    fibers->idle[top] = &fibers->all[0];
}

Fiber *fiber_take(Fibers *fibers)
{
    if (fibers->num_idle > 0)
    {
        if (fibers->num_idle == fibers->num && fibers->sizes_differ)
        {
            put_first_on_top(fibers);
        }
        return fibers->idle[--fibers->num_idle];
    }
    Fiber *fiber = &fibers->all[fibers->num];
    choose_size(fiber, fibers->num);
    fibers->sizes_differ = fiber->bytes != fibers->all[0].bytes;
    char *memory = mmap(NULL, fiber->bytes + 2 * fiber->guard, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
    {
        exhausted("memory for a thread's stack", errno);
    }
    fiber->stack = memory + fiber->guard;
    // A thread that overflows its stack faults in one, an index far beyond a local array in the other.
    mprotect(memory, fiber->guard, PROT_NONE);
    mprotect((char *)fiber->stack + fiber->bytes, fiber->guard, PROT_NONE);
    reset(fibers, fibers->num++);
    return fiber;
}

// Makes all fibers idle, at their start.
void fiber_reset_all(Fibers *fibers)
{
    fibers->num_idle = 0;
    for (int i = 0; i < fibers->num; ++i)
    {
        reset(fibers, i);
        fibers->idle[fibers->num_idle++] = &fibers->all[i];
    }
}
