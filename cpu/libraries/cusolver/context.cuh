// Handles, and how a function begins and ends.
#pragma once
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <limits.h>
#include "numbers.cuh"

struct cusolverDnContext
{
    bool alive;
    cudaStream_t stream;
    cusolverDeterministicMode_t mode;
    cusolverMathMode_t math_mode;
    cudaEmulationStrategy_t emulation;
    cusolverDnContext *next; // of those that were destroyed
};

// What syevj did, written by its last kernel into memory that host and device share.
struct JacobiReport
{
    double residual;
    int sweeps;
};

struct syevjInfo
{
    double tolerance; // 0: as exact as the type is
    int max_sweeps;
    bool sorts;
    bool was_batched;
    JacobiReport *report;
};

static inline bool is_alive(cusolverDnHandle_t handle)
{
    return handle != NULL && handle->alive;
}

static inline bool is_mode(cusolverEigMode_t mode)
{
    return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR;
}

static inline bool is_half(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

static inline bool is_leading(int lda, int rows)
{
    return lda >= (rows > 1 ? rows : 1);
}

// The status of a bufferSize call. A size is an int, and a workspace may need more than that.
template <class T>
static inline cusolverStatus_t put_size(const Workspace &space, int *lwork)
{
    const size_t count = space.count_of<T>();
    if (lwork == NULL || count > INT_MAX)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    *lwork = count > 0 ? (int)count : 1;
    return CUSOLVER_STATUS_SUCCESS;
}

// Whether a launch has failed since `before`. An error from before that is the program's own.
static inline cusolverStatus_t launched(cudaError_t before)
{
    const bool failed = cudaPeekAtLastError() != cudaSuccess && before == cudaSuccess;
    return failed ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

static inline unsigned int groups_of(size_t count, size_t size)
{
    return (unsigned int)((count + size - 1) / size);
}

static __global__ void set_info(int *info, int value)
{
    *info = value;
}

// The functions of the interface, for each of the four types.
#define FOR_FOUR_TYPES(FUNCTIONS)                \
    FUNCTIONS(S, float, float, sy, orm, org)     \
    FUNCTIONS(D, double, double, sy, orm, org)   \
    FUNCTIONS(C, cuComplex, float, he, unm, ung) \
    FUNCTIONS(Z, cuDoubleComplex, double, he, unm, ung)
