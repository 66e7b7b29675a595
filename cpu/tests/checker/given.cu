// What calls of the API give to the program in managed memory: that is written from then on. A call writes
// at its line, as the host itself does.
#include <cstdio>

__constant__ int table[4] = {1, 2, 3, 4};

__global__ void twice(int *x)
{
    *x *= 2;
}

__global__ void slow_sum(const int *x, int *y)
{
    y[0] = x[0] + x[1]; // race:early
}

__global__ void fetch(const cudaTextureObject_t *texture, float *y)
{
    y[threadIdx.x] = tex1Dfetch<float>(*texture, threadIdx.x);
}

static int num_read;

// Reads each byte of what a call has given.
template <class T>
void read(const T *given, int num = 1)
{
    const char *bytes = (const char *)given;
    for (size_t i = 0; i < num * sizeof(T); ++i)
    {
        num_read += bytes[i] != 0;
    }
}

#define MUST(call)                                               \
    do                                                           \
    {                                                            \
        const cudaError_t error_ = (call);                       \
        if (error_ != cudaSuccess)                               \
        {                                                        \
            printf("%s: %s\n", #call, cudaGetErrorName(error_)); \
        }                                                        \
    } while (0)

// Memory that nobody has written. It is never freed.
template <class T>
T *fresh(int num = 1)
{
    void *memory;
    MUST(cudaMallocManaged(&memory, num * sizeof(T)));
    return (T *)memory;
}

// The call gives a T to *p, which is then read.
#define GIVES(T, call)     \
    do                     \
    {                      \
        T *p = fresh<T>(); \
        MUST(call);        \
        read(p);           \
    } while (0)

static void ask_devices()
{
    GIVES(int, cudaGetDeviceCount(p));
    GIVES(int, cudaGetDevice(p));
    GIVES(int, cudaDriverGetVersion(p));
    GIVES(int, cudaRuntimeGetVersion(p));
    GIVES(int, cudaDeviceGetAttribute(p, cudaDevAttrWarpSize, 0));
    GIVES(int, cudaDeviceCanAccessPeer(p, 0, 0));
    GIVES(cudaDeviceProp, cudaGetDeviceProperties(p, 0));
    const cudaDeviceProp wanted = {};
    GIVES(int, cudaChooseDevice(p, &wanted));
    GIVES(unsigned int, cudaGetDeviceFlags(p));
    GIVES(size_t, cudaDeviceGetLimit(p, cudaLimitStackSize));
    GIVES(cudaFuncCache, cudaDeviceGetCacheConfig(p));
    GIVES(cudaSharedMemConfig, cudaDeviceGetSharedMemConfig(p));
    int *range = fresh<int>(2);
    MUST(cudaDeviceGetStreamPriorityRange(&range[0], &range[1]));
    read(range, 2);
    char *bus = fresh<char>(20);
    MUST(cudaDeviceGetPCIBusId(bus, 20, 0));
    read(bus, sizeof("0000:00:00.0"));
    GIVES(int, cudaDeviceGetByPCIBusId(p, bus));
}

static void ask_memory()
{
    void **pointers = fresh<void *>(8);
    MUST(cudaMalloc(&pointers[0], 4));
    MUST(cudaMallocHost(&pointers[1], 4));
    MUST(cudaHostAlloc(&pointers[2], 4, cudaHostAllocMapped));
    MUST(cudaMallocManaged(&pointers[3], 4));
    MUST(cudaMallocAsync(&pointers[4], 4, NULL));
    size_t *pitch = fresh<size_t>();
    MUST(cudaMallocPitch(&pointers[5], pitch, 100, 10));
    MUST(cudaGetSymbolAddress(&pointers[6], table));
    MUST(cudaHostGetDevicePointer(&pointers[7], pointers[1], 0));
    read(pointers, 8);
    read(pitch);
    GIVES(size_t, cudaGetSymbolSize(p, table));
    GIVES(int, cudaMemcpyFromSymbol(p, table, sizeof(int)));
    GIVES(cudaPitchedPtr, cudaMalloc3D(p, make_cudaExtent(100, 10, 2)));
    GIVES(unsigned int, cudaHostGetFlags(p, pointers[2]));
    GIVES(cudaPointerAttributes, cudaPointerGetAttributes(p, pointers[0]));
    size_t *left = fresh<size_t>(2);
    MUST(cudaMemGetInfo(&left[0], &left[1]));
    read(left, 2);
    GIVES(int, cudaMemRangeGetAttribute(p, 4, cudaMemRangeAttributeReadMostly, pitch, 8));
    int *accessors = fresh<int>(3);
    MUST(cudaMemRangeGetAttribute(accessors, 12, cudaMemRangeAttributeAccessedBy, pitch, 8));
    read(accessors, 3);
    GIVES(cudaMemPool_t, cudaDeviceGetDefaultMemPool(p, 0));
    GIVES(cudaMemPool_t, cudaDeviceGetMemPool(p, 0));
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t *pool = fresh<cudaMemPool_t>();
    MUST(cudaMemPoolCreate(pool, &properties));
    GIVES(int, cudaMemPoolGetAttribute(*pool, cudaMemPoolReuseAllowOpportunistic, p));
    GIVES(size_t, cudaMemPoolGetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, p));
    GIVES(void *, cudaMallocFromPoolAsync(p, 4, *pool, NULL));
}

static void ask_kernels()
{
    GIVES(cudaFuncAttributes, cudaFuncGetAttributes(p, twice));
    GIVES(const char *, cudaFuncGetName(p, twice));
    GIVES(int, cudaOccupancyMaxActiveBlocksPerMultiprocessor(p, twice, 128, 0));
    GIVES(size_t, cudaOccupancyAvailableDynamicSMemPerBlock(p, twice, 1, 128));
    int *sizes = fresh<int>(2);
    MUST(cudaOccupancyMaxPotentialBlockSize(&sizes[0], &sizes[1], twice));
    read(sizes, 2);
}

static void ask_streams()
{
    cudaStream_t *stream = fresh<cudaStream_t>(3);
    MUST(cudaStreamCreate(&stream[0]));
    MUST(cudaStreamCreateWithFlags(&stream[1], cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithPriority(&stream[2], cudaStreamDefault, 0));
    read(stream, 3);
    GIVES(int, cudaStreamGetPriority(*stream, p));
    GIVES(unsigned int, cudaStreamGetFlags(*stream, p));
    GIVES(unsigned long long, cudaStreamGetId(*stream, p));
    GIVES(int, cudaStreamGetDevice(*stream, p));
    cudaStreamAttrValue *value = fresh<cudaStreamAttrValue>(2);
    MUST(cudaStreamGetAttribute(*stream, cudaStreamAttributePriority, &value[0]));
    MUST(cudaStreamGetAttribute(*stream, cudaStreamAttributeAccessPolicyWindow, &value[1]));
    read(&value[0].priority);
    read(&value[1].accessPolicyWindow);
    cudaEvent_t *event = fresh<cudaEvent_t>(2);
    MUST(cudaEventCreate(&event[0]));
    MUST(cudaEventCreateWithFlags(&event[1], cudaEventBlockingSync));
    MUST(cudaEventRecord(event[0]));
    MUST(cudaEventRecord(event[1]));
    MUST(cudaDeviceSynchronize());
    GIVES(float, cudaEventElapsedTime(p, event[0], event[1]));
}

static void ask_textures()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t *array = fresh<cudaArray_t>(2);
    MUST(cudaMallocArray(&array[0], &format, 8, 8, cudaArraySurfaceLoadStore));
    MUST(cudaMalloc3DArray(&array[1], &format, make_cudaExtent(8, 8, 2)));
    read(array, 2);
    GIVES(cudaChannelFormatDesc, cudaGetChannelDesc(p, *array));
    cudaExtent *extent = fresh<cudaExtent>();
    unsigned int *flags = fresh<unsigned int>();
    GIVES(cudaChannelFormatDesc, cudaArrayGetInfo(p, extent, flags, *array));
    read(extent);
    read(flags);
    GIVES(size_t, cudaDeviceGetTexture1DLinearMaxWidth(p, &format, 0));
    cudaResourceDesc resource = {}, surface = {};
    surface.resType = cudaResourceTypeArray;
    surface.res.array.array = *array;
    resource.resType = cudaResourceTypeLinear;
    MUST(cudaMalloc(&resource.res.linear.devPtr, 32 * sizeof(float)));
    MUST(cudaMemset(resource.res.linear.devPtr, 0, 32 * sizeof(float)));
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    const cudaTextureDesc how = {};
    cudaTextureObject_t *texture = fresh<cudaTextureObject_t>();
    MUST(cudaCreateTextureObject(texture, &resource, &how, NULL));
    float *y = fresh<float>(32);
    fetch<<<1, 32>>>(texture, y);
    MUST(cudaDeviceSynchronize());
    read(y, 32);
    GIVES(cudaResourceDesc, cudaGetTextureObjectResourceDesc(p, *texture));
    GIVES(cudaTextureDesc, cudaGetTextureObjectTextureDesc(p, *texture));
    GIVES(cudaResourceViewDesc, cudaGetTextureObjectResourceViewDesc(p, *texture));
    cudaSurfaceObject_t *object = fresh<cudaSurfaceObject_t>();
    MUST(cudaCreateSurfaceObject(object, &surface));
    GIVES(cudaResourceDesc, cudaGetSurfaceObjectResourceDesc(p, *object));
}

static void CUDART_CB nothing(void *)
{
}

static void ask_graphs()
{
    int *x;
    MUST(cudaMalloc(&x, sizeof(*x)));
    void *arguments[] = {&x};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)twice;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    cudaMemsetParams set = {};
    set.dst = x;
    set.elementSize = set.width = set.height = 1;
    const cudaHostNodeParams host = {nothing, NULL};
    cudaMemAllocNodeParams *memory = fresh<cudaMemAllocNodeParams>();
    *memory = {};
    memory->poolProps.allocType = cudaMemAllocationTypePinned;
    memory->poolProps.location.type = cudaMemLocationTypeDevice;
    memory->bytesize = 64;
    cudaEvent_t event;
    MUST(cudaEventCreate(&event));

    cudaGraph_t *graph = fresh<cudaGraph_t>(3);
    MUST(cudaGraphCreate(&graph[0], 0));
    MUST(cudaGraphCreate(&graph[1], 0));
    MUST(cudaGraphClone(&graph[2], graph[0]));
    read(graph, 3);
    cudaGraphNode_t *node = fresh<cudaGraphNode_t>(9);
    MUST(cudaGraphAddKernelNode(&node[0], *graph, NULL, 0, &kernel));
    MUST(cudaGraphAddMemcpyNode1D(&node[1], *graph, node, 1, x, x, 4, cudaMemcpyDeviceToDevice));
    MUST(cudaGraphAddMemsetNode(&node[2], *graph, node, 1, &set));
    MUST(cudaGraphAddHostNode(&node[3], *graph, node, 1, &host));
    MUST(cudaGraphAddChildGraphNode(&node[4], *graph, node, 1, graph[1]));
    MUST(cudaGraphAddEmptyNode(&node[5], *graph, node, 1));
    MUST(cudaGraphAddEventRecordNode(&node[6], *graph, node, 1, event));
    MUST(cudaGraphAddMemAllocNode(&node[7], *graph, node, 1, memory));
    MUST(cudaGraphAddMemFreeNode(&node[8], *graph, &node[7], 1, memory->dptr));
    read(node, 9);
    GIVES(cudaKernelNodeParams, cudaGraphKernelNodeGetParams(node[0], p));
    GIVES(cudaMemcpy3DParms, cudaGraphMemcpyNodeGetParams(node[1], p));
    GIVES(cudaMemsetParams, cudaGraphMemsetNodeGetParams(node[2], p));
    GIVES(cudaHostNodeParams, cudaGraphHostNodeGetParams(node[3], p));
    GIVES(cudaGraph_t, cudaGraphChildGraphNodeGetGraph(node[4], p));
    GIVES(cudaEvent_t, cudaGraphEventRecordNodeGetEvent(node[6], p));
    GIVES(cudaMemAllocNodeParams, cudaGraphMemAllocNodeGetParams(node[7], p));
    GIVES(void *, cudaGraphMemFreeNodeGetParams(node[8], p));
    GIVES(cudaGraphNodeType, cudaGraphNodeGetType(node[0], p));
    size_t count = 9, *num = fresh<size_t>();
    cudaGraphNode_t *list = fresh<cudaGraphNode_t>(9), *from = fresh<cudaGraphNode_t>(9);
    MUST(cudaGraphGetNodes(*graph, list, &count));
    read(list, 9);
    MUST(cudaGraphGetNodes(*graph, NULL, num));
    read(num);
    list = fresh<cudaGraphNode_t>(9);
    MUST(cudaGraphGetEdges(*graph, from, list, NULL, &(count = 8)));
    read(from, 8);
    read(list, 8);

    cudaGraphExec_t *exec = fresh<cudaGraphExec_t>();
    MUST(cudaGraphInstantiate(exec, *graph, 0));
    GIVES(unsigned long long, cudaGraphExecGetFlags(*exec, p));
    GIVES(unsigned int, cudaGraphNodeGetEnabled(*exec, node[0], p));
    GIVES(cudaGraphExecUpdateResultInfo, cudaGraphExecUpdate(*exec, *graph, p));
    cudaGraphInstantiateParams *how = fresh<cudaGraphInstantiateParams>();
    how->flags = 0;
    MUST(cudaGraphExecDestroy(*exec));
    MUST(cudaGraphInstantiateWithParams(exec, *graph, how));
    read(&how->result_out);
    read(&how->errNode_out);

    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    GIVES(cudaStreamCaptureStatus, cudaStreamIsCapturing(stream, p));
    unsigned long long *id = fresh<unsigned long long>();
    GIVES(cudaStreamCaptureStatus, cudaStreamGetCaptureInfo(stream, p, id, graph, NULL, NULL, num));
    read(id);
    GIVES(cudaGraph_t, cudaStreamEndCapture(stream, p));
}

// A call that gives too early, and one that gives more than there is room for.
static void give_wrongly()
{
    int *x = fresh<int>(2), *y;
    MUST(cudaMalloc(&y, sizeof(*y)));
    x[0] = x[1] = 1;
    slow_sum<<<1, 1>>>(x, y);
    MUST(cudaGetDeviceCount(x)); // race:early
    MUST(cudaDeviceSynchronize());
    MUST(cudaDeviceGetLimit((size_t *)(x + 1), cudaLimitStackSize)); // out-of-bounds:room
}

int main()
{
    ask_devices();
    ask_memory();
    ask_kernels();
    ask_streams();
    ask_textures();
    ask_graphs();
    give_wrongly();
    return num_read == 0;
}
