// The CUDA runtime API as the CPU backend has it. Plain C, like the original.
#ifndef CUDACPU_CUDA_RUNTIME_API_H
#define CUDACPU_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ // programs ask which of the original's headers they have
#define __DRIVER_TYPES_H__
#include <stdbool.h>
#include <stddef.h>
#include "device_types.h"
#include "vector_types.h"

#define CUDART_VERSION 13000

#define CUDART_CB // calling conventions, which Windows has
#define CUDARTAPI

#ifndef __dv // a default argument, where the language has them
#ifdef __cplusplus
#define __dv(value) = value
#else
#define __dv(value)
#endif
#endif

typedef enum cudaError
{
#define X(code, name, text) name = code,
#include "cudacpu_errors.h"
#undef X
    cudaErrorApiFailureBase = 10000 // of CUDA before 4.1; no function returns it
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
} cudaDeviceAttr;

typedef struct CUuuid_st
{
    char bytes[16];
} cudaUUID_t;

// All members of CUDA 13's, in its order, then those that CUDA 12 had besides.
typedef struct cudaDeviceProp
{
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3];
    int maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
    int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
    int unifiedFunctionPointers, deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned int gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported, reserved[56];
    int clockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, maxTexture1DLinear;
    int memoryClockRate, singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
} cudaDeviceProp;

typedef struct cudaFuncAttributes
{
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
} cudaFuncAttributes;

typedef enum cudaFuncAttribute
{
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;

typedef enum cudaSharedCarveout
{
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
} cudaSharedCarveout;

typedef enum cudaFuncCache
{
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
} cudaFuncCache;

typedef enum cudaSharedMemConfig
{
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
} cudaSharedMemConfig;

typedef enum cudaComputeMode
{
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
} cudaComputeMode;

typedef enum cudaLimit
{
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
} cudaLimit;

typedef enum cudaDeviceP2PAttr
{
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
} cudaDeviceP2PAttr;

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

typedef struct cudaPitchedPtr
{
    void *ptr;
    size_t pitch, xsize, ysize;
} cudaPitchedPtr;

typedef struct cudaExtent
{
    size_t width, height, depth;
} cudaExtent;

typedef struct cudaPos
{
    size_t x, y, z;
} cudaPos;

// What there is for arrays is in cudacpu_array.h.
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;

typedef struct cudaMemcpy3DParms
{
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
} cudaMemcpy3DParms;

typedef struct cudaMemcpy3DPeerParms
{
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    int dstDevice;
    cudaExtent extent;
} cudaMemcpy3DPeerParms;

typedef enum cudaMemoryAdvise
{
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;

typedef enum cudaMemRangeAttribute
{
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4,
    cudaMemRangeAttributePreferredLocationType = 5,
    cudaMemRangeAttributePreferredLocationId = 6,
    cudaMemRangeAttributeLastPrefetchLocationType = 7,
    cudaMemRangeAttributeLastPrefetchLocationId = 8
} cudaMemRangeAttribute;

typedef enum cudaMemLocationType
{
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeNone = 0,
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
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef void (*cudaHostFn_t)(void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);

typedef enum cudaMemPoolAttr
{
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
} cudaMemPoolAttr;

typedef enum cudaMemAllocationType
{
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1
} cudaMemAllocationType;

typedef enum cudaMemAllocationHandleType
{
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1
} cudaMemAllocationHandleType;

typedef struct cudaMemPoolProps
{
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} cudaMemPoolProps;

typedef enum cudaLaunchAttributeID
{
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;

typedef enum cudaAccessProperty
{
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
} cudaAccessProperty;

typedef struct cudaAccessPolicyWindow
{
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
} cudaAccessPolicyWindow;

typedef union cudaLaunchAttributeValue
{
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    struct
    {
        unsigned int x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute
{
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority cudaLaunchAttributePriority

typedef struct cudaLaunchConfig_t
{
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;

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
    cudaEventRecordDefault = 0,
    cudaEventRecordExternal = 1,
    cudaEventWaitDefault = 0,
    cudaEventWaitExternal = 1,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceScheduleMask = 7,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16,
    cudaDeviceSyncMemops = 128,
    cudaDeviceMask = 0xff,
    cudaInitDeviceFlagsAreValid = 1,
    cudaOccupancyDefault = 0,
    cudaOccupancyDisableCachingOverride = 1,
    cudaPeerAccessDefault = 0,
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
    cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
    cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties);
    cudaError_t cudaSetValidDevices(int *devices, int count);
    cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
    cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
    cudaError_t cudaSetDeviceFlags(unsigned int flags);
    cudaError_t cudaGetDeviceFlags(unsigned int *flags);
    cudaError_t cudaDeviceSynchronize(void);
    cudaError_t cudaDeviceReset(void);
    cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
    cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
    cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
    cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config);
    cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
    cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config);
    cudaError_t cudaCtxResetPersistingL2Cache(void);
    cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device);
    cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text);
    cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
    cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
    cudaError_t cudaDeviceDisablePeerAccess(int peer);
    cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device,
                                          int peer);
    cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *highest);
    cudaError_t cudaDriverGetVersion(int *version);
    cudaError_t cudaRuntimeGetVersion(int *version);
    cudaError_t cudaProfilerStart(void);
    cudaError_t cudaProfilerStop(void);

    // kernels
    cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
    cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
    cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config);
    cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, cudaSharedMemConfig config);
    cudaError_t cudaFuncGetName(const char **name, const void *kernel);
    cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *num_blocks, const void *kernel,
                                                              int block_size, size_t shared_bytes);
    cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *num_blocks,
                                                                       const void *kernel,
                                                                       int block_size,
                                                                       size_t shared_bytes,
                                                                       unsigned int flags);
    cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *kernel,
                                                          int num_blocks, int block_size);
    cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_bytes __dv(0), cudaStream_t stream __dv(0));
    cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                    void **arguments);
    cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                            void **arguments, size_t shared_bytes __dv(0),
                                            cudaStream_t stream __dv(0));
    cudaError_t cudacpu_check_launch(const cudaLaunchConfig_t *config, const void *kernel);
    cudaError_t cudacpu_exchange_error(cudaError_t error);
    cudaError_t cudacpu_error(cudaError_t error);

    // memory
    cudaError_t cudaMalloc(void **pointer, size_t bytes);
    cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
    cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent);
    cudaError_t cudaMallocHost(void **pointer, size_t bytes);
    cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags);
    cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags);
    cudaError_t cudaFree(void *pointer);
    cudaError_t cudaFreeHost(void *pointer);
    cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned int flags);
    cudaError_t cudaHostUnregister(void *host);
    cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
    cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
    cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
    cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);

    cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
    cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                        cudaStream_t stream);
    cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
    cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
    cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
    cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
    cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties);
    cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
    cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
    cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value);
    cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value);

    cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
    cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpy2D(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                             size_t width, size_t height, cudaMemcpyKind kind);
    cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                                  size_t width, size_t height, cudaMemcpyKind kind,
                                  cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters);
    cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                               size_t bytes);
    cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                    size_t bytes, cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *parameters);
    cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *parameters,
                                      cudaStream_t stream __dv(0));
    cudaError_t cudaMemset(void *to, int value, size_t bytes);
    cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream __dv(0));
    cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
    cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                  cudaStream_t stream __dv(0));
    cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
    cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                  cudaStream_t stream __dv(0));
    cudaError_t cudaMemPrefetchAsync(const void *managed, size_t bytes, cudaMemLocation location,
                                     unsigned int flags, cudaStream_t stream __dv(0));
    cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                              cudaMemLocation location);
    cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, cudaMemRangeAttribute which,
                                         const void *managed, size_t bytes);
    cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, cudaMemRangeAttribute *which,
                                          size_t number, const void *managed, size_t bytes);
    cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *managed, size_t bytes __dv(0),
                                         unsigned int flags __dv(cudaMemAttachSingle));
    typedef enum cudacpu_variable_kind
    {
        cudacpu_device,
        cudacpu_constant,
        cudacpu_managed
    } cudacpu_variable_kind;
    void cudacpu_add_variable(void *address, size_t bytes, const char *name,
                              cudacpu_variable_kind kind, void *guard);
    void cudacpu_remember_symbol(const void *address, size_t bytes);
    cudaError_t cudacpu_find_symbol(const void *address, size_t bytes);
    void cudacpu_share_with_host(void);
    cudaError_t cudacpu_copy_to_symbol(const void *symbol, size_t size, const void *from,
                                       size_t bytes, size_t offset, cudaMemcpyKind kind,
                                       cudaStream_t stream, bool asynchronous);
    cudaError_t cudacpu_copy_from_symbol(void *to, const void *symbol, size_t size, size_t bytes,
                                         size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                         bool asynchronous);

    // streams and events
    cudaError_t cudaStreamCreate(cudaStream_t *stream);
    cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
    cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                             int priority);
    cudaError_t cudaStreamDestroy(cudaStream_t stream);
    cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
    cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
    cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
    cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
    cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID which,
                                       const cudaStreamAttrValue *value);
    cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID which,
                                       cudaStreamAttrValue *value);
    cudaError_t cudaStreamSynchronize(cudaStream_t stream);
    cudaError_t cudaStreamQuery(cudaStream_t stream);
    cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                    unsigned int flags __dv(0));
    cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
    cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                      void *data, unsigned int flags);
    cudaError_t cudaEventCreate(cudaEvent_t *event);
    cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
    cudaError_t cudaEventDestroy(cudaEvent_t event);
    cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream __dv(0));
    cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream __dv(0),
                                         unsigned int flags __dv(0));
    cudaError_t cudaEventSynchronize(cudaEvent_t event);
    cudaError_t cudaEventQuery(cudaEvent_t event);
    cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);
    int cudacpu_use_per_thread_stream(void);

    // what cpucc makes of kernel<<<grid, block, shared_bytes, stream>>>(...)
    void cudacpu_place_shared(void **place, size_t bytes, size_t alignment, const char *name);
    void cudacpu_configure(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream);
    void cudacpu_in_library(void);
    extern char cudacpu_symbol[];
    void cudacpu_launch(const char *name, void (*run)(const void *),
                        void (*call)(const void *, void **), void *closure, void (*destroy)(void *),
                        const char *names, const volatile void *const *pointers);

#ifdef __cplusplus
}
#endif

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    const cudaExtent extent = {width, height, depth};
    return extent;
}

static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    const cudaPos position = {x, y, z};
    return position;
}

static inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize,
                                                 size_t ysize)
{
    const cudaPitchedPtr pitched = {pointer, pitch, xsize, ysize};
    return pitched;
}

#include "cudacpu_graph.h"
#ifndef __CUDACC__ // in a .cu file cpucc includes it where it is needed
#include "cudacpu_array.h"
#endif

// nvcc's --default-stream per-thread
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && defined(__cplusplus)
static const int cudacpu_per_thread_stream __attribute__((unused)) =
    cudacpu_use_per_thread_stream();
#endif

#endif
