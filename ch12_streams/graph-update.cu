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
#include "../common/timing.cuh"
#include "graph.cuh"
#include "steps.cuh"

const int BLOCK_SIZE = 128;

const unsigned FACTOR = 1664525; // of the steps x -> FACTOR x + summand

// The small kernel: one step for each element.
__global__ void step(unsigned *x, size_t N, unsigned summand)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = FACTOR * x[n] + summand;
    }
}

// What the functions below work on.
struct Data
{
    size_t N, num_kernels;
    unsigned grid_size;
    unsigned summand;      // that the kernels get
    unsigned *start, *d_x; // the numbers before the steps, and after them
    unsigned *h_x, *reference;
    cudaStream_t stream;
    cudaGraphNode_t *nodes; // of the chain
    cudaGraphExec_t exec;   // the chain as it is launched
};

// A chain, node by node. Each node depends on the one before it.
cudaGraph_t add_nodes(Data *data)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t *nodes = data->nodes;
    void *arguments[] = {&data->d_x, &data->N, &data->summand};
    const cudaKernelNodeParams params = kernel_node(step, data->grid_size, BLOCK_SIZE, arguments);
    for (size_t k = 0; k < data->num_kernels; ++k)
    {
        CHECK(
            cudaGraphAddKernelNode(&nodes[k], graph, k > 0 ? &nodes[k - 1] : NULL, k > 0, &params));
    }
    return graph;
}

// A chain of so many kernels, captured.
cudaGraph_t capture_chain(const Data *data, size_t num_kernels)
{
    const auto launch_all = [=]
    {
        for (size_t k = 0; k < num_kernels; ++k)
        {
            step<<<data->grid_size, BLOCK_SIZE, 0, data->stream>>>(data->d_x, data->N,
                                                                   data->summand);
            CHECK_LAUNCH();
        }
    };
    return capture(data->stream, launch_all);
}

// Launches the graph and checks that each of its kernels had this summand.
void check_launch(const char *what, const Data *data, unsigned summand)
{
    const size_t bytes = data->N * sizeof(unsigned);
    CHECK(cudaMemcpy(data->d_x, data->start, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphLaunch(data->exec, data->stream));
    CHECK(cudaStreamSynchronize(data->stream));
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = steps_reference(data->start[n], data->num_kernels, FACTOR, summand);
    }
    poison(data->h_x, bytes);
    CHECK(cudaMemcpy(data->h_x, data->d_x, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, data->h_x, data->reference, data->N);
}

double time_instantiate(Data *data, cudaGraph_t chain, size_t repeats)
{
    const auto instantiate = [=]
    {
        CHECK(cudaGraphInstantiate(&data->exec, chain, 0));
    };
    const auto destroy = [=]
    {
        CHECK(cudaGraphExecDestroy(data->exec));
    };
    instantiate();
    return time_host(instantiate, repeats, destroy).median;
}

// Node by node.
void set_arguments(Data *data)
{
    void *arguments[] = {&data->d_x, &data->N, &data->summand};
    const cudaKernelNodeParams params = kernel_node(step, data->grid_size, BLOCK_SIZE, arguments);
    for (size_t k = 0; k < data->num_kernels; ++k)
    {
        CHECK(cudaGraphExecKernelNodeSetParams(data->exec, data->nodes[k], &params));
    }
}

double time_set_arguments(Data *data, size_t repeats)
{
    data->summand = 12345;
    const auto next_summand = [=] // so that each call has something to change
    {
        ++data->summand;
    };
    return time_host([=] { set_arguments(data); }, repeats, next_summand).median;
}

// From another graph of the same shape, here one that is captured.
double time_update(Data *data, unsigned summand, size_t repeats)
{
    data->summand = summand;
    const cudaGraph_t changed = capture_chain(data, data->num_kernels);
    const auto update = [=]
    {
        cudaGraphExecUpdateResultInfo info;
        CHECK(cudaGraphExecUpdate(data->exec, changed, &info));
    };
    const auto undo = [=] // so that each update has something to change
    {
        data->summand = summand + 1;
        set_arguments(data);
    };
    const double ms = time_host(update, repeats, undo).median;
    CHECK(cudaGraphDestroy(changed));
    return ms;
}

// A graph with a kernel less has another shape.
void try_another_topology(const Data *data)
{
    const cudaGraph_t shorter = capture_chain(data, data->num_kernels - 1);
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t status = cudaGraphExecUpdate(data->exec, shorter, &info);
    cudaGetLastError();
    printf("\nupdate to another topology: %d, %s; the result says %d\n", (int)status,
           cudaGetErrorName(status), (int)info.result);
    check_true("another topology is error 910", status == cudaErrorGraphExecUpdateFailure);
    check_true("the result says why", info.result != cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphDestroy(shorter));
}

int main(int argc, char **argv)
{
    size_t num_kernels = ON_GPU ? 1000 : 100;
    args.N = 1000;
    args.bytes_per_element = sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    args.columns =
        "  us  the median time over the number of kernels (on the CPU backend: CPU us)\n";
    add_number("kernels", &num_kernels, 2, 10000, "kernels in the chain");
    parse_args(argc, argv, "-n N -r R -s S",
               "graph-update: how a graph that is instantiated gets new arguments, and what it "
               "refuses");
    print_device();
    if ((args.N - 1) / BLOCK_SIZE >= 0x7fffffff)
    {
        usage_error("-n is too large for one grid");
    }

    const size_t N = args.N, bytes = N * sizeof(unsigned);
    const unsigned grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);
    const unsigned first_summand = 1013904223, updated_summand = 54321;
    Data data = {N, num_kernels, grid_size, first_summand};
    for (unsigned **h : {&data.start, &data.h_x, &data.reference})
    {
        *h = (unsigned *)malloc(bytes);
    }
    CHECK(cudaMalloc(&data.d_x, bytes));
    for (size_t n = 0; n < N; ++n)
    {
        data.start[n] = (unsigned)hash_bits(args.seed, n);
    }
    CHECK(cudaStreamCreate(&data.stream));
    data.nodes = (cudaGraphNode_t *)malloc(num_kernels * sizeof(cudaGraphNode_t));

    const cudaGraph_t chain = add_nodes(&data);
    const double instantiate_ms = time_instantiate(&data, chain, args.repeats);
    check_launch("as instantiated", &data, first_summand);
    const double set_ms = time_set_arguments(&data, args.repeats);
    check_launch("after cudaGraphExecKernelNodeSetParams", &data, data.summand);
    const double update_ms = time_update(&data, updated_summand, args.repeats);
    check_launch("after cudaGraphExecUpdate", &data, updated_summand);
    printf("%-25s %12s   (a kernel, a chain of %zu kernels)\n%-25s %12.3f\n%-25s %12.3f\n"
           "%-25s %12.3f\n",
           "", ON_GPU ? "us" : "CPU us", num_kernels, "instantiate",
           1e3 * instantiate_ms / num_kernels, "set the arguments", 1e3 * set_ms / num_kernels,
           "update", 1e3 * update_ms / num_kernels);
    try_another_topology(&data);
    check_launch("after an update that was refused", &data, updated_summand);

    CHECK(cudaGraphExecDestroy(data.exec));
    CHECK(cudaGraphDestroy(chain));
    CHECK(cudaStreamDestroy(data.stream));
    CHECK(cudaFree(data.d_x));
    free(data.nodes);
    for (unsigned *h : {data.start, data.h_x, data.reference})
    {
        free(h);
    }
    return verdict();
}
