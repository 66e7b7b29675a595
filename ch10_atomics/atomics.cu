// atomics: all atomic functions: what each one does and returns, and for which types
//
// From:    section 10.2, Table 10.1, Listing 10.2
// Compile: nvcc -O3 atomics.cu
// Run:     ./a.out
//
// First, one thread calls all eleven functions. Then all cells of Table 10.1 are tried: thousands
// of threads call a function on the same word at the same time, and each keeps the values that were
// returned. From these values the program finds out whether any update was lost: see
// atomics_walk.cuh. The last row of the table is Listing 10.2.

#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <string.h>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"
#include "atomics_rules.cuh"
#include "atomics_walk.cuh"

const unsigned MAX_THREADS = 4096; // that share a word

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

__device__ double call(Function function, Scope scope, double *address, double, double val)
{
    return function == ADD_BY_CAS ? add_by_cas(address, val) : IN_SCOPE(atomicAdd, address, val);
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

// ---- The test of one cell of the table ----

struct Table
{
    unsigned N, block_size, grid_size;
    int columns = 0;
    const char *types[16] = {};
    const char *cells[NUM_ROWS][16] = {}; // NULL: the type does not have the function
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
        const bool one_scope = sizeof(Part) == 2 || function == ADD_BY_CAS;
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

// Each type with its functions. The book's table has int, uint, uint64, float, double, half2 and
// half.
Table test_types(void)
{
    Table table;
    table.N = args.N;
    table.block_size = args.block_x;
    table.grid_size = (table.N - 1) / table.block_size + 1;
    test_type<int>(&table, "int", {ADD, SUB, EXCH, CAS, MAX, MIN, AND, OR, XOR});
    test_type<unsigned>(&table, "uint", {ADD, SUB, EXCH, CAS, INC, DEC, MAX, MIN, AND, OR, XOR});
    test_type<int64>(&table, "int64", {MAX, MIN, AND, OR, XOR});
    test_type<uint64>(&table, "uint64", {ADD, EXCH, CAS, MAX, MIN, AND, OR, XOR});
    test_type<float>(&table, "float", {ADD, EXCH});
    test_type<double>(&table, "double", {ADD, ADD_BY_CAS});
    test_type<__half>(&table, "half", {ADD});
    test_type_on_gpu<__half2, __half>(&table, "half2", {ADD});
    test_type<__nv_bfloat16>(&table, "bf16", {ADD}, 800);
    test_type_on_gpu<__nv_bfloat162, __nv_bfloat16>(&table, "bf16x2", {ADD}, 800);
    test_type_on_gpu<float2, float>(&table, "float2", {ADD}, 900);
    test_type_on_gpu<float4, float>(&table, "float4", {ADD}, 900);
    test_type<unsigned short>(&table, "uint16", {CAS});
    test_type_on_gpu<Wide, Wide>(&table, "16 B", {EXCH, CAS}, 900);
    return table;
}

void print_table(const Table *table)
{
    printf("\nTable 10.1, %u threads with %u calls each: an order found for the device (d), each "
           "block (b), the system (s)\n%-10s",
           table->N, ROUNDS, "function");
    for (int column = 0; column < table->columns; ++column)
    {
        printf(" %6s", table->types[column]);
    }
    printf("\n");
    for (const Function function :
         {ADD, SUB, EXCH, CAS, INC, DEC, MAX, MIN, AND, OR, XOR, ADD_BY_CAS})
    {
        bool right = true;
        printf("%-10s", FUNCTIONS[function].name);
        for (int column = 0; column < table->columns; ++column)
        {
            const char *cell = table->cells[function][column];
            printf(" %6s", cell != NULL ? cell : "-");
            right = right && (cell == NULL || strcmp(cell, "WRONG") != 0);
        }
        printf("\n");
        check_true(FUNCTIONS[function].name, right);
    }
    printf("8.0, 9.0: needs that compute capability, and -arch=sm_80 or sm_90%s\n",
           ON_GPU ? "" : "; gpu: not on the CPU backend");
}

// Three walks that are easy to follow.
void check_the_test(void)
{
    check_true("1, 1, 2 adds to 4 in one order", is_walk({{1, 2}, {0, 1}, {2, 4}}, 0, 4));
    check_true("a lost update is noticed", !is_walk({{0, 1}, {0, 1}, {1, 2}}, 0, 2));
    check_true("steps out of reach are noticed", !is_walk({{0, 1}, {5, 6}, {6, 5}}, 0, 1));
}

int main(int argc, char **argv)
{
    args.N = MAX_THREADS;
    args.size_is = "number of threads that share a word";
    // compare, val and old of each call, and a word of each block; on the host also the walk
    args.bytes_per_element = (3 * ROUNDS + 1) * sizeof(Wide);
    args.bytes_on_host = args.bytes_per_element + 6 * ROUNDS * sizeof(Step);
    parse_args(
        argc, argv, "-n N -b B",
        "atomics: all atomic functions: what each one does and returns, and for which types");
    if (args.N > MAX_THREADS)
    {
        usage_error("-n takes at most %u threads", MAX_THREADS);
    }
    print_device();
    show_functions();
    check_the_test();
    const Table table = test_types();
    print_table(&table);
    return verdict();
}
