// A product of a sparse matrix and a vector by cuSPARSE that is computed many times.
#pragma once
#include <stdint.h>
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "check_cusparse.cuh"

const cudaDataType REAL_TYPE = sizeof(real) == 4 ? CUDA_R_32F : CUDA_R_64F;

// cuSPARSE computes y = alpha op(A) x + beta y. With beta = 0 it does not read y.
const real ALPHA = 1.0, BETA = 0.0;
const cusparseOperation_t AS_IT_IS = CUSPARSE_OPERATION_NON_TRANSPOSE;

// A product y = A x, ready to be computed: what describes A, x and y, and a workspace.
struct Product
{
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    cusparseSpMVAlg_t algorithm;
    void *workspace;
};

// A descriptor holds no data: only sizes, types and the addresses of arrays on the device. Each
// product has its own, because the library notes there what it has found out about the matrix. The
// library says how many bytes of workspace it needs, and the program allocates them.
static inline Product prepare_product(cusparseHandle_t handle, cusparseSpMatDescr_t A, real *d_x,
                                      real *d_y, cusparseSpMVAlg_t algorithm)
{
    Product p;
    p.handle = handle;
    p.A = A;
    p.algorithm = algorithm;
    int64_t M, N, nnz;
    size_t bytes;
    CHECK_CUSPARSE(cusparseSpMatGetSize(A, &M, &N, &nnz));
    CHECK_CUSPARSE(cusparseCreateDnVec(&p.x, N, d_x, REAL_TYPE));
    CHECK_CUSPARSE(cusparseCreateDnVec(&p.y, M, d_y, REAL_TYPE));
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, AS_IT_IS, &ALPHA, A, p.x, &BETA, p.y, REAL_TYPE,
                                           algorithm, &bytes));
    CHECK(cudaMalloc(&p.workspace, bytes > 0 ? bytes : 1));
    CHECK_CUSPARSE(preprocess_spmv(handle, AS_IT_IS, &ALPHA, A, p.x, &BETA, p.y, REAL_TYPE,
                                   algorithm, p.workspace));
    return p;
}

static inline void compute_product(const Product *p)
{
    CHECK_CUSPARSE(cusparseSpMV(p->handle, AS_IT_IS, &ALPHA, p->A, p->x, &BETA, p->y, REAL_TYPE,
                                p->algorithm, p->workspace));
}

static inline void free_product(Product *p)
{
    CHECK_CUSPARSE(cusparseDestroySpMat(p->A));
    CHECK_CUSPARSE(cusparseDestroyDnVec(p->x));
    CHECK_CUSPARSE(cusparseDestroyDnVec(p->y));
    CHECK(cudaFree(p->workspace));
}
