// The header may be included, and `using namespace nvcuda` be written. A use of nvcuda::wmma is refused.
#ifndef CUDACPU_MMA_H
#define CUDACPU_MMA_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
}

#endif
