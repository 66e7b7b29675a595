#pragma cudacpu_without cublasXt cuBLASXt
#include "cublas_v2.h"
