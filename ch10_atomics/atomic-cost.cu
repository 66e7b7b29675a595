// atomic-cost: what additions to few and to many numbers cost, by atomicAdd and by compare-and-swap
//
// From:    section 10.2, Listing 10.2
// Compile: nvcc -O3 atomic-cost.cu
// Run:     ./a.out -n 4194304
//
// The threads add to 1, 32, 1024 or N sums. Up to 1024 threads share a sum. All additions to one
// sum are done one after the other, so the rate grows with the number of sums.

#include <algorithm>
#include <stdio.h>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"

typedef unsigned long long uint64;

const unsigned ADDS = 16;    // of each thread
const unsigned CROWD = 1024; // the most threads that add to one address

// Listing 10.2. Every other function can be made from compare-and-swap. If the word is no longer
// what the sum was made from, another thread has changed it, and the loop makes the sum again.
// Integers are compared: a NaN is not equal to itself, so comparing doubles could loop for ever.
__device__ double add_by_cas(double *address, double val)
{
    uint64 *address_as_ull = (uint64 *)address;
    uint64 old = *address_as_ull, assumed;
    do
    {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed,
                        __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

// Thread n adds to sum n % addresses. With one address, all lanes of a warp add to the same sum.
// With 32, each lane has its own sum, but every warp adds to the same 32.
template <typename T>
__global__ void add_many(T *sums, unsigned addresses, unsigned N)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    for (unsigned i = 0; n < N && i < ADDS; ++i)
    {
        atomicAdd(&sums[n % addresses], (T)(1 + n % 3));
    }
}

__global__ void add_many_by_cas(double *sums, unsigned addresses, unsigned N)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    for (unsigned i = 0; n < N && i < ADDS; ++i)
    {
        add_by_cas(&sums[n % addresses], (double)(1 + n % 3));
    }
}

// Returns how many adds happen in a second, in 10^9, and notes in *right if a sum is wrong.
template <typename T>
double time_adds(void (*kernel)(T *, unsigned, unsigned), unsigned addresses, bool *right)
{
    const unsigned N = std::min<size_t>(args.N, (size_t)CROWD * addresses);
    const unsigned block_size = args.block_x, grid_size = (N - 1) / block_size + 1;
    std::vector<T> sums(addresses), expected(addresses);
    for (unsigned n = 0; n < N; ++n)
    {
        expected[n % addresses] += ADDS * (1 + n % 3); // small integers: exact in any order
    }
    const size_t bytes = addresses * sizeof(T);
    T *d_sums;
    CHECK(cudaMalloc(&d_sums, bytes));
    const Timing time =
        time_kernel([&] { kernel<<<grid_size, block_size>>>(d_sums, addresses, N); }, args.repeats,
                    [&] { CHECK(cudaMemset(d_sums, 0, bytes)); });
    CHECK(cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    *right = *right && sums == expected;
    return (double)N * ADDS / time.median * 1e-6;
}

// A row of the table.
template <typename T>
void show_rates(const char *name, void (*kernel)(T *, unsigned, unsigned))
{
    bool right = true;
    printf("%-14s", name);
    for (const size_t most : {(size_t)1, (size_t)32, (size_t)1024, args.N})
    {
        const unsigned addresses = std::min(most, args.N);
        printf(" %10.4g", time_adds(kernel, addresses, &right));
    }
    printf("\n");
    check_true(name, right);
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 22, 1 << 15);
    args.size_is = "most threads and most sums";
    args.repeats = 5;
    args.bytes_per_element = sizeof(uint64);
    args.bytes_on_host = 2 * sizeof(uint64);
    args.columns = "  1, 32, 1024, N  10^9 additions in a second, to so many sums\n";
    parse_args(argc, argv, "-n N -b B -r R",
               "atomic-cost: what additions to few and to many numbers cost, by atomicAdd and by "
               "compare-and-swap");
    if (args.N > 1u << 30)
    {
        usage_error("-n takes at most %u threads", 1u << 30);
    }
    print_device();
    printf("10^9 adds a second, N = %zu, median of %zu repeats; up to %u threads share an "
           "address\n%-14s %10s %10s %10s %10s\n",
           args.N, args.repeats, CROWD, "addresses", "1", "32", "1024", "N");
    show_rates("int", add_many<int>);
    show_rates("uint64", add_many<uint64>);
    show_rates("float", add_many<float>);
    show_rates("double", add_many<double>);
    show_rates("double by CAS", add_many_by_cas);
    return verdict();
}
