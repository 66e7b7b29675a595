// warp-functions: every vote, match, shuffle and reduction of a warp, checked lane by lane
//
// From:    section 11.3.1, and beyond the book
// Order:   after warp
// Compile: nvcc -O3 -arch=sm_75 warp-functions.cu
// Run:     ./a.out -s 2
//
// Each function has a kernel of its own. Above each kernel is the same function for the host. 64
// warps call it with random values, masks, widths and distances, and every lane is checked.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int WARPS = 64;
const int LANES = WARPS * WARP_SIZE;

// What a warp calls a function with, beside the value of each lane.
struct Call
{
    unsigned mask; // of the lanes that call
    int width;     // of a shuffle: 2, 4, 8, 16 or 32
    int source;    // the lane that __shfl_sync reads
    int distance;  // of the other shuffles
};

static Call h_calls[WARPS], *d_calls;         // one of each warp
static unsigned h_values[LANES], *d_values;   // one of each lane
static unsigned h_results[LANES], *d_results; // what each lane gets
static unsigned expected[LANES];              // what it should get

// Whether the mask has the bit of this lane.
__host__ __device__ bool is_in(unsigned mask, int lane) { return (mask >> lane) & 1; }

// --- Votes -----------------------------------------------------------------------------------

// One warp is one block in all kernels below. Only the lanes of the mask call. The result of a lane
// that is not in the mask would be undefined. Where all lanes get the
// same, the function for the host does not need `lane`: `(void)lane;` says so.

// A bit for each lane whose value is not 0.
unsigned vote_ballot_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned bits = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i) && values[i] != 0)
        {
            bits |= 1u << i;
        }
    }
    return bits;
}

__global__ void vote_ballot(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __ballot_sync(call.mask, values[n]);
    }
}

void run_vote_ballot(void) { vote_ballot<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// 1 if no value is 0, else 0.
unsigned vote_all_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned all = 1;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            all = all && values[i] != 0;
        }
    }
    return all;
}

__global__ void vote_all(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __all_sync(call.mask, values[n]);
    }
}

void run_vote_all(void) { vote_all<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// 1 if some value is not 0, else 0.
unsigned vote_any_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned any = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            any = any || values[i] != 0;
        }
    }
    return any;
}

__global__ void vote_any(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __any_sync(call.mask, values[n]);
    }
}

void run_vote_any(void) { vote_any<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// --- Matches ---------------------------------------------------------------------------------

// A bit for each lane with the same value as the lane that asks.
unsigned match_any_reference(Call call, const unsigned *values, int lane)
{
    unsigned bits = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i) && values[i] == values[lane])
        {
            bits |= 1u << i;
        }
    }
    return bits;
}

__global__ void match_any(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __match_any_sync(call.mask, values[n]);
    }
}

void run_match_any(void) { match_any<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The mask if all values are the same, else 0. The function also sets all_same to 1 or 0. If the
// two disagree, the kernel spoils its result.
unsigned match_all_reference(Call call, const unsigned *values, int lane)
{
    bool all_same = true;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            all_same = all_same && values[i] == values[lane];
        }
    }
    return all_same ? call.mask : 0;
}

__global__ void match_all(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        int all_same;
        const unsigned same = __match_all_sync(call.mask, values[n], &all_same);
        const unsigned should_be = all_same ? call.mask : 0;
        if (same == should_be)
        {
            results[n] = same;
        }
        else
        {
            results[n] = ~same;
        }
    }
}

void run_match_all(void) { match_all<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// --- Shuffles --------------------------------------------------------------------------------

// A shuffle works within segments of `width` lanes. All lanes call, because what comes from a lane
// that does not call is undefined.

// The value of one lane of the segment. Its number is taken modulo the width.
unsigned shuffle_reference(Call call, const unsigned *values, int lane)
{
    const int first = lane / call.width * call.width; // of the lane's segment
    return values[first + call.source % call.width];
}

__global__ void shuffle(const Call *calls, const unsigned *values, unsigned *results)
{
    const int n = blockIdx.x * WARP_SIZE + threadIdx.x;
    const Call call = calls[blockIdx.x];
    results[n] = __shfl_sync(FULL_MASK, values[n], call.source, call.width);
}

void run_shuffle(void) { shuffle<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The value of the lane that is `distance` below. A lane without one there keeps its own value.
unsigned shuffle_up_reference(Call call, const unsigned *values, int lane)
{
    const int first = lane / call.width * call.width; // of the lane's segment
    const int from = lane - call.distance;
    return values[from >= first ? from : lane];
}

__global__ void shuffle_up(const Call *calls, const unsigned *values, unsigned *results)
{
    const int n = blockIdx.x * WARP_SIZE + threadIdx.x;
    const Call call = calls[blockIdx.x];
    results[n] = __shfl_up_sync(FULL_MASK, values[n], call.distance, call.width);
}

void run_shuffle_up(void) { shuffle_up<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The value of the lane that is `distance` above. A lane without one there keeps its own value.
unsigned shuffle_down_reference(Call call, const unsigned *values, int lane)
{
    const int first = lane / call.width * call.width; // of the lane's segment
    const int from = lane + call.distance;
    return values[from < first + call.width ? from : lane];
}

__global__ void shuffle_down(const Call *calls, const unsigned *values, unsigned *results)
{
    const int n = blockIdx.x * WARP_SIZE + threadIdx.x;
    const Call call = calls[blockIdx.x];
    results[n] = __shfl_down_sync(FULL_MASK, values[n], call.distance, call.width);
}

void run_shuffle_down(void) { shuffle_down<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The value of the lane whose number differs in the bits of `distance`. A lane keeps its own value
// if that lane lies in a later segment. An earlier segment is allowed.
unsigned shuffle_xor_reference(Call call, const unsigned *values, int lane)
{
    const int first = lane / call.width * call.width; // of the lane's segment
    const int from = lane ^ call.distance;
    return values[from < first + call.width ? from : lane];
}

__global__ void shuffle_xor(const Call *calls, const unsigned *values, unsigned *results)
{
    const int n = blockIdx.x * WARP_SIZE + threadIdx.x;
    const Call call = calls[blockIdx.x];
    results[n] = __shfl_xor_sync(FULL_MASK, values[n], call.distance, call.width);
}

void run_shuffle_xor(void) { shuffle_xor<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// --- Reductions ------------------------------------------------------------------------------

// These are one instruction each, since compute capability 8.0. For older devices the names stand
// for a function that does nothing, so that the kernels compile; main then skips their checks.
#if ON_GPU && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
__device__ unsigned no_reduction(unsigned mask, unsigned value) { return 0; }
#define __reduce_add_sync no_reduction
#define __reduce_min_sync no_reduction
#define __reduce_max_sync no_reduction
#define __reduce_and_sync no_reduction
#define __reduce_or_sync no_reduction
#define __reduce_xor_sync no_reduction
#endif

// The sum.
unsigned reduce_add_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned sum = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            sum += values[i];
        }
    }
    return sum;
}

__global__ void reduce_add(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __reduce_add_sync(call.mask, values[n]);
    }
}

void run_reduce_add(void) { reduce_add<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The smallest value.
unsigned reduce_min_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned least = ~0u;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            least = values[i] < least ? values[i] : least;
        }
    }
    return least;
}

__global__ void reduce_min(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __reduce_min_sync(call.mask, values[n]);
    }
}

void run_reduce_min(void) { reduce_min<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The largest value.
unsigned reduce_max_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned most = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            most = values[i] > most ? values[i] : most;
        }
    }
    return most;
}

__global__ void reduce_max(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __reduce_max_sync(call.mask, values[n]);
    }
}

void run_reduce_max(void) { reduce_max<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The bits that all values have.
unsigned reduce_and_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned bits = ~0u;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            bits &= values[i];
        }
    }
    return bits;
}

__global__ void reduce_and(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __reduce_and_sync(call.mask, values[n]);
    }
}

void run_reduce_and(void) { reduce_and<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The bits that some value has.
unsigned reduce_or_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned bits = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            bits |= values[i];
        }
    }
    return bits;
}

__global__ void reduce_or(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __reduce_or_sync(call.mask, values[n]);
    }
}

void run_reduce_or(void) { reduce_or<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// The bits that an odd number of values have.
unsigned reduce_xor_reference(Call call, const unsigned *values, int lane)
{
    (void)lane;
    unsigned bits = 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        if (is_in(call.mask, i))
        {
            bits ^= values[i];
        }
    }
    return bits;
}

__global__ void reduce_xor(const Call *calls, const unsigned *values, unsigned *results)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call call = calls[blockIdx.x];
    if (is_in(call.mask, lane))
    {
        results[n] = __reduce_xor_sync(call.mask, values[n]);
    }
}

void run_reduce_xor(void) { reduce_xor<<<WARPS, WARP_SIZE>>>(d_calls, d_values, d_results); }

// --- Data and checks -------------------------------------------------------------------------

enum Callers
{
    SOME_LANES, // two warps of three call with a random mask, the third with FULL_MASK
    ALL_LANES   // all warps call with FULL_MASK
};

struct Function
{
    const char *name, *what;
    void (*run)(void); // launches its kernel
    unsigned (*reference)(Call call, const unsigned *values, int lane);
    Callers callers;
    bool needs_sm_80;
};

const Function FUNCTIONS[] = {
    {"__ballot_sync", "a bit for each lane whose value is not 0", run_vote_ballot,
     vote_ballot_reference, SOME_LANES},
    {"__all_sync", "1 if no value is 0", run_vote_all, vote_all_reference, SOME_LANES},
    {"__any_sync", "1 if some value is not 0", run_vote_any, vote_any_reference, SOME_LANES},
    {"__match_any_sync", "a bit for each lane whose value is the same as its own", run_match_any,
     match_any_reference, SOME_LANES},
    {"__match_all_sync", "the mask if all values are the same, else 0", run_match_all,
     match_all_reference, SOME_LANES},
    {"__shfl_sync", "the value of lane k of its segment, modulo the width", run_shuffle,
     shuffle_reference, ALL_LANES},
    {"__shfl_up_sync", "of the lane k below it in the segment, or its own if there is none",
     run_shuffle_up, shuffle_up_reference, ALL_LANES},
    {"__shfl_down_sync", "of the lane k above it, or its own", run_shuffle_down,
     shuffle_down_reference, ALL_LANES},
    {"__shfl_xor_sync", "of the lane whose number differs in the bits of k, or its own if behind",
     run_shuffle_xor, shuffle_xor_reference, ALL_LANES},
    {"__reduce_add_sync", "the sum", run_reduce_add, reduce_add_reference, SOME_LANES, true},
    {"__reduce_min_sync", "the smallest value", run_reduce_min, reduce_min_reference, SOME_LANES,
     true},
    {"__reduce_max_sync", "the largest value", run_reduce_max, reduce_max_reference, SOME_LANES,
     true},
    {"__reduce_and_sync", "the bits that all values have", run_reduce_and, reduce_and_reference,
     SOME_LANES, true},
    {"__reduce_or_sync", "the bits that some value has", run_reduce_or, reduce_or_reference,
     SOME_LANES, true},
    {"__reduce_xor_sync", "the bits that an odd number of values have", run_reduce_xor,
     reduce_xor_reference, SOME_LANES, true},
};
const int NUM_FUNCTIONS = sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]);

// The value of one lane. There are eight kinds of values, 0 to 7. A group of eight warps has them
// all, each warp one.
unsigned value_of(int warp, int lane, size_t seed)
{
    const int n = warp * WARP_SIZE + lane;
    const int group = warp / 8; // of eight warps
    const unsigned own_bit = 1u << lane;
    const int other = group % 2 == 0 ? 0 : WARP_SIZE - 1; // the first lane or the last one
    switch (warp % 8)
    {
    case 0: // all lanes have the same value
        return group % 4;
    case 1: // large values
        return (unsigned)hash_bits(seed + 2, n);
    case 2: // a bit that only this lane has
        return own_bit;
    case 3: // a bit that only this lane lacks
        return ~own_bit;
    case 4: // all are 0, but for one lane
        return lane == other ? 1 : 0;
    case 5: // all are 1, but for one lane
        return lane == other ? 0 : 1;
    default: // 6 and 7: two bits, so that several lanes have the same value
        return random_below(seed + 2, n, 4) << ((warp % 3) * 15);
    }
}

// The calls and values of all warps.
void fill_warps(Callers callers, size_t seed)
{
    const int WIDTHS[] = {2, 4, 8, 16, 32};
    for (int warp = 0; warp < WARPS; ++warp)
    {
        const bool is_full = callers == ALL_LANES || warp % 3 == 0;
        const unsigned one_lane = 1u << (warp % WARP_SIZE); // so that no mask is empty
        const unsigned some = (unsigned)hash_bits(seed, warp) | one_lane;
        h_calls[warp].mask = is_full ? FULL_MASK : some;
        h_calls[warp].width = WIDTHS[warp % 5];
        // More than there are lanes: __shfl_sync takes it modulo the width.
        h_calls[warp].source = random_below(seed + 1, warp, 64);
        h_calls[warp].distance = random_below(seed + 1, warp, WARP_SIZE);
        for (int lane = 0; lane < WARP_SIZE; ++lane)
        {
            h_values[warp * WARP_SIZE + lane] = value_of(warp, lane, seed);
        }
    }
}

// The result of a lane that does not call must stay as it was: check_function has poisoned it.
void find_expected(const Function *function)
{
    for (int n = 0; n < LANES; ++n)
    {
        const Call call = h_calls[n / WARP_SIZE];
        const int lane = n % WARP_SIZE;
        const bool has_called = is_in(call.mask, lane);
        expected[n] =
            has_called ? function->reference(call, &h_values[n - lane], lane) : h_results[n];
    }
}

void check_function(const Function *function)
{
    fill_warps(function->callers, args.seed);
    poison(h_results, sizeof(h_results));
    find_expected(function);
    CHECK(cudaMemcpy(d_calls, h_calls, sizeof(h_calls), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, h_values, sizeof(h_values), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_results, h_results, sizeof(h_results), cudaMemcpyHostToDevice));
    function->run();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_results, d_results, sizeof(h_results), cudaMemcpyDeviceToHost));
    check_elements(function->name, h_results, expected, LANES);
}

int main(int argc, char **argv)
{
    parse_args(
        argc, argv, "-s S",
        "warp-functions: every vote, match, shuffle and reduction of a warp, checked lane by "
        "lane");
    cudaFuncAttributes attributes; // what this program was compiled for
    CHECK(cudaFuncGetAttributes(&attributes, reduce_add));
    const bool has_sm_80 = attributes.ptxVersion >= 80;

    CHECK(cudaMalloc(&d_calls, sizeof(h_calls)));
    CHECK(cudaMalloc(&d_values, sizeof(h_values)));
    CHECK(cudaMalloc(&d_results, sizeof(h_results)));

    printf(said("What a lane gets, checked for each lane of %d warps:\n"), WARPS);
    for (int i = 0; i < NUM_FUNCTIONS; ++i)
    {
        const Function *function = &FUNCTIONS[i];
        if (function->needs_sm_80 && !has_sm_80)
        {
            printf("%-18s skipped: compiled for less than 8.0\n", function->name);
            continue;
        }
        check_function(function);
        printf("%-18s %s\n", function->name, function->what);
    }

    CHECK(cudaFree(d_calls));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_results));
    return verdict();
}
