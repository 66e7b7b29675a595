// launch-limits: how large grids and blocks may be, and what happens to a launch beyond that
//
// From:    Section 2.3.4; S1 3.2; S4 3.1
// Compile: nvcc launch-limits.cu
// Run:     ./a.out
//
// The program asks the device for each limit. Then it launches the largest grid or block that the
// limit allows, and one that is larger. The kernel counts its threads, so the host sees which
// launches ran. 2^31 - 1 blocks along x are allowed, but take seconds, so that launch is left out.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds 1 even if another thread does so at the same time.
__global__ void count_threads(int *count) { atomicAdd(count, 1); }

int g_checks = 0, g_failed = 0;

void check(const char *what, bool right)
{
    g_checks++;
    if (!right)
    {
        g_failed++;
        fprintf(stderr, "WRONG: %s\n", what);
    }
}

// Returns how many threads ran. *status tells if the launch was accepted.
int launch(dim3 grid_size, dim3 block_size, cudaError_t *status)
{
    int h_count = 0, *d_count = NULL;
    cudaMalloc(&d_count, sizeof(int));
    cudaMemset(d_count, 0, sizeof(int));
    count_threads<<<grid_size, block_size>>>(d_count);
    *status = cudaGetLastError(); // also clears the error, so the next call will not see it
    cudaMemcpy(&h_count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_count);
    const cudaError_t failure = cudaGetLastError();
    if (failure != cudaSuccess)
    {
        fprintf(stderr, "launch-limits: %s\n", cudaGetErrorString(failure));
        exit(3);
    }
    return h_count;
}

// Launches twice: with the largest grid or block that is allowed, and with a larger one.
void check_limit(const char *name, int limit, int book, dim3 largest_grid, dim3 largest_block,
                 dim3 larger_grid, dim3 larger_block)
{
    cudaError_t status;
    if (largest_grid.x == 1) // 2^31 - 1 blocks along x are allowed, but take seconds
    {
        check(name, launch(largest_grid, largest_block, &status) == limit && status == cudaSuccess);
    }
    const int ran = launch(larger_grid, larger_block, &status);
    // A bad configuration has error code 9. The runtime of CUDA 13.0 returns 1.
    check(name,
          ran == 0 && (status == cudaErrorInvalidConfiguration || status == cudaErrorInvalidValue));
    printf("  %-18s %10d  %10d  one more: error %d, %s\n", name, limit, book, (int)status,
           cudaGetErrorString(status));
    check("a launch after a refused one", launch(1, 1, &status) == 1 && status == cudaSuccess);
}

int attribute(cudaDeviceAttr name)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, name, 0);
    return value;
}

void check_limits()
{
    printf("limits                   here    the book\n");
    int max = attribute(cudaDevAttrMaxThreadsPerBlock);
    check_limit("threads in a block", max, 1024, 1, dim3(max / 32, 32), 1, dim3(max / 32 + 1, 32));
    max = attribute(cudaDevAttrMaxBlockDimX);
    check_limit("block x", max, 1024, 1, max, 1, max + 1);
    max = attribute(cudaDevAttrMaxBlockDimY);
    check_limit("block y", max, 1024, 1, dim3(1, max), 1, dim3(1, max + 1));
    max = attribute(cudaDevAttrMaxBlockDimZ);
    check_limit("block z", max, 64, 1, dim3(1, 1, max), 1, dim3(1, 1, max + 1));
    max = attribute(cudaDevAttrMaxGridDimX);
    check_limit("grid x", max, 2147483647, max, 1, max + 1u, 1); // 2^31 no longer fits an int
    max = attribute(cudaDevAttrMaxGridDimY);
    check_limit("grid y", max, 65535, dim3(1, max), 1, dim3(1, max + 1), 1);
    max = attribute(cudaDevAttrMaxGridDimZ);
    check_limit("grid z", max, 65535, dim3(1, 1, max), 1, dim3(1, 1, max + 1), 1);
}

// Returns the status, or 2 if the printed text could not be written, as on a full disk.
int end_output(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
    {
        fprintf(stderr, "launch-limits: what was printed cannot be written\n");
        return 2;
    }
    return status;
}

int verdict()
{
    if (g_failed > 0)
    {
        printf("FAIL: %d of %d checks\n", g_failed, g_checks);
        return end_output(1);
    }
    printf("PASS: %d checks\n", g_checks);
    return end_output(0);
}

// --help, another argument, or no device: each ends the program here.
void read_arguments(int argc, char **argv)
{
    if (argc > 1)
    {
        if (strcmp(argv[1], "-h") != 0 && strcmp(argv[1], "--help") != 0)
        {
            fprintf(stderr, "launch-limits: takes no argument but --help\n");
            exit(2);
        }
        printf("launch-limits: how large grids and blocks may be, and what happens to a\n"
               "launch beyond that\n\nusage: launch-limits [-h]\n"
               "  -h, --help      this text\n"
               "columns of the table:\n"
               "  here            the limit of this device\n"
               "  the book        the limit in section 2.3.4\n"
               "  one more        the error of a launch beyond the limit\n");
        exit(end_output(0));
    }
    int num_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&num_devices);
    if (num_devices == 0)
    {
        fprintf(stderr, "launch-limits: no CUDA device to run on: %s\n",
                cudaGetErrorString(status));
        exit(77);
    }
}

int main(int argc, char **argv)
{
    read_arguments(argc, argv);
    check_limits();
    return verdict();
}
