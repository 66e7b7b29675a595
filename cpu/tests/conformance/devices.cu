// Several devices: numbers, memory, streams and events of each, copies between them, peer access.
// Every line must be the same with any number of devices, so each check goes over all of them.
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include "expect.cuh"

const int MOST = 16, N = 1 << 16;
const size_t BYTES = N * sizeof(int);

static int count;
static int *d_x[MOST], *d_y[MOST], h_x[N]; // of each device
static cudaStream_t stream[MOST];
static cudaEvent_t event[MOST];

__global__ void fill(int *x, int n, int first)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        x[i] = first + 3 * i;
    }
}

__global__ void add(const int *x, int *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        y[i] += x[i];
    }
}

// A copy between two devices need not be done when the call returns.
static bool finish()
{
    int current = 0;
    bool right = cudaGetDevice(&current) == cudaSuccess;
    for (int device = 0; device < count; ++device)
    {
        right =
            right && cudaSetDevice(device) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
    }
    return cudaSetDevice(current) == cudaSuccess && right;
}

static bool is_filled(const int *d, int first)
{
    memset(h_x, 0xcd, BYTES);
    bool right = finish() && cudaMemcpy(h_x, d, BYTES, cudaMemcpyDefault) == cudaSuccess;
    for (int i = 0; i < N; ++i)
    {
        right = right && h_x[i] == first + 3 * i;
    }
    return right;
}

// --- which there are -------------------------------------------------------------------------------

static void try_numbers()
{
    bool right = cudaGetDeviceCount(&count) == cudaSuccess && count >= 1 && count <= MOST;
    for (int device = 0; device < count; ++device)
    {
        int now = -1;
        right = right && cudaSetDevice(device) == cudaSuccess && cudaGetDevice(&now) == 0 &&
                now == device;
    }
    right = right && is_error(cudaSetDevice(count), cudaErrorInvalidDevice) &&
            is_error(cudaSetDevice(-1), cudaErrorInvalidDevice);
    int now = -1, other = -1;
    cudaGetDevice(&now);
    check("each can be chosen", right && now == count - 1);
    std::thread([&] { cudaGetDevice(&other); }).join();
    std::thread([&] { cudaSetDevice(0); }).join();
    right = other == 0 && cudaGetDevice(&now) == cudaSuccess && now == count - 1;
    check("each host thread has its own choice, first 0", right);
    right = true;
    char bus[MOST][32];
    for (int device = 0; device < count; ++device)
    {
        cudaDeviceProp p;
        int found = -1, id = -1;
        right = right && cudaGetDeviceProperties(&p, device) == cudaSuccess && p.warpSize == 32 &&
                cudaDeviceGetAttribute(&id, cudaDevAttrPciBusId, device) == cudaSuccess &&
                id == p.pciBusID && p.unifiedAddressing == 1 &&
                cudaDeviceGetPCIBusId(bus[device], sizeof(bus[device]), device) == cudaSuccess &&
                cudaDeviceGetByPCIBusId(&found, bus[device]) == cudaSuccess && found == device;
        for (int before = 0; before < device; ++before)
        {
            right = right && strcmp(bus[before], bus[device]) != 0;
        }
    }
    check("each has its place on the bus", right);
}

// --- what each has ---------------------------------------------------------------------------------

static void try_memory()
{
    bool right = true;
    for (int device = 0; device < count; ++device)
    {
        right = right && cudaSetDevice(device) == cudaSuccess &&
                cudaMalloc(&d_x[device], BYTES) == cudaSuccess &&
                cudaMalloc(&d_y[device], BYTES) == cudaSuccess &&
                cudaStreamCreate(&stream[device]) == cudaSuccess &&
                cudaEventCreate(&event[device]) == cudaSuccess;
        fill<<<32, 128>>>(d_x[device], N, device);
        right = right && cudaGetLastError() == cudaSuccess;
    }
    for (int device = 0; device < count; ++device)
    {
        cudaSetDevice(device);
        right = right && cudaDeviceSynchronize() == cudaSuccess && is_filled(d_x[device], device);
    }
    check("memory, streams, events and a kernel on each", right);
    cudaSetDevice(0);
    for (int device = 0; device < count; ++device)
    {
        cudaPointerAttributes attributes;
        right = right && cudaPointerGetAttributes(&attributes, d_y[device] + 1) == cudaSuccess &&
                attributes.device == device && attributes.type == cudaMemoryTypeDevice;
    }
    check("a pointer knows its device", right);
    right = true;
    for (int device = 0; device < count; ++device)
    {
        cudaDeviceProp p;
        size_t available = 0, total = 0;
        cudaSetDevice(device);
        cudaGetDeviceProperties(&p, device);
        right = right && cudaMemGetInfo(&available, &total) == cudaSuccess && available > 0 &&
                available <= total && total <= p.totalGlobalMem + (p.totalGlobalMem >> 4);
    }
    check("each says what memory it has", right);
    // Any device may be current when memory is freed.
    int *d = NULL;
    right = cudaSetDevice(count - 1) == cudaSuccess && cudaMalloc(&d, BYTES) == cudaSuccess &&
            cudaSetDevice(0) == cudaSuccess && cudaFree(d) == cudaSuccess;
    check("freed from another one", right);
}

// --- streams and events ----------------------------------------------------------------------------

static void try_streams()
{
    bool launches = true, records = true, waits = true, asks = true, times = true;
    for (int a = 0; a < count; ++a)
    {
        for (int b = 0; b < count; ++b)
        {
            cudaSetDevice(a);
            const cudaError_t wanted = a == b ? cudaSuccess : cudaErrorInvalidResourceHandle;
            fill<<<1, 32, 0, stream[b]>>>(d_x[b], 1, b);
            const cudaError_t launched = cudaGetLastError();
#ifdef __NVCC__ // CUDA's guide says that it fails. Two H200s with CUDA 13.0 took it.
            launches = launches && (launched == wanted || launched == cudaSuccess);
#else
            launches = launches && launched == wanted;
#endif
            const cudaError_t got = cudaEventRecord(event[a], stream[b]);
            records = records && got == wanted && cudaGetLastError() == wanted;
            if (a == b)
            {
                continue;
            }
            // b copies what a has written, after a's event.
            fill<<<32, 128, 0, stream[a]>>>(d_x[a], N, 100 * a + b);
            cudaEventRecord(event[a], stream[a]);
            cudaSetDevice(b);
            waits = waits && cudaMemsetAsync(d_y[b], 0, BYTES, stream[b]) == cudaSuccess &&
                    cudaStreamWaitEvent(stream[b], event[a], 0) == cudaSuccess &&
                    cudaMemcpyPeerAsync(d_y[b], b, d_x[a], a, BYTES, stream[b]) == cudaSuccess &&
                    cudaStreamSynchronize(stream[b]) == cudaSuccess &&
                    is_filled(d_y[b], 100 * a + b);
            asks = asks && cudaEventSynchronize(event[a]) == cudaSuccess &&
                   cudaEventQuery(event[a]) == cudaSuccess &&
                   cudaStreamQuery(stream[a]) == cudaSuccess &&
                   cudaStreamSynchronize(stream[a]) == cudaSuccess;
            float ms = 0;
            cudaEventRecord(event[b], stream[b]);
            cudaEventSynchronize(event[b]);
            times = times && cudaEventElapsedTime(&ms, event[a], event[b]) != cudaSuccess;
            cudaGetLastError();
        }
    }
    check("a launch goes into a stream of the current device only", launches);
    check("an event is recorded in a stream of its own device only", records);
    check("a stream waits for an event of any device", waits);
    check("the host waits for streams and events of any device", asks);
    check("no time between events of two devices", times);
}

// --- copies ----------------------------------------------------------------------------------------

static void start(int a, int b)
{
    cudaSetDevice(a);
    fill<<<32, 128>>>(d_x[a], N, 7 * a + b);
    cudaDeviceSynchronize();
    cudaSetDevice(b);
    cudaMemset(d_y[b], 0xcd, BYTES);
    cudaDeviceSynchronize();
}

static void try_copies()
{
    bool by_default = true, by_kind = true, peer = true, peer_async = true, box = true;
    for (int a = 0; a < count; ++a)
    {
        for (int b = 0; b < count; ++b)
        {
            for (int current = 0; current < count; ++current)
            {
                start(a, b);
                cudaSetDevice(current);
                by_default = by_default &&
                             cudaMemcpy(d_y[b], d_x[a], BYTES, cudaMemcpyDefault) == cudaSuccess &&
                             is_filled(d_y[b], 7 * a + b);
                start(a, b);
                by_kind = by_kind &&
                          cudaMemcpy(d_y[b], d_x[a], BYTES, cudaMemcpyDeviceToDevice) == 0 &&
                          is_filled(d_y[b], 7 * a + b);
                start(a, b);
                peer = peer && cudaMemcpyPeer(d_y[b], b, d_x[a], a, BYTES) == cudaSuccess &&
                       is_filled(d_y[b], 7 * a + b);
                start(a, b);
                cudaSetDevice(current);
                peer_async = peer_async &&
                             cudaMemcpyPeerAsync(d_y[b], b, d_x[a], a, BYTES, stream[a]) == 0 &&
                             cudaStreamSynchronize(stream[a]) == cudaSuccess &&
                             is_filled(d_y[b], 7 * a + b);
                start(a, b);
                cudaMemcpy3DPeerParms p = {};
                p.srcPtr = make_cudaPitchedPtr(d_x[a], 256 * sizeof(int), 256, 16);
                p.dstPtr = make_cudaPitchedPtr(d_y[b], 256 * sizeof(int), 256, 16);
                p.srcDevice = a;
                p.dstDevice = b;
                p.extent = make_cudaExtent(256 * sizeof(int), 16, N / 256 / 16);
                box = box && cudaMemcpy3DPeer(&p) == cudaSuccess && is_filled(d_y[b], 7 * a + b);
            }
        }
    }
    check("cudaMemcpy between any two", by_default);
    check("cudaMemcpyDeviceToDevice between any two", by_kind);
    check("cudaMemcpyPeer between any two", peer);
    check("cudaMemcpyPeerAsync between any two", peer_async);
    check("cudaMemcpy3DPeer between any two", box);
    check("not to a device that is not there",
          is_error(cudaMemcpyPeer(d_y[0], 0, d_x[0], count, BYTES), cudaErrorInvalidDevice));
}

// --- memory that all reach -------------------------------------------------------------------------

static void try_shared()
{
    int *managed, *pinned, *mapped;
    bool right = cudaMallocManaged(&managed, BYTES) == cudaSuccess &&
                 cudaHostAlloc(&pinned, BYTES, cudaHostAllocPortable | cudaHostAllocMapped) == 0;
    check("memory for all devices", right);
    if (!right)
    {
        return; // after an error that stays
    }
    memset(managed, 0, BYTES);
    int sum = 0;
    for (int device = 0; device < count; ++device)
    {
        cudaSetDevice(device);
        fill<<<32, 128>>>(d_x[device], N, device);
        add<<<32, 128>>>(d_x[device], managed, N);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
        sum += device;
    }
    for (int i = 0; i < N; ++i)
    {
        right = right && managed[i] == sum + 3 * i * count;
    }
    check("managed memory", right && cudaFree(managed) == cudaSuccess);
    right = true;
    memset(pinned, 0, BYTES);
    for (int device = 0; device < count; ++device)
    {
        cudaSetDevice(device);
        right = right && cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess;
        add<<<32, 128>>>(d_x[device], mapped, N);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
    }
    for (int i = 0; i < N; ++i)
    {
        right = right && pinned[i] == sum + 3 * i * count;
    }
    check("mapped memory of the host", right && cudaFreeHost(pinned) == cudaSuccess);
}

// --- several kernels at once -----------------------------------------------------------------------

__global__ void wait_for(const volatile int *flag, int *x, int value)
{
    while (*flag != value)
    {
    }
    *x = value + 1;
}

__global__ void raise(volatile int *flag, int value)
{
    *flag = value;
}

static void try_at_once()
{
    bool right = true, threads = true;
    int *flag;
    cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocPortable | cudaHostAllocMapped);
    for (int device = 0; device < count; ++device) // loads the kernel on each
    {
        cudaSetDevice(device);
        raise<<<1, 1>>>(flag, 0);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
    }
    for (int device = 1; device < count; ++device)
    {
        cudaSetDevice(0);
        wait_for<<<1, 1>>>(flag, d_x[0], device);
        cudaSetDevice(device);
        raise<<<1, 1>>>(flag, device);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
        int h = 0;
        cudaSetDevice(0);
        right = right && cudaMemcpy(&h, d_x[0], sizeof(h), cudaMemcpyDeviceToHost) == 0 &&
                h == device + 1;
    }
    check("a kernel waits for a kernel of another device", right);
    cudaFreeHost(flag);
    std::thread host[MOST];
    bool good[MOST] = {};
    for (int device = 0; device < count; ++device)
    {
        host[device] = std::thread(
            [&good, device]
            {
                int sum = 0;
                bool all = cudaSetDevice(device) == cudaSuccess;
                for (int i = 1; i <= 50; ++i)
                {
                    int number = 0;
                    fill<<<32, 128>>>(d_x[device], N, i);
                    all = all && cudaMemcpy(&number, d_x[device] + N - 1, sizeof(int),
                                            cudaMemcpyDeviceToHost) == cudaSuccess;
                    sum += number - 3 * (N - 1);
                }
                good[device] = all && sum == 50 * 51 / 2;
            });
    }
    for (int device = 0; device < count; ++device)
    {
        host[device].join();
        threads = threads && good[device];
    }
    check("a host thread for each device", threads);
}

// --- peers -----------------------------------------------------------------------------------------

static void try_peers()
{
    bool can_right = true, enables = true, twice = true, reaches = true, disables = true;
    for (int a = 0; a < count; ++a)
    {
        cudaSetDevice(a);
        for (int b = 0; b < count; ++b)
        {
            int can = -1, supported = -1;
            can_right = can_right && cudaDeviceCanAccessPeer(&can, a, b) == cudaSuccess;
            if (a == b)
            {
                can_right = can_right && can == 0 &&
                            is_error(cudaDeviceGetP2PAttribute(&supported,
                                                               cudaDevP2PAttrAccessSupported, a, b),
                                     cudaErrorInvalidDevice);
                continue;
            }
            can_right = can_right &&
                        cudaDeviceGetP2PAttribute(&supported, cudaDevP2PAttrAccessSupported, a,
                                                  b) == cudaSuccess &&
                        supported == can;
            if (!can)
            {
                continue;
            }
            disables =
                disables && is_error(cudaDeviceDisablePeerAccess(b), cudaErrorPeerAccessNotEnabled);
            enables = enables && cudaDeviceEnablePeerAccess(b, 0) == cudaSuccess &&
                      cudaGetLastError() == cudaSuccess;
            twice = twice &&
                    is_error(cudaDeviceEnablePeerAccess(b, 0), cudaErrorPeerAccessAlreadyEnabled);
            start(b, a); // a reads what b has, and writes it there again
            cudaSetDevice(b);
            cudaMemset(d_y[b], 0, BYTES);
            cudaDeviceSynchronize();
            cudaSetDevice(a);
            cudaMemset(d_y[a], 0, BYTES);
            add<<<32, 128>>>(d_x[b], d_y[a], N);
            add<<<32, 128>>>(d_y[a], d_y[b], N);
            reaches = reaches && cudaDeviceSynchronize() == cudaSuccess &&
                      is_filled(d_y[a], 7 * b + a) && is_filled(d_y[b], 7 * b + a);
            disables = disables && cudaDeviceDisablePeerAccess(b) == cudaSuccess &&
                       is_error(cudaDeviceDisablePeerAccess(b), cudaErrorPeerAccessNotEnabled);
        }
    }
    check("who can reach whom", can_right);
    check("access is enabled", enables);
    check("but not twice", twice);
    check("a kernel reads and writes the peer's memory", reaches);
    check("access is disabled, once", disables);
    check("no such peer", is_error(cudaDeviceEnablePeerAccess(count, 0), cudaErrorInvalidDevice) &&
                              is_error(cudaDeviceDisablePeerAccess(count), cudaErrorInvalidDevice));
}

// --- the end of one --------------------------------------------------------------------------------

static void try_reset()
{
    bool right = true;
    for (int device = 0; device < count; ++device)
    {
        cudaSetDevice(device);
        fill<<<32, 128>>>(d_x[device], N, device);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
    }
    right = right && cudaSetDevice(count - 1) == cudaSuccess && cudaDeviceReset() == cudaSuccess;
    for (int device = 0; device < count - 1; ++device)
    {
        cudaSetDevice(device);
        right = right && is_filled(d_x[device], device);
    }
    right = right && cudaSetDevice(count - 1) == cudaSuccess &&
            cudaMalloc(&d_x[count - 1], BYTES) == cudaSuccess;
    fill<<<32, 128>>>(d_x[count - 1], N, 1);
    check("a reset of one leaves the others alone", right && is_filled(d_x[count - 1], 1));
    d_y[count - 1] = NULL; // the reset freed it
    for (int device = 0; device < count; ++device)
    {
        cudaFree(d_x[device]);
        cudaFree(d_y[device]);
    }
}

int main()
{
    try_numbers();
    try_memory();
    try_streams();
    try_copies();
    try_shared();
    try_at_once();
    try_peers();
    try_reset();
    return num_wrong != 0;
}
