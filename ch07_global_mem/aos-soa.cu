// aos-soa: an array of structures against a structure of arrays
//
// From:    S2 Examples 6.22 and 6.23; section 7.1
// Order:   after gpu-vector
// Compile: nvcc -O3 aos-soa.cu
// Run:     ./a.out -n 20000003
//
// N elements of 8 fields can lie in memory in four ways, here with three fields a, b, c:
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
// Without a GPU the sectors that a warp asks for stand there, each load and each store counted
// alone.

#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/versions.cuh" // for show_progress; brings args, ceiling, timing, ...

const int FIELDS = 8; // of an element; try 3 and 4 as well
const int WARP = 32;
const size_t SECTOR_BYTES = 32; // what memory transfers at once

static size_t N; // of the size that is measured; the arrays have room for the largest
static unsigned int grid_size, block_size;
static real *h_plain;   // field f of element n is h_plain[n * FIELDS + f], whatever the layout
static real *h_x, *d_x; // the same data in the layout that is measured
static real *h_y, *d_y; // a sum for each element
static double *reference;

size_t whole_warps(size_t N) { return (N + WARP - 1) / WARP * WARP; }

double sum_reference(const real *plain, size_t n, int num_fields)
{
    double sum = 0.0;
    for (int f = 0; f < num_fields; ++f)
    {
        sum += plain[n * FIELDS + f];
    }
    return sum;
}

// The data has 24 bits, so halving is exact and only the addition rounds: results must be equal.
real update_reference(const real *plain, size_t n, int field)
{
    return (real)(0.5 * plain[n * FIELDS + field] + 1.0);
}

// ---- An array of structures: x[n].field[f] ----

// Example 6.22.
struct Structure
{
    real field[FIELDS];
};

// A warp wants 32 fields that lie one structure apart.
__global__ void read_one_aos(const Structure *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n].field[0];
    }
}

__global__ void read_all_aos(const Structure *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const Structure element = x[n];
        real sum = 0;
        for (int f = 0; f < FIELDS; ++f)
        {
            sum += element.field[f];
        }
        y[n] = sum;
    }
}

__global__ void update_all_aos(Structure *x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        Structure element = x[n];
        for (int f = 0; f < FIELDS; ++f)
        {
            element.field[f] = (real)0.5 * element.field[f] + (real)1.0;
        }
        x[n] = element;
    }
}

void run_read_one_aos(void) { read_one_aos<<<grid_size, block_size>>>((Structure *)d_x, d_y, N); }
void run_read_all_aos(void) { read_all_aos<<<grid_size, block_size>>>((Structure *)d_x, d_y, N); }
void run_update_all_aos(void) { update_all_aos<<<grid_size, block_size>>>((Structure *)d_x, N); }

// ---- The same, but each structure begins at a multiple of 16 bytes ----

// alignas(16) promises an address that is a multiple of 16, so one instruction can load 16 bytes.
// The last fields fill the structure up: three floats to four, for instance.
struct alignas(16) Aligned
{
    real field[(FIELDS * sizeof(real) + 15) / 16 * 16 / sizeof(real)];
};

__global__ void read_one_aligned(const Aligned *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n].field[0];
    }
}

__global__ void read_all_aligned(const Aligned *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const Aligned element = x[n];
        real sum = 0;
        for (int f = 0; f < FIELDS; ++f)
        {
            sum += element.field[f];
        }
        y[n] = sum;
    }
}

__global__ void update_all_aligned(Aligned *x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        Aligned element = x[n];
        for (int f = 0; f < FIELDS; ++f)
        {
            element.field[f] = (real)0.5 * element.field[f] + (real)1.0;
        }
        x[n] = element;
    }
}

void run_read_one_aligned(void)
{
    read_one_aligned<<<grid_size, block_size>>>((Aligned *)d_x, d_y, N);
}

void run_read_all_aligned(void)
{
    read_all_aligned<<<grid_size, block_size>>>((Aligned *)d_x, d_y, N);
}

void run_update_all_aligned(void)
{
    update_all_aligned<<<grid_size, block_size>>>((Aligned *)d_x, N);
}

// ---- A structure of arrays: x.field[f][n] ----

// Example 6.23, with pointers instead of arrays, so that N need not be a constant.
struct Arrays
{
    real *field[FIELDS];
};

// A warp wants 32 fields that lie side by side.
__global__ void read_one_soa(Arrays x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x.field[0][n];
    }
}

__global__ void read_all_soa(Arrays x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
        for (int f = 0; f < FIELDS; ++f)
        {
            sum += x.field[f][n];
        }
        y[n] = sum;
    }
}

// All fields are loaded before the first is stored. In one loop each load would have to wait for
// the store before it, because for all the compiler knows the arrays might overlap.
__global__ void update_all_soa(Arrays x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real element[FIELDS];
        for (int f = 0; f < FIELDS; ++f)
        {
            element[f] = x.field[f][n];
        }
        for (int f = 0; f < FIELDS; ++f)
        {
            x.field[f][n] = (real)0.5 * element[f] + (real)1.0;
        }
    }
}

// Each array begins with a sector. Otherwise 32 elements would lie in one sector more.
Arrays arrays_of(real *x)
{
    Arrays arrays;
    for (int f = 0; f < FIELDS; ++f)
    {
        arrays.field[f] = x + f * whole_warps(N);
    }
    return arrays;
}

void run_read_one_soa(void) { read_one_soa<<<grid_size, block_size>>>(arrays_of(d_x), d_y, N); }
void run_read_all_soa(void) { read_all_soa<<<grid_size, block_size>>>(arrays_of(d_x), d_y, N); }
void run_update_all_soa(void) { update_all_soa<<<grid_size, block_size>>>(arrays_of(d_x), N); }

// ---- An array of structures of arrays: x[n / 32].field[f][n % 32] ----

struct Tile
{
    real field[FIELDS][WARP];
};

// The 32 fields that a warp wants lie side by side, and the other fields of these elements lie next
// to them, in one place instead of FIELDS.
__global__ void read_one_aosoa(const Tile *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n / WARP].field[0][n % WARP];
    }
}

__global__ void read_all_aosoa(const Tile *x, real *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
        for (int f = 0; f < FIELDS; ++f)
        {
            sum += x[n / WARP].field[f][n % WARP];
        }
        y[n] = sum;
    }
}

__global__ void update_all_aosoa(Tile *x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real element[FIELDS];
        for (int f = 0; f < FIELDS; ++f)
        {
            element[f] = x[n / WARP].field[f][n % WARP];
        }
        for (int f = 0; f < FIELDS; ++f)
        {
            x[n / WARP].field[f][n % WARP] = (real)0.5 * element[f] + (real)1.0;
        }
    }
}

void run_read_one_aosoa(void) { read_one_aosoa<<<grid_size, block_size>>>((Tile *)d_x, d_y, N); }
void run_read_all_aosoa(void) { read_all_aosoa<<<grid_size, block_size>>>((Tile *)d_x, d_y, N); }
void run_update_all_aosoa(void) { update_all_aosoa<<<grid_size, block_size>>>((Tile *)d_x, N); }

// ---- The table

// A field of element n, on the host, in each of the layouts.
real *in_aos(size_t n, int f) { return &((Structure *)h_x)[n].field[f]; }
real *in_aligned(size_t n, int f) { return &((Aligned *)h_x)[n].field[f]; }
real *in_soa(size_t n, int f) { return &arrays_of(h_x).field[f][n]; }
real *in_aosoa(size_t n, int f) { return &((Tile *)h_x)[n / WARP].field[f][n % WARP]; }

enum Operation
{
    READ_ONE,
    READ_ALL,
    UPDATE_ALL
};
const char *const OPERATION_NAMES[] = {"read one", "read all", "update all"};

// A row.
struct Layout
{
    const char *name;
    real *(*place)(size_t n, int f);
    size_t warp_bytes;  // of the elements of a warp
    int fields_of_load; // that one load of read_all brings
    void (*read_one)(void), (*read_all)(void), (*update_all)(void);
};

const int VECTOR = 16 / sizeof(real); // numbers in 16 bytes
const Layout LAYOUTS[] = {
    {"aos", in_aos, WARP * sizeof(Structure), 1, run_read_one_aos, run_read_all_aos,
     run_update_all_aos},
    {"aligned", in_aligned, WARP * sizeof(Aligned), FIELDS < VECTOR ? FIELDS : VECTOR,
     run_read_one_aligned, run_read_all_aligned, run_update_all_aligned},
    {"soa", in_soa, WARP * sizeof(Structure), 1, run_read_one_soa, run_read_all_soa,
     run_update_all_soa},
    {"aosoa", in_aosoa, sizeof(Tile), 1, run_read_one_aosoa, run_read_all_aosoa,
     run_update_all_aosoa},
};
const int NUM_LAYOUTS = sizeof(LAYOUTS) / sizeof(LAYOUTS[0]);

// The sectors that hold so many fields of a warp's elements, from field `first` on.
int count_sectors(const Layout *layout, int first, int num_fields)
{
    size_t sectors[WARP * FIELDS];
    int num_sectors = 0;
    for (int i = 0; i < WARP * num_fields; ++i)
    {
        const real *place = layout->place(i / num_fields, first + i % num_fields);
        const size_t sector = (place - layout->place(0, 0)) * sizeof(real) / SECTOR_BYTES;
        int found = 0;
        while (found < num_sectors && sectors[found] != sector)
        {
            ++found;
        }
        if (found == num_sectors)
        {
            sectors[num_sectors++] = sector;
        }
    }
    return num_sectors;
}

// Of the sectors that a warp's loads of so many fields bring, the share that it wants, in per cent.
double degree(const Layout *layout, int num_fields)
{
    const int sectors = count_sectors(layout, 0, num_fields);
    return 100.0 * num_fields * WARP * sizeof(real) / (sectors * SECTOR_BYTES);
}

// The sectors of all loads that bring the fields of a warp's elements, each load counted alone.
int sectors_of_all(const Layout *layout)
{
    int sectors = 0;
    for (int f = 0; f < FIELDS; f += layout->fields_of_load)
    {
        const int rest = FIELDS - f, fields = layout->fields_of_load;
        sectors += count_sectors(layout, f, rest < fields ? rest : fields);
    }
    return sectors;
}

size_t bytes_of(const Layout *layout) { return whole_warps(N) / WARP * layout->warp_bytes; }

// Of what the operation left on the device: x in its layout, or y.
void check_operation(const Layout *layout, Operation operation)
{
    char what[64];
    snprintf(what, sizeof(what), "%s, %d fields, %s", layout->name, FIELDS,
             OPERATION_NAMES[operation]);
    if (operation == UPDATE_ALL)
    {
        real untouched; // what stands beyond the last element, where the last warp is not full
        poison(&untouched, sizeof(untouched));
        CHECK(cudaMemcpy(h_x, d_x, bytes_of(layout), cudaMemcpyDeviceToHost));
        size_t wrong = 0;
        for (size_t i = 0; i < whole_warps(N) * FIELDS; ++i)
        {
            const size_t n = i / FIELDS;
            const int f = i % FIELDS;
            const real expected = n < N ? update_reference(h_plain, n, f) : untouched;
            wrong += *layout->place(n, f) != expected;
        }
        check_true(what, wrong == 0);
    }
    else
    {
        CHECK(cudaMemcpy(h_y, d_y, N * sizeof(real), cudaMemcpyDeviceToHost));
        for (size_t n = 0; n < N; ++n)
        {
            reference[n] = sum_reference(h_plain, n, operation == READ_ONE ? 1 : FIELDS);
        }
        check_elements(what, h_y, reference, N, FIELDS * REAL_EPSILON);
    }
}

// Two cells of a row. `first_ms` becomes the time of the first row, with which the others are
// compared. Without a GPU the cells are the sectors that a warp loads, and those that it stores.
void show_operation(const Layout *layout, Operation operation, void (*run)(void), double *first_ms)
{
    CHECK(cudaMemset(d_y, POISON_BYTE, N * sizeof(real)));
    run();
    CHECK_LAUNCH();
    check_operation(layout, operation);

    const size_t moved[] = {2, FIELDS + 1, 2 * FIELDS}; // fields an element, read and written
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run();
    }
    if (ON_GPU)
    {
        *first_ms = isnan(*first_ms) ? timer.median : *first_ms;
        put(rate_of(moved[operation] * N * sizeof(real), timer.median));
        put(times_as_fast(*first_ms, timer.median));
    }
    else
    {
        const int y_sectors = WARP * sizeof(real) / SECTOR_BYTES;
        put(operation == READ_ONE ? count_sectors(layout, 0, 1) : sectors_of_all(layout));
        put(operation == UPDATE_ALL ? sectors_of_all(layout) : y_sectors);
    }
}

void lay_out(const Layout *layout)
{
    show_progress("laying out:", layout->name);
    poison(h_x, bytes_of(layout));
    for (size_t i = 0; i < N * FIELDS; ++i)
    {
        *layout->place(i / FIELDS, i % FIELDS) = h_plain[i];
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes_of(layout), cudaMemcpyHostToDevice));
}

// The rows of one size.
void show_layouts(void)
{
    double first_one = NAN, first_all = NAN, first_update = NAN; // ms
    for (int i = 0; i < NUM_LAYOUTS; ++i)
    {
        const Layout *layout = &LAYOUTS[i];
        lay_out(layout);
        put(FIELDS);
        put_text(layout->name);
        put(degree(layout, 1));
        put(degree(layout, layout->fields_of_load));
        put(degree(layout, FIELDS));
        show_operation(layout, READ_ONE, layout->read_one, &first_one);
        show_operation(layout, READ_ALL, layout->read_all, &first_all);
        show_operation(layout, UPDATE_ALL, layout->update_all, &first_update);
        if (!ON_GPU)
        {
            put_text(i == 0 ? said("read all: the L1 cache keeps its sectors") : "");
        }
        end_row();
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(20000003, 1 << 14);
    args.bytes_per_element = sizeof(Aligned) + sizeof(real);
    args.bytes_on_host = sizeof(Structure) + sizeof(Aligned) + sizeof(real) + sizeof(double);
    args.columns =
        "  degree  the share of the transferred bytes that a warp wants: for one field,\n"
        "          for one load of `read all`, for all fields of an element\n"
        "  GB/s    wanted bytes over the time\n"
        "  x aos   this row's rate over that of the row aos\n"
        "  load    without a GPU: sectors that a warp loads in all; store: that it stores\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "aos-soa: an array of structures against a structure of arrays");

    block_size = args.block_x;
    const size_t y_bytes = args.N * sizeof(real);
    const size_t x_bytes = whole_warps(args.N) * sizeof(Aligned); // the largest of the layouts
    h_plain = (real *)malloc(args.N * sizeof(Structure));
    h_x = (real *)malloc(x_bytes);
    h_y = (real *)malloc(y_bytes);
    reference = (double *)malloc(args.N * sizeof(double));
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, y_bytes));
    fill_random(h_plain, args.N * FIELDS, args.seed);

    int device = -1;
    CHECK(cudaGetDevice(&device));
    const double l2_bytes = device_attribute(cudaDevAttrL2CacheSize, device);
    print_device();
    print_timed_note("L2 cache: %.1f MB; %s, median of %zu repeats; GB/s of wanted bytes\n",
                     l2_bytes * 1e-6, REAL_NAME, args.repeats);
    if (!ON_GPU)
    {
        print_note("%s: sectors that a warp loads and stores, counted, not timed\n", REAL_NAME);
    }
    printf("%s", args.csv ? ""
                          : "                      degree, %         read one       read all     "
                            "update all\n");
    const Column COLUMNS[] = {{"fields", "%6.0f"},
                              {"layout", "%-9s"},
                              {"degree of one %", "%5.0f", "one"},
                              {"degree of a load %", "%5.0f", "load"},
                              {"degree of all %", "%5.0f", "all"},
                              {"read one GB/s", "%8.1f", "GB/s"},
                              {"read one x aos", "%5.2f", "x aos"},
                              {"read all GB/s", "%8.1f", "GB/s"},
                              {"read all x aos", "%5.2f", "x aos"},
                              {"update all GB/s", "%8.1f", "GB/s"},
                              {"update all x aos", "%5.2f", "x aos"}};
    const Column COUNTED[] = {{"fields", "%6.0f"},
                              {"layout", "%-9s"},
                              {"degree of one %", "%5.0f", "one"},
                              {"degree of a load %", "%5.0f", "load"},
                              {"degree of all %", "%5.0f", "all"},
                              {"read one sectors loaded", "%8.4g", "load"},
                              {"read one sectors stored", "%5.4g", "store"},
                              {"read all sectors loaded", "%8.4g", "load"},
                              {"read all sectors stored", "%5.4g", "store"},
                              {"update all sectors loaded", "%8.4g", "load"},
                              {"update all sectors stored", "%5.4g", "store"},
                              {"not counted", " %s"}};
    ON_GPU ? begin_table(COLUMNS, 11) : begin_table(COUNTED, 12);
    const size_t SIZES[] = {ON_GPU ? args.N / 32 : 0, args.N}; // counts do not depend on the size
    for (int i = 0; i < 2; ++i)
    {
        N = SIZES[i];
        if (N > 0)
        {
            const size_t most = (FIELDS + 1) * N * sizeof(real);
            if (ON_GPU)
            {
                print_note("N = %zu: %d fields and y take %.3g MB, %s L2; copy ceiling %.1f GB/s\n",
                           N, FIELDS, most * 1e-6,
                           most <= l2_bytes ? said("within") : said("beyond"), copy_ceiling(most));
            }
            else
            {
                print_note("N = %zu\n", N);
            }
            grid_size = (N + block_size - 1) / block_size;
            show_layouts();
        }
    }
    if (!ON_GPU)
    {
        printf("%s", args.csv ? "" : "\n");
        print_card_run();
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_plain);
    free(h_x);
    free(h_y);
    free(reference);
    return verdict();
}
