// What the two neighbour programs share: which atoms are neighbours, lists of them, the host's two
// ways to find them, the check of one list against another, and the files for the figures.
#pragma once
#include <algorithm>
#include "../common/compare.cuh"
#include "graphene.cuh"

const real CUTOFF_SQUARE = (real)(1.9 * 1.9);
const size_t SQUARE_LIMIT = ON_GPU ? 50000 : 10000; // more atoms than this take N^2 too long

// Whether two atoms so far apart are neighbours. nvcc would fuse a multiplication and the addition
// into one rounding; then a device and a host could disagree about two atoms 1.9 A apart.
__host__ __device__ inline bool is_near(real x12, real y12)
{
#ifndef __CUDA_ARCH__
    return x12 * x12 + y12 * y12 < CUTOFF_SQUARE;
#elif defined(USE_DP)
    return __dadd_rn(__dmul_rn(x12, x12), __dmul_rn(y12, y12)) < CUTOFF_SQUARE;
#else
    return __fadd_rn(__fmul_rn(x12, x12), __fmul_rn(y12, y12)) < CUTOFF_SQUARE;
#endif
}

// Of atom n, NN[n] neighbours; those for which there is room, up to MN, from NL[n * MN] on.
struct NeighborList
{
    size_t N;
    int MN;
    int *NN, *NL;
};

inline NeighborList create_list(size_t N, size_t MN)
{
    return {N, (int)MN, (int *)malloc(N * sizeof(int)), (int *)malloc(N * MN * sizeof(int))};
}

inline void free_list(NeighborList *list)
{
    free(list->NN);
    free(list->NL);
}

// Where the list is full the count goes on: it will tell how much room is needed.
inline void add_neighbor(NeighborList *list, int n, int neighbor)
{
    const int k = list->NN[n]++;
    if (k < list->MN)
    {
        list->NL[(size_t)n * list->MN + k] = neighbor;
    }
}

// Listing 10.3: every pair is looked at once and entered twice.
inline void find_neighbor(NeighborList *list, const real *x, const real *y)
{
    const int N = (int)list->N;
    std::fill_n(list->NN, N, 0);
    for (int n1 = 0; n1 < N; ++n1)
    {
        const real x1 = x[n1], y1 = y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            if (is_near(x[n2] - x1, y[n2] - y1))
            {
                add_neighbor(list, n1, n2);
                add_neighbor(list, n2, n1);
            }
        }
    }
}

// ---- Cells ----
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

// All that the distance test reads of an atom in one piece of 16 bytes (double: 32).
struct __align__(16) Atom
{
    real x, y;
    int n;
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
        (*atoms)[--(*starts)[bucket_of(ring, x, y)]] = {x, y, (int)n};
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
                    add_neighbor(list, atom.n, atoms[slot].n);
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

// The host's list, with which the device's are compared; a list too short is the user's to mend.
inline void find_reference(const Args *args, NeighborList *list, const Points *p)
{
    const bool complete = find_neighbor_cells(list, p);
    const int needed = *std::max_element(list->NN, list->NN + list->N);
    if (needed > list->MN)
    {
        usage_error(args, "--mn %d is too little, an atom has %d neighbours: it takes --mn %d%s",
                    list->MN, needed, needed, complete ? "" : " or more");
    }
}

// ---- Checks ----

// Neighbours come in any order: lists are compared as sets. Returns how many atoms' differ.
inline size_t count_different(NeighborList *list, NeighborList *reference)
{
    size_t different = 0;
    for (size_t n = 0; n < list->N; ++n)
    {
        int *a = list->NL + n * list->MN, *b = reference->NL + n * list->MN;
        const int count = reference->NN[n];
        std::sort(a, a + count);
        std::sort(b, b + count);
        different += list->NN[n] != count || !std::equal(a, a + count, b);
    }
    return different;
}

// Some atoms, or all if they are few, against all others: the cells' list is as good as N^2's.
inline void check_sample(NeighborList *list, const Points *p, uint64_t seed)
{
    const size_t wanted = std::min(p->N, 1 + (size_t)(ON_GPU ? 5e8 : 5e7) / p->N);
    size_t wrong = 0;
    for (size_t i = 0; i < wanted; ++i)
    {
        const size_t n1 = wanted == p->N ? i : random_below(seed, i, (uint32_t)p->N);
        const int *first = list->NL + n1 * list->MN, *last = first + list->NN[n1];
        int count = 0;
        bool right = true;
        for (size_t n2 = 0; n2 < p->N; ++n2)
        {
            if (is_near(p->x[n2] - p->x[n1], p->y[n2] - p->y[n1]) && n2 != n1)
            {
                right = right && std::find(first, last, (int)n2) != last;
                ++count;
            }
        }
        wrong += !right || count != list->NN[n1];
    }
    check_true("the cell list of the host, against all pairs", wrong == 0);
}

// ---- What both programs begin and end with ----

// The atoms that were asked for, and the memory for lists of them.
inline Points open_points(Args *args, const char *path, size_t MN)
{
    args->bytes_per_element += MN * sizeof(int);
    args->bytes_on_host += 2 * MN * sizeof(int);
    check_memory(args, true);
    const double free = free_host_memory(),
                 room = free > 0.0 ? free / args->bytes_on_host : INT_MAX;
    if (*path != '\0')
    {
        const Points points = read_points(args, path, (size_t)std::min(room, (double)INT_MAX));
        args->N = points.N;
        check_memory(args, true);
        return points;
    }
    if (args->N > INT_MAX)
    {
        usage_error(args, "-n: at most %d atoms, as their numbers are int", INT_MAX);
    }
    return grow_graphene(args->N, args->seed);
}

// PREFIXxy.txt: the atoms, as --xy reads them; PREFIXneighbor.txt: of each its number of
// neighbours and these; PREFIXbonds.txt: a line from atom to atom, for gnuplot.
inline void write_figures(const Args *args, const NeighborList *list, const Points *p)
{
    const char *const names[] = {"xy", "neighbor", "bonds"};
    for (int which = 0; which < 3; ++which)
    {
        char path[4096];
        snprintf(path, sizeof(path), "%s%s.txt", args->prefix, names[which]);
        FILE *file = fopen(path, "w");
        for (size_t n = 0; n < p->N && file != NULL; ++n)
        {
            if (which == 0)
            {
                fprintf(file, "%.17g %.17g\n", (double)p->x[n], (double)p->y[n]);
                continue;
            }
            which == 1 ? fprintf(file, "%d", list->NN[n]) : 0;
            for (int k = 0; k < list->NN[n]; ++k)
            {
                const int m = list->NL[n * list->MN + k];
                which == 1 ? fprintf(file, " %d", m) : 0;
                which == 2 && m > (int)n
                    ? fprintf(file, "%.9g %.9g\n%.9g %.9g\n\n", p->x[n], p->y[n], p->x[m], p->y[m])
                    : 0;
            }
            which == 1 ? fprintf(file, "\n") : 0;
        }
        const bool written = file != NULL && !ferror(file);
        if (file == NULL || fclose(file) != 0 || !written)
        {
            usage_error(args, "cannot write %s: %s", path, strerror(errno));
        }
        printf("%s\n", path);
    }
}
