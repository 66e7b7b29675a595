// aos-soa: an array of structures against a structure of arrays
//
// From:    S2 Examples 6.22 and 6.23; section 7.1
// Compile: nvcc -O3 aos-soa.cu
// Run:     ./a.out -n 20000003
// Checks:  72
//
// N elements of 3, 4 or 8 fields can lie in memory in four ways, here with three fields a, b, c:
//   aos      abcabcabc...                   a structure for each element
//   aligned  abc-abc-abc-...                the same, on 16 bytes: one instruction loads them
//   soa      aaaa...bbbb...cccc...          an array for each field
//   aosoa    32 a, 32 b, 32 c, 32 a, ...    a structure for each 32 elements
// A kernel reads one field, or all, or updates all. Of the bytes that a warp's loads bring, the
// degree says how many it wants: of one field; of all, by a single load; of all, by its loads
// together, as sectors that the first brought are still in L1 for the others. The second half of
// the columns is GB/s of wanted bytes, and how often as fast as aos: within L2, and beyond.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include "../common/data.cuh"
#include "../common/versions.cuh" // for show_progress, and it brings args, ceiling, timing, ...

const int MOST_FIELDS = 8;
const int WARP = 32;
const size_t SECTOR_BYTES = 32; // what memory moves at once

// The host keeps the data in plain order too, MOST_FIELDS to an element whatever the layout.
double sum_reference(const real *plain, size_t n, int num_fields)
{
    double sum = 0.0;
    for (int f = 0; f < num_fields; ++f)
    {
        sum += plain[n * MOST_FIELDS + f];
    }
    return sum;
}

// The data has 24 bits, so halving is exact and only the addition rounds: results must be equal.
real update_reference(const real *plain, size_t n, int field)
{
    return (real)(0.5 * plain[n * MOST_FIELDS + field] + 1.0);
}

__host__ __device__ size_t whole_warps(size_t N)
{
    return (N + WARP - 1) / WARP * WARP;
}

const int AOS = 0, ALIGNED = 1, SOA = 2, AOSOA = 3;
const char *const KIND_NAMES[] = {"aos", "aligned", "soa", "aosoa"};

// N elements of F fields. A thread loads the fields of an element one by one, but the aligned
// ones as vectors of 16 bytes. For that an element is padded, as three floats to four.
template <int KIND, int F>
struct Layout
{
    using Vector = std::conditional_t<KIND == ALIGNED, uint4, real>;
    static constexpr int IN_VECTOR = sizeof(Vector) / sizeof(real);
    static constexpr int PADDED = (F + IN_VECTOR - 1) / IN_VECTOR * IN_VECTOR;
    real *data;
    size_t N;

    // Where a field of element n lies, counted in reals.
    __host__ __device__ size_t place(size_t n, int field) const
    {
        switch (KIND)
        {
        case SOA: // each array begins with a sector: else 32 elements would straddle one more
            return field * whole_warps(N) + n;
        case AOSOA:
            return (n / WARP * F + field) * WARP + n % WARP;
        default:
            return n * PADDED + field;
        }
    }

    size_t bytes() const
    {
        return PADDED * whole_warps(N) * sizeof(real);
    }

    // One instruction for a vector, because uint4 promises an address that is a multiple of 16. So
    // does a structure declared alignas(16); without the promise it must be loaded field by field.
    __device__ void load(size_t n, real *element) const
    {
        for (int f = 0; f < PADDED; f += IN_VECTOR)
        {
            const Vector vector = *(const Vector *)&data[place(n, f)];
            memcpy(&element[f], &vector, sizeof(vector)); // from register to register
        }
    }

    __device__ void store(size_t n, const real *element) const
    {
        for (int f = 0; f < PADDED; f += IN_VECTOR)
        {
            Vector vector;
            memcpy(&vector, &element[f], sizeof(vector));
            *(Vector *)&data[place(n, f)] = vector;
        }
    }
};

// The kernels are the same for all layouts.
template <int KIND, int F>
__global__ void read_one(Layout<KIND, F> x, real *y)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < x.N)
    {
        y[n] = x.data[x.place(n, 0)];
    }
}

template <int KIND, int F>
__global__ void read_all(Layout<KIND, F> x, real *y)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < x.N)
    {
        real element[x.PADDED], sum = 0;
        x.load(n, element);
        for (int f = 0; f < F; ++f)
        {
            sum += element[f];
        }
        y[n] = sum;
    }
}

template <int KIND, int F>
__global__ void update_all(Layout<KIND, F> x, real *)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < x.N)
    {
        real element[x.PADDED];
        x.load(n, element);
        for (int f = 0; f < F; ++f)
        {
            element[f] = (real)0.5 * element[f] + (real)1.0;
        }
        x.store(n, element);
    }
}

const int READ_ONE = 0, READ_ALL = 1, UPDATE_ALL = 2;

struct Arrays
{
    real *h_plain, *h_x, *h_y, *d_x, *d_y;
    double *reference;
};

// Of the sectors that a warp's loads of so many fields bring, the share that it wants, in per cent.
template <int KIND, int F>
double degree(int num_fields)
{
    const Layout<KIND, F> x = {NULL, WARP};
    bool is_brought[MOST_FIELDS * WARP] = {};
    size_t sectors = 0;
    for (int lane = 0; lane < WARP; ++lane)
    {
        for (int f = 0; f < num_fields; ++f)
        {
            const size_t sector = x.place(lane, f) * sizeof(real) / SECTOR_BYTES;
            sectors += !is_brought[sector];
            is_brought[sector] = true;
        }
    }
    return 100.0 * num_fields * WARP * sizeof(real) / (sectors * SECTOR_BYTES);
}

// Fetches what a kernel has left in x, or else in y, and compares.
template <int KIND, int F>
void check(int operation, const Layout<KIND, F> &h_x, const Arrays *a, size_t N)
{
    char what[64];
    snprintf(what, sizeof(what), "%s, %d fields, operation %d", KIND_NAMES[KIND], F, operation);
    if (operation == UPDATE_ALL)
    {
        size_t wrong = 0;
        CHECK(cudaMemcpy(a->h_x, a->d_x, h_x.bytes(), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < N * F; ++i)
        {
            const size_t n = i / F, field = i % F;
            wrong += h_x.data[h_x.place(n, field)] != update_reference(a->h_plain, n, field);
        }
        check_true(what, wrong == 0);
        return;
    }
    CHECK(cudaMemcpy(a->h_y, a->d_y, N * sizeof(real), cudaMemcpyDeviceToHost));
    for (size_t n = 0; n < N; ++n)
    {
        a->reference[n] = sum_reference(a->h_plain, n, operation == READ_ONE ? 1 : F);
    }
    check_elements(what, a->h_y, a->reference, N, F * REAL_EPSILON);
}

// One row. `aos` keeps the rates of the first, to compare with.
template <int KIND, int F>
void run_layout(const Args *args, Arrays *a, size_t N, double aos[])
{
    typedef Layout<KIND, F> X;
    const X h_x = {a->h_x, N}, d_x = {a->d_x, N};
    show_progress("laying out:", KIND_NAMES[KIND]);
    poison(a->h_x, h_x.bytes());
    for (size_t i = 0; i < N * F; ++i)
    {
        const size_t n = i / F, field = i % F;
        a->h_x[h_x.place(n, field)] = a->h_plain[n * MOST_FIELDS + field];
    }
    CHECK(cudaMemcpy(a->d_x, a->h_x, h_x.bytes(), cudaMemcpyHostToDevice));
    printf("%6d  %-8s  %4.0f %5.0f %5.0f", F, KIND_NAMES[KIND], degree<KIND, F>(1),
           degree<KIND, F>(X::IN_VECTOR < F ? X::IN_VECTOR : F), degree<KIND, F>(F));

    void (*const kernels[])(X, real *) = {read_one<KIND, F>, read_all<KIND, F>,
                                          update_all<KIND, F>};
    const size_t moved[] = {2, F + 1, 2 * F}; // fields an element, read and written
    const unsigned int block_size = args->block_x, grid_size = (N + block_size - 1) / block_size;
    for (int operation : {READ_ONE, READ_ALL, UPDATE_ALL})
    {
        const auto launch = [&]
        {
            kernels[operation]<<<grid_size, block_size>>>(d_x, a->d_y);
        };
        CHECK(cudaMemset(a->d_y, POISON_BYTE, N * sizeof(real)));
        launch();
        CHECK_LAUNCH();
        check(operation, h_x, a, N);

        const double ms = time_kernel(launch, args->repeats).median;
        const double rate = moved[operation] * N * sizeof(real) / ms * 1e-6;
        aos[operation] = KIND == AOS ? rate : aos[operation];
        printf("  %7.1f %5.2f", rate, rate / aos[operation]);
    }
    printf("\n");
}

template <int F>
void run_fields(const Args *args, Arrays *a, size_t N)
{
    double aos[3];
    run_layout<AOS, F>(args, a, N, aos);
    run_layout<ALIGNED, F>(args, a, N, aos);
    run_layout<SOA, F>(args, a, N, aos);
    run_layout<AOSOA, F>(args, a, N, aos);
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(20000003, 40009);
    args.bytes_per_element = (MOST_FIELDS + 1) * sizeof(real);
    args.bytes_on_host = (2 * MOST_FIELDS + 1) * sizeof(real) + sizeof(double);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "aos-soa: an array of structures against a structure of arrays");

    const size_t y_bytes = args.N * sizeof(real),
                 x_bytes = MOST_FIELDS * whole_warps(args.N) * sizeof(real);
    Arrays a;
    a.h_plain = (real *)malloc(x_bytes);
    a.h_x = (real *)malloc(x_bytes);
    a.h_y = (real *)malloc(y_bytes);
    a.reference = (double *)malloc(args.N * sizeof(double));
    CHECK(cudaMalloc(&a.d_x, x_bytes));
    CHECK(cudaMalloc(&a.d_y, y_bytes));
    fill_random(a.h_plain, args.N * MOST_FIELDS, args.seed);

    int device;
    CHECK(cudaGetDevice(&device));
    const double l2_bytes = device_attribute(cudaDevAttrL2CacheSize, device);
    print_device();
    printf("L2 cache: %.1f MB; %s, median of %zu repeats; GB/s of wanted bytes\n", l2_bytes * 1e-6,
           REAL_NAME, args.repeats);
    printf("                      degree, %%         read one       read all     update all\n"
           "fields  layout     one  load   all     GB/s x aos     GB/s x aos     GB/s x aos\n");
    for (size_t N : {args.N / 32, args.N})
    {
        if (N > 0)
        {
            const size_t most = (MOST_FIELDS + 1) * N * sizeof(real);
            printf("N = %zu: 8 fields and y take %.3g MB, %s L2; copy ceiling %.1f GB/s\n", N,
                   most * 1e-6, most <= l2_bytes ? "within" : "beyond", copy_ceiling(most));
            run_fields<3>(&args, &a, N);
            run_fields<4>(&args, &a, N);
            run_fields<8>(&args, &a, N);
        }
    }

    CHECK(cudaFree(a.d_x));
    CHECK(cudaFree(a.d_y));
    free(a.h_plain);
    free(a.h_x);
    free(a.h_y);
    free(a.reference);
    return verdict();
}
