// Listing 22.1: the forces on the device, a thread for each atom.
//
// ljmd-force and ljmd have this kernel and this function. In ljmd-force the host integrates, so the
// positions go to the device before the kernel, and forces and energies come back after it. In ljmd
// all of them are on the device, and nothing is copied.
#pragma once
#include "arrays_device.cuh"

// The constants of the potential.
struct LJ
{
    real cutoff2; // the square of the cutoff
    real e24s6, e48s12, e4s6, e4s12;
    real energy_shift; // is subtracted from the energy of each pair; 0 without --shift
};

// Entry k of the lists of a warp's 32 atoms lies side by side, so d_NL is read coalesced. The atoms
// j lie somewhere else.
__global__ void gpu_find_force(LJ lj, int N, const int *d_NN, const int *d_NL, Box box,
                               const real *d_x, const real *d_y, const real *d_z, real *d_fx,
                               real *d_fy, real *d_fz, real *d_pe, real *d_virial)
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
        for (int k = 0; k < NN; ++k)
        {
            const int j = d_NL[i + (size_t)N * k];
            real x_ij = d_x[j] - x_i;
            real y_ij = d_y[j] - y_i;
            real z_ij = d_z[j] - z_i;
            apply_mic(box, &x_ij, &y_ij, &z_ij);
            const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
            if (r2 > lj.cutoff2)
            {
                continue;
            }
            const real r2inv = 1 / r2;
            const real r4inv = r2inv * r2inv;
            const real r6inv = r2inv * r4inv;
            const real r8inv = r4inv * r4inv;
            const real r12inv = r4inv * r8inv;
            const real r14inv = r6inv * r8inv;
            const real f_ij = lj.e24s6 * r8inv - lj.e48s12 * r14inv;
            potential += lj.e4s12 * r12inv - lj.e4s6 * r6inv - lj.energy_shift;
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

void find_force(System *sys)
{
    Arrays *d = sys->arrays;
    const double sigma_3 = SIGMA * SIGMA * SIGMA;
    const double sigma_6 = sigma_3 * sigma_3;
    const double sigma_12 = sigma_6 * sigma_6;
    LJ lj;
    lj.cutoff2 = (real)(CUTOFF * CUTOFF);
    lj.e24s6 = (real)(24.0 * EPSILON * sigma_6);
    lj.e48s12 = (real)(48.0 * EPSILON * sigma_12);
    lj.e4s6 = (real)(4.0 * EPSILON * sigma_6);
    lj.e4s12 = (real)(4.0 * EPSILON * sigma_12);
    lj.energy_shift = (real)sys->energy_shift;

    if (integrates_on_host()) // false in ljmd
    {
        copy_to_device(sys, d->x, sys->x);
        copy_to_device(sys, d->y, sys->y);
        copy_to_device(sys, d->z, sys->z);
    }

    const int block_size = (int)args.block_x;
    const int grid_size = (sys->N - 1) / block_size + 1;
    gpu_find_force<<<grid_size, block_size>>>(lj, sys->N, d->NN, d->NL, sys->box, d->x, d->y, d->z,
                                              d->fx, d->fy, d->fz, d->pe, d->virial);
    CHECK_LAUNCH();

    if (integrates_on_host()) // false in ljmd
    {
        copy_to_host(sys, sys->fx, d->fx);
        copy_to_host(sys, sys->fy, d->fy);
        copy_to_host(sys, sys->fz, d->fz);
        copy_to_host(sys, sys->pe, d->pe);
        copy_to_host(sys, sys->virial, d->virial);
    }
}
