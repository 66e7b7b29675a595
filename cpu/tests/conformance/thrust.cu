// Thrust: execution policies, vectors and pointers, between kernels in every stream.
// Uses: Thrust
#include <iostream>
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>
#include "expect.cuh"

const int N = 1000;

__global__ void add_number(int *x, int n, int number)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        x[i] += number;
    }
}

__global__ void expect_sums(const int *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        EXPECT(sums[i] == (i + 1) * (i + 2) / 2);
    }
}

struct Square
{
    __host__ __device__ int operator()(int x) const
    {
        return x * x;
    }
};

// Keys as a kernel leaves them: 7 i mod 1000, each once.
__global__ void shuffle(int *keys, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        keys[i] = 7 * i % n;
    }
}

// Raw pointers, with thrust::device: between two kernels, without a word of synchronization.
static void try_pointers(void)
{
    int *d_x = NULL, *d_y = NULL, h_y[N];
    cudaMalloc(&d_x, N * sizeof(int));
    cudaMalloc(&d_y, N * sizeof(int));
    thrust::sequence(thrust::device, d_x, d_x + N);
    add_number<<<(N + 127) / 128, 128>>>(d_x, N, 1);
    thrust::inclusive_scan(thrust::device, d_x, d_x + N, d_y);
    expect_sums<<<(N + 127) / 128, 128>>>(d_y, N);
    report("a scan through pointers, between two kernels");
    cudaMemcpy(h_y, d_y, sizeof(h_y), cudaMemcpyDeviceToHost);
    check("its result on the host", h_y[0] == 1 && h_y[N - 1] == N * (N + 1) / 2);
    check("a reduction", thrust::reduce(thrust::device, d_x, d_x + N) == N * (N + 1) / 2);

    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    add_number<<<(N + 127) / 128, 128, 0, stream>>>(d_x, N, 2);
    const int sum = thrust::reduce(thrust::cuda::par.on(stream), d_x, d_x + N);
    check("a reduction in a stream", sum == N * (N + 1) / 2 + 2 * N);
    add_number<<<(N + 127) / 128, 128, 0, stream>>>(d_x, N, -2);
    thrust::transform(thrust::cuda::par_nosync.on(stream), d_x, d_x + N, d_x, Square());
    cudaStreamSynchronize(stream);
    check("a transform in a stream that does not wait",
          thrust::reduce(thrust::device, d_x, d_x + N) == N * (N + 1) / 2 * (2 * N + 1) / 3);
    cudaStreamDestroy(stream);

    const thrust::device_ptr<int> x(d_x);
    shuffle<<<(N + 127) / 128, 128>>>(d_x, N);
    thrust::sort(x, x + N);
    check("a device_ptr", x[0] == 0 && x[N - 1] == N - 1 && x.get() == d_x);
    cudaFree(d_x);
    cudaFree(d_y);

    thrust::device_ptr<int> own = thrust::device_malloc<int>(N);
    thrust::sequence(own, own + N);
    add_number<<<(N + 127) / 128, 128>>>(thrust::raw_pointer_cast(own), N, 1);
    check("device_malloc", thrust::reduce(own, own + N) == N * (N + 1) / 2);
    thrust::device_free(own);
}

static void try_vectors(void)
{
    thrust::device_vector<int> x(N, 0), y(N, 0);
    for (int i = 0; i < 10; ++i)
    {
        x[i] = i + 1;
    }
    thrust::inclusive_scan(x.begin(), x.end(), y.begin());
    for (int i = 0; i < 10; ++i)
    {
        std::cout << y[i] << " ";
    }
    std::cout << (int)y[N - 1] << std::endl;

    int *raw = thrust::raw_pointer_cast(x.data()), first = 0;
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, raw);
    check("a device_vector is device memory", attributes.type == cudaMemoryTypeDevice);
    add_number<<<(N + 127) / 128, 128>>>(raw, N, 5);
    check("after a kernel has written into it", x[0] == 6 && x[N - 1] == 5);
    check("copied by cudaMemcpy",
          cudaMemcpy(&first, raw, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess &&
              first == 6);

    thrust::host_vector<int> h(x);
    h[1] = 99;
    x = h;
    thrust::copy(h.begin(), h.begin() + 2, y.begin() + 2);
    check("to the host and back", x[1] == 99 && y[2] == 6 && y[3] == 99 && y[4] == 15);
    x.resize(2 * N, 4);
    x.push_back(3);
    check("longer", x.size() == 2 * N + 1 && x[N] == 4 && x.back() == 3 && x[1] == 99);

    thrust::universal_vector<int> both(N, 1);
    add_number<<<(N + 127) / 128, 128>>>(thrust::raw_pointer_cast(both.data()), N, 1);
    cudaDeviceSynchronize();
    check("a universal_vector", thrust::raw_pointer_cast(both.data())[N - 1] == 2);
    check("too large",
          []
          {
              try
              {
                  thrust::device_vector<char> huge((size_t)1 << 50);
              }
              catch (const std::bad_alloc &)
              {
                  cudaGetLastError();
                  return true;
              }
              return false;
          }());
}

// thrust::device_malloc gives device memory.
static void try_malloc(void)
{
    const thrust::device_ptr<int> x = thrust::device_malloc<int>(N);
    const thrust::device_ptr<void> bytes = thrust::device_malloc(64);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, x.get());
    check("device_malloc", attributes.type == cudaMemoryTypeDevice && bytes.get() != NULL);
    thrust::fill(x, x + N, 5);
    add_number<<<(N + 127) / 128, 128>>>(x.get(), N, 2);
    int h_x = 0;
    const cudaError_t error =
        cudaMemcpy(&h_x, x.get() + N - 1, sizeof(h_x), cudaMemcpyDeviceToHost);
    check("its content", error == cudaSuccess && h_x == 7 && x[0] == 7);
    thrust::device_free(bytes);
    thrust::device_free(x);
    check("device_free", cudaDeviceSynchronize() == cudaSuccess);
}

static void try_sorts(void)
{
    thrust::device_vector<int> keys(N), values(N), order(N), sorted(N);
    shuffle<<<(N + 127) / 128, 128>>>(thrust::raw_pointer_cast(keys.data()), N);
    values = keys;
    thrust::sequence(order.begin(), order.end());
    const thrust::device_vector<int> unsorted = keys;
    thrust::stable_sort_by_key(keys.begin(), keys.end(), order.begin());
    thrust::gather(order.begin(), order.end(), values.begin(), sorted.begin());
    check("a sort by keys, and a gather", keys == sorted && sorted[N - 1] == N - 1);

    keys = unsorted;
    values = unsorted;
    thrust::sort_by_key(
        keys.begin(), keys.end(),
        thrust::make_zip_iterator(thrust::make_tuple(values.begin(), order.begin())));
    check("with two arrays of values", keys == values && values[1] == 1);
    thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
    check("descending", keys[0] == N - 1 && keys[N - 1] == 0);
    const int squares = thrust::transform_reduce(thrust::device, thrust::counting_iterator<int>(1),
                                                 thrust::counting_iterator<int>(11), Square(), 0,
                                                 thrust::plus<int>());
    check("a counting_iterator", squares == 385);
}

int main()
{
    try_pointers();
    try_vectors();
    try_malloc();
    try_sorts();
    return num_wrong != 0;
}
