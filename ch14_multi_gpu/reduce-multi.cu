// reduce-multi: the sum of one array whose parts lie in the memories of all devices
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Compile: nvcc -O3 reduce-multi.cu
// Run:     ./a.out -n 1000000000
// Options: -r R -s S -n N
// Uses:    NCCL
// Chinese: 对分布在所有设备上的一个数组求和，每个设备有其中一段
// Checks:  6 or more
//
// Each device computes its part of the array in its own memory, so nothing large is copied. Then it
// adds its part up. One host thread launches the kernels on all devices: a launch returns at once,
// so the devices work at the same time. The sums of the devices are joined in four ways:
//   peer copies   each device copies its sum to device 0, and a kernel there adds them
//   by the host   each device copies its sum to the host, and the host adds them
//   peer reads    a kernel of device 0 reads the sums where they are
//   nccl          ncclAllReduce: afterwards each device has the total
// The library NCCL is optional. The Makefile uses it where it is installed. By hand it is
// nvcc -O3 -DHAVE_NCCL reduce-multi.cu -lnccl. Without it the row nccl is skipped, and the sums are
// joined by peer copies.
//
// The numbers are integers below 2^17, and the sums are doubles. So each sum is exact, in every
// order and with every number of devices. It must be equal to the total that a formula gives. With
// -DUSE_DP the numbers are doubles. Without a GPU, CUDACPU_DEVICES=4 shows four devices.

#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#ifdef HAVE_NCCL
#include "../common/check_nccl.cuh"
#endif

const int MOST_DEVICES = 16;
const int BLOCK_SIZE = 1024;
const size_t PERIOD = 65536; // of the first term of a number
const size_t LAPS = 251;     // of the second one, in periods

// Element n of the array. In each period the first term takes all values from 0 to 65535 once, in
// an order that looks random. The second term tells one period from the next.
__host__ __device__ real number_of(size_t n, size_t seed)
{
    return (real)((n * 40503 + seed) % PERIOD + n / PERIOD % LAPS);
}

// The total of the first N elements by a formula for whole periods, and a loop for the rest.
double total_by_formula(size_t N, size_t seed)
{
    const size_t periods = N / PERIOD, laps = periods / LAPS, rest = periods % LAPS;
    double sum = (double)periods * (PERIOD * (PERIOD - 1) / 2);
    sum += (double)laps * PERIOD * (LAPS * (LAPS - 1) / 2);
    sum += (double)(PERIOD * (rest * (rest - 1) / 2));
    for (size_t n = periods * PERIOD; n < N; ++n)
    {
        sum += (double)number_of(n, seed);
    }
    return sum;
}

double total_by_loop(size_t N, size_t seed)
{
    double sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += (double)number_of(n, seed);
    }
    return sum;
}

// The part of a device: elements first ... first + N - 1 of the array.
__global__ void fill_part(real *x, size_t N, size_t first, size_t seed)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = number_of(first + n, seed);
    }
}

// 16 bytes, the most that one instruction loads.
typedef std::conditional<sizeof(real) == sizeof(float), float4, double2>::type Vector;
const size_t WIDTH = sizeof(Vector) / sizeof(real);

__device__ double sum_of(float4 v)
{
    return ((double)v.x + (double)v.y) + ((double)v.z + (double)v.w);
}

__device__ double sum_of(double2 v)
{
    return v.x + v.y;
}

// The sum of the y of all threads of a block of 1024, in its thread 0. Each warp adds by shuffles.
// Then the first warp adds the sums of the 32 warps.
__device__ double sum_of_block(double y)
{
    __shared__ double s_y[32];
    const int tid = threadIdx.x;
    for (int offset = 16; offset > 0; offset /= 2)
    {
        y += __shfl_down_sync(0xffffffff, y, offset);
    }
    if (tid % 32 == 0)
    {
        s_y[tid / 32] = y;
    }
    __syncthreads();
    if (tid < 32)
    {
        y = s_y[tid];
        for (int offset = 16; offset > 0; offset /= 2)
        {
            y += __shfl_down_sync(0xffffffff, y, offset);
        }
    }
    return y;
}

// Each thread starts four loads of 16 bytes before it uses the first. With one load at a time too
// few bytes would be under way to keep the memory busy. __ldcs says that no element is read again.
__global__ void __launch_bounds__(BLOCK_SIZE) reduce_part(const real *x, size_t N, double *d_sums)
{
    const Vector *vectors = (const Vector *)x;
    const size_t first = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t stride = (size_t)blockDim.x * gridDim.x, num_vectors = N / WIDTH;
    double y = 0.0;
    size_t n = first;
    for (; n + 3 * stride < num_vectors; n += 4 * stride)
    {
        const Vector a = __ldcs(&vectors[n]);
        const Vector b = __ldcs(&vectors[n + stride]);
        const Vector c = __ldcs(&vectors[n + 2 * stride]);
        const Vector d = __ldcs(&vectors[n + 3 * stride]);
        y += (sum_of(a) + sum_of(b)) + (sum_of(c) + sum_of(d));
    }
    for (; n < num_vectors; n += stride)
    {
        y += sum_of(vectors[n]);
    }
    if (first < N % WIDTH) // the numbers after the last vector
    {
        y += (double)x[num_vectors * WIDTH + first];
    }
    y = sum_of_block(y);
    if (threadIdx.x == 0)
    {
        d_sums[blockIdx.x] = y;
    }
}

// One block adds the sums of the blocks, or those of the devices.
__global__ void __launch_bounds__(BLOCK_SIZE) add_sums(const double *sums, int count, double *d_sum)
{
    double y = 0.0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
    {
        y += sums[i];
    }
    y = sum_of_block(y);
    if (threadIdx.x == 0)
    {
        *d_sum = y;
    }
}

// Where the sums of the devices lie, each in the memory of its device.
struct Places
{
    const double *d_sum[MOST_DEVICES];
};

// The same, but the sums stay where they are: thread i reads the memory of device i.
__global__ void __launch_bounds__(BLOCK_SIZE) add_peers(Places places, int count, double *d_total)
{
    double y = (int)threadIdx.x < count ? *places.d_sum[threadIdx.x] : 0.0;
    y = sum_of_block(y);
    if (threadIdx.x == 0)
    {
        *d_total = y;
    }
}

int main(int argc, char **argv)
{
    // How many devices there are is asked after the arguments: a wrong one, or --help, starts none.
    Args args;
    size_t N = SIZE_MAX; // none given
    add_number(&args, "n", &N, 1, SIZE_MAX - 1,
               ON_GPU ? "number of elements (default 4e9 bytes on each device)"
                      : "number of elements (default 1000000 on each device)");
    parse_args(&args, argc, argv, "-r R -s S",
               "reduce-multi: the sum of one array whose parts lie in the memories of all devices");
    int count;
    CHECK(cudaGetDeviceCount(&count));
    const int num_devices = count < MOST_DEVICES ? count : MOST_DEVICES;
    if (!is_given(&args, "n"))
    {
        N = default_size((size_t)4000000000 / sizeof(real), 1000000) * num_devices;
    }
    for (int device = 0; device < num_devices && !is_given(&args, "n"); ++device)
    {
        CHECK(cudaSetDevice(device));
        while (1.25 * N / num_devices * sizeof(real) > free_device_memory())
        {
            N /= 2; // what is free on each device decides
        }
    }
    const size_t seed = args.seed % PERIOD;
    const double needed = (double)(N / num_devices + 1) * sizeof(real);
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        require_memory(&args, ON_GPU ? 0.0 : needed * (num_devices - 1), needed);
    }
    if (num_devices < count)
    {
        print_note("there are %d devices; the first %d are used\n", count, num_devices);
    }
    CHECK(cudaSetDevice(0));
    print_device();
    print_note("%d device%s, %s, N = %zu\n", num_devices, num_devices == 1 ? "" : "s", REAL_NAME,
               N);

    // ---- The total, two ways ----

    const double total = total_by_formula(N, seed);
    const size_t sample = N < 5000000 ? N : 5000000;
    check_true("the formula and a loop of the host agree",
               total_by_formula(sample, seed) == total_by_loop(sample, seed));

    // ---- Each device gets its part ----

    size_t
        first[MOST_DEVICES + 1]; // the part of a device begins here, and ends where the next does
    real *d_x[MOST_DEVICES];
    double *d_sums[MOST_DEVICES],
        *d_total[MOST_DEVICES]; // of the blocks; the result, on each device
    Places places;              // the sum of each device
    int grid_sizes[MOST_DEVICES];
    cudaStream_t streams[MOST_DEVICES];
    cudaEvent_t done[MOST_DEVICES];
    for (int device = 0; device <= num_devices; ++device)
    {
        first[device] = N / num_devices * device + N % num_devices * device / num_devices;
    }
    for (int device = 0; device < num_devices; ++device)
    {
        const size_t part = first[device + 1] - first[device];
        cudaDeviceProp properties;
        CHECK(cudaSetDevice(device));
        CHECK(cudaGetDeviceProperties(&properties, device));
        // Two blocks of 1024 threads fill a multiprocessor, so these are two waves of blocks. Small
        // parts need fewer blocks.
        const size_t useful = (part + BLOCK_SIZE * WIDTH - 1) / (BLOCK_SIZE * WIDTH);
        const size_t most = 4 * properties.multiProcessorCount;
        grid_sizes[device] = useful < 1 ? 1 : useful < most ? useful : most;
        CHECK(cudaMalloc(&d_x[device], (part + 1) * sizeof(real)));
        CHECK(cudaMalloc(&d_sums[device], grid_sizes[device] * sizeof(double)));
        CHECK(cudaMalloc((void **)&places.d_sum[device], sizeof(double)));
        CHECK(cudaMalloc(&d_total[device], sizeof(double)));
        CHECK(cudaStreamCreate(&streams[device]));
        CHECK(cudaEventCreateWithFlags(&done[device], cudaEventDisableTiming));
        if (part > 0)
        {
            fill_part<<<(part + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_x[device], part,
                                                                            first[device], seed);
            CHECK_LAUNCH();
        }
    }
    double *d_gathered; // on device 0: the sums of all devices
    double *h_sums;     // the same on the host, and the total
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&d_gathered, MOST_DEVICES * sizeof(double)));
    CHECK(cudaMallocHost(&h_sums, (MOST_DEVICES + 1) * sizeof(double)));
    double *h_total = &h_sums[MOST_DEVICES];

    // ---- Steps that are both checked and timed ----

    // The launches return at once. So the first device works while the host launches on the others.
    const auto reduce_on = [&](int device)
    {
        const size_t part = first[device + 1] - first[device];
        CHECK(cudaSetDevice(device));
        reduce_part<<<grid_sizes[device], BLOCK_SIZE, 0, streams[device]>>>(d_x[device], part,
                                                                            d_sums[device]);
        CHECK_LAUNCH();
        add_sums<<<1, BLOCK_SIZE, 0, streams[device]>>>(d_sums[device], grid_sizes[device],
                                                        (double *)places.d_sum[device]);
        CHECK_LAUNCH();
    };
    const auto wait_for_all = [&]
    {
        for (int device = 0; device < num_devices; ++device)
        {
            CHECK(cudaStreamSynchronize(streams[device]));
        }
    };
    const auto reduce_all = [&]
    {
        for (int device = 0; device < num_devices; ++device)
        {
            reduce_on(device);
        }
    };
    // What is issued to the stream of device 0 from here on waits for the other devices.
    const auto let_first_wait = [&]
    {
        for (int device = 1; device < num_devices; ++device)
        {
            CHECK(cudaEventRecord(done[device], streams[device]));
            CHECK(cudaStreamWaitEvent(streams[0], done[device], 0));
        }
        CHECK(cudaSetDevice(0));
    };
    const auto fetch_total = [&]
    {
        CHECK(cudaMemcpyAsync(h_total, d_total[0], sizeof(double), cudaMemcpyDeviceToHost,
                              streams[0]));
        wait_for_all();
    };
    const auto by_peer_copies = [&]
    {
        reduce_all();
        for (int device = 0; device < num_devices; ++device)
        {
            CHECK(cudaMemcpyPeerAsync(&d_gathered[device], 0, places.d_sum[device], device,
                                      sizeof(double), streams[device]));
        }
        let_first_wait();
        add_sums<<<1, BLOCK_SIZE, 0, streams[0]>>>(d_gathered, num_devices, d_total[0]);
        CHECK_LAUNCH();
        fetch_total();
    };
    const auto by_the_host = [&]
    {
        reduce_all();
        for (int device = 0; device < num_devices; ++device)
        {
            CHECK(cudaMemcpyAsync(&h_sums[device], places.d_sum[device], sizeof(double),
                                  cudaMemcpyDeviceToHost, streams[device]));
        }
        wait_for_all();
        double sum = 0.0;
        for (int device = 0; device < num_devices; ++device)
        {
            sum += h_sums[device];
        }
        *h_total = sum;
    };
    const auto by_peer_reads = [&]
    {
        reduce_all();
        let_first_wait();
        add_peers<<<1, BLOCK_SIZE, 0, streams[0]>>>(places, num_devices, d_total[0]);
        CHECK_LAUNCH();
        fetch_total();
    };

    // Nothing that was computed before may pass for a new result.
    const auto poison_all = [&]
    {
        for (int device = 0; device < num_devices; ++device)
        {
            CHECK(cudaSetDevice(device));
            CHECK(cudaMemset(d_sums[device], POISON_BYTE, grid_sizes[device] * sizeof(double)));
            CHECK(cudaMemset((void *)places.d_sum[device], POISON_BYTE, sizeof(double)));
            CHECK(cudaMemset(d_total[device], POISON_BYTE, sizeof(double)));
            CHECK(cudaDeviceSynchronize());
        }
        CHECK(cudaSetDevice(0));
        CHECK(cudaMemset(d_gathered, POISON_BYTE, MOST_DEVICES * sizeof(double)));
        CHECK(cudaDeviceSynchronize());
        poison(h_sums, (MOST_DEVICES + 1) * sizeof(double));
    };

    // ---- Each device alone, and all at once ----

    poison_all();
    reduce_all();
    wait_for_all();
    for (int device = 0; device < num_devices; ++device)
    {
        double sum;
        const double before = total_by_formula(first[device], seed);
        const double expected = total_by_formula(first[device + 1], seed) - before;
        CHECK(cudaMemcpy(&sum, places.d_sum[device], sizeof(double), cudaMemcpyDeviceToHost));
        check_elements("the sum of a device's part", &sum, &expected, 1);
    }

    const double bytes = (double)N * sizeof(real);
    printf("%-16s %10s %8s %10s  %s\n", "", TIME_UNIT, "GB/s", "x device 0", "sum");
    double alone = 0.0;         // GB/s of device 0
    bool clock_is_right = true; // the host has waited for all that it timed
    for (int device = 0; device < num_devices; ++device)
    {
        const auto reduce_one = [&]
        {
            reduce_on(device);
            CHECK(cudaStreamSynchronize(streams[device]));
        };
        const double ms = time_host(reduce_one, args.repeats).median;
        clock_is_right = clock_is_right && is_idle(streams[device]);
        const double part_bytes = (double)(first[device + 1] - first[device]) * sizeof(real);
        const double rate = part_bytes / ms * 1e-6;
        alone = device == 0 ? rate : alone;
        printf("device %-9d %10.4g %8.1f\n", device, ms, rate);
    }
    const auto reduce_and_wait = [&]
    {
        reduce_all();
        wait_for_all();
    };
    const double ms_all = time_host(reduce_and_wait, args.repeats).median;
    for (int device = 0; device < num_devices; ++device)
    {
        clock_is_right = clock_is_right && is_idle(streams[device]);
    }
    check_true("the host has waited for what it timed", clock_is_right);
    printf("%-16s %10.4g %8.1f %10.2f\n", "all at once", ms_all, bytes / ms_all * 1e-6,
           alone > 0.0 ? bytes / ms_all * 1e-6 / alone : 0.0);

    // ---- The four ways to join the sums ----

    const auto run = [&](const char *name, const auto &join)
    {
        poison_all();
        join();
        check_elements(name, h_total, &total, 1);
        const double sum = *h_total;
        const double ms = time_host(join, args.repeats).median;
        check_true("each repeat gives the same sum", *h_total == sum);
        printf("%-16s %10.4g %8.1f %10.2f  %.17g\n", name, ms, bytes / ms * 1e-6,
               alone > 0.0 ? bytes / ms * 1e-6 / alone : 0.0, sum);
    };
    run("peer copies", by_peer_copies);
    run("by the host", by_the_host);
    bool reaches_all = true;
    for (int device = 1; device < num_devices; ++device)
    {
        int can = 0;
        CHECK(cudaDeviceCanAccessPeer(&can, 0, device));
        reaches_all = reaches_all && can;
    }
    if (reaches_all)
    {
        for (int device = 1; device < num_devices; ++device)
        {
            CHECK(cudaSetDevice(0));
            CHECK(cudaDeviceEnablePeerAccess(device, 0));
        }
        run("peer reads", by_peer_reads);
    }
    else
    {
        printf("%-16s skipped: device 0 cannot reach the memory of all others\n", "peer reads");
    }
#ifdef HAVE_NCCL
    // One process has all devices. Each of them is a rank of NCCL's.
    ncclComm_t comms[MOST_DEVICES];
    CHECK_NCCL(ncclCommInitAll(comms, num_devices, NULL));
    const auto by_nccl = [&]
    {
        reduce_all();
        // Between these two calls NCCL collects what all ranks ask for, and starts it at the end.
        CHECK_NCCL(ncclGroupStart());
        for (int device = 0; device < num_devices; ++device)
        {
            CHECK_NCCL(ncclAllReduce(places.d_sum[device], d_total[device], 1, ncclDouble, ncclSum,
                                     comms[device], streams[device]));
        }
        CHECK_NCCL(ncclGroupEnd());
        fetch_total();
    };
    run("nccl", by_nccl);
    for (int device = 1; device < num_devices; ++device) // device 0's has just been checked
    {
        double sum;
        CHECK(cudaMemcpy(&sum, d_total[device], sizeof(double), cudaMemcpyDeviceToHost));
        check_elements("nccl: the total on a device", &sum, &total, 1);
    }
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK_NCCL(ncclCommDestroy(comms[device]));
    }
#else
    printf("%-16s skipped: compiled without NCCL, so peer copies join the sums\n", "nccl");
#endif

    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamDestroy(streams[device]));
        CHECK(cudaEventDestroy(done[device]));
        CHECK(cudaFree(d_x[device]));
        CHECK(cudaFree(d_sums[device]));
        CHECK(cudaFree((void *)places.d_sum[device]));
        CHECK(cudaFree(d_total[device]));
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(d_gathered));
    CHECK(cudaFreeHost(h_sums));
    return verdict();
}
