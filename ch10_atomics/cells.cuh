// Neighbours in O(N): the plane cut into cells, the cells laid around a ring of buckets.
//
// Cut into square cells at least as wide as the cutoff, the plane has an atom's neighbours in its
// own cell and the eight around it, however many atoms there are elsewhere. A width of 2 does more
// than 1.9 would: halving a number never rounds, so whatever the coordinates, neighbours are never
// two cells apart.
//
// The plane is endless, memory is not. So cells are laid around a ring of buckets, a row after the
// other, each starting a golden section of the ring after the row below: that spreads over the
// ring whatever the atoms form, a sheet, a line, or islands far apart. Cells that come to lie on
// one bucket cost time only, as distances decide in the end.
#pragma once
#include <algorithm>
#include <vector>
#include "../common/error.cuh"
#include "neighbor.cuh"

struct Ring
{
    unsigned int mask; // the number of buckets, a power of two, less 1
    unsigned int step; // from a cell to the one above it
};

// As many buckets as atoms. With fewer than 32 an atom's nine would not be nine different ones.
inline Ring create_ring(size_t N)
{
    size_t buckets = 32;
    while (buckets < N)
    {
        buckets *= 2;
    }
    return {(unsigned int)(buckets - 1), (unsigned int)(buckets * 0.6180339887498949) | 1u};
}

__host__ __device__ inline unsigned int bucket_of(Ring ring, real x, real y)
{
    const int column = (int)floor(x * (real)0.5), row = (int)floor(y * (real)0.5);
    return ((unsigned int)column + (unsigned int)row * ring.step) & ring.mask;
}

// The i-th of the nine, of which number 4 is the bucket itself.
__host__ __device__ inline unsigned int bucket_near(Ring ring, unsigned int bucket, int i)
{
    return (bucket + (i % 3 - 1) + (i / 3 - 1) * ring.step) & ring.mask;
}

// All that is asked of an atom in one piece of 16 bytes (double: 32), which are one load (two).
struct __align__(16) Atom
{
    real x, y;
    int n, filler[sizeof(real) / 2 - 1];
};

// The atoms sorted by bucket: those of bucket b are atoms[starts[b]] ... atoms[starts[b + 1] - 1].
inline void sort_atoms(Ring ring, const Points *p, std::vector<int> *starts,
                       std::vector<Atom> *atoms)
{
    starts->assign((size_t)ring.mask + 2, 0);
    atoms->resize(p->N);
    for (size_t n = 0; n < p->N; ++n)
    {
        ++(*starts)[bucket_of(ring, p->x[n], p->y[n])];
    }
    int sum = 0;
    for (int &start : *starts)
    {
        start = sum += start; // the end of its atoms, from which they are filled in backwards
    }
    for (size_t n = p->N; n-- > 0;)
    {
        const real x = p->x[n], y = p->y[n];
        (*atoms)[--(*starts)[bucket_of(ring, x, y)]] = {x, y, (int)n, {}};
    }
}

// The same list in O(N). Where thousands of atoms are in one place it would be O(N^2) again: it
// gives up once it is sure that the list is too short. Returns whether it did not.
inline bool find_neighbor_cells(NeighborList *list, const Points *p)
{
    const Ring ring = create_ring(p->N);
    std::vector<int> starts;
    std::vector<Atom> atoms;
    sort_atoms(ring, p, &starts, &atoms);
    std::fill_n(list->NN, list->N, 0);
    double tests = 0.0;
    bool too_short = false;
    for (const Atom &atom : atoms)
    {
        const unsigned int bucket = bucket_of(ring, atom.x, atom.y);
        for (int i = 0; i < 9; ++i)
        {
            const unsigned int other = bucket_near(ring, bucket, i);
            for (int slot = starts[other]; slot < starts[other + 1]; ++slot)
            {
                if (is_near(atoms[slot].x - atom.x, atoms[slot].y - atom.y) &&
                    atoms[slot].n != atom.n)
                {
                    write_neighbor(*list, atom.n, list->NN[atom.n]++, atoms[slot].n);
                }
            }
            tests += starts[other + 1] - starts[other];
        }
        too_short = too_short || list->NN[atom.n] > list->MN;
        if (too_short && tests > 1e9)
        {
            return false;
        }
    }
    return true;
}

// The list with which others are compared, itself compared with all pairs. If it is too short,
// that is the user's to mend.
inline NeighborList find_reference(const Args *args, const Input *input, const Points *p)
{
    NeighborList list = create_list(p->N, input->MN);
    const bool complete = find_neighbor_cells(&list, p);
    const int needed = *std::max_element(list.NN, list.NN + list.N);
    if (needed > list.MN)
    {
        usage_error(args, "--mn %d is too little, an atom has %d neighbours: it takes --mn %d%s",
                    list.MN, needed, needed, complete ? "" : " or more");
    }
    check_sample(&list, p, args->seed);
    return list;
}

// ---- On the device ----

struct Cells
{
    Ring ring;
    size_t num_buckets;
    int *counts; // of the atoms in each bucket; one more: of those that have got their room
    int2 *rooms; // where those of each bucket begin and end
    int *ranks;  // of each atom among those of its bucket
    Atom *atoms; // sorted
};

inline Cells create_cells(size_t N)
{
    Cells cells;
    cells.ring = create_ring(N);
    cells.num_buckets = (size_t)cells.ring.mask + 1;
    CHECK(cudaMalloc(&cells.counts, (cells.num_buckets + 1) * sizeof(int)));
    CHECK(cudaMalloc(&cells.rooms, cells.num_buckets * sizeof(int2)));
    CHECK(cudaMalloc(&cells.ranks, N * sizeof(int)));
    CHECK(cudaMalloc(&cells.atoms, N * sizeof(Atom)));
    return cells;
}

inline void free_cells(Cells *cells)
{
    CHECK(cudaFree(cells->counts));
    CHECK(cudaFree(cells->rooms));
    CHECK(cudaFree(cells->ranks));
    CHECK(cudaFree(cells->atoms));
}
