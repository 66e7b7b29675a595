// graph-capture: a graph of kernels, copies, a memset and a function of the host, captured from
// streams or built node by node
//
// From:    section 12.3, and beyond the book
// Order:   after graph-update
// Compile: nvcc -O3 graph-capture.cu
// Run:     ./a.out
//
// The work has two branches. They begin after the first copy and end before the last kernel:
//
//            copy x to the device
//             |                |
//     copy x to z, step     count = 0, count_odd
//             |                |
//                   join
//                    |
//             copy y to the host
//                    |
//                sum_on_host
//
// In streams an event says where a branch begins and where it ends. A capture makes nodes of the
// operations, and of the events what each node depends on. With explicit nodes the program names
// these dependences itself. A copy node keeps an address and no data, so a second launch of the
// same graph takes the data that are there then. At the end a capture fails, because the host wants
// to wait for the captured stream.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "graph.cuh"

const int BLOCK_SIZE = 128;

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the step x -> FACTOR x + SUMMAND

// What the function of the host works on: it gets one pointer.
struct HostSum
{
    const unsigned *y;
    size_t N;
    unsigned long long sum;
};

static size_t N;
static unsigned grid_size;
static unsigned *h_x, *h_y; // pinned
static unsigned *d_x, *d_y, *d_z;
static unsigned *reference; // y
static unsigned long long *d_count;
static HostSum task;
static cudaStream_t stream, branch;
static cudaEvent_t forked, joined; // where the branch begins and ends
static cudaGraphExec_t exec;       // the graph as it is launched

// One step for each element.
__global__ void step(unsigned *x, size_t N, unsigned summand)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = FACTOR * x[n] + summand;
    }
}

// The number of elements that are odd. *count must be 0 before.
__global__ void count_odd(const unsigned *x, size_t N, unsigned long long *count)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && x[n] % 2 == 1)
    {
        atomicAdd(count, 1ull);
    }
}

// The results of both branches together.
__global__ void join(const unsigned *x, const unsigned long long *count, unsigned *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n] ^ (unsigned)*count;
    }
}

void CUDART_CB sum_on_host(void *data)
{
    HostSum *host_sum = (HostSum *)data;
    host_sum->sum = 0;
    for (size_t n = 0; n < host_sum->N; ++n)
    {
        host_sum->sum += host_sum->y[n];
    }
}

// ---- The work, issued to two streams, and as two graphs ----

void issue(void)
{
    const size_t bytes = N * sizeof(unsigned);
    CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(forked, stream));
    CHECK(cudaStreamWaitEvent(branch, forked, 0)); // the branch joins a capture here

    CHECK(cudaMemcpyAsync(d_z, d_x, bytes, cudaMemcpyDeviceToDevice, stream));
    step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_z, N, SUMMAND);
    CHECK_LAUNCH();

    CHECK(cudaMemsetAsync(d_count, 0, sizeof(*d_count), branch));
    count_odd<<<grid_size, BLOCK_SIZE, 0, branch>>>(d_x, N, d_count);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(joined, branch));

    CHECK(cudaStreamWaitEvent(stream, joined, 0));
    join<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_z, d_count, d_y, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, sum_on_host, &task));
}

// What issue() issues becomes a graph, and nothing runs. Its kernels must have run before, so that
// none has to be loaded while the stream is captured.
cudaGraph_t capture_work(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    issue();
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

cudaGraph_t add_nodes(void)
{
    const size_t bytes = N * sizeof(unsigned);
    cudaGraph_t graph;
    cudaGraphNode_t copy_in, copy, steps, zero, count, both, copy_out, sum;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&copy_in, graph, NULL, 0, d_x, h_x, bytes,
                                   cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &copy_in, 1, d_z, d_x, bytes,
                                   cudaMemcpyDeviceToDevice));
    unsigned summand = SUMMAND;
    void *step_arguments[] = {&d_z, &N, &summand};
    cudaKernelNodeParams params = kernel_node((void *)step, grid_size, BLOCK_SIZE, step_arguments);
    CHECK(cudaGraphAddKernelNode(&steps, graph, &copy, 1, &params));

    cudaMemsetParams memset_params = {};
    memset_params.dst = d_count;
    memset_params.elementSize = 1;
    memset_params.width = sizeof(*d_count); // elements
    memset_params.height = 1;
    CHECK(cudaGraphAddMemsetNode(&zero, graph, &copy_in, 1, &memset_params));
    void *count_arguments[] = {&d_x, &N, &d_count};
    params = kernel_node((void *)count_odd, grid_size, BLOCK_SIZE, count_arguments);
    CHECK(cudaGraphAddKernelNode(&count, graph, &zero, 1, &params));

    void *join_arguments[] = {&d_z, &d_count, &d_y, &N};
    const cudaGraphNode_t branches[] = {steps, count};
    params = kernel_node((void *)join, grid_size, BLOCK_SIZE, join_arguments);
    CHECK(cudaGraphAddKernelNode(&both, graph, branches, 2, &params));
    CHECK(cudaGraphAddMemcpyNode1D(&copy_out, graph, &both, 1, h_y, d_y, bytes,
                                   cudaMemcpyDeviceToHost));
    const cudaHostNodeParams host_params = {sum_on_host, &task};
    CHECK(cudaGraphAddHostNode(&sum, graph, &copy_out, 1, &host_params));
    return graph;
}

// ---- What is done with each of them ----

void check_kinds(const char *name, cudaGraph_t graph)
{
    cudaGraphNode_t nodes[16];
    size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, NULL, &count));
    check_true("the number of nodes", count == 8);
    count = count < 16 ? count : 16;
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    int kernels = 0, copies = 0, memsets = 0, host_functions = 0;
    for (size_t i = 0; i < count; ++i)
    {
        cudaGraphNodeType type;
        CHECK(cudaGraphNodeGetType(nodes[i], &type));
        kernels += type == cudaGraphNodeTypeKernel;
        copies += type == cudaGraphNodeTypeMemcpy;
        memsets += type == cudaGraphNodeTypeMemset;
        host_functions += type == cudaGraphNodeTypeHost;
    }
    printf(said("%s: %d kernels, %d copies, %d memset, %d function of the host\n"), name, kernels,
           copies, memsets, host_functions);
    check_true("the kinds of nodes",
               kernels == 3 && copies == 3 && memsets == 1 && host_functions == 1);
}

// New numbers in h_x, and what the work should make of them. Returns the sum.
unsigned long long set_numbers(size_t seed)
{
    unsigned odd = 0;
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = (unsigned)hash_bits(seed, n);
        odd += h_x[n] % 2;
    }
    unsigned long long sum = 0;
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = (FACTOR * (unsigned)hash_bits(seed, n) + SUMMAND) ^ odd;
        sum += reference[n];
    }
    return sum;
}

void poison_results(void)
{
    const size_t bytes = N * sizeof(unsigned);
    CHECK(cudaMemset(d_x, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_count, POISON_BYTE, sizeof(*d_count)));
    poison(h_y, bytes);
    task.sum = ~0ull;
    CHECK(cudaDeviceSynchronize());
}

// Launches twice, each time with other numbers.
void check_launches(const char *name, void (*launch)(void))
{
    for (int i = 0; i < 2; ++i)
    {
        const unsigned long long sum = set_numbers(args.seed + i);
        poison_results();
        launch();
        CHECK(cudaStreamSynchronize(stream));
        check_elements(name, h_y, reference, N);
        check_true("the sum of the function of the host", task.sum == sum);
    }
}

void launch_graph(void) { CHECK(cudaGraphLaunch(exec, stream)); }

void check_graph(const char *name, cudaGraph_t graph)
{
    check_kinds(name, graph);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    check_launches(name, launch_graph);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

// ---- A synchronize while capturing ----

// z is the numbers of h_x after so many steps, 0 or 1.
void check_z(const char *what, int num_steps)
{
    const size_t bytes = N * sizeof(unsigned);
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = num_steps == 0 ? h_x[n] : FACTOR * h_x[n] + SUMMAND;
    }
    poison(h_y, bytes);
    CHECK(cudaMemcpy(h_y, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, h_y, reference, N);
}

void fail_to_capture(void)
{
    cudaGraph_t graph = NULL;
    cudaStreamCaptureStatus before, after;
    CHECK(cudaMemcpy(d_z, h_x, N * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_z, N, SUMMAND);
    CHECK_LAUNCH();
    CHECK(cudaStreamIsCapturing(stream, &before));
    // The work has not begun: there is nothing to wait for.
    const cudaError_t status = cudaStreamSynchronize(stream);
    CHECK(cudaStreamIsCapturing(stream, &after));
    const cudaError_t end_status = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    printf(said("a synchronize while capturing: %d, %s; then cudaStreamEndCapture: %d, %s\n"),
           (int)status, cudaGetErrorName(status), (int)end_status, cudaGetErrorName(end_status));
    check_true("the stream was being captured", before == cudaStreamCaptureStatusActive);
    check_true("a synchronize while capturing is error 900",
               status == cudaErrorStreamCaptureUnsupported);
    check_true("it ends the capture", after == cudaStreamCaptureStatusInvalidated);
    check_true("the capture gives error 901", end_status == cudaErrorStreamCaptureInvalidated);
    check_true("and no graph", graph == NULL);
    check_z("the captured kernel did not run", 0);
}

// The stream is an ordinary one again.
void use_stream_again(void)
{
    step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_z, N, SUMMAND);
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(stream));
    check_z("the stream after the failed capture", 1);
}

int main(int argc, char **argv)
{
    args.N = 1000;
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    parse_args(argc, argv, "-n N -s S",
               "graph-capture: a graph of kernels, copies, a memset and a function of the host, "
               "captured from streams or built node by node");
    print_device();
    if ((args.N - 1) / BLOCK_SIZE >= 0x7fffffff)
    {
        usage_error("-n is too large for one grid");
    }

    N = args.N;
    grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);
    const size_t bytes = N * sizeof(unsigned);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&h_x, bytes));
    CHECK(cudaMallocHost((void **)&h_y, bytes));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMalloc(&d_count, sizeof(*d_count)));
    task = {h_y, N, 0};
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&branch));
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));

    check_launches("issued", issue);
    check_graph("captured", capture_work());
    check_graph("explicit", add_nodes());
    fail_to_capture();
    use_stream_again();

    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(branch));
    CHECK(cudaEventDestroy(forked));
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    CHECK(cudaFree(d_count));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
    free(reference);
    return verdict();
}
