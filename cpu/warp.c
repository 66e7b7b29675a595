// What device code asks of the runtime beside barriers and shuffles: who is here, the time, and
// the ends that assert and unsupported features make.
#include "runtime.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --- __activemask --------------------------------------------------------------------------

// Which lanes are at the same place at the same time? Here lanes run one by one, so the question
// needs a wait: until no lane of the warp can go on, as a line that is printed waits for the
// others. Indeed each lane prints nothing, at a position of its own kind; those that are released
// together are at the same place.
int cudacpu_printf(int position, const char *format, ...) __attribute__((format(printf, 2, 3)));

static __thread int waits_at[MAX_BLOCK_THREADS];        // 0: nowhere
static __thread uint32_t active_met[MAX_BLOCK_THREADS]; // who was there together

// One number for each place, behind all real lines, the first in the source first.
static int position_of(const char *file, int line)
{
    unsigned hash = 0;
    for (const char *c = file; *c != '\0'; ++c)
    {
        hash = hash * 31 + (unsigned char)*c;
    }
    return 0x40000000 | (line & 0x3fffff) << 8 | (hash & 0xff);
}

CALLED_BY_KERNELS uint32_t cudacpu_activemask(const char *file, int line)
{
    Worker *worker = worker_self();
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    const int position = position_of(file, line);
    waits_at[thread] = position;
    worker->file[thread] = file;
    worker->line[thread] = line;
    cudacpu_printf(position, "%s", "");
    if (waits_at[thread] != 0) // the first of those released notes who they are
    {
        uint32_t together = 0;
        for (uint32_t rest = worker->ready[warp] | 1u << thread % WARP_SIZE; rest != 0;
             rest &= rest - 1)
        {
            const unsigned lane = __builtin_ctz(rest), other = warp * WARP_SIZE + lane;
            together |= (uint32_t)(waits_at[other] == position) << lane;
        }
        for (uint32_t rest = together; rest != 0; rest &= rest - 1)
        {
            const unsigned other = warp * WARP_SIZE + __builtin_ctz(rest);
            waits_at[other] = 0;
            active_met[other] = together;
        }
    }
    return active_met[thread];
}

// --- time ------------------------------------------------------------------------------------

static long long nanoseconds(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// Ticks of the clock that the device's properties name, so that what divides by its rate is right.
long long cudacpu_clock(void)
{
    static int khz; // the same for every thread that sets it
    if (khz == 0 &&
        (cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0) != cudaSuccess || khz <= 0))
    {
        khz = 1000000;
    }
    return (long long)(nanoseconds(CLOCK_MONOTONIC) * 1e-6 * khz);
}

// C's clock() and CUDA's have one name: in a kernel it counts ticks, elsewhere the process's time.
clock_t clock(void)
{
    const Worker *worker = worker_if_any();
    return worker != NULL && worker->in_kernel
               ? cudacpu_clock()
               : nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / (1000000000 / CLOCKS_PER_SEC);
}

// --- ends ------------------------------------------------------------------------------------

// The compiler calls a kernel's body "kernel(int)::<lambda()>" (g++), or "auto kernel(int)::
// (anonymous class)::operator()()" (clang++): what nvcc says is "void kernel(int)".
static void kernel_signature(const char *function, char *text, size_t size)
{
    const char *end = strstr(function, "::<lambda");
    end = end != NULL ? end : strstr(function, "::(anonymous class)");
    end = end != NULL ? end : strstr(function, "::(lambda");
    if (end == NULL)
    {
        snprintf(text, size, "%s", function);
        return;
    }
    const char *start = strncmp(function, "auto ", 5) == 0 ? function + 5 : function;
    snprintf(text, size, "%s%.*s", strncmp(start, "void ", 5) == 0 ? "" : "void ",
             (int)(end - start), start);
}

// assert() calls this one when it fails, in kernels and elsewhere.
void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function)
{
    Worker *worker = worker_if_any();
    if (worker != NULL && worker->in_kernel)
    {
        const dim3 g = worker->launch->grid;
        const uint3 t = worker->index_of[worker->current];
        const uint64_t b = worker->block;
        char text[512];
        kernel_signature(function, text, sizeof(text));
        fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                file, line, text, (unsigned)(b % g.x), (unsigned)(b / g.x % g.y),
                (unsigned)(b / g.x / g.y), t.x, t.y, t.z, condition);
        block_abandon(worker, cudaErrorAssert);
    }
    void (*library_fail)(const char *, const char *, unsigned int, const char *);
    *(void **)&library_fail = dlsym(RTLD_NEXT, "__assert_fail");
    if (library_fail != NULL)
    {
        library_fail(condition, file, line, function);
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    abort();
}

// The kernel ends with error 801, and a line that says what it wanted.
void cudacpu_unsupported(const char *feature, const char *file, int line)
{
    Worker *worker = worker_self();
    char what[300];
    snprintf(what, sizeof(what), "%s needs a GPU: the CPU backend does not have it", feature);
    fault_report(worker->launch, worker->block, worker->current, file, line, what);
    block_abandon(worker, cudaErrorNotSupported);
}
