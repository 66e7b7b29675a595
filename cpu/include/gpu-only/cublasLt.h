#pragma cudacpu_without cublasLt cuBLASLt
