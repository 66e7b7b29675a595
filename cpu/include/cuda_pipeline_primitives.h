// Asynchronous copies into shared memory. Here a copy is done when it is issued, which is one of
// the moments a program that waits properly has to expect.
#ifndef CUDACPU_CUDA_PIPELINE_PRIMITIVES_H
#define CUDACPU_CUDA_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"

// The checker is told of each copy, of the end of a batch, and of the wait for all but the last batches.
#ifdef CUDACPU_CHECKER
extern "C" void cudacpu_check_copy_issued(const void *to, size_t bytes);
extern "C" void cudacpu_check_copies_committed(void);
extern "C" void cudacpu_check_copies_waited(size_t num_behind);
#else
inline void cudacpu_check_copy_issued(const void *, size_t)
{
}
inline void cudacpu_check_copies_committed()
{
}
inline void cudacpu_check_copies_waited(size_t)
{
}
#endif

#ifdef CUDACPU_COUNTER
extern "C" void cudacpu_count_copy(void *to, const void *from, unsigned long bytes,
                                   unsigned long zeros);
#endif

// Copies `bytes`, 4, 8 or 16, of which the last `zeros` are not read but set to zero.
inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
#ifdef CUDACPU_COUNTER
    cudacpu_count_copy(to, from, bytes, zeros);
    CUDACPU_COUNT_ONCE;
#endif
    memcpy(to, from, bytes - zeros);
    memset((char *)to + bytes - zeros, 0, zeros);
    cudacpu_check_copy_issued(to, bytes);
}

inline void __pipeline_commit()
{
    cudacpu_check_copies_committed();
}

inline void __pipeline_wait_prior(size_t num_behind)
{
    cudacpu_check_copies_waited(num_behind);
}

#endif
