// cuSOLVER's dense part for the CPU backend.
//
// libraries/cusolver/ has the functions of the first list below. The others are declared only,
// so that the linker names the one that a program misses.
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_
#include <stdio.h>
#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "driver_types.h"
#include "library_types.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;

typedef enum
{
    CUSOLVERDN_GETRF = 0,
    CUSOLVERDN_POTRF = 1,
    CUSOLVERDN_SYEVBATCHED = 2
} cusolverDnFunction_t;

#ifdef __cplusplus
extern "C"
{
#endif

    // ---- What there is ----

    cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
    cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
    cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
    cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
    cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                    cusolverDeterministicMode_t mode);
    cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                    cusolverDeterministicMode_t *mode);
    // Kept, without effect.
    cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t mode);
    cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t *mode);
    cusolverStatus_t cusolverDnSetEmulationStrategy(cusolverDnHandle_t handle,
                                                    cudaEmulationStrategy_t strategy);
    cusolverStatus_t cusolverDnGetEmulationStrategy(cusolverDnHandle_t handle,
                                                    cudaEmulationStrategy_t *strategy);

    cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
    cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
    cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
    cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
    cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
    cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info,
                                                 double *residual);
    cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info,
                                               int *executed_sweeps);

    // One set of functions for each of four types. X is S, D, C or Z, and T is its type. R is the
    // type of its absolute value. sy or he is a symmetric or Hermitian matrix, orm and org or unm
    // and ung multiply by an orthogonal or unitary one and write it out.

#define CUSOLVERDN_FUNCTIONS(X, T, R, sy, orm, org)                                                \
    cusolverStatus_t cusolverDn##X##sy##evd_bufferSize(                                            \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *A, int lda, const R *W, int *lwork);                                              \
    cusolverStatus_t cusolverDn##X##sy##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,     \
                                            cublasFillMode_t uplo, int n, T *A, int lda, R *W,     \
                                            T *work, int lwork, int *info);                        \
    cusolverStatus_t cusolverDn##X##sy##evdx_bufferSize(                                           \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,               \
        cublasFillMode_t uplo, int n, const T *A, int lda, R vl, R vu, int il, int iu, int *meig,  \
        const R *W, int *lwork);                                                                   \
    cusolverStatus_t cusolverDn##X##sy##evdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,    \
                                             cusolverEigRange_t range, cublasFillMode_t uplo,      \
                                             int n, T *A, int lda, R vl, R vu, int il, int iu,     \
                                             int *meig, R *W, T *work, int lwork, int *info);      \
    cusolverStatus_t cusolverDn##X##sy##evj_bufferSize(                                            \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *A, int lda, const R *W, int *lwork, syevjInfo_t params);                          \
    cusolverStatus_t cusolverDn##X##sy##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,     \
                                            cublasFillMode_t uplo, int n, T *A, int lda, R *W,     \
                                            T *work, int lwork, int *info, syevjInfo_t params);    \
    cusolverStatus_t cusolverDn##X##sy##evjBatched_bufferSize(                                     \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *A, int lda, const R *W, int *lwork, syevjInfo_t params, int batchSize);           \
    cusolverStatus_t cusolverDn##X##sy##evjBatched(                                                \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,     \
        int lda, R *W, T *work, int lwork, int *info, syevjInfo_t params, int batchSize);          \
    cusolverStatus_t cusolverDn##X##sy##gvd_bufferSize(                                            \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, const T *A, int lda, const T *B, int ldb, const R *W,        \
        int *lwork);                                                                               \
    cusolverStatus_t cusolverDn##X##sy##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype,    \
                                            cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,  \
                                            T *A, int lda, T *B, int ldb, R *W, T *work,           \
                                            int lwork, int *info);                                 \
    cusolverStatus_t cusolverDn##X##sy##gvj_bufferSize(                                            \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, const T *A, int lda, const T *B, int ldb, const R *W,        \
        int *lwork, syevjInfo_t params);                                                           \
    cusolverStatus_t cusolverDn##X##sy##gvj(cusolverDnHandle_t handle, cusolverEigType_t itype,    \
                                            cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,  \
                                            T *A, int lda, T *B, int ldb, R *W, T *work,           \
                                            int lwork, int *info, syevjInfo_t params);             \
    cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *A, int lda, int *lwork);                   \
    cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda,  \
                                          T *work, int *pivots, int *info);                        \
    cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t handle, cublasOperation_t trans,      \
                                          int n, int nrhs, const T *A, int lda, const int *pivots, \
                                          T *B, int ldb, int *info);                               \
    cusolverStatus_t cusolverDn##X##potrf_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *lwork);       \
    cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *A, int lda, T *work, int lwork, int *info);           \
    cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          int nrhs, const T *A, int lda, T *B, int ldb,            \
                                          int *info);                                              \
    cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *A, int lda, int *lwork);                   \
    cusolverStatus_t cusolverDn##X##geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda,  \
                                          T *tau, T *work, int lwork, int *info);                  \
    cusolverStatus_t cusolverDn##X##orm##qr_bufferSize(                                            \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *A, int lda, const T *tau, const T *C, int ldc, int *lwork);                \
    cusolverStatus_t cusolverDn##X##orm##qr(                                                       \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *A, int lda, const T *tau, T *C, int ldc, T *work, int lwork, int *info);   \
    cusolverStatus_t cusolverDn##X##org##qr_bufferSize(cusolverDnHandle_t handle, int m, int n,    \
                                                       int k, const T *A, int lda, const T *tau,   \
                                                       int *lwork);                                \
    cusolverStatus_t cusolverDn##X##org##qr(cusolverDnHandle_t handle, int m, int n, int k, T *A,  \
                                            int lda, const T *tau, T *work, int lwork, int *info);
    CUSOLVERDN_FUNCTIONS(S, float, float, sy, orm, org)
    CUSOLVERDN_FUNCTIONS(D, double, double, sy, orm, org)
    CUSOLVERDN_FUNCTIONS(C, cuComplex, float, he, unm, ung)
    CUSOLVERDN_FUNCTIONS(Z, cuDoubleComplex, double, he, unm, ung)
#undef CUSOLVERDN_FUNCTIONS

    // ---- What is declared only ----

#define CUSOLVERDN_FUNCTIONS(X, T, R, sy, orm, org)                                                \
    cusolverStatus_t cusolverDn##X##sy##gvdx_bufferSize(                                           \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *A, int lda, const T *B,   \
        int ldb, R vl, R vu, int il, int iu, int *meig, const R *W, int *lwork);                   \
    cusolverStatus_t cusolverDn##X##sy##gvdx(                                                      \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb,      \
        R vl, R vu, int il, int iu, int *meig, R *W, T *work, int lwork, int *info);               \
    cusolverStatus_t cusolverDn##X##potri_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *lwork);       \
    cusolverStatus_t cusolverDn##X##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *A, int lda, T *work, int lwork, int *info);           \
    cusolverStatus_t cusolverDn##X##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, T *A[], int lda, int *info,                \
                                                 int batchSize);                                   \
    cusolverStatus_t cusolverDn##X##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, int nrhs, T *A[], int lda, T *B[],         \
                                                 int ldb, int *info, int batchSize);               \
    cusolverStatus_t cusolverDn##X##laswp(cusolverDnHandle_t handle, int n, T *A, int lda, int k1, \
                                          int k2, const int *pivots, int incx);                    \
    cusolverStatus_t cusolverDn##X##sytrf_bufferSize(cusolverDnHandle_t handle, int n, T *A,       \
                                                     int lda, int *lwork);                         \
    cusolverStatus_t cusolverDn##X##sytrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *A, int lda, int *pivots, T *work, int lwork,          \
                                          int *info);                                              \
    cusolverStatus_t cusolverDn##X##sy##trd_bufferSize(                                            \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda, const R *d,  \
        const R *e, const T *tau, int *lwork);                                                     \
    cusolverStatus_t cusolverDn##X##sy##trd(cusolverDnHandle_t handle, cublasFillMode_t uplo,      \
                                            int n, T *A, int lda, R *d, R *e, T *tau, T *work,     \
                                            int lwork, int *info);                                 \
    cusolverStatus_t cusolverDn##X##org##tr_bufferSize(cusolverDnHandle_t handle,                  \
                                                       cublasFillMode_t uplo, int n, const T *A,   \
                                                       int lda, const T *tau, int *lwork);         \
    cusolverStatus_t cusolverDn##X##org##tr(cusolverDnHandle_t handle, cublasFillMode_t uplo,      \
                                            int n, T *A, int lda, const T *tau, T *work,           \
                                            int lwork, int *info);                                 \
    cusolverStatus_t cusolverDn##X##orm##tr_bufferSize(                                            \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                   \
        cublasOperation_t trans, int m, int n, const T *A, int lda, const T *tau, const T *C,      \
        int ldc, int *lwork);                                                                      \
    cusolverStatus_t cusolverDn##X##orm##tr(cusolverDnHandle_t handle, cublasSideMode_t side,      \
                                            cublasFillMode_t uplo, cublasOperation_t trans, int m, \
                                            int n, T *A, int lda, T *tau, T *C, int ldc, T *work,  \
                                            int lwork, int *info);                                 \
    cusolverStatus_t cusolverDn##X##gebrd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork);                                  \
    cusolverStatus_t cusolverDn##X##gebrd(cusolverDnHandle_t handle, int m, int n, T *A, int lda,  \
                                          R *D, R *E, T *tauq, T *taup, T *work, int lwork,        \
                                          int *info);                                              \
    cusolverStatus_t cusolverDn##X##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork);                                  \
    cusolverStatus_t cusolverDn##X##gesvd(                                                         \
        cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *A,        \
        int lda, R *S, T *U, int ldu, T *VT, int ldvt, T *work, int lwork, R *rwork, int *info);   \
    cusolverStatus_t cusolverDn##X##gesvdj_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T *A,     \
        int lda, const R *S, const T *U, int ldu, const T *V, int ldv, int *lwork,                 \
        gesvdjInfo_t params);                                                                      \
    cusolverStatus_t cusolverDn##X##gesvdj(                                                        \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T *A, int lda,  \
        R *S, T *U, int ldu, T *V, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params);   \
    cusolverStatus_t cusolverDn##X##gesvdjBatched_bufferSize(                                      \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T *A, int lda,      \
        const R *S, const T *U, int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params,     \
        int batchSize);                                                                            \
    cusolverStatus_t cusolverDn##X##gesvdjBatched(                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *A, int lda, R *S,      \
        T *U, int ldu, T *V, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params,          \
        int batchSize);
    CUSOLVERDN_FUNCTIONS(S, float, float, sy, orm, org)
    CUSOLVERDN_FUNCTIONS(D, double, double, sy, orm, org)
    CUSOLVERDN_FUNCTIONS(C, cuComplex, float, he, unm, ung)
    CUSOLVERDN_FUNCTIONS(Z, cuDoubleComplex, double, he, unm, ung)
#undef CUSOLVERDN_FUNCTIONS

    cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
    cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
    cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
    cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
    cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
    cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
    cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
    cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                                  double *residual);
    cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                                int *executed_sweeps);
    cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
                                             cusolverDnFunction_t function, cusolverAlgMode_t algo);
    cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle,
                                                 cusolverDnParams_t params, cusolverEigMode_t jobz,
                                                 cublasFillMode_t uplo, int64_t n,
                                                 cudaDataType typeA, const void *A, int64_t lda,
                                                 cudaDataType typeW, const void *W,
                                                 cudaDataType computeType, size_t *bytes_on_device,
                                                 size_t *bytes_on_host);
    cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                      cudaDataType typeA, void *A, int64_t lda, cudaDataType typeW,
                                      void *W, cudaDataType computeType, void *work_on_device,
                                      size_t bytes_on_device, void *work_on_host,
                                      size_t bytes_on_host, int *info);
    cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
        cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
        cublasFillMode_t uplo, int64_t n, cudaDataType typeA, const void *A, int64_t lda,
        cudaDataType typeW, const void *W, cudaDataType computeType, size_t *bytes_on_device,
        size_t *bytes_on_host, int64_t batchSize);
    cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                            int64_t n, cudaDataType typeA, void *A, int64_t lda,
                                            cudaDataType typeW, void *W, cudaDataType computeType,
                                            void *work_on_device, size_t bytes_on_device,
                                            void *work_on_host, size_t bytes_on_host, int *info,
                                            int64_t batchSize);
    cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle,
                                                  cusolverDnParams_t params, cusolverEigMode_t jobz,
                                                  cusolverEigRange_t range, cublasFillMode_t uplo,
                                                  int64_t n, cudaDataType typeA, const void *A,
                                                  int64_t lda, void *vl, void *vu, int64_t il,
                                                  int64_t iu, int64_t *meig, cudaDataType typeW,
                                                  const void *W, cudaDataType computeType,
                                                  size_t *bytes_on_device, size_t *bytes_on_host);
    cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                       cusolverEigMode_t jobz, cusolverEigRange_t range,
                                       cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                       void *A, int64_t lda, void *vl, void *vu, int64_t il,
                                       int64_t iu, int64_t *meig, cudaDataType typeW, void *W,
                                       cudaDataType computeType, void *work_on_device,
                                       size_t bytes_on_device, void *work_on_host,
                                       size_t bytes_on_host, int *info);
    cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle,
                                                 cusolverDnParams_t params, cublasFillMode_t uplo,
                                                 int64_t n, cudaDataType typeA, const void *A,
                                                 int64_t lda, cudaDataType computeType,
                                                 size_t *bytes_on_device, size_t *bytes_on_host);
    cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *A,
                                      int64_t lda, cudaDataType computeType, void *work_on_device,
                                      size_t bytes_on_device, void *work_on_host,
                                      size_t bytes_on_host, int *info);
    cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                      cudaDataType typeA, const void *A, int64_t lda,
                                      cudaDataType typeB, void *B, int64_t ldb, int *info);
    cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle,
                                                 cusolverDnParams_t params, int64_t m, int64_t n,
                                                 cudaDataType typeA, const void *A, int64_t lda,
                                                 cudaDataType computeType, size_t *bytes_on_device,
                                                 size_t *bytes_on_host);
    cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      int64_t m, int64_t n, cudaDataType typeA, void *A,
                                      int64_t lda, int64_t *pivots, cudaDataType computeType,
                                      void *work_on_device, size_t bytes_on_device,
                                      void *work_on_host, size_t bytes_on_host, int *info);
    cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      cublasOperation_t trans, int64_t n, int64_t nrhs,
                                      cudaDataType typeA, const void *A, int64_t lda,
                                      const int64_t *pivots, cudaDataType typeB, void *B,
                                      int64_t ldb, int *info);
    cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle,
                                                 cusolverDnParams_t params, int64_t m, int64_t n,
                                                 cudaDataType typeA, const void *A, int64_t lda,
                                                 cudaDataType typeTau, const void *tau,
                                                 cudaDataType computeType, size_t *bytes_on_device,
                                                 size_t *bytes_on_host);
    cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      int64_t m, int64_t n, cudaDataType typeA, void *A,
                                      int64_t lda, cudaDataType typeTau, void *tau,
                                      cudaDataType computeType, void *work_on_device,
                                      size_t bytes_on_device, void *work_on_host,
                                      size_t bytes_on_host, int *info);
    cusolverStatus_t cusolverDnXgesvd_bufferSize(
        cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt,
        int64_t m, int64_t n, cudaDataType typeA, const void *A, int64_t lda, cudaDataType typeS,
        const void *S, cudaDataType typeU, const void *U, int64_t ldu, cudaDataType typeVT,
        const void *VT, int64_t ldvt, cudaDataType computeType, size_t *bytes_on_device,
        size_t *bytes_on_host);
    cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                      cudaDataType typeA, void *A, int64_t lda, cudaDataType typeS,
                                      void *S, cudaDataType typeU, void *U, int64_t ldu,
                                      cudaDataType typeVT, void *VT, int64_t ldvt,
                                      cudaDataType computeType, void *work_on_device,
                                      size_t bytes_on_device, void *work_on_host,
                                      size_t bytes_on_host, int *info);

#ifdef __cplusplus
}
#endif

#endif
