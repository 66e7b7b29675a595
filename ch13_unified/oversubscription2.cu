// oversubscription2: managed memory that the device touches, up to what the card has and beyond
//
// From:    Listing 13.4, section 13.3.2, file oversubscription2.cu
// Compile: nvcc -O3 oversubscription2.cu
// Run:     ./a.out --max-gb 2
// Needs:   GPU, because without one device memory and the host's are the same
//
// The first access takes the memory, not cudaMallocManaged. Here the device has it. Without --force
// the program stops below what the device has free. With --force it goes on to --max-gb: the
// driver then moves pages that lie on the device to the host, to make room for new ones. When the
// host is full as well, the kernel fails, or the system ends a program that needs memory. So keep
// --max-gb below the sum of what both have free. The line `free:` says how much that is.

#include <stdio.h>
#include <stdint.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "oversubscription.cuh"
#include "unified.cuh"

// The book writes 0 to each element. Fresh memory may be 0 already, so this one writes the index.
// blockIdx.x * blockDim.x would be computed in 32 bits, and be wrong from 2^32 elements on: 34 GB.
__global__ void gpu_touch(uint64_t *x, const size_t size)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size)
    {
        x[i] = i;
    }
}

// On the device, because the host would move each page that it looks at.
__global__ void count_wrong(const uint64_t *x, const size_t size, unsigned long long *wrong)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size && x[i] != i)
    {
        atomicAdd(wrong, 1ull);
    }
}

int main(int argc, char **argv)
{
    size_t max_gb = 2;
    bool force = false;
    add_number("max-gb", &max_gb, 1, 100000, "the last step, in GB");
    add_flag("force", &force, "go on beyond what is free");
    args.columns = "  GB           managed memory that the device touches\n"
                   "  GB/s         these bytes over the time of the first access to them\n"
                   "  free before  GB that the device had free before\n"
                   "  then         GB that it had free after that access\n";
    parse_args(argc, argv, "--csv",
               "oversubscription2: managed memory that the device touches, up to what the card has "
               "and beyond");
    require_gpu();
    require_managed_memory();
    print_device();
    print_free_memory();
    unsigned long long *d_wrong, wrong;
    CHECK(cudaMalloc(&d_wrong, sizeof(wrong)));

    print_note("Allocated unified memory with GPU touch.\n");
    const Column COLUMNS[] = {
        {"GB", "%6.0f"}, {"GB/s", "%8.1f"}, {"free before", "%12.1f"}, {"then", "%6.1f"}};
    begin_timed_table(COLUMNS, 4);
    for (size_t n = 1; n <= max_gb; ++n)
    {
        const size_t memory_size = n * GB;
        const size_t data_size = memory_size / sizeof(uint64_t);
        const double free = free_device_memory();
        if (!may_take(n, free, "device", force))
        {
            break;
        }
        uint64_t *x;
        const cudaError_t status = cudaMallocManaged(&x, memory_size);
        if (is_refused(status, n, force))
        {
            break;
        }
        CHECK(status);
        const unsigned int grid_size = (data_size - 1) / 1024 + 1;
        start_events();
        gpu_touch<<<grid_size, 1024>>>(x, data_size);
        const double ms = stop_events();
        const double free_then = free_device_memory();

        CHECK(cudaMemset(d_wrong, 0, sizeof(wrong)));
        count_wrong<<<grid_size, 1024>>>(x, data_size, d_wrong);
        CHECK_LAUNCH();
        poison(&wrong, sizeof(wrong));
        CHECK(cudaMemcpy(&wrong, d_wrong, sizeof(wrong), cudaMemcpyDeviceToHost));
        const bool ends_right = x[0] == 0 && x[data_size - 1] == data_size - 1; // by the host
        CHECK(cudaFree(x));
        put(n);
        put(rate_of(memory_size, ms));
        put(free * 1e-9);
        put(free_then * 1e-9);
        end_row();
        check_true("each element is its index", wrong == 0 && ends_right);
    }
    CHECK(cudaFree(d_wrong));
    return verdict();
}
