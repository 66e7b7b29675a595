// The kernels of stencil.cu for stars in a box, from one point a thread to columns in registers.
#pragma once
#include "box.cuh"

// The sum of the star's 6R + 1 terms, from wherever they are: at(z, y, x) is the neighbour so far.
template <int R, typename At>
__device__ real star_sum(At at)
{
    real sum = 3 * star_weight(R, 0) * at(0, 0, 0);
#pragma unroll
    for (int r = 1; r <= R; ++r)
    {
        sum += star_weight(R, r) * (at(0, 0, -r) + at(0, 0, r) + at(0, -r, 0) + at(0, r, 0) +
                                    at(-r, 0, 0) + at(r, 0, 0));
    }
    return sum;
}

const int GLOBAL_Z = 2, GLOBAL_Y = 4, GLOBAL_X = 64; // threads in a block

// Of 25 points 9 are in the row that the warp reads anyway, the others in 16 more rows, which other
// blocks read too: what that costs is up to L1 and L2.
template <int R>
__global__ void star_global(const real *u, real *v, Box box)
{
    const Box corner = corner_of_block(box, GLOBAL_Z, GLOBAL_Y, GLOBAL_X);
    const size_t z = corner.Z + threadIdx.z, y = corner.Y + threadIdx.y, x = corner.X + threadIdx.x;
    const size_t n = place_of(box, z, y, x), row = box.X, plane = box.Y * box.X;
    const auto at = [&](int dz, int dy, int dx)
    {
        return u[n + dz * plane + dy * row + dx];
    };
    if (z < box.Z && y < box.Y && x < box.X)
    {
        v[n] = is_inside(box, z, y, x, R) ? star_sum<R>(at) : u[n];
    }
}

const int TILE_Z = 8, TILE_Y = 8, TILE_X = 16;

// A box of 8 x 8 x 16 points with a halo of R on every side. For R = 4 that is 16 x 16 x 24, six
// times as much as there are results. Larger boxes would do better, but not fit.
template <int R>
__global__ void star_tile(const real *u, real *v, Box box)
{
    const int Z = TILE_Z + 2 * R, Y = TILE_Y + 2 * R, X = TILE_X + 2 * R;
    __shared__ real s_u[Z][Y][X];
    const Box corner = corner_of_block(box, TILE_Z, TILE_Y, TILE_X);
    const int tid = (threadIdx.z * TILE_Y + threadIdx.y) * TILE_X + threadIdx.x;
    for (int i = tid; i < Z * Y * X; i += TILE_Z * TILE_Y * TILE_X)
    {
        const int tz = i / (X * Y), ty = i / X % Y, tx = i % X;
        s_u[tz][ty][tx] =
            read_point(u, box, corner.Z + tz - R, corner.Y + ty - R, corner.X + tx - R);
    }
    __syncthreads();
    const size_t z = corner.Z + threadIdx.z, y = corner.Y + threadIdx.y, x = corner.X + threadIdx.x;
    const int tz = threadIdx.z + R, ty = threadIdx.y + R, tx = threadIdx.x + R;
    const auto at = [&](int dz, int dy, int dx)
    {
        return s_u[tz + dz][ty + dy][tx + dx];
    };
    if (z < box.Z && y < box.Y && x < box.X)
    {
        v[place_of(box, z, y, x)] = is_inside(box, z, y, x, R) ? star_sum<R>(at) : at(0, 0, 0);
    }
}

// 2R + 1 points above each other, in registers. The middle one is at z, and goes up with it.
template <int R>
struct Column
{
    const real *u;
    size_t z, Z, plane, n; // n is the middle's place in u
    bool exists;
    real points[2 * R + 1];

    // One below z, for rise() comes first.
    __device__ Column(const real *u, Box box, size_t first_z, size_t y, size_t x)
        : u(u), z(first_z - 1), Z(box.Z), plane(box.Y * box.X),
          n(place_of(box, first_z, y, x) - plane), exists(y < box.Y && x < box.X)
    {
#pragma unroll
        for (int r = 1; r <= 2 * R; ++r)
        {
            points[r] = read(r - R);
        }
    }

    // The point `up` planes above the middle, or 0 outside the box.
    __device__ real read(int up)
    {
        return exists && z + up < Z ? u[n + up * plane] : (real)0;
    }

    __device__ void rise()
    {
#pragma unroll
        for (int r = 0; r < 2 * R; ++r)
        {
            points[r] = points[r + 1];
        }
        ++z;
        n += plane;
        points[2 * R] = read(R);
    }
};

const int MARCH_Z = 64, MARCH_Y = 8, MARCH_X = 32;

// A thread for each (y, x), and a loop over z. A column is its thread's alone; in shared memory is
// only the plane in which neighbours meet, and the one before. That may still be read while
// this one is written: one barrier a step is enough. Between blocks in z, 2R planes in 64 are read
// twice.
template <int R>
__global__ void star_march(const real *__restrict__ u, real *__restrict__ v, Box box)
{
    __shared__ real s_planes[2][MARCH_Y + 2 * R][MARCH_X + 2 * R];
    const Box corner = corner_of_block(box, MARCH_Z, MARCH_Y, MARCH_X);
    const size_t y = corner.Y + threadIdx.y, x = corner.X + threadIdx.x;
    const bool inside = is_within(y, box.Y, R) && is_within(x, box.X, R);
    const int ty = threadIdx.y + R, tx = threadIdx.x + R;
    Column<R> column(u, box, corner.Z, y, x);
    // Threads at the block's rim bring a point of the halo, too.
    const bool low_y = column.exists && threadIdx.y < R && y >= R;
    const bool low_x = column.exists && threadIdx.x < R && x >= R;
    const bool high_y = column.exists && threadIdx.y + R >= MARCH_Y && y + R < box.Y;
    const bool high_x = column.exists && threadIdx.x + R >= MARCH_X && x + R < box.X;
    const size_t end = min(corner.Z + MARCH_Z, box.Z);
    for (size_t z = corner.Z; z < end; ++z)
    {
        column.rise();
        real(*s_u)[MARCH_X + 2 * R] = s_planes[z % 2];
        const auto bring = [&](bool wanted, int dy, int dx)
        {
            if (wanted)
            {
                s_u[ty + dy][tx + dx] = u[column.n + dy * box.X + dx];
            }
        };
        s_u[ty][tx] = column.points[R];
        bring(low_y, -R, 0);
        bring(low_x, 0, -R);
        bring(high_y, R, 0);
        bring(high_x, 0, R);
        __syncthreads();
        const auto at = [&](int dz, int dy, int dx)
        {
            return dz != 0 ? column.points[R + dz] : s_u[ty + dy][tx + dx];
        };
        if (column.exists)
        {
            const bool sum = inside && is_within(z, box.Z, R);
            v[column.n] = sum ? star_sum<R>(at) : column.points[R];
        }
    }
}

const int COLUMN_Z = 16;

// No barrier, so that loads of several steps can be under way together. They may go ahead of the
// stores, since `__restrict__` promises that v is not u. The plane's neighbours are in L1, as other
// threads of the block have just read them.
template <int R>
__global__ void star_column(const real *__restrict__ u, real *__restrict__ v, Box box)
{
    const Box corner = corner_of_block(box, COLUMN_Z, MARCH_Y, MARCH_X);
    const size_t y = corner.Y + threadIdx.y, x = corner.X + threadIdx.x;
    const bool inside = is_within(y, box.Y, R) && is_within(x, box.X, R);
    Column<R> column(u, box, corner.Z, y, x);
    if (!column.exists)
    {
        return;
    }
    const size_t end = min(corner.Z + COLUMN_Z, box.Z);
#pragma unroll 4
    for (size_t z = corner.Z; z < end; ++z)
    {
        column.rise();
        const auto at = [&](int dz, int dy, int dx)
        {
            return dy == 0 && dx == 0 ? column.points[R + dz] : u[column.n + dy * box.X + dx];
        };
        v[column.n] = inside && is_within(z, box.Z, R) ? star_sum<R>(at) : column.points[R];
    }
}
