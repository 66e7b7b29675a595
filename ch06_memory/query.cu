// query: the book's questions to a device: what it is, and how much it has of everything
//
// From:    Listing 6.2, section 6.4, file query.cu; S3 device properties; S4 3.6
// Compile: nvcc -O3 query.cu
// Run:     ./a.out --device 0
//
// Devices are numbered from 0, as this process sees them. CUDA_VISIBLE_DEVICES=2,0 ./a.out sees two
// devices, and its device 0 is number 2 of the machine. With an empty list it sees none. The
// numbers also depend on CUDA_DEVICE_ORDER. The program attributes prints what the book's list does
// not have, and peak-rates what follows from it.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"

// cudaDeviceProp and the attributes are two ways to ask the same driver. They must agree.
void check_properties(const cudaDeviceProp *p, int device)
{
    const struct
    {
        cudaDeviceAttr attribute;
        size_t property;
    } PAIRS[] = {
        {cudaDevAttrComputeCapabilityMajor, (size_t)p->major},
        {cudaDevAttrComputeCapabilityMinor, (size_t)p->minor},
        {cudaDevAttrMultiProcessorCount, (size_t)p->multiProcessorCount},
        {cudaDevAttrWarpSize, (size_t)p->warpSize},
        {cudaDevAttrTotalConstantMemory, p->totalConstMem},
        {cudaDevAttrMaxGridDimX, (size_t)p->maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, (size_t)p->maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, (size_t)p->maxGridSize[2]},
        {cudaDevAttrMaxBlockDimX, (size_t)p->maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, (size_t)p->maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, (size_t)p->maxThreadsDim[2]},
        {cudaDevAttrMaxThreadsPerBlock, (size_t)p->maxThreadsPerBlock},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (size_t)p->maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (size_t)p->maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxRegistersPerBlock, (size_t)p->regsPerBlock},
        {cudaDevAttrMaxRegistersPerMultiprocessor, (size_t)p->regsPerMultiprocessor},
        {cudaDevAttrMaxSharedMemoryPerBlock, p->sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p->sharedMemPerBlockOptin},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p->sharedMemPerMultiprocessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, p->reservedSharedMemPerBlock},
        {cudaDevAttrL2CacheSize, (size_t)p->l2CacheSize},
        {cudaDevAttrGlobalMemoryBusWidth, (size_t)p->memoryBusWidth},
        {cudaDevAttrAsyncEngineCount, (size_t)p->asyncEngineCount},
        {cudaDevAttrManagedMemory, (size_t)p->managedMemory},
        {cudaDevAttrConcurrentManagedAccess, (size_t)p->concurrentManagedAccess},
        {cudaDevAttrPageableMemoryAccess, (size_t)p->pageableMemoryAccess},
        {cudaDevAttrCooperativeLaunch, (size_t)p->cooperativeLaunch},
        {cudaDevAttrMemoryPoolsSupported, (size_t)p->memoryPoolsSupported},
    };
    bool equal = true;
    const int num_pairs = sizeof(PAIRS) / sizeof(PAIRS[0]);
    for (int i = 0; i < num_pairs; ++i)
    {
        int value = -1;
        CHECK(cudaDeviceGetAttribute(&value, PAIRS[i].attribute, device));
        if ((size_t)value != PAIRS[i].property)
        {
            fprintf(stderr, "attribute %d is %d, the property %zu\n", (int)PAIRS[i].attribute,
                    value, PAIRS[i].property);
            equal = false;
        }
    }
    check_true("properties and attributes agree", equal);
    check_true("a block takes no more than an SM has",
               p->maxThreadsPerBlock <= p->maxThreadsPerMultiProcessor &&
                   p->regsPerBlock <= p->regsPerMultiprocessor &&
                   p->sharedMemPerBlock <= p->sharedMemPerBlockOptin &&
                   p->sharedMemPerBlockOptin + p->reservedSharedMemPerBlock <=
                       p->sharedMemPerMultiprocessor);
}

int main(int argc, char **argv)
{
    size_t device = 0;
    add_device_option(&device);
    parse_args(argc, argv, "",
               "query: the book's questions to a device: what it is, and how much it has of "
               "everything");
    const int device_id = choose_devices(device, false).first;
    int current;
    CHECK(cudaGetDevice(&current));
    check_true("the device that was chosen is the current one", current == device_id);
    print_device();

    // From here to the last printf stands Listing 6.2.
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, device_id));

    printf("Device id:                                 %d\n", device_id);
    printf("Device name:                               %s\n", prop.name);
    printf("Compute capability:                        %d.%d\n", prop.major, prop.minor);
    printf("Amount of global memory:                   %g GB\n",
           prop.totalGlobalMem / (1024.0 * 1024 * 1024));
    printf("Amount of constant memory:                 %g KB\n", prop.totalConstMem / 1024.0);
    printf("Maximum grid size:                         %d %d %d\n", prop.maxGridSize[0],
           prop.maxGridSize[1], prop.maxGridSize[2]);
    printf("Maximum block size:                        %d %d %d\n", prop.maxThreadsDim[0],
           prop.maxThreadsDim[1], prop.maxThreadsDim[2]);
    printf("Number of SMs:                             %d\n", prop.multiProcessorCount);
    printf("Maximum amount of shared memory per block: %g KB\n", prop.sharedMemPerBlock / 1024.0);
    printf("Maximum amount of shared memory per SM:    %g KB\n",
           prop.sharedMemPerMultiprocessor / 1024.0);
    printf("Maximum number of registers per block:     %d K\n", prop.regsPerBlock / 1024);
    printf("Maximum number of registers per SM:        %d K\n", prop.regsPerMultiprocessor / 1024);
    printf("Maximum number of threads per block:       %d\n", prop.maxThreadsPerBlock);
    printf("Maximum number of threads per SM:          %d\n", prop.maxThreadsPerMultiProcessor);

    check_properties(&prop, device_id);
    return verdict();
}
