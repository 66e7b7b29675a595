// oversubscription3: managed memory that the host touches lies on the host only
//
// From:    Listing 13.5, section 13.3.3, file oversubscription3.cu
// Compile: nvcc -O3 oversubscription3.cu
// Run:     ./a.out --max-gb 2
// Needs:   GPU, because without one device memory and the host's are the same
//
// The host touches all elements, so all pages lie on the host. The device's memory stays free, and
// does not help when the host's is used up. Without --force the program stops below what the host
// has free, and also below what the device has free. With --force it goes on to --max-gb. If the
// host's memory runs out, Linux ends a program by a signal ("Killed"): this one, or another that
// you need.

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
void cpu_touch(uint64_t *x, size_t size)
{
    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
    {
        x[i] = i;
    }
}

int main(int argc, char **argv)
{
    size_t max_gb = 2;
    bool force = false;
    add_number("max-gb", &max_gb, 1, 100000, "the last step, in GB");
    add_flag("force", &force, "go on beyond what is free");
    args.columns = "  GB           managed memory that the host touches\n"
                   "  GB/s         these bytes over the time of the first access to them\n"
                   "  free before  GB that the host had free before\n"
                   "  then         GB that it had free after that access\n"
                   "  device free  GB that the device still has free\n";
    parse_args(argc, argv, "--csv",
               "oversubscription3: managed memory that the host touches lies on the host only");
    require_gpu();
    require_managed_memory();
    print_device();
    print_free_memory();

    print_note("Allocated unified memory with CPU touch.\n");
    const Column COLUMNS[] = {{"GB", "%6.0f"},
                              {"GB/s", "%8.1f"},
                              {"free before", "%12.1f"},
                              {"then", "%6.1f"},
                              {"device free", "%12.1f"}};
    begin_timed_table(COLUMNS, 5);
    for (size_t n = 1; n <= max_gb; ++n)
    {
        const size_t size = n * GB;
        const double free = room_on_host();
        if (!may_take(n, free, "host", force) ||
            !may_take(n, free_device_memory(), "device", force))
        {
            break;
        }
        uint64_t *x;
        const cudaError_t status = cudaMallocManaged(&x, size);
        if (is_refused(status, n, force))
        {
            break;
        }
        CHECK(status);
        const double start = host_clock();
        cpu_touch(x, size);
        const double ms = host_clock() - start;
        const double device_free = free_device_memory(), free_then = room_on_host();
        size_t wrong = 0;
        for (size_t i = 0; i < size / sizeof(uint64_t); ++i)
        {
            wrong += x[i] != i;
        }
        CHECK(cudaFree(x));
        put(n);
        put(rate_of(size, ms));
        put(free * 1e-9);
        put(free_then * 1e-9);
        put(device_free * 1e-9);
        end_row();
        check_true("each element is its index", wrong == 0);
    }
    return verdict();
}
