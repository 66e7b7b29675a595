// What the two neighbour programs share: which atoms are neighbours, lists of them, the host's two
// ways to find them, the check of one list against another, and the files for the figures.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>
#include "../common/compare.cuh"
#include "graphene.cuh"

const real CUTOFF_SQUARE = (real)(1.9 * 1.9);
const size_t SQUARE_LIMIT = 50000; // more atoms take all pairs too long
const char *const SQUARE_LIMIT_TEXT = "50000 atoms or fewer";

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

// Of each atom the number of neighbours, NN[n], and their numbers: the k-th stands in
// NL[n * n_stride + k * k_stride], if k < MN.
struct NeighborList
{
    size_t N;
    int MN, *NN, *NL;
    size_t n_stride, k_stride;
};

typedef NeighborList (*Layout)(size_t N, int MN, int *NN, int *NL);

// The neighbours of an atom side by side ...
inline NeighborList list_by_atom(size_t N, int MN, int *NN, int *NL)
{
    return {N, MN, NN, NL, (size_t)MN, 1};
}

// ... or the k-th neighbours of all atoms: the threads of a warp, an atom each, write side by side.
inline NeighborList list_by_rank(size_t N, int MN, int *NN, int *NL)
{
    return {N, MN, NN, NL, 1, N};
}

// Nothing is written where there is no room; but the count goes on, and tells what is needed.
__host__ __device__ inline void write_neighbor(NeighborList list, size_t n, int k, int neighbor)
{
    if (k < list.MN)
    {
        list.NL[n * list.n_stride + k * list.k_stride] = neighbor;
    }
}

inline NeighborList create_list(size_t N, size_t MN)
{
    return list_by_atom(N, (int)MN, (int *)malloc(N * sizeof(int)),
                        (int *)malloc(N * MN * sizeof(int)));
}

inline void free_list(NeighborList *list)
{
    free(list->NN);
    free(list->NL);
}

inline NeighborList create_device_list(size_t N, size_t MN)
{
    NeighborList list = list_by_atom(N, (int)MN, NULL, NULL);
    CHECK(cudaMalloc(&list.NN, N * sizeof(int)));
    CHECK(cudaMalloc(&list.NL, N * MN * sizeof(int)));
    return list;
}

inline void free_device_list(NeighborList *list)
{
    CHECK(cudaFree(list->NN));
    CHECK(cudaFree(list->NL));
}

inline size_t num_entries(const NeighborList *list)
{
    return std::accumulate(list->NN, list->NN + list->N, (size_t)0);
}

// Listing 10.3: every pair is looked at once and entered twice.
inline void find_neighbor(NeighborList *list, const Points *p)
{
    const real *x = p->x, *y = p->y;
    const int N = (int)list->N;
    std::fill_n(list->NN, N, 0);
    for (int n1 = 0; n1 < N; ++n1)
    {
        const real x1 = x[n1], y1 = y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            if (is_near(x[n2] - x1, y[n2] - y1))
            {
                write_neighbor(*list, n1, list->NN[n1]++, n2);
                write_neighbor(*list, n2, list->NN[n2]++, n1);
            }
        }
    }
}

// ---- Checks ----

// The neighbours of an atom in order of their numbers.
inline void copy_sorted(const NeighborList *list, size_t n, std::vector<int> *sorted)
{
    sorted->resize(list->NN[n]);
    for (size_t k = 0; k < sorted->size(); ++k)
    {
        (*sorted)[k] = list->NL[n * list->n_stride + k * list->k_stride];
    }
    std::sort(sorted->begin(), sorted->end());
}

// Neighbours come in any order: lists are compared as sets. Returns how many atoms' differ.
inline size_t count_different(const NeighborList *list, const NeighborList *reference)
{
    size_t different = 0;
    std::vector<int> a, b;
    for (size_t n = 0; n < list->N; ++n)
    {
        bool equal = list->NN[n] == reference->NN[n];
        if (equal)
        {
            copy_sorted(list, n, &a);
            copy_sorted(reference, n, &b);
            equal = a == b;
        }
        different += !equal;
    }
    return different;
}

// Some atoms, or all if they are few, against all others: the cells' list is as good as N^2's.
inline void check_sample(const NeighborList *list, const Points *p, uint64_t seed)
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
    check_true("a cutoff of 1.9 A", is_near((real)-1.89, 0) && !is_near(0, (real)1.91));
}

// ---- What both programs begin and end with ----

const double MOST_ATOMS = 2e9;    // the threads of a last block, too, have numbers
const size_t BYTES_ON_HOST = 200; // for an atom: to grow it, its place, and the cells

struct Input
{
    size_t MN = 10; // as in the book; three would do for graphene
    const char *path = "";
};

inline void add_input(Args *args, Input *input)
{
    add_number(args, "mn", &input->MN, 1, 1000000, "room for an atom's neighbours");
    add_text(args, "xy", &input->path, "a file of two columns: its atoms, whatever -n says");
}

// The atoms that were asked for. There must be memory for two lists of theirs.
inline Points open_points(Args *args, const Input *input)
{
    args->bytes_per_element += args->uses_device ? input->MN * sizeof(int) : 0;
    args->bytes_on_host += 2 * input->MN * sizeof(int);
    if (*input->path != '\0')
    {
        const double free = free_host_memory();
        const double room = free > 0.0 ? free / args->bytes_on_host : MOST_ATOMS;
        const Points points = read_points(args, input->path, std::min(room, MOST_ATOMS));
        args->N = points.N;
        check_memory(args, true);
        return points;
    }
    if (args->N > MOST_ATOMS)
    {
        usage_error(args, "-n: at most %g atoms, as their numbers are int", MOST_ATOMS);
    }
    check_memory(args, true);
    return grow_graphene(args->N, args->seed);
}

// A file whose lines `write` writes, or the end.
template <typename Write>
void write_file(const Args *args, const char *name, Write write)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s%s", args->prefix, name);
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    if (written)
    {
        write(file);
        written = !ferror(file);
        written = fclose(file) == 0 && written;
    }
    if (!written)
    {
        usage_error(args, "cannot write %s: %s", path, strerror(errno));
    }
    printf("%s%s\n", g_verdict_prefix, path);
}

// With -o: the atoms, as --xy reads them; the number of neighbours of each, and these; and the
// bonds, two lines and an empty one each, as gnuplot draws lines.
inline void write_figures(const Args *args, const NeighborList *list, const Points *p)
{
    if (*args->prefix == '\0')
    {
        return;
    }
    std::vector<int> neighbors; // of one atom
    write_file(args, "xy.txt",
               [&](FILE *file)
               {
                   for (size_t n = 0; n < p->N; ++n)
                   {
                       fprintf(file, "%.17g %.17g\n", p->x[n], p->y[n]);
                   }
               });
    write_file(args, "neighbor.txt",
               [&](FILE *file)
               {
                   for (size_t n = 0; n < p->N; ++n)
                   {
                       copy_sorted(list, n, &neighbors);
                       fprintf(file, "%d", list->NN[n]);
                       for (const int m : neighbors)
                       {
                           fprintf(file, " %d", m);
                       }
                       fprintf(file, "\n");
                   }
               });
    write_file(args, "bonds.txt",
               [&](FILE *file)
               {
                   for (size_t n = 0; n < p->N; ++n)
                   {
                       copy_sorted(list, n, &neighbors);
                       for (const int m : neighbors)
                       {
                           m > (int)n ? fprintf(file, "%.9g %.9g\n%.9g %.9g\n\n", p->x[n], p->y[n],
                                                p->x[m], p->y[m])
                                      : 0;
                       }
                   }
               });
}
