// reduce-multi: the sum of one array whose parts lie in the memories of all devices
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Compile: nvcc -O3 reduce-multi.cu
// Run:     ./a.out -n 1000000000
//
// Each device fills its part of the array in its own memory, so nothing large is copied. Then it
// adds its part up. One host thread launches the kernels on all devices, and the devices work at
// the same time. At the end the host has each sum copied to device 0, and a kernel there adds the
// sums. reduce-multi-ways compares this with other ways.
//
// The numbers are integers below 2^17, and the sums are doubles. So each sum is exact, in every
// order and with every number of devices. It must be equal to what a loop of the host gives.
// Without a GPU, CUDACPU_DEVICES=4 shows four devices.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"
#include "parts.cuh"

const int BLOCK_SIZE = 256;
const size_t MOST_BLOCKS = 512; // that add up a part

// A device: its part of the array, and its sums. Its arrays lie in its own memory.
struct Device
{
    size_t first, part; // elements first ... first + part - 1 of the array
    int grid_size;      // the blocks that add them up
    double *d_x;
    double *d_sums; // of the blocks
    double *d_sum;  // of the part
};

static int num_devices;
static size_t N;    // elements of the whole array
static size_t seed; // of its numbers
static Device devices[MOST_DEVICES];
static double *d_gathered; // on device 0: the sums of all devices
static double *d_total;    // on device 0: the sum of these

// The part of a device: elements first ... first + N - 1 of the array.
__global__ void fill_part(double *x, size_t N, size_t first, size_t seed)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = number_of(first + n, seed);
    }
}

// Each block adds up its share of x and leaves the sum in d_sums. One block alone adds up all of x.
// So this kernel adds the numbers, the sums of the blocks, and those of the devices.
__global__ void add_up(const double *x, size_t N, double *d_sums)
{
    __shared__ double s_y[BLOCK_SIZE];
    const int tid = threadIdx.x;
    const size_t first = (size_t)blockDim.x * blockIdx.x + tid;
    const size_t stride = (size_t)blockDim.x * gridDim.x;
    double y = 0.0;
    for (size_t n = first; n < N; n += stride)
    {
        y += x[n];
    }
    s_y[tid] = y;
    __syncthreads();
    for (int offset = BLOCK_SIZE / 2; offset > 0; offset /= 2)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }
    if (tid == 0)
    {
        d_sums[blockIdx.x] = s_y[0];
    }
}

// Where the part of a device begins: N * device / num_devices, computed so that no product can
// overflow. It ends where the next one begins.
size_t first_of(size_t N, size_t num_devices, size_t device)
{
    return N / num_devices * device + N % num_devices * device / num_devices;
}

// An array of the current device, full of poison.
double *new_array(size_t count)
{
    double *d_array;
    CHECK(cudaMalloc(&d_array, count * sizeof(double)));
    CHECK(cudaMemset(d_array, POISON_BYTE, count * sizeof(double)));
    return d_array;
}

// Each device gets its part, in its own memory.
void allocate(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        Device *d = &devices[device];
        d->first = first_of(N, num_devices, device);
        d->part = first_of(N, num_devices, device + 1) - d->first;
        const size_t blocks = d->part / BLOCK_SIZE + 1; // of fill_part: a thread for each element
        d->grid_size = blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
        CHECK(cudaSetDevice(device));
        d->d_x = new_array(d->part + 1); // never 0 bytes
        d->d_sums = new_array(d->grid_size);
        d->d_sum = new_array(1);
        fill_part<<<blocks, BLOCK_SIZE>>>(d->d_x, d->part, d->first, seed);
        CHECK_LAUNCH();
    }
    CHECK(cudaSetDevice(0));
    d_gathered = new_array(num_devices);
    d_total = new_array(1);
}

// The launches return at once. So the first device works while the host launches on the others.
void reduce_on(int device)
{
    const Device *d = &devices[device];
    CHECK(cudaSetDevice(device));
    add_up<<<d->grid_size, BLOCK_SIZE>>>(d->d_x, d->part, d->d_sums);
    CHECK_LAUNCH();
    add_up<<<1, BLOCK_SIZE>>>(d->d_sums, d->grid_size, d->d_sum);
    CHECK_LAUNCH();
}

// Each copy waits for the kernels of its device, and the last kernel waits for all copies.
double sum_of_all(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        reduce_on(device);
    }
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(
            cudaMemcpyPeer(&d_gathered[device], 0, devices[device].d_sum, device, sizeof(double)));
    }
    double total;
    CHECK(cudaSetDevice(0));
    add_up<<<1, BLOCK_SIZE>>>(d_gathered, num_devices, d_total);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&total, d_total, sizeof(double), cudaMemcpyDeviceToHost));
    return total;
}

// The sum of each part, and the total, against a loop of the host. n runs through the whole array,
// so an element that is in no part is found missing.
void check_sums(double total)
{
    double right_total = 0.0;
    size_t n = 0;
    for (int device = 0; device < num_devices; ++device)
    {
        const size_t end = device + 1 < num_devices ? devices[device + 1].first : N;
        double sum, right = 0.0;
        for (; n < end; ++n)
        {
            right += number_of(n, seed);
        }
        CHECK(cudaMemcpy(&sum, devices[device].d_sum, sizeof(double), cudaMemcpyDeviceToHost));
        check_elements("the sum of a device's part", &sum, &right, 1);
        right_total += right;
    }
    check_elements("the total", &total, &right_total, 1);
}

int main(int argc, char **argv)
{
    add_array_size(&N);
    parse_args(argc, argv, "-r R -s S",
               "reduce-multi: the sum of one array whose parts lie in the memories of all devices");
    num_devices = count_devices();
    N = choose_array_size(N, sizeof(double), num_devices);
    require_memory_on_each(0.0, (N / num_devices + 1.0) * sizeof(double), num_devices);
    seed = args.seed % PERIOD;
    print_array(N, "double", num_devices);

    allocate();
    const double total = sum_of_all();
    check_sums(total);
    print_note("the sum of all parts: %.17g\n", total);

    double again = 0.0;
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        again = sum_of_all();
    }
    check_true("each repeat gives the same sum", again == total);
    print_timed_note("it takes %.4g ms, which is %.1f GB/s\n", timer.median,
                     rate_of((double)N * sizeof(double), timer.median));

    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaFree(devices[device].d_x));
        CHECK(cudaFree(devices[device].d_sums));
        CHECK(cudaFree(devices[device].d_sum));
    }
    CHECK(cudaFree(d_gathered));
    CHECK(cudaFree(d_total));
    return verdict();
}
