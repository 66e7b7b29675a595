// CHECK_CUSPARSE(call): cuSPARSE's statuses, reported like CHECK's.
#pragma once
#include <cusparse.h>
#include "../common/check_library.cuh"

#define CHECK_CUSPARSE(call) \
    CHECK_LIBRARY("cuSPARSE", call, #call, CUSPARSE_STATUS_SUCCESS, cusparseGetErrorName)

// Lets a product look at its matrix once, so that later ones may be faster. It came with CUDA 12.4.
static inline cusparseStatus_t preprocess_spmv(cusparseHandle_t handle, cusparseOperation_t op,
                                               const void *alpha, cusparseSpMatDescr_t A,
                                               cusparseDnVecDescr_t x, const void *beta,
                                               cusparseDnVecDescr_t y, cudaDataType type,
                                               cusparseSpMVAlg_t algorithm, void *buffer)
{
#if CUSPARSE_VERSION >= 12300
    return cusparseSpMV_preprocess(handle, op, alpha, A, x, beta, y, type, algorithm, buffer);
#else
    (void)handle, (void)op, (void)alpha, (void)A, (void)x, (void)beta, (void)y, (void)type,
        (void)algorithm, (void)buffer;
    return CUSPARSE_STATUS_SUCCESS;
#endif
}
