// The product by cuBLAS, for matmul and matmul-tensor.
#pragma once
#include "../common/check_cublas.cuh"

// cuBLAS stores matrices column by column. So to cuBLAS our C is C^T, which is B^T A^T. The sums
// have C's precision. (Only if asked does cuBLAS shorten floats to TF32 for the tensor cores.)
// `input` is the type of A and B, `output` is the type of C.
inline void multiply_cublas(cublasHandle_t handle, const void *d_A, const void *d_B,
                            cudaDataType input, void *d_C, cudaDataType output, int M, int N, int K)
{
    const bool is_double = output == CUDA_R_64F;
    const cublasComputeType_t compute = is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    const float one = 1, zero = 0;
    const double double_one = 1, double_zero = 0;
    const void *alpha = is_double ? (const void *)&double_one : (const void *)&one;
    const void *beta = is_double ? (const void *)&double_zero : (const void *)&zero;
    CHECK_CUBLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, alpha, d_B, input, N, d_A,
                              input, K, beta, d_C, output, N, compute, CUBLAS_GEMM_DEFAULT));
}
