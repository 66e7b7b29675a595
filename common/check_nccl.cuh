// CHECK_NCCL(call): NCCL's statuses, reported like CHECK's.
#pragma once
#include <nccl.h>
#include "check_library.cuh"

#define CHECK_NCCL(call) CHECK_LIBRARY("NCCL", call, #call, ncclSuccess, nccl_status_name)

static inline const char *nccl_status_name(ncclResult_t status)
{
    switch (status)
    {
        STATUS_NAME(ncclUnhandledCudaError)
        STATUS_NAME(ncclSystemError)
        STATUS_NAME(ncclInternalError)
        STATUS_NAME(ncclInvalidArgument)
        STATUS_NAME(ncclInvalidUsage)
        STATUS_NAME(ncclRemoteError)
        STATUS_NAME(ncclInProgress)
    default:
        return "unknown";
    }
}
