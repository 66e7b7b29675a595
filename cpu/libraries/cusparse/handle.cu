// The handle of cuSPARSE, its stream and its pointer mode; the names of the statuses.
#include <mutex>
#include <set>
#include "objects.cuh"

namespace cusparse
{
static std::mutex &mutex(void)
{
    static std::mutex *const kept = new std::mutex; // never destroyed: exit handlers may call us
    return *kept;
}

static std::set<const void *> &objects(void)
{
    static std::set<const void *> *const kept = new std::set<const void *>;
    return *kept;
}

void note(const void *object)
{
    const std::lock_guard<std::mutex> lock(mutex());
    objects().insert(object);
}

bool forget(const void *object)
{
    const std::lock_guard<std::mutex> lock(mutex());
    return objects().erase(object) > 0;
}

bool exists(const void *object)
{
    const std::lock_guard<std::mutex> lock(mutex());
    return objects().count(object) > 0;
}
} // namespace cusparse

using namespace cusparse;

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    if (handle == NULL)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
    {
        cudaGetLastError();
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    }
    *handle = new cusparseContext{NULL, CUSPARSE_POINTER_MODE_HOST};
    note(*handle);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    if (handle == NULL)
    {
        return CUSPARSE_STATUS_SUCCESS;
    }
    if (!forget(handle))
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    delete handle;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    if (!exists(handle) || version == NULL)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    *value = type == MAJOR_VERSION   ? CUSPARSE_VER_MAJOR
             : type == MINOR_VERSION ? CUSPARSE_VER_MINOR
                                     : CUSPARSE_VER_PATCH;
    return CUSPARSE_STATUS_SUCCESS;
}

static const struct
{
    const char *name, *text;
} STATUSES[] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "texture memory mapping error"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};
const int NUM_STATUSES = sizeof(STATUSES) / sizeof(STATUSES[0]);

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return (unsigned)status < NUM_STATUSES ? STATUSES[status].name : "unrecognized error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return (unsigned)status < NUM_STATUSES ? STATUSES[status].text : "unrecognized error code";
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    if (!exists(handle))
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
    if (!exists(handle) || stream == NULL)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    *stream = handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    if (!exists(handle) ||
        (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE))
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    handle->pointer_mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    if (!exists(handle) || mode == NULL)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    *mode = handle->pointer_mode;
    return CUSPARSE_STATUS_SUCCESS;
}
