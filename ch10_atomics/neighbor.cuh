// What the two neighbour programs share: the distance that makes two atoms neighbours, the list of
// neighbours, its check, the options, and the files for the figures.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>
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
    BY_PLACE_IN_LIST // it is NL[k * N + n]: entry k of all lists lies side by side
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
    return std::accumulate(list->NN, list->NN + list->N, (size_t)0);
}

// ---- Checks ----

// The neighbours of one atom, in order of their numbers.
inline void copy_sorted(const NeighborList *list, Order order, size_t n, std::vector<int> *sorted)
{
    sorted->resize(list->NN[n]);
    for (size_t k = 0; k < sorted->size(); ++k)
    {
        (*sorted)[k] = list->NL[order == BY_ATOM ? n * list->MN + k : k * list->N + n];
    }
    std::sort(sorted->begin(), sorted->end());
}

// How many atoms have other neighbours than in the reference, which is ordered BY_ATOM. The
// neighbours of an atom may be found in any sequence.
inline size_t count_different(const NeighborList *list, Order order, const NeighborList *reference)
{
    size_t different = 0;
    std::vector<int> found, expected;
    for (size_t n = 0; n < list->N; ++n)
    {
        bool equal = list->NN[n] == reference->NN[n];
        if (equal)
        {
            copy_sorted(list, order, n, &found);
            copy_sorted(reference, BY_ATOM, n, &expected);
            equal = found == expected;
        }
        different += !equal;
    }
    return different;
}

// Compares some atoms with all others, or all atoms if they are few.
inline void check_sample(const NeighborList *list, const Atoms *atoms, uint64_t seed)
{
    const size_t N = atoms->N, wanted = std::min(N, 1 + (size_t)(ON_GPU ? 5e8 : 5e7) / N);
    const real *x = atoms->x, *y = atoms->y;
    size_t wrong = 0;
    for (size_t i = 0; i < wanted; ++i)
    {
        const size_t n1 = wanted == N ? i : random_below(seed, i, (uint32_t)N);
        const int *first = list->NL + n1 * list->MN, *last = first + list->NN[n1];
        int count = 0;
        bool right = true;
        for (size_t n2 = 0; n2 < N; ++n2)
        {
            if (sum_of_squares(x[n2] - x[n1], y[n2] - y[n1]) < CUTOFF_SQUARE && n2 != n1)
            {
                right = right && std::find(first, last, (int)n2) != last;
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
    size_t MN = 10; // as in the book; 3 are enough inside a grain, but not where grains meet
    const char *path = "";
};

inline void add_input(Input *input)
{
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
        atoms = read_atoms(input->path, std::min(room, MOST_ATOMS));
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
    std::vector<int> neighbors; // of one atom
    for (size_t n = 0; n < atoms->N; ++n)
    {
        fprintf(figures->xy.file, "%.17g %.17g\n", x[n], y[n]);
        fprintf(figures->neighbor.file, "%d", list->NN[n]);
        copy_sorted(list, BY_ATOM, n, &neighbors);
        for (const int m : neighbors)
        {
            fprintf(figures->neighbor.file, " %d", m);
            if (m > (int)n) // each bond once
            {
                fprintf(figures->bonds.file, "%.9g %.9g\n%.9g %.9g\n\n", x[n], y[n], x[m], y[m]);
            }
        }
        fprintf(figures->neighbor.file, "\n");
    }
    close_output(&figures->xy);
    close_output(&figures->neighbor);
    close_output(&figures->bonds);
}
