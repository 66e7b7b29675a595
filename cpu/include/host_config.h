// Which compilers nvcc takes: nothing that a program needs.
#ifndef CUDACPU_HOST_CONFIG_H
#define CUDACPU_HOST_CONFIG_H
#include "cuda_runtime_api.h"
#endif
