// What the three oversubscription programs share: the questions before each step.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/on_gpu.cuh"

const size_t GB = 1000000000; // as in the rest of the suite; the book's GB are 2^30 bytes

// The end on the CPU backend, whose device memory is the host's.
static inline void require_gpu(void)
{
    if (!ON_GPU)
    {
        fprintf(stderr, "%s: needs a GPU: without one all memory is the host's\n", args.program);
        exit(77);
    }
}

static inline void print_free_memory(void)
{
    print_note("free: %.1f GB on the device, %.1f GB on the host\n", free_device_memory() * 1e-9,
               room_on_host() * 1e-9);
}

// Whether `gb` GB fit into what is free. If they do not, the program says so, and goes on only if
// it is forced to. A program that cannot take its first GB ends here.
static inline bool may_take(size_t gb, double free, const char *whose, bool force)
{
    if ((double)gb * GB <= usable(free))
    {
        return true;
    }
    if (gb == 1 && !force)
    {
        refuse_if_more(GB, free, whose);
    }
    if (!force || (double)(gb - 1) * GB <= usable(free)) // by force: said once, at the first one
    {
        print_note("%zu GB are more than 95%% of what the %s has free (%.1f GB).\n", gb,
                   said(whose), usable(free) * 1e-9);
        if (!force)
        {
            print_note("Stopped; --force goes on.\n");
        }
        fflush(stdout);
    }
    return force;
}

// Whether the runtime refused memory that was asked for by force. This is then the end of the
// steps, and no failure of the program.
static inline bool is_refused(cudaError_t status, size_t gb, bool force)
{
    if (status != cudaErrorMemoryAllocation || !force)
    {
        return false;
    }
    print_note("Refused: %zu GB, error %d, %s\n", gb, (int)status, cudaGetErrorString(status));
    cudaGetLastError(); // so that the next check does not find this error
    return true;
}
