// The proof that kernels will never end. It has two parts, which hold at the same time.
//
// The memory of the process stays the same, byte for byte. And each thread of each block either was
// found twice in exactly the same state (watch.c), so that it goes round in a circle for as long as
// no memory changes, or has waited all the time at the same place.
#include "proof.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static inline uint64_t mix_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

uint64_t proof_mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i + 8 <= bytes; i += 8)
    {
        uint64_t word;
        memcpy(&word, p + i, 8);
        hash = mix_word(hash, word);
    }
    if (bytes % 8 != 0)
    {
        uint64_t rest = 0;
        memcpy(&rest, p + bytes / 8 * 8, bytes % 8);
        hash = mix_word(hash, rest);
    }
    return hash;
}

// --- memory --------------------------------------------------------------------------------------

static void consider(Range *next, uintptr_t from, const void *start, size_t bytes)
{
    const uintptr_t first = (uintptr_t)start;
    if (first + bytes > from && first < next->start)
    {
        *next = (Range){first, first + bytes};
    }
}

// The C library's description of a thread. The operating system notes there which processor the
// thread runs on.
enum
{
    OS_THREAD_BYTES = 4096 // at most; guards follow
};

// The first part of memory at or after `from` that changes although no kernel does anything: what
// the workers and the watch write themselves. The stacks of fibers are looked at thread by thread.
static Range next_own_part(Worker *const *workers, int num_workers, Range own_stack, uintptr_t from)
{
    Range next = {UINTPTR_MAX, UINTPTR_MAX};
    consider(&next, from, (void *)own_stack.start, own_stack.end - own_stack.start);
    for (int i = 0; i < num_workers; ++i)
    {
        const Worker *worker = workers[i];
        consider(&next, from, worker, sizeof(*worker));
        consider(&next, from, worker->thread_index, sizeof(*worker->thread_index));
        consider(&next, from, worker->os_thread, OS_THREAD_BYTES);
        for (int fiber = 0; fiber < worker->fibers.num; ++fiber)
        {
            const Fiber *f = &worker->fibers.all[fiber];
            consider(&next, from, f->stack, f->bytes);
        }
    }
    return next;
}

enum
{
    CHUNK = 64 * 1024
};

// Memory that was never touched has no pages, and reading it would make some.
static bool is_touched(uintptr_t start, size_t bytes, size_t page)
{
    unsigned char resident[CHUNK / 4096 + 2];
    const uintptr_t first = start / page * page;
    if (mincore((void *)first, start + bytes - first, resident) != 0)
    {
        return true;
    }
    for (size_t i = 0; i < (start + bytes - first + page - 1) / page; ++i)
    {
        if (resident[i] & 1)
        {
            return true;
        }
    }
    return false;
}

// Reads by way of the file, because a thread of the program may unmap the memory meanwhile.
static uint64_t mix_range(uint64_t hash, int memory, Range range)
{
    char bytes[CHUNK];
    const size_t page = sysconf(_SC_PAGESIZE);
    for (uintptr_t at = range.start; at < range.end;)
    {
        const size_t rest = range.end - at, wanted = rest < CHUNK ? rest : CHUNK;
        if (is_touched(at, wanted, page))
        {
            const ssize_t got = pread(memory, bytes, wanted, (off_t)at);
            hash = proof_mix(hash, &at, sizeof(at));
            hash = proof_mix(hash, bytes, got > 0 ? got : 0);
        }
        at += wanted;
    }
    return hash;
}

// The lines of a file, without stdio: its buffers would be memory that changes.
typedef struct Lines
{
    int file;
    char buffer[4096];
    ssize_t used, filled;
} Lines;

static bool read_line(Lines *lines, char *line, size_t size)
{
    size_t length = 0;
    for (;;)
    {
        if (lines->used == lines->filled)
        {
            lines->used = 0;
            lines->filled = read(lines->file, lines->buffer, sizeof(lines->buffer));
        }
        if (lines->filled <= 0 || lines->buffer[lines->used++] == '\n')
        {
            line[length] = '\0';
            return length > 0;
        }
        if (length + 1 < size)
        {
            line[length++] = lines->buffer[lines->used - 1];
        }
    }
}

// All memory that the process can write, as one number; 0 if it cannot be read.
uint64_t proof_memory(Worker *const *workers, int num_workers, Range own_stack)
{
    Lines maps = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    uint64_t hash = 1;
    char line[200];
    while (maps.file >= 0 && memory >= 0 && read_line(&maps, line, sizeof(line)))
    {
        Range range;
        char may[5];
        if (sscanf(line, "%zx-%zx %4s", &range.start, &range.end, may) != 3 ||
            strncmp(may, "rw", 2) != 0)
        {
            continue;
        }
        while (range.start < range.end)
        {
            const Range own = next_own_part(workers, num_workers, own_stack, range.start);
            const uintptr_t end = own.start < range.end ? own.start : range.end;
            if (range.start < end)
            {
                hash = mix_range(hash, memory, (Range){range.start, end});
            }
            range.start = own.end > end ? own.end : end;
        }
    }
    if (maps.file >= 0)
    {
        close(maps.file);
    }
    if (memory >= 0)
    {
        close(memory);
    }
    return maps.file >= 0 && memory >= 0 ? hash : 0;
}

// --- threads -------------------------------------------------------------------------------------

// What a waiting thread stands on, as a number; 0 for a thread that does not wait. The worker may
// be moving it at this moment. Then the number is a wrong one, and the thread counts as moved.
static uint64_t waits_as(const Worker *worker, unsigned thread)
{
    const Fiber *fiber = worker->fiber_of[thread];
    const bool waits = is_in(worker->barrier.at, thread) || is_in(worker->warp.at, thread) ||
                       is_in(worker->grid_wait.at, thread);
    if (!waits || fiber == NULL || fiber->stack == NULL)
    {
        return 0;
    }
    const char *top = (const char *)fiber->stack + fiber->bytes;
    const char *low = context_stack_pointer(&fiber->context);
    low = low >= (const char *)fiber->stack && low < top ? low : fiber->stack;
    return proof_mix((uintptr_t)low, low, top - low) | 1;
}

// Called when the proof begins.
void proof_note(Worker *worker)
{
    worker->repeats.num_clock_reads = worker->num_clock_reads;
    for (unsigned thread = 0; thread < worker->num_threads; ++thread)
    {
        worker->repeats.waits_as[thread] = waits_as(worker, thread);
    }
}

// A thread that waits no longer, or again, has moved.
void proof_compare_waiting(Worker *worker)
{
    uint64_t *noted = worker->repeats.waits_as;
    for (unsigned thread = 0; thread < worker->num_threads; ++thread)
    {
        if (noted[thread] != 0 && waits_as(worker, thread) != noted[thread])
        {
            noted[thread] = 0;
        }
    }
}

// True if each thread of the block that has not returned goes round in a circle, or has not moved.
// One that looks at the clock may wait for a time.
bool proof_holds(const Worker *worker)
{
    if (worker->repeats.num_clock_reads != worker->num_clock_reads)
    {
        return false;
    }
    for (unsigned thread = 0; thread < worker->num_threads; ++thread)
    {
        if (is_in(worker->live, thread) && !is_in(worker->repeats.circling, thread) &&
            worker->repeats.waits_as[thread] == 0)
        {
            return false;
        }
    }
    return true;
}
