// The product of a Problem of matmul or matmul-tensor by cuBLAS.
#pragma once
#include <cuda_bf16.h>
#include "../common/check_cublas.cuh"

struct Cublas
{
    cublasHandle_t handle;

    Cublas()
    {
        CHECK_CUBLAS(cublasCreate(&handle));
    }

    ~Cublas()
    {
        CHECK_CUBLAS(cublasDestroy(handle));
    }
};

inline cudaDataType type_of(const float *)
{
    return CUDA_R_32F;
}

inline cudaDataType type_of(const double *)
{
    return CUDA_R_64F;
}

inline cudaDataType type_of(const __nv_bfloat16 *)
{
    return CUDA_R_16BF;
}

// cuBLAS goes by columns: what is C to us is C^T to it, which is B^T A^T. It adds in C's precision;
// floats are not cut short for the tensor cores (to TF32) unless one asks for it.
template <typename Problem>
void multiply_cublas(Problem *p)
{
    const auto compute = sizeof(*p->d_C) == 8 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    const std::remove_reference_t<decltype(*p->d_C)> one = 1, zero = 0;
    CHECK_CUBLAS(cublasGemmEx(p->cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, p->N, p->M, p->K, &one,
                              p->d_B, type_of(p->d_B), p->N, p->d_A, type_of(p->d_A), p->K, &zero,
                              p->d_C, type_of(p->d_C), p->N, compute, CUBLAS_GEMM_DEFAULT));
}
