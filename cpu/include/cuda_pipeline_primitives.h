// Asynchronous copies into shared memory. Here a copy is done when it is issued, which is one of
// the moments a program that waits properly has to expect.
#ifndef CUDACPU_CUDA_PIPELINE_PRIMITIVES_H
#define CUDACPU_CUDA_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"

// Copies `bytes`, 4, 8 or 16, of which the last `zeros` are not read but set to zero.
inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    memcpy(to, from, bytes - zeros);
    memset((char *)to + bytes - zeros, 0, zeros);
}

inline void __pipeline_commit()
{
}

inline void __pipeline_wait_prior(size_t)
{
}

#endif
