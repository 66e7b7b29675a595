// cuBLAS: handles, their settings, and copies between host and device.
#include <mutex>
#include "common.cuh"

// The handles that are alive.
static std::mutex *lock = new std::mutex; // never destroyed: a program may end in any order
static cublasContext *handles;

namespace cublas
{

bool is_alive(cublasHandle_t handle)
{
    std::lock_guard<std::mutex> guard(*lock);
    const cublasContext *one = handles;
    while (one != NULL && one != handle)
    {
        one = one->next;
    }
    return one != NULL;
}

void *next_scratch(cublasHandle_t handle)
{
    std::lock_guard<std::mutex> guard(*lock);
    handle->turn = (handle->turn + 1) % SCRATCH_SLOTS;
    return handle->scratch + handle->turn * SCRATCH_BYTES;
}

} // namespace cublas

extern "C" cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    REFUSE(INVALID_VALUE, handle == NULL);
    int devices = 0;
    REFUSE(NOT_INITIALIZED, cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0);
    void *scratch = NULL;
    REFUSE(ALLOC_FAILED, cudaMalloc(&scratch, SCRATCH_SLOTS * SCRATCH_BYTES) != cudaSuccess);
    *handle = new cublasContext{};
    (*handle)->emulation.special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
    (*handle)->scratch = (char *)scratch;
    std::lock_guard<std::mutex> guard(*lock);
    (*handle)->next = handles;
    handles = *handle;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    REQUIRE_HANDLE(handle);
    {
        std::lock_guard<std::mutex> guard(*lock);
        cublasContext **place = &handles;
        while (*place != handle)
        {
            place = &(*place)->next;
        }
        *place = handle->next;
    }
    cudaFree(handle->scratch); // waits for the kernels that use it
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, version == NULL);
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    REFUSE(INVALID_VALUE, value == NULL);
    REFUSE(INVALID_VALUE, type != MAJOR_VERSION && type != MINOR_VERSION && type != PATCH_LEVEL);
    *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
             : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                     : CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" size_t cublasGetCudartVersion(void)
{
    return CUDART_VERSION;
}

// The library needs no workspace.
extern "C" cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *, size_t)
{
    REQUIRE_HANDLE(handle);
    return CUBLAS_STATUS_SUCCESS;
}

#define SETTING(name, member, T, is_right)                                     \
    extern "C" cublasStatus_t cublasSet##name(cublasHandle_t handle, T value)  \
    {                                                                          \
        REQUIRE_HANDLE(handle);                                                \
        REFUSE(INVALID_VALUE, !(is_right));                                    \
        handle->member = value;                                                \
        return CUBLAS_STATUS_SUCCESS;                                          \
    }                                                                          \
    extern "C" cublasStatus_t cublasGet##name(cublasHandle_t handle, T *value) \
    {                                                                          \
        REQUIRE_HANDLE(handle);                                                \
        REFUSE(INVALID_VALUE, value == NULL);                                  \
        *value = handle->member;                                               \
        return CUBLAS_STATUS_SUCCESS;                                          \
    }
SETTING(Stream_v2, stream, cudaStream_t, true)
SETTING(PointerMode_v2, pointer_mode, cublasPointerMode_t,
        value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
SETTING(AtomicsMode, atomics_mode, cublasAtomicsMode_t,
        value == CUBLAS_ATOMICS_NOT_ALLOWED || value == CUBLAS_ATOMICS_ALLOWED)
SETTING(MathMode, math_mode, cublasMath_t, (unsigned int)value < 32)
SETTING(SmCountTarget, sm_count_target, int, value >= 0)
SETTING(EmulationStrategy, emulation.strategy, cublasEmulationStrategy_t,
        (unsigned int)value <= CUBLAS_EMULATION_STRATEGY_EAGER)
SETTING(EmulationSpecialValuesSupport, emulation.special_values, cudaEmulationSpecialValuesSupport,
        (unsigned int)value <= CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT)
SETTING(FixedPointEmulationMantissaControl, emulation.mantissa, cudaEmulationMantissaControl,
        (unsigned int)value <= CUDA_EMULATION_MANTISSA_CONTROL_FIXED)
SETTING(FixedPointEmulationMaxMantissaBitCount, emulation.most_bits, int, true)
SETTING(FixedPointEmulationMantissaBitOffset, emulation.bit_offset, int, true)
SETTING(FixedPointEmulationMantissaBitCountPointer, emulation.bit_count, int *, true)

extern "C" const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status)
    {
#define NAME(status)             \
    case CUBLAS_STATUS_##status: \
        return "CUBLAS_STATUS_" #status;
        NAME(SUCCESS)
        NAME(NOT_INITIALIZED)
        NAME(ALLOC_FAILED)
        NAME(INVALID_VALUE)
        NAME(ARCH_MISMATCH)
        NAME(MAPPING_ERROR)
        NAME(EXECUTION_FAILED)
        NAME(INTERNAL_ERROR)
        NAME(NOT_SUPPORTED)
        NAME(LICENSE_ERROR)
#undef NAME
    }
    return "CUBLAS_STATUS_UNKNOWN";
}

extern "C" const char *cublasGetStatusString(cublasStatus_t status)
{
    switch (status)
    {
    case CUBLAS_STATUS_SUCCESS:
        return "the operation has succeeded";
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "the handle is none, or the library could not be initialized";
    case CUBLAS_STATUS_ALLOC_FAILED:
        return "memory could not be allocated";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "an argument is not valid";
    case CUBLAS_STATUS_MAPPING_ERROR:
        return "a copy between host and device has failed";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return "a kernel could not be launched, or has failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
        return "this combination of arguments is not supported";
    default:
        return cublasGetStatusName(status);
    }
}

extern "C" cublasStatus_t cublasMigrateComputeType(cublasHandle_t, cudaDataType type,
                                                   cublasComputeType_t *compute)
{
    switch (type)
    {
    case CUDA_R_32F:
    case CUDA_C_32F:
        *compute = CUBLAS_COMPUTE_32F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_64F:
    case CUDA_C_64F:
        *compute = CUBLAS_COMPUTE_64F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_16F:
        *compute = CUBLAS_COMPUTE_16F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32I:
        *compute = CUBLAS_COMPUTE_32I;
        return CUBLAS_STATUS_SUCCESS;
    default:
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

// ---- Copies ----

// An increment of a vector is a pitch of a matrix of one row.
static cublasStatus_t copy(int64_t width, int64_t height, const void *from, int64_t pitch_from,
                           void *to, int64_t pitch_to, cudaMemcpyKind kind, bool is_async,
                           cudaStream_t stream)
{
    REFUSE(SUCCESS, width == 0 || height == 0);
    REFUSE(INVALID_VALUE, from == NULL || to == NULL);
    const bool is_whole = pitch_from == width && pitch_to == width;
    cudaError_t error;
    if (is_async)
    {
        error = is_whole ? cudaMemcpyAsync(to, from, width * height, kind, stream)
                         : cudaMemcpy2DAsync(to, pitch_to, from, pitch_from, width, height, kind,
                                             stream);
    }
    else
    {
        error = is_whole ? cudaMemcpy(to, from, width * height, kind)
                         : cudaMemcpy2D(to, pitch_to, from, pitch_from, width, height, kind);
    }
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_vector(int64_t n, int64_t bytes, const void *x, int64_t incx, void *y,
                                  int64_t incy, cudaMemcpyKind kind, bool is_async,
                                  cudaStream_t stream)
{
    REFUSE(INVALID_VALUE, n < 0 || bytes <= 0 || incx <= 0 || incy <= 0);
    return copy(bytes, n, x, incx * bytes, y, incy * bytes, kind, is_async, stream);
}

static cublasStatus_t copy_matrix(int64_t rows, int64_t columns, int64_t bytes, const void *A,
                                  int64_t lda, void *B, int64_t ldb, cudaMemcpyKind kind,
                                  bool is_async, cudaStream_t stream)
{
    REFUSE(INVALID_VALUE, rows < 0 || columns < 0 || bytes <= 0 || lda <= 0 || ldb <= 0);
    REFUSE(INVALID_VALUE, lda < rows || ldb < rows);
    return copy(rows * bytes, columns, A, lda * bytes, B, ldb * bytes, kind, is_async, stream);
}

#define COPIES(I, E)                                                                               \
    extern "C" cublasStatus_t cublasSetVector##E(I n, I bytes, const void *x, I incx, void *y,     \
                                                 I incy)                                           \
    {                                                                                              \
        return copy_vector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, false, NULL);       \
    }                                                                                              \
    extern "C" cublasStatus_t cublasGetVector##E(I n, I bytes, const void *x, I incx, void *y,     \
                                                 I incy)                                           \
    {                                                                                              \
        return copy_vector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, false, NULL);       \
    }                                                                                              \
    extern "C" cublasStatus_t cublasSetMatrix##E(I rows, I columns, I bytes, const void *A, I lda, \
                                                 void *B, I ldb)                                   \
    {                                                                                              \
        return copy_matrix(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyHostToDevice, false,    \
                           NULL);                                                                  \
    }                                                                                              \
    extern "C" cublasStatus_t cublasGetMatrix##E(I rows, I columns, I bytes, const void *A, I lda, \
                                                 void *B, I ldb)                                   \
    {                                                                                              \
        return copy_matrix(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyDeviceToHost, false,    \
                           NULL);                                                                  \
    }                                                                                              \
    extern "C" cublasStatus_t cublasSetVectorAsync##E(I n, I bytes, const void *x, I incx,         \
                                                      void *y, I incy, cudaStream_t stream)        \
    {                                                                                              \
        return copy_vector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, true, stream);      \
    }                                                                                              \
    extern "C" cublasStatus_t cublasGetVectorAsync##E(I n, I bytes, const void *x, I incx,         \
                                                      void *y, I incy, cudaStream_t stream)        \
    {                                                                                              \
        return copy_vector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, true, stream);      \
    }                                                                                              \
    extern "C" cublasStatus_t cublasSetMatrixAsync##E(I rows, I columns, I bytes, const void *A,   \
                                                      I lda, void *B, I ldb, cudaStream_t stream)  \
    {                                                                                              \
        return copy_matrix(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyHostToDevice, true,     \
                           stream);                                                                \
    }                                                                                              \
    extern "C" cublasStatus_t cublasGetMatrixAsync##E(I rows, I columns, I bytes, const void *A,   \
                                                      I lda, void *B, I ldb, cudaStream_t stream)  \
    {                                                                                              \
        return copy_matrix(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyDeviceToHost, true,     \
                           stream);                                                                \
    }
COPIES(int, )
COPIES(int64_t, _64)
