// A = L L^H with L lower triangular, for potrf and for the generalized eigenproblems.
#pragma once
#include "context.cuh"

static const int CHOLESKY_PANEL = 32; // columns that one thread does before the others follow

// Columns first ... first + width - 1. The info is the number of the column, counted from 1, whose
// number on the diagonal is not positive; what follows does nothing then.
template <class T>
static __global__ void cholesky_panel(T *L, size_t ld, int n, int first, int width, int *info)
{
    typedef Real<T> R;
    for (int j = first; j < first + width && *info == 0; ++j)
    {
        T *column = L + j * ld;
        const R square_of = real_part(column[j]);
        if (!(square_of > 0))
        {
            *info = j + 1;
            return;
        }
        const R diagonal = root(square_of);
        column[j] = number<T>(diagonal);
        for (int i = j + 1; i < n; ++i)
        {
            column[i] = times(1 / diagonal, column[i]);
        }
        for (int k = j + 1; k < first + width; ++k)
        {
            subtract(n - k, conj(column[k]), column + k, L + k * ld + k);
        }
    }
}

// The columns after the panel, one for each block.
template <class T>
static __global__ void cholesky_rest(T *L, size_t ld, int n, int first, int width, const int *info)
{
    const int k = first + width + blockIdx.x;
    for (int j = first; j < first + width && *info == 0; ++j)
    {
        const T *column = L + j * ld;
        subtract(n - k, conj(column[k]), column + k, L + k * ld + k);
    }
}

template <class T>
static void factor_cholesky(T *L, size_t ld, int n, int *info, cudaStream_t stream)
{
    for (int first = 0; first < n; first += CHOLESKY_PANEL)
    {
        const int width = n - first < CHOLESKY_PANEL ? n - first : CHOLESKY_PANEL;
        cholesky_panel<T><<<1, 1, 0, stream>>>(L, ld, n, first, width, info);
        if (first + width < n)
        {
            cholesky_rest<T><<<n - first - width, 1, 0, stream>>>(L, ld, n, first, width, info);
        }
    }
}

// Column j of the lower half of `to` from the half of A that is stored, ...
template <class T>
static __global__ void take_lower(const T *A, size_t lda, int n, bool lower, T *to)
{
    const size_t j = blockIdx.x;
    for (size_t i = j; i < (size_t)n; ++i)
    {
        to[j * n + i] = lower ? A[j * lda + i] : conj(A[i * lda + j]);
    }
}

// ... and back.
template <class T>
static __global__ void put_lower(const T *from, int n, bool lower, T *A, size_t lda)
{
    const size_t j = blockIdx.x;
    for (size_t i = j; i < (size_t)n; ++i)
    {
        const T a = from[j * n + i];
        if (lower)
        {
            A[j * lda + i] = a;
        }
        else
        {
            A[i * lda + j] = conj(a);
        }
    }
}

// ---- One column times a factor, or times its inverse ----

template <class T>
static inline void solve_L(int n, const T *L, size_t ld, T *x)
{
    for (int k = 0; k < n; ++k)
    {
        x[k] = divide(x[k], L[k * ld + k]);
        subtract(n - k - 1, x[k], L + k * ld + k + 1, x + k + 1);
    }
}

template <class T>
static inline void solve_L_conj(int n, const T *L, size_t ld, T *x)
{
    for (int k = n; k-- > 0;)
    {
        const T known = dot(n - k - 1, L + k * ld + k + 1, x + k + 1);
        x[k] = divide(minus(x[k], known), conj(L[k * ld + k]));
    }
}

template <class T>
static inline void multiply_L(int n, const T *L, size_t ld, T *x)
{
    for (int k = n; k-- > 0;)
    {
        const T factor = x[k];
        x[k] = times(L[k * ld + k], factor);
        subtract(n - k - 1, times((Real<T>)-1, factor), L + k * ld + k + 1, x + k + 1);
    }
}

template <class T>
static inline void multiply_L_conj(int n, const T *L, size_t ld, T *x)
{
    for (int k = 0; k < n; ++k)
    {
        x[k] = dot(n - k, L + k * ld + k, x + k);
    }
}
