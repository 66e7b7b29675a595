// default-stream: what a launch in the default stream does to eight other streams, and what else
// makes streams take turns
//
// From:    S3 streams; S1 implicit synchronization; section 12.1
// Chinese: 默认流中的一次启动会让八个流依次执行；还有哪些操作会造成隐式同步
// Compile: nvcc -O3 default-stream.cu
// Run:     ./a.out --ms 10
// Options: -n N -s S --ms N
// Checks:  97
// Sizes:   1 33 1003 64 99329
//
// The host launches a kernel of a few milliseconds in each of eight streams, and does something
// else after each launch. Each kernel is one block, so a GPU has room for all eight. What the host
// does in between decides whether they run at once or one after the other.
//
// The legacy default stream is the one that a launch without a stream goes to. Its work begins
// after all earlier work in the blocking streams, and their later work begins after it. A stream
// that cudaStreamCreate makes is blocking. A stream made with cudaStreamNonBlocking is not. Each
// host thread also has a default stream that makes no other stream wait, cudaStreamPerThread. With
// nvcc --default-stream per-thread a launch without a stream goes there.
//
// The order is checked by data. An atomic counter gives each kernel a number when it begins, and
// one when it ends. What the host issues in between writes a mark, and each kernel notes which mark
// it finds. The table has what was seen beside what CUDA promises. Only promises are checked.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"
#include "timeline.cuh"

const int NUM_STREAMS = 8;
const int BLOCK_SIZE = 64;
const size_t ALLOCATED = 4 << 20; // bytes; more than the driver keeps ready

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

// x after so many steps. Two steps of x -> a x + c are one step of the same kind, with a^2 and
// (a + 1) c. So the loop needs one round for each binary digit of the number.
unsigned steps_reference(unsigned x, unsigned num_steps)
{
    unsigned a = FACTOR, c = SUMMAND;
    for (; num_steps > 0; num_steps /= 2)
    {
        if (num_steps % 2 == 1)
        {
            x = a * x + c;
        }
        c *= a + 1;
        a *= a;
    }
    return x;
}

// What a kernel notes when it begins and when it ends.
struct Note
{
    unsigned began, ended; // numbers from the counter
    unsigned mark_before, mark_after;
    unsigned num_done; // threads that had done their elements when it ended
};

// One block. As in S3, each thread has every 64th element. The steps take their time.
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
__global__ void set_mark(unsigned *mark, unsigned value)
{
    *mark = value;
}

// The mark after so many operations. All of its bytes are equal, so that cudaMemset can write it.
unsigned mark_value(int operations)
{
    return 0x01010101u * operations;
}

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
    for (const int one : change)
    {
        running += one;
        most = running > most ? running : most;
        if (one == 0)
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

// What the host does after each launch of `work`.
struct Between
{
    const char *name;
    Step operation;
    const cudaStream_t *streams; // of the eight launches
    bool sets_mark;              // the operation writes mark_value(i + 1) after launch i
    bool in_order;               // CUDA promises that the operation and the kernels take turns
    const char *promise;         // of CUDA
    Step before = {};            // before the first launch
};

int main(int argc, char **argv)
{
    // So many streams reach the device without sharing a queue. The default is 8, and this program
    // has more streams. CUDA reads the variable when it is initialized.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    size_t ms = ON_GPU ? 3 : 1;
    Args args;
    args.N = 1000;
    add_number(&args, "ms", &ms, 1, 100, "about so long each kernel takes");
    parse_args(&args, argc, argv, "-n N -s S",
               "default-stream: what a launch in the default stream does to eight other streams, "
               "and what else makes streams take turns");
    const size_t N = args.N; // for each stream
    const size_t bytes = NUM_STREAMS * N * sizeof(unsigned);
    const double allocated = (double)NUM_STREAMS * ALLOCATED;
    require_memory(&args, 2.0 * NUM_STREAMS * N * sizeof(unsigned) + allocated,
                   1.0 * NUM_STREAMS * N * sizeof(unsigned) + allocated);
    print_device();

    unsigned *h_x = (unsigned *)malloc(bytes), *result = (unsigned *)malloc(bytes);
    unsigned *reference = (unsigned *)malloc(bytes);
    unsigned *d_x, *d_mark, *d_marks, *d_counter;
    Note notes[NUM_STREAMS], *d_notes;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_mark, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_counter, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_notes, sizeof(notes)));
    unsigned h_marks[NUM_STREAMS + 1];
    for (int i = 0; i <= NUM_STREAMS; ++i)
    {
        h_marks[i] = mark_value(i);
    }
    CHECK(cudaMalloc(&d_marks, sizeof(h_marks)));
    CHECK(cudaMemcpy(d_marks, h_marks, sizeof(h_marks), cudaMemcpyHostToDevice));

    cudaStream_t blocking[NUM_STREAMS], non_blocking[NUM_STREAMS], other;
    cudaEvent_t begin, starts[NUM_STREAMS], stops[NUM_STREAMS];
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    for (int i = 0; i < NUM_STREAMS; ++i)
    {
        CHECK(cudaStreamCreate(&blocking[i]));
        CHECK(cudaStreamCreateWithFlags(&non_blocking[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&starts[i]));
        CHECK(cudaEventCreate(&stops[i]));
    }

    // Compiled with --default-stream per-thread, the default stream is no longer the legacy one.
    unsigned long long default_id, legacy_id;
    CHECK(cudaStreamGetId(0, &default_id));
    CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy_id));
    const bool is_legacy = default_id == legacy_id;
    int device = -1;
    CHECK(cudaGetDevice(&device));
    const bool has_pools = device_attribute(cudaDevAttrMemoryPoolsSupported, device) != 0;

    // --- What the host does in between -----------------------------------------------------------

    int i = 0; // the number of the launch
    void *d_buffers[NUM_STREAMS] = {}, *h_buffers[NUM_STREAMS] = {};
    int num_freed = 0; // buffers that `free` or `free-host` has found and freed
    const char *const ordered = is_legacy ? "order, with all blocking streams" : "no order";
    const Between rows[] = {
        {"nothing", [] {}, blocking, false, false, "no order"},
        {"launch", [&] { set_mark<<<1, 1>>>(d_mark, h_marks[i + 1]); }, blocking, true, is_legacy,
         ordered},
        {"launch-per-thread",
         [&] { set_mark<<<1, 1, 0, cudaStreamPerThread>>>(d_mark, h_marks[i + 1]); }, blocking,
         true, false, "no order"},
        {"launch-non-blocking", [&] { set_mark<<<1, 1>>>(d_mark, h_marks[i + 1]); }, non_blocking,
         true, false, "no order: these streams are non-blocking"},
        {"memset", [&] { CHECK(cudaMemset(d_mark, i + 1, sizeof(unsigned))); }, blocking, true,
         is_legacy, ordered},
        {"memset-stream", [&] { CHECK(cudaMemsetAsync(d_mark, i + 1, sizeof(unsigned), other)); },
         blocking, true, false, "no order: another stream"},
        {"copy",
         [&] {
             CHECK(cudaMemcpy(d_mark, &d_marks[i + 1], sizeof(unsigned), cudaMemcpyDeviceToDevice));
         },
         blocking, true, is_legacy, ordered},
        {"copy-stream",
         [&]
         {
             CHECK(cudaMemcpyAsync(d_mark, &d_marks[i + 1], sizeof(unsigned),
                                   cudaMemcpyDeviceToDevice, other));
         },
         blocking, true, false, "no order: another stream"},
        {"copy-from-host",
         [&]
         { CHECK(cudaMemcpy(d_mark, &h_marks[i + 1], sizeof(unsigned), cudaMemcpyHostToDevice)); },
         blocking, true, is_legacy, ordered},
        {"malloc", [&] { CHECK(cudaMalloc(&d_buffers[i], ALLOCATED)); }, blocking, false, false,
         "nothing about streams"},
        {"free",
         [&]
         {
             num_freed += d_buffers[i] != NULL;
             CHECK(cudaFree(d_buffers[i]));
             d_buffers[i] = NULL;
         },
         blocking, false, false, "may wait for the device",
         [&]
         {
             for (void *&buffer : d_buffers)
             {
                 CHECK(cudaMalloc(&buffer, ALLOCATED));
             }
         }},
        {"malloc-free-async",
         [&]
         {
             if (has_pools)
             {
                 CHECK(cudaMallocAsync(&d_buffers[i], ALLOCATED, other));
                 CHECK(cudaFreeAsync(d_buffers[i], other));
                 d_buffers[i] = NULL;
             }
         },
         blocking, false, false,
         has_pools ? "an order within their stream only" : "(this device has no memory pools)"},
        {"malloc-host", [&] { CHECK(cudaMallocHost(&h_buffers[i], ALLOCATED)); }, blocking, false,
         false, "nothing about streams"},
        {"free-host",
         [&]
         {
             num_freed += h_buffers[i] != NULL;
             CHECK(cudaFreeHost(h_buffers[i]));
             h_buffers[i] = NULL;
         },
         blocking, false, false, "may wait for the device",
         [&]
         {
             for (void *&buffer : h_buffers)
             {
                 CHECK(cudaMallocHost(&buffer, ALLOCATED));
             }
         }},
    };

    check_count();

    // --- How many steps take so long -------------------------------------------------------------

    for (size_t n = 0; n < NUM_STREAMS * N; ++n)
    {
        h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    unsigned num_steps = 16;
    double time;
    const auto one_work = [&]
    {
        work<<<1, BLOCK_SIZE>>>(d_x, N, num_steps, d_mark, d_counter, d_notes);
    };
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_counter, 0, sizeof(unsigned)));
    CHECK(cudaMemset(d_mark, 0, sizeof(unsigned)));
    CHECK(cudaDeviceSynchronize());
    while ((time = time_kernel(one_work, 3).min) < 0.5 * ms && num_steps < 1 << 26)
    {
        num_steps *= 4;
    }
    num_steps = (unsigned)fmax(1.0, num_steps * ms / time);
    for (size_t n = 0; n < NUM_STREAMS * N; ++n)
    {
        reference[n] = steps_reference((unsigned)hash_bits(args.seed, n), num_steps);
    }

    // --- Each operation, between eight launches --------------------------------------------------

    const int num_rows = sizeof(rows) / sizeof(rows[0]);
    int host_waited[num_rows], at_once[num_rows], in_order[num_rows];
    Span spans[num_rows][NUM_STREAMS];
    const char *const lines[NUM_STREAMS] = {"stream 1", "stream 2", "stream 3", "stream 4",
                                            "stream 5", "stream 6", "stream 7", "stream 8"};
    for (int row = 0; row < num_rows; ++row)
    {
        // Twice: the first time, the driver may have to load the code of the operation.
        for (int repeat = 0; repeat < 2; ++repeat)
        {
            if (rows[row].before)
            {
                rows[row].before();
            }
            CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemset(d_notes, POISON_BYTE, sizeof(notes)));
            CHECK(cudaMemset(d_counter, 0, sizeof(unsigned)));
            CHECK(cudaMemset(d_mark, 0, sizeof(unsigned)));
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaEventRecord(begin));
            CHECK(cudaEventSynchronize(begin));

            host_waited[row] = num_freed = 0;
            for (i = 0; i < NUM_STREAMS; ++i)
            {
                const cudaStream_t stream = rows[row].streams[i];
                CHECK(cudaEventRecord(starts[i], stream));
                work<<<1, BLOCK_SIZE, 0, stream>>>(d_x + i * N, N, num_steps, d_mark, d_counter,
                                                   &d_notes[i]);
                CHECK_LAUNCH();
                CHECK(cudaEventRecord(stops[i], stream));
                rows[row].operation();
                CHECK_LAUNCH();

                // If the kernel has ended by now, the operation has let the host wait for it.
                const cudaError_t status = cudaEventQuery(stops[i]);
                if (status == cudaErrorNotReady)
                {
                    cudaGetLastError(); // it is no error, but some versions note it as one
                }
                else
                {
                    CHECK(status);
                    ++host_waited[row];
                }
            }
            CHECK(cudaDeviceSynchronize());

            for (i = 0; i < NUM_STREAMS; ++i)
            {
                float start, stop;
                CHECK(cudaEventElapsedTime(&start, begin, starts[i]));
                CHECK(cudaEventElapsedTime(&stop, begin, stops[i]));
                spans[row][i] = {lines[i], start, stop};
            }

            // The results of the work, and the numbers.
            char what[128];
            poison(result, bytes);
            CHECK(cudaMemcpy(result, d_x, bytes, cudaMemcpyDeviceToHost));
            snprintf(what, sizeof(what), "%s: x", rows[row].name);
            check_elements(what, result, reference, NUM_STREAMS * N);
            CHECK(cudaMemcpy(notes, d_notes, sizeof(notes), cudaMemcpyDeviceToHost));
            at_once[row] = most_at_once(notes);
            bool is_right = at_once[row] > 0;
            for (const Note &note : notes)
            {
                is_right = is_right && note.num_done == BLOCK_SIZE;
            }
            snprintf(what, sizeof(what),
                     "%s: each kernel begins once, and ends once all its threads are done",
                     rows[row].name);
            check_true(what, is_right);

            // Kernel i began after the operation before it, and ended before the one after it.
            in_order[row] = 0;
            for (i = 0; i < NUM_STREAMS; ++i)
            {
                const unsigned expected = rows[row].sets_mark ? h_marks[i] : 0;
                const bool right =
                    notes[i].mark_before == expected && notes[i].mark_after == expected;
                in_order[row] += right && (i == 0 || notes[i - 1].ended < notes[i].began);
            }
            if (rows[row].in_order)
            {
                snprintf(what, sizeof(what), "%s: the promised order, but for %d of %d kernels",
                         rows[row].name, NUM_STREAMS - in_order[row], NUM_STREAMS);
                check_true(what, in_order[row] == NUM_STREAMS);
            }

            if (rows[row].before)
            {
                snprintf(what, sizeof(what), "%s: a buffer after each launch", rows[row].name);
                check_true(what, num_freed == NUM_STREAMS);
            }

            // The operations of a row share a stream, so the last one has written last.
            unsigned mark;
            CHECK(cudaMemcpy(&mark, d_mark, sizeof(mark), cudaMemcpyDeviceToHost));
            snprintf(what, sizeof(what), "%s: the mark at the end", rows[row].name);
            check_true(what, mark == (rows[row].sets_mark ? h_marks[NUM_STREAMS] : 0));

            for (int j = 0; j < NUM_STREAMS; ++j)
            {
                CHECK(cudaFree(d_buffers[j])); // NULL is allowed
                d_buffers[j] = NULL;
                if (h_buffers[j] != NULL)
                {
                    CHECK(cudaFreeHost(h_buffers[j]));
                    h_buffers[j] = NULL;
                }
            }
        }
    }

    // --- What was seen ---------------------------------------------------------------------------

    printf("the default stream is %s; N = %zu, %u steps, %d streams\n",
           is_legacy ? "the legacy one" : "that of the host thread", N, num_steps, NUM_STREAMS);
    if (!ON_GPU)
    {
        printf("The CPU backend does one operation at a time, in the order of issue: nothing "
               "overlaps.\n");
    }
    else if (device_attribute(cudaDevAttrConcurrentKernels, device) == 0)
    {
        printf("This device runs one kernel at a time: nothing overlaps.\n");
    }
    for (int row = 0; row < 4; ++row)
    {
        printf("\n%s\n", rows[row].name);
        print_timeline(spans[row], NUM_STREAMS);
    }
    printf("\n%-20s %11s %8s %9s  %s\n", "between launches", "host waited", "at once", "in order",
           "CUDA promises");
    for (int row = 0; row < num_rows; ++row)
    {
        printf("%-20s %6d of %d %8d %4d of %d  %s\n", rows[row].name, host_waited[row], NUM_STREAMS,
               at_once[row], in_order[row], NUM_STREAMS, rows[row].promise);
    }

    for (int j = 0; j < NUM_STREAMS; ++j)
    {
        CHECK(cudaStreamDestroy(blocking[j]));
        CHECK(cudaStreamDestroy(non_blocking[j]));
        CHECK(cudaEventDestroy(starts[j]));
        CHECK(cudaEventDestroy(stops[j]));
    }
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaEventDestroy(begin));
    for (void *d :
         {(void *)d_x, (void *)d_mark, (void *)d_marks, (void *)d_counter, (void *)d_notes})
    {
        CHECK(cudaFree(d));
    }
    free(h_x);
    free(result);
    free(reference);
    return verdict();
}
