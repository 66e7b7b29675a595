// One OS thread at a time changes what the checker knows.
#ifndef CUDACPU_LOCK_H
#define CUDACPU_LOCK_H
#include "../runtime/base.h"

extern bool lock_needed;
void lock_wait(void);
void lock_open(void);

static inline void lock_take(void)
{
    if (__builtin_expect(lock_needed, 0))
    {
        lock_wait();
    }
}

static inline void lock_give(void)
{
    if (__builtin_expect(lock_needed, 0))
    {
        lock_open();
    }
}

// Kernels run one after the other, on all devices.
void lock_take_kernel(void);
void lock_give_kernel(void);

#endif
