#pragma cudacpu_without cudnn cuDNN
#pragma cudacpu_without CUDNN_ cuDNN
#include "cuda_runtime.h"
