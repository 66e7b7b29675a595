// The watch: looks at every worker many times a second.
//
// A thread that spins, waiting for another thread of its block, would keep its worker for ever:
// the signal lets the next one run instead. And a worker that is found in the same few states
// again and again, with the same registers and the same stack, will not get out of them: what it
// waits for does not come. Then the kernel ends, with the line, and error 702.
#include "watch.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include "fault.h"
#include "schedule.h"
#include "worker.h"

static void (*call_helpers)(Launch *); // a hook: the grid's

enum
{
    MAX_WORKERS = 1088
};
static pthread_t threads[MAX_WORKERS];
static Worker *_Atomic workers[MAX_WORKERS];
static atomic_int num_workers_seen, someone_spins;

// How often it looks: while no kernel runs, while one does, and while a thread seems to spin.
static const long IDLE_TICK = 10000000, TICK = 1000000, SPIN_TICK = 50000; // nanoseconds
static const double PATIENCE_SECONDS = 3.0; // CUDACPU_TIMEOUT overrides it; 0: for ever

// The program's own code lies between the first two, less what lies between the others.
extern char __executable_start, etext, __start_cudacpu_text, __stop_cudacpu_text;

static double patience(void)
{
    static double seconds = -1.0;
    if (seconds < 0.0)
    {
        const char *wish = getenv("CUDACPU_TIMEOUT");
        seconds = wish != NULL ? strtod(wish, NULL) : PATIENCE_SECONDS;
    }
    return seconds;
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i + 8 <= bytes; i += 8)
    {
        uint64_t word;
        memcpy(&word, p + i, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

// All that can change from one turn of a loop to the next but memory: registers (not the program
// counter, which goes round), and the part of the stack where unoptimized code has its variables.
static uint64_t state_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    const greg_t *g = context->uc_mcontext.gregs;
    uint64_t hash = mix(0, g, REG_RIP * sizeof(*g));
    hash = mix(hash, (const void *)g[REG_RSP], 512);
    if (context->uc_mcontext.fpregs != NULL)
    {
        hash = mix(hash, context->uc_mcontext.fpregs->_xmm, 16 * 16);
    }
    return hash;
#elif defined(__aarch64__)
    uint64_t hash = mix(0, context->uc_mcontext.regs, sizeof(context->uc_mcontext.regs));
    return mix(hash, (const void *)context->uc_mcontext.sp, 512);
#else
    return (uint64_t)(seconds_now() * 1e9); // never the same: no verdict
#endif
}

// Notes a state. False if it has been seen before.
static bool is_new(Repeats *repeats, uint64_t state)
{
    state += state == 0;
    if (repeats->count > STATES_KEPT / 2)
    {
        memset(repeats->states, 0, sizeof(repeats->states));
        repeats->count = 0;
    }
    for (uint64_t i = state % STATES_KEPT;; i = (i + 1) % STATES_KEPT)
    {
        if (repeats->states[i] == state)
        {
            return false;
        }
        if (repeats->states[i] == 0)
        {
            repeats->states[i] = state;
            repeats->count++;
            return true;
        }
    }
}

// A thread that computes is nearly always in a new state; a thread that waits in a loop, hardly
// ever.
static bool goes_round(const Repeats *repeats)
{
    return repeats->seen >= 20 && repeats->new < repeats->seen / 10;
}

// True if another worker seems to get on: it may be what this one waits for.
static bool gets_anyone_on(void)
{
    for (int i = 0; i < atomic_load(&num_workers_seen); ++i)
    {
        const Worker *worker = atomic_load(&workers[i]);
        if (worker->in_kernel && !goes_round(&worker->repeats))
        {
            return true;
        }
    }
    return false;
}

// True once a worker has gone round in circles for as long as we are patient.
static bool is_stuck(Worker *worker, uint64_t state)
{
    Repeats *repeats = &worker->repeats;
    const double now = seconds_now();
    if (repeats->block != worker->num_blocks_run)
    {
        *repeats = (Repeats){.block = worker->num_blocks_run, .since = now};
    }
    repeats->seen++;
    if (is_new(repeats, state))
    {
        repeats->new ++;
    }
    else
    {
        atomic_store(&someone_spins, 1);
    }
    if (now - repeats->since < patience() || patience() == 0.0)
    {
        return false;
    }
    if (!goes_round(repeats)) // look again, for as long
    {
        repeats->since = now;
        repeats->seen = repeats->new = 0;
        return false;
    }
    return !gets_anyone_on();
}

// A tick may come while another is on its way in, before the thread counts as not to be preempted:
// what runs until then must not count as the kernel's own code.
CALLED_BY_KERNELS static bool in_kernel_code(const ucontext_t *context)
{
#if defined(__x86_64__)
    const char *pc = (const char *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    const char *pc = (const char *)context->uc_mcontext.pc;
#else
    const char *pc = NULL;
#endif
    return pc >= &__executable_start && pc < &etext &&
           !(pc >= &__start_cudacpu_text && pc < &__stop_cudacpu_text);
}

// While a thread has changed the rounding mode (__fadd_ru and its kin), no other may run in it.
CALLED_BY_KERNELS static bool rounds_otherwise(const ucontext_t *context)
{
#if defined(__x86_64__)
    const struct _libc_fpstate *state = context->uc_mcontext.fpregs;
    return state != NULL && (state->mxcsr & 0x6000) != 0;
#else
    (void)context;
    return false;
#endif
}

// Runs on the kernel thread's own stack, so that it can be left here and resumed later.
CALLED_BY_KERNELS static void on_tick(int number, siginfo_t *info, void *data)
{
    (void)number, (void)info;
    Worker *worker = worker_if_any();
    if (worker == NULL || !worker->in_kernel || !worker->preemptible || !in_kernel_code(data) ||
        rounds_otherwise(data))
    {
        return; // in the C library it may hold a lock
    }
    set_preemptible(worker, false);
    if (atomic_load(&worker->launch->error) != 0) // elsewhere this kernel has failed already
    {
        worker_abandon(worker, atomic_load(&worker->launch->error));
    }
    call_helpers(worker->launch); // what it waits for may be a block that has not begun
    if (is_stuck(worker, state_of(data)))
    {
        fault_hang(worker, data);
    }
    schedule_preempt(worker);
    set_preemptible(worker, true);
}

static void *watch_main(void *unused)
{
    (void)unused;
    long tick = IDLE_TICK;
    for (;;)
    {
        nanosleep(&(struct timespec){0, tick}, NULL);
        tick = IDLE_TICK;
        for (int i = 0; i < atomic_load(&num_workers_seen); ++i)
        {
            if (atomic_load(&workers[i])->in_kernel)
            {
                pthread_kill(threads[i], WATCH_SIGNAL);
                tick = TICK;
            }
        }
        if (atomic_exchange(&someone_spins, 0))
        {
            tick = SPIN_TICK;
        }
    }
    return NULL;
}

// The calling OS thread is a worker from now on.
void watch_add(Worker *worker)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const int i = atomic_load(&num_workers_seen);
    if (i < MAX_WORKERS)
    {
        threads[i] = pthread_self();
        atomic_store(&workers[i], worker);
        atomic_store(&num_workers_seen, i + 1);
    }
    pthread_mutex_unlock(&lock);
}

// `helpers` is called for a launch whose block does not end soon.
void watch_start(void (*helpers)(Launch *))
{
    static atomic_flag started = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&started))
    {
        return;
    }
    call_helpers = helpers;
    struct sigaction action = {0};
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(WATCH_SIGNAL, &action, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_main, NULL) == 0)
    {
        pthread_detach(thread);
    }
}
