// The product by cuBLAS, for matmul and matmul-tensor.
#pragma once
#include <cuda_bf16.h>
#include "../common/check_cublas.cuh"

inline cudaDataType type_of(const float *) { return CUDA_R_32F; }

inline cudaDataType type_of(const double *) { return CUDA_R_64F; }

inline cudaDataType type_of(const __nv_bfloat16 *) { return CUDA_R_16BF; }

// cuBLAS stores matrices column by column. So to cuBLAS our C is C^T, which is B^T A^T. The sums
// have C's precision. (Only if asked does cuBLAS shorten floats to TF32 for the tensor cores.)
template <typename Input, typename T>
void multiply_cublas(cublasHandle_t handle, const Input *d_A, const Input *d_B, T *d_C, int M,
                     int N, int K)
{
    const auto compute = sizeof(T) == 8 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    const T one = 1, zero = 0;
    CHECK_CUBLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, d_B, type_of(d_B), N,
                              d_A, type_of(d_A), K, &zero, d_C, type_of(d_C), N, compute,
                              CUBLAS_GEMM_DEFAULT));
}
