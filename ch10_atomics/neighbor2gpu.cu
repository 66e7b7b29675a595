// neighbor2gpu: find the neighbours of each atom on the device: all pairs with atomic functions,
// all pairs without them, and cells
//
// From:    Listings 10.3 to 10.5, Table 10.2, sections 10.3.2 and 10.3.3, Fig. 10.1 and 10.2
// Compile: nvcc -O3 neighbor2gpu.cu
// Run:     ./a.out -n 22464
//
// --wrong also runs a kernel that takes places in the lists in the two wrong ways that the book
// warns of. The number of wrong lists changes from run to run.
//
// The book's file xy.txt has 22464 atoms. The program makes as many atoms of its own, or reads a
// file with --xy.
//
// graphene.cuh makes the atoms, or reads them. cells.cuh has the search by cells for the host, and
// with it find_reference, which makes the right lists. neighbor.cuh has the options, the lists and
// their checks.
//
// Two names in the kernels are from neighbor.cuh. CUTOFF_SQUARE is the square of the book's cutoff,
// 1.9 A: two atoms that are less than 1.9 A apart are neighbours. sum_of_squares(x12, y12) stands
// for x12 * x12 + y12 * y12. nvcc would fuse the second multiplication and the addition into one
// instruction, which rounds only once. Then device and host could disagree about two atoms whose
// distance is almost the cutoff. sum_of_squares rounds after each operation on both.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "cells.cuh"
#include "graphene.cuh"
#include "neighbor.cuh"
#include "neighbor2gpu_fast.cuh"

static int N;                  // of atoms: -n, or as many as the file of --xy has
static int MN;                 // room for the neighbours of each: --mn
static Atoms atoms;            // the atoms on the host ...
static real *d_x, *d_y;        // ... and on the device
static NeighborList reference; // the right lists
static NeighborList list;      // the lists of a version: on the host ...
static int *d_NN, *d_NL;       // ... and on the device
static DeviceCells cells;
static unsigned int grid_size, block_size; // a thread for each atom

// Listing 10.3. If n2 is a neighbour of n1, then n1 is a neighbour of n2. So the loops visit each
// pair once, and both atoms get an entry.
void find_neighbor(int *NN, int *NL, const real *x, const real *y, int N, int MN)
{
    for (int n = 0; n < N; ++n)
    {
        NN[n] = 0;
    }

    for (int n1 = 0; n1 < N; ++n1)
    {
        const real x1 = x[n1];
        const real y1 = y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            const real x12 = x[n2] - x1;
            const real y12 = y[n2] - y1;
            const real distance_square = sum_of_squares(x12, y12);
            if (distance_square < CUTOFF_SQUARE)
            {
                const int k1 = NN[n1]++;
                const int k2 = NN[n2]++;
                if (k1 < MN)
                {
                    NL[(size_t)n1 * MN + k1] = n2;
                }
                if (k2 < MN)
                {
                    NL[(size_t)n2 * MN + k2] = n1;
                }
            }
        }
    }
}

void run_cpu(void) { find_neighbor(list.NN, list.NL, atoms.x, atoms.y, N, MN); }

// Listing 10.4, corrected: the two ++ are replaced by atomicAdd, as the text before the listing
// says. The thread of n1 increments NN[n2]. The thread of n2 may increment it at the same time.
// atomicAdd returns the old count. No other thread gets the same value. So k1 and k2 are free
// places. (The bounds k1 < MN and k2 < MN are added.)
// The book's line d_NN[n1] = 0 in the kernel is wrong: another block may have counted a neighbour
// of n1 already. Here a memset before the launch sets all counts to 0.
__global__ void find_neighbor_atomic(int *d_NN, int *d_NL, const real *d_x, const real *d_y,
                                     const int N, const int MN)
{
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N)
    {
        const real x1 = d_x[n1];
        const real y1 = d_y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            const real x12 = d_x[n2] - x1;
            const real y12 = d_y[n2] - y1;
            const real distance_square = sum_of_squares(x12, y12);
            if (distance_square < CUTOFF_SQUARE)
            {
                const int k1 = atomicAdd(&d_NN[n1], 1);
                const int k2 = atomicAdd(&d_NN[n2], 1);
                if (k1 < MN)
                {
                    d_NL[(size_t)n1 * MN + k1] = n2;
                }
                if (k2 < MN)
                {
                    d_NL[(size_t)n2 * MN + k2] = n1;
                }
            }
        }
    }
}

void run_atomic(void)
{
    CHECK(cudaMemsetAsync(d_NN, 0, N * sizeof(int)));
    find_neighbor_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN);
}

// Listing 10.5. Each thread tests all atoms and writes only the list of its own atom. So the kernel
// computes each distance twice. But the count stays in a register. And the neighbours come in the
// same order in each run.
// For one k, the entries of all atoms are consecutive. A later kernel in which each thread reads
// entry k of its atom reads coalesced.
// The `if` tests the distance first, because that condition is more often false. What the other
// order costs is an exercise of section 10.3.3.
__global__ void find_neighbor_no_atomic(int *d_NN, int *d_NL, const real *d_x, const real *d_y,
                                        const int N, const int MN)
{
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N)
    {
        int count = 0;
        const real x1 = d_x[n1];
        const real y1 = d_y[n1];
        for (int n2 = 0; n2 < N; ++n2)
        {
            const real x12 = d_x[n2] - x1;
            const real y12 = d_y[n2] - y1;
            const real distance_square = sum_of_squares(x12, y12);
            if (distance_square < CUTOFF_SQUARE && n2 != n1)
            {
                if (count < MN)
                {
                    d_NL[(size_t)count * N + n1] = n2;
                }
                ++count;
            }
        }
        d_NN[n1] = count;
    }
}

void run_no_atomic(void)
{
    find_neighbor_no_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN);
}

// Beyond the book: see cells.cuh and neighbor2gpu_fast.cuh. find_neighbor_cells returns false only
// if MN is too small. In this case find_reference has ended the program before.
void run_cpu_cells(void) { find_neighbor_cells(&list, &atoms); }
void run_cells(void) { launch_cells(&cells, d_NN, d_NL, d_x, d_y, N, MN, block_size); }

// ---- Two wrong ways, with --wrong (main calls them last)

// WRONG: Listing 10.4 takes the place by `++`: a load, an addition, a store. Two threads may load
// the same count before one of them stores. Then both write to the same place. So one neighbour is
// lost, and the count is too small by 1.
__device__ int place_by_plain_addition(int *count) { return (*count)++; }

// WRONG: the count is right, but the place comes from a separate load. Two threads can load the
// same value. Then both write to the same place, and another place stays empty.
__device__ int place_by_separate_load(int *count)
{
    const int place = *count;
    atomicAdd(count, 1); // the returned value is not used
    return place;
}

// WRONG: find_neighbor_atomic, but the places come from one of the two functions above.
__global__ void find_neighbor_wrong(int *d_NN, int *d_NL, const real *d_x, const real *d_y,
                                    const int N, const int MN, const bool separate_load)
{
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N)
    {
        const real x1 = d_x[n1];
        const real y1 = d_y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            const real x12 = d_x[n2] - x1;
            const real y12 = d_y[n2] - y1;
            const real distance_square = sum_of_squares(x12, y12);
            if (distance_square < CUTOFF_SQUARE)
            {
                int k1, k2;
                if (separate_load)
                {
                    k1 = place_by_separate_load(&d_NN[n1]); // <- wrong
                    k2 = place_by_separate_load(&d_NN[n2]); // <- wrong
                }
                else
                {
                    k1 = place_by_plain_addition(&d_NN[n1]); // <- wrong
                    k2 = place_by_plain_addition(&d_NN[n2]); // <- wrong
                }
                if (k1 < MN)
                {
                    d_NL[(size_t)n1 * MN + k1] = n2;
                }
                if (k2 < MN)
                {
                    d_NL[(size_t)n2 * MN + k2] = n1;
                }
            }
        }
    }
}

// Counts the wrong lists.
void run_wrong(const char *what, bool separate_load)
{
    const size_t count_bytes = N * sizeof(int);
    CHECK(cudaMemset(d_NN, 0, count_bytes));
    CHECK(cudaMemset(d_NL, POISON_BYTE, count_bytes * MN));
    find_neighbor_wrong<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN, separate_load);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(list.NN, d_NN, count_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(list.NL, d_NL, count_bytes * MN, cudaMemcpyDeviceToHost));
    print_note("wrong, %s: the lists of %zu atoms of %d differ\n", what,
               count_different(&list, BY_ATOM, &reference), N);
}

// ---- The table

// In the table, "result" is the number of entries in all lists, and "error" is the number of atoms
// with a wrong list.
void check_list(Order order)
{
    const size_t different = count_different(&list, order, &reference);
    check_true(g_row, different == 0);
    g_result = count_entries(&list);
    g_error = different;
}

void check_by_atom(void) { check_list(BY_ATOM); }
void check_by_place(void) { check_list(BY_PLACE_IN_LIST); }
bool has_few_atoms(void) { return (size_t)N <= FEW_ATOMS; }

const Version VERSIONS[] = {
    {"cpu", "all pairs on the host (Listing 10.3)", run_cpu, check_by_atom, ON_HOST, has_few_atoms,
     FEW_ATOMS_TEXT},
    {"cpu-cells", "cells on the host: an atom looks into nine of them", run_cpu_cells,
     check_by_atom, ON_HOST},
    {"atomic", "each pair once; atomicAdd gives both atoms a place for the entry (Listing 10.4)",
     run_atomic, check_by_atom, ON_DEVICE, has_few_atoms, FEW_ATOMS_TEXT, false,
     "hardly faster than no-atomic: its longest thread decides"},
    {"no-atomic", "each pair twice, so that a thread writes its own list only (Listing 10.5)",
     run_no_atomic, check_by_place, ON_DEVICE, has_few_atoms, FEW_ATOMS_TEXT},
    {"cells", "sorts the atoms into cells; each atom searches nine cells; both are timed",
     run_cells, check_by_place},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// ---- main and its steps

// Room for the lists of the versions, and the atoms on the device.
void create_arrays(void)
{
    const size_t x_bytes = N * sizeof(real), count_bytes = N * sizeof(int);
    list = create_list(N, MN);
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, x_bytes));
    CHECK(cudaMalloc(&d_NN, count_bytes));
    CHECK(cudaMalloc(&d_NL, count_bytes * MN));
    CHECK(cudaMemcpy(d_x, atoms.x, x_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, atoms.y, x_bytes, cudaMemcpyHostToDevice));
    cells = create_cells(N);
}

void free_arrays(void)
{
    free_cells(&cells);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_NN));
    CHECK(cudaFree(d_NL));
    free_atoms(&atoms);
    free_list(&list);
    free_list(&reference);
}

int main(int argc, char **argv)
{
    bool wrong = false;
    Input input;
    args.N = default_size(22464, 2048);
    args.size_is = "number of atoms";
    // On the device, for each atom: d_x and d_y; d_NN; place_in_cell, cell_counts, cell_ranges and
    // cell_contents of the cells (up to two cells for an atom). create_atoms adds d_NL.
    args.bytes_per_element =
        2 * sizeof(real) + 4 * sizeof(int) + 2 * sizeof(int2) + sizeof(CellAtom);
    args.bytes_on_host = BYTES_ON_HOST;
    args.columns = "  (here, result is the number of entries in all lists, and error is the number "
                   "of wrong lists)\n";
    add_versions(VERSIONS, NUM_VERSIONS);
    add_input(&input);
    add_flag("wrong", &wrong, "try the two wrong ways, too");
    parse_args(argc, argv,
               "-n N -b B -r R -s S -k NAME -o PREFIX --csv [--mn N] [--xy FILE] [--wrong]",
               "neighbor2gpu: find the neighbours of each atom on the device: all pairs with "
               "atomic functions, all pairs without them, and cells");
    Figures figures = open_figures();
    atoms = create_atoms(&input);
    if (wrong && atoms.N > FEW_ATOMS)
    {
        usage_error("--wrong takes %s", FEW_ATOMS_TEXT);
    }
    N = atoms.N;
    MN = input.MN;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;
    reference = find_reference(&input, &atoms); // ends the program if MN is too small
    create_arrays();

    Table table = {};
    table.outputs[0] = {list.NN, d_NN, N * sizeof(int)};
    table.outputs[1] = {list.NL, d_NL, N * sizeof(int) * MN};
    table.bytes = N * (2 * sizeof(real) + sizeof(int)) + count_entries(&reference) * sizeof(int);
    table.ceiling = copy_ceiling(table.bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    if (wrong)
    {
        run_wrong("a plain ++", false);
        run_wrong("the value returned ignored", true);
    }
    write_figures(&figures, &reference, &atoms);

    free_arrays();
    return verdict();
}
