// The neighbour list of ljmd-cpu.
#pragma once
#include "simulation.cuh"

struct Arrays
{
    int *NN, *NL; // neighbour k of atom i is NL[i * MN + k]; each pair stands once
    int *degree;  // neighbours of an atom, in whichever list the pair is
    int *firsts;  // thread t has the pairs of atoms firsts[t] <= i < firsts[t + 1]
    real *own_forces;
};

// The first atom of thread t. The last thread ends at N.
inline int first_of(const Simulation *sim, int t)
{
    return sim->arrays->firsts[t];
}

void count_bytes(const Simulation *sim, double *on_host, double *on_device)
{
    const double N = sim->N;
    *on_host = N * (sim->MN + 2) * sizeof(int) + 3.0 * N * (sim->threads - 1) * sizeof(real);
    *on_device = 0.0;
}

void create_arrays(Simulation *sim)
{
    const size_t N = sim->N;
    sim->arrays = new Arrays{new int[N], new int[N * sim->MN], new int[N],
                             new int[sim->threads + 1], new real[3 * N * (sim->threads - 1)]};
}

void destroy_arrays(Simulation *sim)
{
    Arrays *arrays = sim->arrays;
    delete[] arrays->NN;
    delete[] arrays->NL;
    delete[] arrays->degree;
    delete[] arrays->firsts;
    delete[] arrays->own_forces;
    delete arrays;
}
