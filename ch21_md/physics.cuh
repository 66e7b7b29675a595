// The physics of solid argon: units, constants, the periodic box, and the pair potential. Host and
// device use the same functions.
//
// Four units are chosen: energy in eV, length in A (1e-10 m), mass in amu, temperature in K. The
// others follow: force in eV/A, speed in sqrt(eV/amu), time in A sqrt(amu/eV).
#pragma once
#include <math.h>
#include "../common/real.cuh"

const double K_B = 8.617343e-5;                  // Boltzmann's constant in eV/K
const double TIME_UNIT_CONVERSION = 1.018051e+1; // the unit of time in fs
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

// The minimum image convention: of all images of a pair, the one with the smallest distance. If x12
// is less than -L/2, L is added. If it is more than L/2, L is subtracted. copysign(L, x12) is L
// with the sign of x12, so one comparison is enough.
template <typename T>
__host__ __device__ inline void apply_mic(const Box &box, T *x12, T *y12, T *z12)
{
    *x12 -= fabs(*x12) > box.lx2 ? copysign((T)box.lx, *x12) : (T)0;
    *y12 -= fabs(*y12) > box.ly2 ? copysign((T)box.ly, *y12) : (T)0;
    *z12 -= fabs(*z12) > box.lz2 ? copysign((T)box.lz, *z12) : (T)0;
}

// The constants of the Lennard-Jones potential U(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6).
struct LJ
{
    real cutoff2; // the square of the cutoff
    real e24s6, e48s12, e4s6, e4s12;
    real energy_shift; // is subtracted from U(r) of a pair within the cutoff
};

// 1 / x, rounded as a division or off by one bit more. The device's division of floats has a branch
// for numbers below 1e-38, and the compiler moves no load across a branch. A distance is never so
// small, so here the division is an approximation by one instruction, and a step of Newton's
// method.
__host__ __device__ inline double reciprocal(double x)
{
    return 1.0 / x;
}

__host__ __device__ inline float reciprocal(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(y, fmaf(-x, y, 1.0f), y);
#else
    return 1.0f / x;
#endif
}

// Returns f of the force f * (x12, y12, z12) that atom 2 exerts on atom 1, where r2 is the square
// of their distance. f is the derivative of U(r), divided by r. Only even powers of r are in it, so
// no square root is needed.
template <typename T>
__host__ __device__ inline T find_pair(const LJ &lj, T r2, T *energy)
{
    const T r2inv = reciprocal(r2);
    const T r4inv = r2inv * r2inv;
    const T r6inv = r2inv * r4inv;
    const T r8inv = r4inv * r4inv;
    const T r12inv = r4inv * r8inv;
    const T r14inv = r6inv * r8inv;
    *energy = lj.e4s12 * r12inv - lj.e4s6 * r6inv - lj.energy_shift;
    return lj.e24s6 * r8inv - lj.e48s12 * r14inv;
}

// With `shift`, U(r) is zero at the cutoff. The force is the same.
inline LJ create_lj(bool shift)
{
    const double sigma_3 = SIGMA * SIGMA * SIGMA;
    const double sigma_6 = sigma_3 * sigma_3;
    const double sigma_12 = sigma_6 * sigma_6;
    LJ lj = {};
    lj.cutoff2 = (real)(CUTOFF * CUTOFF);
    lj.e24s6 = (real)(24.0 * EPSILON * sigma_6);
    lj.e48s12 = (real)(48.0 * EPSILON * sigma_12);
    lj.e4s6 = (real)(4.0 * EPSILON * sigma_6);
    lj.e4s12 = (real)(4.0 * EPSILON * sigma_12);
    if (shift)
    {
        double energy;
        find_pair(lj, CUTOFF * CUTOFF, &energy);
        lj.energy_shift = (real)energy;
    }
    return lj;
}

// The temperature T of N atoms with kinetic energy K: K = 3/2 N k_B T.
inline double temperature_of(double kinetic, double N)
{
    return kinetic / (1.5 * N * K_B);
}

// In bar: P = (2 K + the sum of r.F over all pairs) / (3 V).
inline double pressure_of(double kinetic, double virial, const Box &box)
{
    const double volume = (double)box.lx * box.ly * box.lz;
    return (2.0 * kinetic + virial) / (3.0 * volume) * PRESSURE_UNIT_IN_BAR;
}
