// Listing 21.1: the forces on the host, with Newton's third law.
#pragma once
#include "neighbor_host.cuh"

void find_force(System *sys)
{
    const int N = sys->N;
    const size_t MN = sys->MN;
    const int *NN = sys->arrays->NN;
    const int *NL = sys->arrays->NL;
    const real *x = sys->x;
    const real *y = sys->y;
    const real *z = sys->z;
    real *fx = sys->fx;
    real *fy = sys->fy;
    real *fz = sys->fz;
    real *pe = sys->pe;
    real *virial = sys->virial;
    const Box box = sys->box;
    const real cutoff_square = (real)(CUTOFF * CUTOFF);
    const double sigma_3 = SIGMA * SIGMA * SIGMA;
    const double sigma_6 = sigma_3 * sigma_3;
    const double sigma_12 = sigma_6 * sigma_6;
    const real e24s6 = (real)(24.0 * EPSILON * sigma_6);
    const real e48s12 = (real)(48.0 * EPSILON * sigma_12);
    const real e4s6 = (real)(4.0 * EPSILON * sigma_6);
    const real e4s12 = (real)(4.0 * EPSILON * sigma_12);
    const real energy_shift = (real)sys->energy_shift;
    for (int n = 0; n < N; ++n)
    {
        fx[n] = fy[n] = fz[n] = pe[n] = virial[n] = 0;
    }
    for (int i = 0; i < N; ++i)
    {
        for (int k = 0; k < NN[i]; ++k)
        {
            const int j = NL[i * MN + k];
            if (j < i) // this pair was visited as one of atom j
            {
                continue;
            }
            real x_ij = x[j] - x[i];
            real y_ij = y[j] - y[i];
            real z_ij = z[j] - z[i];
            apply_mic(box, &x_ij, &y_ij, &z_ij);
            const real r2 = x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
            if (r2 > cutoff_square)
            {
                continue;
            }
            const real r2inv = 1 / r2;
            const real r4inv = r2inv * r2inv;
            const real r6inv = r2inv * r4inv;
            const real r8inv = r4inv * r4inv;
            const real r12inv = r4inv * r8inv;
            const real r14inv = r6inv * r8inv;
            const real f_ij = e24s6 * r8inv - e48s12 * r14inv;
            pe[i] += e4s12 * r12inv - e4s6 * r6inv - energy_shift;
            virial[i] -= f_ij * r2;
            fx[i] += f_ij * x_ij;
            fx[j] -= f_ij * x_ij;
            fy[i] += f_ij * y_ij;
            fy[j] -= f_ij * y_ij;
            fz[i] += f_ij * z_ij;
            fz[j] -= f_ij * z_ij;
        }
    }
}
