// Functions of the host in a stream.
#ifndef CUDACPU_HOST_FUNCTION_H
#define CUDACPU_HOST_FUNCTION_H
#include "base.h"

typedef struct HostFunction
{
    cudaHostFn_t function;
    cudaStreamCallback_t callback; // the older kind, where function is NULL
    cudaStream_t stream;
    void *data;
} HostFunction;

void host_function_run(int device, const HostFunction *function);
void host_function_add(const HostFunction *function);

#endif
