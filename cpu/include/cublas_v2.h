// cuBLAS for the CPU backend: the library's types, constants and functions.
//
// libraries/cublas/ has the functions of the first list below. The others are declared only, so
// that the linker names the one that a program misses.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ // as in the toolkit: other headers ask for these two names
#define CUBLASAPI
#define CUBLASWINAPI
#include <stddef.h>
#include <stdint.h>
#include "cuComplex.h"
#include "driver_types.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum
{
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum
{
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;

typedef enum
{
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;

typedef enum
{
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_SIDE_RIGHT = 1
} cublasSideMode_t;

typedef enum
{
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;

typedef enum
{
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

typedef enum
{
    CUBLAS_ATOMICS_NOT_ALLOWED = 0,
    CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;

typedef enum
{
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5,
    CUBLAS_GEMM_ALGO6,
    CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_ALGO8,
    CUBLAS_GEMM_ALGO9,
    CUBLAS_GEMM_ALGO10,
    CUBLAS_GEMM_ALGO11,
    CUBLAS_GEMM_ALGO12,
    CUBLAS_GEMM_ALGO13,
    CUBLAS_GEMM_ALGO14,
    CUBLAS_GEMM_ALGO15,
    CUBLAS_GEMM_ALGO16,
    CUBLAS_GEMM_ALGO17,
    CUBLAS_GEMM_ALGO18,
    CUBLAS_GEMM_ALGO19,
    CUBLAS_GEMM_ALGO20,
    CUBLAS_GEMM_ALGO21,
    CUBLAS_GEMM_ALGO22,
    CUBLAS_GEMM_ALGO23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP,
    CUBLAS_GEMM_ALGO2_TENSOR_OP,
    CUBLAS_GEMM_ALGO3_TENSOR_OP,
    CUBLAS_GEMM_ALGO4_TENSOR_OP,
    CUBLAS_GEMM_ALGO5_TENSOR_OP,
    CUBLAS_GEMM_ALGO6_TENSOR_OP,
    CUBLAS_GEMM_ALGO7_TENSOR_OP,
    CUBLAS_GEMM_ALGO8_TENSOR_OP,
    CUBLAS_GEMM_ALGO9_TENSOR_OP,
    CUBLAS_GEMM_ALGO10_TENSOR_OP,
    CUBLAS_GEMM_ALGO11_TENSOR_OP,
    CUBLAS_GEMM_ALGO12_TENSOR_OP,
    CUBLAS_GEMM_ALGO13_TENSOR_OP,
    CUBLAS_GEMM_ALGO14_TENSOR_OP,
    CUBLAS_GEMM_ALGO15_TENSOR_OP,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

typedef enum
{
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum
{
    CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
    CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
    CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

typedef enum
{
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *message);

// Short forms for the declarations; they are undefined at the end.
#define CUBLAS_OPS cublasOperation_t, cublasOperation_t
// What describes a triangular matrix.
#define CUBLAS_TRIANGLE cublasFillMode_t, cublasOperation_t, cublasDiagType_t

#ifdef __cplusplus
extern "C"
{
#endif

    // ---- What there is: handles ----

    cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
    cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
    cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
    cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
    size_t cublasGetCudartVersion(void);
    cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
    cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
    cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
    cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
    cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
    cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
    cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
    cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
    cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
    cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
    cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count);
    // How floats and doubles may be emulated: kept, without effect.
    cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                              cublasEmulationStrategy_t strategy);
    cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                              cublasEmulationStrategy_t *strategy);
    cublasStatus_t cublasSetEmulationSpecialValuesSupport(cublasHandle_t handle,
                                                          cudaEmulationSpecialValuesSupport mask);
    cublasStatus_t cublasGetEmulationSpecialValuesSupport(cublasHandle_t handle,
                                                          cudaEmulationSpecialValuesSupport *mask);
    cublasStatus_t
    cublasSetFixedPointEmulationMantissaControl(cublasHandle_t handle,
                                                cudaEmulationMantissaControl control);
    cublasStatus_t
    cublasGetFixedPointEmulationMantissaControl(cublasHandle_t handle,
                                                cudaEmulationMantissaControl *control);
    cublasStatus_t cublasSetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int bits);
    cublasStatus_t cublasGetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle,
                                                                   int *bits);
    cublasStatus_t cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int offset);
    cublasStatus_t cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle,
                                                                 int *offset);
    cublasStatus_t cublasSetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle,
                                                                       int *count);
    cublasStatus_t cublasGetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle,
                                                                       int **count);
    const char *cublasGetStatusName(cublasStatus_t status);
    const char *cublasGetStatusString(cublasStatus_t status);
    cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType type,
                                            cublasComputeType_t *compute);

// ---- What there is: copies, and levels 1 to 3 ----

// I is the type of sizes and increments; E ends the names: nothing for int, _64 for int64_t.
#define CUBLAS_COPIES(I, E)                                                                        \
    cublasStatus_t cublasSetVector##E(I n, I bytes, const void *x, I incx, void *d_y, I incy);     \
    cublasStatus_t cublasGetVector##E(I n, I bytes, const void *d_x, I incx, void *y, I incy);     \
    cublasStatus_t cublasSetMatrix##E(I rows, I columns, I bytes, const void *A, I lda, void *d_B, \
                                      I ldb);                                                      \
    cublasStatus_t cublasGetMatrix##E(I rows, I columns, I bytes, const void *d_A, I lda, void *B, \
                                      I ldb);                                                      \
    cublasStatus_t cublasSetVectorAsync##E(I n, I bytes, const void *x, I incx, void *d_y, I incy, \
                                           cudaStream_t stream);                                   \
    cublasStatus_t cublasGetVectorAsync##E(I n, I bytes, const void *d_x, I incx, void *y, I incy, \
                                           cudaStream_t stream);                                   \
    cublasStatus_t cublasSetMatrixAsync##E(I rows, I columns, I bytes, const void *A, I lda,       \
                                           void *d_B, I ldb, cudaStream_t stream);                 \
    cublasStatus_t cublasGetMatrixAsync##E(I rows, I columns, I bytes, const void *d_A, I lda,     \
                                           void *B, I ldb, cudaStream_t stream);
    CUBLAS_COPIES(int, )
    CUBLAS_COPIES(int64_t, _64)

// X is the letter of the type T.
#define CUBLAS_FOR_EACH_TYPE(X, T, I, E)                                                          \
    cublasStatus_t cublas##X##axpy_v2##E(cublasHandle_t, I n, const T *alpha, const T *x, I incx, \
                                         T *y, I incy);                                           \
    cublasStatus_t cublas##X##scal_v2##E(cublasHandle_t, I n, const T *alpha, T *x, I incx);      \
    cublasStatus_t cublas##X##copy_v2##E(cublasHandle_t, I n, const T *x, I incx, T *y, I incy);  \
    cublasStatus_t cublas##X##swap_v2##E(cublasHandle_t, I n, T *x, I incx, T *y, I incy);        \
    cublasStatus_t cublas##X##gemv_v2##E(cublasHandle_t, cublasOperation_t, I m, I n,             \
                                         const T *alpha, const T *A, I lda, const T *x, I incx,   \
                                         const T *beta, T *y, I incy);                            \
    cublasStatus_t cublas##X##gemm_v2##E(cublasHandle_t, CUBLAS_OPS, I m, I n, I k,               \
                                         const T *alpha, const T *A, I lda, const T *B, I ldb,    \
                                         const T *beta, T *C, I ldc);                             \
    cublasStatus_t cublas##X##gemmBatched##E(                                                     \
        cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const T *alpha, const T *const A[], I lda,     \
        const T *const B[], I ldb, const T *beta, T *const C[], I ldc, I count);                  \
    cublasStatus_t cublas##X##gemmStridedBatched##E(                                              \
        cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const T *alpha, const T *A, I lda,             \
        long long int strideA, const T *B, I ldb, long long int strideB, const T *beta, T *C,     \
        I ldc, long long int strideC, I count);                                                   \
    cublasStatus_t cublas##X##geam##E(cublasHandle_t, CUBLAS_OPS, I m, I n, const T *alpha,       \
                                      const T *A, I lda, const T *beta, const T *B, I ldb, T *C,  \
                                      I ldc);                                                     \
    cublasStatus_t cublas##X##trsm_v2##E(cublasHandle_t, cublasSideMode_t, CUBLAS_TRIANGLE, I m,  \
                                         I n, const T *alpha, const T *A, I lda, T *B, I ldb);
// Names with a letter of their own for each type. R is the real type, I##X begins amax.
#define CUBLAS_SUMS(X, RX, T, R, I, E)                                                         \
    cublasStatus_t cublas##RX##nrm2_v2##E(cublasHandle_t, I n, const T *x, I incx, R *result); \
    cublasStatus_t cublas##RX##asum_v2##E(cublasHandle_t, I n, const T *x, I incx, R *result); \
    cublasStatus_t cublasI##X##amax_v2##E(cublasHandle_t, I n, const T *x, I incx, I *result); \
    cublasStatus_t cublasI##X##amin_v2##E(cublasHandle_t, I n, const T *x, I incx, I *result);
#define CUBLAS_DOT(name, T, I, E)                                                            \
    cublasStatus_t cublas##name##_v2##E(cublasHandle_t, I n, const T *x, I incx, const T *y, \
                                        I incy, T *result);
#define CUBLAS_SCALE_BY_REAL(name, T, R, I, E) \
    cublasStatus_t cublas##name##_v2##E(cublasHandle_t, I n, const R *alpha, T *x, I incx);
#define CUBLAS_ROTATION(name, T, R, SINE, I, E)                                          \
    cublasStatus_t cublas##name##_v2##E(cublasHandle_t, I n, T *x, I incx, T *y, I incy, \
                                        const R *c, const SINE *s);
#define CUBLAS_GER(name, T, I, E)                                                             \
    cublasStatus_t cublas##name##_v2##E(cublasHandle_t, I m, I n, const T *alpha, const T *x, \
                                        I incx, const T *y, I incy, T *A, I lda);
#define CUBLAS_ALL(I, E)                                                                         \
    CUBLAS_FOR_EACH_TYPE(S, float, I, E)                                                         \
    CUBLAS_FOR_EACH_TYPE(D, double, I, E)                                                        \
    CUBLAS_FOR_EACH_TYPE(C, cuComplex, I, E)                                                     \
    CUBLAS_FOR_EACH_TYPE(Z, cuDoubleComplex, I, E)                                               \
    CUBLAS_SUMS(s, S, float, float, I, E)                                                        \
    CUBLAS_SUMS(d, D, double, double, I, E)                                                      \
    CUBLAS_SUMS(c, Sc, cuComplex, float, I, E)                                                   \
    CUBLAS_SUMS(z, Dz, cuDoubleComplex, double, I, E)                                            \
    CUBLAS_DOT(Sdot, float, I, E)                                                                \
    CUBLAS_DOT(Ddot, double, I, E)                                                               \
    CUBLAS_DOT(Cdotu, cuComplex, I, E)                                                           \
    CUBLAS_DOT(Cdotc, cuComplex, I, E)                                                           \
    CUBLAS_DOT(Zdotu, cuDoubleComplex, I, E)                                                     \
    CUBLAS_DOT(Zdotc, cuDoubleComplex, I, E)                                                     \
    CUBLAS_SCALE_BY_REAL(Csscal, cuComplex, float, I, E)                                         \
    CUBLAS_SCALE_BY_REAL(Zdscal, cuDoubleComplex, double, I, E)                                  \
    CUBLAS_ROTATION(Srot, float, float, float, I, E)                                             \
    CUBLAS_ROTATION(Drot, double, double, double, I, E)                                          \
    CUBLAS_ROTATION(Crot, cuComplex, float, cuComplex, I, E)                                     \
    CUBLAS_ROTATION(Csrot, cuComplex, float, float, I, E)                                        \
    CUBLAS_ROTATION(Zrot, cuDoubleComplex, double, cuDoubleComplex, I, E)                        \
    CUBLAS_ROTATION(Zdrot, cuDoubleComplex, double, double, I, E)                                \
    CUBLAS_GER(Sger, float, I, E)                                                                \
    CUBLAS_GER(Dger, double, I, E)                                                               \
    CUBLAS_GER(Cgeru, cuComplex, I, E)                                                           \
    CUBLAS_GER(Cgerc, cuComplex, I, E)                                                           \
    CUBLAS_GER(Zgeru, cuDoubleComplex, I, E)                                                     \
    CUBLAS_GER(Zgerc, cuDoubleComplex, I, E)                                                     \
    cublasStatus_t cublasGemmEx##E(cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const void *alpha, \
                                   const void *A, cudaDataType typeA, I lda, const void *B,      \
                                   cudaDataType typeB, I ldb, const void *beta, void *C,         \
                                   cudaDataType typeC, I ldc, cublasComputeType_t compute,       \
                                   cublasGemmAlgo_t algorithm);
    CUBLAS_ALL(int, )
    CUBLAS_ALL(int64_t, _64)

    // ---- What there is not: only declared ----

#define CUBLAS_MISSING(X, T, I, E)                                                                 \
    cublasStatus_t cublas##X##gbmv_v2##E(cublasHandle_t, cublasOperation_t, I m, I n, I kl, I ku,  \
                                         const T *alpha, const T *A, I lda, const T *x, I incx,    \
                                         const T *beta, T *y, I incy);                             \
    cublasStatus_t cublas##X##trmv_v2##E(cublasHandle_t, CUBLAS_TRIANGLE, I n, const T *A, I lda,  \
                                         T *x, I incx);                                            \
    cublasStatus_t cublas##X##trsv_v2##E(cublasHandle_t, CUBLAS_TRIANGLE, I n, const T *A, I lda,  \
                                         T *x, I incx);                                            \
    cublasStatus_t cublas##X##tbmv_v2##E(cublasHandle_t, CUBLAS_TRIANGLE, I n, I k, const T *A,    \
                                         I lda, T *x, I incx);                                     \
    cublasStatus_t cublas##X##tbsv_v2##E(cublasHandle_t, CUBLAS_TRIANGLE, I n, I k, const T *A,    \
                                         I lda, T *x, I incx);                                     \
    cublasStatus_t cublas##X##tpmv_v2##E(cublasHandle_t, CUBLAS_TRIANGLE, I n, const T *A, T *x,   \
                                         I incx);                                                  \
    cublasStatus_t cublas##X##tpsv_v2##E(cublasHandle_t, CUBLAS_TRIANGLE, I n, const T *A, T *x,   \
                                         I incx);                                                  \
    cublasStatus_t cublas##X##symv_v2##E(cublasHandle_t, cublasFillMode_t, I n, const T *alpha,    \
                                         const T *A, I lda, const T *x, I incx, const T *beta,     \
                                         T *y, I incy);                                            \
    cublasStatus_t cublas##X##syr_v2##E(cublasHandle_t, cublasFillMode_t, I n, const T *alpha,     \
                                        const T *x, I incx, T *A, I lda);                          \
    cublasStatus_t cublas##X##syr2_v2##E(cublasHandle_t, cublasFillMode_t, I n, const T *alpha,    \
                                         const T *x, I incx, const T *y, I incy, T *A, I lda);     \
    cublasStatus_t cublas##X##symm_v2##E(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, I m,  \
                                         I n, const T *alpha, const T *A, I lda, const T *B,       \
                                         I ldb, const T *beta, T *C, I ldc);                       \
    cublasStatus_t cublas##X##syrk_v2##E(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I n, \
                                         I k, const T *alpha, const T *A, I lda, const T *beta,    \
                                         T *C, I ldc);                                             \
    cublasStatus_t cublas##X##syr2k_v2##E(cublasHandle_t, cublasFillMode_t, cublasOperation_t,     \
                                          I n, I k, const T *alpha, const T *A, I lda, const T *B, \
                                          I ldb, const T *beta, T *C, I ldc);                      \
    cublasStatus_t cublas##X##syrkx##E(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I n,   \
                                       I k, const T *alpha, const T *A, I lda, const T *B, I ldb,  \
                                       const T *beta, T *C, I ldc);                                \
    cublasStatus_t cublas##X##trmm_v2##E(cublasHandle_t, cublasSideMode_t, CUBLAS_TRIANGLE, I m,   \
                                         I n, const T *alpha, const T *A, I lda, const T *B,       \
                                         I ldb, T *C, I ldc);                                      \
    cublasStatus_t cublas##X##dgmm##E(cublasHandle_t, cublasSideMode_t, I m, I n, const T *A,      \
                                      I lda, const T *x, I incx, T *C, I ldc);                     \
    cublasStatus_t cublas##X##trsmBatched##E(cublasHandle_t, cublasSideMode_t, CUBLAS_TRIANGLE,    \
                                             I m, I n, const T *alpha, const T *const A[], I lda,  \
                                             T *const B[], I ldb, I count);                        \
    cublasStatus_t cublas##X##gemvBatched##E(                                                      \
        cublasHandle_t, cublasOperation_t, I m, I n, const T *alpha, const T *const A[], I lda,    \
        const T *const x[], I incx, const T *beta, T *const y[], I incy, I count);                 \
    cublasStatus_t cublas##X##gemvStridedBatched##E(                                               \
        cublasHandle_t, cublasOperation_t, I m, I n, const T *alpha, const T *A, I lda,            \
        long long int strideA, const T *x, I incx, long long int stridex, const T *beta, T *y,     \
        I incy, long long int stridey, I count);
#define CUBLAS_MISSING_HERMITIAN(X, T, R, I, E)                                                    \
    cublasStatus_t cublas##X##hemv_v2##E(cublasHandle_t, cublasFillMode_t, I n, const T *alpha,    \
                                         const T *A, I lda, const T *x, I incx, const T *beta,     \
                                         T *y, I incy);                                            \
    cublasStatus_t cublas##X##her_v2##E(cublasHandle_t, cublasFillMode_t, I n, const R *alpha,     \
                                        const T *x, I incx, T *A, I lda);                          \
    cublasStatus_t cublas##X##her2_v2##E(cublasHandle_t, cublasFillMode_t, I n, const T *alpha,    \
                                         const T *x, I incx, const T *y, I incy, T *A, I lda);     \
    cublasStatus_t cublas##X##hemm_v2##E(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, I m,  \
                                         I n, const T *alpha, const T *A, I lda, const T *B,       \
                                         I ldb, const T *beta, T *C, I ldc);                       \
    cublasStatus_t cublas##X##herk_v2##E(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I n, \
                                         I k, const R *alpha, const T *A, I lda, const R *beta,    \
                                         T *C, I ldc);                                             \
    cublasStatus_t cublas##X##her2k_v2##E(cublasHandle_t, cublasFillMode_t, cublasOperation_t,     \
                                          I n, I k, const T *alpha, const T *A, I lda, const T *B, \
                                          I ldb, const R *beta, T *C, I ldc);                      \
    cublasStatus_t cublas##X##gemm3m##E(cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const T *alpha, \
                                        const T *A, I lda, const T *B, I ldb, const T *beta, T *C, \
                                        I ldc);
#define CUBLAS_ALL_MISSING(I, E)                                                                   \
    CUBLAS_MISSING(S, float, I, E)                                                                 \
    CUBLAS_MISSING(D, double, I, E)                                                                \
    CUBLAS_MISSING(C, cuComplex, I, E)                                                             \
    CUBLAS_MISSING(Z, cuDoubleComplex, I, E)                                                       \
    CUBLAS_MISSING_HERMITIAN(C, cuComplex, float, I, E)                                            \
    CUBLAS_MISSING_HERMITIAN(Z, cuDoubleComplex, double, I, E)                                     \
    cublasStatus_t cublasSrotm_v2##E(cublasHandle_t, I n, float *x, I incx, float *y, I incy,      \
                                     const float *parameters);                                     \
    cublasStatus_t cublasDrotm_v2##E(cublasHandle_t, I n, double *x, I incx, double *y, I incy,    \
                                     const double *parameters);                                    \
    cublasStatus_t cublasSgemmEx##E(cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const float *alpha, \
                                    const void *A, cudaDataType typeA, I lda, const void *B,       \
                                    cudaDataType typeB, I ldb, const float *beta, void *C,         \
                                    cudaDataType typeC, I ldc);                                    \
    cublasStatus_t cublasGemmBatchedEx##E(                                                         \
        cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const void *alpha, const void *const A[],       \
        cudaDataType typeA, I lda, const void *const B[], cudaDataType typeB, I ldb,               \
        const void *beta, void *const C[], cudaDataType typeC, I ldc, I count,                     \
        cublasComputeType_t compute, cublasGemmAlgo_t algorithm);                                  \
    cublasStatus_t cublasGemmStridedBatchedEx##E(                                                  \
        cublasHandle_t, CUBLAS_OPS, I m, I n, I k, const void *alpha, const void *A,               \
        cudaDataType typeA, I lda, long long int strideA, const void *B, cudaDataType typeB,       \
        I ldb, long long int strideB, const void *beta, void *C, cudaDataType typeC, I ldc,        \
        long long int strideC, I count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
    CUBLAS_ALL_MISSING(int, )
    CUBLAS_ALL_MISSING(int64_t, _64)

#define CUBLAS_MISSING_BATCHES(X, T, R)                                                           \
    cublasStatus_t cublas##X##getrfBatched(cublasHandle_t, int n, T *const A[], int lda,          \
                                           int *pivots, int *info, int count);                    \
    cublasStatus_t cublas##X##getriBatched(cublasHandle_t, int n, const T *const A[], int lda,    \
                                           const int *pivots, T *const C[], int ldc, int *info,   \
                                           int count);                                            \
    cublasStatus_t cublas##X##getrsBatched(cublasHandle_t, cublasOperation_t, int n, int columns, \
                                           const T *const A[], int lda, const int *pivots,        \
                                           T *const B[], int ldb, int *info, int count);          \
    cublasStatus_t cublas##X##matinvBatched(cublasHandle_t, int n, const T *const A[], int lda,   \
                                            T *const inverses[], int ld_inverse, int *info,       \
                                            int count);                                           \
    cublasStatus_t cublas##X##geqrfBatched(cublasHandle_t, int m, int n, T *const A[], int lda,   \
                                           T *const tau[], int *info, int count);                 \
    cublasStatus_t cublas##X##rotg_v2(cublasHandle_t, T *a, T *b, R *c, T *s);
    CUBLAS_MISSING_BATCHES(S, float, float)
    CUBLAS_MISSING_BATCHES(D, double, double)
    CUBLAS_MISSING_BATCHES(C, cuComplex, float)
    CUBLAS_MISSING_BATCHES(Z, cuDoubleComplex, double)
    cublasStatus_t cublasSrotmg_v2(cublasHandle_t, float *d1, float *d2, float *x1, const float *y1,
                                   float *param);
    cublasStatus_t cublasDrotmg_v2(cublasHandle_t, double *d1, double *d2, double *x1,
                                   const double *y1, double *param);
    cublasStatus_t cublasLoggerConfigure(int is_on, int to_stdout, int to_stderr, const char *file);
    cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback);
    cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback);

#ifdef __cplusplus
    cublasStatus_t cublasHgemm(cublasHandle_t, CUBLAS_OPS, int m, int n, int k, const __half *alpha,
                               const __half *A, int lda, const __half *B, int ldb,
                               const __half *beta, __half *C, int ldc);
}

// The compute type as it was before CUDA 11: a type of data.
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType typeA,
                                          int lda, const void *B, cudaDataType typeB, int ldb,
                                          const void *beta, void *C, cudaDataType typeC, int ldc,
                                          cudaDataType type, cublasGemmAlgo_t algorithm)
{
    cublasComputeType_t compute;
    const cublasStatus_t status = cublasMigrateComputeType(handle, type, &compute);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, typeA, lda, B, typeB, ldb,
                              beta, C, typeC, ldc, compute, algorithm);
}
#endif

#undef CUBLAS_OPS
#undef CUBLAS_TRIANGLE
#undef CUBLAS_COPIES
#undef CUBLAS_FOR_EACH_TYPE
#undef CUBLAS_SUMS
#undef CUBLAS_DOT
#undef CUBLAS_SCALE_BY_REAL
#undef CUBLAS_ROTATION
#undef CUBLAS_GER
#undef CUBLAS_ALL
#undef CUBLAS_MISSING
#undef CUBLAS_MISSING_HERMITIAN
#undef CUBLAS_ALL_MISSING
#undef CUBLAS_MISSING_BATCHES

// ---- The names without _v2 ----

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasScopy cublasScopy_v2
#define cublasSswap cublasSswap_v2
#define cublasSgemv cublasSgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasDscal cublasDscal_v2
#define cublasDcopy cublasDcopy_v2
#define cublasDswap cublasDswap_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDgemm cublasDgemm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasCscal cublasCscal_v2
#define cublasCcopy cublasCcopy_v2
#define cublasCswap cublasCswap_v2
#define cublasCgemv cublasCgemv_v2
#define cublasCgemm cublasCgemm_v2
#define cublasCtrsm cublasCtrsm_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasZscal cublasZscal_v2
#define cublasZcopy cublasZcopy_v2
#define cublasZswap cublasZswap_v2
#define cublasZgemv cublasZgemv_v2
#define cublasZgemm cublasZgemm_v2
#define cublasZtrsm cublasZtrsm_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasDasum cublasDasum_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIdamin cublasIdamin_v2
#define cublasScnrm2 cublasScnrm2_v2
#define cublasScasum cublasScasum_v2
#define cublasIcamax cublasIcamax_v2
#define cublasIcamin cublasIcamin_v2
#define cublasDznrm2 cublasDznrm2_v2
#define cublasDzasum cublasDzasum_v2
#define cublasIzamax cublasIzamax_v2
#define cublasIzamin cublasIzamin_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasCdotu cublasCdotu_v2
#define cublasCdotc cublasCdotc_v2
#define cublasZdotu cublasZdotu_v2
#define cublasZdotc cublasZdotc_v2
#define cublasCsscal cublasCsscal_v2
#define cublasZdscal cublasZdscal_v2
#define cublasSrot cublasSrot_v2
#define cublasDrot cublasDrot_v2
#define cublasCrot cublasCrot_v2
#define cublasCsrot cublasCsrot_v2
#define cublasZrot cublasZrot_v2
#define cublasZdrot cublasZdrot_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasCgeru cublasCgeru_v2
#define cublasCgerc cublasCgerc_v2
#define cublasZgeru cublasZgeru_v2
#define cublasZgerc cublasZgerc_v2
#define cublasSaxpy_64 cublasSaxpy_v2_64
#define cublasSscal_64 cublasSscal_v2_64
#define cublasScopy_64 cublasScopy_v2_64
#define cublasSswap_64 cublasSswap_v2_64
#define cublasSgemv_64 cublasSgemv_v2_64
#define cublasSgemm_64 cublasSgemm_v2_64
#define cublasStrsm_64 cublasStrsm_v2_64
#define cublasDaxpy_64 cublasDaxpy_v2_64
#define cublasDscal_64 cublasDscal_v2_64
#define cublasDcopy_64 cublasDcopy_v2_64
#define cublasDswap_64 cublasDswap_v2_64
#define cublasDgemv_64 cublasDgemv_v2_64
#define cublasDgemm_64 cublasDgemm_v2_64
#define cublasDtrsm_64 cublasDtrsm_v2_64
#define cublasCaxpy_64 cublasCaxpy_v2_64
#define cublasCscal_64 cublasCscal_v2_64
#define cublasCcopy_64 cublasCcopy_v2_64
#define cublasCswap_64 cublasCswap_v2_64
#define cublasCgemv_64 cublasCgemv_v2_64
#define cublasCgemm_64 cublasCgemm_v2_64
#define cublasCtrsm_64 cublasCtrsm_v2_64
#define cublasZaxpy_64 cublasZaxpy_v2_64
#define cublasZscal_64 cublasZscal_v2_64
#define cublasZcopy_64 cublasZcopy_v2_64
#define cublasZswap_64 cublasZswap_v2_64
#define cublasZgemv_64 cublasZgemv_v2_64
#define cublasZgemm_64 cublasZgemm_v2_64
#define cublasZtrsm_64 cublasZtrsm_v2_64
#define cublasSnrm2_64 cublasSnrm2_v2_64
#define cublasSasum_64 cublasSasum_v2_64
#define cublasIsamax_64 cublasIsamax_v2_64
#define cublasIsamin_64 cublasIsamin_v2_64
#define cublasDnrm2_64 cublasDnrm2_v2_64
#define cublasDasum_64 cublasDasum_v2_64
#define cublasIdamax_64 cublasIdamax_v2_64
#define cublasIdamin_64 cublasIdamin_v2_64
#define cublasScnrm2_64 cublasScnrm2_v2_64
#define cublasScasum_64 cublasScasum_v2_64
#define cublasIcamax_64 cublasIcamax_v2_64
#define cublasIcamin_64 cublasIcamin_v2_64
#define cublasDznrm2_64 cublasDznrm2_v2_64
#define cublasDzasum_64 cublasDzasum_v2_64
#define cublasIzamax_64 cublasIzamax_v2_64
#define cublasIzamin_64 cublasIzamin_v2_64
#define cublasSdot_64 cublasSdot_v2_64
#define cublasDdot_64 cublasDdot_v2_64
#define cublasCdotu_64 cublasCdotu_v2_64
#define cublasCdotc_64 cublasCdotc_v2_64
#define cublasZdotu_64 cublasZdotu_v2_64
#define cublasZdotc_64 cublasZdotc_v2_64
#define cublasCsscal_64 cublasCsscal_v2_64
#define cublasZdscal_64 cublasZdscal_v2_64
#define cublasSrot_64 cublasSrot_v2_64
#define cublasDrot_64 cublasDrot_v2_64
#define cublasCrot_64 cublasCrot_v2_64
#define cublasCsrot_64 cublasCsrot_v2_64
#define cublasZrot_64 cublasZrot_v2_64
#define cublasZdrot_64 cublasZdrot_v2_64
#define cublasSger_64 cublasSger_v2_64
#define cublasDger_64 cublasDger_v2_64
#define cublasCgeru_64 cublasCgeru_v2_64
#define cublasCgerc_64 cublasCgerc_v2_64
#define cublasZgeru_64 cublasZgeru_v2_64
#define cublasZgerc_64 cublasZgerc_v2_64
#define cublasSgbmv cublasSgbmv_v2
#define cublasStrmv cublasStrmv_v2
#define cublasStrsv cublasStrsv_v2
#define cublasStbmv cublasStbmv_v2
#define cublasStbsv cublasStbsv_v2
#define cublasStpmv cublasStpmv_v2
#define cublasStpsv cublasStpsv_v2
#define cublasSsymv cublasSsymv_v2
#define cublasSsyr cublasSsyr_v2
#define cublasSsyr2 cublasSsyr2_v2
#define cublasSsymm cublasSsymm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasSsyr2k cublasSsyr2k_v2
#define cublasStrmm cublasStrmm_v2
#define cublasDgbmv cublasDgbmv_v2
#define cublasDtrmv cublasDtrmv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasDtbmv cublasDtbmv_v2
#define cublasDtbsv cublasDtbsv_v2
#define cublasDtpmv cublasDtpmv_v2
#define cublasDtpsv cublasDtpsv_v2
#define cublasDsymv cublasDsymv_v2
#define cublasDsyr cublasDsyr_v2
#define cublasDsyr2 cublasDsyr2_v2
#define cublasDsymm cublasDsymm_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasDsyr2k cublasDsyr2k_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasCgbmv cublasCgbmv_v2
#define cublasCtrmv cublasCtrmv_v2
#define cublasCtrsv cublasCtrsv_v2
#define cublasCtbmv cublasCtbmv_v2
#define cublasCtbsv cublasCtbsv_v2
#define cublasCtpmv cublasCtpmv_v2
#define cublasCtpsv cublasCtpsv_v2
#define cublasCsymv cublasCsymv_v2
#define cublasCsyr cublasCsyr_v2
#define cublasCsyr2 cublasCsyr2_v2
#define cublasCsymm cublasCsymm_v2
#define cublasCsyrk cublasCsyrk_v2
#define cublasCsyr2k cublasCsyr2k_v2
#define cublasCtrmm cublasCtrmm_v2
#define cublasZgbmv cublasZgbmv_v2
#define cublasZtrmv cublasZtrmv_v2
#define cublasZtrsv cublasZtrsv_v2
#define cublasZtbmv cublasZtbmv_v2
#define cublasZtbsv cublasZtbsv_v2
#define cublasZtpmv cublasZtpmv_v2
#define cublasZtpsv cublasZtpsv_v2
#define cublasZsymv cublasZsymv_v2
#define cublasZsyr cublasZsyr_v2
#define cublasZsyr2 cublasZsyr2_v2
#define cublasZsymm cublasZsymm_v2
#define cublasZsyrk cublasZsyrk_v2
#define cublasZsyr2k cublasZsyr2k_v2
#define cublasZtrmm cublasZtrmm_v2
#define cublasChemv cublasChemv_v2
#define cublasCher cublasCher_v2
#define cublasCher2 cublasCher2_v2
#define cublasChemm cublasChemm_v2
#define cublasCherk cublasCherk_v2
#define cublasCher2k cublasCher2k_v2
#define cublasZhemv cublasZhemv_v2
#define cublasZher cublasZher_v2
#define cublasZher2 cublasZher2_v2
#define cublasZhemm cublasZhemm_v2
#define cublasZherk cublasZherk_v2
#define cublasZher2k cublasZher2k_v2
#define cublasSrotm cublasSrotm_v2
#define cublasDrotm cublasDrotm_v2
#define cublasSgbmv_64 cublasSgbmv_v2_64
#define cublasStrmv_64 cublasStrmv_v2_64
#define cublasStrsv_64 cublasStrsv_v2_64
#define cublasStbmv_64 cublasStbmv_v2_64
#define cublasStbsv_64 cublasStbsv_v2_64
#define cublasStpmv_64 cublasStpmv_v2_64
#define cublasStpsv_64 cublasStpsv_v2_64
#define cublasSsymv_64 cublasSsymv_v2_64
#define cublasSsyr_64 cublasSsyr_v2_64
#define cublasSsyr2_64 cublasSsyr2_v2_64
#define cublasSsymm_64 cublasSsymm_v2_64
#define cublasSsyrk_64 cublasSsyrk_v2_64
#define cublasSsyr2k_64 cublasSsyr2k_v2_64
#define cublasStrmm_64 cublasStrmm_v2_64
#define cublasDgbmv_64 cublasDgbmv_v2_64
#define cublasDtrmv_64 cublasDtrmv_v2_64
#define cublasDtrsv_64 cublasDtrsv_v2_64
#define cublasDtbmv_64 cublasDtbmv_v2_64
#define cublasDtbsv_64 cublasDtbsv_v2_64
#define cublasDtpmv_64 cublasDtpmv_v2_64
#define cublasDtpsv_64 cublasDtpsv_v2_64
#define cublasDsymv_64 cublasDsymv_v2_64
#define cublasDsyr_64 cublasDsyr_v2_64
#define cublasDsyr2_64 cublasDsyr2_v2_64
#define cublasDsymm_64 cublasDsymm_v2_64
#define cublasDsyrk_64 cublasDsyrk_v2_64
#define cublasDsyr2k_64 cublasDsyr2k_v2_64
#define cublasDtrmm_64 cublasDtrmm_v2_64
#define cublasCgbmv_64 cublasCgbmv_v2_64
#define cublasCtrmv_64 cublasCtrmv_v2_64
#define cublasCtrsv_64 cublasCtrsv_v2_64
#define cublasCtbmv_64 cublasCtbmv_v2_64
#define cublasCtbsv_64 cublasCtbsv_v2_64
#define cublasCtpmv_64 cublasCtpmv_v2_64
#define cublasCtpsv_64 cublasCtpsv_v2_64
#define cublasCsymv_64 cublasCsymv_v2_64
#define cublasCsyr_64 cublasCsyr_v2_64
#define cublasCsyr2_64 cublasCsyr2_v2_64
#define cublasCsymm_64 cublasCsymm_v2_64
#define cublasCsyrk_64 cublasCsyrk_v2_64
#define cublasCsyr2k_64 cublasCsyr2k_v2_64
#define cublasCtrmm_64 cublasCtrmm_v2_64
#define cublasZgbmv_64 cublasZgbmv_v2_64
#define cublasZtrmv_64 cublasZtrmv_v2_64
#define cublasZtrsv_64 cublasZtrsv_v2_64
#define cublasZtbmv_64 cublasZtbmv_v2_64
#define cublasZtbsv_64 cublasZtbsv_v2_64
#define cublasZtpmv_64 cublasZtpmv_v2_64
#define cublasZtpsv_64 cublasZtpsv_v2_64
#define cublasZsymv_64 cublasZsymv_v2_64
#define cublasZsyr_64 cublasZsyr_v2_64
#define cublasZsyr2_64 cublasZsyr2_v2_64
#define cublasZsymm_64 cublasZsymm_v2_64
#define cublasZsyrk_64 cublasZsyrk_v2_64
#define cublasZsyr2k_64 cublasZsyr2k_v2_64
#define cublasZtrmm_64 cublasZtrmm_v2_64
#define cublasChemv_64 cublasChemv_v2_64
#define cublasCher_64 cublasCher_v2_64
#define cublasCher2_64 cublasCher2_v2_64
#define cublasChemm_64 cublasChemm_v2_64
#define cublasCherk_64 cublasCherk_v2_64
#define cublasCher2k_64 cublasCher2k_v2_64
#define cublasZhemv_64 cublasZhemv_v2_64
#define cublasZher_64 cublasZher_v2_64
#define cublasZher2_64 cublasZher2_v2_64
#define cublasZhemm_64 cublasZhemm_v2_64
#define cublasZherk_64 cublasZherk_v2_64
#define cublasZher2k_64 cublasZher2k_v2_64
#define cublasSrotm_64 cublasSrotm_v2_64
#define cublasDrotm_64 cublasDrotm_v2_64
#define cublasSrotg cublasSrotg_v2
#define cublasDrotg cublasDrotg_v2
#define cublasCrotg cublasCrotg_v2
#define cublasZrotg cublasZrotg_v2
#define cublasSrotmg cublasSrotmg_v2
#define cublasDrotmg cublasDrotmg_v2

#ifdef __cplusplus
static inline cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                                        cudaEmulationStrategy strategy)
{
    return cublasSetEmulationStrategy(handle, (cublasEmulationStrategy_t)strategy);
}

static inline cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                                        cudaEmulationStrategy *strategy)
{
    return cublasGetEmulationStrategy(handle, (cublasEmulationStrategy_t *)strategy);
}
#endif

#endif
