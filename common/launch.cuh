// For kernels of a few microseconds, which is as long as a launch takes: the device prepares the
// next launch while the kernel before it still runs. (CUDA calls this programmatic dependent
// launch.)
#pragma once
#include "compat.cuh"
#include "error.cuh"
#include "on_gpu.cuh"

inline int number_of_multiprocessors(void)
{
    int device = -1;
    CHECK(cudaGetDevice(&device));
    return device_attribute(cudaDevAttrMultiProcessorCount, device);
}

// In a kernel for launch_early(), before it reads what an earlier kernel writes, and before it
// writes what an earlier kernel reads or writes. It goes on when the kernel before it has finished
// and its results are visible.
__device__ inline void wait_for_previous_launch(void)
{
#if ON_GPU && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// If launch_early() launches the next kernel, its blocks may begin as soon as all blocks of this
// one have got here or have ended. They take the places that are free, and wait there. Without this
// call they begin when all blocks of this kernel have ended. Which is faster has to be measured:
// see launch_find_forces() in ch21_md/fast_forces.cuh.
__device__ inline void let_next_launch_begin(void)
{
#if ON_GPU && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Whether the kernel was compiled for an architecture on which wait_for_previous_launch() waits.
inline bool can_launch_early(const void *kernel)
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, kernel));
    return ON_GPU && attributes.ptxVersion >= 90;
}

// kernel<<<grid_size, block_size, 0, stream>>>(arguments...), prepared early where that is
// possible.
template <typename... Parameters, typename... Arguments>
void launch_early(void (*kernel)(Parameters...), unsigned int grid_size, unsigned int block_size,
                  cudaStream_t stream, Arguments... arguments)
{
#if ON_GPU
    static const bool early =
        can_launch_early((const void *)kernel); // asked once for all kernels of this type
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
