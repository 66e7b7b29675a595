// cuBLASLt's handle. A use of anything else of cuBLASLt is refused: its products need a GPU.
#pragma cudacpu_without cublasLt cuBLASLt
#pragma cudacpu_without CUBLASLT_ cuBLASLt
#ifndef CUDACPU_CUBLASLT_H
#define CUDACPU_CUBLASLT_H
#include "cublas_v2.h"

typedef struct cublasLtContext *cublasLtHandle_t;

#ifdef __cplusplus
extern "C"
{
#endif
    cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
    cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
    size_t cublasLtGetVersion(void);
    size_t cublasLtGetCudartVersion(void);
    cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value);
    const char *cublasLtGetStatusName(cublasStatus_t status);
    const char *cublasLtGetStatusString(cublasStatus_t status);
#ifdef __cplusplus
}
#endif

#endif
