// neighbor2gpu: which atoms are neighbours, on the device: all pairs with atomics and without, and
// cells
//
// From:    Listings 10.3 to 10.5, Table 10.2, sections 10.3.2 and 10.3.3, Fig. 10.1 and 10.2
// Compile: nvcc -O3 neighbor2gpu.cu
// Run:     ./a.out -n 22464
// Options: -n N -b B -r R -s S -k NAME -o PREFIX --csv --mn N --xy TEXT --wrong
// Chinese: 在设备上找出互为邻居的原子：用原子函数、不用原子函数检查所有原子对，以及元胞法
// Versions:
//   cpu        all pairs on the host: Listing 10.3
//   cpu-cells  cells on the host, O(N)
//   atomic     each pair once; both atoms get an entry, by atomicAdd
//   no-atomic  each pair twice, so that a thread writes its own list only
//   cells      O(N): sorted into cells, an atom looks into nine; all of it timed
// Checks:  12
// Sizes:   1 33 1000 200003
//
// --wrong also runs the two wrong kernels that the book warns of. How many lists they spoil is
// different each time.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/versions.cuh"
#include "neighbor2gpu_fast.cuh"

// Listing 10.3. If n2 is a neighbour of n1, then n1 is a neighbour of n2. So each pair is looked at
// once, and both atoms get an entry.
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

// Listing 10.4 with the atomicAdd of the text before it. The thread of n1 adds to NN[n2], and so
// may the thread of n2. atomicAdd reads the count and adds to it in one step. It returns the count
// that it has read: k1 and k2 are places in the lists that no other thread gets.
// NN is set to 0 before the launch. In the kernel, a block that starts late would set counts to 0
// that other blocks have already added to.
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

// Listing 10.5. Each thread looks at all atoms and writes only the list of its own atom. There are
// twice as many distances, but the count stays in a register, and the neighbours come in the same
// order each time. The 32 threads of a warp write the k-th entries of 32 lists side by side.
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

// WRONG: Listing 10.4 as it is printed. d_NN[n1]++ is a load, an addition and a store. Two threads
// may load the same count before one of them stores. Then both write to the same place, so one
// neighbour is lost, and the count is too small by 1.
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
                const int k1 = d_NN[n1]++;
                const int k2 = d_NN[n2]++;
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

// WRONG: the count comes out right, but k1 and k2 are not what atomicAdd has returned. Other
// threads may add between the load and the atomicAdd. Then two threads write to the same place, and
// another place stays empty.
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
                const int k1 = d_NN[n1];
                atomicAdd(&d_NN[n1], 1);
                const int k2 = d_NN[n2];
                atomicAdd(&d_NN[n2], 1);
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
    // In the table, "result" is the number of entries, "error" that of atoms with a wrong list.
    const auto check = [&](Order order)
    {
        const size_t different = count_different(&list, order, &reference);
        check_true(ladder.checking, different == 0);
        ladder.result = (double)count_entries(&list);
        ladder.error = (double)different;
    };
    const auto check_by_number = [&]
    {
        check(BY_NUMBER);
    };
    const auto few_atoms = [&]
    {
        return (size_t)N <= FEW_ATOMS;
    };
    const Version versions[] = {
        on_host("cpu", [&] { find_neighbor(list.NN, list.NL, atoms.x, atoms.y, N, MN); })
            .only_if(few_atoms, FEW_ATOMS_TEXT),
        on_host("cpu-cells", [&] { find_neighbor_cells(&list, &atoms); }),
        on_device("atomic",
                  [&]
                  {
                      CHECK(cudaMemsetAsync(d_NN, 0, count_bytes));
                      find_neighbor_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN);
                  })
            .only_if(few_atoms, FEW_ATOMS_TEXT),
        on_device(
            "no-atomic",
            [&]
            { find_neighbor_no_atomic<<<grid_size, block_size>>>(d_NN, d_NL, d_x, d_y, N, MN); },
            check_by_number)
            .only_if(few_atoms, FEW_ATOMS_TEXT),
        on_device(
            "cells", [&] { launch_cells(&cells, d_NN, d_NL, d_x, d_y, N, MN, block_size); },
            check_by_number),
    };

    Args args;
    args.N = default_size(22464, 2000);
    args.bytes_per_element =
        2 * sizeof(real) + 4 * sizeof(int) + 2 * sizeof(int2) + sizeof(CellAtom);
    args.bytes_on_host = BYTES_ON_HOST;
    args.versions = version_names(versions);
    add_input(&args, &input);
    add_flag(&args, "wrong", &wrong, "try the two wrong ways, too");
    parse_args(&args, argc, argv,
               "-n N -b B -r R -s S -k NAME -o PREFIX --csv [--mn N] [--xy TEXT] [--wrong]",
               "neighbor2gpu: which atoms are neighbours, on the device: all pairs with atomics "
               "and without, and cells");
    Figures figures = open_figures(&args);
    atoms = create_atoms(&args, &input);
    N = atoms.N;
    MN = input.MN;
    if (wrong && !few_atoms())
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
