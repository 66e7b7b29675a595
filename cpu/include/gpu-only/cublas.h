#pragma cudacpu_needs_gpu cuBLAS
