// oversubscription1: device memory ends at what the card has, and reserving managed memory does not
//
// From:    Listing 13.3, sections 13.3 and 13.3.1, file oversubscription1.cu
// Compile: nvcc -O3 oversubscription1.cu
// Run:     ./a.out --max-gb 2 -k device
// Needs:   GPU, because without one device memory and the host's are the same
//
// The program allocates 1 GB, frees it, allocates 2 GB, and so on up to --max-gb. Without --force
// it stops below what the device has free. With --force, `device` goes on until cudaMalloc refuses,
// and `managed` goes on to --max-gb: nothing uses the memory, so none is taken. The book compiles
// the two versions with and without -DUNIFIED.

#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/timing.cuh"
#include "../common/version_names.cuh"
#include "oversubscription.cuh"
#include "unified.cuh"

static size_t max_gb = 2; // the last step
static bool force;        // go on beyond what is free

// 1 GB, 2 GB, and so on: each allocated and freed. `unified`: by cudaMallocManaged.
void allocate_in_steps(bool unified)
{
    for (size_t n = 1; n <= max_gb; ++n)
    {
        const size_t size = n * GB;
        const double free = free_device_memory();
        if (!may_take(n, free, "device", force))
        {
            break;
        }
        uint64_t *x;
        const cudaError_t status = unified ? cudaMallocManaged(&x, size) : cudaMalloc(&x, size);
        if (is_refused(status, n, force))
        {
            check_true("only more than is free was refused", (double)size > usable(free));
            break;
        }
        CHECK(status);
        const double free_then = free_device_memory();
        cudaPointerAttributes attributes;
        CHECK(cudaPointerGetAttributes(&attributes, x));
        CHECK(cudaFree(x));
        if (unified)
        {
            printf(said("Allocated %zu GB unified memory without touch."), n);
        }
        else
        {
            printf(said("Allocate %zu GB device memory."), n);
        }
        printf(said("  The device had %.1f GB free, then %.1f.\n"), free * 1e-9, free_then * 1e-9);
        fflush(stdout);
        check_true(unified ? "it is managed memory" : "it is device memory",
                   attributes.type == (unified ? cudaMemoryTypeManaged : cudaMemoryTypeDevice));
    }
}

int main(int argc, char **argv)
{
    add_version("device", "memory of cudaMalloc", NULL);
    add_version("managed", "memory of cudaMallocManaged", NULL);
    add_number("max-gb", &max_gb, 1, 100000, "the last step, in GB");
    add_flag("force", &force, "go on beyond what is free");
    parse_args(argc, argv, "-k NAME",
               "oversubscription1: device memory ends at what the card has, and reserving managed "
               "memory does not");
    require_gpu();
    require_managed_memory();
    print_device();
    print_free_memory();

    if (strcmp(args.version, "managed") != 0) // without -k it is "all"
    {
        allocate_in_steps(false);
    }
    if (strcmp(args.version, "device") != 0)
    {
        allocate_in_steps(true);
    }
    return verdict();
}
