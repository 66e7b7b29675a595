// A context is the place where a suspended thread of a block goes on. A switch takes a few
// nanoseconds.
#ifndef CUDACPU_CONTEXT_H
#define CUDACPU_CONTEXT_H
#include <stddef.h>

#if defined(__x86_64__) && !defined(CUDACPU_PORTABLE)

typedef struct
{
    void *stack_pointer, *program_counter, *frame_pointer;
} Context;

// Saves the place in *from, and goes on in *to. The switch saves three registers. All others are
// named as lost, so the compiler saves those that it still needs.
static inline __attribute__((always_inline)) void context_switch(Context *from, Context *to)
{
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rsp, 0(%0)\n\t"
                     "movq %%rax, 8(%0)\n\t"
                     "movq %%rbp, 16(%0)\n\t"
                     "movq 0(%1), %%rsp\n\t"
                     "movq 16(%1), %%rbp\n\t"
                     "jmpq *8(%1)\n"
                     "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "memory", "cc");
}

// Prefetches the stack that a switch to the context will read.
static inline void context_expect(const Context *context)
{
    __builtin_prefetch(context->stack_pointer);
}

// Where a suspended thread's part of its stack begins; NULL if that is not known.
static inline const void *context_stack_pointer(const Context *context)
{
    return context->stack_pointer;
}

#else // any other processor: the C library creates contexts, and setjmp's pair switches them
#include <setjmp.h>
#include <ucontext.h>

typedef struct
{
    jmp_buf registers;
    ucontext_t first; // where a context that never ran starts
    int has_run;
} Context;

void context_switch(Context *from, Context *to);

static inline void context_expect(const Context *context)
{
    __builtin_prefetch(context);
}

static inline const void *context_stack_pointer(const Context *context)
{
    (void)context;
    return NULL;
}

#endif

// Makes a context that will call entry() on this stack. entry() must never return.
void context_make(Context *context, void *stack, size_t bytes, void (*entry)(void));

#endif
