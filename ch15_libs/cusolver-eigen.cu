// cusolver-eigen: eigenvalues and eigenvectors by cuSOLVER: divide and conquer against Jacobi's
// method
//
// From:    section 18.2
// Compile: nvcc -O3 cusolver-eigen.cu -lcusolver
// Run:     ./a.out -n 512
// Libs:    -lcusolver
//
// The matrices are random and Hermitian, of any size N. See cusolver.cu for what the parts of a
// function's name say. The last letter is the method: d is divide and conquer, j is Jacobi's. The
// matrices are in column order: element (i, j) is A[j * lda + i]. The numbers are complex floats,
// and with -DUSE_DP complex doubles. eigen.cuh makes the matrices and checks what was found.

#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"
#include "check_cusolver.cuh"
#include "eigen.cuh"

static size_t N, lda;              // a column begins `lda` elements after the one before
static Problem problem;            // A v = w v
static ComplexReal *d_matrix;      // A
static ComplexReal *d_A;           // begins as A; the library leaves the vectors there
static real *d_W;                  // the eigenvalues
static int *d_info;                // devInfo
static ComplexReal *d_work;        // workspace ...
static int lwork;                  // ... of so many numbers
static ComplexReal *h_V;           // the vectors, from the device
static real *h_W;                  // the values, from the device
static double worst_orthogonality; // of all rows with vectors
static cusolverDnHandle_t handle;
static syevjInfo_t jacobi; // the options of Jacobi's method, and how it went

const cublasFillMode_t UPLO = CUBLAS_FILL_MODE_LOWER; // the half of a matrix that is read
const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR;
const cusolverEigMode_t NO_VECTORS = CUSOLVER_EIG_MODE_NOVECTOR;

void run_heevd(void)
{
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd)(handle, VECTORS, UPLO, N, d_A, lda, d_W, d_work, lwork, d_info));
}

void run_heevd_values(void)
{
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd)(handle, NO_VECTORS, UPLO, N, d_A, lda, d_W, d_work, lwork, d_info));
}

void run_heevj(void)
{
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(heevj)(handle, VECTORS, UPLO, N, d_A, lda, d_W, d_work, lwork,
                                           d_info, jacobi));
}

// Each function says how many numbers of workspace it needs. The largest fits all.
int size_of_workspace(void)
{
    int sizes[3], most = 0;
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd_bufferSize)(handle, VECTORS, UPLO, N, d_A, lda, d_W, &sizes[0]));
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd_bufferSize)(handle, NO_VECTORS, UPLO, N, d_A, lda, d_W, &sizes[1]));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(heevj_bufferSize)(handle, VECTORS, UPLO, N, d_A, lda, d_W,
                                                      &sizes[2], jacobi));
    for (int i = 0; i < 3; ++i)
    {
        most = sizes[i] > most ? sizes[i] : most;
    }
    return most;
}

// The calls overwrite their matrix, so each run begins with a copy.
void set_up(void)
{
    CHECK(cudaMemcpy(d_A, d_matrix, lda * N * sizeof(ComplexReal), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(d_info, POISON_BYTE, sizeof(int)));
}

void check_without_vectors(void)
{
    check_values(&problem, h_W, d_info);
    check_sums(&problem, h_W);
}

void check_with_vectors(void)
{
    check_without_vectors();
    const double orthogonality = check_vectors(&problem, h_W, h_V, lda);
    worst_orthogonality = larger(worst_orthogonality, orthogonality);
}

const Version VERSIONS[] = {
    {"heevd", "divide and conquer: values and vectors", run_heevd, check_with_vectors, BY_LIBRARY},
    {"heevd-values", "the same without vectors", run_heevd_values, check_without_vectors,
     BY_LIBRARY},
    {"heevj", "Jacobi's method: values and vectors", run_heevj, check_with_vectors, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// How exact the vectors are, and how Jacobi's method went.
void print_notes(void)
{
    print_note("devInfo was 0 after each call; the column error is |A v - w v| / |A|\n");
    if (strcmp(args.version, "heevd-values") != 0)
    {
        print_note("the vectors are orthogonal within %.2g; the bound for both is %.2g\n",
                   worst_orthogonality, 100.0 * N * REAL_EPSILON);
    }
    if (is_selected("heevj"))
    {
        int sweeps;
        double left;
        CHECK_CUSOLVER(cusolverDnXsyevjGetSweeps(handle, jacobi, &sweeps));
        CHECK_CUSOLVER(cusolverDnXsyevjGetResidual(handle, jacobi, &left));
        print_note("heevj: %d sweeps; what is left beside the diagonal: %.2g\n", sweeps, left);
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(512, 128);
    args.size_is = "rows and columns of the matrix";
    args.repeats = 5;
    add_versions(VERSIONS, NUM_VERSIONS);
    args.columns =
        "  (here, result is the smallest eigenvalue, error is the largest |A v - w v| over\n"
        "  |A|, and GFLOP/s counts what makes the matrix tridiagonal, and no more)\n";
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cusolver-eigen: eigenvalues and eigenvectors by cuSOLVER: divide and conquer "
               "against Jacobi's method");
    const double elements = (double)args.N * args.N;
    require_memory(elements * (3 * sizeof(cuDoubleComplex) + sizeof(ComplexReal)),
                   elements * 2 * sizeof(ComplexReal));
    if (args.N > 1000000)
    {
        usage_error("-n is at most 1000000, because cuSOLVER's sizes are ints");
    }

    N = args.N;
    lda = N + 3; // a column has three elements more than the matrix rows
    const size_t bytes = lda * N * sizeof(ComplexReal), W_bytes = N * sizeof(real);
    problem = new_problem(N, false, args.seed);
    CHECK(cudaMalloc(&d_matrix, bytes));
    copy_lower_half(problem.A, N, lda, d_matrix);
    h_V = (ComplexReal *)malloc(bytes);
    h_W = (real *)malloc(W_bytes);
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_W, W_bytes));
    CHECK(cudaMalloc(&d_info, sizeof(int)));
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    CHECK_CUSOLVER(cusolverDnCreateSyevjInfo(&jacobi));
    lwork = size_of_workspace();
    require_memory(0.0, (double)lwork * sizeof(ComplexReal));
    CHECK(cudaMalloc(&d_work, (size_t)lwork * sizeof(ComplexReal)));

    Table table = {};
    table.set_up = set_up;
    table.outputs[0] = {h_V, d_A, bytes};
    table.outputs[1] = {h_W, d_W, W_bytes};
    // To make the matrix tridiagonal takes 2/3 N^3 multiply-adds of complex numbers, which are
    // eight operations each. The rate counts no others, though the vectors need more.
    table.operations = 16.0 / 3.0 * N * N * N;
    table.ceiling = ON_GPU ? multiply_add_ceiling<real>() : 0.0;
    table.shows_result = true;
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_notes();

    CHECK_CUSOLVER(cusolverDnDestroySyevjInfo(jacobi));
    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    CHECK(cudaFree(d_matrix));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_W));
    CHECK(cudaFree(d_info));
    free(h_V);
    free(h_W);
    free_problem(&problem);
    return verdict();
}
