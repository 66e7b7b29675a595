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

// What the function of the host works on: it gets one pointer.
struct HostSum
{
    const unsigned *y;
    size_t N;
    unsigned long long sum;
};

void CUDART_CB sum_on_host(void *data)
{
    HostSum *task = (HostSum *)data;
    task->sum = 0;
    for (size_t n = 0; n < task->N; ++n)
    {
        task->sum += task->y[n];
    }
}

// What the functions below work on.
struct Data
{
    size_t N;
    unsigned grid_size;
    unsigned *h_x, *h_y; // pinned
    unsigned *d_x, *d_y, *d_z;
    unsigned *reference; // y
    unsigned long long *d_count;
    HostSum task;
    cudaStream_t stream, branch;
    cudaEvent_t forked, joined; // where the branch begins and ends
};

// ---- The work, issued to two streams, and as two graphs ----

void issue(Data *data)
{
    const size_t N = data->N, bytes = N * sizeof(unsigned);
    const cudaStream_t stream = data->stream, branch = data->branch;
    CHECK(cudaMemcpyAsync(data->d_x, data->h_x, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(data->forked, stream));
    CHECK(cudaStreamWaitEvent(branch, data->forked, 0)); // the branch joins a capture here

    CHECK(cudaMemcpyAsync(data->d_z, data->d_x, bytes, cudaMemcpyDeviceToDevice, stream));
    step<<<data->grid_size, BLOCK_SIZE, 0, stream>>>(data->d_z, N, SUMMAND);
    CHECK_LAUNCH();

    CHECK(cudaMemsetAsync(data->d_count, 0, sizeof(*data->d_count), branch));
    count_odd<<<data->grid_size, BLOCK_SIZE, 0, branch>>>(data->d_x, N, data->d_count);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(data->joined, branch));

    CHECK(cudaStreamWaitEvent(stream, data->joined, 0));
    join<<<data->grid_size, BLOCK_SIZE, 0, stream>>>(data->d_z, data->d_count, data->d_y, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(data->h_y, data->d_y, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, sum_on_host, &data->task));
}

cudaGraph_t capture_work(Data *data)
{
    return capture(data->stream, [=] { issue(data); });
}

cudaGraph_t add_nodes(Data *data)
{
    const size_t bytes = data->N * sizeof(unsigned);
    cudaGraph_t graph;
    cudaGraphNode_t copy_in, copy, steps, zero, count, both, copy_out, sum;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&copy_in, graph, NULL, 0, data->d_x, data->h_x, bytes,
                                   cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &copy_in, 1, data->d_z, data->d_x, bytes,
                                   cudaMemcpyDeviceToDevice));
    unsigned summand = SUMMAND;
    void *step_arguments[] = {&data->d_z, &data->N, &summand};
    cudaKernelNodeParams params = kernel_node(step, data->grid_size, BLOCK_SIZE, step_arguments);
    CHECK(cudaGraphAddKernelNode(&steps, graph, &copy, 1, &params));

    cudaMemsetParams memset_params = {};
    memset_params.dst = data->d_count;
    memset_params.elementSize = 1;
    memset_params.width = sizeof(*data->d_count); // elements
    memset_params.height = 1;
    CHECK(cudaGraphAddMemsetNode(&zero, graph, &copy_in, 1, &memset_params));
    void *count_arguments[] = {&data->d_x, &data->N, &data->d_count};
    params = kernel_node(count_odd, data->grid_size, BLOCK_SIZE, count_arguments);
    CHECK(cudaGraphAddKernelNode(&count, graph, &zero, 1, &params));

    void *join_arguments[] = {&data->d_z, &data->d_count, &data->d_y, &data->N};
    const cudaGraphNode_t branches[] = {steps, count};
    params = kernel_node(join, data->grid_size, BLOCK_SIZE, join_arguments);
    CHECK(cudaGraphAddKernelNode(&both, graph, branches, 2, &params));
    CHECK(cudaGraphAddMemcpyNode1D(&copy_out, graph, &both, 1, data->h_y, data->d_y, bytes,
                                   cudaMemcpyDeviceToHost));
    const cudaHostNodeParams host_params = {sum_on_host, &data->task};
    CHECK(cudaGraphAddHostNode(&sum, graph, &copy_out, 1, &host_params));
    return graph;
}

struct Way
{
    const char *name;
    cudaGraph_t (*make_graph)(Data *); // NULL: the work is issued
};
const Way WAYS[] = {{"issued", NULL}, {"captured", capture_work}, {"explicit", add_nodes}};

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
    printf("%s: %d kernels, %d copies, %d memset, %d function of the host\n", name, kernels, copies,
           memsets, host_functions);
    check_true("the kinds of nodes",
               kernels == 3 && copies == 3 && memsets == 1 && host_functions == 1);
}

// New numbers in h_x, and what the work should make of them. Returns the sum.
unsigned long long set_numbers(Data *data, size_t seed)
{
    unsigned odd = 0;
    for (size_t n = 0; n < data->N; ++n)
    {
        data->h_x[n] = (unsigned)hash_bits(seed, n);
        odd += data->h_x[n] % 2;
    }
    unsigned long long sum = 0;
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = (FACTOR * (unsigned)hash_bits(seed, n) + SUMMAND) ^ odd;
        sum += data->reference[n];
    }
    return sum;
}

void poison_results(Data *data)
{
    const size_t bytes = data->N * sizeof(unsigned);
    for (unsigned *d : {data->d_x, data->d_y, data->d_z})
    {
        CHECK(cudaMemset(d, POISON_BYTE, bytes));
    }
    CHECK(cudaMemset(data->d_count, POISON_BYTE, sizeof(*data->d_count)));
    poison(data->h_y, bytes);
    data->task.sum = ~0ull;
    CHECK(cudaDeviceSynchronize());
}

// Launches twice, each time with other numbers.
template <typename Launch>
void check_launches(const char *name, Data *data, size_t seed, Launch launch)
{
    for (int i = 0; i < 2; ++i)
    {
        const unsigned long long sum = set_numbers(data, seed + i);
        poison_results(data);
        launch();
        CHECK(cudaStreamSynchronize(data->stream));
        check_elements(name, data->h_y, data->reference, data->N);
        check_true("the sum of the function of the host", data->task.sum == sum);
    }
}

void check_graph(const Way *way, Data *data, size_t seed)
{
    const cudaGraph_t graph = way->make_graph(data);
    check_kinds(way->name, graph);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    check_launches(way->name, data, seed, [=] { CHECK(cudaGraphLaunch(exec, data->stream)); });
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

// ---- A synchronize while capturing ----

// z is the numbers of h_x after so many steps, 0 or 1.
void check_z(const char *what, const Data *data, int num_steps)
{
    const size_t bytes = data->N * sizeof(unsigned);
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = num_steps == 0 ? data->h_x[n] : FACTOR * data->h_x[n] + SUMMAND;
    }
    poison(data->h_y, bytes);
    CHECK(cudaMemcpy(data->h_y, data->d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, data->h_y, data->reference, data->N);
}

void fail_to_capture(const Data *data)
{
    cudaGraph_t graph = NULL;
    cudaStreamCaptureStatus before, after;
    CHECK(cudaMemcpy(data->d_z, data->h_x, data->N * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaStreamBeginCapture(data->stream, cudaStreamCaptureModeGlobal));
    step<<<data->grid_size, BLOCK_SIZE, 0, data->stream>>>(data->d_z, data->N, SUMMAND);
    CHECK_LAUNCH();
    CHECK(cudaStreamIsCapturing(data->stream, &before));
    // The work has not begun: there is nothing to wait for.
    const cudaError_t status = cudaStreamSynchronize(data->stream);
    CHECK(cudaStreamIsCapturing(data->stream, &after));
    const cudaError_t end_status = cudaStreamEndCapture(data->stream, &graph);
    cudaGetLastError();
    printf("a synchronize while capturing: %d, %s; then cudaStreamEndCapture: %d, %s\n",
           (int)status, cudaGetErrorName(status), (int)end_status, cudaGetErrorName(end_status));
    check_true("the stream was being captured", before == cudaStreamCaptureStatusActive);
    check_true("a synchronize while capturing is error 900",
               status == cudaErrorStreamCaptureUnsupported);
    check_true("it ends the capture", after == cudaStreamCaptureStatusInvalidated);
    check_true("the capture gives error 901", end_status == cudaErrorStreamCaptureInvalidated);
    check_true("and no graph", graph == NULL);
    check_z("the captured kernel did not run", data, 0);
}

// The stream is an ordinary one again.
void use_stream_again(const Data *data)
{
    step<<<data->grid_size, BLOCK_SIZE, 0, data->stream>>>(data->d_z, data->N, SUMMAND);
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(data->stream));
    check_z("the stream after the failed capture", data, 1);
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

    const size_t N = args.N, bytes = N * sizeof(unsigned);
    Data data;
    data.N = N;
    data.grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);
    data.reference = (unsigned *)malloc(bytes);
    CHECK(cudaMallocHost((void **)&data.h_x, bytes));
    CHECK(cudaMallocHost((void **)&data.h_y, bytes));
    for (unsigned **d : {&data.d_x, &data.d_y, &data.d_z})
    {
        CHECK(cudaMalloc(d, bytes));
    }
    CHECK(cudaMalloc(&data.d_count, sizeof(*data.d_count)));
    data.task = {data.h_y, N, 0};
    CHECK(cudaStreamCreate(&data.stream));
    CHECK(cudaStreamCreate(&data.branch));
    CHECK(cudaEventCreateWithFlags(&data.forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&data.joined, cudaEventDisableTiming));

    for (const Way &way : WAYS)
    {
        if (way.make_graph == NULL)
        {
            check_launches(way.name, &data, args.seed, [&] { issue(&data); });
        }
        else
        {
            check_graph(&way, &data, args.seed);
        }
    }
    fail_to_capture(&data);
    use_stream_again(&data);

    CHECK(cudaStreamDestroy(data.stream));
    CHECK(cudaStreamDestroy(data.branch));
    CHECK(cudaEventDestroy(data.forked));
    CHECK(cudaEventDestroy(data.joined));
    for (unsigned *d : {data.d_x, data.d_y, data.d_z})
    {
        CHECK(cudaFree(d));
    }
    CHECK(cudaFree(data.d_count));
    CHECK(cudaFreeHost(data.h_x));
    CHECK(cudaFreeHost(data.h_y));
    free(data.reference);
    return verdict();
}
