// Real and complex numbers under the same names, and the loops over columns that take the time.
//
// All matrices are in column order, so every loop runs down a column: g++ makes vectors of that.
#pragma once
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <float.h>
#include <math.h>

// The layout of cuComplex and cuDoubleComplex.
template <class R>
struct Complex
{
    R x, y;
};

template <class T>
struct Number
{
    typedef T Real;
    static constexpr bool is_complex = false;
};

template <class R>
struct Number<Complex<R>>
{
    typedef R Real;
    static constexpr bool is_complex = true;
};

template <class T>
using Real = typename Number<T>::Real;

template <class R>
constexpr R epsilon_of();
template <>
constexpr float epsilon_of<float>()
{
    return FLT_EPSILON;
}
template <>
constexpr double epsilon_of<double>()
{
    return DBL_EPSILON;
}

// What the functions of the interface call a number, and what it is here.
template <class T>
struct OurNumber
{
    typedef T Type;
};
template <>
struct OurNumber<cuComplex>
{
    typedef Complex<float> Type;
};
template <>
struct OurNumber<cuDoubleComplex>
{
    typedef Complex<double> Type;
};

template <class T>
static inline typename OurNumber<T>::Type *ours(T *x)
{
    return (typename OurNumber<T>::Type *)x;
}
template <class T>
static inline const typename OurNumber<T>::Type *ours(const T *x)
{
    return (const typename OurNumber<T>::Type *)x;
}

// ---- One number ----

#define FOR_REALS(R)                       \
    static inline R conj(R a)              \
    {                                      \
        return a;                          \
    }                                      \
    static inline R real_part(R a)         \
    {                                      \
        return a;                          \
    }                                      \
    static inline R imaginary_part(R)      \
    {                                      \
        return 0;                          \
    }                                      \
    static inline R square(R a)            \
    {                                      \
        return a * a;                      \
    }                                      \
    static inline R manhattan(R a)         \
    {                                      \
        return a < 0 ? -a : a;             \
    }                                      \
    static inline R root(R a)              \
    {                                      \
        return (R)sqrt(a);                 \
    }                                      \
    static inline bool is_finite(R a)      \
    {                                      \
        return a - a == 0;                 \
    }                                      \
    static inline R divide(R a, R b)       \
    {                                      \
        return a / b;                      \
    }                                      \
    static inline R magnitude(R a)         \
    {                                      \
        return a < 0 ? -a : a;             \
    }                                      \
    static inline void set(R *to, R re, R) \
    {                                      \
        *to = re;                          \
    }                                      \
    static inline R times(R a, R b)        \
    {                                      \
        return a * b;                      \
    }                                      \
    static inline R plus(R a, R b)         \
    {                                      \
        return a + b;                      \
    }                                      \
    static inline R minus(R a, R b)        \
    {                                      \
        return a - b;                      \
    }
FOR_REALS(float)
FOR_REALS(double)
#undef FOR_REALS

template <class R>
static inline Complex<R> conj(Complex<R> a)
{
    return {a.x, -a.y};
}

template <class R>
static inline R real_part(Complex<R> a)
{
    return a.x;
}

template <class R>
static inline R imaginary_part(Complex<R> a)
{
    return a.y;
}

template <class R>
static inline R square(Complex<R> a)
{
    return a.x * a.x + a.y * a.y;
}

// |x| + |y|, by which pivots are compared: cheaper than the absolute value.
template <class R>
static inline R manhattan(Complex<R> a)
{
    return manhattan(a.x) + manhattan(a.y);
}

template <class R>
static inline R magnitude(Complex<R> a)
{
    return (R)hypot(a.x, a.y);
}

template <class R>
static inline bool is_finite(Complex<R> a)
{
    return is_finite(a.x) && is_finite(a.y);
}

template <class R>
static inline void set(Complex<R> *to, R re, R im)
{
    to->x = re;
    to->y = im;
}

template <class R>
static inline Complex<R> times(Complex<R> a, Complex<R> b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

template <class R>
static inline Complex<R> times(R a, Complex<R> b)
{
    return {a * b.x, a * b.y};
}

template <class R>
static inline Complex<R> plus(Complex<R> a, Complex<R> b)
{
    return {a.x + b.x, a.y + b.y};
}

template <class R>
static inline Complex<R> minus(Complex<R> a, Complex<R> b)
{
    return {a.x - b.x, a.y - b.y};
}

// Scaled by the larger part of b, so that its square can neither overflow nor vanish.
template <class R>
static inline Complex<R> divide(Complex<R> a, Complex<R> b)
{
    if (magnitude(b.x) >= magnitude(b.y))
    {
        const R ratio = b.y / b.x, below = b.x + b.y * ratio;
        return {(a.x + a.y * ratio) / below, (a.y - a.x * ratio) / below};
    }
    const R ratio = b.x / b.y, below = b.x * ratio + b.y;
    return {(a.x * ratio + a.y) / below, (a.y * ratio - a.x) / below};
}

template <class T>
static inline T number(Real<T> re, Real<T> im = 0)
{
    T value;
    set(&value, re, im);
    return value;
}

// ---- Columns ----

// y -= a x
template <class T>
static inline void subtract(size_t n, T a, const T *__restrict__ x, T *__restrict__ y)
{
    for (size_t i = 0; i < n; ++i)
    {
        y[i] = minus(y[i], times(a, x[i]));
    }
}

// The sum of conj(x) y, as four sums: one after the other would wait for each addition.
template <class T>
static inline T dot(size_t n, const T *__restrict__ x, const T *__restrict__ y)
{
    T sums[4] = {};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
    {
        for (int k = 0; k < 4; ++k)
        {
            sums[k] = plus(sums[k], times(conj(x[i + k]), y[i + k]));
        }
    }
    for (; i < n; ++i)
    {
        sums[0] = plus(sums[0], times(conj(x[i]), y[i]));
    }
    return plus(plus(sums[0], sums[1]), plus(sums[2], sums[3]));
}

// The same without conj.
template <class T>
static inline T plain_dot(size_t n, const T *__restrict__ x, const T *__restrict__ y)
{
    T sum = {};
    for (size_t i = 0; i < n; ++i)
    {
        sum = plus(sum, times(x[i], y[i]));
    }
    return sum;
}

template <class T>
static inline Real<T> sum_of_squares(size_t n, const T *x)
{
    Real<T> sum = 0;
    for (size_t i = 0; i < n; ++i)
    {
        sum += square(x[i]);
    }
    return sum;
}

// ---- Householder's reflections ----

// H = I - tau v v^H is unitary, and v[0] = 1. tau and v are chosen so that all of H^H x but its
// first number is 0. That number is real, and is returned. x[1] and on become v[1] and on; x[0]
// stays. The numbers must be neither so large nor so small that their squares overflow or vanish.
template <class T>
static inline Real<T> make_reflection(size_t n, T *x, T *tau)
{
    typedef Real<T> R;
    const R others = sum_of_squares(n - 1, x + 1), re = real_part(x[0]), im = imaginary_part(x[0]);
    if (others == 0 && im == 0)
    {
        *tau = T{};
        return re;
    }
    const R length = root(square(x[0]) + others), beta = re > 0 ? -length : length;
    *tau = number<T>((beta - re) / beta, -im / beta);
    const T above = number<T>(re - beta, im);
    for (size_t i = 1; i < n; ++i)
    {
        x[i] = divide(x[i], above);
    }
    return beta;
}

// y = (I - tau v v^H) y for one column, with v[0] taken for 1.
template <class T>
static inline void reflect(size_t n, T tau, const T *v, T *y)
{
    const T length = times(tau, plus(y[0], dot(n - 1, v + 1, y + 1)));
    y[0] = minus(y[0], length);
    subtract(n - 1, length, v + 1, y + 1);
}

// ---- Workspace ----

// Hands out pieces of the workspace. Without one it only counts.
struct Workspace
{
    char *start = NULL;
    size_t used = 0;

    template <class T>
    T *take(size_t count)
    {
        T *piece = start != NULL ? (T *)(start + used) : NULL;
        used += (count * sizeof(T) + 15) / 16 * 16;
        return piece;
    }
    template <class T>
    size_t count_of() const
    {
        return (used + sizeof(T) - 1) / sizeof(T);
    }
};
