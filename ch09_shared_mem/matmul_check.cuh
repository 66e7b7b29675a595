// The product of two matrices, C = A B: its data, and how to check it at any size.
//
// A has M rows and K columns, B has K and N, C has M and N; all lie row by row. A whole reference
// takes M N K multiplications on the host, minutes where the device takes milliseconds. Instead,
// each version is checked twice:
//
// 1. On small integers every order of adding is exact, and every row of C is checked at once by
//    multiplying it with a vector r: C r must equal A (B r), which takes M N + N K + M K steps
//    (Freivalds). If each number of r is one of 2^32 at random, a wrong row is missed once in 2^32.
// 2. On the timed data, random in [0, 1), elements are compared with sums in double. Each of K
//    additions and multiplications rounds by epsilon / 2 of at most the whole sum, as no term is
//    negative: the bound is K epsilon times the reference. All rows, or if that takes too long
//    some, one at random out of each stripe of C.
#pragma once
#include <stdint.h>
#include <algorithm>
#include <limits>
#include "../common/data.cuh"
#include "../common/versions.cuh"

const size_t MAX_SIZE = 2000000000; // of M, N and K, so that int holds them, rounded up to tiles
const double REFERENCE_STEPS = 1 << 28;

// Of T on the host and C; the device has A and B of Input, which has fewer digits perhaps.
template <typename T, typename Input = T>
struct Product
{
    size_t M, N, K;
    T *h_A, *h_B, *h_C;
    Input *d_A, *d_B;
    T *d_C;
    uint64_t *A_B_r;   // M numbers, modulo 2^64, which equality survives
    size_t num_rows;   // of the reference
    T *rows;           // those rows of C
    double *reference; // what they should be
    double epsilon = std::numeric_limits<T>::epsilon(); // of the additions
};

inline void refuse_if_more(const Args *args, double bytes, double free, const char *whose)
{
    if (bytes > 0.95 * free && free > 0.0)
    {
        usage_error(args, "that size needs %.4g GB of the %s's memory, which has %.4g GB free",
                    bytes * 1e-9, whose, 0.95 * free * 1e-9);
    }
}

inline double rows_of_reference(const Args *args)
{
    return fmin(args->M, ceil(REFERENCE_STEPS / ((double)args->N * args->K)));
}

// Refuses what does not fit, the host first. (parse_args would take M N K numbers for the size.)
template <typename T, typename Input = T>
void refuse_unfit(const Args *args, double more_on_device = 0.0)
{
    const double M = args->M, N = args->N, K = args->K;
    const double host = sizeof(T) * (M * K + K * N + M * N) + sizeof(Input) * fmax(M, N) * K +
                        rows_of_reference(args) * N * (sizeof(T) + sizeof(double)) +
                        sizeof(uint64_t) * (M + K);
    const double device = sizeof(Input) * (M * K + K * N) + sizeof(T) * M * N + more_on_device;
    refuse_if_more(args, ON_GPU ? host : host + device, free_host_memory(), "host");
    if (fmax(fmax(M, N), K) > MAX_SIZE)
    {
        usage_error(args, "M, N and K are %zu at most", MAX_SIZE);
    }
    if (args->uses_device)
    {
        size_t device_free, device_total;
        CHECK(cudaMemGetInfo(&device_free, &device_total));
        refuse_if_more(args, device, device_free, "device");
    }
}

template <typename T, typename Input>
void allocate_product(Product<T, Input> *p, const Args *args)
{
    p->M = args->M;
    p->N = args->N;
    p->K = args->K;
    p->num_rows = rows_of_reference(args);
    CHECK(cudaMalloc(&p->d_A, p->M * p->K * sizeof(Input)));
    CHECK(cudaMalloc(&p->d_B, p->K * p->N * sizeof(Input)));
    CHECK(cudaMalloc(&p->d_C, p->M * p->N * sizeof(T)));
    p->h_A = (T *)malloc(p->M * p->K * sizeof(T));
    p->h_B = (T *)malloc(p->K * p->N * sizeof(T));
    p->h_C = (T *)malloc(p->M * p->N * sizeof(T));
    p->A_B_r = (uint64_t *)malloc(p->M * sizeof(uint64_t));
    p->rows = (T *)malloc(p->num_rows * p->N * sizeof(T));
    p->reference = (double *)malloc(p->num_rows * p->N * sizeof(double));
}

template <typename T, typename Input>
void free_product(Product<T, Input> *p)
{
    for (void *memory : {(void *)p->h_A, (void *)p->h_B, (void *)p->h_C, (void *)p->A_B_r,
                         (void *)p->rows, (void *)p->reference})
    {
        free(memory);
    }
    CHECK(cudaFree(p->d_A));
    CHECK(cudaFree(p->d_B));
    CHECK(cudaFree(p->d_C));
}

// Number n of the vector r, of a seed that is not likely the data's.
inline uint64_t r(size_t n)
{
    return hash_bits(UINT64_MAX, n) >> 32;
}

template <typename T, typename Input>
void copy_rounded(T *from, Input *to_device, size_t count)
{
    Input *rounded = (Input *)malloc(count * sizeof(Input));
    std::transform(from, from + count, rounded, [](T x) { return (Input)x; });
    CHECK(cudaMemcpy(to_device, rounded, count * sizeof(Input), cudaMemcpyHostToDevice));
    std::transform(rounded, rounded + count, from, [](Input x) { return (T)x; });
    free(rounded);
}

// To the device, and back to the host what it has become there.
template <typename T, typename Input>
void upload(Product<T, Input> *p)
{
    copy_rounded(p->h_A, p->d_A, p->M * p->K);
    copy_rounded(p->h_B, p->d_B, p->K * p->N);
}

// y = X r or, with another vector of integers instead of r, X times that.
template <typename T, typename Vector>
void multiply_vector(const T *X, size_t rows, size_t columns, Vector vector, uint64_t *y)
{
    for (size_t i = 0; i < rows; ++i)
    {
        y[i] = 0;
        for (size_t j = 0; j < columns; ++j)
        {
            y[i] += (uint64_t)(int64_t)X[i * columns + j] * vector(j);
        }
    }
}

// Small integers, and what C r should be.
template <typename T, typename Input>
void fill_exact(Product<T, Input> *p, size_t seed)
{
    fill_integers(p->h_A, p->M * p->K, 2 * seed);
    fill_integers(p->h_B, p->K * p->N, 2 * seed + 1);
    upload(p);
    uint64_t *B_r = (uint64_t *)malloc(p->K * sizeof(uint64_t));
    multiply_vector(p->h_B, p->K, p->N, r, B_r);
    multiply_vector(
        p->h_A, p->M, p->K, [&](size_t k) { return B_r[k]; }, p->A_B_r);
    free(B_r);
}

// Whether row i of C is made of integers, and times r is what it should be.
template <typename T, typename Input>
bool is_exact(const Product<T, Input> *p, size_t i)
{
    const T *row = p->h_C + i * p->N;
    for (size_t j = 0; j < p->N; ++j)
    {
        if (!(fabs(row[j]) < 1e15 && row[j] == floor(row[j])))
        {
            return false;
        }
    }
    uint64_t C_r;
    multiply_vector(row, 1, p->N, r, &C_r);
    return C_r == p->A_B_r[i];
}

template <typename Problem>
Outcome check_exact(const Problem *p, const Version<Problem> *version)
{
    size_t wrong = 0, first = 0;
    for (size_t i = p->M; i-- > 0;)
    {
        if (!is_exact(p, i))
        {
            first = i;
            ++wrong;
        }
    }
    char text[256];
    snprintf(text, sizeof(text), "%s, on integers: row %zu of C; %zu of %zu are wrong",
             version->name, first, wrong, p->M);
    check_true(text, wrong == 0);
    return {};
}

// Row number s of the reference is this one of C: at random out of stripe s of num_rows.
template <typename T, typename Input>
size_t row_of_stripe(const Product<T, Input> *p, size_t s)
{
    const size_t first = s * p->M / p->num_rows, end = (s + 1) * p->M / p->num_rows;
    return first + random_below(1, s, end - first);
}

// Random numbers, as Input holds them, and the reference's rows of their product. Returns the ms
// that one core of the host would take for all rows, going by these.
template <typename T, typename Input>
double fill_rounded(Product<T, Input> *p, size_t seed)
{
    fill_random(p->h_A, p->M * p->K, 2 * seed);
    fill_random(p->h_B, p->K * p->N, 2 * seed + 1);
    upload(p);
    const double start = host_clock();
    for (size_t s = 0; s < p->num_rows; ++s)
    {
        const T *a = p->h_A + row_of_stripe(p, s) * p->K;
        double *c = p->reference + s * p->N;
        memset(c, 0, p->N * sizeof(double));
        for (size_t k = 0; k < p->K; ++k)
        {
            for (size_t j = 0; j < p->N; ++j)
            {
                c[j] += (double)a[k] * p->h_B[k * p->N + j];
            }
        }
    }
    return (host_clock() - start) * p->M / p->num_rows;
}

template <typename Problem>
Outcome check_rounded(const Problem *p, const Version<Problem> *version)
{
    double largest = 0.0;
    for (size_t s = 0; s < p->num_rows; ++s)
    {
        memcpy(p->rows + s * p->N, p->h_C + row_of_stripe(p, s) * p->N, p->N * sizeof(*p->rows));
    }
    for (size_t i = 0; i < p->num_rows * p->N; ++i)
    {
        largest = fmax(largest, fabs(p->rows[i] / p->reference[i] - 1.0));
    }
    check_elements(version->name, p->rows, p->reference, p->num_rows * p->N, p->K * p->epsilon);
    return {NAN, largest};
}
