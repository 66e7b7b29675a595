// cuBLAS, level 3 without gemm: geam and trsm.
#include "common.cuh"

namespace cublas
{

// ---- geam: C = alpha op(A) + beta op(B) ----

const int TILE = 32;

// Element (i, j) of op(X).
template <typename T>
T element(cublasOperation_t op, const T *X, int64_t ld, int64_t i, int64_t j)
{
    const T x = op == CUBLAS_OP_N ? X[i + j * ld] : X[j + i * ld];
    return op == CUBLAS_OP_C ? conjugate(x) : x;
}

template <typename T>
__global__ void geam(cublasOperation_t op_A, cublasOperation_t op_B, int64_t m, int64_t n,
                     Scalar<T> alpha, const T *A, int64_t lda, Scalar<T> beta, const T *B,
                     int64_t ldb, T *C, int64_t ldc)
{
    const T a = alpha.get(), b = beta.get();
    const int64_t down = pieces(m, TILE), tiles = down * pieces(n, TILE);
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    {
        const int64_t row = tile % down * TILE, column = tile / down * TILE;
        const int rows = m - row < TILE ? m - row : TILE;
        const int columns = n - column < TILE ? n - column : TILE;
        for (int j = 0; j < columns; ++j)
        {
            T *to = C + row + (column + j) * ldc;
            for (int i = 0; i < rows; ++i)
            {
                T sum = T();
                if (!is_zero(a))
                {
                    sum = a * element(op_A, A, lda, row + i, column + j);
                }
                if (!is_zero(b))
                {
                    sum = sum + b * element(op_B, B, ldb, row + i, column + j);
                }
                to[i] = sum;
            }
        }
    }
}

template <typename T>
cublasStatus_t do_geam(cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B,
                       int64_t m, int64_t n, const T *alpha, const T *A, int64_t lda, const T *beta,
                       const T *B, int64_t ldb, T *C, int64_t ldc)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, !is_operation(op_A) || !is_operation(op_B) || m < 0 || n < 0);
    REFUSE(INVALID_VALUE, lda < at_least_1(op_A == CUBLAS_OP_N ? m : n));
    REFUSE(INVALID_VALUE, ldb < at_least_1(op_B == CUBLAS_OP_N ? m : n));
    REFUSE(INVALID_VALUE, ldc < at_least_1(m) || alpha == NULL || beta == NULL);
    REFUSE(SUCCESS, m == 0 || n == 0);
    REFUSE(INVALID_VALUE, C == NULL);
    // In place only where an element needs no other one.
    REFUSE(INVALID_VALUE,
           A == C && (op_A != CUBLAS_OP_N || lda != ldc) && !is_zero_now(handle, alpha));
    REFUSE(INVALID_VALUE,
           B == C && (op_B != CUBLAS_OP_N || ldb != ldc) && !is_zero_now(handle, beta));
    const cudaError_t before = error_before();
    geam<<<grid_of(pieces(m, TILE) * pieces(n, TILE)), 1, 0, handle->stream>>>(
        op_A, op_B, m, n, scalar(handle, alpha), A, lda, scalar(handle, beta), B, ldb, C, ldc);
    return status_since(before);
}

// ---- trsm: op(A) X = alpha B, or X op(A) = alpha B; X takes the place of B ----

struct Triangle
{
    bool is_left, is_upper, is_unit; // op(A) is upper, whatever A is
    cublasOperation_t op;
};

const int64_t COLUMNS = 16; // of B that a block solves at once, where A stands on the left
const int64_t ROWS = 64;    // of B, where A stands on the right

// op(A) X = B. The columns of X do not depend on each other. Of a column the elements come one
// after the other: from the first if op(A) is lower, from the last if it is upper.
template <typename T>
void solve_left(const Triangle &t, int64_t m, int64_t columns, T alpha, const T *A, int64_t lda,
                T *B, int64_t ldb)
{
    for (int64_t j = 0; j < columns; ++j)
    {
        for (int64_t i = 0; i < m; ++i)
        {
            B[i + j * ldb] = is_zero(alpha) ? T() : alpha * B[i + j * ldb];
        }
    }
    if (is_zero(alpha))
    {
        return;
    }
    for (int64_t step = 0; step < m; ++step)
    {
        const int64_t k = t.is_upper ? m - 1 - step : step;
        const int64_t first = t.is_upper ? 0 : k + 1, end = t.is_upper ? k : m;
        const T diagonal = t.is_unit ? T() : element(t.op, A, lda, k, k);
        for (int64_t j = 0; j < columns; ++j)
        {
            T *b = B + j * ldb;
            if (t.op == CUBLAS_OP_N) // column k of A: x_k leaves the equations that follow
            {
                const T x = t.is_unit ? b[k] : divide(b[k], diagonal), *a = A + k * lda;
                b[k] = x;
                for (int64_t i = first; i < end; ++i)
                {
                    b[i] = b[i] - a[i] * x;
                }
            }
            else // row k of op(A) is column k of A: the elements before x_k enter its equation
            {
                const T *a = A + k * lda;
                const int64_t from = t.is_upper ? k + 1 : 0, to = t.is_upper ? m : k;
                T sum = T();
                for (int64_t i = from; i < to; ++i)
                {
                    sum = sum + (t.op == CUBLAS_OP_C ? conjugate(a[i]) : a[i]) * b[i];
                }
                const T right = b[k] - sum;
                b[k] = t.is_unit ? right : divide(right, diagonal);
            }
        }
    }
}

// X op(A) = B. The rows of X do not depend on each other, so that the loop over them is the inner
// one. Column k of X needs the columns before it if op(A) is upper, those behind it if it is lower.
template <typename T>
void solve_right(const Triangle &t, int64_t rows, int64_t n, T alpha, const T *A, int64_t lda, T *B,
                 int64_t ldb)
{
    for (int64_t step = 0; step < n; ++step)
    {
        const int64_t k = t.is_upper ? step : n - 1 - step;
        T *x = B + k * ldb;
        for (int64_t i = 0; i < rows; ++i)
        {
            x[i] = is_zero(alpha) ? T() : alpha * x[i];
        }
        const int64_t first = t.is_upper ? 0 : k + 1, end = t.is_upper ? k : n;
        for (int64_t j = first; j < end && !is_zero(alpha); ++j)
        {
            const T a = element(t.op, A, lda, j, k), *known = B + j * ldb;
            for (int64_t i = 0; i < rows; ++i)
            {
                x[i] = x[i] - known[i] * a;
            }
        }
        if (!t.is_unit && !is_zero(alpha))
        {
            const T diagonal = element(t.op, A, lda, k, k);
            for (int64_t i = 0; i < rows; ++i)
            {
                x[i] = divide(x[i], diagonal);
            }
        }
    }
}

template <typename T>
__global__ void trsm(Triangle t, int64_t m, int64_t n, Scalar<T> alpha, const T *A, int64_t lda,
                     T *B, int64_t ldb)
{
    const int64_t each = t.is_left ? COLUMNS : ROWS, number = t.is_left ? n : m;
    for (int64_t first = blockIdx.x * each; first < number; first += gridDim.x * each)
    {
        const int64_t size = number - first < each ? number - first : each;
        if (t.is_left)
        {
            solve_left(t, m, size, alpha.get(), A, lda, B + first * ldb, ldb);
        }
        else
        {
            solve_right(t, size, n, alpha.get(), A, lda, B + first, ldb);
        }
    }
}

template <typename T>
cublasStatus_t do_trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                       cublasOperation_t op, cublasDiagType_t diagonal, int64_t m, int64_t n,
                       const T *alpha, const T *A, int64_t lda, T *B, int64_t ldb)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, side != CUBLAS_SIDE_LEFT && side != CUBLAS_SIDE_RIGHT);
    REFUSE(INVALID_VALUE, fill != CUBLAS_FILL_MODE_LOWER && fill != CUBLAS_FILL_MODE_UPPER);
    REFUSE(INVALID_VALUE, diagonal != CUBLAS_DIAG_UNIT && diagonal != CUBLAS_DIAG_NON_UNIT);
    REFUSE(INVALID_VALUE, !is_operation(op) || m < 0 || n < 0 || alpha == NULL);
    REFUSE(INVALID_VALUE, lda < at_least_1(side == CUBLAS_SIDE_LEFT ? m : n));
    REFUSE(INVALID_VALUE, ldb < at_least_1(m));
    REFUSE(SUCCESS, m == 0 || n == 0);
    const Triangle t = {side == CUBLAS_SIDE_LEFT,
                        (fill == CUBLAS_FILL_MODE_UPPER) == (op == CUBLAS_OP_N),
                        diagonal == CUBLAS_DIAG_UNIT, op};
    const cudaError_t before = error_before();
    const unsigned blocks = grid_of(t.is_left ? pieces(n, COLUMNS) : pieces(m, ROWS));
    trsm<<<blocks, 1, 0, handle->stream>>>(t, m, n, scalar(handle, alpha), A, lda, B, ldb);
    return status_since(before);
}

} // namespace cublas

// ---- The functions by their names ----

#define LEVEL3(X, T, I, E)                                                                         \
    extern "C" cublasStatus_t cublas##X##geam##E(                                                  \
        cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B, I m, I n,           \
        const T *alpha, const T *A, I lda, const T *beta, const T *B, I ldb, T *C, I ldc)          \
    {                                                                                              \
        return cublas::do_geam(handle, op_A, op_B, m, n, alpha, A, lda, beta, B, ldb, C, ldc);     \
    }                                                                                              \
    extern "C" cublasStatus_t cublas##X##trsm_v2##E(                                               \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
        cublasDiagType_t diagonal, I m, I n, const T *alpha, const T *A, I lda, T *B, I ldb)       \
    {                                                                                              \
        return cublas::do_trsm(handle, side, fill, op, diagonal, m, n, alpha, A, lda, B, ldb);     \
    }
#define ALL(I, E)              \
    LEVEL3(S, float, I, E)     \
    LEVEL3(D, double, I, E)    \
    LEVEL3(C, cuComplex, I, E) \
    LEVEL3(Z, cuDoubleComplex, I, E)
ALL(int, )
ALL(int64_t, _64)
