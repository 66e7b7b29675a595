// Conforms to: inline PTX that reads special registers, that waits, votes, shuffles and branches.
#include "expect.cuh"

const unsigned FULL = 0xffffffff;

// ---- Special registers ----

#define SPECIAL(variable, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(variable))

__global__ void where(unsigned sms)
{
    unsigned x, y, z;
    SPECIAL(x, "tid.x");
    SPECIAL(y, "tid.y");
    SPECIAL(z, "tid.z");
    EXPECT(x == threadIdx.x && y == threadIdx.y && z == threadIdx.z);
    SPECIAL(x, "ntid.x");
    SPECIAL(y, "ntid.y");
    SPECIAL(z, "ntid.z");
    EXPECT(x == blockDim.x && y == blockDim.y && z == blockDim.z);
    SPECIAL(x, "ctaid.x");
    SPECIAL(y, "ctaid.y");
    SPECIAL(z, "ctaid.z");
    EXPECT(x == blockIdx.x && y == blockIdx.y && z == blockIdx.z);
    SPECIAL(x, "nctaid.x");
    SPECIAL(y, "nctaid.y");
    SPECIAL(z, "nctaid.z");
    EXPECT(x == gridDim.x && y == gridDim.y && z == gridDim.z);

    const unsigned n = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned lane = n % 32;
    SPECIAL(x, "laneid");
    EXPECT(x == lane);
    SPECIAL(x, "smid");
    SPECIAL(y, "nsmid");
    EXPECT(x < y && y >= sms);
    SPECIAL(x, "dynamic_smem_size");
    EXPECT(x == 256);
    SPECIAL(x, "warpid");
    EXPECT(__shfl_sync(FULL, x, 0) == x);
    SPECIAL(x, "lanemask_eq");
    EXPECT(x == 1u << lane);
    SPECIAL(x, "lanemask_lt");
    EXPECT(x == (1u << lane) - 1);
    SPECIAL(x, "lanemask_le");
    EXPECT(x == (2u << lane) - 1);
    SPECIAL(x, "lanemask_gt");
    EXPECT(x == ~((2u << lane) - 1));
    SPECIAL(x, "lanemask_ge");
    EXPECT(x == ~((1u << lane) - 1));

    unsigned long long start, end, timer;
    unsigned ticks;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(start));
    asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
    EXPECT(end >= start && ticks - (unsigned)start <= (unsigned)(end - start));
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(timer));
    EXPECT(timer > 1500000000000000000); // nanoseconds since 1970
    asm("{ .reg .u32 a, b, c; mov.u32 a, %%ctaid.x; mov.u32 b, %%ntid.x; mov.u32 c, %%tid.x;\n"
        "  mad.lo.u32 %0, a, b, c; }"
        : "=r"(x));
    EXPECT(x == blockDim.x * blockIdx.x + threadIdx.x);
}

// ---- A warp ----

template <typename T>
__device__ T shfl_xor(T x, int bits)
{
    T y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x), "r"(bits));
    return y;
}

__device__ float shfl_down(float x, unsigned delta)
{
    float y;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(y) : "f"(x), "r"(delta));
    return y;
}

// The value, and 100 more if the source is within the segment.
#define SHUFFLE(mode, y, x, b, c)                                          \
    asm volatile("{\n\t.reg .pred p;\n\t.reg .u32 t;\n\t"                  \
                 "shfl.sync." mode ".b32 t|p, %1, %2, %3, 0xffffffff;\n\t" \
                 "@p add.u32 t, t, 100;\n\tmov.u32 %0, t;\n\t}"            \
                 : "=r"(y)                                                 \
                 : "r"(x), "r"(b), "r"(c))

__global__ void shuffles()
{
    const int lane = threadIdx.x % 32;
    for (int width = 1; width <= 32; width *= 2)
    {
        const int first = lane / width * width, last = first + width - 1;
        const unsigned segment = (unsigned)(32 - width) << 8;
        for (int i = 0; i < 32; ++i)
        {
            int y;
            SHUFFLE("idx", y, lane, i, segment | 31);
            EXPECT(y == first + i % width + 100);
            SHUFFLE("up", y, lane, i, segment);
            EXPECT(y == (lane - i >= first ? lane - i + 100 : lane));
            SHUFFLE("down", y, lane, i, segment | 31);
            EXPECT(y == (lane + i <= last ? lane + i + 100 : lane));
            SHUFFLE("bfly", y, lane, i, segment | 31);
            EXPECT(y == ((lane ^ i) <= last ? (lane ^ i) + 100 : lane));
        }
    }
    int sum = lane;
    for (int bits = 16; bits > 0; bits /= 2)
    {
        sum += shfl_xor(sum, bits);
    }
    EXPECT(sum == 496);
    float total = (float)lane;
    for (int delta = 16; delta > 0; delta /= 2)
    {
        total += shfl_down(total, delta);
    }
    EXPECT(lane != 0 || total == 496.0f);
}

__global__ void votes()
{
    const int lane = threadIdx.x % 32;
    unsigned all, any, ballot, uniform;
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %4, 7; vote.sync.all.pred q, p, 0xffffffff;\n"
                 "  selp.u32 %0, 1, 0, q; vote.sync.any.pred q, p, -1; selp.u32 %1, 1, 0, q;\n"
                 "  vote.sync.ballot.b32 %2, !p, 0xffffffff;\n"
                 "  vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %3, 1, 0, q; }"
                 : "=r"(all), "=r"(any), "=r"(ballot), "=r"(uniform)
                 : "r"(lane));
    EXPECT(all == 0 && any == 1 && ballot == 0xffffff80 && uniform == 0);
    unsigned same, every;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(lane / 4));
    EXPECT(same == 0xfu << lane / 4 * 4);
    asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(same), "=r"(every)
                 : "l"(77ull));
    EXPECT(same == FULL && every == 1);
    asm volatile("activemask.b32 %0;" : "=r"(same));
    EXPECT(same >> lane & 1);
    if (lane < 16)
    {
        asm volatile("bar.warp.sync 0xffff;" ::: "memory");
        asm volatile("vote.sync.ballot.b32 %0, 1, 0x0000ffff;" : "=r"(same));
    }
#if __CUDA_ARCH__ >= 800
    int least;
    unsigned sum;
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(least) : "r"(lane - 5));
    asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(sum) : "r"(lane), "r"(FULL));
    EXPECT(least == -5 && sum == 496);
    asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(sum) : "r"(1 << lane), "r"(FULL));
    EXPECT(sum == FULL);
#endif
}

// ---- A block ----

__global__ void barriers()
{
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = t;
    for (int half = 128; half > 0; half /= 2)
    {
        asm volatile("bar.sync 0;" ::: "memory");
        if (t < half)
        {
            s[t] += s[t + half];
        }
    }
    asm volatile("barrier.sync 1;" ::: "memory");
    EXPECT(s[0] == 255 * 128);
    asm volatile("bar.sync %0, %1;" ::"r"(2), "r"(256) : "memory");
    unsigned count, both, one;
    asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %3, 0; bar.red.popc.u32 %0, 0, p;\n"
                 "  bar.red.and.pred q, 0, p; selp.u32 %1, 1, 0, q;\n"
                 "  bar.red.or.pred q, 0, !p; selp.u32 %2, 1, 0, q; }"
                 : "=r"(count), "=r"(both), "=r"(one)
                 : "r"(t % 3));
    EXPECT(count == 86 && both == 0 && one == 1);
    if (t == 300)
    {
        asm volatile("trap;");
    }
    asm volatile("nanosleep.u32 20;");
    asm volatile("membar.cta;\n\tmembar.gl;\n\tmembar.sys; fence.acq_rel.gpu; fence.sc.sys;");
}

// ---- Branches, and the end of a thread ----

__device__ int collatz(int n)
{
    int steps;
    asm("{\n\t"
        ".reg .pred is_one, odd;\n\t"
        ".reg .s32 n, low;\n\t"
        "mov.s32 n, %1;\n\t"
        "mov.s32 %0, 0;\n"
        "again:\n\t" // a loop
        "setp.eq.s32 is_one, n, 1;\n\t"
        "@is_one bra done;\n\t"
        "and.b32 low, n, 1;\n\t"
        "setp.ne.s32 odd, low, 0;\n\t"
        "@odd mad.lo.s32 n, n, 3, 1; /* 3 n + 1 */\n\t"
        "@!odd shr.s32 n, n, 1;\n\t"
        "add.s32 %0, %0, 1;\n\t"
        "bra.uni again;\n"
        "done:\n\t}"
        : "=&r"(steps)
        : "r"(n));
    return steps;
}

__global__ void branches()
{
    EXPECT(collatz(1) == 0);
    EXPECT(collatz(27) == 111);
    EXPECT(collatz(6) + collatz(7) == 8 + 16);
    int nested;
    asm("{ .reg .u32 a; mov.u32 a, 1; { .reg .u32 a; mov.u32 a, 2; } mov.u32 %0, a; }"
        : "=r"(nested));
    EXPECT(nested == 1);
    asm volatile(R"(
        .reg .u32 t; // in a raw string
        add.u32 t, %0, 1;
        mov.u32 %0, t;)"
                 : "+r"(nested));
    EXPECT(nested == 2);
    if (threadIdx.x > 1000)
        asm volatile("trap;");
    else
        asm volatile("");
    asm volatile("" : "+r"(nested) : : "memory");
    EXPECT(nested == 2);
}

__device__ int leave_if(bool leaves)
{
    if (leaves)
    {
        asm volatile("exit;");
    }
    return 1;
}

__global__ void leave(int *left)
{
    const int t = threadIdx.x;
    atomicAdd(&left[0], 1);
    __syncthreads();
    const unsigned rest = __ballot_sync(FULL, t % 3 != 0);
    atomicAdd(&left[1], leave_if(t % 3 == 0));
    EXPECT(__shfl_sync(rest, t, __ffs(rest) - 1) == t / 32 * 32 + __ffs(rest) - 1);
    atomicAdd(&left[2], leave_if(t % 3 == 1));
}

int main()
{
    int *numbers, sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaMallocManaged(&numbers, 3 * sizeof(int));
    where<<<dim3(3, 2, 2), dim3(8, 4, 2), 256>>>(sms);
    report("special registers");
    shuffles<<<2, 64>>>();
    report("shuffles");
    votes<<<2, 64>>>();
    report("votes");
    barriers<<<3, 256>>>();
    report("barriers");
    branches<<<1, 1>>>();
    report("branches");
    memset(numbers, 0, 3 * sizeof(int));
    leave<<<2, 96>>>(numbers);
    report("exit");
    printf("%d came, %d stayed, %d stayed to the end\n", numbers[0], numbers[1], numbers[2]);
    cudaFree(numbers);
    return num_wrong;
}
