// nbody: all pairs of N bodies, with the bodies brought into shared memory a tile at a time
//
// From:    S2, tiles
// Compile: nvcc -O3 -ftz=true nbody.cu
// Run:     ./a.out -n 100000
// Flags:   -ftz=true
// Versions:
//   naive       a thread a body: each reads all N bodies from global memory
//   tiled       the block brings in a tile, and each of its threads uses all of it
//   coarsened   two bodies a thread: what it reads from shared memory, it uses twice
//   split       four threads share the work of two bodies: four times as many blocks
// Checks:  24
// Sizes:   1 33 777 2049
//
// A pair is 19 operations: 3 differences, 6 for the square of the distance, 1 root, 3 products, 6
// for the sums. Only half of them can be in multiply-adds, so 100 % is out of reach. -ftz=true:
// numbers below 1e-38 count as 0, which saves three instructions a root to look after them.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "body.cuh"

const double OPERATIONS = 19; // of a pair
const int TILE = 256;         // threads in a block, and bodies in a tile

// On the host, in double, with the sum of the absolute values: it bounds a version's error.
struct Reference
{
    size_t body;
    double x, y, z, sum_abs;
};

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

// What source j does to a body at i, added to its acceleration: m d / (d^2 + e^2)^(3/2). Because
// of the softening e, even the pair of a body with itself is harmless: d = 0, and adds nothing.
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

// All threads of a warp read the same body at the same time, which costs one access; so do the
// warps after it, from the cache. Still, each thread asks the memory system for all N.
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

// Body n, or one without mass: it attracts nobody, and fills up the last tile.
__device__ Body read_body(const Body *bodies, size_t n, size_t N)
{
    return n < N ? bodies[n] : Body{0, 0, 0, 0};
}

// Each thread reads one body of a tile and uses all 256. None may leave early for having no body of
// its own: the others wait for what it brings in.
__global__ void accelerate_tiled(const Body *bodies, Body *a, size_t N)
{
    __shared__ Body s_tile[TILE];
    const size_t i = (size_t)TILE * blockIdx.x + threadIdx.x;
    const Body own = read_body(bodies, i, N);
    Body sum = {0, 0, 0, 0};
    for (size_t first = 0; first < N; first += TILE)
    {
        s_tile[threadIdx.x] = read_body(bodies, first + threadIdx.x, N);
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < TILE; ++j)
        {
            attract(own, s_tile[j], &sum);
        }
        __syncthreads(); // nobody brings in the next tile before all are done with this one
    }
    if (i < N)
    {
        a[i] = sum;
    }
}

// OWN bodies a thread: what is read from shared memory serves them all, and as many roots are
// under way at once. That leaves fewer blocks, and some multiprocessors with one more than others.
// SHARES mends it: a block has fewer bodies, and its groups of threads a share of each tile
// instead of all of it. In the end their sums become one, by way of shared memory.
template <int OWN, int SHARES>
__global__ void accelerate_shared(const Body *bodies, Body *a, size_t N)
{
    const int GROUP = TILE / SHARES; // threads that divide the block's bodies among them
    __shared__ Body s_tile[TILE];
    const int share = threadIdx.x / GROUP, lane = threadIdx.x % GROUP;
    const size_t i = (size_t)OWN * GROUP * blockIdx.x + lane;
    Body own[OWN], sum[OWN] = {};
    for (int k = 0; k < OWN; ++k)
    {
        own[k] = read_body(bodies, i + k * GROUP, N);
    }
    for (size_t first = 0; first < N; first += TILE)
    {
        s_tile[threadIdx.x] = read_body(bodies, first + threadIdx.x, N);
        __syncthreads();
#pragma unroll 8
        for (int j = share * GROUP; j < (share + 1) * GROUP; ++j)
        {
            const Body source = s_tile[j];
            for (int k = 0; k < OWN; ++k)
            {
                attract(own[k], source, &sum[k]);
            }
        }
        __syncthreads();
    }
    for (int k = 0; k < OWN; ++k)
    {
        s_tile[threadIdx.x] = sum[k];
        __syncthreads();
        for (int other = 1; share == 0 && other < SHARES; ++other)
        {
            const Body part = s_tile[other * GROUP + lane];
            sum[k].x += part.x;
            sum[k].y += part.y;
            sum[k].z += part.z;
        }
        if (share == 0 && i + k * GROUP < N)
        {
            a[i + k * GROUP] = sum[k];
        }
        __syncthreads();
    }
}

// One step of the leapfrog: velocities and places take turns, half a step apart.
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

struct Problem
{
    size_t N, num_targets; // reference for so many: all, or evenly spread, the last among them
    Body *h_bodies, *h_a, *d_bodies, *d_a;
    Reference *references;
};

template <void (*ACCELERATE)(const Body *, Body *, size_t), int BODIES>
void launch(Problem *p)
{
    ACCELERATE<<<(p->N - 1) / BODIES + 1, TILE>>>(p->d_bodies, p->d_a, p->N);
}

// Rounding goes up and down at random: N additions are off by about sqrt(N) epsilon of the sum of
// absolute values. N epsilon, which is certain, would not notice that a tile of many is missing.
double tolerance(size_t N)
{
    return (8.0 * sqrt((double)N) + 16.0) * REAL_EPSILON;
}

Outcome check(const Problem *p, const Version<Problem> *version)
{
    double worst = 0.0, largest = 0.0;
    for (size_t t = 0; t < p->num_targets; ++t)
    {
        const Reference *r = &p->references[t];
        const Body a = p->h_a[r->body];
        const double error = std::hypot(a.x - r->x, a.y - r->y, a.z - r->z);
        worst = fmax(worst, isnan(error) ? INFINITY : error / (r->sum_abs + DBL_MIN));
        largest = fmax(largest, r->sum_abs);
    }
    check_true(version->name, worst <= tolerance(p->N));
    check_true(version->name, total(p->h_bodies, p->h_a, p->N) <= 2 * largest * tolerance(p->N));
    return {NAN, worst};
}

const size_t MOVING = 256; // of the bodies at most, for the host has to measure them
const int STEPS = 100;
const real STEP = (real)0.001;

// Lets some bodies move under a version's forces: their energy and momentum must stay.
void check_motion(const Problem *p, const Version<Problem> *version, size_t seed)
{
    Problem few = *p;
    few.N = p->N < MOVING ? p->N : MOVING;
    Body moving[2][MOVING] = {}, *bodies = moving[0], *v = moving[1]; // places and velocities
    fill_bodies(bodies, few.N, seed);
    fill_bodies(v, few.N, seed + 1);
    CHECK(cudaMalloc(&few.d_bodies, sizeof(moving)));
    CHECK(cudaMemcpy(few.d_bodies, moving, sizeof(moving), cudaMemcpyHostToDevice));
    double size;
    const double energy = measure_energy(bodies, v, few.N, &size);
    const double momentum = total(bodies, v, few.N);
    for (int step = 0; step <= STEPS; ++step)
    {
        const bool ends = step == 0 || step == STEPS;
        version->launch(&few);
        kick_and_drift<<<(few.N - 1) / TILE + 1, TILE>>>(few.d_bodies, few.d_bodies + MOVING,
                                                         few.d_a, ends ? STEP / 2 : STEP,
                                                         step == STEPS ? 0 : STEP, few.N);
        CHECK_LAUNCH();
    }
    CHECK(cudaMemcpy(moving, few.d_bodies, sizeof(moving), cudaMemcpyDeviceToHost));
    const double gained = measure_energy(bodies, v, few.N, &size) - energy;
    check_true("energy", fabs(gained) <= 1e-4 * size);
    check_true("momentum", fabs(total(bodies, v, few.N) - momentum) <= 1e-5 * momentum);
    CHECK(cudaFree(few.d_bodies));
}

int main(int argc, char **argv)
{
    const Version<Problem> versions[] = {
        {"naive", launch<accelerate_naive, TILE>},
        {"tiled", launch<accelerate_tiled, TILE>},
        {"coarsened", launch<accelerate_shared<2, 1>, 2 * TILE>},
        {"split", launch<accelerate_shared<2, 4>, 2 * TILE / 4>},
    };
    Args args;
    args.N = default_size(100000, 1500);
    args.bytes_per_element = 2 * sizeof(Body);
    args.bytes_on_host = 2 * sizeof(Body) + sizeof(Reference);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv",
               "nbody: all pairs of N bodies, with the bodies brought into shared memory a tile "
               "at a time");
    const size_t pairs = default_size(1 << 26, 1 << 22);
    Problem p;
    p.N = args.N;
    p.num_targets = p.N > pairs / p.N ? (pairs - 1) / p.N + 1 : p.N;
    p.h_bodies = (Body *)malloc(p.N * sizeof(Body));
    p.h_a = (Body *)malloc(p.N * sizeof(Body));
    p.references = (Reference *)malloc(p.num_targets * sizeof(Reference));
    fill_bodies(p.h_bodies, p.N, args.seed);
    for (size_t t = 0; t < p.num_targets; ++t)
    {
        p.references[t] = attract_reference(p.h_bodies, p.N, (t + 1) * p.N / p.num_targets - 1);
    }
    CHECK(cudaMalloc(&p.d_bodies, p.N * sizeof(Body)));
    CHECK(cudaMalloc(&p.d_a, p.N * sizeof(Body)));
    CHECK(cudaMemcpy(p.d_bodies, p.h_bodies, p.N * sizeof(Body), cudaMemcpyHostToDevice));

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_a, p.d_a, p.N * sizeof(Body)};
    ladder.operations = OPERATIONS * p.N * p.N;
    ladder.each = OPERATIONS;
    ladder.unit = "Gpair/s";
    ladder.ceiling = MULTIPLY_ADD_CEILING;
    run_versions(&args, &ladder, versions);
    for (const Version<Problem> &version : versions)
    {
        is_selected(&args, &version) ? check_motion(&p, &version, args.seed) : (void)0;
    }

    CHECK(cudaFree(p.d_bodies));
    CHECK(cudaFree(p.d_a));
    free(p.h_bodies);
    free(p.h_a);
    free(p.references);
    return verdict();
}
