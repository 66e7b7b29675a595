// cuSOLVER's dense part: eigenvalues and vectors, LU, Cholesky and QR, in all four types. What they
// give is checked by multiplying it out in double, within bounds; infos and statuses are exact.
// Libs: -lcusolver
#include <cusolverDn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vector>
#include "expect.cuh"

static cusolverDnHandle_t handle;
static syevjInfo_t jacobi;
static int *d_info; // four of them

// ---- Numbers ----

struct Value // any of the four types, in double
{
    double x, y;
};

static Value value(double x, double y = 0.0)
{
    Value v = {x, y};
    return v;
}

static Value operator+(Value a, Value b)
{
    return value(a.x + b.x, a.y + b.y);
}

static Value operator-(Value a, Value b)
{
    return value(a.x - b.x, a.y - b.y);
}

static Value operator*(Value a, Value b)
{
    return value(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static Value conj(Value a)
{
    return value(a.x, -a.y);
}

static Value get(float a)
{
    return value(a);
}

static Value get(double a)
{
    return value(a);
}

static Value get(cuComplex a)
{
    return value(a.x, a.y);
}

static Value get(cuDoubleComplex a)
{
    return value(a.x, a.y);
}

static void put(float *to, Value a)
{
    *to = (float)a.x;
}

static void put(double *to, Value a)
{
    *to = a.x;
}

static void put(cuComplex *to, Value a)
{
    *to = make_cuComplex((float)a.x, (float)a.y);
}

static void put(cuDoubleComplex *to, Value a)
{
    *to = make_cuDoubleComplex(a.x, a.y);
}

// ---- The functions of each type, under one name ----

template <class T>
struct Of;

#define FUNCTIONS(X, T, R, sy, orm, org, letters, complex, epsilon)                        \
    template <>                                                                            \
    struct Of<T>                                                                           \
    {                                                                                      \
        typedef R Real;                                                                    \
        static const char *name()                                                          \
        {                                                                                  \
            return letters;                                                                \
        }                                                                                  \
        static const bool is_complex = complex;                                            \
        static double eps()                                                                \
        {                                                                                  \
            return epsilon;                                                                \
        }                                                                                  \
        static constexpr auto evd_size = cusolverDn##X##sy##evd_bufferSize;                \
        static constexpr auto evd = cusolverDn##X##sy##evd;                                \
        static constexpr auto evdx_size = cusolverDn##X##sy##evdx_bufferSize;              \
        static constexpr auto evdx = cusolverDn##X##sy##evdx;                              \
        static constexpr auto evj_size = cusolverDn##X##sy##evj_bufferSize;                \
        static constexpr auto evj = cusolverDn##X##sy##evj;                                \
        static constexpr auto evj_batched_size = cusolverDn##X##sy##evjBatched_bufferSize; \
        static constexpr auto evj_batched = cusolverDn##X##sy##evjBatched;                 \
        static constexpr auto gvd_size = cusolverDn##X##sy##gvd_bufferSize;                \
        static constexpr auto gvd = cusolverDn##X##sy##gvd;                                \
        static constexpr auto gvj_size = cusolverDn##X##sy##gvj_bufferSize;                \
        static constexpr auto gvj = cusolverDn##X##sy##gvj;                                \
        static constexpr auto getrf_size = cusolverDn##X##getrf_bufferSize;                \
        static constexpr auto getrf = cusolverDn##X##getrf;                                \
        static constexpr auto getrs = cusolverDn##X##getrs;                                \
        static constexpr auto potrf_size = cusolverDn##X##potrf_bufferSize;                \
        static constexpr auto potrf = cusolverDn##X##potrf;                                \
        static constexpr auto potrs = cusolverDn##X##potrs;                                \
        static constexpr auto geqrf_size = cusolverDn##X##geqrf_bufferSize;                \
        static constexpr auto geqrf = cusolverDn##X##geqrf;                                \
        static constexpr auto ormqr_size = cusolverDn##X##orm##qr_bufferSize;              \
        static constexpr auto ormqr = cusolverDn##X##orm##qr;                              \
        static constexpr auto orgqr_size = cusolverDn##X##org##qr_bufferSize;              \
        static constexpr auto orgqr = cusolverDn##X##org##qr;                              \
    };
FUNCTIONS(S, float, float, sy, orm, org, "float", false, 1.1920929e-7)
FUNCTIONS(D, double, double, sy, orm, org, "double", false, 2.220446e-16)
FUNCTIONS(C, cuComplex, float, he, unm, ung, "complex float", true, 1.1920929e-7)
FUNCTIONS(Z, cuDoubleComplex, double, he, unm, ung, "complex double", true, 2.220446e-16)

static unsigned int random_state = 1;

static double random_number() // -1 to 1, exact in float
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) / 8388608.0 - 1.0;
}

// ---- Matrices ----

struct Matrix // column order, no gaps
{
    int m, n;
    std::vector<Value> a;

    Matrix(int rows, int columns) : m(rows), n(columns), a((size_t)rows * columns)
    {
    }
    Value &at(int i, int j)
    {
        return a[(size_t)j * m + i];
    }
    const Value &at(int i, int j) const
    {
        return a[(size_t)j * m + i];
    }
};

template <class T>
static Matrix random_matrix(int m, int n)
{
    Matrix A(m, n);
    for (Value &a : A.a)
    {
        const double x = random_number(), y = random_number();
        a = value(x, Of<T>::is_complex ? y : 0.0);
    }
    return A;
}

template <class T>
static Matrix random_hermitian(int n, double diagonal = 0.0)
{
    Matrix A = random_matrix<T>(n, n);
    for (int j = 0; j < n; ++j)
    {
        for (int i = 0; i < j; ++i)
        {
            A.at(i, j) = conj(A.at(j, i));
        }
        A.at(j, j) = value(A.at(j, j).x + diagonal);
    }
    return A;
}

static Matrix transpose(const Matrix &A, bool conjugates)
{
    Matrix B(A.n, A.m);
    for (int j = 0; j < A.n; ++j)
    {
        for (int i = 0; i < A.m; ++i)
        {
            B.at(j, i) = conjugates ? conj(A.at(i, j)) : A.at(i, j);
        }
    }
    return B;
}

static Matrix product(const Matrix &A, const Matrix &B)
{
    Matrix C(A.m, B.n);
    for (int j = 0; j < B.n; ++j)
    {
        for (int k = 0; k < A.n; ++k)
        {
            const Value b = B.at(k, j);
            const Value *from = &A.a[(size_t)k * A.m];
            Value *to = &C.a[(size_t)j * A.m];
            for (int i = 0; i < A.m; ++i)
            {
                to[i] = to[i] + from[i] * b;
            }
        }
    }
    return C;
}

static double norm(const Matrix &A)
{
    double sum = 0.0;
    for (const Value &a : A.a)
    {
        sum += a.x * a.x + a.y * a.y;
    }
    return sqrt(sum);
}

static double distance(const Matrix &A, const Matrix &B)
{
    double sum = 0.0;
    for (size_t i = 0; i < A.a.size(); ++i)
    {
        const Value d = A.a[i] - B.a[i];
        sum += d.x * d.x + d.y * d.y;
    }
    return sqrt(sum);
}

static Matrix unit(int n)
{
    Matrix I(n, n);
    for (int i = 0; i < n; ++i)
    {
        I.at(i, i) = value(1.0);
    }
    return I;
}

// Columns first to last - 1.
static Matrix part(const Matrix &A, int first, int last)
{
    Matrix B(A.m, last - first);
    for (int j = first; j < last; ++j)
    {
        for (int i = 0; i < A.m; ++i)
        {
            B.at(i, j - first) = A.at(i, j);
        }
    }
    return B;
}

// Which part of a matrix the device gets. The rest is filled with another number.
enum Half
{
    ALL,
    LOWER,
    UPPER
};

template <class T>
struct OnDevice
{
    T *at = NULL;
    int ld;

    OnDevice(const Matrix &A, int gap = 0, Half half = ALL) : ld(A.m + gap)
    {
        std::vector<T> host((size_t)ld * A.n + 1);
        for (T &number : host)
        {
            put(&number, value(77.0, 55.0));
        }
        for (int j = 0; j < A.n; ++j)
        {
            for (int i = 0; i < A.m; ++i)
            {
                if (half == ALL || (half == LOWER ? i >= j : i <= j))
                {
                    put(&host[(size_t)j * ld + i], A.at(i, j));
                }
            }
        }
        cudaMalloc(&at, host.size() * sizeof(T));
        cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    OnDevice(size_t count) : ld(1) // numbers without a meaning yet
    {
        cudaMalloc(&at, (count + 1) * sizeof(T));
        cudaMemset(at, 0x7f, (count + 1) * sizeof(T));
    }
    OnDevice(const OnDevice &) = delete;
    ~OnDevice()
    {
        cudaFree(at);
    }
    Matrix read(int m, int n) const
    {
        std::vector<T> host((size_t)ld * n + 1);
        cudaMemcpy(host.data(), at, (size_t)ld * n * sizeof(T), cudaMemcpyDeviceToHost);
        Matrix A(m, n);
        for (int j = 0; j < n; ++j)
        {
            for (int i = 0; i < m; ++i)
            {
                A.at(i, j) = get(host[(size_t)j * ld + i]);
            }
        }
        return A;
    }
};

template <class R>
static std::vector<double> read_values(const R *d, int n)
{
    std::vector<R> host(n + 1);
    cudaMemcpy(host.data(), d, n * sizeof(R), cudaMemcpyDeviceToHost);
    return std::vector<double>(host.begin(), host.begin() + n);
}

static int info_of(int which = 0)
{
    int info = -99;
    cudaMemcpy(&info, d_info + which, sizeof(int), cudaMemcpyDeviceToHost);
    return info;
}

static bool ok(cusolverStatus_t status)
{
    if (status != CUSOLVER_STATUS_SUCCESS)
    {
        printf("  got status %d\n", (int)status);
    }
    return status == CUSOLVER_STATUS_SUCCESS;
}

static bool is(cusolverStatus_t status, cusolverStatus_t wanted)
{
    if (status != wanted)
    {
        printf("  got status %d, wanted %d\n", (int)status, (int)wanted);
    }
    return status == wanted;
}

// ---- Eigenvalues ----

static bool ascends(const std::vector<double> &w)
{
    for (size_t i = 1; i < w.size(); ++i)
    {
        if (!(w[i - 1] <= w[i]))
        {
            return false;
        }
    }
    return true;
}

// A V = V w and V^H V = 1.
static bool are_pairs(const Matrix &A, const Matrix &V, const std::vector<double> &w, double eps)
{
    Matrix left = product(A, V), right = V;
    for (int j = 0; j < V.n; ++j)
    {
        for (int i = 0; i < V.m; ++i)
        {
            right.at(i, j) = value(w[j]) * V.at(i, j);
        }
    }
    const double bound = 100.0 * A.n * eps;
    const double residual = distance(left, right) / norm(A);
    const double orthogonality = distance(product(transpose(V, true), V), unit(V.n));
    const bool right_all = residual <= bound && orthogonality <= bound && ascends(w);
    if (!right_all)
    {
        printf("  n = %d: residual %g, orthogonality %g n eps\n", A.n, residual / A.n / eps,
               orthogonality / A.n / eps);
    }
    return right_all;
}

static bool are_equal(const std::vector<double> &a, const std::vector<double> &b, double bound)
{
    for (size_t i = 0; i < a.size(); ++i)
    {
        if (!(fabs(a[i] - b[i]) <= bound))
        {
            return false;
        }
    }
    return a.size() == b.size();
}

template <class T>
static void try_standard()
{
    typedef Of<T> F;
    typedef typename F::Real R;
    bool by_d = true, by_j = true, values = true, swept = true;
    for (const int n : {1, 2, 3, 10, 33, 64, 65, 100})
    {
        for (const bool lower : {false, true})
        {
            const Matrix A = random_hermitian<T>(n);
            const cublasFillMode_t uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
            const int gap = lower ? 3 : 0;
            OnDevice<R> W(n), W2(n);
            int lwork = 0;
            {
                OnDevice<T> a(A, gap, lower ? LOWER : UPPER);
                by_d = by_d && ok(F::evd_size(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, a.ld,
                                              W.at, &lwork));
                OnDevice<T> work(lwork);
                by_d = by_d && ok(F::evd(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, a.ld,
                                         W.at, work.at, lwork, d_info));
                by_d = by_d && info_of() == 0 &&
                       are_pairs(A, a.read(n, n), read_values(W.at, n), F::eps());
            }
            {
                OnDevice<T> a(A, gap, lower ? LOWER : UPPER);
                values = values && ok(F::evd_size(handle, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, a.at,
                                                  a.ld, W2.at, &lwork));
                OnDevice<T> work(lwork);
                values = values && ok(F::evd(handle, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, a.at,
                                             a.ld, W2.at, work.at, lwork, d_info));
                values = values && info_of() == 0 &&
                         are_equal(read_values(W.at, n), read_values(W2.at, n),
                                   100.0 * n * F::eps() * norm(A));
            }
            {
                OnDevice<T> a(A, gap, lower ? LOWER : UPPER);
                by_j = by_j && ok(F::evj_size(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, a.ld,
                                              W2.at, &lwork, jacobi));
                OnDevice<T> work(lwork);
                by_j = by_j && ok(F::evj(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, a.ld,
                                         W2.at, work.at, lwork, d_info, jacobi));
                by_j = by_j && info_of() == 0 &&
                       are_pairs(A, a.read(n, n), read_values(W2.at, n), F::eps());
                int sweeps = -1;
                double residual = -1.0;
                swept = swept && ok(cusolverDnXsyevjGetSweeps(handle, jacobi, &sweeps)) &&
                        ok(cusolverDnXsyevjGetResidual(handle, jacobi, &residual)) && sweeps >= 0 &&
                        sweeps <= 100 && (n < 3 || sweeps > 0) && residual >= 0.0 &&
                        residual <= 100.0 * n * F::eps() * norm(A);
            }
        }
    }
    printf("%s\n", F::name());
    check("  evd, with vectors", by_d);
    check("  evd, without", values);
    check("  evj", by_j);
    check("  sweeps and residual", swept);
}

// Vectors of length n: a few columns of a larger problem are enough.
template <class T>
static void try_large()
{
    typedef Of<T> F;
    const int n = 512;
    const Matrix A = random_hermitian<T>(n);
    OnDevice<T> a(A, 0, LOWER);
    OnDevice<typename F::Real> W(n);
    int lwork = 0;
    bool right = ok(F::evd_size(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a.at,
                                n, W.at, &lwork));
    OnDevice<T> work(lwork);
    right = right && ok(F::evd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a.at, n,
                               W.at, work.at, lwork, d_info));
    const std::vector<double> w = read_values(W.at, n);
    const std::vector<double> few(w.begin() + 250, w.begin() + 262);
    right = right && info_of() == 0 && ascends(w) &&
            are_pairs(A, part(a.read(n, n), 250, 262), few, F::eps());
    check("  evd, 512 x 512", right);
}

template <class T>
static void try_special()
{
    typedef Of<T> F;
    typedef typename F::Real R;
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
    const int n = 20;
    int lwork = 0, lwork_j = 0;
    OnDevice<R> W(n);
    OnDevice<T> room(1);
    F::evd_size(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, room.at, n, W.at, &lwork);
    F::evj_size(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, room.at, n, W.at, &lwork_j, jacobi);
    OnDevice<T> work(lwork > lwork_j ? lwork : lwork_j);

    // The unit matrix, zeros, a matrix of rank 1, and tiny and huge numbers.
    bool right = true;
    for (int kind = 0; kind < 5; ++kind)
    {
        Matrix A = kind == 0 ? unit(n) : Matrix(n, n);
        const double size = kind == 3 ? 0x1p-30 : kind == 4 ? 0x1p30 : 1.0;
        if (kind >= 2)
        {
            A = random_hermitian<T>(n);
        }
        if (kind == 2)
        {
            const Matrix v = random_matrix<T>(n, 1);
            A = product(v, transpose(v, true));
        }
        for (Value &number : A.a)
        {
            T rounded;
            put(&rounded, value(size) * number);
            number = get(rounded);
        }
        for (int i = 0; i < n; ++i)
        {
            A.at(i, i).y = 0.0;
        }
        for (const bool by_jacobi : {false, true})
        {
            OnDevice<T> a(A, 0, LOWER);
            right = right &&
                    ok(by_jacobi ? F::evj(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, n, W.at,
                                          work.at, lwork_j, d_info, jacobi)
                                 : F::evd(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, n, W.at,
                                          work.at, lwork, d_info)) &&
                    info_of() == 0;
            const std::vector<double> w = read_values(W.at, n);
            if (kind == 1)
            {
                right = right && w[0] == 0.0 && w[n - 1] == 0.0;
            }
            else
            {
                right = right && are_pairs(A, a.read(n, n), w, F::eps());
            }
        }
    }
    check("  unit, zero, rank 1, tiny, huge", right);

    // One sweep is too few.
    OnDevice<T> a(random_hermitian<T>(n), 0, LOWER);
    cusolverDnXsyevjSetMaxSweeps(jacobi, 1);
    right = ok(F::evj(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, n, W.at, work.at, lwork_j,
                      d_info, jacobi)) &&
            info_of() == n + 1;
    cusolverDnXsyevjSetMaxSweeps(jacobi, 100);
    check("  evj with one sweep: info is n + 1", right);
}

template <class T>
static void try_range()
{
    typedef Of<T> F;
    typedef typename F::Real R;
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
    const int n = 40;
    const Matrix A = random_hermitian<T>(n);
    OnDevice<R> W(n), W_all(n);
    int lwork = 0, count = -1;
    OnDevice<T> all(A, 0, LOWER);
    bool right =
        ok(F::evd_size(handle, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, all.at, n, W_all.at, &lwork));
    OnDevice<T> work(lwork);
    right = right && ok(F::evd(handle, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, all.at, n, W_all.at,
                               work.at, lwork, d_info));
    const std::vector<double> w = read_values(W_all.at, n);
    const R below = (R)(0.5 * (w[9] + w[10])), above = (R)(0.5 * (w[29] + w[30]));
    for (const bool by_values : {false, true})
    {
        const cusolverEigRange_t range = by_values ? CUSOLVER_EIG_RANGE_V : CUSOLVER_EIG_RANGE_I;
        OnDevice<T> a(A, 0, LOWER);
        right = right && ok(F::evdx_size(handle, CUSOLVER_EIG_MODE_VECTOR, range, uplo, n, a.at, n,
                                         below, above, 11, 30, &count, W.at, &lwork));
        OnDevice<T> more(lwork);
        right = right && ok(F::evdx(handle, CUSOLVER_EIG_MODE_VECTOR, range, uplo, n, a.at, n,
                                    below, above, 11, 30, &count, W.at, more.at, lwork, d_info));
        cudaDeviceSynchronize();
        right = right && info_of() == 0 && count == 20;
        const std::vector<double> some = read_values(W.at, 20);
        right = right && are_equal(some, std::vector<double>(w.begin() + 10, w.begin() + 30),
                                   100.0 * n * F::eps() * norm(A));
        right = right && are_pairs(A, a.read(n, 20), some, F::eps());
    }
    check("  evdx", right);
}

template <class T>
static void try_batch()
{
    typedef Of<T> F;
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_UPPER;
    const int n = 9, count = 5;
    Matrix all(n, n * count);
    std::vector<Matrix> matrices;
    for (int k = 0; k < count; ++k)
    {
        matrices.push_back(random_hermitian<T>(n));
        std::copy(matrices[k].a.begin(), matrices[k].a.end(), all.a.begin() + k * n * n);
    }
    OnDevice<T> a(all);
    OnDevice<typename F::Real> W(n * count);
    OnDevice<int> infos(count);
    int lwork = 0, sweeps = 0;
    syevjInfo_t params = NULL;
    bool right = ok(cusolverDnCreateSyevjInfo(&params)) &&
                 ok(F::evj_batched_size(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, n, W.at,
                                        &lwork, params, count));
    OnDevice<T> work(lwork);
    right = right && ok(F::evj_batched(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at, n, W.at,
                                       work.at, lwork, infos.at, params, count));
    const Matrix V = a.read(n, n * count);
    const std::vector<double> w = read_values(W.at, n * count), info = read_values(infos.at, count);
    for (int k = 0; k < count; ++k)
    {
        const std::vector<double> mine(w.begin() + k * n, w.begin() + k * n + n);
        right = right && info[k] == 0.0 &&
                are_pairs(matrices[k], part(V, k * n, k * n + n), mine, F::eps());
    }
    right = right &&
            is(cusolverDnXsyevjGetSweeps(handle, params, &sweeps), CUSOLVER_STATUS_NOT_SUPPORTED);
    cusolverDnDestroySyevjInfo(params);
    check("  evj, many at once", right);
}

template <class T>
static void try_general()
{
    typedef Of<T> F;
    const int n = 30;
    bool by_d = true, by_j = true, indefinite = true;
    for (int type = 1; type <= 3; ++type)
    {
        for (const bool lower : {false, true})
        {
            for (const bool by_jacobi : {false, true})
            {
                const cusolverEigType_t itype = (cusolverEigType_t)type;
                const cublasFillMode_t uplo =
                    lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
                const Half half = lower ? LOWER : UPPER;
                const Matrix A = random_hermitian<T>(n), B = random_hermitian<T>(n, 2.0 * n);
                OnDevice<T> a(A, 1, half), b(B, 2, half);
                OnDevice<typename F::Real> W(n);
                int lwork = 0;
                bool right =
                    ok(by_jacobi ? F::gvj_size(handle, itype, CUSOLVER_EIG_MODE_VECTOR, uplo, n,
                                               a.at, a.ld, b.at, b.ld, W.at, &lwork, jacobi)
                                 : F::gvd_size(handle, itype, CUSOLVER_EIG_MODE_VECTOR, uplo, n,
                                               a.at, a.ld, b.at, b.ld, W.at, &lwork));
                OnDevice<T> work(lwork);
                right =
                    right &&
                    ok(by_jacobi ? F::gvj(handle, itype, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at,
                                          a.ld, b.at, b.ld, W.at, work.at, lwork, d_info, jacobi)
                                 : F::gvd(handle, itype, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.at,
                                          a.ld, b.at, b.ld, W.at, work.at, lwork, d_info)) &&
                    info_of() == 0;
                const std::vector<double> w = read_values(W.at, n);
                const Matrix V = a.read(n, n);
                Matrix left = type == 1   ? product(A, V)
                              : type == 2 ? product(A, product(B, V))
                                          : product(B, product(A, V));
                Matrix wanted = type == 1 ? product(B, V) : V;
                double most = 0.0;
                for (int j = 0; j < n; ++j)
                {
                    most = fmax(most, fabs(w[j]));
                    for (int i = 0; i < n; ++i)
                    {
                        wanted.at(i, j) = value(w[j]) * wanted.at(i, j);
                    }
                }
                const double size = type == 1 ? norm(A) + most * norm(B) : norm(A) * norm(B);
                right = right && ascends(w) &&
                        distance(left, wanted) <= 100.0 * n * F::eps() * size * norm(V);
                (by_jacobi ? by_j : by_d) = (by_jacobi ? by_j : by_d) && right;

                // Row 4 of B has a negative number on the diagonal.
                Matrix bad = B;
                bad.at(3, 3) = value(-5.0);
                OnDevice<T> a2(A, 1, half), b2(bad, 2, half);
                if (!by_jacobi)
                {
                    indefinite = indefinite &&
                                 ok(F::gvd(handle, itype, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a2.at,
                                           a2.ld, b2.at, b2.ld, W.at, work.at, lwork, d_info)) &&
                                 info_of() > 0;
                }
            }
        }
    }
    check("  gvd", by_d);
    check("  gvj", by_j);
    check("  gvd, B is not positive definite", indefinite);
}

// ---- Linear systems ----

template <class T>
static void try_lu()
{
    typedef Of<T> F;
    bool factors = true, solves = true;
    for (const int m : {1, 5, 33, 70})
    {
        for (const int n : {m, m + 7, (m + 1) / 2})
        {
            const Matrix A = random_matrix<T>(m, n);
            const int least = m < n ? m : n;
            OnDevice<T> a(A, 2);
            OnDevice<int> pivots(least);
            int lwork = 0;
            factors = factors && ok(F::getrf_size(handle, m, n, a.at, a.ld, &lwork));
            OnDevice<T> work(lwork);
            factors = factors &&
                      ok(F::getrf(handle, m, n, a.at, a.ld, work.at, pivots.at, d_info)) &&
                      info_of() == 0;
            const Matrix LU = a.read(m, n);
            Matrix L(m, least), U(least, n);
            for (int j = 0; j < n; ++j)
            {
                for (int i = 0; i < m; ++i)
                {
                    if (i <= j && i < least)
                    {
                        U.at(i, j) = LU.at(i, j);
                    }
                    if (i > j)
                    {
                        L.at(i, j) = LU.at(i, j);
                    }
                    if (i == j)
                    {
                        L.at(i, j) = value(1.0);
                    }
                }
            }
            Matrix PLU = product(L, U);
            const std::vector<double> p = read_values(pivots.at, least);
            for (int i = least; i-- > 0 && factors;)
            {
                factors = p[i] >= i + 1 && p[i] <= m;
                for (int j = 0; j < n && factors; ++j)
                {
                    const Value moved = PLU.at(i, j);
                    PLU.at(i, j) = PLU.at((int)p[i] - 1, j);
                    PLU.at((int)p[i] - 1, j) = moved;
                }
            }
            factors = factors && distance(A, PLU) <= 100.0 * m * F::eps() * norm(A);
            for (int op = 0; op < 3 && m == n; ++op)
            {
                const cublasOperation_t trans = (cublasOperation_t)op;
                const Matrix B = random_matrix<T>(n, 3);
                OnDevice<T> b(B, 1);
                solves =
                    solves &&
                    ok(F::getrs(handle, trans, n, 3, a.at, a.ld, pivots.at, b.at, b.ld, d_info)) &&
                    info_of() == 0;
                const Matrix X = b.read(n, 3);
                const Matrix AX = product(op == 0 ? A : transpose(A, op == 2), X);
                solves = solves && distance(AX, B) <= 100.0 * n * F::eps() * norm(A) * norm(X);
            }
        }
    }
    check("  getrf", factors);
    check("  getrs: N, T, C", solves);

    // Whole numbers: pivots, factors and the solution are exact.
    const double numbers[9] = {2, 4, -2, 1, 3, 0, 1, 1, 4}, right_side[3] = {4, 8, 2};
    Matrix A(3, 3), b(3, 1);
    for (int i = 0; i < 9; ++i)
    {
        A.a[i] = value(numbers[i]);
    }
    for (int i = 0; i < 3; ++i)
    {
        b.a[i] = value(right_side[i]);
    }
    OnDevice<T> a(A), x(b);
    OnDevice<int> pivots(3);
    int lwork = 0;
    bool exact = ok(F::getrf_size(handle, 3, 3, a.at, 3, &lwork));
    OnDevice<T> work(lwork + 100);
    exact = exact && ok(F::getrf(handle, 3, 3, a.at, 3, work.at, pivots.at, d_info)) &&
            info_of() == 0 &&
            ok(F::getrs(handle, CUBLAS_OP_N, 3, 1, a.at, 3, pivots.at, x.at, 3, d_info));
    const std::vector<double> p = read_values(pivots.at, 3);
    const Matrix X = x.read(3, 1);
    exact = exact && p[0] == 2.0 && p[1] == 3.0 && p[2] == 3.0 &&
            distance(product(A, X), b) <= 100 * F::eps() * norm(b);
    check("  pivots", exact);

    // Column 3 is twice column 1: nothing is left in it. Without pivots no rows are exchanged.
    const double singular[9] = {4, 2, 1, 0, 2, 4, 8, 4, 2};
    for (int i = 0; i < 9; ++i)
    {
        A.a[i] = value(singular[i]);
    }
    bool found = true;
    for (const bool pivoting : {true, false})
    {
        OnDevice<T> s(A);
        found = found &&
                ok(F::getrf(handle, 3, 3, s.at, 3, work.at, pivoting ? pivots.at : NULL, d_info)) &&
                info_of() == 3;
    }
    check("  a singular matrix: info is 3", found);
}

template <class T>
static void try_cholesky()
{
    typedef Of<T> F;
    bool factors = true, solves = true, indefinite = true;
    for (const int n : {1, 4, 32, 50, 70})
    {
        for (const bool lower : {false, true})
        {
            const cublasFillMode_t uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
            const Half half = lower ? LOWER : UPPER;
            const Matrix A = random_hermitian<T>(n, 2.0 * n), B = random_matrix<T>(n, 2);
            OnDevice<T> a(A, 3, half), b(B);
            int lwork = 0;
            factors = factors && ok(F::potrf_size(handle, uplo, n, a.at, a.ld, &lwork));
            OnDevice<T> work(lwork);
            factors = factors &&
                      ok(F::potrf(handle, uplo, n, a.at, a.ld, work.at, lwork, d_info)) &&
                      info_of() == 0;
            Matrix L = a.read(n, n);
            for (int j = 0; j < n; ++j)
            {
                for (int i = 0; i < n; ++i)
                {
                    if (lower ? i < j : i > j)
                    {
                        L.at(i, j) = value(0.0);
                    }
                }
            }
            const Matrix back =
                lower ? product(L, transpose(L, true)) : product(transpose(L, true), L);
            factors = factors && distance(back, A) <= 100.0 * n * F::eps() * norm(A);
            solves = solves && ok(F::potrs(handle, uplo, n, 2, a.at, a.ld, b.at, b.ld, d_info)) &&
                     info_of() == 0;
            const Matrix X = b.read(n, 2);
            solves =
                solves && distance(product(A, X), B) <= 100.0 * n * F::eps() * norm(A) * norm(X);
            Matrix bad = A;
            const int row = n / 2;
            bad.at(row, row) = value(-1.0);
            OnDevice<T> c(bad, 0, half);
            indefinite = indefinite &&
                         ok(F::potrf(handle, uplo, n, c.at, c.ld, work.at, lwork, d_info)) &&
                         info_of() == row + 1;
        }
    }
    check("  potrf", factors);
    check("  potrs", solves);
    check("  potrf, not positive definite: info is the row", indefinite);
}

template <class T>
static void try_qr()
{
    typedef Of<T> F;
    const cublasOperation_t transposed = F::is_complex ? CUBLAS_OP_C : CUBLAS_OP_T;
    bool factors = true, products = true;
    for (const int m : {1, 6, 40, 70})
    {
        for (const int n : {m, (m + 1) / 2})
        {
            const Matrix A = random_matrix<T>(m, n);
            OnDevice<T> a(A, 1), tau(n), q(A, 1);
            int lwork = 0, lwork2 = 0, lwork3 = 0;
            factors = factors && ok(F::geqrf_size(handle, m, n, a.at, a.ld, &lwork)) &&
                      ok(F::orgqr_size(handle, m, n, n, a.at, a.ld, tau.at, &lwork2));
            for (const bool left : {true, false})
            {
                const int rows = left ? m : 5, columns = left ? 5 : m;
                int size = 0;
                products = products &&
                           ok(F::ormqr_size(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                                            transposed, rows, columns, n, a.at, a.ld, tau.at, a.at,
                                            rows, &size));
                lwork3 = size > lwork3 ? size : lwork3;
            }
            OnDevice<T> work(lwork + lwork2 + lwork3);
            factors = factors &&
                      ok(F::geqrf(handle, m, n, a.at, a.ld, tau.at, work.at, lwork, d_info)) &&
                      info_of() == 0;
            cudaMemcpy(q.at, a.at, (size_t)a.ld * n * sizeof(T), cudaMemcpyDeviceToDevice);
            factors = factors &&
                      ok(F::orgqr(handle, m, n, n, q.at, q.ld, tau.at, work.at, lwork2, d_info)) &&
                      info_of() == 0;
            const Matrix Q = q.read(m, n), both = a.read(m, n);
            Matrix R(n, n);
            for (int j = 0; j < n; ++j)
            {
                for (int i = 0; i <= j; ++i)
                {
                    R.at(i, j) = both.at(i, j);
                }
            }
            const double bound = 100.0 * m * F::eps();
            factors = factors && distance(product(Q, R), A) <= bound * norm(A) &&
                      distance(product(transpose(Q, true), Q), unit(n)) <= bound;

            // The first columns of Q, or rows of Q^H, are those that orgqr wrote.
            for (const bool left : {true, false})
            {
                for (const bool conjugates : {false, true})
                {
                    const Matrix C = left ? random_matrix<T>(m, 5) : random_matrix<T>(5, m);
                    OnDevice<T> c(C, 2);
                    products = products &&
                               ok(F::ormqr(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                                           conjugates ? transposed : CUBLAS_OP_N, C.m, C.n, n, a.at,
                                           a.ld, tau.at, c.at, c.ld, work.at, lwork3, d_info)) &&
                               info_of() == 0;
                    const Matrix got = c.read(C.m, C.n);
                    // Q^H C has Q^H's first rows; C Q has Q's first columns. The others are not
                    // known from Q, but the lengths stay.
                    products = products && fabs(norm(got) - norm(C)) <= bound * norm(C);
                    if (left && conjugates)
                    {
                        const Matrix wanted = product(transpose(Q, true), C);
                        for (int j = 0; j < 5 && products; ++j)
                        {
                            for (int i = 0; i < n && products; ++i)
                            {
                                const Value d = got.at(i, j) - wanted.at(i, j);
                                products = hypot(d.x, d.y) <= bound * norm(C);
                            }
                        }
                    }
                    if (!left && !conjugates)
                    {
                        products =
                            products && distance(part(got, 0, n), product(C, Q)) <= bound * norm(C);
                    }
                    if (m == n && left != conjugates)
                    {
                        const Matrix q_op = conjugates ? transpose(Q, true) : Q;
                        const Matrix wanted = left ? product(q_op, C) : product(C, q_op);
                        products = products && distance(got, wanted) <= bound * norm(C);
                    }
                }
            }
        }
    }
    check("  geqrf and orgqr", factors);
    check("  ormqr: left, right, N, C", products);
}

// ---- Handles and statuses ----

static __global__ void fill_late(double *A, int n)
{
    const long long start = clock64();
    while (clock64() - start < 20000000)
    {
    }
    for (int i = 0; i < n * n; ++i)
    {
        A[i] = i % (n + 1) == 0 ? i / (n + 1) + 1 : 0.0; // 1, 2, ... on the diagonal
    }
}

static void try_handles()
{
    cusolverDnHandle_t other = NULL;
    cudaStream_t stream = NULL, got = NULL;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    check("create, set and get a stream",
          ok(cusolverDnCreate(&other)) && ok(cusolverDnGetStream(other, &got)) && got == NULL &&
              ok(cusolverDnSetStream(other, stream)) && ok(cusolverDnGetStream(other, &got)) &&
              got == stream);

    const int n = 4;
    const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    double *A = NULL, *W = NULL, *work = NULL, w[n] = {};
    int lwork = -1;
    cudaMalloc(&A, n * n * sizeof(double));
    cudaMalloc(&W, n * sizeof(double));
    bool right = ok(cusolverDnDsyevd_bufferSize(other, vectors, lower, n, A, n, W, &lwork));
    cudaMalloc(&work, lwork * sizeof(double));
    fill_late<<<1, 1, 0, stream>>>(A, n);
    right = right && lwork > 0 &&
            ok(cusolverDnDsyevd(other, vectors, lower, n, A, n, W, work, lwork, d_info));
    cudaMemcpyAsync(w, W, sizeof(w), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    check("the work is in the handle's stream",
          right && w[0] == 1.0 && w[1] == 2.0 && w[2] == 3.0 && w[3] == 4.0);

    const cusolverStatus_t none = CUSOLVER_STATUS_NOT_INITIALIZED,
                           invalid = CUSOLVER_STATUS_INVALID_VALUE;
    check("no handle",
          is(cusolverDnDsyevd_bufferSize(NULL, vectors, lower, n, A, n, W, &lwork), none) &&
              is(cusolverDnDsyevd(NULL, vectors, lower, n, A, n, W, work, lwork, d_info), none) &&
              is(cusolverDnDgetrf(NULL, n, n, A, n, work, d_info, d_info), none));
    int unused = 0;
    check("lda too small, evd's size",
          is(cusolverDnDsyevd_bufferSize(other, vectors, lower, n, A, n - 1, W, &unused),
             CUSOLVER_STATUS_SUCCESS));
    check(
        "lda too small, evd",
        is(cusolverDnDsyevd(other, vectors, lower, n, A, n - 1, W, work, lwork, d_info), invalid));
    check("lda too small, potrf",
          is(cusolverDnDpotrf(other, lower, n, A, n - 1, work, lwork, d_info), invalid));
    check("a negative size",
          is(cusolverDnDsyevd(other, vectors, lower, -1, A, n, W, work, lwork, d_info), invalid) &&
              is(cusolverDnDpotrf(other, lower, -1, A, n, work, lwork, d_info), invalid));
    check("no such half",
          is(cusolverDnDpotrf_bufferSize(other, (cublasFillMode_t)9, n, A, n, &lwork), invalid));
    check("destroy", ok(cusolverDnDestroy(other)));
    cudaFree(A);
    cudaFree(W);
    cudaFree(work);
    cudaStreamDestroy(stream);

    int version = 0, major = 0;
    check("a version", ok(cusolverGetVersion(&version)) && version >= 11000 &&
                           ok(cusolverGetProperty(MAJOR_VERSION, &major)) &&
                           major == version / 1000 &&
                           is(cusolverGetVersion(NULL), CUSOLVER_STATUS_INVALID_VALUE));
}

template <class T>
static void try_all()
{
    try_standard<T>();
    try_special<T>();
    try_range<T>();
    try_batch<T>();
    try_general<T>();
    try_lu<T>();
    try_cholesky<T>();
    try_qr<T>();
}

int main()
{
    cudaMalloc(&d_info, 4 * sizeof(int));
    if (!ok(cusolverDnCreate(&handle)) || !ok(cusolverDnCreateSyevjInfo(&jacobi)))
    {
        return 1;
    }
    try_handles();
    try_all<float>();
    try_all<double>();
    try_all<cuComplex>();
    try_all<cuDoubleComplex>();
    try_large<double>();
    try_large<cuDoubleComplex>();
    cusolverDnDestroySyevjInfo(jacobi);
    cusolverDnDestroy(handle);
    cudaFree(d_info);
    check("no error is left", cudaDeviceSynchronize() == cudaSuccess);
    return num_wrong != 0;
}
