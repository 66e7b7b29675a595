// The start of a simulation: a crystal with random velocities, or a restart file.
#pragma once
#include "../common/data.cuh"
#include "files.cuh"
#include "md_options.cuh"
#include "simulation.cuh"

const int NUM_ATOM_ARRAYS = 11;

inline real **array_of_atoms(System *sys, int i)
{
    real **const list[NUM_ATOM_ARRAYS] = {&sys->x,  &sys->y,  &sys->z,     &sys->vx,
                                          &sys->vy, &sys->vz, &sys->fx,    &sys->fy,
                                          &sys->fz, &sys->pe, &sys->virial};
    return list[i];
}

inline void create_atoms(System *sys)
{
    for (int i = 0; i < NUM_ATOM_ARRAYS; ++i)
    {
        real *array = (real *)new_array(sys->N, sizeof(real));
        poison(array, sys->N * sizeof(real)); // a stage that does nothing must not pass
        *array_of_atoms(sys, i) = array;
    }
}

inline void destroy_atoms(System *sys)
{
    for (int i = 0; i < NUM_ATOM_ARRAYS; ++i)
    {
        free(*array_of_atoms(sys, i));
    }
}

// The box, the number of atoms, which is four in each cubic cell, and what else the options say of
// the system.
inline void initialize_system(const Options *options, System *sys)
{
    const size_t nx = options->nx;
    const real length = (real)(nx * lattice_of(options));
    sys->box = {length, length, length, length / 2, length / 2, length / 2};
    sys->N = (int)(4 * nx * nx * nx);
    sys->time_step = (real)(options->time_step_fs / TIME_UNIT_CONVERSION);
    sys->energy_shift = options->shift ? energy_of_pair(CUTOFF * CUTOFF) : 0.0;
    sys->list_cutoff = options->list_cutoff;
    sys->short_list_cutoff = options->short_list_cutoff;
    sys->MN = options->MN;
}

// Face-centred cubic: an atom in a corner of each cell, and three in the middle of faces. There are
// nx cells in each direction, and a is the edge of one.
inline void initialize_position(System *sys, size_t nx, double a)
{
    const double x0[4] = {0.0, 0.0, 0.5, 0.5};
    const double y0[4] = {0.0, 0.5, 0.0, 0.5};
    const double z0[4] = {0.0, 0.5, 0.5, 0.0};
    for (int n = 0; n < sys->N; ++n)
    {
        const size_t cell = n / 4;
        sys->x[n] = (real)((cell / (nx * nx) + x0[n % 4]) * a);
        sys->y[n] = (real)((cell / nx % nx + y0[n % 4]) * a);
        sys->z[n] = (real)((cell % nx + z0[n % 4]) * a);
    }
}

// Component d of the velocity of atom n, before the mean is subtracted.
inline double random_velocity(uint64_t seed, int n, int d)
{
    return 2.0 * random_unit(seed, (uint64_t)n * 3 + d) - 1.0;
}

// Uniform random numbers between -1 and 1. Then the mean is subtracted, so that the total momentum
// is zero, and all are multiplied by one factor, so that the temperature is right.
inline void initialize_velocity(System *sys, double temperature, uint64_t seed)
{
    const int N = sys->N;
    real *const v[3] = {sys->vx, sys->vy, sys->vz};
    long double mean[3] = {}; // of many numbers: its rounding must be less than that of one
    double v2 = 0.0;
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            mean[d] += (long double)random_velocity(seed, n, d) / N;
        }
    }
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            const long double velocity = random_velocity(seed, n, d) - mean[d];
            v2 += velocity * velocity;
        }
    }
    const double factor = sqrt(temperature / temperature_of(0.5 * sys->mass * v2, N));
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            v[d][n] = (real)((random_velocity(seed, n, d) - mean[d]) * factor);
        }
    }
}
