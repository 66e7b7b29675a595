// Conversions between the rows of COO and the row offsets of CSR.
#include "objects.cuh"

namespace cusparse
{
const int EACH = 1024; // rows or elements of a thread

// offsets[r] is the number of elements in the rows before r. Between elements n - 1 and n the row
// grows from `before` to `row`: n elements precede the rows before + 1 to row. The element after
// the last one stands in row m.
static __global__ void coo_to_csr(const int *rows, int nnz, int m, int *offsets, int base)
{
    const int64_t begin = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * EACH;
    const int64_t last = begin + EACH - 1 < nnz ? begin + EACH - 1 : nnz;
    for (int64_t n = begin; n <= last; ++n)
    {
        const int before = n == 0 ? -1 : rows[n - 1] - base;
        const int row = n == nnz ? m : rows[n] - base;
        for (int r = before + 1; r <= row; ++r)
        {
            offsets[r] = (int)n + base;
        }
    }
}

static __global__ void csr_to_coo(const int *offsets, int m, int *rows, int base)
{
    const int64_t begin = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * EACH;
    const int64_t end = begin + EACH < m ? begin + EACH : m;
    for (int64_t r = begin; r < end; ++r)
    {
        for (int n = offsets[r] - base; n < offsets[r + 1] - base; ++n)
        {
            rows[n] = (int)r + base;
        }
    }
}

static cusparseStatus_t check(cusparseHandle_t handle, const void *from, int nnz, int m,
                              const void *to, cusparseIndexBase_t base)
{
    if (!exists(handle))
    {
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    }
    const bool right = nnz >= 0 && m >= 0 && (from != NULL || nnz == 0) &&
                       (to != NULL || nnz == 0) &&
                       (base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE);
    return right ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}
} // namespace cusparse

using namespace cusparse;

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base)
{
    const cusparseStatus_t status = check(handle, rows, nnz, m, offsets, base);
    if (status != CUSPARSE_STATUS_SUCCESS || offsets == NULL)
    {
        return status;
    }
    coo_to_csr<<<grid_size((int64_t)nnz + 1, EACH), BLOCK_SIZE, 0, handle->stream>>>(rows, nnz, m,
                                                                                     offsets, base);
    return launched();
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base)
{
    const cusparseStatus_t status = check(handle, offsets, nnz, m, rows, base);
    if (status != CUSPARSE_STATUS_SUCCESS || nnz == 0 || m == 0)
    {
        return status;
    }
    csr_to_coo<<<grid_size(m, EACH), BLOCK_SIZE, 0, handle->stream>>>(offsets, m, rows, base);
    return launched();
}
