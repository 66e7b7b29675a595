// nbody: all pairs of N bodies, with the bodies brought into shared memory a tile at a time
//
// From:    S2, tiles
// Compile: nvcc -O3 -ftz=true nbody.cu
// Run:     ./a.out -n 100000
// Flags:   -ftz=true
//
// A pair is 19 operations: 3 differences, 6 for the square of the distance, 1 root, 3 products, 6
// for the sums. 12 of them are in multiply-adds, so a pair is 13 instructions. The ceiling of the
// table is the rate of multiply-adds that was measured here, with 13 instructions for each pair.
// -ftz=true: numbers below 1e-38 count as 0. Without it each root takes three more instructions.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const int TILE = 256;         // threads in a block, and bodies in a tile
const double OPERATIONS = 19; // of a pair
// Of a pair, as nvcc 13.0 compiles it. A root of doubles is five instructions beside the first
// guess, and the guess costs no time of the double unit. Where a multiprocessor adds 64 floats a
// clock, not 128, the float's root costs no time of that unit either: then it is 12.
const double INSTRUCTIONS = sizeof(real) == sizeof(float) ? 13 : 17;
const double SOFTENING = 0.05; // in effect no two bodies come closer: see attract

// A place and a mass. Also an acceleration or a velocity, whose m is 0. A Body in float has 16
// bytes, which one instruction reads.
struct alignas(16) Body
{
    real x, y, z, m;
};

// The acceleration of a body, computed on the host in double. The sum of the absolute values
// bounds the error of a version.
struct Reference
{
    size_t body;
    double x, y, z, sum_abs;
};

static size_t N; // of bodies
static Body *h_bodies, *d_bodies;
static Body *h_a, *d_a;       // their accelerations
static Reference *references; // what some of these should be
static size_t num_references;

double length(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

double distance(Body i, Body j)
{
    return length((double)j.x - i.x, (double)j.y - i.y, (double)j.z - i.z);
}

Reference attract_reference(const Body *bodies, size_t N, size_t body)
{
    Reference a = {body, 0, 0, 0, 0};
    for (size_t n = 0; n < N; ++n)
    {
        const Body i = bodies[body], j = bodies[n];
        const double d = distance(i, j), square = d * d + SOFTENING * SOFTENING;
        const double scale = j.m / (square * sqrt(square));
        a.x += scale * ((double)j.x - i.x);
        a.y += scale * ((double)j.y - i.y);
        a.z += scale * ((double)j.z - i.z);
        a.sum_abs += scale * d;
    }
    return a;
}

// Adds to the acceleration of body i what body j does to it: m d / (d^2 + e^2)^(3/2). Because of
// the softening e, the pair of a body with itself does no harm: d is 0, and so is what is added.
__device__ void attract(Body i, Body j, Body *a)
{
    const real dx = j.x - i.x, dy = j.y - i.y, dz = j.z - i.z;
    const real square = dx * dx + (dy * dy + (dz * dz + (real)(SOFTENING * SOFTENING)));
    const real inverse = rsqrt(square);
    const real scale = j.m * (inverse * inverse * inverse);
    a->x += scale * dx;
    a->y += scale * dy;
    a->z += scale * dz;
}

// A launch with so many bodies a block.
unsigned int blocks_of(int bodies, size_t N) { return (unsigned int)((N - 1) / bodies + 1); }

// The threads of a warp read the same body at the same time, which costs one access. The next warps
// find it in the cache. But each thread asks the memory system for all N bodies.
__global__ void accelerate_naive(const Body *bodies, Body *a, size_t N)
{
    const size_t i = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N)
    {
        const Body own = bodies[i];
        Body sum = {0, 0, 0, 0};
        for (size_t j = 0; j < N; ++j)
        {
            attract(own, bodies[j], &sum);
        }
        a[i] = sum;
    }
}

void run_naive(void) { accelerate_naive<<<blocks_of(TILE, N), TILE>>>(d_bodies, d_a, N); }

// Body n. After the last body come bodies without mass: they attract no other, and fill up the last
// tile.
__device__ Body read_body(const Body *bodies, size_t n, size_t N)
{
    return n < N ? bodies[n] : Body{0, 0, 0, 0};
}

// Each thread reads one body of a tile and uses all 256. A thread without a body of its own must
// not return early: the other threads wait for the bodies that it brings in.
__global__ void accelerate_tiled(const Body *bodies, Body *a, size_t N)
{
    __shared__ Body s_tile[TILE];
    const size_t i = (size_t)TILE * blockIdx.x + threadIdx.x;
    const Body own = read_body(bodies, i, N);
    Body sum = {0, 0, 0, 0};
    for (size_t first = 0; first < N; first += TILE)
    {
        s_tile[threadIdx.x] = read_body(bodies, first + threadIdx.x, N);
        __syncthreads(); // the tile is complete
#pragma unroll 16
        for (int j = 0; j < TILE; ++j)
        {
            attract(own, s_tile[j], &sum);
        }
        __syncthreads(); // all threads have used the tile, so the next one may replace it
    }
    if (i < N)
    {
        a[i] = sum;
    }
}

void run_tiled(void) { accelerate_tiled<<<blocks_of(TILE, N), TILE>>>(d_bodies, d_a, N); }

// The kernels of the other versions stand there.
#include "nbody_fast.cuh"

// 100000 bodies are 196 blocks. An H100 has 132 multiprocessors: 64 get two blocks, and 68 get one
// and then wait. In the time of two blocks they could do 264, so 74 % of the time is used. `tiled`
// has 391 blocks, nearly three for each.
void run_coarsened(void)
{
    accelerate_shared<2, 1><<<blocks_of(2 * TILE, N), TILE>>>(d_bodies, d_a, N);
}

// 782 blocks. At most five run on a multiprocessor at the same time, because each thread has 48
// registers. So 660 run first, and then 122 on a device that is nearly empty.
void run_split(void)
{
    accelerate_shared<2, 4><<<blocks_of(TILE / 2, N), TILE>>>(d_bodies, d_a, N);
}

static size_t resident; // so many blocks of accelerate_balanced run at the same time

void run_balanced(void)
{
    const size_t steps = steps_of_balanced(N);
    const size_t blocks = steps < resident ? steps : resident;
    CHECK(cudaMemsetAsync(d_a, 0, N * sizeof(Body))); // the blocks add to it
    accelerate_balanced<<<(unsigned int)blocks, GROUP>>>(d_bodies, d_a, N);
}

// One step of the leapfrog: the velocities change first, then the places, half a step apart.
__global__ void kick_and_drift(Body *bodies, Body *v, const Body *a, real kick, real drift,
                               size_t N)
{
    const size_t i = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N)
    {
        v[i].x += kick * a[i].x;
        v[i].y += kick * a[i].y;
        v[i].z += kick * a[i].z;
        bodies[i].x += drift * v[i].x;
        bodies[i].y += drift * v[i].y;
        bodies[i].z += drift * v[i].z;
    }
}

// The same steps on the host. All bodies are kicked before the first one moves.
void move_reference(Body *bodies, Body *v, size_t N, int steps, double step)
{
    for (int n = 0; n <= steps; ++n)
    {
        for (size_t i = 0; i < N; ++i)
        {
            const Reference a = attract_reference(bodies, N, i);
            const double kick = n == 0 || n == steps ? step / 2 : step;
            v[i].x += kick * a.x;
            v[i].y += kick * a.y;
            v[i].z += kick * a.z;
        }
        for (size_t i = 0; i < N && n < steps; ++i)
        {
            bodies[i].x += step * v[i].x;
            bodies[i].y += step * v[i].y;
            bodies[i].z += step * v[i].z;
        }
    }
}

// How far apart two bodies with the same number are at most; or two velocities.
double compare_bodies(const Body *x, const Body *y, size_t N)
{
    double most = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        const double d = distance(x[i], y[i]);
        most = fmax(most, isnan(d) ? INFINITY : d);
    }
    return most;
}

// Places in a unit cube, or velocities. The masses add up to about 1.
void fill_bodies(Body *bodies, size_t N, size_t seed)
{
    for (size_t i = 0; i < N; ++i)
    {
        bodies[i].x = (real)random_unit(seed, 4 * i);
        bodies[i].y = (real)random_unit(seed, 4 * i + 1);
        bodies[i].z = (real)random_unit(seed, 4 * i + 2);
        bodies[i].m = (real)((0.5 + random_unit(seed, 4 * i + 3)) / N);
    }
}

// |the sum of m v|. Of velocities this is the momentum. Of accelerations it is the force on all
// bodies together, which is 0.
double measure_total(const Body *bodies, const Body *v, size_t N)
{
    double sum[3] = {};
    for (size_t i = 0; i < N; ++i)
    {
        sum[0] += (double)bodies[i].m * v[i].x;
        sum[1] += (double)bodies[i].m * v[i].y;
        sum[2] += (double)bodies[i].m * v[i].z;
    }
    return length(sum[0], sum[1], sum[2]);
}

// The kinetic energy minus the depth of the potential does not change while the bodies move.
// *size becomes the sum of the two: a change is small or large beside it.
double measure_energy(const Body *bodies, const Body *v, size_t N, double *size)
{
    double kinetic = 0.0, potential = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        kinetic += 0.5 * bodies[i].m * pow(distance(v[i], {0, 0, 0, 0}), 2);
        for (size_t j = 0; j < i; ++j)
        {
            const double d = distance(bodies[i], bodies[j]);
            potential += (double)bodies[i].m * bodies[j].m / sqrt(d * d + SOFTENING * SOFTENING);
        }
    }
    *size = kinetic + potential;
    return kinetic - potential;
}

// Rounding errors go up and down at random: after N additions they come to about sqrt(N) epsilon of
// the sum of absolute values. N epsilon is certain, but it would not notice a missing tile.
double tolerance(size_t N) { return (8.0 * sqrt((double)N) + 16.0) * REAL_EPSILON; }

void check_accelerations(void)
{
    double worst = 0.0, largest = 0.0;
    for (size_t t = 0; t < num_references; ++t)
    {
        const Reference *r = &references[t];
        const Body a = h_a[r->body];
        const double error = length(a.x - r->x, a.y - r->y, a.z - r->z);
        worst = fmax(worst, isnan(error) ? INFINITY : error / (r->sum_abs + DBL_MIN));
        largest = fmax(largest, r->sum_abs);
    }
    const double bound = tolerance(N);
    check_true(g_row, worst <= bound);
    check_true(g_row, measure_total(h_bodies, h_a, N) <= 2 * largest * bound);
    g_error = worst;
}

const Version VERSIONS[] = {
    {"naive", "a thread a body: each reads all N bodies from global memory", run_naive,
     check_accelerations},
    {"tiled", "the block brings in a tile, and each of its threads uses all of it", run_tiled,
     check_accelerations, ON_DEVICE, NULL, NULL, false,
     "faster: shared memory answers sooner than a cache"},
    {"coarsened", "two bodies a thread: what it reads from shared memory, it uses twice",
     run_coarsened, check_accelerations, ON_DEVICE, NULL, NULL, false,
     "slower: too few blocks for a GPU"},
    {"split", "four threads share the work of two bodies: four times as many blocks", run_split,
     check_accelerations},
    {"balanced", "three bodies a thread, and the same number of tiles for each block that runs",
     run_balanced, check_accelerations, ON_DEVICE, NULL, NULL, false,
     "all multiprocessors end together"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

const size_t MOST_MOVING = 256;
const int STEPS = 100;
const real STEP = (real)0.001;

// Some bodies move under the forces of a version. Energy and momentum must not change, and the
// bodies must come where the host moves them.
void check_motion(const Version *version)
{
    const size_t bytes = N * sizeof(Body);
    Body *d_v, places[MOST_MOVING], velocities[MOST_MOVING], h_x[MOST_MOVING], h_v[MOST_MOVING];
    CHECK(cudaMalloc(&d_v, bytes));
    fill_bodies(places, N, args.seed);
    fill_bodies(velocities, N, args.seed + 1);
    CHECK(cudaMemcpy(d_bodies, places, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_v, velocities, bytes, cudaMemcpyHostToDevice));
    double size;
    const double energy = measure_energy(places, velocities, N, &size);
    const double momentum = measure_total(places, velocities, N);
    for (int step = 0; step <= STEPS; ++step)
    {
        const bool is_first_or_last = step == 0 || step == STEPS; // these kick half as long
        version->run();
        kick_and_drift<<<blocks_of(TILE, N), TILE>>>(
            d_bodies, d_v, d_a, is_first_or_last ? STEP / 2 : STEP, step == STEPS ? 0 : STEP, N);
        CHECK_LAUNCH();
    }
    CHECK(cudaMemcpy(h_x, d_bodies, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_v));

    move_reference(places, velocities, N, STEPS, STEP);
    const double gained = measure_energy(h_x, h_v, N, &size) - energy;
    check_true("energy", fabs(gained) <= 1e-4 * size);
    const double bound = 200 * REAL_EPSILON; // velocities change faster than places
    check_true("places and velocities", compare_bodies(h_x, places, N) <= bound &&
                                            compare_bodies(h_v, velocities, N) <= 10 * bound);
    check_true("momentum", fabs(measure_total(h_x, h_v, N) - momentum) <= 1e-5 * momentum);
}

int main(int argc, char **argv)
{
    args.N = default_size(100000, 1024);
    args.bytes_per_element = 2 * sizeof(Body);
    args.bytes_on_host = 2 * sizeof(Body) + sizeof(Reference);
    args.size_is = "number of bodies";
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "nbody: all pairs of N bodies, with the bodies brought into shared memory a tile "
               "at a time");
    N = args.N;
    const size_t bytes = N * sizeof(Body);

    // The reference covers all bodies or, where that takes too long, some of them, evenly spread,
    // the last among them.
    const size_t pairs = default_size(1 << 26, 1 << 22);
    num_references = N > pairs / N ? (pairs - 1) / N + 1 : N;
    h_bodies = (Body *)malloc(bytes);
    h_a = (Body *)malloc(bytes);
    references = (Reference *)malloc(num_references * sizeof(Reference));
    fill_bodies(h_bodies, N, args.seed);
    for (size_t t = 0; t < num_references; ++t)
    {
        references[t] = attract_reference(h_bodies, N, (t + 1) * N / num_references - 1);
    }
    CHECK(cudaMalloc(&d_bodies, bytes));
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMemcpy(d_bodies, h_bodies, bytes, cudaMemcpyHostToDevice));
    resident = resident_blocks();

    Table table = {};
    table.outputs[0] = {h_a, d_a, bytes};
    table.operations = OPERATIONS * N * N;
    table.each = OPERATIONS;
    table.unit = "Gpair/s";
    table.element = sizeof(Body);
    table.ceiling = multiply_add_ceiling<real>() / 2 / INSTRUCTIONS * OPERATIONS;
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    N = N < MOST_MOVING ? N : MOST_MOVING; // fewer bodies, in the same arrays
    for (int i = 0; i < NUM_VERSIONS && !only_counts(); ++i)
    {
        if (is_selected(VERSIONS[i].name))
        {
            check_motion(&VERSIONS[i]);
        }
    }

    CHECK(cudaFree(d_bodies));
    CHECK(cudaFree(d_a));
    free(h_bodies);
    free(h_a);
    free(references);
    return verdict();
}
