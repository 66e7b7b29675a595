// Handles, streams, versions, and the parameters of Jacobi's method.
#include <stdlib.h>
#include <mutex>
#include "context.cuh"

// The memory of a handle is never given back, so that a handle that has been destroyed is known for
// one. The next handle takes it over.
static std::mutex lock;
static cusolverDnContext *unused;

extern "C" cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    if (handle == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    const std::lock_guard<std::mutex> guard(lock);
    cusolverDnContext *context = unused;
    if (context != NULL)
    {
        unused = context->next;
    }
    else
    {
        context = (cusolverDnContext *)malloc(sizeof(*context));
    }
    if (context == NULL)
    {
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *context = {true,
                NULL,
                CUSOLVER_DETERMINISTIC_RESULTS,
                CUSOLVER_DEFAULT_MATH,
                CUDA_EMULATION_STRATEGY_DEFAULT,
                NULL};
    *handle = context;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    const std::lock_guard<std::mutex> guard(lock);
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    handle->alive = false;
    handle->next = unused;
    unused = handle;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    if (stream == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

// A value that a program sets and may ask for.
#define SETTING(name, member, T)                                                         \
    extern "C" cusolverStatus_t cusolverDnSet##name(cusolverDnHandle_t handle, T value)  \
    {                                                                                    \
        if (!is_alive(handle))                                                           \
        {                                                                                \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                      \
        }                                                                                \
        handle->member = value;                                                          \
        return CUSOLVER_STATUS_SUCCESS;                                                  \
    }                                                                                    \
    extern "C" cusolverStatus_t cusolverDnGet##name(cusolverDnHandle_t handle, T *value) \
    {                                                                                    \
        if (!is_alive(handle))                                                           \
        {                                                                                \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                      \
        }                                                                                \
        if (value == NULL)                                                               \
        {                                                                                \
            return CUSOLVER_STATUS_INVALID_VALUE;                                        \
        }                                                                                \
        *value = handle->member;                                                         \
        return CUSOLVER_STATUS_SUCCESS;                                                  \
    }
// Every function here gives the same bits each time, so the mode changes nothing.
SETTING(DeterministicMode, mode, cusolverDeterministicMode_t)
SETTING(MathMode, math_mode, cusolverMathMode_t)
SETTING(EmulationStrategy, emulation, cudaEmulationStrategy_t)
#undef SETTING

extern "C" cusolverStatus_t cusolverGetVersion(int *version)
{
    if (version == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
{
    if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    *value = type == MAJOR_VERSION   ? CUSOLVER_VER_MAJOR
             : type == MINOR_VERSION ? CUSOLVER_VER_MINOR
                                     : CUSOLVER_VER_PATCH;
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- Parameters of Jacobi's method ----

extern "C" cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info)
{
    if (info == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    syevjInfo *made = (syevjInfo *)malloc(sizeof(*made));
    JacobiReport *report = NULL;
    if (made == NULL || cudaMallocHost((void **)&report, sizeof(*report)) != cudaSuccess)
    {
        cudaGetLastError();
        free(made);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *report = {0.0, 0};
    *made = {0.0, 100, true, false, report};
    *info = made;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info)
{
    if (info != NULL)
    {
        cudaFreeHost(info->report); // after the kernels that write it
        free(info);
    }
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance)
{
    if (info == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    info->tolerance = tolerance;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps)
{
    if (info == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    info->max_sweeps = max_sweeps;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig)
{
    if (info == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    info->sorts = sort_eig != 0;
    return CUSOLVER_STATUS_SUCCESS;
}

// Both wait for the handle's stream, because a kernel writes the report.
static cusolverStatus_t read_report(cusolverDnHandle_t handle, syevjInfo_t info,
                                    JacobiReport *report)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    if (info == NULL)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    if (info->was_batched)
    {
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    {
        return CUSOLVER_STATUS_INTERNAL_ERROR;
    }
    *report = *info->report;
    return CUSOLVER_STATUS_SUCCESS;
}

extern "C" cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info,
                                                        double *residual)
{
    JacobiReport report;
    const cusolverStatus_t status = read_report(handle, info, &report);
    if (status == CUSOLVER_STATUS_SUCCESS)
    {
        *residual = report.residual;
    }
    return status;
}

extern "C" cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info,
                                                      int *executed_sweeps)
{
    JacobiReport report;
    const cusolverStatus_t status = read_report(handle, info, &report);
    if (status == CUSOLVER_STATUS_SUCCESS)
    {
        *executed_sweeps = report.sweeps;
    }
    return status;
}
