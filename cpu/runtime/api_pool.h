// Allocating and freeing as nodes of graphs.
#ifndef CUDACPU_API_POOL_H
#define CUDACPU_API_POOL_H
#include "graph.h"

cudaError_t api_allocation_work(void **pointer, size_t bytes, Work *work);
bool api_freeing_work(void *pointer, Work *work);

#endif
