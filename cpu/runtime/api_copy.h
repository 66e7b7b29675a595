// Copies and sets as nodes of graphs.
#ifndef CUDACPU_API_COPY_H
#define CUDACPU_API_COPY_H
#include "memory.h"

cudaMemcpy3DParms api_copy_1d(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t api_check_copy(const cudaMemcpy3DParms *parameters);
cudaError_t api_check_set(const cudaMemsetParams *parameters);

#endif
