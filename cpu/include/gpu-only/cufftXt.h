#pragma cudacpu_without cufftXt cuFFT for several GPUs
