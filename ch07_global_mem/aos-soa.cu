// aos-soa: an array of structures against a structure of arrays
//
// From:    S2 Examples 6.22 and 6.23; section 7.1
// Order:   after gpu-vector
// Compile: nvcc -O3 aos-soa.cu
// Run:     ./a.out -n 20000003
//
// N elements of 3, 4 or 8 fields can lie in memory in four ways, here with three fields a, b, c:
//   aos      abcabcabc...                   a structure for each element
//   aligned  abc-abc-abc-...                the same, but each begins at a multiple of 16 bytes
//   soa      aaaa...bbbb...cccc...          an array for each field
//   aosoa    32 a, 32 b, 32 c, 32 a, ...    a structure of small arrays for each 32 elements
// One kernel reads one field of each element, one reads all fields, one updates all.
//
// The degree is the share of wanted bytes in the sectors that a warp's loads bring. It has three
// columns: for one field, for a single load of read_all, and for all its loads together, because
// the sectors of the first load stay in the L1 cache for the others. Then come GB/s of wanted
// bytes, and the speed compared with aos, for a size within the L2 cache and for one beyond.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <set>
#include "../common/ceiling.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/versions_data.cuh" // for show_progress; brings args, ceiling, timing, ...

const int MOST_FIELDS = 8;
const int WARP = 32;
const size_t SECTOR_BYTES = 32; // what memory transfers at once

// The host also keeps the data in a plain order: MOST_FIELDS to an element, whatever the layout.
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

// ---- An array of structures: x[n].field[f] ----

// Example 6.22.
template <int F>
struct Structure
{
    real field[F];
};

// alignas(16) promises an address that is a multiple of 16, so one instruction can load 16 bytes.
// The last fields fill the structure up: three floats to four, for instance.
template <int F>
struct alignas(16) Aligned
{
    real field[(F * sizeof(real) + 15) / 16 * 16 / sizeof(real)];
};

// Element is one of these two. A warp wants 32 fields that lie one structure apart.
template <typename Element>
__global__ void read_one_aos(const Element *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n].field[0];
    }
}

template <int F, typename Element>
__global__ void read_all_aos(const Element *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const Element element = x[n];
        real sum = 0;
        for (int f = 0; f < F; ++f)
        {
            sum += element.field[f];
        }
        y[n] = sum;
    }
}

template <int F, typename Element>
__global__ void update_all_aos(Element *x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        Element element = x[n];
        for (int f = 0; f < F; ++f)
        {
            element.field[f] = (real)0.5 * element.field[f] + (real)1.0;
        }
        x[n] = element;
    }
}

// ---- A structure of arrays: x.field[f][n] ----

// Example 6.23, with pointers instead of arrays, so that N need not be a constant.
template <int F>
struct Arrays
{
    real *field[F];
};

// A warp wants 32 fields that lie side by side.
template <int F>
__global__ void read_one_soa(Arrays<F> x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x.field[0][n];
    }
}

template <int F>
__global__ void read_all_soa(Arrays<F> x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
        for (int f = 0; f < F; ++f)
        {
            sum += x.field[f][n];
        }
        y[n] = sum;
    }
}

// All fields are loaded before the first is stored. In one loop each load would have to wait for
// the store before it, because for all the compiler knows the arrays might overlap.
template <int F>
__global__ void update_all_soa(Arrays<F> x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real element[F];
        for (int f = 0; f < F; ++f)
        {
            element[f] = x.field[f][n];
        }
        for (int f = 0; f < F; ++f)
        {
            x.field[f][n] = (real)0.5 * element[f] + (real)1.0;
        }
    }
}

// ---- An array of structures of arrays: x[n / 32].field[f][n % 32] ----

template <int F>
struct Tile
{
    real field[F][WARP];
};

// The 32 fields that a warp wants lie side by side, and the other fields of these elements lie next
// to them, in one place instead of F.
template <int F>
__global__ void read_one_aosoa(const Tile<F> *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n / WARP].field[0][n % WARP];
    }
}

template <int F>
__global__ void read_all_aosoa(const Tile<F> *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
        for (int f = 0; f < F; ++f)
        {
            sum += x[n / WARP].field[f][n % WARP];
        }
        y[n] = sum;
    }
}

template <int F>
__global__ void update_all_aosoa(Tile<F> *x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real element[F];
        for (int f = 0; f < F; ++f)
        {
            element[f] = x[n / WARP].field[f][n % WARP];
        }
        for (int f = 0; f < F; ++f)
        {
            x[n / WARP].field[f][n % WARP] = (real)0.5 * element[f] + (real)1.0;
        }
    }
}

// ---- The table ----

// A field of element n, on the host, in each of the layouts.
template <typename Element>
real *place(Element *x, size_t n, int f)
{
    return &x[n].field[f];
}

template <int F>
real *place(Arrays<F> x, size_t n, int f)
{
    return &x.field[f][n];
}

template <int F>
real *place(Tile<F> *x, size_t n, int f)
{
    return &x[n / WARP].field[f][n % WARP];
}

// Of the sectors that a warp's loads of so many fields bring, the share that it wants, in per cent.
template <typename Layout>
double degree(Layout x, int num_fields)
{
    std::set<size_t> sectors;
    for (int lane = 0; lane < WARP; ++lane)
    {
        for (int f = 0; f < num_fields; ++f)
        {
            const size_t reals = place(x, lane, f) - place(x, 0, 0);
            sectors.insert(reals * sizeof(real) / SECTOR_BYTES);
        }
    }
    return 100.0 * num_fields * WARP * sizeof(real) / (sectors.size() * SECTOR_BYTES);
}

struct Memory
{
    real *h_plain, *h_x, *h_y, *d_x, *d_y;
    double *reference;
};

size_t whole_warps(size_t N) { return (N + WARP - 1) / WARP * WARP; }

enum Operation
{
    READ_ONE,
    READ_ALL,
    UPDATE_ALL
};
const char *const OPERATION_NAMES[] = {"read one", "read all", "update all"};

// The first row's rates, in GB/s, with which the others are compared.
struct FirstRow
{
    double rates[3];
};

// Of what the operation left on the device: x in its layout, or y.
template <int F, typename Layout>
void check_operation(const char *layout, Operation operation, const Memory *m, Layout x,
                     size_t bytes, size_t N)
{
    char what[64];
    snprintf(what, sizeof(what), "%s, %d fields, %s", layout, F, OPERATION_NAMES[operation]);
    if (operation == UPDATE_ALL)
    {
        real untouched; // what stands beyond the last element, where the last warp is not full
        poison(&untouched, sizeof(untouched));
        CHECK(cudaMemcpy(m->h_x, m->d_x, bytes, cudaMemcpyDeviceToHost));
        size_t wrong = 0;
        for (size_t i = 0; i < whole_warps(N) * F; ++i)
        {
            const real expected =
                i < N * F ? update_reference(m->h_plain, i / F, i % F) : untouched;
            wrong += *place(x, i / F, i % F) != expected;
        }
        check_true(what, wrong == 0);
    }
    else
    {
        CHECK(cudaMemcpy(m->h_y, m->d_y, N * sizeof(real), cudaMemcpyDeviceToHost));
        for (size_t n = 0; n < N; ++n)
        {
            m->reference[n] = sum_reference(m->h_plain, n, operation == READ_ONE ? 1 : F);
        }
        check_elements(what, m->h_y, m->reference, N, F * REAL_EPSILON);
    }
}

// Two cells of a row.
template <int F, typename Layout, typename Launch>
void show_operation(const char *layout, Operation operation, const Memory *m, Layout x,
                    size_t bytes, size_t N, FirstRow *first, Launch launch)
{
    CHECK(cudaMemset(m->d_y, POISON_BYTE, N * sizeof(real)));
    launch();
    CHECK_LAUNCH();
    check_operation<F>(layout, operation, m, x, bytes, N);

    const size_t moved[] = {2, F + 1, 2 * F}; // fields an element, read and written
    const double ms = time_kernel(launch, args.repeats).median;
    const double rate = moved[operation] * N * sizeof(real) / ms * 1e-6;
    if (isnan(first->rates[operation]))
    {
        first->rates[operation] = rate;
    }
    printf("  %7.1f %5.2f", rate, rate / first->rates[operation]);
}

// A row: x is the layout on the host, and one load of read_all brings so many fields.
template <int F, typename Layout, typename ReadOne, typename ReadAll, typename UpdateAll>
void show_layout(const char *layout, const Memory *m, Layout x, size_t bytes, int fields_of_load,
                 size_t N, FirstRow *first, ReadOne read_one, ReadAll read_all,
                 UpdateAll update_all)
{
    show_progress("laying out:", layout);
    poison(m->h_x, bytes);
    for (size_t i = 0; i < N * F; ++i)
    {
        *place(x, i / F, i % F) = m->h_plain[i / F * MOST_FIELDS + i % F];
    }
    CHECK(cudaMemcpy(m->d_x, m->h_x, bytes, cudaMemcpyHostToDevice));
    printf("%6d  %-8s  %4.0f %5.0f %5.0f", F, layout, degree(x, 1), degree(x, fields_of_load),
           degree(x, F));

    show_operation<F>(layout, READ_ONE, m, x, bytes, N, first, read_one);
    show_operation<F>(layout, READ_ALL, m, x, bytes, N, first, read_all);
    show_operation<F>(layout, UPDATE_ALL, m, x, bytes, N, first, update_all);
    printf("\n");
}

// The four rows of elements with F fields.
template <int F>
void show_fields(const Memory *m, size_t N)
{
    const unsigned int block_size = args.block_x, grid_size = (N + block_size - 1) / block_size;
    real *d_y = m->d_y;
    FirstRow first = {{NAN, NAN, NAN}};

    Structure<F> *d_aos = (Structure<F> *)m->d_x;
    show_layout<F>(
        "aos", m, (Structure<F> *)m->h_x, whole_warps(N) * sizeof(Structure<F>), 1, N, &first,
        [=] { read_one_aos<<<grid_size, block_size>>>(d_aos, d_y, N); },
        [=] { read_all_aos<F><<<grid_size, block_size>>>(d_aos, d_y, N); },
        [=] { update_all_aos<F><<<grid_size, block_size>>>(d_aos, N); });

    Aligned<F> *d_aligned = (Aligned<F> *)m->d_x;
    show_layout<F>(
        "aligned", m, (Aligned<F> *)m->h_x, whole_warps(N) * sizeof(Aligned<F>),
        std::min(F, (int)(16 / sizeof(real))), N, &first,
        [=] { read_one_aos<<<grid_size, block_size>>>(d_aligned, d_y, N); },
        [=] { read_all_aos<F><<<grid_size, block_size>>>(d_aligned, d_y, N); },
        [=] { update_all_aos<F><<<grid_size, block_size>>>(d_aligned, N); });

    // Each array begins with a sector. Otherwise 32 elements would lie in one sector more.
    Arrays<F> h_soa, d_soa;
    for (int f = 0; f < F; ++f)
    {
        h_soa.field[f] = m->h_x + f * whole_warps(N);
        d_soa.field[f] = m->d_x + f * whole_warps(N);
    }
    show_layout<F>(
        "soa", m, h_soa, F * whole_warps(N) * sizeof(real), 1, N, &first,
        [=] { read_one_soa<<<grid_size, block_size>>>(d_soa, d_y, N); },
        [=] { read_all_soa<<<grid_size, block_size>>>(d_soa, d_y, N); },
        [=] { update_all_soa<<<grid_size, block_size>>>(d_soa, N); });

    Tile<F> *d_aosoa = (Tile<F> *)m->d_x;
    show_layout<F>(
        "aosoa", m, (Tile<F> *)m->h_x, whole_warps(N) / WARP * sizeof(Tile<F>), 1, N, &first,
        [=] { read_one_aosoa<<<grid_size, block_size>>>(d_aosoa, d_y, N); },
        [=] { read_all_aosoa<<<grid_size, block_size>>>(d_aosoa, d_y, N); },
        [=] { update_all_aosoa<<<grid_size, block_size>>>(d_aosoa, N); });
}

int main(int argc, char **argv)
{
    args.N = default_size(20000003, 40009);
    args.bytes_per_element = (MOST_FIELDS + 1) * sizeof(real);
    args.bytes_on_host = (2 * MOST_FIELDS + 1) * sizeof(real) + sizeof(double);
    args.columns =
        "  degree  the share of the transferred bytes that a warp wants: for one field,\n"
        "          for one load of `read all`, for all fields of an element\n"
        "  GB/s    wanted bytes over the time\n"
        "  x aos   this row's rate over that of the row aos\n";
    parse_args(argc, argv, "-n N -b B -r R -s S",
               "aos-soa: an array of structures against a structure of arrays");

    const size_t y_bytes = args.N * sizeof(real);
    const size_t x_bytes = MOST_FIELDS * whole_warps(args.N) * sizeof(real);
    Memory m;
    m.h_plain = (real *)malloc(x_bytes);
    m.h_x = (real *)malloc(x_bytes);
    m.h_y = (real *)malloc(y_bytes);
    m.reference = (double *)malloc(args.N * sizeof(double));
    CHECK(cudaMalloc(&m.d_x, x_bytes));
    CHECK(cudaMalloc(&m.d_y, y_bytes));
    fill_random(m.h_plain, args.N * MOST_FIELDS, args.seed);

    int device = -1;
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
            show_fields<3>(&m, N);
            show_fields<4>(&m, N);
            show_fields<8>(&m, N);
        }
    }

    CHECK(cudaFree(m.d_x));
    CHECK(cudaFree(m.d_y));
    for (real *array : {m.h_plain, m.h_x, m.h_y})
    {
        free(array);
    }
    free(m.reference);
    return verdict();
}
