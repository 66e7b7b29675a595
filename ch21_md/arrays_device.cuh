// The arrays on the device of ljmd-force and ljmd.
#pragma once
#include "simulation.cuh"

struct Arrays
{
    real *x, *y, *z, *vx, *vy, *vz, *fx, *fy, *fz, *pe, *virial;
    int *NN, *NL;       // neighbour k of atom i is NL[k * N + i]
    real *x0, *y0, *z0; // the positions when the list was made
    double *parts;      // of the sums: see integrate_device.cuh
    unsigned long long *missing;
};

const int NUM_REAL_ARRAYS = 14;
const int NUM_PARTS = 3 * 256; // of three sums, of 256 blocks each

inline real **list_arrays(Arrays *arrays, int i)
{
    real **const list[NUM_REAL_ARRAYS] = {&arrays->x,  &arrays->y,  &arrays->z,      &arrays->vx,
                                          &arrays->vy, &arrays->vz, &arrays->fx,     &arrays->fy,
                                          &arrays->fz, &arrays->pe, &arrays->virial, &arrays->x0,
                                          &arrays->y0, &arrays->z0};
    return list[i];
}

void count_bytes(const System *sys, double *on_host, double *on_device)
{
    *on_host = (double)sys->N * sizeof(int); // the numbers of neighbours
    *on_device = (double)sys->N * ((sys->MN + 1) * sizeof(int) + NUM_REAL_ARRAYS * sizeof(real));
}

void create_arrays(System *sys)
{
    const size_t N = sys->N;
    Arrays *arrays = (Arrays *)new_array(1, sizeof(Arrays));
    for (int i = 0; i < NUM_REAL_ARRAYS; ++i)
    {
        CHECK(cudaMalloc(list_arrays(arrays, i), N * sizeof(real)));
        // A kernel that does nothing must not pass.
        CHECK(cudaMemset(*list_arrays(arrays, i), POISON_BYTE, N * sizeof(real)));
    }
    CHECK(cudaMalloc(&arrays->NN, N * sizeof(int)));
    CHECK(cudaMalloc(&arrays->NL, N * sys->MN * sizeof(int)));
    CHECK(cudaMalloc(&arrays->parts, NUM_PARTS * sizeof(double)));
    CHECK(cudaMalloc(&arrays->missing, sizeof(unsigned long long)));
    sys->arrays = arrays;
}

void destroy_arrays(System *sys)
{
    Arrays *arrays = sys->arrays;
    for (int i = 0; i < NUM_REAL_ARRAYS; ++i)
    {
        CHECK(cudaFree(*list_arrays(arrays, i)));
    }
    CHECK(cudaFree(arrays->NN));
    CHECK(cudaFree(arrays->NL));
    CHECK(cudaFree(arrays->parts));
    CHECK(cudaFree(arrays->missing));
    free(arrays);
}

inline void copy_to_device(const System *sys, real *device, const real *host)
{
    CHECK(cudaMemcpy(device, host, sys->N * sizeof(real), cudaMemcpyHostToDevice));
}

inline void copy_to_host(const System *sys, real *host, const real *device)
{
    CHECK(cudaMemcpy(host, device, sys->N * sizeof(real), cudaMemcpyDeviceToHost));
}
