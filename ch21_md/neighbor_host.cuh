// The neighbour list on the host: Listing 10.3 with periodic boundaries, O(N^2).
//
// Listing 21.1 skips the neighbours j < i of atom i, because the pair was visited as j's. Here they
// are not in the list at all: it has each pair once, in the list of the atom with the smaller
// number. So the loop over the list has no such `if`, and reads half as much.
#pragma once
#include <algorithm>
#include <numeric>
#include "arrays_host.cuh"

// Gives each thread about the same number of pairs. Atoms with small numbers have more of them.
static void share_pairs(Simulation *sim)
{
    const int *NN = sim->arrays->NN;
    const double all = std::accumulate(NN, NN + sim->N, 0.0);
    const int threads = (int)sim->threads;
    double pairs = 0.0;
    int i = 0;
    for (int t = 0; t < threads; ++t)
    {
        while (i < sim->N && pairs < all * t / threads)
        {
            pairs += NN[i++];
        }
        sim->arrays->firsts[t] = i;
    }
    sim->arrays->firsts[threads] = sim->N;
}

void find_neighbor(Simulation *sim)
{
    const int N = sim->N;
    const size_t MN = sim->MN;
    const Box box = sim->box;
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    int *NN = sim->arrays->NN, *NL = sim->arrays->NL, *degree = sim->arrays->degree;
    const real cutoff_square = (real)(sim->list_cutoff * sim->list_cutoff);
    std::fill_n(NN, N, 0);
    std::fill_n(degree, N, 0);
    for (int i = 0; i < N; ++i)
    {
        for (int j = i + 1; j < N; ++j)
        {
            real x_ij = x[j] - x[i];
            real y_ij = y[j] - y[i];
            real z_ij = z[j] - z[i];
            apply_mic(box, &x_ij, &y_ij, &z_ij);
            const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
            if (r2 < cutoff_square)
            {
                if ((size_t)NN[i] < MN)
                {
                    NL[i * MN + NN[i]] = j;
                }
                ++NN[i];
                ++degree[i];
                ++degree[j];
            }
        }
    }
    ++sim->num_builds;
    share_pairs(sim);
}

NeighborCounts count_neighbors(Simulation *sim)
{
    const int *degree = sim->arrays->degree;
    const auto range = std::minmax_element(degree, degree + sim->N);
    return {*range.first, *range.second};
}

size_t count_missing(Simulation *sim)
{
    const int N = sim->N;
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    size_t missing = 0;
    for (int i = 0; i < N; ++i)
    {
        const int *first = sim->arrays->NL + i * sim->MN, *last = first + sim->arrays->NN[i];
        for (int j = i + 1; j < N; ++j)
        {
            real x_ij = x[j] - x[i];
            real y_ij = y[j] - y[i];
            real z_ij = z[j] - z[i];
            apply_mic(sim->box, &x_ij, &y_ij, &z_ij);
            const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
            missing += r2 < sim->lj.cutoff2 && !std::binary_search(first, last, j);
        }
    }
    return missing;
}
