// divergence: branches that part warps cost nothing, those that part lanes a pass for each path
//
// From:    section 11.1
// Compile: nvcc -O3 divergence.cu
// Run:     ./a.out -n 1048576
// Checks:  27
// Sizes:   1 33 1000 8195
//
// Each thread takes one of 1 to 32 paths, which are equally long. By warp, all lanes of a warp take
// the same one; by lane, neighbours take different ones, and the warp goes through them in turn,
// each time with those lanes active that want it. How many these are, the lanes count themselves.
//
// The last kernel needs what Volta brought: a lane that waits for another lane of its own warp does
// not keep that one from running.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"

const unsigned WARP_SIZE = 32;
const unsigned MAX_PATHS = 32;
const int STEPS = 256;

// A step of path number `path`. What it computes is of no use, but depends on the path.
__host__ __device__ inline unsigned step(unsigned x, unsigned path)
{
    return (x ^ x >> 7) * (8 * path + 5) + 2 * path + 1;
}

// A step of 32 walks after the other: they do not wait for each other, as the steps of one do.
void walk_reference(const unsigned *x, unsigned *y, size_t N, bool by_lane, unsigned num_paths)
{
    for (size_t first = 0; first < N; first += WARP_SIZE)
    {
        unsigned walks[WARP_SIZE], paths[WARP_SIZE];
        const size_t count = N - first < WARP_SIZE ? N - first : WARP_SIZE;
        for (unsigned lane = 0; lane < WARP_SIZE; ++lane)
        {
            walks[lane] = lane < count ? x[first + lane] : 0;
            paths[lane] = (by_lane ? lane : first / WARP_SIZE) % num_paths;
        }
        for (int i = 0; i < STEPS; ++i)
        {
            for (unsigned lane = 0; lane < WARP_SIZE; ++lane)
            {
                walks[lane] = step(walks[lane], paths[lane]);
            }
        }
        memcpy(&y[first], walks, count * sizeof(unsigned));
    }
}

// A switch with 32 cases, each with a loop of its own: PATH is a constant in it, and so no two
// paths have the same instructions.
template <unsigned PATH>
__device__ unsigned walk(unsigned path, unsigned x, unsigned *active)
{
    if constexpr (PATH < MAX_PATHS)
    {
        if (path != PATH)
        {
            return walk<PATH + 1>(path, x, active);
        }
        for (int i = 0; i < STEPS; ++i)
        {
            x = step(x, PATH);
        }
        *active = __activemask(); // the lanes that are here now: for the curious only, as nobody
                                  // promises that lanes of one path are together
    }
    return x;
}

// Threads n to n + 31 are a warp, since blocks have a multiple of 32 threads.
__global__ void walk_by_warp(const unsigned *x, unsigned *y, unsigned *active, size_t N,
                             unsigned num_paths)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = walk<0>(n / WARP_SIZE % num_paths, x[n], &active[n]);
    }
}

__global__ void walk_by_lane(const unsigned *x, unsigned *y, unsigned *active, size_t N,
                             unsigned num_paths)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = walk<0>(n % WARP_SIZE % num_paths, x[n], &active[n]);
    }
}

// One path, and nothing to do for lanes with odd numbers: they idle, but nobody waits for them.
__global__ void walk_or_rest(const unsigned *x, unsigned *y, unsigned *active, size_t N, unsigned)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n];
        if (n % 2 == 0)
        {
            y[n] = walk<0>(0, x[n], &active[n]);
        }
    }
}

// Even lanes wait until the lane above has a number for them. Before Volta the lanes of a warp had
// one program counter: if it went round the loop first, the odd lanes never came to their line, and
// both waited for ever. (What follows the whole `if` would be too late still: lanes may be kept
// there until all have come.)
__global__ void hand_over(volatile unsigned *numbers)
{
    const unsigned lane = threadIdx.x;
    if (lane % 2 == 0)
    {
        unsigned number;
        while ((number = numbers[lane + 1]) == 0)
        {
        }
        numbers[lane] = 2 * number;
    }
    else
    {
        numbers[lane] = lane;
    }
}

typedef void (*Walk)(const unsigned *, unsigned *, unsigned *, size_t, unsigned);

struct Problem
{
    size_t N, bytes;
    unsigned block_size, repeats;
    unsigned *h_x, *h_y, *h_active, *reference, *d_x, *d_y, *d_active;
};

struct Measured
{
    double ms, active; // lanes on average
};

// Checks what a kernel computes against p->reference, counts the active lanes that those threads
// saw which walked, `apart` from each other, and times it.
Measured measure(const Problem *p, const char *what, Walk kernel, unsigned num_paths,
                 unsigned apart = 1)
{
    const unsigned grid_size = (p->N - 1) / p->block_size + 1;
    const auto launch = [&]
    {
        kernel<<<grid_size, p->block_size>>>(p->d_x, p->d_y, p->d_active, p->N, num_paths);
    };
    CHECK(cudaMemset(p->d_y, POISON_BYTE, p->bytes));
    CHECK(cudaMemset(p->d_active, 0, p->bytes));
    launch();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p->h_y, p->d_y, p->bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(p->h_active, p->d_active, p->bytes, cudaMemcpyDeviceToHost));
    check_elements(what, p->h_y, p->reference, p->N);

    size_t active = 0, walkers = 0; // who walks is among those that it sees
    for (size_t n = 0; n < p->N; ++n)
    {
        active += __builtin_popcount(p->h_active[n]);
        walkers += p->h_active[n] >> n % WARP_SIZE & 1;
    }
    check_true("each walker is active", walkers == (p->N - 1) / apart + 1);
    return {time_kernel(launch, p->repeats).median, (double)active / walkers};
}

void check_hand_over(void)
{
    unsigned numbers[WARP_SIZE], reference[WARP_SIZE], *d_numbers;
    CHECK(cudaMalloc(&d_numbers, sizeof(numbers)));
    CHECK(cudaMemset(d_numbers, 0, sizeof(numbers)));
    hand_over<<<1, WARP_SIZE>>>(d_numbers);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(numbers, d_numbers, sizeof(numbers), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_numbers));
    for (unsigned lane = 0; lane < WARP_SIZE; ++lane)
    {
        reference[lane] = lane % 2 == 0 ? 2 * (lane + 1) : lane;
    }
    check_elements("numbers from the lane above", numbers, reference, WARP_SIZE);
    printf("16 lanes waited for the other 16 of their warp, and got their numbers\n");
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(1 << 20, 1 << 13);
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 4 * sizeof(unsigned);
    parse_args(
        &args, argc, argv, "-n N -b B -r R -s S",
        "divergence: branches that part warps cost nothing, those that part lanes a pass for "
        "each path");
    if (args.block_x % WARP_SIZE != 0)
    {
        usage_error(&args, "-b takes whole warps here, multiples of %u, not %zu", WARP_SIZE,
                    args.block_x);
    }
    Problem p;
    p.N = args.N;
    p.bytes = p.N * sizeof(unsigned);
    p.block_size = args.block_x;
    p.repeats = args.repeats;
    for (unsigned **array : {&p.h_x, &p.h_y, &p.h_active, &p.reference})
    {
        *array = (unsigned *)malloc(p.bytes);
    }
    for (unsigned **array : {&p.d_x, &p.d_y, &p.d_active})
    {
        CHECK(cudaMalloc(array, p.bytes));
    }
    for (size_t n = 0; n < p.N; ++n)
    {
        p.h_x[n] = (unsigned)hash_bits(args.seed, n);
    }
    CHECK(cudaMemcpy(p.d_x, p.h_x, p.bytes, cudaMemcpyHostToDevice));

    print_device();
    printf("%zu threads, %d steps each, median of %zu repeats\n", p.N, STEPS, args.repeats);
    printf("          by warp            by lane\n"
           "paths %10s  active %10s  active  lane / warp\n",
           TIME_UNIT, TIME_UNIT);
    for (unsigned num_paths = 1; num_paths <= MAX_PATHS; num_paths *= 2)
    {
        walk_reference(p.h_x, p.reference, p.N, false, num_paths);
        const Measured by_warp = measure(&p, "by warp", walk_by_warp, num_paths);
        walk_reference(p.h_x, p.reference, p.N, true, num_paths);
        const Measured by_lane = measure(&p, "by lane", walk_by_lane, num_paths);
        printf("%5u %10.4g %7.2f %10.4g %7.2f %12.2f\n", num_paths, by_warp.ms, by_warp.active,
               by_lane.ms, by_lane.active, by_lane.ms / by_warp.ms);
    }
    walk_reference(p.h_x, p.reference, p.N, false, 1);
    for (size_t n = 1; n < p.N; n += 2)
    {
        p.reference[n] = p.h_x[n];
    }
    const Measured rest = measure(&p, "every other lane rests", walk_or_rest, 1, 2);
    printf("one path, every other lane rests: %.4g %s, %.2f active\n", rest.ms, TIME_UNIT,
           rest.active);
    check_hand_over();

    for (unsigned *array : {p.h_x, p.h_y, p.h_active, p.reference})
    {
        free(array);
    }
    for (unsigned *array : {p.d_x, p.d_y, p.d_active})
    {
        CHECK(cudaFree(array));
    }
    return verdict();
}
