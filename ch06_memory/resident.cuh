// For scalability and latency: so many blocks resident on each multiprocessor, and no more.
#pragma once
#include <math.h>
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/error.cuh"

const int MOST_BAR = 40; // signs

// A bar of so many signs.
static inline const char *bar_of(double length)
{
    static const char BAR[MOST_BAR + 1] = "########################################";
    return isnan(length) ? "" : BAR + MOST_BAR - (int)fmin(length, MOST_BAR);
}

// The dynamic shared memory of a block with which exactly `blocks` blocks fit on a multiprocessor.
static inline int reserve_shared(int device, const void *kernel, int block_size, int blocks)
{
    const int unit = 256;
    const int all = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    const int reserved = device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    const int most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const int share = (all / blocks - reserved) / unit * unit;
    const int shared = share < most ? share : most;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, shared));
    check_true("as many are resident as wanted", resident == blocks);
    return shared;
}
