// reduce-multi-ways: four ways to join the sums of the devices, each timed
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Order:   after reduce-multi
// Compile: nvcc -O3 reduce-multi-ways.cu
// Run:     ./a.out -n 1000000000
// Uses:    NCCL
//
// The array and its parts are those of reduce-multi. Each device has a stream of its own, and its
// kernel loads 16 bytes at a time. The sums of the devices are joined in four ways:
//   peer copies   each device copies its sum to device 0, and a kernel there adds them
//   by the host   each device copies its sum to the host, and the host adds them
//   peer reads    a kernel of device 0 reads the sums where they are
//   nccl          ncclAllReduce: afterwards each device has the total
// The library NCCL is optional. The Makefile uses it where it is installed. By hand it is
// nvcc -O3 -DHAVE_NCCL reduce-multi-ways.cu -lnccl. Without it the row nccl is skipped.
//
// As in reduce-multi each sum is exact. It must be equal to the total that a formula gives. With
// -DUSE_DP the numbers are doubles. Without a GPU, CUDACPU_DEVICES=4 shows four devices.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/is_idle.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"
#include "parts.cuh"
#ifdef HAVE_NCCL
#include "../common/check_nccl.cuh"
#endif

const int BLOCK_SIZE = 1024;

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

// 16 bytes, the most that one instruction loads up to compute capability 9.0.
#ifdef USE_DP
typedef double2 Vector;

__device__ double sum_of(Vector v) { return v.x + v.y; }
#else
typedef float4 Vector;

__device__ double sum_of(Vector v)
{
    return ((double)v.x + (double)v.y) + ((double)v.z + (double)v.w);
}
#endif
const size_t WIDTH = sizeof(Vector) / sizeof(real);

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

// A device: its part of the array, and its sums. Each device owns its memory, stream and event.
struct Device
{
    size_t first, part; // elements first ... first + part - 1 of the array
    int grid_size;
    real *d_x;
    double *d_sums;  // of the blocks
    double *d_sum;   // of the part
    double *d_total; // of all parts, where a way gives it to this device
    cudaStream_t stream;
    cudaEvent_t done; // without a time: the stream of device 0 waits for it
};

static int num_devices;
static size_t N;    // elements of the whole array
static size_t seed; // of its numbers
static Device devices[MOST_DEVICES];
static Places places;      // the d_sum of each device
static double *d_gathered; // on device 0: the sums of all devices
static double *h_sums;     // the same in pinned memory of the host
static double *h_total;    // what a way has joined
static double total;       // what it should be
static double alone;       // GB/s of device 0
#ifdef HAVE_NCCL
static ncclComm_t comms[MOST_DEVICES];
#endif

// Two blocks of 1024 threads fill a multiprocessor, so 4 for each are two waves of blocks. Small
// parts need fewer blocks.
int grid_size_of(int device, size_t part)
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, device));
    const size_t useful = (part + BLOCK_SIZE * WIDTH - 1) / (BLOCK_SIZE * WIDTH);
    const size_t most = 4 * properties.multiProcessorCount;
    return useful < 1 ? 1 : useful < most ? useful : most;
}

// Where the part of a device begins: N * device / num_devices, computed so that no product can
// overflow. It ends where the next one begins.
size_t first_of(size_t N, size_t num_devices, size_t device)
{
    return N / num_devices * device + N % num_devices * device / num_devices;
}

// Each device gets its part, in its own memory.
void allocate(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        Device *d = &devices[device];
        d->first = first_of(N, num_devices, device);
        d->part = first_of(N, num_devices, device + 1) - d->first;
        CHECK(cudaSetDevice(device));
        d->grid_size = grid_size_of(device, d->part);
        CHECK(cudaMalloc(&d->d_x, (d->part + 1) * sizeof(real)));
        CHECK(cudaMalloc(&d->d_sums, d->grid_size * sizeof(double)));
        CHECK(cudaMalloc(&d->d_sum, sizeof(double)));
        CHECK(cudaMalloc(&d->d_total, sizeof(double)));
        CHECK(cudaStreamCreate(&d->stream));
        CHECK(cudaEventCreateWithFlags(&d->done, cudaEventDisableTiming));
        places.d_sum[device] = d->d_sum;
        if (d->part > 0)
        {
            fill_part<<<(d->part + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d->d_x, d->part,
                                                                               d->first, seed);
            CHECK_LAUNCH();
        }
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&d_gathered, MOST_DEVICES * sizeof(double)));
    CHECK(cudaMallocHost(&h_sums, (MOST_DEVICES + 1) * sizeof(double)));
    h_total = &h_sums[MOST_DEVICES];
}

void release(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        Device *d = &devices[device];
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamDestroy(d->stream));
        CHECK(cudaEventDestroy(d->done));
        CHECK(cudaFree(d->d_x));
        CHECK(cudaFree(d->d_sums));
        CHECK(cudaFree(d->d_sum));
        CHECK(cudaFree(d->d_total));
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(d_gathered));
    CHECK(cudaFreeHost(h_sums));
}

// ---- The reduction ----

// The launches return at once. So the first device works while the host launches on the others.
void reduce_on(int device)
{
    const Device *d = &devices[device];
    CHECK(cudaSetDevice(device));
    reduce_part<<<d->grid_size, BLOCK_SIZE, 0, d->stream>>>(d->d_x, d->part, d->d_sums);
    CHECK_LAUNCH();
    add_sums<<<1, BLOCK_SIZE, 0, d->stream>>>(d->d_sums, d->grid_size, d->d_sum);
    CHECK_LAUNCH();
}

void reduce_all(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        reduce_on(device);
    }
}

void wait_for_all(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaStreamSynchronize(devices[device].stream));
    }
}

// What is issued to the stream of device 0 from here on waits for the other devices.
void let_first_wait(void)
{
    for (int device = 1; device < num_devices; ++device)
    {
        CHECK(cudaEventRecord(devices[device].done, devices[device].stream));
        CHECK(cudaStreamWaitEvent(devices[0].stream, devices[device].done, 0));
    }
    CHECK(cudaSetDevice(0));
}

void fetch_total(void)
{
    CHECK(cudaMemcpyAsync(h_total, devices[0].d_total, sizeof(double), cudaMemcpyDeviceToHost,
                          devices[0].stream));
    wait_for_all();
}

// ---- The four ways to join the sums ----

void by_peer_copies(void)
{
    const Device *first = &devices[0];
    reduce_all();
    for (int device = 0; device < num_devices; ++device)
    {
        const Device *d = &devices[device];
        CHECK(cudaMemcpyPeerAsync(&d_gathered[device], 0, d->d_sum, device, sizeof(double),
                                  d->stream));
    }
    let_first_wait();
    add_sums<<<1, BLOCK_SIZE, 0, first->stream>>>(d_gathered, num_devices, first->d_total);
    CHECK_LAUNCH();
    fetch_total();
}

void by_the_host(void)
{
    reduce_all();
    for (int device = 0; device < num_devices; ++device)
    {
        const Device *d = &devices[device];
        CHECK(cudaMemcpyAsync(&h_sums[device], d->d_sum, sizeof(double), cudaMemcpyDeviceToHost,
                              d->stream));
    }
    wait_for_all();
    double sum = 0.0;
    for (int device = 0; device < num_devices; ++device)
    {
        sum += h_sums[device];
    }
    *h_total = sum;
}

void by_peer_reads(void)
{
    const Device *first = &devices[0];
    reduce_all();
    let_first_wait();
    add_peers<<<1, BLOCK_SIZE, 0, first->stream>>>(places, num_devices, first->d_total);
    CHECK_LAUNCH();
    fetch_total();
}

#ifdef HAVE_NCCL
// Between the calls of a group NCCL collects what all ranks ask for, and starts it at the end.
void by_nccl(void)
{
    reduce_all();
    CHECK_NCCL(ncclGroupStart());
    for (int device = 0; device < num_devices; ++device)
    {
        const Device *d = &devices[device];
        CHECK_NCCL(
            ncclAllReduce(d->d_sum, d->d_total, 1, ncclDouble, ncclSum, comms[device], d->stream));
    }
    CHECK_NCCL(ncclGroupEnd());
    fetch_total();
}
#endif

// ---- The checks ----

void check_formula(void)
{
    const size_t sample = N < 5000000 ? N : 5000000;
    check_true("the formula and a loop of the host agree",
               total_by_formula(sample, seed) == total_by_loop(sample, seed));
}

// Nothing that was computed before may pass for a new result.
void poison_all(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        const Device *d = &devices[device];
        CHECK(cudaSetDevice(device));
        CHECK(cudaMemset(d->d_sums, POISON_BYTE, d->grid_size * sizeof(double)));
        CHECK(cudaMemset(d->d_sum, POISON_BYTE, sizeof(double)));
        CHECK(cudaMemset(d->d_total, POISON_BYTE, sizeof(double)));
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemset(d_gathered, POISON_BYTE, MOST_DEVICES * sizeof(double)));
    CHECK(cudaDeviceSynchronize());
    poison(h_sums, (MOST_DEVICES + 1) * sizeof(double));
}

void check_parts(void)
{
    poison_all();
    reduce_all();
    wait_for_all();
    for (int device = 0; device < num_devices; ++device)
    {
        const Device *d = &devices[device];
        const double before = total_by_formula(d->first, seed);
        const double expected = total_by_formula(d->first + d->part, seed) - before;
        double sum;
        CHECK(cudaMemcpy(&sum, d->d_sum, sizeof(double), cudaMemcpyDeviceToHost));
        check_elements("the sum of a device's part", &sum, &expected, 1);
    }
}

// ---- The rows of the table ----

// A row that has no time, speed-up or sum has NAN there.
void print_row(const char *name, size_t N, double ms, double speedup, double sum,
               const char *remark)
{
    put_text(name);
    put_timed(ms);
    put_timed(rate_of((double)N * sizeof(real), ms));
    put_timed(speedup);
    put(sum);
    put_text(remark);
    end_row();
}

// The rate of the whole array in so many ms, over that of device 0 alone.
double speedup(double ms) { return rate_of((double)N * sizeof(real), ms) / alone; }

// Each device alone, and all at once. Each time ends when the host has waited.
void measure_reductions(void)
{
    bool clock_is_right = true;
    for (int device = 0; device < num_devices; ++device)
    {
        const Device *d = &devices[device];
        Timer timer = new_host_timer(args.repeats);
        while (next_run(&timer))
        {
            reduce_on(device);
            CHECK(cudaStreamSynchronize(d->stream));
        }
        const double ms = timer.median;
        clock_is_right = clock_is_right && is_idle(d->stream);
        if (device == 0)
        {
            alone = rate_of((double)d->part * sizeof(real), ms);
        }
        char name[32];
        snprintf(name, sizeof(name), "device %d", device);
        print_row(name, d->part, ms, NAN, NAN, "");
    }
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        reduce_all();
        wait_for_all();
    }
    const double ms = timer.median;
    for (int device = 0; device < num_devices; ++device)
    {
        clock_is_right = clock_is_right && is_idle(devices[device].stream);
    }
    check_true("the host has waited for what it timed", clock_is_right);
    print_row("all at once", N, ms, speedup(ms), NAN, "");
}

// Checks and times a way: the reduction of all parts, and the joining of their sums.
void measure(const char *name, void (*join)(void))
{
    poison_all();
    join();
    check_elements(name, h_total, &total, 1);
    const double sum = *h_total;
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        join();
    }
    const double ms = timer.median;
    check_true("each repeat gives the same sum", *h_total == sum);
    print_row(name, N, ms, speedup(ms), sum, "");
}

bool first_reaches_all(void)
{
    bool reaches_all = true;
    for (int device = 1; device < num_devices; ++device)
    {
        int can = 0;
        CHECK(cudaDeviceCanAccessPeer(&can, 0, device));
        reaches_all = reaches_all && can;
    }
    return reaches_all;
}

void measure_peer_reads(void)
{
    if (!first_reaches_all())
    {
        print_row("peer reads", 0, NAN, NAN, NAN,
                  "skipped: device 0 cannot reach the memory of all others");
        return;
    }
    CHECK(cudaSetDevice(0));
    for (int device = 1; device < num_devices; ++device)
    {
        CHECK(cudaDeviceEnablePeerAccess(device, 0));
    }
    measure("peer reads", by_peer_reads);
}

#ifdef HAVE_NCCL
// One process has all devices. Each of them is a rank of NCCL's.
void measure_nccl(void)
{
    CHECK_NCCL(ncclCommInitAll(comms, num_devices, NULL));
    measure("nccl", by_nccl);
    for (int device = 1; device < num_devices; ++device) // measure has checked device 0's
    {
        double sum;
        CHECK(cudaMemcpy(&sum, devices[device].d_total, sizeof(double), cudaMemcpyDeviceToHost));
        check_elements("nccl: the total on a device", &sum, &total, 1);
    }
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK_NCCL(ncclCommDestroy(comms[device]));
    }
}
#else
void measure_nccl(void)
{
    print_row("nccl", 0, NAN, NAN, NAN,
              "skipped: compiled without NCCL, so peer copies join the sums");
}
#endif

int main(int argc, char **argv)
{
    add_array_size(&N);
    args.columns = "  ms          the median time until the host has waited\n"
                   "  GB/s        10^9 bytes of the array added up in a second\n"
                   "  x device 0  GB/s divided by that of device 0 alone\n"
                   "  sum         the total of the array, as the row's way has joined it\n";
    parse_args(argc, argv, "-r R -s S --csv",
               "reduce-multi-ways: four ways to join the sums of the devices, each timed");
    num_devices = count_devices();
    N = choose_array_size(N, sizeof(real), num_devices);
    require_memory_on_each(0.0, (N / num_devices + 1.0) * sizeof(real), num_devices);
    seed = args.seed % PERIOD;
    total = total_by_formula(N, seed);
    print_array(N, REAL_NAME, num_devices);
    check_formula();
    allocate();
    check_parts();

    const Column COLUMNS[] = {{"way", "%-16s", ""},     {TIME_UNIT, "%10.4g"}, {"GB/s", "%8.1f"},
                              {"x device 0", "%10.2f"}, {"sum", "%17.17g"},    {"remark", " %s"}};
    begin_timed_table(COLUMNS, 6);
    measure_reductions();
    measure("peer copies", by_peer_copies);
    measure("by the host", by_the_host);
    measure_peer_reads();
    measure_nccl();

    release();
    return verdict();
}
