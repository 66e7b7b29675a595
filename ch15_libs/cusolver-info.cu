// cusolver-info: devInfo: what cuSOLVER says of a matrix with a NaN
//
// From:    section 18.2
// Order:   after cusolver-general
// Compile: nvcc -O3 cusolver-info.cu -lcusolver
// Run:     ./a.out -n 50
// Libs:    -lcusolver
// Expect:  3 (the matrix has a NaN, so there are no eigenvalues)
//
// The status of a call says only whether the arguments were right: it comes back before the device
// has done the work. How the work ended is in devInfo, an int in device memory, which the program
// has to copy. Listing 18.1 reads neither. The two methods are those of cusolver-eigen.cu.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "check_cusolver.cuh"
#include "eigen.cuh"

const cublasFillMode_t UPLO = CUBLAS_FILL_MODE_LOWER; // the half of a matrix that is read
const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR;

static size_t N;            // rows and columns of the matrix
static Problem problem;     // a matrix with a NaN
static ComplexReal *d_A;    // begins as the matrix
static real *d_W;           // the eigenvalues
static int *d_info;         // devInfo
static ComplexReal *d_work; // workspace ...
static int lwork;           // ... of so many numbers
static cusolverDnHandle_t handle;
static syevjInfo_t jacobi; // the options of Jacobi's method

// Before each call.
void set_up(void)
{
    copy_lower_half(problem.A, N, N, d_A);
    CHECK(cudaMemset(d_W, POISON_BYTE, N * sizeof(real)));
    CHECK(cudaMemset(d_info, POISON_BYTE, sizeof(int)));
}

// What the call has returned, and what it has left on the device. No value is printed.
void show(const char *call, cusolverStatus_t status)
{
    int info;
    real *h_W = (real *)malloc(N * sizeof(real));
    CHECK(cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_W, d_W, N * sizeof(real), cudaMemcpyDeviceToHost));
    print_info(stdout, call, status, info, N);
    // A program that reads devInfo alone would go on with such values.
    if (status == CUSOLVER_STATUS_SUCCESS && info == 0)
    {
        size_t bad = 0;
        for (size_t i = 0; i < N; ++i)
        {
            bad += !isfinite(h_W[i]);
        }
        printf("the library has not noticed the NaN: %zu of %zu values are %s\n", bad > 0 ? bad : N,
               N, bad > 0 ? "NaN" : "numbers, but wrong");
    }
    free(h_W);
}

int main(int argc, char **argv)
{
    args.N = 50;
    args.size_is = "rows and columns of the matrix";
    parse_args(argc, argv, "-n N -s S",
               "cusolver-info: devInfo: what cuSOLVER says of a matrix with a NaN");
    const double elements = (double)args.N * args.N;
    require_memory(elements * (2 * sizeof(cuDoubleComplex) + sizeof(ComplexReal)),
                   elements * sizeof(ComplexReal));
    if (args.N > 1000000)
    {
        usage_error("-n is at most 1000000, because cuSOLVER's sizes are ints");
    }

    N = args.N;
    problem = new_problem(N, false, args.seed);
    problem.A[N / 2 * N + N - 1].x = NAN; // in the last row of a column in the middle
    CHECK(cudaMalloc(&d_A, N * N * sizeof(ComplexReal)));
    CHECK(cudaMalloc(&d_W, N * sizeof(real)));
    CHECK(cudaMalloc(&d_info, sizeof(int)));
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    CHECK_CUSOLVER(cusolverDnCreateSyevjInfo(&jacobi));
    int for_heevd, for_heevj;
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd_bufferSize)(handle, VECTORS, UPLO, N, d_A, N, d_W, &for_heevd));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(heevj_bufferSize)(handle, VECTORS, UPLO, N, d_A, N, d_W,
                                                      &for_heevj, jacobi));
    lwork = for_heevd > for_heevj ? for_heevd : for_heevj;
    require_memory(0.0, (double)lwork * sizeof(ComplexReal));
    CHECK(cudaMalloc(&d_work, (size_t)lwork * sizeof(ComplexReal)));

    set_up();
    show("heevd",
         CUSOLVER_COMPLEX(heevd)(handle, VECTORS, UPLO, N, d_A, N, d_W, d_work, lwork, d_info));
    set_up();
    show("heevj", CUSOLVER_COMPLEX(heevj)(handle, VECTORS, UPLO, N, d_A, N, d_W, d_work, lwork,
                                          d_info, jacobi));

    CHECK_CUSOLVER(cusolverDnDestroySyevjInfo(jacobi));
    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_W));
    CHECK(cudaFree(d_info));
    free_problem(&problem);
    return end_output(3);
}
