// query: what a device can hold, do and promise, asked of the device itself
//
// From:    Listing 6.2, sections 5.2.2, 6.3.1 and 6.4, Tables 1.1, 1.3 and 6.2, file query.cu;
//          S3 device properties; S4 3.6
// Chinese: 查询设备：容量、能力与理论峰值，并与书中各款 GPU 对照
// Compile: nvcc -O3 query.cu
// Run:     ./a.out --device 0
// Options: --csv --device N --all
// Checks:  8
//
// Devices are numbered from 0, as this process sees them. CUDA_VISIBLE_DEVICES=2,0 ./a.out sees two
// devices, and its device 0 is number 2 of the machine. With an empty list it sees none. The
// numbers also depend on CUDA_DEVICE_ORDER. The UUID printed here does not, and the list may have
// UUIDs as well. The theoretical rates follow from the clocks and from how many numbers an SM
// (multiprocessor) works on in a cycle. No call of CUDA's tells that, so architectures.cuh has it.

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"
#include "architectures.cuh"

// The form of the list: a column of text, or with --csv comma-separated values.
struct Report
{
    int device;
    bool csv;
};

void print_row(const Report *report, const char *label, const char *unit, const char *format, ...)
{
    char value[512];
    va_list values;
    va_start(values, format);
    vsnprintf(value, sizeof(value), format, values);
    va_end(values);
    if (report->csv)
    {
        printf("%d,\"%s\",\"%s\",%s\n", report->device, label, value, unit);
    }
    else
    {
        printf("%-44s %s%s%s\n", label, value, *unit != '\0' ? " " : "", unit);
    }
}

// Listing 6.2, row for row.
void print_listing_6_2(const Report *r, const cudaDeviceProp *p)
{
    print_row(r, "Device id", "", "%d", r->device);
    print_row(r, "Device name", "", "%s", p->name);
    print_row(r, "Compute capability", "", "%d.%d", p->major, p->minor);
    print_row(r, "Amount of global memory", "GB", "%g", p->totalGlobalMem / GB);
    print_row(r, "Amount of constant memory", "KB", "%g", p->totalConstMem / KB);
    print_row(r, "Maximum grid size", "", "%d %d %d", p->maxGridSize[0], p->maxGridSize[1],
              p->maxGridSize[2]);
    print_row(r, "Maximum block size", "", "%d %d %d", p->maxThreadsDim[0], p->maxThreadsDim[1],
              p->maxThreadsDim[2]);
    print_row(r, "Number of SMs", "", "%d", p->multiProcessorCount);
    print_row(r, "Maximum amount of shared memory per block", "KB", "%g",
              p->sharedMemPerBlock / KB);
    print_row(r, "Maximum amount of shared memory per SM", "KB", "%g",
              p->sharedMemPerMultiprocessor / KB);
    print_row(r, "Maximum number of registers per block", "K", "%g", p->regsPerBlock / KB);
    print_row(r, "Maximum number of registers per SM", "K", "%g", p->regsPerMultiprocessor / KB);
    print_row(r, "Maximum number of threads per block", "", "%d", p->maxThreadsPerBlock);
    print_row(r, "Maximum number of threads per SM", "", "%d", p->maxThreadsPerMultiProcessor);
}

void print_rate(const Report *r, const char *label, const char *unit, double rate)
{
    if (isnan(rate))
    {
        print_row(r, label, "", "unknown");
    }
    else
    {
        print_row(r, label, unit, "%.1f", rate);
    }
}

// What follows from the architecture, the clocks and the number of SMs.
void print_rates(const Report *r, const Card *card)
{
    const Architecture *a = find_architecture(card->major, card->minor);
    if (a == &UNKNOWN)
    {
        print_row(r, "Architecture", "", "unknown");
        print_row(r, "FP32 cores", "", "unknown");
    }
    else
    {
        print_row(r, "Architecture", "", "%s (%d)", a->name, a->year);
        print_row(r, "FP32 cores", "", "%d (%d per SM)", a->fp32 * card->SMs, a->fp32);
    }
    print_rate(r, "Theoretical FP32 rate", "TFLOP/s", tera_flops(card, a->fp32));
    print_rate(r, "Theoretical FP64 rate", "TFLOP/s", tera_flops(card, a->fp64));
    print_rate(r, "Theoretical memory bandwidth", "GB/s", bandwidth(card));
    print_rate(r, "Theoretical register bandwidth, FP32", "TB/s", register_bandwidth(card));
}

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

void print_attributes(const Report *r)
{
    for (const auto &a : ATTRIBUTES)
    {
        const int value = device_attribute(a.attribute, r->device);
        if (a.size > 0.0)
        {
            print_row(r, a.label, a.unit, "%.10g", value / a.size);
        }
        else
        {
            print_row(r, a.label, "", "%s", value != 0 ? "yes" : "no");
        }
    }
}

// The free memory, the place of the device in the machine, and who may use it.
void print_state(const Report *r, const cudaDeviceProp *p, int count)
{
    const char *const MODES[] = {"shared", "exclusive to a thread", "prohibited",
                                 "exclusive to a process"};
    char address[32], uuid[64] = "GPU", peers[128] = "";
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    check_true("free and total memory agree with the properties",
               free_bytes <= total_bytes &&
                   fabs(total_bytes / (double)p->totalGlobalMem - 1) < 0.02);
    print_row(r, "Free memory", "GB", "%.4g", free_bytes / GB);

    int found = -1;
    CHECK(cudaDeviceGetPCIBusId(address, sizeof(address), r->device));
    CHECK(cudaDeviceGetByPCIBusId(&found, address));
    check_true("the PCI address leads back to the device", found == r->device);
    print_row(r, "PCI address", "", "%s", address);
    for (int i = 0; i < 16; ++i)
    {
        const bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        snprintf(uuid + strlen(uuid), sizeof(uuid) - strlen(uuid), "%s%02x", dash ? "-" : "",
                 (unsigned char)p->uuid.bytes[i]);
    }
    print_row(r, "UUID", "", "%s", uuid);
    print_row(r, "Compute mode", "", "%s",
              MODES[device_attribute(cudaDevAttrComputeMode, r->device) & 3]);
    for (int peer = 0; peer < count; ++peer)
    {
        int can = 0;
        CHECK(cudaDeviceCanAccessPeer(&can, r->device, peer));
        if (can)
        {
            const size_t length = strlen(peers);
            snprintf(peers + length, sizeof(peers) - length, " %d", peer);
        }
    }
    print_row(r, "Devices whose memory it can reach", "", "%s",
              *peers != '\0' ? peers + 1 : "none");
}

// cudaDeviceProp and the attributes are two ways to ask the same driver. They must agree.
void check_attributes(const cudaDeviceProp *p, int device)
{
    const struct
    {
        cudaDeviceAttr attribute;
        size_t property;
    } PAIRS[] = {
        {cudaDevAttrComputeCapabilityMajor, (size_t)p->major},
        {cudaDevAttrComputeCapabilityMinor, (size_t)p->minor},
        {cudaDevAttrMultiProcessorCount, (size_t)p->multiProcessorCount},
        {cudaDevAttrWarpSize, (size_t)p->warpSize},
        {cudaDevAttrTotalConstantMemory, p->totalConstMem},
        {cudaDevAttrMaxGridDimX, (size_t)p->maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, (size_t)p->maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, (size_t)p->maxGridSize[2]},
        {cudaDevAttrMaxBlockDimX, (size_t)p->maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, (size_t)p->maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, (size_t)p->maxThreadsDim[2]},
        {cudaDevAttrMaxThreadsPerBlock, (size_t)p->maxThreadsPerBlock},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (size_t)p->maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (size_t)p->maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxRegistersPerBlock, (size_t)p->regsPerBlock},
        {cudaDevAttrMaxRegistersPerMultiprocessor, (size_t)p->regsPerMultiprocessor},
        {cudaDevAttrMaxSharedMemoryPerBlock, p->sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p->sharedMemPerBlockOptin},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p->sharedMemPerMultiprocessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, p->reservedSharedMemPerBlock},
        {cudaDevAttrL2CacheSize, (size_t)p->l2CacheSize},
        {cudaDevAttrGlobalMemoryBusWidth, (size_t)p->memoryBusWidth},
        {cudaDevAttrAsyncEngineCount, (size_t)p->asyncEngineCount},
        {cudaDevAttrManagedMemory, (size_t)p->managedMemory},
        {cudaDevAttrConcurrentManagedAccess, (size_t)p->concurrentManagedAccess},
        {cudaDevAttrPageableMemoryAccess, (size_t)p->pageableMemoryAccess},
        {cudaDevAttrCooperativeLaunch, (size_t)p->cooperativeLaunch},
        {cudaDevAttrMemoryPoolsSupported, (size_t)p->memoryPoolsSupported},
    };
    bool equal = true;
    for (const auto &pair : PAIRS)
    {
        int value = -1;
        CHECK(cudaDeviceGetAttribute(&value, pair.attribute, device));
        if ((size_t)value != pair.property)
        {
            fprintf(stderr, "attribute %d is %d, the property %zu\n", (int)pair.attribute, value,
                    pair.property);
            equal = false;
        }
    }
    check_true("properties and attributes agree", equal);
    check_true("a block takes no more than an SM has",
               p->maxThreadsPerBlock <= p->maxThreadsPerMultiProcessor &&
                   p->regsPerBlock <= p->regsPerMultiprocessor &&
                   p->sharedMemPerBlock <= p->sharedMemPerBlockOptin &&
                   p->sharedMemPerBlockOptin + p->reservedSharedMemPerBlock <=
                       p->sharedMemPerMultiprocessor);
}

void print_card(const Card *card)
{
    const Architecture *a = find_architecture(card->major, card->minor);
    printf("%-24.24s %-9s %4.0f %4d %8.0f %6.1f (%4.1f) %8g %5g %8g %5g\n", card->name, a->name,
           card->memory_gb, card->SMs, bandwidth(card), tera_flops(card, a->fp64),
           tera_flops(card, a->fp32), card->registers_SM, card->registers_block, card->shared_SM,
           card->shared_block);
}

// Tables 1.3 and 6.2, with the rates from the formulas. Below them the devices that were asked.
// Then Table 1.1.
void print_cards(int first, int last)
{
    printf("\n%-24s %-9s %4s %4s %8s %15s %14s %14s\n%-24s %-9s %4s %4s %8s %15s %8s %5s %8s %5s\n",
           "Tables 1.3 and 6.2", "archi-", "", "", "", "TFLOP/s FP64", "K registers", "shared, KB",
           "", "tecture", "GB", "SMs", "GB/s", "(FP32)", "SM", "block", "SM", "block");
    for (const Card &card : CARDS)
    {
        print_card(&card);
    }
    for (int device = first; device <= last; ++device)
    {
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, device));
        const Card card = card_of(&p, device);
        if (find_architecture(card.major, card.minor) != &UNKNOWN)
        {
            print_card(&card);
        }
    }
    printf("\nTable 1.1:");
    const char *before = "";
    for (const Architecture &a : ARCHITECTURES)
    {
        if (strcmp(a.name, before) != 0)
        {
            printf("  %s %d.%d %d", a.name, a.major, a.minor, a.year);
        }
        before = a.name;
    }
    printf("\n");
}

// The formulas must give the rates that the book prints, but for its rounding.
void check_cards(void)
{
    bool right = true;
    for (const Card &card : CARDS)
    {
        const Architecture *a = find_architecture(card.major, card.minor);
        right = right && fabs(tera_flops(&card, a->fp32) / card.fp32 - 1.0) < 0.05 &&
                fabs(tera_flops(&card, a->fp64) / card.fp64 - 1.0) < 0.06 &&
                fabs(bandwidth(&card) / card.bandwidth - 1.0) < 0.005;
        if (strcmp(card.name, "GeForce RTX 2070") == 0)
        {
            check_true("formula 5.2 gives 52 TB/s",
                       fabs(register_bandwidth(&card) / 52.0 - 1.0) < 0.005);
        }
    }
    check_true("the rates of Table 1.3 come out", right);
}

int main(int argc, char **argv)
{
    Args args;
    size_t device = 0;
    bool all = false;
    add_number(&args, "device", &device, 0, INT_MAX, "the number of the device to ask");
    add_flag(&args, "all", &all, "ask every device");
    args.uses_device = false; // else parse_args would ask device 0
    parse_args(&args, argc, argv, "--csv",
               "query: what a device can hold, do and promise, asked of the device itself");
    int count;
    CHECK(cudaGetDeviceCount(&count)); // without a device: one line, and status 77
    if (device >= (size_t)count)
    {
        const char *list = getenv("CUDA_VISIBLE_DEVICES");
        usage_error(&args, "there is no device %zu: of %d seen here the last is number %d%s%s",
                    device, count, count - 1, list != NULL ? ", with CUDA_VISIBLE_DEVICES=" : "",
                    list != NULL ? list : "");
    }
    const int first = all ? 0 : device;
    const int last = all ? count - 1 : device;
    CHECK(cudaSetDevice(first)); // before any call that uses a device
    print_device();

    // The driver may be newer than the runtime. It may be older only within a major version.
    int driver, runtime;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    print_note("driver: for CUDA %d.%d; runtime: %d.%d\n", driver / 1000, driver % 1000 / 10,
               runtime / 1000, runtime % 1000 / 10);
    check_true("the driver suits the runtime, the runtime its headers",
               driver / 1000 >= runtime / 1000 && runtime / 1000 == CUDART_VERSION / 1000);
    check_cards();

    if (args.csv)
    {
        printf("device,property,value,unit\n");
    }
    for (int device_id = first; device_id <= last; ++device_id)
    {
        int current = -1;
        CHECK(cudaSetDevice(device_id));
        CHECK(cudaGetDevice(&current));
        check_true("the device that was chosen is the current one", current == device_id);

        cudaDeviceProp prop;
        CHECK(cudaGetDeviceProperties(&prop, device_id));
        const Card card = card_of(&prop, device_id);
        const Report report = {device_id, args.csv};
        if (!args.csv)
        {
            printf("\n");
        }
        print_listing_6_2(&report, &prop);
        print_rates(&report, &card);
        print_attributes(&report);
        print_state(&report, &prop, count);
        check_attributes(&prop, device_id);
    }
    if (!args.csv)
    {
        print_cards(first, last);
    }
    return verdict();
}
