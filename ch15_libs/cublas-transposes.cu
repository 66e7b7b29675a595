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
#include "../common/multiply_add.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"

const cublasOperation_t OPERATIONS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const char OP_LETTERS[] = "NTC"; // CUBLAS_OP_N is 0, CUBLAS_OP_T is 1, CUBLAS_OP_C is 2

enum Type
{
    FLOAT,
    DOUBLE,
    COMPLEX,
    NUM_TYPES
};

const struct
{
    const char *name;
    size_t bytes;
    double operations; // of a multiply-add
    double epsilon;
} TYPES[NUM_TYPES] = {
    {"float", sizeof(float), 2.0, FLT_EPSILON},
    {"double", sizeof(double), 2.0, DBL_EPSILON},
    {"complex", sizeof(cuDoubleComplex), 8.0, DBL_EPSILON},
};

// A number on the host. The imaginary part of float and double is 0.
struct Number
{
    double re, im;
};

static cublasHandle_t handle;
static size_t M, N, K, pad;
static Type type;                     // of the arrays:
static size_t size_A, size_B, size_C; // elements
static void *h_A, *h_B, *old_C, *h_C;
static void *d_A, *d_B, *d_C;

// One product: gemm's arguments without those above, alpha and beta.
struct Product
{
    cublasOperation_t op_A, op_B;
    int lda, ldb, ldc;
};

const float FLOAT_ALPHA = -2.0f, FLOAT_BETA = 0.5f;
const double DOUBLE_ALPHA = -2.0, DOUBLE_BETA = 0.5;
const cuDoubleComplex COMPLEX_ALPHA = {-2.0, 1.0}, COMPLEX_BETA = {0.5, -0.5};

// C = alpha op(A) op(B) + beta C, by the function of this type.
void run_gemm(const Product *p)
{
    const int m = (int)M, n = (int)N, k = (int)K;
    switch (type)
    {
    case FLOAT:
        CHECK_CUBLAS(cublasSgemm(handle, p->op_A, p->op_B, m, n, k, &FLOAT_ALPHA, (float *)d_A,
                                 p->lda, (float *)d_B, p->ldb, &FLOAT_BETA, (float *)d_C, p->ldc));
        break;
    case DOUBLE:
        CHECK_CUBLAS(cublasDgemm(handle, p->op_A, p->op_B, m, n, k, &DOUBLE_ALPHA, (double *)d_A,
                                 p->lda, (double *)d_B, p->ldb, &DOUBLE_BETA, (double *)d_C,
                                 p->ldc));
        break;
    default:
        CHECK_CUBLAS(cublasZgemm(handle, p->op_A, p->op_B, m, n, k, &COMPLEX_ALPHA,
                                 (cuDoubleComplex *)d_A, p->lda, (cuDoubleComplex *)d_B, p->ldb,
                                 &COMPLEX_BETA, (cuDoubleComplex *)d_C, p->ldc));
    }
}

Number alpha_of(Type type) { return {COMPLEX_ALPHA.x, type == COMPLEX ? COMPLEX_ALPHA.y : 0.0}; }

Number beta_of(Type type) { return {COMPLEX_BETA.x, type == COMPLEX ? COMPLEX_BETA.y : 0.0}; }

// Element i of an array of this type.
Number get_number(Type type, const void *x, size_t i)
{
    switch (type)
    {
    case FLOAT:
        return {((const float *)x)[i], 0.0};
    case DOUBLE:
        return {((const double *)x)[i], 0.0};
    default:
        return {((const cuDoubleComplex *)x)[i].x, ((const cuDoubleComplex *)x)[i].y};
    }
}

void set_number(Type type, void *x, size_t i, double re, double im)
{
    switch (type)
    {
    case FLOAT:
        ((float *)x)[i] = (float)re;
        break;
    case DOUBLE:
        ((double *)x)[i] = re;
        break;
    default:
        ((cuDoubleComplex *)x)[i] = {re, im};
    }
}

// sum + a b
Number multiply_add(Number a, Number b, Number sum)
{
    return {sum.re + a.re * b.re - a.im * b.im, sum.im + a.re * b.im + a.im * b.re};
}

// Small even integers: half of one, by beta, is an integer too.
void fill_even(Type type, void *x, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; ++i)
    {
        const int re = (int)random_below(seed, 2 * i, 9) - 4;
        const int im = (int)random_below(seed, 2 * i + 1, 9) - 4;
        set_number(type, x, i, 2 * re, 2 * im);
    }
}

// A fraction from -1 to 1 with all the digits that a double has.
double fraction(uint64_t seed, uint64_t index)
{
    return (double)(hash_bits(seed, index) >> 11) / (double)(1ull << 52) - 1.0;
}

void fill_fractions(Type type, void *x, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; ++i)
    {
        set_number(type, x, i, fraction(seed, 2 * i), fraction(seed, 2 * i + 1));
    }
}

// Element (row, column) of op(X), where X lies column by column, ld apart.
Number element(Type type, cublasOperation_t op, const void *X, size_t ld, size_t row, size_t column)
{
    Number x = get_number(type, X, op == CUBLAS_OP_N ? row + column * ld : column + row * ld);
    x.im = op == CUBLAS_OP_C ? -x.im : x.im;
    return x;
}

// y = op(X) r, where op(X) has so many rows and columns. Both pairs of loops run down the columns
// of X, as it lies in memory.
void multiply_vector(Type type, cublasOperation_t op, const void *X, size_t ld, size_t rows,
                     size_t columns, const Number *r, Number *y)
{
    for (size_t row = 0; row < rows; ++row)
    {
        y[row] = {0.0, 0.0};
    }
    if (op == CUBLAS_OP_N)
    {
        for (size_t column = 0; column < columns; ++column)
        {
            for (size_t row = 0; row < rows; ++row)
            {
                y[row] = multiply_add(element(type, op, X, ld, row, column), r[column], y[row]);
            }
        }
        return;
    }
    for (size_t row = 0; row < rows; ++row)
    {
        for (size_t column = 0; column < columns; ++column)
        {
            y[row] = multiply_add(element(type, op, X, ld, row, column), r[column], y[row]);
        }
    }
}

Number *new_vector(size_t size) { return (Number *)malloc(size * sizeof(Number)); }

// Small integers: every element of C is exact, and so is C r in double. If a row of C is wrong, its
// element of C r is right by chance once in 65536 times. What lies between the columns of C must
// not change.
bool is_exact(const Product *p)
{
    Number *r = new_vector(N), *B_r = new_vector(K), *A_B_r = new_vector(M);
    Number *old_C_r = new_vector(M), *C_r = new_vector(M);
    for (size_t n = 0; n < N; ++n)
    {
        r[n] = {(double)random_below(UINT64_MAX, n, 65536) - 32768.0, 0.0};
    }
    multiply_vector(type, p->op_B, h_B, p->ldb, K, N, r, B_r);
    multiply_vector(type, p->op_A, h_A, p->lda, M, K, B_r, A_B_r);
    multiply_vector(type, CUBLAS_OP_N, old_C, p->ldc, M, N, r, old_C_r);
    multiply_vector(type, CUBLAS_OP_N, h_C, p->ldc, M, N, r, C_r);
    bool right = true;
    for (size_t m = 0; m < M; ++m)
    {
        Number should = multiply_add(alpha_of(type), A_B_r[m], {0.0, 0.0});
        should = multiply_add(beta_of(type), old_C_r[m], should);
        right = right && C_r[m].re == should.re && C_r[m].im == should.im;
    }
    const size_t bytes = TYPES[type].bytes;
    for (size_t n = 0; n < N; ++n)
    {
        const size_t between = (M + n * p->ldc) * bytes;
        right = right &&
                memcmp((char *)h_C + between, (char *)old_C + between, (p->ldc - M) * bytes) == 0;
    }
    free(r);
    free(B_r);
    free(A_B_r);
    free(old_C_r);
    free(C_r);
    return right;
}

// Fractions: the largest error of some elements, relative to the sum of the absolute values of what
// was added. Each of K + 2 multiplications and additions rounds by at most half an epsilon of that.
double largest_relative_error(const Product *p)
{
    const size_t SAMPLES = 400;
    const Number alpha = alpha_of(type), beta = beta_of(type);
    double largest = 0.0;
    for (size_t i = 0; i < SAMPLES; ++i)
    {
        const size_t row = random_below(1, i, M), column = random_below(2, i, N);
        long double sum_re = 0.0, sum_im = 0.0, sum_abs = 0.0;
        for (size_t k = 0; k < K; ++k)
        {
            const Number a = element(type, p->op_A, h_A, p->lda, row, k);
            const Number b = element(type, p->op_B, h_B, p->ldb, k, column);
            const long double re = (long double)a.re * b.re - (long double)a.im * b.im;
            const long double im = (long double)a.re * b.im + (long double)a.im * b.re;
            sum_re += re;
            sum_im += im;
            sum_abs += hypotl(re, im);
        }
        const Number before = get_number(type, old_C, row + column * p->ldc);
        const Number is = get_number(type, h_C, row + column * p->ldc);
        const long double old_re =
            (long double)beta.re * before.re - (long double)beta.im * before.im;
        const long double old_im =
            (long double)beta.re * before.im + (long double)beta.im * before.re;
        const long double should_re = alpha.re * sum_re - alpha.im * sum_im + old_re;
        const long double should_im = alpha.re * sum_im + alpha.im * sum_re + old_im;
        const long double size = hypotl(alpha.re, alpha.im) * sum_abs + hypotl(old_re, old_im);
        const double error = (double)(hypotl(is.re - should_re, is.im - should_im) / size);
        largest = error <= largest ? largest : error; // NaN comes in ...
        if (isnan(largest))
        {
            break; // ... and nothing would replace it
        }
    }
    return largest;
}

// ---- All nine products of one type ----

size_t larger_of(size_t a, size_t b) { return a > b ? a : b; }

// A is M x K, or K x M where op(A) is a transpose. There is room for both. So it is with B.
void allocate_matrices(void)
{
    const size_t bytes = TYPES[type].bytes;
    size_A = larger_of((M + pad) * K, (K + pad) * M);
    size_B = larger_of((K + pad) * N, (N + pad) * K);
    size_C = (M + pad) * N;
    h_A = malloc(size_A * bytes);
    h_B = malloc(size_B * bytes);
    old_C = malloc(size_C * bytes);
    h_C = malloc(size_C * bytes);
    CHECK(cudaMalloc(&d_A, size_A * bytes));
    CHECK(cudaMalloc(&d_B, size_B * bytes));
    CHECK(cudaMalloc(&d_C, size_C * bytes));
}

void free_matrices(void)
{
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    free(h_A);
    free(h_B);
    free(old_C);
    free(h_C);
}

// `fill` is fill_even or fill_fractions.
void fill_matrices(void (*fill)(Type type, void *x, size_t size, uint64_t seed))
{
    const size_t bytes = TYPES[type].bytes;
    fill(type, h_A, size_A, args.seed);
    fill(type, h_B, size_B, args.seed + 1);
    fill(type, old_C, size_C, args.seed + 2);
    CHECK(cudaMemcpy(d_A, h_A, size_A * bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, h_B, size_B * bytes, cudaMemcpyHostToDevice));
}

// The rows of A, of B and of C as they lie in memory, and the padding.
Product product_of(cublasOperation_t op_A, cublasOperation_t op_B)
{
    Product p = {op_A, op_B};
    p.lda = (int)((op_A == CUBLAS_OP_N ? M : K) + pad);
    p.ldb = (int)((op_B == CUBLAS_OP_N ? K : N) + pad);
    p.ldc = (int)(M + pad);
    return p;
}

// The product of one way, copied to h_C.
void multiply(const Product *p)
{
    const size_t bytes = size_C * TYPES[type].bytes;
    poison(h_C, bytes);
    CHECK(cudaMemcpy(d_C, old_C, bytes, cudaMemcpyHostToDevice));
    run_gemm(p);
    CHECK(cudaMemcpy(h_C, d_C, bytes, cudaMemcpyDeviceToHost));
}

// Of a way that works out `operations`.
void print_row(const char *name, double error, double ms, double operations, double ceiling)
{
    const double rate = rate_of(operations, ms);
    put_text(name);
    put(error);
    put(ms);
    put(rate);
    put(percent_of(rate, ceiling));
    end_row();
}

double time_gemm(const Product *p)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run_gemm(p);
    }
    return timer.median;
}

// Of one product with integers.
void check_integers(const char *name, const Product *p)
{
    multiply(p);
    check_true(name, is_exact(p));
}

// Of one product with fractions: a check and a row.
void show_fractions(const char *name, const Product *p, double ceiling)
{
    // A product of complex numbers has two more roundings than one of real numbers.
    const double bound = (K + 8.0) * TYPES[type].epsilon;
    const double operations = TYPES[type].operations * M * N * K;
    multiply(p);
    const double error = largest_relative_error(p);
    check_true(name, error <= bound);
    const double ms = time_gemm(p);
    print_row(name, error, ms, operations, ceiling);
}

// Two checks and a row for each pair of operations. float/NT: op(A) is A, op(B) is the transpose of
// B.
void multiply_all_ways(Type type_of_arrays, double ceiling)
{
    type = type_of_arrays;
    allocate_matrices();
    for (int with_fractions = 0; with_fractions < 2; ++with_fractions)
    {
        fill_matrices(with_fractions ? fill_fractions : fill_even);
        for (int i = 0; i < 9; ++i)
        {
            const Product p = product_of(OPERATIONS[i / 3], OPERATIONS[i % 3]);
            char name[16];
            snprintf(name, sizeof(name), "%s/%c%c", TYPES[type].name, OP_LETTERS[p.op_A],
                     OP_LETTERS[p.op_B]);
            if (with_fractions)
            {
                show_fractions(name, &p, ceiling);
            }
            else
            {
                check_integers(name, &p);
            }
        }
    }
    free_matrices();
}

const char *const COLUMNS =
    "  error    the largest error of 400 elements, relative to the sum of the absolute values\n"
    "  ms       the median time of a product\n"
    "  GFLOP/s  operations over the time; a multiply-add of complex numbers counts as 8\n"
    "  %        this rate in percent of the ceiling of float or of double\n";

int main(int argc, char **argv)
{
    args.M = default_size(4096, 300);
    args.N = default_size(3584, 200);
    args.K = default_size(3072, 250);
    args.repeats = 10;
    pad = 32;
    add_number("pad", &pad, 0, 100000, "what lda is larger than the number of rows");
    args.columns = COLUMNS;
    parse_args(argc, argv, "-n MxNxK -r R -s S --csv",
               "cublas-transposes: matrix products of any size by cuBLAS, with every transpose, in "
               "three types");
    M = args.M;
    N = args.N;
    K = args.K;
    const double m = M, n = N, k = K; // products of these cannot overflow
    const double most_A = fmax((m + pad) * k, (k + pad) * m);
    const double most_B = fmax((k + pad) * n, (n + pad) * k);
    const double most_C = (m + pad) * n;
    require_memory((most_A + most_B + 2.0 * most_C + 4.0 * (m + n + k)) * sizeof(cuDoubleComplex),
                   (most_A + most_B + most_C) * sizeof(cuDoubleComplex));
    if (fmax(fmax(m, n), k) + pad > INT_MAX)
    {
        usage_error("M, N and K are at most %d, with the padding", INT_MAX);
    }
    print_device();

    CHECK_CUBLAS(cublasCreate(&handle));

    const double ceiling_float = ON_GPU ? multiply_add_ceiling<float>() : NAN;
    const double ceiling_double = ON_GPU ? multiply_add_ceiling<double>() : NAN;
    print_timed_note("size = %zux%zux%zu, lda = rows + %zu, median of %zu repeats\n", M, N, K, pad,
                     args.repeats);
    print_timed_note("ceilings: %.1f GFLOP/s in float, %.1f in double\n", ceiling_float,
                     ceiling_double);
    const Column COLUMNS[] = {{"version", "%-13s"},
                              {"error", "%9.2g"},
                              {TIME_UNIT, "%10.4g"},
                              {"GFLOP/s", "%10.1f"},
                              {"%", "%6.1f"}};
    begin_timed_table(COLUMNS, 5);
    multiply_all_ways(FLOAT, ceiling_float);
    multiply_all_ways(DOUBLE, ceiling_double);
    multiply_all_ways(COMPLEX, ceiling_double);

    CHECK_CUBLAS(cublasDestroy(handle));
    return verdict();
}
