// CUB, as far as the CPU backend has it: collectives of a block and of a warp, and the reductions
// and scans of a device.
#ifndef CUDACPU_CUB_CUH
#define CUDACPU_CUB_CUH
#include "block/block_load.cuh"
#include "block/block_radix_sort.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_store.cuh"
#include "device/device_reduce.cuh"
#include "device/device_scan.cuh"
#include "thread/thread_operators.cuh"
#include "util_type.cuh"
#include "version.cuh"
#include "warp/warp_reduce.cuh"
#include "warp/warp_scan.cuh"
#include <cub/missing.cuh>
#endif
