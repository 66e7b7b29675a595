// events-callbacks: waiting for an event, asking for it, functions of the host in a stream, and two
// orders of issue
//
// From:    S1 explicit synchronization, callbacks, overlapping behaviour; section 12.1
// Chinese: 流等待事件、查询事件与流、流中的主机函数，以及深度优先与广度优先两种发布次序
// Compile: nvcc -O3 events-callbacks.cu
// Run:     ./a.out --streams 4
// Options: -n N -r R -s S --streams N
// Also:    -n 1000 -r 2 --streams 8; -n 1000 -r 2 --streams 1
// Checks:  14
//
// An event stands for all work that its stream had when the event was recorded. Another stream can
// wait for it (cudaStreamWaitEvent), and so can the host (cudaEventSynchronize). The host can also
// ask without waiting (cudaEventQuery, and cudaStreamQuery for all work of a stream). A function of
// the host may stand in a stream (cudaLaunchHostFunc): it is called after the work before it, and
// the work after it waits until it returns. It must not call CUDA. The older cudaStreamAddCallback
// is its predecessor.
//
// Every order that CUDA guarantees is checked by the data: a kernel that begins too early reads
// rubbish. An order that is not guaranteed is shown, and not checked.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "timeline.cuh"

const int BLOCK_SIZE = 128;
const int FEW_BLOCKS = 16; // leave room on the device for another kernel
const int MAX_STREAMS = 8;

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

// y is x after so many steps. A grid of any size does all elements.
__global__ void advance(const unsigned *x, unsigned *y, size_t N, unsigned num_steps)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x; n < N; n += stride)
    {
        unsigned value = x[n];
        for (unsigned i = 0; i < num_steps; ++i)
        {
            value = FACTOR * value + SUMMAND;
        }
        y[n] = value;
    }
}

// A function of the host gets one pointer. This is what it points to.
struct Exchange
{
    const unsigned *from_device;
    unsigned *to_device;
    size_t N;
    pthread_t thread; // the one that called the function
};

// Reads what the device has copied to the host, and writes what it will copy next.
void CUDART_CB invert(void *data)
{
    Exchange *exchange = (Exchange *)data;
    for (size_t n = 0; n < exchange->N; ++n)
    {
        exchange->to_device[n] = ~exchange->from_device[n];
    }
    exchange->thread = pthread_self();
}

// What a function of the host must not do.
struct Attempt
{
    void *memory;
    cudaError_t status;
};

void CUDART_CB call_cuda(void *data)
{
    Attempt *attempt = (Attempt *)data;
    attempt->status = cudaMalloc(&attempt->memory, 4);
}

// The number of steps with which this launch takes about so long.
template <typename Launch>
unsigned find_num_steps(double ms, Launch launch)
{
    unsigned num_steps = 16;
    double time;
    while ((time = time_kernel([&] { launch(num_steps); }, 3).min) < 0.5 * ms &&
           num_steps < 1 << 20)
    {
        num_steps *= 4;
    }
    return (unsigned)fmax(1.0, num_steps * ms / time);
}

int main(int argc, char **argv)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); // no two streams of this program share a queue
    size_t num_streams = 2;
    Args args;
    args.N = default_size(1 << 22, 1 << 16);
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 4 * sizeof(unsigned);
    add_number(&args, "streams", &num_streams, 1, MAX_STREAMS,
               "streams in the two orders of issue");
    parse_args(&args, argc, argv, "-n N -r R -s S",
               "events-callbacks: waiting for an event, asking for it, functions of the host in a "
               "stream, and two orders of issue");
    print_device();
    const size_t N = args.N, bytes = N * sizeof(unsigned);
    const int S = (int)num_streams;
    int device = -1;
    CHECK(cudaGetDevice(&device));

    unsigned *h_x, *h_y, *h_z, *d_x, *d_y, *d_z; // pinned: copies are to go on beside the host
    unsigned *reference = (unsigned *)malloc(bytes);
    for (unsigned **h : {&h_x, &h_y, &h_z})
    {
        CHECK(cudaMallocHost((void **)h, bytes));
    }
    for (unsigned **d : {&d_x, &d_y, &d_z})
    {
        CHECK(cudaMalloc((void **)d, bytes));
    }
    const auto poison_all = [&]
    {
        poison(h_y, bytes);
        poison(h_z, bytes);
        CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
        CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
        CHECK(cudaDeviceSynchronize());
    };
    const auto set_reference = [&](unsigned num_steps)
    {
        for (size_t n = 0; n < N; ++n)
        {
            reference[n] = steps_reference((unsigned)hash_bits(args.seed, n), num_steps);
        }
    };
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    cudaStream_t streams[MAX_STREAMS];
    for (cudaStream_t &stream : streams)
    {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    const cudaStream_t producer = streams[0], consumer = streams[1];
    cudaEvent_t ready;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming)); // cheaper: it only orders
    const auto launch_slow = [&](unsigned num_steps)
    {
        advance<<<FEW_BLOCKS, BLOCK_SIZE>>>(d_x, d_y, N, num_steps);
    };
    const unsigned slow = find_num_steps(ON_GPU ? 3.0 : 0.5, launch_slow);
    if (!ON_GPU)
    {
        printf("The CPU backend does one operation at a time, in the order of issue: nothing "
               "overlaps.\n");
    }

    // --- A stream waits for an event of another one ----------------------------------------------

    // An event that was never recorded stands for no work.
    check_true("an event that was never recorded has happened",
               cudaEventQuery(ready) == cudaSuccess);
    check_true("waiting for it does nothing",
               cudaStreamWaitEvent(consumer, ready, 0) == cudaSuccess);

    set_reference(slow + 1);
    for (const bool waits : {true, false})
    {
        poison_all();
        advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, producer>>>(d_x, d_y, N, slow);
        CHECK_LAUNCH();
        CHECK(cudaEventRecord(ready, producer));
        if (waits)
        {
            CHECK(cudaStreamWaitEvent(consumer, ready, 0)); // the host does not wait
        }
        advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, consumer>>>(d_y, d_z, N, 1);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
        size_t right = 0;
        for (size_t n = 0; n < N; ++n)
        {
            right += h_z[n] == reference[n];
        }
        printf("%-28s %zu of %zu elements were ready when they were read\n",
               waits ? "with cudaStreamWaitEvent:" : "without:", right, N);
        if (waits)
        {
            check_true("each element of z was ready when it was read", right == N);
        }
    }

    // --- The host asks, and waits ----------------------------------------------------------------

    set_reference(slow);
    poison_all();
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, producer>>>(d_x, d_y, N, slow);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, producer));
    CHECK(cudaEventRecord(ready, producer));
    advance<<<FEW_BLOCKS, BLOCK_SIZE, 0, producer>>>(d_y, d_z, N, slow);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_z, d_z, bytes, cudaMemcpyDeviceToHost, producer));

    size_t questions = 0;
    cudaError_t status;
    while ((status = cudaEventQuery(ready)) == cudaErrorNotReady)
    {
        ++questions; // here the host could do something else
    }
    cudaGetLastError(); // cudaErrorNotReady is no error, but some versions note it as one
    CHECK(status);
    CHECK(cudaEventSynchronize(ready)); // would have waited without asking
    const cudaError_t event_status = cudaEventQuery(ready);
    const cudaError_t stream_status = cudaStreamQuery(producer);
    cudaGetLastError();
    check_true("the event has happened", event_status == cudaSuccess);
    check_elements("y, after its event", h_y, reference, N); // the device still works on z
    printf("cudaEventQuery said cudaErrorNotReady %zu times, then %s; cudaStreamQuery said %s\n",
           questions, cudaGetErrorName(event_status), cudaGetErrorName(stream_status));

    CHECK(cudaStreamSynchronize(producer));
    check_true("nothing is left in the stream", cudaStreamQuery(producer) == cudaSuccess);
    set_reference(2 * slow);
    check_elements("z, after the stream", h_z, reference, N);

    // --- Functions of the host in a stream -------------------------------------------------------

    poison_all();
    Exchange exchange = {h_y, h_z, N, pthread_self()};
    Attempt attempt = {NULL, cudaErrorUnknown};
    const unsigned grid_size = (unsigned)fmin((N - 1) / BLOCK_SIZE + 1, 1 << 20);
    advance<<<grid_size, BLOCK_SIZE, 0, producer>>>(d_x, d_y, N, slow);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, producer));
    CHECK(cudaLaunchHostFunc(producer, invert, &exchange)); // from h_y to h_z
    CHECK(cudaMemcpyAsync(d_y, h_z, bytes, cudaMemcpyHostToDevice, producer));
    advance<<<grid_size, BLOCK_SIZE, 0, producer>>>(d_y, d_z, N, slow);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_z, bytes, cudaMemcpyDeviceToHost, producer));
    CHECK(cudaLaunchHostFunc(producer, call_cuda, &attempt));
    CHECK(cudaStreamSynchronize(producer));

    set_reference(slow);
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = ~reference[n];
    }
    check_elements("what the function of the host wrote", h_z, reference, N);
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = steps_reference(reference[n], slow);
    }
    check_elements("what the device made of it", h_y, reference, N);
    check_true("the second function was called", attempt.status != cudaErrorUnknown);
    printf("the function of the host ran in %s thread; cudaMalloc in one returned %d, %s\n",
           pthread_equal(exchange.thread, pthread_self()) ? "the program's own" : "another",
           (int)attempt.status, cudaGetErrorName(attempt.status));
    if (attempt.status == cudaSuccess) // CUDA may forbid it, but need not
    {
        CHECK(cudaFree(attempt.memory));
    }

    // --- Two orders of issue ---------------------------------------------------------------------

    // Each stream copies its part to the device, advances it, and copies it back. The kernel takes
    // about as long as the copy. The events are beside the operations, before and after each.
    cudaEvent_t begin, marks[3][MAX_STREAMS][2];
    CHECK(cudaEventCreate(&begin));
    for (auto &line : marks)
    {
        for (auto &pair : line)
        {
            CHECK(cudaEventCreate(&pair[0]));
            CHECK(cudaEventCreate(&pair[1]));
        }
    }
    const auto copy_all = [&]
    {
        CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    };
    const auto launch_full = [&](unsigned num_steps)
    {
        advance<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, N, num_steps);
    };
    const unsigned num_steps = find_num_steps(time_kernel(copy_all, 3).min, launch_full);

    const auto copy_in = [&](int i)
    {
        const size_t first = N * i / S, size = N * (i + 1) / S - first;
        CHECK(cudaEventRecord(marks[0][i][0], streams[i]));
        CHECK(cudaMemcpyAsync(d_x + first, h_x + first, size * sizeof(unsigned),
                              cudaMemcpyHostToDevice, streams[i]));
        CHECK(cudaEventRecord(marks[0][i][1], streams[i]));
    };
    const auto kernel = [&](int i)
    {
        const size_t first = N * i / S, size = N * (i + 1) / S - first;
        CHECK(cudaEventRecord(marks[1][i][0], streams[i]));
        advance<<<grid_size / S + 1, BLOCK_SIZE, 0, streams[i]>>>(d_x + first, d_y + first, size,
                                                                  num_steps);
        CHECK_LAUNCH();
        CHECK(cudaEventRecord(marks[1][i][1], streams[i]));
    };
    const auto copy_out = [&](int i)
    {
        const size_t first = N * i / S, size = N * (i + 1) / S - first;
        CHECK(cudaEventRecord(marks[2][i][0], streams[i]));
        CHECK(cudaMemcpyAsync(h_y + first, d_y + first, size * sizeof(unsigned),
                              cudaMemcpyDeviceToHost, streams[i]));
        CHECK(cudaEventRecord(marks[2][i][1], streams[i]));
    };
    const auto depth_first = [&] // all of a stream, then the next stream
    {
        for (int i = 0; i < S; ++i)
        {
            copy_in(i);
            kernel(i);
            copy_out(i);
        }
        CHECK(cudaDeviceSynchronize());
    };
    const auto breadth_first = [&] // one operation in all streams, then the next operation
    {
        for (int i = 0; i < S; ++i)
        {
            copy_in(i);
        }
        for (int i = 0; i < S; ++i)
        {
            kernel(i);
        }
        for (int i = 0; i < S; ++i)
        {
            copy_out(i);
        }
        CHECK(cudaDeviceSynchronize());
    };

    set_reference(num_steps);
    printf("\n%d streams, N = %zu, %u steps; this device copies in %d direction(s) beside a "
           "kernel\n",
           S, N, num_steps, device_attribute(cudaDevAttrAsyncEngineCount, device) > 1 ? 2 : 1);
    for (const bool is_depth_first : {true, false})
    {
        const char *const name = is_depth_first ? "depth-first" : "breadth-first";
        const auto issue = [&]
        {
            is_depth_first ? depth_first() : breadth_first();
        };
        for (int repeat = 0; repeat < 2; ++repeat) // the second is drawn
        {
            poison_all();
            CHECK(cudaMemset(d_x, POISON_BYTE, bytes));
            CHECK(cudaEventRecord(begin));
            CHECK(cudaDeviceSynchronize());
            issue();
            check_elements(name, h_y, reference, N);
        }

        // A stream may come to a copy while the copy of another stream is under way. So a copy
        // begins when the one before it in the same direction has ended. The same holds for the
        // kernels, because each of them fills the device.
        const char *const lines[3] = {"copy in", "kernel", "copy out"};
        Span spans[3 * MAX_STREAMS];
        for (int line = 0; line < 3; ++line)
        {
            float before = 0.0f; // when the one before it has ended
            for (int i = 0; i < S; ++i)
            {
                float start, stop;
                CHECK(cudaEventElapsedTime(&start, begin, marks[line][i][0]));
                CHECK(cudaEventElapsedTime(&stop, begin, marks[line][i][1]));
                spans[line * S + i] = {lines[line], fmin(stop, fmax(start, before)), stop};
                before = stop;
            }
        }
        const double ms = time_host(issue, args.repeats).median;
        printf("\n%s: %.4g %s\n", name, ms, TIME_UNIT);
        print_timeline(spans, 3 * S);
    }

    for (auto &line : marks)
    {
        for (auto &pair : line)
        {
            CHECK(cudaEventDestroy(pair[0]));
            CHECK(cudaEventDestroy(pair[1]));
        }
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(ready));
    for (cudaStream_t stream : streams)
    {
        CHECK(cudaStreamDestroy(stream));
    }
    for (unsigned *h : {h_x, h_y, h_z})
    {
        CHECK(cudaFreeHost(h));
    }
    for (unsigned *d : {d_x, d_y, d_z})
    {
        CHECK(cudaFree(d));
    }
    free(reference);
    return verdict();
}
