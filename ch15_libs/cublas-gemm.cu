// cublas-gemm: the book's product of a 2 x 3 matrix and a 3 x 2 matrix, by cuBLAS
//
// From:    Listing 17.1, sections 17.1 and 17.2, file cublas-gemm.cu; (17.1), (17.2)
// Compile: nvcc -O3 cublas-gemm.cu -lcublas
// Run:     ./a.out
// Libs:    -lcublas
//
// The numbers of A and B are 0, 1, 2, ... in the order in which they lie in memory. cuBLAS stores a
// matrix column by column, so the first column of A is 0 and 1.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"

void print_matrix(int R, int C, const double *A, const char *name)
{
    printf("%s =\n", name);
    for (int r = 0; r < R; ++r)
    {
        for (int c = 0; c < C; ++c)
        {
            printf("%10.6f", A[c * R + r]);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    parse_args(argc, argv, "",
               "cublas-gemm: the book's product of a 2 x 3 matrix and a 3 x 2 matrix, by cuBLAS");

    const int M = 2;
    const int K = 3;
    const int N = 2;
    const int MK = M * K;
    const int KN = K * N;
    const int MN = M * N;

    double *h_A = (double *)malloc(sizeof(double) * MK);
    double *h_B = (double *)malloc(sizeof(double) * KN);
    double *h_C = (double *)malloc(sizeof(double) * MN);
    for (int i = 0; i < MK; i++)
    {
        h_A[i] = i;
    }
    print_matrix(M, K, h_A, "A");
    for (int i = 0; i < KN; i++)
    {
        h_B[i] = i;
    }
    print_matrix(K, N, h_B, "B");

    // The book's C begins as zeros. That is not necessary: where beta is 0, gemm does not read C.
    // These bytes are NaN, and 0 times NaN would be NaN.
    memset(h_C, 0xff, sizeof(double) * MN);

    double *g_A, *g_B, *g_C;
    CHECK(cudaMalloc(&g_A, sizeof(double) * MK));
    CHECK(cudaMalloc(&g_B, sizeof(double) * KN));
    CHECK(cudaMalloc(&g_C, sizeof(double) * MN));

    CHECK_CUBLAS(cublasSetVector(MK, sizeof(double), h_A, 1, g_A, 1));
    CHECK_CUBLAS(cublasSetVector(KN, sizeof(double), h_B, 1, g_B, 1));
    CHECK_CUBLAS(cublasSetVector(MN, sizeof(double), h_C, 1, g_C, 1));

    cublasHandle_t handle;
    CHECK_CUBLAS(cublasCreate(&handle));
    const double alpha = 1.0;
    const double beta = 0.0;
    CHECK_CUBLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, g_A, M, g_B, K,
                             &beta, g_C, M));
    CHECK_CUBLAS(cublasDestroy(handle));

    CHECK_CUBLAS(cublasGetVector(MN, sizeof(double), g_C, 1, h_C, 1));
    print_matrix(M, N, h_C, "C = A x B");
    const double right[MN] = {10.0, 13.0, 28.0, 40.0}; // column by column
    check_elements("C", h_C, right, MN);

    free(h_A);
    free(h_B);
    free(h_C);
    CHECK(cudaFree(g_A));
    CHECK(cudaFree(g_B));
    CHECK(cudaFree(g_C));
    return verdict();
}
