// sticky-error: some errors are cleared when they are read, others stay until the process ends
//
// From:    Section 4.1.2, and beyond the book
// Compile: nvcc -O3 sticky-error.cu
// Run:     ./a.out
//
// A launch that is refused has changed nothing. Reading its error clears the error, and the program
// can go on. A kernel that used a bad address is different: its data may be damaged, so every later
// call fails with the same code. CUDA does not promise that cudaDeviceReset helps, and drivers
// differ. The program shows what happens here. Only a new process is sure to work.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"

__global__ void write_to(int *target) { *target = 1; }

// Prints the call and its status, and returns the status.
cudaError_t show(const char *call, cudaError_t status)
{
    printf("  %-32s %3d  %s\n", call, (int)status, cudaGetErrorName(status));
    return status;
}

#define SHOW(call) show(#call, call)

int main(int argc, char **argv)
{
    parse_args(argc, argv, "",
               "sticky-error: some errors are cleared when they are read, others stay until the "
               "process ends");
    int *d_x, *d_new = NULL;
    CHECK(cudaMalloc(&d_x, sizeof(int)));

    printf("a block of 2048 threads\n");
    write_to<<<1, 2048>>>(d_x);
    const cudaError_t refusal = SHOW(cudaPeekAtLastError());
    check_true("it is refused", // code 9; the runtime of CUDA 13.0 returns 1
               refusal == cudaErrorInvalidConfiguration || refusal == cudaErrorInvalidValue);
    check_true("peeking does not clear the error", SHOW(cudaGetLastError()) == refusal);
    check_true("getting clears it", SHOW(cudaGetLastError()) == cudaSuccess);

    printf("a block of 1 thread\n");
    write_to<<<1, 1>>>(d_x);
    const bool launched = SHOW(cudaGetLastError()) == cudaSuccess;
    int h_x = -1; // no byte of it is what the kernel writes
    CHECK(cudaMemcpy(&h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost));
    check_true("the next launch works", launched && h_x == 1);

    print_note("a write through a null pointer\n");
    write_to<<<1, 1>>>(NULL);
    const cudaError_t fault = SHOW(cudaDeviceSynchronize());
    check_true("the wait reports it", fault == cudaErrorIllegalAddress);
    SHOW(cudaGetLastError()); // reading this error does not clear it
    check_true("cudaMalloc fails the same way", SHOW(cudaMalloc(&d_new, sizeof(int))) == fault);
    check_true("cudaMemset does", SHOW(cudaMemset(d_x, 0, sizeof(int))) == fault);
    write_to<<<1, 1>>>(d_x);
    check_true("and a launch", SHOW(cudaDeviceSynchronize()) == fault);

    print_note("after cudaDeviceReset\n"); // shown, but not checked
    SHOW(cudaDeviceReset());
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&d_new, sizeof(int)));
    write_to<<<1, 1>>>(d_new);
    SHOW(cudaDeviceSynchronize());
    cudaFree(d_new); // without CHECK: where the error stays, this call fails as well
    return verdict();
}
