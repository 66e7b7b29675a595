#pragma cudacpu_without cublasXt cuBLASXt
