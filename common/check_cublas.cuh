// CHECK_CUBLAS(call): cuBLAS's statuses, reported like CHECK's.
#pragma once
#include <cublas_v2.h>
#include "check_library.cuh"

#define CHECK_CUBLAS(call) \
    CHECK_LIBRARY("cuBLAS", call, #call, CUBLAS_STATUS_SUCCESS, cublasGetStatusName)
