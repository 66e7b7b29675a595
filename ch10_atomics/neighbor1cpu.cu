// neighbor1cpu: find the neighbours of each atom on the host: all pairs, and cells, which leave out
// most pairs
//
// From:    Listing 10.3, sections 10.3 and 10.3.1, Fig. 10.1 and 10.2, files xy.txt, neighbor.txt,
//          plot_points.m and plot_bonds.m
// Compile: nvcc -O3 neighbor1cpu.cu
// Run:     ./a.out -o my-
//
// There are N (N - 1) / 2 pairs of atoms, and very few of them are neighbours. With four times the
// atoms, all pairs take sixteen times as long, and cells take four times as long.
//
// The atoms are graphene: grains of 60 A that are turned against each other. --xy FILE reads two
// columns instead. With -o the program writes the files for the two figures. The README has the
// lines for gnuplot.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "cells.cuh"

static Atoms atoms;
static NeighborList cells, pairs; // the lists that the two ways find

// Listing 10.3. If n2 is a neighbour of n1, then n1 is a neighbour of n2. So the loops visit each
// pair once, and both atoms get an entry. sum_of_squares and CUTOFF_SQUARE are in neighbor.cuh.
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

// A row of the table: one way to find the neighbours, beside the time that the cells take.
void print_way(const char *name, const Timer *timer, double cells_ms)
{
    put_text(name);
    put(timer->median);
    put(timer->deviation);
    put(times_as_fast(timer->median, cells_ms));
    end_row();
}

// The time of each way, and that both find the same.
void time_both(void)
{
    const size_t list_bytes = atoms.N * pairs.MN * sizeof(int);
    const Column COLUMNS[] = {
        {"way", "%-9s"}, {TIME_UNIT, "%10.4g"}, {"deviation", "%9.2g"}, {"x cells", "%8.3g"}};
    begin_table(COLUMNS, 4);
    Timer of_cells = new_host_timer(args.repeats);
    while (next_run(&of_cells))
    {
        poison(cells.NL, list_bytes);
        begin_timing(&of_cells);
        find_neighbor_cells(&cells, &atoms);
    }
    print_way("cells", &of_cells, of_cells.median);
    if (atoms.N > FEW_ATOMS)
    {
        print_note("all pairs: skipped beyond %zu atoms\n", FEW_ATOMS);
        return;
    }
    Timer of_pairs = new_host_timer(args.repeats);
    while (next_run(&of_pairs))
    {
        poison(pairs.NL, list_bytes);
        begin_timing(&of_pairs);
        find_neighbor(pairs.NN, pairs.NL, atoms.x, atoms.y, atoms.N, pairs.MN);
    }
    print_way("all pairs", &of_pairs, of_cells.median);
    check_true("all pairs and cells find the same", count_different(&pairs, BY_ATOM, &cells) == 0);
}

void show_bonds(const NeighborList *list)
{
    size_t with[4] = {}; // how many atoms have so many neighbours; with[3]: three or more
    for (size_t n = 0; n < list->N; ++n)
    {
        ++with[list->NN[n] < 3 ? list->NN[n] : 3];
    }
    check_true("each atom is counted", with[0] + with[1] + with[2] + with[3] == list->N);
    print_note("%zu bonds; %zu atoms have three neighbours or more, %zu two, %zu one, %zu none\n",
               count_entries(list) / 2, with[3], with[2], with[1], with[0]);
}

int main(int argc, char **argv)
{
    Input input;
    args.N = default_size(22464, 10000);
    args.size_is = "number of atoms";
    args.repeats = 3;
    args.bytes_on_host = BYTES_ON_HOST;
    args.uses_device = false;
    args.columns = "  ms         the median time of the host\n"
                   "  deviation  the standard deviation of these times\n"
                   "  x cells    this row's time over that of the cells\n";
    add_input(&input);
    parse_args(argc, argv, "-n N -r R -s S -o PREFIX --csv [--mn N] [--xy FILE]",
               "neighbor1cpu: find the neighbours of each atom on the host: all pairs, and cells, "
               "which leave out most pairs");
    Figures figures = open_figures();
    atoms = create_atoms(&input);
    cells = find_reference(&input, &atoms);
    pairs = create_list(atoms.N, input.MN);

    print_note("device: none, this is one core of the host\n");
    print_note("%s, N = %zu, median of %zu repeats\n", REAL_NAME, atoms.N, args.repeats);
    time_both();
    show_bonds(&cells);
    write_figures(&figures, &cells, &atoms);

    free_list(&cells);
    free_list(&pairs);
    free_atoms(&atoms);
    return verdict();
}
