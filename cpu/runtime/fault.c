// Signals. When a thread of a kernel raises one, the handler notes it and leaves the block. The
// worker then writes the report, on its own stack.
#include "fault.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "device.h"
#include "memory.h"
#include "report.h"
#include "worker.h"

static void *fault_address_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

// Notes the faulting instruction and its callers, along the frame pointers. Optimized code has no
// frame pointers: the chain then ends at the first link that does not lead up this thread's stack.
static void note_trace(Worker *worker, const ucontext_t *context)
{
    memset(worker->fault.trace, 0, sizeof(worker->fault.trace));
    worker->fault.trace[0] = fault_address_of(context);
#if defined(__x86_64__)
    uintptr_t frame = context->uc_mcontext.gregs[REG_RBP];
    uintptr_t low = context->uc_mcontext.gregs[REG_RSP];
    const uintptr_t high = (uintptr_t)worker->running->stack + STACK_BYTES - 16;
    for (int i = 1; i < TRACE_DEPTH && frame % 8 == 0 && frame >= low && frame <= high; ++i)
    {
        const uintptr_t *link = (const uintptr_t *)frame;
        worker->fault.trace[i] = (void *)link[1];
        low = frame + 16;
        frame = link[0];
    }
#endif
}

static const char *access_kind(const ucontext_t *context)
{
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? "write" : "read";
#else
    (void)context;
    return "access";
#endif
}

static const char *signal_meaning(int number)
{
    return number == HANGS ? "hang: this thread goes round in a loop, and what it waits for does "
                             "not come"
           : number == TIMED_OUT
               ? "timeout: this block has run for longer than CUDACPU_TIMEOUT allows"
           : number == SIGFPE ? "integer division by zero, or of the smallest integer by -1"
           : number == SIGILL ? "illegal instruction or __trap()"
           : number == SIGBUS ? "access beyond what the machine's memory can hold"
                              : "illegal address";
}

static void die_of(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void leave_kernel(Worker *worker, int number, const siginfo_t *info,
                         const ucontext_t *context)
{
    note_trace(worker, context);
    worker->fault.signal = number;
    worker->fault.address = info->si_addr;
    worker->fault.access = access_kind(context);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaddset(&set, WATCH_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); // this handler never returns
    worker_abandon(worker, number == SIGSEGV || number == SIGBUS ? cudaErrorIllegalAddress
                                                                 : cudaErrorLaunchFailure);
}

// The watch has found that the kernel will not end, or that it takes too long.
void fault_endless(Worker *worker, const void *context, int reason)
{
    if (launch_fail(worker->launch, cudaErrorLaunchTimeout))
    {
        note_trace(worker, context); // only the first thread that is found is reported
        worker->fault.signal = reason;
    }
    worker_abandon(worker, cudaErrorLaunchTimeout);
}

static atomic_bool shared_with_host;

// From here on, host code may work on device memory as a kernel does: its first touch opens.
void fault_let_host_in(void)
{
    atomic_store(&shared_with_host, true);
}

static bool opens_for(int device, const void *address)
{
    return memory_out_of_reach(address, device) < 0 && memory_open(address, device);
}

static void on_signal(int number, siginfo_t *info, void *data)
{
    const ucontext_t *context = data;
    Worker *worker = worker_if_any();
    const bool in_kernel = worker != NULL && worker->in_kernel;
    if (number == SIGSEGV && in_kernel && opens_for(worker->launch->device, info->si_addr))
    {
        return; // a kernel's first touch: go on
    }
    if (number == SIGSEGV && !in_kernel && atomic_load(&shared_with_host) &&
        memory_open(info->si_addr, this_device))
    {
        return;
    }
    if (in_kernel)
    {
        leave_kernel(worker, number, info, context);
    }
    char what[200], where[256];
    if (number == SIGSEGV && memory_describe(info->si_addr, what, sizeof(what)))
    {
        const bool known = report_position(fault_address_of(context), where, sizeof(where));
        fflush(stdout);
        fprintf(stderr,
                "CPU backend: host code at %s: %s of address %p, %s.\n"
                "  The host cannot follow a device pointer: copy with cudaMemcpy.\n",
                known ? where : "an unknown place", access_kind(context), info->si_addr, what);
    }
    die_of(number);
}

// Reports the signal that ended the block, if there was one.
void fault_report_signal(Worker *worker)
{
    if (worker->fault.signal == 0)
    {
        return;
    }
    char who[512], where[256], what[200], text[500], reach[150] = "";
    report_name(worker->launch, worker->block, worker->current, who, sizeof(who));
    bool known = false;
    for (int i = 0; i < TRACE_DEPTH && worker->fault.trace[i] != NULL && !known; ++i)
    {
        known = report_position(worker->fault.trace[i], where, sizeof(where));
    }
    snprintf(text, sizeof(text), "%s", signal_meaning(worker->fault.signal));
    const size_t below = (char *)worker->running->stack - (char *)worker->fault.address;
    if (worker->fault.signal == SIGSEGV && below > 0 && below <= STACK_GUARD)
    {
        snprintf(text, sizeof(text), "stack overflow: a thread has %d kB here", STACK_BYTES / 1024);
    }
    else if (worker->fault.signal == SIGSEGV || worker->fault.signal == SIGBUS)
    {
        const bool described = memory_describe(worker->fault.address, what, sizeof(what));
        const int device = worker->launch->device;
        const int owner = memory_out_of_reach(worker->fault.address, device);
        if (owner >= 0)
        {
            snprintf(reach, sizeof(reach),
                     ", which belongs to device %d; device %d may not reach it before "
                     "cudaDeviceEnablePeerAccess(%d, 0)",
                     owner, device, owner);
        }
        snprintf(text, sizeof(text), "%s: %s of %p%s%s%s", signal_meaning(worker->fault.signal),
                 worker->fault.access, worker->fault.address, described ? ", " : "",
                 described ? what : "", reach);
    }
    fprintf(stderr, "CPU backend: %s, %s:\n  %s\n", who, known ? where : "line unknown", text);
    worker->fault.signal = 0;
}

static void install_handlers(void)
{
    struct sigaction action = {0};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, WATCH_SIGNAL); // it must not switch threads on this stack
    const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); ++i)
    {
        sigaction(numbers[i], &action, NULL);
    }
}

// Each OS thread needs a separate stack for signals, because a fiber's stack may have overflowed.
void fault_prepare_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handlers);
    const size_t bytes = 64 * 1024;
    stack_t stack = {0};
    stack.ss_sp = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack.ss_size = bytes;
    if (stack.ss_sp != MAP_FAILED)
    {
        sigaltstack(&stack, NULL);
    }
}
