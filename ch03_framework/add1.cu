// add1: the framework of a CUDA program: allocate, copy to the device, launch, copy back, free
//
// From:    Listings 3.2 and 3.3, sections 3.2 and 3.2.1 to 3.2.5
// Compile: nvcc -O3 add1.cu
// Run:     ./a.out -n 100000000
//
// This is add.cpp moved to the device. Nearly every later program has these seven steps. The kernel
// is the body of the loop in add.cpp: the loop is gone, and each thread does one turn of it.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"

void add_reference(const double *x, const double *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

// Runs on the device, once in every thread. The pointers must be device pointers. A kernel returns
// void: it leaves its result in memory.
__global__ void add(const double *x, const double *y, double *z)
{
    // The number of this thread in the whole grid. The product may pass 2^32, so it has 64 bits.
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    z[n] = x[n] + y[n]; // no `if`: there must be exactly as many threads as elements
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 1024000);
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(argc, argv, "-n N -b B -s S",
               "add1: the framework of a CUDA program: allocate, copy to the device, launch, copy "
               "back, free");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(double);
    const int block_size = args.block_x;
    if (N % block_size != 0)
    {
        usage_error("N = %zu is no multiple of the block's %d threads: add3if takes any N", N,
                    block_size);
    }

    // Step 1: host memory and its data, as in any C program. h_ marks a pointer to host memory.
    double *h_x = (double *)malloc(bytes);
    double *h_y = (double *)malloc(bytes);
    double *h_z = (double *)malloc(bytes);
    double *reference = (double *)malloc(bytes);
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);

    // Step 2: device memory. cudaMalloc returns a status and changes the pointer, so it takes the
    // pointer's address. The first such call also starts the device, which takes a while. d_ marks
    // a pointer to device memory: the host may copy the pointer, but must not follow it.
    double *d_x, *d_y, *d_z;
    cudaMalloc((void **)&d_x, bytes); // the cast is the book's; C++ does without it
    cudaMalloc((void **)&d_y, bytes);
    cudaMalloc((void **)&d_z, bytes);

    // Step 3: copy the inputs to the device. The target comes first, as in an assignment. What a
    // wrong direction does is undefined (see add2wrong). With cudaMemcpyDefault the runtime finds
    // the direction from the two pointers.
    cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, h_y, bytes, cudaMemcpyDefault);

    // Step 4: launch the kernel with one thread for each element, in blocks of block_size. The
    // launch returns at once: the device works while the host goes on to the next line.
    const int grid_size = N / block_size;
    add<<<grid_size, block_size>>>(d_x, d_y, d_z);

    // Step 5: copy the result to the host. cudaMemcpy waits until the kernel has finished.
    poison(h_z, bytes); // fills h_z with wrong numbers, which the copy has to replace
    cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost);

    // Step 6: check the result. Every call above returned a status, which this program ignored.
    // cudaGetLastError returns the last status that was an error. If there was one, the program
    // ends with status 3. Chapter 4 checks each call.
    end_if_failed(cudaGetLastError());
    check_elements("z", h_z, reference, N);
    printf(said("%zu sums; the last: %g + %g = %g\n"), N, h_x[N - 1], h_y[N - 1], h_z[N - 1]);

    // Step 7: free the memory: cudaFree for cudaMalloc, free for malloc.
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
