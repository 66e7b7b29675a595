// cublas-transposes: matrix products of any size by cuBLAS, with every transpose, in three types
//
// From:    section 17.2
// Compile: nvcc -O3 cublas-transposes.cu -lcublas
// Run:     ./a.out -n 4096x3584x3072
// Libs:    -lcublas
//
// gemm computes C = alpha op(A) op(B) + beta C. op(A) has M rows and K columns, op(B) has K and N,
// and C has M and N. op(A) is A itself (N), its transpose (T), or its conjugate transpose (C). All
// matrices lie column by column: element (row, column) of A is A[row + column * lda]. lda is the
// distance of two columns of A as it lies in memory, whatever op is. It may be larger than the
// number of rows. Here it is larger by what --pad says.
//
// Each product is checked on small integers, where no addition rounds. The check multiplies the new
// C by a vector r: C r must be equal to alpha op(A) (op(B) r) + beta (old C) r. Both sides take far
// fewer multiplications than the product. Then fractions are multiplied, and elements of C at
// random places are compared with sums in long double.
//
// The ceiling is that of the multiply-adds of float and of double on the normal cores. cuBLAS uses
// tensor cores for double where there are any, so rows of double and complex can be above 100 %. A
// multiply-add of complex numbers counts as 8 operations. The CPU backend has no ceiling here.

#include <complex>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/multiply_add.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/timing.cuh"
#include "../common/versions_data.cuh"

typedef std::complex<double> Complex; // lies in memory as cuDoubleComplex does

// One product: gemm's arguments in their order. A cuDoubleComplex is aligned to 16 bytes, a
// std::complex<double> only to 8. So alpha and beta are aligned here.
template <typename T>
struct Product
{
    cublasOperation_t op_A, op_B;
    int M, N, K;
    alignas(16) T alpha;
    const T *A;
    int lda;
    const T *B;
    int ldb;
    alignas(16) T beta;
    T *C;
    int ldc;
};

cublasStatus_t gemm(cublasHandle_t handle, const Product<float> &p)
{
    return cublasSgemm(handle, p.op_A, p.op_B, p.M, p.N, p.K, &p.alpha, p.A, p.lda, p.B, p.ldb,
                       &p.beta, p.C, p.ldc);
}

cublasStatus_t gemm(cublasHandle_t handle, const Product<double> &p)
{
    return cublasDgemm(handle, p.op_A, p.op_B, p.M, p.N, p.K, &p.alpha, p.A, p.lda, p.B, p.ldb,
                       &p.beta, p.C, p.ldc);
}

cublasStatus_t gemm(cublasHandle_t handle, const Product<Complex> &p)
{
    typedef cuDoubleComplex Z;
    return cublasZgemm(handle, p.op_A, p.op_B, p.M, p.N, p.K, (const Z *)&p.alpha, (const Z *)p.A,
                       p.lda, (const Z *)p.B, p.ldb, (const Z *)&p.beta, (Z *)p.C, p.ldc);
}

// What differs between the three types. The host computes in Wide, where integers are added,
// and in Wider for fractions.
template <typename T>
struct Number
{
    typedef double Wide;
    typedef long double Wider;
    static constexpr double OPERATIONS = 2.0; // of a multiply-add
    static T make(double real, double) { return (T)real; }
    static double conjugate(double x) { return x; }
};

template <>
struct Number<Complex>
{
    typedef Complex Wide;
    typedef std::complex<long double> Wider;
    static constexpr double OPERATIONS = 8.0;
    static Complex make(double real, double imaginary) { return Complex(real, imaginary); }
    static Complex conjugate(Complex x) { return std::conj(x); }
};

template <typename T>
using Wide = typename Number<T>::Wide;

double epsilon_of(float) { return FLT_EPSILON; }

double epsilon_of(double) { return DBL_EPSILON; }

double epsilon_of(Complex) { return DBL_EPSILON; }

// Small even integers: half of one, by beta, is an integer too.
template <typename T>
void fill_even(T *x, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; ++i)
    {
        const int real = (int)random_below(seed, 2 * i, 9) - 4;
        const int imaginary = (int)random_below(seed, 2 * i + 1, 9) - 4;
        x[i] = Number<T>::make(2 * real, 2 * imaginary);
    }
}

// A fraction from -1 to 1 with all the digits that a double has.
double fraction(uint64_t seed, uint64_t index)
{
    return (double)(hash_bits(seed, index) >> 11) / (double)(1ull << 52) - 1.0;
}

template <typename T>
void fill_fractions(T *x, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; ++i)
    {
        x[i] = Number<T>::make(fraction(seed, 2 * i), fraction(seed, 2 * i + 1));
    }
}

// Element (row, column) of op(X), where X lies column by column, ld apart.
template <typename T>
Wide<T> element(cublasOperation_t op, const T *X, size_t ld, size_t row, size_t column)
{
    const Wide<T> x = op == CUBLAS_OP_N ? X[row + column * ld] : X[column + row * ld];
    return op == CUBLAS_OP_C ? Number<T>::conjugate(x) : x;
}

// y = op(X) r, where op(X) has so many rows and columns. Both pairs of loops run down the columns
// of X, as it lies in memory.
template <typename T>
void multiply_vector(cublasOperation_t op, const T *X, size_t ld, size_t rows, size_t columns,
                     const Wide<T> *r, Wide<T> *y)
{
    for (size_t row = 0; row < rows; ++row)
    {
        y[row] = 0.0;
    }
    if (op == CUBLAS_OP_N)
    {
        for (size_t column = 0; column < columns; ++column)
        {
            for (size_t row = 0; row < rows; ++row)
            {
                y[row] += element(op, X, ld, row, column) * r[column];
            }
        }
        return;
    }
    for (size_t row = 0; row < rows; ++row)
    {
        for (size_t column = 0; column < columns; ++column)
        {
            y[row] += element(op, X, ld, row, column) * r[column];
        }
    }
}

// Small integers: every element of C is exact, and so is C r in double. If a row of C is wrong, its
// element of C r is right by chance once in 65536 times. What lies between the columns of C must
// not change.
template <typename T>
bool is_exact(const Product<T> &p, const T *h_A, const T *h_B, const T *old_C, const T *h_C)
{
    const size_t M = p.M, N = p.N, K = p.K, largest = M > K ? M : K;
    Wide<T> *r = new Wide<T>[N], *B_r = new Wide<T>[K], *should = new Wide<T>[largest];
    Wide<T> *C_r = new Wide<T>[M], *is = new Wide<T>[M];
    for (size_t n = 0; n < N; ++n)
    {
        r[n] = (double)random_below(UINT64_MAX, n, 65536) - 32768.0;
    }
    multiply_vector(p.op_B, h_B, p.ldb, K, N, r, B_r);
    multiply_vector(p.op_A, h_A, p.lda, M, K, B_r, should);
    multiply_vector(CUBLAS_OP_N, old_C, p.ldc, M, N, r, C_r);
    multiply_vector(CUBLAS_OP_N, h_C, p.ldc, M, N, r, is);
    bool right = true;
    for (size_t m = 0; m < M; ++m)
    {
        right = right && is[m] == Wide<T>(p.alpha) * should[m] + Wide<T>(p.beta) * C_r[m];
    }
    for (size_t n = 0; n < N; ++n)
    {
        const T *between = h_C + M + n * p.ldc;
        right = right && memcmp(between, old_C + M + n * p.ldc, (p.ldc - M) * sizeof(T)) == 0;
    }
    delete[] r;
    delete[] B_r;
    delete[] should;
    delete[] C_r;
    delete[] is;
    return right;
}

// Fractions: the largest error of some elements, relative to the sum of the absolute values of what
// was added. Each of K + 2 multiplications and additions rounds by at most half an epsilon of that.
template <typename T>
double error_of(const Product<T> &p, const T *h_A, const T *h_B, const T *old_C, const T *h_C)
{
    typedef typename Number<T>::Wider Wider;
    const size_t SAMPLES = 400;
    double largest = 0.0;
    for (size_t i = 0; i < SAMPLES; ++i)
    {
        const size_t row = random_below(1, i, p.M), column = random_below(2, i, p.N);
        Wider sum = 0.0;
        long double sum_abs = 0.0;
        for (int k = 0; k < p.K; ++k)
        {
            const Wider a = element(p.op_A, h_A, p.lda, row, k);
            const Wider b = element(p.op_B, h_B, p.ldb, k, column);
            sum += a * b;
            sum_abs += std::abs(a * b);
        }
        const Wider alpha = Wide<T>(p.alpha), beta = Wide<T>(p.beta);
        const Wider old = Wide<T>(old_C[row + column * p.ldc]);
        const Wider is = Wide<T>(h_C[row + column * p.ldc]);
        const long double size = std::abs(alpha) * sum_abs + std::abs(beta * old);
        const double error = (double)(std::abs(is - (alpha * sum + beta * old)) / size);
        largest = error <= largest ? largest : error; // NaN comes in ...
        if (isnan(largest))
        {
            break; // ... and nothing would replace it
        }
    }
    return largest;
}

// ---- All nine products of one type ----

const cublasOperation_t OPERATIONS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const char OP_LETTERS[] = "NTC"; // CUBLAS_OP_N is 0, CUBLAS_OP_T is 1, CUBLAS_OP_C is 2

// The arrays of all products of one type.
template <typename T>
struct Matrices
{
    size_t M, N, K, pad;
    size_t size_A, size_B, size_C; // elements
    T *h_A, *h_B, *old_C, *h_C;
    T *d_A, *d_B, *d_C;
};

// A is M x K, or K x M where op(A) is a transpose. There is room for both. So it is with B.
template <typename T>
Matrices<T> allocate_matrices(size_t pad)
{
    Matrices<T> m;
    m.M = args.M;
    m.N = args.N;
    m.K = args.K;
    m.pad = pad;
    m.size_A = std::max((m.M + pad) * m.K, (m.K + pad) * m.M);
    m.size_B = std::max((m.K + pad) * m.N, (m.N + pad) * m.K);
    m.size_C = (m.M + pad) * m.N;
    m.h_A = (T *)malloc(m.size_A * sizeof(T));
    m.h_B = (T *)malloc(m.size_B * sizeof(T));
    m.old_C = (T *)malloc(m.size_C * sizeof(T));
    m.h_C = (T *)malloc(m.size_C * sizeof(T));
    CHECK(cudaMalloc(&m.d_A, m.size_A * sizeof(T)));
    CHECK(cudaMalloc(&m.d_B, m.size_B * sizeof(T)));
    CHECK(cudaMalloc(&m.d_C, m.size_C * sizeof(T)));
    return m;
}

template <typename T>
void free_matrices(const Matrices<T> *m)
{
    CHECK(cudaFree(m->d_A));
    CHECK(cudaFree(m->d_B));
    CHECK(cudaFree(m->d_C));
    free(m->h_A);
    free(m->h_B);
    free(m->old_C);
    free(m->h_C);
}

// `fill` is fill_even or fill_fractions.
template <typename T>
void fill_matrices(const Matrices<T> *m, void (*fill)(T *, size_t, uint64_t), uint64_t seed)
{
    fill(m->h_A, m->size_A, seed);
    fill(m->h_B, m->size_B, seed + 1);
    fill(m->old_C, m->size_C, seed + 2);
    CHECK(cudaMemcpy(m->d_A, m->h_A, m->size_A * sizeof(T), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(m->d_B, m->h_B, m->size_B * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T>
Product<T> product_of(const Matrices<T> *m, cublasOperation_t op_A, cublasOperation_t op_B)
{
    Product<T> p;
    p.op_A = op_A;
    p.op_B = op_B;
    p.M = (int)m->M;
    p.N = (int)m->N;
    p.K = (int)m->K;
    p.alpha = Number<T>::make(-2.0, 1.0);
    p.beta = Number<T>::make(0.5, -0.5);
    p.A = m->d_A;
    p.B = m->d_B;
    p.C = m->d_C;
    // The rows of A, of B and of C as they lie in memory, and the padding.
    p.lda = (int)((op_A == CUBLAS_OP_N ? m->M : m->K) + m->pad);
    p.ldb = (int)((op_B == CUBLAS_OP_N ? m->K : m->N) + m->pad);
    p.ldc = (int)(m->M + m->pad);
    return p;
}

// The product of one way, copied to m->h_C.
template <typename T>
void multiply(cublasHandle_t handle, const Product<T> &p, const Matrices<T> *m)
{
    const size_t bytes = m->size_C * sizeof(T);
    poison(m->h_C, bytes);
    CHECK(cudaMemcpy(m->d_C, m->old_C, bytes, cudaMemcpyHostToDevice));
    CHECK_CUBLAS(gemm(handle, p));
    CHECK(cudaMemcpy(m->h_C, m->d_C, bytes, cudaMemcpyDeviceToHost));
}

void print_row(const char *name, double error, double ms, double rate, double ceiling)
{
    printf(args.csv ? "%s" : "%-13s", name);
    print_cell(args.csv, "%9.2g", error);
    print_cell(args.csv, "%10.4g", ms);
    print_cell(args.csv, "%10.1f", rate);
    print_cell(args.csv, "%6.1f", 100.0 * rate / ceiling);
    printf("\n");
    fflush(stdout);
}

// Two checks and a row for each pair of operations. float/NT: op(A) is A, op(B) is the transpose of
// B.
template <typename T>
void multiply_all_ways(cublasHandle_t handle, size_t pad, double ceiling, const char *type)
{
    const Matrices<T> m = allocate_matrices<T>(pad);
    const double operations = Number<T>::OPERATIONS * m.M * m.N * m.K;
    // A product of complex numbers has two more roundings than one of real numbers.
    const double bound = (m.K + 8.0) * epsilon_of(T());
    for (const bool on_integers : {true, false})
    {
        fill_matrices(&m, on_integers ? fill_even<T> : fill_fractions<T>, args.seed);
        for (const cublasOperation_t op_A : OPERATIONS)
        {
            for (const cublasOperation_t op_B : OPERATIONS)
            {
                const Product<T> p = product_of(&m, op_A, op_B);
                char name[16];
                snprintf(name, sizeof(name), "%s/%c%c", type, OP_LETTERS[op_A], OP_LETTERS[op_B]);
                multiply(handle, p, &m);
                if (on_integers)
                {
                    check_true(name, is_exact(p, m.h_A, m.h_B, m.old_C, m.h_C));
                    continue;
                }
                const double error = error_of(p, m.h_A, m.h_B, m.old_C, m.h_C);
                check_true(name, error <= bound);
                const auto again = [&]
                {
                    CHECK_CUBLAS(gemm(handle, p));
                };
                const double ms = time_kernel(again, args.repeats).median;
                print_row(name, error, ms, operations / ms * 1e-6, ceiling);
            }
        }
    }
    free_matrices(&m);
}

const char *const COLUMNS =
    "  error    the largest error of 400 elements, relative to the sum of the absolute values\n"
    "  ms       the median time of a product (on the CPU backend: CPU ms)\n"
    "  GFLOP/s  operations over the time; a multiply-add of complex numbers counts as 8\n"
    "  %        this rate in percent of the ceiling of float or of double\n";

int main(int argc, char **argv)
{
    args.M = default_size(4096, 300);
    args.N = default_size(3584, 200);
    args.K = default_size(3072, 250);
    args.repeats = 10;
    size_t pad = 32;
    add_number("pad", &pad, 0, 100000, "what lda is larger than the number of rows");
    args.columns = COLUMNS;
    parse_args(argc, argv, "-n MxNxK -r R -s S --csv",
               "cublas-transposes: matrix products of any size by cuBLAS, with every transpose, in "
               "three types");
    const double M = args.M, N = args.N, K = args.K;
    const double size_A = fmax((M + pad) * K, (K + pad) * M);
    const double size_B = fmax((K + pad) * N, (N + pad) * K);
    const double size_C = (M + pad) * N;
    require_memory((size_A + size_B + 2.0 * size_C + 4.0 * (M + N + K)) * sizeof(Complex),
                   (size_A + size_B + size_C) * sizeof(Complex));
    if (fmax(fmax(M, N), K) + pad > INT_MAX)
    {
        usage_error("M, N and K are at most %d, with the padding", INT_MAX);
    }
    print_device();

    cublasHandle_t handle;
    CHECK_CUBLAS(cublasCreate(&handle));

    // The kernel that measures the ceiling is a plain loop. On a CPU it is slower than the library.
    const double ceiling_float = ON_GPU ? multiply_add_ceiling<float>() : NAN;
    const double ceiling_double = ON_GPU ? multiply_add_ceiling<double>() : NAN;
    print_note("size = %zux%zux%zu, lda = rows + %zu, median of %zu repeats\n", args.M, args.N,
               args.K, pad, args.repeats);
    if (ON_GPU)
    {
        print_note("ceilings: %.1f GFLOP/s in float, %.1f in double\n", ceiling_float,
                   ceiling_double);
    }
    printf(args.csv ? "version,error,%s,GFLOP/s,%%\n"
                    : "version           error %10s    GFLOP/s      %%\n",
           TIME_UNIT);
    multiply_all_ways<float>(handle, pad, ceiling_float, "float");
    multiply_all_ways<double>(handle, pad, ceiling_double, "double");
    multiply_all_ways<Complex>(handle, pad, ceiling_double, "complex");

    CHECK_CUBLAS(cublasDestroy(handle));
    return verdict();
}
