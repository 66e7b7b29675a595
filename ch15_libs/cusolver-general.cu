// cusolver-general: the generalized eigenvalue problem A v = w B v by cuSOLVER
//
// From:    section 18.2
// Order:   after cusolver-eigen
// Compile: nvcc -O3 cusolver-general.cu -lcusolver
// Run:     ./a.out -n 512
// Libs:    -lcusolver
//
// A and B are random and Hermitian, and B is positive definite. In hegvd, he is a Hermitian matrix,
// gv the generalized problem, and d divide and conquer. The function first makes B = L L^H with a
// lower triangle L. The vectors v satisfy v_i^H B v_j = 1 (i = j) or 0. See cusolver-eigen.cu for
// the problem without B.

#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"
#include "check_cusolver.cuh"
#include "eigen.cuh"

static size_t N, lda;               // a column begins `lda` elements after the one before
static Problem problem;             // A v = w B v
static ComplexReal *d_matrix, *d_B; // A and B, ...
static ComplexReal *d_A, *d_factor; // ... where A becomes the vectors, B its factors
static real *d_W;                   // the eigenvalues
static int *d_info;                 // devInfo
static ComplexReal *d_work;         // workspace ...
static int lwork;                   // ... of so many numbers
static ComplexReal *h_V;            // the vectors, from the device
static real *h_W;                   // the values, from the device
static double orthogonality;        // how far v_i^H B v_j is from 1 or 0
static cusolverDnHandle_t handle;

const cublasFillMode_t UPLO = CUBLAS_FILL_MODE_LOWER; // the half of a matrix that is read
const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR;

// Type 1 is A v = w B v.
void run_hegvd(void)
{
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(hegvd)(handle, CUSOLVER_EIG_TYPE_1, VECTORS, UPLO, N, d_A, lda,
                                           d_factor, lda, d_W, d_work, lwork, d_info));
}

// The calls overwrite their matrices, so each run begins with copies.
void set_up(void)
{
    const size_t bytes = lda * N * sizeof(ComplexReal);
    CHECK(cudaMemcpy(d_A, d_matrix, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d_factor, d_B, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(d_info, POISON_BYTE, sizeof(int)));
}

void check_general(void)
{
    check_values(&problem, h_W, d_info);
    orthogonality = check_vectors(&problem, h_W, h_V, lda);
}

const Version VERSIONS[] = {
    {"hegvd", "divide and conquer for the generalized problem A v = w B v", run_hegvd,
     check_general, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(512, 128);
    args.size_is = "rows and columns of the matrices";
    args.repeats = 5;
    add_versions(VERSIONS, NUM_VERSIONS);
    args.columns =
        "  (here, result is the smallest eigenvalue, error is the largest |A v - w B v| over\n"
        "  |A| + |w| |B|, and GFLOP/s counts what makes a matrix tridiagonal, and no more)\n";
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cusolver-general: the generalized eigenvalue problem A v = w B v by cuSOLVER");
    const double elements = (double)args.N * args.N;
    require_memory(elements * (3 * sizeof(cuDoubleComplex) + sizeof(ComplexReal)),
                   elements * 4 * sizeof(ComplexReal));
    if (args.N > 1000000)
    {
        usage_error("-n is at most 1000000, because cuSOLVER's sizes are ints");
    }

    N = args.N;
    lda = N + 3; // a column has three elements more than the matrix rows
    const size_t bytes = lda * N * sizeof(ComplexReal), W_bytes = N * sizeof(real);
    problem = new_problem(N, true, args.seed);
    CHECK(cudaMalloc(&d_matrix, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    copy_lower_half(problem.A, N, lda, d_matrix);
    copy_lower_half(problem.B, N, lda, d_B);
    h_V = (ComplexReal *)malloc(bytes);
    h_W = (real *)malloc(W_bytes);
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_factor, bytes));
    CHECK(cudaMalloc(&d_W, W_bytes));
    CHECK(cudaMalloc(&d_info, sizeof(int)));
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(hegvd_bufferSize)(handle, CUSOLVER_EIG_TYPE_1, VECTORS, UPLO, N,
                                                      d_A, lda, d_factor, lda, d_W, &lwork));
    require_memory(0.0, (double)lwork * sizeof(ComplexReal));
    CHECK(cudaMalloc(&d_work, (size_t)lwork * sizeof(ComplexReal)));

    Table table = {};
    table.set_up = set_up;
    table.outputs[0] = {h_V, d_A, bytes};
    table.outputs[1] = {h_W, d_W, W_bytes};
    // The operations that make a matrix tridiagonal: as in cusolver-eigen.cu.
    table.operations = 16.0 / 3.0 * N * N * N;
    table.ceiling = ON_GPU ? multiply_add_ceiling<real>() : 0.0;
    table.shows_result = true;
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note(
        "devInfo was 0 after each call; the column error is |A v - w B v| / (|A| + |w| |B|)\n");
    print_note("v_i^H B v_j is 1 or 0 within %.2g; the bound for both is %.2g\n", orthogonality,
               100.0 * N * REAL_EPSILON);

    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    CHECK(cudaFree(d_matrix));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_factor));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_W));
    CHECK(cudaFree(d_info));
    free(h_V);
    free(h_W);
    free_problem(&problem);
    return verdict();
}
