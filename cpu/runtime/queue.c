// The queue of a device, and the OS thread that works it off.
//
// A launch only appends to the queue. The device's thread works it off; a host thread that waits
// for the device takes over that work rather than sleep, which spares two wake-ups. The order of
// issue satisfies every stream, so one queue serves them all.
//
// With CUDACPU_LATE=1 the device takes another order that streams allow, and the worst one for a
// program that forgets to wait: nothing runs before the host waits for it, then nothing that it does
// not wait for, and of what may run the latest first.
#include "queue.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "check.h"
#include "device.h"
#include "machine.h"
#include "memory.h"
#include "print.h"

enum
{
    ORDER_BYTES = 32, // of an Order: see there
    MOST_LATE = 1024  // as many operations a late device may leave undone
};

typedef struct Queue
{
    pthread_mutex_t lock;      // the list of operations
    pthread_mutex_t work_lock; // the right to work them off
    Op *first, *end;
    uint64_t last_issued, running;
    atomic_uint_fast64_t last_completed;
    atomic_int waiting_hosts, completions; // a futex: counts up with each operation done
    atomic_int doorbell;                   // a futex: counts up with each operation issued
    atomic_int asleep;                     // the device's thread
    bool started, has_thread;              // it was asked for, and is there; under `lock`
    atomic_uint_fast64_t asked;            // a late one must begin with this operation; 0: none
    atomic_bool busy;                      // an operation is being run, ...
    atomic_bool busy_host;                 // ... and the OS thread that runs it is a host's
} Queue;
static Queue queues[MAX_DEVICES] = {
    [0 ... MAX_DEVICES - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .work_lock = PTHREAD_MUTEX_INITIALIZER}};

// Counts the operations of all devices. Thrust's headers look at it: while it stands still, there is
// nothing new to wait for.
uint64_t cudacpu_issued;

static void futex_wait(atomic_int *word, int value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(atomic_int *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

// --- working it off --------------------------------------------------------------------------

// Of several devices each keeps the order of issue: their queues wait for each other.
bool queue_is_late(void)
{
    static atomic_int late = -1;
    if (atomic_load_explicit(&late, memory_order_relaxed) < 0)
    {
        const bool is_late = !CUDACPU_CHECKS && wished("CUDACPU_LATE") &&
                             wished_count("CUDACPU_DEVICES", MAX_DEVICES, 1) == 1;
        atomic_store_explicit(&late, is_late, memory_order_relaxed);
    }
    return atomic_load_explicit(&late, memory_order_relaxed);
}

// What a late device knows of an operation. It stands before the Op.
typedef struct Order
{
    const void *stream;
    StreamKind kind;
    uint64_t after; // the number of an operation that must be done before; 0: none
} Order;

_Static_assert(sizeof(Order) <= ORDER_BYTES && ORDER_BYTES % _Alignof(max_align_t) == 0,
               "an Op after it is aligned");

static Order *order_of(const Op *op)
{
    return (Order *)((char *)op - ORDER_BYTES);
}

void queue_set_stream(Op *op, const void *stream, StreamKind kind)
{
    if (queue_is_late())
    {
        order_of(op)->stream = stream;
        order_of(op)->kind = kind;
    }
}

// The operation waits for operation `sequence`.
void queue_set_after(Op *op, uint64_t sequence)
{
    if (queue_is_late())
    {
        order_of(op)->after = sequence;
    }
}

// Whether an operation must wait for one that was issued before it.
static bool must_follow(const Op *op, const Op *before)
{
    const Order *o = order_of(op), *b = order_of(before);
    return o->stream == b->stream || o->after == before->sequence ||
           (o->kind == LEGACY_STREAM && b->kind == BLOCKING_STREAM) ||
           (o->kind == BLOCKING_STREAM && b->kind == LEGACY_STREAM);
}

// The operation `sequence`, or the last one if there is none, or what must be done before.
static Op *find_late(const Queue *queue, uint64_t sequence)
{
    Op *found = NULL;
    for (Op *op = queue->first; op != NULL && op->sequence <= sequence; op = op->next)
    {
        found = op;
    }
    for (Op *op = queue->first; op != NULL && op != found;)
    {
        const bool follows = must_follow(found, op);
        found = follows ? op : found;
        op = follows ? queue->first : op->next;
    }
    return found;
}

static Op *take(Queue *queue, uint64_t sequence)
{
    pthread_mutex_lock(&queue->lock);
    Op *op = queue_is_late() ? find_late(queue, sequence) : queue->first;
    Op *before = NULL;
    for (Op *other = queue->first; other != op; other = other->next)
    {
        before = other;
    }
    if (op != NULL)
    {
        *(before != NULL ? &before->next : &queue->first) = op->next;
        queue->end = queue->end == op ? before : queue->end;
        queue->running = op->sequence;
    }
    pthread_mutex_unlock(&queue->lock);
    return op;
}

// Whether operation `sequence` is done, or all up to it are.
static bool is_done(Queue *queue, uint64_t sequence, bool all)
{
    if (atomic_load(&queue->last_completed) >= sequence || all || !queue_is_late())
    {
        return atomic_load(&queue->last_completed) >= sequence;
    }
    pthread_mutex_lock(&queue->lock);
    const Op *op = queue->first;
    while (op != NULL && op->sequence < sequence)
    {
        op = op->next;
    }
    const bool waits = op != NULL && op->sequence == sequence;
    const bool done = !waits && queue->running != sequence;
    pthread_mutex_unlock(&queue->lock);
    return done;
}

bool queue_done(int device, uint64_t sequence)
{
    return is_done(&queues[device], sequence, false);
}

static bool is_empty(Queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    const bool empty = queue->first == NULL;
    pthread_mutex_unlock(&queue->lock);
    return empty;
}

// A late device has done an operation: all that were issued before the first that is left are done.
static void note_done_late(Queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->running = 0;
    atomic_store(&queue->last_completed,
                 (queue->first != NULL ? queue->first->sequence : queue->last_issued + 1) - 1);
    pthread_mutex_unlock(&queue->lock);
}

// One operation more is done, or a host may work that could not.
static void wake_hosts(Queue *queue)
{
    atomic_fetch_add(&queue->completions, 1);
    if (atomic_load(&queue->waiting_hosts) > 0)
    {
        futex_wake(&queue->completions, 1 << 30);
    }
}

// Works off the queue up to `sequence`: what this operation needs, or all. The caller holds
// work_lock.
static void work_until(Queue *queue, uint64_t sequence, bool all)
{
    const int device = (int)(queue - queues);
    const bool late = queue_is_late();
    Op *op;
    while (!is_done(queue, sequence, all) && (op = take(queue, sequence)) != NULL)
    {
        atomic_store_explicit(&queue->busy, true, memory_order_relaxed);
        check_op_begin(op);
        op->run(op);
        check_op_end(op);
        atomic_store_explicit(&queue->busy, false, memory_order_relaxed);
        const uint64_t done = op->sequence;
        free(late ? (void *)order_of(op) : op);
        if (is_empty(queue) || late)
        {
            memory_close_all(device);
        }
        if (late)
        {
            note_done_late(queue);
        }
        else
        {
            atomic_store(&queue->last_completed, done);
        }
        wake_hosts(queue);
    }
}

// The right to work is free again. The queue may hold what another host waits for: if the device is
// late, or has no thread of its own.
static void unlock_work(Queue *queue)
{
    pthread_mutex_unlock(&queue->work_lock);
    if (queue_is_late() || !queue->has_thread)
    {
        wake_hosts(queue);
    }
}

// A host may wait for a late device in a loop of its own. So the device begins by itself when the
// host has asked for an operation, and does what that needs, or when the host has issued nothing for
// 0.1 s, and does all.
static void work_late(Queue *queue)
{
    const int device = (int)(queue - queues);
    int rung = atomic_load(&queue->doorbell);
    uint64_t asked = 0;
    for (int i = 0; i < 100 && (asked = atomic_exchange(&queue->asked, 0)) == 0; ++i)
    {
        usleep(1000);
        const int rings = atomic_load(&queue->doorbell);
        i = rings != rung ? 0 : i;
        rung = rings;
    }
    pthread_mutex_lock(&queue->work_lock);
    work_until(queue, asked != 0 ? asked : queue_last(device), asked == 0);
    unlock_work(queue);
}

static void *device_main(void *data)
{
    Queue *queue = data;
    for (;;)
    {
        const int rung = atomic_load(&queue->doorbell);
        if (queue_is_late())
        {
            work_late(queue);
            if (!is_empty(queue))
            {
                continue;
            }
        }
        else
        {
            pthread_mutex_lock(&queue->work_lock);
            work_until(queue, UINT64_MAX, true);
            pthread_mutex_unlock(&queue->work_lock);
        }
        atomic_store(&queue->asleep, 1);
        if (atomic_load(&queue->doorbell) == rung)
        {
            futex_wait(&queue->doorbell, rung);
        }
        atomic_store(&queue->asleep, 0);
    }
    return NULL;
}

static atomic_int num_own_threads;

// False if the system has no thread to give.
bool queue_start_thread(void *(*main)(void *), void *data)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (machine_address_space() != SIZE_MAX) // of which each thread takes 70 MB else
    {
        pthread_attr_setstacksize(&attributes, 1 << 20);
        mallopt(M_ARENA_MAX, 1);
    }
    const bool started = pthread_create(&thread, &attributes, main, data) == 0;
    pthread_attr_destroy(&attributes);
    atomic_fetch_add(&num_own_threads, started);
    return started;
}

// --- what the OS threads of the process do -------------------------------------------------------

// -1 if the system does not say. Without stdio, whose buffers the watch would take for progress.
static int threads_of_process(void)
{
    char text[1024];
    const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, sizeof(text) - 1) : 0;
    if (file >= 0)
    {
        close(file);
    }
    text[length > 0 ? length : 0] = '\0';
    const char *field = strrchr(text, ')'); // the end of the second one; threads are the 20th
    for (int i = 2; field != NULL && i < 20; ++i)
    {
        field = strchr(field + 1, ' ');
    }
    return field != NULL ? atoi(field) : -1;
}

// True if each OS thread of the process is the runtime's, the watch among them, or a host's that
// waits for a device or works for one.
bool queue_hosts_wait(void)
{
    int num_waiting = 0;
    for (int device = 0; device < MAX_DEVICES; ++device)
    {
        num_waiting +=
            atomic_load(&queues[device].waiting_hosts) + atomic_load(&queues[device].busy_host);
    }
    return threads_of_process() == atomic_load(&num_own_threads) + 1 + num_waiting;
}

// True while an operation is being run.
bool queue_is_busy(int device)
{
    return atomic_load(&queues[device].busy);
}

// --- adding, and waiting -----------------------------------------------------------------------

// Memory for an operation, which the queue frees once it is done.
void *queue_allocate(size_t bytes)
{
    const size_t before = queue_is_late() ? ORDER_BYTES : 0;
    char *memory = malloc(before + bytes);
    if (memory == NULL)
    {
        exhausted("memory for an operation", errno);
    }
    memset(memory, 0, before);
    return memory + before;
}

// Appends an operation. Returns its number.
uint64_t queue_add(int device, Op *op)
{
    Queue *queue = &queues[device];
    op->device = device;
    op->next = NULL;
    pthread_mutex_lock(&queue->lock);
    if (!queue->started)
    {
        queue->started = true;
        queue->has_thread = !CUDACPU_CHECKS && queue_start_thread(device_main, queue);
    }
    const uint64_t sequence = op->sequence = ++queue->last_issued;
    __atomic_fetch_add(&cudacpu_issued, 1, __ATOMIC_RELEASE);
    if (queue->first == NULL)
    {
        queue->first = op;
    }
    else
    {
        queue->end->next = op;
    }
    queue->end = op;
    const bool has_thread = queue->has_thread;
    check_added(op);
    pthread_mutex_unlock(&queue->lock);
    atomic_fetch_add(&queue->doorbell, 1);
    if (atomic_load(&queue->asleep))
    {
        futex_wake(&queue->doorbell, 1);
    }
    if (!has_thread)
    {
        queue_follow(device, sequence);
    }
    else if (queue_is_late() && sequence > MOST_LATE)
    {
        queue_follow(device, sequence - MOST_LATE);
    }
    return sequence;
}

uint64_t queue_last(int device)
{
    Queue *queue = &queues[device];
    pthread_mutex_lock(&queue->lock);
    const uint64_t last = queue->last_issued;
    pthread_mutex_unlock(&queue->lock);
    return last;
}

uint64_t queue_completed(int device)
{
    return atomic_load(&queues[device].last_completed);
}

static void follow(int device, uint64_t sequence, bool all)
{
    Queue *queue = &queues[device];
    while (!is_done(queue, sequence, all))
    {
        const int seen = atomic_load(&queue->completions);
        if (pthread_mutex_trylock(&queue->work_lock) == 0)
        {
            atomic_store_explicit(&queue->busy_host, true, memory_order_relaxed);
            work_until(queue, sequence, all);
            atomic_store_explicit(&queue->busy_host, false, memory_order_relaxed);
            unlock_work(queue);
            continue;
        }
        atomic_fetch_add(&queue->waiting_hosts, 1);
        if (!is_done(queue, sequence, all))
        {
            futex_wait(&queue->completions, seen);
        }
        atomic_fetch_sub(&queue->waiting_hosts, 1);
    }
}

// Waits until operation `sequence` is done, and does the work itself where no other thread is at
// it.
void queue_follow(int device, uint64_t sequence)
{
    follow(device, sequence, false);
}

// The host asks whether the operation is done. A late device then begins with it.
bool queue_asked(int device, uint64_t sequence)
{
    const bool done = queue_done(device, sequence);
    if (done)
    {
        check_waited(device, sequence);
    }
    if (!done && queue_is_late())
    {
        atomic_store(&queues[device].asked, sequence);
    }
    return done;
}

// queue_follow() for the host, which then sees what kernels have printed.
void queue_wait(int device, uint64_t sequence)
{
    queue_follow(device, sequence);
    check_waited(device, sequence);
    print_flush();
}

// Waits for all that has been issued so far.
void queue_wait_all(int device)
{
    follow(device, queue_last(device), true);
    check_waited_all(device);
    print_flush();
}
