// For kernels that take a few microseconds, as long as launching one: a kernel that is set up while
// the one before it still runs, and a time without the host's part in it.
#pragma once
#include "../common/error.cuh"
#include "../common/timing.cuh"

// First in a kernel for launch_early(). The next one may be set up as soon as all blocks of this
// one have begun, and this one goes on when all is finished, and visible, that it came after.
__device__ inline void take_turn(void)
{
#if ON_GPU && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
}

// Whether take_turn() is more than nothing in the kernel as it was compiled.
template <typename... Parameters>
bool takes_turn(void (*kernel)(Parameters...))
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
    return ON_GPU && attributes.ptxVersion >= 90;
}

// kernel<<<grid_size, block_size, 0, stream>>>(arguments...), early where kernel and GPU can.
template <typename... Parameters, typename... Arguments>
void launch_early(void (*kernel)(Parameters...), unsigned int grid_size, unsigned int block_size,
                  cudaStream_t stream, Arguments... arguments)
{
#if ON_GPU
    static const bool early = takes_turn(kernel); // once for each kernel of these parameters
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = early;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid_size;
    config.blockDim = block_size;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = early ? 1 : 0;
    CHECK(cudaLaunchKernelEx(&config, kernel, (Parameters)arguments...));
#else
    kernel<<<grid_size, block_size, 0, stream>>>((Parameters)arguments...);
#endif
}

#if ON_GPU
const int GRAPH_CALLS = 20;

// ms that each of GRAPH_CALLS calls of work(stream) takes in a graph, where the host has its part
// done before the first begins.
template <typename Work>
double time_in_graph(Work work, size_t repeats)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < GRAPH_CALLS; ++i)
    {
        work(stream);
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&replay, graph, 0));
    const Timing time = time_kernel([&] { CHECK(cudaGraphLaunch(replay, 0)); }, repeats);
    CHECK(cudaGraphExecDestroy(replay));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    return time.median / GRAPH_CALLS;
}
#endif
