// Listing 21.1: the forces on the host, with Newton's third law.
#pragma once
#include "arrays_host.cuh"

void find_force(Simulation *sim)
{
    const int N = sim->N;
    const size_t MN = sim->MN;
    const Box box = sim->box;
    const LJ lj = sim->lj;
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    const int *NN = sim->arrays->NN;
    real *fx = sim->fx, *fy = sim->fy, *fz = sim->fz;
    real *pe = sim->pe, *virial = sim->virial;
    for (int n = 0; n < N; ++n)
    {
        fx[n] = fy[n] = fz[n] = pe[n] = virial[n] = 0;
    }
    for (int i = 0; i < N; ++i)
    {
        const int *NL = sim->arrays->NL + i * MN;
        for (int k = 0; k < NN[i]; ++k)
        {
            const int j = NL[k];
            real x_ij = x[j] - x[i];
            real y_ij = y[j] - y[i];
            real z_ij = z[j] - z[i];
            apply_mic(box, &x_ij, &y_ij, &z_ij);
            const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
            if (r2 > lj.cutoff2)
            {
                continue;
            }
            real energy;
            const real f_ij = find_pair(lj, r2, &energy);
            pe[i] += energy;
            virial[i] -= f_ij * r2;
            fx[i] += f_ij * x_ij;
            fy[i] += f_ij * y_ij;
            fz[i] += f_ij * z_ij;
            fx[j] -= f_ij * x_ij;
            fy[j] -= f_ij * y_ij;
            fz[j] -= f_ij * z_ij;
        }
    }
}
