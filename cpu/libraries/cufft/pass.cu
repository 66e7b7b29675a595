#include "pass.cuh"

namespace cufft_cpu
{

template <class W>
struct Complex
{
    W x, y;
};

// The lanes of one element: their real parts, then their imaginary parts.
template <class W>
struct Lanes
{
    W x[LANES], y[LANES];
};

// ---- Transforms of a few numbers, for all lanes ----

// a *= w
template <class W>
static __device__ inline void multiply(Lanes<W> &a, Complex<W> w)
{
    for (int v = 0; v < LANES; ++v)
    {
        const W x = a.x[v], y = a.y[v];
        a.x[v] = x * w.x - y * w.y;
        a.y[v] = x * w.y + y * w.x;
    }
}

template <class W>
static __device__ inline void transform2(Lanes<W> &a, Lanes<W> &b)
{
    for (int v = 0; v < LANES; ++v)
    {
        const W x = a.x[v], y = a.y[v];
        a.x[v] = x + b.x[v];
        a.y[v] = y + b.y[v];
        b.x[v] = x - b.x[v];
        b.y[v] = y - b.y[v];
    }
}

// Multiplying by -i swaps the parts, and costs nothing.
template <class W>
static __device__ inline void transform4(Lanes<W> *a)
{
    for (int v = 0; v < LANES; ++v)
    {
        const W px = a[0].x[v] + a[2].x[v], py = a[0].y[v] + a[2].y[v];
        const W mx = a[0].x[v] - a[2].x[v], my = a[0].y[v] - a[2].y[v];
        const W qx = a[1].x[v] + a[3].x[v], qy = a[1].y[v] + a[3].y[v];
        const W nx = a[1].x[v] - a[3].x[v], ny = a[1].y[v] - a[3].y[v];
        a[0].x[v] = px + qx;
        a[0].y[v] = py + qy;
        a[1].x[v] = mx + ny;
        a[1].y[v] = my - nx;
        a[2].x[v] = px - qx;
        a[2].y[v] = py - qy;
        a[3].x[v] = mx - ny;
        a[3].y[v] = my + nx;
    }
}

// An odd number of them, by the definition. Elements q and r - q share their cosines, and their
// sines up to the sign: so half of the multiplications do. root[k * step] is exp(-2 pi i k / r).
template <class W>
static __device__ inline void transform_odd(Lanes<W> *a, int r, const Complex<W> *root, int step)
{
    const int half = r / 2;
    Lanes<W> sum[MAX_PRIME / 2], difference[MAX_PRIME / 2], first = a[0];
    for (int q = 1; q <= half; ++q)
    {
        Lanes<W> &s = sum[q - 1], &d = difference[q - 1];
        for (int v = 0; v < LANES; ++v)
        {
            s.x[v] = a[q].x[v] + a[r - q].x[v];
            s.y[v] = a[q].y[v] + a[r - q].y[v];
            d.x[v] = a[q].x[v] - a[r - q].x[v];
            d.y[v] = a[q].y[v] - a[r - q].y[v];
            a[0].x[v] += s.x[v];
            a[0].y[v] += s.y[v];
        }
    }
    for (int k = 1; k <= half; ++k)
    {
        Lanes<W> even = first, odd = {};
        for (int q = 1; q <= half; ++q)
        {
            const Complex<W> w = root[q * k % r * step];
            const Lanes<W> &s = sum[q - 1], &d = difference[q - 1];
            for (int v = 0; v < LANES; ++v)
            {
                even.x[v] += w.x * s.x[v];
                even.y[v] += w.x * s.y[v];
                odd.x[v] -= w.y * d.y[v]; // i w.y (d.x + i d.y) = -w.y d.y + i w.y d.x
                odd.y[v] += w.y * d.x[v];
            }
        }
        for (int v = 0; v < LANES; ++v)
        {
            a[k].x[v] = even.x[v] + odd.x[v];
            a[k].y[v] = even.y[v] + odd.y[v];
            a[r - k].x[v] = even.x[v] - odd.x[v];
            a[r - k].y[v] = even.y[v] - odd.y[v];
        }
    }
}

// ---- A line ----

// One factor r of R. FIXED = r where the compiler may know it, else 0.
template <class W, int FIXED>
static __device__ inline void step_of_line(const Lanes<W> *in, Lanes<W> *out, int R, int done,
                                           int factor, const Complex<W> *roots)
{
    const int r = FIXED > 0 ? FIXED : factor;
    const int m = R / r, turn = R / (done * r);
    Lanes<W> a[FIXED > 0 ? FIXED : MAX_PRIME];
    for (int group = 0; group < m; group += done)
    {
        for (int k = 0; k < done; ++k)
        {
            const int j = group + k;
            for (int q = 0; q < r; ++q)
            {
                a[q] = in[j + q * m];
            }
            for (int q = 1; q < r && k > 0; ++q)
            {
                multiply(a[q], roots[q * k * turn]);
            }
            if (r == 4)
            {
                transform4(a);
            }
            else if (r == 2)
            {
                transform2(a[0], a[1]);
            }
            else
            {
                transform_odd(a, r, roots, R / r);
            }
            for (int q = 0; q < r; ++q)
            {
                out[group * r + k + q * done] = a[q];
            }
        }
    }
}

// Returns the one of the two arrays that has the result.
template <class W>
static __device__ Lanes<W> *transform_line(const Pass *pass, Lanes<W> *in, Lanes<W> *out)
{
    const Complex<W> *roots = (const Complex<W> *)pass->roots;
    const int R = pass->R;
    for (int i = 0, done = 1; i < pass->num_factors; ++i)
    {
        const int r = pass->factors[i];
        switch (r)
        {
        case 2:
            step_of_line<W, 2>(in, out, R, done, r, roots);
            break;
        case 3:
            step_of_line<W, 3>(in, out, R, done, r, roots);
            break;
        case 4:
            step_of_line<W, 4>(in, out, R, done, r, roots);
            break;
        case 5:
            step_of_line<W, 5>(in, out, R, done, r, roots);
            break;
        case 7:
            step_of_line<W, 7>(in, out, R, done, r, roots);
            break;
        default:
            step_of_line<W, 0>(in, out, R, done, r, roots);
        }
        done *= r;
        Lanes<W> *const result = out;
        out = in;
        in = result;
    }
    return in;
}

// ---- From memory and back ----

template <class W>
static __device__ inline void swap_parts(W &x, W &y)
{
    const W old_x = x;
    x = y;
    y = old_x;
}

// The multiplication is done in double: the factors are exact to double's last bit.
template <class W>
static __device__ inline void multiply_by(W &x, W &y, double2 w)
{
    const double re = x * w.x - y * w.y, im = x * w.y + y * w.x;
    x = (W)re;
    y = (W)im;
}

template <class T, class W>
static __device__ inline void load(const Side &side, const T *in, long long p, W &x, W &y)
{
    x = y = 0;
    if (p >= side.length)
    {
        return;
    }
    if (side.element == REAL)
    {
        x = (W)in[p * side.stride];
    }
    else
    {
        // A real result needs x[0] and x[n/2] to be real; what imaginary part they have is ignored.
        const bool mirrored = side.element == HALF && p > side.length / 2;
        const T *at = in + 2 * (mirrored ? side.length - p : p) * side.stride;
        x = (W)at[0];
        y = (W)(mirrored ? -at[1] : at[1]);
        if (side.element == HALF && (p == 0 || 2 * p == side.length))
        {
            y = 0;
        }
    }
    if (side.swap)
    {
        swap_parts(x, y);
    }
    if (side.factors != NULL)
    {
        multiply_by(x, y, side.factors[p]);
    }
}

template <class T, class W>
static __device__ inline void store(const Side &side, bool swap_before, T *out, long long p, W x,
                                    W y)
{
    if (p >= side.length || (side.element == HALF && p > side.length / 2))
    {
        return;
    }
    if (swap_before)
    {
        swap_parts(x, y);
    }
    if (side.factors != NULL)
    {
        multiply_by(x, y, side.factors[p]);
    }
    if (side.swap)
    {
        swap_parts(x, y);
    }
    if (side.element == REAL)
    {
        out[p * side.stride] = (T)x;
    }
    else
    {
        out[2 * p * side.stride] = (T)x;
        out[2 * p * side.stride + 1] = (T)y;
    }
}

// Where a line begins.
struct Start
{
    long long in, out, j;
};

static __device__ Start start_of(const Pass *pass, long long line)
{
    Start start = {0, 0, 0};
    const long long m = pass->n / pass->R;
    if (pass->j_is_fastest)
    {
        start.j = line % m;
        line /= m;
    }
    for (int i = MAX_INDICES - 1; i >= 0; --i)
    {
        if (pass->counts[i] > 1)
        {
            const long long index = line % pass->counts[i];
            line /= pass->counts[i];
            start.in += index * pass->in.distances[i];
            start.out += index * pass->out.distances[i];
        }
    }
    if (!pass->j_is_fastest)
    {
        start.j = line;
    }
    return start;
}

template <class In, class Out, class W>
static __device__ void do_lines(const Pass *pass, long long first, const In *in, Out *out,
                                Lanes<W> *a, Lanes<W> *b)
{
    const int R = pass->R;
    const long long n = pass->n, m = n / R, done = pass->done;
    const long long left = pass->lines - first;
    const int lanes = left < LANES ? (int)left : LANES;
    Start start[LANES];
    const In *in_at[LANES];
    for (int v = 0; v < LANES; ++v)
    {
        start[v] = start_of(pass, first + (v < lanes ? v : lanes - 1));
        in_at[v] = in + (pass->in.element == REAL ? 1 : 2) * start[v].in;
    }
    const Side from = pass->in;
    const bool is_plain = from.element == COMPLEX && from.factors == NULL && from.length == n;
    for (int q = 0; q < R; ++q)
    {
        Lanes<W> element;
        if (is_plain)
        {
            for (int v = 0; v < LANES; ++v)
            {
                const In *at = in_at[v] + 2 * (start[v].j + q * m) * from.stride;
                element.x[v] = (W)at[from.swap];
                element.y[v] = (W)at[!from.swap];
            }
        }
        else
        {
            for (int v = 0; v < LANES; ++v)
            {
                load(from, in_at[v], start[v].j + q * m, element.x[v], element.y[v]);
            }
        }
        if (done > 1 && q > 0)
        {
            const long long mask = (1LL << pass->shift) - 1;
            for (int v = 0; v < LANES; ++v)
            {
                const long long k = q * (start[v].j % done);
                const double2 coarse = pass->coarse[k >> pass->shift], fine = pass->fine[k & mask];
                const double2 w = {coarse.x * fine.x - coarse.y * fine.y,
                                   coarse.x * fine.y + coarse.y * fine.x};
                multiply_by(element.x[v], element.y[v], w);
            }
        }
        a[q] = element;
    }

    const Lanes<W> *result = transform_line(pass, a, b);

    const Side to = pass->out;
    Out *out_at[LANES];
    long long place[LANES];
    for (int v = 0; v < LANES; ++v)
    {
        out_at[v] = out + (to.element == REAL ? 1 : 2) * start[v].out;
        place[v] = start[v].j / done * done * R + start[v].j % done;
    }
    if (to.element == COMPLEX && to.factors == NULL && to.length == n && !pass->swap_before_factors)
    {
        for (int q = 0; q < R; ++q)
        {
            for (int v = 0; v < lanes; ++v)
            {
                Out *at = out_at[v] + 2 * (place[v] + q * done) * to.stride;
                at[to.swap] = (Out)result[q].x[v];
                at[!to.swap] = (Out)result[q].y[v];
            }
        }
        return;
    }
    for (int q = 0; q < R; ++q)
    {
        for (int v = 0; v < lanes; ++v)
        {
            store(to, pass->swap_before_factors, out_at[v], place[v] + q * done, result[q].x[v],
                  result[q].y[v]);
        }
    }
}

// A block is one thread. It has a place of its own in `scratch`, so the grid is small, and each
// thread goes on from one group of lines to another.
template <class In, class Out, class W>
static __global__ void pass_kernel(Pass pass, const In *in, Out *out, Lanes<W> *scratch)
{
    Lanes<W> *const a = scratch + (size_t)blockIdx.x * 2 * pass.R;
    const long long step = (long long)gridDim.x * LANES;
    for (long long first = (long long)blockIdx.x * LANES; first < pass.lines; first += step)
    {
        do_lines(&pass, first, in, out, a, a + pass.R);
    }
}

size_t scratch_bytes(const Pass *pass, bool in_double)
{
    return 2 * (size_t)pass->R * (in_double ? sizeof(Lanes<double>) : sizeof(Lanes<float>));
}

template <class In, class Out, class W>
static cudaError_t launch(const Pass *pass, const void *in, void *out, void *scratch, int blocks,
                          cudaStream_t stream)
{
    const long long groups = (pass->lines + LANES - 1) / LANES;
    const unsigned grid = groups < blocks ? (unsigned)groups : (unsigned)blocks;
    pass_kernel<<<grid, 1, 0, stream>>>(*pass, (const In *)in, (Out *)out, (Lanes<W> *)scratch);
    return cudaGetLastError();
}

cudaError_t launch_pass(const Pass *pass, const void *in, Precision in_precision, void *out,
                        Precision out_precision, Precision work, void *scratch, int blocks,
                        cudaStream_t stream)
{
    if (work == IN_FLOAT)
    {
        return launch<float, float, float>(pass, in, out, scratch, blocks, stream);
    }
    if (in_precision == IN_DOUBLE)
    {
        return out_precision == IN_DOUBLE
                   ? launch<double, double, double>(pass, in, out, scratch, blocks, stream)
                   : launch<double, float, double>(pass, in, out, scratch, blocks, stream);
    }
    return out_precision == IN_DOUBLE
               ? launch<float, double, double>(pass, in, out, scratch, blocks, stream)
               : launch<float, float, double>(pass, in, out, scratch, blocks, stream);
}

} // namespace cufft_cpu
