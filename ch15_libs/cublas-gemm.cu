// cublas-gemm: a matrix product by cuBLAS: the book's 2 x 3 by 3 x 2, then any size, all transposes
//
// From:    Listing 17.1, sections 17.1 and 17.2, file cublas-gemm.cu; (17.1), (17.2)
// Compile: nvcc -O3 cublas-gemm.cu -lcublas
// Run:     ./a.out -n 4096x3584x3072
// Options: -n MxNxK -r R -s S --csv --pad N
// Libs:    -lcublas
// Chinese: 用 cuBLAS 计算矩阵乘积：先是书中 2 x 3 乘 3 x 2 的例子，再是任意大小与各种转置
// Also:    -n 33x17x5 -r 2 --pad 3
// Checks:  55
// Sizes:   1x1x1 33x17x5 64x64x33 67x129x31 100x1x257 1x64x300
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
#include "../common/args.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"

typedef std::complex<double> Complex; // lies in memory as cuDoubleComplex does

// ---- Listing 17.1 ----

void print_matrix(int R, int C, const double *A, const char *name)
{
    print_note("%s =\n", name);
    for (int r = 0; r < R; ++r)
    {
        print_note("");
        for (int c = 0; c < C; ++c)
        {
            printf("%10.6f", A[c * R + r]);
        }
        printf("\n");
    }
}

// The book's example. Its numbers are 0, 1, 2, ... in the order in which they lie in memory. So the
// first column of A is 0 and 1.
void multiply_as_in_book(cublasHandle_t handle)
{
    const int M = 2, K = 3, N = 2;
    const int MK = M * K, KN = K * N, MN = M * N;
    double h_A[MK], h_B[KN], h_C[MN];
    for (int i = 0; i < MK; i++)
    {
        h_A[i] = i;
    }
    for (int i = 0; i < KN; i++)
    {
        h_B[i] = i;
    }
    print_matrix(M, K, h_A, "A");
    print_matrix(K, N, h_B, "B");

    double *g_A, *g_B, *g_C;
    CHECK(cudaMalloc(&g_A, MK * sizeof(double)));
    CHECK(cudaMalloc(&g_B, KN * sizeof(double)));
    CHECK(cudaMalloc(&g_C, MN * sizeof(double)));
    CHECK_CUBLAS(cublasSetVector(MK, sizeof(double), h_A, 1, g_A, 1));
    CHECK_CUBLAS(cublasSetVector(KN, sizeof(double), h_B, 1, g_B, 1));

    // The book copies zeros into C. That is not necessary: where beta is 0, gemm does not read C.
    // These bytes are NaN, and 0 times NaN is NaN.
    CHECK(cudaMemset(g_C, 0xff, MN * sizeof(double)));
    const double alpha = 1.0, beta = 0.0;
    CHECK_CUBLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, g_A, M, g_B, K,
                             &beta, g_C, M));

    poison(h_C, sizeof(h_C));
    CHECK_CUBLAS(cublasGetVector(MN, sizeof(double), g_C, 1, h_C, 1));
    print_matrix(M, N, h_C, "C = A x B");
    const double printed_in_book[MN] = {10.0, 13.0, 28.0, 40.0}; // column by column
    check_elements("the product in the book", h_C, printed_in_book, MN);

    CHECK(cudaFree(g_A));
    CHECK(cudaFree(g_B));
    CHECK(cudaFree(g_C));
}

// ---- Any size ----

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
    static T make(double real, double)
    {
        return (T)real;
    }
    static double conjugate(double x)
    {
        return x;
    }
};

template <>
struct Number<Complex>
{
    typedef Complex Wide;
    typedef std::complex<long double> Wider;
    static constexpr double OPERATIONS = 8.0;
    static Complex make(double real, double imaginary)
    {
        return Complex(real, imaginary);
    }
    static Complex conjugate(Complex x)
    {
        return std::conj(x);
    }
};

template <typename T>
using Wide = typename Number<T>::Wide;

double epsilon_of(float)
{
    return FLT_EPSILON;
}

double epsilon_of(double)
{
    return DBL_EPSILON;
}

double epsilon_of(Complex)
{
    return DBL_EPSILON;
}

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

const char OP_LETTERS[] = "NTC"; // CUBLAS_OP_N is 0, CUBLAS_OP_T is 1, CUBLAS_OP_C is 2

// All nine products of one type: checks, and a row of the table each.
template <typename T>
void multiply_all_ways(const Args *args, cublasHandle_t handle, size_t pad, double ceiling,
                       const char *type)
{
    const size_t M = args->M, N = args->N, K = args->K;
    // A is M x K, or K x M where op(A) is a transpose. There is room for both.
    const size_t longer_A = K + pad, longer_B = N + pad;
    const size_t size_A = (M + pad) * K > longer_A * M ? (M + pad) * K : longer_A * M;
    const size_t size_B = (K + pad) * N > longer_B * K ? (K + pad) * N : longer_B * K;
    const size_t size_C = (M + pad) * N;
    const size_t bytes_A = size_A * sizeof(T), bytes_B = size_B * sizeof(T);
    const size_t bytes_C = size_C * sizeof(T);
    T *h_A = (T *)malloc(bytes_A), *h_B = (T *)malloc(bytes_B);
    T *old_C = (T *)malloc(bytes_C), *h_C = (T *)malloc(bytes_C);
    T *d_A, *d_B, *d_C;
    CHECK(cudaMalloc(&d_A, bytes_A));
    CHECK(cudaMalloc(&d_B, bytes_B));
    CHECK(cudaMalloc(&d_C, bytes_C));

    double errors[9], ms[9];
    for (const bool on_integers : {true, false})
    {
        const auto fill = on_integers ? fill_even<T> : fill_fractions<T>;
        fill(h_A, size_A, args->seed);
        fill(h_B, size_B, args->seed + 1);
        fill(old_C, size_C, args->seed + 2);
        CHECK(cudaMemcpy(d_A, h_A, bytes_A, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_B, h_B, bytes_B, cudaMemcpyHostToDevice));
        for (int way = 0; way < 9; ++way)
        {
            Product<T> p;
            p.op_A = (cublasOperation_t)(way / 3);
            p.op_B = (cublasOperation_t)(way % 3);
            p.M = (int)M;
            p.N = (int)N;
            p.K = (int)K;
            p.alpha = Number<T>::make(-2.0, 1.0);
            p.beta = Number<T>::make(0.5, -0.5);
            p.A = d_A;
            p.B = d_B;
            p.C = d_C;
            // The rows of A, of B and of C as they lie in memory, and the padding.
            p.lda = (int)((p.op_A == CUBLAS_OP_N ? M : K) + pad);
            p.ldb = (int)((p.op_B == CUBLAS_OP_N ? K : N) + pad);
            p.ldc = (int)(M + pad);

            poison(h_C, bytes_C);
            CHECK(cudaMemcpy(d_C, old_C, bytes_C, cudaMemcpyHostToDevice));
            CHECK_CUBLAS(gemm(handle, p));
            CHECK(cudaMemcpy(h_C, d_C, bytes_C, cudaMemcpyDeviceToHost));
            char what[80];
            snprintf(what, sizeof(what), "%s/%c%c, %s", type, OP_LETTERS[p.op_A],
                     OP_LETTERS[p.op_B], on_integers ? "integers" : "fractions");
            if (on_integers)
            {
                check_true(what, is_exact(p, h_A, h_B, old_C, h_C));
                continue;
            }
            // A product of complex numbers has two more roundings than one of real numbers.
            const double bound = (K + 8.0) * epsilon_of(T());
            errors[way] = error_of(p, h_A, h_B, old_C, h_C);
            check_true(what, errors[way] <= bound);
            const auto multiply = [&]
            {
                CHECK_CUBLAS(gemm(handle, p));
            };
            ms[way] = time_kernel(multiply, args->repeats).median;
        }
    }

    const double operations = Number<T>::OPERATIONS * M * N * K;
    for (int way = 0; way < 9; ++way)
    {
        const double rate = operations / ms[way] * 1e-6;
        char name[16]; // float/NT: op(A) is A, op(B) is the transpose of B
        snprintf(name, sizeof(name), "%s/%c%c", type, OP_LETTERS[way / 3], OP_LETTERS[way % 3]);
        printf(args->csv ? "%s" : "%-13s", name);
        print_cell(args->csv, "%9.2g", errors[way]);
        print_cell(args->csv, "%10.4g", ms[way]);
        print_cell(args->csv, "%10.1f", rate);
        print_cell(args->csv, "%6.1f", 100.0 * rate / ceiling);
        printf("\n");
    }
    fflush(stdout);

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    free(h_A);
    free(h_B);
    free(old_C);
    free(h_C);
}

int main(int argc, char **argv)
{
    Args args;
    args.M = default_size(4096, 300);
    args.N = default_size(3584, 200);
    args.K = default_size(3072, 250);
    args.repeats = 10;
    size_t pad = 32;
    add_number(&args, "pad", &pad, 0, 100000, "what lda is larger than the number of rows");
    parse_args(&args, argc, argv, "-n MxNxK -r R -s S --csv",
               "cublas-gemm: a matrix product by cuBLAS: the book's 2 x 3 by 3 x 2, then any size, "
               "all transposes");
    const double M = args.M, N = args.N, K = args.K;
    const double size_A = fmax((M + pad) * K, (K + pad) * M);
    const double size_B = fmax((K + pad) * N, (N + pad) * K);
    const double size_C = (M + pad) * N;
    require_memory(&args, (size_A + size_B + 2.0 * size_C + 4.0 * (M + N + K)) * sizeof(Complex),
                   (size_A + size_B + size_C) * sizeof(Complex));
    if (fmax(fmax(M, N), K) + pad > INT_MAX)
    {
        usage_error(&args, "M, N and K are at most %d, with the padding", INT_MAX);
    }
    print_device();

    cublasHandle_t handle;
    CHECK_CUBLAS(cublasCreate(&handle));
    multiply_as_in_book(handle);

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
    multiply_all_ways<float>(&args, handle, pad, ceiling_float, "float");
    multiply_all_ways<double>(&args, handle, pad, ceiling_double, "double");
    multiply_all_ways<Complex>(&args, handle, pad, ceiling_double, "complex");

    CHECK_CUBLAS(cublasDestroy(handle));
    return verdict();
}
