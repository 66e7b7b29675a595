// transfer-parts: how long the copies and the kernel take by themselves, and when each piece is
// copied and added
//
// From:    Fig. 12.3, sections 12.4 and 12.4.2
// Order:   after kernel-transfer
// Compile: nvcc -O3 transfer-parts.cu
// Run:     ./a.out -n 4194304
//
// The work is that of kernel-transfer: x and y are copied to the device, a kernel adds them, and z
// is copied back, in pieces, one for each stream. Even if the three parts overlap, the whole takes
// at least as long as the longest of them: this time is the `bound` in the table.
//
// The timelines below the tables show when each piece is copied in, added and copied out. In pinned
// memory the pieces overlap, in pageable memory they do not.
// -o PREFIX writes the data of Figure 12.3. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "timeline.cuh"
#include "transfer.cuh"

const int NUMBERS_OF_STREAMS[] = {1, 2, 4, 8, 16, 32, 64};
const int POINTS = sizeof(NUMBERS_OF_STREAMS) / sizeof(NUMBERS_OF_STREAMS[0]);
const int MAX_NUM_STREAMS = 64;
const int TIMELINE_STREAMS = 4; // as many as in the book's sketch

const double WANTED_RATIO = 1.15; // the time of the kernel over that of the copy in

// In Listing 12.3 a block gets no shared memory. Here it gets so many bytes, and does not use them:
// then fewer blocks run on a multiprocessor at a time (on an H200 four, and not 16), and each ends
// sooner. So the next part waits less for the last blocks of a piece.
const size_t UNUSED_SHARED = 48000;

static size_t N;
static int block_size;
static int additions;         // of each thread
static Memory memory;         // where h_x, h_y and h_z are: main sets it
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

// ---- The three parts: of a piece that begins at `offset` and has N1 numbers ----

void copy_in(size_t offset, size_t N1, cudaStream_t stream)
{
    const size_t M1 = sizeof(real) * N1;
    CHECK(cudaMemcpyAsync(d_x + offset, h_x + offset, M1, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(d_y + offset, h_y + offset, M1, cudaMemcpyHostToDevice, stream));
}

void compute(size_t offset, size_t N1, cudaStream_t stream)
{
    const int grid_size = (N1 - 1) / block_size + 1;
    add<<<grid_size, block_size, UNUSED_SHARED, stream>>>(d_x + offset, d_y + offset, d_z + offset,
                                                          N1, additions);
    CHECK_LAUNCH();
}

void copy_out(size_t offset, size_t N1, cudaStream_t stream)
{
    const size_t M1 = sizeof(real) * N1;
    CHECK(cudaMemcpyAsync(h_z + offset, d_z + offset, M1, cudaMemcpyDeviceToHost, stream));
}

// All pieces, a stream for each, as in Listing 12.3.
void transfer(int num)
{
    for (int i = 0; i < num; ++i)
    {
        const size_t offset = N * i / num;
        const size_t N1 = N * (i + 1) / num - offset;
        copy_in(offset, N1, streams[i]);
        compute(offset, N1, streams[i]);
        copy_out(offset, N1, streams[i]);
    }
}

// ---- The table ----

void print_titles(void)
{
    static const Column COLUMNS[] = {{"memory", "%-9s"},
                                     {"streams", "%-9s"},
                                     {TIME_UNIT, "%10.4g"},
                                     {"speed-up", "%9.2f"},
                                     {"% of bound", "%11.1f"}};
    begin_timed_table(COLUMNS, 5);
}

void print_row(const char *what, double ms, double one_stream_ms, double bound)
{
    put_text(MEMORY_NAMES[memory]);
    put_text(what);
    put_timed(ms);
    put_timed(times_as_fast(one_stream_ms, ms));
    put_timed(percent_of(bound, ms));
    end_row();
}

// A part has no speed-up.
void print_part(const char *what, double ms) { print_row(what, ms, NAN, NAN); }

// ---- The three parts by themselves ----

// The times of all numbers as one piece, in the default stream.
double time_copy_in(void)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        copy_in(0, N, 0);
    }
    return timer.median;
}

double time_compute(void)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        compute(0, N, 0);
    }
    return timer.median;
}

double time_copy_out(void)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        copy_out(0, N, 0);
    }
    return timer.median;
}

void copy_all_in(void) { copy_in(0, N, 0); }

void compute_all(unsigned wanted)
{
    additions = (int)wanted;
    compute(0, N, 0);
}

void choose_additions(void)
{
    additions = find_additions(WANTED_RATIO, args.repeats, copy_all_in, compute_all);
    const double copy_in_ms = time_copy_in();
    print_timed_note("the kernel adds %d times and takes %.2f times as long as the copy in from "
                     "pinned memory\n",
                     additions, time_compute() / copy_in_ms);
}

// Returns the bound: the time of the longest part.
double measure_parts(void)
{
    const double copy_in_ms = time_copy_in();
    print_part("copy in", copy_in_ms);
    const double kernel_ms = time_compute();
    print_part("kernel", kernel_ms);
    const double copy_out_ms = time_copy_out();
    print_part("copy out", copy_out_ms);

    const double bound = fmax(fmax(copy_in_ms, kernel_ms), copy_out_ms);
    print_part("bound", bound);
    return bound;
}

// ---- Checking and timing Listing 12.3 ----

void check_z(int num)
{
    char what[64];
    snprintf(what, sizeof(what), "z, %s, %d streams", MEMORY_NAMES[memory], num);
    check_elements(what, h_z, reference, N);
}

void check_transfer(int num)
{
    poison_arrays(d_x, d_y, d_z, h_z, N * sizeof(real));
    transfer(num);
    CHECK(cudaDeviceSynchronize());
    check_z(num);
}

// The time by the host's clock: the work is in many streams, and an event belongs to only one.
double time_transfer(int num)
{
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        transfer(num);
        CHECK(cudaDeviceSynchronize());
    }
    check_true("the host has waited for what it timed", all_are_idle(streams, MAX_NUM_STREAMS));
    return timer.median;
}

// ---- The timeline ----

const int NUM_PARTS = 3;
const char *const PARTS[NUM_PARTS] = {"copy in", "kernel", "copy out"};

// The events of each piece: before its copy in, and after each of its parts.
static cudaEvent_t marks[TIMELINE_STREAMS][NUM_PARTS + 1];

double elapsed_time(cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

// The same work in the same order as in `transfer`, with events between the parts.
void transfer_with_marks(int num)
{
    for (int i = 0; i < num; ++i)
    {
        const size_t offset = N * i / num;
        const size_t N1 = N * (i + 1) / num - offset;
        CHECK(cudaEventRecord(marks[i][0], streams[i]));
        copy_in(offset, N1, streams[i]);
        CHECK(cudaEventRecord(marks[i][1], streams[i]));
        compute(offset, N1, streams[i]);
        CHECK(cudaEventRecord(marks[i][2], streams[i]));
        copy_out(offset, N1, streams[i]);
        CHECK(cudaEventRecord(marks[i][3], streams[i]));
    }
}

// Draws one run.
void show_timeline(void)
{
    const int num = N < TIMELINE_STREAMS ? (int)N : TIMELINE_STREAMS;
    cudaEvent_t base; // the moment 0
    CHECK(cudaEventCreate(&base));
    for (int i = 0; i < num; ++i)
    {
        for (int mark = 0; mark <= NUM_PARTS; ++mark)
        {
            CHECK(cudaEventCreate(&marks[i][mark]));
        }
    }

    poison_arrays(d_x, d_y, d_z, h_z, N * sizeof(real));
    CHECK(cudaEventRecord(base, streams[0]));
    transfer_with_marks(num);
    CHECK(cudaDeviceSynchronize());
    check_z(num);

    // An event is recorded when its own stream gets there. The engine, or the multiprocessors, may
    // still be busy with the piece before. So a part begins when both are done.
    Span spans[TIMELINE_STREAMS][NUM_PARTS];
    for (int i = 0; i < num; ++i)
    {
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            const double start = elapsed_time(base, marks[i][part]);
            const double end = elapsed_time(base, marks[i][part + 1]);
            const double before = i > 0 ? spans[i - 1][part].end : start;
            spans[i][part] = {PARTS[part], fmax(start, before), end};
        }
    }
    print_timed_note("%s memory, %d streams: when each piece is copied in, added and copied out\n",
                     memory == PINNED ? said("pinned") : said("pageable"), num);
    print_timeline(spans[0], num * NUM_PARTS);

    CHECK(cudaEventDestroy(base));
    for (int i = 0; i < num; ++i)
    {
        for (int mark = 0; mark <= NUM_PARTS; ++mark)
        {
            CHECK(cudaEventDestroy(marks[i][mark]));
        }
    }
}

void write_figure(Output *figure, const double *pinned, const double *pageable, int num_points)
{
    fprintf(figure->file, "# N = %zu, %s\n# streams  pinned  speed-up  pageable  speed-up\n", N,
            TIME_UNIT);
    for (int i = 0; i < num_points; ++i)
    {
        fprintf(figure->file, "%d %.6g %.6g %.6g %.6g\n", NUMBERS_OF_STREAMS[i], pinned[i],
                pinned[0] / pinned[i], pageable[i], pageable[0] / pageable[i]);
    }
    close_output(figure);
}

// How many numbers of streams are measured: each stream needs at least one number of x.
int count_points(void)
{
    int num_points = 0;
    while (num_points < POINTS && (size_t)NUMBERS_OF_STREAMS[num_points] <= N)
    {
        ++num_points;
    }
    return num_points;
}

void print_what_runs(void)
{
    int device = -1;
    CHECK(cudaGetDevice(&device));
    print_device();
    print_timed_note("%s, N = %zu, median of %zu repeats; copy engines of the device: %d\n",
                     REAL_NAME, N, args.repeats,
                     device_attribute(cudaDevAttrAsyncEngineCount, device));
    if (!ON_GPU)
    {
        print_note("the CPU backend does one thing after the other: nothing overlaps\n");
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(4194304, 32768);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    args.columns =
        "  memory      of the host's arrays\n"
        "  streams     how many pieces the data have, each in a stream of its own; or the part by\n"
        "              itself; bound: the longest part; best: of all numbers of streams\n"
        "  ms          the median time\n"
        "  speed-up    the time in one stream over this time\n"
        "  % of bound  the bound over this time\n";
    parse_args(argc, argv, "-n N -b B -r R -s S -o PREFIX --csv",
               "transfer-parts: how long the copies and the kernel take by themselves, and "
               "when each piece is copied and added");
    const bool wants_figure = *args.prefix != '\0';
    Output figure;
    if (wants_figure)
    {
        figure = open_output("fig12-3.txt");
    }
    N = args.N;
    block_size = args.block_x;
    print_what_runs();

    const size_t bytes = N * sizeof(real);
    reference = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    create_streams(streams, MAX_NUM_STREAMS);

    double ms[NUM_MEMORIES][POINTS];
    const int num_points = count_points();
    for (int kind = PINNED; kind < NUM_MEMORIES; ++kind)
    {
        memory = (Memory)kind;
        h_x = allocate_in(memory, bytes);
        h_y = allocate_in(memory, bytes);
        h_z = allocate_in(memory, bytes);
        fill_random(h_x, N, args.seed);
        fill_random(h_y, N, args.seed + 1);
        add_reference(h_x, h_y, reference, N);
        if (memory == PINNED)
        {
            choose_additions();
            print_titles();
        }
        const double bound = measure_parts();

        double best_ms = INFINITY;
        for (int i = 0; i < num_points; ++i)
        {
            const int num = NUMBERS_OF_STREAMS[i];
            check_transfer(num);
            ms[kind][i] = time_transfer(num);
            best_ms = fmin(best_ms, ms[kind][i]);
            char what[16];
            snprintf(what, sizeof(what), "%d", num);
            print_row(what, ms[kind][i], ms[kind][0], bound);
        }
        print_row("best", best_ms, ms[kind][0], bound);
        show_timeline();
        free_in(memory, h_x);
        free_in(memory, h_y);
        free_in(memory, h_z);
    }
    if (wants_figure)
    {
        write_figure(&figure, ms[PINNED], ms[PAGEABLE], num_points);
    }

    destroy_streams(streams, MAX_NUM_STREAMS);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(reference);
    return verdict();
}
