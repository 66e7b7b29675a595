// stencil: a point and its neighbours, on a line and in a box, by shared-memory tiles with halos
//
// From:    S2, tiles and stencils
// Compile: nvcc -O3 stencil.cu
// Run:     ./a.out -n 400x400x400 --radius 4
//
// A point too near to a border keeps its value. The data are small whole numbers. Their sums are
// exact, so every result must be equal to the reference. For the line, the numbers of the box
// are read from end to end.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"

const size_t MAX_RADIUS = 256; // of the line, whose weights are 1, 2, ..., R + 1, ..., 2, 1

// At least R points away from both ends of 0 ... size - 1.
__host__ __device__ inline bool is_within(size_t n, size_t size, size_t R)
{
    return n >= R && n + R < size;
}

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

// In each direction a second derivative: of 2nd order (R = 1), or of 8th order (R = 4), times 5040.
// These are the weights of the point itself and of those 1, 2, 3 and 4 away.
__host__ __device__ constexpr int star_weight(int R, int r)
{
    const int second_order[] = {-2, 1}, eighth_order[] = {-14350, 8064, -1008, 128, -9};
    return R == 1 ? second_order[r] : eighth_order[r];
}

// A box is Z planes of Y rows of X points.
void star_reference(const real *u, real *v, size_t Z, size_t Y, size_t X, size_t R)
{
    const size_t row = X, plane = Y * X;
    for (size_t n = 0; n < Z * plane; ++n)
    {
        const bool inside =
            is_within(n / plane, Z, R) && is_within(n / row % Y, Y, R) && is_within(n % row, X, R);
        double sum = inside ? 3.0 * star_weight(R, 0) * u[n] : u[n];
        for (size_t r = 1; inside && r <= R; ++r)
        {
            sum += star_weight(R, r) * ((double)u[n - r] + u[n + r] + u[n - r * row] +
                                        u[n + r * row] + u[n - r * plane] + u[n + r * plane]);
        }
        v[n] = (real)sum;
    }
}

// ---- On a line ----

// Neighbouring threads read nearly the same points: 2R + 1 reads a point, most of them from L1.
__global__ void line_global(const real *u, real *v, size_t N, int R)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = u[n];
        if (is_within(n, N, R))
        {
            real weight = R + 1;
            sum *= weight;
            for (int r = 1; r <= R; ++r)
            {
                weight -= 1;
                sum += weight * (u[n - r] + u[n + r]);
            }
        }
        v[n] = sum;
    }
}

// The block first reads its points and the halo: R more points on each side. Each point is read
// once. The reading is a loop, because the halo may be wider than the block.
__global__ void line_shared(const real *u, real *v, size_t N, int R)
{
    extern __shared__ real s_u[]; // s_u[R] is the block's first point
    const size_t first = (size_t)blockDim.x * blockIdx.x;
    for (size_t i = threadIdx.x; i < blockDim.x + 2 * R; i += blockDim.x)
    {
        s_u[i] = first + i >= (size_t)R && first + i < N + R ? u[first + i - R] : (real)0;
    }
    __syncthreads();
    const size_t n = first + threadIdx.x;
    const int i = threadIdx.x + R;
    if (n < N)
    {
        real sum = s_u[i];
        if (is_within(n, N, R))
        {
            real weight = R + 1;
            sum *= weight;
            for (int r = 1; r <= R; ++r)
            {
                weight -= 1;
                sum += weight * (s_u[i - r] + s_u[i + r]);
            }
        }
        v[n] = sum;
    }
}

// ---- In a box: 7 points, the nearest neighbours in x, y and z ----

// Three of the 7 points are in the row that the warp reads anyway. The others are in 4 more rows,
// which other threads read too. Most of these reads find their row in L1 or L2.
__global__ void star7_global(const real *u, real *v, int Z, int Y, int X)
{
    const int z = blockDim.z * blockIdx.z + threadIdx.z;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    if (z < Z && y < Y && x < X)
    {
        const size_t row = X, plane = (size_t)Y * X, n = z * plane + y * row + x;
        real sum = u[n];
        if (is_within(z, Z, 1) && is_within(y, Y, 1) && is_within(x, X, 1))
        {
            sum = -6 * u[n];
            sum += u[n - 1] + u[n + 1];
            sum += u[n - row] + u[n + row];
            sum += u[n - plane] + u[n + plane];
        }
        v[n] = sum;
    }
}

const int TILE_Z = 8, TILE_Y = 8, TILE_X = 16; // points of a tile, and threads of its block

// The block reads a tile of 8 x 8 x 16 points and a halo of one point on every side: 10 x 10 x 18
// points in all. The neighbours are then in shared memory.
__global__ void star7_tile(const real *u, real *v, int Z, int Y, int X)
{
    const int HIGH = TILE_Z + 2, LONG = TILE_Y + 2, WIDE = TILE_X + 2;
    __shared__ real s_u[HIGH][LONG][WIDE];
    const int first_z = TILE_Z * (int)blockIdx.z - 1; // of the halo; before the box it is -1
    const int first_y = TILE_Y * (int)blockIdx.y - 1;
    const int first_x = TILE_X * (int)blockIdx.x - 1;
    const size_t row = X, plane = (size_t)Y * X;
    const int tid = (threadIdx.z * TILE_Y + threadIdx.y) * TILE_X + threadIdx.x;
    for (int i = tid; i < HIGH * LONG * WIDE; i += TILE_Z * TILE_Y * TILE_X)
    {
        const int tz = i / (WIDE * LONG), ty = i / WIDE % LONG, tx = i % WIDE;
        const int z = first_z + tz, y = first_y + ty, x = first_x + tx;
        const bool exists = z >= 0 && z < Z && y >= 0 && y < Y && x >= 0 && x < X;
        s_u[tz][ty][tx] = exists ? u[z * plane + y * row + x] : (real)0;
    }
    __syncthreads();
    const int tz = threadIdx.z + 1, ty = threadIdx.y + 1, tx = threadIdx.x + 1;
    const int z = first_z + tz, y = first_y + ty, x = first_x + tx;
    if (z < Z && y < Y && x < X)
    {
        real sum = s_u[tz][ty][tx];
        if (is_within(z, Z, 1) && is_within(y, Y, 1) && is_within(x, X, 1))
        {
            sum = -6 * s_u[tz][ty][tx];
            sum += s_u[tz][ty][tx - 1] + s_u[tz][ty][tx + 1];
            sum += s_u[tz][ty - 1][tx] + s_u[tz][ty + 1][tx];
            sum += s_u[tz - 1][ty][tx] + s_u[tz + 1][ty][tx];
        }
        v[z * plane + y * row + x] = sum;
    }
}

// ---- In a box: 25 points, four neighbours in each direction ----

// Nine of the 25 points are in the row that the warp reads anyway. The others are in 16 more rows.
__global__ void star25_global(const real *u, real *v, int Z, int Y, int X)
{
    const real weights[] = {-14350, 8064, -1008, 128, -9};
    const int z = blockDim.z * blockIdx.z + threadIdx.z;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    if (z < Z && y < Y && x < X)
    {
        const size_t row = X, plane = (size_t)Y * X, n = z * plane + y * row + x;
        real sum = u[n];
        if (is_within(z, Z, 4) && is_within(y, Y, 4) && is_within(x, X, 4))
        {
            sum = 3 * weights[0] * u[n];
#pragma unroll
            for (int r = 1; r <= 4; ++r)
            {
                sum += weights[r] * (u[n - r] + u[n + r] + u[n - r * row] + u[n + r * row] +
                                     u[n - r * plane] + u[n + r * plane]);
            }
        }
        v[n] = sum;
    }
}

// The halo is four points wide: the block reads 16 x 16 x 24 points for 8 x 8 x 16 results, which
// is six times as many. A larger tile would do better. But in double this one already takes 48 KB,
// the most that a block has without asking for more.
__global__ void star25_tile(const real *u, real *v, int Z, int Y, int X)
{
    const real weights[] = {-14350, 8064, -1008, 128, -9};
    const int HIGH = TILE_Z + 8, LONG = TILE_Y + 8, WIDE = TILE_X + 8;
    __shared__ real s_u[HIGH][LONG][WIDE];
    const int first_z = TILE_Z * (int)blockIdx.z - 4; // of the halo; before the box it is negative
    const int first_y = TILE_Y * (int)blockIdx.y - 4;
    const int first_x = TILE_X * (int)blockIdx.x - 4;
    const size_t row = X, plane = (size_t)Y * X;
    const int tid = (threadIdx.z * TILE_Y + threadIdx.y) * TILE_X + threadIdx.x;
    for (int i = tid; i < HIGH * LONG * WIDE; i += TILE_Z * TILE_Y * TILE_X)
    {
        const int tz = i / (WIDE * LONG), ty = i / WIDE % LONG, tx = i % WIDE;
        const int z = first_z + tz, y = first_y + ty, x = first_x + tx;
        const bool exists = z >= 0 && z < Z && y >= 0 && y < Y && x >= 0 && x < X;
        s_u[tz][ty][tx] = exists ? u[z * plane + y * row + x] : (real)0;
    }
    __syncthreads();
    const int tz = threadIdx.z + 4, ty = threadIdx.y + 4, tx = threadIdx.x + 4;
    const int z = first_z + tz, y = first_y + ty, x = first_x + tx;
    if (z < Z && y < Y && x < X)
    {
        real sum = s_u[tz][ty][tx];
        if (is_within(z, Z, 4) && is_within(y, Y, 4) && is_within(x, X, 4))
        {
            sum = 3 * weights[0] * s_u[tz][ty][tx];
#pragma unroll
            for (int r = 1; r <= 4; ++r)
            {
                sum +=
                    weights[r] * (s_u[tz][ty][tx - r] + s_u[tz][ty][tx + r] + s_u[tz][ty - r][tx] +
                                  s_u[tz][ty + r][tx] + s_u[tz - r][ty][tx] + s_u[tz + r][ty][tx]);
            }
        }
        v[z * plane + y * row + x] = sum;
    }
}

// The kernels of line-four, march and column stand there.
#include "stencil_fast.cuh"

// What the versions work on.
struct Data
{
    size_t Z, Y, X, N, R;    // a box of Z x Y x X points, or a line of N; R: the line's radius
    unsigned int block_size; // on the line
    real *h_v, *d_v;         //
    const real *d_u;         //
    const real *line, *star7, *star25; // what v should be
};

const dim3 BLOCK(64, 4, 2), TILE_BLOCK(TILE_X, TILE_Y, TILE_Z);

// So many blocks that each point of the box has its thread.
dim3 grid_of(const Data *d, dim3 block)
{
    return dim3((d->X - 1) / block.x + 1, (d->Y - 1) / block.y + 1, (d->Z - 1) / block.z + 1);
}

void launch_line_global(Data *d)
{
    const unsigned int grid_size = (d->N - 1) / d->block_size + 1;
    line_global<<<grid_size, d->block_size>>>(d->d_u, d->d_v, d->N, d->R);
}

void launch_line_shared(Data *d)
{
    const unsigned int grid_size = (d->N - 1) / d->block_size + 1;
    const size_t smem = (d->block_size + 2 * d->R) * sizeof(real);
    line_shared<<<grid_size, d->block_size, smem>>>(d->d_u, d->d_v, d->N, d->R);
}

void launch_7_global(Data *d)
{
    star7_global<<<grid_of(d, BLOCK), BLOCK>>>(d->d_u, d->d_v, d->Z, d->Y, d->X);
}

void launch_7_tile(Data *d)
{
    star7_tile<<<grid_of(d, TILE_BLOCK), TILE_BLOCK>>>(d->d_u, d->d_v, d->Z, d->Y, d->X);
}

void launch_25_global(Data *d)
{
    star25_global<<<grid_of(d, BLOCK), BLOCK>>>(d->d_u, d->d_v, d->Z, d->Y, d->X);
}

void launch_25_tile(Data *d)
{
    star25_tile<<<grid_of(d, TILE_BLOCK), TILE_BLOCK>>>(d->d_u, d->d_v, d->Z, d->Y, d->X);
}

void check_line(Table<Data> *table, const Data *d)
{
    check_elements(table->checking, d->h_v, d->line, d->N);
}

void check_7(Table<Data> *table, const Data *d)
{
    check_elements(table->checking, d->h_v, d->star7, d->N);
}

void check_25(Table<Data> *table, const Data *d)
{
    check_elements(table->checking, d->h_v, d->star25, d->N);
}

// A grid has at most 65535 blocks in y and in z. Tiles are larger than these blocks.
bool fits(const Data *d) { return d->Z <= 65535 * 2 && d->Y <= 65535 * 4 && d->X <= INT_MAX - 64; }

typedef Data *D;
const char *const NEEDS =
    "M to 131070 and N to 262140 (65535 blocks in z and y), K below 2^31 - 64";
const Version<Data> VERSIONS[] = {
    {"line-global", "1-D: 2R + 1 reads a point, left to the caches", ON_DEVICE, launch_line_global,
     check_line},
    {"line-shared", "a block's points and R points beyond each end, read once", ON_DEVICE,
     launch_line_shared, check_line},
    {"line-four", "four points a thread, from the caches again", ON_DEVICE,
     [](D d) { launch_line_four(d->d_u, d->d_v, d->N, d->R, d->block_size); }, check_line},
    {"7-global", "3-D, 7 points: the nearest neighbours", ON_DEVICE, launch_7_global, check_7, fits,
     NEEDS, true},
    {"7-tile", "a box in shared memory, with a halo on all six sides", ON_DEVICE, launch_7_tile,
     check_7, fits, NEEDS},
    {"7-march", "a flat tile goes up in z; the points above and below it wait in registers",
     ON_DEVICE,
     [](D d) {
         launch_march<1>(d->d_u, d->d_v, {d->Z, d->Y, d->X});
     },
     check_7},
    {"7-column", "no shared memory: registers for z, the caches for the rest", ON_DEVICE,
     [](D d) {
         launch_column<1>(d->d_u, d->d_v, {d->Z, d->Y, d->X});
     },
     check_7},
    {"25-global", "3-D, 25 points: four neighbours in each direction", ON_DEVICE, launch_25_global,
     check_25, fits, NEEDS, true},
    {"25-tile", "most of what a block reads is halo", ON_DEVICE, launch_25_tile, check_25, fits,
     NEEDS},
    {"25-march", "no halo in z", ON_DEVICE,
     [](D d) {
         launch_march<4>(d->d_u, d->d_v, {d->Z, d->Y, d->X});
     },
     check_25},
    {"25-column", "no barriers", ON_DEVICE,
     [](D d) {
         launch_column<4>(d->d_u, d->d_v, {d->Z, d->Y, d->X});
     },
     check_25},
};

// The reference and some kernels have the same weights. So these are checked by themselves.
void check_weights(void)
{
    for (size_t radius : {1, 4})
    {
        int sum = 3 * star_weight(radius, 0);
        for (size_t r = 1; r <= radius; ++r)
        {
            sum += 6 * star_weight(radius, r);
        }
        check_true("the second derivative of a constant is 0", sum == 0);
    }
}

int main(int argc, char **argv)
{
    size_t R = 4;
    args.M = args.N = args.K = default_size(400, 50);
    args.block_x = 256;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 5 * sizeof(real);
    add_versions(VERSIONS);
    add_number("radius", &R, 1, MAX_RADIUS, "of the stencil on the line");
    parse_args(argc, argv, "-n MxNxK -b B -r R -s S -k NAME --csv",
               "stencil: a point and its neighbours, on a line and in a box, by shared-memory "
               "tiles with halos");
    const size_t Z = args.M, Y = args.N, X = args.K, N = Z * Y * X, bytes = N * sizeof(real);
    check_weights();

    real *h_u, *h_v, *line, *star7, *star25, *d_u, *d_v;
    for (real **h : {&h_u, &h_v, &line, &star7, &star25})
    {
        *h = (real *)malloc(bytes);
    }
    fill_integers(h_u, N, args.seed);
    line_reference(h_u, line, N, R);
    star_reference(h_u, star7, Z, Y, X, 1);
    star_reference(h_u, star25, Z, Y, X, 4);
    CHECK(cudaMalloc(&d_u, bytes));
    CHECK(cudaMalloc(&d_v, bytes));
    CHECK(cudaMemcpy(d_u, h_u, bytes, cudaMemcpyHostToDevice));

    Data data = {Z, Y, X, N, R, (unsigned int)args.block_x, h_v, d_v, d_u, line, star7, star25};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_v, d_v, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    run_versions(&table, VERSIONS);

    CHECK(cudaFree(d_u));
    CHECK(cudaFree(d_v));
    for (real *h : {h_u, h_v, line, star7, star25})
    {
        free(h);
    }
    return verdict();
}
