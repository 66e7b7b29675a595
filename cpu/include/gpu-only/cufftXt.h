// The header may be included; what it adds to cufft.h is refused where it is used.
#pragma cudacpu_without cufftXt cuFFT for several GPUs
#pragma cudacpu_without cufftCallback a callback of cuFFT
#pragma cudacpu_without CUFFT_CB_ a callback of cuFFT
#pragma cudacpu_without CUFFT_XT_ cuFFT for several GPUs
#pragma cudacpu_without CUFFT_COPY_ cuFFT for several GPUs
#pragma cudacpu_without cudaLibXt cuFFT for several GPUs
#pragma cudacpu_without cudaXt cuFFT for several GPUs
#include "cufft.h"
