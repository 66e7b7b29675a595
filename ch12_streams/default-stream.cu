// default-stream: a launch in the default stream makes the kernels of eight streams take turns,
// unless these streams are non-blocking
//
// From:    S3 streams; section 12.1, and beyond the book
// Compile: nvcc -O3 default-stream.cu
// Run:     ./a.out
//
// A launch that names no stream goes to the default stream. The host launches a kernel of a few
// milliseconds in each of eight streams. After each of these launches it launches a tiny kernel
// without a stream. A GPU has room for all of them at once.
//
// CUDA calls this default stream legacy, because there is a newer one. Its work begins after all
// earlier work in the blocking streams, and their later work begins after it. A stream that
// cudaStreamCreate makes is blocking. A stream made with cudaStreamNonBlocking is not.
// cudaStreamCreate is cudaStreamCreateWithFlags with cudaStreamDefault.
//
// nvcc --default-stream per-thread compiles the newer default stream in. It waits for none of the
// eight streams, and they do not wait for it. Then the check of the row blocking fails.
//
// The order is checked by data. The tiny kernel writes a mark, and each of the eight kernels notes
// which mark it finds. default-stream-cases does other things between the launches.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "steps.cuh"

const int NUM_STREAMS = 8;
const double KERNEL_MS = 3.0; // about so long each of the eight kernels takes

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

// The marks that a kernel finds when it begins and when it ends.
struct Note
{
    int before, after;
};

static unsigned num_steps;              // of each kernel
static unsigned h_x[NUM_STREAMS], *d_x; // a number for each stream
static int *d_mark;
static Note h_notes[NUM_STREAMS], *d_notes;
static cudaStream_t streams[NUM_STREAMS];

// One thread. The loop is there to take time. The compiler may put some of its steps together, but
// it keeps the loop. The mark is volatile: it is read again at the end, not kept in a register.
__global__ void work(unsigned *x, unsigned num_steps, const volatile int *mark, Note *note)
{
    note->before = *mark;
    unsigned value = *x;
    for (unsigned i = 0; i < num_steps; ++i)
    {
        value = FACTOR * value + SUMMAND;
    }
    *x = value;
    note->after = *mark;
}

void launch_one(unsigned num_steps) { work<<<1, 1>>>(d_x, num_steps, d_mark, d_notes); }

// The launch between two launches of `work`. S3 calls it a dummy kernel.
__global__ void set_mark(int *mark, int value) { *mark = value; }

void launch_eight(void)
{
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        work<<<1, 1, 0, streams[i]>>>(&d_x[i], num_steps, d_mark, &d_notes[i]);
        CHECK_LAUNCH();
        set_mark<<<1, 1>>>(d_mark, i + 1); // no stream is named: it is the default stream
        CHECK_LAUNCH();
    }
    CHECK(cudaDeviceSynchronize());
}

// Returns how many of the eight kernels found the right mark when they began and when they ended.
int check_launches(const char *name)
{
    CHECK(cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_notes, POISON_BYTE, sizeof(h_notes)));
    CHECK(cudaMemset(d_mark, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize()); // a non-blocking stream does not wait for a memset
    launch_eight();

    unsigned x[NUM_STREAMS], reference[NUM_STREAMS];
    CHECK(cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_notes, d_notes, sizeof(h_notes), cudaMemcpyDeviceToHost));
    int in_order = 0;
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        reference[i] = steps_reference(h_x[i], num_steps, FACTOR, SUMMAND);
        // The mark counts the tiny kernels. Before kernel i there are i of them.
        in_order += h_notes[i].before == i && h_notes[i].after == i;
    }
    check_elements(name, x, reference, NUM_STREAMS);
    return in_order;
}

int main(int argc, char **argv)
{
    // Up to 32 streams then reach the device without sharing a queue. CUDA's default is 8, and with
    // the default stream this program has 9. CUDA reads the variable when it is initialized.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    args.columns = "  streams   of the eight kernels\n"
                   "  ms        the median time of all launches\n"
                   "  in order  how many of the eight kernels began after the tiny kernel before\n"
                   "            them and ended before the one after them\n";
    parse_args(argc, argv, "-r R -s S --csv",
               "default-stream: a launch in the default stream makes the kernels of eight streams "
               "take turns, unless these streams are non-blocking");
    print_device();
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMalloc(&d_mark, sizeof(int)));
    CHECK(cudaMalloc(&d_notes, sizeof(h_notes)));
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        h_x[i] = (unsigned)hash_bits(args.seed, i);
    }
    CHECK(cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_mark, 0, sizeof(int)));
    num_steps = find_num_steps(KERNEL_MS, launch_one);

    const Column COLUMNS[] = {{"streams", "%-13s"}, {TIME_UNIT, "%10.4g"}, {"in order", "%9.0f"}};
    begin_timed_table(COLUMNS, 3);
    for (int are_blocking = 1; are_blocking >= 0; --are_blocking)
    {
        const char *name = are_blocking ? "blocking" : "non-blocking";
        const unsigned flags = are_blocking ? cudaStreamDefault : cudaStreamNonBlocking;
        for (int i = 0; i < NUM_STREAMS; ++i)
        {
            CHECK(cudaStreamCreateWithFlags(&streams[i], flags));
        }
        const int in_order = check_launches(name);
        if (are_blocking) // kernels in non-blocking streams may find any mark
        {
            check_true("blocking streams: the kernels and the launches between them take turns",
                       in_order == NUM_STREAMS);
        }
        Timer timer = new_host_timer(args.repeats);
        while (next_run(&timer))
        {
            launch_eight();
        }
        put_text(name);
        put_timed(timer.median);
        put_timed(in_order); // what a CPU does in order says nothing about streams
        end_row();
        for (int i = 0; i < NUM_STREAMS; ++i)
        {
            CHECK(cudaStreamDestroy(streams[i]));
        }
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_mark));
    CHECK(cudaFree(d_notes));
    return verdict();
}
