// atomics: all atomic functions: what each one does and returns, for which types, and what adding
// costs
//
// From:    section 10.2, Table 10.1, Listing 10.2
// Compile: nvcc -O3 atomics.cu
// Run:     ./a.out -n 4194304
// Options: -n N -b B -r R
// Chinese: 全部原子函数：每个函数做什么、返回什么、支持哪些类型，以及累加的代价
// Checks:  30
// Sizes:   1 33 1003 64 99329
//
// First, one thread calls all eleven functions. Then all cells of Table 10.1 are tried: thousands
// of threads call a function on the same word at the same time, and each keeps the values that were
// returned. From these values the program finds out whether any update was lost. Last, it measures
// what adding costs, by atomicAdd and by Listing 10.2.

#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <string.h>
#include <type_traits>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"

typedef long long int64;
typedef unsigned long long uint64;

enum Function // in the order of section 10.2
{
    ADD,
    SUB,
    EXCH,
    MIN,
    MAX,
    INC,
    DEC,
    CAS, // compare and swap
    AND,
    OR,
    XOR,
    NUM_FUNCTIONS
};

const struct
{
    const char *name, *new_value;
} FUNCTIONS[NUM_FUNCTIONS] = {
    {"atomicAdd", "old + val"},
    {"atomicSub", "old - val"},
    {"atomicExch", "val"},
    {"atomicMin", "old < val ? old : val"},
    {"atomicMax", "old > val ? old : val"},
    {"atomicInc", "old >= val ? 0 : old + 1"},
    {"atomicDec", "old == 0 || old > val ? val : old - 1"},
    {"atomicCAS", "old == compare ? val : old"},
    {"atomicAnd", "old & val"},
    {"atomicOr", "old | val"},
    {"atomicXor", "old ^ val"},
};

// ---- The reference: what a function makes of the word, by the rules of section 10.2 ----

template <typename T>
T new_value(Function function, T old, T compare, T val) // of an integer
{
    switch (function)
    {
    case ADD:
        return old + val;
    case SUB:
        return old - val;
    case EXCH:
        return val;
    case MIN:
        return old < val ? old : val;
    case MAX:
        return old > val ? old : val;
    case INC:
        return old >= val ? 0 : old + 1;
    case DEC:
        return old == 0 || old > val ? val : old - 1;
    case CAS:
        return old == compare ? val : old;
    case AND:
        return old & val;
    case OR:
        return old | val;
    default:
        return old ^ val;
    }
}

float new_value(Function function, float old, float, float val)
{
    return function == ADD ? old + val : val; // the other one is EXCH
}

double new_value(Function, double old, double, double val) // ADD only
{
    return old + val;
}

// The sum of two numbers of 16 bits is exact in float. So it is rounded once, as on the device.
__half new_value(Function, __half old, __half, __half val) // ADD only
{
    return (__half)((float)old + (float)val);
}

__nv_bfloat16 new_value(Function, __nv_bfloat16 old, __nv_bfloat16, __nv_bfloat16 val) // ADD only
{
    return (__nv_bfloat16)((float)old + (float)val);
}

// ---- The functions, one by one ----

// Each function has a word of its own. It reads the old value, computes the new one and writes it,
// all in one step that no other atomic function can interrupt. Each function returns the old value.
// The comment beside it says what the new value is.
__global__ void call_all(unsigned *d_word, unsigned *d_old, unsigned compare, unsigned val)
{
    d_old[ADD] = atomicAdd(&d_word[ADD], val);          // old + val
    d_old[SUB] = atomicSub(&d_word[SUB], val);          // old - val
    d_old[EXCH] = atomicExch(&d_word[EXCH], val);       // val
    d_old[MIN] = atomicMin(&d_word[MIN], val);          // old < val ? old : val
    d_old[MAX] = atomicMax(&d_word[MAX], val);          // old > val ? old : val
    d_old[INC] = atomicInc(&d_word[INC], val);          // old >= val ? 0 : old + 1
    d_old[DEC] = atomicDec(&d_word[DEC], val);          // old == 0 || old > val ? val : old - 1
    d_old[CAS] = atomicCAS(&d_word[CAS], compare, val); // old == compare ? val : old
    d_old[AND] = atomicAnd(&d_word[AND], val);          // old & val
    d_old[OR] = atomicOr(&d_word[OR], val);             // old | val
    d_old[XOR] = atomicXor(&d_word[XOR], val);          // old ^ val
}

// Calls all functions on words of 2, then on words of 5, and prints what each returned and left.
void show_functions(void)
{
    const unsigned compare = 2, val = 3, before[2] = {2, 5};
    unsigned old[2][NUM_FUNCTIONS], left[2][NUM_FUNCTIONS], *d_word, *d_old;
    const size_t bytes = sizeof(left[0]);
    CHECK(cudaMalloc(&d_word, bytes));
    CHECK(cudaMalloc(&d_old, bytes));
    for (int i = 0; i < 2; ++i)
    {
        std::fill_n(left[i], (int)NUM_FUNCTIONS, before[i]);
        CHECK(cudaMemcpy(d_word, left[i], bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemset(d_old, POISON_BYTE, bytes));
        call_all<<<1, 1>>>(d_word, d_old, compare, val);
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(left[i], d_word, bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(old[i], d_old, bytes, cudaMemcpyDeviceToHost));
    }
    CHECK(cudaFree(d_word));
    CHECK(cudaFree(d_old));

    printf("%-10s  %-36s  %8s %10s  %8s %10s\n", "function", "new value (compare = 2, val = 3)",
           "returned", "left of 2", "returned", "left of 5");
    for (int f = 0; f < NUM_FUNCTIONS; ++f)
    {
        bool right = true;
        printf("%-10s  %-36s", FUNCTIONS[f].name, FUNCTIONS[f].new_value);
        for (int i = 0; i < 2; ++i)
        {
            right = right && old[i][f] == before[i] &&
                    left[i][f] == new_value((Function)f, before[i], compare, val);
            printf("  %8u %10u", old[i][f], left[i][f]);
        }
        printf("\n");
        check_true(FUNCTIONS[f].name, right);
    }
}

// ---- What adding costs ----

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

// Adds with 1, 32, 1024 and N addresses. Checks every sum, and prints how many adds a second.
template <typename T>
void time_adds(const char *name, const Args *args, void (*kernel)(T *, unsigned, unsigned))
{
    bool right = true;
    double rates[4], *rate = rates; // 10^9 a second
    for (const size_t most : {(size_t)1, (size_t)32, (size_t)1024, args->N})
    {
        const unsigned addresses = std::min(most, args->N);
        const unsigned N = std::min<size_t>(args->N, (size_t)CROWD * addresses);
        const unsigned block_size = args->block_x, grid_size = (N - 1) / block_size + 1;
        std::vector<T> sums(addresses), expected(addresses);
        for (unsigned n = 0; n < N; ++n)
        {
            expected[n % addresses] += ADDS * (1 + n % 3); // small integers: exact in any order
        }
        const size_t bytes = addresses * sizeof(T);
        T *d_sums;
        CHECK(cudaMalloc(&d_sums, bytes));
        const Timing time =
            time_kernel([&] { kernel<<<grid_size, block_size>>>(d_sums, addresses, N); },
                        args->repeats, [&] { CHECK(cudaMemset(d_sums, 0, bytes)); });
        CHECK(cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(d_sums));
        right = right && sums == expected;
        *rate++ = (double)N * ADDS / time.median * 1e-6;
    }
    check_true(name, right);
    printf("%-14s %10.4g %10.4g %10.4g %12.4g\n", name, rates[0], rates[1], rates[2], rates[3]);
}

// ---- Table 10.1: the types of each function ----

enum Scope
{
    DEVICE, // atomic for all threads of the device
    BLOCK,  // ... of the block: atomicAdd_block
    SYSTEM  // ... of all devices, and for the host: atomicAdd_system
};

// One of the three forms of a function, chosen by the variable `scope`.
#define IN_SCOPE(function, ...)                       \
    (scope == DEVICE  ? function(__VA_ARGS__)         \
     : scope == BLOCK ? function##_block(__VA_ARGS__) \
                      : function##_system(__VA_ARGS__))

// Each overload of `call` is a column of the table. It has the functions that take this type.
// clang-format off
__device__ int call(Function function, Scope scope, int *address, int compare, int val)
{
    switch (function)
    {
    case ADD:  return IN_SCOPE(atomicAdd, address, val);
    case SUB:  return IN_SCOPE(atomicSub, address, val);
    case EXCH: return IN_SCOPE(atomicExch, address, val);
    case CAS:  return IN_SCOPE(atomicCAS, address, compare, val);
    case MAX:  return IN_SCOPE(atomicMax, address, val);
    case MIN:  return IN_SCOPE(atomicMin, address, val);
    case AND:  return IN_SCOPE(atomicAnd, address, val);
    case OR:   return IN_SCOPE(atomicOr, address, val);
    default:   return IN_SCOPE(atomicXor, address, val);
    }
}

__device__ unsigned call(Function function, Scope scope, unsigned *address, unsigned compare,
                         unsigned val)
{
    switch (function)
    {
    case ADD:  return IN_SCOPE(atomicAdd, address, val);
    case SUB:  return IN_SCOPE(atomicSub, address, val);
    case EXCH: return IN_SCOPE(atomicExch, address, val);
    case CAS:  return IN_SCOPE(atomicCAS, address, compare, val);
    case INC:  return IN_SCOPE(atomicInc, address, val);
    case DEC:  return IN_SCOPE(atomicDec, address, val);
    case MAX:  return IN_SCOPE(atomicMax, address, val);
    case MIN:  return IN_SCOPE(atomicMin, address, val);
    case AND:  return IN_SCOPE(atomicAnd, address, val);
    case OR:   return IN_SCOPE(atomicOr, address, val);
    default:   return IN_SCOPE(atomicXor, address, val);
    }
}

__device__ int64 call(Function function, Scope scope, int64 *address, int64, int64 val)
{
    switch (function)
    {
    case MAX:  return IN_SCOPE(atomicMax, address, val);
    case MIN:  return IN_SCOPE(atomicMin, address, val);
    case AND:  return IN_SCOPE(atomicAnd, address, val);
    case OR:   return IN_SCOPE(atomicOr, address, val);
    default:   return IN_SCOPE(atomicXor, address, val);
    }
}

__device__ uint64 call(Function function, Scope scope, uint64 *address, uint64 compare, uint64 val)
{
    switch (function)
    {
    case ADD:  return IN_SCOPE(atomicAdd, address, val);
    case EXCH: return IN_SCOPE(atomicExch, address, val);
    case CAS:  return IN_SCOPE(atomicCAS, address, compare, val);
    case MAX:  return IN_SCOPE(atomicMax, address, val);
    case MIN:  return IN_SCOPE(atomicMin, address, val);
    case AND:  return IN_SCOPE(atomicAnd, address, val);
    case OR:   return IN_SCOPE(atomicOr, address, val);
    default:   return IN_SCOPE(atomicXor, address, val);
    }
}

__device__ float call(Function function, Scope scope, float *address, float, float val)
{
    switch (function)
    {
    case ADD:  return IN_SCOPE(atomicAdd, address, val);
    default:   return IN_SCOPE(atomicExch, address, val);
    }
}
// clang-format on

__device__ double call(Function, Scope scope, double *address, double, double val)
{
    return IN_SCOPE(atomicAdd, address, val);
}

// Numbers of 16 bits have no other scope than the device.
__device__ __half call(Function, Scope, __half *address, __half, __half val)
{
    return atomicAdd(address, val);
}

// Before compute capability 8.0 older toolkits have no function for bfloat16.
__device__ __nv_bfloat16 call(Function, Scope, [[maybe_unused]] __nv_bfloat16 *address,
                              __nv_bfloat16, __nv_bfloat16 val)
{
#if !ON_GPU || __CUDA_ARCH__ >= 800
    return atomicAdd(address, val);
#else
    return val; // never called
#endif
}

__device__ unsigned short call(Function, Scope, unsigned short *address, unsigned short compare,
                               unsigned short val)
{
    return atomicCAS(address, compare, val);
}

// 16 bytes, which have had an exchange and a compare-and-swap since compute capability 9.0.
struct alignas(16) Wide
{
    uint64 x, y;
};

Wide new_value(Function function, Wide old, Wide compare, Wide val)
{
    const bool changes = function == EXCH || (old.x == compare.x && old.y == compare.y);
    return changes ? val : old;
}

#if ON_GPU
__device__ __half2 call(Function, Scope, __half2 *address, __half2, __half2 val)
{
    return atomicAdd(address, val);
}

__device__ __nv_bfloat162 call(Function, Scope, [[maybe_unused]] __nv_bfloat162 *address,
                               __nv_bfloat162, __nv_bfloat162 val)
{
#if __CUDA_ARCH__ >= 800
    return atomicAdd(address, val);
#else
    return val; // never called
#endif
}

// Code for a device older than 9.0 has none of the following, and is never called.
__device__ float2 call(Function, [[maybe_unused]] Scope scope, [[maybe_unused]] float2 *address,
                       float2, float2 val)
{
#if __CUDA_ARCH__ >= 900
    return IN_SCOPE(atomicAdd, address, val);
#else
    return val;
#endif
}

__device__ float4 call(Function, [[maybe_unused]] Scope scope, [[maybe_unused]] float4 *address,
                       float4, float4 val)
{
#if __CUDA_ARCH__ >= 900
    return IN_SCOPE(atomicAdd, address, val);
#else
    return val;
#endif
}

__device__ Wide call([[maybe_unused]] Function function, [[maybe_unused]] Scope scope,
                     [[maybe_unused]] Wide *address, [[maybe_unused]] Wide compare, Wide val)
{
#if __CUDA_ARCH__ >= 900
    return function == EXCH ? IN_SCOPE(atomicExch, address, val)
                            : IN_SCOPE(atomicCAS, address, compare, val);
#else
    return val;
#endif
}
#endif

// Thread n makes the calls n, n + N, n + 2 N, ... and keeps what they return. All threads share one
// word. In BLOCK scope each block has its own word.
template <typename T>
__global__ void contend(Function function, Scope scope, T *words, const T *compare, const T *val,
                        T *old, unsigned N, unsigned count)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    T *word = &words[scope == BLOCK ? blockIdx.x : 0];
    for (unsigned i = n; n < N && i < count; i += N)
    {
        old[i] = call(function, scope, word, compare[i], val[i]);
    }
}

// ---- The operands of the calls ----

const unsigned MAX_THREADS = 4096; // that share a word
const unsigned ROUNDS = 4;         // calls of each thread

// The k-th of values in rising order that change every part of a word: both halves of 64 bits, the
// sign of signed integers, and the highest bit of unsigned ones.
template <typename T>
T number(int64 k)
{
    if constexpr (std::is_same_v<T, Wide>)
    {
        return {(uint64)k, ~(uint64)k};
    }
    else if constexpr (std::is_integral_v<T>)
    {
        const uint64 middle = std::is_signed_v<T> ? 0 : (uint64)1 << (8 * sizeof(T) - 1);
        return (T)(middle + k * (sizeof(T) == 8 ? 0x100000001 : 1));
    }
    else
    {
        return (T)(float)k;
    }
}

// The word before the first call.
template <typename T>
T first_value(Function function)
{
    if constexpr (std::is_integral_v<T>)
    {
        switch (function)
        {
        case AND:
            return (T) ~(T)0;
        case OR:
        case XOR:
        case INC:
        case DEC:
            return 0;
        default:
            break;
        }
    }
    return number<T>(0);
}

// The operand of call i of `count`, chosen so that most calls change the word. The parts of a pair
// get different operands by `factor`.
template <typename T>
T operand(Function function, int64 i, size_t count, int factor)
{
    if constexpr (std::is_integral_v<T>)
    {
        const T bit = (T)1 << (i * 8 * sizeof(T) / count); // the low bits first
        switch (function)
        {
        case AND:
            return (T)~bit;
        case OR:
        case XOR:
            return bit;
        case INC:
        case DEC:
            return 9;
        default:
            break;
        }
    }
    switch (function)
    {
    case ADD:
    case SUB:
        return number<T>(factor * (i % 17 - 8));
    case MIN:
        return number<T>(-i - 1);
    case CAS:
        return number<T>(i * ROUNDS / count + 1); // what the next round compares with
    default:
        return number<T>(i + 1);
    }
}

// ---- Was no update lost? ----
//
// A call is a step from the value that it returned to the value that it left. Calls that happened
// one at a time are a walk: it starts at the word's first value, takes each step once, and ends at
// the word's last value. There is such a walk if each value is left as often as it is reached, but
// for the first and the last one, and if all steps are connected (Euler, 1736). If an update was
// lost, there is no walk: two steps leave the same value, which was reached only once.

struct Step
{
    uint64 from, to;
};

size_t root_of(std::vector<size_t> &parent, size_t v)
{
    while (parent[v] != v)
    {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

// Whether the steps can be taken one after the other, from `first` to `last`.
bool is_walk(const std::vector<Step> &steps, uint64 first, uint64 last)
{
    std::vector<uint64> values = {first, last};
    for (const Step &step : steps)
    {
        values.push_back(step.from);
        values.push_back(step.to);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto place = [&](uint64 value)
    {
        return (size_t)(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    };
    std::vector<int> surplus(values.size(), 0); // how much more often a value is left than reached
    std::vector<size_t> parent(values.size());  // connected values have the same root
    for (size_t v = 0; v < parent.size(); ++v)
    {
        parent[v] = v;
    }
    for (const Step &step : steps)
    {
        const size_t from = place(step.from), to = place(step.to);
        ++surplus[from];
        --surplus[to];
        parent[root_of(parent, from)] = root_of(parent, to);
    }
    --surplus[place(first)];
    ++surplus[place(last)];
    const size_t root = root_of(parent, place(first));
    bool right = true;
    for (size_t v = 0; v < values.size(); ++v)
    {
        right = right && surplus[v] == 0 && root_of(parent, v) == root;
    }
    return right;
}

// A value as a number. Different values of a type get different numbers.
template <typename T>
uint64 key(T value)
{
    uint64 bits = 0;
    memcpy(&bits, &value, sizeof(value));
    return bits;
}

uint64 key(Wide value)
{
    return hash_bits(value.x, value.y);
}

// ---- The test of one cell of the table ----

struct Table
{
    unsigned N, block_size, grid_size;
    int columns = 0;
    const char *types[16] = {};
    const char *cells[NUM_FUNCTIONS][16] = {}; // NULL: the type does not have the function
};

template <typename T>
T *to_device(const std::vector<T> &host)
{
    T *device;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <typename T>
void from_device(std::vector<T> &host, T *device)
{
    CHECK(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

// Whether the calls on each word happened one at a time. A T of several parts (float2 has two) is
// changed part by part, so each part is a word for itself.
template <typename T, typename Part>
bool happened_in_order(const Table *table, Function function, Scope scope)
{
    const size_t N = table->N, PARTS = sizeof(T) / sizeof(Part), count = ROUNDS * N;
    const size_t num_words = scope == BLOCK ? table->grid_size : 1;
    const Part first = first_value<Part>(function);
    std::vector<Part> words(num_words * PARTS, first);
    std::vector<Part> compare(count * PARTS), val(count * PARTS), old(count * PARTS);
    for (size_t i = 0; i < count; ++i)
    {
        for (size_t p = 0; p < PARTS; ++p)
        {
            compare[i * PARTS + p] = number<Part>(i / N);
            val[i * PARTS + p] = operand<Part>(function, i, count, p + 1);
        }
    }
    poison((void *)old.data(), old.size() * sizeof(Part));

    Part *d_words = to_device(words), *d_compare = to_device(compare);
    Part *d_val = to_device(val), *d_old = to_device(old);
    contend<<<table->grid_size, table->block_size>>>(function, scope, (T *)d_words, (T *)d_compare,
                                                     (T *)d_val, (T *)d_old, table->N,
                                                     (unsigned)count);
    CHECK_LAUNCH();
    from_device(words, d_words);
    from_device(old, d_old);
    CHECK(cudaFree(d_compare));
    CHECK(cudaFree(d_val));

    bool right = true;
    for (size_t p = 0; p < PARTS; ++p)
    {
        std::vector<std::vector<Step>> steps(num_words);
        for (size_t i = 0; i < count; ++i)
        {
            const size_t word = scope == BLOCK ? i % N / table->block_size : 0;
            const Part is = old[i * PARTS + p];
            const Part becomes =
                new_value(function, is, compare[i * PARTS + p], val[i * PARTS + p]);
            steps[word].push_back({key(is), key(becomes)});
        }
        for (size_t word = 0; word < num_words; ++word)
        {
            const Part last = words[word * PARTS + p];
            right = right && is_walk(steps[word], key(first), key(last));
        }
    }
    return right;
}

// A column of the table: the functions of a type. `needs` is a compute capability times 100.
template <typename T, typename Part = T>
void test_type(Table *table, const char *type, std::initializer_list<Function> functions,
               int needs = 0)
{
    cudaFuncAttributes code;
    CHECK(cudaFuncGetAttributes(&code, contend<T>));
    const int column = table->columns++;
    table->types[column] = type;
    for (const Function function : functions)
    {
        const bool one_scope = sizeof(Part) == 2;
        bool right = true;
        for (const Scope scope : {DEVICE, BLOCK, SYSTEM})
        {
            if (code.ptxVersion * 10 >= needs && (scope == DEVICE || !one_scope))
            {
                right = happened_in_order<T, Part>(table, function, scope) && right;
            }
        }
        table->cells[function][column] = code.ptxVersion * 10 < needs ? needs == 800 ? "8.0" : "9.0"
                                         : !right                     ? "WRONG"
                                         : one_scope                  ? "d"
                                                                      : "dbs";
    }
}

// A type that the CPU backend does not have.
template <typename T, typename Part>
void test_type_on_gpu(Table *table, const char *type, std::initializer_list<Function> functions,
                      [[maybe_unused]] int needs = 0)
{
#if ON_GPU
    test_type<T, Part>(table, type, functions, needs);
#else
    const int column = table->columns++;
    table->types[column] = type;
    for (const Function function : functions)
    {
        table->cells[function][column] = "gpu";
    }
#endif
}

void test_types(size_t N, size_t block_size)
{
    Table table;
    table.N = std::min<size_t>(N, MAX_THREADS);
    table.block_size = block_size;
    table.grid_size = (table.N - 1) / table.block_size + 1;
    check_true("1, 1, 2 adds to 4 in one order", is_walk({{1, 2}, {0, 1}, {2, 4}}, 0, 4));
    check_true("a lost update is noticed", !is_walk({{0, 1}, {0, 1}, {1, 2}}, 0, 2));
    check_true("steps out of reach are noticed", !is_walk({{0, 1}, {5, 6}, {6, 5}}, 0, 1));

    test_type<int>(&table, "int", {ADD, SUB, EXCH, CAS, MAX, MIN, AND, OR, XOR});
    test_type<unsigned>(&table, "uint", {ADD, SUB, EXCH, CAS, INC, DEC, MAX, MIN, AND, OR, XOR});
    test_type<int64>(&table, "int64", {MAX, MIN, AND, OR, XOR});
    test_type<uint64>(&table, "uint64", {ADD, EXCH, CAS, MAX, MIN, AND, OR, XOR});
    test_type<float>(&table, "float", {ADD, EXCH});
    test_type<double>(&table, "double", {ADD});
    test_type<__half>(&table, "half", {ADD});
    test_type_on_gpu<__half2, __half>(&table, "half2", {ADD});
    test_type<__nv_bfloat16>(&table, "bf16", {ADD}, 800);
    test_type_on_gpu<__nv_bfloat162, __nv_bfloat16>(&table, "bf16x2", {ADD}, 800);
    test_type_on_gpu<float2, float>(&table, "float2", {ADD}, 900);
    test_type_on_gpu<float4, float>(&table, "float4", {ADD}, 900);
    test_type<unsigned short>(&table, "uint16", {CAS});
    test_type_on_gpu<Wide, Wide>(&table, "16 B", {EXCH, CAS}, 900);

    printf("\nTable 10.1, %u threads with %u calls each: an order found for the device (d), each "
           "block (b), the system (s)\n%-10s",
           table.N, ROUNDS, "function");
    for (int column = 0; column < table.columns; ++column)
    {
        printf(" %6s", table.types[column]);
    }
    printf("\n");
    for (const Function function : {ADD, SUB, EXCH, CAS, INC, DEC, MAX, MIN, AND, OR, XOR})
    {
        bool right = true;
        printf("%-10s", FUNCTIONS[function].name);
        for (int column = 0; column < table.columns; ++column)
        {
            const char *cell = table.cells[function][column];
            printf(" %6s", cell != NULL ? cell : "-");
            right = right && (cell == NULL || strcmp(cell, "WRONG") != 0);
        }
        printf("\n");
        check_true(FUNCTIONS[function].name, right);
    }
    printf("8.0, 9.0: needs that compute capability, and -arch=sm_80 or sm_90%s\n",
           ON_GPU ? "" : "; gpu: not on the CPU backend");
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(1 << 22, 1 << 15);
    args.repeats = 5;
    args.bytes_per_element = sizeof(uint64);
    args.bytes_on_host = 2 * sizeof(uint64);
    parse_args(&args, argc, argv, "-n N -b B -r R",
               "atomics: all atomic functions: what each one does and returns, for which types, "
               "and what adding costs");
    if (args.N > 1u << 30)
    {
        usage_error(&args, "-n takes at most %u threads", 1u << 30);
    }
    print_device();
    show_functions();
    test_types(args.N, args.block_x);

    printf("\n10^9 adds a second, N = %zu, median of %zu repeats; up to %u threads share an "
           "address\n%-14s %10s %10s %10s %12s\n",
           args.N, args.repeats, CROWD, "addresses", "1", "32", "1024", "N");
    time_adds("int", &args, add_many<int>);
    time_adds("uint64", &args, add_many<uint64>);
    time_adds("float", &args, add_many<float>);
    time_adds("double", &args, add_many<double>);
    time_adds("double by CAS", &args, add_many_by_cas);

    return verdict();
}
