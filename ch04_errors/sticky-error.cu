// sticky-error: some errors are over once read, others stay with the process until it ends
//
// From:    Section 4.1.2, and beyond the book
// Compile: nvcc -O3 sticky-error.cu
// Run:     ./a.out
// Faults:  memcheck (a write through a null pointer is the lesson)
// Checks:  8
//
// A launch that is refused has changed nothing: reading its error takes it back, and the program
// goes on. A kernel that touched memory it must not touch leaves a context nobody can trust, so
// every call after it fails with the same code. What cudaDeviceReset then does is not promised by
// anyone, and differs between drivers: the program shows it, and only a new process is sure.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"

__global__ void write_to(int *target)
{
    *target = 1;
}

cudaError_t show(const char *call, cudaError_t status)
{
    printf("  %-32s %3d  %s\n", call, (int)status, cudaGetErrorName(status));
    return status;
}

#define SHOW(call) show(#call, call)

void refused_launch(int *d_x)
{
    printf("a block of 2048 threads\n");
    write_to<<<1, 2048>>>(d_x);
    const cudaError_t refusal = SHOW(cudaPeekAtLastError());
    check_true("it is refused", // code 9; the runtime of CUDA 13.0 gives a plain 1
               refusal == cudaErrorInvalidConfiguration || refusal == cudaErrorInvalidValue);
    check_true("peeking left the error where it was", SHOW(cudaGetLastError()) == refusal);
    check_true("getting it took it back", SHOW(cudaGetLastError()) == cudaSuccess);

    int h_x = 0;
    printf("a block of 1 thread\n");
    write_to<<<1, 1>>>(d_x);
    const bool launched = SHOW(cudaGetLastError()) == cudaSuccess;
    CHECK(cudaMemcpy(&h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost));
    check_true("the next launch works", launched && h_x == 1);
}

void illegal_access(int *d_x)
{
    int *d_new = NULL;
    printf("a write through a null pointer\n");
    write_to<<<1, 1>>>(NULL);
    const cudaError_t fault = SHOW(cudaDeviceSynchronize());
    check_true("the wait reports it", fault == cudaErrorIllegalAddress);
    SHOW(cudaGetLastError()); // reading this one, however often, cures nothing
    check_true("cudaMalloc fails the same way", SHOW(cudaMalloc(&d_new, sizeof(int))) == fault);
    check_true("cudaMemset does", SHOW(cudaMemset(d_x, 0, sizeof(int))) == fault);
    write_to<<<1, 1>>>(d_x);
    check_true("and a launch", SHOW(cudaDeviceSynchronize()) == fault);

    printf("after cudaDeviceReset, for the record\n");
    SHOW(cudaDeviceReset());
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&d_new, sizeof(int)));
    write_to<<<1, 1>>>(d_new);
    SHOW(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    Args args;
    parse_args(&args, argc, argv, "",
               "sticky-error: some errors are over once read, others stay with the process until "
               "it ends");
    int *d_x;
    CHECK(cudaMalloc(&d_x, sizeof(int)));
    refused_launch(d_x);
    illegal_access(d_x); // no cudaFree: d_x went with the context
    return verdict();
}
