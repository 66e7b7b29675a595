// Mistakes of first courses: streams, events, waits of the host, graphs. Marks as in checker.t.
#include <cstdio>
#include <cstring>

enum
{
    N = 64
};

// Each is called in one mistake, so that its line is that of the mistake.
template <int NUMBER>
__global__ void fill(int *x)
{
    x[threadIdx.x] = NUMBER; // race:two,early,beside,late,other,graph,over,wait,query,after,ring
}

template <int NUMBER>
__global__ void add(int *y, const int *x)
{
    y[threadIdx.x] += x[threadIdx.x]; // race:two,late,other,changes,input,pageable
}

static int sum;

// Reads on the host.
static void look(const int *x)
{
    sum += x[1];
}

int main()
{
    const size_t bytes = N * sizeof(int);
    int *x, *y, *z, *managed, *pinned, *async;
    static int pageable[N];
    cudaStream_t one, two;
    cudaEvent_t event, second;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMalloc(&z, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&event);
    cudaEventCreate(&second);
    for (int *p : {x, y, z, managed, pinned})
    {
        cudaMemset(p, 0, bytes);
    }
    cudaDeviceSynchronize();

    // Two streams, and nothing between.
    fill<1><<<1, N, 0, one>>>(x);
    add<1><<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();

    // The event is recorded before the kernel.
    cudaEventRecord(event, one);
    fill<2><<<1, N, 0, one>>>(x);
    cudaStreamWaitEvent(two, event, 0);
    add<2><<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();

    // The wrong stream waits.
    fill<3><<<1, N, 0, one>>>(x);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(one, event, 0);
    add<3><<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();

    // The host reads managed memory too early, then writes what a kernel still reads.
    fill<4><<<1, N>>>(managed);
    sum += managed[1]; // race:early
    cudaDeviceSynchronize();
    add<4><<<1, N, 0, one>>>(y, managed);
    managed[2] = 1; // race:changes
    cudaDeviceSynchronize();

    // A copy in one stream, the kernel in the other.
    fill<5><<<1, N, 0, one>>>(x);
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, two); // race:beside
    cudaDeviceSynchronize();

    // The copy's target is read before it has ended, and its source is written.
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, one); // race:target
    sum += pinned[3];                                               // race:target
    cudaStreamSynchronize(one);
    cudaMemcpyAsync(x, pinned, bytes, cudaMemcpyHostToDevice, one); // race:source
    pinned[3] = 4;                                                  // race:source
    cudaDeviceSynchronize();

    // A query is no wait, unless its answer is looked at; nor is a record.
    fill<6><<<1, N, 0, one>>>(managed);
    cudaEventRecord(event, one);
    sum += managed[5]; // race:query
    cudaDeviceSynchronize();

    // The other stream is waited for.
    fill<7><<<1, N, 0, one>>>(managed);
    cudaStreamSynchronize(two);
    sum += managed[6]; // race:wait
    cudaDeviceSynchronize();

    // One of two buffers is filled again while the other stream still copies it.
    for (int turn = 0; turn < 2; ++turn)
    {
        fill<8><<<1, N, 0, one>>>(x);
        cudaEventRecord(event, one);
        cudaStreamWaitEvent(two, event, 0);
        cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, two); // race:ring
    }
    cudaDeviceSynchronize();

    // A copy from memory that is not pinned has read its bytes when it returns, no more.
    cudaMemcpyAsync(x, pageable, bytes, cudaMemcpyHostToDevice, one); // race:pageable
    add<13><<<1, N, 0, two>>>(y, x);
    cudaDeviceSynchronize();

    // A set in another stream.
    fill<9><<<1, N, 0, one>>>(x);
    cudaMemsetAsync(x, 0, bytes, two); // race:over
    cudaDeviceSynchronize();

    // Freed while another stream uses it.
    cudaMallocAsync(&async, bytes, one);
    cudaStreamSynchronize(one);
    cudaMemsetAsync(async, 0, bytes, two); // freed-in-use:async
    cudaFreeAsync(async, one);             // freed-in-use:async
    cudaDeviceSynchronize();

    // Allocated in one stream, and used in the other at once.
    cudaMallocAsync(&async, bytes, one);   // race:allocated freed-in-use:allocated
    cudaMemsetAsync(async, 0, bytes, two); // race:allocated
    cudaFreeAsync(async, two);             // freed-in-use:allocated
    cudaDeviceSynchronize();

    // A function of the host in one stream, and a copy of the other stream.
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, two); // race:function
    cudaLaunchHostFunc(
        one, [](void *p) { sum += ((int *)p)[2]; }, pinned); // race:function
    cudaDeviceSynchronize();

    // The stream that does not wait for the default one.
    cudaStream_t apart;
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    fill<10><<<1, N>>>(x);
    cudaMemcpyAsync(pinned, x, bytes, cudaMemcpyDeviceToHost, apart); // race:after
    cudaDeviceSynchronize();

    // A graph with two branches that write the same.
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    fill<11><<<1, N, 0, one>>>(x);
    cudaMemsetAsync(x, 0, bytes, two);
    cudaEventRecord(second, two);
    cudaStreamWaitEvent(one, second, 0);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, one); // race:graph
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // The input of a graph is changed between two launches, without a wait.
    memset(managed, 0, bytes);
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    add<12><<<1, N, 0, one>>>(y, managed);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, one);
    managed[0] = 1; // race:input
    cudaGraphLaunch(exec, one);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    for (int *p : {x, y, z, managed})
    {
        cudaFree(p);
    }
    cudaFreeHost(pinned);
    cudaEventDestroy(event);
    cudaEventDestroy(second);
    for (cudaStream_t s : {one, two, apart})
    {
        cudaStreamDestroy(s);
    }
    look(&sum);
    return sum < 0;
}
