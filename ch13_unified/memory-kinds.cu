// memory-kinds: one matrix addition with six kinds of memory, and when copying pays
//
// From:    S3 memory (2) and memory (3)
// Compile: nvcc -O3 memory-kinds.cu
// Run:     ./a.out -n 5000x5000
//
//   pageable    malloc: copied to device memory and back, through a buffer of the driver
//   pinned      cudaMallocHost: copied too, but directly between this memory and the device
//   mapped      cudaHostAllocMapped: never copied; the kernel reads and writes the host's memory
//   managed     cudaMallocManaged: pages move when they are used
//   prefetched  cudaMallocManaged: pages move before they are used
//   device      cudaMalloc, already filled: the time of the kernel alone
//
// The book calls mapped memory zero-copy memory. It takes no time before the kernel, but each use
// of the data crosses the bus. A copy crosses the bus once. So copying pays if the kernel uses the
// data often enough. The column `break-even` says how often, computed from the other times.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/on_gpu.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "unified.cuh"

const size_t MAX_GRID_Y = 65535;

static size_t M, N, bytes;         // rows, columns and bytes of each matrix
static dim3 grid_size, block_size; // of each launch: x counts columns, y counts rows
static int device;                 // the current device
static bool can_map;               // whether the device can use the host's memory
static bool can_prefetch;          // whether the device has page faults
static real *reference;            // what C should be

// Computed from the generator of A and B, not from A and B themselves. If data were moved wrongly,
// the check would find it.
void add_reference(real *C, size_t M, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < M * N; ++n)
    {
        C[n] = (real)(random_unit(seed, n) + random_unit(seed + 1, n));
    }
}

// threadIdx.x runs along a row, so that the accesses are coalesced. In S3 it runs down a column.
__global__ void add(const real *A, const real *B, real *C, size_t M, size_t N)
{
    const size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (row < M && column < N)
    {
        C[row * N + column] = A[row * N + column] + B[row * N + column];
    }
}

enum Kind
{
    PAGEABLE,
    PINNED,
    MAPPED,
    MANAGED,
    PREFETCHED,
    DEVICE,
    NUM_KINDS
};

const char *const KIND_NAMES[NUM_KINDS] = {"pageable", "pinned",     "mapped",
                                           "managed",  "prefetched", "device"};

// The host uses h[0 ... 2], the kernel d[0 ... 2]: A, B and C.
struct Matrices
{
    Kind kind;
    real *h[3], *d[3];
};

void run_add(const Matrices *m) { add<<<grid_size, block_size>>>(m->d[0], m->d[1], m->d[2], M, N); }

bool is_copied(Kind kind) { return kind == PAGEABLE || kind == PINNED; }

bool is_managed(Kind kind) { return kind == MANAGED || kind == PREFETCHED; }

bool can_have(int kind)
{
    return (kind != MAPPED || can_map) && (kind != PREFETCHED || can_prefetch);
}

void allocate(Matrices *m)
{
    for (int i = 0; i < 3; ++i)
    {
        switch (m->kind)
        {
        case PINNED:
            CHECK(cudaMallocHost(&m->h[i], bytes));
            CHECK(cudaMalloc(&m->d[i], bytes));
            break;
        case MAPPED: // one memory with two addresses, which may differ
            CHECK(cudaHostAlloc(&m->h[i], bytes, cudaHostAllocMapped));
            CHECK(cudaHostGetDevicePointer(&m->d[i], m->h[i], 0));
            break;
        case MANAGED:
        case PREFETCHED: // one memory, one address
            CHECK(cudaMallocManaged(&m->h[i], bytes));
            m->d[i] = m->h[i];
            break;
        default:
            m->h[i] = (real *)malloc(bytes);
            CHECK(cudaMalloc(&m->d[i], bytes));
        }
    }
}

void release(Matrices *m)
{
    for (int i = 0; i < 3; ++i)
    {
        if (m->kind == PINNED || m->kind == MAPPED)
        {
            CHECK(cudaFreeHost(m->h[i]));
        }
        else if (!is_managed(m->kind))
        {
            free(m->h[i]);
        }
        if (m->kind != MAPPED)
        {
            CHECK(cudaFree(m->d[i]));
        }
    }
}

void fill(Matrices *m)
{
    fill_random(m->h[0], M * N, args.seed);
    fill_random(m->h[1], M * N, args.seed + 1);
    for (int i = 0; i < 2; ++i)
    {
        if (is_copied(m->kind))
        {
            CHECK(cudaMemset(m->d[i], POISON_BYTE, bytes));
        }
        else if (m->kind == DEVICE)
        {
            CHECK(cudaMemcpy(m->d[i], m->h[i], bytes, cudaMemcpyHostToDevice));
        }
    }
}

// Before a pass. The check must not find the sums of an earlier kind or pass.
void prepare(Matrices *m, bool is_first)
{
    if (!is_managed(m->kind) || is_first)
    {
        poison(m->h[2], bytes);
    }
    if (is_copied(m->kind) || m->kind == DEVICE)
    {
        CHECK(cudaMemset(m->d[2], POISON_BYTE, bytes));
    }
    if (is_managed(m->kind) && !is_first) // A and B move back to the host, and C is a new array
    {
        read_pages(m->h[0], bytes);
        read_pages(m->h[1], bytes);
        CHECK(cudaFree(m->h[2]));
        CHECK(cudaMallocManaged(&m->h[2], bytes));
        m->d[2] = m->h[2];
    }
    CHECK(cudaDeviceSynchronize());
}

// The times of one pass: A and B to the device, the kernel, C to the host.
struct Pass
{
    double to_device, kernel, to_host, total;
};

void move_to_device(const Matrices *m)
{
    if (is_copied(m->kind))
    {
        CHECK(cudaMemcpy(m->d[0], m->h[0], bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(m->d[1], m->h[1], bytes, cudaMemcpyHostToDevice));
    }
    else if (m->kind == PREFETCHED)
    {
        for (int i = 0; i < 3; ++i)
        {
            CHECK(cudaMemPrefetchAsync(m->d[i], bytes, device, NULL));
        }
    }
    CHECK(cudaDeviceSynchronize());
}

void move_to_host(const Matrices *m)
{
    if (is_copied(m->kind))
    {
        CHECK(cudaMemcpy(m->h[2], m->d[2], bytes, cudaMemcpyDeviceToHost));
    }
    else if (m->kind == PREFETCHED)
    {
        CHECK(cudaMemPrefetchAsync(m->h[2], bytes, cudaCpuDeviceId, NULL));
        CHECK(cudaDeviceSynchronize());
    }
    if (is_managed(m->kind))
    {
        read_pages(m->h[2], bytes); // the host has C when it can read it
    }
}

// *clock_is_right becomes false if the device still worked when the host looked at the clock.
Pass time_pass(const Matrices *m, bool *clock_is_right)
{
    Pass pass;
    *clock_is_right = *clock_is_right && is_idle(0);
    double start = host_clock();
    move_to_device(m);
    const bool moves_in = is_copied(m->kind) || m->kind == PREFETCHED;
    pass.to_device = moves_in ? host_clock() - start : 0.0;
    *clock_is_right = *clock_is_right && is_idle(0);

    start_events();
    run_add(m);
    pass.kernel = stop_events();

    start = host_clock();
    move_to_host(m);
    const bool moves_out = is_copied(m->kind) || is_managed(m->kind);
    pass.to_host = moves_out ? host_clock() - start : 0.0;
    pass.total = pass.to_device + pass.kernel + pass.to_host;
    return pass;
}

int compare_passes(const void *a, const void *b)
{
    const double x = ((const Pass *)a)->total, y = ((const Pass *)b)->total;
    return (x > y) - (x < y);
}

// The pass with the median total. The medians of the parts would not add up to it.
Pass measure(Matrices *m)
{
    const size_t repeats = args.repeats;
    Pass *passes = (Pass *)malloc(repeats * sizeof(Pass));
    bool clock_is_right = true;
    for (size_t repeat = 0; repeat <= repeats; ++repeat) // 0 is not timed
    {
        prepare(m, repeat == 0);
        const Pass pass = time_pass(m, &clock_is_right);
        if (repeat > 0)
        {
            passes[repeat - 1] = pass;
        }
        if (repeat == 0 || repeat == repeats)
        {
            if (m->kind == DEVICE)
            {
                CHECK(cudaMemcpy(m->h[2], m->d[2], bytes, cudaMemcpyDeviceToHost));
            }
            check_elements(KIND_NAMES[m->kind], m->h[2], reference, M * N);
        }
    }
    check_true("the host has waited before it looked at the clock", clock_is_right);
    qsort(passes, repeats, sizeof(Pass), compare_passes);
    const Pass median = passes[repeats / 2];
    free(passes);
    return median;
}

// The kernel uses the same data n times. With a kind that moves them, this takes
// to_device + kernel + (n - 1) * device + to_host. With mapped memory it takes n * mapped. Both
// are equal at this n. If mapped memory is as fast as device memory, copying never pays.
void put_break_even(const Pass *kind, const Pass *mapped, const Pass *device)
{
    char text[32] = "";
    if (ON_GPU)
    {
        snprintf(text, sizeof(text), "never");
    }
    if (ON_GPU && mapped->kernel > device->kernel)
    {
        const double extra = kind->to_device + kind->kernel + kind->to_host - device->kernel;
        snprintf(text, sizeof(text), "%.2f", extra / (mapped->kernel - device->kernel));
    }
    put_text(text);
}

void print_row(int kind, const Pass *medians)
{
    const Pass none = {NAN, NAN, NAN, NAN};
    const Pass *pass = can_have(kind) ? &medians[kind] : &none;
    put_text(KIND_NAMES[kind]);
    put_timed(pass->to_device);
    put_timed(pass->kernel);
    put_timed(pass->to_host);
    put_timed(pass->total);
    if (kind != MAPPED && kind != DEVICE && can_map && can_have(kind))
    {
        put_break_even(pass, &medians[MAPPED], &medians[DEVICE]);
    }
    else
    {
        put_text("");
    }
    put_text(can_have(kind)   ? ""
             : kind == MAPPED ? "skipped: needs canMapHostMemory"
                              : "skipped: needs concurrentManagedAccess");
    end_row();
}

int main(int argc, char **argv)
{
    args.M = args.N = default_size(5000, 500);
    args.block_x = 32;
    args.block_y = 8;
    args.repeats = 10;
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    args.columns =
        "  to device   the time until the device has A and B\n"
        "  kernel      the time of the kernel; it includes page faults\n"
        "  to host     the time until the host has C\n"
        "  total       of the three\n"
        "  break-even  so many uses of the same data take as long as with mapped memory\n";
    parse_args(argc, argv, "-n MxN -b BXxBY -r R -s S --csv",
               "memory-kinds: one matrix addition with six kinds of memory, and when copying pays");
    M = args.M;
    N = args.N;
    bytes = M * N * sizeof(real);
    if ((M - 1) / args.block_y >= MAX_GRID_Y)
    {
        usage_error("%zu rows need more than %zu blocks in y: take a higher block, as -b "
                    "1x1024",
                    M, MAX_GRID_Y);
    }
    block_size = dim3(args.block_x, args.block_y);
    grid_size = dim3((N - 1) / block_size.x + 1, (M - 1) / block_size.y + 1);
    require_managed_memory();
    print_device();
    print_what_moves();
    CHECK(cudaGetDevice(&device));
    reference = (real *)malloc(bytes);
    add_reference(reference, M, N, args.seed);

    can_map = current_device_has(cudaDevAttrCanMapHostMemory);
    can_prefetch = has_page_faults();
    Pass medians[NUM_KINDS];
    for (int kind = 0; kind < NUM_KINDS; ++kind)
    {
        if (can_have(kind))
        {
            Matrices matrices = {(Kind)kind};
            allocate(&matrices);
            fill(&matrices);
            medians[kind] = measure(&matrices);
            release(&matrices);
        }
    }

    print_timed_note("%s, %zu x %zu, the median pass of %zu, in %s\n", REAL_NAME, M, N,
                     args.repeats, TIME_UNIT);
    const Column COLUMNS[] = {{"memory", "%-11s", TIME_UNIT},
                              {"to device", "%10.4g"},
                              {"kernel", "%10.4g"},
                              {"to host", "%10.4g"},
                              {"total", "%10.4g"},
                              {"break-even", "%11s"},
                              {"remark", " %s"}};
    begin_timed_table(COLUMNS, 7);
    for (int kind = 0; kind < NUM_KINDS; ++kind)
    {
        print_row(kind, medians);
    }
    print_timed_note(
        "break-even: this many uses of the same data take as long as with mapped memory\n");

    free(reference);
    return verdict();
}
