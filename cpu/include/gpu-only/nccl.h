#pragma cudacpu_without nccl NCCL
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
