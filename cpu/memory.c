// Device memory, and who may touch it when.
//
// Every allocation lies between two guards and ends as close to the second as its alignment
// of 256 bytes allows; what is left over is filled with a pattern that is looked at after each
// kernel. While the device is idle its memory is closed to everybody, so that host code which
// follows a device pointer faults. A kernel's first touch opens an allocation (fault.c).
#include "runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef enum
{
    DEVICE,
    PINNED,
    MANAGED,
    SYMBOL, // a __device__ variable whose address the program has asked for
    FREED
} Kind;

static const char *const KIND_NAMES[] = {"device", "pinned host", "managed", "static", "freed"};

typedef struct Allocation
{
    char *start;          // what the program got
    size_t bytes;         // what it asked for
    char *pages;          // the accessible pages that hold it ...
    size_t page_bytes;    // ...
    char *mapping;        // and with the guard pages
    size_t mapping_bytes; //
    Kind kind;            //
    bool open;            // device memory that a kernel has touched since the device was idle
} Allocation;

enum
{
    GUARD = 16 << 20, // address space, which costs nothing
    ALIGNMENT = 256,
    MAX_FREED = 1024,
    SLACK_PATTERN = 0xcd,
    FILL_LIMIT = 16 << 20
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Allocation *allocations;
static size_t num_allocations, capacity, num_freed;
static size_t device_used;

// --- how much there is -----------------------------------------------------------------------

static size_t read_meminfo(const char *key)
{
    size_t kilobytes = 0, length = strlen(key);
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
    {
        if (strncmp(line, key, length) == 0)
        {
            kilobytes = strtoull(line + length, NULL, 10);
            break;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return kilobytes * 1024;
}

// The "device" has half of the machine's memory, and half of what is free now.
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    if (free_bytes == NULL || total_bytes == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    const size_t total = read_meminfo("MemTotal:") / 2,
                 available = read_meminfo("MemAvailable:") / 2;
    const size_t unused = total > device_used ? total - device_used : 0;
    *total_bytes = total;
    *free_bytes = available < unused ? available : unused;
    return sticky_error();
}

// --- allocating --------------------------------------------------------------------------------

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

// Memory that was freed stays reserved for a while, closed, so that its late users are caught.
static void forget_oldest_freed(void)
{
    for (size_t i = 0; i < num_allocations; ++i)
    {
        if (allocations[i].kind == FREED)
        {
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
            fprintf(stderr, "CPU backend: no memory for the list of allocations\n");
            abort();
        }
    }
    allocations[num_allocations++] = *a;
}

static cudaError_t allocate(void **pointer, size_t bytes, Kind kind)
{
    if (sticky_error() != cudaSuccess)
    {
        return api_error(sticky_error());
    }
    if (pointer == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *pointer = NULL;
    worker_self(); // so that this thread's faults are explained
    if (bytes == 0)
    {
        return cudaSuccess;
    }
    size_t available, total;
    cudaMemGetInfo(&available, &total);
    if (bytes > available)
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Allocation a = {.bytes = bytes, .kind = kind};
    const size_t page = sysconf(_SC_PAGESIZE);
    a.page_bytes = (rounded + page - 1) / page * page;
    a.mapping_bytes = a.page_bytes + 2 * (size_t)GUARD;
    a.mapping =
        mmap(NULL, a.mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a.mapping == MAP_FAILED)
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    a.pages = a.mapping + GUARD;
    a.start = a.pages + a.page_bytes - rounded;
    mprotect(a.pages, a.page_bytes, PROT_READ | PROT_WRITE);
    if (kind == DEVICE)
    {
        // Fresh device memory holds anything but zeros, as memory on a real device may.
        memset(a.pages, SLACK_PATTERN, a.page_bytes <= FILL_LIMIT ? a.page_bytes : page);
        memset(a.start + bytes, SLACK_PATTERN, rounded - bytes);
        mprotect(a.pages, a.page_bytes, PROT_NONE);
    }
    pthread_mutex_lock(&lock);
    if (num_freed > MAX_FREED)
    {
        forget_oldest_freed();
    }
    remember(&a);
    device_used += kind == DEVICE ? bytes : 0;
    pthread_mutex_unlock(&lock);
    *pointer = a.start;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, DEVICE);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, PINNED);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(pointer, bytes, PINNED);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    {
        return api_error(cudaErrorInvalidValue);
    }
    return allocate(pointer, bytes, MANAGED);
}

static cudaError_t release(void *pointer, bool host)
{
    queue_wait(queue_last()); // freeing waits for the device, as the real one does
    if (sticky_error() != cudaSuccess)
    {
        return api_error(sticky_error());
    }
    if (pointer == NULL)
    {
        return cudaSuccess;
    }
    pthread_mutex_lock(&lock);
    Allocation *a = find(pointer);
    if (a == NULL || a->start != pointer || a->kind >= SYMBOL || (a->kind == PINNED) != host)
    {
        const bool twice = a != NULL && a->kind == FREED && a->start == pointer;
        pthread_mutex_unlock(&lock);
        fprintf(stderr, "CPU backend: %s(%p): %s\n", host ? "cudaFreeHost" : "cudaFree", pointer,
                twice ? "this memory was freed before" : "no such allocation");
        return api_error(cudaErrorInvalidValue);
    }
    device_used -= a->kind == DEVICE ? a->bytes : 0;
    mprotect(a->pages, a->page_bytes, PROT_NONE);
    madvise(a->pages, a->page_bytes, MADV_DONTNEED);
    a->kind = FREED;
    a->open = false;
    ++num_freed;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaFree(void *pointer)
{
    return release(pointer, false);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return release(pointer, true);
}

// cudaDeviceReset frees everything.
void memory_reset(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        if (allocations[i].kind != SYMBOL)
        {
            munmap(allocations[i].mapping, allocations[i].mapping_bytes);
        }
    }
    num_allocations = num_freed = device_used = 0;
    pthread_mutex_unlock(&lock);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(host);
    const bool known = a != NULL && a->kind == PINNED;
    pthread_mutex_unlock(&lock);
    if (!known || device == NULL || flags != 0)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    if (attributes == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    pthread_mutex_lock(&lock);
    const Allocation *a = find(pointer);
    const Kind kind = a != NULL ? a->kind : FREED;
    pthread_mutex_unlock(&lock);
    void *address = (void *)pointer;
    memset(attributes, 0, sizeof(*attributes));
    attributes->type = kind == DEVICE    ? cudaMemoryTypeDevice
                       : kind == PINNED  ? cudaMemoryTypeHost
                       : kind == MANAGED ? cudaMemoryTypeManaged
                                         : cudaMemoryTypeUnregistered;
    attributes->device = kind == FREED ? cudaInvalidDeviceId : 0;
    attributes->devicePointer = kind == FREED ? NULL : address;
    attributes->hostPointer = kind == DEVICE ? NULL : address;
    return cudaSuccess;
}

// --- opening and closing -------------------------------------------------------------------------

static bool is_slack_whole(const Allocation *a)
{
    const unsigned char *p = (unsigned char *)a->pages;
    for (; p < (unsigned char *)a->start; ++p)
    {
        if (*p != SLACK_PATTERN)
        {
            return false;
        }
    }
    p = (unsigned char *)a->start + a->bytes;
    for (; p < (unsigned char *)a->pages + a->page_bytes; ++p)
    {
        if (*p != SLACK_PATTERN)
        {
            return false;
        }
    }
    return true;
}

// Called on a fault at `address`, and before a copy. True if it is device memory that was closed
// and is open now.
bool memory_open(const void *address)
{
    bool opened = false;
    pthread_mutex_lock(&lock);
    Allocation *a = find(address);
    if (a != NULL && a->kind == DEVICE && (char *)address >= a->pages &&
        (char *)address < a->pages + a->page_bytes)
    {
        if (!a->open)
        {
            mprotect(a->pages, a->page_bytes, PROT_READ | PROT_WRITE);
            a->open = true;
        }
        opened = true;
    }
    pthread_mutex_unlock(&lock);
    return opened;
}

// Looks for bytes written just before or after an allocation, too close to hit a guard page.
void memory_after_kernel(Launch *launch)
{
    size_t bytes = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        Allocation *a = &allocations[i];
        if (a->open && !is_slack_whole(a))
        {
            bytes = a->bytes;
            memset(a->pages, SLACK_PATTERN, a->start - a->pages);
            memset(a->start + a->bytes, SLACK_PATTERN,
                   a->pages + a->page_bytes - a->start - a->bytes);
        }
    }
    pthread_mutex_unlock(&lock);
    if (bytes > 0 && atomic_load(&launch->error) == 0) // else it has been reported already
    {
        fprintf(stderr,
                "CPU backend: kernel %s wrote outside an allocation of %zu bytes, less than a page "
                "away from it\n",
                launch->name, bytes);
        int none = 0;
        atomic_compare_exchange_strong(&launch->error, &none, cudaErrorIllegalAddress);
    }
}

void memory_close_all(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_allocations; ++i)
    {
        Allocation *a = &allocations[i];
        if (a->open)
        {
            mprotect(a->pages, a->page_bytes, PROT_NONE);
            a->open = false;
        }
    }
    pthread_mutex_unlock(&lock);
}

// "4 bytes past the end of a device allocation of 4000 bytes", where that is known.
bool memory_describe(const void *address, char *text, size_t size)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(address);
    if (a != NULL)
    {
        const char *p = address;
        const char *kind = KIND_NAMES[a->kind];
        if (a->kind == FREED)
        {
            snprintf(text, size, "in memory of %zu bytes that was freed", a->bytes);
        }
        else if (p < a->start)
        {
            snprintf(text, size, "%zu bytes before a %s allocation of %zu bytes", a->start - p,
                     kind, a->bytes);
        }
        else if (p >= a->start + a->bytes)
        {
            snprintf(text, size, "%zu bytes past the end of a %s allocation of %zu bytes",
                     p - (a->start + a->bytes), kind, a->bytes);
        }
        else
        {
            snprintf(text, size, "in a %s allocation of %zu bytes", kind, a->bytes);
        }
    }
    pthread_mutex_unlock(&lock);
    return a != NULL;
}

// --- copies ----------------------------------------------------------------------------------------

typedef enum
{
    ON_HOST,   // pageable or pinned
    ON_DEVICE, // from cudaMalloc
    ON_BOTH,   // managed, or a variable of the device
    INVALID    // freed, or not that long
} Place;

// Where a range of bytes lies. What the registry does not know is pageable host memory.
static Place place_of(const void *start, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const Allocation *a = find(start);
    Place place = ON_HOST;
    if (a != NULL)
    {
        const char *p = start;
        const bool inside =
            p >= a->start && p <= a->start + a->bytes && bytes <= (size_t)(a->start + a->bytes - p);
        place = !inside || a->kind == FREED ? INVALID
                : a->kind == DEVICE         ? ON_DEVICE
                : a->kind == PINNED         ? ON_HOST
                                            : ON_BOTH;
    }
    pthread_mutex_unlock(&lock);
    return place;
}

static bool direction_fits(Place to, Place from, cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return kind == cudaMemcpyDefault || ((to == ON_BOTH || (to == ON_DEVICE) == to_device) &&
                                         (from == ON_BOTH || (from == ON_DEVICE) == from_device));
}

static cudaError_t copy(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                        size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                        bool asynchronous)
{
    if (sticky_error() != cudaSuccess)
    {
        return api_error(sticky_error());
    }
    if ((unsigned)kind > cudaMemcpyDefault)
    {
        return api_error(cudaErrorInvalidMemcpyDirection);
    }
    if (width == 0 || height == 0)
    {
        return cudaSuccess;
    }
    const Place place_to = place_of(to, (height - 1) * pitch_to + width);
    const Place place_from = place_of(from, (height - 1) * pitch_from + width);
    if (to == NULL || from == NULL || place_to == INVALID || place_from == INVALID ||
        !direction_fits(place_to, place_from, kind))
    {
        return api_error(cudaErrorInvalidValue);
    }
    const uint64_t sequence = queue_add(&(Op){.kind = OP_COPY,
                                              .destination = to,
                                              .source = from,
                                              .pitch_to = pitch_to,
                                              .pitch_from = pitch_from,
                                              .width = width,
                                              .height = height});
    stream_used(stream, sequence);
    if (!asynchronous && !(place_to == ON_DEVICE && place_from == ON_DEVICE))
    {
        queue_wait(sequence);
    }
    return api_error(sticky_error());
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return copy(to, bytes, from, bytes, bytes, 1, kind, NULL, false);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy(to, bytes, from, bytes, bytes, 1, kind, stream, true);
}

cudaError_t cudaMemcpy2D(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    if (pitch_to < width || pitch_from < width)
    {
        return api_error(cudaErrorInvalidPitchValue);
    }
    return copy(to, pitch_to, from, pitch_from, width, height, kind, NULL, false);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    if (sticky_error() != cudaSuccess)
    {
        return api_error(sticky_error());
    }
    if (bytes == 0)
    {
        return cudaSuccess;
    }
    const Place place = place_of(to, bytes);
    if (to == NULL || place == INVALID)
    {
        return api_error(cudaErrorInvalidValue);
    }
    stream_used(stream, queue_add(&(Op){.kind = OP_SET,
                                        .destination = to,
                                        .value = value,
                                        .pitch_to = bytes,
                                        .width = bytes,
                                        .height = 1}));
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

// Managed memory is where both sides want it already. What is asked of it must still make sense.
static cudaError_t check_managed(const void *managed, size_t bytes, cudaMemLocation location)
{
    const bool right = bytes > 0 && place_of(managed, bytes) == ON_BOTH &&
                       (location.type != cudaMemLocationTypeDevice || location.id == 0);
    return api_error(right ? sticky_error() : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void *managed, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    (void)stream;
    return flags != 0 ? api_error(cudaErrorInvalidValue) : check_managed(managed, bytes, location);
}

cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location)
{
    return advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy
               ? api_error(cudaErrorInvalidValue)
               : check_managed(managed, bytes, location);
}

// Makes a __device__ variable known, so that copies to and from its address are allowed.
void cudacpu_remember_symbol(const void *address, size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (find(address) == NULL)
    {
        char *start = (char *)address;
        remember(&(Allocation){.start = start,
                               .bytes = bytes,
                               .pages = start,
                               .page_bytes = bytes,
                               .mapping = start,
                               .mapping_bytes = bytes,
                               .kind = SYMBOL});
    }
    pthread_mutex_unlock(&lock);
}
