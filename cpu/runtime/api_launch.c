// Launches, by <<< >>> and by a kernel's address.
#include "api_launch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "block.h"
#include "call_log.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "grid.h"
#include "kernel.h"
#include "memory.h"
#include "queue.h"
#include "report.h"
#include "stream.h"

// --- kernel<<<grid, block>>>(...) ----------------------------------------------------------------

// <<< >>> notes its configuration here, and the kernel's call takes it. It is a stack, because the
// arguments of a launch may contain another launch.
typedef struct Configuration
{
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    const void *from; // the code of the launch
    bool in_library;  // of ours: cuBLAS and its kin
    bool cooperative;
} Configuration;

enum
{
    MAX_CONFIGURATIONS = 64
};

static THREAD_LOCAL Configuration configurations[MAX_CONFIGURATIONS];
static THREAD_LOCAL int num_configurations;
static THREAD_LOCAL bool next_is_cooperative;
static THREAD_LOCAL unsigned bounds; // of the kernel that is called; 0: none

void cudacpu_configure(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream)
{
    if (num_configurations == MAX_CONFIGURATIONS)
    {
        fprintf(stderr, "CPU backend: launches nested too deeply\n");
        abort();
    }
    configurations[num_configurations++] = (Configuration){
        grid, block, shared_bytes, stream, __builtin_return_address(0), false, next_is_cooperative};
    next_is_cooperative = false;
}

void cudacpu_in_library(void)
{
    configurations[num_configurations - 1].in_library = true;
}

// A kernel with __launch_bounds__ calls this first.
void cudacpu_launch_bounds(unsigned threads)
{
    bounds = threads;
}

static cudaError_t check_configuration(const Configuration *c, void (*run)(const void *),
                                       const char *name, unsigned most_threads)
{
    const dim3 g = c->grid, b = c->block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535)
    {
        return report_launch(cudaErrorInvalidConfiguration, c->from, name,
                             "a grid of (%u,%u,%u) blocks; 1 to (2147483647,65535,65535) can be",
                             g.x, g.y, g.z);
    }
    if (b.x > 1024 || b.y > 1024 || b.z > 64 || threads == 0 || threads > MAX_BLOCK_THREADS)
    {
        return report_launch(cudaErrorInvalidConfiguration, c->from, name,
                             "a block of (%u,%u,%u) threads; 1 to (1024,1024,64) can be, and 1024 "
                             "in all",
                             b.x, b.y, b.z);
    }
    if (most_threads > 0 && threads > most_threads)
    {
        return report_launch(cudaErrorInvalidValue, c->from, name,
                             "a block of %zu threads; its __launch_bounds__ says that it has %u at "
                             "most",
                             (size_t)threads, most_threads);
    }
    if (c->shared_bytes > STATIC_SHARED_LIMIT && c->shared_bytes > kernel_shared_limit(run))
    {
        return report_launch(cudaErrorInvalidValue, c->from, name,
                             "%zu bytes of dynamic shared memory; it may have %zu, and up to %d by "
                             "cudaFuncSetAttribute",
                             c->shared_bytes, kernel_shared_limit(run), DYNAMIC_SHARED_LIMIT);
    }
    if (!stream_exists(c->stream) || stream_of(c->stream)->device != this_device)
    {
        return report_launch(cudaErrorInvalidResourceHandle, c->from, name, "its stream %s",
                             stream_exists(c->stream) ? "is of another device" : "does not exist");
    }
    return cudaSuccess;
}

enum
{
    MAX_KNOWN = 64 // 2 to the power of 64 - 58 below
};

// True if the pointer is known not to be of the host. Launches in a loop have the same pointers, so
// those that were looked up are kept as long as no memory is allocated or freed.
static bool is_known(const void *pointer)
{
    static THREAD_LOCAL const void *known[MAX_KNOWN];
    static THREAD_LOCAL unsigned version;
    const unsigned now = atomic_load_explicit(&memory_version, memory_order_relaxed);
    if (version != now)
    {
        memset(known, 0, sizeof(known));
        version = now;
    }
    // Addresses of large allocations often have the same low bits.
    const void **place = &known[(uintptr_t)pointer * 0x9e3779b97f4a7c15u >> 58];
    const bool same = *place == pointer;
    *place = pointer;
    return same;
}

extern const int cudacpu_uses_thrust __attribute__((weak)); // in programs that include Thrust

// A kernel that is given an address of the host's stack or heap would fail on a GPU, and it does
// here.
static cudaError_t check_pointers(const Configuration *c, const char *names,
                                  const volatile void *const *pointers, const char *name)
{
    for (int length; *names != '\0' && &cudacpu_uses_thrust == NULL; names += length, ++pointers)
    {
        names += *names == ' ';
        length = (int)strcspn(names, " ");
        const bool refers = *names == '&';
        const void *p = (const void *)*pointers;
        const char *host = is_known(p) ? NULL : memory_of_host(p);
        if (host != NULL)
        {
            report_launch(cudaErrorIllegalAddress, c->from, name,
                          "its parameter %.*s %s %p, which is %s: %s, or use cudaMallocManaged",
                          length - refers, names + refers, refers ? "refers to" : "is", p, host,
                          refers ? "pass a value" : "copy to memory of cudaMalloc");
            error_set_device(this_device, cudaErrorIllegalAddress);
            return cudaErrorIllegalAddress;
        }
    }
    return cudaSuccess;
}

static THREAD_LOCAL Work *node_work; // where a launch goes that is to be a node of a graph

// True if the launch was not for the queue: it has become a graph's, or an error has been noted.
static bool is_for_graph(const Launch *launch, const Configuration *c, const void *function)
{
    Work work = {
        .type = cudaGraphNodeTypeKernel,
        .kernel = {.launch = *launch, .function = function, .shared_bytes = c->shared_bytes}};
    bool captured = node_work != NULL;
    cudaError_t error = cudaSuccess;
    work.kernel.closure = closure_new(launch->closure, launch->destroy);
    if (captured)
    {
        *node_work = work;
    }
    else
    {
        error = capture_work(c->stream, &work, &captured);
    }
    if (error != cudaSuccess)
    {
        launch->destroy(launch->closure);
    }
    if (!captured)
    {
        free(work.kernel.closure);
    }
    error_note(error);
    return captured || error != cudaSuccess;
}

static bool launches_block(void)
{
    static int blocking = -1;
    if (blocking < 0)
    {
        const char *wish = getenv("CUDA_LAUNCH_BLOCKING");
        blocking = wish != NULL && strcmp(wish, "1") == 0;
    }
    return blocking;
}

void cudacpu_launch(const char *name, void (*run)(const void *),
                    void (*call)(const void *, void **), void *closure, void (*destroy)(void *),
                    const char *names, const volatile void *const *pointers)
{
    const unsigned most_threads = bounds;
    bounds = 0;
    if (kernel_probed(name, run, call, most_threads))
    {
        destroy(closure);
        return;
    }
    if (num_configurations == 0 || block_worker()->in_kernel)
    {
        const bool is_call = num_configurations == 0;
        report_end_of_launch(__builtin_return_address(0), name,
                             is_call ? "is called without <<< >>>"
                                     : "is launched from a kernel: that needs a GPU");
    }
    const Configuration c = configurations[--num_configurations];
    cudaError_t error = error_none() ? cudaSuccess : error_status();
    error = error != cudaSuccess ? error : check_configuration(&c, run, name, most_threads);
    error = error != cudaSuccess ? error : check_pointers(&c, names, pointers, name);
    if (call_log_is_wanted)
    {
        call_log_note_launch(error, c.from, name, c.grid, c.block, c.shared_bytes);
    }
    if (error != cudaSuccess)
    {
        error_note(error);
        destroy(closure);
        return;
    }
    const Launch launch = {.name = name,
                           .run = run,
                           .closure = closure,
                           .destroy = destroy,
                           .grid = c.grid,
                           .block = c.block,
                           .device = stream_of(c.stream)->device,
                           .shared_bytes = c.shared_bytes,
                           .call = c.in_library ? report_library_call() : 0,
                           .cooperative = c.cooperative,
                           .num_blocks = (uint64_t)c.grid.x * c.grid.y * c.grid.z};
    if ((capture_any() || node_work != NULL) &&
        is_for_graph(&launch, &c, kernel_at(__builtin_return_address(0))))
    {
        return;
    }
    const uint64_t sequence = stream_add(c.stream, grid_operation(&launch));
    if (launches_block())
    {
        stream_wait(c.stream, sequence);
    }
}

// --- by a kernel's address -----------------------------------------------------------------------

enum
{
    MAX_ARGUMENTS = 4096, // of a byte each
    MAX_ALIGNMENT = 64
};

// The sizes of a kernel's arguments, and a 0 after them.
static void read_sizes(const Kernel *k, size_t *sizes)
{
    k->call(NULL, (void **)sizes);
}

static bool has_arguments(const Kernel *k)
{
    size_t sizes[MAX_ARGUMENTS + 1];
    read_sizes(k, sizes);
    return sizes[0] != 0;
}

// An argument that is missing raises its signal here, in the call.
static void touch_arguments(const Kernel *k, void **arguments)
{
    size_t sizes[MAX_ARGUMENTS + 1];
    read_sizes(k, sizes);
    for (size_t i = 0; sizes[i] != 0; ++i)
    {
        (void)*(volatile char *)arguments[i];
    }
}

// Returns the error that <<< >>> only notes.
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return error_note(cudaErrorInvalidDeviceFunction);
    }
    touch_arguments(k, arguments);
    const cudaError_t before = cudacpu_exchange_error(cudaSuccess);
    cudacpu_configure(grid, block, shared_bytes, stream);
    k->call(function, arguments);
    return error_note(cudacpu_exchange_error(before));
}

// A copy of each argument, for those who ask for the parameters of the node.
static void **copy_arguments(const Kernel *k, void **arguments)
{
    size_t sizes[MAX_ARGUMENTS + 1], count = 0, bytes = 0;
    read_sizes(k, sizes);
    for (; sizes[count] != 0; ++count)
    {
        bytes += (sizes[count] + MAX_ALIGNMENT - 1) / MAX_ALIGNMENT * MAX_ALIGNMENT;
    }
    const size_t head = (count * sizeof(void *) / MAX_ALIGNMENT + 1) * MAX_ALIGNMENT;
    void **copies = aligned_alloc(MAX_ALIGNMENT, head + bytes);
    char *copy = (char *)copies + head;
    for (size_t i = 0; copies != NULL && i < count; ++i)
    {
        copies[i] = memcpy(copy, arguments[i], sizes[i]);
        copy += (sizes[i] + MAX_ALIGNMENT - 1) / MAX_ALIGNMENT * MAX_ALIGNMENT;
    }
    return copies;
}

static cudaError_t needs_gpu(const Kernel *k, const char *what)
{
    fprintf(stderr, "CPU backend: launch of kernel %s: %s needs a GPU\n", k->name, what);
    return error_note(cudaErrorNotSupported);
}

// What a node with these parameters does. The arguments are copied.
cudaError_t api_kernel_work(const cudaKernelNodeParams *p, Work *work)
{
    const Kernel *k = p != NULL ? kernel_of(p->func) : NULL;
    if (k == NULL)
    {
        return p == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
    }
    if (p->extra != NULL)
    {
        return needs_gpu(k, "a node with arguments in `extra`");
    }
    if (p->kernelParams == NULL && has_arguments(k))
    {
        return cudaErrorInvalidValue;
    }
    const cudaError_t before = cudacpu_exchange_error(cudaSuccess);
    cudacpu_configure(p->gridDim, p->blockDim, p->sharedMemBytes, NULL);
    node_work = work;
    k->call(p->func, p->kernelParams);
    node_work = NULL;
    const cudaError_t error = cudacpu_exchange_error(before);
    if (error == cudaSuccess)
    {
        work->kernel.function = p->func;
        work->kernel.closure->arguments = copy_arguments(k, p->kernelParams);
    }
    return error;
}

// All blocks of a cooperative launch are on the device at once, so there must not be more than its
// multiprocessors hold.
static cudaError_t check_cooperative(const Kernel *k, dim3 grid, dim3 block, size_t shared_bytes,
                                     const void *from)
{
    int most = 0;
    const uint64_t num_threads = (uint64_t)block.x * block.y * block.z;
    const uint64_t num_blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (CUDACPU_CHECKS && num_blocks > 1)
    {
        return report_launch(cudaErrorNotSupported, from, k->name,
                             "the checker does not know the barrier of a grid: cpucc without "
                             "--check runs this launch");
    }
    if (num_threads > 0 && num_threads <= MAX_BLOCK_THREADS)
    {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, k->function, (int)num_threads,
                                                      shared_bytes);
        most *= NUM_MULTIPROCESSORS;
        if (num_blocks > (uint64_t)most && shared_bytes <= k->shared_limit)
        {
            return report_launch(cudaErrorCooperativeLaunchTooLarge, from, k->name,
                                 "a cooperative launch of %zu blocks; with this block and shared "
                                 "memory there may be %d, "
                                 "cudaOccupancyMaxActiveBlocksPerMultiprocessor times %d "
                                 "multiprocessors",
                                 (size_t)num_blocks, most, NUM_MULTIPROCESSORS);
        }
    }
    return cudaSuccess; // the launch finds other faults
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return error_note(cudaErrorInvalidDeviceFunction);
    }
    const cudaError_t error =
        check_cooperative(k, grid, block, shared_bytes, __builtin_return_address(0));
    next_is_cooperative = error == cudaSuccess;
    return error != cudaSuccess
               ? error
               : cudaLaunchKernel(function, grid, block, arguments, shared_bytes, stream);
}

// Whether a launch with these attributes is possible here.
cudaError_t cudacpu_check_launch(const cudaLaunchConfig_t *config, const void *function)
{
    const Kernel *k = kernel_of(function);
    if (config == NULL || (config->attrs == NULL && config->numAttrs > 0))
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (k == NULL)
    {
        return error_note(cudaErrorInvalidDeviceFunction);
    }
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i)
    {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative && a->val.cooperative)
        {
            const cudaError_t error =
                check_cooperative(k, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                  __builtin_return_address(0));
            if (error != cudaSuccess)
            {
                return error;
            }
            cooperative = true;
        }
        if (a->id == cudaLaunchAttributeClusterDimension &&
            (a->val.clusterDim.x > 1 || a->val.clusterDim.y > 1 || a->val.clusterDim.z > 1))
        {
            return needs_gpu(k, "a cluster of blocks");
        }
    }
    next_is_cooperative = cooperative;
    return error_status();
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    const cudaError_t error = cudacpu_check_launch(config, function);
    return error != cudaSuccess
               ? error
               : cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments,
                                  config->dynamicSmemBytes, config->stream);
}
