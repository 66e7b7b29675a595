// Beyond the book's all pairs: the device sorts the atoms into cells, and each atom looks into nine
// of them. The time is proportional to N. See cells.cuh for the cells and their numbers.
#pragma once
#include "../common/error.cuh"
#include "cells.cuh"

struct DeviceCells
{
    CellNumbers numbers;
    size_t count;
    int *cell_counts;        // how many atoms each cell has; one more: how many are placed so far
    int2 *cell_ranges;       // where the atoms of each cell begin and end in cell_contents
    int *place_in_cell;      // of each atom: 0 for the first atom of its cell, 1 for the next, ...
    CellAtom *cell_contents; // the atoms, sorted by cell
};

// Counts the atoms of each cell. What atomicAdd returns is the atom's place in its cell.
__global__ void count_atoms(DeviceCells cells, const real *d_x, const real *d_y, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const unsigned int cell = cell_of(cells.numbers, d_x[n], d_y[n]);
        cells.place_in_cell[n] = atomicAdd(&cells.cell_counts[cell], 1);
    }
}

// Gives each cell its range of cell_contents. The ranges may come in any order, as long as they do
// not overlap, so this needs no scan: the value that atomicAdd returns is the range's beginning.
// A block first adds up its cells in shared memory. So the sum in global memory, which all blocks
// share, gets one atomicAdd for each block instead of one for each cell.
__global__ void place_cells(DeviceCells cells)
{
    __shared__ int s_sum, s_begin;
    const unsigned int cell = blockIdx.x * blockDim.x + threadIdx.x;
    const int count = cell < cells.count ? cells.cell_counts[cell] : 0;
    if (threadIdx.x == 0)
    {
        s_sum = 0;
    }
    __syncthreads();
    const int before = count > 0 ? atomicAdd(&s_sum, count) : 0;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        s_begin = atomicAdd(&cells.cell_counts[cells.count], s_sum);
    }
    __syncthreads();
    if (cell < cells.count)
    {
        cells.cell_ranges[cell] = make_int2(s_begin + before, s_begin + before + count);
    }
}

__global__ void fill_cells(DeviceCells cells, const real *d_x, const real *d_y, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const CellAtom atom = {d_x[n], d_y[n], n, {}};
        const int2 range = cells.cell_ranges[cell_of(cells.numbers, atom.x, atom.y)];
        cells.cell_contents[range.x + cells.place_in_cell[n]] = atom;
    }
}

// A thread takes an atom by its place in cell_contents, so threads side by side look into the same
// cells. The nine ranges are loaded before the first of them is used.
__global__ void find_in_cells(int *d_NN, int *d_NL, DeviceCells cells, int N, int MN)
{
    const int slot1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (slot1 < N)
    {
        int count = 0;
        const CellAtom atom1 = cells.cell_contents[slot1];
        const unsigned int own = cell_of(cells.numbers, atom1.x, atom1.y);
        int2 ranges[9];
#pragma unroll
        for (int i = 0; i < 9; ++i)
        {
            ranges[i] = cells.cell_ranges[cell_near(cells.numbers, own, i)];
        }
#pragma unroll
        for (int i = 0; i < 9; ++i)
        {
            for (int slot2 = ranges[i].x; slot2 < ranges[i].y; ++slot2)
            {
                const CellAtom atom2 = cells.cell_contents[slot2];
                const real x12 = atom2.x - atom1.x;
                const real y12 = atom2.y - atom1.y;
                if (sum_of_squares(x12, y12) < CUTOFF_SQUARE && slot2 != slot1)
                {
                    if (count < MN)
                    {
                        d_NL[(size_t)count * N + atom1.n] = atom2.n;
                    }
                    ++count;
                }
            }
        }
        d_NN[atom1.n] = count;
    }
}

inline DeviceCells create_cells(size_t N)
{
    DeviceCells cells;
    cells.numbers = create_cell_numbers(N);
    cells.count = (size_t)cells.numbers.largest + 1;
    CHECK(cudaMalloc(&cells.cell_counts, (cells.count + 1) * sizeof(int)));
    CHECK(cudaMalloc(&cells.cell_ranges, cells.count * sizeof(int2)));
    CHECK(cudaMalloc(&cells.place_in_cell, N * sizeof(int)));
    CHECK(cudaMalloc(&cells.cell_contents, N * sizeof(CellAtom)));
    return cells;
}

inline void free_cells(DeviceCells *cells)
{
    CHECK(cudaFree(cells->cell_counts));
    CHECK(cudaFree(cells->cell_ranges));
    CHECK(cudaFree(cells->place_in_cell));
    CHECK(cudaFree(cells->cell_contents));
}

inline void launch_cells(const DeviceCells *cells, int *d_NN, int *d_NL, const real *d_x,
                         const real *d_y, int N, int MN, unsigned int block_size)
{
    const unsigned int for_atoms = ((unsigned int)N + block_size - 1) / block_size;
    const unsigned int for_cells = (cells->count + block_size - 1) / block_size;
    CHECK(cudaMemsetAsync(cells->cell_counts, 0, (cells->count + 1) * sizeof(int)));
    count_atoms<<<for_atoms, block_size>>>(*cells, d_x, d_y, N);
    place_cells<<<for_cells, block_size>>>(*cells);
    fill_cells<<<for_atoms, block_size>>>(*cells, d_x, d_y, N);
    find_in_cells<<<for_atoms, block_size>>>(d_NN, d_NL, *cells, N, MN);
}
