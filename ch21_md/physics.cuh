// The physics of solid argon: units, constants, the periodic box, and the pair potential.
//
// Four units are chosen: energy in eV, length in A (1e-10 m), mass in amu, temperature in K. The
// others follow: force in eV/A, speed in sqrt(eV/amu), time in A sqrt(amu/eV).
#pragma once
#include <math.h>
#include "../common/real.cuh"

const double K_B = 8.617343e-5;                  // the book's value of Boltzmann's constant, eV/K
const double TIME_UNIT_CONVERSION = 10.180506;   // the unit of time in fs
const double PRESSURE_UNIT_IN_BAR = 1.602177e+6; // eV/A^3
const double DENSITY_UNIT_IN_G_CM3 = 1.660539;   // amu/A^3

const double EPSILON = 1.032e-2; // eV: the depth of the potential
const double SIGMA = 3.405;      // A: where the potential is zero
const double CUTOFF = 10.0;      // A: beyond it there is no force
const double MASS = 40.0;        // amu
const double LATTICE = 5.385;    // A: the edge of a cubic cell of four atoms
const double DENSITY = 4 * MASS / (LATTICE * LATTICE * LATTICE) * DENSITY_UNIT_IN_G_CM3;

// A box with edges lx, ly, lz. lx2, ly2, lz2 are half of them.
struct Box
{
    real lx, ly, lz, lx2, ly2, lz2;
};

// The minimum image convention: of all images of a pair, the one with the smallest distance.
__host__ __device__ inline void apply_mic(const Box &box, real *x12, real *y12, real *z12)
{
    if (*x12 < -box.lx2)
    {
        *x12 += box.lx;
    }
    else if (*x12 > box.lx2)
    {
        *x12 -= box.lx;
    }
    if (*y12 < -box.ly2)
    {
        *y12 += box.ly;
    }
    else if (*y12 > box.ly2)
    {
        *y12 -= box.ly;
    }
    if (*z12 < -box.lz2)
    {
        *z12 += box.lz;
    }
    else if (*z12 > box.lz2)
    {
        *z12 -= box.lz;
    }
}

// The Lennard-Jones potential U(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) of a pair, from r^2. It
// is in double and on the host: the checks compare the forces of all versions with it.
inline double energy_of_pair(double r2)
{
    const double s2 = SIGMA * SIGMA / r2, s6 = s2 * s2 * s2;
    return 4.0 * EPSILON * (s6 * s6 - s6);
}

// f of the force f * (x12, y12, z12) that atom 2 exerts on atom 1: the derivative of U(r), divided
// by r.
inline double force_of_pair(double r2)
{
    const double s2 = SIGMA * SIGMA / r2, s6 = s2 * s2 * s2;
    return 24.0 * EPSILON * (s6 - 2.0 * s6 * s6) / r2;
}

// The temperature T of N atoms with kinetic energy K: K = 3/2 N k_B T, equation 21.1 of the book.
// The total momentum is zero, so only 3N - 3 of the velocities are independent. A temperature by
// 3N - 3 would be higher by 1/(N - 1): 0.2 % with 500 atoms.
inline double temperature_of(double kinetic, double N) { return kinetic / (1.5 * N * K_B); }

// In bar: P = (2 K + the sum of r.F over all pairs) / (3 V).
inline double pressure_of(double kinetic, double virial, Box box)
{
    const double volume = (double)box.lx * box.ly * box.lz;
    return (2.0 * kinetic + virial) / (3.0 * volume) * PRESSURE_UNIT_IN_BAR;
}
