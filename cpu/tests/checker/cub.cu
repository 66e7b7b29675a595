// Between two uses of CUB's storage a barrier has to stand, whatever the two are. What CUB's own kernels
// find is told at the call.
#include <cub/cub.cuh>
#include <stdio.h>

const int THREADS = 128, ITEMS = 4;
typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> Load;
typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE> Store;
typedef cub::BlockRadixSort<int, THREADS, ITEMS> Sort;
typedef cub::BlockScan<int, THREADS> Scan;
typedef cub::BlockReduce<int, THREADS> Reduce;
union Storage
{
    Load::TempStorage load;
    Store::TempStorage store;
    Sort::TempStorage sort;
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
};

struct Total
{
    int total;
    __device__ int operator()(int sum)
    {
        const int before = total;
        total += sum;
        return before;
    }
};

// Each with a barrier behind it: right.
__global__ void all(int *x)
{
    __shared__ Storage s;
    Total total = {0};
    int items[ITEMS];
    for (int i = 0; i < 2; ++i)
    {
        Load(s.load).Load(x, items);
        __syncthreads();
        Sort(s.sort).Sort(items);
        __syncthreads();
        Scan(s.scan).InclusiveSum(items, items);
        __syncthreads();
        Scan(s.scan).ExclusiveSum(items, items, total);
        __syncthreads();
        const int sum = Reduce(s.reduce).Sum(items[0]);
        __syncthreads();
        items[0] += threadIdx.x == 0 ? sum : 0;
        Store(s.store).Store(x, items);
        __syncthreads();
    }
}

__global__ void load_and_sort(int *x)
{
    __shared__ Storage s;
    int items[ITEMS];
    Load(s.load).Load(x, items); // race:sorted
    Sort(s.sort).Sort(items);    // race:sorted
    __syncthreads();
    Store(s.store).Store(x, items);
}

__global__ void store_and_load(int *x)
{
    __shared__ Storage s;
    int items[ITEMS] = {};
    Store(s.store).Store(x, items);                // race:loaded
    Load(s.load).Load(x + THREADS * ITEMS, items); // race:loaded
    x[threadIdx.x + 2 * THREADS * ITEMS] = items[0];
}

__global__ void reduce_twice(int *x)
{
    __shared__ Reduce::TempStorage s;
    const int a = Reduce(s).Sum(x[threadIdx.x]); // race:reduced
    const int b = Reduce(s).Sum(threadIdx.x);    // race:reduced
    if (threadIdx.x == 0)
    {
        x[THREADS] = a + b;
    }
}

__global__ void scan_and_store(int *x)
{
    __shared__ Storage s;
    int items[ITEMS] = {1, 2, 3, 4};
    Scan(s.scan).ExclusiveSum(items, items); // race:stored
    __syncwarp();
    Store(s.store).Store(x, items); // race:stored
}

int main()
{
    int *x;
    cudaMalloc(&x, 3 * THREADS * ITEMS * sizeof(int));
    cudaMemset(x, 0, 3 * THREADS * ITEMS * sizeof(int));
    all<<<1, THREADS>>>(x);
    load_and_sort<<<1, THREADS>>>(x);
    store_and_load<<<1, THREADS>>>(x);
    reduce_twice<<<1, THREADS>>>(x);
    scan_and_store<<<1, THREADS>>>(x);
    int *unwritten, *sum;
    size_t bytes = 0;
    cudaMalloc(&unwritten, 100 * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cub::DeviceReduce::Sum(NULL, bytes, unwritten, sum, 100);
    void *storage;
    cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Sum(storage, bytes, unwritten, sum, 100); // never-written:reduced
    cudaDeviceSynchronize();
    cudaFree(storage);
    cudaFree(unwritten);
    cudaFree(sum);
    cudaFree(x);
    return 0;
}
