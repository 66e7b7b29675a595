// Faults as teachers: who did it, where, and what lies at the address.
//
// A signal that a kernel's thread raises is noted, the block is left, and the worker, back on its
// own stack, writes the report. Source lines come from the line tables in the program, read with
// binutils' addr2line, which every g++ brings along.
#include "runtime.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

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

// The faulting instruction and its callers, along the frame pointers. Optimized code has none: the
// chain then ends at the first link that does not lead up this thread's stack.
static void note_trace(Worker *worker, const ucontext_t *context)
{
    memset(worker->fault_trace, 0, sizeof(worker->fault_trace));
    worker->fault_trace[0] = fault_address_of(context);
#if defined(__x86_64__)
    uintptr_t frame = context->uc_mcontext.gregs[REG_RBP];
    uintptr_t low = context->uc_mcontext.gregs[REG_RSP];
    const uintptr_t high = (uintptr_t)worker->running->stack + STACK_BYTES - 16;
    for (int i = 1; i < TRACE_DEPTH && frame % 8 == 0 && frame >= low && frame <= high; ++i)
    {
        const uintptr_t *link = (const uintptr_t *)frame;
        worker->fault_trace[i] = (void *)link[1];
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

// "file.cu:12" of an instruction, from the innermost function that is not the backend's own.
bool source_position(void *pc, char *text, size_t size)
{
    Dl_info info;
    if (pc == NULL || dladdr(pc, &info) == 0)
    {
        return false;
    }
    const ElfW(Ehdr) *header = info.dli_fbase;
    const uintptr_t base = header->e_type == ET_DYN ? (uintptr_t)info.dli_fbase : 0;
    char exe[4096];
    const ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    if (length <= 0 || memchr(exe, '\'', length) != NULL)
    {
        return false;
    }
    exe[length] = '\0';
    char command[4400];
    snprintf(command, sizeof(command), "addr2line -i -e '%s' 0x%zx 2>/dev/null", exe,
             (size_t)((uintptr_t)pc - base));
    FILE *pipe = popen(command, "r");
    bool found = false;
    char line[4096];
    while (pipe != NULL && fgets(line, sizeof(line), pipe) != NULL)
    {
        line[strcspn(line, " \n")] = '\0'; // drops "(discriminator 3)" too
        if (!found && line[0] != '?' && strstr(line, "/cpu/include/") == NULL &&
            strstr(line, "/cpu/block.c") == NULL && strncmp(line, "/usr/", 5) != 0)
        {
            const char *slash = strrchr(line, '/');
            snprintf(text, size, "%s", slash != NULL ? slash + 1 : line);
            found = true;
        }
    }
    if (pipe != NULL)
    {
        pclose(pipe);
    }
    return found;
}

static void describe_thread(const Launch *launch, uint64_t block, unsigned thread, char *text,
                            size_t size)
{
    const dim3 g = launch->grid, b = launch->block;
    snprintf(text, size, "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", launch->name,
             (unsigned)(block % g.x), (unsigned)(block / g.x % g.y), (unsigned)(block / g.x / g.y),
             thread % b.x, thread / b.x % b.y, thread / b.x / b.y);
}

const char *base_name(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

void fault_report(const Launch *launch, uint64_t block, unsigned thread, const char *file, int line,
                  const char *what)
{
    char who[512];
    describe_thread(launch, block, thread, who, sizeof(who));
    fprintf(stderr, "CPU backend: %s, %s:%d:\n  %s\n", who, base_name(file), line, what);
}

// What a GPU lets pass, mostly, but is wrong all the same: said once a launch, an error where
// CUDACPU_STRICT is set.
void fault_warn(Worker *worker, unsigned thread, const char *format, ...)
{
    if (atomic_exchange(&worker->launch->warned, 1))
    {
        return;
    }
    char what[400];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof(what), format, values);
    va_end(values);
    fault_report(worker->launch, worker->block, thread, worker->file[thread], worker->line[thread],
                 what);
    const char *strict = getenv("CUDACPU_STRICT");
    if (strict != NULL && strcmp(strict, "1") == 0)
    {
        int none = 0;
        atomic_compare_exchange_strong(&worker->launch->error, &none, cudaErrorLaunchFailure);
    }
}

static const char *signal_meaning(int number)
{
    return number == SIGALRM ? "hang: this thread goes round in a loop, and what it waits for does "
                               "not come"
           : number == SIGFPE ? "integer division by zero"
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
    worker->fault_signal = number;
    worker->fault_address = info->si_addr;
    worker->fault_access = access_kind(context);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaddset(&set, WATCH_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); // this handler never returns
    block_abandon(worker, number == SIGSEGV || number == SIGBUS ? cudaErrorIllegalAddress
                                                                : cudaErrorLaunchFailure);
}

// For the watch, which has found a kernel that will not end.
void fault_hang(Worker *worker, const void *context)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&worker->launch->error, &none, cudaErrorLaunchTimeout))
    {
        note_trace(worker, context); // the first to be found so speaks for all
        worker->fault_signal = SIGALRM;
    }
    block_abandon(worker, cudaErrorLaunchTimeout);
}

// Thrust's algorithms and cuRAND's generators run on the host, which then works on device memory
// as a kernel does: after what was issued before, and with a first touch that opens.
static atomic_bool shared_with_host;

void cudacpu_share_with_host(void)
{
    worker_self(); // has the signal handlers installed
    atomic_store(&shared_with_host, true);
    if (queue_completed() != queue_last())
    {
        queue_wait(queue_last());
    }
}

static void on_signal(int number, siginfo_t *info, void *data)
{
    const ucontext_t *context = data;
    Worker *worker = worker_if_any();
    const bool in_kernel = worker != NULL && worker->in_kernel;
    if (number == SIGSEGV && (in_kernel || atomic_load(&shared_with_host)) &&
        memory_open(info->si_addr))
    {
        return; // a kernel's first touch: go on
    }
    if (in_kernel)
    {
        leave_kernel(worker, number, info, context);
    }
    char what[200], where[256];
    if (number == SIGSEGV && memory_describe(info->si_addr, what, sizeof(what)))
    {
        const bool known = source_position(fault_address_of(context), where, sizeof(where));
        fflush(stdout);
        fprintf(stderr,
                "CPU backend: host code at %s: %s of address %p, %s.\n"
                "  The host cannot follow a device pointer: copy with cudaMemcpy.\n",
                known ? where : "an unknown place", access_kind(context), info->si_addr, what);
    }
    die_of(number);
}

// After the worker has left the kernel: the report of the signal that made it.
void fault_report_signal(Worker *worker)
{
    if (worker->fault_signal == 0)
    {
        return;
    }
    char who[512], where[256], what[200], text[300];
    describe_thread(worker->launch, worker->block, worker->current, who, sizeof(who));
    bool known = false;
    for (int i = 0; i < TRACE_DEPTH && worker->fault_trace[i] != NULL && !known; ++i)
    {
        known = source_position(worker->fault_trace[i], where, sizeof(where));
    }
    snprintf(text, sizeof(text), "%s", signal_meaning(worker->fault_signal));
    const size_t below = (char *)worker->running->stack - (char *)worker->fault_address;
    if (worker->fault_signal == SIGSEGV && below > 0 && below <= STACK_GUARD)
    {
        snprintf(text, sizeof(text), "stack overflow: a thread has %d kB here", STACK_BYTES / 1024);
    }
    else if (worker->fault_signal == SIGSEGV || worker->fault_signal == SIGBUS)
    {
        const bool described = memory_describe(worker->fault_address, what, sizeof(what));
        snprintf(text, sizeof(text), "%s: %s of %p%s%s", signal_meaning(worker->fault_signal),
                 worker->fault_access, worker->fault_address, described ? ", " : "",
                 described ? what : "");
    }
    fprintf(stderr, "CPU backend: %s, %s:\n  %s\n", who, known ? where : "line unknown", text);
    worker->fault_signal = 0;
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

// Each thread needs a stack for its signals: a kernel's own may be what has overflowed.
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

// What the backend itself has to have, it cannot get. Whichever thread finds out first ends the
// program, and not by exit(): destructors might wait for the device, which will not go on.
void fault_exhausted(const char *what, int error)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
    {
        pause(); // another thread has said so
    }
    fflush(stdout);
    fprintf(stderr, "CPU backend: cannot get %s: %s\n", what, strerror(error));
    _exit(3);
}
