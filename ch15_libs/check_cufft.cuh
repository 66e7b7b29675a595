// CHECK_CUFFT(call): cuFFT's statuses, reported like CHECK's.
//
// Only the codes that CUDA 12 and 13 both have are named: some left in 13, others came.
#pragma once
#include <cufft.h>
#include "../common/check_library.cuh"

#define CHECK_CUFFT(call) CHECK_LIBRARY("cuFFT", call, #call, CUFFT_SUCCESS, cufft_status_name)

static inline const char *cufft_status_name(cufftResult status)
{
    switch (status)
    {
        STATUS_NAME(CUFFT_INVALID_PLAN)
        STATUS_NAME(CUFFT_ALLOC_FAILED)
        STATUS_NAME(CUFFT_INVALID_TYPE)
        STATUS_NAME(CUFFT_INVALID_VALUE)
        STATUS_NAME(CUFFT_INTERNAL_ERROR)
        STATUS_NAME(CUFFT_EXEC_FAILED)
        STATUS_NAME(CUFFT_SETUP_FAILED)
        STATUS_NAME(CUFFT_INVALID_SIZE)
        STATUS_NAME(CUFFT_UNALIGNED_DATA)
        STATUS_NAME(CUFFT_INVALID_DEVICE)
        STATUS_NAME(CUFFT_NO_WORKSPACE)
        STATUS_NAME(CUFFT_NOT_IMPLEMENTED)
        STATUS_NAME(CUFFT_NOT_SUPPORTED)
    default:
        return "unknown";
    }
}
