// The neighbour list on the host: Listing 10.3 with periodic boundaries, O(N^2).
#pragma once
#include "simulation.cuh"

struct Arrays
{
    int *NN, *NL;       // neighbour k of atom i is NL[i * MN + k]
    real *x0, *y0, *z0; // the positions when the list was made
};

void count_bytes(const System *sys, double *on_host, double *on_device)
{
    *on_host = (double)sys->N * ((sys->MN + 1) * sizeof(int) + 3 * sizeof(real));
    *on_device = 0.0;
}

void create_arrays(System *sys)
{
    const size_t N = sys->N;
    Arrays *arrays = (Arrays *)new_array(1, sizeof(Arrays));
    arrays->NN = (int *)new_array(N, sizeof(int));
    arrays->NL = (int *)new_array(N * sys->MN, sizeof(int));
    arrays->x0 = (real *)new_array(N, sizeof(real));
    arrays->y0 = (real *)new_array(N, sizeof(real));
    arrays->z0 = (real *)new_array(N, sizeof(real));
    sys->arrays = arrays;
}

void destroy_arrays(System *sys)
{
    Arrays *arrays = sys->arrays;
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

void find_neighbor(System *sys)
{
    const int N = sys->N;
    const real *x = sys->x, *y = sys->y, *z = sys->z;
    const real cutoff_square = (real)(sys->list_cutoff * sys->list_cutoff);
    Arrays *arrays = sys->arrays;
    memset(arrays->NN, 0, N * sizeof(int));
    for (int n1 = 0; n1 < N; ++n1)
    {
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            real x12 = x[n2] - x[n1];
            real y12 = y[n2] - y[n1];
            real z12 = z[n2] - z[n1];
            apply_mic(sys->box, &x12, &y12, &z12);
            const real distance_square = x12 * x12 + y12 * y12 + z12 * z12;
            if (distance_square < cutoff_square)
            {
                add_neighbor(arrays, sys->MN, n1, n2);
                add_neighbor(arrays, sys->MN, n2, n1);
            }
        }
    }
    memcpy(arrays->x0, x, N * sizeof(real));
    memcpy(arrays->y0, y, N * sizeof(real));
    memcpy(arrays->z0, z, N * sizeof(real));
}

NeighborCounts count_neighbors(System *sys) { return range_of(sys->arrays->NN, sys->N); }

// The pairs of atom i within the cutoff that are not in its list. The lists are sorted.
static size_t count_missing_of(const System *sys, int i)
{
    const real *x = sys->x, *y = sys->y, *z = sys->z;
    const int *NL = sys->arrays->NL + i * sys->MN;
    const int NN = sys->arrays->NN[i];
    size_t missing = 0;
    for (int j = 0; j < sys->N; ++j)
    {
        real x_ij = x[j] - x[i];
        real y_ij = y[j] - y[i];
        real z_ij = z[j] - z[i];
        apply_mic(sys->box, &x_ij, &y_ij, &z_ij);
        const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
        missing += r2 < CUTOFF * CUTOFF && j != i && !is_in_array(NL, NN, j);
    }
    return missing;
}

size_t count_missing(System *sys)
{
    size_t missing = 0;
    for (int i = 0; i < sys->N; ++i)
    {
        missing += count_missing_of(sys, i);
    }
    return missing / 2; // each pair was counted twice
}

bool lacks_pairs(System *sys)
{
    const Arrays *arrays = sys->arrays;
    const double half_skin = (sys->list_cutoff - CUTOFF) / 2;
    for (int i = 0; i < sys->N; ++i)
    {
        const double x = sys->x[i] - arrays->x0[i];
        const double y = sys->y[i] - arrays->y0[i];
        const double z = sys->z[i] - arrays->z0[i];
        if (!(x * x + y * y + z * z < half_skin * half_skin) && count_missing_of(sys, i) > 0)
        {
            return true;
        }
    }
    return false;
}
