// All headers of libcu++ include this one. In CUDA code they are refused, in one line: with two
// macros for the rest of them to be read. Thrust and our cuda/functional read libcu++ as the host's
// compiler does, without __CUDACC__.
#ifdef __CUDACC__
#pragma cudacpu_needs_gpu libcu++
#define _CCCL_HAS_CTK() 1
#define _CCCL_CTK_BELOW(...) 0
#define _CCCL_CTK_AT_LEAST(...) 1
#else
#pragma GCC system_header
#include_next <cuda/std/__cccl/cuda_toolkit.h>
#endif
