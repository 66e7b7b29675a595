// Switching between the threads of a block; see context.h.
#include "context.h"
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && !defined(CUDACPU_PORTABLE)

// The six registers that the System V ABI lets a callee rely on go onto the old stack and come
// back from the new one. The return address is there already: `ret` is the jump.
__asm__(".text\n"
        ".globl context_switch\n"
        ".type context_switch, @function\n"
        "context_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq (%rsi), %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size context_switch, .-context_switch\n");

void context_make(Context *context, void *stack, size_t bytes, void (*entry)(void))
{
    // As if entry() had just been called: aligned to 16, then a return address (none).
    uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
    void **frame = (void **)top;
    *--frame = NULL;
    *--frame = (void *)entry;
    frame -= 6;
    memset(frame, 0, 6 * sizeof(*frame));
    context->stack_pointer = frame;
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
