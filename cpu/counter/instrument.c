// What compiled code calls: at each basic block (-fsanitize-coverage=trace-pc), before each access and for
// each atomic (-fsanitize=thread).
#include "cost.h"
#include "show.h"
#include "steps.h"

enum
{
    MOST_COPIED = 256 // bytes; what is more is no structure
};

#define CALLER ((char *)__builtin_return_address(0) - 1)

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps_begin_block(CALLER, __builtin_frame_address(0));
}

static inline void note(const void *address, size_t bytes, Access access, const void *pc)
{
    steps_note(address, bytes, access, false, pc);
}

// 16 bytes, which lie at a multiple of 8 or 16: in a program with no type of the latter they are two times 8.
static void note_16(const char *address, Access access, const void *pc)
{
    if (cost_largest_vector() == 16)
    {
        note(address, 16, access, pc);
        return;
    }
    steps_note(address, 8, access, true, pc);
    steps_note(address + 8, 8, access, true, pc);
}

#define ACCESS(name, bytes, access)           \
    void __tsan_##name(void *address);        \
    void __tsan_##name(void *address)         \
    {                                         \
        note(address, bytes, access, CALLER); \
    }
#define ACCESSES(bytes)                                 \
    ACCESS(read##bytes, bytes, LOAD)                    \
    ACCESS(write##bytes, bytes, STORE)                  \
    ACCESS(unaligned_read##bytes, bytes, LOAD)          \
    ACCESS(unaligned_write##bytes, bytes, STORE)        \
    ACCESS(volatile_read##bytes, bytes, LOAD)           \
    ACCESS(volatile_write##bytes, bytes, STORE)         \
    ACCESS(unaligned_volatile_read##bytes, bytes, LOAD) \
    ACCESS(unaligned_volatile_write##bytes, bytes, STORE)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
#define ACCESS16(name, access)             \
    void __tsan_##name##16(void *address); \
    void __tsan_##name##16(void *address)  \
    {                                      \
        note_16(address, access, CALLER);  \
    }
ACCESS16(read, LOAD)
ACCESS16(write, STORE)
ACCESS16(unaligned_read, LOAD)
ACCESS16(unaligned_write, STORE)
ACCESS16(volatile_read, LOAD)
ACCESS16(volatile_write, STORE)

// A structure whose parts need not lie at a multiple of its size.
static void note_range(const char *address, size_t bytes, Access access, const void *pc)
{
    if (this_worker == NULL || !this_worker->in_kernel)
    {
        return;
    }
    const size_t piece = cost_piece(address, bytes, pc);
    for (size_t at = 0; at < bytes; at += piece)
    {
        steps_note(address + at, piece, access, true, pc);
    }
}

static void note_copied(const char *address, size_t bytes, Access access, const void *pc)
{
    if (bytes == 16 && (uintptr_t)address % 16 == 0)
    {
        note_16(address, access, pc);
    }
    else if (bytes <= MOST_COPIED && this_worker != NULL && this_worker->preemptible)
    {
        note_range(address, bytes, access, pc);
    }
}

void __tsan_read_range(const void *address, size_t bytes);
void __tsan_read_range(const void *address, size_t bytes)
{
    note_range(address, bytes, LOAD, CALLER);
}

void __tsan_write_range(const void *address, size_t bytes);
void __tsan_write_range(const void *address, size_t bytes)
{
    note_range(address, bytes, STORE, CALLER);
}

// ---- Copies by functions of the C library -------------------------------------------------------

// A copy of a structure may be such a call.
#define WRAPPED(name, parameters, arguments, ...) \
    void *__real_##name parameters;               \
    void *__wrap_##name parameters;               \
    void *__wrap_##name parameters                \
    {                                             \
        __VA_ARGS__;                              \
        return __real_##name arguments;           \
    }
WRAPPED(memcpy, (void *to, const void *from, size_t bytes), (to, from, bytes),
        note_copied(from, bytes, LOAD, CALLER), note_copied(to, bytes, STORE, CALLER))
WRAPPED(memmove, (void *to, const void *from, size_t bytes), (to, from, bytes),
        note_copied(from, bytes, LOAD, CALLER), note_copied(to, bytes, STORE, CALLER))
WRAPPED(memset, (void *to, int value, size_t bytes), (to, value, bytes),
        note_copied(to, bytes, STORE, CALLER))

// A copy that is one instruction. What is zero it does not read. (The call has places enough for two accesses.)
void cudacpu_count_copy(void *to, const void *from, unsigned long bytes, unsigned long zeros);
void cudacpu_count_copy(void *to, const void *from, unsigned long bytes, unsigned long zeros)
{
    if (zeros < bytes)
    {
        steps_note(from, bytes, LOAD, true, CALLER);
    }
    steps_note(to, bytes, STORE, true, CALLER - 1);
}

// Each file of the program has a constructor that calls this.
void __tsan_init(void);
void __tsan_init(void)
{
    show_at_exit();
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
    note(address, sizeof(*address), STORE, CALLER);
}

void __tsan_vptr_read(void **address);
void __tsan_vptr_read(void **address)
{
    note(address, sizeof(*address), LOAD, CALLER);
}

// ---- Atomics ------------------------------------------------------------------------------------

void cudacpu_count_atomic(const volatile void *address, unsigned long bytes);
void cudacpu_count_atomic(const volatile void *address, unsigned long bytes)
{
    steps_begin_atomic((const void *)address, bytes, CALLER);
}

void cudacpu_count_once(void);
void cudacpu_count_once(void)
{
    steps_begin_once();
}

void cudacpu_count_once_end(void);
void cudacpu_count_once_end(void)
{
    steps_end_once();
}

// Those of the compiler's own, which a program may call.

#define NOTE(address, access) note((const void *)(address), sizeof(*(address)), access, CALLER)

#define ATOMIC_FETCH(bits, T, name, builtin)                           \
    T __tsan_atomic##bits##_##name(volatile T *a, T value, int order); \
    T __tsan_atomic##bits##_##name(volatile T *a, T value, int order)  \
    {                                                                  \
        (void)order;                                                   \
        NOTE(a, ATOMIC);                                               \
        return builtin(a, value, __ATOMIC_SEQ_CST);                    \
    }
#define ATOMIC_COMPARE(bits, T, name)                                                      \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T *a, T *expected, T value, \
                                                      int order, int failure);             \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T *a, T *expected, T value, \
                                                      int order, int failure)              \
    {                                                                                      \
        (void)order, (void)failure;                                                        \
        NOTE(a, ATOMIC);                                                                   \
        return __atomic_compare_exchange_n(a, expected, value, false, __ATOMIC_SEQ_CST,    \
                                           __ATOMIC_SEQ_CST);                              \
    }
#define ATOMICS(bits, T)                                                                        \
    T __tsan_atomic##bits##_load(const volatile T *a, int order);                               \
    T __tsan_atomic##bits##_load(const volatile T *a, int order)                                \
    {                                                                                           \
        (void)order;                                                                            \
        NOTE(a, LOAD);                                                                          \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                            \
    }                                                                                           \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order);                        \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order)                         \
    {                                                                                           \
        (void)order;                                                                            \
        NOTE(a, STORE);                                                                         \
        __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                           \
    }                                                                                           \
    ATOMIC_FETCH(bits, T, exchange, __atomic_exchange_n)                                        \
    ATOMIC_FETCH(bits, T, fetch_add, __atomic_fetch_add)                                        \
    ATOMIC_FETCH(bits, T, fetch_sub, __atomic_fetch_sub)                                        \
    ATOMIC_FETCH(bits, T, fetch_and, __atomic_fetch_and)                                        \
    ATOMIC_FETCH(bits, T, fetch_or, __atomic_fetch_or)                                          \
    ATOMIC_FETCH(bits, T, fetch_xor, __atomic_fetch_xor)                                        \
    ATOMIC_FETCH(bits, T, fetch_nand, __atomic_fetch_nand)                                      \
    ATOMIC_COMPARE(bits, T, strong)                                                             \
    ATOMIC_COMPARE(bits, T, weak)                                                               \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T value, int order, \
                                                 int failure);                                  \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T value, int order, \
                                                 int failure)                                   \
    {                                                                                           \
        (void)order, (void)failure;                                                             \
        NOTE(a, ATOMIC);                                                                        \
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
