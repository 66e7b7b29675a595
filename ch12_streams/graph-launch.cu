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
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "graph.cuh"
#include "steps.cuh"

const int BLOCK_SIZE = 128;
const int NUM_BRANCHES = 4;

const unsigned FACTOR = 1664525, SUMMAND = 1013904223; // of the steps x -> FACTOR x + SUMMAND

static size_t N;
static size_t size; // of the data that the kernels get: N, or 0: they do nothing
static size_t num_kernels;
static unsigned grid_size;
static unsigned *start, *d_x; // the numbers before the steps, and after them
static unsigned *h_x, *reference;
static cudaStream_t stream, branches[NUM_BRANCHES];
static cudaEvent_t forked, joined[NUM_BRANCHES]; // where the branches begin and end
static cudaGraphExec_t exec;                     // the graph as it is launched

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

// ---- Launch by launch ----

void launch_and_wait(void)
{
    for (size_t k = 0; k < num_kernels; ++k)
    {
        step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, size, SUMMAND);
        CHECK_LAUNCH();
        CHECK(cudaStreamSynchronize(stream));
    }
}

void launch_all(void)
{
    for (size_t k = 0; k < num_kernels; ++k)
    {
        step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, size, SUMMAND);
        CHECK_LAUNCH();
    }
}

// Four chains of as many kernels. Each chain has a part of the elements, and a stream of its own.
// All chains begin after the fork and end before the join.
void launch_branches(void)
{
    CHECK(cudaEventRecord(forked, stream));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamWaitEvent(branches[i], forked, 0));
    }
    for (size_t k = 0; k < num_kernels; ++k)
    {
        for (int i = 0; i < NUM_BRANCHES; ++i)
        {
            const size_t first = size * i / NUM_BRANCHES;
            const size_t part = size * (i + 1) / NUM_BRANCHES - first;
            step<<<grid_size / NUM_BRANCHES + 1, BLOCK_SIZE, 0, branches[i]>>>(d_x + first, part,
                                                                               SUMMAND);
            CHECK_LAUNCH();
        }
    }
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaEventRecord(joined[i], branches[i]));
        CHECK(cudaStreamWaitEvent(stream, joined[i], 0));
    }
}

// ---- The same as graphs ----

// The launches become a graph, and nothing runs. The kernel must have run before, so that it has
// not to be loaded while the stream is captured.
cudaGraph_t capture_chain(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_all();
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

cudaGraph_t capture_branches(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_branches();
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

// The chain node by node. Each node depends on the one before it.
cudaGraph_t add_nodes(void)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    unsigned summand = SUMMAND;
    void *arguments[] = {&d_x, &size, &summand};
    const cudaKernelNodeParams params = kernel_node((void *)step, grid_size, BLOCK_SIZE, arguments);
    cudaGraphNode_t last, next;
    for (size_t k = 0; k < num_kernels; ++k)
    {
        CHECK(cudaGraphAddKernelNode(&next, graph, &last, k > 0 ? 1 : 0, &params));
        last = next;
    }
    return graph;
}

void launch_graph(void) { CHECK(cudaGraphLaunch(exec, stream)); }

// A row of the table.
struct Way
{
    const char *name;
    int num_chains;
    void (*launch)(void);
    cudaGraph_t (*make_graph)(void); // NULL: the kernels are launched one by one
};
const Way WAYS[] = {
    {"launch and wait", 1, launch_and_wait, NULL},
    {"launches, one wait", 1, launch_all, NULL},
    {"captured graph", 1, launch_graph, capture_chain},
    {"explicit nodes", 1, launch_graph, add_nodes},
    {"launches, 4 streams", NUM_BRANCHES, launch_branches, NULL},
    {"captured, 4 branches", NUM_BRANCHES, launch_graph, capture_branches},
};
const int NUM_WAYS = sizeof(WAYS) / sizeof(WAYS[0]);

// ---- Each way is checked and timed ----

void check_steps(const char *what, size_t num_steps)
{
    const size_t bytes = N * sizeof(unsigned);
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = steps_reference(start[n], num_steps, FACTOR, SUMMAND);
    }
    poison(h_x, bytes);
    CHECK(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, h_x, reference, N);
}

// Launches twice and checks, then times. Returns the time in ms.
double measure_launch(const Way *way)
{
    CHECK(cudaMemcpy(d_x, start, N * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    way->launch();
    way->launch();
    CHECK(cudaStreamSynchronize(stream));
    check_steps(way->name, size > 0 ? 2 * num_kernels : 0);

    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        way->launch();
        CHECK(cudaStreamSynchronize(stream));
    }
    check_true("the host has waited for what it timed", is_idle(stream));
    return timer.median;
}

double measure(const Way *way)
{
    if (way->make_graph == NULL)
    {
        return measure_launch(way);
    }
    const cudaGraph_t graph = way->make_graph();
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, stream)); // else the first launch does it
    const double ms = measure_launch(way);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return ms;
}

int main(int argc, char **argv)
{
    num_kernels = ON_GPU ? 1000 : 100;
    args.N = 1000;
    args.bytes_per_element = sizeof(unsigned);
    args.bytes_on_host = 3 * sizeof(unsigned);
    args.columns = "  N = 0   us for each kernel, which does nothing\n"
                   "  N = -n  the same, if each kernel does one step for each element\n";
    add_number("kernels", &num_kernels, 2, 10000, "kernels in a chain");
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "graph-launch: the same work launch by launch, and as a graph that is built once "
               "and launched whole");
    print_device();
    if ((args.N - 1) / BLOCK_SIZE >= 0x7fffffff)
    {
        usage_error("-n is too large for one grid");
    }
    if (!ON_GPU)
    {
        print_note("The CPU backend does one node at a time: nothing overlaps.\n");
    }

    N = args.N;
    grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);
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
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamCreate(&branches[i]));
        CHECK(cudaEventCreateWithFlags(&joined[i], cudaEventDisableTiming));
    }

    char title[32];
    snprintf(title, sizeof(title), "N = %zu", N);
    const Column COLUMNS[] = {{"launched", "%-25s", ""}, {"N = 0", "%12.3f"}, {title, "%12.3f"}};
    print_timed_note("us a kernel, chains of %zu kernels, median of %zu repeats\n", num_kernels,
                     args.repeats);
    begin_timed_table(COLUMNS, 3);
    for (int i = 0; i < NUM_WAYS; ++i)
    {
        const size_t kernels = WAYS[i].num_chains * num_kernels;
        size = 0;
        const double empty_ms = measure(&WAYS[i]);
        size = N;
        const double ms = measure(&WAYS[i]);
        put_text(WAYS[i].name);
        put_timed(1e3 * empty_ms / kernels);
        put_timed(1e3 * ms / kernels);
        end_row();
    }

    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(forked));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamDestroy(branches[i]));
        CHECK(cudaEventDestroy(joined[i]));
    }
    CHECK(cudaFree(d_x));
    free(start);
    free(h_x);
    free(reference);
    return verdict();
}
