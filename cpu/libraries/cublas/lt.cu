// cuBLASLt: its handle, which many programs create and never use. The products need a GPU.
#include <cublasLt.h>
#include <mutex>
#include "common.cuh"

struct cublasLtContext
{
    cublasLtContext *next;
};

// The handles that are alive.
static std::mutex *lock = new std::mutex; // never destroyed: a program may end in any order
static cublasLtContext *handles;

extern "C" cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    REFUSE(INVALID_VALUE, handle == NULL);
    int devices = 0;
    REFUSE(NOT_INITIALIZED, cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0);
    std::lock_guard<std::mutex> guard(*lock);
    handles = new cublasLtContext{handles};
    *handle = handles;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    std::lock_guard<std::mutex> guard(*lock);
    cublasLtContext **place = &handles;
    while (*place != NULL && *place != handle)
    {
        place = &(*place)->next;
    }
    REFUSE(NOT_INITIALIZED, *place == NULL);
    *place = handle->next;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

extern "C" size_t cublasLtGetCudartVersion(void)
{
    return CUDART_VERSION;
}

extern "C" cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    return cublasGetProperty(type, value);
}

extern "C" const char *cublasLtGetStatusName(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}

extern "C" const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return cublasGetStatusString(status);
}
