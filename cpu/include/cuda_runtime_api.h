// The CUDA runtime API as the CPU backend has it. Plain C, like the original.
#ifndef CUDACPU_CUDA_RUNTIME_API_H
#define CUDACPU_CUDA_RUNTIME_API_H
#include <stddef.h>
#include "vector_types.h"

#define CUDART_VERSION 13000

typedef enum cudaError
{
#define X(code, name, text) name = code,
#include "cudacpu_errors.h"
#undef X
} cudaError_t;

typedef enum cudaMemcpyKind
{
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef enum cudaDeviceAttr
{
#define X(number, name, value) name = number,
#include "cudacpu_attributes.h"
#undef X
} cudaDeviceAttr;

typedef struct CUuuid_st
{
    char bytes[16];
} cudaUUID_t;

// The members that programs read; those that CUDA 13 dropped are still here.
typedef struct cudaDeviceProp
{
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated;
    int canMapHostMemory, computeMode;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
    int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, memoryPoolsSupported, clusterLaunch;
} cudaDeviceProp;

typedef struct cudaFuncAttributes
{
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
} cudaFuncAttributes;

typedef enum cudaMemoryType
{
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
} cudaMemoryType;

typedef struct cudaPointerAttributes
{
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
} cudaPointerAttributes;

typedef enum cudaMemoryAdvise
{
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;

typedef enum cudaMemLocationType
{
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
} cudaMemLocationType;

typedef struct cudaMemLocation
{
    cudaMemLocationType type;
    int id;
} cudaMemLocation;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

enum
{
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaCpuDeviceId = -1,
    cudaInvalidDeviceId = -2
};

#ifdef __cplusplus
extern "C"
{
#endif

    // errors
    const char *cudaGetErrorName(cudaError_t error);
    const char *cudaGetErrorString(cudaError_t error);
    cudaError_t cudaGetLastError(void);
    cudaError_t cudaPeekAtLastError(void);

    // the device
    cudaError_t cudaGetDeviceCount(int *count);
    cudaError_t cudaSetDevice(int device);
    cudaError_t cudaGetDevice(int *device);
    cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
    cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
    cudaError_t cudaSetDeviceFlags(unsigned int flags);
    cudaError_t cudaDeviceSynchronize(void);
    cudaError_t cudaDeviceReset(void);
    cudaError_t cudaDriverGetVersion(int *version);
    cudaError_t cudaRuntimeGetVersion(int *version);
    cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);

    // memory
    cudaError_t cudaMalloc(void **pointer, size_t bytes);
    cudaError_t cudaMallocHost(void **pointer, size_t bytes);
    cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags);
    cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags);
    cudaError_t cudaFree(void *pointer);
    cudaError_t cudaFreeHost(void *pointer);
    cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
    cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
    cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);
    cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
    cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                cudaStream_t stream);
    cudaError_t cudaMemcpy2D(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                             size_t width, size_t height, cudaMemcpyKind kind);
    cudaError_t cudaMemset(void *to, int value, size_t bytes);
    cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream);
    cudaError_t cudaMemPrefetchAsync(const void *managed, size_t bytes, cudaMemLocation location,
                                     unsigned int flags, cudaStream_t stream);
    cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                              cudaMemLocation location);
    void cudacpu_remember_symbol(const void *address, size_t bytes);

    // streams and events
    cudaError_t cudaStreamCreate(cudaStream_t *stream);
    cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
    cudaError_t cudaStreamDestroy(cudaStream_t stream);
    cudaError_t cudaStreamSynchronize(cudaStream_t stream);
    cudaError_t cudaStreamQuery(cudaStream_t stream);
    cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
    cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
    cudaError_t cudaEventCreate(cudaEvent_t *event);
    cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
    cudaError_t cudaEventDestroy(cudaEvent_t event);
    cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
    cudaError_t cudaEventSynchronize(cudaEvent_t event);
    cudaError_t cudaEventQuery(cudaEvent_t event);
    cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);

    // what cpucc makes of kernel<<<grid, block, shared_bytes, stream>>>(...)
    void cudacpu_configure(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream);
    void cudacpu_launch(const char *name, void (*run)(const void *), void *closure,
                        void (*destroy)(void *));

#ifdef __cplusplus
}
#endif

#endif
