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
#include "../common/versions.cuh"

const size_t MAX_RADIUS = 256; // of the line, whose weights are 1, 2, ..., R + 1, ..., 2, 1

static size_t Z, Y, X;                    // of the box: Z planes of Y rows of X points
static size_t N;                          // points of the box, or of the line
static size_t R = 4;                      // radius on the line
static unsigned int block_size;           // on the line
static real *h_u, *d_u, *h_v, *d_v;       // the points before and after
static real *h_line, *h_star7, *h_star25; // what h_v should be, after each of the three stencils

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

void run_line_global(void)
{
    line_global<<<(N - 1) / block_size + 1, block_size>>>(d_u, d_v, N, R);
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

void run_line_shared(void)
{
    const size_t smem = (block_size + 2 * R) * sizeof(real);
    line_shared<<<(N - 1) / block_size + 1, block_size, smem>>>(d_u, d_v, N, R);
}

// ---- In a box: 7 points, the nearest neighbours in x, y and z ----

const int TILE_Z = 8, TILE_Y = 8, TILE_X = 16; // points of a tile, and threads of its block
const dim3 BLOCK(64, 4, 2), TILE_BLOCK(TILE_X, TILE_Y, TILE_Z);

// So many blocks that each point of the box has its thread.
dim3 grid_of(dim3 block, size_t Z, size_t Y, size_t X)
{
    return dim3((X - 1) / block.x + 1, (Y - 1) / block.y + 1, (Z - 1) / block.z + 1);
}

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

void run_7_global(void) { star7_global<<<grid_of(BLOCK, Z, Y, X), BLOCK>>>(d_u, d_v, Z, Y, X); }

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

void run_7_tile(void)
{
    star7_tile<<<grid_of(TILE_BLOCK, Z, Y, X), TILE_BLOCK>>>(d_u, d_v, Z, Y, X);
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

void run_25_global(void) { star25_global<<<grid_of(BLOCK, Z, Y, X), BLOCK>>>(d_u, d_v, Z, Y, X); }

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

void run_25_tile(void)
{
    star25_tile<<<grid_of(TILE_BLOCK, Z, Y, X), TILE_BLOCK>>>(d_u, d_v, Z, Y, X);
}

// The kernels of line-four, march, column and vector stand there.
#include "stencil_fast.cuh"

void run_line_four(void) { launch_line_four(d_u, d_v, N, R, block_size); }
void run_7_march(void) { launch_march<1>(d_u, d_v, {Z, Y, X}); }
void run_7_column(void) { launch_column<1>(d_u, d_v, {Z, Y, X}); }
void run_25_march(void) { launch_march<4>(d_u, d_v, {Z, Y, X}); }
void run_25_column(void) { launch_column<4>(d_u, d_v, {Z, Y, X}); }
void run_7_vector(void) { launch_vector<1>(d_u, d_v, {Z, Y, X}); }
void run_25_vector(void) { launch_vector<4>(d_u, d_v, {Z, Y, X}); }

// ---- The table

void check_line(void) { check_elements(g_row, h_v, h_line, N); }
void check_7(void) { check_elements(g_row, h_v, h_star7, N); }
void check_25(void) { check_elements(g_row, h_v, h_star25, N); }

// A grid has at most 65535 blocks in y and in z. Tiles are larger than these blocks.
bool fits(void) { return Z <= 65535 * 2 && Y <= 65535 * 4 && X <= INT_MAX - 64; }

const char *const NEEDS =
    "M to 131070 and N to 262140 (65535 blocks in z and y), K below 2^31 - 64";
const Version VERSIONS[] = {
    {"line-global", "1-D: 2R + 1 reads a point, left to the caches", run_line_global, check_line,
     ON_DEVICE, NULL, NULL, false, "faster than line-shared: a cache serves most loads"},
    {"line-shared", "a block's points and R points beyond each end, read once", run_line_shared,
     check_line},
    {"line-four", "four points a thread, from the caches again", run_line_four, check_line,
     ON_DEVICE, NULL, NULL, false, "faster: more loads under way"},
    {"7-global", "3-D, 7 points: the nearest neighbours", run_7_global, check_7, ON_DEVICE, fits,
     NEEDS, true, "faster than 7-tile: a cache serves most loads"},
    {"7-tile", "a box in shared memory, with a halo on all six sides", run_7_tile, check_7,
     ON_DEVICE, fits, NEEDS},
    {"7-march", "a flat tile goes up in z; the points above and below it wait in registers",
     run_7_march, check_7},
    {"7-column", "no shared memory: registers for z, the caches for the rest", run_7_column,
     check_7, ON_DEVICE, NULL, NULL, false, "faster: no thread waits at a barrier"},
    {"7-vector", "16 bytes of a row a thread", run_7_vector, check_7},
    {"25-global", "3-D, 25 points: four neighbours in each direction", run_25_global, check_25,
     ON_DEVICE, fits, NEEDS, true, "faster than 25-tile: a cache serves most loads"},
    {"25-tile", "most of what a block reads is halo", run_25_tile, check_25, ON_DEVICE, fits,
     NEEDS},
    {"25-march", "no halo in z", run_25_march, check_25},
    {"25-column", "no barriers", run_25_column, check_25, ON_DEVICE, NULL, NULL, false,
     "faster than 25-global, a little faster than 25-march"},
    {"25-vector", "16 bytes of a row a thread", run_25_vector, check_25},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// The reference and some kernels have the same weights. So these are checked by themselves.
void check_weights(int R)
{
    int sum = 3 * star_weight(R, 0);
    for (int r = 1; r <= R; ++r)
    {
        sum += 6 * star_weight(R, r);
    }
    check_true("the second derivative of a constant is 0", sum == 0);
}

int main(int argc, char **argv)
{
    args.M = args.N = default_size(400, 32);
    args.K = default_size(400, 64);
    args.block_x = 256;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 5 * sizeof(real);
    add_versions(VERSIONS, NUM_VERSIONS);
    add_number("radius", &R, 1, MAX_RADIUS, "of the stencil on the line");
    parse_args(argc, argv, "-n MxNxK -b B -r R -s S -k NAME --csv",
               "stencil: a point and its neighbours, on a line and in a box, by shared-memory "
               "tiles with halos");
    check_weights(1);
    check_weights(4);
    Z = args.M;
    Y = args.N;
    X = args.K;
    N = Z * Y * X;
    block_size = args.block_x;

    const size_t bytes = N * sizeof(real);
    h_u = (real *)malloc(bytes);
    h_v = (real *)malloc(bytes);
    h_line = (real *)malloc(bytes);
    h_star7 = (real *)malloc(bytes);
    h_star25 = (real *)malloc(bytes);
    fill_integers(h_u, N, args.seed);
    line_reference(h_u, h_line, N, R);
    star_reference(h_u, h_star7, Z, Y, X, 1);
    star_reference(h_u, h_star25, Z, Y, X, 4);
    CHECK(cudaMalloc(&d_u, bytes));
    CHECK(cudaMalloc(&d_v, bytes));
    CHECK(cudaMemcpy(d_u, h_u, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_v, d_v, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note("vector: rows of %zu bytes, %s\n", X * sizeof(real),
               has_whole_reads({Z, Y, X}) ? said("16 at a time")
                                          : said("no multiple of 16: ran as column"));

    CHECK(cudaFree(d_u));
    CHECK(cudaFree(d_v));
    free(h_u);
    free(h_v);
    free(h_line);
    free(h_star7);
    free(h_star25);
    return verdict();
}
