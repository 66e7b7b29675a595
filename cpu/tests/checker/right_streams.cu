// Right programs that look wrong: streams, events, graphs, copies, managed and pinned memory, and the waits
// of the host. Nothing is found in them, and their results are right.
#include <cstdio>
#include <cstring>
#include <thread>

enum
{
    N = 256
};

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

__global__ void add(int *y, const int *x)
{
    y[threadIdx.x] += x[threadIdx.x];
}

__global__ void fill_half(int *x, int first, int value)
{
    x[first + threadIdx.x] = value;
}

// Each block tells the host that its part is ready, while the kernel runs.
__global__ void fill_and_tell(int *x, int value, volatile int *ready)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = value + blockIdx.x;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
    {
        ready[blockIdx.x] = 1;
    }
}

// The same by an atomic, whose thread has the fence.
__global__ void fill_and_set(int *x, int value, int *ready)
{
    x[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        __threadfence_system();
        atomicExch_system(ready, 1);
    }
}

static int num_wrong;

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted)
    {
        printf("%s: %d, not %d\n", what, got, wanted);
        ++num_wrong;
    }
}

static int last(const int *d)
{
    int h = 0;
    cudaMemcpy(&h, d + N - 1, sizeof(h), cudaMemcpyDeviceToHost);
    return h;
}

__managed__ int in_program[N];

int main()
{
    const size_t bytes = N * sizeof(int);
    int *x, *y, *managed, *pinned, h[N];
    cudaStream_t one, two, apart;
    cudaEvent_t event, back;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaEventCreateWithFlags(&back, cudaEventDisableTiming);

    // 1: the default stream waits for the others, and these for it.
    fill<<<1, N, 0, one>>>(x, 1);
    cudaMemset(y, 0, bytes);
    add<<<1, N, 0, two>>>(y, x);
    expect("default stream", last(y), 1);

    // 2: an event between two streams.
    fill<<<1, N, 0, one>>>(x, 2);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(apart, event, 0);
    add<<<1, N, 0, apart>>>(y, x);
    cudaStreamSynchronize(apart);
    expect("event", last(y), 3);

    // 3: the event is recorded anew, and the wait is for the latest record before it.
    cudaEventRecord(event, one);
    fill<<<1, N, 0, one>>>(x, 3);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    add<<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();
    expect("event, recorded again", last(y), 6);

    // 4: a copy to memory that is not pinned is done when it returns.
    fill<<<1, N>>>(x, 4);
    cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost);
    expect("copy", h[7], 4);

    // 5: pinned memory, a wait for the event behind the copy.
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, one);
    cudaEventRecord(event, one);
    cudaEventSynchronize(event);
    expect("pinned", pinned[7], 4);

    // 6: a query that says "done" is a wait.
    fill<<<1, N, 0, one>>>(managed, 5);
    while (cudaStreamQuery(one) == cudaErrorNotReady)
    {
    }
    expect("query", managed[7], 5);

    // 7: the host works on another array meanwhile.
    fill<<<1, N, 0, one>>>(managed, 6);
    memset(pinned, 0, bytes);
    cudaStreamSynchronize(one);
    expect("managed", managed[9] + pinned[9], 6);

    // 8: two streams, each with its half.
    fill_half<<<1, N / 2, 0, one>>>(x, 0, 7);
    fill_half<<<1, N / 2, 0, two>>>(x, N / 2, 7);
    expect("halves", last(x), 7);

    // 9: two buffers, and events both ways.
    int *buffers[2] = {x, y};
    cudaEvent_t full[2], empty[2];
    for (int i = 0; i < 2; ++i)
    {
        cudaEventCreate(&full[i]);
        cudaEventCreate(&empty[i]);
    }
    int sum = 0;
    for (int turn = 0; turn < 6; ++turn)
    {
        const int b = turn % 2;
        if (turn >= 2)
        {
            cudaEventSynchronize(empty[b]);
            sum += pinned[b];
            cudaStreamWaitEvent(one, empty[b], 0);
        }
        fill<<<1, N, 0, one>>>(buffers[b], turn);
        cudaEventRecord(full[b], one);
        cudaStreamWaitEvent(two, full[b], 0);
        cudaMemcpyAsync(&pinned[b], buffers[b] + 3, sizeof(int), cudaMemcpyDeviceToHost, two);
        cudaEventRecord(empty[b], two);
    }
    cudaDeviceSynchronize();
    expect("two buffers", sum + pinned[0] + pinned[1], 15);

    // 10: freed in the stream that used it last, behind an event of the other one.
    int *async;
    cudaMallocAsync(&async, bytes, one);
    fill<<<1, N, 0, one>>>(async, 8);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    cudaMemcpyAsync(pinned, async, bytes, cudaMemcpyDeviceToHost, two);
    cudaFreeAsync(async, two);
    cudaStreamSynchronize(two);
    expect("freed in a stream", pinned[11], 8);

    // 11: cudaFree waits for what still runs.
    int *plain;
    cudaMalloc(&plain, bytes);
    fill<<<1, N, 0, apart>>>(plain, 9);
    cudaFree(plain);

    // 12: a function of the host, in the order of the stream.
    fill<<<1, N, 0, one>>>(managed, 10);
    cudaLaunchHostFunc(
        one, [](void *p) { ((int *)p)[0] += 1; }, managed);
    fill_half<<<1, N / 2, 0, one>>>(managed, N / 2, 11);
    cudaStreamSynchronize(one);
    expect("function of the host", managed[0] + managed[N - 1], 22);

    // 13: a captured graph with two branches that meet again.
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMemset(y, 0, bytes);
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    fill<<<1, N, 0, one>>>(x, 12);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    fill_half<<<1, N / 2, 0, one>>>(x, 0, 13);
    fill_half<<<1, N / 2, 0, two>>>(x, N / 2, 13);
    cudaEventRecord(back, two);
    cudaStreamWaitEvent(one, back, 0);
    add<<<1, N, 0, one>>>(y, x);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, one);
    cudaGraphLaunch(exec, one); // behind the first, in one stream
    cudaStreamSynchronize(one);
    expect("graph", last(y), 26);

    // 14: the host changes the input of a graph when the launch before has ended.
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaMemset(y, 0, bytes);
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    add<<<1, N, 0, one>>>(y, managed);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int turn = 0; turn < 3; ++turn)
    {
        managed[N - 1] = turn;
        cudaGraphLaunch(exec, one);
        cudaStreamSynchronize(one);
    }
    expect("graph, input of the host", last(y), 3);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // 15: a graph made of nodes, with the edges that it needs.
    cudaGraphNode_t first, second;
    cudaMemsetParams set = {};
    set.dst = x;
    set.elementSize = 4;
    set.width = N;
    set.height = 1;
    set.value = 14;
    void *arguments[] = {&y, &x};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(N);
    kernel.kernelParams = arguments;
    cudaMemset(y, 0, bytes);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &set);
    cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, two);
    cudaStreamSynchronize(two);
    expect("graph of nodes", last(y), 14);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // 16: a managed variable of the program.
    fill<<<1, N>>>(in_program, 15);
    cudaDeviceSynchronize();
    expect("managed variable", in_program[5], 15);

    // 17: rows of a pitched array.
    int *pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 10 * sizeof(int), 4);
    memset(h, 0, sizeof(h));
    h[13] = 16;
    cudaMemcpy2D(pitched, pitch, h, 10 * sizeof(int), 10 * sizeof(int), 4, cudaMemcpyHostToDevice);
    cudaMemcpy(h, (char *)pitched + pitch + 3 * sizeof(int), sizeof(int), cudaMemcpyDeviceToHost);
    expect("pitch", h[0], 16);
    cudaFree(pitched);

    // 18: another thread of the host launches, and is waited for.
    std::thread other(
        [&]
        {
            fill<<<1, N, 0, two>>>(managed, 17);
            cudaStreamSynchronize(two);
        });
    other.join();
    expect("thread of the host", managed[20], 17);

    // 19: a part of an array is set, and only that part is read.
    int *part;
    cudaMalloc(&part, bytes);
    cudaMemset(part + N / 2, 0, bytes / 2);
    fill_half<<<1, N / 2>>>(part, N / 2, 18);
    expect("a part", last(part), 18);
    cudaFree(part);

    // 20: a copy from memory that is not pinned, which is written again at once; then the same stream, or an
    // event.
    for (int i = 0; i < N; ++i)
    {
        h[i] = 21;
    }
    cudaMemset(y, 0, bytes);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, apart);
    memset(h, 0, sizeof(h));
    add<<<1, N, 0, apart>>>(y, x);
    cudaEventRecord(event, apart);
    cudaStreamWaitEvent(two, event, 0);
    add<<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();
    expect("not pinned", last(y), 42);

    // 21: the streams are destroyed while they have work, which goes on.
    fill<<<1, N, 0, one>>>(x, 19);
    cudaStreamDestroy(one);
    cudaDeviceSynchronize();
    expect("destroyed stream", last(x), 19);

    // 22: the host does not wait for the kernel, but for its flag.
    int *ready;
    cudaMallocHost(&ready, 3 * sizeof(int));
    memset(ready, 0, 3 * sizeof(int));
    fill_and_tell<<<2, N / 2, 0, two>>>(pinned, 22, ready);
    for (int b = 0; b < 2; ++b)
    {
        while (((volatile int *)ready)[b] == 0)
        {
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        expect("a flag for the host", pinned[b * N / 2 + 3], 22 + b);
    }
    fill_and_set<<<1, N, 0, two>>>(pinned, 24, ready + 2);
    while (__atomic_load_n(ready + 2, __ATOMIC_ACQUIRE) == 0)
    {
    }
    expect("an atomic for the host", pinned[5], 24);
    add<<<1, N, 0, apart>>>(x, pinned);
    cudaDeviceSynchronize();
    expect("a launch after the flag", last(x), 43);
    cudaFreeHost(ready);

    for (int i = 0; i < 2; ++i)
    {
        cudaEventDestroy(full[i]);
        cudaEventDestroy(empty[i]);
    }
    cudaEventDestroy(event);
    cudaEventDestroy(back);
    cudaStreamDestroy(two);
    cudaStreamDestroy(apart);
    cudaFree(x);
    cudaFree(y);
    cudaFree(managed);
    cudaFreeHost(pinned);
    return num_wrong != 0;
}
