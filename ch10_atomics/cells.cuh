// Neighbours in a time proportional to N: the plane is divided into square cells.
//
// A cell is at least as wide as the cutoff, so the neighbours of an atom lie in its own cell or in
// the eight cells around it. The width is 2, not 1.9: halving a coordinate never rounds, so two
// neighbours are never two cells apart.
//
// The plane has more cells than memory could hold, so several cells share a number. Within a row
// the numbers go up by 1, from a row to the next by row_step, and after the largest number comes 0.
// The step is a golden section of all numbers. It spreads the atoms over the numbers well, be they
// a sheet, a line, or islands far apart. Where two cells with atoms share a number, more distances
// are computed, but the list is still right.
#pragma once
#include "neighbor.cuh"

struct CellNumbers
{
    unsigned int largest;  // their count is a power of two, so this is all ones in binary
    unsigned int row_step; // from a cell to the cell above it
};

// As many numbers as atoms. With fewer than 32, the nine cells around an atom could share numbers.
inline CellNumbers create_cell_numbers(size_t N)
{
    size_t count = 32;
    while (count < N)
    {
        count *= 2;
    }
    return {(unsigned int)(count - 1), (unsigned int)(count * 0.6180339887498949) | 1u};
}

__host__ __device__ inline unsigned int cell_of(CellNumbers numbers, real x, real y)
{
    const int column = (int)floor(x * (real)0.5), row = (int)floor(y * (real)0.5);
    return ((unsigned int)column + (unsigned int)row * numbers.row_step) & numbers.largest;
}

// The i-th of the nine cells around an atom. Number 4 is the atom's own cell.
__host__ __device__ inline unsigned int cell_near(CellNumbers numbers, unsigned int cell, int i)
{
    return (cell + (i % 3 - 1) + (i / 3 - 1) * numbers.row_step) & numbers.largest;
}

// All that the search reads of an atom, in 16 bytes (32 in double). They are one load (two loads).
struct __align__(16) CellAtom
{
    real x, y;
    int n, filler[sizeof(real) / 2 - 1];
};

// Sorts the atoms by cell: cell c has contents[starts[c]] to contents[starts[c + 1] - 1]. All
// starts are 0 before, and there is one more of them than cells.
inline void sort_by_cell(CellNumbers numbers, const Atoms *atoms, int *starts, CellAtom *contents)
{
    for (size_t n = 0; n < atoms->N; ++n)
    {
        ++starts[cell_of(numbers, atoms->x[n], atoms->y[n])];
    }
    int sum = 0;
    for (size_t cell = 0; cell <= (size_t)numbers.largest + 1; ++cell)
    {
        sum += starts[cell];
        starts[cell] = sum; // the end of the cell; the loop below fills the cell backwards
    }
    for (size_t n = atoms->N; n-- > 0;)
    {
        const real x = atoms->x[n], y = atoms->y[n];
        contents[--starts[cell_of(numbers, x, y)]] = {x, y, (int)n, {}};
    }
}

// Listing 10.3 with cells. If thousands of atoms are in one place, this takes a time proportional
// to N^2 again. So it gives up, and returns false, once the list is too short and the work long.
inline bool find_neighbor_cells(NeighborList *list, const Atoms *atoms)
{
    const CellNumbers numbers = create_cell_numbers(atoms->N);
    int *starts = (int *)calloc((size_t)numbers.largest + 2, sizeof(int));
    CellAtom *contents = (CellAtom *)malloc(atoms->N * sizeof(CellAtom));
    sort_by_cell(numbers, atoms, starts, contents);
    const size_t MN = list->MN;
    int *NN = list->NN, *NL = list->NL;
    memset(NN, 0, list->N * sizeof(int));
    double tests = 0.0;
    bool too_short = false, gives_up = false;
    for (size_t slot1 = 0; slot1 < atoms->N && !gives_up; ++slot1)
    {
        const CellAtom atom1 = contents[slot1];
        const int n1 = atom1.n;
        const unsigned int own = cell_of(numbers, atom1.x, atom1.y);
        for (int i = 0; i < 9; ++i)
        {
            const unsigned int cell = cell_near(numbers, own, i);
            for (int slot = starts[cell]; slot < starts[cell + 1]; ++slot)
            {
                const CellAtom atom2 = contents[slot];
                const real x12 = atom2.x - atom1.x;
                const real y12 = atom2.y - atom1.y;
                if (sum_of_squares(x12, y12) < CUTOFF_SQUARE && atom2.n != n1)
                {
                    if (NN[n1] < list->MN)
                    {
                        NL[n1 * MN + NN[n1]] = atom2.n;
                    }
                    ++NN[n1]; // goes on when the list is full, and says how long it has to be
                }
            }
            tests += starts[cell + 1] - starts[cell];
        }
        too_short = too_short || NN[n1] > list->MN;
        gives_up = too_short && tests > 1e9;
    }
    free(starts);
    free(contents);
    return !gives_up;
}

// The list with which all others are compared. It is itself compared with all pairs of some atoms.
// If MN is too small for these atoms, the program ends here.
inline NeighborList find_reference(const Input *input, const Atoms *atoms)
{
    NeighborList list = create_list(atoms->N, input->MN);
    const bool complete = find_neighbor_cells(&list, atoms);
    int needed = 0;
    for (size_t n = 0; n < list.N; ++n)
    {
        needed = list.NN[n] > needed ? list.NN[n] : needed;
    }
    if (needed > list.MN)
    {
        usage_error("--mn %d is too little, an atom has %d neighbours: it takes --mn %d%s", list.MN,
                    needed, needed, complete ? "" : said(" or more"));
    }
    check_sample(&list, atoms, args.seed);
    return list;
}
