// Stacks, made when they are first needed, and kept.
#include "fiber.h"
#include <errno.h>
#include <sys/mman.h>

// If all stacks had the same alignment, their hot ends would share a few sets of each cache. So
// each fiber starts 13 cache lines further down than the one before it.
static void reset(Fibers *fibers, int i)
{
    Fiber *fiber = &fibers->all[i];
    const size_t stagger = (size_t)i * 13 * 64 % (STACK_BYTES / 2);
    const size_t watched = 1024; // the watch may read so much above a stack pointer
    context_make(&fiber->context, fiber->stack, STACK_BYTES - stagger - watched, fibers->entry);
}

Fiber *fiber_take(Fibers *fibers)
{
    if (fibers->num_idle > 0)
    {
        return fibers->idle[--fibers->num_idle];
    }
    Fiber *fiber = &fibers->all[fibers->num];
    char *memory = mmap(NULL, STACK_GUARD + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
    {
        exhausted("memory for a thread's stack", errno);
    }
    mprotect(memory, STACK_GUARD, PROT_NONE); // a thread that overflows its stack faults here
    fiber->stack = memory + STACK_GUARD;
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
