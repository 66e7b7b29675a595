// cuSPARSE: the handle, descriptors, and sparse matrices times vectors, in every type, format,
// operation, kind of index and pointer mode. All numbers are small integers, so the products are
// exact in whatever order they are added.
// Libs: -lcusparse
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#include "expect.cuh"

using std::vector;

static cusparseHandle_t handle;

static bool is(cusparseStatus_t got, cusparseStatus_t wanted)
{
    if (got != wanted)
    {
        printf("  got %s, wanted %s\n", cusparseGetErrorName(got), cusparseGetErrorName(wanted));
    }
    return got == wanted;
}

static bool ok(cusparseStatus_t status)
{
    return is(status, CUSPARSE_STATUS_SUCCESS);
}

static bool invalid(cusparseStatus_t status)
{
    return is(status, CUSPARSE_STATUS_INVALID_VALUE);
}

static bool ok(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        printf("  got %s\n", cudaGetErrorName(error));
    }
    return error == cudaSuccess;
}

// Numbers -4 ... 4 that look random.
static int small(unsigned n)
{
    n = (n + 1) * 2654435761u;
    n = (n ^ (n >> 15)) * 2246822519u;
    return (int)((n ^ (n >> 13)) % 9) - 4;
}

template <class T>
static T *to_device(const vector<T> &from)
{
    T *to = NULL;
    cudaMalloc(&to, from.size() * sizeof(T) + 16);
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

// --- constants -----------------------------------------------------------------------------------

static void try_constants()
{
    const int values[] = {
        CUSPARSE_POINTER_MODE_HOST,
        CUSPARSE_POINTER_MODE_DEVICE,
        CUSPARSE_ACTION_SYMBOLIC,
        CUSPARSE_ACTION_NUMERIC,
        CUSPARSE_MATRIX_TYPE_GENERAL,
        CUSPARSE_MATRIX_TYPE_SYMMETRIC,
        CUSPARSE_MATRIX_TYPE_HERMITIAN,
        CUSPARSE_MATRIX_TYPE_TRIANGULAR,
        CUSPARSE_FILL_MODE_LOWER,
        CUSPARSE_FILL_MODE_UPPER,
        CUSPARSE_DIAG_TYPE_NON_UNIT,
        CUSPARSE_DIAG_TYPE_UNIT,
        CUSPARSE_INDEX_BASE_ZERO,
        CUSPARSE_INDEX_BASE_ONE,
        CUSPARSE_OPERATION_NON_TRANSPOSE,
        CUSPARSE_OPERATION_TRANSPOSE,
        CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
        CUSPARSE_DIRECTION_ROW,
        CUSPARSE_DIRECTION_COLUMN,
        CUSPARSE_FORMAT_CSR,
        CUSPARSE_FORMAT_CSC,
        CUSPARSE_FORMAT_COO,
        CUSPARSE_FORMAT_BLOCKED_ELL,
        CUSPARSE_FORMAT_BSR,
        CUSPARSE_FORMAT_SLICED_ELLPACK,
        CUSPARSE_ORDER_COL,
        CUSPARSE_ORDER_ROW,
        CUSPARSE_INDEX_16U,
        CUSPARSE_INDEX_32I,
        CUSPARSE_INDEX_64I,
        CUSPARSE_SPMAT_FILL_MODE,
        CUSPARSE_SPMAT_DIAG_TYPE,
        CUSPARSE_CSR2CSC_ALG_DEFAULT,
        CUSPARSE_CSR2CSC_ALG1,
        CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
        CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
        CUSPARSE_SPMV_ALG_DEFAULT,
        CUSPARSE_SPMV_COO_ALG1,
        CUSPARSE_SPMV_CSR_ALG1,
        CUSPARSE_SPMV_CSR_ALG2,
        CUSPARSE_SPMV_COO_ALG2,
        CUSPARSE_SPMV_SELL_ALG1,
        CUSPARSE_SPSV_ALG_DEFAULT,
        CUSPARSE_SPMM_ALG_DEFAULT,
        CUSPARSE_SPMM_COO_ALG1,
        CUSPARSE_SPMM_COO_ALG2,
        CUSPARSE_SPMM_COO_ALG3,
        CUSPARSE_SPMM_CSR_ALG1,
        CUSPARSE_SPMM_COO_ALG4,
        CUSPARSE_SPMM_CSR_ALG2,
        CUSPARSE_SPMM_CSR_ALG3,
        CUSPARSE_SPMM_BLOCKED_ELL_ALG1,
        CUSPARSE_SPGEMM_DEFAULT,
        CUSPARSE_SPGEMM_ALG1,
        CUSPARSE_SPGEMM_ALG2,
        CUSPARSE_SPGEMM_ALG3,
        CUDA_R_32F,
        CUDA_R_64F,
        CUDA_R_16F,
        CUDA_R_8I,
        CUDA_C_32F,
        CUDA_C_64F,
        CUDA_C_16F,
        CUDA_C_8I,
        CUDA_R_8U,
        CUDA_C_8U,
        CUDA_R_32I,
        CUDA_C_32I,
        CUDA_R_32U,
        CUDA_C_32U,
        CUDA_R_16BF,
        CUDA_C_16BF,
        CUDA_R_64I,
        MAJOR_VERSION,
        MINOR_VERSION,
        PATCH_LEVEL,
    };
    printf("constants:");
    for (const int value : values)
    {
        printf(" %d", value);
    }
    printf("\n");
    for (int status = -1; status <= 12; ++status)
    {
        printf("status %d: %s: %s\n", status, cusparseGetErrorName((cusparseStatus_t)status),
               cusparseGetErrorString((cusparseStatus_t)status));
    }
}

// --- the handle ----------------------------------------------------------------------------------

static void try_handle()
{
    int version = 0, major = 0, minor = -1;
    bool right = invalid(cusparseCreate(NULL)) && ok(cusparseCreate(&handle)) && handle != NULL;
    check("create", right);
    right = ok(cusparseGetVersion(handle, &version)) &&
            ok(cusparseGetProperty(MAJOR_VERSION, &major)) &&
            ok(cusparseGetProperty(MINOR_VERSION, &minor)) && version >= 12000 &&
            version / 1000 == major && version / 100 % 10 == minor;
    check("version", right);

    cudaStream_t stream, got = (cudaStream_t)8;
    right = ok(cudaStreamCreate(&stream)) && ok(cusparseGetStream(handle, &got)) && got == NULL &&
            ok(cusparseSetStream(handle, stream)) && ok(cusparseGetStream(handle, &got)) &&
            got == stream && ok(cusparseSetStream(handle, NULL)) && ok(cudaStreamDestroy(stream));
    check("stream", right);
    cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
    right = ok(cusparseGetPointerMode(handle, &mode)) && mode == CUSPARSE_POINTER_MODE_HOST &&
            ok(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE)) &&
            ok(cusparseGetPointerMode(handle, &mode)) && mode == CUSPARSE_POINTER_MODE_DEVICE &&
            ok(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    check("pointer mode", right);
    right = invalid(cusparseGetVersion(NULL, &version)) &&
            invalid(cusparseGetProperty(MAJOR_VERSION, NULL)) &&
            invalid(cusparseGetProperty((libraryPropertyType)7, &version)) &&
            invalid(cusparseSetStream(NULL, NULL)) && invalid(cusparseGetStream(NULL, &got)) &&
            invalid(cusparseGetPointerMode(NULL, &mode)) &&
            invalid(cusparseSetPointerMode(NULL, mode)) && ok(cusparseDestroy(NULL));
    check("no handle", right);
}

// --- descriptors ---------------------------------------------------------------------------------

const cusparseIndexType_t I32 = CUSPARSE_INDEX_32I, I64 = CUSPARSE_INDEX_64I;
const cusparseIndexBase_t ZERO = CUSPARSE_INDEX_BASE_ZERO, ONE = CUSPARSE_INDEX_BASE_ONE;

static void try_matrix_descriptors()
{
    double memory[6]; // descriptors do not look behind their pointers
    void *a = memory, *b = memory + 2, *c = memory + 4;
    cusparseSpMatDescr_t A = NULL, B = NULL, C = NULL;
    bool right = ok(cusparseCreateCsr(&A, 4, 5, 6, a, b, c, I32, I32, ONE, CUDA_R_64F)) &&
                 ok(cusparseCreateCoo(&B, 7, 8, 9, a, b, c, I64, ZERO, CUDA_C_32F)) &&
                 ok(cusparseCreateCsc(&C, 4, 5, 6, a, b, c, I64, I64, ONE, CUDA_R_32F));
    int64_t rows, cols, nnz;
    void *p, *q, *r;
    const void *cp, *cq, *cr;
    cusparseIndexType_t t, u;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFormat_t format;
    right = right && ok(cusparseCsrGet(A, &rows, &cols, &nnz, &p, &q, &r, &t, &u, &base, &type)) &&
            rows == 4 && cols == 5 && nnz == 6 && p == a && q == b && r == c && t == I32 &&
            u == I32 && base == ONE && type == CUDA_R_64F;
    right = right &&
            ok(cusparseConstCooGet(B, &rows, &cols, &nnz, &cp, &cq, &cr, &t, &base, &type)) &&
            rows == 7 && cols == 8 && nnz == 9 && cp == a && cq == b && cr == c && t == I64 &&
            base == ZERO && type == CUDA_C_32F;
    right = right && ok(cusparseSpMatGetFormat(A, &format)) && format == CUSPARSE_FORMAT_CSR &&
            ok(cusparseSpMatGetFormat(B, &format)) && format == CUSPARSE_FORMAT_COO &&
            ok(cusparseSpMatGetFormat(C, &format)) && format == CUSPARSE_FORMAT_CSC;
    right = right && ok(cusparseSpMatGetSize(B, &rows, &cols, &nnz)) && rows == 7 && cols == 8 &&
            nnz == 9 && ok(cusparseSpMatGetIndexBase(A, &base)) && base == ONE &&
            ok(cusparseSpMatGetValues(B, &p)) && p == c && ok(cusparseSpMatSetValues(B, a)) &&
            ok(cusparseConstSpMatGetValues(B, &cp)) && cp == a &&
            ok(cusparseCsrSetPointers(A, c, a, b)) &&
            ok(cusparseConstCsrGet(A, &rows, &cols, &nnz, &cp, &cq, &cr, &t, &u, &base, &type)) &&
            cp == c && cq == a && cr == b;
    check("CSR, CSC, COO: create and get", right);

    right = invalid(cusparseCooGet(A, &rows, &cols, &nnz, &p, &q, &r, &t, &base, &type)) &&
            invalid(cusparseCsrGet(B, &rows, &cols, &nnz, &p, &q, &r, &t, &u, &base, &type)) &&
            invalid(cusparseCsrGet(A, NULL, &cols, &nnz, &p, &q, &r, &t, &u, &base, &type)) &&
            invalid(cusparseCsrGet(A, &rows, &cols, &nnz, &p, &q, &r, &t, &u, &base, NULL)) &&
            invalid(cusparseCsrSetPointers(B, a, b, c)) &&
            invalid(cusparseCooSetPointers(A, a, b, c)) &&
            invalid(cusparseSpMatGetSize(NULL, &rows, &cols, &nnz)) &&
            invalid(cusparseSpMatGetFormat(A, NULL)) && invalid(cusparseSpMatGetValues(A, NULL)) &&
            invalid(cusparseCsrSetPointers(NULL, a, b, c));
    check("another format, no place for the answer", right);
    right = ok(cusparseDestroySpMat(A)) && ok(cusparseDestroySpMat(B)) &&
            ok(cusparseDestroySpMat(C)) && ok(cusparseDestroySpMat(NULL));
    check("destroy", right);

    const cudaDataType R = CUDA_R_32F;
    const int64_t much = 3000000000;
    right = invalid(cusparseCreateCsr(NULL, 4, 4, 4, a, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, -1, 4, 4, a, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, 4, -1, 4, a, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, 4, 4, -1, a, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, 4, 4, 17, a, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, much, 4, 4, a, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, 4, much, 4, a, b, c, I32, I32, ZERO, R));
    check("CSR: wrong sizes", right);
    right =
        invalid(cusparseCreateCsr(&A, 4, 4, 4, a, b, c, (cusparseIndexType_t)9, I32, ZERO, R)) &&
        invalid(cusparseCreateCsr(&A, 4, 4, 4, a, b, c, I32, I32, (cusparseIndexBase_t)2, R)) &&
        invalid(cusparseCreateCsr(&A, 4, 4, 4, a, b, c, I32, I32, ZERO, CUDA_R_64U)) &&
        invalid(cusparseCreateCsr(&A, 4, 4, 4, a, b, c, I32, I32, ZERO, (cudaDataType)99)) &&
        is(cusparseCreateCsr(&A, 4, 4, 4, a, b, c, I32, I64, ZERO, R),
           CUSPARSE_STATUS_NOT_SUPPORTED);
    check("CSR: wrong types", right);
    right = invalid(cusparseCreateCoo(NULL, 4, 4, 4, a, b, c, I32, ZERO, R)) &&
            invalid(cusparseCreateCoo(&A, -4, 4, 4, a, b, c, I32, ZERO, R)) &&
            invalid(cusparseCreateCoo(&A, 4, 4, 17, a, b, c, I32, ZERO, R)) &&
            invalid(cusparseCreateCoo(&A, 4, 4, 4, a, b, c, I32, (cusparseIndexBase_t)5, R));
    check("COO: wrong arguments", right);
    char *const odd = (char *)a + 2;
    right = invalid(cusparseCreateCsr(&A, 4, 4, 4, odd, b, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, 4, 4, 4, a, odd, c, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCsr(&A, 4, 4, 4, a, b, odd, I32, I32, ZERO, R)) &&
            invalid(cusparseCreateCoo(&A, 4, 4, 4, a, b, odd + 2, I32, ZERO, CUDA_R_64F));
    check("misaligned arrays", right);
    right = ok(cusparseCreateCsr(&A, 0, 4, 0, NULL, NULL, NULL, I32, I32, ZERO, R)) &&
            ok(cusparseDestroySpMat(A)) &&
            ok(cusparseCreateCoo(&A, 4, 4, 0, NULL, NULL, NULL, I32, ZERO, R)) &&
            ok(cusparseDestroySpMat(A));
    check("empty matrices", right);
}

static void try_vector_descriptors()
{
    double memory[4];
    void *p = NULL;
    const void *cp = NULL;
    int64_t size = 0;
    cudaDataType type = CUDA_R_32F;
    cusparseDnVecDescr_t x = NULL;
    cusparseConstDnVecDescr_t y = NULL;
    bool right = ok(cusparseCreateDnVec(&x, 7, memory, CUDA_C_64F)) &&
                 ok(cusparseDnVecGet(x, &size, &p, &type)) && size == 7 && p == memory &&
                 type == CUDA_C_64F && ok(cusparseDnVecSetValues(x, memory + 2)) &&
                 ok(cusparseDnVecGetValues(x, &p)) && p == memory + 2 &&
                 ok(cusparseCreateConstDnVec(&y, 3, memory, CUDA_R_32F)) &&
                 ok(cusparseConstDnVecGet(y, &size, &cp, &type)) && size == 3 && cp == memory &&
                 type == CUDA_R_32F;
    check("vectors: create and get", right);
    right = invalid(cusparseDnVecGet(NULL, &size, &p, &type)) &&
            invalid(cusparseDnVecGet(x, NULL, &p, &type)) &&
            invalid(cusparseDnVecSetValues(NULL, p)) && ok(cusparseDestroyDnVec(x)) &&
            ok(cusparseDestroyDnVec(y)) && ok(cusparseDestroyDnVec(NULL)) &&
            invalid(cusparseCreateDnVec(NULL, 4, memory, CUDA_R_32F)) &&
            invalid(cusparseCreateDnVec(&x, -1, memory, CUDA_R_32F)) &&
            invalid(cusparseCreateDnVec(&x, 4, memory, (cudaDataType)77));
    check("vectors: wrong arguments", right);
    right = ok(cusparseCreateDnVec(&x, 0, NULL, CUDA_R_32F)) && ok(cusparseDestroyDnVec(x));
    check("empty vector", right);
}

// --- products ------------------------------------------------------------------------------------

// Real and complex numbers by their parts.
template <class T>
struct Traits;
template <>
struct Traits<float>
{
    static const cudaDataType type = CUDA_R_32F;
    static const bool is_complex = false;
    static float make(int re, int)
    {
        return (float)re;
    }
    static void add_to(double sum[2], float a)
    {
        sum[0] += a;
    }
};
template <>
struct Traits<double>
{
    static const cudaDataType type = CUDA_R_64F;
    static const bool is_complex = false;
    static double make(int re, int)
    {
        return re;
    }
    static void add_to(double sum[2], double a)
    {
        sum[0] += a;
    }
};
template <>
struct Traits<cuComplex>
{
    static const cudaDataType type = CUDA_C_32F;
    static const bool is_complex = true;
    static cuComplex make(int re, int im)
    {
        return make_cuComplex((float)re, (float)im);
    }
    static void add_to(double sum[2], cuComplex a)
    {
        sum[0] += a.x;
        sum[1] += a.y;
    }
};
template <>
struct Traits<cuDoubleComplex>
{
    static const cudaDataType type = CUDA_C_64F;
    static const bool is_complex = true;
    static cuDoubleComplex make(int re, int im)
    {
        return make_cuDoubleComplex(re, im);
    }
    static void add_to(double sum[2], cuDoubleComplex a)
    {
        sum[0] += a.x;
        sum[1] += a.y;
    }
};

// Where a matrix has elements: the row and the column of each, sorted by rows. Some rows are empty
// and one is full.
struct Pattern
{
    int64_t M, N;
    vector<int64_t> row, column;

    Pattern(int64_t M, int64_t N, int one_of) : M(M), N(N)
    {
        for (int64_t i = 0; i < M; ++i)
        {
            for (int64_t j = 0; j < N && i % 5 != 3; ++j)
            {
                if (i == M / 2 || small((unsigned)(i * N + j)) % one_of == 2)
                {
                    row.push_back(i);
                    column.push_back(j);
                }
            }
        }
    }
};

// What a descriptor needs, on the device.
template <class T, class Index>
struct OnDevice
{
    Index *offsets, *indices, *rows;
    T *values;

    OnDevice(const Pattern &P, const vector<T> &element, bool by_columns, int base)
    {
        const int64_t slices = by_columns ? P.N : P.M, nnz = (int64_t)P.row.size();
        const vector<int64_t> &slice = by_columns ? P.column : P.row;
        const vector<int64_t> &other = by_columns ? P.row : P.column;
        vector<Index> h_offsets, h_indices, h_rows;
        vector<T> h_values;
        for (int64_t s = 0; s < slices; ++s)
        {
            h_offsets.push_back((Index)(h_values.size() + base));
            for (int64_t n = 0; n < nnz; ++n)
            {
                if (slice[n] == s)
                {
                    h_indices.push_back((Index)(other[n] + base));
                    h_rows.push_back((Index)(s + base));
                    h_values.push_back(element[n]);
                }
            }
        }
        h_offsets.push_back((Index)(nnz + base));
        offsets = to_device(h_offsets);
        indices = to_device(h_indices);
        rows = to_device(h_rows);
        values = to_device(h_values);
    }
    ~OnDevice()
    {
        cudaFree(offsets);
        cudaFree(indices);
        cudaFree(rows);
        cudaFree(values);
    }
};

// y = alpha op(A) x + beta y by the library. If beta is 0, y may be anything before.
template <class T>
static bool multiply(cusparseSpMatDescr_t A, cusparseOperation_t op, T alpha, const vector<T> &x,
                     T beta, vector<T> &y, cusparseSpMVAlg_t alg, bool on_device)
{
    T *d_x = to_device(x), *d_y = to_device(y);
    T *d_factors = to_device(vector<T>{alpha, beta});
    const void *p_alpha = on_device ? d_factors : &alpha,
               *p_beta = on_device ? d_factors + 1 : &beta;
    cusparseDnVecDescr_t vec_x, vec_y;
    void *buffer = NULL;
    size_t bytes = 0;
    const cudaDataType type = Traits<T>::type;
    const cusparsePointerMode_t mode =
        on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST;
    const bool right =
        ok(cusparseSetPointerMode(handle, mode)) &&
        ok(cusparseCreateDnVec(&vec_x, (int64_t)x.size(), d_x, type)) &&
        ok(cusparseCreateDnVec(&vec_y, (int64_t)y.size(), d_y, type)) &&
        ok(cusparseSpMV_bufferSize(handle, op, p_alpha, A, vec_x, p_beta, vec_y, type, alg,
                                   &bytes)) &&
        ok(cudaMalloc(&buffer, bytes)) &&
        ok(cusparseSpMV(handle, op, p_alpha, A, vec_x, p_beta, vec_y, type, alg, buffer)) &&
        ok(cudaMemcpy(y.data(), d_y, y.size() * sizeof(T), cudaMemcpyDeviceToHost)) &&
        ok(cusparseDestroyDnVec(vec_x)) && ok(cusparseDestroyDnVec(vec_y)) &&
        ok(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    cudaFree(buffer);
    cudaFree(d_factors);
    cudaFree(d_x);
    cudaFree(d_y);
    return right;
}

// The same, element by element, in complex double.
template <class T>
static bool is_product(const Pattern &P, const vector<T> &element, cusparseOperation_t op, T alpha,
                       const vector<T> &x, T beta, const vector<T> &before, const vector<T> &y)
{
    const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    vector<double> sums(2 * y.size(), 0.0);
    for (size_t n = 0; n < element.size(); ++n)
    {
        double a[2] = {0, 0}, b[2] = {0, 0};
        Traits<T>::add_to(a, element[n]);
        Traits<T>::add_to(b, x[transposed ? P.row[n] : P.column[n]]);
        a[1] = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? -a[1] : a[1];
        double *sum = &sums[2 * (transposed ? P.column[n] : P.row[n])];
        sum[0] += a[0] * b[0] - a[1] * b[1];
        sum[1] += a[0] * b[1] + a[1] * b[0];
    }
    for (size_t i = 0; i < y.size(); ++i)
    {
        double a[2] = {0, 0}, b[2] = {0, 0}, old[2] = {0, 0}, is[2] = {0, 0};
        Traits<T>::add_to(a, alpha);
        Traits<T>::add_to(b, beta);
        if (b[0] != 0 || b[1] != 0)
        {
            Traits<T>::add_to(old, before[i]);
        }
        Traits<T>::add_to(is, y[i]);
        const double *sum = &sums[2 * i];
        const double re = a[0] * sum[0] - a[1] * sum[1] + b[0] * old[0] - b[1] * old[1];
        const double im = a[0] * sum[1] + a[1] * sum[0] + b[0] * old[1] + b[1] * old[0];
        if (!(is[0] == re && is[1] == im))
        {
            printf("  element %zu of %zu is (%g, %g), not (%g, %g)\n", i, y.size(), is[0], is[1],
                   re, im);
            return false;
        }
    }
    return true;
}

template <class T, class Index>
static bool right_in_all_ways(cusparseFormat_t format, const cusparseSpMVAlg_t *algs, int num_algs)
{
    const Pattern P(37, 23, 3);
    const int64_t nnz = (int64_t)P.row.size();
    const cusparseIndexType_t index_type = sizeof(Index) == 4 ? I32 : I64;
    vector<T> element;
    for (int64_t n = 0; n < nnz; ++n)
    {
        element.push_back(Traits<T>::make(small((unsigned)n) + 5, small((unsigned)n + 1000)));
    }
    bool right = true;
    for (const cusparseIndexBase_t base : {ZERO, ONE})
    {
        const OnDevice<T, Index> at(P, element, format == CUSPARSE_FORMAT_CSC, base);
        cusparseSpMatDescr_t A = NULL;
        right = right &&
                ok(format == CUSPARSE_FORMAT_COO
                       ? cusparseCreateCoo(&A, P.M, P.N, nnz, at.rows, at.indices, at.values,
                                           index_type, base, Traits<T>::type)
                   : format == CUSPARSE_FORMAT_CSR
                       ? cusparseCreateCsr(&A, P.M, P.N, nnz, at.offsets, at.indices, at.values,
                                           index_type, index_type, base, Traits<T>::type)
                       : cusparseCreateCsc(&A, P.M, P.N, nnz, at.offsets, at.indices, at.values,
                                           index_type, index_type, base, Traits<T>::type));
        vector<cusparseOperation_t> ops = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                           CUSPARSE_OPERATION_TRANSPOSE};
        if (Traits<T>::is_complex) // it is refused for real numbers: try_streams
        {
            ops.push_back(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
        }
        for (const cusparseOperation_t op : ops)
        {
            const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
            for (int way = 0; way < 4 * num_algs && right; ++way)
            {
                const bool has_beta = way % 2 == 0, on_device = way / 2 % 2 == 1;
                const T alpha = Traits<T>::make(2, 1);
                const T beta = has_beta ? Traits<T>::make(-3, 2) : Traits<T>::make(0, 0);
                vector<T> x, before, y;
                for (int64_t i = 0; i < (transposed ? P.M : P.N); ++i)
                {
                    x.push_back(Traits<T>::make(small(7 * i), small(7 * i + 1)));
                }
                for (int64_t i = 0; i < (transposed ? P.N : P.M); ++i)
                {
                    before.push_back(Traits<T>::make(small(5 * i + 2), small(5 * i + 3)));
                    if (!has_beta)
                    {
                        memset((void *)&before.back(), 0xff, sizeof(T)); // NaN
                    }
                }
                y = before;
                right = multiply(A, op, alpha, x, beta, y, algs[way / 4], on_device) &&
                        is_product(P, element, op, alpha, x, beta, before, y);
                if (!right)
                {
                    printf("  op %d, base %d, algorithm %d, way %d\n", op, base, algs[way / 4],
                           way);
                }
            }
        }
        right = ok(cusparseDestroySpMat(A)) && right;
    }
    return right;
}

template <class T>
static void try_products(const char *name)
{
    const cusparseSpMVAlg_t csr[] = {CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG1,
                                     CUSPARSE_SPMV_CSR_ALG2};
    const cusparseSpMVAlg_t coo[] = {CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1,
                                     CUSPARSE_SPMV_COO_ALG2};
    char text[64];
    snprintf(text, sizeof(text), "%s, CSR", name);
    check(text, right_in_all_ways<T, int32_t>(CUSPARSE_FORMAT_CSR, csr, 3) &&
                    right_in_all_ways<T, int64_t>(CUSPARSE_FORMAT_CSR, csr, 3));
    snprintf(text, sizeof(text), "%s, COO", name);
    check(text, right_in_all_ways<T, int32_t>(CUSPARSE_FORMAT_COO, coo, 3) &&
                    right_in_all_ways<T, int64_t>(CUSPARSE_FORMAT_COO, coo, 3));
    snprintf(text, sizeof(text), "%s, CSC", name);
    check(text, right_in_all_ways<T, int32_t>(CUSPARSE_FORMAT_CSC, csr, 1) &&
                    right_in_all_ways<T, int64_t>(CUSPARSE_FORMAT_CSC, csr, 1));
}

// --- conversions, and products of many rows ------------------------------------------------------

// A matrix with M rows of 0 to 6 elements, and one row that has N.
static void try_many_rows()
{
    const int M = 100003, N = 70001, base = 1;
    vector<int> offsets(1, base), rows, columns;
    vector<double> values, x, expected(M, 0.0), transposed(N, 0.0);
    for (int j = 0; j < M; ++j)
    {
        x.push_back(small(j + 11));
    }
    for (int i = 0; i < M; ++i)
    {
        const int length = i == M / 3 ? N : abs(small(i)) * 3 / 2;
        for (int k = 0; k < length; ++k)
        {
            const int column = i == M / 3 ? k : (int)((i * 131LL + k * (N / 7)) % N);
            const double value = small(i + 3 * k) + 5;
            rows.push_back(i + base);
            columns.push_back(column + base);
            values.push_back(value);
            expected[i] += value * x[column];
            transposed[column] += value * x[i];
        }
        offsets.push_back((int)values.size() + base);
    }
    const int nnz = (int)values.size();
    int *d_offsets = to_device(offsets), *d_rows = to_device(rows), *d_columns = to_device(columns);
    int *d_made_offsets = to_device(vector<int>(M + 1, -7)), *d_made_rows = to_device(columns);
    double *d_values = to_device(values);
    vector<int> made_offsets(M + 1), made_rows(nnz);
    bool right = ok(cusparseXcoo2csr(handle, d_rows, nnz, M, d_made_offsets, ONE)) &&
                 ok(cusparseXcsr2coo(handle, d_offsets, nnz, M, d_made_rows, ONE));
    cudaMemcpy(made_offsets.data(), d_made_offsets, (M + 1) * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(made_rows.data(), d_made_rows, nnz * sizeof(int), cudaMemcpyDeviceToHost);
    check("coo2csr", right && made_offsets == offsets);
    check("csr2coo", right && made_rows == rows);

    vector<int> some_rows{1, 1, 4, 6}, some_offsets(10, -7);
    int *d_some = to_device(some_rows);
    right = ok(cusparseXcoo2csr(handle, d_some, 4, 8, d_made_offsets, ZERO));
    cudaMemcpy(some_offsets.data(), d_made_offsets, 9 * sizeof(int), cudaMemcpyDeviceToHost);
    check("coo2csr, base 0", right && some_offsets == vector<int>{0, 0, 2, 2, 2, 3, 3, 4, 4, -7});
    right = is(cusparseXcoo2csr(NULL, d_some, 4, 8, d_made_offsets, ZERO),
               CUSPARSE_STATUS_NOT_INITIALIZED) &&
            is(cusparseXcsr2coo(NULL, d_some, 4, 8, d_made_rows, ZERO),
               CUSPARSE_STATUS_NOT_INITIALIZED);
    check("conversions without a handle", right);

    cusparseSpMatDescr_t csr = NULL, coo = NULL;
    right =
        ok(cusparseCreateCsr(&csr, M, N, nnz, d_offsets, d_columns, d_values, I32, I32, ONE,
                             CUDA_R_64F)) &&
        ok(cusparseCreateCoo(&coo, M, N, nnz, d_rows, d_columns, d_values, I32, ONE, CUDA_R_64F));
    const vector<double> x_N(x.begin(), x.begin() + N);
    for (const cusparseSpMVAlg_t alg : {CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG2})
    {
        vector<double> y(M, 1.0), z(N, 1.0);
        check(alg == CUSPARSE_SPMV_ALG_DEFAULT ? "many rows" : "many rows, CSR_ALG2",
              right &&
                  multiply(csr, CUSPARSE_OPERATION_NON_TRANSPOSE, 1.0, x_N, 0.0, y, alg, false) &&
                  y == expected);
        check("many rows, transposed",
              right && multiply(csr, CUSPARSE_OPERATION_TRANSPOSE, 1.0, x, 0.0, z, alg, false) &&
                  z == transposed);
    }
    vector<double> y(M, 1.0), z(N, 1.0);
    const cusparseSpMVAlg_t alg = CUSPARSE_SPMV_ALG_DEFAULT;
    check("many rows, COO",
          right && multiply(coo, CUSPARSE_OPERATION_NON_TRANSPOSE, 1.0, x_N, 0.0, y, alg, false) &&
              y == expected);
    check("many rows, COO, transposed",
          right && multiply(coo, CUSPARSE_OPERATION_TRANSPOSE, 1.0, x, 0.0, z, alg, false) &&
              z == transposed);
    cusparseDestroySpMat(csr);
    cusparseDestroySpMat(coo);
    for (void *p : {(void *)d_offsets, (void *)d_rows, (void *)d_columns, (void *)d_made_offsets,
                    (void *)d_made_rows, (void *)d_values, (void *)d_some})
    {
        cudaFree(p);
    }
}

// --- streams, graphs, errors ---------------------------------------------------------------------

// y = 2 A x + y, with A = (1 2; 0 3) and x = (1, 10): y grows by (42, 60).
static void try_streams()
{
    int *d_offsets = to_device(vector<int>{0, 2, 3}), *d_columns = to_device(vector<int>{0, 1, 1});
    double *d_values = to_device(vector<double>{1, 2, 3});
    double *d_x = to_device(vector<double>{1, 10}), *d_y = to_device(vector<double>{5, 6}), y[2];
    double alpha = 2, beta = 1;
    size_t bytes = 0;
    void *buffer = NULL;
    cudaStream_t stream;
    cusparseSpMatDescr_t A = NULL;
    cusparseDnVecDescr_t vec_x = NULL, vec_y = NULL;
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMVAlg_t alg = CUSPARSE_SPMV_CSR_ALG2;
    const cudaDataType type = CUDA_R_64F;
    bool right =
        ok(cudaStreamCreate(&stream)) && ok(cusparseSetStream(handle, stream)) &&
        ok(cusparseCreateCsr(&A, 2, 2, 3, d_offsets, d_columns, d_values, I32, I32, ZERO, type)) &&
        ok(cusparseCreateDnVec(&vec_x, 2, d_x, type)) &&
        ok(cusparseCreateDnVec(&vec_y, 2, d_y, type)) &&
        ok(cusparseSpMV_bufferSize(handle, N, &alpha, A, vec_x, &beta, vec_y, type, alg, &bytes)) &&
        ok(cudaMalloc(&buffer, bytes)) &&
        ok(cusparseSpMV_preprocess(handle, N, &alpha, A, vec_x, &beta, vec_y, type, alg, buffer));
    right = right && ok(cusparseSpMV(handle, N, &alpha, A, vec_x, &beta, vec_y, type, alg, buffer));
    alpha = 100; // what the host changes now is too late
    right = right && ok(cudaMemcpyAsync(y, d_y, sizeof(y), cudaMemcpyDefault, stream)) &&
            ok(cudaStreamSynchronize(stream)) && y[0] == 47 && y[1] == 66;
    check("in a stream", right);

    alpha = 2;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    right = right && ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)) &&
            ok(cusparseSpMV(handle, N, &alpha, A, vec_x, &beta, vec_y, type, alg, buffer)) &&
            ok(cudaStreamEndCapture(stream, &graph)) && ok(cudaGraphInstantiate(&exec, graph, 0)) &&
            ok(cudaGraphLaunch(exec, stream)) && ok(cudaGraphLaunch(exec, stream)) &&
            ok(cudaMemcpyAsync(y, d_y, sizeof(y), cudaMemcpyDefault, stream)) &&
            ok(cudaStreamSynchronize(stream)) && y[0] == 47 + 84 && y[1] == 66 + 120 &&
            ok(cudaGraphExecDestroy(exec)) && ok(cudaGraphDestroy(graph));
    check("in a graph", right);

    // refused before anything is done
    cusparseDnVecDescr_t longer = NULL, narrow = NULL;
    right = ok(cusparseCreateDnVec(&longer, 3, d_y, type)) &&
            ok(cusparseCreateDnVec(&narrow, 2, d_y, CUDA_R_32F));
    const auto refused = [&](const char *what, cusparseStatus_t status)
    {
        check(what, right && status != CUSPARSE_STATUS_SUCCESS);
    };
    refused("refused: x of another length",
            cusparseSpMV(handle, N, &alpha, A, longer, &beta, vec_y, type, alg, buffer));
    refused("refused: y of another length",
            cusparseSpMV(handle, N, &alpha, A, vec_x, &beta, longer, type, alg, buffer));
    refused("refused: y of another type",
            cusparseSpMV(handle, N, &alpha, A, vec_x, &beta, narrow, type, alg, buffer));
    const cusparseOperation_t C = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    check("refused: the conjugates of real numbers",
          invalid(cusparseSpMV(handle, C, &alpha, A, vec_x, &beta, vec_y, type, alg, buffer)));
    check("refused: the size for them",
          invalid(cusparseSpMV_bufferSize(handle, C, &alpha, A, vec_x, &beta, vec_y, type, alg,
                                          &bytes)));
    refused("refused: no alpha",
            cusparseSpMV(handle, N, NULL, A, vec_x, &beta, vec_y, type, alg, buffer));
    refused("refused: no matrix",
            cusparseSpMV(handle, N, &alpha, NULL, vec_x, &beta, vec_y, type, alg, buffer));
    refused("refused: no x",
            cusparseSpMV(handle, N, &alpha, A, NULL, &beta, vec_y, type, alg, buffer));
    refused("refused: no y",
            cusparseSpMV(handle, N, &alpha, A, vec_x, &beta, NULL, type, alg, buffer));
    refused("refused: an algorithm for COO", cusparseSpMV(handle, N, &alpha, A, vec_x, &beta, vec_y,
                                                          type, CUSPARSE_SPMV_COO_ALG1, buffer));
    refused("refused: no place for the size",
            cusparseSpMV_bufferSize(handle, N, &alpha, A, vec_x, &beta, vec_y, type, alg, NULL));
    check("no handle, exactly",
          invalid(cusparseSpMV(NULL, N, &alpha, A, vec_x, &beta, vec_y, type, alg, buffer)) &&
              invalid(cusparseSpMV_bufferSize(NULL, N, &alpha, A, vec_x, &beta, vec_y, type, alg,
                                              &bytes)));
    right = ok(cudaMemcpyAsync(y, d_y, sizeof(y), cudaMemcpyDefault, stream)) &&
            ok(cudaStreamSynchronize(stream)) && y[0] == 47 + 84 && y[1] == 66 + 120;
    check("what is refused changes nothing", right);

    for (const cusparseDnVecDescr_t vec : {vec_x, vec_y, longer, narrow})
    {
        cusparseDestroyDnVec(vec);
    }
    cusparseDestroySpMat(A);
    cusparseSetStream(handle, NULL);
    cudaStreamDestroy(stream);
    for (void *p :
         {(void *)d_offsets, (void *)d_columns, (void *)d_values, (void *)d_x, (void *)d_y, buffer})
    {
        cudaFree(p);
    }
}

int main()
{
    try_constants();
    try_handle();
    try_matrix_descriptors();
    try_vector_descriptors();
    try_products<float>("float");
    try_products<double>("double");
    try_products<cuComplex>("complex float");
    try_products<cuDoubleComplex>("complex double");
    try_many_rows();
    try_streams();
    check("destroy the handle", ok(cusparseDestroy(handle)));
    return num_wrong != 0;
}
