// The registry of allocations: which memory there is, of what kind, and of which device.
#ifndef CUDACPU_MEMORY_H
#define CUDACPU_MEMORY_H
#include "base.h"
#include "device.h"

typedef enum
{
    DEVICE,
    PINNED,
    MANAGED,
    REGISTERED,  // the program's own, from cudaHostRegister
    SYMBOL,      // a __device__ variable
    CONSTANT,    // a __constant__ variable, which kernels can only read
    VARIABLE,    // a __managed__ variable
    KERNEL_HEAP, // what malloc in kernels gives parts of
    FREED
} Kind;

enum
{
    OF_ARRAY = 1 // device memory that a CUDA array has
};

typedef struct Allocation
{
    char *start;          // what the program got
    size_t bytes;         // what it asked for
    char *pages;          // the accessible pages that hold it ...
    size_t page_bytes;    // ...
    char *mapping;        // and with the guard pages
    size_t mapping_bytes; //
    Kind kind;            //
    int device;           //
    unsigned int flags;   // of cudaHostAlloc and cudaHostRegister; of device memory OF_ARRAY
    unsigned opened_by;   // device memory: a bit for each device that has touched it and not been
                          // idle since
    bool ending;          // cudaFreeAsync has been called, and is not done yet
    const char *name;     // of a variable
    bool has_tail;        // the pattern is behind it, and it is never closed
    uint8_t pattern;      // which one lies before and behind it
    void **callers;       // with CUDACPU_LEAKS=1: who allocated it, innermost first
    int num_callers;      //
    uint64_t
        number_of_free;  // with CUDACPU_REUSE=1: counts the frees; 0: it is not handed out again
    Kind kind_before;    // and its kind before it was freed
    unsigned num_copies; // with several devices: copies of it that run now,
    uint64_t copied_by[MAX_DEVICES]; // and the last one that each device was given
} Allocation;

typedef enum
{
    PAGEABLE,  // what the registry does not know
    ON_HOST,   // pinned or registered
    ON_DEVICE, // from cudaMalloc
    ON_BOTH,   // managed, or a variable of the device
    INVALID    // freed, or not that long
} Place;

Place memory_place(const void *start, size_t bytes);
bool memory_copy_of(const void *address, Allocation *copy);
void memory_of_machine(size_t *available, size_t *total);
void memory_available(int device, size_t *available, size_t *total);
size_t memory_used(int device);
size_t memory_peak(void); // of all devices together, with managed memory

extern atomic_uint memory_version;
const char *memory_of_host(const void *address);
bool memory_is_exact(void);
void *memory_allocate(int device, size_t bytes, Kind kind, unsigned int flags);
bool memory_free(void *pointer, bool host);
void memory_note_callers(const void *pointer, void *const *callers, int num);
bool memory_never_freed(size_t *next, Allocation *copy);
bool memory_end(void *pointer);
void memory_describe_free(const void *pointer, bool host, char *text, size_t size);
void memory_free_ended(void *pointer);
void memory_reset(int device);

bool memory_register(void *host, size_t bytes, unsigned int flags);
bool memory_unregister(void *host);
void memory_add_variable(void *variable, size_t bytes, const char *name, Kind kind, char *guard);

bool memory_hold(const void *address);
void memory_let_go(const void *address);
void memory_note_copy(const void *address, int device, uint64_t sequence);

bool memory_open(const void *address, int device);
void memory_close_all(int device);
void memory_close_out_of_reach(int device);
int memory_out_of_reach(const void *address, int device);
bool memory_overwritten(int device, char *text, size_t size);
bool memory_is_symbol(const void *address, size_t bytes);
void memory_protect_constant(const void *address, bool read_only);
const char *memory_kind_name(Kind kind);
bool memory_describe(const void *address, char *text, size_t size);

#endif
