// malloc and free in kernels. Each device has a heap, of 8 MB if cudaDeviceSetLimit has not said
// otherwise. What is in it lies apart from it, so that a kernel that leaves its memory cannot destroy it.
//
// The heap is divided into pieces of 32 bytes, 64 bytes and so on. A free piece knows its neighbours, and
// becomes one with those that are free. Behind what the kernel asked for, the rest of its piece holds a
// pattern, which is checked when the memory is freed, and after each kernel.
#include "heap.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "check.h"
#include "device.h"
#include "memory.h"
#include "report.h"

enum
{
    GRANULE = 32,
    LEAST_TAIL = 8,   // bytes of the pattern
    NUM_CLASSES = 32, // free pieces of 2^k granules to less than 2^(k + 1)
    MOST_LOOKS = 64,  // at pieces of a class, before a larger one is taken
    MOST_SCANNED = 10000,
    FRESH = 0xcd,       // what fresh memory holds
    FRESH_BYTES = 4096, // at least at its beginning
    TAIL = 0xb9
};

typedef enum State
{
    INSIDE, // of a piece
    VACANT,
    USED
} State;

// A piece, at the number of its first granule.
typedef struct Piece
{
    uint32_t granules;
    uint32_t next, prev; // of the list it is in: numbers of granules; NONE
    uint32_t first;      // at the last granule of a free piece: the number of its first one
    size_t bytes;        // that were asked for
    const char *file;    // where that was
    int line;
    State state;
} Piece;

static const uint32_t NONE = UINT32_MAX;

typedef struct Heap
{
    pthread_mutex_t lock;
    size_t limit;
    char *start; // NULL: no kernel has asked for memory yet
    Piece *pieces;
    uint32_t num_granules;
    uint32_t free_of_class[NUM_CLASSES];
    uint32_t used;
    size_t num_used;
} Heap;

static Heap heaps[MAX_DEVICES] = {
    [0 ... MAX_DEVICES - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER, .limit = 8 << 20}};

// --- lists of pieces -----------------------------------------------------------------------------

static uint32_t *list_of(Heap *heap, uint32_t i)
{
    const Piece *p = &heap->pieces[i];
    return p->state == USED ? &heap->used : &heap->free_of_class[31 - __builtin_clz(p->granules)];
}

static void enter(Heap *heap, uint32_t i, uint32_t granules, State state)
{
    Piece *p = &heap->pieces[i];
    p->granules = granules;
    p->state = state;
    heap->pieces[i + granules - 1].first = i;
    uint32_t *list = list_of(heap, i);
    p->next = *list;
    p->prev = NONE;
    if (*list != NONE)
    {
        heap->pieces[*list].prev = i;
    }
    *list = i;
}

static void leave(Heap *heap, uint32_t i)
{
    const Piece *p = &heap->pieces[i];
    if (p->next != NONE)
    {
        heap->pieces[p->next].prev = p->prev;
    }
    if (p->prev != NONE)
    {
        heap->pieces[p->prev].next = p->next;
    }
    else
    {
        *list_of(heap, i) = p->next;
    }
}

// A free piece of so many granules at least; NONE: there is none.
static uint32_t find_free(const Heap *heap, uint32_t granules)
{
    int class = 31 - __builtin_clz(granules);
    uint32_t i = heap->free_of_class[class];
    for (int looks = 0; i != NONE && heap->pieces[i].granules < granules; ++looks)
    {
        i = looks < MOST_LOOKS ? heap->pieces[i].next : NONE;
    }
    while (i == NONE && ++class < NUM_CLASSES)
    {
        i = heap->free_of_class[class];
    }
    return i;
}

// The checker: of a piece so many bytes are the program's. They were never written.
static void note_memory(const Heap *heap, uint32_t i, size_t bytes)
{
    char *start = heap->start + (size_t)i * GRANULE;
    check_memory_new(start, bytes, start, (size_t)heap->pieces[i].granules * GRANULE, false);
}

// --- the heap ------------------------------------------------------------------------------------

bool heap_is_used;

static void begin(Heap *heap, int device)
{
    heap_is_used = true;
    const uint32_t granules = heap->limit / GRANULE;
    heap->start = memory_allocate(device, (size_t)granules * GRANULE, KERNEL_HEAP, 0);
    heap->pieces = mmap(NULL, (granules + 1) * sizeof(Piece), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (heap->start == NULL || heap->pieces == MAP_FAILED)
    {
        exhausted("memory for malloc in kernels", errno);
    }
    heap->num_granules = granules;
    heap->used = NONE;
    heap->num_used = 0;
    for (int class = 0; class < NUM_CLASSES; ++class)
    {
        heap->free_of_class[class] = NONE;
    }
    enter(heap, 0, granules, VACANT);
    note_memory(heap, 0, 0);
}

// The limit of a heap in use does not change.
bool heap_set_limit(int device, size_t bytes)
{
    Heap *heap = &heaps[device];
    pthread_mutex_lock(&heap->lock);
    const bool right = heap->start == NULL && bytes / GRANULE < NONE - 1;
    if (right)
    {
        heap->limit = bytes >= GRANULE ? bytes : GRANULE;
    }
    pthread_mutex_unlock(&heap->lock);
    return right;
}

// Its memory is freed with all that the device has (memory_reset).
void heap_reset(int device)
{
    Heap *heap = &heaps[device];
    pthread_mutex_lock(&heap->lock);
    if (heap->start != NULL)
    {
        munmap(heap->pieces, (heap->num_granules + 1) * sizeof(Piece));
    }
    heap->start = NULL;
    heap->limit = 8 << 20;
    pthread_mutex_unlock(&heap->lock);
}

static bool is_tail_whole(const Heap *heap, uint32_t i)
{
    const Piece *p = &heap->pieces[i];
    const char *end = heap->start + (size_t)(i + p->granules) * GRANULE;
    const char *at = heap->start + (size_t)i * GRANULE + p->bytes;
    while (at < end && *(const unsigned char *)at == TAIL)
    {
        ++at;
    }
    return at == end;
}

static void paint_tail(const Heap *heap, uint32_t i)
{
    const Piece *p = &heap->pieces[i];
    char *start = heap->start + (size_t)i * GRANULE;
    memset(start + p->bytes, TAIL, (size_t)p->granules * GRANULE - p->bytes);
}

static void describe(const Piece *p, char *text, size_t size)
{
    snprintf(text, size, "memory of %zu bytes that malloc or new gave at %s:%d", p->bytes,
             base_name(p->file), p->line);
}

// After a kernel. If it has written past the end of some memory, *text says of which.
bool heap_overwritten(int device, char *text, size_t size)
{
    Heap *heap = &heaps[device];
    if (heap->start == NULL)
    {
        return false;
    }
    bool found = false;
    pthread_mutex_lock(&heap->lock);
    uint32_t i = heap->used;
    for (int looks = 0; i != NONE && looks < MOST_SCANNED && !found; ++looks)
    {
        found = !is_tail_whole(heap, i);
        if (found)
        {
            describe(&heap->pieces[i], text, size);
            paint_tail(heap, i);
        }
        i = heap->pieces[i].next;
    }
    pthread_mutex_unlock(&heap->lock);
    return found;
}

// --- malloc --------------------------------------------------------------------------------------

static void *allocate(Heap *heap, int device, size_t bytes, const char *file, int line)
{
    if (heap->start == NULL)
    {
        begin(heap, device);
    }
    if (bytes > (size_t)heap->num_granules * GRANULE)
    {
        return NULL;
    }
    const uint32_t granules = (bytes + LEAST_TAIL + GRANULE - 1) / GRANULE;
    const uint32_t i = find_free(heap, granules);
    if (i == NONE)
    {
        return NULL;
    }
    const uint32_t rest = heap->pieces[i].granules - granules;
    leave(heap, i);
    enter(heap, i, granules, USED);
    if (rest > 0)
    {
        enter(heap, i + granules, rest, VACANT);
    }
    Piece *p = &heap->pieces[i];
    p->bytes = bytes;
    p->file = file;
    p->line = line;
    heap->num_used++;
    char *start = heap->start + (size_t)i * GRANULE;
    memset(start, FRESH, bytes < FRESH_BYTES ? bytes : FRESH_BYTES);
    paint_tail(heap, i);
    note_memory(heap, i, bytes);
    return start;
}

// In a function that runs on the host, too, it is the C library's.
CALLED_BY_KERNELS void *cudacpu_kernel_malloc(size_t bytes, const char *file, int line)
{
    Worker *worker = this_worker;
    if (worker == NULL || !worker->in_kernel)
    {
        return malloc(bytes);
    }
    set_preemptible(worker, false);
    const int device = worker->launch->device;
    Heap *heap = &heaps[device];
    pthread_mutex_lock(&heap->lock);
    void *pointer = allocate(heap, device, bytes, file, line);
    pthread_mutex_unlock(&heap->lock);
    set_preemptible(worker, true);
    return pointer;
}

// --- free ----------------------------------------------------------------------------------------

// The free piece at i becomes one with its neighbours that are free.
static void join(Heap *heap, uint32_t i, uint32_t granules)
{
    const uint32_t after = i + granules;
    if (after < heap->num_granules && heap->pieces[after].state == VACANT)
    {
        leave(heap, after);
        granules += heap->pieces[after].granules;
        heap->pieces[after].state = INSIDE;
    }
    if (i > 0)
    {
        const uint32_t before = heap->pieces[i - 1].first;
        const Piece *p = &heap->pieces[before];
        if (p->state == VACANT && before + p->granules == i)
        {
            leave(heap, before);
            granules += p->granules;
            i = before;
        }
    }
    enter(heap, i, granules, VACANT);
}

// False: *text says why the memory cannot be freed, or what is wrong with it.
static bool release(Heap *heap, char *pointer, char *text, size_t size)
{
    const size_t at = pointer - heap->start;
    const uint32_t i = at / GRANULE;
    Piece *p = &heap->pieces[i];
    if (at % GRANULE == 0 && p->state != USED && p->bytes != 0)
    {
        snprintf(text, size, "memory is freed twice: these %zu bytes were freed before", p->bytes);
        return false;
    }
    if (at % GRANULE != 0 || p->state != USED)
    {
        snprintf(text, size, "%p is freed, which is not the start of memory of malloc or new",
                 (void *)pointer);
        return false;
    }
    const bool whole = is_tail_whole(heap, i);
    if (!whole)
    {
        const int length = snprintf(text, size, "illegal address: a write past the end of ");
        describe(p, text + length, size - length);
    }
    note_memory(heap, i, 0);
    leave(heap, i);
    heap->num_used--;
    p->state = INSIDE;
    join(heap, i, p->granules);
    return whole;
}

static Heap *heap_of(const char *pointer)
{
    for (int device = 0; device < MAX_DEVICES; ++device)
    {
        Heap *heap = &heaps[device];
        if (heap->start != NULL && pointer >= heap->start &&
            pointer < heap->start + (size_t)heap->num_granules * GRANULE)
        {
            return heap;
        }
    }
    return NULL;
}

static _Noreturn void refuse_free(Worker *worker, const char *file, int line, void *from,
                                  const char *text)
{
    const cudaError_t error = text[0] == 'i' ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
    if (launch_fail(worker->launch, error))
    {
        char place[256];
        char *colon = NULL;
        if (from != NULL && report_position(from, place, sizeof(place)))
        {
            colon = strrchr(place, ':');
        }
        if (colon != NULL)
        {
            *colon = '\0';
        }
        report_counted(worker, worker->current, colon != NULL ? place : file,
                       colon != NULL ? atoi(colon + 1) : line, text);
    }
    worker_abandon(worker, error);
}

// `from`: an address in the code that frees, where the line is not known; or NULL.
CALLED_BY_KERNELS static void free_at(void *pointer, const char *file, int line, void *from)
{
    Worker *worker = this_worker;
    if (worker == NULL || !worker->in_kernel)
    {
        free(pointer);
        return;
    }
    if (pointer == NULL)
    {
        return;
    }
    set_preemptible(worker, false);
    Heap *heap = heap_of(pointer);
    char text[300];
    bool right = false;
    if (heap != NULL)
    {
        pthread_mutex_lock(&heap->lock);
        right = release(heap, pointer, text, sizeof(text));
        pthread_mutex_unlock(&heap->lock);
    }
    else
    {
        snprintf(text, sizeof(text), "%p is freed, which malloc or new did not give in a kernel",
                 pointer);
    }
    if (!right)
    {
        refuse_free(worker, file, line, from, text);
    }
    set_preemptible(worker, true);
}

CALLED_BY_KERNELS void cudacpu_kernel_free(void *pointer, const char *file, int line)
{
    free_at(pointer, file, line, NULL);
}

// operator delete, which code of the C++ library calls, too.
CALLED_BY_KERNELS void cudacpu_kernel_delete(void *pointer, void *from)
{
    if (pointer != NULL && heap_of(pointer) == NULL)
    {
        free(pointer);
        return;
    }
    free_at(pointer, "an unknown place", 0, (char *)from - 1);
}
