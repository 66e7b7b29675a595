#pragma cudacpu_needs_gpu cuSPARSE
