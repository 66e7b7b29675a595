// The kernels of stencil.cu beyond plain tiles, with their launchers: four points of the line a
// thread; and in the box, threads that go up in z with the points above and below in registers.
// They need is_within and star_weight, which stand in stencil.cu.
#pragma once

// ---- On the line ----

// The sum of the line's 2R + 1 terms. u points to the middle one.
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

// Each thread has four points, a block's width apart. It issues four times as many loads before it
// needs the first of them. Only the blocks near the ends of the line take one point at a time.
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

inline void launch_line_four(const real *d_u, real *d_v, size_t N, size_t R,
                             unsigned int block_size)
{
    const size_t grid_size = (N - 1) / (4 * block_size) + 1;
    line_four<<<grid_size, block_size>>>(d_u, d_v, N, R);
}

// ---- In a box of Z planes of Y rows of X points ----

struct Box
{
    size_t Z, Y, X;
};

struct Place
{
    size_t z, y, x;
};

// The first point of this block, if blocks of z * y * x points fill the box. The grid is a line of
// blocks, because in y and z a grid ends at 65535 blocks.
__device__ Place corner_of_block(Box box, unsigned z, unsigned y, unsigned x)
{
    const unsigned wide = (box.X - 1) / x + 1, high = (box.Y - 1) / y + 1;
    return {(size_t)(blockIdx.x / wide / high) * z, (size_t)(blockIdx.x / wide % high) * y,
            (size_t)(blockIdx.x % wide) * x};
}

inline size_t count_blocks(Box box, size_t z, size_t y, size_t x)
{
    return ((box.Z - 1) / z + 1) * ((box.Y - 1) / y + 1) * ((box.X - 1) / x + 1);
}

// 2R + 1 points above each other, in registers. The middle one is at z.
template <int R>
struct PointColumn
{
    const real *u;
    size_t z, Z, plane, n; // u[n] is the middle one
    bool exists;
    real points[2 * R + 1];

    // Begins one point too low, because rise() is called before the first point is used.
    __device__ PointColumn(const real *u, Box box, size_t first_z, size_t y, size_t x)
        : u(u), z(first_z - 1), Z(box.Z), plane(box.Y * box.X),
          n((first_z * box.Y + y) * box.X + x - plane), exists(y < box.Y && x < box.X)
    {
#pragma unroll
        for (int r = 1; r <= 2 * R; ++r)
        {
            points[r] = read(r - R);
        }
    }

    // The point `up` planes above the middle, or 0 outside the box.
    __device__ real read(int up) { return exists && z + up < Z ? u[n + up * plane] : (real)0; }

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

// Each thread has one (y, x) and goes up in z. Its column is in its registers. Shared memory holds
// only the plane at z, where a thread needs its neighbours' points, and the plane before. Threads
// may still read the plane before while others write this one, so one barrier a step is enough.
// A block goes up 64 planes. 2R planes beside these are read again by the next block in z.
template <int R>
__global__ void star_march(const real *__restrict__ u, real *__restrict__ v, Box box)
{
    __shared__ real s_planes[2][MARCH_Y + 2 * R][MARCH_X + 2 * R];
    const Place corner = corner_of_block(box, MARCH_Z, MARCH_Y, MARCH_X);
    const size_t y = corner.y + threadIdx.y, x = corner.x + threadIdx.x;
    const bool inside = is_within(y, box.Y, R) && is_within(x, box.X, R);
    const int ty = threadIdx.y + R, tx = threadIdx.x + R;
    const size_t row = box.X;
    PointColumn<R> column(u, box, corner.z, y, x);
    // Threads at the block's border also bring a point of the halo.
    const bool low_y = column.exists && threadIdx.y < R && y >= R;
    const bool low_x = column.exists && threadIdx.x < R && x >= R;
    const bool high_y = column.exists && threadIdx.y + R >= MARCH_Y && y + R < box.Y;
    const bool high_x = column.exists && threadIdx.x + R >= MARCH_X && x + R < box.X;
    const size_t end = min(corner.z + MARCH_Z, box.Z);
    for (size_t z = corner.z; z < end; ++z)
    {
        column.rise();
        real(*s_u)[MARCH_X + 2 * R] = s_planes[z % 2];
        s_u[ty][tx] = column.points[R];
        if (low_y)
        {
            s_u[ty - R][tx] = u[column.n - R * row];
        }
        if (low_x)
        {
            s_u[ty][tx - R] = u[column.n - R];
        }
        if (high_y)
        {
            s_u[ty + R][tx] = u[column.n + R * row];
        }
        if (high_x)
        {
            s_u[ty][tx + R] = u[column.n + R];
        }
        __syncthreads();
        if (column.exists)
        {
            real sum = column.points[R];
            if (inside && is_within(z, box.Z, R))
            {
                sum *= 3 * star_weight(R, 0);
#pragma unroll
                for (int r = 1; r <= R; ++r)
                {
                    sum += star_weight(R, r) *
                           (s_u[ty][tx - r] + s_u[ty][tx + r] + s_u[ty - r][tx] + s_u[ty + r][tx] +
                            column.points[R - r] + column.points[R + r]);
                }
            }
            v[column.n] = sum;
        }
    }
}

template <int R>
void launch_march(const real *d_u, real *d_v, Box box)
{
    const size_t grid_size = count_blocks(box, MARCH_Z, MARCH_Y, MARCH_X);
    star_march<R><<<grid_size, dim3(MARCH_X, MARCH_Y)>>>(d_u, d_v, box);
}

const int COLUMN_Z = 16;

// Without barriers, the loads of several steps can be on their way together. `__restrict__`
// promises that v is not u, so loads may go ahead of the stores before them. The neighbours in the
// plane are in L1, because other threads of the block have just read them.
template <int R>
__global__ void star_column(const real *__restrict__ u, real *__restrict__ v, Box box)
{
    const Place corner = corner_of_block(box, COLUMN_Z, MARCH_Y, MARCH_X);
    const size_t y = corner.y + threadIdx.y, x = corner.x + threadIdx.x;
    const bool inside = is_within(y, box.Y, R) && is_within(x, box.X, R);
    const size_t row = box.X;
    PointColumn<R> column(u, box, corner.z, y, x);
    if (!column.exists)
    {
        return;
    }
    const size_t end = min(corner.z + COLUMN_Z, box.Z);
#pragma unroll 4
    for (size_t z = corner.z; z < end; ++z)
    {
        column.rise();
        real sum = column.points[R];
        if (inside && is_within(z, box.Z, R))
        {
            sum *= 3 * star_weight(R, 0);
#pragma unroll
            for (int r = 1; r <= R; ++r)
            {
                sum += star_weight(R, r) *
                       (u[column.n - r] + u[column.n + r] + u[column.n - r * row] +
                        u[column.n + r * row] + column.points[R - r] + column.points[R + r]);
            }
        }
        v[column.n] = sum;
    }
}

template <int R>
void launch_column(const real *d_u, real *d_v, Box box)
{
    const size_t grid_size = count_blocks(box, COLUMN_Z, MARCH_Y, MARCH_X);
    star_column<R><<<grid_size, dim3(MARCH_X, MARCH_Y)>>>(d_u, d_v, box);
}

// ---- WIDE points a thread, side by side ----

const int WIDE = 16 / sizeof(real); // points that one instruction can move

struct alignas(16) Points
{
    real of[WIDE];
};

__device__ inline Points read_points(const real *u, size_t n, bool exist)
{
    return exist ? *(const Points *)&u[n] : Points{};
}

const int VECTOR_THREADS = 128;

// The planes that a block goes up, found by trying, on an H100. More planes mean fewer that two
// blocks read, and fewer blocks.
template <int R>
struct Rise
{
    static const int PLANES = R == 1 ? 25 : 16;
};

// The L1 cache serves 128 bytes a cycle. A thread of `column` reads 16 of 25 points from there,
// and where a warp's 32 points begin anywhere in a line of 128 bytes, a read takes two cycles.
// Here the thread has WIDE points side by side. One read of 16 bytes brings the neighbours in y
// of all of them, and the reads of the next points on both sides bring all neighbours in x.
template <int R>
__global__ void __launch_bounds__(VECTOR_THREADS)
    star_vector(const real *__restrict__ u, real *__restrict__ v, Box box)
{
    const int SIDES = (R - 1) / WIDE + 1; // reads on each side
    const Place corner = corner_of_block(box, Rise<R>::PLANES, blockDim.y, blockDim.x * WIDE);
    const size_t y = corner.y + threadIdx.y, x = corner.x + threadIdx.x * WIDE;
    if (y >= box.Y || x >= box.X)
    {
        return;
    }
    const size_t row = box.X, plane = box.Y * box.X, end = min(corner.z + Rise<R>::PLANES, box.Z);
    const bool inside_y = is_within(y, box.Y, R);
    size_t n = corner.z * plane + y * row + x;
    Points column[2 * R + 1]; // below the points, the points themselves, and above them
#pragma unroll
    for (int r = 1; r <= 2 * R; ++r)
    {
        const size_t z = corner.z + r - R - 1; // before the box it is very large
        column[r] = read_points(u, n + (r - R - 1) * plane, z < box.Z);
    }
#pragma unroll 2
    for (size_t z = corner.z; z < end; ++z, n += plane)
    {
#pragma unroll
        for (int r = 0; r < 2 * R; ++r)
        {
            column[r] = column[r + 1];
        }
        column[2 * R] = read_points(u, n + R * plane, z + R < box.Z);
        Points result = column[R];
        if (inside_y && is_within(z, box.Z, R))
        {
            real line[(2 * SIDES + 1) * WIDE]; // the points, and those on both sides
#pragma unroll
            for (int i = 0; i < 2 * SIDES + 1; ++i)
            {
                const int from = (i - SIDES) * WIDE;
                const Points points =
                    i == SIDES ? column[R] : read_points(u, n + from, x + from < box.X);
#pragma unroll
                for (int k = 0; k < WIDE; ++k)
                {
                    line[i * WIDE + k] = points.of[k];
                }
            }
            real sums[WIDE];
#pragma unroll
            for (int k = 0; k < WIDE; ++k)
            {
                sums[k] = 3 * star_weight(R, 0) * line[SIDES * WIDE + k];
            }
#pragma unroll
            for (int r = 1; r <= R; ++r)
            {
                const Points before = read_points(u, n - r * row, true);
                const Points after = read_points(u, n + r * row, true);
#pragma unroll
                for (int k = 0; k < WIDE; ++k)
                {
                    const int i = SIDES * WIDE + k;
                    sums[k] += star_weight(R, r) *
                               (line[i - r] + line[i + r] + before.of[k] + after.of[k] +
                                column[R - r].of[k] + column[R + r].of[k]);
                }
            }
#pragma unroll
            for (int k = 0; k < WIDE; ++k)
            {
                result.of[k] = is_within(x + k, box.X, R) ? sums[k] : result.of[k];
            }
        }
        *(Points *)&v[n] = result;
    }
}

// A read of 16 bytes must begin at a multiple of 16. All rows do so if their length is one.
inline bool has_whole_reads(Box box) { return box.X % WIDE == 0; }

// A row's reads are shared among as few blocks as have 32 threads in x, equally: 100 reads make
// four blocks with 25 threads in x each, and none is nearly empty.
template <int R>
void launch_vector(const real *d_u, real *d_v, Box box)
{
    if (!has_whole_reads(box))
    {
        launch_column<R>(d_u, d_v, box);
        return;
    }
    const size_t reads = box.X / WIDE, across = (reads - 1) / 32 + 1;
    const unsigned int x = (reads - 1) / across + 1, y = VECTOR_THREADS / x;
    const size_t grid_size = count_blocks(box, Rise<R>::PLANES, y, x * WIDE);
    star_vector<R><<<grid_size, dim3(x, y)>>>(d_u, d_v, box);
}
