// The watch: looks at every worker fifty times a second.
//
// A thread that spins, waiting for another thread of its block, would keep its worker for ever:
// the signal lets the next one run instead. And a worker that is found in the same few states
// again and again, with the same registers and the same stack, will not get out of them: what it
// waits for does not come. Then the kernel ends, with the line, and error 702.
#include "runtime.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

static const long TICK_NANOSECONDS = 20000000;
static const double PATIENCE_SECONDS = 3.0; // CUDACPU_TIMEOUT overrides it; 0: for ever
static const int WATCH_SIGNAL = SIGURG;     // which programs ignore unless they ask for it

enum
{
    MAX_WORKERS = 1088
};
static pthread_t threads[MAX_WORKERS];
static Worker *_Atomic workers[MAX_WORKERS];
static atomic_int num_workers_seen;

extern char __executable_start, etext; // the program's own code lies between them

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

// All that can change from one turn of a loop to the next but memory: registers, and the part of
// the stack where unoptimized code keeps its variables.
static uint64_t state_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    const greg_t *g = context->uc_mcontext.gregs;
    uint64_t hash = mix(0, g, (REG_RIP + 1) * sizeof(*g));
    hash = mix(hash, (const void *)g[REG_RSP], 512);
    if (context->uc_mcontext.fpregs != NULL)
    {
        hash = mix(hash, context->uc_mcontext.fpregs->_xmm, 16 * 16);
    }
    return hash;
#elif defined(__aarch64__)
    uint64_t hash = mix(0, context->uc_mcontext.regs, sizeof(context->uc_mcontext.regs));
    hash = mix(hash, &context->uc_mcontext.pc, 8);
    return mix(hash, (const void *)context->uc_mcontext.sp, 512);
#else
    return (uint64_t)(seconds_now() * 1e9); // never the same: no verdict
#endif
}

// True if a worker has been found in a new state since then: it may be what others wait for.
static bool is_anyone_new(double then)
{
    for (int i = 0; i < atomic_load(&num_workers_seen); ++i)
    {
        const Worker *worker = atomic_load(&workers[i]);
        if (worker->in_kernel && worker->repeats.since > then)
        {
            return true;
        }
    }
    return false;
}

// True once the worker has been in none but known states for as long as we are patient.
static bool is_stuck(Worker *worker, uint64_t state)
{
    Repeats *repeats = &worker->repeats;
    bool known = repeats->block == worker->num_blocks_run;
    if (known)
    {
        known = false;
        for (int i = 0; i < STATES_KEPT; ++i)
        {
            known = known || repeats->states[i] == state;
        }
    }
    if (!known)
    {
        repeats->block = worker->num_blocks_run;
        repeats->states[repeats->next++ % STATES_KEPT] = state;
        repeats->since = seconds_now();
    }
    return known && patience() > 0.0 && seconds_now() - repeats->since > patience() &&
           !is_anyone_new(seconds_now() - patience());
}

static bool in_program(const ucontext_t *context)
{
#if defined(__x86_64__)
    const char *pc = (const char *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    const char *pc = (const char *)context->uc_mcontext.pc;
#else
    const char *pc = NULL;
#endif
    return pc >= &__executable_start && pc < &etext;
}

// Runs on the kernel thread's own stack, so that it can be left here and resumed later.
static void on_tick(int number, siginfo_t *info, void *data)
{
    (void)number, (void)info;
    Worker *worker = worker_if_any();
    if (worker == NULL || !worker->in_kernel || !worker->preemptible || !in_program(data))
    {
        return; // in the C library it may hold a lock
    }
    worker->preemptible = false;
    if (atomic_load(&worker->launch->error) != 0) // elsewhere this kernel has failed already
    {
        block_abandon(worker, atomic_load(&worker->launch->error));
    }
    if (is_stuck(worker, state_of(data)))
    {
        fault_hang(worker, data);
    }
    block_preempt(worker);
    worker->preemptible = true;
}

static void *watch_main(void *unused)
{
    (void)unused;
    for (;;)
    {
        nanosleep(&(struct timespec){0, TICK_NANOSECONDS}, NULL);
        for (int i = 0; i < atomic_load(&num_workers_seen); ++i)
        {
            const Worker *worker = atomic_load(&workers[i]);
            if (worker->in_kernel)
            {
                pthread_kill(threads[i], WATCH_SIGNAL);
            }
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

void watch_start(void)
{
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
