// thrust-scan-pointer: a scan of memory from cudaMalloc; an execution policy says where it is
//
// From:    Listings 16.2, 16.4; section 16.1.4; section 16.2.5, which repeats it; file
//          thrust-scan-pointer.cu
// Compile: nvcc -O3 thrust-scan-pointer.cu
// Run:     ./a.out
// Uses:    Thrust
//
// x and y come from cudaMalloc, so kernels of your own can use the same arrays. Thrust needs no
// copy of them.

#include <stdio.h>
#include <stdlib.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include "../common/args.cuh"
#include "../common/check_thrust.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"

// Listing 16.2: the numbers 1 to 10.
int main(int argc, char **argv)
{
    parse_args(argc, argv, "",
               "thrust-scan-pointer: a scan of memory from cudaMalloc; an execution policy says "
               "where it is");
    report_thrust_errors(); // Thrust returns no status: it throws exceptions
    const int N = 10;
    int *x, *y;
    CHECK(cudaMalloc((void **)&x, sizeof(int) * N));
    CHECK(cudaMalloc((void **)&y, sizeof(int) * N));
    int *h_x = (int *)malloc(sizeof(int) * N);
    for (int i = 0; i < N; ++i)
    {
        h_x[i] = i + 1;
    }
    CHECK(cudaMemcpy(x, h_x, sizeof(int) * N, cudaMemcpyHostToDevice));

    thrust::inclusive_scan(thrust::device, x, x + N, y);

    int *h_y = (int *)malloc(sizeof(int) * N);
    poison(h_y, sizeof(int) * N);
    CHECK(cudaMemcpy(h_y, y, sizeof(int) * N, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; ++i)
    {
        printf("%d ", h_y[i]);
    }
    printf("\n");
    const int sums[] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    check_elements("the inclusive scan of 1 ... 10", h_y, sums, N);

    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    free(h_x);
    free(h_y);
    return verdict();
}
