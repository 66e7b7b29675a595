// The library's row of transpose.
#pragma once
#include "../common/check_cublas.cuh"
#include "../common/real.cuh"

// 1 A^T + 0 B: by columns, as cuBLAS counts, A has N rows and B has M.
template <typename Problem>
void transpose_geam(Problem *p)
{
    static cublasHandle_t handle = NULL; // for as long as the program runs
    if (handle == NULL)
    {
        CHECK_CUBLAS(cublasCreate(&handle));
    }
    const real one = 1, zero = 0;
    CHECK_CUBLAS(CUBLAS_REAL(geam_64)(handle, CUBLAS_OP_T, CUBLAS_OP_N, p->M, p->N, &one, p->d_A,
                                      p->N, &zero, p->d_B, p->M, p->d_B, p->M));
}
