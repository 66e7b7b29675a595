// memory-kinds: one matrix addition with six kinds of memory, and when copying pays
//
// From:    S3 memory (2) and memory (3)
// Chinese: 用六种内存做同一个矩阵加法，以及什么时候值得复制数据
// Compile: nvcc -O3 memory-kinds.cu
// Run:     ./a.out -n 5000x5000
// Options: -n MxN -b BXxBY -r R -s S
// Also:    -n 65535x1 -b 1x1 -r 2
// Checks:  13 (9 or more on a GPU): 13 where the device has all six kinds
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
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "unified.cuh"

const size_t MAX_GRID_Y = 65535;

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

// The times of one pass: A and B to the device, the kernel, C to the host.
struct Pass
{
    double to_device = 0.0, kernel = 0.0, to_host = 0.0, total = 0.0;
};

int compare_passes(const void *a, const void *b)
{
    const double x = ((const Pass *)a)->total, y = ((const Pass *)b)->total;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    Args args;
    args.M = args.N = default_size(5000, 500);
    args.block_x = 32;
    args.block_y = 8;
    args.repeats = 10;
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    parse_args(&args, argc, argv, "-n MxN -b BXxBY -r R -s S",
               "memory-kinds: one matrix addition with six kinds of memory, and when copying pays");
    const size_t M = args.M, N = args.N;
    const size_t bytes = M * N * sizeof(real);
    const dim3 block(args.block_x, args.block_y);
    if ((M - 1) / args.block_y >= MAX_GRID_Y)
    {
        usage_error(&args,
                    "%zu rows need more than %zu blocks in y: take a higher block, as -b "
                    "1x1024",
                    M, MAX_GRID_Y);
    }
    const dim3 grid((N - 1) / block.x + 1, (M - 1) / block.y + 1);
    require_managed_memory(&args);
    print_device();
    print_what_moves();
    int device_id;
    CHECK(cudaGetDevice(&device_id));
    const bool can_map = current_device_has(cudaDevAttrCanMapHostMemory);
    const bool can_prefetch = has_page_faults();
    real *reference = (real *)malloc(bytes);
    add_reference(reference, M, N, args.seed);

    Pass *passes = (Pass *)malloc(args.repeats * sizeof(Pass));
    Pass medians[NUM_KINDS];
    bool clock_is_right = true; // the host has waited before it looked at the clock
    for (int kind = 0; kind < NUM_KINDS; ++kind)
    {
        if ((kind == MAPPED && !can_map) || (kind == PREFETCHED && !can_prefetch))
        {
            continue;
        }
        const bool copies = kind == PAGEABLE || kind == PINNED;
        const bool is_managed = kind == MANAGED || kind == PREFETCHED;

        // The host uses h[0 ... 2], the kernel d[0 ... 2]: A, B and C.
        real *h[3], *d[3];
        for (int i = 0; i < 3; ++i)
        {
            switch (kind)
            {
            case PINNED:
                CHECK(cudaMallocHost(&h[i], bytes));
                CHECK(cudaMalloc(&d[i], bytes));
                break;
            case MAPPED: // one memory with two addresses, which may differ
                CHECK(cudaHostAlloc(&h[i], bytes, cudaHostAllocMapped));
                CHECK(cudaHostGetDevicePointer(&d[i], h[i], 0));
                break;
            case MANAGED:
            case PREFETCHED: // one memory, one address
                CHECK(cudaMallocManaged(&h[i], bytes));
                d[i] = h[i];
                break;
            default:
                h[i] = (real *)malloc(bytes);
                CHECK(cudaMalloc(&d[i], bytes));
            }
        }
        fill_random(h[0], M * N, args.seed);
        fill_random(h[1], M * N, args.seed + 1);
        if (copies)
        {
            CHECK(cudaMemset(d[0], POISON_BYTE, bytes));
            CHECK(cudaMemset(d[1], POISON_BYTE, bytes));
        }
        if (kind == DEVICE)
        {
            CHECK(cudaMemcpy(d[0], h[0], bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(d[1], h[1], bytes, cudaMemcpyHostToDevice));
        }

        for (size_t repeat = 0; repeat <= args.repeats; ++repeat) // 0 is not timed
        {
            // The check must not find the sums of an earlier kind or pass.
            if (!is_managed || repeat == 0)
            {
                poison(h[2], bytes);
            }
            if (copies || kind == DEVICE)
            {
                CHECK(cudaMemset(d[2], POISON_BYTE, bytes));
            }
            if (is_managed && repeat > 0) // A and B move back to the host, and C is a new array
            {
                read_pages(h[0], bytes);
                read_pages(h[1], bytes);
                CHECK(cudaFree(h[2]));
                CHECK(cudaMallocManaged(&h[2], bytes));
                d[2] = h[2];
            }
            Pass pass;
            CHECK(cudaDeviceSynchronize());
            clock_is_right = clock_is_right && is_idle(0);

            double start = host_clock();
            if (copies)
            {
                CHECK(cudaMemcpy(d[0], h[0], bytes, cudaMemcpyHostToDevice));
                CHECK(cudaMemcpy(d[1], h[1], bytes, cudaMemcpyHostToDevice));
            }
            else if (kind == PREFETCHED)
            {
                for (real *array : d)
                {
                    CHECK(prefetch_to_device(array, bytes, device_id));
                }
            }
            CHECK(cudaDeviceSynchronize());
            pass.to_device = copies || kind == PREFETCHED ? host_clock() - start : 0.0;
            clock_is_right = clock_is_right && is_idle(0);

            pass.kernel = time_once([&] { add<<<grid, block>>>(d[0], d[1], d[2], M, N); });

            start = host_clock();
            if (copies)
            {
                CHECK(cudaMemcpy(h[2], d[2], bytes, cudaMemcpyDeviceToHost));
            }
            else if (kind == PREFETCHED)
            {
                CHECK(prefetch_to_host(h[2], bytes));
                CHECK(cudaDeviceSynchronize());
            }
            if (is_managed)
            {
                read_pages(h[2], bytes); // the host has C when it can read it
            }
            pass.to_host = copies || is_managed ? host_clock() - start : 0.0;
            pass.total = pass.to_device + pass.kernel + pass.to_host;

            if (repeat > 0)
            {
                passes[repeat - 1] = pass;
            }
            if (repeat == 0 || repeat == args.repeats)
            {
                if (kind == DEVICE)
                {
                    CHECK(cudaMemcpy(h[2], d[2], bytes, cudaMemcpyDeviceToHost));
                }
                check_elements(KIND_NAMES[kind], h[2], reference, M * N);
            }
        }
        // The pass with the median total. The medians of the parts would not add up to it.
        qsort(passes, args.repeats, sizeof(Pass), compare_passes);
        medians[kind] = passes[args.repeats / 2];

        for (int i = 0; i < 3; ++i)
        {
            if (kind == PINNED || kind == MAPPED)
            {
                CHECK(cudaFreeHost(h[i]));
            }
            else if (!is_managed)
            {
                free(h[i]);
            }
            if (kind != MAPPED)
            {
                CHECK(cudaFree(d[i]));
            }
        }
    }

    check_true("the host has waited before it looked at the clock", clock_is_right);

    // The kernel uses the same data n times. With a kind that moves them, this takes
    // to_device + kernel + (n - 1) * device + to_host. With mapped memory it takes n * mapped. Both
    // are equal at this n.
    const auto break_even = [&](int kind)
    {
        const double extra = medians[kind].to_device + medians[kind].kernel +
                             medians[kind].to_host - medians[DEVICE].kernel;
        return extra / (medians[MAPPED].kernel - medians[DEVICE].kernel);
    };
    printf("%s, %zu x %zu, the median pass of %zu\n", REAL_NAME, M, N, args.repeats);
    printf("%-11s %10s %10s %10s %10s %11s\n", TIME_UNIT, "to device", "kernel", "to host", "total",
           "break-even");
    for (int kind = 0; kind < NUM_KINDS; ++kind)
    {
        if (medians[kind].total == 0.0)
        {
            printf("%-11s skipped: needs %s\n", KIND_NAMES[kind],
                   kind == MAPPED ? "canMapHostMemory" : "concurrentManagedAccess");
            continue;
        }
        printf("%-11s %10.4g %10.4g %10.4g %10.4g", KIND_NAMES[kind], medians[kind].to_device,
               medians[kind].kernel, medians[kind].to_host, medians[kind].total);
        if (kind == MAPPED || kind == DEVICE || !can_map)
        {
            printf("\n");
        }
        else if (!ON_GPU || medians[MAPPED].kernel <= medians[DEVICE].kernel)
        { // mapped memory is as fast as device memory, so copying never pays
            printf(" %11s\n", "never");
        }
        else
        {
            printf(" %11.2f\n", break_even(kind));
        }
    }
    printf("break-even: this many uses of the same data take as long as with mapped memory\n");

    free(passes);
    free(reference);
    return verdict();
}
