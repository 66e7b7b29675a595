// What ends the host's code. A GPU has no part in it, but without a word nobody knows where it was.
// Each case goes on after its fault: a call that is the last of a function may be a mere jump, which
// leaves no trace of the function.
//
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
#include "cases.cuh"
#include <sys/mman.h>

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

// case: null_pointer
// fault: the host follows a null or wild pointer, in its own code or in a host function of a stream | found with its line; the program ends
// stderr: CPU backend: host code at FILE:NULL_POINTER: write of address \(nil\), a null pointer\n
// status: SEGV
CASE(null_pointer)
{
    volatile int *volatile x = NULL;
    fill<<<1, 1>>>(device_array<int>(1));
    *x = 1; // NULL_POINTER
}

// case: in_a_host_function
// stderr: CPU backend: host code at FILE:HOST_FUNCTION: write of address \(nil\), a null pointer\n
// status: SEGV
static void set(void *x)
{
    *(int *)x = 1; // HOST_FUNCTION
}
CASE(in_a_host_function)
{
    cudaLaunchHostFunc(0, set, NULL);
    cudaDeviceSynchronize();
}

// case: in_the_c_library
// stderr: CPU backend: host code at FILE:C_LIBRARY: read of address 0x\w+, in a device allocation of 8 bytes\.\n  The host
// status: SEGV
CASE(in_the_c_library)
{
    char *text = device_array<char>(8);
    puts(text); // C_LIBRARY
    say(cudaSuccess);
}

// case: copy_past_the_hosts_memory
// fault: copy longer than the memory of the host | found with its line where that memory ends; the program ends
// stderr: CPU backend: cudaMemcpy, FILE:TOO_FAR: write of address 0x\w+, where the program has no memory\n
// status: SEGV
static char *two_pages() // of which the second is closed
{
    void *pages = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages, 4096, PROT_READ | PROT_WRITE);
    return (char *)pages;
}
CASE(copy_past_the_hosts_memory)
{
    char *pages = two_pages();
    munmap(pages + 4096, 4096);
    cudaMemcpy(pages, device_array<char>(4097), 4097, cudaMemcpyDeviceToHost); // TOO_FAR
    say(cudaSuccess);
}

// case: rows_past_the_hosts_memory
// stderr: CPU backend: cudaMemcpy2D, FILE:ROWS: read of address 0x\w+, which the program has closed\n
// status: SEGV
CASE(rows_past_the_hosts_memory)
{
    cudaMemcpy2D(device_array<char>(64 * 65), 64, two_pages(), 64, 60, 65, // ROWS
                 cudaMemcpyHostToDevice);
    say(cudaSuccess);
}

// case: no_kernel
// fault: the host calls or launches through a null pointer to a function | found with its line; the program ends
// stderr: CPU backend: host code at FILE:NO_KERNEL: a call of a function at \(nil\), where none is\n
// status: SEGV
CASE(no_kernel)
{
    void (*volatile kernel)(int *) = NULL;
    kernel<<<1, 1>>>(device_array<int>(1)); // NO_KERNEL
    say(cudaSuccess);
}

// case: missing_argument
// fault: an argument is missing in the list of cudaLaunchKernel | found with its line if no pointer is there; the program ends
// stderr: CPU backend: cudaLaunchKernel, FILE:MISSING: read of address \(nil\), a null pointer\n
// status: SEGV
CASE(missing_argument)
{
    void *arguments[] = {NULL};
    cudaLaunchKernel((void *)fill, 1, 1, arguments, 0, 0); // MISSING
    say(cudaSuccess);
}

// case: free_of_device_memory
// fault: memory of the device given to free or delete | found with its line; the program ends
// stderr: CPU backend: host code at FILE:FREE: read of address 0x\w+, 8 bytes before a device allocation of 400 bytes\.\n  free and delete are for memory of malloc and new: cudaFree takes that of the device
// status: SEGV
CASE(free_of_device_memory)
{
    free(device_array<int>(100)); // FREE
    say(cudaSuccess);
}

// case: delete_of_managed_memory
// stderr: CPU backend: host code at FILE:DELETE: memory is freed that malloc did not give, or freed twice\.\n  free and delete are
// status: ABRT
CASE(delete_of_managed_memory)
{
    int *x;
    cudaMallocManaged(&x, 400);
    delete[] x; // DELETE
    say(cudaSuccess);
}

// case: without_configuration
// fault: a kernel is called without <<< >>> | found with its line; the program ends
// stderr: CPU backend: FILE:WITHOUT:\n  kernel fill is called without <<< >>>\n
// status: ABRT
CASE(without_configuration)
{
    void (*volatile kernel)(int *) = fill;
    kernel(device_array<int>(1)); // WITHOUT
    say(cudaSuccess);
}
