// graph-launch: the same work launch by launch, and as a graph that is built once and launched
// whole
//
// From:    section 12.3
// Chinese: 同样的工作：逐个启动，与一次建好、整体启动的 CUDA 图
// Compile: nvcc -O3 graph-launch.cu
// Run:     ./a.out --kernels 2000
// Options: -n N -r R -s S --kernels N
// Also:    -n 33 -r 2 --kernels 2
// Checks:  41
// Sizes:   1 33 1000 64 10007
// Small:   --kernels 20
//
// A launch costs the host a few microseconds, and often more than a small kernel takes. A graph
// holds kernels, copies, and functions of the host, and what must come before what. CUDA prepares
// it once (cudaGraphInstantiate). Then one call launches all of it.
//
// A graph is made in two ways. Between cudaStreamBeginCapture and cudaStreamEndCapture a stream
// does nothing: what is issued to it becomes nodes of a graph. Or each node is added by a call that
// names the nodes it depends on. The first table has the same chain of small kernels in each of
// these ways. After it comes a graph with two branches, and what happens to graphs that change.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"

const int BLOCK_SIZE = 128;
const int NUM_BRANCHES = 4;

const unsigned FACTOR = 1664525; // of the steps x -> FACTOR x + summand

// x after so many steps. Two steps of x -> a x + c are one step of the same kind, with a^2 and
// (a + 1) c. So the loop needs one round for each binary digit of the number.
unsigned steps_reference(unsigned x, size_t num_steps, unsigned summand)
{
    unsigned a = FACTOR, c = summand;
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

// The number of elements that are odd. *count must be 0 before.
__global__ void count_odd(const unsigned *x, size_t N, unsigned long long *count)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && x[n] % 2 == 1)
    {
        atomicAdd(count, 1ull);
    }
}

// After the join: the results of both branches together.
__global__ void join(const unsigned *x, const unsigned long long *count, unsigned *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n] ^ (unsigned)*count;
    }
}

// What the host node works on: it gets one pointer.
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

// The parameters of a kernel node, for a kernel with a one-dimensional grid. `arguments` holds the
// address of each argument. CUDA copies the arguments before the call that takes these returns.
template <typename Kernel>
cudaKernelNodeParams kernel_node(Kernel kernel, unsigned grid_size, void **arguments)
{
    cudaKernelNodeParams node = {};
    node.func = (void *)kernel;
    node.gridDim = dim3(grid_size);
    node.blockDim = dim3(BLOCK_SIZE);
    node.kernelParams = arguments;
    return node;
}

int main(int argc, char **argv)
{
    size_t num_kernels = ON_GPU ? 1000 : 100;
    Args args;
    args.N = 1000;
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 4 * sizeof(unsigned);
    add_number(&args, "kernels", &num_kernels, 2, 10000, "kernels in a chain");
    parse_args(&args, argc, argv, "-n N -r R -s S",
               "graph-launch: the same work launch by launch, and as a graph that is built once "
               "and launched whole");
    print_device();
    const size_t N = args.N, bytes = N * sizeof(unsigned);
    if ((N - 1) / BLOCK_SIZE >= 0x7fffffff)
    {
        usage_error(&args, "-n is too large for one grid");
    }
    const unsigned grid_size = (unsigned)((N - 1) / BLOCK_SIZE + 1);

    unsigned *h_x, *h_y, *reference = (unsigned *)malloc(bytes); // h_x and h_y are pinned
    unsigned *start = (unsigned *)malloc(bytes);
    unsigned *d_x, *d_y, *d_z;
    unsigned long long *d_count;
    CHECK(cudaMallocHost((void **)&h_x, bytes));
    CHECK(cudaMallocHost((void **)&h_y, bytes));
    CHECK(cudaMalloc((void **)&d_x, bytes));
    CHECK(cudaMalloc((void **)&d_y, bytes));
    CHECK(cudaMalloc((void **)&d_z, bytes));
    CHECK(cudaMalloc((void **)&d_count, sizeof(*d_count)));
    for (size_t n = 0; n < N; ++n)
    {
        start[n] = (unsigned)hash_bits(args.seed, n);
    }
    cudaStream_t stream, branches[NUM_BRANCHES];
    cudaEvent_t fork, joins[NUM_BRANCHES];
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamCreate(&branches[i]));
        CHECK(cudaEventCreateWithFlags(&joins[i], cudaEventDisableTiming));
    }

    // --- A chain of small kernels ----------------------------------------------------------------

    unsigned summand = 1013904223;
    size_t size = N; // of the data; 0: the kernels do nothing
    const auto launch_and_wait = [&]
    {
        for (size_t k = 0; k < num_kernels; ++k)
        {
            step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, size, summand);
            CHECK_LAUNCH();
            CHECK(cudaStreamSynchronize(stream));
        }
    };
    const auto launch_all = [&]
    {
        for (size_t k = 0; k < num_kernels; ++k)
        {
            step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, size, summand);
            CHECK_LAUNCH();
        }
    };

    // Four chains of as many kernels. Each chain has a part of the elements, and a stream of its
    // own. All chains begin after the fork and end before the join.
    const auto part_begin = [&](size_t i)
    {
        return N * i / NUM_BRANCHES;
    };
    const auto launch_branches = [&]
    {
        CHECK(cudaEventRecord(fork, stream));
        for (int i = 0; i < NUM_BRANCHES; ++i)
        {
            CHECK(cudaStreamWaitEvent(branches[i], fork, 0));
        }
        for (size_t k = 0; k < num_kernels; ++k)
        {
            for (int i = 0; i < NUM_BRANCHES; ++i)
            {
                const size_t first = part_begin(i), part = part_begin(i + 1) - first;
                step<<<grid_size / NUM_BRANCHES + 1, BLOCK_SIZE, 0, branches[i]>>>(
                    d_x + first, size > 0 ? part : 0, summand);
                CHECK_LAUNCH();
            }
        }
        for (int i = 0; i < NUM_BRANCHES; ++i)
        {
            CHECK(cudaEventRecord(joins[i], branches[i]));
            CHECK(cudaStreamWaitEvent(stream, joins[i], 0));
        }
    };

    // What `launch` issues to `stream` becomes a graph. Its kernels have run before, so
    // that none has to be loaded while the stream is captured.
    const auto capture = [&](auto launch)
    {
        cudaGraph_t graph;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        launch();
        CHECK(cudaStreamEndCapture(stream, &graph));
        return graph;
    };

    // The same chain, node by node. Each node depends on the one before it.
    cudaGraphNode_t *nodes = (cudaGraphNode_t *)malloc(num_kernels * sizeof(cudaGraphNode_t));
    const auto add_nodes = [&]
    {
        cudaGraph_t graph;
        CHECK(cudaGraphCreate(&graph, 0));
        void *arguments[] = {&d_x, &size, &summand};
        const cudaKernelNodeParams params = kernel_node(step, grid_size, arguments);
        for (size_t k = 0; k < num_kernels; ++k)
        {
            CHECK(cudaGraphAddKernelNode(&nodes[k], graph, k > 0 ? &nodes[k - 1] : NULL, k > 0,
                                         &params));
        }
        return graph;
    };

    const auto check_chain = [&](const char *what, size_t num_steps)
    {
        for (size_t n = 0; n < N; ++n)
        {
            reference[n] = steps_reference(start[n], num_steps, summand);
        }
        poison(h_y, bytes);
        CHECK(cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost));
        check_elements(what, h_y, reference, N);
    };
    const auto reset_chain = [&]
    {
        CHECK(cudaMemcpy(d_x, start, bytes, cudaMemcpyHostToDevice));
        CHECK(cudaDeviceSynchronize());
    };

    // Runs `launch` twice and checks, then times it. `kernels` is the number of kernels in it.
    const char *names[6];
    double us[6][2]; // a kernel, with N = 0 and with N elements
    int num_ways = 0;
    bool clock_is_right = true; // the host has waited for all that it timed
    const auto measure = [&](const char *name, size_t kernels, auto launch)
    {
        reset_chain();
        launch();
        launch();
        CHECK(cudaStreamSynchronize(stream));
        check_chain(name, size > 0 ? 2 * num_kernels : 0);
        const auto launch_and_end = [&]
        {
            launch();
            CHECK(cudaStreamSynchronize(stream));
        };
        const double ms = time_host(launch_and_end, args.repeats).median;
        clock_is_right = clock_is_right && is_idle(stream);
        names[num_ways] = name;
        us[num_ways++][size > 0] = 1e3 * ms / kernels;
    };
    const auto measure_graph = [&](const char *name, size_t kernels, cudaGraph_t graph)
    {
        cudaGraphExec_t exec;
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        CHECK(cudaGraphUpload(exec, stream)); // else the first launch does it
        measure(name, kernels, [&] { CHECK(cudaGraphLaunch(exec, stream)); });
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    };
    if (!ON_GPU)
    {
        printf("The CPU backend does one node at a time: its times show no overlap.\n");
    }
    for (const size_t elements : {(size_t)0, N})
    {
        size = elements;
        num_ways = 0;
        measure("launch and wait", num_kernels, launch_and_wait);
        measure("launches, one wait", num_kernels, launch_all);
        measure_graph("captured graph", num_kernels, capture(launch_all));
        measure_graph("explicit nodes", num_kernels, add_nodes());
        measure("launches, 4 streams", NUM_BRANCHES * num_kernels, launch_branches);
        measure_graph("captured, 4 branches", NUM_BRANCHES * num_kernels, capture(launch_branches));
    }
    char title[32];
    snprintf(title, sizeof(title), "N = %zu", N);
    printf("%-25s %12s %12s   (%s a kernel, chains of %zu kernels)\n", "", "N = 0", title,
           ON_GPU ? "us" : "CPU us", num_kernels);
    for (int way = 0; way < num_ways; ++way)
    {
        printf("%-25s %12.3f %12.3f\n", names[way], us[way][0], us[way][1]);
    }

    check_true("the host has waited for what it timed", clock_is_right);

    // --- New arguments for a graph ---------------------------------------------------------------

    cudaGraph_t chain = add_nodes(), changed;
    cudaGraphExec_t exec;
    const auto instantiate = [&]
    {
        CHECK(cudaGraphInstantiate(&exec, chain, 0));
    };
    const auto destroy = [&]
    {
        CHECK(cudaGraphExecDestroy(exec));
    };
    instantiate();
    const double instantiate_ms = time_host(instantiate, args.repeats, destroy).median;

    // Node by node.
    const auto set_arguments = [&]
    {
        void *arguments[] = {&d_x, &size, &summand};
        const cudaKernelNodeParams params = kernel_node(step, grid_size, arguments);
        for (size_t k = 0; k < num_kernels; ++k)
        {
            CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[k], &params));
        }
    };
    summand = 12345;
    // Each call sets another number.
    const double set_ms = time_host(set_arguments, args.repeats, [&] { ++summand; }).median;
    reset_chain();
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    check_chain("after cudaGraphExecKernelNodeSetParams", num_kernels);

    // From another graph of the same shape, here one that is captured.
    summand = 54321;
    reset_chain();
    changed = capture(launch_all); // x stays as it is: nothing runs
    cudaGraphExecUpdateResultInfo info;
    const auto update = [&]
    {
        CHECK(cudaGraphExecUpdate(exec, changed, &info));
    };
    const auto undo = [&] // so that each update has something to change
    {
        summand = 12345;
        set_arguments();
        summand = 54321;
    };
    const double update_ms = time_host(update, args.repeats, undo).median;
    CHECK(cudaGraphDestroy(changed));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    check_chain("after cudaGraphExecUpdate", num_kernels);
    printf("\n%-25s %12.3f   (%s a kernel)\n%-25s %12.3f\n%-25s %12.3f\n", "instantiate",
           1e3 * instantiate_ms / num_kernels, ON_GPU ? "us" : "CPU us", "set the arguments",
           1e3 * set_ms / num_kernels, "update", 1e3 * update_ms / num_kernels);

    // A graph of another shape is refused, and the executable graph stays as it was.
    summand = 999;
    changed = capture(launch_branches);
    cudaError_t status = cudaGraphExecUpdate(exec, changed, &info);
    cudaGetLastError();
    printf("\nupdate to another topology: %d, %s; the result says %d\n", (int)status,
           cudaGetErrorName(status), (int)info.result);
    check_true("another topology is error 910", status == cudaErrorGraphExecUpdateFailure);
    check_true("the result says why", info.result != cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphDestroy(changed));
    summand = 54321;
    reset_chain();
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    check_chain("after an update that was refused", num_kernels);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(chain));

    // --- A synchronize while capturing -----------------------------------------------------------

    cudaGraph_t graph = NULL;
    cudaStreamCaptureStatus before, after;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, N, summand);
    CHECK_LAUNCH();
    CHECK(cudaStreamIsCapturing(stream, &before));
    status = cudaStreamSynchronize(stream); // the work has not begun: there is nothing to wait for
    CHECK(cudaStreamIsCapturing(stream, &after));
    const cudaError_t end_status = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    printf("a synchronize while capturing: %d, %s; then cudaStreamEndCapture: %d, %s\n",
           (int)status, cudaGetErrorName(status), (int)end_status, cudaGetErrorName(end_status));
    check_true("the stream was being captured", before == cudaStreamCaptureStatusActive);
    check_true("a synchronize while capturing is error 900",
               status == cudaErrorStreamCaptureUnsupported);
    check_true("it ends the capture", after == cudaStreamCaptureStatusInvalidated);
    check_true("the capture gives error 901", end_status == cudaErrorStreamCaptureInvalidated);
    check_true("and no graph", graph == NULL);
    check_chain("the captured kernel did not run", num_kernels);

    // The stream is an ordinary one again.
    reset_chain();
    step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_x, N, summand);
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(stream));
    check_chain("the stream after the failed capture", 1);

    // --- Two branches with a copy, a memset and a function of the host ---------------------------

    //            copy x to the device
    //             |                |
    //     copy x to z, step     count = 0, count_odd
    //             |                |
    //                   join
    //                    |
    //             copy y to the host
    //                    |
    //                sum_on_host
    HostSum task = {h_y, N, 0};
    const auto issue = [&]
    {
        CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, stream));
        CHECK(cudaEventRecord(fork, stream));
        CHECK(cudaStreamWaitEvent(branches[0], fork, 0)); // the branch joins the capture here
        CHECK(cudaMemcpyAsync(d_z, d_x, bytes, cudaMemcpyDeviceToDevice, stream));
        step<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_z, N, summand);
        CHECK_LAUNCH();
        CHECK(cudaMemsetAsync(d_count, 0, sizeof(*d_count), branches[0]));
        count_odd<<<grid_size, BLOCK_SIZE, 0, branches[0]>>>(d_x, N, d_count);
        CHECK_LAUNCH();
        CHECK(cudaEventRecord(joins[0], branches[0]));
        CHECK(cudaStreamWaitEvent(stream, joins[0], 0));
        join<<<grid_size, BLOCK_SIZE, 0, stream>>>(d_z, d_count, d_y, N);
        CHECK_LAUNCH();
        CHECK(cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaLaunchHostFunc(stream, sum_on_host, &task));
    };
    const auto add_all_nodes = [&]
    {
        cudaGraph_t graph;
        cudaGraphNode_t copy_in, copy, steps, zero, count, joined, copy_out, summed;
        CHECK(cudaGraphCreate(&graph, 0));
        CHECK(cudaGraphAddMemcpyNode1D(&copy_in, graph, NULL, 0, d_x, h_x, bytes,
                                       cudaMemcpyHostToDevice));
        CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &copy_in, 1, d_z, d_x, bytes,
                                       cudaMemcpyDeviceToDevice));
        void *step_arguments[] = {&d_z, &size, &summand};
        cudaKernelNodeParams params = kernel_node(step, grid_size, step_arguments);
        CHECK(cudaGraphAddKernelNode(&steps, graph, &copy, 1, &params));

        cudaMemsetParams memset_params = {};
        memset_params.dst = d_count;
        memset_params.elementSize = 1;
        memset_params.width = sizeof(*d_count); // elements
        memset_params.height = 1;
        CHECK(cudaGraphAddMemsetNode(&zero, graph, &copy_in, 1, &memset_params));
        void *count_arguments[] = {&d_x, &size, &d_count};
        params = kernel_node(count_odd, grid_size, count_arguments);
        CHECK(cudaGraphAddKernelNode(&count, graph, &zero, 1, &params));

        void *join_arguments[] = {&d_z, &d_count, &d_y, &size};
        const cudaGraphNode_t both[] = {steps, count};
        params = kernel_node(join, grid_size, join_arguments);
        CHECK(cudaGraphAddKernelNode(&joined, graph, both, 2, &params));
        CHECK(cudaGraphAddMemcpyNode1D(&copy_out, graph, &joined, 1, h_y, d_y, bytes,
                                       cudaMemcpyDeviceToHost));
        const cudaHostNodeParams host_params = {sum_on_host, &task};
        CHECK(cudaGraphAddHostNode(&summed, graph, &copy_out, 1, &host_params));
        return graph;
    };

    memcpy(h_x, start, bytes);
    issue(); // loads the code of the kernels
    CHECK(cudaStreamSynchronize(stream));
    printf("\n");
    for (const char *way : {"issued", "captured", "explicit"})
    {
        cudaGraph_t whole = NULL;
        if (strcmp(way, "issued") != 0)
        {
            whole = strcmp(way, "captured") == 0 ? capture(issue) : add_all_nodes();
            CHECK(cudaGraphInstantiate(&exec, whole, 0));
            size_t count = 0;
            CHECK(cudaGraphGetNodes(whole, NULL, &count));
            cudaGraphNode_t list[16];
            check_true("the number of nodes", count == 8);
            count = count < 16 ? count : 16;
            CHECK(cudaGraphGetNodes(whole, list, &count));
            int kernels = 0, copies = 0, memsets = 0, host_functions = 0;
            for (size_t i = 0; i < count; ++i)
            {
                cudaGraphNodeType type;
                CHECK(cudaGraphNodeGetType(list[i], &type));
                kernels += type == cudaGraphNodeTypeKernel;
                copies += type == cudaGraphNodeTypeMemcpy;
                memsets += type == cudaGraphNodeTypeMemset;
                host_functions += type == cudaGraphNodeTypeHost;
            }
            printf("%s: %d kernels, %d copies, %d memset, %d function of the host\n", way, kernels,
                   copies, memsets, host_functions);
            check_true("the kinds of nodes",
                       kernels == 3 && copies == 3 && memsets == 1 && host_functions == 1);
        }

        // The copy node reads h_x when the graph runs: a second launch takes the new data.
        for (int launch = 0; launch < 2; ++launch)
        {
            unsigned odd = 0;
            for (size_t n = 0; n < N; ++n)
            {
                h_x[n] = (unsigned)hash_bits(args.seed + 1 + launch, n);
                odd += h_x[n] % 2;
            }
            unsigned long long sum = 0;
            for (size_t n = 0; n < N; ++n)
            {
                const unsigned x = (unsigned)hash_bits(args.seed + 1 + launch, n);
                reference[n] = steps_reference(x, 1, summand) ^ odd;
                sum += reference[n];
            }
            for (unsigned *d : {d_x, d_y, d_z})
            {
                CHECK(cudaMemset(d, POISON_BYTE, bytes));
            }
            CHECK(cudaMemset(d_count, POISON_BYTE, sizeof(*d_count)));
            poison(h_y, bytes);
            task.sum = ~0ull;
            CHECK(cudaDeviceSynchronize());
            if (whole == NULL)
            {
                issue();
            }
            else
            {
                CHECK(cudaGraphLaunch(exec, stream));
            }
            CHECK(cudaStreamSynchronize(stream));
            check_elements(way, h_y, reference, N);
            check_true("the sum of the function of the host", task.sum == sum);
        }
        if (whole != NULL)
        {
            CHECK(cudaGraphExecDestroy(exec));
            CHECK(cudaGraphDestroy(whole));
        }
    }

    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(fork));
    for (int i = 0; i < NUM_BRANCHES; ++i)
    {
        CHECK(cudaStreamDestroy(branches[i]));
        CHECK(cudaEventDestroy(joins[i]));
    }
    for (void *d : {(void *)d_x, (void *)d_y, (void *)d_z, (void *)d_count})
    {
        CHECK(cudaFree(d));
    }
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
    free(nodes);
    free(start);
    free(reference);
    return verdict();
}
