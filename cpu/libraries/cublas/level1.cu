// cuBLAS, level 1: vectors and vectors.
//
// A block of one thread takes a piece of the vectors. Sums are formed in double, each piece's
// first, then one thread adds those, always in the same order.
#include "common.cuh"

namespace cublas
{

const int64_t PIECE = 16384; // elements

// ---- Element by element ----

// Calls work(i) for the elements of this block's pieces.
template <typename Work>
__device__ void for_pieces(int64_t n, Work work)
{
    for (int64_t first = blockIdx.x * PIECE; first < n; first += gridDim.x * PIECE)
    {
        const int64_t end = n - first < PIECE ? n : first + PIECE;
        for (int64_t i = first; i < end; ++i)
        {
            work(i);
        }
    }
}

template <typename T>
__global__ void axpy(int64_t n, Scalar<T> alpha, Vector<const T> x, Vector<T> y)
{
    const T a = alpha.get();
    if (is_zero(a))
    {
        return;
    }
    if (x.inc == 1 && y.inc == 1)
    {
        const T *x1 = x.first;
        T *y1 = y.first;
        for_pieces(n, [=](int64_t i) { y1[i] = a * x1[i] + y1[i]; });
        return;
    }
    for_pieces(n, [=](int64_t i) { y[i] = a * x[i] + y[i]; });
}

template <typename T, typename A>
__global__ void scal(int64_t n, Scalar<A> alpha, Vector<T> x)
{
    const A a = alpha.get();
    if (x.inc == 1)
    {
        T *x1 = x.first;
        for_pieces(n, [=](int64_t i) { x1[i] = a * x1[i]; });
        return;
    }
    for_pieces(n, [=](int64_t i) { x[i] = a * x[i]; });
}

template <typename T>
__global__ void copy(int64_t n, Vector<const T> x, Vector<T> y)
{
    for_pieces(n, [=](int64_t i) { y[i] = x[i]; });
}

template <typename T>
__global__ void swap(int64_t n, Vector<T> x, Vector<T> y)
{
    for_pieces(n,
               [=](int64_t i)
               {
                   const T old = x[i];
                   x[i] = y[i];
                   y[i] = old;
               });
}

template <typename T, typename S>
__global__ void rot(int64_t n, Vector<T> x, Vector<T> y, Scalar<Real<T>> cosine, Scalar<S> sine)
{
    const Real<T> c = cosine.get();
    const S s = sine.get();
    for_pieces(n,
               [=](int64_t i)
               {
                   const T a = x[i], b = y[i];
                   x[i] = c * a + s * b;
                   y[i] = c * b - conjugate(s) * a;
               });
}

// Whether a function of level 1 can run; the number of blocks.
static unsigned blocks_for(int64_t n)
{
    return grid_of(pieces(n, PIECE));
}

template <typename T>
cublasStatus_t do_axpy(cublasHandle_t handle, int64_t n, const T *alpha, const T *x, int64_t incx,
                       T *y, int64_t incy)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, alpha == NULL);
    REFUSE(SUCCESS, n <= 0);
    const cudaError_t before = error_before();
    axpy<<<blocks_for(n), 1, 0, handle->stream>>>(n, scalar(handle, alpha), vector(x, n, incx),
                                                  vector(y, n, incy));
    return status_since(before);
}

template <typename T, typename A>
cublasStatus_t do_scal(cublasHandle_t handle, int64_t n, const A *alpha, T *x, int64_t incx)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, alpha == NULL);
    REFUSE(SUCCESS, n <= 0 || incx <= 0);
    const cudaError_t before = error_before();
    scal<<<blocks_for(n), 1, 0, handle->stream>>>(n, scalar(handle, alpha), vector(x, n, incx));
    return status_since(before);
}

template <typename T>
cublasStatus_t do_copy(cublasHandle_t handle, int64_t n, const T *x, int64_t incx, T *y,
                       int64_t incy)
{
    REQUIRE_HANDLE(handle);
    REFUSE(SUCCESS, n <= 0);
    const cudaError_t before = error_before();
    copy<<<blocks_for(n), 1, 0, handle->stream>>>(n, vector(x, n, incx), vector(y, n, incy));
    return status_since(before);
}

template <typename T>
cublasStatus_t do_swap(cublasHandle_t handle, int64_t n, T *x, int64_t incx, T *y, int64_t incy)
{
    REQUIRE_HANDLE(handle);
    REFUSE(SUCCESS, n <= 0);
    const cudaError_t before = error_before();
    swap<<<blocks_for(n), 1, 0, handle->stream>>>(n, vector(x, n, incx), vector(y, n, incy));
    return status_since(before);
}

template <typename T, typename S>
cublasStatus_t do_rot(cublasHandle_t handle, int64_t n, T *x, int64_t incx, T *y, int64_t incy,
                      const Real<T> *c, const S *s)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, c == NULL || s == NULL);
    REFUSE(SUCCESS, n <= 0);
    const cudaError_t before = error_before();
    rot<<<blocks_for(n), 1, 0, handle->stream>>>(n, vector(x, n, incx), vector(y, n, incy),
                                                 scalar(handle, c), scalar(handle, s));
    return status_since(before);
}

// ---- One number from a vector ----

// Each kind has: Partial, what a piece gives; start(); add(Partial *, i), which takes element i;
// join(Partial *, other), for a piece that lies later; finish(Partial), the result.

template <typename T, bool CONJUGATES>
struct Dot
{
    typedef typename Kind<T>::Sum Partial;
    typedef T Result;
    Vector<const T> x, y;

    static Partial start()
    {
        return Partial();
    }
    void add(Partial *sum, int64_t i) const
    {
        *sum = *sum + widen(conjugate_if<CONJUGATES>(x[i])) * widen(y[i]);
    }
    static void join(Partial *sum, Partial other)
    {
        *sum = *sum + other;
    }
    static Result finish(Partial sum)
    {
        Result result;
        narrow(sum, &result);
        return result;
    }
};

template <typename T>
struct Asum
{
    typedef double Partial;
    typedef Real<T> Result;
    Vector<const T> x;

    static Partial start()
    {
        return 0;
    }
    void add(Partial *sum, int64_t i) const
    {
        *sum += size_of(widen(x[i]));
    }
    static void join(Partial *sum, Partial other)
    {
        *sum += other;
    }
    static Result finish(Partial sum)
    {
        return (Result)sum;
    }
};

// The squares of doubles are added as long double, whose exponents are large enough for them.
template <typename T>
struct Nrm2
{
    typedef Real<T> Result;
    typedef typename Kind<Real<T>>::Sum Sum;
    static const bool IS_FLOAT = sizeof(Result) == sizeof(float);
    typedef typename std::conditional<IS_FLOAT, double, long double>::type Partial;
    Vector<const T> x;

    static Partial start()
    {
        return 0;
    }
    static void add_square(Partial *sum, Partial a)
    {
        *sum += a * a;
    }
    static void add_square(Partial *sum, T a, std::true_type)
    {
        add_square(sum, a.x);
        add_square(sum, a.y);
    }
    static void add_square(Partial *sum, T a, std::false_type)
    {
        add_square(sum, a);
    }
    void add(Partial *sum, int64_t i) const
    {
        add_square(sum, x[i], std::integral_constant<bool, Kind<T>::IS_COMPLEX>());
    }
    static void join(Partial *sum, Partial other)
    {
        *sum += other;
    }
    static Result finish(Partial sum)
    {
        return (Result)(IS_FLOAT ? sqrt((double)sum) : sqrtl(sum));
    }
};

// The first of the largest or smallest elements, counted from 1, as in Fortran.
template <typename T, typename I, bool LARGEST>
struct Extreme
{
    struct Partial
    {
        Real<T> size;
        int64_t place; // 0: none yet
    };
    typedef I Result;
    Vector<const T> x;

    static Partial start()
    {
        return {0, 0};
    }
    static void join(Partial *best, Partial other)
    {
        const bool better = LARGEST ? other.size > best->size : other.size < best->size;
        if (other.place > 0 && (best->place == 0 || better))
        {
            *best = other;
        }
    }
    void add(Partial *best, int64_t i) const
    {
        join(best, {size_of(x[i]), i + 1});
    }
    static Result finish(Partial best)
    {
        return (Result)best.place;
    }
};

const int MAX_PARTIALS = SCRATCH_BYTES / 32 - 1; // the result lies behind them

// Four partial results side by side, because an addition waits for the one before it.
template <typename Operation>
__global__ void reduce(int64_t n, int64_t piece, Operation operation,
                       typename Operation::Partial *partials)
{
    typedef typename Operation::Partial Partial;
    const int64_t first = blockIdx.x * piece, end = n - first < piece ? n : first + piece;
    Partial lane[4] = {Operation::start(), Operation::start(), Operation::start(),
                       Operation::start()};
    const int64_t quarter = (end - first) / 4;
    for (int64_t i = first; i < first + quarter; ++i)
    {
        operation.add(&lane[0], i);
        operation.add(&lane[1], i + quarter);
        operation.add(&lane[2], i + 2 * quarter);
        operation.add(&lane[3], i + 3 * quarter);
    }
    for (int64_t i = first + 4 * quarter; i < end; ++i)
    {
        operation.add(&lane[3], i);
    }
    for (int i = 1; i < 4; ++i)
    {
        Operation::join(&lane[0], lane[i]);
    }
    partials[blockIdx.x] = lane[0];
}

template <typename Operation>
__global__ void finish(int count, const typename Operation::Partial *partials,
                       typename Operation::Result *result)
{
    typename Operation::Partial total = Operation::start();
    for (int i = 0; i < count; ++i)
    {
        Operation::join(&total, partials[i]);
    }
    *result = Operation::finish(total);
}

// With the pointer mode HOST the call waits for the result; with DEVICE it returns at once.
template <typename Operation>
cublasStatus_t do_reduce(cublasHandle_t handle, int64_t n, Operation operation,
                         typename Operation::Result *result)
{
    typedef typename Operation::Partial Partial;
    static_assert(sizeof(Partial) <= 32, "");
    const bool to_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (to_host && n <= 0)
    {
        const auto nothing = Operation::finish(Operation::start());
        memcpy((void *)result, &nothing, sizeof(nothing));
        return CUBLAS_STATUS_SUCCESS;
    }
    Partial *partials = (Partial *)next_scratch(handle);
    auto *d_result = to_host ? (typename Operation::Result *)(partials + MAX_PARTIALS) : result;
    const cudaError_t before = error_before();
    int count = 0;
    if (n > 0)
    {
        const int64_t piece = at_least_1(pieces(n, MAX_PARTIALS));
        const int64_t each = piece > PIECE ? piece : PIECE;
        count = (int)pieces(n, each);
        reduce<<<count, 1, 0, handle->stream>>>(n, each, operation, partials);
    }
    finish<Operation><<<1, 1, 0, handle->stream>>>(count, partials, d_result);
    const cublasStatus_t status = status_since(before);
    if (status != CUBLAS_STATUS_SUCCESS || !to_host)
    {
        return status;
    }
    const bool copied = cudaMemcpyAsync(result, d_result, sizeof(*result), cudaMemcpyDeviceToHost,
                                        handle->stream) == cudaSuccess &&
                        cudaStreamSynchronize(handle->stream) == cudaSuccess;
    return copied ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <bool CONJUGATES, typename T>
cublasStatus_t do_dot(cublasHandle_t handle, int64_t n, const T *x, int64_t incx, const T *y,
                      int64_t incy, T *result)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, result == NULL);
    return do_reduce(handle, n, Dot<T, CONJUGATES>{vector(x, n, incx), vector(y, n, incy)}, result);
}

// These read nothing if the increment is not positive.
template <typename Operation, typename T>
cublasStatus_t do_one_vector(cublasHandle_t handle, int64_t n, const T *x, int64_t incx,
                             typename Operation::Result *result)
{
    REQUIRE_HANDLE(handle);
    REFUSE(INVALID_VALUE, result == NULL);
    return do_reduce(handle, incx > 0 ? n : 0, Operation{vector(x, n, incx)}, result);
}

} // namespace cublas

// ---- The functions by their names ----

#define FOR_EACH_TYPE(X, T, I, E)                                                               \
    extern "C" cublasStatus_t cublas##X##axpy_v2##E(cublasHandle_t handle, I n, const T *alpha, \
                                                    const T *x, I incx, T *y, I incy)           \
    {                                                                                           \
        return cublas::do_axpy(handle, n, alpha, x, incx, y, incy);                             \
    }                                                                                           \
    extern "C" cublasStatus_t cublas##X##scal_v2##E(cublasHandle_t handle, I n, const T *alpha, \
                                                    T *x, I incx)                               \
    {                                                                                           \
        return cublas::do_scal(handle, n, alpha, x, incx);                                      \
    }                                                                                           \
    extern "C" cublasStatus_t cublas##X##copy_v2##E(cublasHandle_t handle, I n, const T *x,     \
                                                    I incx, T *y, I incy)                       \
    {                                                                                           \
        return cublas::do_copy(handle, n, x, incx, y, incy);                                    \
    }                                                                                           \
    extern "C" cublasStatus_t cublas##X##swap_v2##E(cublasHandle_t handle, I n, T *x, I incx,   \
                                                    T *y, I incy)                               \
    {                                                                                           \
        return cublas::do_swap(handle, n, x, incx, y, incy);                                    \
    }
#define SUMS(X, RX, T, R, I, E)                                                                 \
    extern "C" cublasStatus_t cublas##RX##nrm2_v2##E(cublasHandle_t handle, I n, const T *x,    \
                                                     I incx, R *result)                         \
    {                                                                                           \
        return cublas::do_one_vector<cublas::Nrm2<T>>(handle, n, x, incx, result);              \
    }                                                                                           \
    extern "C" cublasStatus_t cublas##RX##asum_v2##E(cublasHandle_t handle, I n, const T *x,    \
                                                     I incx, R *result)                         \
    {                                                                                           \
        return cublas::do_one_vector<cublas::Asum<T>>(handle, n, x, incx, result);              \
    }                                                                                           \
    extern "C" cublasStatus_t cublasI##X##amax_v2##E(cublasHandle_t handle, I n, const T *x,    \
                                                     I incx, I *result)                         \
    {                                                                                           \
        return cublas::do_one_vector<cublas::Extreme<T, I, true>>(handle, n, x, incx, result);  \
    }                                                                                           \
    extern "C" cublasStatus_t cublasI##X##amin_v2##E(cublasHandle_t handle, I n, const T *x,    \
                                                     I incx, I *result)                         \
    {                                                                                           \
        return cublas::do_one_vector<cublas::Extreme<T, I, false>>(handle, n, x, incx, result); \
    }
#define DOT(name, conjugates, T, I, E)                                                             \
    extern "C" cublasStatus_t cublas##name##_v2##E(cublasHandle_t handle, I n, const T *x, I incx, \
                                                   const T *y, I incy, T *result)                  \
    {                                                                                              \
        return cublas::do_dot<conjugates>(handle, n, x, incx, y, incy, result);                    \
    }
#define SCALE_BY_REAL(name, T, R, I, E)                                                        \
    extern "C" cublasStatus_t cublas##name##_v2##E(cublasHandle_t handle, I n, const R *alpha, \
                                                   T *x, I incx)                               \
    {                                                                                          \
        return cublas::do_scal(handle, n, alpha, x, incx);                                     \
    }
#define ROTATION(name, T, R, S, I, E)                                                              \
    extern "C" cublasStatus_t cublas##name##_v2##E(cublasHandle_t handle, I n, T *x, I incx, T *y, \
                                                   I incy, const R *c, const S *s)                 \
    {                                                                                              \
        return cublas::do_rot(handle, n, x, incx, y, incy, c, s);                                  \
    }
#define ALL(I, E)                                                  \
    FOR_EACH_TYPE(S, float, I, E)                                  \
    FOR_EACH_TYPE(D, double, I, E)                                 \
    FOR_EACH_TYPE(C, cuComplex, I, E)                              \
    FOR_EACH_TYPE(Z, cuDoubleComplex, I, E)                        \
    SUMS(s, S, float, float, I, E)                                 \
    SUMS(d, D, double, double, I, E)                               \
    SUMS(c, Sc, cuComplex, float, I, E)                            \
    SUMS(z, Dz, cuDoubleComplex, double, I, E)                     \
    DOT(Sdot, false, float, I, E)                                  \
    DOT(Ddot, false, double, I, E)                                 \
    DOT(Cdotu, false, cuComplex, I, E)                             \
    DOT(Cdotc, true, cuComplex, I, E)                              \
    DOT(Zdotu, false, cuDoubleComplex, I, E)                       \
    DOT(Zdotc, true, cuDoubleComplex, I, E)                        \
    SCALE_BY_REAL(Csscal, cuComplex, float, I, E)                  \
    SCALE_BY_REAL(Zdscal, cuDoubleComplex, double, I, E)           \
    ROTATION(Srot, float, float, float, I, E)                      \
    ROTATION(Drot, double, double, double, I, E)                   \
    ROTATION(Crot, cuComplex, float, cuComplex, I, E)              \
    ROTATION(Csrot, cuComplex, float, float, I, E)                 \
    ROTATION(Zrot, cuDoubleComplex, double, cuDoubleComplex, I, E) \
    ROTATION(Zdrot, cuDoubleComplex, double, double, I, E)
ALL(int, )
ALL(int64_t, _64)
