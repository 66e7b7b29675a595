// Launches as nodes of graphs.
#ifndef CUDACPU_API_LAUNCH_H
#define CUDACPU_API_LAUNCH_H
#include "graph.h"

cudaError_t api_kernel_work(const cudaKernelNodeParams *parameters, Work *work);

#endif
