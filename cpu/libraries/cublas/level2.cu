// cuBLAS, level 2: matrices and vectors. Here are gemv and ger.
#include "common.cuh"

namespace cublas
{

const int64_t ROWS = 512;         // of y that a block computes by gemv without a transpose
const int64_t ELEMENTS = 1 << 15; // of A that a block reads otherwise, at least: whole columns

// y = beta y; what y holds is not read if beta is 0.
template <typename T>
T scaled(T beta, const T &y)
{
    return is_zero(beta) ? T() : beta * y;
}

// y = alpha A x + beta y. Column by column, because that is how A lies in memory.
template <typename T>
__global__ void gemv_columns(int64_t m, int64_t n, Scalar<T> alpha, const T *A, int64_t lda,
                             Vector<const T> x, Scalar<T> beta, Vector<T> y)
{
    const T a = alpha.get(), b = beta.get();
    T sum[ROWS];
    for (int64_t first = blockIdx.x * ROWS; first < m; first += gridDim.x * ROWS)
    {
        const int64_t rows = m - first < ROWS ? m - first : ROWS;
        for (int64_t i = 0; i < rows; ++i)
        {
            sum[i] = T();
        }
        for (int64_t j = 0; j < n && !is_zero(a); ++j)
        {
            const T x_j = x[j], *column = A + j * lda + first;
            for (int64_t i = 0; i < rows; ++i)
            {
                sum[i] = sum[i] + column[i] * x_j;
            }
        }
        for (int64_t i = 0; i < rows; ++i)
        {
            y[first + i] = a * sum[i] + scaled(b, y[first + i]);
        }
    }
}

// y = alpha op(A) x + beta y with a transpose: an element of y is the product of a column and x.
template <bool CONJUGATES, typename T>
__global__ void gemv_dots(int64_t m, int64_t n, int64_t each, Scalar<T> alpha, const T *A,
                          int64_t lda, Vector<const T> x, Scalar<T> beta, Vector<T> y)
{
    const int LANES = 8; // additions that do not wait for each other
    const T a = alpha.get(), b = beta.get();
    for (int64_t first = blockIdx.x * each; first < n; first += gridDim.x * each)
    {
        for (int64_t j = first; j < n && j < first + each; ++j)
        {
            const T *column = A + j * lda;
            T lane[LANES] = {}, sum = T();
            const int64_t rows = is_zero(a) ? 0 : m, even = rows / LANES * LANES;
            for (int64_t i = 0; i < even; i += LANES)
            {
                for (int l = 0; l < LANES; ++l)
                {
                    lane[l] = lane[l] + conjugate_if<CONJUGATES>(column[i + l]) * x[i + l];
                }
            }
            for (int64_t i = even; i < rows; ++i)
            {
                sum = sum + conjugate_if<CONJUGATES>(column[i]) * x[i];
            }
            for (int l = 0; l < LANES; ++l)
            {
                sum = sum + lane[l];
            }
            y[j] = a * sum + scaled(b, y[j]);
        }
    }
}

// A = alpha x y^T + A, or with the conjugates of y.
template <bool CONJUGATES, typename T>
__global__ void ger(int64_t m, int64_t n, int64_t each, Scalar<T> alpha, Vector<const T> x,
                    Vector<const T> y, T *A, int64_t lda)
{
    const T a = alpha.get();
    if (is_zero(a))
    {
        return;
    }
    for (int64_t first = blockIdx.x * each; first < n; first += gridDim.x * each)
    {
        for (int64_t j = first; j < n && j < first + each; ++j)
        {
            const T a_y = a * conjugate_if<CONJUGATES>(y[j]);
            T *column = A + j * lda;
            for (int64_t i = 0; i < m; ++i)
            {
                column[i] = column[i] + x[i] * a_y;
            }
        }
    }
}

// incx may be 0, as on a GPU, although the manual says otherwise: x is then one number n times.
template <typename T>
cublasStatus_t do_gemv(cublasHandle_t handle, cublasOperation_t op, int64_t m, int64_t n,
                       const T *alpha, const T *A, int64_t lda, const T *x, int64_t incx,
                       const T *beta, T *y, int64_t incy)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, !is_operation(op) || m < 0 || n < 0 || lda < at_least_1(m));
    REFUSE(INVALID_VALUE, alpha == NULL || beta == NULL);
    REFUSE(SUCCESS, m == 0 || n == 0);
    const int64_t size_x = op == CUBLAS_OP_N ? n : m, size_y = op == CUBLAS_OP_N ? m : n;
    const Vector<const T> from = vector(x, size_x, incx);
    const Vector<T> to = vector(y, size_y, incy);
    const Scalar<T> a = scalar(handle, alpha), b = scalar(handle, beta);
    const int64_t each = at_least_1(ELEMENTS / m);
    const unsigned blocks = grid_of(pieces(n, each));
    const cudaError_t before = error_before();
    if (op == CUBLAS_OP_N)
    {
        gemv_columns<<<grid_of(pieces(m, ROWS)), 1, 0, handle->stream>>>(m, n, a, A, lda, from, b,
                                                                         to);
    }
    else if (op == CUBLAS_OP_T)
    {
        gemv_dots<false><<<blocks, 1, 0, handle->stream>>>(m, n, each, a, A, lda, from, b, to);
    }
    else
    {
        gemv_dots<true><<<blocks, 1, 0, handle->stream>>>(m, n, each, a, A, lda, from, b, to);
    }
    return status_since(before);
}

template <bool CONJUGATES, typename T>
cublasStatus_t do_ger(cublasHandle_t handle, int64_t m, int64_t n, const T *alpha, const T *x,
                      int64_t incx, const T *y, int64_t incy, T *A, int64_t lda)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, m < 0 || n < 0 || lda < at_least_1(m));
    REFUSE(INVALID_VALUE, incx == 0 || incy == 0 || alpha == NULL);
    REFUSE(SUCCESS, m == 0 || n == 0);
    const int64_t each = at_least_1(ELEMENTS / m);
    const cudaError_t before = error_before();
    ger<CONJUGATES><<<grid_of(pieces(n, each)), 1, 0, handle->stream>>>(
        m, n, each, scalar(handle, alpha), vector(x, m, incx), vector(y, n, incy), A, lda);
    return status_since(before);
}

} // namespace cublas

// ---- The functions by their names ----

#define GEMV(X, T, I, E)                                                                          \
    extern "C" cublasStatus_t cublas##X##gemv_v2##E(                                              \
        cublasHandle_t handle, cublasOperation_t op, I m, I n, const T *alpha, const T *A, I lda, \
        const T *x, I incx, const T *beta, T *y, I incy)                                          \
    {                                                                                             \
        return cublas::do_gemv(handle, op, m, n, alpha, A, lda, x, incx, beta, y, incy);          \
    }
#define GER(name, conjugates, T, I, E)                                                             \
    extern "C" cublasStatus_t cublas##name##_v2##E(cublasHandle_t handle, I m, I n,                \
                                                   const T *alpha, const T *x, I incx, const T *y, \
                                                   I incy, T *A, I lda)                            \
    {                                                                                              \
        return cublas::do_ger<conjugates>(handle, m, n, alpha, x, incx, y, incy, A, lda);          \
    }
#define ALL(I, E)                            \
    GEMV(S, float, I, E)                     \
    GEMV(D, double, I, E)                    \
    GEMV(C, cuComplex, I, E)                 \
    GEMV(Z, cuDoubleComplex, I, E)           \
    GER(Sger, false, float, I, E)            \
    GER(Dger, false, double, I, E)           \
    GER(Cgeru, false, cuComplex, I, E)       \
    GER(Cgerc, true, cuComplex, I, E)        \
    GER(Zgeru, false, cuDoubleComplex, I, E) \
    GER(Zgerc, true, cuDoubleComplex, I, E)
ALL(int, )
ALL(int64_t, _64)
