// Signals. When a thread of a kernel raises one, the handler notes it and leaves the block. The
// worker then writes the report, on its own stack.
#include "fault.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "check.h"
#include "device.h"
#include "memory.h"
#include "program_handlers.h"
#include "signal_frame.h"
#include "report.h"
#include "turns.h"
#include "worker.h"

// An index that has left a local array may have overwritten the stack. Who looks for the callers there
// may fault, too: the handler then comes back to `tracing`.
static THREAD_LOCAL sigjmp_buf tracing;
static THREAD_LOCAL volatile bool is_tracing;

typedef struct Trace
{
    void *pcs[TRACE_DEPTH]; // the instruction, and its callers as far as they are known
    int num;
    bool is_call; // of no function: through a pointer that leads to none
} Trace;

// No function is at `pc`. Who has called it stands on the stack.
static void trace_pointer_call(Trace *trace, const void *frame)
{
    Dl_info info;
    char *after = signal_frame_return(frame);
    if (dladdr(trace->pcs[0], &info) == 0 && dladdr(after, &info) != 0 &&
        signal_frame_is_pointer_call(after))
    {
        trace->pcs[trace->num++] = after - 1;
        trace->is_call = true;
    }
}

// The callers of a function of the C library, memcpy for example, are in the program.
static void trace_callers(Trace *trace, const void *frame)
{
    void *all[TRACE_DEPTH + 8]; // those of the handler come first
    const int num = backtrace(all, TRACE_DEPTH + 8);
    int i = 0;
    while (i < num && all[i] != trace->pcs[0])
    {
        ++i;
    }
    for (++i; i < num && trace->num < TRACE_DEPTH && all[i] != NULL; ++i)
    {
        trace->pcs[trace->num++] = (char *)all[i] - 1; // the call, not the place after it
    }
    if (trace->num == 1)
    {
        trace_pointer_call(trace, frame);
    }
}

static void read_trace(Trace *trace, const void *frame)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    sigaddset(&set, SIGBUS);
    memset(trace, 0, sizeof(*trace));
    trace->pcs[0] = signal_frame_pc(frame);
    trace->num = 1;
    pthread_sigmask(SIG_UNBLOCK, &set, &before);
    is_tracing = true;
    if (sigsetjmp(tracing, 0) == 0)
    {
        trace_callers(trace, frame);
    }
    is_tracing = false;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void note_trace(Worker *worker, const void *frame)
{
    Trace trace;
    read_trace(&trace, frame);
    memcpy(worker->fault.trace, trace.pcs, sizeof(trace.pcs));
    worker->fault.is_call = trace.is_call;
}

extern const int cudacpu_alignment_checked __attribute__((weak)); // of programs built by cpucc -G

// Whether a trap is one that the compiler has put before an access to check its alignment.
static bool is_alignment_trap(const void *pc)
{
    return &cudacpu_alignment_checked != NULL && signal_frame_is_alignment_trap(pc);
}

// The signal of __trap(): SIGILL on x86-64, SIGTRAP on AArch64.
static bool is_trap(int number)
{
    return number == SIGILL || number == SIGTRAP;
}

extern const int cudacpu_asks_arch __attribute__((weak)); // of programs that ask for __CUDA_ARCH__

#define NO_ARCH                                                                                   \
    "A file of the program asks whether __CUDA_ARCH__ is defined. It is not, in kernels either: " \
    "host and device are compiled at once. So a function for both has only its part for the host"

static const char *signal_meaning(int number)
{
    return number == STACK_OVERWRITTEN
               ? "a local array was written past its end, over what this function returns with"
           : number == HANGS ? "hang: this thread goes round in a loop, and what it waits for does "
                               "not come"
           : number == TIMED_OUT
               ? "timeout: this block has run for longer than CUDACPU_TIMEOUT allows"
           : number == CHECKED_TOO_LONG ? "timeout: this block has computed for more than 30 s, "
                                          "which is the checker's limit; "
                                          "CUDACPU_TIMEOUT=SECONDS sets another one, and 0 none"
           : number == SIGABRT
               ? "the program is ended here: by abort(), or by the C library, which has found "
                 "memory of malloc freed twice or overwritten"
           : number == SIGFPE ? "integer division by zero, or of the smallest integer by -1"
           : is_trap(number)  ? "illegal instruction or __trap()"
           : number == SIGBUS ? "access beyond what the machine's memory can hold"
                              : "illegal address";
}

static cudaError_t error_of_signal(int number, int code, const void *pc)
{
    const bool is_misaligned =
        (number == SIGBUS && code == BUS_ADRALN) || (is_trap(number) && is_alignment_trap(pc));
    return is_misaligned                           ? cudaErrorMisalignedAddress
           : number == SIGSEGV || number == SIGBUS ? cudaErrorIllegalAddress
                                                   : cudaErrorLaunchFailure;
}

// In the signal's handler, on the worker's stack for signals. Says nothing yet: stdio may be in
// use.
static void leave_kernel(Worker *worker, int number, const siginfo_t *info, const void *frame)
{
    set_preemptible(worker, false); // a tick must not switch threads on this stack
    note_trace(worker, frame);
    worker->fault.signal = number;
    worker->fault.address = info->si_addr;
    worker->fault.is_mapped = info->si_code == SEGV_ACCERR;
    worker->fault.is_no_address = number == SIGSEGV && signal_frame_is_no_address(info);
    worker->fault.access = signal_frame_access(frame, info->si_addr);
    void *misaligned;
    worker->fault.is_misaligned =
        worker->fault.is_no_address &&
        signal_frame_is_misaligned(frame, &misaligned, &worker->fault.access);
    worker->fault.address = worker->fault.is_misaligned ? misaligned : info->si_addr;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaddset(&set, WATCH_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); // this handler never returns
    worker_abandon(worker, worker->fault.is_misaligned
                               ? cudaErrorMisalignedAddress
                               : error_of_signal(number, info->si_code, signal_frame_pc(frame)));
}

// The watch has found that the kernel will not end, or that it takes too long. In the tick's
// handler, on the fiber that is left.
void fault_endless(Worker *worker, const void *frame, int reason)
{
    if (launch_fail(worker->launch, cudaErrorLaunchTimeout))
    {
        note_trace(worker, frame); // only the first thread that is found is reported
        worker->fault.signal = reason;
    }
    worker_abandon(worker, cudaErrorLaunchTimeout);
}

// Compilers put a word above the local arrays of a function (-fstack-protector-strong). The function
// calls this if the word is another one when it returns: its return address cannot be trusted.
_Noreturn void __stack_chk_fail(void)
{
    Worker *worker = worker_if_any();
    char *const where = (char *)__builtin_return_address(0) - 1;
    if (worker == NULL || !worker->in_kernel)
    {
        char place[PLACE_LENGTH];
        const bool known = report_position(where, place, sizeof(place));
        fflush(stdout);
        fprintf(stderr, "CPU backend: host code at %s: a local array was written past its end\n",
                known ? place : "an unknown place");
        abort();
    }
    set_preemptible(worker, false);
    memset(worker->fault.trace, 0, sizeof(worker->fault.trace));
    worker->fault.trace[0] = where;
    worker->fault.signal = STACK_OVERWRITTEN;
    worker_abandon(worker, cudaErrorIllegalAddress);
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

// Whether the program has given something to free, or to what calls it: delete, realloc.
static bool is_in_free(const Trace *trace)
{
    Dl_info info;
    for (int i = 0; i < trace->num && dladdr(trace->pcs[i], &info) != 0; ++i)
    {
        const char *name = info.dli_sname != NULL ? info.dli_sname : "";
        name += strncmp(name, "__libc_", 7) == 0 ? 7 : 0;
        if (strcmp(name, "free") == 0 || strcmp(name, "cfree") == 0 || strcmp(name, "realloc") == 0)
        {
            return true;
        }
    }
    return false;
}

static const char NOT_FREE[] =
    "\n  free and delete are for memory of malloc and new: cudaFree takes that of the device, "
    "cudaFreeHost pinned memory.";

// Host code has touched memory of the device, or has written a constant. False: it has not.
static bool report_host_access(const siginfo_t *info, const void *frame)
{
    char what[200], text[600];
    if (!memory_describe(info->si_addr, what, sizeof(what)))
    {
        return false;
    }
    Trace trace;
    read_trace(&trace, frame);
    const char *advice = is_in_free(&trace) ? NOT_FREE
                         : atomic_load(&shared_with_host)
                             ? "" // by Thrust
                             : "\n  The host cannot follow a device pointer, nor write a constant: "
                               "copy with cudaMemcpy or cudaMemcpyToSymbol.";
    snprintf(text, sizeof(text), "%s of address %p, %s.%s",
             signal_frame_access(frame, info->si_addr), info->si_addr, what, advice);
    report_host(trace.pcs, trace.num, text);
    return true;
}

// What an address is that no allocation is at, as the end of a sentence.
static const char *address_meaning(const void *p, bool is_no_address, bool is_mapped,
                                   const char *access)
{
    const size_t null_bytes = 1 << 16; // no program has memory there
    return is_no_address               ? ", which no pointer can be: was it ever set?"
           : p == NULL                 ? ", a null pointer"
           : (uintptr_t)p < null_bytes ? ", a null pointer plus an offset"
           : !is_mapped                ? ", where the program has no memory"
           : access[0] == 'w'          ? ", which is constant: it can only be read"
                                       : ", which the program has closed";
}

// The program dies of a signal in host code. The shell says no more than its name.
static void report_host_end(int number, const siginfo_t *info, const void *frame)
{
    Trace trace;
    read_trace(&trace, frame);
    char text[600];
    const bool is_no_address = signal_frame_is_no_address(info);
    if (trace.is_call)
    {
        snprintf(text, sizeof(text), "a call of a function at %p, where none is", info->si_addr);
    }
    else if (number == SIGSEGV)
    {
        const char *access = signal_frame_access(frame, info->si_addr);
        char address[40];
        snprintf(address, sizeof(address), is_no_address ? "an address" : "address %p",
                 info->si_addr);
        snprintf(
            text, sizeof(text), "%s of %s%s", access, address,
            address_meaning(info->si_addr, is_no_address, info->si_code == SEGV_ACCERR, access));
    }
    else if (number == SIGABRT && is_in_free(&trace))
    {
        snprintf(text, sizeof(text), "memory is freed that malloc did not give, or freed twice.%s",
                 NOT_FREE);
    }
    else if (number == SIGFPE)
    {
        snprintf(text, sizeof(text), "%s", signal_meaning(number));
    }
    else
    {
        return;
    }
    report_host(trace.pcs, trace.num, text);
}

// The signal's handler. Who raises it is a kernel on a fiber, or code of the host. A copy of the
// runtime's may raise it, too, but never with the lock of the allocations, which the handler takes.
static void on_signal(int number, siginfo_t *info, void *frame)
{
    if (is_tracing)
    {
        siglongjmp(tracing, 1);
    }
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
        leave_kernel(worker, number, info, frame);
    }
    const bool described = number == SIGSEGV && report_host_access(info, frame);
    if (program_handlers_call(number, info, frame))
    {
        return;
    }
    if (!described && (info->si_code > 0 || number == SIGABRT))
    {
        report_host_end(number, info, frame);
    }
    program_handlers_die(number);
}

// What an address is, as the end of a sentence.
static void describe_address(const Worker *worker, char *text, size_t size)
{
    const char *p = worker->fault.address;
    char where[200];
    const bool is_null = (uintptr_t)p < 1 << 16;
    const bool described = !worker->fault.is_no_address && !is_null &&
                           (shared_describe(&worker->shared, p, where, sizeof(where)) ||
                            memory_describe(p, where, sizeof(where)));
    snprintf(text, size, "%s%s", described ? ", " : "",
             described ? where
                       : address_meaning(p, worker->fault.is_no_address, worker->fault.is_mapped,
                                         worker->fault.access));
    const int device = worker->launch->device, owner = memory_out_of_reach(p, device);
    const size_t length = strlen(text);
    if (owner >= 0)
    {
        snprintf(text + length, size - length,
                 ", which belongs to device %d; device %d may not reach it before "
                 "cudaDeviceEnablePeerAccess(%d, 0)",
                 owner, device, owner);
    }
}

static bool is_stack_overflow(const Worker *worker)
{
    const size_t below = (char *)worker->running->stack - (char *)worker->fault.address;
    return worker->fault.signal == SIGSEGV && below > 0 && below <= worker->running->guard;
}

static void describe_signal(const Worker *worker, char *text, size_t size)
{
    const Fault *fault = &worker->fault;
    const char *stack = worker->running->stack;
    const size_t above = (char *)fault->address - (stack + worker->running->bytes);
    if (fault->error == cudaErrorMisalignedAddress)
    {
        char where[60] = "";
        if (fault->is_misaligned)
        {
            snprintf(where, sizeof(where), "%s of %p, ", fault->access, fault->address);
        }
        snprintf(text, size, "misaligned address: %sno multiple of what its type asks for", where);
    }
    else if (is_stack_overflow(worker))
    {
        snprintf(text, size, "stack overflow: a thread has %u kB here, for all local variables",
                 worker->running->bytes / 1024);
    }
    else if (fault->signal == SIGSEGV && above < worker->running->guard)
    {
        snprintf(text, size,
                 "%s: %s past the end of the thread's stack: an index has left a local "
                 "array",
                 signal_meaning(fault->signal), fault->access);
    }
    else if (fault->signal == SIGABRT && &cudacpu_asks_arch != NULL)
    {
        snprintf(
            text, size,
            "the program is ended here: by abort(), by an exception that nobody catches, or by "
            "the C library. " NO_ARCH);
    }
    else if (fault->signal == SIGSEGV && fault->is_call)
    {
        snprintf(text, size, "%s: a call of a function at %p, where none is",
                 signal_meaning(fault->signal), fault->address);
    }
    else if (fault->signal == SIGSEGV && fault->address == fault->trace[0])
    {
        snprintf(text, size, "%s: a return to %p: an index has left a local array",
                 signal_meaning(fault->signal), fault->address);
    }
    else if (fault->signal == SIGSEGV || fault->signal == SIGBUS)
    {
        char what[400];
        describe_address(worker, what, sizeof(what));
        char address[40];
        snprintf(address, sizeof(address), fault->is_no_address ? "an address" : "%p",
                 fault->address);
        snprintf(text, size, "%s: %s of %s%s", signal_meaning(fault->signal), fault->access,
                 address, what);
    }
    else
    {
        const bool is_endless = fault->signal == HANGS || fault->signal == TIMED_OUT;
        snprintf(text, size, "%s%s", signal_meaning(fault->signal),
                 is_endless && turns_mix_blocks
                     ? ". It may wait for a block that has not begun, in the order of CUDACPU_ORDER"
                     : "");
    }
}

// Reports the signal that ended the block, if there was one. On the worker's own stack, in no
// handler.
void fault_report_signal(Worker *worker)
{
    if (worker->fault.signal == 0)
    {
        return;
    }
    char who[512], where[PLACE_LENGTH] = "", what[600];
    report_name(worker->launch, worker->block, worker->current, who, sizeof(who));
    bool known = false;
    if (worker->fault.signal == STACK_OVERWRITTEN)
    {
        known = report_position_before(worker->fault.trace[0], where, sizeof(where));
    }
    else if (is_stack_overflow(worker))
    {
        known = report_position_at_begin(worker->fault.trace[0], where, sizeof(where));
    }
    for (int i = 0; i < TRACE_DEPTH && (i == 0 || worker->fault.trace[i] != NULL) && !known; ++i)
    {
        known = report_position(worker->fault.trace[i], where, sizeof(where));
    }
    describe_signal(worker, what, sizeof(what));
    check_reported(known ? where : "");
    const bool of_library = worker->launch->call != 0; // its name has the line of the call
    fprintf(stderr, "CPU backend: %s%s%s:\n  %s\n", who, known || !of_library ? ", " : "",
            known        ? where
            : of_library ? ""
                         : "line unknown",
            what);
    if (worker->fault.signal == SIGABRT)
    {
        program_handlers_die(SIGABRT); // what is left of the heap cannot be trusted
    }
    worker->fault.signal = 0;
}

// exit() in a kernel: only a part for the host can call it.
static void tell_exit(int status, void *unused)
{
    (void)unused;
    Worker *worker = worker_if_any();
    if (worker != NULL && worker->in_kernel && &cudacpu_asks_arch != NULL)
    {
        char who[512], where[PLACE_LENGTH];
        void *pcs[MAX_CALLERS];
        report_name(worker->launch, worker->block, worker->current, who, sizeof(who));
        const bool known = report_position_of(pcs, report_callers(pcs, NULL), where, sizeof(where));
        fprintf(stderr,
                "CPU backend: %s, %s:\n  the program is ended here, by exit(%d). " NO_ARCH "\n",
                who, known ? where : "line unknown", status);
    }
}

static void install_handlers(void)
{
    if (&cudacpu_asks_arch != NULL)
    {
        on_exit(tell_exit, NULL);
    }
    void *unused;
    backtrace(&unused, 1); // loads what it needs: a handler could not
    const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); ++i)
    {
        // A tick must not switch threads on the handler's stack.
        program_handlers_take(numbers[i], on_signal, WATCH_SIGNAL);
    }
}

// The host may write a constant before its first call of the runtime, and the constructor of a global
// object may launch a kernel: those of the program run after this.
static __attribute__((constructor(102))) void prepare_process(void)
{
    install_handlers();
}

// Each OS thread needs a separate stack for signals, because a fiber's stack may have overflowed.
void fault_prepare_thread(Worker *worker)
{
    const size_t bytes = 64 * 1024;
    if (worker->signal_stack == NULL)
    {
        void *memory =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        worker->signal_stack = memory != MAP_FAILED ? memory : NULL;
    }
    if (worker->signal_stack != NULL)
    {
        sigaltstack(&(stack_t){.ss_sp = worker->signal_stack, .ss_size = bytes}, NULL);
    }
}

// The calling OS thread ends, and another one gets its worker.
void fault_leave_thread(void)
{
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}
