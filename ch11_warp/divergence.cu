// divergence: what a branch costs if warps take different paths, and if lanes of one warp do
//
// From:    section 11.1
// Compile: nvcc -O3 divergence.cu
// Run:     ./a.out -n 1048576
//
// Each thread takes one of 1 to 32 paths, which are equally long. By warp, all lanes of a warp take
// the same path. By lane, neighbouring lanes take different paths. The warp goes through these
// paths one after the other, and in each path only the lanes that take it are active. The lanes
// count how many are active.
//
// The last kernel needs what Volta introduced: a lane that waits for another lane of its own warp
// does not keep that lane from running.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const unsigned WARP_SIZE = 32;
const unsigned MAX_PATHS = 32;
const int STEPS = 256;

static size_t N; // threads
static unsigned block_size, grid_size;
static unsigned num_paths; // that the threads take
static unsigned *h_x, *h_y, *h_active, *reference;
static unsigned *d_x, *d_y, *d_active; // d_active: a bit for each lane that walked beside a thread

// A step of path number `path`. Its result is of no use, but differs from path to path.
__host__ __device__ inline unsigned step(unsigned x, unsigned path)
{
    return (x ^ x >> 7) * (8 * path + 5) + 2 * path + 1;
}

// Where walk n begins.
unsigned start_of_walk(uint64_t seed, size_t n) { return (unsigned)hash_bits(seed, n); }

// Takes the 32 walks of a warp a step further before the next step. The steps of one walk wait for
// each other, but those of different walks do not, so this order is faster.
void walk_reference(uint64_t seed, unsigned *y, size_t N, bool by_lane, unsigned num_paths)
{
    for (size_t first = 0; first < N; first += WARP_SIZE)
    {
        unsigned walks[WARP_SIZE], paths[WARP_SIZE];
        const size_t count = N - first < WARP_SIZE ? N - first : WARP_SIZE;
        for (unsigned lane = 0; lane < WARP_SIZE; ++lane)
        {
            walks[lane] = start_of_walk(seed, first + lane);
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

// The switch of section 11.1 with 32 cases. The compiler unrolls the outer loop into 32 copies: if
// (path == 0) ..., if (path == 1) ..., and so on. In each copy `number` is a constant, so no two
// paths have the same instructions. If the steps took `path` instead, all cases would be the same
// code, and no lanes would diverge.
__device__ unsigned walk(unsigned path, unsigned x, unsigned *active)
{
#pragma unroll
    for (unsigned number = 0; number < MAX_PATHS; ++number)
    {
        if (path == number)
        {
            for (int i = 0; i < STEPS; ++i)
            {
                x = step(x, number);
            }
            *active = __activemask(); // a bit for each lane that runs together with this one
        }
    }
    return x;
}

// The switch by the number of the warp. Threads n to n + 31 are a warp, because blocks have a
// multiple of 32 threads. All of them take one path.
__global__ void walk_by_warp(const unsigned *x, unsigned *y, unsigned *active, size_t N,
                             unsigned num_paths)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const unsigned path = n / WARP_SIZE % num_paths;
        y[n] = walk(path, x[n], &active[n]);
    }
}

void run_by_warp(void)
{
    walk_by_warp<<<grid_size, block_size>>>(d_x, d_y, d_active, N, num_paths);
}

// The switch by the number of the lane. The lanes of a warp now take up to 32 paths. CUDA does not
// promise that all lanes of one path run together. So a program may print which lanes are active,
// but must not rely on it.
__global__ void walk_by_lane(const unsigned *x, unsigned *y, unsigned *active, size_t N,
                             unsigned num_paths)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const unsigned path = n % WARP_SIZE % num_paths;
        y[n] = walk(path, x[n], &active[n]);
    }
}

void run_by_lane(void)
{
    walk_by_lane<<<grid_size, block_size>>>(d_x, d_y, d_active, N, num_paths);
}

// An `if` without an `else`: lanes with odd numbers have nothing to do. The warp needs one pass, so
// no time is lost. But half of its lanes are idle in it.
__global__ void walk_or_rest(const unsigned *x, unsigned *y, unsigned *active, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n];
        if (n % 2 == 0)
        {
            y[n] = walk(0, x[n], &active[n]);
        }
    }
}

void run_or_rest(void) { walk_or_rest<<<grid_size, block_size>>>(d_x, d_y, d_active, N); }

// Each even lane waits until the lane above has stored a number for it. Before Volta the lanes of a
// warp had one program counter. If the warp took the even lanes into the loop first, the odd lanes
// never reached their line, and the warp waited for ever. Even now the odd lanes must store inside
// of the `if`: the lanes of a warp may wait for each other at its end.
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

// ---- What main does, step by step ----

struct Measured
{
    double ms, active; // lanes on average
    double pieces;     // of code that a warp goes through; where it is counted
};

// Without a GPU, __activemask does not say which lanes go together. The counter does: a warp goes
// from piece to piece of the code, from one branch to the next, with the lanes that are there.
#if ON_GPU
Measured count_pieces(Measured measured, const Counts *) { return measured; }
#else
Measured count_pieces(Measured, const Counts *counts)
{
    const auto *sums = &counts->sums;
    return counts->is_known ? Measured{NAN, sums->active / sums->steps, sums->steps / sums->warps}
                            : Measured{NAN, NAN, NAN};
}
#endif

// Checks y against the reference, counts the active lanes that each walking thread saw, and times
// the launch. A thread that walks is among the lanes that it sees.
Measured measure(const char *what, size_t num_walking, void (*run)(void))
{
    const size_t bytes = N * sizeof(unsigned);
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_active, 0, bytes));
    run();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_active, d_active, bytes, cudaMemcpyDeviceToHost));
    check_elements(what, h_y, reference, N);

    size_t active = 0, walking = 0;
    for (size_t n = 0; n < N; ++n)
    {
        active += __builtin_popcount(h_active[n]);
        walking += h_active[n] >> n % WARP_SIZE & 1;
    }
    check_true("each walking thread is active", walking == num_walking);

    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run();
    }
    return count_pieces({timer.median, (double)active / walking, NAN}, &timer.counts);
}

void show_paths(void)
{
    const Column COLUMNS[] = {{"paths", "%5.0f"},
                              {"by warp", "%10.4g", TIME_UNIT},
                              {"active by warp", "%7.2f", "active"},
                              {"by lane", "%10.4g", TIME_UNIT},
                              {"active by lane", "%7.2f", "active"},
                              {"lane / warp", "%12.2f"}};
    const Column COUNTED[] = {{"paths", "%5.0f"},
                              {"pieces by warp", "%10.0f", "pieces"},
                              {"active by warp", "%7.2f", "active"},
                              {"pieces by lane", "%10.0f", "pieces"},
                              {"active by lane", "%7.2f", "active"},
                              {"lane / warp", "%12.2f"}};
    print_timed_note("%zu threads, %d steps each, median of %zu repeats, in %s\n", N, STEPS,
                     args.repeats, TIME_UNIT);
    if (!ON_GPU)
    {
        print_note("%zu threads, %d steps each: counted on the CPU, not timed\n", N, STEPS);
    }
    if (!args.csv) // where the titles themselves say it
    {
        printf("          by warp            by lane\n");
    }
    begin_table(ON_GPU ? COLUMNS : COUNTED, 6);
    for (num_paths = 1; num_paths <= MAX_PATHS; num_paths *= 2)
    {
        walk_reference(args.seed, reference, N, false, num_paths);
        const Measured by_warp = measure("by warp", N, run_by_warp);
        walk_reference(args.seed, reference, N, true, num_paths);
        const Measured by_lane = measure("by lane", N, run_by_lane);
        put(num_paths);
        put(ON_GPU ? by_warp.ms : by_warp.pieces);
        put(by_warp.active);
        put(ON_GPU ? by_lane.ms : by_lane.pieces);
        put(by_lane.active);
        put(ON_GPU ? times_as_fast(by_lane.ms, by_warp.ms) : by_lane.pieces / by_warp.pieces);
        end_row();
    }
}

void show_rest(void)
{
    walk_reference(args.seed, reference, N, false, 1);
    for (size_t n = 1; n < N; n += 2)
    {
        reference[n] = start_of_walk(args.seed, n);
    }
    const Measured rest = measure("every other lane rests", (N + 1) / 2, run_or_rest);
    print_timed_note("one path, every other lane rests: %.4g %s, %.2f active\n", rest.ms, TIME_UNIT,
                     rest.active);
    if (!isnan(rest.pieces))
    {
        print_note("one path, every other lane rests: %.0f pieces, %.2f active\n", rest.pieces,
                   rest.active);
    }
}

void show_hand_over(void)
{
    unsigned numbers[WARP_SIZE], expected[WARP_SIZE], *d_numbers;
    CHECK(cudaMalloc(&d_numbers, sizeof(numbers)));
    CHECK(cudaMemset(d_numbers, 0, sizeof(numbers)));

    hand_over<<<1, WARP_SIZE>>>(d_numbers);
    CHECK_LAUNCH();

    CHECK(cudaMemcpy(numbers, d_numbers, sizeof(numbers), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_numbers));
    for (unsigned lane = 0; lane < WARP_SIZE; ++lane)
    {
        expected[lane] = lane % 2 == 0 ? 2 * (lane + 1) : lane;
    }
    check_elements("numbers from the lane above", numbers, expected, WARP_SIZE);
    print_note("16 lanes waited for the other 16 of their warp, and got their numbers\n");
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 20, 1 << 10);
    args.bytes_per_element = 3 * sizeof(unsigned);
    args.bytes_on_host = 4 * sizeof(unsigned);
    args.size_is = "number of threads";
    args.columns =
        "  paths        how many paths the threads take, equally long ones\n"
        "  by warp      all threads of a warp take the same path\n"
        "  by lane      the threads of a warp take different paths\n"
        "  active       how many lanes of a warp walk at the same time, on average\n"
        "  pieces       without a GPU: how many pieces of code, from branch to branch, a\n"
        "               warp goes through\n"
        "  lane / warp  the time by lane over the time by warp, or the pieces\n";
    parse_args(
        argc, argv, "-n N -b B -r R -s S --csv",
        "divergence: what a branch costs if warps take different paths, and if lanes of one warp "
        "do");
    if (args.block_x % WARP_SIZE != 0)
    {
        usage_error("-b takes whole warps here, multiples of %u, not %zu", WARP_SIZE, args.block_x);
    }

    N = args.N;
    block_size = args.block_x;
    grid_size = (N - 1) / block_size + 1;
    const size_t bytes = N * sizeof(unsigned);
    h_x = (unsigned *)malloc(bytes);
    h_y = (unsigned *)malloc(bytes);
    h_active = (unsigned *)malloc(bytes);
    reference = (unsigned *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_active, bytes));
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = start_of_walk(args.seed, n);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    print_device();
    show_paths();
    show_rest();
    show_hand_over();
    if (!ON_GPU)
    {
        print_card_run();
    }

    free(h_x);
    free(h_y);
    free(h_active);
    free(reference);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_active));
    return verdict();
}
