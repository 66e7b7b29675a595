// kernel-transfer: copies and kernels at the same time, from pinned and from pageable memory
//
// From:    Listing 12.3, Fig. 12.3, sections 12.4, 12.4.1 and 12.4.2, file kernel-transfer.cu;
//          S1 streams; S3 streams
// Compile: nvcc -O3 kernel-transfer.cu
// Run:     ./a.out -n 4194304
//
// x and y are copied to the device, a kernel adds them, and z is copied back. In one stream these
// three parts run one after the other. So the data are divided into pieces, one for each stream.
// While the kernel works on one piece, the next piece is copied in and the piece before it is
// copied out. A device with two copy engines can do all three at the same time.
// The kernel repeats its addition. The program first measures the copy in. Then it chooses the
// number of additions so that the kernel takes about 1.15 times as long.
//
// Several streams save time only with pinned memory, which cudaMallocHost allocates. With pageable
// memory, from malloc, the results are right too, but nothing overlaps: a copy from or to pageable
// memory makes the host wait, so the host issues the next piece only when this one is done.
// transfer-parts draws both. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "transfer.cuh"

const int NUMBERS_OF_STREAMS[] = {1, 2, 4, 8, 16, 32, 64};
const int POINTS = sizeof(NUMBERS_OF_STREAMS) / sizeof(NUMBERS_OF_STREAMS[0]);
const int MAX_NUM_STREAMS = 64;

const double WANTED_RATIO = 1.15; // the time of the kernel over that of the copy in

// In Listing 12.3 a block gets no shared memory. Here it gets so many bytes, and does not use them:
// then fewer blocks run on a multiprocessor at a time (on an H200 four, and not 16), and each ends
// sooner. So the next part waits less for the last blocks of a piece.
const size_t UNUSED_SHARED = 48000;

static size_t N;
static int block_size;
static int additions;         // of each thread
static real *h_x, *h_y, *h_z; // z is x + y
static real *d_x, *d_y, *d_z;
static real *reference; // what z should be
static cudaStream_t streams[MAX_NUM_STREAMS];

// A double has so many digits that adding in double and then rounding to real gives the same bits
// as adding in real.
void add_reference(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (real)((double)x[n] + (double)y[n]);
    }
}

// Listing 12.3. z might be the same memory as x or y, so the compiler must keep the loop. In the
// book `additions` is 40.
__global__ void add(const real *x, const real *y, real *z, size_t N, int additions)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        for (int i = 0; i < additions; ++i)
        {
            z[n] = x[n] + y[n];
        }
    }
}

// Listing 12.3, with `num` pieces. Piece i has a stream of its own. The host issues two copies in,
// a kernel and a copy out to this stream. Then it goes on to the next piece. The piece has N1
// numbers, M1 bytes. It begins at `offset`. If N is no multiple of num, some pieces have one number
// more than others.
void transfer(const real *h_x, const real *h_y, real *h_z, real *d_x, real *d_y, real *d_z, int num)
{
    for (int i = 0; i < num; ++i)
    {
        const size_t offset = N * i / num;
        const size_t N1 = N * (i + 1) / num - offset;
        const size_t M1 = sizeof(real) * N1;
        CHECK(cudaMemcpyAsync(d_x + offset, h_x + offset, M1, cudaMemcpyHostToDevice, streams[i]));
        CHECK(cudaMemcpyAsync(d_y + offset, h_y + offset, M1, cudaMemcpyHostToDevice, streams[i]));

        const int grid_size = (N1 - 1) / block_size + 1;
        add<<<grid_size, block_size, UNUSED_SHARED, streams[i]>>>(d_x + offset, d_y + offset,
                                                                  d_z + offset, N1, additions);
        CHECK_LAUNCH();

        CHECK(cudaMemcpyAsync(h_z + offset, d_z + offset, M1, cudaMemcpyDeviceToHost, streams[i]));
    }
}

void check_transfer(const char *memory, int num)
{
    poison_arrays(d_x, d_y, d_z, h_z, N * sizeof(real));
    transfer(h_x, h_y, h_z, d_x, d_y, d_z, num);
    CHECK(cudaDeviceSynchronize());
    char what[64];
    snprintf(what, sizeof(what), "z, %s, %d streams", memory, num);
    check_elements(what, h_z, reference, N);
}

// The time by the host's clock: the work is in many streams, and an event belongs to only one.
double time_transfer(int num)
{
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        transfer(h_x, h_y, h_z, d_x, d_y, d_z, num);
        CHECK(cudaDeviceSynchronize());
    }
    check_true("the host has waited for what it timed", all_are_idle(streams, MAX_NUM_STREAMS));
    return timer.median;
}

// A row for each number of streams. Each stream needs at least one number of x.
void measure_streams(const char *memory)
{
    double one_stream_ms = NAN;
    for (int i = 0; i < POINTS && (size_t)NUMBERS_OF_STREAMS[i] <= N; ++i)
    {
        const int num = NUMBERS_OF_STREAMS[i];
        check_transfer(memory, num);
        const double ms = time_transfer(num);
        one_stream_ms = num == 1 ? ms : one_stream_ms;
        put_text(memory);
        put(num);
        put_timed(ms);
        put_timed(times_as_fast(one_stream_ms, ms));
        end_row();
    }
}

// All numbers as one piece, in the default stream.
void copy_in(void)
{
    CHECK(cudaMemcpyAsync(d_x, h_x, N * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(d_y, h_y, N * sizeof(real), cudaMemcpyHostToDevice));
}

void launch_add(unsigned additions)
{
    const int grid_size = (N - 1) / block_size + 1;
    add<<<grid_size, block_size, UNUSED_SHARED>>>(d_x, d_y, d_z, N, additions);
}

int main(int argc, char **argv)
{
    args.N = default_size(4194304, 32768);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    args.columns = "  memory    of the host's arrays\n"
                   "  streams   how many pieces the data have, each in a stream of its own\n"
                   "  ms        the median time\n"
                   "  speed-up  the time in one stream over this time\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "kernel-transfer: copies and kernels at the same time, from pinned and from "
               "pageable memory");
    N = args.N;
    block_size = args.block_x;
    print_device();
    print_timed_note("%s, N = %zu, median of %zu repeats\n", REAL_NAME, N, args.repeats);

    const size_t bytes = N * sizeof(real);
    reference = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    create_streams(streams, MAX_NUM_STREAMS);

    const Column COLUMNS[] = {
        {"memory", "%-9s"}, {"streams", "%-9.0f"}, {TIME_UNIT, "%10.4g"}, {"speed-up", "%9.2f"}};
    begin_timed_table(COLUMNS, 4);
    for (int memory = PINNED; memory < NUM_MEMORIES; ++memory)
    {
        h_x = allocate_in((Memory)memory, bytes);
        h_y = allocate_in((Memory)memory, bytes);
        h_z = allocate_in((Memory)memory, bytes);
        fill_random(h_x, N, args.seed);
        fill_random(h_y, N, args.seed + 1);
        add_reference(h_x, h_y, reference, N);
        if (memory == PINNED)
        {
            additions = find_additions(WANTED_RATIO, args.repeats, copy_in, launch_add);
        }
        measure_streams(MEMORY_NAMES[memory]);
        free_in((Memory)memory, h_x);
        free_in((Memory)memory, h_y);
        free_in((Memory)memory, h_z);
    }

    destroy_streams(streams, MAX_NUM_STREAMS);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(reference);
    return verdict();
}
