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
// copied out. A device with two copy engines can do all three at the same time. Even then the whole
// takes at least as long as the longest of the three parts: this time is the `bound` in the table.
// The kernel repeats its addition. The program first measures the copy in. Then it chooses the
// number of repeats so that the kernel takes about 1.15 times as long.
//
// Several streams save time only with pinned memory. With pageable memory the results are right
// too, but nothing overlaps: a copy from or to pageable memory makes the host wait, so the host
// issues the next piece only when this one is done. The timelines below the tables show it.
// -o PREFIX writes the data of Figure 12.3. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "timeline.cuh"

const int NUMBERS_OF_STREAMS[] = {1, 2, 4, 8, 16, 32, 64};
const int POINTS = sizeof(NUMBERS_OF_STREAMS) / sizeof(NUMBERS_OF_STREAMS[0]);
const int MAX_NUM_STREAMS = 64;
const int TIMELINE_STREAMS = 4; // as many as in the book's sketch

// The kernel should take WANTED_RATIO times as long as the copy in. The program changes the number
// of repeats until the ratio measured differs from it by no more than NEAR_ENOUGH.
const double WANTED_RATIO = 1.15, NEAR_ENOUGH = 0.03;

// Bytes of shared memory for each block. The kernel does not use them. With them only a few blocks
// fit on a multiprocessor at a time: on an H200 four, and not 16. Four blocks together add as many
// numbers in a second as 16 do. So each of the four ends sooner than each of 16 would. This saves
// time at the end of a piece: no new blocks begin there, and the next part waits for the last ones.
const size_t UNUSED_SHARED = 48000;

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

// What the functions below work on.
struct Data
{
    size_t N;
    int block_size;
    int additions;      // of each thread
    const char *memory; // of the host's arrays: "pinned" or "pageable"
    real *h_x, *h_y, *h_z;
    real *d_x, *d_y, *d_z;
    real *reference; // z
    cudaStream_t streams[MAX_NUM_STREAMS];
};

// Listing 12.3, with `num` pieces. Piece i has a stream of its own. The host issues two copies in,
// a kernel and a copy out to this stream. Then it goes on to the next piece. The piece has N1
// numbers, M1 bytes. It begins at `offset`. If N is no multiple of num, some pieces have one number
// more than others.
void transfer(const Data *data, int num)
{
    for (int i = 0; i < num; ++i)
    {
        const size_t offset = data->N * i / num;
        const size_t N1 = data->N * (i + 1) / num - offset;
        const size_t M1 = N1 * sizeof(real);
        CHECK(cudaMemcpyAsync(data->d_x + offset, data->h_x + offset, M1, cudaMemcpyHostToDevice,
                              data->streams[i]));
        CHECK(cudaMemcpyAsync(data->d_y + offset, data->h_y + offset, M1, cudaMemcpyHostToDevice,
                              data->streams[i]));

        const int block_size = data->block_size;
        const unsigned int grid_size = (N1 - 1) / block_size + 1;
        add<<<grid_size, block_size, UNUSED_SHARED, data->streams[i]>>>(
            data->d_x + offset, data->d_y + offset, data->d_z + offset, N1, data->additions);
        CHECK_LAUNCH();

        CHECK(cudaMemcpyAsync(data->h_z + offset, data->d_z + offset, M1, cudaMemcpyDeviceToHost,
                              data->streams[i]));
    }
}

// ---- The three parts by themselves ----

// A piece of the numbers and the stream in which it is worked on.
struct Piece
{
    size_t first, N;
    cudaStream_t stream;
};

void copy_in(const Data *data, const Piece *piece)
{
    const size_t first = piece->first, bytes = piece->N * sizeof(real);
    CHECK(cudaMemcpyAsync(data->d_x + first, data->h_x + first, bytes, cudaMemcpyHostToDevice,
                          piece->stream));
    CHECK(cudaMemcpyAsync(data->d_y + first, data->h_y + first, bytes, cudaMemcpyHostToDevice,
                          piece->stream));
}

void compute(const Data *data, const Piece *piece)
{
    const size_t first = piece->first;
    const unsigned int num_blocks = (piece->N - 1) / data->block_size + 1;
    add<<<num_blocks, data->block_size, UNUSED_SHARED, piece->stream>>>(
        data->d_x + first, data->d_y + first, data->d_z + first, piece->N, data->additions);
    CHECK_LAUNCH();
}

void copy_out(const Data *data, const Piece *piece)
{
    const size_t first = piece->first, bytes = piece->N * sizeof(real);
    CHECK(cudaMemcpyAsync(data->h_z + first, data->d_z + first, bytes, cudaMemcpyDeviceToHost,
                          piece->stream));
}

struct Part
{
    const char *name;
    void (*issue)(const Data *data, const Piece *piece);
};
const Part PARTS[] = {{"copy in", copy_in}, {"kernel", compute}, {"copy out", copy_out}};
const int NUM_PARTS = sizeof(PARTS) / sizeof(PARTS[0]);

// All numbers as one piece, in the default stream.
double time_part(const Data *data, const Part *part, size_t repeats)
{
    const Piece all = {0, data->N, 0};
    return time_kernel([=] { part->issue(data, &all); }, repeats).median;
}

// Gives the kernel more or fewer additions until its time is right.
void choose_additions(Data *data, size_t repeats)
{
    data->additions = 40; // as in the book
    for (int step = 0; step <= 10; ++step)
    {
        const double copy_in_ms = time_part(data, &PARTS[0], repeats);
        const double ratio = time_part(data, &PARTS[1], repeats) / copy_in_ms;
        if (step == 10 || fabs(ratio - WANTED_RATIO) <= NEAR_ENOUGH)
        {
            print_note("the kernel adds %d times and takes %.2f times as long as the copy in from "
                       "pinned memory\n",
                       data->additions, ratio);
            break;
        }
        const double better = data->additions * WANTED_RATIO / ratio;
        data->additions = std::min(std::max(better + 0.5, 1.0), 1e6);
    }
}

// ---- The table ----

void print_columns(bool csv)
{
    printf(csv ? "version,%s,speed-up,%% of bound\n"
               : "memory    streams   %10s  speed-up  %% of bound\n",
           TIME_UNIT);
}

// A row of the table: "pinned/16" with --csv. A part has no speed-up.
void print_row(bool csv, const char *memory, const char *what, double ms, double speedup,
               double percent)
{
    if (speedup > 0.0)
    {
        printf(csv ? "%s/%s,%.6g,%.6g,%.6g\n" : "%-9s %-9s %10.4g %9.2f %11.1f\n", memory, what, ms,
               speedup, percent);
    }
    else
    {
        printf(csv ? "%s/%s,%.6g,,\n" : "%-9s %-9s %10.4g\n", memory, what, ms);
    }
    fflush(stdout);
}

// Returns the bound: the time of the longest part.
double measure_parts(const Data *data)
{
    double bound = 0.0;
    for (const Part &part : PARTS)
    {
        const double ms = time_part(data, &part, args.repeats);
        bound = fmax(bound, ms);
        print_row(args.csv, data->memory, part.name, ms, 0.0, 0.0);
    }
    print_row(args.csv, data->memory, "bound", bound, 0.0, 0.0);
    return bound;
}

void poison_arrays(const Data *data)
{
    const size_t bytes = data->N * sizeof(real);
    for (real *d : {data->d_x, data->d_y, data->d_z})
    {
        CHECK(cudaMemset(d, POISON_BYTE, bytes));
    }
    poison(data->h_z, bytes);
    CHECK(cudaDeviceSynchronize());
}

void check_z(const Data *data, int num)
{
    char what[64];
    snprintf(what, sizeof(what), "z, %s, %d streams", data->memory, num);
    check_elements(what, data->h_z, data->reference, data->N);
}

// The time by the host's clock: the work is in many streams, and an event belongs to only one.
double time_transfer(const Data *data, int num, size_t repeats)
{
    const auto transfer_and_wait = [=]
    {
        transfer(data, num);
        CHECK(cudaDeviceSynchronize());
    };
    const double ms = time_host(transfer_and_wait, repeats).median;
    bool all_are_idle = true;
    for (const cudaStream_t stream : data->streams)
    {
        all_are_idle = all_are_idle && is_idle(stream);
    }
    check_true("the host has waited for what it timed", all_are_idle);
    return ms;
}

// The rows of 1, 2, 4, ... streams. Each stream needs at least one number. Returns how many rows
// there are, and their times in total_ms.
int measure_streams(const Data *data, double bound, double *total_ms)
{
    int num_rows = 0;
    for (const int num : NUMBERS_OF_STREAMS)
    {
        if ((size_t)num > data->N)
        {
            break;
        }
        poison_arrays(data);
        transfer(data, num);
        CHECK(cudaDeviceSynchronize());
        check_z(data, num);

        const double ms = time_transfer(data, num, args.repeats);
        total_ms[num_rows++] = ms;
        char what[16];
        snprintf(what, sizeof(what), "%d", num);
        print_row(args.csv, data->memory, what, ms, total_ms[0] / ms, 100.0 * bound / ms);
    }
    const double best_ms = *std::min_element(total_ms, total_ms + num_rows);
    print_row(args.csv, data->memory, "best", best_ms, total_ms[0] / best_ms,
              100.0 * bound / best_ms);
    return num_rows;
}

// ---- The timeline ----

// The events of a piece: before its copy in, and after each of its parts.
typedef cudaEvent_t Marks[NUM_PARTS + 1];

double elapsed_time(cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

// The same work in the same order as in `transfer`, with events between the parts.
void transfer_with_marks(const Data *data, int num, const Marks *marks)
{
    for (int i = 0; i < num; ++i)
    {
        const size_t first = data->N * i / num, end = data->N * (i + 1) / num;
        const Piece piece = {first, end - first, data->streams[i]};
        CHECK(cudaEventRecord(marks[i][0], piece.stream));
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            PARTS[part].issue(data, &piece);
            CHECK(cudaEventRecord(marks[i][part + 1], piece.stream));
        }
    }
}

// Draws one run. The event before a part happens when the work before it in its own stream is done.
// The same part of the piece before may still be running then, on the same engine or the
// multiprocessors. So a part begins when both are done.
void show_timeline(const Data *data)
{
    const int num = std::min((size_t)TIMELINE_STREAMS, data->N);
    cudaEvent_t base; // the moment 0
    Marks marks[TIMELINE_STREAMS];
    CHECK(cudaEventCreate(&base));
    for (Marks &piece : marks)
    {
        for (cudaEvent_t &mark : piece)
        {
            CHECK(cudaEventCreate(&mark));
        }
    }

    poison_arrays(data);
    CHECK(cudaEventRecord(base, data->streams[0]));
    transfer_with_marks(data, num, marks);
    CHECK(cudaDeviceSynchronize());
    check_z(data, num);

    Span spans[TIMELINE_STREAMS * NUM_PARTS];
    for (int i = 0; i < num; ++i)
    {
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            const double start = elapsed_time(base, marks[i][part]);
            const double end = elapsed_time(base, marks[i][part + 1]);
            const double before = i > 0 ? spans[(i - 1) * NUM_PARTS + part].end : start;
            spans[i * NUM_PARTS + part] = {PARTS[part].name, fmax(start, before), end};
        }
    }
    print_note("%s memory, %d streams: when each piece is copied in, added and copied out\n",
               data->memory, num);
    print_timeline(spans, num * NUM_PARTS);

    CHECK(cudaEventDestroy(base));
    for (Marks &piece : marks)
    {
        for (cudaEvent_t mark : piece)
        {
            CHECK(cudaEventDestroy(mark));
        }
    }
}

// ---- The host's arrays, which the program has in two kinds of memory ----

void allocate_on_host(Data *data, bool pinned)
{
    data->memory = pinned ? "pinned" : "pageable";
    for (real **h : {&data->h_x, &data->h_y, &data->h_z})
    {
        if (pinned)
        {
            CHECK(cudaMallocHost((void **)h, data->N * sizeof(real)));
        }
        else
        {
            *h = (real *)malloc(data->N * sizeof(real));
        }
    }
}

void free_on_host(const Data *data, bool pinned)
{
    for (real *h : {data->h_x, data->h_y, data->h_z})
    {
        if (pinned)
        {
            CHECK(cudaFreeHost(h));
        }
        else
        {
            free(h);
        }
    }
}

void write_figure(Output *figure, const Data *data, const double *pinned, const double *pageable,
                  int num_points)
{
    fprintf(figure->file, "# N = %zu, %s\n# streams  pinned  speed-up  pageable  speed-up\n",
            data->N, TIME_UNIT);
    for (int i = 0; i < num_points; ++i)
    {
        fprintf(figure->file, "%d %.6g %.6g %.6g %.6g\n", NUMBERS_OF_STREAMS[i], pinned[i],
                pinned[0] / pinned[i], pageable[i], pageable[0] / pageable[i]);
    }
    close_output(figure);
}

int main(int argc, char **argv)
{
    args.N = default_size(4194304, 100000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    args.columns =
        "  memory      of the host's arrays\n"
        "  streams     how many pieces the data have, each in a stream of its own; or the part by\n"
        "              itself; bound: the longest part; best: of all numbers of streams\n"
        "  ms          the median time (on the CPU backend: CPU ms)\n"
        "  speed-up    the time in one stream over this time\n"
        "  % of bound  the bound over this time\n";
    parse_args(argc, argv, "-n N -b B -r R -s S -o PREFIX --csv",
               "kernel-transfer: copies and kernels at the same time, from pinned and from "
               "pageable memory");
    const bool wants_figure = *args.prefix != '\0';
    Output figure;
    if (wants_figure)
    {
        figure = open_output("fig12-3.txt");
    }
    print_device();
    int device = -1;
    CHECK(cudaGetDevice(&device));
    print_note("%s, N = %zu, median of %zu repeats; copy engines of the device: %d\n", REAL_NAME,
               args.N, args.repeats, device_attribute(cudaDevAttrAsyncEngineCount, device));
    if (!ON_GPU)
    {
        print_note("the CPU backend does one thing after the other: its times show no overlap\n");
    }

    const size_t N = args.N, bytes = N * sizeof(real);
    Data data;
    data.N = N;
    data.block_size = args.block_x;
    data.reference = (real *)malloc(bytes);
    for (real **d : {&data.d_x, &data.d_y, &data.d_z})
    {
        CHECK(cudaMalloc(d, bytes));
    }
    for (cudaStream_t &stream : data.streams)
    {
        CHECK(cudaStreamCreate(&stream));
    }

    double pinned_ms[POINTS], pageable_ms[POINTS];
    int num_points;
    for (const bool pinned : {true, false})
    {
        allocate_on_host(&data, pinned);
        fill_random(data.h_x, N, args.seed);
        fill_random(data.h_y, N, args.seed + 1);
        add_reference(data.h_x, data.h_y, data.reference, N);
        if (pinned)
        {
            choose_additions(&data, args.repeats);
            print_columns(args.csv);
        }
        const double bound = measure_parts(&data);
        num_points = measure_streams(&data, bound, pinned ? pinned_ms : pageable_ms);
        show_timeline(&data);
        free_on_host(&data, pinned);
    }
    if (wants_figure)
    {
        write_figure(&figure, &data, pinned_ms, pageable_ms, num_points);
    }

    for (cudaStream_t stream : data.streams)
    {
        CHECK(cudaStreamDestroy(stream));
    }
    for (real *d : {data.d_x, data.d_y, data.d_z})
    {
        CHECK(cudaFree(d));
    }
    free(data.reference);
    return verdict();
}
