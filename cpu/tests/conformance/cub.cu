// CUB: collectives of a block and of a warp, reductions and scans of a device. All numbers are
// integers, so the order of additions changes nothing.
#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <vector>
#include "expect.cuh"

__host__ __device__ int element(int i)
{
    return i * 7919 % 1009 - 504;
}

__device__ int thread_number()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// 24 bytes, and an operation that does not commute: a line y -> a y + b, and how many.
struct Line
{
    unsigned long long a, b, count;

    __host__ __device__ bool operator==(const Line &other) const
    {
        return a == other.a && b == other.b && count == other.count;
    }
};

__host__ __device__ Line line(int i)
{
    return {2ull * i + 1, 3ull * i + 5, 1};
}

struct Compose
{
    __host__ __device__ Line operator()(const Line &first, const Line &second) const
    {
        return {second.a * first.a, second.a * first.b + second.b, first.count + second.count};
    }
};

// The lines begin ... end - 1, one after the other.
__host__ __device__ __noinline__ Line lines(int begin, int end)
{
    Line all = line(begin);
    for (int i = begin + 1; i < end; ++i)
    {
        all = Compose()(all, line(i));
    }
    return all;
}

__host__ __device__ __noinline__ int sum(int begin, int end)
{
    int all = 0;
    for (int i = begin; i < end; ++i)
    {
        all += element(i);
    }
    return all;
}

struct Larger
{
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

__host__ __device__ __noinline__ int largest(int begin, int end)
{
    int all = element(begin);
    for (int i = begin + 1; i < end; ++i)
    {
        all = Larger()(all, element(i));
    }
    return all;
}

// ---- load and store ----

const int ITEMS = 3;

template <int ITEM_OF, int THREADS>
__device__ int place(int thread, int i)
{
    return ITEM_OF ? thread + i * THREADS : thread * ITEMS + i;
}

template <int X, int Y, int Z, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
__global__ void load_store(const int *x, int *y, int *part, int valid)
{
    typedef cub::BlockLoad<int, X, ITEMS, LOAD, Y, Z> Load;
    typedef cub::BlockStore<int, X, ITEMS, STORE, Y, Z> Store;
    __shared__ union
    {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    const int THREADS = X * Y * Z, tid = thread_number();
    const bool LOADS_STRIPED = LOAD == cub::BLOCK_LOAD_STRIPED;
    const bool STORES_STRIPED = STORE == cub::BLOCK_STORE_STRIPED;
    int items[ITEMS];
    Load(storage.load).Load(x, items);
    for (int i = 0; i < ITEMS; ++i)
    {
        EXPECT(items[i] == element(place<LOADS_STRIPED, THREADS>(tid, i)));
    }
    __syncthreads();
    Load(storage.load).Load(x, items, valid, -1000);
    for (int i = 0; i < ITEMS; ++i)
    {
        const int n = place<LOADS_STRIPED, THREADS>(tid, i);
        EXPECT(items[i] == (n < valid ? element(n) : -1000));
    }
    __syncthreads();
    Load(storage.load).Load(x, items, valid);
    for (int i = 0; i < ITEMS; ++i)
    {
        const int n = place<LOADS_STRIPED, THREADS>(tid, i);
        EXPECT(n >= valid || items[i] == element(n));
        items[i] = 10 * place<STORES_STRIPED, THREADS>(tid, i);
    }
    __syncthreads();
    int copy[ITEMS] = {items[0], items[1], items[2]};
    Store(storage.store).Store(y, items);
    __syncthreads();
    Store(storage.store).Store(part, copy, valid);
}

template <int X, int Y, int Z, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
void try_load_store(const char *name)
{
    const int N = X * Y * Z * ITEMS, valid = N - 77;
    int *x, *y, *part;
    cudaMallocManaged(&x, N * sizeof(int));
    cudaMallocManaged(&y, N * sizeof(int));
    cudaMallocManaged(&part, N * sizeof(int));
    for (int n = 0; n < N; ++n)
    {
        x[n] = element(n);
        y[n] = part[n] = -7;
    }
    load_store<X, Y, Z, LOAD, STORE><<<1, dim3(X, Y, Z)>>>(x, y, part, valid);
    report(name);
    bool right = true;
    for (int n = 0; n < N; ++n)
    {
        right = right && y[n] == 10 * n && part[n] == (n < valid ? 10 * n : -7);
    }
    check("  what is stored", right);
    cudaFree(x);
    cudaFree(y);
    cudaFree(part);
}

// ---- blocks ----

template <int X, int Y, int Z, cub::BlockReduceAlgorithm ALGORITHM>
__global__ void block_reduce()
{
    typedef cub::BlockReduce<int, X, ALGORITHM, Y, Z> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    const int THREADS = X * Y * Z, tid = thread_number();
    int result = Reduce(storage).Sum(element(tid));
    EXPECT(tid != 0 || result == sum(0, THREADS));
    for (int valid : {1, 31, 32, 33, THREADS - 1, THREADS})
    {
        __syncthreads();
        result = Reduce(storage).Sum(element(tid), valid);
        EXPECT(tid != 0 || result == sum(0, valid));
        __syncthreads();
        result = Reduce(storage).Reduce(element(tid), Larger(), valid);
        EXPECT(tid != 0 || result == largest(0, valid));
    }
    __syncthreads();
    int items[] = {element(2 * tid), element(2 * tid + 1)};
    result = Reduce(storage).Sum(items);
    EXPECT(tid != 0 || result == sum(0, 2 * THREADS));
    result = Reduce().Reduce(items, Larger()); // in storage of its own
    EXPECT(tid != 0 || result == largest(0, 2 * THREADS));
}

// Asks whether a warp calls it as a whole, with the aggregate of the block.
struct Prefix
{
    int total;

    __device__ int operator()(int aggregate)
    {
        EXPECT(thread_number() < 32);
        __syncwarp();
        const int before = total;
        total += aggregate;
        return before;
    }
};

struct LinePrefix
{
    Line total;

    __device__ Line operator()(Line aggregate)
    {
        const Line before = total;
        total = Compose()(total, aggregate);
        return before;
    }
};

template <int X, int Y, int Z, cub::BlockScanAlgorithm ALGORITHM>
__global__ void block_scan()
{
    typedef cub::BlockScan<int, X, ALGORITHM, Y, Z> Scan;
    __shared__ typename Scan::TempStorage storage;
    const int THREADS = X * Y * Z, tid = thread_number();
    const int x = element(tid), before = sum(0, tid), all = sum(0, THREADS);
    int y = 0, aggregate = 0;
    Scan(storage).InclusiveSum(x, y);
    EXPECT(y == before + x);
    __syncthreads();
    Scan(storage).InclusiveSum(x, y, aggregate);
    EXPECT(y == before + x && aggregate == all);
    __syncthreads();
    Scan(storage).ExclusiveSum(x, y);
    EXPECT(y == before);
    __syncthreads();
    Scan(storage).ExclusiveSum(x, y, aggregate);
    EXPECT(y == before && aggregate == all);
    __syncthreads();
    Scan(storage).InclusiveScan(x, y, Larger());
    EXPECT(y == largest(0, tid + 1));
    __syncthreads();
    Scan(storage).InclusiveScan(x, y, Larger(), aggregate);
    EXPECT(y == largest(0, tid + 1) && aggregate == largest(0, THREADS));
    __syncthreads();
    Scan(storage).ExclusiveScan(x, y, 300, Larger());
    EXPECT(y == (tid > 0 ? Larger()(300, largest(0, tid)) : 300));
    __syncthreads();
    Scan(storage).ExclusiveScan(x, y, 300, Larger(), aggregate);
    EXPECT(y == (tid > 0 ? Larger()(300, largest(0, tid)) : 300));
    EXPECT(aggregate == largest(0, THREADS));
    __syncthreads();
    Scan(storage).ExclusiveScan(x, y, Larger());
    EXPECT(tid == 0 || y == largest(0, tid));

    // Tile after tile, with what came before in a callback.
    Prefix prefix = {7}, other = {-2000};
    for (int tile = 0; tile < 3; ++tile)
    {
        const int n = tile * THREADS + tid;
        __syncthreads();
        Scan(storage).InclusiveSum(element(n), y, prefix);
        EXPECT(y == 7 + sum(0, n + 1));
        __syncthreads();
        Scan(storage).ExclusiveSum(element(n), y, other);
        EXPECT(y == -2000 + sum(0, n));
    }

    // Arrays of items, in place.
    int items[] = {element(2 * tid), element(2 * tid + 1)};
    __syncthreads();
    Scan(storage).InclusiveSum(items, items, aggregate);
    EXPECT(items[0] == sum(0, 2 * tid + 1) && items[1] == sum(0, 2 * tid + 2));
    EXPECT(aggregate == sum(0, 2 * THREADS));
    items[0] = element(2 * tid), items[1] = element(2 * tid + 1);
    __syncthreads();
    Scan(storage).ExclusiveSum(items, items);
    EXPECT(items[0] == sum(0, 2 * tid) && items[1] == sum(0, 2 * tid + 1));
    items[0] = element(2 * tid), items[1] = element(2 * tid + 1);
    __syncthreads();
    Scan(storage).ExclusiveScan(items, items, -5, Larger());
    EXPECT(items[0] == (tid > 0 ? Larger()(-5, largest(0, 2 * tid)) : -5));
    EXPECT(items[1] == Larger()(-5, largest(0, 2 * tid + 1)));
    items[0] = element(2 * tid), items[1] = element(2 * tid + 1);
    Prefix third = {11};
    __syncthreads();
    Scan(storage).ExclusiveSum(items, items, third);
    EXPECT(items[0] == 11 + sum(0, 2 * tid) && items[1] == 11 + sum(0, 2 * tid + 1));
}

// What does not commute, and is larger than a shuffle.
__global__ void block_lines()
{
    const int THREADS = 96, tid = threadIdx.x;
    typedef cub::BlockReduce<Line, THREADS> Reduce;
    typedef cub::BlockScan<Line, THREADS> Scan;
    __shared__ union
    {
        Reduce::TempStorage reduce;
        Scan::TempStorage scan;
    } storage;
    for (int valid : {1, 40, 64, THREADS})
    {
        const Line all = Reduce(storage.reduce).Reduce(line(tid), Compose(), valid);
        EXPECT(tid != 0 || all == lines(0, valid));
        __syncthreads();
    }
    LinePrefix prefix = {line(1000)};
    for (int tile = 0; tile < 3; ++tile)
    {
        const int n = tile * THREADS + tid;
        Line result;
        Scan(storage.scan).ExclusiveScan(line(n), result, Compose(), prefix);
        EXPECT(result == (n > 0 ? Compose()(line(1000), lines(0, n)) : line(1000)));
        __syncthreads();
    }
    Line many[] = {line(2 * tid), line(2 * tid + 1)};
    Scan(storage.scan).InclusiveScan(many, many, Compose());
    EXPECT(many[0] == lines(0, 2 * tid + 1) && many[1] == lines(0, 2 * tid + 2));
}

// ---- sorting ----

const int SORT_THREADS = 64, SORT_ITEMS = 5, SORTED = SORT_THREADS * SORT_ITEMS;

enum How
{
    ASCENDING,
    DESCENDING,
    STRIPED,
    DESCENDING_STRIPED
};

template <typename Key>
__global__ void sort_block(const Key *x, Key *keys, int *values, How how, int begin, int end)
{
    typedef cub::BlockRadixSort<Key, SORT_THREADS, SORT_ITEMS, int> Sort;
    typedef cub::BlockRadixSort<Key, SORT_THREADS, SORT_ITEMS> SortKeys;
    __shared__ union
    {
        typename Sort::TempStorage pairs;
        typename SortKeys::TempStorage keys;
    } storage;
    const int tid = threadIdx.x;
    Key own[SORT_ITEMS], alone[SORT_ITEMS];
    int places[SORT_ITEMS];
    for (int i = 0; i < SORT_ITEMS; ++i)
    {
        places[i] = tid * SORT_ITEMS + i;
        own[i] = alone[i] = x[places[i]];
    }
    switch (how)
    {
    case ASCENDING:
        Sort(storage.pairs).Sort(own, places, begin, end);
        __syncthreads();
        SortKeys(storage.keys).Sort(alone, begin, end);
        break;
    case DESCENDING:
        Sort(storage.pairs).SortDescending(own, places, begin, end);
        __syncthreads();
        SortKeys(storage.keys).SortDescending(alone, begin, end);
        break;
    case STRIPED:
        Sort(storage.pairs).SortBlockedToStriped(own, places, begin, end);
        __syncthreads();
        SortKeys(storage.keys).SortBlockedToStriped(alone, begin, end);
        break;
    case DESCENDING_STRIPED:
        Sort(storage.pairs).SortDescendingBlockedToStriped(own, places, begin, end);
        __syncthreads();
        SortKeys(storage.keys).SortDescendingBlockedToStriped(alone, begin, end);
        break;
    }
    for (int i = 0; i < SORT_ITEMS; ++i)
    {
        const int n = how >= STRIPED ? tid + i * SORT_THREADS : tid * SORT_ITEMS + i;
        keys[n] = own[i];
        values[n] = places[i];
        EXPECT(own[i] == alone[i]);
    }
}

// Bits that count, of integers.
template <typename Key>
unsigned long long counted_bits(Key key, int begin, int end)
{
    const int size = 8 * sizeof(Key);
    unsigned long long bits = 0;
    memcpy(&bits, &key, sizeof(Key));
    bits ^= Key(-1) < Key(0) ? 1ull << (size - 1) : 0;
    return begin == 0 && end == 64 ? bits : bits >> begin & ((1ull << (end - begin)) - 1);
}

// -1, 0 or 1, as the keys are ordered.
template <typename Key>
int compare_keys(Key a, Key b, int begin, int end)
{
    if (Key(0.5) != Key(0))
    {
        return (a > b) - (a < b);
    }
    const unsigned long long p = counted_bits(a, begin, end), q = counted_bits(b, begin, end);
    return (p > q) - (p < q);
}

template <typename Key>
void try_sort(const char *name, std::vector<Key> x, int begin = 0, int end = 8 * sizeof(Key))
{
    Key *d_x, *keys;
    int *values;
    cudaMallocManaged(&d_x, SORTED * sizeof(Key));
    cudaMallocManaged(&keys, SORTED * sizeof(Key));
    cudaMallocManaged(&values, SORTED * sizeof(int));
    memcpy(d_x, x.data(), SORTED * sizeof(Key));
    bool right = true;
    for (How how : {ASCENDING, DESCENDING, STRIPED, DESCENDING_STRIPED})
    {
        const bool descending = how == DESCENDING || how == DESCENDING_STRIPED;
        std::vector<int> order(SORTED);
        for (int n = 0; n < SORTED; ++n)
        {
            order[n] = n;
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b)
                         {
                             const int sign = compare_keys(x[a], x[b], begin, end);
                             return descending ? sign > 0 : sign < 0;
                         });
        sort_block<<<1, SORT_THREADS>>>(d_x, keys, values, how, begin, end);
        right = right && cudaDeviceSynchronize() == cudaSuccess;
        for (int n = 0; n < SORTED; ++n) // to the bit, for -0 is not 0
        {
            right =
                right && values[n] == order[n] && memcmp(&keys[n], &x[order[n]], sizeof(Key)) == 0;
        }
    }
    cudaFree(d_x);
    cudaFree(keys);
    cudaFree(values);
    report(name);
    check("  order, values and bits", right);
}

// Few different numbers, among them the largest and the smallest, in both signs.
template <typename Key>
std::vector<Key> some_keys(Key lowest, Key highest)
{
    std::vector<Key> x(SORTED);
    for (int n = 0; n < SORTED; ++n)
    {
        x[n] = n % 29 == 0 ? lowest : n % 31 == 0 ? highest : Key(element(n) % 60);
    }
    return x;
}

template <typename Key>
std::vector<Key> some_floats()
{
    std::vector<Key> x(SORTED);
    for (int n = 0; n < SORTED; ++n)
    {
        const Key special[] = {Key(0.0), Key(-0.0), Key(INFINITY), Key(-INFINITY), Key(1e-30)};
        x[n] = n % 3 == 0 ? special[n / 3 % 5] : Key(element(n) % 60) / 8;
    }
    return x;
}

// ---- warps ----

template <int WIDTH>
__global__ void warps()
{
    typedef cub::WarpReduce<int, WIDTH> Reduce;
    typedef cub::WarpScan<int, WIDTH> Scan;
    __shared__ union
    {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } all_storage[64];
    const bool power_of_two = (WIDTH & (WIDTH - 1)) == 0;
    const int lane = threadIdx.x % 32;
    if (!power_of_two && lane >= WIDTH)
    {
        return; // a warp holds one logical warp
    }
    const unsigned mask = WIDTH == 32    ? 0xffffffffu
                          : power_of_two ? ((1u << WIDTH) - 1) << lane / WIDTH * WIDTH
                                         : (1u << WIDTH) - 1;
    const int at = lane % WIDTH, number = threadIdx.x / 32 * 32 + lane / WIDTH;
    auto &storage = all_storage[number % 64];
    const int first = threadIdx.x - at, n = threadIdx.x, end = first + WIDTH;
    int result = Reduce(storage.reduce).Sum(element(n));
    EXPECT(at != 0 || result == sum(first, end));
    __syncwarp(mask);
    result = Reduce(storage.reduce).Reduce(element(n), Larger());
    EXPECT(at != 0 || result == largest(first, end));
    for (int valid = 1; valid <= WIDTH; ++valid)
    {
        __syncwarp(mask);
        result = Reduce(storage.reduce).Sum(element(n), valid);
        EXPECT(at != 0 || result == sum(first, first + valid));
    }

    // Segments begin at each number that 3 divides, and at the beginning.
    int last = n + 1;
    while (last < end && last % 3 != 0)
    {
        ++last;
    }
    const bool is_head = at == 0 || n % 3 == 0;
    __syncwarp(mask);
    result = Reduce(storage.reduce).HeadSegmentedSum(element(n), n % 3 == 0);
    EXPECT(!is_head || result == sum(n, last));
    __syncwarp(mask);
    result = Reduce(storage.reduce).TailSegmentedReduce(element(n), n % 3 == 2, Larger());
    EXPECT(!is_head || result == largest(n, last));

    int y = 0, before = 0, aggregate = 0;
    __syncwarp(mask);
    Scan(storage.scan).InclusiveSum(element(n), y);
    EXPECT(y == sum(first, n + 1));
    __syncwarp(mask);
    Scan(storage.scan).InclusiveSum(element(n), y, aggregate);
    EXPECT(y == sum(first, n + 1) && aggregate == sum(first, end));
    __syncwarp(mask);
    Scan(storage.scan).ExclusiveSum(element(n), y);
    EXPECT(y == sum(first, n));
    __syncwarp(mask);
    Scan(storage.scan).ExclusiveSum(element(n), y, aggregate);
    EXPECT(y == sum(first, n) && aggregate == sum(first, end));
    __syncwarp(mask);
    Scan(storage.scan).ExclusiveScan(element(n), y, 100, Larger());
    EXPECT(y == (at > 0 ? Larger()(100, largest(first, n)) : 100));
    __syncwarp(mask);
    Scan(storage.scan).ExclusiveScan(element(n), y, Larger(), aggregate);
    EXPECT((at == 0 || y == largest(first, n)) && aggregate == largest(first, end));
    __syncwarp(mask);
    Scan(storage.scan).Scan(element(n), y, before, -600, Larger());
    EXPECT(y == largest(first, n + 1) && before == (at > 0 ? largest(first, n) : -600));
    __syncwarp(mask);
    EXPECT(Scan(storage.scan).Broadcast(n, WIDTH - 1) == end - 1);
}

// What does not commute, and is larger than a shuffle.
__global__ void warp_lines()
{
    const int WIDTH = 16, n = threadIdx.x, at = n % WIDTH, first = n - at;
    typedef cub::WarpReduce<Line, WIDTH> Reduce;
    typedef cub::WarpScan<Line, WIDTH> Scan;
    __shared__ union
    {
        Reduce::TempStorage reduce;
        Scan::TempStorage scan;
    } all_storage[4];
    auto &storage = all_storage[n / WIDTH];
    for (int valid = 1; valid <= WIDTH; ++valid)
    {
        const Line all = Reduce(storage.reduce).Reduce(line(n), Compose(), valid);
        EXPECT(at != 0 || all == lines(first, first + valid));
        __syncwarp();
    }
    Line up_to_here;
    Scan(storage.scan).InclusiveScan(line(n), up_to_here, Compose());
    EXPECT(up_to_here == lines(first, n + 1));
}

// ---- devices ----

// Both calls.
template <typename Call>
cudaError_t twice(Call call)
{
    void *storage = NULL;
    size_t bytes = 0;
    cudaError_t error = call(storage, bytes);
    if (error == cudaSuccess)
    {
        error = cudaMalloc(&storage, bytes);
    }
    if (error == cudaSuccess)
    {
        error = call(storage, bytes);
    }
    if (error == cudaSuccess)
    {
        error = cudaDeviceSynchronize();
    }
    cudaFree(storage);
    return error;
}

#define TWICE(function, ...)                 \
    (twice([&](void *storage, size_t &bytes) \
           { return cub::function(storage, bytes, __VA_ARGS__); }) == cudaSuccess)

void reduce_and_scan()
{
    const int most = 300001;
    int *x, *y;
    double *large;
    signed char *chars;
    cudaMallocManaged(&x, most * sizeof(int));
    cudaMallocManaged(&y, (most + 1) * sizeof(int));
    cudaMallocManaged(&large, sizeof(double));
    cudaMallocManaged(&chars, most);
    std::vector<int> sums(most + 1, 0), maxima(most + 1, -1000), minima(most + 1, 1000);
    for (int n = 0; n < most; ++n)
    {
        x[n] = element(n % 100000) + n / 1000;
        chars[n] = 100;
        sums[n + 1] = sums[n] + x[n];
        maxima[n + 1] = std::max(maxima[n], x[n]);
        minima[n + 1] = std::min(minima[n], x[n]);
    }
    bool reduced = true, scanned = true, in_place = true, bounded = true;
    for (int n : {1, 2, 31, 1023, 1024, 1025, 4097, 65535, 65536, 65537, 300001})
    {
        const size_t n_bytes = (unsigned)n * sizeof(int); // g++ 14 thinks that n may be negative
        const auto same = [&](const int *reference)
        {
            bounded = bounded && y[n] == 77;
            return memcmp(y, reference, n_bytes) == 0;
        };
        y[n] = 77;
        reduced = reduced && TWICE(DeviceReduce::Sum, x, y, n) && y[0] == sums[n];
        reduced = reduced && TWICE(DeviceReduce::Max, x, y, n) && y[0] == maxima[n];
        reduced = reduced && TWICE(DeviceReduce::Min, x, y, n) && y[0] == minima[n];
        reduced = reduced && TWICE(DeviceReduce::Reduce, x, y, (size_t)n, Larger(), 500) &&
                  y[0] == std::max(500, maxima[n]);
        reduced = reduced && TWICE(DeviceReduce::Reduce, x, y, n, cuda::std::plus<>(), 3) &&
                  y[0] == sums[n] + 3;
        reduced = reduced && TWICE(DeviceReduce::Sum, x, large, n) && large[0] == sums[n];
        scanned = scanned && TWICE(DeviceScan::InclusiveSum, x, y, n) && same(&sums[1]);
        scanned = scanned && TWICE(DeviceScan::ExclusiveSum, x, y, (long long)n) && same(&sums[0]);
        scanned =
            scanned && TWICE(DeviceScan::InclusiveScan, x, y, Larger(), n) && same(&maxima[1]);
        scanned = scanned && TWICE(DeviceScan::ExclusiveScan, x, y, Larger(), -1000, (size_t)n) &&
                  same(&maxima[0]);
        memcpy(y, x, n_bytes);
        in_place = in_place && TWICE(DeviceScan::ExclusiveSum, y, y, n) && same(&sums[0]);
        memcpy(y, x, n_bytes);
        in_place =
            in_place && TWICE(DeviceScan::InclusiveScan, y, y, Larger(), n) && same(&maxima[1]);
        scanned = scanned && TWICE(DeviceScan::InclusiveSum, chars, y, n) && y[n - 1] == 100 * n;
    }
    check("DeviceReduce", reduced);
    check("DeviceScan", scanned);
    check("DeviceScan in place", in_place);
    check("  within bounds", bounded);

    bool none = TWICE(DeviceReduce::Sum, x, y, 0) && y[0] == 0;
    none = none && TWICE(DeviceReduce::Max, x, y, 0) && y[0] == -2147483647 - 1;
    none = none && TWICE(DeviceReduce::Min, x, y, 0) && y[0] == 2147483647;
    none = none && TWICE(DeviceReduce::Reduce, x, y, 0, Larger(), 9) && y[0] == 9;
    y[0] = 55;
    none = none && TWICE(DeviceScan::InclusiveSum, x, y, 0) && y[0] == 55;
    none = none && TWICE(DeviceScan::ExclusiveScan, x, y, Larger(), 0, 0) && y[0] == 55;
    check("no elements", none);

    // The order of an operation that does not commute.
    const int many = 100000;
    Line *all;
    cudaMallocManaged(&all, many * sizeof(Line));
    std::vector<Line> scan(many);
    for (int n = 0; n < many; ++n)
    {
        all[n] = line(n);
        scan[n] = n > 0 ? Compose()(scan[n - 1], line(n)) : line(n);
    }
    check("DeviceScan of lines", TWICE(DeviceScan::InclusiveScan, all, all, Compose(), many) &&
                                     std::equal(scan.begin(), scan.end(), all));
    cudaFree(all);

    // Storage and errors.
    size_t needed = 0;
    void *storage;
    check("the first call asks",
          cub::DeviceScan::InclusiveSum(NULL, needed, x, y, most) == cudaSuccess && needed > 0);
    cudaMalloc(&storage, needed);
    size_t less = needed - 1;
    check("one byte too few",
          cub::DeviceScan::InclusiveSum(storage, less, x, y, most) == cudaErrorInvalidValue);
    cudaGetLastError();

    // In a stream, behind what is there before; and in a graph.
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *d_x, *d_y, last = 0;
    cudaStreamCreate(&stream);
    cudaMalloc(&d_x, most * sizeof(int));
    cudaMalloc(&d_y, most * sizeof(int));
    cudaMemcpyAsync(d_x, x, most * sizeof(int), cudaMemcpyDefault, stream);
    cub::DeviceScan::InclusiveSum(storage, needed, d_x, d_y, most, stream);
    cudaMemcpyAsync(&last, d_y + most - 1, sizeof(int), cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    check("in a stream", last == sums[most]);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cub::DeviceScan::ExclusiveSum(storage, needed, d_y, d_y, most, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaMemcpy(d_y, x, most * sizeof(int), cudaMemcpyDefault);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&last, d_y + most - 1, sizeof(int), cudaMemcpyDefault);
    check("in a graph", last == sums[most - 1]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(storage);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(x);
    cudaFree(y);
    cudaFree(large);
    cudaFree(chars);
}

int main(void)
{
    using namespace cub;
    try_load_store<128, 1, 1, BLOCK_LOAD_STRIPED, BLOCK_STORE_STRIPED>("striped");
    try_load_store<16, 8, 1, BLOCK_LOAD_VECTORIZE, BLOCK_STORE_VECTORIZE>("vectorize, 16x8");
    try_load_store<8, 4, 4, BLOCK_LOAD_TRANSPOSE, BLOCK_STORE_TRANSPOSE>("transpose, 8x4x4");
    try_load_store<128, 1, 1, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE>(
        "warp transpose");

    block_reduce<128, 1, 1, BLOCK_REDUCE_WARP_REDUCTIONS><<<1, 128>>>();
    report("BlockReduce, warp reductions");
    block_reduce<10, 5, 2, BLOCK_REDUCE_RAKING><<<1, dim3(10, 5, 2)>>>();
    report("BlockReduce, raking, 10x5x2");
    block_scan<128, 1, 1, BLOCK_SCAN_RAKING><<<1, 128>>>();
    report("BlockScan, raking");
    block_scan<16, 6, 1, BLOCK_SCAN_WARP_SCANS><<<1, dim3(16, 6)>>>();
    report("BlockScan, warp scans, 16x6");
    block_lines<<<1, 96>>>();
    report("blocks and lines");

    try_sort("sort int", some_keys<int>(-2147483647 - 1, 2147483647));
    try_sort("sort unsigned, bits 3 to 11", some_keys<unsigned>(0, 0xffffffffu), 3, 12);
    try_sort("sort float", some_floats<float>());
    try_sort("sort double", some_floats<double>());

    warps<32><<<1, 128>>>();
    report("warps of 32");
    warps<8><<<1, 64>>>();
    report("warps of 8");
    warps<20><<<1, 64>>>();
    report("warps of 20");
    warp_lines<<<1, 64>>>();
    report("warps and lines");

    reduce_and_scan();
    return num_wrong > 0;
}
