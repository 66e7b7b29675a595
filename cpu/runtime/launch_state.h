// One kernel launch, from <<< >>> until its last block is done.
#ifndef CUDACPU_LAUNCH_STATE_H
#define CUDACPU_LAUNCH_STATE_H
#include "base.h"

typedef struct Launch
{
    const char *name;
    void (*run)(const void *closure); // the kernel's body for the current thread
    void *closure;                    // the body and its arguments
    void (*destroy)(void *closure);
    dim3 grid, block;
    uint64_t num_blocks;
    atomic_uint_fast64_t next_block;
    atomic_int error;    // the first fault's cudaError_t
    atomic_bool warned;  // one warning a launch is enough,
    atomic_bool noticed; // and one notice that it does not end
    atomic_bool called;  // the helpers, to join in
    bool cooperative;    // its blocks may wait for each other
    int16_t device;
    uint16_t call;         // of a library that has launched it (report.c); 0: the program itself
    uint32_t shared_bytes; // dynamic shared memory
} Launch;

// Ends the launch with an error. False if it has failed before: the first error is the launch's.
static inline bool launch_fail(Launch *launch, cudaError_t error)
{
    int none = 0;
    return atomic_compare_exchange_strong(&launch->error, &none, (int)error);
}

#endif
