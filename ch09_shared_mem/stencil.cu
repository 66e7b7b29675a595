// stencil: a point and its neighbours, on a line and in a box, by shared-memory tiles with halos
//
// From:    S2, tiles and stencils
// Compile: nvcc -O3 stencil.cu
// Run:     ./a.out -n 400x400x400 --radius 4
// Versions:
//   line-global   1-D: 2R + 1 reads a point, left to the caches
//   line-shared   a block's stretch and R points beyond each end, read once
//   line-four     four points a thread, from the caches again
//   7-global      3-D, 7 points: the nearest neighbours
//   7-tile        a box in shared memory, with a halo on all six sides
//   7-march       a flat tile marches in z: what is above and below waits in registers
//   7-column      no shared memory: registers for z, the caches for the rest
//   25-global     3-D, 25 points: four neighbours in each direction
//   25-tile       most of what a block reads is halo
//   25-march      no halo in z
//   25-column     no barriers
// Checks:  24
//
// Points too near to a border keep their value. Sums of small whole numbers are exact: all equal.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "star.cuh"

const size_t MAX_RADIUS = 256; // of the line, whose weights are 1, 2, ..., R + 1, ..., 2, 1

// The line is the box, read from end to end.
void line_reference(const real *u, real *v, size_t N, size_t R)
{
    for (size_t n = 0; n < N; ++n)
    {
        const bool inside = is_within(n, N, R);
        double sum = inside ? 0.0 : u[n];
        for (size_t i = n - R; inside && i <= n + R; ++i)
        {
            sum += (double)(R + 1 - (i < n ? n - i : i - n)) * u[i];
        }
        v[n] = (real)sum;
    }
}

void star_reference(const real *u, real *v, Box box, size_t R)
{
    const size_t row = box.X, plane = box.Y * box.X;
    for (size_t n = 0; n < box.Z * plane; ++n)
    {
        const bool inside = is_inside(box, n / plane, n / row % box.Y, n % row, R);
        double sum = inside ? 3.0 * star_weight(R, 0) * u[n] : u[n];
        for (size_t r = 1; inside && r <= R; ++r)
        {
            sum += star_weight(R, r) * ((double)u[n - r] + u[n + r] + u[n - r * row] +
                                        u[n + r * row] + u[n - r * plane] + u[n + r * plane]);
        }
        v[n] = (real)sum;
    }
}

// The sum of the line's 2R + 1 terms, from wherever `u` points to: its middle.
__device__ real line_sum(const real *u, int R)
{
    real weight = R + 1, sum = weight * u[0];
    for (int r = 1; r <= R; ++r)
    {
        weight -= 1;
        sum += weight * (u[-r] + u[r]);
    }
    return sum;
}

// Neighbouring threads read nearly the same points: 2R + 1 reads a point, most of them from L1.
__global__ void line_global(const real *u, real *v, size_t N, size_t R)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        v[n] = is_within(n, N, R) ? line_sum(&u[n], R) : u[n];
    }
}

// The block's points and R more on each side, the halo, are read together and once. In a loop, for
// a halo may be wider than the block.
__global__ void line_shared(const real *u, real *v, size_t N, size_t R)
{
    extern __shared__ real s_u[]; // s_u[R] is the block's first point
    const size_t first = (size_t)blockDim.x * blockIdx.x;
    for (size_t i = threadIdx.x; i < blockDim.x + 2 * R; i += blockDim.x)
    {
        s_u[i] = first + i >= R && first + i < N + R ? u[first + i - R] : (real)0;
    }
    __syncthreads();
    const size_t n = first + threadIdx.x;
    if (n < N)
    {
        const real *center = &s_u[threadIdx.x + R];
        v[n] = is_within(n, N, R) ? line_sum(center, R) : *center;
    }
}

// Four points a thread, a block's width apart: four times as much is on its way from memory before
// the first of it is waited for. Near the ends, and there only, one after the other.
__global__ void line_four(const real *__restrict__ u, real *__restrict__ v, size_t N, size_t R)
{
    const int apart = blockDim.x;
    const size_t first = (size_t)4 * apart * blockIdx.x, n = first + threadIdx.x;
    if (first < R || first + 4 * apart + R > N)
    {
        for (size_t i = n; i < n + 4 * apart && i < N; i += apart)
        {
            v[i] = is_within(i, N, R) ? line_sum(&u[i], R) : u[i];
        }
        return;
    }
    real weight = R + 1, sums[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
        sums[i] = weight * u[n + i * apart];
    }
    for (size_t r = 1; r <= R; ++r)
    {
        weight -= 1;
#pragma unroll
        for (int i = 0; i < 4; ++i)
        {
            sums[i] += weight * (u[n + i * apart - r] + u[n + i * apart + r]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
        v[n + i * apart] = sums[i];
    }
}

struct Problem
{
    Box box;
    size_t N, R, block_size;
    real *h_u, *h_v, *references, *d_u, *d_v;
};

template <void (*LINE)(const real *, real *, size_t, size_t), int POINTS = 1>
void launch(Problem *p)
{
    const size_t grid_size = (p->N - 1) / (POINTS * p->block_size) + 1;
    const size_t shared_bytes = (p->block_size + 2 * p->R) * sizeof(real);
    LINE<<<grid_size, p->block_size, shared_bytes>>>(p->d_u, p->d_v, p->N, p->R);
}

template <void (*STAR)(const real *, real *, Box), int Z, int Y, int X, int PLANES = Z>
void launch(Problem *p)
{
    const Box box = p->box;
    const size_t grid_size =
        ((box.Z - 1) / PLANES + 1) * ((box.Y - 1) / Y + 1) * ((box.X - 1) / X + 1);
    STAR<<<grid_size, dim3(X, Y, Z)>>>(p->d_u, p->d_v, box);
}

Outcome check(const Problem *p, const Version<Problem> *version)
{
    const int stencil = version->name[0] == 'l' ? 0 : version->name[0] == '7' ? 1 : 2;
    check_elements(version->name, p->h_v, &p->references[stencil * p->N], p->N);
    return {};
}

int main(int argc, char **argv)
{
    const Version<Problem> versions[] = {
        {"line-global", launch<line_global>},
        {"line-shared", launch<line_shared>},
        {"line-four", launch<line_four, 4>},
        {"7-global", launch<star_global<1>, GLOBAL_Z, GLOBAL_Y, GLOBAL_X>, ON_DEVICE, 0.0, "",
         true},
        {"7-tile", launch<star_tile<1>, TILE_Z, TILE_Y, TILE_X>},
        {"7-march", launch<star_march<1>, 1, MARCH_Y, MARCH_X, MARCH_Z>},
        {"7-column", launch<star_column<1>, 1, MARCH_Y, MARCH_X, COLUMN_Z>},
        {"25-global", launch<star_global<4>, GLOBAL_Z, GLOBAL_Y, GLOBAL_X>, ON_DEVICE, 0.0, "",
         true},
        {"25-tile", launch<star_tile<4>, TILE_Z, TILE_Y, TILE_X>},
        {"25-march", launch<star_march<4>, 1, MARCH_Y, MARCH_X, MARCH_Z>},
        {"25-column", launch<star_column<4>, 1, MARCH_Y, MARCH_X, COLUMN_Z>},
    };
    Args args;
    args.M = args.N = args.K = default_size(400, 50);
    args.block_x = 256;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 5 * sizeof(real);
    args.versions = version_names(versions);
    Problem p;
    p.R = 4;
    add_number(&args, "radius", &p.R, 1, MAX_RADIUS, "of the stencil on the line");
    parse_args(&args, argc, argv, "-n MxNxK -b B -r R -s S -k NAME --csv",
               "stencil: a point and its neighbours, on a line and in a box, by shared-memory "
               "tiles with halos");
    p.box = {args.M, args.N, args.K};
    p.N = args.M * args.N * args.K;
    p.block_size = args.block_x;

    for (size_t R : {1, 4})
    {
        int sum = 3 * star_weight(R, 0);
        for (size_t r = 1; r <= R; ++r)
        {
            sum += 6 * star_weight(R, r);
        }
        check_true("what is the same everywhere has no second derivative", sum == 0);
    }
    const size_t bytes = p.N * sizeof(real);
    p.h_u = (real *)malloc(5 * bytes);
    p.h_v = &p.h_u[p.N];
    p.references = &p.h_u[2 * p.N]; // for the line, the star of 7 and that of 25
    fill_integers(p.h_u, p.N, args.seed);
    line_reference(p.h_u, p.references, p.N, p.R);
    star_reference(p.h_u, &p.references[p.N], p.box, 1);
    star_reference(p.h_u, &p.references[2 * p.N], p.box, 4);
    CHECK(cudaMalloc(&p.d_u, bytes));
    CHECK(cudaMalloc(&p.d_v, bytes));
    CHECK(cudaMemcpy(p.d_u, p.h_u, bytes, cudaMemcpyHostToDevice));

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_v, p.d_v, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(p.d_u));
    CHECK(cudaFree(p.d_v));
    free(p.h_u);
    return verdict();
}
