// What stands behind the handles and descriptors of cuSPARSE, and which of them still exist.
#ifndef CUSPARSE_OBJECTS_CUH
#define CUSPARSE_OBJECTS_CUH
#include <cuda_runtime.h>
#include <cusparse.h>

struct cusparseContext
{
    cudaStream_t stream;
    cusparsePointerMode_t pointer_mode;
};

// CSR and CSC: `offsets` has the first element of each row (column) and one more, `indices` the
// columns (rows). COO: `offsets` has the rows, `indices` the columns.
struct cusparseSpMatDescr
{
    cusparseFormat_t format;
    int64_t rows, cols, nnz;
    void *offsets, *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};

struct cusparseDnVecDescr
{
    int64_t size;
    void *values;
    cudaDataType type;
};

namespace cusparse
{
// The objects that have been created and not destroyed. So NULL, and an object that is destroyed
// already, are both refused. `note` adds one, `forget` takes one away.
void note(const void *object);
bool forget(const void *object);
bool exists(const void *object);

// After a launch.
inline cusparseStatus_t launched(void)
{
    return cudaGetLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS
                                             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

// Threads that each do `each` of `count` items, in blocks.
const int BLOCK_SIZE = 8;
inline unsigned grid_size(int64_t count, int each)
{
    return (unsigned)((count + (int64_t)each * BLOCK_SIZE - 1) / ((int64_t)each * BLOCK_SIZE));
}
} // namespace cusparse

#endif
