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

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"
#include "atomics_rules.cuh"
#include "atomics_walk.cuh"

const unsigned MAX_THREADS = 4096; // that share a word
const int MAX_TYPES = 16;

static unsigned N, block_size, grid_size;      // threads
static const char *types[MAX_TYPES];           // the columns of Table 10.1
static const char *cells[NUM_ROWS][MAX_TYPES]; // NULL: the type does not have the function
static int num_types;

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
        for (int f = 0; f < NUM_FUNCTIONS; ++f)
        {
            left[i][f] = before[i];
        }
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

void *to_device(const void *host, size_t bytes)
{
    void *device;
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    return device;
}

// Whether the calls on each word happened one at a time. A T of several parts (float2 has two) is
// changed part by part, so each part is a word for itself.
template <typename T, typename Part>
bool happened_in_order(Function function, Scope scope)
{
    const size_t PARTS = sizeof(T) / sizeof(Part), count = ROUNDS * N;
    const size_t num_words = scope == BLOCK ? grid_size : 1;
    const size_t bytes = count * sizeof(T), word_bytes = num_words * sizeof(T);
    const Part first = first_value<Part>(function);
    Part *words = (Part *)malloc(word_bytes), *compare = (Part *)malloc(bytes);
    Part *val = (Part *)malloc(bytes), *old = (Part *)malloc(bytes);
    for (size_t i = 0; i < num_words * PARTS; ++i)
    {
        words[i] = first;
    }
    for (size_t i = 0; i < count; ++i)
    {
        for (size_t p = 0; p < PARTS; ++p)
        {
            compare[i * PARTS + p] = number<Part>(i / N);
            val[i * PARTS + p] = operand<Part>(function, i, count, p + 1);
        }
    }
    poison(old, bytes);

    T *d_words = (T *)to_device(words, word_bytes), *d_compare = (T *)to_device(compare, bytes);
    T *d_val = (T *)to_device(val, bytes), *d_old = (T *)to_device(old, bytes);
    contend<<<grid_size, block_size>>>(function, scope, d_words, d_compare, d_val, d_old, N,
                                       (unsigned)count);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(words, d_words, word_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(old, d_old, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_words));
    CHECK(cudaFree(d_compare));
    CHECK(cudaFree(d_val));
    CHECK(cudaFree(d_old));

    bool right = true;
    Step *steps = (Step *)malloc(count * sizeof(Step)); // of one word
    for (size_t word = 0; word < num_words; ++word)
    {
        const size_t begin = word * block_size; // the threads that share the word
        const size_t end = scope == BLOCK && begin + block_size < N ? begin + block_size : N;
        for (size_t p = 0; p < PARTS; ++p)
        {
            size_t num_steps = 0;
            for (size_t n = begin; n < end; ++n)
            {
                for (size_t i = n; i < count; i += N) // the calls of thread n
                {
                    const size_t at = i * PARTS + p;
                    const Part becomes = new_value(function, old[at], compare[at], val[at]);
                    steps[num_steps++] = {key(old[at]), key(becomes)};
                }
            }
            const Part last = words[word * PARTS + p];
            right = right && is_walk(steps, num_steps, key(first), key(last));
        }
    }
    free(words);
    free(compare);
    free(val);
    free(old);
    free(steps);
    return right;
}

// A column of the table. Bit f of `functions` says whether the type has function f. `needs` is a
// compute capability times 100.
template <typename T, typename Part>
void test_type(const char *type, unsigned functions, int needs)
{
    cudaFuncAttributes code;
    CHECK(cudaFuncGetAttributes(&code, contend<T>));
    const bool is_there = code.ptxVersion * 10 >= needs;
    const int column = num_types++;
    types[column] = type;
    for (int f = 0; f < NUM_ROWS; ++f)
    {
        const bool one_scope = sizeof(Part) == 2 || f == ADD_BY_CAS;
        bool right = true;
        if ((functions & 1 << f) == 0)
        {
            continue;
        }
        for (int scope = DEVICE; is_there && scope <= (one_scope ? DEVICE : SYSTEM); ++scope)
        {
            right = happened_in_order<T, Part>((Function)f, (Scope)scope) && right;
        }
        cells[f][column] = !is_there   ? needs == 800 ? "8.0" : "9.0"
                           : !right    ? "WRONG"
                           : one_scope ? "d"
                                       : "dbs";
    }
}

// A type that the CPU backend does not have.
template <typename T, typename Part>
void test_type_on_gpu(const char *type, unsigned functions, [[maybe_unused]] int needs)
{
#if ON_GPU
    test_type<T, Part>(type, functions, needs);
#else
    const int column = num_types++;
    types[column] = type;
    for (int f = 0; f < NUM_ROWS; ++f)
    {
        cells[f][column] = (functions & 1 << f) != 0 ? "gpu" : NULL;
    }
#endif
}

// Each type with its functions. The book's table has int, uint, uint64, float, double, half2 and
// half.
void test_types(void)
{
    const unsigned EXCHANGES = 1 << EXCH | 1 << CAS, MIN_MAX = 1 << MIN | 1 << MAX;
    const unsigned BITWISE = 1 << AND | 1 << OR | 1 << XOR;
    test_type<int, int>("int", 1 << ADD | 1 << SUB | EXCHANGES | MIN_MAX | BITWISE, 0);
    test_type<unsigned, unsigned>(
        "uint", 1 << ADD | 1 << SUB | EXCHANGES | 1 << INC | 1 << DEC | MIN_MAX | BITWISE, 0);
    test_type<int64, int64>("int64", MIN_MAX | BITWISE, 0);
    test_type<uint64, uint64>("uint64", 1 << ADD | EXCHANGES | MIN_MAX | BITWISE, 0);
    test_type<float, float>("float", 1 << ADD | 1 << EXCH, 0);
    test_type<double, double>("double", 1 << ADD | 1 << ADD_BY_CAS, 0);
    test_type<__half, __half>("half", 1 << ADD, 0);
    test_type_on_gpu<__half2, __half>("half2", 1 << ADD, 0);
    test_type<__nv_bfloat16, __nv_bfloat16>("bf16", 1 << ADD, 800);
    test_type_on_gpu<__nv_bfloat162, __nv_bfloat16>("bf16x2", 1 << ADD, 800);
    test_type_on_gpu<float2, float>("float2", 1 << ADD, 900);
    test_type_on_gpu<float4, float>("float4", 1 << ADD, 900);
    test_type<unsigned short, unsigned short>("uint16", 1 << CAS, 0);
    test_type_on_gpu<Wide, Wide>("16 B", EXCHANGES, 900);
}

void print_table(void)
{
    const Function rows[NUM_ROWS] = {ADD, SUB, EXCH, CAS, INC, DEC,
                                     MAX, MIN, AND,  OR,  XOR, ADD_BY_CAS};
    printf("\nTable 10.1, %u threads with %u calls each: an order found for the device (d), each "
           "block (b), the system (s)\n%-10s",
           N, ROUNDS, "function");
    for (int column = 0; column < num_types; ++column)
    {
        printf(" %6s", types[column]);
    }
    printf("\n");
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        const Function function = rows[row];
        bool right = true;
        printf("%-10s", FUNCTIONS[function].name);
        for (int column = 0; column < num_types; ++column)
        {
            const char *cell = cells[function][column];
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
    const Step adds[] = {{1, 2}, {0, 1}, {2, 4}}, lost[] = {{0, 1}, {0, 1}, {1, 2}};
    const Step apart[] = {{0, 1}, {5, 6}, {6, 5}};
    check_true("1, 1, 2 adds to 4 in one order", is_walk(adds, 3, 0, 4));
    check_true("a lost update is noticed", !is_walk(lost, 3, 0, 2));
    check_true("steps out of reach are noticed", !is_walk(apart, 3, 0, 1));
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
    N = args.N;
    block_size = args.block_x;
    grid_size = (N - 1) / block_size + 1;
    print_device();
    show_functions();
    check_the_test();
    test_types();
    print_table();
    return verdict();
}
