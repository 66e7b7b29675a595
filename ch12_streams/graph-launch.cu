// graph-launch: the same work launch by launch, and as a graph that is built once and launched
// whole
//
// From:    section 12.3, and beyond the book
// Order:   last
// Compile: nvcc -O3 graph-launch.cu
// Run:     ./a.out --kernels 2000
//
// A launch costs the host a few microseconds, and often more than a small kernel takes. A graph
// holds kernels, copies, and functions of the host, and what must come before what. CUDA prepares
// it once (cudaGraphInstantiate). Then one call launches all of it.
//
// A graph is made in two ways. Between cudaStreamBeginCapture and cudaStreamEndCapture a stream
// does nothing: what is issued to it becomes nodes of a graph. Or each node is added by a call that
// names the nodes it depends on. The table has the same chain of small kernels in each of these
// ways, and four chains side by side.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/options.cuh"
#include "../common/timing.cuh"
#include "graph.cuh"
#include "steps.cuh"

const int BLOCK_SIZE = 128;
const int NUM_BRANCHES = 4;

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

// The small kernel: one step for each element. With N = 0 it does nothing, and what remains is
// the price of the launch.
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
    size_t N;
    size_t size; // of the data that the kernels get: N, or 0: they do nothing
    size_t num_kernels;
    unsigned grid_size;
    unsigned *start, *d_x; // the numbers before the steps, and after them
    unsigned *h_x, *reference;
    cudaStream_t stream, branches[NUM_BRANCHES];
    cudaEvent_t fork, joins[NUM_BRANCHES];
};

// ---- Launch by launch ----

void launch_and_wait(const Data *data)
{
    for (size_t k = 0; k < data->num_kernels; ++k)
    {
        step<<<data->grid_size, BLOCK_SIZE, 0, data->stream>>>(data->d_x, data->size, SUMMAND);
        CHECK_LAUNCH();
        CHECK(cudaStreamSynchronize(data->stream));
    }
}

void launch_all(const Data *data)
{
    for (size_t k = 0; k < data->num_kernels; ++k)
    {
        step<<<data->grid_size, BLOCK_SIZE, 0, data->stream>>>(data->d_x, data->size, SUMMAND);
        CHECK_LAUNCH();
    }
}

// Four chains of as many kernels. Each chain has a part of the elements, and a stream of its own.
// All chains begin after the fork and end before the join.
void launch_branches(const Data *data)
{
    CHECK(cudaEventRecord(data->fork, data->stream));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamWaitEvent(data->branches[i], data->fork, 0));
    }
    for (size_t k = 0; k < data->num_kernels; ++k)
    {
        for (int i = 0; i < NUM_BRANCHES; ++i)
        {
            const size_t first = data->size * i / NUM_BRANCHES;
            const size_t part = data->size * (i + 1) / NUM_BRANCHES - first;
            step<<<data->grid_size / NUM_BRANCHES + 1, BLOCK_SIZE, 0, data->branches[i]>>>(
                data->d_x + first, part, SUMMAND);
            CHECK_LAUNCH();
        }
    }
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaEventRecord(data->joins[i], data->branches[i]));
        CHECK(cudaStreamWaitEvent(data->stream, data->joins[i], 0));
    }
}

// ---- The same as graphs ----

cudaGraph_t capture_chain(const Data *data)
{
    return capture(data->stream, [=] { launch_all(data); });
}

cudaGraph_t capture_branches(const Data *data)
{
    return capture(data->stream, [=] { launch_branches(data); });
}

// The chain node by node. Each node depends on the one before it.
cudaGraph_t add_nodes(const Data *data)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    unsigned *d_x = data->d_x, summand = SUMMAND;
    size_t size = data->size;
    void *arguments[] = {&d_x, &size, &summand};
    const cudaKernelNodeParams params = kernel_node(step, data->grid_size, BLOCK_SIZE, arguments);
    cudaGraphNode_t last, next;
    for (size_t k = 0; k < data->num_kernels; ++k)
    {
        CHECK(cudaGraphAddKernelNode(&next, graph, &last, k > 0 ? 1 : 0, &params));
        last = next;
    }
    return graph;
}

// A row of the table is a function that launches, or one that makes a graph.
struct Way
{
    const char *name;
    int num_chains;
    void (*launch)(const Data *);
    cudaGraph_t (*make_graph)(const Data *);
};
const Way WAYS[] = {
    {"launch and wait", 1, launch_and_wait, NULL},
    {"launches, one wait", 1, launch_all, NULL},
    {"captured graph", 1, NULL, capture_chain},
    {"explicit nodes", 1, NULL, add_nodes},
    {"launches, 4 streams", NUM_BRANCHES, launch_branches, NULL},
    {"captured, 4 branches", NUM_BRANCHES, NULL, capture_branches},
};

// ---- Each way is checked and timed ----

void check_steps(const char *what, const Data *data, size_t num_steps)
{
    const size_t bytes = data->N * sizeof(unsigned);
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = steps_reference(data->start[n], num_steps, FACTOR, SUMMAND);
    }
    poison(data->h_x, bytes);
    CHECK(cudaMemcpy(data->h_x, data->d_x, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, data->h_x, data->reference, data->N);
}

// Launches twice and checks, then times. Returns the time in ms.
template <typename Launch>
double measure(const char *name, const Data *data, size_t repeats, Launch launch)
{
    const size_t bytes = data->N * sizeof(unsigned);
    CHECK(cudaMemcpy(data->d_x, data->start, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    launch();
    launch();
    CHECK(cudaStreamSynchronize(data->stream));
    check_steps(name, data, data->size > 0 ? 2 * data->num_kernels : 0);

    const auto launch_and_end = [=]
    {
        launch();
        CHECK(cudaStreamSynchronize(data->stream));
    };
    const double ms = time_host(launch_and_end, repeats).median;
    check_true("the host has waited for what it timed", is_idle(data->stream));
    return ms;
}

double measure_graph(const Way *way, const Data *data, size_t repeats)
{
    const cudaGraph_t graph = way->make_graph(data);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, data->stream)); // else the first launch does it
    const auto launch = [=]
    {
        CHECK(cudaGraphLaunch(exec, data->stream));
    };
    const double ms = measure(way->name, data, repeats, launch);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return ms;
}

double measure_launches(const Way *way, const Data *data, size_t repeats)
{
    return measure(way->name, data, repeats, [=] { way->launch(data); });
}

int main(int argc, char **argv)
{
    size_t num_kernels = ON_GPU ? 1000 : 100;
    args.N = 1000;
    args.bytes_per_element = sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    args.columns = "  N = 0   us for each kernel, which does nothing (on the CPU backend: CPU us)\n"
                   "  N = -n  the same, if each kernel does one step for each element\n";
    add_number("kernels", &num_kernels, 2, 10000, "kernels in a chain");
    parse_args(argc, argv, "-n N -r R -s S",
               "graph-launch: the same work launch by launch, and as a graph that is built once "
               "and launched whole");
    print_device();
    if ((args.N - 1) / BLOCK_SIZE >= 0x7fffffff)
    {
        usage_error("-n is too large for one grid");
    }
    if (!ON_GPU)
    {
        printf("The CPU backend does one node at a time: its times show no overlap.\n");
    }

    const size_t N = args.N, bytes = N * sizeof(unsigned);
    const unsigned grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);
    Data data = {N, N, num_kernels, grid_size};
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
    CHECK(cudaEventCreateWithFlags(&data.fork, cudaEventDisableTiming));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamCreate(&data.branches[i]));
        CHECK(cudaEventCreateWithFlags(&data.joins[i], cudaEventDisableTiming));
    }

    char title[32];
    snprintf(title, sizeof(title), "N = %zu", N);
    printf("%-25s %12s %12s   (%s a kernel, chains of %zu kernels)\n", "", "N = 0", title,
           ON_GPU ? "us" : "CPU us", num_kernels);
    for (const Way &way : WAYS)
    {
        printf("%-25s", way.name);
        for (const size_t size : {(size_t)0, N})
        {
            data.size = size;
            const double ms = way.launch != NULL ? measure_launches(&way, &data, args.repeats)
                                                 : measure_graph(&way, &data, args.repeats);
            printf(" %12.3f", 1e3 * ms / (way.num_chains * num_kernels));
        }
        printf("\n");
    }

    CHECK(cudaStreamDestroy(data.stream));
    CHECK(cudaEventDestroy(data.fork));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamDestroy(data.branches[i]));
        CHECK(cudaEventDestroy(data.joins[i]));
    }
    CHECK(cudaFree(data.d_x));
    for (unsigned *h : {data.start, data.h_x, data.reference})
    {
        free(h);
    }
    return verdict();
}
