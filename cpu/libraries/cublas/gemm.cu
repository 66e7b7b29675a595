// cuBLAS, level 3: C = alpha op(A) op(B) + beta C, one product or many.
//
// A block is one thread and computes a tile of C. It goes along op(A) and down op(B) in steps. In
// each step it packs what it needs of them: transposed and conjugated as asked, in the order in
// which the innermost loop reads it, with zeros beyond the edge. That loop keeps a small block of
// sums in registers. Each sum is formed from k = 0 upwards, so the size of a tile changes no
// result.
#include "common.cuh"

namespace cublas
{

const int TILE = 64;    // rows and columns of C to a block
const int STEP = 32768; // bytes of op(A), and of op(B), that a step packs

// Four floats or two doubles: what every x86-64 and every 64-bit ARM adds at once.
template <typename R>
struct Simd;
template <>
struct Simd<float>
{
    typedef float Type __attribute__((vector_size(16)));
};
template <>
struct Simd<double>
{
    typedef double Type __attribute__((vector_size(16)));
};

// The shape of a block of sums. Of complex numbers the real parts lie together, then the imaginary
// ones: PARTS is 2.
template <typename T>
struct Shape
{
    typedef typename Simd<Real<T>>::Type Simd;
    static const int PARTS = Kind<T>::IS_COMPLEX ? 2 : 1;
    static const int WIDTH = sizeof(Simd) / sizeof(Real<T>);
    static const int ROWS = 2 * WIDTH, COLUMNS = 4 / PARTS;
    static const int DEPTH = STEP / TILE / sizeof(T); // numbers along k to a step
};

inline void put(float number, float *parts, int)
{
    *parts = number;
}
inline void put(double number, double *parts, int)
{
    *parts = number;
}
inline void put(float2 number, float *parts, int distance)
{
    parts[0] = number.x;
    parts[distance] = number.y;
}
inline void put(double2 number, double *parts, int distance)
{
    parts[0] = number.x;
    parts[distance] = number.y;
}
inline void get(const float *parts, int, float *number)
{
    *number = *parts;
}
inline void get(const double *parts, int, double *number)
{
    *number = *parts;
}
inline void get(const float *parts, int distance, float2 *number)
{
    *number = {parts[0], parts[distance]};
}
inline void get(const double *parts, int distance, double2 *number)
{
    *number = {parts[0], parts[distance]};
}

// Packs `lines` rows of op(A), or columns of op(B), `depth` numbers long, in panels of HEIGHT
// lines. Number k of line i is X[i along + k across].
template <int HEIGHT, bool CONJUGATES, typename T>
void pack(const T *X, int64_t along, int64_t across, int lines, int depth, Real<T> *to)
{
    const int PARTS = Shape<T>::PARTS;
    for (int first = 0; first < lines; first += HEIGHT)
    {
        const T *from = X + first * along;
        const int height = lines - first < HEIGHT ? lines - first : HEIGHT;
        if (height < HEIGHT)
        {
            memset(to, 0, sizeof(T) * HEIGHT * depth);
        }
        if (along == 1)
        {
            for (int k = 0; k < depth; ++k)
            {
                for (int i = 0; i < height; ++i)
                {
                    put(conjugate_if<CONJUGATES>(from[i + k * across]), to + k * PARTS * HEIGHT + i,
                        HEIGHT);
                }
            }
        }
        else
        {
            for (int i = 0; i < height; ++i)
            {
                for (int k = 0; k < depth; ++k)
                {
                    put(conjugate_if<CONJUGATES>(from[i * along + k * across]),
                        to + k * PARTS * HEIGHT + i, HEIGHT);
                }
            }
        }
        to += PARTS * HEIGHT * depth;
    }
}

// Packs from op(X): of the rows of op(A) or the columns of op(B) from `line` on, numbers k on.
template <int HEIGHT, typename T>
void pack_operand(bool is_A, cublasOperation_t op, const T *X, int64_t ld, int64_t line, int64_t k,
                  int lines, int depth, Real<T> *to)
{
    const bool lines_lie_together = is_A == (op == CUBLAS_OP_N);
    const int64_t along = lines_lie_together ? 1 : ld, across = lines_lie_together ? ld : 1;
    const T *from = X + line * along + k * across;
    if (op == CUBLAS_OP_C)
    {
        pack<HEIGHT, true>(from, along, across, lines, depth, to);
    }
    else
    {
        pack<HEIGHT, false>(from, along, across, lines, depth, to);
    }
}

// sums += a b, for `depth` numbers of ROWS rows of op(A) and COLUMNS columns of op(B): real
// numbers.
template <typename T>
void multiply(int depth, const T *a, const T *b, T *sums, std::false_type)
{
    typedef typename Shape<T>::Simd Simd;
    const int WIDTH = Shape<T>::WIDTH, ROWS = Shape<T>::ROWS, COLUMNS = Shape<T>::COLUMNS;
    Simd sum[COLUMNS][2];
    memcpy(sum, sums, sizeof(sum));
    for (int k = 0; k < depth; ++k)
    {
        Simd upper, lower;
        memcpy(&upper, a + k * ROWS, sizeof(Simd));
        memcpy(&lower, a + k * ROWS + WIDTH, sizeof(Simd));
#pragma GCC unroll 4
        for (int j = 0; j < COLUMNS; ++j)
        {
            const T factor = b[k * COLUMNS + j];
            sum[j][0] += upper * factor;
            sum[j][1] += lower * factor;
        }
    }
    memcpy(sums, sum, sizeof(sum));
}

// The same for complex numbers: the real parts of all sums lie before the imaginary ones.
template <typename T>
void multiply(int depth, const T *a, const T *b, T *sums, std::true_type)
{
    typedef typename Shape<T>::Simd Simd;
    const int WIDTH = Shape<T>::WIDTH;
    const int COLUMNS = 2, ROWS = 2 * WIDTH;
    Simd real[COLUMNS][2], imaginary[COLUMNS][2];
    memcpy(real, sums, sizeof(real));
    memcpy(imaginary, sums + ROWS * COLUMNS, sizeof(imaginary));
    for (int k = 0; k < depth; ++k)
    {
        Simd a_real[2], a_imaginary[2];
        memcpy(a_real, a + 2 * k * ROWS, sizeof(a_real));
        memcpy(a_imaginary, a + (2 * k + 1) * ROWS, sizeof(a_imaginary));
#pragma GCC unroll 2
        for (int j = 0; j < COLUMNS; ++j)
        {
            const T b_real = b[2 * k * COLUMNS + j], b_imaginary = b[(2 * k + 1) * COLUMNS + j];
#pragma GCC unroll 2
            for (int i = 0; i < 2; ++i)
            {
                real[j][i] += a_real[i] * b_real - a_imaginary[i] * b_imaginary;
                imaginary[j][i] += a_real[i] * b_imaginary + a_imaginary[i] * b_real;
            }
        }
    }
    memcpy(sums, real, sizeof(real));
    memcpy(sums + ROWS * COLUMNS, imaginary, sizeof(imaginary));
}

// A matrix of each product: one after the other `stride` apart, or where an array says.
template <typename T>
struct Matrices
{
    T *base;
    T *const *array;
    int64_t stride;
    T *operator[](int64_t i) const
    {
        return array != NULL ? array[i] : base + i * stride;
    }
};

template <typename T>
struct Product
{
    cublasOperation_t op_A, op_B;
    int64_t m, n, k;
    Scalar<T> alpha, beta;
    Matrices<const T> A, B;
    Matrices<T> C;
    int64_t lda, ldb, ldc;
    int64_t count;
};

// One tile of C, from row and column on.
template <typename T>
void compute_tile(const Product<T> &p, T alpha, T beta, const T *A, const T *B, T *C, int64_t row,
                  int64_t column)
{
    typedef Shape<T> Shape;
    const int ROWS = Shape::ROWS, COLUMNS = Shape::COLUMNS, DEPTH = Shape::DEPTH;
    const int SIZE = ROWS * COLUMNS * Shape::PARTS; // of a block of sums
    const int rows = p.m - row < TILE ? p.m - row : TILE;
    const int columns = p.n - column < TILE ? p.n - column : TILE;
    const int down = (rows + ROWS - 1) / ROWS, along = (columns + COLUMNS - 1) / COLUMNS;
    alignas(16) Real<T> sums[TILE * TILE * Shape::PARTS];
    alignas(16) Real<T> panel_A[TILE * DEPTH * Shape::PARTS];
    alignas(16) Real<T> panel_B[TILE * DEPTH * Shape::PARTS];
    memset(sums, 0, sizeof(Real<T>) * SIZE * down * along);
    const int64_t length = is_zero(alpha) ? 0 : p.k;
    for (int64_t k = 0; k < length; k += DEPTH)
    {
        const int depth = length - k < DEPTH ? length - k : DEPTH;
        pack_operand<ROWS>(true, p.op_A, A, p.lda, row, k, rows, depth, panel_A);
        pack_operand<COLUMNS>(false, p.op_B, B, p.ldb, column, k, columns, depth, panel_B);
        for (int j = 0; j < along; ++j)
        {
            for (int i = 0; i < down; ++i)
            {
                multiply<Real<T>>(depth, panel_A + i * ROWS * Shape::PARTS * depth,
                                  panel_B + j * COLUMNS * Shape::PARTS * depth,
                                  sums + (j * down + i) * SIZE,
                                  std::integral_constant<bool, Kind<T>::IS_COMPLEX>());
            }
        }
    }
    for (int j = 0; j < columns; ++j)
    {
        T *to = C + row + (column + j) * p.ldc;
        for (int i = 0; i < rows; ++i)
        {
            const Real<T> *block = sums + (j / COLUMNS * down + i / ROWS) * SIZE;
            T sum;
            get(block + j % COLUMNS * ROWS + i % ROWS, ROWS * COLUMNS, &sum);
            to[i] = is_zero(beta) ? alpha * sum : alpha * sum + beta * to[i];
        }
    }
}

template <typename T>
__global__ void gemm(Product<T> p)
{
    const int64_t down = pieces(p.m, TILE), tiles = down * pieces(p.n, TILE);
    const T alpha = p.alpha.get(), beta = p.beta.get();
    if ((is_zero(alpha) || p.k == 0) && is_one(beta))
    {
        return;
    }
    for (int64_t tile = blockIdx.x; tile < tiles * p.count; tile += gridDim.x)
    {
        const int64_t i = tile / tiles, in_C = tile % tiles;
        const T *A = is_zero(alpha) ? NULL : p.A[i], *B = is_zero(alpha) ? NULL : p.B[i];
        compute_tile(p, alpha, beta, A, B, p.C[i], in_C % down * TILE, in_C / down * TILE);
    }
}

template <typename T>
cublasStatus_t do_gemm(cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B,
                       int64_t m, int64_t n, int64_t k, const T *alpha, Matrices<const T> A,
                       int64_t lda, Matrices<const T> B, int64_t ldb, const T *beta, Matrices<T> C,
                       int64_t ldc, int64_t count)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, !is_operation(op_A) || !is_operation(op_B));
    REFUSE(INVALID_VALUE, m < 0 || n < 0 || k < 0 || count < 0);
    REFUSE(INVALID_VALUE, lda < at_least_1(op_A == CUBLAS_OP_N ? m : k));
    REFUSE(INVALID_VALUE, ldb < at_least_1(op_B == CUBLAS_OP_N ? k : n));
    REFUSE(INVALID_VALUE, ldc < at_least_1(m) || alpha == NULL || beta == NULL);
    REFUSE(SUCCESS, m == 0 || n == 0 || count == 0);
    REFUSE(INVALID_VALUE, C.base == NULL && C.array == NULL);
    const Product<T> product = {
        op_A, op_B, m,   n,   k,    scalar(handle, alpha), scalar(handle, beta), A, B,
        C,    lda,  ldb, ldc, count};
    const cudaError_t before = error_before();
    gemm<<<grid_of(pieces(m, TILE) * pieces(n, TILE) * count), 1, 0, handle->stream>>>(product);
    return status_since(before);
}

template <typename T>
cublasStatus_t do_gemm_ex(cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B,
                          int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
                          int64_t lda, const void *B, int64_t ldb, const void *beta, void *C,
                          int64_t ldc)
{
    return do_gemm<T>(handle, op_A, op_B, m, n, k, (const T *)alpha, {(const T *)A, NULL, 0}, lda,
                      {(const T *)B, NULL, 0}, ldb, (const T *)beta, {(T *)C, NULL, 0}, ldc, 1);
}

} // namespace cublas

// ---- The functions by their names ----

#define GEMM(X, T, I, E)                                                                          \
    extern "C" cublasStatus_t cublas##X##gemm_v2##E(                                              \
        cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B, I m, I n, I k,     \
        const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C, I ldc)         \
    {                                                                                             \
        return cublas::do_gemm<T>(handle, op_A, op_B, m, n, k, alpha, {A, NULL, 0}, lda,          \
                                  {B, NULL, 0}, ldb, beta, {C, NULL, 0}, ldc, 1);                 \
    }                                                                                             \
    extern "C" cublasStatus_t cublas##X##gemmBatched##E(                                          \
        cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B, I m, I n, I k,     \
        const T *alpha, const T *const A[], I lda, const T *const B[], I ldb, const T *beta,      \
        T *const C[], I ldc, I count)                                                             \
    {                                                                                             \
        return cublas::do_gemm<T>(handle, op_A, op_B, m, n, k, alpha, {NULL, A, 0}, lda,          \
                                  {NULL, B, 0}, ldb, beta, {NULL, C, 0}, ldc, count);             \
    }                                                                                             \
    extern "C" cublasStatus_t cublas##X##gemmStridedBatched##E(                                   \
        cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B, I m, I n, I k,     \
        const T *alpha, const T *A, I lda, long long int strideA, const T *B, I ldb,              \
        long long int strideB, const T *beta, T *C, I ldc, long long int strideC, I count)        \
    {                                                                                             \
        return cublas::do_gemm<T>(handle, op_A, op_B, m, n, k, alpha, {A, NULL, strideA}, lda,    \
                                  {B, NULL, strideB}, ldb, beta, {C, NULL, strideC}, ldc, count); \
    }
// Of the types, the four of the other functions; half and its kin are not supported.
#define GEMM_EX(I, E)                                                                             \
    extern "C" cublasStatus_t cublasGemmEx##E(                                                    \
        cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B, I m, I n, I k,     \
        const void *alpha, const void *A, cudaDataType type_A, I lda, const void *B,              \
        cudaDataType type_B, I ldb, const void *beta, void *C, cudaDataType type_C, I ldc,        \
        cublasComputeType_t compute, cublasGemmAlgo_t)                                            \
    {                                                                                             \
        REQUIRE_HANDLE(handle);                                                                   \
        const bool is_double =                                                                    \
            compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;              \
        const bool is_float =                                                                     \
            compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||            \
            compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||  \
            compute == CUBLAS_COMPUTE_32F_FAST_TF32;                                              \
        REFUSE(NOT_SUPPORTED, type_A != type_B || type_A != type_C);                              \
        if (is_float && type_A == CUDA_R_32F)                                                     \
        {                                                                                         \
            return cublas::do_gemm_ex<float>(handle, op_A, op_B, m, n, k, alpha, A, lda, B, ldb,  \
                                             beta, C, ldc);                                       \
        }                                                                                         \
        if (is_float && type_A == CUDA_C_32F)                                                     \
        {                                                                                         \
            return cublas::do_gemm_ex<cuComplex>(handle, op_A, op_B, m, n, k, alpha, A, lda, B,   \
                                                 ldb, beta, C, ldc);                              \
        }                                                                                         \
        if (is_double && type_A == CUDA_R_64F)                                                    \
        {                                                                                         \
            return cublas::do_gemm_ex<double>(handle, op_A, op_B, m, n, k, alpha, A, lda, B, ldb, \
                                              beta, C, ldc);                                      \
        }                                                                                         \
        REFUSE(NOT_SUPPORTED, !is_double || type_A != CUDA_C_64F);                                \
        return cublas::do_gemm_ex<cuDoubleComplex>(handle, op_A, op_B, m, n, k, alpha, A, lda, B, \
                                                   ldb, beta, C, ldc);                            \
    }
#define ALL(I, E)                  \
    GEMM(S, float, I, E)           \
    GEMM(D, double, I, E)          \
    GEMM(C, cuComplex, I, E)       \
    GEMM(Z, cuDoubleComplex, I, E) \
    GEMM_EX(I, E)
ALL(int, )
ALL(int64_t, _64)
