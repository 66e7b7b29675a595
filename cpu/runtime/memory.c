// Device memory, and who may touch it when.
//
// Every allocation lies between two guards and ends as close to the second as its alignment of 256
// bytes allows, or of 16 bytes with CUDACPU_EXACT=1. The bytes that are left over hold a pattern,
// which is checked after each kernel.
// While a device is idle, its memory cannot be read or written, so host code that follows a device
// pointer faults. A kernel's first touch opens an allocation (fault.c).
#include "memory.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "check.h"
#include "managed_advice.h"
#include "device.h"
#include "machine.h"
#include "peer.h"
#include "reuse.h"

static const char *const KIND_NAMES[] = {"device",          "pinned host", "managed",
                                         "registered host", "static",      "constant",
                                         "managed",         "kernel heap", "freed"};

enum
{
    GUARD = 16 << 20,       // address space, which costs nothing ...
    LEAST_GUARD = 64 << 10, // ... but where `ulimit -v` counts it
    ALIGNMENT = 256,
    EXACT_ALIGNMENT = 16,
    MAX_FREED = 1024,
    FRESH = 0xcd, // what fresh device memory holds
    NUM_PATTERNS = 64,
    PATTERN_BYTES = 64,
    TAIL_LOOKED_AT = 64,  // bytes, after each kernel
    VARIABLE_PAGE = 4096, // as the rewriter has it
    FILL_LIMIT = 16 << 20
};

// What lies before and behind an allocation. It depends on the address and on the allocation: a kernel
// that copies one element too many, from behind one array to behind another, writes other bytes.
static unsigned char patterns[NUM_PATTERNS][PATTERN_BYTES];
static unsigned num_painted;

// One registry serves all devices: it finds an address without knowing its device.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t let_go = PTHREAD_COND_INITIALIZER; // by a copy
static Allocation *allocations;
static size_t num_allocations, capacity, num_freed;
static size_t used[MAX_DEVICES];   // bytes of device memory
static size_t in_use, most_in_use; // bytes of device and managed memory, of all devices
atomic_uint memory_version;        // another number after each change of the registry

// --- how much there is -----------------------------------------------------------------------

// The devices share half of the machine's memory, and half of what is free now.
void memory_of_machine(size_t *available, size_t *total)
{
    const int num_devices = number_of_devices() > 0 ? number_of_devices() : 1;
    machine_memory(available, total);
    *available /= 2 * num_devices;
    *total /= 2 * num_devices;
}

// The memory of a device: its share of the machine's, but at most CUDACPU_MEMORY bytes.
void memory_available(int device, size_t *available, size_t *total)
{
    memory_of_machine(available, total);
    const double wish = wished_number("CUDACPU_MEMORY", 1.0, 1e18, 1e18);
    *total = (double)*total < wish ? *total : (size_t)wish;
    const size_t unused = *total > used[device] ? *total - used[device] : 0;
    *available = *available < unused ? *available : unused;
}

size_t memory_used(int device)
{
    pthread_mutex_lock(&lock);
    const size_t bytes = used[device];
    pthread_mutex_unlock(&lock);
    return bytes;
}

// The most that was allocated at one time.
size_t memory_peak(void)
{
    pthread_mutex_lock(&lock);
    const size_t bytes = most_in_use;
    pthread_mutex_unlock(&lock);
    return bytes;
}

// --- looking up ------------------------------------------------------------------------------

static Allocation *find(const void *address)
{
    for (size_t i = 0; i < num_allocations; ++i)
    {
        const Allocation *a = &allocations[i];
        if ((const char *)address >= a->mapping &&
            (const char *)address < a->mapping + a->mapping_bytes)
        {
            return &allocations[i];
        }
    }
    return NULL;
}

// The registry's entry for an address, as it is now.
bool memory_copy_of(const void *address, Allocation *copy)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(address);
    if (a != NULL)
    {
        *copy = *a;
    }
    pthread_mutex_unlock(&lock);
    return a != NULL;
}

// Where a range of bytes lies. What the registry does not know is pageable host memory.
Place memory_place(const void *start, size_t bytes)
{
    static const Place PLACES[] = {
        [DEVICE] = ON_DEVICE,   [PINNED] = ON_HOST,      [MANAGED] = ON_BOTH,
        [REGISTERED] = ON_HOST, [SYMBOL] = ON_BOTH,      [CONSTANT] = ON_BOTH,
        [VARIABLE] = ON_BOTH,   [KERNEL_HEAP] = INVALID, [FREED] = INVALID};
    Allocation a;
    if (!memory_copy_of(start, &a))
    {
        return PAGEABLE;
    }
    const char *p = start, *end = a.start + a.bytes;
    const bool inside = p >= a.start && p <= end && bytes <= (size_t)(end - p);
    // The program may have registered only a part of an array of its own.
    return inside && !a.ending ? PLACES[a.kind] : a.kind == REGISTERED ? PAGEABLE : INVALID;
}

static bool is_on_stack(const void *address)
{
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0)
    {
        pthread_attr_getstack(&attributes, &stack, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return (char *)address >= (char *)__builtin_frame_address(0) &&
           (char *)address < (char *)stack + bytes;
}

// What an address of the host is that a GPU could not reach, or NULL. Variables of the program are
// not looked at, because some are the device's; nor is what is no memory at all.
const char *memory_of_host(const void *address)
{
    Allocation a;
    Dl_info image;
    unsigned char resident;
    const size_t page = sysconf(_SC_PAGESIZE);
    if (memory_copy_of(address, &a) || dladdr(address, &image) != 0 ||
        mincore((void *)((uintptr_t)address / page * page), 1, &resident) != 0)
    {
        return NULL;
    }
    return is_on_stack(address) ? "a local variable of the host" : "memory of the host's heap";
}

// --- allocating --------------------------------------------------------------------------------

// Freed memory stays reserved and closed for a while, so that a program that still uses it faults.
static void forget_oldest_freed(void)
{
    for (size_t i = 0; i < num_allocations; ++i)
    {
        if (allocations[i].kind == FREED)
        {
            check_memory_gone(allocations[i].mapping, allocations[i].mapping_bytes);
            reuse_forget(&allocations[i]);
            munmap(allocations[i].mapping, allocations[i].mapping_bytes);
            memmove(&allocations[i], &allocations[i + 1],
                    (--num_allocations - i) * sizeof(*allocations));
            --num_freed;
            return;
        }
    }
}

static void remember(const Allocation *a)
{
    if (num_allocations == capacity)
    {
        capacity = 2 * capacity + 64;
        allocations = realloc(allocations, capacity * sizeof(*allocations));
        if (allocations == NULL)
        {
            exhausted("memory for the list of allocations", errno);
        }
    }
    allocations[num_allocations++] = *a;
    atomic_fetch_add(&memory_version, 1);
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

// With CUDACPU_EXACT=1 at most 15 bytes lie between an allocation and its guard.
bool memory_is_exact(void)
{
    static atomic_int exact = -1;
    if (exact < 0)
    {
        exact = wished("CUDACPU_EXACT");
    }
    return exact;
}

static __attribute__((constructor(101))) void make_patterns(void)
{
    uint32_t x = 1;
    unsigned char *bytes = &patterns[0][0];
    for (size_t i = 0; i < sizeof(patterns); ++i)
    {
        x = x * 1664525 + 1013904223;
        bytes[i] = 0xc1 + (x >> 24) % 61; // neither zero nor sensible, as FRESH
    }
}

// How many bytes from p to `end` are in the same copy of a pattern, and where it has them.
static size_t pattern_at(const Allocation *a, const char *p, const char *end,
                         const unsigned char **bytes)
{
    const size_t at = (uintptr_t)p % PATTERN_BYTES, left = end - p;
    *bytes = patterns[a->pattern] + at;
    return left < PATTERN_BYTES - at ? left : PATTERN_BYTES - at;
}

static void paint(const Allocation *a, char *p, const char *end)
{
    const unsigned char *bytes;
    for (size_t n; p < end; p += n)
    {
        n = pattern_at(a, p, end, &bytes);
        memcpy(p, bytes, n);
    }
}

static bool is_painted(const Allocation *a, const char *p, const char *end)
{
    const unsigned char *bytes;
    for (size_t n; p < end; p += n)
    {
        n = pattern_at(a, p, end, &bytes);
        if (memcmp(p, bytes, n) != 0)
        {
            return false;
        }
    }
    return true;
}

static void paint_tail(const Allocation *a)
{
    paint(a, a->start + a->bytes, a->pages + a->page_bytes);
}

// The caller holds the lock.
static void count_as_used(int device, size_t bytes, Kind kind)
{
    used[device] += kind == DEVICE ? bytes : 0;
    in_use += kind == DEVICE || kind == MANAGED ? bytes : 0;
    most_in_use = in_use > most_in_use ? in_use : most_in_use;
}

// With CUDACPU_REUSE=1: memory that was freed, with what it holds. Only what lies around it is new.
static void *allocate_again(int device, size_t bytes, Kind kind, unsigned int flags)
{
    pthread_mutex_lock(&lock);
    Allocation *a = reuse_find(allocations, num_allocations, device, bytes, kind);
    if (a != NULL)
    {
        mprotect(a->pages, a->page_bytes, PROT_READ | PROT_WRITE);
        paint(a, a->pages, a->start);
        paint_tail(a);
        if (kind == DEVICE)
        {
            mprotect(a->pages, a->page_bytes, PROT_NONE);
        }
        check_memory_new(a->start, bytes, a->pages, a->page_bytes, false);
        a->kind = kind;
        a->flags = flags;
        a->has_tail = kind != DEVICE;
        --num_freed;
        count_as_used(device, bytes, kind);
        atomic_fetch_add(&memory_version, 1);
    }
    void *start = a != NULL ? a->start : NULL;
    pthread_mutex_unlock(&lock);
    return start;
}

// NULL where there is no room.
void *memory_allocate(int device, size_t bytes, Kind kind, unsigned int flags)
{
    void *again = reuse_is_on() ? allocate_again(device, bytes, kind, flags) : NULL;
    if (again != NULL)
    {
        return again;
    }
    // The checker finds an access past the end by itself, so there need be no guard at once.
    const size_t rounded = CUDACPU_CHECKS
                               ? round_up(bytes + 1, ALIGNMENT)
                               : round_up(bytes, memory_is_exact() ? EXACT_ALIGNMENT : ALIGNMENT);
    const size_t page = sysconf(_SC_PAGESIZE);
    Allocation a = {.bytes = bytes, .kind = kind, .device = device, .flags = flags};
    a.pattern = __atomic_fetch_add(&num_painted, 1, __ATOMIC_RELAXED) % NUM_PATTERNS;
    a.page_bytes = round_up(rounded, page);
    const size_t guard = machine_address_space() == SIZE_MAX ? GUARD : LEAST_GUARD;
    a.mapping_bytes = a.page_bytes + 2 * guard;
    a.mapping =
        mmap(NULL, a.mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a.mapping == MAP_FAILED)
    {
        return NULL;
    }
    a.pages = a.mapping + guard;
    a.start = a.pages + a.page_bytes - rounded;
    mprotect(a.pages, a.page_bytes, PROT_READ | PROT_WRITE);
    if (kind == DEVICE)
    {
        // Fresh memory of a GPU may hold anything. Here it never holds zeros.
        memset(a.pages, FRESH, a.page_bytes <= FILL_LIMIT ? a.page_bytes : page);
        paint(&a, a.pages, a.start);
        paint_tail(&a);
        mprotect(a.pages, a.page_bytes, PROT_NONE);
    }
    else
    {
        a.has_tail = true;
        paint_tail(&a);
    }
    check_memory_new(a.start, bytes, a.pages, a.page_bytes, false);
    pthread_mutex_lock(&lock);
    if (num_freed > MAX_FREED)
    {
        forget_oldest_freed();
    }
    remember(&a);
    count_as_used(device, bytes, kind);
    pthread_mutex_unlock(&lock);
    return a.start;
}

// --- freeing -------------------------------------------------------------------------------------

// The caller holds the lock. `keep`: with CUDACPU_REUSE=1 the memory may be handed out again.
static void free_now(Allocation *a, bool keep)
{
    check_memory_freed(a->start, a->bytes);
    used[a->device] -= a->kind == DEVICE ? a->bytes : 0;
    in_use -= a->kind == DEVICE || a->kind == MANAGED ? a->bytes : 0;
    mprotect(a->pages, a->page_bytes, PROT_NONE);
    if (keep && reuse_is_on())
    {
        reuse_keep(allocations, num_allocations, a, a->kind);
    }
    else
    {
        madvise(a->pages, a->page_bytes, MADV_DONTNEED);
    }
    if (a->kind == MANAGED)
    {
        managed_advice_forget(a->pages, a->page_bytes);
    }
    free(a->callers);
    a->callers = NULL;
    a->kind = FREED;
    a->has_tail = false;
    atomic_fetch_add(&memory_version, 1);
    a->opened_by = 0;
    a->ending = false;
    ++num_freed;
}

static bool can_free(const Allocation *a, const void *pointer, bool host)
{
    return a != NULL && a->start == pointer && !a->ending &&
           (host ? a->kind == PINNED : a->kind == DEVICE || a->kind == MANAGED);
}

// Why an address cannot be freed.
void memory_describe_free(const void *pointer, bool host, char *text, size_t size)
{
    Allocation a;
    const bool known = memory_copy_of(pointer, &a);
    if (!known)
    {
        snprintf(text, size, "%p is not the address of an allocation", pointer);
    }
    else if (a.kind == FREED || a.ending)
    {
        snprintf(text, size, "this memory of %zu bytes was freed before", a.bytes);
    }
    else if (a.start != pointer)
    {
        snprintf(text, size, "%p is not the start of the %s allocation of %zu bytes at %p", pointer,
                 KIND_NAMES[a.kind], a.bytes, (void *)a.start);
    }
    else
    {
        snprintf(text, size, "%p is %s memory, which %s", pointer, KIND_NAMES[a.kind],
                 a.kind == PINNED                                 ? "cudaFreeHost frees"
                 : a.kind == REGISTERED                           ? "cudaHostUnregister gives back"
                 : host && a.kind != SYMBOL && a.kind != VARIABLE ? "cudaFree frees"
                                                                  : "cannot be freed");
    }
}

// Copies of other devices may run: they end before the memory is freed. The caller holds the lock.
static Allocation *find_unused(const void *pointer)
{
    Allocation *a = find(pointer);
    while (a != NULL && a->num_copies > 0)
    {
        pthread_cond_wait(&let_go, &lock);
        a = find(pointer);
    }
    return a;
}

// False if the address cannot be freed.
bool memory_free(void *pointer, bool host)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find_unused(pointer);
    const bool right = can_free(a, pointer, host);
    if (right)
    {
        free_now(a, true);
    }
    pthread_mutex_unlock(&lock);
    return right;
}

// The part of cudaFreeAsync that is done at once: later calls can neither free nor copy the memory.
bool memory_end(void *pointer)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find(pointer);
    const bool right = can_free(a, pointer, false);
    if (right)
    {
        a->ending = true;
    }
    pthread_mutex_unlock(&lock);
    return right;
}

// The part of cudaFreeAsync that the device does when it comes to it.
void memory_free_ended(void *pointer)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find_unused(pointer);
    if (a != NULL && a->ending)
    {
        free_now(a, true);
    }
    pthread_mutex_unlock(&lock);
}

// cudaDeviceReset frees everything of a device but its variables.
void memory_reset(int device)
{
    size_t num_left = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        if (allocations[i].device == device && allocations[i].num_copies > 0)
        {
            find_unused(allocations[i].start);
            i = -1; // other threads may have changed the list
        }
    }
    for (size_t i = 0; i < num_allocations; ++i)
    {
        Allocation *a = &allocations[i];
        const bool is_of_device = a->name == NULL && a->device == device;
        if (is_of_device && (a->kind == SYMBOL || a->kind == REGISTERED))
        {
            continue;
        }
        if (is_of_device && a->number_of_free != 0)
        {
            reuse_forget(a);
        }
        if (is_of_device && a->kind != FREED)
        {
            free_now(a, false); // a program that still uses it faults
        }
        allocations[num_left++] = *a;
    }
    num_allocations = num_left;
    atomic_fetch_add(&memory_version, 1);
    used[device] = 0;
    pthread_mutex_unlock(&lock);
}

// --- memory that is never freed ------------------------------------------------------------------

void memory_note_callers(const void *pointer, void *const *callers, int num)
{
    void **copy = malloc(num * sizeof(*copy));
    if (copy == NULL)
    {
        exhausted("memory for the list of allocations", errno);
    }
    memcpy(copy, callers, num * sizeof(*copy));
    pthread_mutex_lock(&lock);
    Allocation *a = find(pointer);
    a->callers = copy;
    a->num_callers = num;
    pthread_mutex_unlock(&lock);
}

// The first entry from number *next on that the program has allocated and not freed; *next then is
// the number of the one after it. False: there are no more.
bool memory_never_freed(size_t *next, Allocation *copy)
{
    size_t i = *next;
    pthread_mutex_lock(&lock);
    while (i < num_allocations && (allocations[i].callers == NULL || allocations[i].kind == FREED ||
                                   allocations[i].ending))
    {
        ++i;
    }
    const bool found = i < num_allocations;
    if (found)
    {
        *copy = allocations[i];
        *next = i + 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

// --- memory that the program brings --------------------------------------------------------------

// An entry for memory that is not ours: without guards, never closed. The caller holds the lock.
static void remember_foreign(const void *address, size_t bytes, Kind kind, unsigned int flags)
{
    char *start = (char *)address;
    remember(&(Allocation){.start = start,
                           .bytes = bytes,
                           .pages = start,
                           .page_bytes = bytes,
                           .mapping = start,
                           .mapping_bytes = bytes,
                           .kind = kind,
                           .device = this_device,
                           .flags = flags});
}

static bool overlaps_any(const char *start, size_t bytes)
{
    for (size_t i = 0; i < num_allocations; ++i)
    {
        const Allocation *a = &allocations[i];
        if (start < a->mapping + a->mapping_bytes && a->mapping < start + bytes)
        {
            return true;
        }
    }
    return false;
}

// False if a part of it is known already.
bool memory_register(void *host, size_t bytes, unsigned int flags)
{
    pthread_mutex_lock(&lock);
    const bool taken = overlaps_any(host, bytes);
    if (!taken)
    {
        remember_foreign(host, bytes, REGISTERED, flags);
        check_memory_new(host, bytes, host, bytes, true);
    }
    pthread_mutex_unlock(&lock);
    return !taken;
}

bool memory_unregister(void *host)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find(host);
    const bool right = a != NULL && a->kind == REGISTERED && a->start == host;
    if (right)
    {
        check_memory_gone(a->start, a->bytes);
        memmove(a, a + 1, (allocations + --num_allocations - a) * sizeof(*a));
        atomic_fetch_add(&memory_version, 1);
    }
    pthread_mutex_unlock(&lock);
    return right;
}

// A variable of the device. With a guard, the pages from the variable to the guard are its own: the
// rest of its last page holds a pattern, and the guard, a page, is closed.
void memory_add_variable(void *variable, size_t bytes, const char *name, Kind kind, char *guard)
{
    pthread_mutex_lock(&lock);
    remember_foreign(variable, bytes, kind, kind == VARIABLE ? cudaMemAttachGlobal : 0);
    Allocation *a = &allocations[num_allocations - 1];
    a->name = name;
    const size_t page = sysconf(_SC_PAGESIZE);
    size_t watched_bytes = a->page_bytes;
    if (guard != NULL && page == VARIABLE_PAGE && (uintptr_t)variable % page == 0)
    {
        watched_bytes = guard + page - a->pages;
        a->page_bytes = a->mapping_bytes = round_up(bytes, page);
        a->pattern = num_painted++ % NUM_PATTERNS;
        paint_tail(a);
        a->mapping_bytes += a->start + a->page_bytes == guard ? page : 0;
        mprotect(guard, page, PROT_NONE);
        a->has_tail = true;
        if (kind == CONSTANT)
        {
            mprotect(a->pages, a->page_bytes, PROT_READ);
        }
    }
    check_memory_new(a->start, bytes, a->pages, watched_bytes, true);
    pthread_mutex_unlock(&lock);
}

// Makes a __device__ variable known, so that copies to and from its address are allowed.
static bool has_unknown_symbols;

// A variable of the device that is const; NULL: there are some whose addresses cannot be told.
void cudacpu_remember_symbol(const void *address, size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (address == NULL)
    {
        has_unknown_symbols = true;
    }
    else if (find(address) == NULL)
    {
        remember_foreign(address, bytes, SYMBOL, 0);
        check_memory_new((char *)address, bytes, (char *)address, bytes, true);
    }
    pthread_mutex_unlock(&lock);
}

// Whether an address is that of a variable of the device.
bool memory_is_symbol(const void *address, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(address);
    if (a == NULL && has_unknown_symbols)
    {
        remember_foreign(address, bytes, SYMBOL, 0);
        a = find(address);
    }
    const bool is_symbol =
        a != NULL && (a->kind == SYMBOL || a->kind == CONSTANT || a->kind == VARIABLE);
    pthread_mutex_unlock(&lock);
    return is_symbol;
}

// --- copies of several devices -------------------------------------------------------------------

// A copy that runs now. Until it lets go, the memory is not freed. False: it has been freed already.
bool memory_hold(const void *address)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find(address);
    const bool is_there = a == NULL || a->kind != FREED;
    if (a != NULL && is_there)
    {
        a->num_copies++;
    }
    pthread_mutex_unlock(&lock);
    return is_there;
}

void memory_let_go(const void *address)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find(address);
    if (a != NULL && a->num_copies > 0)
    {
        a->num_copies--;
        pthread_cond_broadcast(&let_go);
    }
    pthread_mutex_unlock(&lock);
}

// The device was given a copy to or from this memory.
void memory_note_copy(const void *address, int device, uint64_t sequence)
{
    pthread_mutex_lock(&lock);
    Allocation *a = find(address);
    if (a != NULL)
    {
        a->copied_by[device] = sequence;
    }
    pthread_mutex_unlock(&lock);
}

// --- opening and closing -------------------------------------------------------------------------

static bool is_slack_whole(const Allocation *a)
{
    return is_painted(a, a->pages, a->start) &&
           is_painted(a, a->start + a->bytes, a->pages + a->page_bytes);
}

// Called on a fault at `address`, in the signal's handler (program code holds no lock of ours), and
// before a copy by `device`. True if it is device memory, which is open now.
bool memory_open(const void *address, int device)
{
    bool opened = false;
    pthread_mutex_lock(&lock);
    Allocation *a = find(address);
    if (a != NULL && a->kind == DEVICE && (char *)address >= a->pages &&
        (char *)address < a->pages + a->page_bytes)
    {
        if (a->opened_by == 0)
        {
            mprotect(a->pages, a->page_bytes, PROT_READ | PROT_WRITE);
        }
        a->opened_by |= 1u << device;
        opened = true;
    }
    pthread_mutex_unlock(&lock);
    return opened;
}

// Before and after a copy to a __constant__ variable, which is read-only else.
void memory_protect_constant(const void *address, bool read_only)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(address);
    if (a != NULL && a->kind == CONSTANT && a->has_tail)
    {
        mprotect(a->pages, a->page_bytes, read_only ? PROT_READ : PROT_READ | PROT_WRITE);
    }
    pthread_mutex_unlock(&lock);
}

// The slack behind a variable, or behind memory that is never closed. A look at all of it would take
// as long as a small kernel, so only CUDACPU_EXACT=1 has it.
static bool is_tail_whole(const Allocation *a)
{
    const char *p = a->start + a->bytes, *end = a->pages + a->page_bytes;
    return is_painted(a, p,
                      memory_is_exact() || end - p < TAIL_LOOKED_AT ? end : p + TAIL_LOOKED_AT);
}

// Looks for bytes written just before or after an allocation or variable, too close to hit a guard
// page. If there are any, *text says where.
bool memory_overwritten(int device, char *text, size_t size)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        Allocation *a = &allocations[i];
        if (a->has_tail && a->kind != CONSTANT && !is_tail_whole(a))
        {
            found = true;
        }
        if ((a->opened_by >> device & 1) != 0 && !is_slack_whole(a))
        {
            paint(a, a->pages, a->start);
            found = true;
        }
        if (found)
        {
            snprintf(text, size, "outside %s%s of %zu bytes",
                     a->name != NULL ? "the variable " : "an allocation",
                     a->name != NULL ? a->name : "", a->bytes);
            paint_tail(a);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

// The caller holds the lock.
static void close_for(Allocation *a, unsigned devices)
{
    if ((a->opened_by & devices) != 0 && (a->opened_by &= ~devices) == 0)
    {
        mprotect(a->pages, a->page_bytes, PROT_NONE);
    }
}

// The device is idle. From here on, host code that touches what it has opened faults.
void memory_close_all(int device)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        close_for(&allocations[i], 1u << device);
    }
    pthread_mutex_unlock(&lock);
}

// From here on, a kernel of this device that touches what it may not reach faults.
void memory_close_out_of_reach(int device)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        if (!peer_reaches(device, allocations[i].device))
        {
            close_for(&allocations[i], ~0u);
        }
    }
    pthread_mutex_unlock(&lock);
}

// The owner of device memory that kernels of `device` may not reach; -1 if they may.
int memory_out_of_reach(const void *address, int device)
{
    Allocation a;
    const bool known = memory_copy_of(address, &a);
    return known && a.kind == DEVICE && !peer_reaches(device, a.device) ? a.device : -1;
}

const char *memory_kind_name(Kind kind)
{
    return KIND_NAMES[kind];
}

// "4 bytes past the end of a device allocation of 4000 bytes", where that is known.
bool memory_describe(const void *address, char *text, size_t size)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(address);
    if (a != NULL)
    {
        const char *p = address;
        char what[200];
        const bool of_array = a->kind == DEVICE && a->flags == OF_ARRAY;
        snprintf(what, sizeof(what),
                 a->name != NULL ? "the %s variable %s"
                 : of_array      ? "a CUDA array"
                                 : "a %s allocation",
                 KIND_NAMES[a->kind], a->name);
        if (a->kind == KERNEL_HEAP)
        {
            snprintf(text, size, "in the heap of the kernels, where no memory of malloc or new is");
        }
        else if (a->kind == FREED)
        {
            snprintf(text, size, "in memory of %zu bytes that was freed", a->bytes);
        }
        else if (p < a->start)
        {
            snprintf(text, size, "%zu bytes before %s of %zu bytes", a->start - p, what, a->bytes);
        }
        else if (p >= a->start + a->bytes)
        {
            snprintf(text, size, "%zu bytes past the end of %s of %zu bytes",
                     p - (a->start + a->bytes), what, a->bytes);
        }
        else
        {
            snprintf(text, size, "in %s of %zu bytes%s", what, a->bytes,
                     a->kind == CONSTANT || a->kind == SYMBOL ? ", which kernels can only read"
                                                              : "");
        }
    }
    pthread_mutex_unlock(&lock);
    return a != NULL;
}
