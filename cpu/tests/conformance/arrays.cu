// CUDA arrays: what kinds there are, what they tell of themselves, and all copies to, from and
// between them.
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

const int W = 12, H = 5, D = 4;

static int numbers[D][H][W], back[D][H][W];

static void number()
{
    for (int k = 0; k < D; ++k)
    {
        for (int j = 0; j < H; ++j)
        {
            for (int i = 0; i < W; ++i)
            {
                numbers[k][j][i] = 10000 * k + 100 * j + i + 1;
            }
        }
    }
    memset(back, -1, sizeof(back));
}

// --- kinds ---------------------------------------------------------------------------------------

static void try_kind(const char *name, cudaExtent extent, unsigned flags)
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
    cudaArray_t array;
    const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, flags);
    printf("%s: %s", name, cudaGetErrorName(error));
    if (error == cudaSuccess)
    {
        cudaChannelFormatDesc its = {};
        cudaExtent whole = {};
        unsigned its_flags = 99;
        const bool right = cudaArrayGetInfo(&its, &whole, &its_flags, array) == cudaSuccess;
        printf(", %zu %zu %zu, flags %u, %d %d %d %d %d%s", whole.width, whole.height, whole.depth,
               its_flags, its.x, its.y, its.z, its.w, (int)its.f, right ? "" : ", WRONG");
        num_wrong += !right;
        num_wrong += cudaFreeArray(array) != cudaSuccess;
    }
    printf("\n");
    cudaGetLastError();
}

static void try_kinds()
{
    const unsigned layered = cudaArrayLayered, cube = cudaArrayCubemap,
                   surface = cudaArraySurfaceLoadStore, gather = cudaArrayTextureGather;
    try_kind("1-D", make_cudaExtent(100, 0, 0), 0);
    try_kind("2-D", make_cudaExtent(100, 50, 0), 0);
    try_kind("2-D of one row", make_cudaExtent(100, 1, 0), 0);
    try_kind("3-D", make_cudaExtent(10, 20, 30), surface);
    try_kind("1-D layers", make_cudaExtent(10, 0, 30), layered);
    try_kind("2-D layers", make_cudaExtent(10, 20, 30), layered | surface);
    try_kind("cubemap", make_cudaExtent(16, 16, 6), cube);
    try_kind("layers of cubemaps", make_cudaExtent(16, 16, 18), cube | layered);
    try_kind("for gathers", make_cudaExtent(16, 16, 0), gather);
    try_kind("without a width", make_cudaExtent(0, 10, 0), 0);
    try_kind("a depth and no height", make_cudaExtent(10, 0, 10), 0);
    try_kind("a cubemap that is no square", make_cudaExtent(16, 8, 6), cube);
    try_kind("a cubemap of five faces", make_cudaExtent(16, 16, 5), cube);
    try_kind("layers of cubemaps, 16 faces", make_cudaExtent(16, 16, 16), cube | layered);
    try_kind("too wide", make_cudaExtent(131073, 10, 0), 0);
    try_kind("too deep", make_cudaExtent(10, 10, 16385), 0);
    try_kind("too many layers", make_cudaExtent(10, 10, 2049), layered);

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaArray_t array = NULL;
    cudaChannelFormatDesc its = {};
    bool right = cudaMallocArray(&array, &format, 64, 32) == cudaSuccess &&
                 cudaGetChannelDesc(&its, array) == cudaSuccess && its.x == 32 && its.w == 32 &&
                 its.f == cudaChannelFormatKindFloat;
    check("cudaMallocArray, cudaGetChannelDesc", right && cudaFreeArray(array) == cudaSuccess);
    check("a null pointer is freed", cudaFreeArray(NULL) == cudaSuccess);
}

// --- copies --------------------------------------------------------------------------------------

static void try_2d()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    const size_t row = sizeof(numbers[0][0]);
    cudaArray_t array = NULL, other = NULL;
    number();
    bool right = cudaMallocArray(&array, &format, W, H) == cudaSuccess &&
                 cudaMallocArray(&other, &format, W, H) == cudaSuccess;
    right = right &&
            cudaMemcpy2DToArray(array, 0, 0, numbers, row, row, H, cudaMemcpyHostToDevice) ==
                cudaSuccess &&
            cudaMemcpy2DFromArray(back, row, array, 0, 0, row, H, cudaMemcpyDeviceToHost) ==
                cudaSuccess;
    check("2-D, there and back", right && memcmp(back[0], numbers[0], sizeof(back[0])) == 0);

    // Three rows of five elements, from (2, 1) of the memory to (4, 2) of the array.
    const size_t width = 5 * sizeof(int);
    right = cudaMemcpy2DToArray(array, 4 * sizeof(int), 2, &numbers[1][1][2], row, width, 3,
                                cudaMemcpyHostToDevice) == cudaSuccess &&
            cudaMemcpy2DFromArray(back, row, array, 0, 0, row, H, cudaMemcpyDeviceToHost) ==
                cudaSuccess;
    for (int j = 0; j < H; ++j)
    {
        for (int i = 0; i < W; ++i)
        {
            const bool inside = j >= 2 && j < 5 && i >= 4 && i < 9;
            right =
                right && back[0][j][i] == (inside ? numbers[1][j - 1][i - 2] : numbers[0][j][i]);
        }
    }
    check("2-D, a part", right);

    right =
        cudaMemcpy2DArrayToArray(other, 0, 0, array, 4 * sizeof(int), 2, width, 3) == cudaSuccess &&
        cudaMemcpy2DFromArray(back, row, other, 0, 0, width, 3, cudaMemcpyDeviceToHost) ==
            cudaSuccess;
    for (int j = 0; j < 3; ++j)
    {
        right = right && memcmp(back[0][j], &numbers[1][j + 1][2], width) == 0;
    }
    check("2-D, between arrays", right);

    int *d_x;
    size_t pitch;
    right =
        cudaMallocPitch(&d_x, &pitch, row, H) == cudaSuccess &&
        cudaMemcpy2D(d_x, pitch, numbers[2], row, row, H, cudaMemcpyHostToDevice) == cudaSuccess &&
        cudaMemcpy2DToArray(array, 0, 0, d_x, pitch, row, H, cudaMemcpyDeviceToDevice) ==
            cudaSuccess &&
        cudaMemcpy2DFromArray(back, row, array, 0, 0, row, H, cudaMemcpyDefault) == cudaSuccess;
    check("2-D, from pitched memory", right && memcmp(back[0], numbers[2], sizeof(back[0])) == 0);

    cudaStream_t stream;
    right = cudaStreamCreate(&stream) == cudaSuccess &&
            cudaMemcpy2DToArrayAsync(array, 0, 0, numbers[3], row, row, H, cudaMemcpyHostToDevice,
                                     stream) == cudaSuccess &&
            cudaMemcpy2DFromArrayAsync(back, row, array, 0, 0, row, H, cudaMemcpyDeviceToHost,
                                       stream) == cudaSuccess &&
            cudaStreamSynchronize(stream) == cudaSuccess;
    check("2-D, in a stream", right && memcmp(back[0], numbers[3], sizeof(back[0])) == 0);
    cudaStreamDestroy(stream);
    cudaFree(d_x);
    cudaFreeArray(other);
    cudaFreeArray(array);
}

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#pragma nv_diag_suppress 1444

// The deprecated copies of so many bytes.
static void try_bytes()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = NULL, other = NULL;
    number();
    bool right = cudaMallocArray(&array, &format, W, H) == cudaSuccess &&
                 cudaMallocArray(&other, &format, W, H) == cudaSuccess &&
                 cudaMemcpyToArray(array, 0, 0, numbers, sizeof(numbers[0]),
                                   cudaMemcpyHostToDevice) == cudaSuccess &&
                 cudaMemcpyFromArray(back, array, 0, 0, sizeof(back[0]), cudaMemcpyDeviceToHost) ==
                     cudaSuccess;
    check("bytes, there and back", right && memcmp(back[0], numbers[0], sizeof(back[0])) == 0);
    right = cudaMemcpyArrayToArray(other, 0, 0, array, 0, 0, sizeof(numbers[0])) == cudaSuccess &&
            cudaMemcpyFromArray(back[1], other, 0, 1, sizeof(numbers[0][0]),
                                cudaMemcpyDeviceToHost) == cudaSuccess;
    check("bytes, between arrays",
          right && memcmp(back[1][0], numbers[0][1], sizeof(numbers[0][0])) == 0);
    cudaFreeArray(other);
    cudaFreeArray(array);
}

static void try_3d()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = NULL, other = NULL;
    number();
    bool right = cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D)) == cudaSuccess &&
                 cudaMalloc3DArray(&other, &format, make_cudaExtent(W, H, D)) == cudaSuccess;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(numbers, sizeof(numbers[0][0]), W, H);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(W, H, D);
    copy.kind = cudaMemcpyHostToDevice;
    right = right && cudaMemcpy3D(&copy) == cudaSuccess;
    cudaMemcpy3DParms from = {};
    from.srcArray = array;
    from.dstPtr = make_cudaPitchedPtr(back, sizeof(back[0][0]), W, H);
    from.extent = copy.extent;
    from.kind = cudaMemcpyDeviceToHost;
    right = right && cudaMemcpy3D(&from) == cudaSuccess;
    check("3-D, there and back", right && memcmp(back, numbers, sizeof(back)) == 0);

    // 4 x 2 x 2 elements of an array at (3, 1, 1), to (5, 2, 0) of another one.
    cudaMemcpy3DParms part = {};
    part.srcArray = array;
    part.srcPos = make_cudaPos(3, 1, 1);
    part.dstArray = other;
    part.dstPos = make_cudaPos(5, 2, 0);
    part.extent = make_cudaExtent(4, 2, 2);
    part.kind = cudaMemcpyDeviceToDevice;
    right = cudaMemcpy3D(&part) == cudaSuccess;
    from.srcArray = other;
    from.srcPos = part.dstPos;
    from.dstPtr = make_cudaPitchedPtr(&back[1][1][2], sizeof(back[0][0]), W, H);
    from.extent = part.extent;
    right = right && cudaMemcpy3D(&from) == cudaSuccess;
    for (int k = 0; k < 2; ++k)
    {
        for (int j = 0; j < 2; ++j)
        {
            right = right &&
                    memcmp(&back[1 + k][1 + j][2], &numbers[1 + k][1 + j][3], 4 * sizeof(int)) == 0;
        }
    }
    check("3-D, parts of arrays", right);

    cudaPitchedPtr memory;
    right = cudaMalloc3D(&memory, make_cudaExtent(W * sizeof(int), H, D)) == cudaSuccess;
    cudaMemcpy3DParms to_memory = {};
    to_memory.srcArray = array;
    to_memory.dstPtr = memory;
    to_memory.extent = make_cudaExtent(W, H, D);
    to_memory.kind = cudaMemcpyDeviceToDevice;
    right = right && cudaMemcpy3DAsync(&to_memory) == cudaSuccess;
    cudaMemcpy3DParms to_host = {};
    to_host.srcPtr = memory;
    to_host.dstPtr = make_cudaPitchedPtr(back, sizeof(back[0][0]), W, H);
    to_host.extent = make_cudaExtent(W * sizeof(int), H, D);
    to_host.kind = cudaMemcpyDeviceToHost;
    memset(back, -1, sizeof(back));
    right = right && cudaMemcpy3D(&to_host) == cudaSuccess;
    check("3-D, to pitched memory", right && memcmp(back, numbers, sizeof(back)) == 0);
    cudaFree(memory.ptr);
    cudaFreeArray(other);
    cudaFreeArray(array);
}

// A copy to an array in a graph, captured and as a node.
static void try_graph()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    const size_t row = sizeof(numbers[0][0]);
    cudaArray_t array = NULL;
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t work = NULL;
    cudaGraphNode_t node;
    int *pinned = NULL;
    number();
    bool right = cudaMallocArray(&array, &format, W, H) == cudaSuccess &&
                 cudaMallocHost(&pinned, sizeof(numbers[0])) == cudaSuccess &&
                 cudaStreamCreate(&stream) == cudaSuccess;
    memcpy(pinned, numbers[2], sizeof(numbers[2]));
    right = right && cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess &&
            cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, row, row, H, cudaMemcpyHostToDevice,
                                     stream) == cudaSuccess &&
            cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
            cudaGraphInstantiate(&work, graph, 0) == cudaSuccess &&
            cudaGraphLaunch(work, stream) == cudaSuccess &&
            cudaStreamSynchronize(stream) == cudaSuccess &&
            cudaMemcpy2DFromArray(back, row, array, 0, 0, row, H, cudaMemcpyDeviceToHost) ==
                cudaSuccess;
    check("a captured copy to an array",
          right && memcmp(back[0], numbers[2], sizeof(back[0])) == 0);
    cudaGraphExecDestroy(work);
    cudaGraphDestroy(graph);

    cudaMemcpy3DParms copy = {};
    memcpy(pinned, numbers[3], sizeof(numbers[3]));
    copy.srcPtr = make_cudaPitchedPtr(pinned, row, W, H);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(W, H, 1);
    copy.kind = cudaMemcpyHostToDevice;
    right = cudaGraphCreate(&graph, 0) == cudaSuccess &&
            cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &copy) == cudaSuccess &&
            cudaGraphInstantiate(&work, graph, 0) == cudaSuccess &&
            cudaGraphLaunch(work, stream) == cudaSuccess &&
            cudaStreamSynchronize(stream) == cudaSuccess &&
            cudaMemcpy2DFromArray(back, row, array, 0, 0, row, H, cudaMemcpyDeviceToHost) ==
                cudaSuccess;
    check("a node that copies to an array",
          right && memcmp(back[0], numbers[3], sizeof(back[0])) == 0);
    cudaGraphExecDestroy(work);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    cudaFreeArray(array);
}

int main()
{
    try_kinds();
    try_2d();
    try_bytes();
    try_3d();
    try_graph();
    return num_wrong > 0;
}
