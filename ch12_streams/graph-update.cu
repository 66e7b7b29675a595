// graph-update: how a graph that is instantiated gets new arguments, and what it refuses
//
// From:    section 12.3, and beyond the book
// Order:   last
// Compile: nvcc -O3 graph-update.cu
// Run:     ./a.out --kernels 2000
//
// The graph is a chain of small kernels, as in graph-launch. Its kernels get another summand in two
// ways: node by node (cudaGraphExecKernelNodeSetParams), or all at once from another graph of the
// same shape (cudaGraphExecUpdate). Both take less time than to instantiate the graph anew. A graph
// of another shape is refused, and the graph that should have changed works on as before.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "graph.cuh"
#include "steps.cuh"

const int BLOCK_SIZE = 128;

const unsigned FACTOR = 1664525; // of the steps x -> FACTOR x + summand

static size_t N, num_kernels;
static unsigned grid_size;
static unsigned summand;      // that the kernels get
static unsigned *start, *d_x; // the numbers before the steps, and after them
static unsigned *h_x, *reference;
static cudaStream_t stream;
static cudaGraphNode_t *nodes; // of the chain
static cudaGraphExec_t exec;   // the chain as it is launched

// The small kernel: one step for each element.
__global__ void step(unsigned *x, size_t N, unsigned summand)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = FACTOR * x[n] + summand;
    }
}

// A chain, node by node. Each node depends on the one before it.
cudaGraph_t add_nodes(void)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    void *arguments[] = {&d_x, &N, &summand};
    const cudaKernelNodeParams params = kernel_node((void *)step, grid_size, BLOCK_SIZE, arguments);
    for (size_t k = 0; k < num_kernels; ++k)
    {
        CHECK(
            cudaGraphAddKernelNode(&nodes[k], graph, k > 0 ? &nodes[k - 1] : NULL, k > 0, &params));
    }
    return graph;
}

// A chain of so many kernels, captured.
cudaGraph_t capture_chain(size_t length)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (size_t k = 0; k < length; ++k)
    {
        step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, N, summand);
        CHECK_LAUNCH();
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

// Launches the graph and checks that each of its kernels had this summand.
void check_launch(const char *what, unsigned expected_summand)
{
    const size_t bytes = N * sizeof(unsigned);
    CHECK(cudaMemcpy(d_x, start, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = steps_reference(start[n], num_kernels, FACTOR, expected_summand);
    }
    poison(h_x, bytes);
    CHECK(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, h_x, reference, N);
}

double time_instantiate(cudaGraph_t chain)
{
    CHECK(cudaGraphInstantiate(&exec, chain, 0));
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        CHECK(cudaGraphExecDestroy(exec));
        begin_timing(&timer);
        CHECK(cudaGraphInstantiate(&exec, chain, 0));
    }
    return timer.median;
}

// Node by node.
void set_arguments(void)
{
    void *arguments[] = {&d_x, &N, &summand};
    const cudaKernelNodeParams params = kernel_node((void *)step, grid_size, BLOCK_SIZE, arguments);
    for (size_t k = 0; k < num_kernels; ++k)
    {
        CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[k], &params));
    }
}

double time_set_arguments(void)
{
    summand = 12345;
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        ++summand; // so that each call has something to change
        begin_timing(&timer);
        set_arguments();
    }
    return timer.median;
}

// From another graph of the same shape, here one that is captured.
double time_update(unsigned new_summand)
{
    summand = new_summand;
    const cudaGraph_t changed = capture_chain(num_kernels);
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        summand = new_summand + 1; // so that each update has something to change
        set_arguments();
        begin_timing(&timer);
        cudaGraphExecUpdateResultInfo info;
        CHECK(cudaGraphExecUpdate(exec, changed, &info));
    }
    CHECK(cudaGraphDestroy(changed));
    return timer.median;
}

void print_row(const char *what, double ms)
{
    put_text(what);
    put_timed(1e3 * ms / num_kernels);
    end_row();
}

// A graph with a kernel less has another shape.
void try_another_topology(void)
{
    const cudaGraph_t shorter = capture_chain(num_kernels - 1);
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t status = cudaGraphExecUpdate(exec, shorter, &info);
    cudaGetLastError();
    print_note("\n");
    print_note("update to another topology: %d, %s; the result says %d\n", (int)status,
               cudaGetErrorName(status), (int)info.result);
    check_true("another topology is error 910", status == cudaErrorGraphExecUpdateFailure);
    check_true("the result says why", info.result != cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphDestroy(shorter));
}

int main(int argc, char **argv)
{
    num_kernels = ON_GPU ? 1000 : 100;
    args.N = 1000;
    args.bytes_per_element = sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    args.columns = "  us  the median time over the number of kernels\n";
    add_number("kernels", &num_kernels, 2, 10000, "kernels in the chain");
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "graph-update: how a graph that is instantiated gets new arguments, and what it "
               "refuses");
    print_device();
    if ((args.N - 1) / BLOCK_SIZE >= 0x7fffffff)
    {
        usage_error("-n is too large for one grid");
    }

    const unsigned first_summand = 1013904223, updated_summand = 54321;
    N = args.N;
    grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);
    summand = first_summand;
    const size_t bytes = N * sizeof(unsigned);
    start = (unsigned *)malloc(bytes);
    h_x = (unsigned *)malloc(bytes);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    for (size_t n = 0; n < N; ++n)
    {
        start[n] = (unsigned)hash_bits(args.seed, n);
    }
    CHECK(cudaStreamCreate(&stream));
    nodes = (cudaGraphNode_t *)malloc(num_kernels * sizeof(cudaGraphNode_t));

    const cudaGraph_t chain = add_nodes();
    const double instantiate_ms = time_instantiate(chain);
    check_launch("as instantiated", first_summand);
    const double set_ms = time_set_arguments();
    check_launch("after cudaGraphExecKernelNodeSetParams", summand);
    const double update_ms = time_update(updated_summand);
    check_launch("after cudaGraphExecUpdate", updated_summand);
    print_timed_note("the time of a kernel, in a chain of %zu kernels, median of %zu repeats\n",
                     num_kernels, args.repeats);
    const Column COLUMNS[] = {{"step", "%-25s", ""}, {ON_GPU ? "us" : "CPU us", "%12.3f"}};
    begin_timed_table(COLUMNS, 2);
    print_row("instantiate", instantiate_ms);
    print_row("set the arguments", set_ms);
    print_row("update", update_ms);
    try_another_topology();
    check_launch("after an update that was refused", updated_summand);

    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(chain));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_x));
    free(nodes);
    free(start);
    free(h_x);
    free(reference);
    return verdict();
}
