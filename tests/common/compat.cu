// compat: attributes, and prefetch and advice of chapter 13, by one name on every CUDA version

#include "../../common/compare.cuh"
#include "../../common/compat.cuh"
#include "../../common/error.cuh"
#include "../../ch13_unified/unified.cuh"

__global__ void add_one(int *x, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        x[n] += 1;
    }
}

int main(void)
{
    const int N = 1000;
    int device, *x, right[N];
    CHECK(cudaGetDevice(&device));
    CHECK(cudaMallocManaged(&x, N * sizeof(int)));
    for (int n = 0; n < N; ++n)
    {
        x[n] = n;
        right[n] = n + 1;
    }
    // A device without concurrent managed access refuses both: then they change nothing.
    if (device_attribute(cudaDevAttrConcurrentManagedAccess, device))
    {
        CHECK(cudaMemAdvise(x, N * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
        CHECK(cudaMemAdvise(x, N * sizeof(int), cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
        CHECK(cudaMemPrefetchAsync(x, N * sizeof(int), device, NULL));
    }
    add_one<<<(N + 127) / 128, 128>>>(x, N);
    CHECK_LAUNCH();
    if (device_attribute(cudaDevAttrConcurrentManagedAccess, device))
    {
        CHECK(cudaMemPrefetchAsync(x, N * sizeof(int), cudaCpuDeviceId, NULL));
    }
    CHECK(cudaDeviceSynchronize());
    check_elements("managed memory after its travels", x, right, N);
    check_true("attributes", device_attribute(cudaDevAttrMaxThreadsPerBlock, device) >= 1024);
    CHECK(cudaFree(x));
    return verdict();
}
