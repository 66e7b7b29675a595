// A context is the place where a suspended thread of a block goes on. A switch takes a few
// nanoseconds.
#ifndef CUDACPU_CONTEXT_H
#define CUDACPU_CONTEXT_H
#include <stddef.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(CUDACPU_PORTABLE)
#define CUDACPU_CONTEXT_SWITCHES_BY_ASSEMBLY

typedef struct
{
    void *stack_pointer, *program_counter, *frame_pointer;
} Context;

// Saves the place in *from, and goes on in *to. The switch saves three registers. All others are
// named as lost, so the compiler saves those that it still needs.
#if defined(__x86_64__)
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
#else
// The jump goes by x17, and a hint stands where it lands ("bti j"): a processor that checks where
// jumps land accepts that. A new context finds 0 in x30: it has no caller that a trace could name.
static inline __attribute__((always_inline)) void context_switch(Context *from, Context *to)
{
    register Context *old __asm__("x0") = from;
    register Context *new __asm__("x1") = to;
    __asm__ volatile("adr x17, 1f\n\t"
                     "mov x16, sp\n\t"
                     "stp x16, x17, [x0]\n\t"
                     "str x29, [x0, 16]\n\t"
                     "ldp x16, x17, [x1]\n\t"
                     "ldr x29, [x1, 16]\n\t"
                     "mov sp, x16\n\t"
                     "mov x30, 0\n\t"
                     "br x17\n"
                     "1:\thint 36"
                     : "+r"(old), "+r"(new)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                       "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24",
                       "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
                       "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
                       "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                       "v29", "v30", "v31", "memory", "cc");
}
#endif

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
