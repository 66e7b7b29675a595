// Eigenvalues by Jacobi's method: plane rotations, each of which makes one number a(p, q) zero.
//
// B = A V is kept beside the vectors V, which begin as the unit matrix. Then a(p, q) = v_p^H b_q.
// A rotation changes the columns p and q of both, and nothing else. So pairs of columns that have
// none in common can be turned at the same time. A sweep goes through all pairs, in steps like the
// days of a tournament: in each step every column meets one other.
#include "eigen.cuh"

static const int SMALL = 48;       // one thread does all for a matrix up to this size
static const int PAIRS = 4;        // of columns for one thread of a larger one
static const int MOST_SWEEPS = 32; // 6 to 10 are usual

template <class T>
void Jacobi<T>::take(Workspace *space, int n)
{
    vectors = space->take<T>((size_t)n * n);
    off = space->take<R>(n / 2 + 1);
    turns = space->take<int>(n / 2 + 1);
}

template <class T>
static inline void start_column(const Eigen<T> &e, const Jacobi<T> &t, size_t j)
{
    const size_t n = e.n;
    for (size_t i = 0; i < n; ++i)
    {
        t.vectors[j * n + i] = number<T>(i == j);
    }
    e.column_max[j] = sum_of_squares(n, e.matrix + j * n);
}

template <class T>
static inline void start_sweeps(const Eigen<T> &e, const Jacobi<T> &t)
{
    Real<T> sum = 0;
    for (int j = 0; j < e.n; ++j)
    {
        sum += e.column_max[j];
    }
    e.state->norm = root(sum);
    e.state->done = e.state->bad || e.n < 2;
    for (int i = 0; i <= e.n / 2; ++i)
    {
        t.off[i] = 0;
        t.turns[i] = 0;
    }
}

// a' = c a - s conj(phase) b, b' = s a + c conj(phase) b
template <class T>
static inline void turn_columns(size_t n, T *__restrict__ a, T *__restrict__ b, Real<T> cosine,
                                Real<T> sine, T phase)
{
    const T sine_b = times(sine, conj(phase)), cosine_b = times(cosine, conj(phase));
    for (size_t i = 0; i < n; ++i)
    {
        const T x = a[i], y = b[i];
        a[i] = minus(times(cosine, x), times(sine_b, y));
        b[i] = plus(times(sine, x), times(cosine_b, y));
    }
}

// In each step one place stays, and the others go round it. With an odd number of columns the one
// that would meet column n rests.
template <class T>
static inline void turn_pair(const Eigen<T> &e, const Jacobi<T> &t, int step, int pair)
{
    typedef Real<T> R;
    const int n = e.n, round = n + n % 2 - 1;
    int p = pair == 0 ? round : (step + pair) % round, q = (step - pair + round) % round;
    if (p >= n || q >= n)
    {
        return;
    }
    if (p > q)
    {
        const int larger = p;
        p = q;
        q = larger;
    }
    T *v_p = t.vectors + (size_t)p * n, *v_q = t.vectors + (size_t)q * n;
    T *b_p = e.matrix + (size_t)p * n, *b_q = e.matrix + (size_t)q * n;
    const T a_pq = dot(n, v_p, b_q);
    const R size = root(square(a_pq));
    t.off[pair] += 2 * size * size;
    if (!(size > epsilon_of<R>() * e.state->norm))
    {
        return;
    }
    ++t.turns[pair];
    const R a_pp = real_part(dot(n, v_p, b_p)), a_qq = real_part(dot(n, v_q, b_q));
    const R half = (a_qq - a_pp) / (2 * size), longer = root(1 + half * half);
    const R tangent = half < 0 ? -1 / (longer - half) : 1 / (longer + half);
    const R cosine = 1 / root(1 + tangent * tangent), sine = cosine * tangent;
    const T phase = times(1 / size, a_pq);
    turn_columns(n, v_p, v_q, cosine, sine, phase);
    turn_columns(n, b_p, b_q, cosine, sine, phase);
}

template <class T>
static inline void end_sweep(const Eigen<T> &e, const Jacobi<T> &t, Real<T> tolerance)
{
    typedef Real<T> R;
    State<R> *state = e.state;
    R sum = 0;
    int turns = 0;
    for (int i = 0; i <= e.n / 2; ++i)
    {
        sum += t.off[i];
        turns += t.turns[i];
        t.off[i] = 0;
        t.turns[i] = 0;
    }
    ++state->sweeps;
    state->residual = root(sum);
    state->done = turns == 0 || state->residual <= tolerance * state->norm;
}

template <class T>
static inline void finish_column(const Eigen<T> &e, const Jacobi<T> &t, size_t j)
{
    const size_t n = e.n;
    e.values[j] = real_part(dot(n, t.vectors + j * n, e.matrix + j * n));
}

template <class T>
static inline void finish(const Eigen<T> &e, bool sorts, Real<T> *W, int *info,
                          JacobiReport *report)
{
    State<Real<T>> *state = e.state;
    state->info = state->bad || !state->done ? e.n + 1 : 0;
    order_values(e, Wanted<Real<T>>(), sorts, W, info);
    if (report != NULL)
    {
        *report = {state->bad ? NAN : (double)state->residual / state->scale, state->sweeps};
    }
}

template <class T>
static inline void put_vector(const Eigen<T> &e, const Jacobi<T> &t, size_t j, T *to)
{
    const T *from = t.vectors + (size_t)e.order[j] * e.n;
    for (int i = 0; i < e.n && !e.state->bad; ++i)
    {
        to[i] = from[i];
    }
}

// ---- One matrix ----

template <class T>
static __global__ void start_columns(Eigen<T> e, Jacobi<T> t)
{
    start_column(e, t, blockIdx.x);
}

template <class T>
static __global__ void start_all(Eigen<T> e, Jacobi<T> t)
{
    start_sweeps(e, t);
}

template <class T>
static __global__ void turn_pairs(Eigen<T> e, Jacobi<T> t, int step)
{
    const int pairs = (e.n + 1) / 2, first = blockIdx.x * PAIRS;
    for (int pair = first; pair < first + PAIRS && pair < pairs && !e.state->done; ++pair)
    {
        turn_pair(e, t, step, pair);
    }
}

template <class T>
static __global__ void end_of_sweep(Eigen<T> e, Jacobi<T> t, Real<T> tolerance)
{
    if (!e.state->done)
    {
        end_sweep(e, t, tolerance);
    }
}

// All sweeps of a small matrix.
template <class T>
static inline void turn_all(const Eigen<T> &e, const Jacobi<T> &t, int max_sweeps,
                            Real<T> tolerance)
{
    const int pairs = (e.n + 1) / 2, steps = e.n + e.n % 2 - 1;
    for (int sweep = 0; sweep < max_sweeps && !e.state->done; ++sweep)
    {
        for (int i = 0; i < steps * pairs; ++i)
        {
            turn_pair(e, t, i / pairs, i % pairs);
        }
        end_sweep(e, t, tolerance);
    }
}

template <class T>
static __global__ void all_sweeps(Eigen<T> e, Jacobi<T> t, int max_sweeps, Real<T> tolerance)
{
    turn_all(e, t, max_sweeps, tolerance);
}

template <class T>
static __global__ void finish_columns(Eigen<T> e, Jacobi<T> t)
{
    finish_column(e, t, blockIdx.x);
}

template <class T>
static __global__ void finish_all(Eigen<T> e, bool sorts, Real<T> *W, int *info,
                                  JacobiReport *report)
{
    finish(e, sorts, W, info, report);
}

template <class T>
static __global__ void put_vectors(Eigen<T> e, Jacobi<T> t, T *to, size_t ld)
{
    put_vector(e, t, blockIdx.x, to + blockIdx.x * ld);
}

static int sweeps_of(const syevjInfo *params)
{
    return params->max_sweeps < MOST_SWEEPS ? params->max_sweeps : MOST_SWEEPS;
}

template <class T>
void Jacobi<T>::solve(const Eigen<T> &e, const syevjInfo *params, T *to, size_t ld, R *W, int *info,
                      cudaStream_t stream) const
{
    const int n = e.n, steps = n + n % 2 - 1, max_sweeps = sweeps_of(params);
    const R tolerance = (R)params->tolerance;
    start_columns<T><<<n, 1, 0, stream>>>(e, *this);
    start_all<T><<<1, 1, 0, stream>>>(e, *this);
    if (n <= SMALL)
    {
        all_sweeps<T><<<1, 1, 0, stream>>>(e, *this, max_sweeps, tolerance);
    }
    for (int sweep = 0; sweep < max_sweeps && n > SMALL; ++sweep)
    {
        for (int step = 0; step < steps; ++step)
        {
            turn_pairs<T><<<groups_of((n + 1) / 2, PAIRS), 1, 0, stream>>>(e, *this, step);
        }
        end_of_sweep<T><<<1, 1, 0, stream>>>(e, *this, tolerance);
    }
    finish_columns<T><<<n, 1, 0, stream>>>(e, *this);
    finish_all<T><<<1, 1, 0, stream>>>(e, true, W, info, params->report);
    if (e.wants_vectors)
    {
        put_vectors<T><<<n, 1, 0, stream>>>(e, *this, to, ld);
    }
}

// ---- Many matrices ----

// One thread for a matrix from its first number to its last vector.
template <class T>
static __global__ void solve_one(Eigen<T> first, Jacobi<T> first_jacobi, T *all_A, size_t lda,
                                 bool lower, Real<T> *W, int *info, size_t bytes, int max_sweeps,
                                 Real<T> tolerance, bool sorts)
{
    Eigen<T> e = first;
    Jacobi<T> t = first_jacobi;
    const size_t n = e.n, shift = blockIdx.x * bytes;
    T *A = all_A + blockIdx.x * lda * n;
    for (void *array :
         {(void *)&e.state, (void *)&e.matrix, (void *)&e.column_max, (void *)&e.values,
          (void *)&e.order, (void *)&t.vectors, (void *)&t.off, (void *)&t.turns})
    {
        *(char **)array += shift;
    }
    for (size_t j = 0; j < n; ++j)
    {
        load_column(e, A, lda, lower, j);
    }
    choose_scale_of(e);
    for (size_t j = 0; j < n; ++j)
    {
        scale_column(e, j);
        start_column(e, t, j);
    }
    start_sweeps(e, t);
    turn_all(e, t, max_sweeps, tolerance);
    for (size_t j = 0; j < n; ++j)
    {
        finish_column(e, t, j);
    }
    finish(e, sorts, W + blockIdx.x * n, info + blockIdx.x, (JacobiReport *)NULL);
    for (size_t j = 0; j < n && e.wants_vectors; ++j)
    {
        put_vector(e, t, j, A + j * lda);
    }
}

template <class T>
void Jacobi<T>::solve_batch(const Eigen<T> &e, const syevjInfo *params, T *A, size_t lda,
                            bool lower, R *W, int *info, int count, size_t bytes,
                            cudaStream_t stream) const
{
    solve_one<T><<<count, 1, 0, stream>>>(e, *this, A, lda, lower, W, info, bytes,
                                          sweeps_of(params), (R)params->tolerance, params->sorts);
}

template struct Jacobi<float>;
template struct Jacobi<double>;
template struct Jacobi<Complex<float>>;
template struct Jacobi<Complex<double>>;
