// cuBLAS: handles, copies and the three levels, in S, D, C and Z. The data are small integers, so
// that every sum is exact in every order; what a library may round is compared within bounds.
// Libs: -lcublas
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

// Any number of the four types, on the host.
struct Number
{
    double x, y;
};

static Number operator+(Number a, Number b)
{
    return {a.x + b.x, a.y + b.y};
}

static Number operator*(Number a, Number b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static Number operator-(Number a, Number b)
{
    return {a.x - b.x, a.y - b.y};
}

static Number conjugate(Number a)
{
    return {a.x, -a.y};
}

static void set(Number a, float *b)
{
    *b = (float)a.x;
}
static void set(Number a, double *b)
{
    *b = a.x;
}
static void set(Number a, cuComplex *b)
{
    *b = make_cuComplex((float)a.x, (float)a.y);
}
static void set(Number a, cuDoubleComplex *b)
{
    *b = make_cuDoubleComplex(a.x, a.y);
}
static Number get(float a)
{
    return {a, 0};
}
static Number get(double a)
{
    return {a, 0};
}
static Number get(cuComplex a)
{
    return {a.x, a.y};
}
static Number get(cuDoubleComplex a)
{
    return {a.x, a.y};
}

// The types by their letters, and the functions under one name for all of them.
template <typename T>
struct Type;
#define NAMES(X, LOWER, T, R, SUM, DOT_U, DOT_C, SCAL_R, GER_U, GER_C)      \
    template <>                                                             \
    struct Type<T>                                                          \
    {                                                                       \
        typedef R Real;                                                     \
        static const bool IS_COMPLEX = sizeof(T) > sizeof(R);               \
        static const char LETTER = #X[0];                                   \
        static constexpr auto axpy = cublas##X##axpy;                       \
        static constexpr auto scal = cublas##X##scal;                       \
        static constexpr auto scal_real = cublas##SCAL_R;                   \
        static constexpr auto copy = cublas##X##copy;                       \
        static constexpr auto swap = cublas##X##swap;                       \
        static constexpr auto nrm2 = cublas##SUM##nrm2;                     \
        static constexpr auto asum = cublas##SUM##asum;                     \
        static constexpr auto amax = cublasI##LOWER##amax;                  \
        static constexpr auto amin = cublasI##LOWER##amin;                  \
        static constexpr auto dotu = cublas##DOT_U;                         \
        static constexpr auto dotc = cublas##DOT_C;                         \
        static constexpr auto gemv = cublas##X##gemv;                       \
        static constexpr auto geru = cublas##GER_U;                         \
        static constexpr auto gerc = cublas##GER_C;                         \
        static constexpr auto gemm = cublas##X##gemm;                       \
        static constexpr auto gemm_64 = cublas##X##gemm_64;                 \
        static constexpr auto gemm_batched = cublas##X##gemmBatched;        \
        static constexpr auto gemm_strided = cublas##X##gemmStridedBatched; \
        static constexpr auto geam = cublas##X##geam;                       \
        static constexpr auto trsm = cublas##X##trsm;                       \
    };
NAMES(S, s, float, float, S, Sdot, Sdot, Sscal, Sger, Sger)
NAMES(D, d, double, double, D, Ddot, Ddot, Dscal, Dger, Dger)
NAMES(C, c, cuComplex, float, Sc, Cdotu, Cdotc, Csscal, Cgeru, Cgerc)
NAMES(Z, z, cuDoubleComplex, double, Dz, Zdotu, Zdotc, Zdscal, Zgeru, Zgerc)

static cublasHandle_t handle;
static cudaStream_t stream;

static bool ok(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
    {
        printf("  got %s\n", cublasGetStatusName(status));
    }
    return status == CUBLAS_STATUS_SUCCESS;
}

static bool ok(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        printf("  got %s\n", cudaGetErrorName(error));
    }
    return error == cudaSuccess;
}

// Whether a call was refused in this way.
static bool is_status(cublasStatus_t got, cublasStatus_t wanted)
{
    if (got != wanted)
    {
        printf("  got %s, wanted %s\n", cublasGetStatusName(got), cublasGetStatusName(wanted));
    }
    return got == wanted;
}

template <typename T>
static void say(const char *what, bool right)
{
    char line[100];
    snprintf(line, sizeof(line), "%c %s", Type<T>::LETTER, what);
    check(line, right);
}

static unsigned state = 1;

// An integer from -3 to 3.
static int next_integer()
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % 7) - 3;
}

// An array on the host and on the device.
template <typename T>
struct Array
{
    int size;
    T *host, *device;

    explicit Array(int n) : size(n), host((T *)malloc(n * sizeof(T))), device(NULL)
    {
        cudaMalloc(&device, n * sizeof(T));
        for (int i = 0; i < n; ++i)
        {
            const double x = next_integer(), y = next_integer();
            set({x, y}, &host[i]);
        }
        send();
    }
    Array(const Array &) = delete;
    ~Array()
    {
        cudaFree(device);
        free(host);
    }
    void send()
    {
        cudaMemcpy(device, host, size * sizeof(T), cudaMemcpyHostToDevice);
    }
    // What the device has, after all work.
    void fetch()
    {
        cudaDeviceSynchronize();
        cudaMemcpy(host, device, size * sizeof(T), cudaMemcpyDeviceToHost);
    }
    Number operator[](int i) const
    {
        return get(host[i]);
    }
    T *begin() const
    {
        return device;
    }
};

// What an array should hold.
struct Wanted
{
    int size;
    Number *numbers;

    template <typename T>
    explicit Wanted(const Array<T> &array)
        : size(array.size), numbers((Number *)malloc(array.size * sizeof(Number)))
    {
        for (int i = 0; i < size; ++i)
        {
            numbers[i] = array[i];
        }
    }
    Wanted(const Wanted &) = delete;
    ~Wanted()
    {
        free(numbers);
    }
    Number &operator[](int i)
    {
        return numbers[i];
    }
    template <typename T>
    bool equals(Array<T> &array)
    {
        array.fetch();
        int wrong = 0;
        for (int i = 0; i < size; ++i)
        {
            const Number is = array[i], should = numbers[i];
            const double imaginary = Type<T>::IS_COMPLEX ? should.y : 0;
            const bool equal = is.x == should.x && is.y == imaginary;
            if (!equal && wrong++ == 0)
            {
                printf("  element %d is %g %g, not %g %g\n", i, is.x, is.y, should.x, imaginary);
            }
        }
        return wrong == 0;
    }
};

template <typename T>
static T number(double x, double y = 0)
{
    T result;
    set({x, y}, &result);
    return result;
}

// Where element i of a vector of n lies.
static int place(int i, int n, int inc)
{
    return inc > 0 ? i * inc : (i - n + 1) * inc;
}

// --- handles and copies ------------------------------------------------------------------------

static void try_handles()
{
    cudaStream_t got = NULL;
    int version = 0, major = 0;
    bool right =
        ok(cublasSetStream(handle, stream)) && ok(cublasGetStream(handle, &got)) && got == stream;
    check("stream", right);
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
    right = ok(cublasGetPointerMode(handle, &mode)) && mode == CUBLAS_POINTER_MODE_HOST &&
            ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE)) &&
            ok(cublasGetPointerMode(handle, &mode)) && mode == CUBLAS_POINTER_MODE_DEVICE &&
            ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    check("pointer mode", right);
    cublasMath_t math = CUBLAS_PEDANTIC_MATH;
    right = ok(cublasGetMathMode(handle, &math)) && math == CUBLAS_DEFAULT_MATH &&
            ok(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH)) &&
            ok(cublasGetMathMode(handle, &math)) && math == CUBLAS_PEDANTIC_MATH &&
            ok(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
    check("math mode", right);
    right = ok(cublasGetVersion(handle, &version)) && version >= 120000 &&
            ok(cublasGetProperty(MAJOR_VERSION, &major)) && major == version / 10000;
    check("version", right);
    cublasHandle_t other = NULL;
    check("another handle",
          ok(cublasCreate(&other)) && other != handle && ok(cublasDestroy(other)));
    check("names of statuses", strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE),
                                      "CUBLAS_STATUS_INVALID_VALUE") == 0);
}

static void try_copies()
{
    int h_x[24], h_y[24], *d_x;
    cudaMalloc(&d_x, sizeof(h_x));
    const auto begin = [&]
    {
        for (int i = 0; i < 24; ++i)
        {
            h_x[i] = i;
            h_y[i] = -1;
        }
        cudaMemset(d_x, 0xff, sizeof(h_x));
    };
    begin();
    bool right = ok(cublasSetVector(8, sizeof(int), h_x, 3, d_x, 2)) &&
                 ok(cublasGetVector(4, sizeof(int), d_x, 4, h_y, 5));
    for (int i = 0; i < 24; ++i)
    {
        right = right && h_y[i] == (i % 5 == 0 && i < 20 ? i / 5 * 6 : -1);
    }
    check("vectors with increments", right);
    begin();
    right = ok(cublasSetMatrix(3, 4, sizeof(int), h_x, 5, d_x, 6)) &&
            ok(cublasGetMatrix(2, 4, sizeof(int), d_x, 6, h_y, 3));
    for (int i = 0; i < 12; ++i)
    {
        right = right && h_y[i] == (i % 3 < 2 ? i / 3 * 5 + i % 3 : -1);
    }
    check("matrices", right);
    begin();
    right = ok(cublasSetVectorAsync(20, sizeof(int), h_x, 1, d_x, 1, stream)) &&
            ok(cublasGetMatrixAsync(4, 5, sizeof(int), d_x, 4, h_y, 4, stream)) &&
            ok(cudaStreamSynchronize(stream)) && h_y[19] == 19 && h_y[20] == -1;
    check("copies in a stream", right);
    cudaFree(d_x);
}

// --- level 1 -----------------------------------------------------------------------------------

template <typename T>
static void try_level1(int n, int incx, int incy)
{
    typedef Type<T> X;
    typedef typename X::Real Real;
    const int size_x = n * abs(incx), size_y = n * abs(incy);
    const Number a = {2, X::IS_COMPLEX ? -1.0 : 0.0};
    const T alpha = number<T>(a.x, a.y);
    char name[80];
    bool right;
    {
        Array<T> x(size_x), y(size_y);
        Wanted wanted(y);
        for (int i = 0; i < n; ++i)
        {
            Number &to = wanted[place(i, n, incy)];
            to = a * x[place(i, n, incx)] + to;
        }
        right =
            ok(X::axpy(handle, n, &alpha, x.begin(), incx, y.begin(), incy)) && wanted.equals(y);
        snprintf(name, sizeof(name), "axpy, increments %d and %d", incx, incy);
        say<T>(name, right);
    }
    {
        Array<T> x(size_x), y(size_y);
        Wanted old_x(x), old_y(y), new_x(x), new_y(y);
        for (int i = 0; i < n; ++i)
        {
            new_y[place(i, n, incy)] = old_x[place(i, n, incx)];
            new_x[place(i, n, incx)] = old_y[place(i, n, incy)];
        }
        right = ok(X::swap(handle, n, x.begin(), incx, y.begin(), incy)) && new_x.equals(x) &&
                new_y.equals(y) && ok(X::copy(handle, n, y.begin(), incy, x.begin(), incx)) &&
                old_x.equals(x);
        say<T>("swap and copy", right);
    }
    {
        Array<T> x(size_x), y(size_y);
        Number dotu = {0, 0}, dotc = {0, 0};
        double sum = 0, squares = 0;
        for (int i = 0; i < n; ++i)
        {
            const Number p = x[place(i, n, incx)], q = y[place(i, n, incy)];
            dotu = dotu + p * q;
            dotc = dotc + conjugate(p) * q;
            sum += fabs(p.x) + fabs(p.y);
            squares += p.x * p.x + p.y * p.y;
        }
        T u, c;
        right = ok(X::dotu(handle, n, x.begin(), incx, y.begin(), incy, &u)) &&
                ok(X::dotc(handle, n, x.begin(), incx, y.begin(), incy, &c)) &&
                get(u).x == dotu.x && get(c).x == dotc.x && get(u).y == dotu.y * X::IS_COMPLEX &&
                get(c).y == dotc.y * X::IS_COMPLEX;
        say<T>("dot", right);
        if (incx > 0)
        {
            Real norm = -1, total = -1;
            right = ok(X::nrm2(handle, n, x.begin(), incx, &norm)) &&
                    ok(X::asum(handle, n, x.begin(), incx, &total)) &&
                    fabs(norm - sqrt(squares)) <= 1e-5 * sqrt(squares) && total == (Real)sum;
            say<T>("nrm2 and asum", right);
            set({-50, 0}, &x.host[place(n / 3, n, incx)]);
            set({0, 0}, &x.host[place(n / 2, n, incx)]);
            set({50, 0}, &x.host[place(n / 2 + 1, n, incx)]);
            for (int i = 0; i < n / 2; ++i) // no zero before the one at n / 2
            {
                const Number p = x[place(i, n, incx)];
                set(p.x == 0 && p.y == 0 ? Number{1, 0} : p, &x.host[place(i, n, incx)]);
            }
            x.send();
            Wanted wanted(x);
            int largest = -1, smallest = -1;
            right = ok(X::amax(handle, n, x.begin(), incx, &largest)) &&
                    ok(X::amin(handle, n, x.begin(), incx, &smallest)) && largest == n / 3 + 1 &&
                    smallest == n / 2 + 1;
            say<T>("amax and amin", right);
            const Real three = 3;
            for (int i = 0; i < n; ++i)
            {
                Number &to = wanted[place(i, n, incx)];
                to = Number{3, 0} * (a * to);
            }
            right = ok(X::scal(handle, n, &alpha, x.begin(), incx)) &&
                    ok(X::scal_real(handle, n, &three, x.begin(), incx)) && wanted.equals(x);
            say<T>("scal", right);
        }
    }
}

// Results at an address of the device, and alpha from there, in the order of the stream.
template <typename T>
static void try_device_scalars()
{
    typedef Type<T> X;
    const int N = 20000;
    Array<T> x(N), y(N), scalars(2);
    Wanted wanted(y);
    Number dot = {0, 0};
    for (int i = 0; i < N; ++i)
    {
        dot = dot + x[i] * x[i];
    }
    for (int i = 0; i < N; ++i)
    {
        wanted[i] = wanted[i] + dot * x[i];
    }
    bool right = ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE)) &&
                 ok(X::dotu(handle, N, x.begin(), 1, x.begin(), 1, scalars.begin())) &&
                 ok(X::axpy(handle, N, scalars.begin(), x.begin(), 1, y.begin(), 1)) &&
                 ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST)) && wanted.equals(y);
    say<T>("scalars on the device", right);
}

static void try_rotations()
{
    const int N = 50;
    Array<float> x(N), y(2 * N);
    Wanted new_x(x), new_y(y);
    const float c = 2, s = -3;
    for (int i = 0; i < N; ++i)
    {
        const Number p = x[i], q = y[2 * i];
        new_x[i] = Number{2, 0} * p + Number{-3, 0} * q;
        new_y[2 * i] = Number{2, 0} * q + Number{3, 0} * p;
    }
    check("S rot", ok(cublasSrot(handle, N, x.begin(), 1, y.begin(), 2, &c, &s)) &&
                       new_x.equals(x) && new_y.equals(y));
    Array<cuDoubleComplex> u(N), v(N);
    Wanted new_u(u), new_v(v);
    const double cosine = 2;
    const cuDoubleComplex sine = make_cuDoubleComplex(1, 3);
    for (int i = 0; i < N; ++i)
    {
        const Number p = u[i], q = v[i];
        new_u[i] = Number{2, 0} * p + Number{1, 3} * q;
        new_v[i] = Number{2, 0} * q - Number{1, -3} * p;
    }
    check("Z rot", ok(cublasZrot(handle, N, u.begin(), 1, v.begin(), 1, &cosine, &sine)) &&
                       new_u.equals(u) && new_v.equals(v));
}

// --- levels 2 and 3 ----------------------------------------------------------------------------

static const cublasOperation_t OPERATIONS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

// Element (i, j) of op(A).
template <typename T>
static Number element(cublasOperation_t op, const Array<T> &A, int ld, int i, int j, int offset = 0)
{
    const Number a = A[offset + (op == CUBLAS_OP_N ? i + j * ld : j + i * ld)];
    return op == CUBLAS_OP_C ? conjugate(a) : a;
}

template <typename T>
static void try_level2()
{
    typedef Type<T> X;
    const int M = 600, N = 70, LDA = 603, INCX = -2, INCY = 3;
    const Number a = {2, X::IS_COMPLEX ? 1.0 : 0.0}, b = {-1, X::IS_COMPLEX ? 2.0 : 0.0};
    const T alpha = number<T>(a.x, a.y), beta = number<T>(b.x, b.y), zero = number<T>(0);
    Array<T> A(LDA * N);
    for (const cublasOperation_t op : OPERATIONS)
    {
        const int size_x = op == CUBLAS_OP_N ? N : M, size_y = op == CUBLAS_OP_N ? M : N;
        Array<T> x(2 * size_x), y(3 * size_y);
        Wanted wanted(y), product(y);
        for (int i = 0; i < size_y; ++i)
        {
            Number sum = {0, 0};
            for (int j = 0; j < size_x; ++j)
            {
                sum = sum + element(op, A, LDA, i, j) * x[place(j, size_x, INCX)];
            }
            wanted[INCY * i] = a * sum + b * y[INCY * i];
            product[INCY * i] = a * sum;
        }
        bool right = ok(X::gemv(handle, op, M, N, &alpha, A.begin(), LDA, x.begin(), INCX, &beta,
                                y.begin(), INCY)) &&
                     wanted.equals(y);
        for (int i = 0; i < size_y; ++i)
        {
            set({NAN, NAN}, &y.host[INCY * i]);
        }
        y.send();
        right = right && ok(X::gemv(handle, op, M, N, &alpha, A.begin(), LDA, x.begin(), INCX,
                                    &zero, y.begin(), INCY));
        for (int i = 0; i < y.size; ++i)
        {
            product[i] = i % INCY == 0 ? product[i] : y[i];
        }
        right = right && product.equals(y);
        char name[80];
        snprintf(name, sizeof(name), "gemv %c", "NTC"[op]);
        say<T>(name, right);
    }
    for (const bool conjugates : {false, true})
    {
        Array<T> x(2 * M), y(3 * N);
        Wanted wanted(A);
        for (int i = 0; i < M * N; ++i)
        {
            const int row = i % M, column = i / M;
            const Number q = y[INCY * column];
            wanted[row + column * LDA] =
                wanted[row + column * LDA] +
                a * x[place(row, M, INCX)] * (conjugates ? conjugate(q) : q);
        }
        const auto ger = conjugates ? X::gerc : X::geru;
        const bool right =
            ok(ger(handle, M, N, &alpha, x.begin(), INCX, y.begin(), INCY, A.begin(), LDA)) &&
            wanted.equals(A);
        say<T>(conjugates ? "gerc" : "geru", right);
    }
}

// C = alpha op(A) op(B) + beta C of matrices that lie `offset` behind the beginning.
template <typename T>
static void multiply(cublasOperation_t op_A, cublasOperation_t op_B, int m, int n, int k, Number a,
                     const Array<T> &A, int lda, const Array<T> &B, int ldb, Number b,
                     Wanted *wanted, int ldc, int offset_A = 0, int offset_B = 0, int offset_C = 0)
{
    for (int j = 0; j < n; ++j)
    {
        for (int i = 0; i < m; ++i)
        {
            Number sum = {0, 0};
            for (int l = 0; l < k; ++l)
            {
                sum = sum +
                      element(op_A, A, lda, i, l, offset_A) * element(op_B, B, ldb, l, j, offset_B);
            }
            Number &c = (*wanted)[offset_C + i + j * ldc];
            c = b.x == 0 && b.y == 0 ? a * sum : a * sum + b * c;
        }
    }
}

template <typename T>
static void try_gemm()
{
    typedef Type<T> X;
    const int M = 67, N = 70, K = 145, LDC = 71;
    const Number a = {2, X::IS_COMPLEX ? 1.0 : 0.0}, b = {-1, X::IS_COMPLEX ? 2.0 : 0.0};
    const T alpha = number<T>(a.x, a.y), beta = number<T>(b.x, b.y), zero = number<T>(0);
    for (const cublasOperation_t op_A : OPERATIONS)
    {
        for (const cublasOperation_t op_B : OPERATIONS)
        {
            const int lda = (op_A == CUBLAS_OP_N ? M : K) + 3;
            const int ldb = (op_B == CUBLAS_OP_N ? K : N) + 1;
            Array<T> A(lda * 145), B(ldb * 145), C(LDC * N);
            Wanted wanted(C);
            multiply(op_A, op_B, M, N, K, a, A, lda, B, ldb, b, &wanted, LDC);
            const bool right = ok(X::gemm(handle, op_A, op_B, M, N, K, &alpha, A.begin(), lda,
                                          B.begin(), ldb, &beta, C.begin(), LDC)) &&
                               wanted.equals(C);
            char name[80];
            snprintf(name, sizeof(name), "gemm %c%c", "NTC"[op_A], "NTC"[op_B]);
            say<T>(name, right);
        }
    }
    Array<T> A(300), B(300), C(300), scalars(2);
    Wanted product(C);
    multiply(CUBLAS_OP_N, CUBLAS_OP_T, 5, 7, 3, a, A, 5, B, 7, {0, 0}, &product, 5);
    for (int i = 0; i < 35; ++i)
    {
        set({NAN, NAN}, &C.host[i]);
    }
    C.send();
    bool right = ok(X::gemm_64(handle, CUBLAS_OP_N, CUBLAS_OP_T, 5, 7, 3, &alpha, A.begin(), 5,
                               B.begin(), 7, &zero, C.begin(), 5)) &&
                 product.equals(C);
    say<T>("beta = 0 does not read C", right);
    scalars.host[0] = alpha;
    scalars.host[1] = beta;
    scalars.send();
    multiply(CUBLAS_OP_T, CUBLAS_OP_N, 5, 7, 3, a, A, 4, B, 3, b, &product, 5);
    right = ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE)) &&
            ok(X::gemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 5, 7, 3, scalars.begin(), A.begin(), 4,
                       B.begin(), 3, scalars.begin() + 1, C.begin(), 5)) &&
            ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST)) && product.equals(C);
    say<T>("gemm with scalars on the device", right);
}

template <typename T>
static void try_batches()
{
    typedef Type<T> X;
    const int COUNT = 6, M = 4, N = 5, K = 3, STRIDE = 23;
    const Number a = {-2, X::IS_COMPLEX ? 1.0 : 0.0}, b = {3, 0};
    const T alpha = number<T>(a.x, a.y), beta = number<T>(b.x, b.y);
    Array<T> A(COUNT * STRIDE), B(COUNT * STRIDE), C(COUNT * STRIDE);
    Wanted wanted(C);
    for (int i = 0; i < COUNT; ++i)
    {
        multiply(CUBLAS_OP_C, CUBLAS_OP_N, M, N, K, a, A, 3, B, 4, b, &wanted, 4, i * STRIDE,
                 i * STRIDE, i * STRIDE);
    }
    bool right =
        ok(X::gemm_strided(handle, CUBLAS_OP_C, CUBLAS_OP_N, M, N, K, &alpha, A.begin(), 3, STRIDE,
                           B.begin(), 4, STRIDE, &beta, C.begin(), 4, STRIDE, COUNT)) &&
        wanted.equals(C);
    say<T>("gemmStridedBatched", right);
    for (int i = 0; i < COUNT; ++i) // one B for all, and the products in the opposite order
    {
        multiply(CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, a, A, 4, B, 5, b, &wanted, 4, i * STRIDE, 0,
                 (COUNT - 1 - i) * STRIDE);
    }
    T *pointers[3][COUNT], **d_pointers;
    for (int i = 0; i < COUNT; ++i)
    {
        pointers[0][i] = A.begin() + i * STRIDE;
        pointers[1][i] = B.begin();
        pointers[2][i] = C.begin() + (COUNT - 1 - i) * STRIDE;
    }
    cudaMalloc(&d_pointers, sizeof(pointers));
    cudaMemcpy(d_pointers, pointers, sizeof(pointers), cudaMemcpyHostToDevice);
    right = ok(X::gemm_batched(handle, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &alpha, d_pointers, 4,
                               d_pointers + COUNT, 5, &beta, d_pointers + 2 * COUNT, 4, COUNT)) &&
            wanted.equals(C);
    say<T>("gemmBatched", right);
    cudaFree(d_pointers);
}

template <typename T>
static void try_geam()
{
    typedef Type<T> X;
    const int M = 40, N = 35, LDC = 42;
    const Number a = {2, X::IS_COMPLEX ? 1.0 : 0.0}, b = {-1, X::IS_COMPLEX ? 2.0 : 0.0};
    const T alpha = number<T>(a.x, a.y), beta = number<T>(b.x, b.y);
    bool right = true;
    for (const cublasOperation_t op_A : OPERATIONS)
    {
        for (const cublasOperation_t op_B : OPERATIONS)
        {
            const int lda = (op_A == CUBLAS_OP_N ? M : N) + 1;
            const int ldb = (op_B == CUBLAS_OP_N ? M : N) + 2;
            Array<T> A(lda * 40), B(ldb * 40), C(LDC * N);
            Wanted wanted(C);
            for (int i = 0; i < M * N; ++i)
            {
                wanted[i % M + i / M * LDC] = a * element(op_A, A, lda, i % M, i / M) +
                                              b * element(op_B, B, ldb, i % M, i / M);
            }
            right = right &&
                    ok(X::geam(handle, op_A, op_B, M, N, &alpha, A.begin(), lda, &beta, B.begin(),
                               ldb, C.begin(), LDC)) &&
                    wanted.equals(C);
        }
    }
    say<T>("geam", right);
}

// What op(A) X, or X op(A), is off from alpha B, relative to the numbers' size.
template <typename T>
static void try_trsm()
{
    typedef Type<T> X;
    const int M = 75, N = 83;
    const Number a = {2, X::IS_COMPLEX ? 1.0 : 0.0};
    const T alpha = number<T>(a.x, a.y);
    int right = 0, tried = 0;
    for (int i = 0; i < 24; ++i)
    {
        const cublasOperation_t op = OPERATIONS[i % 3];
        const bool left = i / 3 % 2 == 0, upper = i / 6 % 2 == 0, unit = i / 12 % 2 == 0;
        const int size = left ? M : N, lda = size + 2, ldb = M + 3;
        Array<T> A(lda * size), B(ldb * N);
        // The diagonal outweighs the rest. The other triangle must not be read.
        for (int j = 0; j < size; ++j)
        {
            for (int r = 0; r < size; ++r)
            {
                const Number old = A[r + j * lda];
                const Number small = {old.x / 256, old.y / 256};
                const bool is_other = upper ? r > j : r < j;
                set(is_other || (r == j && unit) ? Number{99, 99}
                    : r == j                     ? Number{2, 1}
                                                 : small,
                    &A.host[r + j * lda]);
            }
        }
        A.send();
        Wanted old_B(B);
        bool fine = ok(X::trsm(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                               upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, op,
                               unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, M, N, &alpha,
                               A.begin(), lda, B.begin(), ldb));
        B.fetch();
        const bool op_is_upper = upper == (op == CUBLAS_OP_N);
        double largest = 0;
        for (int j = 0; j < N; ++j)
        {
            for (int r = 0; r < M; ++r)
            {
                Number sum = {0, 0};
                for (int l = 0; l < size; ++l)
                {
                    const int row = left ? r : l, column = left ? l : j;
                    if (op_is_upper ? row <= column : row >= column)
                    {
                        const Number t =
                            row == column && unit ? Number{1, 0} : element(op, A, lda, row, column);
                        sum = sum + t * (left ? B[l + j * ldb] : B[r + l * ldb]);
                    }
                }
                Number wanted = a * old_B[r + j * ldb];
                wanted.y *= X::IS_COMPLEX;
                const double error = fabs(sum.x - wanted.x) + fabs(sum.y - wanted.y);
                largest = error <= largest ? largest : error;
            }
        }
        fine = fine && largest <= (sizeof(typename X::Real) == 4 ? 1e-4 : 1e-12);
        for (int i = 0; i < B.size; ++i) // between the columns
        {
            fine = fine && (i % ldb < M || (B[i].x == old_B[i].x));
        }
        right += fine;
        ++tried;
    }
    say<T>("trsm, 24 ways", right == tried);
}

template <typename T>
static void try_all()
{
    try_level1<T>(1000, 1, 1);
    try_level1<T>(1000, 2, 3);
    try_level1<T>(1000, -1, 2);
    try_level1<T>(70001, 1, -1);
    try_device_scalars<T>();
    try_level2<T>();
    try_gemm<T>();
    try_batches<T>();
    try_geam<T>();
    try_trsm<T>();
}

static void try_gemm_ex()
{
    Array<double> A(100), B(100), C(100);
    Wanted wanted(C);
    const double alpha = 3, beta = -1;
    multiply(CUBLAS_OP_N, CUBLAS_OP_N, 10, 9, 8, {3, 0}, A, 10, B, 8, {-1, 0}, &wanted, 10);
    check("GemmEx in double",
          ok(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 10, 9, 8, &alpha, A.begin(), CUDA_R_64F,
                          10, B.begin(), CUDA_R_64F, 8, &beta, C.begin(), CUDA_R_64F, 10,
                          CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT)) &&
              wanted.equals(C));
}

// Captured into a graph and launched three times.
static void try_capture()
{
    Array<float> A(100), B(100), C(100);
    Wanted wanted(C);
    const float alpha = 1, beta = 1;
    for (int i = 0; i < 3; ++i)
    {
        multiply(CUBLAS_OP_N, CUBLAS_OP_N, 10, 10, 10, {1, 0}, A, 10, B, 10, {1, 0}, &wanted, 10);
    }
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    bool right = ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)) &&
                 ok(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 10, 10, 10, &alpha, A.begin(), 10,
                                B.begin(), 10, &beta, C.begin(), 10)) &&
                 ok(cudaStreamEndCapture(stream, &graph)) &&
                 ok(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; ++i)
    {
        right = right && ok(cudaGraphLaunch(exec, stream));
    }
    right =
        right && wanted.equals(C) && ok(cudaGraphExecDestroy(exec)) && ok(cudaGraphDestroy(graph));
    check("gemm in a graph", right);
}

static void try_refusals()
{
    const cublasStatus_t INVALID = CUBLAS_STATUS_INVALID_VALUE;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    Array<float> A(100);
    float *a = A.begin();
    const float one = 1;
    const auto gemm = [&](cublasHandle_t h, cublasOperation_t op, int m, int n, int k, int lda,
                          int ldb, int ldc, const float *alpha)
    {
        return cublasSgemm(h, op, N, m, n, k, alpha, a, lda, a, ldb, &one, a, ldc);
    };
    bool right = is_status(gemm(NULL, N, 2, 2, 2, 2, 2, 2, &one), CUBLAS_STATUS_NOT_INITIALIZED);
    check("no handle", right);
    check("a negative size", is_status(gemm(handle, N, -1, 2, 2, 2, 2, 2, &one), INVALID));
    check("lda too small", is_status(gemm(handle, N, 3, 2, 2, 2, 2, 3, &one), INVALID));
    check("lda is that of A as it lies",
          is_status(gemm(handle, T, 2, 2, 3, 2, 3, 2, &one), INVALID) &&
              ok(gemm(handle, T, 2, 2, 3, 3, 3, 2, &one)));
    check("ldb too small", is_status(gemm(handle, N, 2, 2, 3, 2, 2, 2, &one), INVALID));
    check("ldc too small", is_status(gemm(handle, N, 3, 2, 2, 3, 2, 2, &one), INVALID));
    check("no alpha", is_status(gemm(handle, N, 2, 2, 2, 2, 2, 2, NULL), INVALID));
    Array<float> y(4);
    const float x_0 = A.host[50], y_0 = y.host[0] + (A.host[0] + A.host[2]) * x_0,
                y_1 = y.host[1] + (A.host[1] + A.host[3]) * x_0;
    check("gemv, x with an increment of 0",
          ok(cublasSgemv(handle, N, 2, 2, &one, a, 2, a + 50, 0, &one, y.begin(), 1)));
    y.fetch();
    check("that is one number again and again", y.host[0] == y_0 && y.host[1] == y_1);
    check("gemv, y with an increment of 0",
          ok(cublasSgemv(handle, N, 2, 2, &one, a, 2, a, 1, &one, y.begin(), 0)));
    check("ger, x with an increment of 0",
          is_status(cublasSger(handle, 2, 2, &one, a, 0, a, 1, y.begin(), 2), INVALID));
    check("an increment of 0 in a copy", is_status(cublasSetVector(2, 4, &one, 0, a, 1), INVALID));
    check("nothing to do", ok(gemm(handle, N, 0, 2, 2, 2, 2, 2, &one)) &&
                               ok(cublasSaxpy(handle, 0, &one, a, 1, a, 1)));
}

int main()
{
    if (!ok(cublasCreate(&handle)) || !ok(cudaStreamCreate(&stream)))
    {
        return 1;
    }
    try_handles();
    try_copies();
    try_rotations();
    try_all<float>();
    try_all<double>();
    try_all<cuComplex>();
    try_all<cuDoubleComplex>();
    try_gemm_ex();
    try_capture();
    try_refusals();
    check("the end", ok(cublasDestroy(handle)) && ok(cudaStreamDestroy(stream)));
    return num_wrong != 0;
}
