// The worker that the calling OS thread is, and the indices of the thread that it runs.
#include "worker.h"

THREAD_LOCAL uint3 threadIdx, blockIdx;
THREAD_LOCAL dim3 blockDim, gridDim;

THREAD_LOCAL Worker *this_worker;

// Where this OS thread has the shared memory of its blocks.
THREAD_LOCAL uintptr_t cudacpu_shared_start;
THREAD_LOCAL size_t cudacpu_shared_bytes;

CALLED_BY_KERNELS Worker *worker_if_any(void) // the watch's tick asks before all else
{
    return this_worker;
}
