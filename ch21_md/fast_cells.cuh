// Sorting the atoms of ljmd-fast by cells, in O(N).
//
// Atoms that lie close together in space then lie close together in memory. A warp that reads the
// neighbours of an atom finds several of them in one line of the cache. A cell has about four
// atoms, and four atoms, one after the other, are a cluster.
#pragma once
#include <cub/cub.cuh>
#include "fast_arrays.cuh"

// The place of a cell in the order of the cells. Columns of 2 x 2 cells go along z. The cells of a
// column are visited in a ring of four, then the next four in the opposite direction, and so on.
// The next column is visited from its end to its start. So two cells, one after the other, always
// touch.
__host__ __device__ inline int cell_rank(const Grid &grid, int x, int y, int z)
{
    const int row = y / 2, wide_y = min(2, grid.n[1] - 2 * row);
    const int columns = (grid.n[0] + 1) / 2; // in a row
    const int column = x / 2, wide_x = min(2, grid.n[0] - 2 * column);
    const bool row_is_odd = row % 2 == 1;
    const int on_the_left = 2 * column, on_the_right = grid.n[0] - on_the_left - wide_x;
    const int before_in_row = (row_is_odd ? on_the_right : on_the_left) * wide_y;
    const int before = (2 * row * grid.n[0] + before_in_row) * grid.n[2];

    const int number = row * columns + (row_is_odd ? columns - 1 - column : column);
    const int level = number % 2 == 1 ? grid.n[2] - 1 - z : z;
    const int in_level = wide_x * wide_y;
    int place = 0;
    if (in_level == 4)
    {
        place = x % 2 == 0 ? y % 2 : 3 - y % 2;
    }
    else
    {
        place = wide_x == 2 ? x % 2 : y % 2;
    }
    return before + level * in_level + (level % 2 == 1 ? in_level - 1 - place : place);
}

// The cell of a coordinate in the box; a number that is none gets a cell, too.
__device__ inline int cell_of(const Grid &grid, real x, int d)
{
    const int cell = (int)floor((x - grid.origin[d]) / grid.width[d]);
    return max(0, min(cell, grid.n[d] - 1));
}

// The box begins at the origin of the cells.
__device__ inline Real4 wrap(const Grid &grid, Real4 p)
{
    p.x -= grid.length[0] * floor((p.x - grid.origin[0]) / grid.length[0]);
    p.y -= grid.length[1] * floor((p.y - grid.origin[1]) / grid.length[1]);
    p.z -= grid.length[2] * floor((p.z - grid.origin[2]) / grid.length[2]);
    return p;
}

// Counts the atoms of each cell. The atom gets a number in its cell, in no fixed order.
__global__ void count_cells(Grid grid, int N, const Real4 *positions, int *cells, int *slots,
                            int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        const Real4 p = wrap(grid, positions[i]);
        const int cell =
            cell_rank(grid, cell_of(grid, p.x, 0), cell_of(grid, p.y, 1), cell_of(grid, p.z, 2));
        cells[i] = cell;
        slots[i] = atomicAdd(&counts[cell], 1);
    }
}

// starts[c] is the sum of the counts before cell c. Each atom is put into its cell.
__global__ void put_into_cells(int N, const int *cells, const int *slots, const int *starts,
                               const int *ids, int2 *places)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        places[starts[cells[i]] + slots[i]] = make_int2(i, ids[i]);
    }
}

// Orders the atoms of each cell by their number on the host, so that the order is fixed, and takes
// positions and velocities there.
__global__ void reorder(Grid grid, int N, const int *cells, const int *starts, const int2 *places,
                        const Real4 *positions, const Real4 *velocities, Real4 *new_positions,
                        Real4 *list_positions, Real4 *new_velocities, int *new_ids)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const int2 atom = places[n]; // x: its place so far, y: its number on the host
        const int cell = cells[atom.x];
        int place = starts[cell];
        for (int k = starts[cell]; k < starts[cell + 1]; ++k)
        {
            place += places[k].y < atom.y;
        }
        const Real4 p = wrap(grid, positions[atom.x]);
        new_positions[place] = p;
        list_positions[place] = p;
        new_velocities[place] = velocities[atom.x];
        new_ids[place] = atom.y;
    }
}

// Where the atoms of each cell are, by the cell's coordinates: first atom and number of atoms.
__global__ void find_ranges(Grid grid, const int *starts, int2 *ranges)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < grid.num_cells)
    {
        const int x = n % grid.n[0], y = n / grid.n[0] % grid.n[1], z = n / grid.n[0] / grid.n[1];
        const int cell = cell_rank(grid, x, y, z);
        ranges[n] = make_int2(starts[cell], starts[cell + 1] - starts[cell]);
    }
}

size_t scan_bytes(const Arrays *d)
{
    size_t bytes = 0;
    CHECK(cub::DeviceScan::ExclusiveSum(NULL, bytes, d->counts, d->starts, d->grid.num_cells + 1));
    return bytes;
}

// The positions go from one of the two arrays to the other.
inline void sort_atoms(const Simulation *sim)
{
    Arrays *d = sim->arrays;
    const Grid &grid = d->grid;
    const int N = sim->N, block_size = SORT_BLOCK_SIZE;
    const int grid_size = (N - 1) / block_size + 1, num_cells = grid.num_cells;
    const Real4 *positions = d->positions[d->now];

    CHECK(cudaMemsetAsync(d->counts, 0, (num_cells + 1) * sizeof(int)));
    count_cells<<<grid_size, block_size>>>(grid, N, positions, d->cells, d->slots, d->counts);
    CHECK_LAUNCH();
    size_t bytes = d->scan_bytes;
    CHECK(
        cub::DeviceScan::ExclusiveSum(d->scan_storage, bytes, d->counts, d->starts, num_cells + 1));
    put_into_cells<<<grid_size, block_size>>>(N, d->cells, d->slots, d->starts, d->ids, d->places);
    CHECK_LAUNCH();
    reorder<<<grid_size, block_size>>>(grid, N, d->cells, d->starts, d->places, positions,
                                       d->velocities, d->positions[1 - d->now], d->list_positions,
                                       d->sorted_velocities, d->sorted_ids);
    CHECK_LAUNCH();
    find_ranges<<<(num_cells - 1) / block_size + 1, block_size>>>(grid, d->starts, d->ranges);
    CHECK_LAUNCH();
    d->now = 1 - d->now;
    std::swap(d->velocities, d->sorted_velocities);
    std::swap(d->ids, d->sorted_ids);
}
