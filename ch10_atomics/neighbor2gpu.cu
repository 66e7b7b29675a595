// neighbor2gpu: find the neighbours of each atom on the device: all pairs with atomic functions,
// all pairs without them, and cells
//
// From:    Listings 10.3 to 10.5, Table 10.2, sections 10.3.2 and 10.3.3, Fig. 10.1 and 10.2
// Compile: nvcc -O3 neighbor2gpu.cu
// Run:     ./a.out -n 22464
// Options: -n N -b B -r R -s S -k NAME -o PREFIX --csv --mn N --xy FILE --wrong
// Chinese: 在设备上找出每个原子的邻居：用原子函数、不用原子函数检查所有原子对，以及元胞法
// Versions:
//   cpu        all pairs on the host: Listing 10.3
//   cpu-cells  cells on the host, O(N)
//   atomic     each pair once; atomicAdd gives both atoms a place for the entry
//   no-atomic  each pair twice, so that a thread writes its own list only
//   cells      O(N): sorts the atoms into cells; each atom searches nine cells; both are timed
// Checks:  12
// Sizes:   1 33 1000 64 200003
// Also:    -n 1000 -r 2 --mn 5
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
#include "../common/compare.cuh"
#include "../common/versions_old.cuh"
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
// places.
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

// WRONG: Listing 10.4 with the two ++ as printed. Line 10 of the listing, d_NN[n1] = 0, is left
// out, and the bounds k1 < MN and k2 < MN are added.
// d_NN[n1]++ is a load, an addition and a store. Two threads may load the same count before one of
// them stores. Then both write to the same place. So one neighbour is lost, and the count is too
// small by 1.
__global__ void find_neighbor_plain(int *d_NN, int *d_NL, const real *d_x, const real *d_y,
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
                const int k1 = d_NN[n1]++; // <- wrong: not atomic
                const int k2 = d_NN[n2]++; // <- wrong: not atomic
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

// WRONG: the counts are right, but k1 and k2 come from a separate load. Two threads can load the
// same value. Then both write to the same place, and another place stays empty.
__global__ void find_neighbor_ignored(int *d_NN, int *d_NL, const real *d_x, const real *d_y,
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
                const int k1 = d_NN[n1]; // <- wrong: another thread may load the same value
                atomicAdd(&d_NN[n1], 1); // <- wrong: the returned value is not used
                const int k2 = d_NN[n2]; // <- wrong: another thread may load the same value
                atomicAdd(&d_NN[n2], 1); // <- wrong: the returned value is not used
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

int main(int argc, char **argv)
{
    bool wrong = false;
    Input input;
    Atoms atoms = {};
    NeighborList reference = {}, list = {};
    DeviceCells cells = {};
    real *d_x = NULL, *d_y = NULL;
    int *d_NN = NULL, *d_NL = NULL;
    int N = 0, MN = 0;
    unsigned int grid_size = 0, block_size = 0;
    size_t count_bytes = 0;
    Ladder ladder;
    // In the table, "result" is the number of entries in all lists, and "error" is the number of
    // atoms with a wrong list.
    const auto check = [&](Order order)
    {
        const size_t different = count_different(&list, order, &reference);
        check_true(ladder.checking, different == 0);
        ladder.result = (double)count_entries(&list);
        ladder.error = (double)different;
    };
    const auto check_by_place = [&]
    {
        check(BY_PLACE_IN_LIST);
    };
    const auto has_few_atoms = [&]
    {
        return (size_t)N <= FEW_ATOMS;
    };
    const Version versions[] = {
        on_host("cpu", [&] { find_neighbor(list.NN, list.NL, atoms.x, atoms.y, N, MN); })
            .only_if(has_few_atoms, FEW_ATOMS_TEXT),
        on_host("cpu-cells", [&] { find_neighbor_cells(&list, &atoms); }),
        on_device("atomic",
                  [&]
                  {
                      CHECK(cudaMemsetAsync(d_NN, 0, count_bytes));
                      find_neighbor_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN);
                  })
            .only_if(has_few_atoms, FEW_ATOMS_TEXT),
        on_device(
            "no-atomic",
            [&]
            { find_neighbor_no_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN); },
            check_by_place)
            .only_if(has_few_atoms, FEW_ATOMS_TEXT),
        on_device(
            "cells", [&] { launch_cells(&cells, d_NN, d_NL, d_x, d_y, N, MN, block_size); },
            check_by_place),
    };

    Args args;
    args.N = default_size(22464, 2000);
    // On the device, for each atom: d_x and d_y; d_NN; place_in_cell, cell_counts, cell_ranges and
    // cell_contents of the cells (up to two cells for an atom). create_atoms adds d_NL.
    args.bytes_per_element =
        2 * sizeof(real) + 4 * sizeof(int) + 2 * sizeof(int2) + sizeof(CellAtom);
    args.bytes_on_host = BYTES_ON_HOST;
    args.versions = version_names(versions);
    add_input(&args, &input);
    add_flag(&args, "wrong", &wrong, "try the two wrong ways, too");
    parse_args(&args, argc, argv,
               "-n N -b B -r R -s S -k NAME -o PREFIX --csv [--mn N] [--xy FILE] [--wrong]",
               "neighbor2gpu: find the neighbours of each atom on the device: all pairs with "
               "atomic functions, all pairs without them, and cells");
    Figures figures = open_figures(&args);
    atoms = create_atoms(&args, &input);
    N = atoms.N;
    MN = input.MN;
    if (wrong && !has_few_atoms())
    {
        usage_error(&args, "--wrong takes %s", FEW_ATOMS_TEXT);
    }
    reference = find_reference(&args, &input, &atoms);
    list = create_list(N, MN);

    block_size = args.block_x;
    grid_size = (atoms.N + block_size - 1) / block_size;
    count_bytes = N * sizeof(int);
    const size_t x_bytes = N * sizeof(real), list_bytes = count_bytes * MN;
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, x_bytes));
    CHECK(cudaMalloc(&d_NN, count_bytes));
    CHECK(cudaMalloc(&d_NL, list_bytes));
    CHECK(cudaMemcpy(d_x, atoms.x, x_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, atoms.y, x_bytes, cudaMemcpyHostToDevice));
    cells = create_cells(N);

    ladder.check = [&]
    {
        check(BY_ATOM);
    };
    ladder.outputs[0] = {list.NN, d_NN, count_bytes};
    ladder.outputs[1] = {list.NL, d_NL, list_bytes};
    ladder.bytes = 2.0 * x_bytes + count_bytes + sizeof(int) * count_entries(&reference);
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);

    const auto try_wrong = [&](const char *what, auto kernel)
    {
        CHECK(cudaMemset(d_NN, 0, count_bytes));
        CHECK(cudaMemset(d_NL, POISON_BYTE, list_bytes));
        kernel<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN);
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(list.NN, d_NN, count_bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(list.NL, d_NL, list_bytes, cudaMemcpyDeviceToHost));
        print_note("wrong, %s: the lists of %zu atoms of %d differ\n", what,
                   count_different(&list, BY_ATOM, &reference), N);
    };
    if (wrong)
    {
        try_wrong("a plain ++", find_neighbor_plain);
        try_wrong("the value returned ignored", find_neighbor_ignored);
    }
    write_figures(&figures, &reference, &atoms);

    free_cells(&cells);
    for (real *array : {d_x, d_y})
    {
        CHECK(cudaFree(array));
    }
    for (int *array : {d_NN, d_NL})
    {
        CHECK(cudaFree(array));
    }
    free_atoms(&atoms);
    free_list(&list);
    free_list(&reference);
    return verdict();
}
