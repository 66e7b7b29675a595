// What was counted: for each kernel, and for each access of it.
#ifndef CUDACPU_TALLY_H
#define CUDACPU_TALLY_H
#include "cost.h"

// Sums over the requests of an access.
typedef struct Sums
{
    uint64_t requests, // of a warp
        lanes,         // that took part in them
        units,         // sectors, wavefronts, or different addresses
        least,         // how few would do
        together;      // atomics: the sum of the most lanes at one address
} Sums;

typedef struct Site
{
    const void *pc; // NULL: there is none
    uint32_t kernel;
    Space space;
    Access access;
    uint32_t bytes; // of a lane
    Sums sums,
        before;          // as they were when the program began to count
    uint64_t useful;     // bytes that some lane wants
    uint32_t worst;      // units of one request
    int64_t apart;       // bytes from a lane to the next one,
    bool has_neighbours; // if there was one,
    bool differs;        // and it is not always the same
} Site;

typedef struct KernelCount
{
    const char *name;
    void (*run)(const void *);
    const Launch *launch; // the first one, while it runs
    dim3 grid, block;     // of the last launch
    uint64_t launches, blocks, threads, warps, barriers, exchanges;
    uint64_t steps, lanes,
        parted; // basic blocks of a warp; their lanes; and after how many they parted
} KernelCount;

typedef struct CopyCount
{
    uint64_t to_device, from_device;
} CopyCount;

uint32_t tally_kernel(const Launch *launch);
void tally_block(uint32_t kernel, unsigned threads);
void tally_step(uint32_t kernel, uint32_t lanes, bool parted, Request *requests, unsigned num);

unsigned tally_num_kernels(void);
const KernelCount *tally_kernel_at(unsigned i);
CopyCount tally_copies(void);
Site *tally_sites_of(uint32_t kernel, size_t *num);

// All sites; those whose pc is NULL are none. The caller counts nothing meanwhile.
Site *tally_all_sites(size_t *room);

#endif
