// Streams that capture their work into a graph: what is captured, forks and joins by events, what
// is forbidden meanwhile, and with which error.
#include <cuda_runtime.h>
#include <thread>
#include "expect.cuh"

// x = 3 x + number: whoever is late or early changes the result.
__global__ void step(int *x, int number)
{
    *x = 3 * *x + number;
}

__global__ void add(int *to, const int *a, const int *b)
{
    *to = *a + *b;
}

static int *d_x, *h_x; // four ints each
static cudaStream_t origin, other;
static cudaEvent_t forked, joined;

static int begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
    return cudaStreamBeginCapture(origin, mode);
}

// Launches the graph once and destroys it.
static bool run(cudaGraph_t graph)
{
    cudaGraphExec_t exec = NULL;
    return cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess &&
           cudaGraphLaunch(exec, origin) == cudaSuccess &&
           cudaStreamSynchronize(origin) == cudaSuccess &&
           cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess;
}

static void set_all(int a, int b, int c, int d)
{
    const int values[] = {a, b, c, d};
    cudaMemcpy(d_x, values, sizeof(values), cudaMemcpyHostToDevice);
}

static bool are_all(int a, int b, int c, int d)
{
    int x[4];
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    return x[0] == a && x[1] == b && x[2] == c && x[3] == d;
}

// What the next node of the stream comes after.
static size_t number_before_next(cudaStream_t stream, const cudaGraphNode_t **last)
{
    cudaStreamCaptureStatus status;
    size_t count = 0;
#if CUDART_VERSION >= 13000
    cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, last, NULL, &count);
#else
    cudaStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, last, &count);
#endif
    return count;
}

static cudaStreamCaptureStatus status_of(cudaStream_t stream)
{
    cudaStreamCaptureStatus status;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess ? status
                                                                 : (cudaStreamCaptureStatus)-1;
}

// The capture was invalidated: its end says so and gives no graph.
static bool was_invalidated()
{
    cudaGraph_t graph = (cudaGraph_t)&graph;
    return status_of(origin) == cudaStreamCaptureStatusInvalidated &&
           is_error(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureInvalidated) &&
           graph == NULL && status_of(origin) == cudaStreamCaptureStatusNone &&
           cudaStreamSynchronize(origin) == cudaSuccess;
}

// --- what is captured ----------------------------------------------------------------------------

static int calls;

static void CUDART_CB count_call(void *data)
{
    calls += *(int *)data;
}

static void try_work()
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    set_all(1, 1, 1, 1);
    h_x[0] = 5;
    h_x[1] = 0;
    int seven = 7, number = 2;
    bool right = begin() == cudaSuccess && status_of(origin) == cudaStreamCaptureStatusActive;
    cudaMemcpyAsync(d_x, h_x, sizeof(int), cudaMemcpyHostToDevice, origin);
    step<<<1, 1, 0, origin>>>(d_x, number);
    number = 100; // the argument was copied
    cudaMemsetAsync(d_x + 1, 0, sizeof(int), origin);
    step<<<1, 1, 0, origin>>>(d_x + 1, 4);
    cudaMemcpy2DAsync(h_x + 1, sizeof(int), d_x, sizeof(int), sizeof(int), 1,
                      cudaMemcpyDeviceToHost, origin);
    right = right && cudaLaunchHostFunc(origin, count_call, &seven) == cudaSuccess &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            status_of(origin) == cudaStreamCaptureStatusNone;
    check("work is captured", right && cudaStreamSynchronize(origin) == cudaSuccess);
    check("and does not run", calls == 0 && h_x[1] == 0 && are_all(1, 1, 1, 1));
    right = cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess;
    right = right && cudaGraphLaunch(exec, origin) == cudaSuccess &&
            cudaStreamSynchronize(origin) == cudaSuccess;
    check("until the graph is launched",
          right && calls == 7 && h_x[1] == 17 && are_all(17, 4, 1, 1));
    h_x[0] = 6; // a copy reads its source when it runs
    step<<<1, 1, 0, origin>>>(d_x + 2, 1);
    right = cudaGraphLaunch(exec, origin) == cudaSuccess;
    step<<<1, 1, 0, origin>>>(d_x, 1);
    right = right && cudaStreamSynchronize(origin) == cudaSuccess &&
            cudaGraphLaunch(exec, other) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
    check("and again, in any stream", right && calls == 21 && h_x[1] == 20 && are_all(20, 4, 4, 1));
    right = begin() == cudaSuccess &&
            is_error(cudaGraphLaunch(exec, origin), cudaErrorStreamCaptureUnsupported);
    check("but not in a stream that captures", right && was_invalidated() && calls == 21);
    cudaGraphExecDestroy(exec);
    size_t count = 0;
    right = begin() == cudaSuccess && cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphGetNodes(graph, NULL, &count) == cudaSuccess && count == 0;
    check("nothing at all", right && run(graph));
}

// --- forks and joins -------------------------------------------------------------------------------

static bool fork()
{
    return cudaEventRecord(forked, origin) == cudaSuccess &&
           cudaStreamWaitEvent(other, forked, 0) == cudaSuccess;
}

static bool join()
{
    return cudaEventRecord(joined, other) == cudaSuccess &&
           cudaStreamWaitEvent(origin, joined, 0) == cudaSuccess;
}

static cudaError_t number_of_edges(cudaGraph_t graph, size_t *count)
{
#if CUDART_VERSION >= 13000
    return cudaGraphGetEdges(graph, NULL, NULL, NULL, count);
#else
    return cudaGraphGetEdges(graph, NULL, NULL, count);
#endif
}

static bool same_capture(cudaStream_t a, cudaStream_t b)
{
    cudaStreamCaptureStatus status;
    unsigned long long id[2];
    cudaGraph_t graph[2];
#if CUDART_VERSION >= 13000
    return cudaStreamGetCaptureInfo(a, &status, &id[0], &graph[0]) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive &&
           cudaStreamGetCaptureInfo(b, &status, &id[1], &graph[1]) == cudaSuccess &&
           id[0] == id[1] && graph[0] == graph[1];
#else
    return cudaStreamGetCaptureInfo_v2(a, &status, &id[0], &graph[0]) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive &&
           cudaStreamGetCaptureInfo_v2(b, &status, &id[1], &graph[1]) == cudaSuccess &&
           id[0] == id[1] && graph[0] == graph[1];
#endif
}

static void try_empty_forks()
{
    cudaGraph_t graph = NULL;
    size_t nodes = 0;
    bool right =
        begin() == cudaSuccess && fork() &&
        is_error(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
    step<<<1, 1, 0, origin>>>(d_x, 1);
    right = right && cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphGetNodes(graph, NULL, &nodes) == cudaSuccess && nodes == 1 &&
            status_of(other) == cudaStreamCaptureStatusNone &&
            cudaGraphDestroy(graph) == cudaSuccess;
    check("a fork without work needs no join", right);
}

static void try_forks()
{
    cudaGraph_t graph = NULL;
    const cudaGraphNode_t *last;
    set_all(1, 2, 3, 0);
    bool right = begin() == cudaSuccess && number_before_next(origin, &last) == 0;
    step<<<1, 1, 0, origin>>>(d_x, 1); // 4
    right = right && fork() && status_of(other) == cudaStreamCaptureStatusActive &&
            same_capture(origin, other);
    step<<<1, 1, 0, origin>>>(d_x + 1, 1);      // 7
    add<<<1, 1, 0, other>>>(d_x + 2, d_x, d_x); // 8
    right = right && number_before_next(origin, &last) == 1 && join() &&
            number_before_next(origin, &last) == 2 && last[0] != last[1];
    add<<<1, 1, 0, origin>>>(d_x + 3, d_x + 1, d_x + 2); // 15
    right = right && cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            status_of(other) == cudaStreamCaptureStatusNone;
    check("a fork and a join", right);
    size_t nodes = 0, edges = 0, roots = 0;
    right = cudaGraphGetNodes(graph, NULL, &nodes) == cudaSuccess &&
            cudaGraphGetRootNodes(graph, NULL, &roots) == cudaSuccess &&
            number_of_edges(graph, &edges) == cudaSuccess;
    check("make four nodes with four edges", right && nodes == 4 && edges == 4 && roots == 1);
    check("and run in order", run(graph) && are_all(4, 7, 8, 15));
    right = begin() == cudaSuccess && fork();
    step<<<1, 1, 0, other>>>(d_x, 1);
    right = right &&
            is_error(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureUnjoined) &&
            status_of(origin) == cudaStreamCaptureStatusNone &&
            status_of(other) == cudaStreamCaptureStatusNone;
    check("a fork without a join", right && graph == NULL);
    right = begin() == cudaSuccess && fork();
    step<<<1, 1, 0, other>>>(d_x, 1);
    right = right && is_error(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
    check("the end in another stream", right && was_invalidated());
    right = is_error(cudaStreamEndCapture(origin, &graph), cudaErrorIllegalState);
    check("an end without a beginning", right);
    check("nothing of it ran", are_all(4, 7, 8, 15));
}

// --- events ----------------------------------------------------------------------------------------

// A stream of its own for each case, which is destroyed before the capture ends.
enum Case
{
    JOINED,
    JOINED_BY_ANOTHER,
    EMPTY,
    NEVER_JOINED,
    GOES_ON
};

static cudaError_t end_without_fork(Case which)
{
    cudaGraph_t graph = NULL;
    cudaStream_t fork;
    cudaStreamCreateWithFlags(&fork, cudaStreamNonBlocking);
    set_all(1, 1, 0, 0);
    begin();
    step<<<1, 1, 0, origin>>>(d_x, 1);
    cudaEventRecord(forked, origin);
    cudaStreamWaitEvent(fork, forked, 0);
    if (which != EMPTY)
    {
        step<<<1, 1, 0, fork>>>(d_x + 1, 2);
        cudaEventRecord(joined, fork);
    }
    const cudaStream_t waits = which == JOINED_BY_ANOTHER ? other : origin;
    if (which != EMPTY && which != NEVER_JOINED)
    {
        cudaStreamWaitEvent(waits, joined, 0);
    }
    if (which == GOES_ON)
    {
        step<<<1, 1, 0, fork>>>(d_x + 1, 3);
    }
    const cudaError_t destroyed = cudaStreamDestroy(fork);
    if (which == JOINED_BY_ANOTHER)
    {
        cudaEventRecord(forked, other);
        cudaStreamWaitEvent(origin, forked, 0);
    }
    const cudaError_t error = cudaStreamEndCapture(origin, &graph);
    const bool right = graph == NULL || run(graph);
    cudaGetLastError();
    return destroyed == cudaSuccess && right ? error : cudaErrorUnknown;
}

static void try_destroyed()
{
    bool right = end_without_fork(JOINED) == cudaSuccess && are_all(4, 5, 0, 0);
    check("a fork that is joined and destroyed", right);
    right = end_without_fork(JOINED_BY_ANOTHER) == cudaSuccess && are_all(4, 5, 0, 0);
    check("one that another fork has joined", right);
    right = end_without_fork(EMPTY) == cudaSuccess && are_all(4, 1, 0, 0);
    check("one without work", right);
    const cudaError_t unjoined = cudaErrorStreamCaptureUnjoined;
    right = end_without_fork(NEVER_JOINED) == unjoined && are_all(1, 1, 0, 0);
    check("one that is not joined", right);
    right = end_without_fork(GOES_ON) == unjoined && are_all(1, 1, 0, 0);
    check("one that has gone on since", right);
}

static void try_events()
{
    cudaGraph_t graph = NULL;
    cudaEvent_t outside;
    cudaEventCreate(&outside);
    cudaEventRecord(outside, other);
    cudaStreamSynchronize(other);
    bool right = begin() == cudaSuccess &&
                 is_error(cudaStreamWaitEvent(origin, outside, 0), cudaErrorStreamCaptureIsolation);
    check("an event from outside", right && was_invalidated());
    right = begin(cudaStreamCaptureModeRelaxed) == cudaSuccess &&
            cudaEventRecord(forked, origin) == cudaSuccess &&
            is_error(cudaEventSynchronize(forked), cudaErrorCapturedEvent);
    check("a wait of the host for a captured event", right && was_invalidated());
    right = begin(cudaStreamCaptureModeRelaxed) == cudaSuccess &&
            cudaEventRecord(forked, origin) == cudaSuccess &&
            is_error(cudaEventQuery(forked), cudaErrorCapturedEvent);
    check("a question about one", right && was_invalidated());
    right = begin() == cudaSuccess && cudaEventRecord(forked, origin) == cudaSuccess &&
            cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal) == cudaSuccess &&
            is_error(cudaStreamWaitEvent(other, forked, 0), cudaErrorStreamCaptureMerge);
    cudaStreamEndCapture(other, &graph);
    cudaStreamEndCapture(origin, &graph);
    cudaGetLastError();
    check("a merge of two captures", right);
    set_all(1, 0, 0, 0);
    right = begin() == cudaSuccess;
    step<<<1, 1, 0, origin>>>(d_x, 1);
    right = right &&
            cudaEventRecordWithFlags(outside, origin, cudaEventRecordExternal) == cudaSuccess &&
            cudaStreamWaitEvent(origin, outside, cudaEventWaitExternal) == cudaSuccess &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess;
    size_t nodes = 0;
    cudaGraphGetNodes(graph, NULL, &nodes);
    right = right && nodes == 3 && run(graph) && cudaEventQuery(outside) == cudaSuccess;
    check("events as nodes", right && are_all(4, 0, 0, 0));
    right = cudaStreamWaitEvent(origin, outside, cudaEventWaitExternal) != cudaSuccess;
    cudaGetLastError();
    check("no such node outside of a capture", right);
    right = cudaEventRecord(forked, origin) == cudaSuccess &&
            cudaEventSynchronize(forked) == cudaSuccess;
    check("a captured event, recorded again", right);
    cudaEventDestroy(outside);
}

// --- what is forbidden meanwhile -----------------------------------------------------------------

static void try_forbidden()
{
    const cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
    cudaGraph_t graph = NULL;
    void *memory;
    bool right = begin() == cudaSuccess && is_error(cudaStreamSynchronize(origin), unsupported);
    step<<<1, 1, 0, origin>>>(d_x, 1);
    right = right && is_error(cudaPeekAtLastError(), cudaErrorStreamCaptureInvalidated);
    check("cudaStreamSynchronize", right && was_invalidated());
    right = begin() == cudaSuccess && is_error(cudaStreamQuery(origin), unsupported);
    check("cudaStreamQuery", right && was_invalidated());
    right = begin() == cudaSuccess && is_error(cudaDeviceSynchronize(), unsupported);
    check("cudaDeviceSynchronize", right && was_invalidated());
    right = begin() == cudaSuccess && is_error(cudaMalloc(&memory, 4), unsupported);
    check("cudaMalloc", right && was_invalidated());
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    right = begin() == cudaSuccess && cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess &&
            mode == cudaStreamCaptureModeGlobal && cudaMalloc(&memory, 4) == cudaSuccess &&
            cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess &&
            mode == cudaStreamCaptureModeRelaxed &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess && cudaFree(memory) == cudaSuccess;
    check("but not where the thread's mode is relaxed", right);
    right = begin(cudaStreamCaptureModeRelaxed) == cudaSuccess &&
            cudaMalloc(&memory, 4) == cudaSuccess &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess && cudaFree(memory) == cudaSuccess;
    check("or the capture's", right);
    right = is_error(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
                     unsupported);
    check("a capture of the default stream", right);
}

// A stream that was not made non-blocking makes the legacy stream wait for it.
static void try_legacy()
{
    cudaStream_t blocking;
    cudaGraph_t graph = NULL;
    cudaStreamCaptureStatus status;
    cudaStreamCreate(&blocking);
    bool right = cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal) == cudaSuccess &&
                 is_error(cudaStreamIsCapturing(cudaStreamLegacy, &status),
                          cudaErrorStreamCaptureImplicit) &&
                 status_of(blocking) == cudaStreamCaptureStatusActive;
    check("a question about the legacy stream", right);
    step<<<1, 1>>>(d_x, 1);
    right = is_error(cudaPeekAtLastError(), cudaErrorStreamCaptureImplicit);
    check("a launch in the legacy stream", right);
    cudaStreamEndCapture(blocking, &graph);
    cudaGetLastError();
    right = cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal) == cudaSuccess &&
            is_error(cudaMemcpy(h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost),
                     cudaErrorStreamCaptureImplicit) &&
            is_error(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
    check("a synchronous copy", right);
    set_all(1, 0, 0, 0);
    right = begin() == cudaSuccess; // this one does not block
    step<<<1, 1>>>(d_x, 1);
    right = right && cudaGetLastError() == cudaSuccess &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess;
    check("which is none beside a non-blocking one", right && are_all(4, 0, 0, 0));
    cudaStreamDestroy(blocking);
}

static void end_elsewhere(cudaError_t *error)
{
    cudaGraph_t graph = NULL;
    *error = cudaStreamEndCapture(origin, &graph);
}

static void allocate_elsewhere(cudaError_t *error)
{
    void *memory;
    *error = cudaMalloc(&memory, 4);
    cudaFree(*error == cudaSuccess ? memory : NULL);
}

static void synchronize_elsewhere(cudaError_t *error)
{
    *error = cudaStreamSynchronize(other);
}

static cudaError_t in_other_thread(void function(cudaError_t *))
{
    cudaError_t error;
    std::thread thread(function, &error);
    thread.join();
    return error;
}

static void try_threads()
{
    cudaGraph_t graph = NULL;
    bool right = begin(cudaStreamCaptureModeThreadLocal) == cudaSuccess &&
                 in_other_thread(end_elsewhere) == cudaErrorStreamCaptureWrongThread;
    cudaStreamEndCapture(origin, &graph);
    cudaGetLastError();
    check("the end in another thread", right);
    right = begin(cudaStreamCaptureModeThreadLocal) == cudaSuccess &&
            in_other_thread(allocate_elsewhere) == cudaSuccess &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess;
    check("another thread may allocate", right);
    right = begin(cudaStreamCaptureModeThreadLocal) == cudaSuccess &&
            in_other_thread(synchronize_elsewhere) == cudaSuccess &&
            cudaStreamEndCapture(origin, &graph) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess;
    check("and wait for another stream", right);
    right = begin(cudaStreamCaptureModeGlobal) == cudaSuccess &&
            in_other_thread(allocate_elsewhere) == cudaErrorStreamCaptureUnsupported;
    check("but not while a capture is global", right && was_invalidated());
    right = begin(cudaStreamCaptureModeGlobal) == cudaSuccess &&
            in_other_thread(synchronize_elsewhere) == cudaErrorStreamCaptureUnsupported;
    check("nor wait", right && was_invalidated());
}

int main()
{
    cudaMalloc(&d_x, 4 * sizeof(int));
    cudaMallocHost(&h_x, 4 * sizeof(int));
    cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    cudaMemset(d_x, 0, 4 * sizeof(int));
    step<<<1, 1>>>(d_x, 1); // a kernel is loaded when it is first launched
    add<<<1, 1>>>(d_x, d_x, d_x);
    cudaDeviceSynchronize();
    try_work();
    try_empty_forks();
    try_forks();
    try_destroyed();
    try_events();
    try_forbidden();
    try_legacy();
    try_threads();
    cudaStreamDestroy(origin);
    cudaStreamDestroy(other);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaFree(d_x);
    cudaFreeHost(h_x);
    check("no error is left",
          cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    return num_wrong != 0;
}
