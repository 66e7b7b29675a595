// The neighbour list of ljmd-cpu.
#pragma once
#include "simulation.cuh"

struct Arrays
{
    int *NN, *NL; // neighbour k of atom i is NL[i * MN + k]; each pair stands once
    int *degree;  // neighbours of an atom, in whichever list the pair is
};

void count_bytes(const Simulation *sim, double *on_host, double *on_device)
{
    *on_host = (double)sim->N * (sim->MN + 2) * sizeof(int);
    *on_device = 0.0;
}

void create_arrays(Simulation *sim)
{
    const size_t N = sim->N;
    sim->arrays = new Arrays{new int[N], new int[N * sim->MN], new int[N]};
}

void destroy_arrays(Simulation *sim)
{
    Arrays *arrays = sim->arrays;
    delete[] arrays->NN;
    delete[] arrays->NL;
    delete[] arrays->degree;
    delete arrays;
}
