// What nbody needs beside its kernels: bodies, and what their motion conserves.
#pragma once
#include <cmath>
#include "../common/data.cuh"
#include "../common/real.cuh"

const double SOFTENING = 0.05; // no two bodies come closer in effect: see attract

// A place and a mass, or an acceleration and nothing: 16 bytes are read at once.
struct alignas(16) Body
{
    real x, y, z, m;
};

double distance(Body i, Body j)
{
    const double dx = (double)j.x - i.x, dy = (double)j.y - i.y, dz = (double)j.z - i.z;
    return sqrt(dx * dx + dy * dy + dz * dz);
}

// Places in a unit cube, or velocities; the masses add up to about 1.
void fill_bodies(Body *bodies, size_t N, size_t seed)
{
    for (size_t i = 0; i < N; ++i)
    {
        bodies[i].x = (real)random_unit(seed, 4 * i);
        bodies[i].y = (real)random_unit(seed, 4 * i + 1);
        bodies[i].z = (real)random_unit(seed, 4 * i + 2);
        bodies[i].m = (real)((0.5 + random_unit(seed, 4 * i + 3)) / N);
    }
}

// |the sum of m v|: momentum, or of accelerations the force on all together, which is none.
double total(const Body *bodies, const Body *v, size_t N)
{
    double sum[3] = {};
    for (size_t i = 0; i < N; ++i)
    {
        sum[0] += (double)bodies[i].m * v[i].x;
        sum[1] += (double)bodies[i].m * v[i].y;
        sum[2] += (double)bodies[i].m * v[i].z;
    }
    return std::hypot(sum[0], sum[1], sum[2]);
}

// Kinetic less potential energy is what is conserved; their sum says how large they are.
double measure_energy(const Body *bodies, const Body *v, size_t N, double *size)
{
    double kinetic = 0.0, potential = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        kinetic += 0.5 * bodies[i].m * pow(distance(v[i], {0, 0, 0, 0}), 2);
        for (size_t j = 0; j < i; ++j)
        {
            const double d = distance(bodies[i], bodies[j]);
            potential += (double)bodies[i].m * bodies[j].m / sqrt(d * d + SOFTENING * SOFTENING);
        }
    }
    *size = kinetic + potential;
    return kinetic - potential;
}
