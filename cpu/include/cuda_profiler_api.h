// cudaProfilerStart and cudaProfilerStop are with the rest of the runtime API.
#ifndef CUDACPU_CUDA_PROFILER_API_H
#define CUDACPU_CUDA_PROFILER_API_H
#include "cuda_runtime_api.h"
#endif
