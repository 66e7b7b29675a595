// The forces on the host, with Newton's third law: Listing 21.1, and a form of it that the compiler
// can vectorize. The two sum in the same order, so they give the same bits.
//
// Each adds what the pairs of atoms first <= i < last contribute to the forces.
#pragma once
#include <algorithm>
#include "arrays_host.cuh"
#include "threads_host.cuh"

// Listing 21.1. A processor does one pair after the other. It guesses whether the next pair is
// within the cutoff, and a wrong guess costs as much as a few divisions.
static void add_forces_listing(const Simulation *sim, int first, int last, real *fx, real *fy,
                               real *fz)
{
    const Box box = sim->box;
    const LJ lj = sim->lj;
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    for (int i = first; i < last; ++i)
    {
        const int *NL = sim->arrays->NL + i * sim->MN;
        real fx_i = 0, fy_i = 0, fz_i = 0, pe_i = 0, virial_i = 0;
        for (int k = 0; k < sim->arrays->NN[i]; ++k)
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
            pe_i += energy;
            virial_i -= f_ij * r2;
            fx_i += f_ij * x_ij;
            fy_i += f_ij * y_ij;
            fz_i += f_ij * z_ij;
            fx[j] -= f_ij * x_ij;
            fy[j] -= f_ij * y_ij;
            fz[j] -= f_ij * z_ij;
        }
        fx[i] += fx_i;
        fy[i] += fy_i;
        fz[i] += fz_i;
        sim->pe[i] = pe_i;
        sim->virial[i] = virial_i;
    }
}

// The same in three loops over the neighbours of an atom. The second loop takes nearly all of the
// arithmetic. It has no `if`, and its data lie side by side, so one instruction can do several
// pairs. A pair beyond the cutoff counts with a force of zero. (g++ takes a comparison out of an
// `if` only with -fno-trapping-math: it might be one of NaN, at which the processor could stop.)
static void add_forces_vectorized(const Simulation *sim, int first, int last, real *fx, real *fy,
                                  real *fz)
{
    const Box box = sim->box;
    const LJ lj = sim->lj;
    const real *x = sim->x, *y = sim->y, *z = sim->z;
    const int PIECE = 128; // neighbours at a time
    real x_ij[PIECE], y_ij[PIECE], z_ij[PIECE], energy[PIECE], virial[PIECE];
    for (int i = first; i < last; ++i)
    {
        const real x_i = x[i], y_i = y[i], z_i = z[i];
        real fx_i = 0, fy_i = 0, fz_i = 0, pe_i = 0, virial_i = 0;
        for (int start = 0; start < sim->arrays->NN[i]; start += PIECE)
        {
            const int *NL = sim->arrays->NL + i * sim->MN + start;
            const int count = std::min(PIECE, sim->arrays->NN[i] - start);
            for (int k = 0; k < count; ++k)
            {
                x_ij[k] = x[NL[k]] - x_i;
                y_ij[k] = y[NL[k]] - y_i;
                z_ij[k] = z[NL[k]] - z_i;
            }
            for (int k = 0; k < count; ++k)
            {
                real x12 = x_ij[k], y12 = y_ij[k], z12 = z_ij[k];
                apply_mic(box, &x12, &y12, &z12);
                const real r2 = x12 * x12 + y12 * y12 + z12 * z12;
                real energy_k;
                const real f_k = find_pair(lj, r2, &energy_k);
                const real f_ij = r2 > lj.cutoff2 ? 0 : f_k;
                energy[k] = r2 > lj.cutoff2 ? 0 : energy_k;
                virial[k] = f_ij * r2;
                x_ij[k] = f_ij * x12;
                y_ij[k] = f_ij * y12;
                z_ij[k] = f_ij * z12;
            }
            for (int k = 0; k < count; ++k)
            {
                const int j = NL[k];
                pe_i += energy[k];
                virial_i -= virial[k];
                fx_i += x_ij[k];
                fy_i += y_ij[k];
                fz_i += z_ij[k];
                fx[j] -= x_ij[k];
                fy[j] -= y_ij[k];
                fz[j] -= z_ij[k];
            }
        }
        fx[i] += fx_i;
        fy[i] += fy_i;
        fz[i] += fz_i;
        sim->pe[i] = pe_i;
        sim->virial[i] = virial_i;
    }
}

// The forces from the pairs of some atoms reach other atoms, too. So each thread adds to arrays of
// its own, and these are added up in the end, always in the same order.
void find_force(Simulation *sim)
{
    const int N = sim->N, threads = (int)sim->threads;
    const auto add_forces = sim->listing ? add_forces_listing : add_forces_vectorized;
    real *own = sim->arrays->own_forces; // of the threads after the first, 3 N each
    for_threads(threads,
                [&](int t)
                {
                    const int first = first_of(sim, t), last = first_of(sim, t + 1);
                    real *fx = t == 0 ? sim->fx : own + (size_t)(t - 1) * 3 * N;
                    real *fy = t == 0 ? sim->fy : fx + N;
                    real *fz = t == 0 ? sim->fz : fy + N;
                    for (real *f : {fx, fy, fz})
                    {
                        std::fill(f + first, f + N, (real)0); // the list has no j < i
                    }
                    add_forces(sim, first, last, fx, fy, fz);
                });
    if (threads == 1)
    {
        return;
    }
    for_threads(threads,
                [&](int t)
                {
                    const int first = part_of(N, t, threads), last = part_of(N, t + 1, threads);
                    for (int other = 1; other < threads; ++other)
                    {
                        const real *f = own + (size_t)(other - 1) * 3 * N;
                        for (int n = std::max(first, first_of(sim, other)); n < last; ++n)
                        {
                            sim->fx[n] += f[n];
                            sim->fy[n] += f[N + n];
                            sim->fz[n] += f[2 * N + n];
                        }
                    }
                });
}
