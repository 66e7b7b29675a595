// For programs that let Thrust sort by a comparison. Include it before Thrust's own headers.
//
// On Hopper and later a kernel may start while the one before it still runs, if the launch allows
// it. It must then wait for the other's results by itself. The merge sort of CCCL 3.0 (CUDA 13.0)
// launches its kernels so, and one of them reads the limits of its part before it waits. Now and
// then these limits are not written yet, and the sort ends with an illegal address (issue 5297 of
// CCCL). Kernels that were compiled for a GPU before Hopper do not wait at all.
//
// So the kernels of a sort start one after the other here.
#pragma once
// For CCCL 3.1 and later: no "programmatic dependent launch"
#define CCCL_DISABLE_PDL
// nvcc or clang. The CPU backend has no such launches.
#if defined(__NVCC__) || defined(__CUDA__)
#if __has_include(<cuda/std/__cccl/cuda_capabilities.h>)
#include <cuda/std/__cccl/cuda_capabilities.h>
#endif
#if _CCCL_HAS_PDL // a number in older versions. In newer ones it takes arguments, and is 0 here.
#undef _CCCL_HAS_PDL
#define _CCCL_HAS_PDL 0
#endif
#endif
