// neighbor1cpu: which atoms are neighbours: all pairs on the host, and cells, which need not look
// at all
//
// From:    Listing 10.3, sections 10.3 and 10.3.1, Fig. 10.1 and 10.2
// Compile: nvcc -O3 neighbor1cpu.cu
// Run:     ./a.out -o my-
// Checks:  3
//
// N (N - 1) / 2 pairs, and hardly any of them neighbours: four times the atoms take sixteen times
// as long. With cells it is four times. Beyond a limit all pairs are therefore not tried: what the
// cells find is then compared with all pairs of some atoms only. The atoms are graphene in grains
// of 60 A, turned against each other, or the two columns of --xy FILE. With -o, files for the
// figures are written: the README has the line for gnuplot.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"
#include "cells.cuh"

void print_list(const NeighborList *list)
{
    size_t with[4] = {};
    for (size_t n = 0; n < list->N; ++n)
    {
        ++with[std::min(list->NN[n], 3)];
    }
    printf("%zu bonds; %zu atoms have three neighbours or more, %zu two, %zu one, %zu none\n",
           num_entries(list) / 2, with[3], with[2], with[1], with[0]);
}

int main(int argc, char **argv)
{
    Input input;
    Args args;
    args.N = default_size(22464, 10000);
    args.repeats = 3;
    args.bytes_on_host = BYTES_ON_HOST;
    args.uses_device = false;
    add_input(&args, &input);
    parse_args(&args, argc, argv, "-n N -r R -s S -o PREFIX [--mn N] [--xy TEXT]",
               "neighbor1cpu: which atoms are neighbours: all pairs on the host, and cells, which "
               "need not look at all");
    Points points = open_points(&args, &input);
    const size_t N = points.N, list_bytes = N * input.MN * sizeof(int);
    NeighborList cells = find_reference(&args, &input, &points);
    NeighborList pairs = create_list(N, input.MN);
    printf("device: none, this is one core of the host\n");
    printf("%s, N = %zu\n", REAL_NAME, N);
    const Timing fast = time_host([&] { find_neighbor_cells(&cells, &points); }, args.repeats,
                                  [&] { poison(cells.NL, list_bytes); });
    print_timing("cells", &fast);
    if (N <= SQUARE_LIMIT)
    {
        const Timing slow = time_host([&] { find_neighbor(&pairs, &points); }, args.repeats,
                                      [&] { poison(pairs.NL, list_bytes); });
        print_timing("all pairs", &slow);
        printf("%.3g times as long\n", slow.median / fast.median);
        check_true("all pairs and cells find the same", count_different(&pairs, &cells) == 0);
    }
    else
    {
        printf("all pairs: skipped beyond %zu atoms\n", SQUARE_LIMIT);
    }
    print_list(&cells);
    write_figures(&args, &cells, &points);

    free_list(&cells);
    free_list(&pairs);
    free_points(&points);
    return verdict();
}
