// The eigensolvers of the interface: syevd, syevdx, syevj, syevjBatched, sygvd, sygvj; he for sy.
#include "cholesky.cuh"
#include "eigen.cuh"

// ---- A x = w x ----

template <class T>
struct Plan
{
    Eigen<T> eigen;
    Tridiagonal<T> tridiagonal;
    Jacobi<T> jacobi;
    Workspace space;

    Plan(void *work, int n, cusolverEigMode_t jobz, bool by_jacobi)
    {
        const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
        space.start = (char *)work;
        eigen.take(&space, n, vectors);
        if (by_jacobi)
        {
            jacobi.take(&space, n);
        }
        else
        {
            tridiagonal.take(&space, n, vectors);
        }
    }
};

static cusolverStatus_t check_standard(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                       cublasFillMode_t uplo, int n, int lda)
{
    if (!is_alive(handle))
    {
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    const bool right = is_mode(jobz) && is_half(uplo) && n >= 0 && is_leading(lda, n);
    return right ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

template <class R>
static bool is_range(const Wanted<R> &wanted, int n)
{
    switch (wanted.range)
    {
    case CUSOLVER_EIG_RANGE_ALL:
        return true;
    case CUSOLVER_EIG_RANGE_I:
        return n == 0 || (wanted.il >= 1 && wanted.il <= wanted.iu && wanted.iu <= n);
    case CUSOLVER_EIG_RANGE_V:
        return wanted.vl < wanted.vu;
    default:
        return false;
    }
}

// The size does not depend on lda, and a GPU's library does not look at it here.
template <class T>
static cusolverStatus_t size_standard(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                      cublasFillMode_t uplo, int n, int, bool by_jacobi, int *lwork)
{
    const cusolverStatus_t status = check_standard(handle, jobz, uplo, n, n);
    return status != CUSOLVER_STATUS_SUCCESS
               ? status
               : put_size<T>(Plan<T>(NULL, n, jobz, by_jacobi).space, lwork);
}

// params is NULL where Jacobi's method is not asked for.
template <class T>
static cusolverStatus_t solve_standard(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                       const Wanted<Real<T>> &wanted, cublasFillMode_t uplo, int n,
                                       T *A, int lda, int *meig, Real<T> *W, T *work, int lwork,
                                       int *info, syevjInfo_t params)
{
    const cusolverStatus_t status = check_standard(handle, jobz, uplo, n, lda);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    const Plan<T> plan(work, n, jobz, params != NULL);
    if (!is_range(wanted, n) || lwork < 0 ||
        (n > 0 && (size_t)lwork < plan.space.template count_of<T>()))
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    const cudaError_t before = cudaPeekAtLastError();
    const cudaStream_t stream = handle->stream;
    if (params != NULL)
    {
        params->was_batched = false;
    }
    if (n == 0)
    {
        set_info<<<1, 1, 0, stream>>>(info, 0);
    }
    else
    {
        load(plan.eigen, A, lda, uplo == CUBLAS_FILL_MODE_LOWER, stream);
        if (params != NULL)
        {
            plan.jacobi.solve(plan.eigen, params, A, lda, W, info, stream);
        }
        else
        {
            plan.tridiagonal.solve(plan.eigen, wanted, A, lda, W, info, stream);
        }
    }
    // How many there are is known here, but for an interval.
    if (meig != NULL)
    {
        *meig = wanted.range == CUSOLVER_EIG_RANGE_I && n > 0 ? wanted.iu - wanted.il + 1 : n;
    }
    if (meig != NULL && wanted.range == CUSOLVER_EIG_RANGE_V && n > 0)
    {
        State<Real<T>> state = {};
        if (cudaMemcpyAsync(&state, plan.eigen.state, sizeof(state), cudaMemcpyDeviceToHost,
                            stream) != cudaSuccess ||
            cudaStreamSynchronize(stream) != cudaSuccess)
        {
            return CUSOLVER_STATUS_EXECUTION_FAILED;
        }
        *meig = state.last - state.first;
    }
    return launched(before);
}

// ---- A x = w B x and its kin ----

template <class T>
struct GeneralPlan
{
    Plan<T> plan;
    T *factor;  // L with B = L L^H
    T *vectors; // of the standard problem
    int *factor_info;
    Workspace space;

    GeneralPlan(void *work, int n, cusolverEigMode_t jobz, bool by_jacobi)
        : plan(work, n, jobz, by_jacobi), space(plan.space)
    {
        factor = space.take<T>((size_t)n * n);
        vectors = space.take<T>((size_t)n * n);
        factor_info = space.take<int>(1);
    }
};

// Column j of the matrix times L^-1 (type 1) or L^H (types 2 and 3).
template <class T>
static __global__ void reduce_columns(T *matrix, const T *L, int n, cusolverEigType_t itype,
                                      const int *factor_info)
{
    T *column = matrix + (size_t)blockIdx.x * n;
    if (*factor_info != 0)
    {
        return;
    }
    if (itype == CUSOLVER_EIG_TYPE_1)
    {
        solve_L(n, L, n, column);
    }
    else
    {
        multiply_L_conj(n, L, n, column);
    }
}

// Column j of the conjugate transpose.
template <class T>
static __global__ void transpose_columns(const T *from, T *to, int n)
{
    const size_t j = blockIdx.x;
    for (size_t i = 0; i < (size_t)n; ++i)
    {
        to[j * n + i] = conj(from[i * n + j]);
    }
}

// x = L^-H y (types 1 and 2) or L y (type 3).
template <class T>
static __global__ void restore_columns(const T *from, const T *L, int n, cusolverEigType_t itype,
                                       const int *factor_info, const int *info, T *A, size_t lda)
{
    T *to = A + blockIdx.x * lda;
    const T *column = from + (size_t)blockIdx.x * n;
    if (*factor_info != 0 || *info != 0)
    {
        return;
    }
    for (int i = 0; i < n; ++i)
    {
        to[i] = column[i];
    }
    if (itype == CUSOLVER_EIG_TYPE_3)
    {
        multiply_L(n, L, n, to);
    }
    else
    {
        solve_L_conj(n, L, n, to);
    }
}

// If B is not positive definite there are no values.
template <class T>
static __global__ void report_factor(int n, const int *factor_info, bool by_jacobi, Real<T> *W,
                                     int *info)
{
    if (*factor_info != 0)
    {
        *info = by_jacobi ? *factor_info : n + *factor_info;
        for (int i = 0; i < n; ++i)
        {
            W[i] = (Real<T>)NAN;
        }
    }
}

static cusolverStatus_t check_general(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                      cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, int lda,
                                      int ldb)
{
    const cusolverStatus_t status = check_standard(handle, jobz, uplo, n, lda);
    const bool right =
        itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3 && is_leading(ldb, n);
    return status == CUSOLVER_STATUS_SUCCESS && !right ? CUSOLVER_STATUS_INVALID_VALUE : status;
}

template <class T>
static cusolverStatus_t size_general(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                     cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, int lda,
                                     int ldb, bool by_jacobi, int *lwork)
{
    const cusolverStatus_t status = check_general(handle, itype, jobz, uplo, n, lda, ldb);
    return status != CUSOLVER_STATUS_SUCCESS
               ? status
               : put_size<T>(GeneralPlan<T>(NULL, n, jobz, by_jacobi).space, lwork);
}

template <class T>
static cusolverStatus_t solve_general(cusolverDnHandle_t handle, cusolverEigType_t itype,
                                      cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,
                                      int lda, T *B, int ldb, Real<T> *W, T *work, int lwork,
                                      int *info, syevjInfo_t params)
{
    const cusolverStatus_t status = check_general(handle, itype, jobz, uplo, n, lda, ldb);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    const GeneralPlan<T> general(work, n, jobz, params != NULL);
    const Plan<T> &plan = general.plan;
    if (lwork < 0 || (n > 0 && (size_t)lwork < general.space.template count_of<T>()))
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    const cudaError_t before = cudaPeekAtLastError();
    const cudaStream_t stream = handle->stream;
    const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    T *matrix = plan.eigen.matrix, *L = general.factor, *other = general.vectors;
    int *factor_info = general.factor_info;
    if (params != NULL)
    {
        params->was_batched = false;
    }
    set_info<<<1, 1, 0, stream>>>(info, 0);
    if (n == 0)
    {
        return launched(before);
    }
    set_info<<<1, 1, 0, stream>>>(factor_info, 0);
    take_lower<T><<<n, 1, 0, stream>>>(B, ldb, n, lower, L);
    factor_cholesky(L, n, n, factor_info, stream);
    put_lower<T><<<n, 1, 0, stream>>>(L, n, lower, B, ldb);

    // C = L^-1 A L^-H or L^H A L: a half of the product, twice. C is the matrix of the standard
    // problem, of which the lower half is taken.
    load_columns<T><<<n, 1, 0, stream>>>(plan.eigen, A, lda, lower);
    reduce_columns<T><<<n, 1, 0, stream>>>(matrix, L, n, itype, factor_info);
    transpose_columns<T><<<n, 1, 0, stream>>>(matrix, other, n);
    reduce_columns<T><<<n, 1, 0, stream>>>(other, L, n, itype, factor_info);
    load(plan.eigen, (const T *)other, n, true, stream);
    if (params != NULL)
    {
        plan.jacobi.solve(plan.eigen, params, other, n, W, info, stream);
    }
    else
    {
        plan.tridiagonal.solve(plan.eigen, Wanted<Real<T>>(), other, n, W, info, stream);
    }
    if (plan.eigen.wants_vectors)
    {
        restore_columns<T>
            <<<n, 1, 0, stream>>>(other, L, n, itype, factor_info, info, A, (size_t)lda);
    }
    report_factor<T><<<1, 1, 0, stream>>>(n, factor_info, params != NULL, W, info);
    return launched(before);
}

// ---- Many small matrices ----

// The workspace has one part for each matrix.
template <class T>
static size_t part_of_batch(int n, cusolverEigMode_t jobz)
{
    return Plan<T>(NULL, n, jobz, true).space.used;
}

static cusolverStatus_t check_batch(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                    cublasFillMode_t uplo, int n, int lda, syevjInfo_t params,
                                    int count)
{
    const cusolverStatus_t status = check_standard(handle, jobz, uplo, n, lda);
    return status == CUSOLVER_STATUS_SUCCESS && (params == NULL || count < 0)
               ? CUSOLVER_STATUS_INVALID_VALUE
               : status;
}

template <class T>
static cusolverStatus_t size_batch(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                   cublasFillMode_t uplo, int n, int lda, syevjInfo_t params,
                                   int count, int *lwork)
{
    const cusolverStatus_t status = check_batch(handle, jobz, uplo, n, lda, params, count);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    Workspace space;
    space.used = part_of_batch<T>(n, jobz) * count;
    return put_size<T>(space, lwork);
}

template <class T>
static cusolverStatus_t solve_batch(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                    cublasFillMode_t uplo, int n, T *A, int lda, Real<T> *W,
                                    T *work, int lwork, int *info, syevjInfo_t params, int count)
{
    const cusolverStatus_t status = check_batch(handle, jobz, uplo, n, lda, params, count);
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        return status;
    }
    const size_t part = part_of_batch<T>(n, jobz);
    if (lwork < 0 || (size_t)lwork * sizeof(T) < part * count)
    {
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
    params->was_batched = true;
    const cudaError_t before = cudaPeekAtLastError();
    if (count > 0 && n > 0)
    {
        const Plan<T> plan(work, n, jobz, true);
        plan.jacobi.solve_batch(plan.eigen, params, A, lda, uplo == CUBLAS_FILL_MODE_LOWER, W, info,
                                count, part, handle->stream);
    }
    return launched(before);
}

// ---- The interface ----

#define FUNCTIONS(X, T, R, sy, orm, org)                                                           \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evd_bufferSize(                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *, int lda, const R *, int *lwork)                                                 \
    {                                                                                              \
        return size_standard<OurNumber<T>::Type>(handle, jobz, uplo, n, lda, false, lwork);        \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evd(                                            \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,     \
        int lda, R *W, T *work, int lwork, int *info)                                              \
    {                                                                                              \
        return solve_standard(handle, jobz, Wanted<R>(), uplo, n, ours(A), lda, NULL, W,           \
                              ours(work), lwork, info, NULL);                                      \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evdx_bufferSize(                                \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,               \
        cublasFillMode_t uplo, int n, const T *, int lda, R vl, R vu, int il, int iu, int *,       \
        const R *, int *lwork)                                                                     \
    {                                                                                              \
        const Wanted<R> wanted = {range, vl, vu, il, iu};                                          \
        const cusolverStatus_t status =                                                            \
            size_standard<OurNumber<T>::Type>(handle, jobz, uplo, n, lda, false, lwork);           \
        return status == CUSOLVER_STATUS_SUCCESS && !is_range(wanted, n)                           \
                   ? CUSOLVER_STATUS_INVALID_VALUE                                                 \
                   : status;                                                                       \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evdx(                                           \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,               \
        cublasFillMode_t uplo, int n, T *A, int lda, R vl, R vu, int il, int iu, int *meig, R *W,  \
        T *work, int lwork, int *info)                                                             \
    {                                                                                              \
        const Wanted<R> wanted = {range, vl, vu, il, iu};                                          \
        return solve_standard(handle, jobz, wanted, uplo, n, ours(A), lda, meig, W, ours(work),    \
                              lwork, info, NULL);                                                  \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evj_bufferSize(                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *, int lda, const R *, int *lwork, syevjInfo_t)                                    \
    {                                                                                              \
        return size_standard<OurNumber<T>::Type>(handle, jobz, uplo, n, lda, true, lwork);         \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evj(                                            \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,     \
        int lda, R *W, T *work, int lwork, int *info, syevjInfo_t params)                          \
    {                                                                                              \
        return params == NULL ? CUSOLVER_STATUS_INVALID_VALUE                                      \
                              : solve_standard(handle, jobz, Wanted<R>(), uplo, n, ours(A), lda,   \
                                               NULL, W, ours(work), lwork, info, params);          \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evjBatched_bufferSize(                          \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *, int lda, const R *, int *lwork, syevjInfo_t params, int batchSize)              \
    {                                                                                              \
        return size_batch<OurNumber<T>::Type>(handle, jobz, uplo, n, lda, params, batchSize,       \
                                              lwork);                                              \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##evjBatched(                                     \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,     \
        int lda, R *W, T *work, int lwork, int *info, syevjInfo_t params, int batchSize)           \
    {                                                                                              \
        return solve_batch(handle, jobz, uplo, n, ours(A), lda, W, ours(work), lwork, info,        \
                           params, batchSize);                                                     \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##gvd_bufferSize(                                 \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, const T *, int lda, const T *, int ldb, const R *,           \
        int *lwork)                                                                                \
    {                                                                                              \
        return size_general<OurNumber<T>::Type>(handle, itype, jobz, uplo, n, lda, ldb, false,     \
                                                lwork);                                            \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##gvd(                                            \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int lwork,      \
        int *info)                                                                                 \
    {                                                                                              \
        return solve_general(handle, itype, jobz, uplo, n, ours(A), lda, ours(B), ldb, W,          \
                             ours(work), lwork, info, NULL);                                       \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##gvj_bufferSize(                                 \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, const T *, int lda, const T *, int ldb, const R *,           \
        int *lwork, syevjInfo_t)                                                                   \
    {                                                                                              \
        return size_general<OurNumber<T>::Type>(handle, itype, jobz, uplo, n, lda, ldb, true,      \
                                                lwork);                                            \
    }                                                                                              \
    extern "C" cusolverStatus_t cusolverDn##X##sy##gvj(                                            \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
        cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int lwork,      \
        int *info, syevjInfo_t params)                                                             \
    {                                                                                              \
        return params == NULL ? CUSOLVER_STATUS_INVALID_VALUE                                      \
                              : solve_general(handle, itype, jobz, uplo, n, ours(A), lda, ours(B), \
                                              ldb, W, ours(work), lwork, info, params);            \
    }
FOR_FOUR_TYPES(FUNCTIONS)
