// atomics: what every atomic function returns and leaves, for every type, and what adding costs
//
// From:    Section 10.2, Table 10.1, Listing 10.2
// Compile: nvcc -O3 atomics.cu
// Run:     ./a.out -n 4194304
// Checks:  30
// Sizes:   1 33 1000 100003
//
// Thousands of threads change one word, and each keeps the values it got back. Whatever the order
// was, these give it away: a call is a step from the value it returned to the one it left, and
// calls that happened one at a time are a walk that takes every step once, from the word's first
// value to its last. There is one if as many steps leave each value as reach it, and all hang
// together (Euler, 1736). If a single update gets lost, there is none.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"
#include "atomics.cuh"

const unsigned MAX_THREADS = 4096; // that contend for a word; each call is a step to be sorted
const unsigned ROUNDS = 4;         // calls of each of them
const int NUM_TYPES = 14;          // columns of the table
const unsigned ADDS = 16;          // of each thread where time is taken
const unsigned CROWD = 1024;       // threads that then share an address

// Name and arguments, the new value by the book's rule; the word at first, and the operand of the
// i-th of `count` calls, such that most calls change something.
// clang-format off
FUNCTION(Add,  (address, val), old + val,                number<T>(0), number<T>(i % 17 - 8))
FUNCTION(Sub,  (address, val), old - val,                number<T>(0), number<T>(i % 17 - 8))
FUNCTION(Exch, (address, val), val,                      number<T>(0), number<T>(i + 1))
FUNCTION(Min,  (address, val), old < val ? old : val,    number<T>(0), number<T>(-i - 1))
FUNCTION(Max,  (address, val), old > val ? old : val,    number<T>(0), number<T>(i + 1))
FUNCTION(Inc,  (address, val), old >= val ? 0 : old + 1, 0, 9)
FUNCTION(Dec,  (address, val), old == 0 || old > val ? val : old - 1, 0, 9)
FUNCTION(CAS,  (address, compare, val), old == compare ? val : old,
         number<T>(0), number<T>(i * ROUNDS / count + 1))
FUNCTION(And,  (address, val), old & val,                (T)~(T)0, (T)~bit<T>(i, count))
FUNCTION(Or,   (address, val), old | val,                0, bit<T>(i, count))
FUNCTION(Xor,  (address, val), old ^ val,                0, bit<T>(i, count))
// clang-format on

// The one kernel: calls, and keeps what is returned. In BLOCK scope each block has its own word.
template <typename Function, Scope SCOPE, typename T>
__global__ void contend(T *words, const T *compare, const T *val, T *old, unsigned N,
                        unsigned count)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    T *word = &words[SCOPE == BLOCK ? blockIdx.x : 0];
    for (unsigned i = n; n < N && i < count; i += N)
    {
        old[i] = Function::template call<SCOPE>(word, compare[i], val[i]);
    }
}

// ---- Table 10.1 ----

// All calls, each with its operands; `words` and `old` become what the device made of them.
template <typename Function, Scope SCOPE, typename T>
void launch(const Test *test, std::vector<T> &words, const std::vector<T> &compare,
            const std::vector<T> &val, std::vector<T> &old)
{
    poison((void *)old.data(), old.size() * sizeof(T));
    T *d_words = to_device(words), *d_compare = to_device(compare), *d_val = to_device(val);
    T *d_old = to_device(old);
    contend<Function, SCOPE><<<test->grid_size, test->block_size>>>(d_words, d_compare, d_val,
                                                                    d_old, test->N, old.size());
    CHECK_LAUNCH();
    from_device(words, d_words);
    from_device(old, d_old);
    CHECK(cudaFree(d_compare));
    CHECK(cudaFree(d_val));
}

// Did each word's calls happen one at a time? Each part of a pair is a word for itself.
template <typename Function, Scope SCOPE, typename T>
bool happened_in_order(const Test *test)
{
    const size_t count = (size_t)ROUNDS * test->N, num_words = SCOPE == BLOCK ? test->grid_size : 1;
    std::vector<T> words(num_words, Function::template start<T>());
    std::vector<T> compare(count), val(count), old(count);
    for (size_t i = 0; i < count; ++i)
    {
        compare[i] = number<T>(i / test->N);
        val[i] = Function::template operand<T>(i, count);
    }
    launch<Function, SCOPE>(test, words, compare, val, old);

    return are_walks<Function>(words, compare, val, old, test->N,
                               SCOPE == BLOCK ? test->block_size : test->N);
}

// What a cell of the table says: the scopes that are right, or why there is nothing to test.
template <typename Function, typename T>
const char *test_cell(const Test *test)
{
    if constexpr (std::is_void_v<T>)
    {
        return "-";
    }
    else if constexpr (!ON_GPU && Of<T>::GPU_ONLY)
    {
        return "gpu";
    }
    else
    {
        cudaFuncAttributes code;
        CHECK(cudaFuncGetAttributes(&code, contend<Function, DEVICE, T>));
        if (code.ptxVersion * 10 < Of<T>::NEEDS)
        {
            return "9.0";
        }
        bool right = happened_in_order<Function, DEVICE, T>(test);
        if constexpr (sizeof(typename Of<T>::Part) == 2)
        {
            return right ? "d" : "WRONG"; // of 16 bits: there are no other scopes
        }
        else
        {
            right = happened_in_order<Function, BLOCK, T>(test) && right;
            right = happened_in_order<Function, SYSTEM, T>(test) && right;
            return right ? "dbs" : "WRONG";
        }
    }
}

template <typename Function, typename... Types>
void test_row(const Test *test)
{
    const char *cells[NUM_TYPES] = {test_cell<Function, Types>(test)...};
    bool right = true;
    printf("%-10s", Function::NAME);
    for (const char *cell : cells)
    {
        printf(" %6s", cell != NULL ? cell : "-");
        right = right && (cell == NULL || strcmp(cell, "WRONG") != 0);
    }
    printf("\n");
    check_true(Function::NAME, right);
}

void test_functions(size_t N, size_t block_size)
{
    Test test = {(unsigned)std::min<size_t>(N, MAX_THREADS), (unsigned)block_size, 0};
    test.grid_size = (test.N - 1) / test.block_size + 1;
    printf("\nTable 10.1, %u threads with %u calls each: an order found for the device (d), each "
           "block (b), the system (s)\n%-10s",
           test.N, ROUNDS, "function");
    for (const char *type : {"int", "uint", "int64", "uint64", "float", "double", "half", "half2",
                             "bf16", "bf16x2", "float2", "float4", "uint16", "16 B"})
    {
        printf(" %6s", type);
    }
    printf("\n");
    test_row<Add, int, unsigned, void, uint64, float, double, __half, __half2, __nv_bfloat16,
             __nv_bfloat162, float2, float4>(&test);
    test_row<Sub, int, unsigned>(&test);
    test_row<Exch, int, unsigned, void, uint64, float, void, void, void, void, void, void, void,
             void, Wide>(&test);
    test_row<CAS, int, unsigned, void, uint64, void, void, void, void, void, void, void, void,
             unsigned short, Wide>(&test);
    test_row<Inc, void, unsigned>(&test);
    test_row<Dec, void, unsigned>(&test);
    test_row<Max, int, unsigned, int64, uint64>(&test);
    test_row<Min, int, unsigned, int64, uint64>(&test);
    test_row<And, int, unsigned, int64, uint64>(&test);
    test_row<Or, int, unsigned, int64, uint64>(&test);
    test_row<Xor, int, unsigned, int64, uint64>(&test);
    printf("9.0: needs that compute capability, and -arch=sm_90%s\n",
           ON_GPU ? "" : "; gpu: not on the CPU backend");
}

// What becomes of a word of 2 and one of 5: a single thread, val = 3, compare = 2.
template <typename Function>
void demonstrate(void)
{
    const Test single = {1, 1, 1};
    const std::vector<unsigned> compare = {2}, val = {3};
    bool right = true;
    printf("%-10s  %-36s", Function::NAME, Function::RULE);
    for (unsigned before : {2u, 5u})
    {
        std::vector<unsigned> word = {before}, old(1);
        launch<Function, DEVICE>(&single, word, compare, val, old);
        right = right && old[0] == before && word[0] == Function::model(before, 2u, 3u);
        printf("  %8u %10u", old[0], word[0]);
    }
    printf("\n");
    check_true(Function::NAME, right);
}

template <typename... Functions>
void demonstrate_all(void)
{
    printf("%-10s  %-36s  %8s %10s  %8s %10s\n", "function", "new value (compare = 2, val = 3)",
           "returned", "left of 2", "returned", "left of 5");
    (demonstrate<Functions>(), ...);
}

// ---- What adding costs ----

// Listing 10.2: any function can be made of compare-and-swap. If the word is no longer what the
// sum was made from, somebody was faster: make it again. Integers are compared, because a NaN is
// equal to nothing, itself included, and the loop would never end.
__device__ double add_by_cas(double *address, double val)
{
    uint64 *word = (uint64 *)address;
    uint64 old = *word, assumed;
    do
    {
        assumed = old;
        const double sum = __longlong_as_double(assumed) + val;
        old = atomicCAS(word, assumed, (uint64)__double_as_longlong(sum));
    } while (old != assumed);
    return __longlong_as_double(old);
}

template <typename T>
__device__ T add_native(T *address, T val)
{
    return atomicAdd(address, val);
}

// Thread n adds to sum n % addresses. With one address a whole warp wants it at once, with 32 each
// lane its own, but every warp the same ones.
template <typename T, T (*ADD)(T *, T)>
__global__ void add_many(T *sums, unsigned addresses, unsigned N)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    for (unsigned i = 0; n < N && i < ADDS; ++i)
    {
        ADD(&sums[n % addresses], (T)(1 + n % 3));
    }
}

// Adds with each of the numbers of addresses, checks every sum, prints adds a second.
template <typename T, T (*ADD)(T *, T)>
void time_adds(const char *name, const Args *args)
{
    bool right = true;
    double rates[4], *rate = rates;
    for (size_t most : {(size_t)1, (size_t)32, (size_t)1024, args->N})
    {
        const unsigned addresses = std::min(most, args->N);
        const unsigned N = std::min<size_t>(args->N, (size_t)CROWD * addresses);
        const unsigned block_size = args->block_x, grid_size = (N - 1) / block_size + 1;
        std::vector<T> sums(addresses), expected(addresses);
        for (unsigned n = 0; n < N; ++n)
        {
            expected[n % addresses] += ADDS * (1 + n % 3); // small integers: exact in any order
        }
        T *d_sums;
        CHECK(cudaMalloc(&d_sums, addresses * sizeof(T)));
        const auto zero = [&]
        {
            CHECK(cudaMemset(d_sums, 0, addresses * sizeof(T)));
        };
        const auto add = [&]
        {
            add_many<T, ADD><<<grid_size, block_size>>>(d_sums, addresses, N);
        };
        const Timing time = time_kernel(add, args->repeats, zero);
        from_device(sums, d_sums);
        right = right && sums == expected;
        *rate++ = (double)N * ADDS / time.median * 1e-6;
    }
    check_true(name, right);
    printf("%-14s %10.4g %10.4g %10.4g %12.4g\n", name, rates[0], rates[1], rates[2], rates[3]);
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(1 << 22, 1 << 15);
    args.repeats = 5;
    args.bytes_per_element = sizeof(uint64);
    args.bytes_on_host = 2 * sizeof(uint64);
    parse_args(&args, argc, argv, "-n N -b B -r R",
               "atomics: what every atomic function returns and leaves, for every type, and what "
               "adding costs");
    if (args.N > 1u << 30)
    {
        usage_error(&args, "-n takes at most %u threads", 1u << 30);
    }
    print_device();
    check_walks();
    demonstrate_all<Add, Sub, Exch, Min, Max, Inc, Dec, CAS, And, Or, Xor>();
    test_functions(args.N, args.block_x);

    printf("\n10^9 adds a second, N = %zu, median of %zu repeats; up to %u threads share an "
           "address\n%-14s %10s %10s %10s %12s\n",
           args.N, args.repeats, CROWD, "addresses", "1", "32", "1024", "N");
    time_adds<int, add_native<int>>("int", &args);
    time_adds<uint64, add_native<uint64>>("uint64", &args);
    time_adds<float, add_native<float>>("float", &args);
    time_adds<double, add_native<double>>("double", &args);
    time_adds<double, add_by_cas>("double by CAS", &args);
    return verdict();
}
