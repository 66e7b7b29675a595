// What stencil needs beside its kernels: a box of points, what is near its borders, and weights.
#pragma once
#include "../common/real.cuh"

// The second derivative, of 2nd order (R = 1) and of 8th (R = 4, times 5040): the weight of the
// point itself and of those 1, 2, 3, 4 away. In an unrolled loop these are constants.
__host__ __device__ constexpr int star_weight(int R, int r)
{
    const int second_order[] = {-2, 1}, eighth_order[] = {-14350, 8064, -1008, 128, -9};
    return R == 1 ? second_order[r] : eighth_order[r];
}

// Z planes of Y rows of X points.
struct Box
{
    size_t Z, Y, X;
};

// Where in the array a point is.
__host__ __device__ inline size_t place_of(Box box, size_t z, size_t y, size_t x)
{
    return (z * box.Y + y) * box.X + x;
}

// At least R points away from both ends of 0 ... size - 1.
__host__ __device__ inline bool is_within(size_t n, size_t size, size_t R)
{
    return n >= R && n + R < size;
}

__host__ __device__ inline bool is_inside(Box box, size_t z, size_t y, size_t x, size_t R)
{
    return is_within(z, box.Z, R) && is_within(y, box.Y, R) && is_within(x, box.X, R);
}

// The first point of this block, if blocks of z * y * x points fill the box. The grid is a line,
// because its other dimensions end at 65535.
__device__ Box corner_of_block(Box box, unsigned z, unsigned y, unsigned x)
{
    const unsigned wide = (box.X - 1) / x + 1, high = (box.Y - 1) / y + 1;
    return {(size_t)(blockIdx.x / wide / high) * z, (size_t)(blockIdx.x / wide % high) * y,
            (size_t)(blockIdx.x % wide) * x};
}

// A point, or 0 where there is none. Before the box, the unsigned indices wrap round to numbers
// far behind it: one comparison a direction will do.
__device__ real read_point(const real *u, Box box, size_t z, size_t y, size_t x)
{
    return z < box.Z && y < box.Y && x < box.X ? u[place_of(box, z, y, x)] : (real)0;
}
