// warp: votes, matches, shuffles and reductions among 32 threads, without shared memory
//
// From:    Listing 11.2, section 11.3
// Compile: nvcc -O3 warp.cu
// Run:     ./a.out -s 2
// Checks:  16
//
// First the table of Listing 11.2: 16 threads, and shuffles of width 8. The threads bring their
// values together, and one of them prints. A thread calls only with a mask that it is in, and the
// warp is whole, so that FULL_MASK names no lanes that are not there.
//
// Then every function, for every lane of 64 warps, with random values, masks, widths and
// distances, against what the host computes from the function's description.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "warp_functions.cuh"

const unsigned FULL_MASK = 0xffffffff;

// --- Listing 11.2 ----------------------------------------------------------------------------

const int WIDTH = 8;
const int SHOWN = 16; // threads of the book's block; the other half of the warp stays silent

struct Row
{
    int of[WARP_SIZE];
};

struct Listing
{
    Row thread, lane, shfl, shfl_up, shfl_down, shfl_xor;
    unsigned mask1, mask2;
    int all_full, all_mask1, any_full, any_mask2;
};

__device__ void print_row(const char *label, const Row *row)
{
    printf("%s", label);
    for (int i = 0; i < SHOWN; ++i)
    {
        printf(" %2d", row->of[i]);
    }
    printf("\n");
}

__device__ void print_listing(const Listing *s)
{
    print_row("threadIdx.x:", &s->thread);
    print_row("lane_id:    ", &s->lane);
    printf("FULL_MASK = %x\n", FULL_MASK);
    printf("mask1     = %x\n", s->mask1);
    printf("mask2     = %x\n", s->mask2);
    printf("all_sync (FULL_MASK): %d\n", s->all_full);
    printf("all_sync     (mask1): %d\n", s->all_mask1);
    printf("any_sync (FULL_MASK): %d\n", s->any_full);
    printf("any_sync     (mask2): %d\n", s->any_mask2);
    print_row("shfl:     ", &s->shfl);
    print_row("shfl_up:  ", &s->shfl_up);
    print_row("shfl_down:", &s->shfl_down);
    print_row("shfl_xor: ", &s->shfl_xor);
}

__global__ void test_warp_primitives(Listing *listing)
{
    const int tid = threadIdx.x;
    listing->thread.of[tid] = tid;
    listing->lane.of[tid] = tid % WIDTH;
    const unsigned mask1 = __ballot_sync(FULL_MASK, tid > 0 && tid < SHOWN);
    const unsigned mask2 = __ballot_sync(FULL_MASK, tid == 0);
    const int all_full = __all_sync(FULL_MASK, tid);
    const int any_full = __any_sync(FULL_MASK, tid);
    if (mask1 >> tid & 1)
    {
        const int all_mask1 = __all_sync(mask1, tid);
        if (tid == 1)
        {
            listing->all_mask1 = all_mask1;
        }
    }
    if (mask2 >> tid & 1) // thread 0, alone
    {
        listing->any_mask2 = __any_sync(mask2, tid);
        listing->mask1 = mask1;
        listing->mask2 = mask2;
        listing->all_full = all_full;
        listing->any_full = any_full;
    }
    listing->shfl.of[tid] = __shfl_sync(FULL_MASK, tid, 2, WIDTH);
    listing->shfl_up.of[tid] = __shfl_up_sync(FULL_MASK, tid, 1, WIDTH);
    listing->shfl_down.of[tid] = __shfl_down_sync(FULL_MASK, tid, 1, WIDTH);
    listing->shfl_xor.of[tid] = __shfl_xor_sync(FULL_MASK, tid, 1, WIDTH);
    __syncwarp(); // what each has written, all may read now
    if (tid == 0)
    {
        print_listing(listing);
    }
}

bool is_right(const Listing *s)
{
    bool right = s->mask1 == 0xfffe && s->mask2 == 1 && s->all_full == 0 && s->all_mask1 == 1 &&
                 s->any_full == 1 && s->any_mask2 == 0;
    for (int i = 0; i < WARP_SIZE; ++i)
    {
        const int first = i / WIDTH * WIDTH, last = first + WIDTH - 1;
        right = right && s->thread.of[i] == i && s->lane.of[i] == i - first &&
                s->shfl.of[i] == first + 2 && s->shfl_up.of[i] == (i > first ? i - 1 : i) &&
                s->shfl_down.of[i] == (i < last ? i + 1 : i) && s->shfl_xor.of[i] == (i ^ 1);
    }
    return right;
}

void check_listing(void)
{
    Listing listing, *d_listing;
    CHECK(cudaMalloc(&d_listing, sizeof(Listing)));
    CHECK(cudaMemset(d_listing, POISON_BYTE, sizeof(Listing)));
    test_warp_primitives<<<1, WARP_SIZE>>>(d_listing);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&listing, d_listing, sizeof(Listing), cudaMemcpyDeviceToHost));
    check_true("the table of Listing 11.2", is_right(&listing));
    CHECK(cudaFree(d_listing));
}

// --- Every function, every lane --------------------------------------------------------------

// Reductions by one instruction came with compute capability 8.0.
#if ON_GPU && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define REDUCE(operation) 0
#else
#define REDUCE(operation) (*has_reduce = true, __reduce_##operation##_sync(c.mask, value))
#endif

__device__ unsigned call(Function function, Call c, unsigned value, bool *has_reduce)
{
    int all_same;
    unsigned same;
    switch (function)
    {
    case BALLOT:
        return __ballot_sync(c.mask, value);
    case ALL:
        return __all_sync(c.mask, value);
    case ANY:
        return __any_sync(c.mask, value);
    case MATCH_ANY:
        return __match_any_sync(c.mask, value);
    case MATCH_ALL: // says the same twice, or there is something wrong
        same = __match_all_sync(c.mask, value, &all_same);
        return same == (all_same ? c.mask : 0) ? same : ~same;
    case SHFL:
        return __shfl_sync(c.mask, value, c.k, c.width);
    case SHFL_UP:
        return __shfl_up_sync(c.mask, value, c.k, c.width);
    case SHFL_DOWN:
        return __shfl_down_sync(c.mask, value, c.k, c.width);
    case SHFL_XOR:
        return __shfl_xor_sync(c.mask, value, c.k, c.width);
    case REDUCE_ADD:
        return REDUCE(add);
    case REDUCE_MIN:
        return REDUCE(min);
    case REDUCE_MAX:
        return REDUCE(max);
    case REDUCE_AND:
        return REDUCE(and);
    case REDUCE_OR:
        return REDUCE(or);
    default:
        return REDUCE(xor);
    }
}

// One warp a block. Of a lane outside of the mask nothing may be asked, so it does not call.
__global__ void call_function(Function function, const Call *calls, const unsigned *values,
                              unsigned *results, bool *has_reduce)
{
    const int lane = threadIdx.x, n = blockIdx.x * WARP_SIZE + lane;
    const Call c = calls[blockIdx.x];
    if (c.mask >> lane & 1)
    {
        results[n] = call(function, c, values[n], has_reduce);
    }
}

// --- Data and checks -------------------------------------------------------------------------

const int WARPS = 64;
const int LANES = WARPS * WARP_SIZE;

struct Data
{
    Call calls[WARPS];
    unsigned values[LANES], results[LANES];
    bool has_reduce;
};

// Masks are full for shuffles, as what comes from a lane that does not call is undefined, and for
// a third of the other calls. Values are large, or of two bits so that some are the same, or all.
void fill(Data *data, Function function, size_t seed)
{
    for (int warp = 0; warp < WARPS; ++warp)
    {
        const bool is_full = warp % 3 == 0 || (function >= SHFL && function <= SHFL_XOR);
        const unsigned some = (unsigned)hash_bits(seed, warp) | 1u << warp % WARP_SIZE;
        const int width = 2 << warp % 5;
        const int k = random_below(seed + 1, warp, function == SHFL ? 64 : WARP_SIZE);
        data->calls[warp] = {is_full ? FULL_MASK : some, width, k};
        for (int n = warp * WARP_SIZE; n < (warp + 1) * WARP_SIZE; ++n)
        {
            data->values[n] = warp % 4 == 0   ? warp / 4 % 4
                              : warp % 4 == 1 ? (unsigned)hash_bits(seed + 2, n)
                                              : random_below(seed + 2, n, 4) << warp % 3 * 15;
        }
    }
    data->has_reduce = function < REDUCE_ADD; // if not, a call will tell
    poison(data->results, sizeof(data->results));
}

// Where a lane did not call, nothing may have changed.
void check_function(Function function, Data *h, Data *d, size_t seed)
{
    fill(h, function, seed);
    CHECK(cudaMemcpy(d, h, sizeof(Data), cudaMemcpyHostToDevice));
    call_function<<<WARPS, WARP_SIZE>>>(function, d->calls, d->values, d->results, &d->has_reduce);
    CHECK_LAUNCH();
    unsigned reference[LANES];
    for (int n = 0; n < LANES; ++n)
    {
        const Call *c = &h->calls[n / WARP_SIZE];
        const int lane = n % WARP_SIZE;
        reference[n] =
            c->mask >> lane & 1 ? expected(function, c, &h->values[n - lane], lane) : h->results[n];
    }
    CHECK(cudaMemcpy(h, d, sizeof(Data), cudaMemcpyDeviceToHost));
    printf("%-18s %s\n", DESCRIPTIONS[function][0],
           h->has_reduce ? DESCRIPTIONS[function][1] : "skipped: compiled for less than 8.0");
    if (h->has_reduce)
    {
        check_elements(DESCRIPTIONS[function][0], h->results, reference, LANES);
    }
}

int main(int argc, char **argv)
{
    Args args;
    parse_args(&args, argc, argv, "-s S",
               "warp: votes, matches, shuffles and reductions among 32 threads, without shared "
               "memory");
    check_listing();
    printf("\nWhat a lane gets, checked for each lane of %d warps:\n", WARPS);
    static Data h;
    Data *d;
    CHECK(cudaMalloc(&d, sizeof(Data)));
    for (int function = 0; function < NUM_FUNCTIONS; ++function)
    {
        check_function((Function)function, &h, d, args.seed);
    }
    CHECK(cudaFree(d));
    return verdict();
}
