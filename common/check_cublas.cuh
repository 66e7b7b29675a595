// CHECK_CUBLAS(call): cuBLAS's statuses, reported like CHECK's.
#pragma once
#include <cublas_v2.h>
#include "check_library.cuh"

#define CHECK_CUBLAS(call) \
    CHECK_LIBRARY("cuBLAS", call, #call, CUBLAS_STATUS_SUCCESS, cublasGetStatusName)

// cuBLAS has each function once for every type: CUBLAS_REAL(gemm) is the one for real.
#ifdef USE_DP
#define CUBLAS_REAL(function) cublasD##function
#else
#define CUBLAS_REAL(function) cublasS##function
#endif
