// Descriptors of sparse matrices (CSR, CSC, COO) and of dense vectors. They hold no data. They say
// where the data are, and of what type.
#include "objects.cuh"

using namespace cusparse;

const cusparseStatus_t OK = CUSPARSE_STATUS_SUCCESS;
const cusparseStatus_t INVALID = CUSPARSE_STATUS_INVALID_VALUE;

static bool is_index_type(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_16U || type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

// The types that cuSPARSE takes in a descriptor. A product knows fewer of them.
static bool is_value_type(cudaDataType type)
{
    switch (type)
    {
    case CUDA_R_16F:
    case CUDA_C_16F:
    case CUDA_R_16BF:
    case CUDA_C_16BF:
    case CUDA_R_32F:
    case CUDA_C_32F:
    case CUDA_R_64F:
    case CUDA_C_64F:
    case CUDA_R_8I:
    case CUDA_R_32I:
        return true;
    default:
        return false;
    }
}

static size_t bytes_of(cudaDataType type)
{
    switch (type)
    {
    case CUDA_C_64F:
        return 16;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
    case CUDA_C_16F:
    case CUDA_C_16BF:
        return 4;
    case CUDA_R_8I:
        return 1;
    default:
        return 2;
    }
}

static size_t bytes_of(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_16U ? 2 : type == CUSPARSE_INDEX_32I ? 4 : 8;
}

static bool is_aligned(const void *pointer, size_t bytes)
{
    return (uintptr_t)pointer % bytes == 0;
}

// ---- Sparse matrices ----

static cusparseStatus_t create(cusparseConstSpMatDescr_t *made, cusparseFormat_t format,
                               int64_t rows, int64_t cols, int64_t nnz, const void *offsets,
                               const void *indices, const void *values,
                               cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
                               cusparseIndexBase_t base, cudaDataType type)
{
    if (made == NULL || rows < 0 || cols < 0 || nnz < 0 || !is_index_type(offsets_type) ||
        !is_index_type(indices_type) ||
        (base != CUSPARSE_INDEX_BASE_ZERO && base != CUSPARSE_INDEX_BASE_ONE) ||
        !is_value_type(type) || (double)nnz > (double)rows * (double)cols ||
        !is_aligned(offsets, bytes_of(offsets_type)) ||
        !is_aligned(indices, bytes_of(indices_type)) || !is_aligned(values, bytes_of(type)))
    {
        return INVALID;
    }
    if (offsets_type != indices_type)
    {
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    if (indices_type == CUSPARSE_INDEX_32I &&
        (rows + base > INT32_MAX || cols + base > INT32_MAX || nnz + base > INT32_MAX))
    {
        return INVALID;
    }
    *made =
        new cusparseSpMatDescr{format,          rows,           cols,         nnz,  (void *)offsets,
                               (void *)indices, (void *)values, indices_type, base, type};
    note(*made);
    return OK;
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *made, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *offsets, const void *columns,
                                        const void *values, cusparseIndexType_t offsets_type,
                                        cusparseIndexType_t columns_type, cusparseIndexBase_t base,
                                        cudaDataType type)
{
    return create(made, CUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets, columns, values,
                  offsets_type, columns_type, base, type);
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *made, int64_t rows, int64_t cols,
                                   int64_t nnz, void *offsets, void *columns, void *values,
                                   cusparseIndexType_t offsets_type,
                                   cusparseIndexType_t columns_type, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    return create((cusparseConstSpMatDescr_t *)made, CUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets,
                  columns, values, offsets_type, columns_type, base, type);
}

cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *made, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *offsets, const void *row_indices,
                                        const void *values, cusparseIndexType_t offsets_type,
                                        cusparseIndexType_t rows_type, cusparseIndexBase_t base,
                                        cudaDataType type)
{
    return create(made, CUSPARSE_FORMAT_CSC, rows, cols, nnz, offsets, row_indices, values,
                  offsets_type, rows_type, base, type);
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *made, int64_t rows, int64_t cols,
                                   int64_t nnz, void *offsets, void *row_indices, void *values,
                                   cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    return create((cusparseConstSpMatDescr_t *)made, CUSPARSE_FORMAT_CSC, rows, cols, nnz, offsets,
                  row_indices, values, offsets_type, rows_type, base, type);
}

cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *made, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *row_indices, const void *columns,
                                        const void *values, cusparseIndexType_t index_type,
                                        cusparseIndexBase_t base, cudaDataType type)
{
    return create(made, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, columns, values,
                  index_type, index_type, base, type);
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *made, int64_t rows, int64_t cols,
                                   int64_t nnz, void *row_indices, void *columns, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    return create((cusparseConstSpMatDescr_t *)made, CUSPARSE_FORMAT_COO, rows, cols, nnz,
                  row_indices, columns, values, index_type, index_type, base, type);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    if (matrix == NULL)
    {
        return OK;
    }
    if (!forget(matrix))
    {
        return INVALID;
    }
    delete matrix;
    return OK;
}

static cusparseStatus_t get(cusparseConstSpMatDescr_t matrix, cusparseFormat_t format,
                            int64_t *rows, int64_t *cols, int64_t *nnz, void **offsets,
                            void **indices, void **values, cusparseIndexType_t *offsets_type,
                            cusparseIndexType_t *indices_type, cusparseIndexBase_t *base,
                            cudaDataType *type)
{
    if (!exists(matrix) || matrix->format != format || rows == NULL || cols == NULL ||
        nnz == NULL || offsets == NULL || indices == NULL || values == NULL ||
        offsets_type == NULL || indices_type == NULL || base == NULL || type == NULL)
    {
        return INVALID;
    }
    *rows = matrix->rows;
    *cols = matrix->cols;
    *nnz = matrix->nnz;
    *offsets = matrix->offsets;
    *indices = matrix->indices;
    *values = matrix->values;
    *offsets_type = *indices_type = matrix->index_type;
    *base = matrix->base;
    *type = matrix->type;
    return OK;
}

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *cols,
                                int64_t *nnz, void **offsets, void **columns, void **values,
                                cusparseIndexType_t *offsets_type,
                                cusparseIndexType_t *columns_type, cusparseIndexBase_t *base,
                                cudaDataType *type)
{
    return get(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets, columns, values, offsets_type,
               columns_type, base, type);
}

cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *cols,
                                     int64_t *nnz, const void **offsets, const void **columns,
                                     const void **values, cusparseIndexType_t *offsets_type,
                                     cusparseIndexType_t *columns_type, cusparseIndexBase_t *base,
                                     cudaDataType *type)
{
    return get(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, (void **)offsets, (void **)columns,
               (void **)values, offsets_type, columns_type, base, type);
}

cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *cols,
                                int64_t *nnz, void **offsets, void **row_indices, void **values,
                                cusparseIndexType_t *offsets_type, cusparseIndexType_t *rows_type,
                                cusparseIndexBase_t *base, cudaDataType *type)
{
    return get(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, offsets, row_indices, values,
               offsets_type, rows_type, base, type);
}

cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *cols,
                                     int64_t *nnz, const void **offsets, const void **row_indices,
                                     const void **values, cusparseIndexType_t *offsets_type,
                                     cusparseIndexType_t *rows_type, cusparseIndexBase_t *base,
                                     cudaDataType *type)
{
    return get(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, (void **)offsets, (void **)row_indices,
               (void **)values, offsets_type, rows_type, base, type);
}

cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *cols,
                                int64_t *nnz, void **row_indices, void **columns, void **values,
                                cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                                cudaDataType *type)
{
    return get(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, columns, values,
               index_type, index_type, base, type);
}

cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *cols,
                                     int64_t *nnz, const void **row_indices, const void **columns,
                                     const void **values, cusparseIndexType_t *index_type,
                                     cusparseIndexBase_t *base, cudaDataType *type)
{
    return get(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, (void **)row_indices, (void **)columns,
               (void **)values, index_type, index_type, base, type);
}

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format,
                                     void *offsets, void *indices, void *values)
{
    if (!exists(matrix) || matrix->format != format)
    {
        return INVALID;
    }
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
    return OK;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *columns,
                                        void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_CSR, offsets, columns, values);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets,
                                        void *row_indices, void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_CSC, offsets, row_indices, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_indices,
                                        void *columns, void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_COO, row_indices, columns, values);
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format)
{
    if (!exists(matrix) || format == NULL)
    {
        return INVALID;
    }
    *format = matrix->format;
    return OK;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base)
{
    if (!exists(matrix) || base == NULL)
    {
        return INVALID;
    }
    *base = matrix->base;
    return OK;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *cols, int64_t *nnz)
{
    if (!exists(matrix) || rows == NULL || cols == NULL || nnz == NULL)
    {
        return INVALID;
    }
    *rows = matrix->rows;
    *cols = matrix->cols;
    *nnz = matrix->nnz;
    return OK;
}

cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void **values)
{
    if (!exists(matrix) || values == NULL)
    {
        return INVALID;
    }
    *values = matrix->values;
    return OK;
}

cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values)
{
    return cusparseConstSpMatGetValues(matrix, (const void **)values);
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values)
{
    if (!exists(matrix))
    {
        return INVALID;
    }
    matrix->values = values;
    return OK;
}

// ---- Dense vectors ----

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *made, int64_t size,
                                          const void *values, cudaDataType type)
{
    if (made == NULL || size < 0 || !is_value_type(type) || !is_aligned(values, bytes_of(type)))
    {
        return INVALID;
    }
    *made = new cusparseDnVecDescr{size, (void *)values, type};
    note(*made);
    return OK;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *made, int64_t size, void *values,
                                     cudaDataType type)
{
    return cusparseCreateConstDnVec((cusparseConstDnVecDescr_t *)made, size, values, type);
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    if (vector == NULL)
    {
        return OK;
    }
    if (!forget(vector))
    {
        return INVALID;
    }
    delete vector;
    return OK;
}

cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t *size,
                                       const void **values, cudaDataType *type)
{
    if (!exists(vector) || size == NULL || values == NULL || type == NULL)
    {
        return INVALID;
    }
    *size = vector->size;
    *values = vector->values;
    *type = vector->type;
    return OK;
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
                                  cudaDataType *type)
{
    return cusparseConstDnVecGet(vector, size, (const void **)values, type);
}

cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void **values)
{
    if (!exists(vector) || values == NULL)
    {
        return INVALID;
    }
    *values = vector->values;
    return OK;
}

cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values)
{
    return cusparseConstDnVecGetValues(vector, (const void **)values);
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
    if (!exists(vector))
    {
        return INVALID;
    }
    vector->values = values;
    return OK;
}
