// The neighbour list on the host: Listing 10.3 with periodic boundaries, O(N^2).
#pragma once
#include "simulation.cuh"

struct Arrays
{
    int *NN, *NL;       // neighbour k of atom i is NL[i * MN + k]
    real *x0, *y0, *z0; // the positions when the list was made
};

void count_bytes(const Simulation *sim, double *on_host, double *on_device)
{
    *on_host = (double)sim->N * ((sim->MN + 1) * sizeof(int) + 3 * sizeof(real));
    *on_device = 0.0;
}

void create_arrays(Simulation *sim)
{
    const size_t N = sim->N;
    Arrays *arrays = (Arrays *)new_array(1, sizeof(Arrays));
    arrays->NN = (int *)new_array(N, sizeof(int));
    arrays->NL = (int *)new_array(N * sim->MN, sizeof(int));
    arrays->x0 = (real *)new_array(N, sizeof(real));
    arrays->y0 = (real *)new_array(N, sizeof(real));
    arrays->z0 = (real *)new_array(N, sizeof(real));
    sim->arrays = arrays;
}

void destroy_arrays(Simulation *sim)
{
    Arrays *arrays = sim->arrays;
    free(arrays->NN);
    free(arrays->NL);
    free(arrays->x0);
    free(arrays->y0);
    free(arrays->z0);
    free(arrays);
}

// Where an atom has no more room, its neighbours are counted only.
static void add_neighbor(Arrays *arrays, size_t MN, int n1, int n2)
{
    if ((size_t)arrays->NN[n1] < MN)
    {
        arrays->NL[n1 * MN + arrays->NN[n1]] = n2;
    }
    ++arrays->NN[n1];
}

void find_neighbor(Simulation *sim)
{
    const int N = sim->N;
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    const real cutoff_square = (real)(sim->list_cutoff * sim->list_cutoff);
    Arrays *arrays = sim->arrays;
    memset(arrays->NN, 0, N * sizeof(int));
    for (int n1 = 0; n1 < N; ++n1)
    {
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            real x12 = x[n2] - x[n1];
            real y12 = y[n2] - y[n1];
            real z12 = z[n2] - z[n1];
            apply_mic(sim->box, &x12, &y12, &z12);
            const real distance_square = x12 * x12 + y12 * y12 + z12 * z12;
            if (distance_square < cutoff_square)
            {
                add_neighbor(arrays, sim->MN, n1, n2);
                add_neighbor(arrays, sim->MN, n2, n1);
            }
        }
    }
    memcpy(arrays->x0, x, N * sizeof(real));
    memcpy(arrays->y0, y, N * sizeof(real));
    memcpy(arrays->z0, z, N * sizeof(real));
    ++sim->num_builds;
}

NeighborCounts count_neighbors(Simulation *sim) { return range_of(sim->arrays->NN, sim->N); }

// The pairs of atom i within the cutoff that are not in its list. The lists are sorted.
static size_t count_missing_of(const Simulation *sim, int i)
{
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    const int *NL = sim->arrays->NL + i * sim->MN;
    const int NN = sim->arrays->NN[i];
    size_t missing = 0;
    for (int j = 0; j < sim->N; ++j)
    {
        real x_ij = x[j] - x[i];
        real y_ij = y[j] - y[i];
        real z_ij = z[j] - z[i];
        apply_mic(sim->box, &x_ij, &y_ij, &z_ij);
        const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
        missing += r2 < CUTOFF * CUTOFF && j != i && !is_in_array(NL, NN, j);
    }
    return missing;
}

size_t count_missing(Simulation *sim)
{
    size_t missing = 0;
    for (int i = 0; i < sim->N; ++i)
    {
        missing += count_missing_of(sim, i);
    }
    return missing / 2; // each pair was counted twice
}

bool lacks_pairs(Simulation *sim)
{
    const Arrays *arrays = sim->arrays;
    const double half_skin = (sim->list_cutoff - CUTOFF) / 2;
    for (int i = 0; i < sim->N; ++i)
    {
        const double x = sim->x[i] - arrays->x0[i];
        const double y = sim->y[i] - arrays->y0[i];
        const double z = sim->z[i] - arrays->z0[i];
        if (!(x * x + y * y + z * z < half_skin * half_skin) && count_missing_of(sim, i) > 0)
        {
            return true;
        }
    }
    return false;
}
