// cusolver: the eigenvalues of the book's 2 x 2 matrix by cuSOLVER
//
// From:    Listing 18.1, sections 18.1 and 18.2, file cusolver.cu
// Compile: nvcc -O3 cusolver.cu -lcusolver
// Run:     ./a.out
// Libs:    -lcusolver
//
// A function's name says what it does. cusolverDnZheevd: Dn is a dense matrix. Z is complex double;
// S, D and C are float, double and complex float. he is Hermitian; sy is symmetric, the same for
// real numbers. ev is eigenvalues and eigenvectors. d is the method: divide and conquer.

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "check_cusolver.cuh"

int main(int argc, char **argv)
{
    parse_args(argc, argv, "", "cusolver: the eigenvalues of the book's 2 x 2 matrix by cuSOLVER");

    const int N = 2;
    const int N2 = N * N;

    // (0, -i; i, 0). A matrix is in column order, so i comes before -i.
    cuDoubleComplex *A_cpu = (cuDoubleComplex *)malloc(sizeof(cuDoubleComplex) * N2);
    A_cpu[0] = make_cuDoubleComplex(0, 0);
    A_cpu[1] = make_cuDoubleComplex(0, 1);
    A_cpu[2] = make_cuDoubleComplex(0, -1);
    A_cpu[3] = make_cuDoubleComplex(0, 0);
    cuDoubleComplex *A;
    CHECK(cudaMalloc(&A, sizeof(cuDoubleComplex) * N2));
    CHECK(cudaMemcpy(A, A_cpu, sizeof(cuDoubleComplex) * N2, cudaMemcpyHostToDevice));

    double *W_cpu = (double *)malloc(sizeof(double) * N);
    double *W;
    CHECK(cudaMalloc(&W, sizeof(double) * N));

    cusolverDnHandle_t handle;
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    const cusolverEigMode_t jobz = CUSOLVER_EIG_MODE_NOVECTOR; // values, and no vectors
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;      // the half of A that is read

    int lwork; // in numbers of A's type, not in bytes
    CHECK_CUSOLVER(cusolverDnZheevd_bufferSize(handle, jobz, uplo, N, A, N, W, &lwork));
    cuDoubleComplex *work;
    CHECK(cudaMalloc(&work, sizeof(cuDoubleComplex) * lwork));

    int *info;
    CHECK(cudaMalloc(&info, sizeof(int)));
    CHECK(cudaMemset(info, POISON_BYTE, sizeof(int)));
    CHECK_CUSOLVER(cusolverDnZheevd(handle, jobz, uplo, N, A, N, W, work, lwork, info));
    poison(W_cpu, sizeof(double) * N);
    CHECK(cudaMemcpy(W_cpu, W, sizeof(double) * N, cudaMemcpyDeviceToHost));

    printf("Eigenvalues are:\n");
    for (int n = 0; n < N; ++n)
    {
        printf("%g\n", W_cpu[n]);
    }

    // The status of the call says only whether the arguments were right. devInfo says whether there
    // are eigenvalues. It lies on the device.
    int info_cpu;
    poison(&info_cpu, sizeof(int));
    CHECK(cudaMemcpy(&info_cpu, info, sizeof(int), cudaMemcpyDeviceToHost));
    printf("devInfo = %d\n", info_cpu);
    const double right[N] = {-1.0, 1.0};
    check_true("devInfo", info_cpu == 0);
    check_elements("the eigenvalues", W_cpu, right, N, 10 * DBL_EPSILON);

    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    free(A_cpu);
    free(W_cpu);
    CHECK(cudaFree(A));
    CHECK(cudaFree(W));
    CHECK(cudaFree(work));
    CHECK(cudaFree(info));
    return verdict();
}
