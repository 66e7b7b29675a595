// Switching between the threads of a block; see context.h.
#include "context.h"
#include <stdint.h>
#include <string.h>

#if defined(CUDACPU_CONTEXT_SWITCHES_BY_ASSEMBLY)

void context_make(Context *context, void *stack, size_t bytes, void (*entry)(void))
{
    // As if entry() had just been called: aligned to 16. On x86-64 a return address follows (none).
    void **top = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15);
#if defined(__x86_64__)
    *--top = NULL;
#endif
    context->stack_pointer = top;
    context->program_counter = (void *)entry;
    context->frame_pointer = NULL;
}

#else

void context_make(Context *context, void *stack, size_t bytes, void (*entry)(void))
{
    getcontext(&context->first);
    context->first.uc_stack.ss_sp = stack;
    context->first.uc_stack.ss_size = bytes;
    context->first.uc_link = NULL;
    makecontext(&context->first, entry, 0);
    context->has_run = 0;
}

void context_switch(Context *from, Context *to)
{
    from->has_run = 1;
    if (_setjmp(from->registers) == 0)
    {
        if (to->has_run)
        {
            _longjmp(to->registers, 1);
        }
        to->has_run = 1;
        setcontext(&to->first);
    }
}

#endif
