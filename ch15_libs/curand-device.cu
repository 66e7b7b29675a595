// curand-device: pi by random points, with cuRAND's generators inside the kernel
//
// From:    section 19.2
// Compile: nvcc -O3 curand-device.cu
// Run:     ./a.out --points 1e10
//
// A point (x, y) of two uniform numbers lies in the quarter of the circle, x^2 + y^2 <= 1, with the
// probability pi / 4. So 4 hits / N is pi, with a standard error of sqrt(pi (4 - pi) / N) = 1.64 /
// sqrt(N): a digit more costs a hundred times the points. A state holds what a generator needs to
// make its next number. curand_init(seed, subsequence, offset, &state) is slow for XORWOW, so a
// kernel of its own prepares the states once. For Philox it is fast. Which point comes from which
// subsequence does not depend on the grid, so for a seed each grid gives the same number of hits.

#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/options.cuh"
#include "../common/versions.cuh"

typedef unsigned long long Count;

const int NUM_STATES = ON_GPU ? 1 << 18 : 1 << 12; // of XORWOW
const size_t CHUNK = 1024;                         // points of a subsequence of Philox
const size_t MOST_BLOCKS = 1 << 14;
const size_t MOST_POINTS = 1000000000000; // a minute of an H200
const double PI = 3.14159265358979323846;
const double DEVIATION = sqrt(PI * (4.0 - PI)); // of 4 times a hit
const double MOST_ERRORS = 5.0;
const size_t STATES_BYTES = NUM_STATES * sizeof(curandState);
const size_t HITS_BYTES = NUM_STATES * sizeof(Count);

static size_t N;                    // points
static unsigned int block_size;     // threads of a block
static unsigned int grid_states;    // a thread for each state
static unsigned int grid_chunks;    // a thread for each chunk, or at most MOST_BLOCKS blocks
static curandState *d_first_states; // as init_states made them
static curandState *d_states;       // as the last launch left them
static Count *h_hits, *d_hits;      // of each state; or the sum of all threads in the first one
static Count expected_state_0;      // the hits that state 0 should have
static Count expected_philox;       // the hits that both versions of Philox should have

// ---- The reference: both generators in a few lines, on the host ----

float uniform_reference(unsigned int x)
{
    return x * 2.3283064e-10f + 1.1641532e-10f; // 2^-32 and 2^-33: never 0
}

// Whether a kernel must find the point within the quarter of the circle. The kernels round y^2 to a
// float, then x^2 + y^2 to a float, and compare with 1. A sum up to 1 + 2^-24, the middle between 1
// and the next float, is rounded to 1 or less. Here the sum itself is compared with this middle.
bool is_within(float x, float y)
{
    const float y_squared = (float)((double)y * y);
    return (long double)x * x + y_squared <= 1.0L + ldexpl(1.0L, -24);
}

// XORWOW: five words are shifted and mixed, and a sixth grows by the same number each time.
struct XorwowReference
{
    unsigned int d, v[5];
};

void start_xorwow(XorwowReference *state, unsigned long long seed)
{
    const unsigned int a = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    const unsigned int b = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + b + a;
    state->v[0] = 123456789u + a;
    state->v[1] = 362436069u ^ a;
    state->v[2] = 521288629u + b;
    state->v[3] = 88675123u ^ b;
    state->v[4] = 5783321u + a;
}

unsigned int next_of_xorwow(XorwowReference *state)
{
    unsigned int *v = state->v;
    const unsigned int t = v[0] ^ v[0] >> 2;
    for (int i = 0; i < 4; ++i)
    {
        v[i] = v[i + 1];
    }
    v[4] ^= v[4] << 4 ^ t ^ t << 1;
    state->d += 362437u;
    return v[4] + state->d;
}

// Philox: ten rounds of products turn a counter and the seed into four numbers.
void philox_reference(unsigned long long seed, unsigned long long subsequence, unsigned int counter,
                      unsigned int *x)
{
    unsigned int key[2] = {(unsigned int)seed, (unsigned int)(seed >> 32)};
    x[0] = counter;
    x[1] = 0;
    x[2] = (unsigned int)subsequence;
    x[3] = (unsigned int)(subsequence >> 32);
    for (int round = 0; round < 10; ++round)
    {
        const unsigned long long a = 0xd2511f53ull * x[0], b = 0xcd9e8d57ull * x[2];
        x[0] = (unsigned int)(b >> 32) ^ x[1] ^ key[0];
        x[1] = (unsigned int)b;
        x[2] = (unsigned int)(a >> 32) ^ x[3] ^ key[1];
        x[3] = (unsigned int)a;
        key[0] += 0x9e3779b9u;
        key[1] += 0xbb67ae85u;
    }
}

// The hits of state 0: points 0, NUM_STATES, 2 NUM_STATES, ...
Count hits_of_state_0(unsigned long long seed, size_t N)
{
    XorwowReference state;
    start_xorwow(&state, seed);
    Count hits = 0;
    for (size_t n = 0; n < N; n += NUM_STATES)
    {
        const float x = uniform_reference(next_of_xorwow(&state));
        const float y = uniform_reference(next_of_xorwow(&state));
        hits += is_within(x, y);
    }
    return hits;
}

Count philox_hits(unsigned long long seed, size_t N)
{
    Count hits = 0;
    for (size_t n = 0; n < N; ++n)
    {
        unsigned int x[4];
        philox_reference(seed, n / CHUNK, (unsigned int)(n % CHUNK / 2), x);
        hits += is_within(uniform_reference(x[n % 2 * 2]), uniform_reference(x[n % 2 * 2 + 1]));
    }
    return hits;
}

// ---- The kernels ----

// fmaf adds x^2 without rounding it first, so host and device round alike.
__host__ __device__ int is_hit(float x, float y) { return fmaf(x, x, y * y) <= 1.0f; }

__global__ void init_states(curandState *states, unsigned long long seed)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < NUM_STATES)
    {
        curand_init(seed, n, 0, &states[n]);
    }
}

__global__ void first_numbers(curandState *states, double *x, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        curandState state = states[n];
        x[n] = curand_uniform_double(&state);
    }
}

// State s draws the points s, s + NUM_STATES, ... It is copied into registers, and back at the end,
// so that the next launch goes on where this one stops.
__global__ void pi_xorwow(curandState *states, Count *hits, size_t N)
{
    const int stride = gridDim.x * blockDim.x;
    for (int s = blockDim.x * blockIdx.x + threadIdx.x; s < NUM_STATES; s += stride)
    {
        curandState state = states[s];
        Count inside = 0;
        for (size_t n = s; n < N; n += NUM_STATES)
        {
            const float x = curand_uniform(&state);
            const float y = curand_uniform(&state);
            inside += is_hit(x, y);
        }
        states[s] = state;
        hits[s] = inside;
    }
}

void run_xorwow(void) { pi_xorwow<<<grid_states, block_size>>>(d_states, d_hits, N); }

// A thread takes one chunk of points after the other.
__global__ void pi_philox(unsigned long long seed, Count *hits, size_t N)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    Count inside = 0;
    for (size_t c = (size_t)blockDim.x * blockIdx.x + threadIdx.x; c * CHUNK < N; c += stride)
    {
        curandStatePhilox4_32_10_t state;
        curand_init(seed, c, 0, &state);
        const int points = (int)(N - c * CHUNK < CHUNK ? N - c * CHUNK : CHUNK);
        for (int n = 0; n < points; ++n)
        {
            const float x = curand_uniform(&state);
            const float y = curand_uniform(&state);
            inside += is_hit(x, y);
        }
    }
    atomicAdd(hits, inside);
}

void run_philox(void) { pi_philox<<<grid_chunks, block_size>>>(args.seed, d_hits, N); }

// Philox makes four numbers at once. Taking them one by one costs a decision for each. Here a step
// of the loop takes all four: two points.
__global__ void pi_philox4(unsigned long long seed, Count *hits, size_t N)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    Count inside = 0;
    for (size_t c = (size_t)blockDim.x * blockIdx.x + threadIdx.x; c * CHUNK < N; c += stride)
    {
        curandStatePhilox4_32_10_t state;
        curand_init(seed, c, 0, &state);
        const int points = (int)(N - c * CHUNK < CHUNK ? N - c * CHUNK : CHUNK);
        unsigned int both = 0;
        for (int n = 0; n + 1 < points; n += 2)
        {
            const float4 u = curand_uniform4(&state);
            both += is_hit(u.x, u.y) + is_hit(u.z, u.w);
        }
        if (points % 2 == 1)
        {
            const float4 u = curand_uniform4(&state);
            both += is_hit(u.x, u.y);
        }
        inside += both;
    }
    atomicAdd(hits, inside);
}

void run_philox4(void) { pi_philox4<<<grid_chunks, block_size>>>(args.seed, d_hits, N); }

unsigned int blocks_for_states(unsigned int block_size)
{
    return (NUM_STATES + block_size - 1) / block_size;
}

unsigned int blocks_for_chunks(size_t N, unsigned int block_size)
{
    const size_t chunks = (N - 1) / CHUNK + 1;
    const size_t blocks = (chunks + block_size - 1) / block_size;
    return (unsigned int)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

void restore_states(void)
{
    CHECK(cudaMemcpyAsync(d_states, d_first_states, STATES_BYTES, cudaMemcpyDeviceToDevice));
}

// ---- The steps before the table ----

void make_states(void)
{
    Timer timer = new_timer(1);
    while (next_run(&timer))
    {
        init_states<<<grid_states, block_size>>>(d_first_states, args.seed);
    }
    print_note("%d states of XORWOW, %zu bytes each\n", NUM_STATES, sizeof(curandState));
    print_timed_note("they are made in %.4g %s\n", timer.median, TIME_UNIT);
}

// Points on the circle count, and a point just outside does not.
void check_border(void)
{
    check_true("the border belongs to the circle",
               is_hit(1.0f, 0.0f) && is_hit(0.0f, 1.0f) && !is_hit(1.0f, 0.001f));
}

// State n has subsequence n, and so has element n of the host API's default generator. These are
// the first numbers of curand-host1.
void show_first_numbers(void)
{
    const int NUM_FIRST = 3;
    double *d_x, h_x[NUM_FIRST];
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMemset(d_x, POISON_BYTE, sizeof(h_x)));
    first_numbers<<<1, NUM_FIRST>>>(d_first_states, d_x, NUM_FIRST);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_x, d_x, sizeof(h_x), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));

    XorwowReference first;
    start_xorwow(&first, args.seed);
    const unsigned long long low = next_of_xorwow(&first), high = next_of_xorwow(&first);
    const unsigned long long bits = low ^ high << 21;
    const double first_number = bits * ldexp(1.0, -53) + ldexp(1.0, -54); // of 53 random bits
    check_elements("the first number", h_x, &first_number, 1);
    check_true("the numbers after it are in (0, 1]",
               h_x[1] > 0 && h_x[1] <= 1 && h_x[2] > 0 && h_x[2] <= 1);
    print_note("the first numbers: %.6f %.6f %.6f\n", h_x[0], h_x[1], h_x[2]);
}

// Philox: the exact numbers of hits, by three grids.
void check_hits_of_philox(size_t N)
{
    const Count exact = philox_hits(args.seed, N);
    const unsigned int blocks[3] = {32, 128, 96};
    for (int i = 0; i < 3; ++i)
    {
        const unsigned int block = blocks[i];
        const unsigned int grid = block == 96 ? 5 : blocks_for_chunks(N, block);
        CHECK(cudaMemset(d_hits, 0, 2 * sizeof(Count)));
        pi_philox<<<grid, block>>>(args.seed, &d_hits[0], N);
        CHECK_LAUNCH();
        pi_philox4<<<grid, block>>>(args.seed, &d_hits[1], N);
        CHECK_LAUNCH();
        Count hits[2];
        CHECK(cudaMemcpy(hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost));
        check_elements("the hits of philox", &hits[0], &exact, 1);
        check_elements("the hits of philox4", &hits[1], &exact, 1);
    }
    print_note("%zu points: %llu hits, on the host and by three grids\n", N, exact);
}

// The hits of all points. The versions of the table have another grid.
Count find_hits_of_philox(void)
{
    CHECK(cudaMemset(d_hits, 0, sizeof(Count)));
    pi_philox<<<blocks_for_chunks(N, 96), 96>>>(args.seed, d_hits, N);
    CHECK_LAUNCH();
    Count hits;
    poison(&hits, sizeof(hits));
    CHECK(cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost));
    return hits;
}

void get_hits_of_states(unsigned int grid, unsigned int block, size_t N, Count *hits)
{
    CHECK(cudaMemset(d_hits, POISON_BYTE, HITS_BYTES));
    pi_xorwow<<<grid, block>>>(d_states, d_hits, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(hits, d_hits, HITS_BYTES, cudaMemcpyDeviceToHost));
}

// XORWOW: the hits of each state, by two grids. In the second grid a thread takes many states. Its
// next launch goes on where it stopped.
void check_hits_of_xorwow(size_t N)
{
    Count *h_few = (Count *)malloc(HITS_BYTES);
    restore_states();
    get_hits_of_states(grid_states, block_size, N, h_hits);
    restore_states();
    get_hits_of_states(5, 96, N, h_few);
    check_elements("the hits of each state by two grids", h_few, h_hits, NUM_STATES);
    get_hits_of_states(5, 96, N, h_few);
    check_true("the next launch draws other numbers",
               N < NUM_STATES || memcmp(h_few, h_hits, HITS_BYTES) != 0);
    free(h_few);
}

// The error falls as 1 / sqrt(N). Sixteen seeds give sixteen errors. The sum of their squares, each
// divided by the square of the standard error, is a chi-square of 16 degrees of freedom. It is
// below 1.09 or above 61.2 less than once in a million times.
void show_errors(void)
{
    const int NUM_SEEDS = 16;
    print_note("points      root mean square of %d errors   times sqrt(N): %.4f expected\n",
               NUM_SEEDS, DEVIATION);
    for (size_t n = 10000; n <= N / NUM_SEEDS; n *= 10)
    {
        const unsigned int grid = blocks_for_chunks(n, block_size);
        CHECK(cudaMemset(d_hits, 0, NUM_SEEDS * sizeof(Count)));
        for (int i = 0; i < NUM_SEEDS; ++i)
        {
            pi_philox4<<<grid, block_size>>>(args.seed + i, &d_hits[i], n);
            CHECK_LAUNCH();
        }
        Count hits[NUM_SEEDS];
        CHECK(cudaMemcpy(hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost));
        double squares = 0.0;
        for (int i = 0; i < NUM_SEEDS; ++i)
        {
            const double off = 4.0 * hits[i] / n - PI;
            squares += off * off;
        }
        const double chi_square = squares * n / (DEVIATION * DEVIATION);
        check_true("the errors fall as 1 / sqrt(N)", chi_square >= 1.09 && chi_square <= 61.2);
        const double root = sqrt(squares / NUM_SEEDS);
        print_note("%-11zu %.3g %*s %.4f\n", n, root, 24, "", root * sqrt(n));
    }
}

// ---- The table ----

// Philox adds to the first number; XORWOW sets each.
void set_up_run(void)
{
    restore_states();
    CHECK(cudaMemsetAsync(d_hits, 0, sizeof(Count)));
}

void check_pi(Count hits)
{
    g_result = 4.0 * hits / N;
    g_error = fabs(g_result - PI) * sqrt(N) / DEVIATION;
    char what[128];
    snprintf(what, sizeof(what), "%s: pi is %.9g, off by %.3g standard errors", g_row, g_result,
             g_error);
    check_true(what, g_error <= MOST_ERRORS);
}

void check_states(void)
{
    Count sum = 0;
    for (int s = 0; s < NUM_STATES; ++s)
    {
        sum += h_hits[s];
    }
    check_elements("the hits of state 0", h_hits, &expected_state_0, 1);
    check_pi(sum);
}

void check_sum_of_threads(void)
{
    check_elements("the hits of all points", h_hits, &expected_philox, 1);
    check_pi(h_hits[0]);
}

const Version VERSIONS[] = {
    {"xorwow", "each thread has a state in memory, and draws one number at a time", run_xorwow,
     check_states},
    {"philox",
     "no state in memory: 1024 points are a subsequence, and a thread begins where it likes",
     run_philox, check_sum_of_threads, ON_DEVICE, NULL, NULL, false, "ten rounds for four numbers"},
    {"philox4", "the same points, four numbers at a time", run_philox4, check_sum_of_threads,
     ON_DEVICE, NULL, NULL, false, "no decision for each number"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000000, 262144);
    args.seed = 1234;
    args.columns = "  result     pi\n"
                   "  error      how far it is off, in standard errors\n"
                   "  Gpoint/s   10^9 points in a second\n";
    add_versions(VERSIONS, NUM_VERSIONS);
    add_number("points", &args.N, 1, MOST_POINTS, "random points");
    parse_args(argc, argv, "-b B -r R -s S -k NAME --csv --points N",
               "curand-device: pi by random points, with cuRAND's generators inside the kernel");
    N = args.N;
    block_size = args.block_x;
    grid_states = blocks_for_states(block_size);
    grid_chunks = blocks_for_chunks(N, block_size);
    print_device_once();

    h_hits = (Count *)malloc(HITS_BYTES);
    CHECK(cudaMalloc(&d_first_states, STATES_BYTES));
    CHECK(cudaMemset(d_first_states, 0, STATES_BYTES)); // a state has a gap, which is copied, too
    CHECK(cudaMalloc(&d_states, STATES_BYTES));
    CHECK(cudaMalloc(&d_hits, HITS_BYTES));
    expected_state_0 = hits_of_state_0(args.seed, N);

    check_border();
    make_states();
    show_first_numbers();
    if (!only_counts()) // else the program that has started this one checks
    {
        const size_t most_exact = 1000 * CHUNK - 37;
        const size_t N_exact = N < most_exact ? N : most_exact;
        check_hits_of_philox(N_exact);
        expected_philox = find_hits_of_philox();
        check_hits_of_xorwow(N_exact);
        show_errors();
    }

    Table table = {};
    table.set_up = set_up_run;
    table.outputs[0] = {h_hits, d_hits, HITS_BYTES};
    table.operations = N;
    table.unit = "Gpoint/s";
    table.shows_result = true;
    table.what = "result: pi; error: in standard errors";
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_first_states));
    CHECK(cudaFree(d_states));
    CHECK(cudaFree(d_hits));
    free(h_hits);
    return verdict();
}
