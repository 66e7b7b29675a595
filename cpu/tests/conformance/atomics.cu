// Conforms to: every atomic function, what it returns and what it leaves, for every type and scope;
// locks, and threads that wait for each other.
#include "expect.cuh"

// One thread: the value before, the operand, and the value after.
#define CHECK_ATOMIC(function, T, before, operand, after)                         \
    do                                                                            \
    {                                                                             \
        __shared__ T x;                                                           \
        x = (before);                                                             \
        EXPECT(function(&x, operand) == (T)(before) && x == (T)(after));          \
        x = (before);                                                             \
        EXPECT(function##_block(&x, operand) == (T)(before) && x == (T)(after));  \
        x = (before);                                                             \
        EXPECT(function##_system(&x, operand) == (T)(before) && x == (T)(after)); \
    } while (0)

typedef unsigned int uint32;
typedef unsigned long long uint64;

__global__ void one_thread()
{
    CHECK_ATOMIC(atomicAdd, int, -5, 7, 2);
    CHECK_ATOMIC(atomicAdd, uint32, 0xffffffff, 2, 1);
    CHECK_ATOMIC(atomicAdd, uint64, 1ull << 40, 1ull << 33, (1ull << 40) + (1ull << 33));
    CHECK_ATOMIC(atomicAdd, float, 1.5f, 0.25f, 1.75f);
    CHECK_ATOMIC(atomicAdd, double, 1e15, 0.5, 1e15 + 0.5);
    CHECK_ATOMIC(atomicSub, int, -5, 7, -12);
    CHECK_ATOMIC(atomicSub, uint32, 1, 2, 0xffffffff);
    CHECK_ATOMIC(atomicExch, int, 1, -2, -2);
    CHECK_ATOMIC(atomicExch, uint32, 1, 0xfffffff0, 0xfffffff0);
    CHECK_ATOMIC(atomicExch, uint64, 1, 1ull << 63, 1ull << 63);
    CHECK_ATOMIC(atomicExch, float, 1.0f, -0.5f, -0.5f);
    CHECK_ATOMIC(atomicMin, int, -1, 1, -1);
    CHECK_ATOMIC(atomicMin, uint32, 0xffffffff, 1, 1);
    CHECK_ATOMIC(atomicMin, long long, 1, -(1ll << 40), -(1ll << 40));
    CHECK_ATOMIC(atomicMin, uint64, 1ull << 40, 1ull << 63, 1ull << 40);
    CHECK_ATOMIC(atomicMax, int, -1, 1, 1);
    CHECK_ATOMIC(atomicMax, uint32, 0xffffffff, 1, 0xffffffff);
    CHECK_ATOMIC(atomicMax, long long, 1, -(1ll << 40), 1);
    CHECK_ATOMIC(atomicMax, uint64, 1ull << 40, 1ull << 63, 1ull << 63);
    CHECK_ATOMIC(atomicInc, uint32, 6, 7, 7);
    CHECK_ATOMIC(atomicInc, uint32, 7, 7, 0);
    CHECK_ATOMIC(atomicInc, uint32, 9, 7, 0);
    CHECK_ATOMIC(atomicDec, uint32, 1, 7, 0);
    CHECK_ATOMIC(atomicDec, uint32, 0, 7, 7);
    CHECK_ATOMIC(atomicDec, uint32, 9, 7, 7);
    CHECK_ATOMIC(atomicAnd, int, 0x0ff0, 0x00ff, 0x00f0);
    CHECK_ATOMIC(atomicAnd, uint32, 0xf0f0f0f0, 0xff00ff00, 0xf000f000);
    CHECK_ATOMIC(atomicAnd, uint64, ~0ull, 1ull << 50, 1ull << 50);
    CHECK_ATOMIC(atomicOr, int, 0x0ff0, 0x00ff, 0x0fff);
    CHECK_ATOMIC(atomicOr, uint32, 0xf0f0f0f0, 0xff00ff00, 0xfff0fff0);
    CHECK_ATOMIC(atomicOr, uint64, 1, 1ull << 50, 1 | 1ull << 50);
    CHECK_ATOMIC(atomicXor, int, 0x0ff0, 0x00ff, 0x0f0f);
    CHECK_ATOMIC(atomicXor, uint32, 0xf0f0f0f0, 0xff00ff00, 0x0ff00ff0);
    CHECK_ATOMIC(atomicXor, uint64, ~0ull, 1ull << 50, ~(1ull << 50));
}

#define CHECK_CAS(function, T)                                   \
    do                                                           \
    {                                                            \
        __shared__ T x;                                          \
        x = (T)3;                                                \
        EXPECT(function(&x, (T)4, (T)5) == (T)3 && x == (T)3);   \
        EXPECT(function(&x, (T)3, (T)-1) == (T)3 && x == (T)-1); \
    } while (0)

__global__ void compare_and_swap()
{
    CHECK_CAS(atomicCAS, int);
    CHECK_CAS(atomicCAS, uint32);
    CHECK_CAS(atomicCAS, uint64);
    CHECK_CAS(atomicCAS, unsigned short);
    CHECK_CAS(atomicCAS_block, int);
    CHECK_CAS(atomicCAS_block, uint64);
    CHECK_CAS(atomicCAS_system, uint32);
    CHECK_CAS(atomicCAS_system, uint64);
}

__device__ int sum_int, smallest = 1000000, largest, lock;
__device__ uint32 sum_uint, ring, bits;
__device__ uint64 sum_uint64;
__device__ float sum_float;
__device__ double sum_double, sum_by_cas;
__device__ volatile int sum_locked; // volatile: the lock's holder must not keep it in a register

// Before there was an atomicAdd for double.
__device__ double add_by_cas(double *address, double value)
{
    uint64 *as_bits = (uint64 *)address, old = *as_bits, assumed;
    do
    {
        assumed = old;
        old = atomicCAS(as_bits, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void everybody()
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&sum_int, n);
    atomicAdd(&sum_uint, 3u);
    atomicAdd(&sum_uint64, 1ull << 33);
    atomicAdd(&sum_float, 1.0f);
    atomicAdd(&sum_double, 0.5);
    add_by_cas(&sum_by_cas, 0.25);
    atomicMin(&smallest, n);
    atomicMax(&largest, n);
    atomicInc(&ring, 9);
    atomicOr(&bits, 1u << n % 32);
    if (threadIdx.x == 0)
    {
        while (atomicCAS(&lock, 0, 1) != 0)
        {
        }
        __threadfence();
        sum_locked = sum_locked + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

__device__ int flag, crowd_lock;
__device__ volatile int num_in_turn;

// Threads of one block wait for each other: of the same warp, and of others.
__global__ void wait_for_thread(int who)
{
    if (threadIdx.x == 0)
    {
        while (atomicAdd(&flag, 0) != who)
        {
        }
    }
    else if ((int)threadIdx.x == who)
    {
        atomicExch(&flag, who);
    }
}

__global__ void crowd()
{
    for (bool done = false; !done;)
    {
        if (atomicCAS(&crowd_lock, 0, 1) == 0)
        {
            __threadfence();
            num_in_turn = num_in_turn + 1;
            __threadfence();
            atomicExch(&crowd_lock, 0);
            done = true;
        }
    }
}

__global__ void check_crowd(int expected)
{
    EXPECT(num_in_turn == expected && flag == 127);
}

__global__ void check_sums(int N, int num_blocks)
{
    EXPECT(sum_int == N / 2 * (N - 1));
    EXPECT(sum_uint == 3u * N);
    EXPECT(sum_uint64 == (uint64)N << 33);
    EXPECT(sum_float == N);
    EXPECT(sum_double == 0.5 * N && sum_by_cas == 0.25 * N);
    EXPECT(smallest == 0 && largest == N - 1);
    EXPECT(ring == (uint32)N % 10);
    EXPECT(bits == 0xffffffff);
    EXPECT(sum_locked == num_blocks);
}

int main()
{
    one_thread<<<1, 1>>>();
    report("the value returned, the value left");
    compare_and_swap<<<1, 1>>>();
    report("atomicCAS");
    everybody<<<100, 256>>>();
    check_sums<<<1, 1>>>(25600, 100);
    report("all threads at once");
    for (int who = 1; who < 128; who += 42)
    {
        wait_for_thread<<<1, 128>>>(who);
    }
    crowd<<<4, 64>>>();
    check_crowd<<<1, 1>>>(256);
    report("threads that wait for each other");
    return num_wrong;
}
