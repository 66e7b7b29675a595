#pragma cudacpu_needs_gpu cuFFT
