// What the calls of arrays, textures and surfaces say to nonsense.
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

static void say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
    cudaGetLastError();
}

static void try_arrays()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = NULL, other = NULL;
    int h_x[64] = {};
    say("three channels",
        []
        {
            const cudaChannelFormatDesc three =
                cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
            cudaArray_t a;
            return cudaMallocArray(&a, &three, 16);
        }());
    say("channels that differ",
        []
        {
            const cudaChannelFormatDesc odd =
                cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
            cudaArray_t a;
            return cudaMallocArray(&a, &odd, 16);
        }());
    say("no place for the array", cudaMallocArray(NULL, &format, 16));
    say("layers by cudaMallocArray", cudaMallocArray(&array, &format, 16, 16, cudaArrayLayered));
    say("an array", cudaMallocArray(&array, &format, 8, 4));
    say("a row too long", cudaMemcpy2DToArray(array, 0, 0, h_x, 36, 36, 1, cudaMemcpyHostToDevice));
    say("a row too many", cudaMemcpy2DToArray(array, 0, 0, h_x, 32, 32, 5, cudaMemcpyHostToDevice));
    say("a place too far right",
        cudaMemcpy2DToArray(array, 8, 0, h_x, 32, 32, 1, cudaMemcpyHostToDevice));
    say("a pitch too small",
        cudaMemcpy2DToArray(array, 0, 0, h_x, 16, 32, 2, cudaMemcpyHostToDevice));
    say("the wrong direction",
        cudaMemcpy2DToArray(array, 0, 0, h_x, 32, 32, 2, cudaMemcpyDeviceToHost));
    say("nothing", cudaMemcpy2DToArray(array, 0, 0, h_x, 32, 0, 0, cudaMemcpyHostToDevice));
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    say("an array of bytes", cudaMallocArray(&other, &bytes, 8, 4));
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstArray = other;
    copy.extent = make_cudaExtent(8, 4, 1);
    copy.kind = cudaMemcpyDeviceToDevice;
    say("between elements of different size", cudaMemcpy3D(&copy));
    copy.dstArray = NULL;
    copy.dstPtr = make_cudaPitchedPtr(h_x, 32, 8, 4);
    copy.kind = cudaMemcpyDeviceToHost;
    copy.extent = make_cudaExtent(9, 4, 1);
    say("3-D, too wide", cudaMemcpy3D(&copy));
    copy.extent = make_cudaExtent(8, 4, 2);
    say("3-D, too deep", cudaMemcpy3D(&copy));
    cudaFreeArray(other);
    cudaFreeArray(array);
}

static void try_textures()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = NULL;
    cudaMallocArray(&array, &format, 8, 4);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture = 0;
    say("no place for the object", cudaCreateTextureObject(NULL, &resource, &how, NULL));
    say("no resource", cudaCreateTextureObject(&texture, NULL, &how, NULL));
    say("no description", cudaCreateTextureObject(&texture, &resource, NULL, NULL));
    how.filterMode = cudaFilterModeLinear;
    say("integers and a linear filter", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeNormalizedFloat;
    say("integers of 32 bits as normalized floats",
        cudaCreateTextureObject(&texture, &resource, &how, NULL));
    cudaDestroyTextureObject(texture);
    how.readMode = cudaReadModeElementType;
    resource.res.array.array = NULL;
    say("no array", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    resource.res.array.array = array;
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat4;
    view.width = 8;
    view.height = 4;
    say("a view of other elements", cudaCreateTextureObject(&texture, &resource, &how, &view));
    view.format = cudaResViewFormatFloat1;
    view.width = 4;
    say("a view that is too small", cudaCreateTextureObject(&texture, &resource, &how, &view));

    int *d_x;
    cudaMalloc(&d_x, 4096);
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_x;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 4096;
    view.width = 8;
    say("a view of linear memory", cudaCreateTextureObject(&texture, &resource, &how, &view));
    say("linear memory", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    cudaResourceViewDesc none;
    say("the view of one that has none", cudaGetTextureObjectResourceViewDesc(&none, texture));
    cudaDestroyTextureObject(texture);
    resource.res.linear.devPtr = NULL;
    say("linear memory that is null", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    resource.res.linear.devPtr = d_x;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    say("linear memory, three channels", cudaCreateTextureObject(&texture, &resource, &how, NULL));

    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_x;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = 8;
    resource.res.pitch2D.height = 4;
    resource.res.pitch2D.pitchInBytes = 512;
    say("pitched memory", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    cudaDestroyTextureObject(texture);
    resource.res.pitch2D.pitchInBytes = 40;
    say("a pitch that is no multiple", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    resource.res.pitch2D.pitchInBytes = 32;
    resource.res.pitch2D.width = 16;
    say("a pitch less than a row", cudaCreateTextureObject(&texture, &resource, &how, NULL));
    cudaFree(d_x);

    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    say("a surface of an array that is for none", cudaCreateSurfaceObject(&surface, &resource));
    say("an object that is 0 is destroyed", cudaDestroyTextureObject(0));
    cudaFreeArray(array);
}

int main()
{
    try_arrays();
    try_textures();
    return num_wrong > 0;
}
