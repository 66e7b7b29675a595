// Copies of boxes; copies and sets as nodes of graphs.
#ifndef CUDACPU_API_COPY_H
#define CUDACPU_API_COPY_H
#include "memory.h"

// A box of bytes that is copied.
typedef struct Copy
{
    char *to;
    const char *from;
    size_t pitch_to, pitch_from, slice_to, slice_from; // bytes from row to row, slice to slice
    cudaExtent box;
} Copy;

cudaError_t api_copy_box(const Copy *copy, cudaMemcpyKind kind, cudaStream_t stream,
                         bool asynchronous);
cudaMemcpy3DParms api_copy_1d(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
void api_resolve_arrays(cudaMemcpy3DParms *parameters);
cudaError_t api_check_copy(const cudaMemcpy3DParms *parameters);
cudaError_t api_check_set(const cudaMemsetParams *parameters);

#endif
