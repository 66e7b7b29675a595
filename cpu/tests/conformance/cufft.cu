// cuFFT: plans, layouts, types, statuses, streams and work areas. A transform is compared with the
// sum that defines it, within bounds; arrays have other numbers between their elements, which stay.
// Libs: -lcufft
#include <cuda_runtime.h>
#include <cufft.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <complex>
#include <vector>
#include "expect.cuh"

typedef std::complex<double> Number;

static unsigned random_state = 1;

// Multiples of 1/256 between -1 and 1: floats and doubles hold the same number.
static double random_number()
{
    random_state = random_state * 1664525u + 1013904223u;
    return (double)(int)(random_state >> 23) / 256.0 - 1.0;
}

// ---- The reference ----

// The sum of one signal whose numbers are `stride` apart, in place.
static void transform_signal(Number *x, long long stride, int n, int sign)
{
    std::vector<Number> roots(n), X(n);
    for (int k = 0; k < n; ++k)
    {
        const double angle = sign * 2.0 * 3.14159265358979323846 * ((double)k / n);
        roots[k] = Number(cos(angle), sin(angle));
    }
    for (int k = 0; k < n; ++k)
    {
        for (long long j = 0; j < n; ++j)
        {
            X[k] += x[j * stride] * roots[j * k % n];
        }
    }
    for (int k = 0; k < n; ++k)
    {
        x[k * stride] = X[k];
    }
}

// What is transformed.
struct Problem
{
    int rank, n[3], batch;
};

static long long size_of(const Problem &p)
{
    return (long long)p.n[0] * p.n[1] * p.n[2]; // those beyond the rank are 1
}

static void transform_all(std::vector<Number> &x, const Problem &p, int sign)
{
    const long long size = size_of(p);
    long long stride = size;
    for (int d = 0; d < p.rank; ++d)
    {
        stride /= p.n[d];
        for (long long i = 0; i < (long long)x.size(); ++i)
        {
            if (i / stride % p.n[d] == 0)
            {
                transform_signal(&x[i], stride, p.n[d], sign);
            }
        }
    }
}

// ---- Arrays with a layout ----

enum Kind
{
    FORWARD,
    INVERSE,
    TO_COMPLEX,
    TO_REAL
};

const unsigned char UNTOUCHED = 0x5a;

struct Side
{
    bool is_real;
    int last; // extent of the last dimension: n or n/2 + 1
    int embed[3], stride, distance;
};

// Dense, or with room between the numbers, the rows and the signals.
static Side side_of(const Problem &p, bool is_real, bool is_half, bool spread, bool padded)
{
    const int last = p.rank - 1, n = p.n[last];
    Side side = {is_real, is_half ? n / 2 + 1 : n, {p.n[0], p.n[1], p.n[2]}, spread ? 3 : 1, 0};
    side.embed[last] = side.last + (spread ? 2 : 0);
    if (padded && is_real)
    {
        side.embed[last] = 2 * (n / 2 + 1);
    }
    side.distance = side.stride;
    for (int d = 0; d < p.rank; ++d)
    {
        side.embed[d] += spread && d < last;
        side.distance *= side.embed[d];
    }
    side.distance += spread ? 5 : 0;
    return side;
}

// Where number i of signal b is.
static long long place(const Problem &p, const Side &side, long long b, long long i)
{
    long long row = i / side.last, index[3] = {};
    for (int d = p.rank - 2; d >= 0; --d)
    {
        index[d] = row % p.n[d];
        row /= p.n[d];
    }
    index[p.rank - 1] = i % side.last;
    long long at = 0;
    for (int d = 0; d < p.rank; ++d)
    {
        at = at * side.embed[d] + index[d];
    }
    return b * side.distance + at * side.stride;
}

static cufftType type_of(Kind kind, bool is_double)
{
    const cufftType floats[] = {CUFFT_C2C, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R};
    const cufftType doubles[] = {CUFFT_Z2Z, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
    return is_double ? doubles[kind] : floats[kind];
}

static cufftResult execute(cufftHandle plan, Kind kind, bool is_double, void *in, void *out)
{
    const int direction = kind == INVERSE ? CUFFT_INVERSE : CUFFT_FORWARD;
    switch (type_of(kind, is_double))
    {
    case CUFFT_C2C:
        return cufftExecC2C(plan, (cufftComplex *)in, (cufftComplex *)out, direction);
    case CUFFT_R2C:
        return cufftExecR2C(plan, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_C2R:
        return cufftExecC2R(plan, (cufftComplex *)in, (cufftReal *)out);
    case CUFFT_Z2Z:
        return cufftExecZ2Z(plan, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, direction);
    case CUFFT_D2Z:
        return cufftExecD2Z(plan, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    default:
        return cufftExecZ2D(plan, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    }
}

static void set(std::vector<unsigned char> &array, bool is_double, bool is_real, long long at,
                Number value)
{
    const double parts[] = {value.real(), value.imag()};
    for (int i = 0; i < (is_real ? 1 : 2); ++i)
    {
        const long long index = is_real ? at : 2 * at + i;
        if (is_double)
        {
            ((double *)array.data())[index] = parts[i];
        }
        else
        {
            ((float *)array.data())[index] = (float)parts[i];
        }
    }
}

// The number there; its bytes are then marked as untouched, which is what the others must be.
static Number take(std::vector<unsigned char> &array, bool is_double, bool is_real, long long at)
{
    double parts[2] = {};
    for (int i = 0; i < (is_real ? 1 : 2); ++i)
    {
        const long long index = is_real ? at : 2 * at + i;
        parts[i] = is_double ? ((double *)array.data())[index] : ((float *)array.data())[index];
        const size_t bytes = is_double ? 8 : 4;
        memset(array.data() + index * bytes, UNTOUCHED, bytes);
    }
    return Number(parts[0], parts[1]);
}

// Whether one transform is right.
static bool is_right(const Problem &p, Kind kind, bool is_double, bool spread, bool in_place)
{
    const bool from_real = kind == TO_COMPLEX, to_real = kind == TO_REAL;
    const long long size = size_of(p), rows = size / p.n[p.rank - 1];
    std::vector<Number> x(size * p.batch), X;
    for (Number &number : x)
    {
        number.real(random_number());
        number.imag(from_real || to_real ? 0.0 : random_number());
    }
    X = x;
    transform_all(X, p, kind == INVERSE ? 1 : -1);
    if (to_real) // from X back to x, which comes out N times as large
    {
        x.swap(X);
        for (Number &number : X)
        {
            number *= (double)size;
        }
    }

    const Side in = side_of(p, from_real, to_real, spread, in_place);
    const Side out = side_of(p, to_real, from_real, spread, in_place);
    const size_t each = is_double ? 8 : 4;
    size_t in_bytes = (size_t)in.distance * p.batch * (from_real ? 1 : 2) * each;
    size_t out_bytes = (size_t)out.distance * p.batch * (to_real ? 1 : 2) * each;
    in_bytes = in_place && out_bytes > in_bytes ? out_bytes : in_bytes;
    std::vector<unsigned char> h_in(in_bytes, UNTOUCHED), h_out(out_bytes);
    const auto n_of_row = [&](const Side &side, long long i)
    {
        return i / side.last * p.n[p.rank - 1] + i % side.last;
    };
    for (long long b = 0; b < p.batch; ++b)
    {
        for (long long i = 0; i < rows * in.last; ++i)
        {
            set(h_in, is_double, from_real, place(p, in, b, i), x[b * size + n_of_row(in, i)]);
        }
    }
    void *d_in, *d_out;
    cudaMalloc(&d_in, in_bytes);
    cudaMalloc(&d_out, out_bytes);
    cudaMemcpy(d_in, h_in.data(), in_bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_out, UNTOUCHED, out_bytes);

    cufftHandle plan;
    int n[3] = {p.n[0], p.n[1], p.n[2]}, in_embed[3], out_embed[3];
    memcpy(in_embed, in.embed, sizeof(in_embed));
    memcpy(out_embed, out.embed, sizeof(out_embed));
    void *d_result = in_place ? d_in : d_out;
    const bool has_layout = spread || in_place;
    bool right =
        cufftPlanMany(&plan, p.rank, n, has_layout ? in_embed : NULL, in.stride, in.distance,
                      has_layout ? out_embed : NULL, out.stride, out.distance,
                      type_of(kind, is_double), p.batch) == CUFFT_SUCCESS &&
        execute(plan, kind, is_double, d_in, d_result) == CUFFT_SUCCESS &&
        cudaMemcpy(h_out.data(), d_result, out_bytes, cudaMemcpyDeviceToHost) == cudaSuccess;

    double difference = 0.0, norm = 0.0;
    for (long long b = 0; b < p.batch; ++b)
    {
        for (long long i = 0; i < rows * out.last; ++i)
        {
            const Number should = X[b * size + n_of_row(out, i)];
            const Number is = take(h_out, is_double, to_real, place(p, out, b, i));
            difference += std::norm(is - should);
            norm += std::norm(should);
        }
    }
    for (size_t i = 0; i < out_bytes && !in_place; ++i)
    {
        right = right && h_out[i] == UNTOUCHED;
    }
    right = right && sqrt(difference) <= (is_double ? 5e-15 : 1e-6) * sqrt(norm);
    if (!right)
    {
        printf("  %d x %d x %d, batch %d, kind %d, %s%s%s: relative error %g\n", p.n[0], p.n[1],
               p.n[2], p.batch, (int)kind, is_double ? "double" : "float", spread ? ", spread" : "",
               in_place ? ", in place" : "", sqrt(difference / norm));
    }
    cufftDestroy(plan);
    cudaFree(d_in);
    cudaFree(d_out);
    return right;
}

static void try_problems(const char *what, const std::vector<Problem> &problems)
{
    const char *const names[] = {"forward", "inverse", "real to complex", "complex to real"};
    for (const Kind kind : {FORWARD, INVERSE, TO_COMPLEX, TO_REAL})
    {
        bool dense = true, spread = true, in_place = true;
        for (const Problem &p : problems)
        {
            for (const bool is_double : {false, true})
            {
                dense = is_right(p, kind, is_double, false, false) && dense;
                spread = is_right(p, kind, is_double, true, false) && spread;
                in_place = is_right(p, kind, is_double, false, true) && in_place;
            }
        }
        char line[96];
        snprintf(line, sizeof(line), "%s, %s, dense", what, names[kind]);
        check(line, dense);
        snprintf(line, sizeof(line), "%s, %s, with strides", what, names[kind]);
        check(line, spread);
        snprintf(line, sizeof(line), "%s, %s, in place", what, names[kind]);
        check(line, in_place);
    }
}

// ---- Handles and statuses ----

static bool is_status(cufftResult got, cufftResult wanted)
{
    if (got != wanted)
    {
        printf("  got status %d, wanted %d\n", (int)got, (int)wanted);
    }
    return got == wanted;
}

static void try_statuses()
{
    cufftHandle plan, other;
    int value = -1, n[] = {8}, zero[] = {0};
    size_t bytes = 0;
    check("version", cufftGetVersion(&value) == CUFFT_SUCCESS && value == CUFFT_VERSION);
    int major = -1, minor = -1, patch = -1;
    bool right = cufftGetProperty(MAJOR_VERSION, &major) == CUFFT_SUCCESS &&
                 cufftGetProperty(MINOR_VERSION, &minor) == CUFFT_SUCCESS &&
                 cufftGetProperty(PATCH_LEVEL, &patch) == CUFFT_SUCCESS;
    check("its parts", right && 1000 * major + 100 * minor + patch == value);
    right = is_status(cufftGetProperty((libraryPropertyType)9, &value), CUFFT_INVALID_TYPE);
    right = is_status(cufftGetProperty(MAJOR_VERSION, NULL), CUFFT_INVALID_VALUE) && right;
    check("no such part", right);

    right = is_status(cufftCreate(NULL), CUFFT_INVALID_VALUE);
    right = is_status(cufftPlan1d(NULL, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE) && right;
    check("no place for the handle", right);
    const auto has_no_length = [&](const char *what, cufftResult status)
    {
        check(what, is_status(status, CUFFT_INVALID_SIZE));
        if (status == CUFFT_SUCCESS)
        {
            cufftDestroy(plan);
        }
    };
    has_no_length("length 0", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    has_no_length("length -8", cufftPlan1d(&plan, -8, CUFFT_C2C, 1));
    has_no_length("length 0, with a layout",
                  cufftPlanMany(&plan, 1, zero, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1));
    // On a GPU a plan of the lengths 8 and 0 is made. The stand-in makes none.
    right = is_status(cufftPlan1d(&plan, 8, (cufftType)7, 1), CUFFT_INVALID_TYPE);
    check("a type that is none", right);
    right = cufftPlanMany(&plan, 0, n, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1) != CUFFT_SUCCESS &&
            cufftPlanMany(&plan, 4, n, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1) != CUFFT_SUCCESS &&
            cufftPlanMany(&plan, 1, NULL, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1) != CUFFT_SUCCESS;
    check("ranks that are none", right);

    cufftComplex *d_x;
    cudaMalloc(&d_x, 16 * sizeof(cufftComplex));
    right = is_status(cufftCreate(&plan), CUFFT_SUCCESS);
    right = cufftExecC2C(plan, d_x, d_x, CUFFT_FORWARD) != CUFFT_SUCCESS && right;
    check("not made yet", right);
    right = is_status(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, NULL), CUFFT_INVALID_VALUE);
    right = is_status(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes), CUFFT_SUCCESS) && right;
    right = is_status(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes), CUFFT_INVALID_PLAN) && right;
    check("made once", right);
    right = is_status(cufftGetSize(plan, &bytes), CUFFT_SUCCESS);
    right = is_status(cufftGetSize(plan, NULL), CUFFT_INVALID_VALUE) && right;
    check("its size", right);
    check("no direction", is_status(cufftExecC2C(plan, d_x, d_x, 5), CUFFT_INVALID_VALUE) &&
                              cudaDeviceSynchronize() == cudaSuccess);
    right = is_status(cufftExecC2C(plan, d_x, d_x, CUFFT_FORWARD), CUFFT_SUCCESS);
    right = cudaDeviceSynchronize() == cudaSuccess && right;
    check("and transformed", right);

    right = is_status(cufftPlan1d(&other, 8, CUFFT_C2C, 1), CUFFT_SUCCESS) && other != plan;
    check("another handle", right);
    right = is_status(cufftDestroy(plan), CUFFT_SUCCESS);
    right = is_status(cufftDestroy(plan), CUFFT_INVALID_PLAN) && right;
    right = is_status(cufftDestroy(CUFFT_PLAN_NULL), CUFFT_SUCCESS) && right;
    check("destroyed once", right);
    right = is_status(cufftExecC2C(plan, d_x, d_x, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    right = is_status(cufftSetStream(plan, 0), CUFFT_INVALID_PLAN) && right;
    right = is_status(cufftSetWorkArea(plan, d_x), CUFFT_INVALID_PLAN) && right;
    right = is_status(cufftSetAutoAllocation(plan, 0), CUFFT_INVALID_PLAN) && right;
    right = is_status(cufftGetSize(plan, &bytes), CUFFT_INVALID_PLAN) && right;
    right = is_status(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes), CUFFT_INVALID_PLAN) && right;
    right = is_status(cufftExecC2C(777, d_x, d_x, CUFFT_FORWARD), CUFFT_INVALID_PLAN) && right;
    check("no such handle", right);
    right = is_status(cufftExecC2C(other, d_x, d_x, CUFFT_INVERSE), CUFFT_SUCCESS);
    right = is_status(cufftDestroy(other), CUFFT_SUCCESS) && right;
    check("the other one stays", right);

    right = is_status(cufftEstimate1d(1000, CUFFT_R2C, 3, &bytes), CUFFT_SUCCESS);
    right = is_status(cufftEstimate2d(10, 20, CUFFT_C2R, &bytes), CUFFT_SUCCESS) && right;
    right = is_status(cufftEstimate3d(4, 5, 6, CUFFT_Z2Z, &bytes), CUFFT_SUCCESS) && right;
    right = is_status(cufftEstimateMany(1, n, NULL, 1, 8, NULL, 1, 8, CUFFT_D2Z, 9, &bytes),
                      CUFFT_SUCCESS) &&
            right;
    check("estimates", right);
    cudaFree(d_x);
}

// A null pointer is refused, or it stops the device as any bad pointer does: then no call of this
// process can succeed any more. So a child makes the call, before this process has called CUDA.
static void try_null_pointer(const char *what, bool no_input)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
    {
        cufftHandle plan;
        cufftComplex *d_x;
        cudaMalloc(&d_x, 8 * sizeof(cufftComplex));
        if (cufftPlan1d(&plan, 8, CUFFT_C2C, 1) != CUFFT_SUCCESS)
        {
            _exit(2);
        }
        const cufftResult status =
            cufftExecC2C(plan, no_input ? NULL : d_x, no_input ? d_x : NULL, CUFFT_FORWARD);
        const cudaError_t error = cudaDeviceSynchronize();
        fprintf(stderr, "%s: status %d, then %s\n", what, (int)status, cudaGetErrorName(error));
        _exit(error != (status == CUFFT_SUCCESS ? cudaErrorIllegalAddress : cudaSuccess));
    }
    int status = -1;
    waitpid(child, &status, 0);
    check(what, WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// ---- Streams, graphs, work areas ----

// x[n] = 1 for n = at, else 0. Its bins are exp(-2 pi i k at / N); for N = 4 they are exact.
__global__ void put_impulse(cufftComplex *x, int at)
{
    x[threadIdx.x] = make_cuComplex((int)threadIdx.x == at ? 1.0f : 0.0f, 0.0f);
}

// Adds 1 to *wrong unless the bins of the impulse at 1 are 1, -i, -1, i.
__global__ void compare_bins(const cufftComplex *X, int *wrong)
{
    const float re[] = {1, 0, -1, 0}, im[] = {0, -1, 0, 1};
    const cufftComplex is = X[threadIdx.x];
    if (fabsf(is.x - re[threadIdx.x]) > 1e-6f || fabsf(is.y - im[threadIdx.x]) > 1e-6f)
    {
        atomicAdd(wrong, 1);
    }
}

static void try_streams()
{
    cufftHandle plan;
    cudaStream_t stream;
    cufftComplex *d_x, *d_X;
    int *d_wrong, wrong = -1;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&d_x, 4 * sizeof(cufftComplex));
    cudaMalloc(&d_X, 4 * sizeof(cufftComplex));
    cudaMalloc(&d_wrong, sizeof(int));
    cudaMemset(d_wrong, 0, sizeof(int));
    cudaDeviceSynchronize();
    bool right = is_status(cufftPlan1d(&plan, 4, CUFFT_C2C, 1), CUFFT_SUCCESS);
    right = is_status(cufftSetStream(plan, stream), CUFFT_SUCCESS) && right;
    const auto enqueue = [&]
    {
        put_impulse<<<1, 4, 0, stream>>>(d_x, 1);
        right = is_status(cufftExecC2C(plan, d_x, d_X, CUFFT_FORWARD), CUFFT_SUCCESS) && right;
        compare_bins<<<1, 4, 0, stream>>>(d_X, d_wrong);
    };
    for (int i = 0; i < 20; ++i)
    {
        enqueue();
    }
    right = cudaStreamSynchronize(stream) == cudaSuccess && right;
    cudaMemcpy(&wrong, d_wrong, sizeof(int), cudaMemcpyDeviceToHost);
    check("between two kernels of a stream", right && wrong == 0);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    enqueue();
    right = cudaStreamEndCapture(stream, &graph) == cudaSuccess && right;
    right = cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess && right;
    for (int i = 0; i < 3; ++i)
    {
        cudaMemset(d_X, 0, 4 * sizeof(cufftComplex));
        cudaDeviceSynchronize();
        right = cudaGraphLaunch(exec, stream) == cudaSuccess && right;
        right = cudaStreamSynchronize(stream) == cudaSuccess && right;
    }
    cudaMemcpy(&wrong, d_wrong, sizeof(int), cudaMemcpyDeviceToHost);
    check("in a graph", right && wrong == 0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cufftDestroy(plan);
    cudaStreamDestroy(stream);
    cudaFree(d_x);
    cudaFree(d_X);
    cudaFree(d_wrong);
}

// Two plans take turns in one work area: there and back is N times the same.
static void try_work_areas()
{
    const int N = 4096 * 9;
    std::vector<cufftDoubleComplex> x(N), back(N);
    for (cufftDoubleComplex &number : x)
    {
        number.x = random_number();
        number.y = random_number();
    }
    cufftHandle forward = 0, inverse = 0;
    size_t bytes = 0, more = 0;
    bool right = cufftCreate(&forward) == CUFFT_SUCCESS && cufftCreate(&inverse) == CUFFT_SUCCESS;
    right = is_status(cufftSetAutoAllocation(forward, 0), CUFFT_SUCCESS) && right;
    right = is_status(cufftSetAutoAllocation(inverse, 0), CUFFT_SUCCESS) && right;
    right = is_status(cufftMakePlan1d(forward, N, CUFFT_Z2Z, 1, &bytes), CUFFT_SUCCESS) && right;
    int n[] = {N};
    right = is_status(cufftMakePlanMany(inverse, 1, n, NULL, 1, N, NULL, 1, N, CUFFT_Z2Z, 1, &more),
                      CUFFT_SUCCESS) &&
            right;
    bytes = bytes < more ? more : bytes;
    void *d_work = NULL;
    cufftDoubleComplex *d_x;
    cudaMalloc(&d_work, bytes > 0 ? bytes : 1);
    cudaMalloc(&d_x, N * sizeof(cufftDoubleComplex));
    cudaMemcpy(d_x, x.data(), N * sizeof(cufftDoubleComplex), cudaMemcpyHostToDevice);
    right = is_status(cufftSetWorkArea(forward, d_work), CUFFT_SUCCESS) && right;
    right = is_status(cufftSetWorkArea(inverse, d_work), CUFFT_SUCCESS) && right;
    right = is_status(cufftExecZ2Z(forward, d_x, d_x, CUFFT_FORWARD), CUFFT_SUCCESS) && right;
    right = is_status(cufftExecZ2Z(inverse, d_x, d_x, CUFFT_INVERSE), CUFFT_SUCCESS) && right;
    cudaMemcpy(back.data(), d_x, N * sizeof(cufftDoubleComplex), cudaMemcpyDeviceToHost);
    double difference = 0.0, norm = 0.0;
    for (int i = 0; i < N; ++i)
    {
        difference += std::norm(Number(back[i].x / N - x[i].x, back[i].y / N - x[i].y));
        norm += std::norm(Number(x[i].x, x[i].y));
    }
    check("a work area of one's own, for two plans", right && sqrt(difference / norm) <= 5e-15);
    cufftDestroy(forward);
    cufftDestroy(inverse);
    cudaFree(d_work);
    cudaFree(d_x);
}

int main()
{
    try_null_pointer("nothing to transform", true);
    try_null_pointer("no place for the result", false);
    std::vector<Problem> lengths;
    for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 25, 31, 37, 49, 64, 100, 121, 127, 360, 509})
    {
        lengths.push_back({1, {n, 1, 1}, n % 4 + 1});
    }
    lengths.push_back({1, {16, 1, 1}, 33});
    lengths.push_back({1, {37, 1, 1}, 17});
    try_problems("one dimension", lengths);
    try_problems("two", {{2, {1, 1, 1}, 1},
                         {2, {2, 3, 1}, 2},
                         {2, {16, 8, 1}, 1},
                         {2, {5, 37, 1}, 3},
                         {2, {41, 6, 1}, 1},
                         {2, {100, 64, 1}, 1}});
    try_problems("three", {{3, {2, 3, 4}, 1}, {3, {8, 4, 16}, 2}, {3, {5, 37, 3}, 1}});
    try_statuses();
    try_streams();
    try_work_areas();
    return num_wrong != 0;
}
