// cuFFT's host API: plans, and transforms of any length in one to three dimensions.
//
// What libraries/cufft/ has not, is declared all the same, so that the linker names it.
#ifndef CUDACPU_CUFFT_H
#define CUDACPU_CUFFT_H
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUFFTAPI
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 0
#define CUFFT_VERSION 12000

// Some numbers are left out: they belonged to statuses that CUDA 13 no longer has.
typedef enum cufftResult_t
{
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16,
    CUFFT_MISSING_DEPENDENCY = 17,
    CUFFT_NVRTC_FAILURE = 18,
    CUFFT_NVJITLINK_FAILURE = 19,
    CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

#define MAX_CUFFT_ERROR 0x15

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

// The sign in the exponent.
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

// C and Z are complex numbers of floats and of doubles, R and D real ones.
typedef enum cufftType_t
{
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;

typedef enum cufftCompatibility_t
{
    CUFFT_COMPATIBILITY_FFTW_PADDING = 1
} cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef int cufftHandle;
#define CUFFT_PLAN_NULL -1 // may be destroyed

typedef enum cufftProperty_t
{
    NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 1,
    NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 2
} cufftProperty;

#ifdef __cplusplus
extern "C"
{
#endif

    cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch);
    cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type);
    cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type);
    cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch);

    cufftResult cufftCreate(cufftHandle *plan);
    cufftResult cufftDestroy(cufftHandle plan);
    cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                                size_t *workSize);
    cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize);
    cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                size_t *workSize);
    cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                                  int idist, int *onembed, int ostride, int odist, cufftType type,
                                  int batch, size_t *workSize);
    cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                    long long istride, long long idist, long long *onembed,
                                    long long ostride, long long odist, cufftType type,
                                    long long batch, size_t *workSize);

    cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *workSize);
    cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *workSize);
    cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *workSize);
    cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist,
                                  int *onembed, int ostride, int odist, cufftType type, int batch,
                                  size_t *workSize);
    cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                               size_t *workSize);
    cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize);
    cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                               size_t *workSize);
    cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                                 int idist, int *onembed, int ostride, int odist, cufftType type,
                                 int batch, size_t *workSize);
    cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                   long long istride, long long idist, long long *onembed,
                                   long long ostride, long long odist, cufftType type,
                                   long long batch, size_t *workSize);
    cufftResult cufftGetSize(cufftHandle plan, size_t *workSize);

    cufftResult cufftSetWorkArea(cufftHandle plan, void *workArea);
    cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate);
    cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);

    cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata,
                             int direction);
    cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata);
    cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata);
    cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata,
                             int direction);
    cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata);
    cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata);

    cufftResult cufftGetVersion(int *version);
    cufftResult cufftGetProperty(libraryPropertyType type, int *value);

    // Not there: they choose among the kernels of a GPU.
    cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                          const long long inputValueInt);
    cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                          long long *returnPtrValue);
    cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property);

#ifdef __cplusplus
}
#endif
#endif
