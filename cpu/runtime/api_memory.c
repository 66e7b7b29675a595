// The calls that allocate, free and register, and those that ask about memory.
#include "api_memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "block.h"
#include "call_log.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "fault.h"
#include "graph_memory.h"
#include "queue.h"
#include "report.h"

enum
{
    PITCH = 512
};

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    if (free_bytes == NULL || total_bytes == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    memory_available(this_device, free_bytes, total_bytes);
    check_given(free_bytes, sizeof(*free_bytes));
    check_given(total_bytes, sizeof(*total_bytes));
    return error_status();
}

// --- allocating ----------------------------------------------------------------------------------

// With CUDACPU_LEAKS=1 the program's end lists the memory that was never freed.
bool api_lists_leaks(void)
{
    static atomic_int wanted = -1;
    if (wanted < 0)
    {
        wanted = wished("CUDACPU_LEAKS");
    }
    return wanted;
}

// A program that ends with another status than 0 has said why, and a list would bury that. After an
// error of a kernel nothing can be freed.
static void list_leaks(int status, void *unused)
{
    (void)unused;
    Allocation a;
    for (size_t next = 0; status == 0 && api_lists_leaks() && memory_never_freed(&next, &a);)
    {
        if (error_of_device(a.device) == cudaSuccess)
        {
            char what[100];
            snprintf(what, sizeof(what), "%zu bytes of %s memory were never freed", a.bytes,
                     a.kind == DEVICE && a.flags == OF_ARRAY ? "CUDA array"
                                                             : memory_kind_name(a.kind));
            report_from(a.callers, a.num_callers, what);
        }
    }
}

// With CUDACPU_PEAK=1 the program's end says how much memory it needed.
static void tell_peak(int status, void *unused)
{
    (void)status;
    (void)unused;
    if (wished("CUDACPU_PEAK"))
    {
        struct rusage used;
        getrusage(RUSAGE_SELF, &used);
        fprintf(stderr, "CPU backend: at most %zu bytes of device memory, %zu KB of the process\n",
                memory_peak(), (size_t)used.ru_maxrss);
    }
}

// What is registered first runs last: after the destructors of the program's own variables, which
// may free some. So it is registered before these are made.
static __attribute__((constructor(101))) void tell_at_exit(void)
{
    on_exit(list_leaks, NULL);
    on_exit(tell_peak, NULL);
}

cudaError_t api_allocate(int device, void **pointer, size_t bytes, Kind kind, unsigned int flags)
{
    if (!error_none())
    {
        return error_status();
    }
    if (pointer == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(pointer, NULL);
    block_worker(); // installs the signal handlers, so that faults of this thread are explained
    if (bytes == 0)
    {
        return cudaSuccess;
    }
    size_t available, total;
    if (kind == DEVICE)
    {
        memory_available(device, &available, &total);
    }
    else
    {
        memory_of_machine(&available, &total);
    }
    *pointer = bytes <= available ? memory_allocate(device, bytes, kind, flags) : NULL;
    if (*pointer != NULL && (CUDACPU_CHECKS || api_lists_leaks()))
    {
        void *callers[MAX_CALLERS];
        memory_note_callers(*pointer, callers, report_callers(callers, NULL));
    }
    return *pointer != NULL ? cudaSuccess : error_note(cudaErrorMemoryAllocation);
}

// For the calls that are not a stream's: they are forbidden while one captures.
static cudaError_t allocate(void **pointer, size_t bytes, Kind kind, unsigned int flags)
{
    const cudaError_t allowed = capture_any() ? capture_allows() : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    return api_allocate(this_device, pointer, bytes, kind, flags);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return CALL(allocate(pointer, bytes, DEVICE, 0), "cudaMalloc(%p, %zu)",
                pointer != NULL ? *pointer : NULL, bytes);
}

// Each row starts at a multiple of 512 bytes, as on today's GPUs.
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    if (pointer == NULL || pitch == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    size_t rows, bytes;
    if (__builtin_add_overflow(width, PITCH - 1, &rows) ||
        __builtin_mul_overflow(rows / PITCH * PITCH, height, &bytes))
    {
        return error_note(cudaErrorMemoryAllocation);
    }
    GIVE(pitch, rows / PITCH * PITCH);
    return cudaMalloc(pointer, bytes);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent)
{
    size_t height;
    if (pointer == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (__builtin_mul_overflow(extent.height, extent.depth, &height))
    {
        return error_note(cudaErrorMemoryAllocation);
    }
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    check_given(pointer, sizeof(*pointer));
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, height);
}

static cudaError_t host_alloc(void **pointer, size_t bytes, unsigned int flags)
{
    const unsigned int known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    return flags & ~known ? error_note(cudaErrorInvalidValue)
                          : allocate(pointer, bytes, PINNED, flags);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    return CALL(host_alloc(pointer, bytes, flags), "cudaHostAlloc(%p, %zu, %u)",
                pointer != NULL ? *pointer : NULL, bytes, flags);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return CALL(host_alloc(pointer, bytes, cudaHostAllocDefault), "cudaMallocHost(%p, %zu)",
                pointer != NULL ? *pointer : NULL, bytes);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    {
        return error_note(cudaErrorInvalidValue);
    }
    return CALL(allocate(pointer, bytes, MANAGED, flags), "cudaMallocManaged(%p, %zu)",
                pointer != NULL ? *pointer : NULL, bytes);
}

// --- freeing -------------------------------------------------------------------------------------

// Waits for all that may use the memory: on a GPU, too, freeing waits for the device.
void api_await_users(const void *pointer)
{
    Allocation a;
    queue_wait_all(this_device);
    if (memory_copy_of(pointer, &a) && a.device != this_device)
    {
        queue_wait_all(a.device);
    }
    for (int other = 0; number_of_devices() > 1 && other < number_of_devices(); ++other)
    {
        if (memory_copy_of(pointer, &a) && a.copied_by[other] != 0)
        {
            queue_wait(other, a.copied_by[other]); // copies of it that other devices were given
        }
    }
}

static cudaError_t release(void *pointer, bool host)
{
    if (!error_none())
    {
        return error_status();
    }
    const cudaError_t allowed = capture_any() ? capture_allows() : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    api_await_users(pointer);
    if (pointer == NULL || !error_none())
    {
        return error_status();
    }
    bool right;
    if (!host && graph_memory_free(pointer, &right))
    {
        return right ? cudaSuccess : error_note(cudaErrorInvalidValue);
    }
    if (!memory_free(pointer, host))
    {
        char why[200];
        memory_describe_free(pointer, host, why, sizeof(why));
        return report_call(cudaErrorInvalidValue, "%s", why);
    }
    return cudaSuccess;
}

cudaError_t cudaFree(void *pointer)
{
    return CALL(release(pointer, false), "cudaFree(%p)", pointer);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return CALL(release(pointer, true), "cudaFreeHost(%p)", pointer);
}

// --- memory that the program brings --------------------------------------------------------------

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned int flags)
{
    const unsigned int known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    if (!error_none())
    {
        return error_status();
    }
    if (flags & cudaHostRegisterIoMemory)
    {
        return error_note(cudaErrorNotSupported);
    }
    if (host == NULL || bytes == 0 || flags & ~known || bytes > UINTPTR_MAX - (uintptr_t)host)
    {
        return error_note(cudaErrorInvalidValue);
    }
    return memory_register(host, bytes, flags) ? cudaSuccess
                                               : error_note(cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void *host)
{
    if (!error_none())
    {
        return error_status();
    }
    if (host == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    queue_wait_all(this_device); // the device may still be using it
    return memory_unregister(host) ? error_status() : error_note(cudaErrorHostMemoryNotRegistered);
}

// Thrust's algorithms and cuRAND's generators run on the host, and work on device memory as a
// kernel does: they start when all earlier work is done, and their first touch opens an allocation.
// In a kernel they belong to its thread, which waits for nothing.
void cudacpu_share_with_host(void)
{
    if (block_worker()->in_kernel) // installs the signal handlers, too
    {
        return;
    }
    fault_let_host_in();
    if (CUDACPU_CHECKS || queue_completed(this_device) != queue_last(this_device))
    {
        queue_wait_all(this_device);
    }
}

// --- asking --------------------------------------------------------------------------------------

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    if (device == NULL || flags != 0 || host == NULL || memory_place(host, 0) != ON_HOST)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(device, host);
    return error_status();
}

// With one address space for host and device all pinned memory is mapped.
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    Allocation a;
    if (flags == NULL || memory_place(host, 0) != ON_HOST || !memory_copy_of(host, &a))
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(flags, a.flags | cudaHostAllocMapped);
    return error_status();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    static const cudaMemoryType TYPES[] = {
        [DEVICE] = cudaMemoryTypeDevice,   [PINNED] = cudaMemoryTypeHost,
        [MANAGED] = cudaMemoryTypeManaged, [REGISTERED] = cudaMemoryTypeHost,
        [SYMBOL] = cudaMemoryTypeDevice,   [CONSTANT] = cudaMemoryTypeDevice,
        [VARIABLE] = cudaMemoryTypeManaged};
    if (attributes == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    Allocation a;
    void *address = (void *)pointer;
    const Place place = memory_place(pointer, 0);
    const bool known = place != PAGEABLE && place != INVALID && memory_copy_of(pointer, &a);
    const cudaMemoryType type = known ? TYPES[a.kind] : cudaMemoryTypeUnregistered;
    attributes->type = type;
    attributes->device = known ? a.device : cudaInvalidDeviceId;
    attributes->devicePointer = known ? address : NULL;
    attributes->hostPointer = type == cudaMemoryTypeDevice ? NULL : address;
    check_given(attributes, sizeof(*attributes));
    return error_status();
}
