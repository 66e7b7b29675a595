// A context is where a suspended thread of a block goes on: a stack pointer, no more. Switching
// saves the registers that a called function must keep, and takes a handful of nanoseconds.
#ifndef CUDACPU_CONTEXT_H
#define CUDACPU_CONTEXT_H
#include <stddef.h>

#if defined(__x86_64__) && !defined(CUDACPU_PORTABLE)

typedef struct
{
    void *stack_pointer;
} Context;

#else // any other processor: the C library creates contexts, and setjmp's pair switches them
#include <setjmp.h>
#include <ucontext.h>

typedef struct
{
    jmp_buf registers;
    ucontext_t first; // where a context that never ran starts
    int has_run;
} Context;

#endif

// Makes a context that will call entry() on this stack. entry() must never return.
void context_make(Context *context, void *stack, size_t bytes, void (*entry)(void));

// Stops here, saved in *from, and goes on in *to.
void context_switch(Context *from, Context *to);

#endif
