// Eigenvalues and eigenvectors of a symmetric or Hermitian matrix that lies whole in the workspace.
#pragma once
#include "context.cuh"

// What the kernels of one call tell each other.
template <class R>
struct State
{
    R scale;         // the matrix is multiplied by this, so that no square overflows or vanishes
    bool bad;        // it has a NaN or an infinity
    int info;        // as devInfo
    int first, last; // of the eigenvalues in order: those that are wanted are first ... last - 1
    bool done;       // Jacobi's method: nothing is left to rotate
    int sweeps;
    R residual, norm;
};

// The arrays of one call. The matrix is n x n and without gaps.
template <class T>
struct Eigen
{
    typedef Real<T> R;
    int n;
    bool wants_vectors;
    State<R> *state;
    T *matrix;
    R *column_max; // n
    R *values;     // n, not in order
    int *order;    // n: which of them comes next

    void take(Workspace *space, int size, bool vectors)
    {
        n = size;
        wants_vectors = vectors;
        state = space->take<State<R>>(1);
        matrix = space->take<T>((size_t)n * n);
        column_max = space->take<R>(n);
        values = space->take<R>(n);
        order = space->take<int>(n);
    }
};

// Which eigenvalues are wanted: all, those with the indices il to iu, counted from 1, or those in
// the interval (vl, vu].
template <class R>
struct Wanted
{
    cusolverEigRange_t range = CUSOLVER_EIG_RANGE_ALL;
    R vl = 0, vu = 0;
    int il = 0, iu = 0;
};

// ---- The matrix ----

// Column j of the whole matrix from the half that is stored. The other half is not read.
template <class T>
static inline void load_column(const Eigen<T> &e, const T *A, size_t lda, bool lower, size_t j)
{
    typedef Real<T> R;
    const size_t n = e.n;
    T *column = e.matrix + j * n;
    R most = 0;
    bool finite = true;
    for (size_t i = 0; i < n; ++i)
    {
        const bool stored = lower ? i >= j : i <= j;
        const T a = stored ? A[j * lda + i] : conj(A[i * lda + j]);
        column[i] = i == j ? number<T>(real_part(a)) : a;
        const R size = manhattan(column[i]);
        finite = finite && is_finite(size);
        most = size > most ? size : most;
    }
    e.column_max[j] = finite ? most : (R)NAN;
}

// The largest number becomes about 1. A power of two changes no digit.
template <class T>
static inline void choose_scale_of(const Eigen<T> &e)
{
    typedef Real<T> R;
    R most = 0;
    bool finite = true;
    for (int j = 0; j < e.n; ++j)
    {
        finite = finite && is_finite(e.column_max[j]);
        most = e.column_max[j] > most ? e.column_max[j] : most;
    }
    int exponent = 0;
    frexp(finite ? most : (R)1, &exponent);
    const R scale = (R)ldexp(1.0, -exponent);
    *e.state = State<R>();
    e.state->bad = !finite;
    e.state->scale = finite && most > 0 && is_finite(scale) && is_finite(1 / scale) ? scale : (R)1;
}

template <class T>
static inline void scale_column(const Eigen<T> &e, size_t j)
{
    T *column = e.matrix + j * e.n;
    for (int i = 0; i < e.n; ++i)
    {
        column[i] = times(e.state->scale, column[i]);
    }
}

template <class T>
static __global__ void load_columns(Eigen<T> e, const T *A, size_t lda, bool lower)
{
    load_column(e, A, lda, lower, blockIdx.x);
}

template <class T>
static __global__ void choose_scale(Eigen<T> e)
{
    choose_scale_of(e);
}

template <class T>
static __global__ void scale_columns(Eigen<T> e)
{
    scale_column(e, blockIdx.x);
}

template <class T>
static void load(const Eigen<T> &e, const T *A, size_t lda, bool lower, cudaStream_t stream)
{
    load_columns<T><<<e.n, 1, 0, stream>>>(e, A, lda, lower);
    choose_scale<T><<<1, 1, 0, stream>>>(e);
    scale_columns<T><<<e.n, 1, 0, stream>>>(e);
}

// ---- The values ----

// Puts the values in order, and says which of them are wanted. W gets them.
template <class T>
static inline void order_values(const Eigen<T> &e, const Wanted<Real<T>> &wanted, bool sorts,
                                Real<T> *W, int *info)
{
    typedef Real<T> R;
    State<R> *state = e.state;
    const R unscale = 1 / state->scale;
    for (int i = 0; i < e.n; ++i)
    {
        e.order[i] = i;
    }
    for (int i = 1; i < e.n && sorts && !state->bad; ++i)
    {
        const int moved = e.order[i];
        int k = i;
        for (; k > 0 && e.values[e.order[k - 1]] > e.values[moved]; --k)
        {
            e.order[k] = e.order[k - 1];
        }
        e.order[k] = moved;
    }
    state->first = 0;
    state->last = e.n;
    if (wanted.range == CUSOLVER_EIG_RANGE_I)
    {
        state->first = wanted.il - 1;
        state->last = wanted.iu;
    }
    else if (wanted.range == CUSOLVER_EIG_RANGE_V)
    {
        state->last = 0;
        for (int i = 0; i < e.n && !state->bad; ++i)
        {
            const R value = e.values[e.order[i]] * unscale;
            state->first += value <= wanted.vl;
            state->last += value <= wanted.vu;
        }
    }
    for (int i = state->first; i < state->last; ++i)
    {
        W[i - state->first] = state->bad ? (R)NAN : e.values[e.order[i]] * unscale;
    }
    *info = state->info;
}

// ---- What eigen.cu and jacobi.cu have ----

// By tridiagonalisation: pieces of the workspace, and the work. `vectors` is where they go to.
template <class T>
struct Tridiagonal
{
    typedef Real<T> R;
    T *taus, *product, *other; // n each
    R *diagonal, *beside;      // n each
    R *copies;                 // 2 n for each stripe of rows
    R *rotated;                // n x n

    void take(Workspace *space, int n, bool vectors);
    void solve(const Eigen<T> &e, const Wanted<R> &wanted, T *vectors, size_t ld, R *W, int *info,
               cudaStream_t stream) const;
};

// By Jacobi's method.
template <class T>
struct Jacobi
{
    typedef Real<T> R;
    T *vectors; // n x n
    R *off;     // n / 2 + 1: what was not yet zero in this sweep
    int *turns; // n / 2 + 1: how many pairs were turned in this sweep
    void take(Workspace *space, int n);
    void solve(const Eigen<T> &e, const syevjInfo *params, T *to, size_t ld, R *W, int *info,
               cudaStream_t stream) const;
    // `count` matrices at a time: those of workspaces that are `bytes` apart.
    void solve_batch(const Eigen<T> &e, const syevjInfo *params, T *A, size_t lda, bool lower, R *W,
                     int *info, int count, size_t bytes, cudaStream_t stream) const;
};
