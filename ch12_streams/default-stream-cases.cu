// default-stream-cases: which calls between eight launches make the kernels take turns: launches,
// memsets, copies or allocations
//
// From:    S1 implicit synchronization; beyond the book
// Order:   after default-stream
// Compile: nvcc -O3 default-stream-cases.cu
// Run:     ./a.out --ms 10
//
// The host launches a kernel of a few milliseconds in each of eight streams, and does something
// else after each launch. Each kernel is one block, so a GPU has room for all eight. What the host
// does in between decides whether they run at once or one after the other.
//
// default-stream explains the legacy default stream and the blocking streams. Each host thread also
// has a default stream that makes no other stream wait, cudaStreamPerThread. With
// nvcc --default-stream per-thread a launch without a stream goes there.
//
// The order is checked by data. An atomic counter gives each kernel a number when it begins, and
// one when it ends. What the host issues in between writes a mark, and each kernel notes which mark
// it finds. The table has what was seen beside what CUDA promises. Only promises are checked.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "steps.cuh"
#include "timeline.cuh"

const int NUM_STREAMS = 8;
const int NUM_MARKS = NUM_STREAMS + 1;
const int BLOCK_SIZE = 64;
const size_t ALLOCATED = 4 << 20; // bytes; more than the driver keeps ready

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

// What a kernel notes when it begins and when it ends.
struct Note
{
    unsigned began, ended; // numbers from the counter
    unsigned mark_before, mark_after;
    unsigned num_done; // threads that had done their elements when it ended
};

static size_t N;                     // for each stream
static unsigned num_steps;           // of the kernel
static unsigned *h_x, *d_x;          // the numbers before the steps ...
static unsigned *result, *reference; // ... and after them
static unsigned *d_mark, *d_counter;
static unsigned h_marks[NUM_MARKS]; // the values of the mark, before and after each operation
static unsigned *d_marks;           // the same on the device
static Note h_notes[NUM_STREAMS], *d_notes;
static cudaStream_t blocking[NUM_STREAMS], non_blocking[NUM_STREAMS];
static cudaStream_t other; // a non-blocking one beside the eight
static cudaEvent_t begin, starts[NUM_STREAMS], stops[NUM_STREAMS];
static void *d_buffers[NUM_STREAMS], *h_buffers[NUM_STREAMS]; // NULL: there is none
static int num_freed;                          // buffers that an operation has found and freed
static bool is_legacy;                         // the default stream
static bool has_pools, has_concurrent_kernels; // the device

// One block. As in S3, each thread has every 64th element. The loop is there to take time.
__global__ void work(unsigned *x, size_t N, unsigned num_steps, const volatile unsigned *mark,
                     unsigned *counter, Note *note)
{
    __shared__ unsigned s_num_done;
    if (threadIdx.x == 0)
    {
        s_num_done = 0;
        note->began = atomicAdd(counter, 1u);
        note->mark_before = *mark;
    }
    __syncthreads();
    for (size_t n = threadIdx.x; n < N; n += blockDim.x)
    {
        unsigned value = x[n];
        for (unsigned i = 0; i < num_steps; ++i)
        {
            value = FACTOR * value + SUMMAND;
        }
        x[n] = value;
    }
    atomicAdd(&s_num_done, 1u);
    __syncthreads();
    if (threadIdx.x == 0)
    {
        note->num_done = s_num_done;
        note->mark_after = *mark;
        note->ended = atomicAdd(counter, 1u);
    }
}

// The launch between two launches of `work`. S3 calls it a dummy kernel.
__global__ void set_mark(unsigned *mark, unsigned value) { *mark = value; }

// The mark after so many operations. All of its bytes are equal, so that cudaMemset can write it.
unsigned mark_value(int operations) { return 0x01010101u * operations; }

// How many kernels ran at once, at most. Each number of the counter is the beginning or the end of
// one of them. Returns 0 if a number is missing.
int most_at_once(const Note *notes)
{
    int change[2 * NUM_STREAMS] = {}, running = 0, most = 0;
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        if (notes[i].began >= 2 * NUM_STREAMS || notes[i].ended >= 2 * NUM_STREAMS)
        {
            return 0;
        }
        change[notes[i].began] = 1;
        change[notes[i].ended] = -1;
    }
    for (int number = 0; number < 2 * NUM_STREAMS; ++number)
    {
        running += change[number];
        most = running > most ? running : most;
        if (change[number] == 0)
        {
            return 0;
        }
    }
    return most;
}

// Tries the count with kernels that begin in groups: all of a group begin, then all of them end.
void check_count(void)
{
    Note notes[NUM_STREAMS] = {};
    bool right = true;
    for (unsigned group = 1; group <= NUM_STREAMS; group *= 2)
    {
        for (unsigned i = 0; i < NUM_STREAMS; ++i)
        {
            notes[i].began = i / group * 2 * group + i % group;
            notes[i].ended = notes[i].began + group;
        }
        right = right && most_at_once(notes) == (int)group;
    }
    notes[0].ended = notes[1].ended; // one number comes twice, another is missing
    check_true("kernels at once are counted", right && most_at_once(notes) == 0);
}

// ---- What the host does after launch i of `work`: one row of the table each ----

void do_nothing(int) {}

void launch(int i) { set_mark<<<1, 1>>>(d_mark, h_marks[i + 1]); }

void launch_per_thread(int i)
{
    set_mark<<<1, 1, 0, cudaStreamPerThread>>>(d_mark, h_marks[i + 1]);
}

void set_memory(int i) { CHECK(cudaMemset(d_mark, i + 1, sizeof(unsigned))); }

void set_memory_in_stream(int i) { CHECK(cudaMemsetAsync(d_mark, i + 1, sizeof(unsigned), other)); }

void copy(int i)
{
    CHECK(cudaMemcpy(d_mark, &d_marks[i + 1], sizeof(unsigned), cudaMemcpyDeviceToDevice));
}

void copy_in_stream(int i)
{
    CHECK(cudaMemcpyAsync(d_mark, &d_marks[i + 1], sizeof(unsigned), cudaMemcpyDeviceToDevice,
                          other));
}

void copy_from_host(int i)
{
    CHECK(cudaMemcpy(d_mark, &h_marks[i + 1], sizeof(unsigned), cudaMemcpyHostToDevice));
}

void allocate(int i) { CHECK(cudaMalloc(&d_buffers[i], ALLOCATED)); }

void free_buffer(int i)
{
    num_freed += d_buffers[i] != NULL;
    CHECK(cudaFree(d_buffers[i]));
    d_buffers[i] = NULL;
}

void allocate_and_free_in_stream(int i)
{
    if (has_pools)
    {
        CHECK(cudaMallocAsync(&d_buffers[i], ALLOCATED, other));
        CHECK(cudaFreeAsync(d_buffers[i], other));
        d_buffers[i] = NULL;
    }
}

void allocate_on_host(int i) { CHECK(cudaMallocHost(&h_buffers[i], ALLOCATED)); }

void free_host_buffer(int i)
{
    num_freed += h_buffers[i] != NULL;
    CHECK(cudaFreeHost(h_buffers[i]));
    h_buffers[i] = NULL;
}

enum Streams
{
    BLOCKING,
    NON_BLOCKING
};
enum Mark
{
    NO_MARK,
    SETS_MARK // the operation writes the mark
};
enum Order
{
    NO_ORDER,
    IN_ORDER // the operation and the kernels take turns, if the default stream is the legacy one
};

struct Between
{
    const char *name;
    void (*operation)(int i);
    Streams streams; // of the eight launches
    Mark mark;
    Order order;
    const char *promise;     // of CUDA
    void (*allocate)(int i); // eight times before the first launch
};
const Between ROWS[] = {
    {"nothing", do_nothing, BLOCKING, NO_MARK, NO_ORDER, "no order"},
    {"launch", launch, BLOCKING, SETS_MARK, IN_ORDER, "order, with all blocking streams"},
    {"launch-per-thread", launch_per_thread, BLOCKING, SETS_MARK, NO_ORDER, "no order"},
    {"launch-non-blocking", launch, NON_BLOCKING, SETS_MARK, NO_ORDER,
     "no order: these streams are non-blocking"},
    {"memset", set_memory, BLOCKING, SETS_MARK, IN_ORDER, "order, with all blocking streams"},
    {"memset-stream", set_memory_in_stream, BLOCKING, SETS_MARK, NO_ORDER,
     "no order: another stream"},
    {"copy", copy, BLOCKING, SETS_MARK, IN_ORDER, "order, with all blocking streams"},
    {"copy-stream", copy_in_stream, BLOCKING, SETS_MARK, NO_ORDER, "no order: another stream"},
    {"copy-from-host", copy_from_host, BLOCKING, SETS_MARK, IN_ORDER,
     "order, with all blocking streams"},
    {"malloc", allocate, BLOCKING, NO_MARK, NO_ORDER, "nothing about streams"},
    {"free", free_buffer, BLOCKING, NO_MARK, NO_ORDER, "may wait for the device", allocate},
    {"malloc-free-async", allocate_and_free_in_stream, BLOCKING, NO_MARK, NO_ORDER,
     "an order within their stream only"},
    {"malloc-host", allocate_on_host, BLOCKING, NO_MARK, NO_ORDER, "nothing about streams"},
    {"free-host", free_host_buffer, BLOCKING, NO_MARK, NO_ORDER, "may wait for the device",
     allocate_on_host},
};
const int NUM_ROWS = sizeof(ROWS) / sizeof(ROWS[0]);
const int NUM_DRAWN = 4; // the first rows have a timeline

bool promises_order(const Between *row) { return row->order == IN_ORDER && is_legacy; }

// What a row has shown.
struct Seen
{
    int host_waited, at_once, in_order; // of the eight kernels
    Span spans[NUM_STREAMS];
};

// ---- The steps of a row ----

// Everything is as before the first launch, and the device has nothing to do.
void begin_row(const Between *row)
{
    for (int i = 0; row->allocate != NULL && i < NUM_STREAMS; ++i)
    {
        row->allocate(i);
    }
    num_freed = 0;
    CHECK(cudaMemcpy(d_x, h_x, NUM_STREAMS * N * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_notes, POISON_BYTE, sizeof(h_notes)));
    CHECK(cudaMemset(d_counter, 0, sizeof(unsigned)));
    CHECK(cudaMemset(d_mark, 0, sizeof(unsigned)));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin));
    CHECK(cudaEventSynchronize(begin));
}

bool has_happened(cudaEvent_t event)
{
    const cudaError_t status = cudaEventQuery(event);
    if (status == cudaErrorNotReady)
    {
        cudaGetLastError(); // it is no error, but some versions note it as one
        return false;
    }
    CHECK(status);
    return true;
}

// Eight kernels in eight streams, with the operation of the row after each launch. Returns how many
// of the kernels had ended by the end of the operation: the host has waited for them.
int launch_eight(const Between *row)
{
    const cudaStream_t *streams = row->streams == BLOCKING ? blocking : non_blocking;
    int host_waited = 0;
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        CHECK(cudaEventRecord(starts[i], streams[i]));
        work<<<1, BLOCK_SIZE, 0, streams[i]>>>(d_x + i * N, N, num_steps, d_mark, d_counter,
                                               &d_notes[i]);
        CHECK_LAUNCH();
        CHECK(cudaEventRecord(stops[i], streams[i]));
        row->operation(i);
        CHECK_LAUNCH();
        host_waited += has_happened(stops[i]);
    }
    CHECK(cudaDeviceSynchronize());
    return host_waited;
}

void get_spans(Span *spans)
{
    const char *const lines[NUM_STREAMS] = {"stream 1", "stream 2", "stream 3", "stream 4",
                                            "stream 5", "stream 6", "stream 7", "stream 8"};
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        float start, stop;
        CHECK(cudaEventElapsedTime(&start, begin, starts[i]));
        CHECK(cudaEventElapsedTime(&stop, begin, stops[i]));
        spans[i] = {lines[i], start, stop};
    }
}

// The results of the work.
void check_x(const Between *row)
{
    const size_t numbers = NUM_STREAMS * N, bytes = numbers * sizeof(unsigned);
    char what[128];
    poison(result, bytes);
    CHECK(cudaMemcpy(result, d_x, bytes, cudaMemcpyDeviceToHost));
    snprintf(what, sizeof(what), "%s: x", row->name);
    check_elements(what, result, reference, numbers);
}

// Kernel i began after the operation before it, and ended before the one after it. Returns for how
// many kernels this holds.
int count_in_order(const Between *row)
{
    int in_order = 0;
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        const Note *note = &h_notes[i];
        const unsigned expected = row->mark == SETS_MARK ? h_marks[i] : 0;
        const bool right = note->mark_before == expected && note->mark_after == expected;
        in_order += right && (i == 0 || h_notes[i - 1].ended < note->began);
    }
    return in_order;
}

// What the kernels have noted.
void check_notes(const Between *row, Seen *seen)
{
    char what[128];
    CHECK(cudaMemcpy(h_notes, d_notes, sizeof(h_notes), cudaMemcpyDeviceToHost));
    seen->at_once = most_at_once(h_notes);
    bool is_right = seen->at_once > 0;
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        is_right = is_right && h_notes[i].num_done == BLOCK_SIZE;
    }
    snprintf(what, sizeof(what),
             "%s: each kernel begins once, and ends once all its threads are done", row->name);
    check_true(what, is_right);

    seen->in_order = count_in_order(row);
    if (promises_order(row))
    {
        snprintf(what, sizeof(what), "%s: the promised order, but for %d of %d kernels", row->name,
                 NUM_STREAMS - seen->in_order, NUM_STREAMS);
        check_true(what, seen->in_order == NUM_STREAMS);
    }
}

// What the operations have done. Those of a row share a stream, so the last one has written last.
void check_operations(const Between *row)
{
    char what[128];
    unsigned mark;
    CHECK(cudaMemcpy(&mark, d_mark, sizeof(mark), cudaMemcpyDeviceToHost));
    snprintf(what, sizeof(what), "%s: the mark at the end", row->name);
    check_true(what, mark == (row->mark == SETS_MARK ? h_marks[NUM_STREAMS] : 0));
    if (row->allocate != NULL)
    {
        snprintf(what, sizeof(what), "%s: a buffer after each launch", row->name);
        check_true(what, num_freed == NUM_STREAMS);
    }
}

void free_buffers(void)
{
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        CHECK(cudaFree(d_buffers[i])); // NULL is allowed
        d_buffers[i] = NULL;
        if (h_buffers[i] != NULL)
        {
            CHECK(cudaFreeHost(h_buffers[i]));
            h_buffers[i] = NULL;
        }
    }
}

// ---- The other steps ----

void set_numbers(size_t seed)
{
    for (size_t n = 0; n < NUM_STREAMS * N; ++n)
    {
        h_x[n] = (unsigned)hash_bits(seed, n);
    }
    CHECK(cudaMemcpy(d_x, h_x, NUM_STREAMS * N * sizeof(unsigned), cudaMemcpyHostToDevice));
}

void launch_one(unsigned num_steps)
{
    work<<<1, BLOCK_SIZE>>>(d_x, N, num_steps, d_mark, d_counter, d_notes);
}

// As many steps as let a kernel take `ms`.
void choose_num_steps(double ms)
{
    CHECK(cudaMemset(d_counter, 0, sizeof(unsigned)));
    CHECK(cudaMemset(d_mark, 0, sizeof(unsigned)));
    num_steps = find_num_steps(ms, launch_one);
    for (size_t n = 0; n < NUM_STREAMS * N; ++n)
    {
        reference[n] = steps_reference(h_x[n], num_steps, FACTOR, SUMMAND);
    }
}

void print_timelines(const Seen *seen)
{
    print_note("the default stream is %s; N = %zu, %u steps, %d streams\n",
               is_legacy ? said("the legacy one") : said("that of the host thread"), N, num_steps,
               NUM_STREAMS);
    if (!ON_GPU)
    {
        print_note("The CPU backend does one operation at a time, in the order of issue: nothing "
                   "overlaps.\n");
    }
    else if (!has_concurrent_kernels)
    {
        print_note("This device runs one kernel at a time: nothing overlaps.\n");
    }
    for (int row = 0; row < NUM_DRAWN; ++row)
    {
        print_timed_note("\n");
        print_timed_note("%s\n", ROWS[row].name);
        print_timeline(seen[row].spans, NUM_STREAMS);
    }
    print_timed_note("\n");
}

// So many of the eight kernels.
void put_of_eight(int count)
{
    char text[32];
    snprintf(text, sizeof(text), "%d of %d", count, NUM_STREAMS);
    put_text(text);
}

void print_table(const Seen *seen)
{
    const Column COLUMNS[] = {{"between launches", "%-20s"},
                              {"host waited", "%11s"},
                              {"at once", "%8.0f"},
                              {"in order", "%9s"},
                              {"CUDA promises", " %s"}};
    begin_timed_table(COLUMNS, 5); // what a CPU does in order says nothing about streams
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        const bool promises_less = ROWS[row].order == IN_ORDER && !is_legacy;
        put_text(ROWS[row].name);
        put_of_eight(seen[row].host_waited);
        put(seen[row].at_once);
        put_of_eight(seen[row].in_order);
        put_text(promises_less ? "no order" : ROWS[row].promise);
        end_row();
    }
    if (!has_pools)
    {
        print_note("this device has no memory pools: malloc-free-async did nothing\n");
    }
}

void ask_device(void)
{
    // Compiled with --default-stream per-thread, the default stream is no longer the legacy one.
    unsigned long long default_id, legacy_id;
    CHECK(cudaStreamGetId(0, &default_id));
    CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy_id));
    is_legacy = default_id == legacy_id;
    int device;
    CHECK(cudaGetDevice(&device));
    has_pools = device_attribute(cudaDevAttrMemoryPoolsSupported, device) != 0;
    has_concurrent_kernels = device_attribute(cudaDevAttrConcurrentKernels, device) != 0;
}

void create_streams_and_events(void)
{
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        CHECK(cudaStreamCreate(&blocking[i]));
        CHECK(cudaStreamCreateWithFlags(&non_blocking[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&starts[i]));
        CHECK(cudaEventCreate(&stops[i]));
    }
}

void destroy_streams_and_events(void)
{
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaEventDestroy(begin));
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        CHECK(cudaStreamDestroy(blocking[i]));
        CHECK(cudaStreamDestroy(non_blocking[i]));
        CHECK(cudaEventDestroy(starts[i]));
        CHECK(cudaEventDestroy(stops[i]));
    }
}

int main(int argc, char **argv)
{
    // So many streams reach the device without sharing a queue. The default is 8, and this program
    // has more streams. CUDA reads the variable when it is initialized.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    size_t ms = ON_GPU ? 3 : 1;
    args.N = 1000;
    add_number("ms", &ms, 1, 100, "about so long each kernel takes");
    args.size_is = "numbers of each stream";
    args.columns =
        "  between launches  what the host does after each of the eight launches\n"
        "  host waited       how many kernels had ended when the host came back from that\n"
        "  at once           how many kernels ran at the same time at most\n"
        "  in order          how many kernels began after the operation before them and ended\n"
        "                    before the one after them\n"
        "  CUDA promises     the order that does not depend on luck\n";
    parse_args(argc, argv, "-n N -s S --csv",
               "default-stream-cases: which calls between eight launches make the kernels take "
               "turns: launches, memsets, copies or allocations");
    N = args.N;
    const size_t bytes = NUM_STREAMS * N * sizeof(unsigned);
    const double allocated = (double)NUM_STREAMS * ALLOCATED;
    require_memory(2.0 * NUM_STREAMS * N * sizeof(unsigned) + allocated,
                   1.0 * NUM_STREAMS * N * sizeof(unsigned) + allocated);
    print_device();

    h_x = (unsigned *)malloc(bytes);
    result = (unsigned *)malloc(bytes);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_mark, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_counter, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_notes, sizeof(h_notes)));
    CHECK(cudaMalloc(&d_marks, sizeof(h_marks)));
    for (int i = 0; i < NUM_MARKS; ++i)
    {
        h_marks[i] = mark_value(i);
    }
    CHECK(cudaMemcpy(d_marks, h_marks, sizeof(h_marks), cudaMemcpyHostToDevice));
    create_streams_and_events();

    ask_device();

    check_count();
    set_numbers(args.seed);
    choose_num_steps(ms);
    Seen seen[NUM_ROWS];
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        // Twice: the first time, the driver may have to load the code of the operation.
        for (int repeat = 0; repeat < 2; ++repeat)
        {
            begin_row(&ROWS[row]);
            seen[row].host_waited = launch_eight(&ROWS[row]);
            get_spans(seen[row].spans);
            check_x(&ROWS[row]);
            check_notes(&ROWS[row], &seen[row]);
            check_operations(&ROWS[row]);
            free_buffers();
        }
    }

    print_timelines(seen);
    print_table(seen);

    destroy_streams_and_events();
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_mark));
    CHECK(cudaFree(d_marks));
    CHECK(cudaFree(d_counter));
    CHECK(cudaFree(d_notes));
    free(h_x);
    free(result);
    free(reference);
    return verdict();
}
