// Wrong calls of the runtime.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

__global__ void nothing()
{
}

// case: copy_kind
// fault: copy of the wrong kind | found with its line
// stderr: cudaMemcpy, FILE:COPY_KIND:\n  cudaMemcpyHostToDevice, but the source is on the device and the destination on the host
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(copy_kind)
{
    int x;
    say(cudaMemcpy(&x, device_array<int>(1), 4, cudaMemcpyHostToDevice)); // COPY_KIND
}

// case: copy_no_kind
// stderr: cudaMemcpy, FILE:NO_KIND:\n  9 is no cudaMemcpyKind
// out: 21 cudaErrorInvalidMemcpyDirection
// out: 0 cudaSuccess
CASE(copy_no_kind)
{
    int x;
    say(cudaMemcpy(&x, device_array<int>(1), 4, (cudaMemcpyKind)9)); // NO_KIND
}

// case: copy_too_long
// fault: copy or set longer than the allocation | found with its line
// stderr: cudaMemcpy, FILE:COPY_TO:\n  the destination has 16 bytes from there on \(an allocation of 16\), and 20 are asked for
// stderr: cudaMemcpyAsync, FILE:COPY_FROM:\n  the source has 8 bytes from there on \(an allocation of 16\), and 12 are
// stderr: cudaMemset, FILE:SET:\n  the destination has 16 bytes
// out: 1 cudaErrorInvalidValue
// out: 1 cudaErrorInvalidValue
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(copy_too_long)
{
    int h_x[5] = {}, *d_x = device_array<int>(4);
    say(cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice)); // COPY_TO
    say(cudaMemcpyAsync(h_x, d_x + 2, 12, cudaMemcpyDeviceToHost)); // COPY_FROM
    say(cudaMemset(d_x, 0, sizeof(h_x)));                           // SET
}

// case: copy_freed
// fault: copy to or from memory that was freed, or to a null pointer | found with its line
// stderr: cudaMemcpy, FILE:COPY_FREED:\n  the source is memory of 16 bytes that was freed
// stderr: cudaMemcpy, FILE:COPY_NULL:\n  the destination is a null pointer
// out: 1 cudaErrorInvalidValue
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(copy_freed)
{
    int x, *d_x = device_array<int>(4);
    cudaFree(d_x);
    say(cudaMemcpy(&x, d_x, 4, cudaMemcpyDeviceToHost));  // COPY_FREED
    say(cudaMemcpy(NULL, &x, 4, cudaMemcpyHostToDevice)); // COPY_NULL
}

// case: set_host
// fault: set of memory of the host | found with its line
// stderr: cudaMemset, FILE:SET_HOST:\n  the destination, 0x\w+, is not memory of the device
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(set_host)
{
    int x;
    say(cudaMemset(&x, 0, 4)); // SET_HOST
}

// case: pitch_too_small
// fault: pitch smaller than a row | found with its line
// stderr: cudaMemcpy2D, FILE:PITCH:\n  rows of 100 bytes do not fit into pitches of 64 \(destination\) and 128 \(source\)
// out: 12 cudaErrorInvalidPitchValue
// out: 0 cudaSuccess
CASE(pitch_too_small)
{
    char x[512], *d_x = device_array<char>(512);
    say(cudaMemcpy2D(x, 64, d_x, 128, 100, 4, cudaMemcpyDeviceToHost)); // PITCH
}

// case: kind_of_a_constant
// stderr: cudaMemcpy, FILE:KIND_OF_A_CONSTANT:\n  cudaMemcpyDeviceToHost, but the source is a constant and the destination on the device
// stderr: cudaMemcpy, FILE:KIND_OF_A_VARIABLE:\n  cudaMemcpyDeviceToHost, but the source is a device variable and the destination on the device
// out: 2
// out: 1 cudaErrorInvalidValue
// out: 2
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
__constant__ int c_number;
__device__ int d_number;
CASE(kind_of_a_constant)
{
    void *c = NULL, *d = NULL;
    cudaPointerAttributes attributes;
    cudaGetSymbolAddress(&c, c_number);
    cudaGetSymbolAddress(&d, d_number);
    cudaPointerGetAttributes(&attributes, c);
    printf("%d\n", attributes.type);
    say(cudaMemcpy(device_array<int>(1), c, 4, cudaMemcpyDeviceToHost)); // KIND_OF_A_CONSTANT
    cudaPointerGetAttributes(&attributes, d);
    printf("%d\n", attributes.type);
    say(cudaMemcpy(device_array<int>(1), d, 4, cudaMemcpyDeviceToHost)); // KIND_OF_A_VARIABLE
    cudaGetLastError();
}

// case: symbol_too_long
// fault: copy longer than the variable it goes to | found with its line
// stderr: cudaMemcpyToSymbol\w*, FILE:SYMBOL:\n  20 bytes at offset 0 do not fit into a variable of 16 bytes|FILE:SYMBOL:\n  20 bytes
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
__constant__ int c_table[4];
CASE(symbol_too_long)
{
    int h_x[5] = {};
    say(cudaMemcpyToSymbol(c_table, h_x, sizeof(h_x))); // SYMBOL
}

// case: text_as_symbol
// stderr: FILE:TEXT:\n  the symbol is no __device__ or __constant__ variable: it lies in the host's memory
// out: 13 cudaErrorInvalidSymbol
// out: 0 cudaSuccess
CASE(text_as_symbol)
{
    int h_x[4] = {};
    say(cudaMemcpyToSymbol("c_table", h_x, sizeof(h_x))); // TEXT
}

// case: handles_made_up
// stderr: CPU backend: FILE:MADE_UP:\n  kernel nothing is not launched: its stream does not exist
// out: 400 cudaErrorInvalidResourceHandle
// out: 400 cudaErrorInvalidResourceHandle
// out: 0 cudaSuccess
CASE(handles_made_up)
{
    nothing<<<1, 1, 0, (cudaStream_t)0x1234567890>>>(); // MADE_UP
    say(cudaGetLastError());
    say(cudaEventRecord((cudaEvent_t)0x1234567890));
    cudaGetLastError();
}

// case: block_too_large
// fault: launch that is refused: grid, block, shared memory, stream | found with its line
// stderr: CPU backend: FILE:TOO_LARGE:\n  kernel nothing is not launched: a block of \(1025,1,1\) threads
// out: 9 cudaErrorInvalidConfiguration
// out: 0 cudaSuccess
CASE(block_too_large)
{
    nothing<<<1, 1025>>>(); // TOO_LARGE
    say(cudaGetLastError());
}

// case: no_blocks
// stderr: FILE:NO_BLOCKS:\n  kernel nothing is not launched: a grid of \(0,1,1\) blocks
// out: 9 cudaErrorInvalidConfiguration
// out: 0 cudaSuccess
CASE(no_blocks)
{
    const int N = 0;
    nothing<<<(N + 127) / 128, 128>>>(); // NO_BLOCKS
    say(cudaGetLastError());
}

// case: too_much_shared
// stderr: FILE:MUCH:\n  kernel nothing is not launched: 65536 bytes of dynamic shared memory; it may have 49152
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(too_much_shared)
{
    nothing<<<1, 1, 65536>>>(); // MUCH
    say(cudaGetLastError());
}

// case: launch_by_address
// stderr: FILE:BY_ADDRESS:\n  kernel nothing is not launched: a block of \(32,64,1\) threads
// out: 9 cudaErrorInvalidConfiguration
// out: 0 cudaSuccess
CASE(launch_by_address)
{
    say(cudaLaunchKernel((void *)nothing, 1, dim3(32, 64), NULL, 0, 0)); // BY_ADDRESS
}

// case: no_stream
// stderr: FILE:NO_STREAM:\n  kernel nothing is not launched: its stream does not exist
// out: 400 cudaErrorInvalidResourceHandle
// out: 0 cudaSuccess
CASE(no_stream)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    nothing<<<1, 1, 0, stream>>>(); // NO_STREAM
    say(cudaGetLastError());
}

// case: host_variable_as_symbol
// fault: copy to or from a symbol that is a variable of the host | found with its line (a variable of a template or class in the file hides it)
// stderr: FILE:TO_HOST:\n  the symbol is no __device__ or __constant__ variable
// out: 13 cudaErrorInvalidSymbol
// out: 0 cudaSuccess
CASE(host_variable_as_symbol)
{
    static int on_host;
    const int value = 1;
    say(cudaMemcpyToSymbol(on_host, &value, sizeof(int))); // TO_HOST
}

// case: host_function_as_kernel
// fault: a function of the host where a kernel belongs | error of the call; the function is not run
// out: 98 cudaErrorInvalidDeviceFunction
// out: 98 cudaErrorInvalidDeviceFunction
// out: 0 cudaSuccess
static void on_host()
{
    puts("this must not run");
}
CASE(host_function_as_kernel)
{
    cudaFuncAttributes attributes;
    say(cudaFuncGetAttributes(&attributes, (const void *)on_host));
    say(cudaLaunchKernel((const void *)on_host, 1, 1, NULL, 0, NULL));
}
