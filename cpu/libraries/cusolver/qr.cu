// A = Q R: geqrf makes both, ormqr (unmqr) multiplies by Q, and orgqr (ungqr) writes Q out.
//
// Q = H_1 H_2 ... H_k, a product of reflections. The vector of reflection j stands below the
// diagonal of column j, where R is 0.
#include "context.cuh"

static const int PANEL = 32;   // columns that one thread does before the others follow
static const size_t ROWS = 64; // of C for one thread, where Q stands on the right

// Reflection j is I - tau v v^H; its conjugate transpose has conj(tau) in place of tau.
template <class T>
static __global__ void qr_panel(T *A, size_t lda, int m, int first, int width, T *tau)
{
    for (int j = first; j < first + width; ++j)
    {
        T *v = A + j * lda + j;
        v[0] = number<T>(make_reflection(m - j, v, &tau[j]));
        for (int k = j + 1; k < first + width; ++k)
        {
            reflect(m - j, conj(tau[j]), v, A + k * lda + j);
        }
    }
}

template <class T>
static __global__ void qr_rest(T *A, size_t lda, int m, int first, int width, const T *tau)
{
    T *column = A + (first + width + blockIdx.x) * lda;
    for (int j = first; j < first + width; ++j)
    {
        reflect(m - j, conj(tau[j]), A + j * lda + j, column + j);
    }
}

static cusolverStatus_t check_qr(cusolverDnHandle_t handle, bool right)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    return right ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

template <class T>
static cusolverStatus_t factor_qr(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau,
                                  int lwork, int *info)
{
    const cusolverStatus_t status =
        check_qr(handle, m >= 0 && n >= 0 && is_leading(lda, m) && lwork >= 0);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    const cudaError_t before = cudaPeekAtLastError();
    const cudaStream_t stream = handle->stream;
    const int least = m < n ? m : n;
    set_info<<<1, 1, 0, stream>>>(info, 0);
    for (int first = 0; first < least; first += PANEL)
    {
        const int width = least - first < PANEL ? least - first : PANEL;
        qr_panel<T><<<1, 1, 0, stream>>>(A, lda, m, first, width, tau);
        if (first + width < n)
        {
            qr_rest<T><<<n - first - width, 1, 0, stream>>>(A, lda, m, first, width, tau);
        }
    }
    return launched(before);
}

// ---- Q C, Q^H C ----

// One column of C. Q C takes the reflections from the last to the first, Q^H C the other way round.
template <class T>
static __global__ void multiply_left(bool conjugates, int m, int k, const T *A, size_t lda,
                                     const T *tau, T *C, size_t ldc)
{
    T *column = C + blockIdx.x * ldc;
    for (int i = 0; i < k; ++i)
    {
        const int j = conjugates ? i : k - 1 - i;
        reflect(m - j, conjugates ? conj(tau[j]) : tau[j], A + j * lda + j, column + j);
    }
}

// ---- C Q, C Q^H ----

// Some rows of the m x n matrix C. C Q takes the reflections from the first to the last.
template <class T>
static __global__ void multiply_right(bool conjugates, int m, int n, int k, const T *A, size_t lda,
                                      const T *tau, T *C, size_t ldc)
{
    const size_t first = blockIdx.x * ROWS, rows = m - first < ROWS ? m - first : ROWS;
    T product[ROWS];
    for (int i = 0; i < k; ++i)
    {
        const int j = conjugates ? k - 1 - i : i;
        const T *v = A + j * lda, factor = conjugates ? conj(tau[j]) : tau[j];
        for (size_t row = 0; row < rows; ++row)
        {
            product[row] = C[j * ldc + first + row];
        }
        for (int column = j + 1; column < n; ++column)
        {
            subtract(rows, times((Real<T>)-1, v[column]), C + column * ldc + first, product);
        }
        for (size_t row = 0; row < rows; ++row)
        {
            product[row] = times(factor, product[row]);
            C[j * ldc + first + row] = minus(C[j * ldc + first + row], product[row]);
        }
        for (int column = j + 1; column < n; ++column)
        {
            subtract(rows, conj(v[column]), product, C + column * ldc + first);
        }
    }
}

template <class T>
static bool is_product(cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, int lda,
                       int ldc)
{
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int size = left ? m : n; // of Q
    const bool transposes =
        trans == CUBLAS_OP_C || (trans == CUBLAS_OP_T && !Number<T>::is_complex);
    return (left || side == CUBLAS_SIDE_RIGHT) && (trans == CUBLAS_OP_N || transposes) && m >= 0 &&
           n >= 0 && k >= 0 && k <= size && is_leading(lda, size) && is_leading(ldc, m);
}

template <class T>
static cusolverStatus_t multiply(cusolverDnHandle_t handle, cublasSideMode_t side,
                                 cublasOperation_t trans, int m, int n, int k, const T *A, int lda,
                                 const T *tau, T *C, int ldc, int lwork, int *info)
{
    const cusolverStatus_t status =
        check_qr(handle, is_product<T>(side, trans, m, n, k, lda, ldc) && lwork >= 0);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    const cudaError_t before = cudaPeekAtLastError();
    const cudaStream_t stream = handle->stream;
    const bool conjugates = trans != CUBLAS_OP_N;
    set_info<<<1, 1, 0, stream>>>(info, 0);
    if (m > 0 && n > 0 && side == CUBLAS_SIDE_LEFT)
    {
        multiply_left<T><<<n, 1, 0, stream>>>(conjugates, m, k, A, lda, tau, C, ldc);
    }
    else if (m > 0 && n > 0)
    {
        multiply_right<T>
            <<<groups_of(m, ROWS), 1, 0, stream>>>(conjugates, m, n, k, A, lda, tau, C, ldc);
    }
    return launched(before);
}

// ---- Q ----

// The vectors of the reflections, before Q takes their place.
template <class T>
static __global__ void save_vectors(int m, const T *A, size_t lda, T *saved)
{
    const size_t j = blockIdx.x;
    for (size_t i = j; i < (size_t)m; ++i)
    {
        saved[j * m + i] = A[j * lda + i];
    }
}

// Column blockIdx.x of the unit matrix, and all reflections on it.
template <class T>
static __global__ void write_column(int m, int k, const T *saved, const T *tau, T *A, size_t lda)
{
    T *column = A + blockIdx.x * lda;
    for (int i = 0; i < m; ++i)
    {
        column[i] = number<T>(i == (int)blockIdx.x);
    }
    for (int j = k; j-- > 0;)
    {
        reflect(m - j, tau[j], saved + (size_t)j * m + j, column + j);
    }
}

static bool is_part(int m, int n, int k, int lda)
{
    return m >= 0 && n >= 0 && n <= m && k >= 0 && k <= n && is_leading(lda, m);
}

template <class T>
static cusolverStatus_t write_q(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda,
                                const T *tau, T *work, int lwork, int *info)
{
    const cusolverStatus_t status =
        check_qr(handle, is_part(m, n, k, lda) && lwork >= 0 && (size_t)lwork >= (size_t)m * k);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    const cudaError_t before = cudaPeekAtLastError();
    const cudaStream_t stream = handle->stream;
    set_info<<<1, 1, 0, stream>>>(info, 0);
    if (k > 0)
    {
        save_vectors<T><<<k, 1, 0, stream>>>(m, A, lda, work);
    }
    if (n > 0)
    {
        write_column<T><<<n, 1, 0, stream>>>(m, k, work, tau, A, lda);
    }
    return launched(before);
}

// ---- The interface ----

static Workspace place_for(size_t bytes)
{
    Workspace space;
    space.used = bytes;
    return space;
}

#define FUNCTIONS(X, T, R, sy, orm, org)                                                           \
    extern "C" cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t handle, int m,  \
                                                                int n, T *, int lda, int *lwork)   \
    {                                                                                              \
        const cusolverStatus_t status = check_qr(handle, m >= 0 && n >= 0 && is_leading(lda, m));  \
        return status != CUSOLVER_STATUS_SUCCESS ? status : put_size<T>(Workspace(), lwork);       \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##geqrf(                                              \
        cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, T *, int lwork, int *info) \
    {                                                                                              \
        return factor_qr(handle, m, n, ours(A), lda, ours(tau), lwork, info);                      \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##orm##qr_bufferSize(                                 \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *, int lda, const T *, const T *, int ldc, int *lwork)                      \
    {                                                                                              \
        const bool right = is_product<OurNumber<T>::Type>(side, trans, m, n, k, lda, ldc);         \
        const cusolverStatus_t status = check_qr(handle, right);                                   \
        return status != CUSOLVER_STATUS_SUCCESS ? status : put_size<T>(Workspace(), lwork);       \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##orm##qr(                                            \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *A, int lda, const T *tau, T *C, int ldc, T *, int lwork, int *info)        \
    {                                                                                              \
        return multiply(handle, side, trans, m, n, k, ours(A), lda, ours(tau), ours(C), ldc,       \
                        lwork, info);                                                              \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##org##qr_bufferSize(                                 \
        cusolverDnHandle_t handle, int m, int n, int k, const T *, int lda, const T *, int *lwork) \
    {                                                                                              \
        const cusolverStatus_t status = check_qr(handle, is_part(m, n, k, lda));                   \
        return status != CUSOLVER_STATUS_SUCCESS                                                   \
                   ? status                                                                        \
                   : put_size<T>(place_for((size_t)m * k * sizeof(T)), lwork);                     \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##org##qr(cusolverDnHandle_t handle, int m, int n,    \
                                                       int k, T *A, int lda, const T *tau,         \
                                                       T *work, int lwork, int *info)              \
    {                                                                                              \
        return write_q(handle, m, n, k, ours(A), lda, ours(tau), ours(work), lwork, info);         \
    }
FOR_FOUR_TYPES(FUNCTIONS)
