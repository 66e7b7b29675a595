// The process that runs what the reader has written. It takes one case after the other from the
// table and calls the exercise's run_case(). What it prints or returns decides nothing.
#ifndef EXERCISES_CHILD_CUH
#define EXERCISES_CHILD_CUH
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "cases.h"

// (Names that a reader may have for a macro, and an exercise for a variable.)
#undef N
#undef T

// (Names that no reader has.)
namespace judged
{

static Table *table;
static Case *now;
static const char *folder;

static inline long number(int i) { return now->number[i]; }

// Array i of the case, in the order in which the judge has made them.
template <class Element>
static Element *array(int i)
{
    return (Element *)((char *)table + now->arrays[i].offset);
}
static inline size_t bytes(int i) { return now->arrays[i].bytes; }

// A copy of array i on the device, also of an output: what no thread writes then stays as it was.
template <class Element>
static Element *on_device(int i)
{
    Element *there = NULL;
    if (cudaMalloc(&there, bytes(i) > 0 ? bytes(i) : 1) != cudaSuccess ||
        cudaMemcpy(there, array<Element>(i), bytes(i), cudaMemcpyHostToDevice) != cudaSuccess)
    {
        fprintf(stderr, "judge: no memory\n");
        _exit(5);
    }
    return there;
}

// Array i as the kernels have left it.
template <class Element>
static void from_device(int i, Element *there)
{
    cudaMemcpy(array<Element>(i), there, bytes(i), cudaMemcpyDeviceToHost);
    cudaFree(there);
}

// A copy of array i on the heap, as a program has it: a kernel cannot follow this pointer.
template <class Element>
static Element *on_heap(int i)
{
    char *there = (char *)malloc(bytes(i) + 2 * FENCE);
    memcpy(there, (char *)array<Element>(i) - FENCE, bytes(i) + 2 * FENCE);
    return (Element *)(there + FENCE);
}

// Array i as the reader has left it there, with its fences.
template <class Element>
static void from_heap(int i, Element *there)
{
    memcpy((char *)array<Element>(i) - FENCE, (char *)there - FENCE, bytes(i) + 2 * FENCE);
    free((char *)there - FENCE);
}

// The backend's lists get a line where a case begins.
static void mark(const char *variable, int number)
{
    const char *name = getenv(variable);
    const int file = name == NULL ? -1 : open(name, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (file >= 0)
    {
        char line[32];
        const int length = snprintf(line, sizeof(line), "case %d\n", number);
        if (write(file, line, length) != length)
        {
            _exit(5);
        }
        close(file);
    }
}

// What is printed goes into a file for each case.
static void print_into(int number)
{
    char name[4096];
    snprintf(name, sizeof(name), "%s/out.%d", folder, number);
    fflush(stdout);
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, 1) < 0)
    {
        _exit(5);
    }
    close(file);
}

} // namespace judged

#ifdef JUDGED_WRITES
// With `Compile: -DJUDGED_WRITES=4 -Wl,--wrap=__tsan_write4`, or 8, it is noted which element a thread
// writes first, and whether it writes others, too. Only the program with the checker does so: there
// each access is a call of the checker.
namespace judged
{

static const char *watched;
static size_t watched_bytes, num_noted;
static int *noted; // two numbers for each thread: its first element or -1; 1 if there are others

// Of an array on the device, into array i of the case: see notes() in judge.h. Without a pointer it ends.
static void watch_writes(const void *there, int of, int i)
{
    watched_bytes = bytes(of), num_noted = now->arrays[i].count / 2;
    watched = (const char *)there;
    noted = there != NULL ? array<int>(i) : NULL;
}

static inline __attribute__((always_inline, no_sanitize("thread"))) void note(const char *address)
{
    const size_t at = address - watched;
    if (noted != NULL && at < watched_bytes)
    {
        const size_t block = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
        const size_t thread = (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        if (thread < num_noted)
        {
            int *mine = noted + 2 * thread;
            const int element = at / JUDGED_WRITES;
            mine[0] = mine[0] < 0 ? element : mine[0];
            mine[1] = mine[1] != 0 || mine[0] != element;
        }
    }
}

} // namespace judged

#define JUDGED_JOIN(a, b) a##b
#define JUDGED_NAME(a, b) JUDGED_JOIN(a, b)
extern "C" void JUDGED_NAME(__real___tsan_write, JUDGED_WRITES)(void *address)
    __attribute__((weak));

// (Optimized, it ends in a jump: the checker takes the line of who has called it.)
extern "C" __attribute__((no_sanitize("thread"), optimize("O2"))) void
JUDGED_NAME(__wrap___tsan_write, JUDGED_WRITES)(void *address)
{
    judged::note((const char *)address);
    JUDGED_NAME(__real___tsan_write, JUDGED_WRITES)(address);
}
#endif

static void run_case(); // of the exercise

namespace judged
{

static int run_cases(char **arguments)
{
    void *memory =
        mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(arguments[1]), 0);
    if (memory == MAP_FAILED)
    {
        return 5;
    }
    table = (Table *)memory;
    folder = arguments[2];
    for (int i = 0; i < table->num_cases; ++i)
    {
        now = &table->cases[i];
        print_into(i);
        fprintf(stderr, "case %d\n", i); // (unbuffered: what follows is of this case)
        mark("CUDACPU_LAUNCHES", i);
        mark("CUDACPU_CALLS", i);
        ::run_case();
        now->error = cudaDeviceSynchronize();
        if (now->error == cudaSuccess)
        {
            now->error = cudaGetLastError();
        }
        fflush(stdout);
        now->is_done = 1;
        if (now->error != cudaSuccess)
        {
            break; // what comes after an error says nothing
        }
    }
    return 0;
}

} // namespace judged

int main(int, char **arguments) { return judged::run_cases(arguments); }

#endif
