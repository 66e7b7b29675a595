// CHECK_CUSOLVER(call): cuSOLVER's statuses, reported like CHECK's.
#pragma once
#include <cusolverDn.h>
#include "../common/check_library.cuh"

#define CHECK_CUSOLVER(call) \
    CHECK_LIBRARY("cuSOLVER", call, #call, CUSOLVER_STATUS_SUCCESS, cusolver_status_name)

// cuSOLVER has each function once for every type: CUSOLVER_REAL(getrf) is the one for real, and
// CUSOLVER_COMPLEX(heevd) the one for ComplexReal, of which a number has two.
#ifdef USE_DP
#define CUSOLVER_REAL(function) cusolverDnD##function
#define CUSOLVER_COMPLEX(function) cusolverDnZ##function
typedef cuDoubleComplex ComplexReal;
#else
#define CUSOLVER_REAL(function) cusolverDnS##function
#define CUSOLVER_COMPLEX(function) cusolverDnC##function
typedef cuComplex ComplexReal;
#endif

static inline const char *cusolver_status_name(cusolverStatus_t status)
{
    switch (status)
    {
        STATUS_NAME(CUSOLVER_STATUS_SUCCESS)
        STATUS_NAME(CUSOLVER_STATUS_NOT_INITIALIZED)
        STATUS_NAME(CUSOLVER_STATUS_ALLOC_FAILED)
        STATUS_NAME(CUSOLVER_STATUS_INVALID_VALUE)
        STATUS_NAME(CUSOLVER_STATUS_ARCH_MISMATCH)
        STATUS_NAME(CUSOLVER_STATUS_MAPPING_ERROR)
        STATUS_NAME(CUSOLVER_STATUS_EXECUTION_FAILED)
        STATUS_NAME(CUSOLVER_STATUS_INTERNAL_ERROR)
        STATUS_NAME(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED)
        STATUS_NAME(CUSOLVER_STATUS_NOT_SUPPORTED)
        STATUS_NAME(CUSOLVER_STATUS_ZERO_PIVOT)
        STATUS_NAME(CUSOLVER_STATUS_INVALID_LICENSE)
        STATUS_NAME(CUSOLVER_STATUS_INVALID_WORKSPACE)
    default:
        return "unknown";
    }
}
