// Wrong uses of textures, surfaces and CUDA arrays.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_LEAKS=
// out: 719 cudaErrorLaunchFailure
#include "cases.cuh"

texture<float> unbound;

__global__ void read_line(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f); // LINE
}

__global__ void read_plane(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); // PLANE
}

__global__ void read_box(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex3D<float>(t, threadIdx.x + 0.5f, 0.5f, 0.5f); // BOX
}

__global__ void read_layer(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2DLayered<float>(t, threadIdx.x + 0.5f, 0.5f, 0); // LAYER
}

__global__ void gather(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2Dgather<float4>(t, threadIdx.x + 0.5f, 0.5f).x; // GATHER
}

__global__ void read_element(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); // ELEMENT
}

__global__ void read_unbound(float *y)
{
    y[threadIdx.x] = tex1Dfetch(unbound, (int)threadIdx.x); // UNBOUND
}

__global__ void write_rows(cudaSurfaceObject_t s, int first, int step, int y)
{
    const int x = first + step * (int)threadIdx.x;
    surf2Dwrite(1.0f, s, x, y); // WRITE
}

__global__ void read_rows(cudaSurfaceObject_t s, float *y)
{
    y[threadIdx.x] = surf2Dread<float>(s, 4 * threadIdx.x, -1); // READ
}

__global__ void write_line(cudaSurfaceObject_t s)
{
    surf1Dwrite(1.0f, s, 4 * threadIdx.x); // WRITE_LINE
}

static cudaArray_t array_of(size_t width, size_t height, unsigned flags = cudaArraySurfaceLoadStore)
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = NULL;
    cudaMallocArray(&array, &format, width, height, flags); // ARRAY
    return array;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static cudaTextureObject_t texture_of(cudaArray_t array)
{
    const cudaResourceDesc resource = resource_of(array);
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, NULL); // TEXTURE
    return texture;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource); // SURFACE
    return surface;
}

// case: past_row
// fault: access outside of a surface, where the mode at its boundary is cudaBoundaryModeTrap | found with its line
// stderr: kernel write_rows, block \(0,0,0\), thread \(16,0,0\), FILE:WRITE:\n  surf2Dwrite of 4 bytes at x of 64 bytes, y of 3 is outside the surface, which is a 2-D array of 16 x 8 elements of 4 bytes: an x counts bytes$
CASE(past_row)
{
    write_rows<<<1, 32>>>(surface_of(array_of(16, 8)), 0, 4, 3);
}

// case: before_row
// stderr: thread \(0,0,0\), FILE:READ:\n  surf2Dread of 4 bytes at x of 0 bytes, y of -1 is outside the surface
CASE(before_row)
{
    read_rows<<<1, 8>>>(surface_of(array_of(16, 8)), device_array<float>(8));
}

// case: elements
// fault: x of a surface that counts elements, not bytes | found with its line, error 716
// stderr: thread \(1,0,0\), FILE:WRITE:\n  surf2Dwrite at x of 1 bytes, no multiple of the 4 bytes that it accesses: an x counts bytes$
// out: 716 cudaErrorMisalignedAddress
CASE(elements)
{
    write_rows<<<1, 16>>>(surface_of(array_of(16, 8)), 0, 1, 3);
}

// case: wrong_surface
// fault: function of a surface or a texture for another kind of array | found with its line
// stderr: FILE:WRITE_LINE:\n  surf1Dwrite cannot access this surface, which is a 2-D array of 16 x 8 elements of 4 bytes$
CASE(wrong_surface)
{
    write_line<<<1, 16>>>(surface_of(array_of(16, 8)));
}

// A GPU makes the object.
// case: not_for_surfaces
// fault: surface of an array made without `cudaArraySurfaceLoadStore` | found with the line of the first access
// stderr: thread \(0,0,0\), FILE:WRITE:\n  surf2Dwrite needs an array made with cudaArraySurfaceLoadStore$
CASE(not_for_surfaces)
{
    write_rows<<<1, 16>>>(surface_of(array_of(16, 8, cudaArrayDefault)), 0, 4, 3);
}

// case: wrong_texture
// stderr: FILE:BOX:\n  tex3D cannot read this texture, which is a 2-D array of 16 x 8 elements of 4 bytes$
CASE(wrong_texture)
{
    read_box<<<1, 16>>>(texture_of(array_of(16, 8)), device_array<float>(16));
}

// case: no_layers
// stderr: FILE:LAYER:\n  tex2DLayered cannot read this texture, which is a 2-D array
CASE(no_layers)
{
    read_layer<<<1, 16>>>(texture_of(array_of(16, 8)), device_array<float>(16));
}

// case: line_of_memory
// stderr: FILE:LINE:\n  tex1D cannot read this texture, which is linear memory$
CASE(line_of_memory)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device_array<float>(16);
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 64;
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    read_line<<<1, 16>>>(texture, device_array<float>(16));
}

// case: no_gather
// stderr: FILE:GATHER:\n  tex2Dgather needs a 2-D array made with cudaArrayTextureGather; this texture is a 2-D array
CASE(no_gather)
{
    gather<<<1, 16>>>(texture_of(array_of(16, 8)), device_array<float>(16));
}

// case: destroyed
// fault: texture or surface object that was never made, or was destroyed | found with its line
// stderr: FILE:PLANE:\n  this texture object was destroyed before$
// out: 700 cudaErrorIllegalAddress
CASE(destroyed)
{
    const cudaTextureObject_t texture = texture_of(array_of(16, 8));
    cudaDestroyTextureObject(texture);
    read_plane<<<1, 16>>>(texture, device_array<float>(16));
}

// A kernel that was launched before it may still use it.
// case: destroyed_later
// out: 0 cudaSuccess
CASE(destroyed_later)
{
    const cudaTextureObject_t texture = texture_of(array_of(16, 8));
    float *y = device_array<float>(16);
    cudaDeviceSynchronize();
    read_plane<<<1, 16>>>(texture, y);
    cudaDestroyTextureObject(texture);
}

// case: never_made
// stderr: FILE:PLANE:\n  the handle is not that of a texture object$
// out: 700 cudaErrorIllegalAddress
CASE(never_made)
{
    read_plane<<<1, 16>>>(1234567, device_array<float>(16));
}

// case: surface_as_texture
// stderr: FILE:PLANE:\n  a surface object stands where a texture object belongs$
// out: 700 cudaErrorIllegalAddress
CASE(surface_as_texture)
{
    read_plane<<<1, 16>>>(surface_of(array_of(16, 8)), device_array<float>(16));
}

// case: unbound
// fault: texture reference that is bound to nothing | found with its line
// stderr: FILE:UNBOUND:\n  the texture object is 0: it was never made, or the texture reference is not bound$
// out: 700 cudaErrorIllegalAddress
CASE(unbound)
{
    read_unbound<<<1, 16>>>(device_array<float>(16));
}

// case: freed_array
// fault: fetch from an array or memory that was freed | found with its line
// stderr: FILE:PLANE:\n  illegal address: read of 0x\w+, in memory of 512 bytes that was freed$
// out: 700 cudaErrorIllegalAddress
CASE(freed_array)
{
    const cudaArray_t array = array_of(16, 8);
    const cudaTextureObject_t texture = texture_of(array);
    cudaFreeArray(array);
    read_plane<<<1, 16>>>(texture, device_array<float>(16));
}

// case: freed_memory
// stderr: FILE:ELEMENT:\n  illegal address: read of 0x\w+, in memory of 64 bytes that was freed$
// out: 700 cudaErrorIllegalAddress
CASE(freed_memory)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device_array<float>(16);
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 64;
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    cudaFree(resource.res.linear.devPtr);
    read_element<<<1, 16>>>(texture, device_array<float>(16));
}

// case: past_linear
// fault: fetch past the end of a texture of linear memory | not found: it gives 0, as on a GPU
// out: 0 0 0 cudaSuccess
CASE(past_linear)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device_array<float>(16);
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 8 * sizeof(float);
    cudaMemset(resource.res.linear.devPtr, 1, 64);
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    float *y = device_array<float>(16), h_y[16];
    read_element<<<1, 16>>>(texture, y);
    cudaMemcpy(h_y, y, sizeof(h_y), cudaMemcpyDeviceToHost);
    printf("%g %g ", h_y[8], h_y[15]);
}

// case: copy_too_long
// fault: copy that does not fit into an array, or is not of one | found with its line
// stderr: cudaMemcpy2DToArray, FILE:COPY:\n  9 rows of 64 bytes from byte 0 of row 0 on do not fit: the destination is a 2-D array of 16 x 8 elements of 4 bytes\n
// stderr: cudaMemcpyToArray, FILE:BYTES:\n  600 bytes from byte 0 of row 0 on do not fit: the destination is
// stderr: cudaMemcpy2DFromArray, FILE:FREED:\n  the source was freed before$
// out: 0 cudaSuccess
CASE(copy_too_long)
{
    static float h_x[16 * 16];
    const cudaArray_t array = array_of(16, 8);
    cudaMemcpy2DToArray(array, 0, 0, h_x, 64, 64, 9, cudaMemcpyHostToDevice); // COPY
    cudaMemcpyToArray(array, 0, 0, h_x, 600, cudaMemcpyHostToDevice);         // BYTES
    cudaFreeArray(array);
    cudaMemcpy2DFromArray(h_x, 64, array, 0, 0, 64, 8, cudaMemcpyDeviceToHost); // FREED
}

// case: freed_twice
// fault: array freed twice, or an object destroyed twice | found with its line
// stderr: cudaDestroyTextureObject, FILE:OBJECT:\n  this texture object was destroyed before, or is of another kind\n
// stderr: cudaFreeArray, FILE:AGAIN:\n  this array was freed before$
// out: 0 cudaSuccess
CASE(freed_twice)
{
    const cudaArray_t array = array_of(16, 8);
    const cudaTextureObject_t texture = texture_of(array);
    cudaDestroyTextureObject(texture);
    cudaDestroyTextureObject(texture); // OBJECT
    cudaFreeArray(array);
    cudaFreeArray(array); // AGAIN
    cudaDeviceSynchronize();
}

// case: refused
// fault: array, texture or surface that cannot be made | found with its line
// stderr: cudaCreateTextureObject, FILE:SHIFTED:\n  a texture begins at a multiple of 512 bytes \(textureAlignment\), and this one 4 bytes behind the start of an allocation$
// out: 0 cudaSuccess
CASE(refused)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device_array<float>(16) + 1;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32;
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, NULL); // SHIFTED
}

// case: leaks
// fault: array or object never freed, with `CUDACPU_LEAKS=1` | listed at the program's end, each with its line
// env: CUDACPU_LEAKS=1
// stderr: cudaMallocArray, FILE:ARRAY:\n  512 bytes of CUDA array memory were never freed\n
// stderr: cudaCreateTextureObject, FILE:TEXTURE:\n  a texture object was never destroyed\n
// stderr: cudaCreateSurfaceObject, FILE:SURFACE:\n  a surface object was never destroyed\n
// out: 0 cudaSuccess
CASE(leaks)
{
    const cudaArray_t array = array_of(16, 8);
    texture_of(array);
    surface_of(array);
    cudaDestroyTextureObject(texture_of(array));
}

// case: reset
// env: CUDACPU_LEAKS=1
// out: 0 cudaSuccess
CASE(reset)
{
    const cudaArray_t array = array_of(16, 8);
    texture_of(array);
    cudaDeviceReset();
}
