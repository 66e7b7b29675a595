// Conforms to: shuffles of every type and width, votes, matches, reductions, __activemask.
#include "expect.cuh"

const unsigned FULL = 0xffffffff;

// A value that no other lane has, in both halves of eight bytes.
template <typename T>
__device__ T value_of(int lane)
{
    return (T)(sizeof(T) == 8 ? (lane + 1) * 4294967297.0 : (lane + 1) * 65537.0);
}

template <typename T>
__global__ void shuffle()
{
    const int lane = threadIdx.x % 32;
    const T own = value_of<T>(lane);
    for (int width = 2; width <= 32; width *= 2)
    {
        const int first = lane / width * width;
        for (int i = 0; i < 32; ++i)
        {
            EXPECT(__shfl_sync(FULL, own, i, width) == value_of<T>(first + i % width));
            const int up = lane - i, down = lane + i, other = lane ^ i;
            EXPECT(__shfl_up_sync(FULL, own, i, width) == value_of<T>(up >= first ? up : lane));
            EXPECT(__shfl_down_sync(FULL, own, i, width) ==
                   value_of<T>(down < first + width ? down : lane));
            EXPECT(__shfl_xor_sync(FULL, own, i, width) ==
                   value_of<T>(other < first + width ? other : lane));
        }
    }
    EXPECT(__shfl_sync(FULL, own, -1) == value_of<T>(31)); // of the source, five bits count
    EXPECT(__shfl_sync(FULL, own, 33) == value_of<T>(1));
    EXPECT(__shfl_sync(FULL, own, lane % 7) == value_of<T>(lane % 7));
}

template <typename T>
__global__ void sum_by_shuffles()
{
    T sum = (T)(threadIdx.x % 32);
    for (int offset = 16; offset > 0; offset /= 2)
    {
        sum += __shfl_down_sync(FULL, sum, offset);
    }
    EXPECT(threadIdx.x % 32 != 0 || sum == (T)496);
}

template <typename T>
void test_type()
{
    shuffle<T><<<2, 96>>>();
    sum_by_shuffles<T><<<2, 1024>>>();
}

__global__ void vote()
{
    const int lane = threadIdx.x;
    EXPECT(__ballot_sync(FULL, lane % 2) == 0xaaaaaaaa);
    EXPECT(__ballot_sync(FULL, lane == 31 ? 256 : 0) == 0x80000000);
    EXPECT(__any_sync(FULL, lane == 17) != 0);
    EXPECT(__any_sync(FULL, lane == 32) == 0);
    EXPECT(__all_sync(FULL, lane < 32) != 0);
    EXPECT(__all_sync(FULL, lane != 5) == 0);
    if (lane % 4 == 0)
    {
        const unsigned mask = 0x11111111;
        EXPECT(__ballot_sync(mask, lane < 16) == 0x00001111);
        EXPECT(__all_sync(mask, lane % 2 == 0) != 0);
        EXPECT(__any_sync(mask, lane % 4 == 1) == 0);
        EXPECT(__shfl_sync(mask, lane, lane ^ 4) == (lane ^ 4));
    }
    else
    {
        const unsigned mask = ~0x11111111u;
        EXPECT(__ballot_sync(mask, lane < 16) == (0x0000ffff & mask));
        EXPECT(__any_sync(mask, lane % 4 == 1) != 0);
    }
}

__global__ void match()
{
    const int lane = threadIdx.x;
    int all = -1;
    EXPECT(__match_any_sync(FULL, lane / 8) == 0xffu << lane / 8 * 8);
    EXPECT(__match_any_sync(FULL, (lane % 2) * 1e300) == (lane % 2 ? 0xaaaaaaaa : 0x55555555));
    EXPECT(__match_any_sync(FULL, (long long)lane << 40) == 1u << lane);
    EXPECT(__match_all_sync(FULL, 3.5f, &all) == FULL && all != 0);
    EXPECT(__match_all_sync(FULL, lane == 9, &all) == 0 && all == 0);
    if (lane >= 24)
    {
        EXPECT(__match_any_sync(0xff000000, lane % 3) == (0x49249249u << (lane % 3) & 0xff000000));
        EXPECT(__match_all_sync(0xff000000, 7ull, &all) == 0xff000000 && all != 0);
    }
}

__global__ void reduce()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    const int lane = threadIdx.x, x = lane - 20;
    EXPECT(__reduce_add_sync(FULL, x) == 496 - 640);
    EXPECT(__reduce_add_sync(FULL, 0x80000001u) == 32);
    EXPECT(__reduce_min_sync(FULL, x) == -20);
    EXPECT(__reduce_max_sync(FULL, x) == 11);
    EXPECT(__reduce_min_sync(FULL, (unsigned)x) == 0);
    EXPECT(__reduce_max_sync(FULL, (unsigned)x) == 0xffffffff);
    EXPECT(__reduce_and_sync(FULL, ~(1u << lane % 5)) == ~0x1fu);
    EXPECT(__reduce_or_sync(FULL, 1u << lane) == FULL);
    EXPECT(__reduce_xor_sync(FULL, 1u << lane / 2) == 0);
    if (lane % 2 == 1)
    {
        EXPECT(__reduce_add_sync(0xaaaaaaaa, lane) == 256);
    }
#endif
}

__device__ int counter, seen[64];

// One atomic operation for all threads that are here: the first adds for all.
__device__ int increment_together(int *address)
{
    const unsigned mask = __activemask();
    const int lane = threadIdx.x % 32, leader = __ffs(mask) - 1;
    int base = 0;
    if (lane == leader)
    {
        base = atomicAdd(address, __popc(mask));
    }
    base = __shfl_sync(mask, base, leader);
    return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void aggregate()
{
    const int tid = threadIdx.x;
    if (tid % 3 == 0)
    {
        const int place = increment_together(&counter);
        EXPECT(place >= 0 && place < 43);
        EXPECT(atomicAdd(&seen[place], 1) == 0); // no place is given twice
    }
    __syncthreads();
    EXPECT(counter == 43);
    const unsigned mask = __activemask();
    EXPECT((mask >> tid % 32 & 1) == 1);
    int sum = 1;
    if (tid < 16)
    {
        const unsigned here = __activemask();
        EXPECT((here & ~0xffffu) == 0 && (here >> tid & 1) == 1);
        sum = __popc(__ballot_sync(here, 1));
        EXPECT(sum == __popc(here));
        __nanosleep(20);
    }
    __syncwarp();
}

int main()
{
    test_type<int>();
    test_type<unsigned>();
    test_type<float>();
    report("shuffles of four bytes");
    test_type<long>();
    test_type<unsigned long>();
    test_type<long long>();
    test_type<unsigned long long>();
    test_type<double>();
    report("shuffles of eight bytes");
    vote<<<2, 32>>>();
    report("votes");
    match<<<2, 32>>>();
    report("__match");
    reduce<<<2, 32>>>();
    report("__reduce");
    aggregate<<<1, 128>>>();
    report("__activemask");
    return num_wrong;
}
