// Copies from global to shared memory behind the computation's back.
#ifndef CUDACPU_CUDA_PIPELINE_H
#define CUDACPU_CUDA_PIPELINE_H
#include "cuda_pipeline_primitives.h"
#endif
