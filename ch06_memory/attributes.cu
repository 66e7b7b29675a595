// attributes: what a device can do beyond the book's list: limits, clocks, features, its place
//
// From:    section 6.4; S3 device properties; S4 3.6
// Order:   after query
// Compile: nvcc -O3 attributes.cu
// Run:     ./a.out --all
//
// The clocks and some other properties left cudaDeviceProp in CUDA 13. Every version has them as
// attributes. The UUID printed here is the same whatever number the device has in this process, and
// CUDA_VISIBLE_DEVICES may list UUIDs, too.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"

const double KB = 1024.0, MB = 1024.0 * KB, GB = 1024.0 * MB;

// What one looks up today and the book's listing does not have. A size counts units of so many;
// with size 0 the answer is yes or no.
const struct
{
    const char *label;
    cudaDeviceAttr attribute;
    double size;
    const char *unit;
} ATTRIBUTES[] = {
    {"Maximum number of blocks per SM", cudaDevAttrMaxBlocksPerMultiprocessor, 1, ""},
    {"Threads in a warp", cudaDevAttrWarpSize, 1, ""},
    {"Shared memory per block, if opted in", cudaDevAttrMaxSharedMemoryPerBlockOptin, KB, "KB"},
    {"Shared memory reserved per block", cudaDevAttrReservedSharedMemoryPerBlock, KB, "KB"},
    {"L2 cache", cudaDevAttrL2CacheSize, MB, "MB"},
    {"L2 cache that can be set aside", cudaDevAttrMaxPersistingL2CacheSize, MB, "MB"},
    {"Largest pitch of a copy", cudaDevAttrMaxPitch, 1, "bytes"},
    {"Clock", cudaDevAttrClockRate, 1e3, "MHz"},
    {"Memory clock", cudaDevAttrMemoryClockRate, 1e3, "MHz"},
    {"Memory bus", cudaDevAttrGlobalMemoryBusWidth, 1, "bits"},
    {"FP32 rate / FP64 rate, says the driver", cudaDevAttrSingleToDoublePrecisionPerfRatio, 1, ""},
    {"Copy engines", cudaDevAttrAsyncEngineCount, 1, ""},
    {"Concurrent kernels", cudaDevAttrConcurrentKernels, 0, ""},
    {"Stream priorities", cudaDevAttrStreamPrioritiesSupported, 0, ""},
    {"Cooperative launch", cudaDevAttrCooperativeLaunch, 0, ""},
    {"Cluster launch", cudaDevAttrClusterLaunch, 0, ""},
    {"Time limit for kernels", cudaDevAttrKernelExecTimeout, 0, ""},
    {"Kernels can be interrupted", cudaDevAttrComputePreemptionSupported, 0, ""},
    {"One address space with the host", cudaDevAttrUnifiedAddressing, 0, ""},
    {"Host memory can be mapped", cudaDevAttrCanMapHostMemory, 0, ""},
    {"Host memory can be registered", cudaDevAttrHostRegisterSupported, 0, ""},
    {"Native atomics on host memory", cudaDevAttrHostNativeAtomicSupported, 0, ""},
    {"Managed memory", cudaDevAttrManagedMemory, 0, ""},
    {"Managed memory, by host and kernel at once", cudaDevAttrConcurrentManagedAccess, 0, ""},
    {"Managed memory, by the host where it lies", cudaDevAttrDirectManagedMemAccessFromHost, 0, ""},
    {"Pageable host memory in kernels", cudaDevAttrPageableMemoryAccess, 0, ""},
    {"... by the host's page tables", cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0, ""},
    {"Memory pools (cudaMallocAsync)", cudaDevAttrMemoryPoolsSupported, 0, ""},
    {"GPUDirect RDMA", cudaDevAttrGPUDirectRDMASupported, 0, ""},
    {"Error correction (ECC)", cudaDevAttrEccEnabled, 0, ""},
    {"Shares its memory with the host", cudaDevAttrIntegrated, 0, ""},
};
const int NUM_ATTRIBUTES = sizeof(ATTRIBUTES) / sizeof(ATTRIBUTES[0]);

void print_attributes(int device)
{
    for (int i = 0; i < NUM_ATTRIBUTES; ++i)
    {
        const int value = device_attribute(ATTRIBUTES[i].attribute, device);
        const double size = ATTRIBUTES[i].size;
        if (size > 0.0)
        {
            print_row(device, ATTRIBUTES[i].label, ATTRIBUTES[i].unit, "%.10g", value / size);
        }
        else
        {
            print_row(device, ATTRIBUTES[i].label, "", "%s", value != 0 ? "yes" : "no");
        }
    }
}

// The free memory, the place of the device in the machine, and who may use it.
void print_state(int device, const cudaDeviceProp *p, int count)
{
    const char *const MODES[] = {"shared", "exclusive to a thread", "prohibited",
                                 "exclusive to a process"};
    char address[32], uuid[64] = "GPU", peers[128] = "";
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    check_true("free and total memory agree with the properties",
               free_bytes <= total_bytes &&
                   fabs(total_bytes / (double)p->totalGlobalMem - 1) < 0.02);
    print_row(device, "Free memory", "GB", "%.4g", free_bytes / GB);

    int found = -1;
    CHECK(cudaDeviceGetPCIBusId(address, sizeof(address), device));
    CHECK(cudaDeviceGetByPCIBusId(&found, address));
    check_true("the PCI address leads back to the device", found == device);
    print_row(device, "PCI address", "", "%s", address);
    for (int i = 0; i < 16; ++i)
    {
        const bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        snprintf(uuid + strlen(uuid), sizeof(uuid) - strlen(uuid), "%s%02x", dash ? "-" : "",
                 (unsigned char)p->uuid.bytes[i]);
    }
    print_row(device, "UUID", "", "%s", uuid);
    print_row(device, "Compute mode", "", "%s",
              MODES[device_attribute(cudaDevAttrComputeMode, device) & 3]);
    for (int peer = 0; peer < count; ++peer)
    {
        int can = 0;
        CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
        if (can)
        {
            const size_t length = strlen(peers);
            snprintf(peers + length, sizeof(peers) - length, " %d", peer);
        }
    }
    print_row(device, "Devices whose memory it can reach", "", "%s",
              *peers != '\0' ? peers + 1 : "none");
}

// The driver may be newer than the runtime. It may be older only within a major version.
void print_cuda_versions(void)
{
    int driver, runtime;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    print_note("driver: for CUDA %d.%d; runtime: %d.%d\n", driver / 1000, driver % 1000 / 10,
               runtime / 1000, runtime % 1000 / 10);
    check_true("the driver suits the runtime, the runtime its headers",
               driver / 1000 >= runtime / 1000 && runtime / 1000 == CUDART_VERSION / 1000);
}

// The rows of one device, which becomes the current one.
void report_device(int device_id, int count)
{
    int current;
    CHECK(cudaSetDevice(device_id));
    CHECK(cudaGetDevice(&current));
    check_true("the device that was chosen is the current one", current == device_id);

    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, device_id));
    printf("%s", args.csv ? "" : "\n");
    print_row(device_id, "Device id", "", "%d", device_id);
    print_row(device_id, "Device name", "", "%s", prop.name);
    print_attributes(device_id);
    print_state(device_id, &prop, count);
}

int main(int argc, char **argv)
{
    size_t device = 0;
    bool all = false;
    add_device_option(&device);
    add_flag("all", &all, "ask every device");
    parse_args(argc, argv, "--csv",
               "attributes: what a device can do beyond the book's list: limits, clocks, features, "
               "its place");
    const Devices devices = choose_devices(device, all);
    print_device();
    print_cuda_versions();
    print_titles();
    for (int device_id = devices.first; device_id <= devices.last; ++device_id)
    {
        report_device(device_id, devices.count);
    }
    return verdict();
}
