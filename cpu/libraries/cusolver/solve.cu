// Linear systems: LU with row exchanges (getrf, getrs) and Cholesky's factors (potrf, potrs).
#include "cholesky.cuh"

static const int PANEL = 32; // columns that one thread does before the others follow

// ---- LU ----

// Columns first ... first + width - 1 of an m x n matrix. The info is the number of the first
// column, counted from 1, in which all that is left is 0. Without `pivots` no rows are exchanged.
template <class T>
static __global__ void lu_panel(T *A, size_t lda, int m, int first, int width, int *pivots,
                                int *info)
{
    typedef Real<T> R;
    for (int j = first; j < first + width; ++j)
    {
        T *column = A + j * lda;
        int pivot = j;
        R most = manhattan(column[j]);
        for (int i = j + 1; i < m && pivots != NULL; ++i)
        {
            const R size = manhattan(column[i]);
            if (size > most)
            {
                most = size;
                pivot = i;
            }
        }
        if (pivots != NULL)
        {
            pivots[j] = pivot + 1;
        }
        if (most == 0)
        {
            *info = *info == 0 ? j + 1 : *info;
            continue;
        }
        for (int k = first; k < first + width && pivot != j; ++k)
        {
            const T a = A[k * lda + j];
            A[k * lda + j] = A[k * lda + pivot];
            A[k * lda + pivot] = a;
        }
        for (int i = j + 1; i < m; ++i)
        {
            column[i] = divide(column[i], column[j]);
        }
        for (int k = j + 1; k < first + width; ++k)
        {
            T *other = A + k * lda;
            subtract(m - j - 1, other[j], column + j + 1, other + j + 1);
        }
    }
}

// The other columns, one for each block: first those before the panel, then those after it.
template <class T>
static __global__ void lu_rest(T *A, size_t lda, int m, int first, int width, const int *pivots)
{
    const bool is_before = (int)blockIdx.x < first;
    const size_t k = blockIdx.x + (is_before ? 0 : width);
    T *column = A + k * lda;
    for (int j = first; j < first + width && pivots != NULL; ++j)
    {
        const T a = column[j];
        column[j] = column[pivots[j] - 1];
        column[pivots[j] - 1] = a;
    }
    for (int j = first; j < first + width && !is_before; ++j)
    {
        subtract(m - j - 1, column[j], A + j * lda + j + 1, column + j + 1);
    }
}

static cusolverStatus_t check_lu(cusolverDnHandle_t handle, int m, int n, int lda)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    return m >= 0 && n >= 0 && is_leading(lda, m) ? CUSOLVER_STATUS_SUCCESS
                                                  : CUSOLVER_STATUS_INVALID_VALUE;
}

template <class T>
static cusolverStatus_t factor_lu(cusolverDnHandle_t handle, int m, int n, T *A, int lda,
                                  int *pivots, int *info)
{
    const cusolverStatus_t status = check_lu(handle, m, n, lda);
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
        lu_panel<T><<<1, 1, 0, stream>>>(A, lda, m, first, width, pivots, info);
        if (n > width)
        {
            lu_rest<T><<<n - width, 1, 0, stream>>>(A, lda, m, first, width, pivots);
        }
    }
    return launched(before);
}

// op(A) x = b for one column of B, with A = P L U.
template <class T>
static __global__ void lu_solve(cublasOperation_t trans, int n, const T *A, size_t lda,
                                const int *pivots, T *B, size_t ldb)
{
    T *x = B + blockIdx.x * ldb;
    if (trans == CUBLAS_OP_N)
    {
        for (int i = 0; i < n && pivots != NULL; ++i)
        {
            const T a = x[i];
            x[i] = x[pivots[i] - 1];
            x[pivots[i] - 1] = a;
        }
        for (int k = 0; k < n; ++k)
        {
            subtract(n - k - 1, x[k], A + k * lda + k + 1, x + k + 1);
        }
        for (int k = n; k-- > 0;)
        {
            x[k] = divide(x[k], A[k * lda + k]);
            subtract(k, x[k], A + k * lda, x);
        }
        return;
    }
    const bool conjugates = trans == CUBLAS_OP_C;
    for (int k = 0; k < n; ++k)
    {
        const T *column = A + k * lda;
        const T known = conjugates ? dot(k, column, x) : plain_dot(k, column, x);
        x[k] = divide(minus(x[k], known), conjugates ? conj(column[k]) : column[k]);
    }
    for (int k = n; k-- > 0;)
    {
        const T *below = A + k * lda + k + 1;
        const size_t count = n - k - 1;
        const T known =
            conjugates ? dot(count, below, x + k + 1) : plain_dot(count, below, x + k + 1);
        x[k] = minus(x[k], known);
    }
    for (int i = n; i-- > 0 && pivots != NULL;)
    {
        const T a = x[i];
        x[i] = x[pivots[i] - 1];
        x[pivots[i] - 1] = a;
    }
}

template <class T>
static cusolverStatus_t solve_lu(cusolverDnHandle_t handle, cublasOperation_t trans, int n,
                                 int nrhs, const T *A, int lda, const int *pivots, T *B, int ldb,
                                 int *info)
{
    const cusolverStatus_t status = check_lu(handle, n, n, lda);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    if (nrhs < 0 || !is_leading(ldb, n) || trans < CUBLAS_OP_N || trans > CUBLAS_OP_C)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    const cudaError_t before = cudaPeekAtLastError();
    set_info<<<1, 1, 0, handle->stream>>>(info, 0);
    if (nrhs > 0)
    {
        lu_solve<T><<<nrhs, 1, 0, handle->stream>>>(trans, n, A, lda, pivots, B, ldb);
    }
    return launched(before);
}

// ---- Cholesky ----

static cusolverStatus_t check_cholesky(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                       int lda)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    return is_half(uplo) && n >= 0 && is_leading(lda, n) ? CUSOLVER_STATUS_SUCCESS
                                                         : CUSOLVER_STATUS_INVALID_VALUE;
}

// A = U^H U is A = L L^H with L = U^H, so the upper half goes through the workspace.
template <class T>
static T *upper_half(Workspace *space, cublasFillMode_t uplo, int n)
{
    return space->take<T>(uplo == CUBLAS_FILL_MODE_UPPER ? (size_t)n * n : 0);
}

template <class T>
static cusolverStatus_t size_cholesky(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                      int lda, int *lwork)
{
    const cusolverStatus_t status = check_cholesky(handle, uplo, n, lda);
    Workspace space;
    upper_half<T>(&space, uplo, n > 0 ? n : 0);
    return status != CUSOLVER_STATUS_SUCCESS ? status : put_size<T>(space, lwork);
}

template <class T>
static cusolverStatus_t do_cholesky(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,
                                    int lda, T *work, int lwork, int *info)
{
    const cusolverStatus_t status = check_cholesky(handle, uplo, n, lda);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    Workspace space;
    space.start = (char *)work;
    T *L = upper_half<T>(&space, uplo, n);
    if (lwork < 0 || (size_t)lwork < space.count_of<T>())
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    const cudaError_t before = cudaPeekAtLastError();
    const cudaStream_t stream = handle->stream;
    set_info<<<1, 1, 0, stream>>>(info, 0);
    if (n > 0 && uplo == CUBLAS_FILL_MODE_LOWER)
    {
        factor_cholesky(A, lda, n, info, stream);
    }
    else if (n > 0)
    {
        take_lower<T><<<n, 1, 0, stream>>>(A, lda, n, false, L);
        factor_cholesky(L, n, n, info, stream);
        put_lower<T><<<n, 1, 0, stream>>>(L, n, false, A, lda);
    }
    return launched(before);
}

template <class T>
static __global__ void cholesky_solve(bool lower, int n, const T *A, size_t lda, T *B, size_t ldb)
{
    T *x = B + blockIdx.x * ldb;
    if (lower)
    {
        solve_L(n, A, lda, x);
        solve_L_conj(n, A, lda, x);
        return;
    }
    for (int k = 0; k < n; ++k)
    {
        const T *column = A + k * lda;
        x[k] = divide(minus(x[k], dot(k, column, x)), conj(column[k]));
    }
    for (int k = n; k-- > 0;)
    {
        x[k] = divide(x[k], A[k * lda + k]);
        subtract(k, x[k], A + k * lda, x);
    }
}

template <class T>
static cusolverStatus_t solve_cholesky(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                       int nrhs, const T *A, int lda, T *B, int ldb, int *info)
{
    const cusolverStatus_t status = check_cholesky(handle, uplo, n, lda);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    if (nrhs < 0 || !is_leading(ldb, n))
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    const cudaError_t before = cudaPeekAtLastError();
    set_info<<<1, 1, 0, handle->stream>>>(info, 0);
    if (nrhs > 0)
    {
        const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
        cholesky_solve<T><<<nrhs, 1, 0, handle->stream>>>(lower, n, A, lda, B, ldb);
    }
    return launched(before);
}

// ---- The interface ----

#define FUNCTIONS(X, T, R, sy, orm, org)                                                          \
    extern "C" cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t handle, int m, \
                                                                int n, T *, int lda, int *lwork)  \
    {                                                                                             \
        const cusolverStatus_t status = check_lu(handle, m, n, lda);                              \
        return status != CUSOLVER_STATUS_SUCCESS ? status : put_size<T>(Workspace(), lwork);      \
    }                                                                                             \
    extern "C" cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t handle, int m, int n,     \
                                                     T *A, int lda, T *, int *pivots, int *info)  \
    {                                                                                             \
        return factor_lu(handle, m, n, ours(A), lda, pivots, info);                               \
    }                                                                                             \
    extern "C" cusolverStatus_t cusolverDn##X##getrs(                                             \
        cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *A, int lda, \
        const int *pivots, T *B, int ldb, int *info)                                              \
    {                                                                                             \
        return solve_lu(handle, trans, n, nrhs, ours(A), lda, pivots, ours(B), ldb, info);        \
    }                                                                                             \
    extern "C" cusolverStatus_t cusolverDn##X##potrf_bufferSize(                                  \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *, int lda, int *lwork)        \
    {                                                                                             \
        return size_cholesky<T>(handle, uplo, n, lda, lwork);                                     \
    }                                                                                             \
    extern "C" cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t handle,                   \
                                                     cublasFillMode_t uplo, int n, T *A, int lda, \
                                                     T *work, int lwork, int *info)               \
    {                                                                                             \
        return do_cholesky(handle, uplo, n, ours(A), lda, ours(work), lwork, info);               \
    }                                                                                             \
    extern "C" cusolverStatus_t cusolverDn##X##potrs(                                             \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T *A, int lda,   \
        T *B, int ldb, int *info)                                                                 \
    {                                                                                             \
        return solve_cholesky(handle, uplo, n, nrhs, ours(A), lda, ours(B), ldb, info);           \
    }
FOR_FOUR_TYPES(FUNCTIONS)
