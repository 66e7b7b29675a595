// math-functions: how wrong and how fast: functions of float and double, and the fast intrinsics
//
// From:    section 5.3
// Compile: nvcc -O3 math-functions.cu
// Run:     ./a.out
//
// The error is given in ulp: units in the last place. One ulp is the distance from a float (or a
// double) to the next one. Rounding alone costs up to half a unit, so no function has an error
// below 0.5 ulp everywhere. NVIDIA's Programming Guide says how far from the rounded result each
// function may be. Here the allowed error is this bound and half a unit for the rounding.
// A function whose name begins with __ is less exact and faster, for example __sinf. Some of these
// have an absolute bound, which promises nothing for results near zero. The names that end in a
// rounding, for example __fsqrt_rn, are an exception: they are exact to the last bit. On a CPU the
// functions of the C library run in their place.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const int ROUNDS = ON_GPU ? 256 : 4; // so many evaluations a thread that memory does not count
const double PI = 3.14159265358979323846;
const double HALF = 0.501; // for the rounding; the reference itself is wrong by up to 1/2048 ulp
const double C_LIBRARY = ON_GPU ? 0 : 3; // glibc allows tanh and cbrt so many ulp more

static size_t N;
static unsigned int grid_size, block_size;
static void *h_x, *h_y, *h_z, *d_x, *d_y, *d_z; // floats or doubles: N of them have room

// One of the two types.
struct Type
{
    const char *name;
    size_t size;
    int digits, min_exponent; // as FLT_MANT_DIG and FLT_MIN_EXP of float.h
};
const Type FLOAT = {"float", sizeof(float), FLT_MANT_DIG, FLT_MIN_EXP};
const Type DOUBLE = {"double", sizeof(double), DBL_MANT_DIG, DBL_MIN_EXP};

double get(const Type *type, const void *x, size_t n)
{
    return type == &FLOAT ? ((const float *)x)[n] : ((const double *)x)[n];
}

void set(const Type *type, void *x, size_t n, double value)
{
    if (type == &FLOAT)
    {
        ((float *)x)[n] = value;
    }
    else
    {
        ((double *)x)[n] = value;
    }
}

typedef long double Exact;

Exact divide(Exact x, Exact y) { return x / y; }

Exact reciprocal_root(Exact x) { return 1 / sqrtl(x); }

// The range of x, and of y where there is one, in which a function is tried. And the exact result,
// by a function of x or of x and y.
struct Domain
{
    double low, high;
    Exact (*of_x)(Exact);
    Exact (*of_x_y)(Exact, Exact);
};
const Domain SINE = {-PI, PI, sinl};
const Domain FAR_SINE = {-1e4, 1e4, sinl};
const Domain COSINE = {-PI, PI, cosl};
const Domain EXP = {-10, 10, expl};
const Domain LOG = {2, 1e6, logl};
const Domain LOG_AT_1 = {0.5, 2, logl};
const Domain POW = {0.5, 2, NULL, powl};
const Domain DIVIDE = {1, 1e3, NULL, divide};
const Domain SQRT = {0, 1e6, sqrtl};
const Domain RSQRT = {1e-3, 1e6, reciprocal_root};
const Domain CBRT = {-1e6, 1e6, cbrtl};
const Domain TANH = {-5, 5, tanhl};
const Domain ERF = {-3, 3, erfl};

// How far from the rounded result a function may be: so many ulp, and per_x ulp more for each unit
// of |x|; or an absolute distance.
struct Bound
{
    double ulps, per_x, absolute;
};

Bound ulps(double ulps) { return {ulps, 0.0, 0.0}; }

Bound ulps_and_per_x(double ulps, double per_x) { return {ulps, per_x, 0.0}; }

Bound absolute(double error) { return {0.0, 0.0, error}; }

// A name for each function, its type, what it computes, where it is tried, and NVIDIA's bound.
// NVIDIA has no bound for __sinf beyond pi, so 2 stands there, and any result passes. The bound of
// __powf is ours: those of exp2f and __log2f together. A function that rounds down (_rd) is exact,
// and so up to a whole unit below the result.
#define FUNCTIONS(F)                                                   \
    F(Sinf, float, sinf(x), SINE, ulps(2))                             \
    F(SinfFast, float, __sinf(x), SINE, absolute(exp2(-21.41)))        \
    F(Sin, double, sin(x), SINE, ulps(2))                              \
    F(SinfFar, float, sinf(x), FAR_SINE, ulps(2))                      \
    F(SinfFastFar, float, __sinf(x), FAR_SINE, absolute(2))            \
    F(SinFar, double, sin(x), FAR_SINE, ulps(2))                       \
    F(Cosf, float, cosf(x), COSINE, ulps(2))                           \
    F(CosfFast, float, __cosf(x), COSINE, absolute(exp2(-21.19)))      \
    F(Cos, double, cos(x), COSINE, ulps(2))                            \
    F(Expf, float, expf(x), EXP, ulps(2))                              \
    F(ExpfFast, float, __expf(x), EXP, ulps_and_per_x(2, 1.173))       \
    F(Exp, double, exp(x), EXP, ulps(1))                               \
    F(Logf, float, logf(x), LOG, ulps(1))                              \
    F(LogfFast, float, __logf(x), LOG, ulps(3))                        \
    F(Log, double, log(x), LOG, ulps(1))                               \
    F(LogfAt1, float, logf(x), LOG_AT_1, ulps(1))                      \
    F(LogfFastAt1, float, __logf(x), LOG_AT_1, absolute(exp2(-21.41))) \
    F(LogAt1, double, log(x), LOG_AT_1, ulps(1))                       \
    F(Powf, float, powf(x, y), POW, ulps(4))                           \
    F(PowfFast, float, __powf(x, y), POW, ulps(12))                    \
    F(Pow, double, pow(x, y), POW, ulps(2))                            \
    F(Dividef, float, x / y, DIVIDE, ulps(0))                          \
    F(DividefFast, float, __fdividef(x, y), DIVIDE, ulps(2))           \
    F(Divide, double, x / y, DIVIDE, ulps(0))                          \
    F(Sqrtf, float, sqrtf(x), SQRT, ulps(0))                           \
    F(SqrtfNearest, float, __fsqrt_rn(x), SQRT, ulps(0))               \
    F(SqrtfDown, float, __fsqrt_rd(x), SQRT, ulps(0.5))                \
    F(Sqrt, double, sqrt(x), SQRT, ulps(0))                            \
    F(SqrtNearest, double, __dsqrt_rn(x), SQRT, ulps(0))               \
    F(SqrtDown, double, __dsqrt_rd(x), SQRT, ulps(0.5))                \
    F(Rsqrtf, float, rsqrtf(x), RSQRT, ulps(2))                        \
    F(RsqrtfNearest, float, __frsqrt_rn(x), RSQRT, ulps(0))            \
    F(Rsqrt, double, rsqrt(x), RSQRT, ulps(1))                         \
    F(Cbrtf, float, cbrtf(x), CBRT, ulps(1))                           \
    F(Cbrt, double, cbrt(x), CBRT, ulps(1 + C_LIBRARY))                \
    F(Tanhf, float, tanhf(x), TANH, ulps(2))                           \
    F(Tanh, double, tanh(x), TANH, ulps(1 + C_LIBRARY))                \
    F(Erff, float, erff(x), ERF, ulps(2))                              \
    F(Erf, double, erf(x), ERF, ulps(2))

// z = f(x, y), computed `rounds` times. `zero` is 0, so the arguments never change. The compiler
// does not know that. If it did, it would compute the function only once.
template <typename T, T (*function)(T x, T y)>
__global__ void apply(const T *x, const T *y, T *z, size_t N, int rounds, T zero)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        T a = x[n], b = y[n], result = 0;
        for (int round = 0; round < rounds; ++round)
        {
            result = function(a, b);
            a += zero * result;
            b += zero * result;
        }
        z[n] = result;
    }
}

// For each function of the list: the function itself, and the launch of the kernel that calls it.
#define DEFINE(Name, T, expression, domain, bound)                                             \
    __device__ T Name(T x, T y)                                                                \
    {                                                                                          \
        (void)y;                                                                               \
        return expression;                                                                     \
    }                                                                                          \
    void run_##Name(void)                                                                      \
    {                                                                                          \
        apply<T, Name><<<grid_size, block_size>>>((T *)d_x, (T *)d_y, (T *)d_z, N, ROUNDS, 0); \
    }
FUNCTIONS(DEFINE)

struct Errors
{
    double ulps, absolute; // the largest error, in ulp and as it is
    double of_allowed;     // the largest error as a fraction of the allowed one
};

double unit_in_last_place(const Type *type, Exact value)
{
    const int lowest = type->min_exponent - 1; // below it all numbers are equally far apart
    const int exponent = value == 0 ? lowest : ilogbl(value);
    return ldexp(1.0, (exponent > lowest ? exponent : lowest) - (type->digits - 1));
}

Errors find_errors(const Type *type, const Domain *domain, const Bound *bound)
{
    Errors worst = {0, 0, 0};
    for (size_t n = 0; n < N; ++n)
    {
        const double x = get(type, h_x, n), y = get(type, h_y, n), z = get(type, h_z, n);
        const Exact exact = domain->of_x != NULL ? domain->of_x(x) : domain->of_x_y(x, y);
        const double error = fabsl(z - exact), ulp = unit_in_last_place(type, exact);
        const double in_ulps = bound->ulps + floor(bound->per_x * fabs(x)) + HALF;
        const double allowed = in_ulps * ulp + bound->absolute;
        if (!isfinite(error))
        {
            return {NAN, NAN, NAN};
        }
        worst.ulps = fmax(worst.ulps, error / ulp);
        worst.absolute = fmax(worst.absolute, error);
        worst.of_allowed = fmax(worst.of_allowed, error / allowed);
    }
    return worst;
}

void print_row(const char *type, const char *name, const Domain *domain, const Bound *bound,
               const Errors *errors, double rate)
{
    char range[32], allowed[64], per_x[32] = "";
    const bool in_ulps = bound->absolute == 0.0;
    if (bound->per_x > 0.0)
    {
        snprintf(per_x, sizeof(per_x), " + %g|x|", bound->per_x);
    }
    snprintf(range, sizeof(range), "%.3g ... %.3g", domain->low, domain->high);
    snprintf(allowed, sizeof(allowed), "%.3g%s %s", in_ulps ? bound->ulps + 0.5 : bound->absolute,
             per_x, in_ulps ? "ulp" : "absolute");
    put_text(type);
    put_text(name);
    put_text(range);
    put(errors->ulps);
    put(errors->absolute);
    put_text(allowed);
    put(rate);
    end_row();
}

// Whether all numbers lie in the domain, and where they are many, some of them at each of its ends.
bool is_right_sample(const Type *type, const Domain *domain, const void *x)
{
    const double low = type == &FLOAT ? (float)domain->low : domain->low; // as numbers of the type
    const double high = type == &FLOAT ? (float)domain->high : domain->high;
    double least = INFINITY, most = -INFINITY;
    for (size_t n = 0; n < N; ++n)
    {
        least = fmin(least, get(type, x, n));
        most = fmax(most, get(type, x, n));
    }
    const double end = (domain->high - domain->low) / 100;
    const bool fills = least < domain->low + end && most > domain->high - end;
    return least >= low && most <= high && (fills || N < 10000);
}

// Random numbers of the domain.
void fill_domain(const Type *type, const Domain *domain, void *x, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        set(type, x, n, domain->low + (domain->high - domain->low) * random_unit(seed, n));
    }
}

// A row of the table: computes the function for N numbers, prints its errors and its rate, and
// compares the errors with the bound.
void measure(const char *name, const Type *type, void (*run)(void), const Domain *domain,
             Bound bound)
{
    const size_t bytes = N * type->size;
    fill_domain(type, domain, h_x, args.seed);
    fill_domain(type, domain, h_y, args.seed + 1);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));

    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run();
    }
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));

    const Errors errors = find_errors(type, domain, &bound);
    print_row(type->name, name, domain, &bound, &errors, rate_of((double)N * ROUNDS, timer.median));
    check_true(name, errors.of_allowed <= 1.0);
    check_true("x and y fill the domain",
               is_right_sample(type, domain, h_x) && is_right_sample(type, domain, h_y));
}

__device__ float sum(float x, float y) { return x + y; }

// The rates are right only if the kernel computes as often as it is asked to. From x = 1 and y = 3,
// and with 1 for `zero`, the sum is 4, then 12, then 36: three times as large in each round.
void check_rounds(void)
{
    const float one = 1.0f, three = 3.0f;
    float z;
    CHECK(cudaMemcpy(d_x, &one, sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, &three, sizeof(float), cudaMemcpyHostToDevice));
    apply<float, sum><<<1, 1>>>((float *)d_x, (float *)d_y, (float *)d_z, 1, 10, 1.0f);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&z, d_z, sizeof(float), cudaMemcpyDeviceToHost));
    check_true("as many rounds as asked for", z == 4.0f * 19683.0f); // 3^9
}

int main(int argc, char **argv)
{
    args.N = default_size(500000, 20000);
    args.bytes_per_element = 3 * sizeof(double);
    args.columns =
        "  x         the range of the arguments\n"
        "  ulp       the largest error, in units in the last place\n"
        "  absolute  the largest error as it is\n"
        "  allowed   the largest error that NVIDIA allows, and half a unit for the rounding\n"
        "  Gop/s     evaluations of the function, in 10^9 a second\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "math-functions: how wrong and how fast: functions of float and double, and the "
               "fast intrinsics");
    print_device();
    N = args.N;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;

    const size_t bytes = N * sizeof(double);
    h_x = malloc(bytes);
    h_y = malloc(bytes);
    h_z = malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));

    check_rounds();
    print_timed_note("largest errors of %zu values, median of %zu repeats\n", N, args.repeats);
    const Column COLUMNS[] = {{"type", "%-7s"},  {"function", "%-16s"}, {"x", "%17s"},
                              {"ulp", "%14.3f"}, {"absolute", "%9.1e"}, {"allowed", "%20s"},
                              {"Gop/s", "%9.4g"}};
    begin_timed_table(COLUMNS, 7);
    // a row for each function of the list
#define MEASURE(Name, T, expression, domain, bound) \
    measure(#expression, sizeof(T) == sizeof(float) ? &FLOAT : &DOUBLE, run_##Name, &domain, bound);
    FUNCTIONS(MEASURE)

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    return verdict();
}
