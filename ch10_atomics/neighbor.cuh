// What the two neighbour programs share: the distance that makes two atoms neighbours, the list of
// neighbours, its check, the options, and the files for the figures.
#pragma once
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "../common/output.cuh"
#include "../common/require_memory.cuh"
#include "graphene.cuh"

const real CUTOFF_SQUARE = (real)(1.9 * 1.9);
const size_t FEW_ATOMS = 50000; // for more atoms, all pairs take too long
const char *const FEW_ATOMS_TEXT = "50000 atoms or fewer";

// a * a + b * b, rounded after each operation. nvcc would fuse a multiplication and the addition
// into one instruction with one rounding. Then the device and the host could disagree about two
// atoms whose distance is almost the cutoff.
__host__ __device__ inline real sum_of_squares(real a, real b)
{
#ifndef __CUDA_ARCH__
    return a * a + b * b;
#elif defined(USE_DP)
    return __dadd_rn(__dmul_rn(a, a), __dmul_rn(b, b));
#else
    return __fadd_rn(__fmul_rn(a, a), __fmul_rn(b, b));
#endif
}

// Atom n has NN[n] neighbours, at most MN. The list NL holds their numbers.
struct NeighborList
{
    size_t N;
    int MN, *NN, *NL;
};

// The two ways in which the book orders NL.
enum Order
{
    BY_ATOM,         // entry k of atom n is NL[n * MN + k]: the list of one atom lies side by side
    BY_PLACE_IN_LIST // it is NL[k * N + n]: for one k, the entries of all atoms are consecutive
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

// The number of neighbours of all atoms.
inline size_t count_entries(const NeighborList *list)
{
    size_t entries = 0;
    for (size_t n = 0; n < list->N; ++n)
    {
        entries += list->NN[n];
    }
    return entries;
}

// ---- Checks ----

inline int compare_ints(const void *a, const void *b)
{
    const int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

// The neighbours of one atom, in order of their numbers.
inline void copy_sorted(const NeighborList *list, Order order, size_t n, int *sorted)
{
    const size_t count = list->NN[n];
    for (size_t k = 0; k < count; ++k)
    {
        sorted[k] = list->NL[order == BY_ATOM ? n * list->MN + k : k * list->N + n];
    }
    qsort(sorted, count, sizeof(int), compare_ints);
}

// How many atoms have other neighbours than in the reference, which is ordered BY_ATOM. The
// neighbours of an atom may be found in any sequence.
inline size_t count_different(const NeighborList *list, Order order, const NeighborList *reference)
{
    size_t different = 0;
    int *found = (int *)malloc(list->MN * sizeof(int));
    int *expected = (int *)malloc(list->MN * sizeof(int));
    for (size_t n = 0; n < list->N; ++n)
    {
        bool equal = list->NN[n] == reference->NN[n];
        if (equal)
        {
            copy_sorted(list, order, n, found);
            copy_sorted(reference, BY_ATOM, n, expected);
            equal = memcmp(found, expected, list->NN[n] * sizeof(int)) == 0;
        }
        different += !equal;
    }
    free(found);
    free(expected);
    return different;
}

// Whether n2 is in the list of n1, which is ordered BY_ATOM.
inline bool is_in_list(const NeighborList *list, size_t n1, size_t n2)
{
    bool is_found = false;
    for (int k = 0; k < list->NN[n1]; ++k)
    {
        is_found = is_found || list->NL[n1 * list->MN + k] == (int)n2;
    }
    return is_found;
}

// Compares some atoms with all others, or all atoms if they are few.
inline void check_sample(const NeighborList *list, const Atoms *atoms, uint64_t seed)
{
    const size_t N = atoms->N, most = 1 + (size_t)(ON_GPU ? 5e8 : 5e7) / N;
    const size_t wanted = N < most ? N : most;
    const real *x = atoms->x, *y = atoms->y;
    size_t wrong = 0;
    for (size_t i = 0; i < wanted; ++i)
    {
        const size_t n1 = wanted == N ? i : random_below(seed, i, (uint32_t)N);
        int count = 0;
        bool right = true;
        for (size_t n2 = 0; n2 < N; ++n2)
        {
            if (sum_of_squares(x[n2] - x[n1], y[n2] - y[n1]) < CUTOFF_SQUARE && n2 != n1)
            {
                right = right && is_in_list(list, n1, n2);
                ++count;
            }
        }
        wrong += !right || count != list->NN[n1];
    }
    check_true("the cell list of the host, against all pairs", wrong == 0);
    check_true("a cutoff of 1.9 A", sum_of_squares((real)-1.89, 0) < CUTOFF_SQUARE &&
                                        !(sum_of_squares(0, (real)1.91) < CUTOFF_SQUARE));
}

// ---- Options ----

const double MOST_ATOMS = 2e9;    // int holds the number of every thread of the last block, too
const size_t BYTES_ON_HOST = 200; // for an atom of the sheet, and for the host's cells

struct Input
{
    size_t MN;        // room for an atom's neighbours
    const char *path; // of a file of atoms; "": there is none
};

inline void add_input(Input *input)
{
    input->MN = 10; // as in the book; 3 are enough inside a grain, but not where grains meet
    input->path = "";
    add_number("mn", &input->MN, 1, 1000000, "room for an atom's neighbours");
    add_text("xy", &input->path, "a file of two columns: its atoms, whatever -n says", "FILE");
}

// The atoms that were asked for, if there is memory for them and two lists on the host, and for one
// list on the device.
inline Atoms create_atoms(const Input *input)
{
    const double list_bytes = (double)input->MN * sizeof(int);
    const double host_bytes = BYTES_ON_HOST + 2.0 * list_bytes;
    const double device_bytes = args.bytes_per_element + (args.uses_device ? list_bytes : 0.0);
    Atoms atoms = {};
    if (*input->path != '\0')
    {
        const double free = room_on_host();
        const double room = free > 0.0 ? free / host_bytes : MOST_ATOMS;
        atoms = read_atoms(input->path, fmin(room, MOST_ATOMS));
        args.N = atoms.N;
    }
    if (args.N > MOST_ATOMS)
    {
        usage_error("-n: at most %g atoms, as their numbers are int", MOST_ATOMS);
    }
    require_memory(args.N * host_bytes, args.N * device_bytes);
    return atoms.N > 0 ? atoms : make_graphene(args.N, args.seed);
}

// ---- Files for Fig. 10.1 and 10.2 ----

struct Figures
{
    bool wanted;
    Output xy, neighbor, bonds;
};

// With -o. The files are opened before the computation, so that a bad -o costs no time.
inline Figures open_figures(void)
{
    Figures figures = {};
    figures.wanted = *args.prefix != '\0';
    if (figures.wanted)
    {
        figures.xy = open_output("xy.txt");
        figures.neighbor = open_output("neighbor.txt");
        figures.bonds = open_output("bonds.txt");
    }
    return figures;
}

// xy.txt has the atoms, as --xy reads them. neighbor.txt has for each atom the number of its
// neighbours, and their numbers. bonds.txt has two lines and an empty one for each bond, so gnuplot
// draws the bonds as separate lines.
inline void write_figures(Figures *figures, const NeighborList *list, const Atoms *atoms)
{
    if (!figures->wanted)
    {
        return;
    }
    const real *x = atoms->x, *y = atoms->y;
    int *neighbors = (int *)malloc(list->MN * sizeof(int)); // of one atom
    for (size_t n = 0; n < atoms->N; ++n)
    {
        fprintf(figures->xy.file, "%.17g %.17g\n", x[n], y[n]);
        fprintf(figures->neighbor.file, "%d", list->NN[n]);
        copy_sorted(list, BY_ATOM, n, neighbors);
        for (int k = 0; k < list->NN[n]; ++k)
        {
            const int m = neighbors[k];
            fprintf(figures->neighbor.file, " %d", m);
            if (m > (int)n) // each bond once
            {
                fprintf(figures->bonds.file, "%.9g %.9g\n%.9g %.9g\n\n", x[n], y[n], x[m], y[m]);
            }
        }
        fprintf(figures->neighbor.file, "\n");
    }
    free(neighbors);
    close_output(&figures->xy);
    close_output(&figures->neighbor);
    close_output(&figures->bonds);
}
