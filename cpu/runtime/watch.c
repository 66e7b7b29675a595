// The watch: looks at every worker many times a second.
//
// A thread that spins, waiting for another thread of its block, would keep its worker for ever:
// the signal lets the next one run instead.
//
// And it looks for kernels that will never end. A block whose threads are found in the same few
// states again and again is suspicious. If all blocks that run are, and no other OS thread of the
// program is left that could change memory, the watch tries to prove (proof.c) that nothing
// changes any more. Then the kernels end, with the line, and error 702. Without such a proof a
// block that does not end is only spoken of (thread_places.c).
#include "watch.h"
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "fault.h"
#include "signal_frame.h"
#include "proof.h"
#include "schedule.h"
#include "thread_places.h"
#include "worker.h"

static void (*call_helpers)(Launch *); // a hook: the grid's
static bool (*only_kernels_run)(void); // a hook: the grid's

enum
{
    MAX_WORKERS = 1088,
    MOST_HELD = 16, // ticks
    ENOUGH_DOUBTS = 1000,
    DOUBTS_OF_AN_OLD_STATE = 50
};
static Worker *_Atomic workers[MAX_WORKERS];
static atomic_int num_workers_seen;

// How often it looks: while no kernel runs, while one does, and while a thread seems to spin.
static const long IDLE_TICK = 10000000, TICK = 1000000, SPIN_TICK = 50000; // nanoseconds
static const double LONGEST_TICK_SECONDS = 25e-6; // of the processor; mostly 5e-6
static const double SUSPICION_SECONDS = 0.3, LONG_SECONDS = 2.0;
static const double MOST_SECONDS = 1e9;
static const double NOTICE_SECONDS = 30.0;     // CUDACPU_NOTICE overrides it
static double notice_seconds, timeout_seconds; // how long a block may run; 0: for ever
// With the checker there is no proof, because it keeps records of what a block does. So there a block may
// compute for so long only, if CUDACPU_TIMEOUT says nothing else.
static const double CHECKED_SECONDS = 30.0;
static bool is_default_timeout;

// The program's own code lies between the first two, less what lies between the others.
extern char __executable_start, etext, __start_cudacpu_text, __stop_cudacpu_text;

// --- the states of threads -------------------------------------------------------------------

// The number of the attempt at a proof that is being made; 0: none.
static atomic_uint attempt;

// All that can change from one turn of a loop to the next but memory. To look for suspicious blocks
// it is enough to take the registers without the program counter, which goes round, and the part
// of the stack where unoptimized code has its variables. A proof needs all, and no state that was
// seen before it began.
static uint64_t state_of(const Worker *worker, const void *frame, unsigned for_attempt)
{
    Part parts[MAX_REGISTER_PARTS];
    const int num_parts = signal_frame_registers(frame, parts);
    uint64_t hash = for_attempt;
    if (num_parts == 0) // nothing is known: no state is like another, so there is no verdict
    {
        hash = (uint64_t)(seconds_now() * 1e9);
    }
    for (int i = 0; i < num_parts; ++i)
    {
        hash = proof_mix(hash, parts[i].start, parts[i].bytes);
    }
    const void *pc = signal_frame_pc(frame);
    hash = for_attempt != 0 ? proof_mix(hash, &pc, sizeof(pc)) : hash;
    const char *stack = signal_frame_stack_pointer(frame);
    const char *bottom = worker->running->stack, *top = bottom + worker->running->bytes;
    const bool known = stack >= bottom && stack < top;
    return known ? proof_mix(hash, stack, for_attempt != 0 ? (size_t)(top - stack) : 512) : hash;
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

// A thread that computes is nearly always in a new state. A thread that waits in a loop is so less
// and less often. A thousand of them have too many states to tell, so a block that runs for long
// is suspicious in any case.
static void judge_states(Repeats *repeats, double now)
{
    if (now - repeats->since >= SUSPICION_SECONDS && repeats->seen >= 20)
    {
        atomic_store(&repeats->suspicious,
                     repeats->new < repeats->seen / 2 || now - repeats->started >= LONG_SECONDS);
        repeats->since = now;
        repeats->seen = repeats->new = 0;
    }
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

// True if the thread was found in one state only since it has had its turn, and has run meanwhile.
static bool is_still_running(Repeats *repeats, bool is_same)
{
    if (repeats->num_held == 0)
    {
        repeats->is_still = true;
        repeats->cpu_seconds = cpu_seconds();
        return false;
    }
    repeats->is_still = repeats->is_still && is_same;
    return repeats->is_still && repeats->num_held == MOST_HELD &&
           cpu_seconds() - repeats->cpu_seconds >= MOST_HELD * LONGEST_TICK_SECONDS;
}

// A thread that is found again in a state goes round in a circle if it has moved between. (Ticks
// may come so close together that it has not.) It has moved if it was in another state, or if it has
// kept its turn and has tried something meanwhile (cudacpu_spin), or has used its processor for
// much longer than the ticks take: a loop of two instructions is always found at the same one.
static void note_circle(Worker *worker, uint64_t state, bool is_old, const void *pc)
{
    const unsigned thread = worker->current;
    uint64_t *last = &worker->repeats.last_state[thread];
    const bool tried =
        worker->repeats.num_held > 0 && worker->num_spins != worker->repeats.num_spins;
    const bool ran = is_still_running(&worker->repeats, is_old && *last == state);
    if ((is_old && *last != 0 && (*last != state || tried || ran)) ||
        signal_frame_jumps_to_itself(pc))
    {
        insert(worker->repeats.circling, thread);
    }
    *last = state;
    worker->repeats.num_spins = worker->num_spins;
}

// In an attempt at a proof a thread keeps its turn until it is found to go round in a circle, but
// not for long.
static bool keeps_turn(Worker *worker)
{
    Repeats *repeats = &worker->repeats;
    const bool keeps = repeats->attempt != 0 && !is_in(repeats->circling, worker->current) &&
                       repeats->num_held < MOST_HELD;
    repeats->num_held = keeps ? repeats->num_held + 1 : 0;
    return keeps;
}

static void begin_states(Repeats *repeats, unsigned this_attempt)
{
    memset(repeats->circling, 0, sizeof(repeats->circling));
    memset(repeats->last_state, 0, sizeof(repeats->last_state));
    atomic_store(&repeats->attempt, this_attempt);
}

// Other lanes of the warp may wait for this one, at a printf or at volatile shared memory. True if
// it seems to spin, so that it may wait for them: it came back to a state that it has been in, time
// after time, or a great many ticks have found it.
static bool seems_to_spin(Worker *worker, bool is_old)
{
    unsigned *doubts = &worker->print.doubts[worker->current / WARP_SIZE];
    *doubts += *doubts < ENOUGH_DOUBTS ? is_old ? DOUBTS_OF_AN_OLD_STATE : 1 : 0;
    return *doubts >= ENOUGH_DOUBTS;
}

// Notes the state in which a tick has found the current thread. True if that has been seen before.
static bool note_state(Worker *worker, const void *frame, double now)
{
    Repeats *repeats = &worker->repeats;
    if (repeats->block != worker->num_blocks_run)
    {
        *repeats = (Repeats){.block = worker->num_blocks_run,
                             .started = now,
                             .since = now,
                             .cpu_started = CUDACPU_IN_TURN ? cpu_seconds() : 0.0};
    }
    const unsigned this_attempt = atomic_load(&attempt);
    if (repeats->attempt != this_attempt)
    {
        begin_states(repeats, this_attempt);
    }
    const uint64_t state = state_of(worker, frame, this_attempt);
    const bool is_old = !is_new(repeats, state);
    repeats->seen++;
    repeats->new += !is_old;
    if (is_old)
    {
        atomic_store(&repeats->spins, true);
    }
    if (this_attempt == 0)
    {
        judge_states(repeats, now);
    }
    else
    {
        note_circle(worker, state, is_old, signal_frame_pc(frame));
    }
    return is_old;
}

// --- kernels that do not end -------------------------------------------------------------------

// The watch's attempt at a proof: memory is looked at from time to time.
typedef struct Proof
{
    uint64_t memory; // as it was when the attempt began
    double began, next;
    double pause;          // until the next attempt if this one fails
    unsigned num_same;     // so often has memory been found the same
    unsigned last_attempt; // the number of the last one
    Range own_stack;       // the watch's, which changes
    Worker *in_kernel[MAX_WORKERS];
    int num_in_kernel;
} Proof;

static const double FIRST_PAUSE = 0.1, LONGEST_PAUSE = 10.0, ATTEMPT_SECONDS = 20.0;
static const double LOOK_INTERVAL = 0.05, LEAST_SECONDS = 1.0;
static const unsigned LEAST_LOOKS = 10;

// Looking at memory, which cost so many seconds, must not take more than a small part of the time.
static void give_up(Proof *proof, double now, double cost)
{
    atomic_store(&attempt, 0);
    proof->began = 0.0;
    proof->next = now + (proof->pause > 50.0 * cost ? proof->pause : 50.0 * cost);
    proof->pause = proof->pause < LONGEST_PAUSE ? 2.0 * proof->pause : LONGEST_PAUSE;
}

// Finds the workers that run blocks. True if all of these are suspicious, and there are some.
static bool all_are_suspicious(Proof *proof)
{
    proof->num_in_kernel = 0;
    for (int i = 0; i < atomic_load(&num_workers_seen); ++i)
    {
        Worker *worker = atomic_load(&workers[i]);
        if (worker->in_kernel)
        {
            if (!atomic_load(&worker->repeats.suspicious) ||
                worker->repeats.block != worker->num_blocks_run)
            {
                return false;
            }
            proof->in_kernel[proof->num_in_kernel++] = worker;
        }
    }
    return proof->num_in_kernel > 0;
}

static uint64_t memory_now(const Proof *proof)
{
    Worker *all[MAX_WORKERS];
    const int num_all = atomic_load(&num_workers_seen);
    for (int i = 0; i < num_all; ++i)
    {
        all[i] = atomic_load(&workers[i]);
    }
    return proof_memory(all, num_all, proof->own_stack);
}

static void begin_attempt(Proof *proof, double now)
{
    proof->began = now;
    proof->num_same = 0;
    proof->memory = 0;
    for (int i = 0; i < proof->num_in_kernel; ++i)
    {
        proof_note(proof->in_kernel[i]);
    }
    if (proof->last_attempt == 0)
    {
        memory_now(proof); // the dynamic linker notes what it calls
    }
    proof->last_attempt += proof->last_attempt + 1 == 0 ? 2 : 1;
    atomic_store(&attempt, proof->last_attempt);
}

// True if memory is as it was at the first look of this attempt, and no host's thread can change
// it.
static bool is_same_memory(Proof *proof)
{
    const uint64_t memory = only_kernels_run() ? memory_now(proof) : 0;
    proof->memory = proof->num_same == 0 ? memory : proof->memory;
    return memory != 0 && memory == proof->memory;
}

// True if the proof holds for every block that runs.
static bool is_complete(const Proof *proof, double now)
{
    if (proof->num_same < LEAST_LOOKS || now - proof->began < LEAST_SECONDS)
    {
        return false;
    }
    for (int i = 0; i < proof->num_in_kernel; ++i)
    {
        const Worker *worker = proof->in_kernel[i];
        if (atomic_load(&worker->repeats.attempt) != proof->last_attempt || !proof_holds(worker))
        {
            return false;
        }
    }
    return true;
}

// Looks whether anything has changed since the last look.
static void look_for_proof(Proof *proof)
{
    const double now = seconds_now();
    if (now < proof->next)
    {
        return;
    }
    if (!all_are_suspicious(proof))
    {
        proof->pause = FIRST_PAUSE;
        give_up(proof, now, 0.0);
        return;
    }
    if (proof->began == 0.0)
    {
        begin_attempt(proof, now);
    }
    const bool same = is_same_memory(proof);
    const double done = seconds_now(), cost = done - now;
    if (!same || now - proof->began > ATTEMPT_SECONDS + 40 * cost)
    {
        give_up(proof, done, cost);
        return;
    }
    proof->num_same++;
    for (int i = 0; i < proof->num_in_kernel; ++i)
    {
        proof_compare_waiting(proof->in_kernel[i]);
    }
    for (int i = 0; is_complete(proof, done) && i < proof->num_in_kernel; ++i)
    {
        atomic_store(&proof->in_kernel[i]->repeats.never_ends, true);
    }
    proof->next = done + (4.0 * cost > LOOK_INTERVAL ? 4.0 * cost : LOOK_INTERVAL);
}

// Ends a block that will not end, or that has run for too long; says of one that runs for long
// where its threads stand.
static void look_at_time(Worker *worker, const void *frame, double now)
{
    Repeats *repeats = &worker->repeats;
    const double seconds = now - repeats->started;
    if (is_default_timeout && cpu_seconds() - repeats->cpu_started > CHECKED_SECONDS)
    {
        fault_endless(worker, frame, CHECKED_TOO_LONG);
    }
    if (atomic_load(&repeats->never_ends))
    {
        fault_endless(worker, frame, HANGS);
    }
    if (timeout_seconds > 0.0 && seconds > timeout_seconds)
    {
        fault_endless(worker, frame, TIMED_OUT);
    }
    if (notice_seconds > 0.0 && seconds > notice_seconds && !repeats->noticed)
    {
        repeats->noticed = true;
        if (atomic_exchange(&worker->launch->noticed, 1) == 0)
        {
            thread_places_note(worker, seconds);
        }
    }
}

// --- ticks -----------------------------------------------------------------------------------

// A tick may come while another is on its way in, before the thread counts as not to be preempted:
// what runs until then must not count as the kernel's own code.
CALLED_BY_KERNELS static bool in_kernel_code(const void *frame)
{
    const char *pc = signal_frame_pc(frame);
    return pc >= &__executable_start && pc < &etext &&
           !(pc >= &__start_cudacpu_text && pc < &__stop_cudacpu_text);
}

// Lets the next tick come while this one is handled, for the thread may be left for long. Not before
// it is marked as not to be preempted: else ticks that come faster than they are handled would fill
// its stack.
static void allow_ticks(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, WATCH_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// Runs on the kernel thread's own stack, so that it can be left here and resumed later.
CALLED_BY_KERNELS static void on_tick(int number, siginfo_t *info, void *data)
{
    (void)number, (void)info;
    Worker *worker = worker_if_any();
    if (worker == NULL || !worker->in_kernel || !worker->preemptible || !in_kernel_code(data))
    {
        return; // in the C library it may hold a lock
    }
    if (signal_frame_rounds_otherwise(data))
    {
        return; // no other thread may run in the mode of __fadd_ru and its kin
    }
    set_preemptible(worker, false);
    allow_ticks();
    if (atomic_load(&worker->launch->error) != 0) // elsewhere this kernel has failed already
    {
        worker_abandon(worker, atomic_load(&worker->launch->error));
    }
    call_helpers(worker->launch); // what it waits for may be a block that has not begun
    count_the_living(worker);
    const double now = seconds_now();
    const bool spins = seems_to_spin(worker, note_state(worker, data, now));
    worker->repeats.pc[worker->current] = signal_frame_pc(data);
    look_at_time(worker, data, now);
    if (!CUDACPU_IN_TURN && !keeps_turn(worker)) // the checker counts accesses instead
    {
        schedule_preempt(worker, spins);
    }
    set_preemptible(worker, true);
}

static Range stack_of_this_thread(void)
{
    pthread_attr_t attributes;
    void *start = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0)
    {
        pthread_attr_getstack(&attributes, &start, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return (Range){(uintptr_t)start, (uintptr_t)start + bytes};
}

// Sends a signal to each worker that runs a block. Returns how long to sleep then.
static long tick_workers(void)
{
    const pid_t process = getpid();
    long pause = IDLE_TICK;
    for (int i = 0; i < atomic_load(&num_workers_seen); ++i)
    {
        Worker *worker = atomic_load(&workers[i]);
        if (worker->in_kernel)
        {
            // pthread_kill must not be asked for a thread that may have ended just now.
            syscall(SYS_tgkill, process, worker->os_number, WATCH_SIGNAL);
            pause = pause < TICK ? pause : TICK;
        }
        if (atomic_exchange(&worker->repeats.spins, false) || atomic_load(&attempt) != 0)
        {
            pause = SPIN_TICK;
        }
    }
    return pause;
}

static void *watch_main(void *unused)
{
    (void)unused;
    Proof proof = {.pause = FIRST_PAUSE, .own_stack = stack_of_this_thread()};
    for (;;)
    {
        const long pause = tick_workers();
        look_for_proof(&proof);
        thread_places_say();
        nanosleep(&(struct timespec){0, pause}, NULL);
    }
    return NULL;
}

// The worker is watched from now on, whichever OS thread it is.
void watch_add(Worker *worker)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const int i = atomic_load(&num_workers_seen);
    if (i < MAX_WORKERS)
    {
        atomic_store(&workers[i], worker);
        atomic_store(&num_workers_seen, i + 1);
    }
    pthread_mutex_unlock(&lock);
}

// `helpers` is called for a launch whose block does not end soon. `only_kernels` tells whether
// every OS thread of the program runs kernels or waits for some.
void watch_start(void (*helpers)(Launch *), bool (*only_kernels)(void))
{
    static atomic_flag started = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&started))
    {
        return;
    }
    call_helpers = helpers;
    only_kernels_run = only_kernels;
    notice_seconds = wished_number("CUDACPU_NOTICE", 0.0, MOST_SECONDS, NOTICE_SECONDS);
    timeout_seconds = wished_number("CUDACPU_TIMEOUT", 0.0, MOST_SECONDS, 0.0);
    is_default_timeout = CUDACPU_IN_TURN && getenv("CUDACPU_TIMEOUT") == NULL;
    struct sigaction action = {0};
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(WATCH_SIGNAL, &action, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_main, NULL) == 0)
    {
        pthread_detach(thread);
    }
}
