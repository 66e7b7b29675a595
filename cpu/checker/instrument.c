// What compiled code calls before each access (-fsanitize=thread), and what our headers call at
// atomics and fences.
#include <string.h>
#include "../runtime/check.h"
#include "../runtime/schedule.h"
#include "../runtime/worker.h"
#include "access.h"
#include "describe.h"
#include "order.h"
#include "site.h"
#include "threads.h"
#include "unwritten.h"
#include "volatile.h"
#include "word.h"

#define CALLER ((char *)__builtin_return_address(0) - 1)

// All of this runs in the program's code, on a fiber or on a thread of the host. A tick that comes
// meanwhile does nothing, for this is in the section cudacpu_text.

// --- plain and volatile accesses -----------------------------------------------------------------

static bool runs_kernel(void)
{
    return this_worker != NULL && this_worker->in_kernel;
}

// What a thread may spend before another one has a turn. It is counted in accesses and not in time, so a
// run is the same each time. A thread that spins reads atomic or volatile words.
enum
{
    TURN = 1 << 16,
    PLAIN = 1,
    STRONG = 64
};
static unsigned spent;

// Another thread may come before the access: not between the call and the access.
static inline void spend(unsigned cost)
{
    if (runs_kernel())
    {
        spent += cost;
        if (__builtin_expect(spent >= TURN, 0))
        {
            spent = 0;
            schedule_give_turn();
        }
    }
}

static inline void note_plain(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    if (__builtin_expect(unwritten_any, 0))
    {
        access_note_copied(address, bytes, what, pc);
    }
    if (shadow_chunk(address) != NULL)
    {
        spend(PLAIN);
        access_note(address, bytes, what, pc);
    }
}

// A thread has written an atomic or volatile word, which the host may read while the kernel runs.
static void tell_host(unsigned thread, const void *address, bool also_reads)
{
    if (threads_tells_host(thread))
    {
        order_tell(address);
    }
    else if (!also_reads)
    {
        order_untell(address);
    }
}

// A volatile access publishes and acquires as an atomic of the system's scope, if fences are beside it.
static void note_volatile(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    if (shadow_chunk(address) == NULL)
    {
        return;
    }
    spend(STRONG);
    if (!runs_kernel())
    {
        access_note(address, bytes, what | IS_VOLATILE, pc);
        if ((what & IS_WRITE) == 0)
        {
            order_hear(address);
        }
        return;
    }
    const unsigned thread = this_worker->current;
    const uint32_t site = site_of(pc);
    if (what & IS_WRITE)
    {
        what |= volatile_note_write(thread, address, site);
    }
    else
    {
        volatile_note_read(thread, address, site);
    }
    access_note(address, bytes, what | IS_VOLATILE, pc);
    if (what & IS_WRITE)
    {
        threads_release(thread, address, false, SCOPE_SYSTEM, site);
        tell_host(thread, address, false);
        threads_note_volatile(thread, address, site);
    }
    else
    {
        threads_acquire(thread, address, false, SCOPE_SYSTEM);
    }
}

#define ACCESSES(bytes)                                              \
    void __tsan_read##bytes(const void *address);                    \
    void __tsan_read##bytes(const void *address)                     \
    {                                                                \
        note_plain(address, bytes, 0, CALLER);                       \
    }                                                                \
    void __tsan_write##bytes(void *address);                         \
    void __tsan_write##bytes(void *address)                          \
    {                                                                \
        note_plain(address, bytes, IS_WRITE, CALLER);                \
    }                                                                \
    void __tsan_unaligned_read##bytes(const void *address);          \
    void __tsan_unaligned_read##bytes(const void *address)           \
    {                                                                \
        note_plain(address, bytes, 0, CALLER);                       \
    }                                                                \
    void __tsan_unaligned_write##bytes(void *address);               \
    void __tsan_unaligned_write##bytes(void *address)                \
    {                                                                \
        note_plain(address, bytes, IS_WRITE, CALLER);                \
    }                                                                \
    void __tsan_volatile_read##bytes(const void *address);           \
    void __tsan_volatile_read##bytes(const void *address)            \
    {                                                                \
        note_volatile(address, bytes, 0, CALLER);                    \
    }                                                                \
    void __tsan_volatile_write##bytes(void *address);                \
    void __tsan_volatile_write##bytes(void *address)                 \
    {                                                                \
        note_volatile(address, bytes, IS_WRITE, CALLER);             \
    }                                                                \
    void __tsan_unaligned_volatile_read##bytes(const void *address); \
    void __tsan_unaligned_volatile_read##bytes(const void *address)  \
    {                                                                \
        note_volatile(address, bytes, 0, CALLER);                    \
    }                                                                \
    void __tsan_unaligned_volatile_write##bytes(void *address);      \
    void __tsan_unaligned_volatile_write##bytes(void *address)       \
    {                                                                \
        note_volatile(address, bytes, IS_WRITE, CALLER);             \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(const void *address, size_t bytes);
void __tsan_read_range(const void *address, size_t bytes)
{
    note_plain(address, bytes, 0, CALLER);
}

void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes)
{
    note_plain(address, bytes, IS_WRITE, CALLER);
}

// Each file of the program has a constructor that calls this.
void __tsan_init(void);
void __tsan_init(void)
{
    describe_register();
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    note_plain(address, sizeof(*address), IS_WRITE, CALLER);
}

void __tsan_vptr_read(void **address);
void __tsan_vptr_read(void **address)
{
    note_plain(address, sizeof(*address), 0, CALLER);
}

// --- atomics -------------------------------------------------------------------------------------

// The atomic that a header of ours has announced: the compiler's parts of it are not noted again.
static THREAD_LOCAL const volatile void *announced;

enum
{
    ATOMIC_READS = 1,
    ATOMIC_WRITES = 2
};

static void note_atomic(const volatile void *address, size_t bytes, int how, Scope scope,
                        bool compares, const void *pc)
{
    const void *p = (const void *)address;
    if (shadow_chunk(p) == NULL)
    {
        return;
    }
    const uint32_t what = IS_ATOMIC | (how & ATOMIC_WRITES ? IS_WRITE : 0) |
                          (uint32_t)scope << SCOPE_SHIFT | (compares ? IS_COMPARING : 0);
    spend(STRONG);
    access_note(p, bytes, what, pc);
    if (runs_kernel())
    {
        const unsigned thread = this_worker->current;
        if (how & ATOMIC_READS)
        {
            threads_acquire(thread, p, (how & ATOMIC_WRITES) != 0, scope);
        }
        if (how & ATOMIC_WRITES)
        {
            threads_release(thread, p, (how & ATOMIC_READS) != 0, scope, 0);
            tell_host(thread, p, (how & ATOMIC_READS) != 0);
        }
    }
    else if (how & ATOMIC_READS)
    {
        order_hear(p);
    }
}

// An atomic of our headers begins.
void cudacpu_check_atomic(const volatile void *address, size_t bytes, int scope, int compares);
void cudacpu_check_atomic(const volatile void *address, size_t bytes, int scope, int compares)
{
    note_atomic(address, bytes, ATOMIC_READS | ATOMIC_WRITES, (Scope)scope, compares, CALLER);
    announced = address; // only now: another thread may have come before the access
}

// An exchange begins. It reads only where its result is used: then cudacpu_check_result is called with the
// number that this returns, if the memory was never written.
typedef struct FirstExchange
{
    unsigned long number;
    const volatile void *address;
    size_t bytes;
} FirstExchange;
enum
{
    NUM_FIRST = 64
};
static THREAD_LOCAL FirstExchange first_exchanges[NUM_FIRST];
static THREAD_LOCAL unsigned long num_first;

unsigned long cudacpu_check_exchange(const volatile void *address, size_t bytes, int scope);
unsigned long cudacpu_check_exchange(const volatile void *address, size_t bytes, int scope)
{
    const void *p = (const void *)address;
    unsigned long number = 0;
    if (shadow_chunk(p) != NULL && access_is_first(p, bytes))
    {
        number = ++num_first;
        first_exchanges[number % NUM_FIRST] = (FirstExchange){number, address, bytes};
    }
    note_atomic(address, bytes, ATOMIC_READS | ATOMIC_WRITES, (Scope)scope, false, CALLER);
    announced = address;
    return number;
}

unsigned cudacpu_check_result(unsigned long number);
unsigned cudacpu_check_result(unsigned long number)
{
    FirstExchange *first = &first_exchanges[number % NUM_FIRST];
    if (first->number == number && number != 0)
    {
        first->number = 0;
        access_note_first((const void *)first->address, first->bytes, CALLER);
    }
    return 0;
}

void cudacpu_check_fence(int scope);
void cudacpu_check_fence(int scope)
{
    if (runs_kernel())
    {
        word_settle();
        threads_fence(this_worker->current, (Scope)scope);
    }
}

static void note_other(const volatile void *address, size_t bytes, int how, const void *pc)
{
    if (announced != address ||
        !runs_kernel()) // the host may be the thread that has run the kernel
    {
        note_atomic(address, bytes, how, SCOPE_SYSTEM, false, pc);
    }
}

#define ATOMIC_FETCH(bits, T, name, builtin)                            \
    T __tsan_atomic##bits##_##name(volatile T *a, T value, int order);  \
    T __tsan_atomic##bits##_##name(volatile T *a, T value, int order)   \
    {                                                                   \
        (void)order;                                                    \
        note_other(a, sizeof(T), ATOMIC_READS | ATOMIC_WRITES, CALLER); \
        return builtin(a, value, __ATOMIC_SEQ_CST);                     \
    }
#define ATOMICS(bits, T)                                                                        \
    T __tsan_atomic##bits##_load(const volatile T *a, int order);                               \
    T __tsan_atomic##bits##_load(const volatile T *a, int order)                                \
    {                                                                                           \
        (void)order;                                                                            \
        note_other(a, sizeof(T), ATOMIC_READS, CALLER);                                         \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                            \
    }                                                                                           \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order);                        \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order)                         \
    {                                                                                           \
        (void)order;                                                                            \
        note_other(a, sizeof(T), ATOMIC_WRITES, CALLER);                                        \
        __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                           \
    }                                                                                           \
    ATOMIC_FETCH(bits, T, exchange, __atomic_exchange_n)                                        \
    ATOMIC_FETCH(bits, T, fetch_add, __atomic_fetch_add)                                        \
    ATOMIC_FETCH(bits, T, fetch_sub, __atomic_fetch_sub)                                        \
    ATOMIC_FETCH(bits, T, fetch_and, __atomic_fetch_and)                                        \
    ATOMIC_FETCH(bits, T, fetch_or, __atomic_fetch_or)                                          \
    ATOMIC_FETCH(bits, T, fetch_xor, __atomic_fetch_xor)                                        \
    ATOMIC_FETCH(bits, T, fetch_nand, __atomic_fetch_nand)                                      \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T *a, T *expected, T value,      \
                                                      int order, int failure);                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T *a, T *expected, T value,      \
                                                      int order, int failure)                   \
    {                                                                                           \
        (void)order, (void)failure;                                                             \
        note_other(a, sizeof(T), ATOMIC_READS | ATOMIC_WRITES, CALLER);                         \
        return __atomic_compare_exchange_n(a, expected, value, false, __ATOMIC_SEQ_CST,         \
                                           __ATOMIC_SEQ_CST);                                   \
    }                                                                                           \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T *a, T *expected, T value,        \
                                                    int order, int failure);                    \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T *a, T *expected, T value,        \
                                                    int order, int failure)                     \
    {                                                                                           \
        (void)order, (void)failure;                                                             \
        note_other(a, sizeof(T), ATOMIC_READS | ATOMIC_WRITES, CALLER);                         \
        return __atomic_compare_exchange_n(a, expected, value, false, __ATOMIC_SEQ_CST,         \
                                           __ATOMIC_SEQ_CST);                                   \
    }                                                                                           \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T value, int order, \
                                                 int failure);                                  \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T value, int order, \
                                                 int failure)                                   \
    {                                                                                           \
        (void)order, (void)failure;                                                             \
        note_other(a, sizeof(T), ATOMIC_READS | ATOMIC_WRITES, CALLER);                         \
        __atomic_compare_exchange_n(a, &expected, value, false, __ATOMIC_SEQ_CST,               \
                                    __ATOMIC_SEQ_CST);                                          \
        return expected;                                                                        \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
