// y = alpha op(A) x + beta y for a sparse A in CSR, CSC or COO.
//
// Along the rows of CSR (or the columns of CSC) each element of y is a sum of its own: `gather`.
// In the other direction each element of x is added to many elements of y, by atomic additions:
// `scatter`. The elements of COO are added so too, but a sum over elements that stand side by side
// and belong to the same element of y is added once.
#include "objects.cuh"

namespace cusparse
{
const int ROWS_EACH = 64;      // rows of a thread
const int ELEMENTS_EACH = 512; // elements of a thread
const size_t WORKSPACE = 8;    // bytes. None are needed, but a GPU needs some.

template <typename R>
struct Complex
{
    R re, im;
};

template <typename R>
inline Complex<R> operator+(Complex<R> a, Complex<R> b)
{
    return {a.re + b.re, a.im + b.im};
}

template <typename R>
inline Complex<R> operator*(Complex<R> a, Complex<R> b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

inline float conjugate(float a, bool)
{
    return a;
}

inline double conjugate(double a, bool)
{
    return a;
}

template <typename R>
inline Complex<R> conjugate(Complex<R> a, bool wanted)
{
    return {a.re, wanted ? -a.im : a.im};
}

inline bool is_zero(float a)
{
    return a == 0;
}

inline bool is_zero(double a)
{
    return a == 0;
}

template <typename R>
inline bool is_zero(Complex<R> a)
{
    return a.re == 0 && a.im == 0;
}

static __device__ void add(float *sum, float a)
{
    atomicAdd(sum, a);
}

static __device__ void add(double *sum, double a)
{
    atomicAdd(sum, a);
}

template <typename R>
__device__ void add(Complex<R> *sum, Complex<R> a)
{
    atomicAdd(&sum->re, a.re);
    atomicAdd(&sum->im, a.im);
}

// alpha or beta: a value, or where the device has it.
template <typename T>
struct Factor
{
    T value;
    const T *on_device;

    Factor(const void *given, cusparsePointerMode_t mode)
        : value(), on_device(mode == CUSPARSE_POINTER_MODE_DEVICE ? (const T *)given : NULL)
    {
        if (on_device == NULL)
        {
            value = *(const T *)given;
        }
    }
    T get(void) const
    {
        return on_device != NULL ? *on_device : value;
    }
};

// y = beta y. With beta = 0 the old y is not read, so it may be anything.
template <typename T>
__global__ void spmv_scale(T *y, int64_t size, Factor<T> factor)
{
    const T beta = factor.get();
    const int64_t begin = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * ELEMENTS_EACH;
    const int64_t end = begin + ELEMENTS_EACH < size ? begin + ELEMENTS_EACH : size;
    for (int64_t i = begin; i < end; ++i)
    {
        y[i] = is_zero(beta) ? T() : beta * y[i];
    }
}

template <typename T, typename Index>
__global__ void spmv_gather(int64_t rows, const Index *offsets, const Index *columns,
                            const T *values, int base, bool conjugated, const T *x, T *y,
                            Factor<T> alpha_factor, Factor<T> beta_factor)
{
    const T alpha = alpha_factor.get(), beta = beta_factor.get();
    const int64_t begin = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * ROWS_EACH;
    const int64_t end = begin + ROWS_EACH < rows ? begin + ROWS_EACH : rows;
    for (int64_t row = begin; row < end; ++row)
    {
        T sum = T();
        for (Index n = offsets[row] - base; n < offsets[row + 1] - base; ++n)
        {
            sum = sum + conjugate(values[n], conjugated) * x[columns[n] - base];
        }
        y[row] = is_zero(beta) ? alpha * sum : alpha * sum + beta * y[row];
    }
}

template <typename T, typename Index>
__global__ void spmv_scatter(int64_t rows, const Index *offsets, const Index *columns,
                             const T *values, int base, bool conjugated, const T *x, T *y,
                             Factor<T> alpha_factor)
{
    const T alpha = alpha_factor.get();
    const int64_t begin = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * ROWS_EACH;
    const int64_t end = begin + ROWS_EACH < rows ? begin + ROWS_EACH : rows;
    for (int64_t row = begin; row < end; ++row)
    {
        const T factor = alpha * x[row];
        for (Index n = offsets[row] - base; n < offsets[row + 1] - base; ++n)
        {
            add(&y[columns[n] - base], conjugate(values[n], conjugated) * factor);
        }
    }
}

// `to` has the index into y of each element, `from` the index into x.
template <typename T, typename Index>
__global__ void spmv_elements(int64_t nnz, const Index *to, const Index *from, const T *values,
                              int base, bool conjugated, const T *x, T *y, Factor<T> alpha_factor)
{
    const T alpha = alpha_factor.get();
    const int64_t begin = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * ELEMENTS_EACH;
    const int64_t end = begin + ELEMENTS_EACH < nnz ? begin + ELEMENTS_EACH : nnz;
    T sum = T();
    for (int64_t n = begin; n < end; ++n)
    {
        sum = sum + conjugate(values[n], conjugated) * x[from[n] - base];
        if (n + 1 == end || to[n + 1] != to[n])
        {
            add(&y[to[n] - base], alpha * sum);
            sum = T();
        }
    }
}

template <typename T, typename Index>
static cusparseStatus_t multiply(cusparseHandle_t handle, bool transposed, bool conjugated,
                                 const void *alpha_given, cusparseConstSpMatDescr_t A,
                                 cusparseConstDnVecDescr_t vec_x, const void *beta_given,
                                 cusparseDnVecDescr_t vec_y)
{
    const Factor<T> alpha(alpha_given, handle->pointer_mode),
        beta(beta_given, handle->pointer_mode);
    const Index *offsets = (const Index *)A->offsets, *indices = (const Index *)A->indices;
    const T *values = (const T *)A->values, *x = (const T *)vec_x->values;
    T *y = (T *)vec_y->values;
    const int64_t rows = A->format == CUSPARSE_FORMAT_CSC ? A->cols : A->rows; // of offsets
    const bool by_elements = A->format == CUSPARSE_FORMAT_COO;
    const bool along_rows = !by_elements && transposed == (A->format == CUSPARSE_FORMAT_CSC);
    const cudaStream_t stream = handle->stream;
    if (vec_y->size == 0)
    {
        return CUSPARSE_STATUS_SUCCESS;
    }
    if (along_rows && A->nnz > 0)
    {
        spmv_gather<<<grid_size(rows, ROWS_EACH), BLOCK_SIZE, 0, stream>>>(
            rows, offsets, indices, values, A->base, conjugated, x, y, alpha, beta);
        return launched();
    }
    spmv_scale<<<grid_size(vec_y->size, ELEMENTS_EACH), BLOCK_SIZE, 0, stream>>>(y, vec_y->size,
                                                                                 beta);
    if (by_elements && A->nnz > 0)
    {
        spmv_elements<<<grid_size(A->nnz, ELEMENTS_EACH), BLOCK_SIZE, 0, stream>>>(
            A->nnz, transposed ? indices : offsets, transposed ? offsets : indices, values, A->base,
            conjugated, x, y, alpha);
    }
    else if (A->nnz > 0)
    {
        spmv_scatter<<<grid_size(rows, ROWS_EACH), BLOCK_SIZE, 0, stream>>>(
            rows, offsets, indices, values, A->base, conjugated, x, y, alpha);
    }
    return launched();
}

static bool fits(cusparseSpMVAlg_t alg, cusparseFormat_t format)
{
    switch (alg)
    {
    case CUSPARSE_SPMV_ALG_DEFAULT:
        return true;
    case CUSPARSE_SPMV_CSR_ALG1:
    case CUSPARSE_SPMV_CSR_ALG2:
        return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
    case CUSPARSE_SPMV_COO_ALG1:
    case CUSPARSE_SPMV_COO_ALG2:
        return format == CUSPARSE_FORMAT_COO;
    default:
        return false;
    }
}

// What the three functions check alike.
static cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseConstDnVecDescr_t y, cudaDataType type,
                              cusparseSpMVAlg_t alg)
{
    if (!exists(handle) || alpha == NULL || !exists(A) || !exists(x) || beta == NULL ||
        !exists(y) || op < CUSPARSE_OPERATION_NON_TRANSPOSE ||
        op > CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || alg < CUSPARSE_SPMV_ALG_DEFAULT ||
        alg > CUSPARSE_SPMV_BSR_ALG1)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    // Real numbers have no conjugates. So cuSPARSE says since CUDA 11.5; before, it transposed.
    const bool is_real = type == CUDA_R_32F || type == CUDA_R_64F;
    if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && is_real)
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (x->size != (transposed ? A->rows : A->cols) || y->size != (transposed ? A->cols : A->rows))
    {
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    const bool known =
        type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F;
    if (!known || A->type != type || x->type != type || y->type != type || !fits(alg, A->format) ||
        A->index_type == CUSPARSE_INDEX_16U)
    {
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    return CUSPARSE_STATUS_SUCCESS;
}

template <typename T>
static cusparseStatus_t multiply(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                 cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                                 const void *beta, cusparseDnVecDescr_t y)
{
    const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    return A->index_type == CUSPARSE_INDEX_32I
               ? multiply<T, int32_t>(handle, transposed, conjugated, alpha, A, x, beta, y)
               : multiply<T, int64_t>(handle, transposed, conjugated, alpha, A, x, beta, y);
}
} // namespace cusparse

using namespace cusparse;

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t alg, size_t *size)
{
    const cusparseStatus_t status = check(handle, op, alpha, A, x, beta, y, type, alg);
    if (status != CUSPARSE_STATUS_SUCCESS || size == NULL)
    {
        return size == NULL ? CUSPARSE_STATUS_INVALID_VALUE : status;
    }
    *size = WORKSPACE;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t alg, void *buffer)
{
    const cusparseStatus_t status = check(handle, op, alpha, A, x, beta, y, type, alg);
    return status == CUSPARSE_STATUS_SUCCESS && buffer == NULL ? CUSPARSE_STATUS_INVALID_VALUE
                                                               : status;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                              cusparseSpMVAlg_t alg, void *buffer)
{
    const cusparseStatus_t status =
        cusparseSpMV_preprocess(handle, op, alpha, A, x, beta, y, type, alg, buffer);
    if (status != CUSPARSE_STATUS_SUCCESS)
    {
        return status;
    }
    switch (type)
    {
    case CUDA_R_32F:
        return multiply<float>(handle, op, alpha, A, x, beta, y);
    case CUDA_R_64F:
        return multiply<double>(handle, op, alpha, A, x, beta, y);
    case CUDA_C_32F:
        return multiply<Complex<float>>(handle, op, alpha, A, x, beta, y);
    default:
        return multiply<Complex<double>>(handle, op, alpha, A, x, beta, y);
    }
}
