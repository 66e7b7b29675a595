// Eigenvalues by Householder's tridiagonalisation and the implicit QL method.
//
// 1. A = Q T Q^H with T real and tridiagonal. Q is a product of n - 1 reflections. Each takes one
//    product of the matrix with a vector, and one change of the matrix by two outer products. The
//    change waits until the next product, which so reads the matrix once for both.
// 2. T = Z D Z^T by QL steps with Wilkinson's shift. Each step is a row of plane rotations.
// 3. The vectors are Q Z.
//
// In 1 and 2 the rows are cut into stripes, of which each thread has one. In 3 each thread has a
// column. In 2 each thread computes all rotations by itself. That takes n^2 operations, and to turn
// the columns of its stripe takes n^2 times the height of the stripe.
#include "eigen.cuh"

static const int STRIPE = 64;       // rows of one thread in step 1 ...
static const int TALL_STRIPE = 128; // ... and in step 2
static const int MOST_STEPS = 60;   // of QL for one eigenvalue; 2 are usual

static unsigned int tall_stripes(int n)
{
    return groups_of(n, TALL_STRIPE);
}

template <class T>
void Tridiagonal<T>::take(Workspace *space, int n, bool vectors)
{
    taus = space->take<T>(n);
    product = space->take<T>(n);
    other = space->take<T>(n);
    diagonal = space->take<R>(n);
    beside = space->take<R>(n);
    copies = space->take<R>((size_t)2 * n * tall_stripes(n));
    rotated = space->take<R>(vectors ? (size_t)n * n : 0);
}

// Step k - 1 ended with the product p = A v. Its change of the matrix is A - v w^H - w v^H. Here w
// is made, column k is changed, and the next reflection is chosen: it leaves one number below the
// diagonal of this column.
template <class T>
static __global__ void reflect_column(Eigen<T> e, Tridiagonal<T> t, int k)
{
    typedef Real<T> R;
    if (e.state->bad)
    {
        return;
    }
    const size_t n = e.n;
    T *column = e.matrix + k * n;
    if (k > 0)
    {
        const T tau = t.taus[k - 1], *v = column - n; // v[k] = 1
        T *w = t.other;
        for (size_t i = k; i < n; ++i)
        {
            w[i] = times(tau, t.product[i]);
        }
        const T part = times((R)-0.5, times(tau, dot(n - k, w + k, v + k)));
        for (size_t i = k; i < n; ++i)
        {
            w[i] = plus(w[i], times(part, v[i]));
        }
        subtract(n - k, conj(w[k]), v + k, column + k);
        subtract(n - k, conj(v[k]), w + k, column + k);
    }
    t.diagonal[k] = real_part(column[k]);
    if (k + 1 < e.n)
    {
        t.beside[k] = make_reflection(n - k - 1, column + k + 1, &t.taus[k]);
        column[k + 1] = number<T>(1);
    }
}

// A stripe of rows: the change of step k - 1, and the product with the vector of step k.
template <class T>
static __global__ void change_and_multiply(Eigen<T> e, Tridiagonal<T> t, int k)
{
    if (e.state->bad)
    {
        return;
    }
    const size_t n = e.n, first = k + 1 + (size_t)blockIdx.x * STRIPE;
    const size_t rows = n - first < STRIPE ? n - first : STRIPE;
    const T *u = e.matrix + k * n, *v = k > 0 ? u - n : u, *w = t.other;
    T sums[STRIPE] = {};
    for (size_t j = k + 1; j < n; ++j)
    {
        T *__restrict__ a = e.matrix + j * n + first;
        const T factor = u[j];
        if (k > 0)
        {
            const T *__restrict__ my_v = v + first, *__restrict__ my_w = w + first;
            const T w_j = conj(w[j]), v_j = conj(v[j]);
            for (size_t i = 0; i < rows; ++i)
            {
                a[i] = minus(a[i], plus(times(my_v[i], w_j), times(my_w[i], v_j)));
                sums[i] = plus(sums[i], times(a[i], factor));
            }
        }
        else
        {
            for (size_t i = 0; i < rows; ++i)
            {
                sums[i] = plus(sums[i], times(a[i], factor));
            }
        }
    }
    for (size_t i = 0; i < rows; ++i)
    {
        t.product[first + i] = sums[i];
    }
}

// Columns a and b of Z, turned by an angle with this cosine and sine.
template <class R>
static inline void turn(size_t rows, R *__restrict__ a, R *__restrict__ b, R cosine, R sine)
{
    for (size_t i = 0; i < rows; ++i)
    {
        const R x = a[i], y = b[i];
        a[i] = cosine * x - sine * y;
        b[i] = sine * x + cosine * y;
    }
}

// One QL step with the shift that the upper left 2 x 2 matrix of rows l to m suggests. False if the
// step ended early because a part of the matrix has come apart.
template <class R>
static void ql_step(int l, int m, R *d, R *e, R *Z, size_t ld, size_t rows)
{
    const R half = (d[l + 1] - d[l]) / (2 * e[l]), root_of = (R)sqrt(half * half + 1);
    R g = d[m] - d[l] + e[l] / (half + (half < 0 ? -root_of : root_of));
    R sine = 1, cosine = 1, shift = 0;
    for (int i = m - 1; i >= l; --i)
    {
        const R f = sine * e[i], b = cosine * e[i], length = (R)sqrt(f * f + g * g);
        e[i + 1] = length;
        if (length == 0)
        {
            d[i + 1] -= shift;
            e[m] = 0;
            return;
        }
        sine = f / length;
        cosine = g / length;
        g = d[i + 1] - shift;
        const R r = (d[i] - g) * sine + 2 * cosine * b;
        shift = sine * r;
        d[i + 1] = g + shift;
        g = cosine * r - b;
        turn(rows, Z + i * ld, Z + (i + 1) * ld, cosine, sine);
    }
    d[l] -= shift;
    e[l] = g;
    e[m] = 0;
}

// A stripe of rows of Z, which begins as the unit matrix. Every stripe finds the same values.
template <class T>
static __global__ void ql(Eigen<T> e, Tridiagonal<T> t)
{
    typedef Real<T> R;
    if (e.state->bad)
    {
        return;
    }
    const size_t n = e.n, first = (size_t)blockIdx.x * TALL_STRIPE;
    const size_t left = n - first < TALL_STRIPE ? n - first : TALL_STRIPE;
    const size_t rows = e.wants_vectors ? left : 0;
    R *d = t.copies + 2 * n * blockIdx.x, *b = d + n, *Z = t.rotated + first;
    R norm = 0;
    for (size_t i = 0; i < n; ++i)
    {
        d[i] = t.diagonal[i];
        b[i] = i + 1 < n ? t.beside[i] : 0;
        const R size = magnitude(d[i]) + magnitude(b[i]);
        norm = size > norm ? size : norm;
    }
    for (size_t j = 0; j < n; ++j)
    {
        for (size_t i = 0; i < rows; ++i)
        {
            Z[j * n + i] = first + i == j;
        }
    }
    const R tiny = epsilon_of<R>();
    int failed = 0;
    for (int l = 0; l < e.n && failed == 0; ++l)
    {
        for (int step = 0;; ++step)
        {
            int m = l; // rows l to m hang together
            while (m + 1 < e.n &&
                   magnitude(b[m]) > tiny * (magnitude(d[m]) + magnitude(d[m + 1])) &&
                   magnitude(b[m]) > tiny * tiny * norm)
            {
                ++m;
            }
            if (m == l)
            {
                break;
            }
            if (step == MOST_STEPS)
            {
                for (int i = 0; i + 1 < e.n; ++i)
                {
                    failed += b[i] != 0;
                }
                break;
            }
            ql_step(l, m, d, b, Z, n, rows);
        }
    }
    if (blockIdx.x == 0)
    {
        e.state->info = failed;
        for (size_t i = 0; i < n; ++i)
        {
            e.values[i] = failed == 0 ? d[i] : (R)NAN;
        }
    }
}

template <class T>
static __global__ void put_in_order(Eigen<T> e, Wanted<Real<T>> wanted, Real<T> *W, int *info)
{
    if (e.state->bad)
    {
        e.state->info = e.n > 1 ? e.n - 1 : 1; // none of the numbers beside the diagonal became 0
    }
    order_values(e, wanted, true, W, info);
}

// Vector number blockIdx.x in the order of the values: a column of Z, and all reflections on it.
template <class T>
static __global__ void turn_back(Eigen<T> e, Tridiagonal<T> t, T *vectors, size_t ld)
{
    const State<Real<T>> state = *e.state;
    const int i = state.first + (int)blockIdx.x;
    if (i >= state.last || state.bad || state.info != 0)
    {
        return;
    }
    const size_t n = e.n;
    const Real<T> *from = t.rotated + e.order[i] * n;
    T *to = vectors + blockIdx.x * ld;
    for (size_t row = 0; row < n; ++row)
    {
        to[row] = number<T>(from[row]);
    }
    for (size_t k = n - 1; k-- > 0;)
    {
        reflect(n - k - 1, t.taus[k], e.matrix + k * n + k + 1, to + k + 1);
    }
}

template <class T>
void Tridiagonal<T>::solve(const Eigen<T> &e, const Wanted<R> &wanted, T *vectors, size_t ld, R *W,
                           int *info, cudaStream_t stream) const
{
    for (int k = 0; k < e.n; ++k)
    {
        reflect_column<T><<<1, 1, 0, stream>>>(e, *this, k);
        if (k + 1 < e.n)
        {
            change_and_multiply<T><<<groups_of(e.n - k - 1, STRIPE), 1, 0, stream>>>(e, *this, k);
        }
    }
    ql<T><<<e.wants_vectors ? tall_stripes(e.n) : 1, 1, 0, stream>>>(e, *this);
    put_in_order<T><<<1, 1, 0, stream>>>(e, wanted, W, info);
    if (e.wants_vectors)
    {
        turn_back<T><<<e.n, 1, 0, stream>>>(e, *this, vectors, ld);
    }
}

template struct Tridiagonal<float>;
template struct Tridiagonal<double>;
template struct Tridiagonal<Complex<float>>;
template struct Tridiagonal<Complex<double>>;
