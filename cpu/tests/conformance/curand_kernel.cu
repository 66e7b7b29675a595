// cuRAND's device API: XORWOW and Philox with any seed, subsequence and offset. Integers and uniform
// numbers are printed as they are, and all integers of a case go into a hash.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>
#include "expect.cuh"

typedef unsigned long long Long;

struct Result
{
    unsigned int first[4], after_skip, after_sequence, after_normals;
    Long hash; // of 1000 more
    float uniform;
    double uniform_double;
    float normal[4];
    double normal_double[4];
    int is_log; // what curand_log_normal gives is what follows from curand_normal
};

template <class State>
__device__ void draw(Long seed, Long subsequence, Long offset, Result *result)
{
    State state, other;
    curand_init(seed, subsequence, offset, &state);
    for (int i = 0; i < 4; ++i)
    {
        result->first[i] = curand(&state);
    }
    result->uniform = curand_uniform(&state);
    result->uniform_double = curand_uniform_double(&state);
    Long hash = 1469598103934665603ull;
    for (int i = 0; i < 1000; ++i)
    {
        hash = (hash ^ curand(&state)) * 1099511628211ull;
    }
    result->hash = hash;
    skipahead(1234567890123ull, &state);
    result->after_skip = curand(&state);
    skipahead_sequence(987654321ull, &state);
    result->after_sequence = curand(&state);

    // The third number begins a pair, and the state keeps its second one.
    other = state;
    const float one = curand_normal(&state), two = curand_normal(&state);
    const float2 pair = curand_normal2(&state);
    result->normal[0] = one;
    result->normal[1] = two;
    result->normal[2] = pair.x;
    result->normal[3] = pair.y;
    const float log_one = curand_log_normal(&other, 1.0f, 0.5f);
    const float log_two = curand_log_normal(&other, 1.0f, 0.5f);
    result->is_log = fabsf(log_one - expf(1.0f + 0.5f * one)) <= 1e-5f * log_one &&
                     fabsf(log_two - expf(1.0f + 0.5f * two)) <= 1e-5f * log_two;
    result->normal_double[0] = curand_normal_double(&state);
    result->normal_double[1] = curand_normal_double(&state);
    const double2 pair_double = curand_normal2_double(&state);
    result->normal_double[2] = pair_double.x;
    result->normal_double[3] = pair_double.y;
    result->after_normals = curand(&state);
}

template <class State>
__global__ void draw_all(const Long *seeds, const Long *subsequences, const Long *offsets,
                         Result *results)
{
    const int n = (blockIdx.x * gridDim.y + blockIdx.y) * blockDim.x + threadIdx.x;
    draw<State>(seeds[blockIdx.x], subsequences[blockIdx.y], offsets[threadIdx.x], &results[n]);
}

// Uniform numbers, too, of Box and Muller: u of the first integer, the angle of the second one.
__global__ void compare_normals(bool is_philox)
{
    curandState x;
    curandStatePhilox4_32_10_t p;
    curand_init(5, 6, 7, &x);
    curand_init(5, 6, 7, &p);
    for (int i = 0; i < 100; ++i)
    {
        curandState x_old = x;
        curandStatePhilox4_32_10_t p_old = p;
        const unsigned int a = is_philox ? curand(&p_old) : curand(&x_old);
        const unsigned int b = is_philox ? curand(&p_old) : curand(&x_old);
        const double radius = sqrt(-2.0 * log((a + 0.5) / 4294967296.0));
        const double angle = 6.283185307179586 * (b + 0.5) / 4294967296.0;
        const float2 both = is_philox ? curand_normal2(&p) : curand_normal2(&x);
        EXPECT(fabs(both.x - radius * sin(angle)) <= 8e-6);
        EXPECT(fabs(both.y - radius * cos(angle)) <= 8e-6);
    }
    for (int i = 0; i < 100; ++i)
    {
        curandState x_old = x;
        curandStatePhilox4_32_10_t p_old = p;
        const Long a0 = is_philox ? curand(&p_old) : curand(&x_old);
        const Long a1 = is_philox ? curand(&p_old) : curand(&x_old);
        const Long b0 = is_philox ? curand(&p_old) : curand(&x_old);
        const Long b1 = is_philox ? curand(&p_old) : curand(&x_old);
        const double radius = sqrt(-2.0 * log(((a0 ^ a1 << 21) + 0.5) / 9007199254740992.0));
        const double angle = 6.283185307179586 * (((b0 ^ b1 << 21) + 0.5) / 9007199254740992.0);
        const double2 both = is_philox ? curand_normal2_double(&p) : curand_normal2_double(&x);
        EXPECT(fabs(both.x - radius * sin(angle)) <= 2e-14);
        EXPECT(fabs(both.y - radius * cos(angle)) <= 2e-14);
    }
}

// Four at once are the same as four one by one, wherever the state stands.
__global__ void fours(void)
{
    for (int skip = 0; skip < 9; ++skip)
    {
        curandStatePhilox4_32_10_t one, four;
        curand_init(77, 3, skip, &one);
        four = one;
        const uint4 x = curand4(&four);
        EXPECT(x.x == curand(&one));
        EXPECT(x.y == curand(&one));
        EXPECT(x.z == curand(&one));
        EXPECT(x.w == curand(&one));
        const float4 u = curand_uniform4(&four);
        EXPECT(u.x == curand_uniform(&one));
        EXPECT(u.y == curand_uniform(&one));
        EXPECT(u.z == curand_uniform(&one));
        EXPECT(u.w == curand_uniform(&one));
        const float4 v = curand_normal4(&four);
        const float2 a = curand_normal2(&one), b = curand_normal2(&one);
        EXPECT(v.x == a.x && v.y == a.y && v.z == b.x && v.w == b.y);
        curand_uniform2_double(&four);
        skipahead(4, &one);
        EXPECT(curand(&four) == curand(&one));
    }
}

const int NUM_SEEDS = 4, NUM_SUBSEQUENCES = 8, NUM_OFFSETS = 10;
const int NUM_CASES = NUM_SEEDS * NUM_SUBSEQUENCES * NUM_OFFSETS;

template <class State>
static void cases(const char *name)
{
    const Long seeds[NUM_SEEDS] = {0, 1234, 0x100000000ull, ~0ull};
    const Long subsequences[NUM_SUBSEQUENCES] = {
        0, 1, 4095, 65535, 0xffffffffull, 0x100000000ull, 0x123456789abcdefull, ~0ull};
    const Long offsets[NUM_OFFSETS] = {
        0, 1, 2, 3, 4, 100, 0xffffffffull, 0x3fffffffdull, 0x123456789abcdefull, ~0ull};
    Long *d_seeds, *d_subsequences, *d_offsets;
    Result *d_results;
    static Result results[NUM_CASES];
    cudaMalloc(&d_seeds, sizeof(seeds));
    cudaMalloc(&d_subsequences, sizeof(subsequences));
    cudaMalloc(&d_offsets, sizeof(offsets));
    cudaMalloc(&d_results, sizeof(results));
    cudaMemcpy(d_seeds, seeds, sizeof(seeds), cudaMemcpyHostToDevice);
    cudaMemcpy(d_subsequences, subsequences, sizeof(subsequences), cudaMemcpyHostToDevice);
    cudaMemcpy(d_offsets, offsets, sizeof(offsets), cudaMemcpyHostToDevice);
    draw_all<State><<<dim3(NUM_SEEDS, NUM_SUBSEQUENCES), NUM_OFFSETS>>>(d_seeds, d_subsequences,
                                                                        d_offsets, d_results);
    cudaMemcpy(results, d_results, sizeof(results), cudaMemcpyDeviceToHost);
    bool is_log = true;
    for (int n = 0; n < NUM_CASES; ++n)
    {
        const Result *r = &results[n];
        printf("%s %llx %llx %llx: %08x %08x %08x %08x %a %a %016llx %08x %08x %08x\n", name,
               seeds[n / NUM_OFFSETS / NUM_SUBSEQUENCES],
               subsequences[n / NUM_OFFSETS % NUM_SUBSEQUENCES], offsets[n % NUM_OFFSETS],
               r->first[0], r->first[1], r->first[2], r->first[3], r->uniform, r->uniform_double,
               r->hash, r->after_skip, r->after_sequence, r->after_normals);
        is_log = is_log && r->is_log;
    }
    check("log-normal numbers", is_log);
    cudaFree(d_seeds);
    cudaFree(d_subsequences);
    cudaFree(d_offsets);
    cudaFree(d_results);
}

int main()
{
    cases<curandState>("XORWOW");
    cases<curandStatePhilox4_32_10_t>("Philox");
    fours<<<1, 1>>>();
    report("four at once");
    for (const bool is_philox : {false, true})
    {
        compare_normals<<<1, 1>>>(is_philox);
        report(is_philox ? "normal numbers, Philox" : "normal numbers, XORWOW");
    }
    return num_wrong;
}
