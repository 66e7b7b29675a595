// The driver API is not here; what programs take from its header without calling it is.
#ifndef CUDACPU_CUDA_H
#define CUDACPU_CUDA_H
#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#endif
