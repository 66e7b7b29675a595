// Sorting the atoms of ljmd-fast and ljmd-multi by cells, in O(N).
//
// Atoms that lie close together in space then lie close together in memory. A warp that reads the
// neighbours of an atom finds several of them in one line of the cache. A cell has about four
// atoms, and four atoms, one after the other, are a cluster.
#pragma once
#include <cub/cub.cuh>
#include "fast_arrays.cuh"

// The place of a cell in the order of the cells. Two layers of cells in y are a row, and the order
// takes one row after the other. So a few rows are one piece of the order. In ljmd-multi a device
// has such a piece. A row is columns of 2 x 2 cells, which go along z. The cells of a column are
// visited in a ring of four, then the next four in the opposite direction, and so on. The next
// column is visited from its end to its start. So two cells, one after the other, always touch.
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

// The cell of a coordinate in the box. NaN gets a cell, too.
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

// The number of the cell of p among the device's own cells, or -1 if it is not one of them.
__device__ inline int own_cell(const Grid &grid, Real4 p)
{
    const int cell =
        cell_rank(grid, cell_of(grid, p.x, 0), cell_of(grid, p.y, 1), cell_of(grid, p.z, 2)) -
        grid.first_cell;
    return cell >= 0 && cell < grid.num_cells ? cell : -1;
}

// Counts the atoms of each cell. The atom gets a number in its cell, in no fixed order. Atoms in
// cells of other devices are left out.
__global__ void count_cells(Grid grid, int N, const Real4 *positions, int *cells, int *slots,
                            int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        const Real4 p = wrap(grid, positions[i]);
        const int cell = own_cell(grid, p);
        cells[i] = cell;
        if (cell >= 0)
        {
            slots[i] = atomicAdd(&counts[cell], 1);
        }
    }
}

// starts[c] is the sum of the counts before cell c. Each atom is put into its cell.
__global__ void put_into_cells(int N, const int *cells, const int *slots, const int *starts,
                               const int *ids, int2 *places)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && cells[i] >= 0)
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

// Where a cell that the device knows stands in `ranges`.
__device__ inline int known_cell(const Grid &grid, int x, int y, int z)
{
    const int layer = y - grid.first_y + (y < grid.first_y ? grid.n[1] : 0);
    return (z * grid.num_y + layer) * grid.n[0] + x;
}

// Some layers of cells, one after the other in the order of the cells: the device's own, or a piece
// of its halo. starts[c] is the number of the first atom of the piece's cell c.
struct Piece
{
    int first_y, num_y;
    int first_cell; // its place in the order
    int first_atom; // where the positions of its first atom are
    const int *starts;
};

// Where the atoms of each cell are, by the cell's coordinates: first atom and number of atoms.
__global__ void find_ranges(Grid grid, Piece piece, int2 *ranges)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < grid.n[0] * piece.num_y * grid.n[2])
    {
        const int x = n % grid.n[0], y = piece.first_y + n / grid.n[0] % piece.num_y;
        const int z = n / grid.n[0] / piece.num_y;
        const int cell = cell_rank(grid, x, y, z) - piece.first_cell;
        const int first = piece.starts[cell], count = piece.starts[cell + 1] - first;
        ranges[known_cell(grid, x, y, z)] =
            make_int2(piece.first_atom + first - piece.starts[0], count);
    }
}

size_t scan_bytes(const Domain *d)
{
    size_t bytes = 0;
    CHECK(cub::DeviceScan::ExclusiveSum(NULL, bytes, d->counts, d->starts, d->grid.num_cells + 1));
    return bytes;
}

// Finds the cell of each of N atoms. Afterwards starts[num_cells] is the number of atoms in the
// device's cells.
inline void put_atoms_into_cells(Domain *d)
{
    const int grid_size = blocks_for(d->N, SORT_BLOCK_SIZE), num_cells = d->grid.num_cells;
    CHECK(cudaMemsetAsync(d->counts, 0, (num_cells + 1) * sizeof(int), d->stream));
    count_cells<<<grid_size, SORT_BLOCK_SIZE, 0, d->stream>>>(d->grid, d->N, d->positions[d->now],
                                                              d->cells, d->slots, d->counts);
    CHECK_LAUNCH();
    size_t bytes = d->scan_bytes;
    CHECK(cub::DeviceScan::ExclusiveSum(d->scan_storage, bytes, d->counts, d->starts, num_cells + 1,
                                        d->stream));
    put_into_cells<<<grid_size, SORT_BLOCK_SIZE, 0, d->stream>>>(d->N, d->cells, d->slots,
                                                                 d->starts, d->ids, d->places);
    CHECK_LAUNCH();
}

inline void launch_ranges(Domain *d, Piece piece)
{
    const size_t num_cells = (size_t)d->grid.n[0] * piece.num_y * d->grid.n[2];
    find_ranges<<<blocks_for(num_cells, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
        d->grid, piece, d->ranges);
    CHECK_LAUNCH();
}

// Sorts the N atoms that are in the device's cells. The positions go from one of the two arrays to
// the other.
inline void take_order_of_cells(Domain *d, int N)
{
    reorder<<<blocks_for(N, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
        d->grid, N, d->cells, d->starts, d->places, d->positions[d->now], d->velocities,
        d->positions[1 - d->now], d->list_positions, d->sorted_velocities, d->sorted_ids);
    CHECK_LAUNCH();
    set_number_of_atoms(d, N);
    d->now = 1 - d->now;
    Real4 *const velocities = d->velocities;
    d->velocities = d->sorted_velocities;
    d->sorted_velocities = velocities;
    int *const ids = d->ids;
    d->ids = d->sorted_ids;
    d->sorted_ids = ids;
}
