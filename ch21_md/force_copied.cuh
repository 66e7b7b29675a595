// Listing 22.1: the forces on the device, a thread for each atom. Positions are copied to the
// device before, and forces and energies are copied to the host after, in each step.
#pragma once
#include "arrays_device.cuh"

// Entry k of the lists of a warp's 32 atoms lies side by side, so d_NL is read coalesced. The atoms
// j lie somewhere else.
//
// Listing 22.1 leaves out a pair beyond the cutoff by `continue`. Some of the 32 pairs of a warp
// are nearly always within the cutoff, so that saves no time. Here such a pair counts with zero.
// With no branch between them, the loads of four neighbours overlap.
__global__ void gpu_find_force(LJ lj, int N, const int *__restrict__ d_NN,
                               const int *__restrict__ d_NL, Box box, const real *__restrict__ d_x,
                               const real *__restrict__ d_y, const real *__restrict__ d_z,
                               real *d_fx, real *d_fy, real *d_fz, real *d_pe, real *d_virial)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        real fx = 0;
        real fy = 0;
        real fz = 0;
        real potential = 0;
        real virial = 0;
        const int NN = d_NN[i];
        const real x_i = d_x[i];
        const real y_i = d_y[i];
        const real z_i = d_z[i];
        const int *NL = d_NL + i; // neighbour k is d_NL[k * N + i]
#pragma unroll 4
        for (int k = 0; k < NN; ++k)
        {
            const int j = NL[0];
            NL += N;
            real x_ij = d_x[j] - x_i;
            real y_ij = d_y[j] - y_i;
            real z_ij = d_z[j] - z_i;
            apply_mic(box, &x_ij, &y_ij, &z_ij);
            const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
            real energy;
            real f_ij = find_pair(lj, r2, &energy);
            f_ij = r2 > lj.cutoff2 ? 0 : f_ij;
            potential += r2 > lj.cutoff2 ? 0 : energy;
            virial -= f_ij * r2;
            fx += f_ij * x_ij;
            fy += f_ij * y_ij;
            fz += f_ij * z_ij;
        }
        d_fx[i] = fx;
        d_fy[i] = fy;
        d_fz[i] = fz;
        d_pe[i] = potential / 2; // each pair is counted twice
        d_virial[i] = virial / 2;
    }
}

void find_force(Simulation *sim)
{
    Arrays *d = sim->arrays;
    copy_to_device(sim, d->x, sim->x);
    copy_to_device(sim, d->y, sim->y);
    copy_to_device(sim, d->z, sim->z);

    const int block_size = sim->block_size;
    const int grid_size = (sim->N - 1) / block_size + 1;
    gpu_find_force<<<grid_size, block_size>>>(sim->lj, sim->N, d->NN, d->NL, sim->box, d->x, d->y,
                                              d->z, d->fx, d->fy, d->fz, d->pe, d->virial);
    CHECK_LAUNCH();

    copy_to_host(sim, sim->fx, d->fx);
    copy_to_host(sim, sim->fy, d->fy);
    copy_to_host(sim, sim->fz, d->fz);
    copy_to_host(sim, sim->pe, d->pe);
    copy_to_host(sim, sim->virial, d->virial);
}
