// neighbor2gpu: find the neighbours of each atom on the device: all pairs with atomic functions,
// all pairs without them, and cells
//
// From:    Listings 10.3 to 10.5, Table 10.2, sections 10.3.2 and 10.3.3, Fig. 10.1 and 10.2
// Compile: nvcc -O3 neighbor2gpu.cu
// Run:     ./a.out -n 22464
//
// --wrong also runs the two wrong kernels that the book warns of. The number of wrong lists changes
// from run to run.
//
// The book's file xy.txt has 22464 atoms. The program makes as many atoms of its own, or reads a
// file with --xy.
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
#include "../common/versions_data.cuh"
#include "neighbor2gpu_fast.cuh"

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

// Listing 10.5. Each thread tests all atoms and writes only the list of its own atom. So the kernel
// computes each distance twice. But the count stays in a register. And the neighbours come in the
// same order in each run.
// Entry k of all lists lies side by side. A later kernel in which each thread reads entry k of its
// atom reads coalesced.
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

// WRONG: find_neighbor_atomic, but next_place is one of the two functions above.
template <int (*next_place)(int *count)>
__global__ void find_neighbor_wrong(int *d_NN, int *d_NL, const real *d_x, const real *d_y,
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
                const int k1 = next_place(&d_NN[n1]); // <- wrong
                const int k2 = next_place(&d_NN[n2]); // <- wrong
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

// ---- The versions

// What the versions work on.
struct Data
{
    Atoms atoms;
    int N, MN;
    NeighborList reference, list;
    unsigned int grid_size, block_size;
    size_t x_bytes, count_bytes, list_bytes;
    real *d_x, *d_y;
    int *d_NN, *d_NL;
    DeviceCells cells;
};

void launch_atomic(Data *data)
{
    CHECK(cudaMemsetAsync(data->d_NN, 0, data->count_bytes));
    find_neighbor_atomic<<<data->grid_size, data->block_size>>>(data->d_NN, data->d_NL, data->d_x,
                                                                data->d_y, data->N, data->MN);
}

void launch_no_atomic(Data *data)
{
    find_neighbor_no_atomic<<<data->grid_size, data->block_size>>>(
        data->d_NN, data->d_NL, data->d_x, data->d_y, data->N, data->MN);
}

// In the table, "result" is the number of entries in all lists, and "error" is the number of atoms
// with a wrong list.
void check_list(Table<Data> *table, const Data *data, Order order)
{
    const size_t different = count_different(&data->list, order, &data->reference);
    check_true(table->checking, different == 0);
    table->result = (double)count_entries(&data->list);
    table->error = (double)different;
}

void check_by_atom(Table<Data> *table, const Data *data) { check_list(table, data, BY_ATOM); }

void check_by_place(Table<Data> *table, const Data *data)
{
    check_list(table, data, BY_PLACE_IN_LIST);
}

bool has_few_atoms(const Data *data) { return (size_t)data->N <= FEW_ATOMS; }

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "all pairs on the host (Listing 10.3)", ON_HOST,
     [](D d) { find_neighbor(d->list.NN, d->list.NL, d->atoms.x, d->atoms.y, d->N, d->MN); },
     check_by_atom, has_few_atoms, FEW_ATOMS_TEXT},
    {"cpu-cells", "cells on the host: an atom looks into nine of them", ON_HOST,
     [](D d) { find_neighbor_cells(&d->list, &d->atoms); }, check_by_atom},
    {"atomic", "each pair once; atomicAdd gives both atoms a place for the entry (Listing 10.4)",
     ON_DEVICE, launch_atomic, check_by_atom, has_few_atoms, FEW_ATOMS_TEXT},
    {"no-atomic", "each pair twice, so that a thread writes its own list only (Listing 10.5)",
     ON_DEVICE, launch_no_atomic, check_by_place, has_few_atoms, FEW_ATOMS_TEXT},
    {"cells", "sorts the atoms into cells; each atom searches nine cells; both are timed",
     ON_DEVICE,
     [](D d)
     { launch_cells(&d->cells, d->d_NN, d->d_NL, d->d_x, d->d_y, d->N, d->MN, d->block_size); },
     check_by_place},
};

// ---- main and its steps

typedef void (*Kernel)(int *d_NN, int *d_NL, const real *d_x, const real *d_y, const int N,
                       const int MN);

// Runs one of the two wrong kernels and counts the wrong lists.
void try_wrong(const char *what, Kernel kernel, Data *data)
{
    CHECK(cudaMemset(data->d_NN, 0, data->count_bytes));
    CHECK(cudaMemset(data->d_NL, POISON_BYTE, data->list_bytes));
    kernel<<<data->grid_size, data->block_size>>>(data->d_NN, data->d_NL, data->d_x, data->d_y,
                                                  data->N, data->MN);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(data->list.NN, data->d_NN, data->count_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(data->list.NL, data->d_NL, data->list_bytes, cudaMemcpyDeviceToHost));
    print_note("wrong, %s: the lists of %zu atoms of %d differ\n", what,
               count_different(&data->list, BY_ATOM, &data->reference), data->N);
}

// The right lists of the atoms, and room for the lists of the versions.
Data create_data(const Input *input, const Atoms *atoms)
{
    const size_t N = atoms->N;
    Data data;
    data.atoms = *atoms;
    data.N = (int)N;
    data.MN = (int)input->MN;
    data.reference = find_reference(input, atoms);
    data.list = create_list(N, input->MN);
    data.block_size = args.block_x;
    data.grid_size = (N + data.block_size - 1) / data.block_size;
    data.x_bytes = N * sizeof(real);
    data.count_bytes = N * sizeof(int);
    data.list_bytes = data.count_bytes * data.MN;
    CHECK(cudaMalloc(&data.d_x, data.x_bytes));
    CHECK(cudaMalloc(&data.d_y, data.x_bytes));
    CHECK(cudaMalloc(&data.d_NN, data.count_bytes));
    CHECK(cudaMalloc(&data.d_NL, data.list_bytes));
    CHECK(cudaMemcpy(data.d_x, atoms->x, data.x_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(data.d_y, atoms->y, data.x_bytes, cudaMemcpyHostToDevice));
    data.cells = create_cells(N);
    return data;
}

void free_data(Data *data)
{
    free_cells(&data->cells);
    CHECK(cudaFree(data->d_x));
    CHECK(cudaFree(data->d_y));
    CHECK(cudaFree(data->d_NN));
    CHECK(cudaFree(data->d_NL));
    free_atoms(&data->atoms);
    free_list(&data->list);
    free_list(&data->reference);
}

int main(int argc, char **argv)
{
    bool wrong = false;
    Input input;
    args.N = default_size(22464, 2000);
    args.size_is = "number of atoms";
    // On the device, for each atom: d_x and d_y; d_NN; place_in_cell, cell_counts, cell_ranges and
    // cell_contents of the cells (up to two cells for an atom). create_atoms adds d_NL.
    args.bytes_per_element =
        2 * sizeof(real) + 4 * sizeof(int) + 2 * sizeof(int2) + sizeof(CellAtom);
    args.bytes_on_host = BYTES_ON_HOST;
    args.columns = "  (here, result is the number of entries in all lists, and error is the number "
                   "of wrong lists)\n";
    add_versions(VERSIONS);
    add_input(&input);
    add_flag("wrong", &wrong, "try the two wrong ways, too");
    parse_args(argc, argv,
               "-n N -b B -r R -s S -k NAME -o PREFIX --csv [--mn N] [--xy FILE] [--wrong]",
               "neighbor2gpu: find the neighbours of each atom on the device: all pairs with "
               "atomic functions, all pairs without them, and cells");
    Figures figures = open_figures();
    const Atoms atoms = create_atoms(&input);
    if (wrong && atoms.N > FEW_ATOMS)
    {
        usage_error("--wrong takes %s", FEW_ATOMS_TEXT);
    }
    Data data = create_data(&input, &atoms);

    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {data.list.NN, data.d_NN, data.count_bytes};
    table.outputs[1] = {data.list.NL, data.d_NL, data.list_bytes};
    table.bytes =
        2.0 * data.x_bytes + data.count_bytes + sizeof(int) * count_entries(&data.reference);
    table.ceiling = copy_ceiling;
    run_versions(&table, VERSIONS);

    if (wrong)
    {
        try_wrong("a plain ++", find_neighbor_wrong<place_by_plain_addition>, &data);
        try_wrong("the value returned ignored", find_neighbor_wrong<place_by_separate_load>, &data);
    }
    write_figures(&figures, &data.reference, &data.atoms);

    free_data(&data);
    return verdict();
}
