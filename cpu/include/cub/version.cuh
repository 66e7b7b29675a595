// The version of CUB whose calls these headers have: that of CUDA 13.0, and what 12.0 called alike.
#ifndef CUDACPU_CUB_VERSION_CUH
#define CUDACPU_CUB_VERSION_CUH
#define CUB_VERSION 300001
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER 0
#endif
