// The interface of cuBLAS before version 4, without handles. The header may be included; a use is refused.
#pragma cudacpu_without cublas cuBLAS without handles(cublas.h)
#include "cuComplex.h"
#include "cuda_runtime.h"
