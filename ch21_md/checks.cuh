// The checks of a simulation, by sums on the host in double. They find the neighbours by cells and
// not by the neighbour list, so they check the list, too.
#pragma once
#include <pthread.h>
#include <sched.h>
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "md_options.cuh"
#include "simulation.cuh"

// An atom that is near a place: the vector from the place to the atom, and its squared length.
struct Near
{
    double x12, y12, z12, r2;
};

// The box cut into n x n x n cells that are at least as wide as the cutoff. Cell c has the places
// starts[c] to starts[c + 1] - 1 in the other arrays.
struct Cells
{
    int n;
    double length; // of the box
    int *starts, *atoms;
    double *x, *y, *z; // of these atoms, within the box
    Near *near;        // what find_near has found
    size_t num_near, room_near;
};

// A coordinate within the box. The box is periodic, and an atom may have left it.
inline double inside(const Cells *cells, double x)
{
    return x - cells->length * floor(x / cells->length);
}

inline int cell_of_coordinate(const Cells *cells, double x)
{
    const int cell = (int)(inside(cells, x) / cells->length * cells->n);
    return cell < cells->n ? cell : cells->n - 1;
}

inline int cell_of_atom(const Cells *cells, const System *sys, int i)
{
    const int x = cell_of_coordinate(cells, sys->x[i]);
    const int y = cell_of_coordinate(cells, sys->y[i]);
    const int z = cell_of_coordinate(cells, sys->z[i]);
    return (x * cells->n + y) * cells->n + z;
}

inline Cells create_cells(const System *sys)
{
    const size_t N = sys->N;
    Cells cells = {};
    cells.length = sys->box.lx;
    cells.n = (int)(cells.length / CUTOFF);
    const size_t num_cells = (size_t)cells.n * cells.n * cells.n;
    cells.starts = (int *)new_array(num_cells + 1, sizeof(int));
    cells.atoms = (int *)new_array(N, sizeof(int));
    cells.x = (double *)new_array(N, sizeof(double));
    cells.y = (double *)new_array(N, sizeof(double));
    cells.z = (double *)new_array(N, sizeof(double));
    memset(cells.starts, 0, (num_cells + 1) * sizeof(int));
    int *cell_of = (int *)new_array(N, sizeof(int));
    for (size_t i = 0; i < N; ++i)
    {
        cell_of[i] = cell_of_atom(&cells, sys, i);
        ++cells.starts[cell_of[i]];
    }
    int sum = 0;
    for (size_t c = 0; c <= num_cells; ++c)
    {
        sum += cells.starts[c];
        cells.starts[c] = sum; // the end of the cell; the loop below fills the cell backwards
    }
    for (size_t i = N; i-- > 0;)
    {
        const int place = --cells.starts[cell_of[i]];
        cells.atoms[place] = (int)i;
        cells.x[place] = inside(&cells, sys->x[i]);
        cells.y[place] = inside(&cells, sys->y[i]);
        cells.z[place] = inside(&cells, sys->z[i]);
    }
    free(cell_of);
    return cells;
}

inline void destroy_cells(Cells *cells)
{
    free(cells->starts);
    free(cells->atoms);
    free(cells->x);
    free(cells->y);
    free(cells->z);
    free(cells->near);
}

// Of two points within the box and all their images: the difference with the smallest magnitude.
inline double nearest_image(const Cells *cells, double distance)
{
    const double length = cells->length, half = length / 2;
    return distance > half ? distance - length : distance < -half ? distance + length : distance;
}

inline void add_near(Cells *cells, Near near)
{
    if (cells->num_near == cells->room_near)
    {
        cells->room_near = 2 * cells->room_near + 256;
        cells->near = (Near *)resize_array(cells->near, cells->room_near, sizeof(Near));
    }
    cells->near[cells->num_near++] = near;
}

// Finds each atom but i whose distance from (x, y, z) has a square below range2, and returns how
// many there are. The range is at most the width of a cell.
inline size_t find_near(Cells *cells, int i, double x, double y, double z, double range2)
{
    const double x1 = inside(cells, x), y1 = inside(cells, y), z1 = inside(cells, z);
    const int n = cells->n;
    const int around = n >= 3 ? 3 : n; // with two cells, each is visited once
    const int back = n >= 3 ? n - 1 : 0;
    const int first_x = cell_of_coordinate(cells, x) + back,
              first_y = cell_of_coordinate(cells, y) + back,
              first_z = cell_of_coordinate(cells, z) + back;
    cells->num_near = 0;
    for (int a = 0; a < around; ++a)
    {
        for (int b = 0; b < around; ++b)
        {
            for (int c = 0; c < around; ++c)
            {
                const int cell =
                    ((first_x + a) % n * n + (first_y + b) % n) * n + (first_z + c) % n;
                for (int place = cells->starts[cell]; place < cells->starts[cell + 1]; ++place)
                {
                    const double x12 = nearest_image(cells, cells->x[place] - x1);
                    const double y12 = nearest_image(cells, cells->y[place] - y1);
                    const double z12 = nearest_image(cells, cells->z[place] - z1);
                    const double r2 = x12 * x12 + y12 * y12 + z12 * z12;
                    if (r2 < range2 && cells->atoms[place] != i)
                    {
                        add_near(cells, {x12, y12, z12, r2});
                    }
                }
            }
        }
    }
    return cells->num_near;
}

// What the atoms within the cutoff do to one atom. A result in `real` may differ from it by
// rounding, but by no more than the bounds.
struct Reference
{
    double force[3], potential, virial; // of the atom: half of each pair
    double force_bound, potential_bound, virial_bound;
};

// The rounding of a distance is relative to the length of the box, because coordinates are rounded
// so. A pair whose distance is the cutoff but for rounding may be left out or not.
inline Reference find_reference(Cells *cells, const System *sys, int i)
{
    const double epsilon = REAL_EPSILON, rounding = epsilon * cells->length;
    Reference sum = {};
    const size_t count =
        find_near(cells, i, sys->x[i], sys->y[i], sys->z[i], 1.0001 * CUTOFF * CUTOFF);
    for (size_t k = 0; k < count; ++k)
    {
        const Near *near = &cells->near[k];
        const double r2 = near->r2, r = sqrt(r2);
        const double energy = energy_of_pair(r2) - sys->energy_shift;
        const double f = force_of_pair(r2);
        const double s2 = SIGMA * SIGMA / r2, s6 = s2 * s2 * s2;
        const double steep = 24.0 * EPSILON * (s6 + 2.0 * s6 * s6) / r2;
        if (fabs(r - CUTOFF) < 8.0 * (rounding + epsilon * r))
        {
            sum.force_bound += fabs(f) * r;
            sum.potential_bound += fabs(energy);
            sum.virial_bound += fabs(f) * r2;
        }
        if (r2 < CUTOFF * CUTOFF)
        {
            sum.force[0] += f * near->x12;
            sum.force[1] += f * near->y12;
            sum.force[2] += f * near->z12;
            sum.potential += 0.5 * energy;
            sum.virial -= 0.5 * f * r2;
            const double bound = steep * (8.0 * rounding + 16.0 * epsilon * r);
            sum.force_bound += bound;
            sum.potential_bound += bound * r + 16.0 * epsilon * fabs(energy);
            sum.virial_bound += bound * r;
        }
    }
    return sum;
}

// What a thread of the host compares with the reference, and what it has found.
struct Comparison
{
    const System *sys;
    Cells cells;            // all threads share the arrays, except `near`
    int first, end, stride; // of the atoms
    size_t wrong;
    int first_wrong;
    double largest, net_bound, potential_bound, virial_bound;
    long double potential, virial; // in a crystal the roundings do not cancel
    pthread_t thread;
    bool has_thread;
};

inline void *compare_part(void *comparison)
{
    Comparison *c = (Comparison *)comparison;
    for (int i = c->first; i < c->end; i += c->stride)
    {
        const double force[3] = {c->sys->fx[i], c->sys->fy[i], c->sys->fz[i]};
        const Reference reference = find_reference(&c->cells, c->sys, i);
        bool is_right = true;
        for (int d = 0; d < 3; ++d)
        {
            const double error = fabs(force[d] - reference.force[d]);
            is_right = is_right && error <= reference.force_bound;
            c->largest = fmax(c->largest, error);
        }
        c->first_wrong = is_right || c->wrong > 0 ? c->first_wrong : i;
        c->wrong += !is_right;
        c->net_bound += reference.force_bound * c->stride;
        c->potential += reference.potential;
        c->virial += reference.virial;
        c->potential_bound += reference.potential_bound;
        c->virial_bound += reference.virial_bound;
    }
    free(c->cells.near);
    return NULL;
}

// Compares every atom whose number is a multiple of the stride. A core of the host compares some
// 100000 atoms in a second, so many atoms are shared out to threads.
inline Comparison compare_forces(const System *sys, int stride)
{
    Cells cells = create_cells(sys);
    Comparison parts[16], sum = {};
    cpu_set_t cores; // that this process may use
    const int num_cores = sched_getaffinity(0, sizeof(cores), &cores) == 0 ? CPU_COUNT(&cores) : 1;
    const int most = num_cores > 16 ? 16 : num_cores;
    const int count = sys->N / stride < 10000 ? 1 : most;
    const int atoms = (sys->N / stride / count + 1) * stride; // of a part
    for (int k = 0; k < count; ++k)
    {
        Comparison *part = &parts[k];
        *part = {};
        part->sys = sys;
        part->cells = cells;
        part->first = k * atoms < sys->N ? k * atoms : sys->N;
        part->end = sys->N - part->first < atoms ? sys->N : part->first + atoms;
        part->stride = stride;
        part->has_thread = k > 0 && pthread_create(&part->thread, NULL, compare_part, part) == 0;
    }
    for (int k = 0; k < count; ++k)
    {
        Comparison *part = &parts[k];
        if (part->has_thread)
        {
            pthread_join(part->thread, NULL);
        }
        else
        {
            compare_part(part);
        }
        sum.first_wrong = sum.wrong > 0 ? sum.first_wrong : part->first_wrong;
        sum.wrong += part->wrong;
        sum.largest = fmax(sum.largest, part->largest);
        sum.net_bound += part->net_bound;
        sum.potential += part->potential;
        sum.virial += part->virial;
        sum.potential_bound += part->potential_bound;
        sum.virial_bound += part->virial_bound;
    }
    destroy_cells(&cells);
    return sum;
}

// How many atoms have wrong forces, after fetch().
inline size_t count_wrong_forces(const System *sys) { return compare_forces(sys, 1).wrong; }

// Compares the forces and the energies with the reference, after fetch(). Of more than 300000
// atoms, some are compared, spread over all of them.
inline void check_forces(const System *sys, const Energies *energies, const char *when)
{
    const int stride = 1 + sys->N / 300001;
    const Comparison found = compare_forces(sys, stride);
    double net[3] = {};
    for (int i = 0; i < sys->N; ++i)
    {
        net[0] += sys->fx[i];
        net[1] += sys->fy[i];
        net[2] += sys->fz[i];
    }
    char text[256];
    snprintf(text, sizeof(text),
             said("the forces %s: %zu atoms have wrong ones, atom %zu is the first"), when,
             found.wrong, (size_t)found.first_wrong);
    check_true(text, found.wrong == 0);
    snprintf(text, sizeof(text), said("the net force %s is (%g, %g, %g) eV/A, not 0"), when, net[0],
             net[1], net[2]);
    check_true(text, fabs(net[0]) <= found.net_bound && fabs(net[1]) <= found.net_bound &&
                         fabs(net[2]) <= found.net_bound);
    if (stride == 1)
    {
        snprintf(text, sizeof(text), said("the potential energy %s is %.9g eV, not %.9g"), when,
                 energies->potential, (double)found.potential);
        check_true(text,
                   fabs(energies->potential - (double)found.potential) <= found.potential_bound);
        snprintf(text, sizeof(text), said("the virial %s is %.9g eV, not %.9g"), when,
                 energies->virial, (double)found.virial);
        check_true(text, fabs(energies->virial - (double)found.virial) <= found.virial_bound);
    }
    const double net_force = fmax(fabs(net[0]), fmax(fabs(net[1]), fabs(net[2])));
    printf(said("forces %s: largest error %.2g eV/A, net force %.2g eV/A\n"), when, found.largest,
           net_force);
}

// The force is the negative gradient of the potential energy. The gradient is computed from the
// energies at two places of an atom, in double. The energy is shifted: without that it jumps where
// a pair crosses the cutoff. With it, it still has a kink there, so such places are left out. The
// force is the same with the shift and without it.
inline void check_gradient(const System *sys, uint64_t seed)
{
    const double h = 1e-4; // A
    Cells cells = create_cells(sys);
    const double at_cutoff = energy_of_pair(CUTOFF * CUTOFF);
    double largest = 0.0;
    bool is_right = true;
    int compared = 0;
    for (int sample = 0; sample < 64; ++sample)
    {
        const int i = random_below(seed + 7, sample, sys->N);
        const Reference reference = find_reference(&cells, sys, i);
        const double force[3] = {sys->fx[i], sys->fy[i], sys->fz[i]};
        for (int d = 0; d < 3; ++d)
        {
            double energy[2] = {};
            bool crosses = false; // a pair may cross the cutoff
            for (int side = 0; side < 2; ++side)
            {
                double place[3] = {sys->x[i], sys->y[i], sys->z[i]};
                place[d] += side == 0 ? -h : h;
                const size_t count =
                    find_near(&cells, i, place[0], place[1], place[2], CUTOFF * CUTOFF);
                for (size_t k = 0; k < count; ++k)
                {
                    const double r2 = cells.near[k].r2;
                    energy[side] += energy_of_pair(r2) - at_cutoff;
                    crosses = crosses || sqrt(r2) > CUTOFF - 3.0 * h;
                }
            }
            if (crosses)
            {
                continue;
            }
            ++compared;
            const double gradient = (energy[1] - energy[0]) / (2.0 * h);
            const double error = fabs(force[d] + gradient);
            is_right = is_right && error <= reference.force_bound + 1e-8;
            largest = fmax(largest, error);
        }
    }
    destroy_cells(&cells);
    check_true("the force is not the negative gradient of the energy", is_right && compared > 0);
    printf(said("forces against the gradient of the energy: largest difference %.2g eV/A\n"),
           largest);
}

// An atom of a perfect crystal: how many others lie within a range of it, the sum of half of the
// energies of these pairs, and the sum of the magnitudes of these halves.
struct LatticeSums
{
    double count, energy, magnitude;
};

// `shift` is subtracted from the energy of each pair.
inline LatticeSums sum_over_lattice(double a, double range, double shift)
{
    const int most = 2 * (int)ceil(range / a);
    LatticeSums sums = {};
    for (int x = -most; x <= most; ++x)
    {
        for (int y = -most; y <= most; ++y)
        {
            for (int z = -most; z <= most; ++z) // in units of a / 2
            {
                const double r2 = (x * x + y * y + z * z) * a * a / 4.0;
                if ((x + y + z) % 2 == 0 && r2 > 0.0 && r2 < range * range)
                {
                    const double half_of_pair = 0.5 * (energy_of_pair(r2) - shift);
                    sums.count += 1.0;
                    sums.energy += half_of_pair;
                    sums.magnitude += fabs(half_of_pair);
                }
            }
        }
    }
    return sums;
}

inline double count_in_lattice(double a, double range)
{
    return sum_over_lattice(a, range, 0.0).count;
}

// Whether a shell of neighbours lies at this distance, but for rounding.
inline bool is_shell(const System *sys, double a, double distance)
{
    const double near = 4.0 * REAL_EPSILON * sys->box.lx;
    return count_in_lattice(a, distance + near) != count_in_lattice(a, distance - near);
}

// Each atom has as many neighbours as a sum over lattice points says: 140 with the book's lattice.
inline void check_crystal_neighbors(const System *sys, double a, NeighborCounts counts)
{
    const double expected = count_in_lattice(a, BOOK_LIST_CUTOFF);
    char text[256];
    snprintf(text, sizeof(text), "an atom of the crystal has %d to %d neighbours, not %g",
             counts.least, counts.most, expected);
    check_true(text, (counts.least == expected && counts.most == expected) ||
                         is_shell(sys, a, BOOK_LIST_CUTOFF));
    check_true("an atom of the book's crystal has 140 neighbours", a != LATTICE || expected == 140);
}

// The same for the energy: -0.0828713 eV with the book's lattice.
inline void check_crystal_energy(const System *sys, double a, double potential)
{
    const LatticeSums sums = sum_over_lattice(a, CUTOFF, sys->energy_shift);
    const double expected = sums.energy, bound = 1e-6 * sums.magnitude;
    char text[256];
    snprintf(text, sizeof(text),
             "the potential energy of the crystal is %.9g eV per atom, not %.9g",
             potential / sys->N, expected);
    check_true(text, fabs(potential / sys->N - expected) <= bound || is_shell(sys, a, CUTOFF));
    check_true("the energy of the book's crystal is -0.0828713 eV per atom",
               a != LATTICE || sys->energy_shift != 0.0 || fabs(expected + 0.0828713) < 1e-7);
}

inline double square(double x) { return x * x; }

// ---- Integration ----

// The state before a step.
struct State
{
    real *x[3], *v[3], *f[3];
};

inline real *copy_of(const real *array, int N)
{
    real *copy = (real *)new_array(N, sizeof(real));
    memcpy(copy, array, N * sizeof(real));
    return copy;
}

// free_state() comes when the copy is no longer needed.
inline State copy_state(const System *sys)
{
    const real *const x[3] = {sys->x, sys->y, sys->z};
    const real *const v[3] = {sys->vx, sys->vy, sys->vz};
    const real *const f[3] = {sys->fx, sys->fy, sys->fz};
    State state;
    for (int d = 0; d < 3; ++d)
    {
        state.x[d] = copy_of(x[d], sys->N);
        state.v[d] = copy_of(v[d], sys->N);
        state.f[d] = copy_of(f[d], sys->N);
    }
    return state;
}

inline void free_state(State *state)
{
    for (int d = 0; d < 3; ++d)
    {
        free(state->x[d]);
        free(state->v[d]);
        free(state->f[d]);
    }
}

// Puts positions and velocities back.
inline void restore_state(System *sys, const State *state)
{
    real *const x[3] = {sys->x, sys->y, sys->z};
    real *const v[3] = {sys->vx, sys->vy, sys->vz};
    for (int d = 0; d < 3; ++d)
    {
        memcpy(x[d], state->x[d], sys->N * sizeof(real));
        memcpy(v[d], state->v[d], sys->N * sizeof(real));
    }
}

// How far a step is from equations 21.26 and 21.27 of the book, with the forces at both its ends.
struct StepError
{
    double x = 0.0, v = 0.0; // the largest errors: in A, and relative to the largest velocity
    bool is_small = true;    // as small as rounding makes them
};

// Component d of the velocity of atom n after a step. half: half a step divided by the mass.
inline double new_velocity(const State *before, const State *after, double half, int d, int n)
{
    return before->v[d][n] + half * ((double)before->f[d][n] + after->f[d][n]);
}

// If the step ended by scaling the velocities, their temperature is T_0. Else T_0 is 0.
inline StepError find_step_error(const System *sys, const State *before, double T_0)
{
    State after = copy_state(sys);
    const double time_step = sys->time_step, half = 0.5 * time_step / sys->mass;
    const double length = sys->box.lx;
    long double v2 = 0.0; // a sum in double would be off by more than the bound below
    double fastest = 0.0;
    for (int d = 0; d < 3; ++d)
    {
        for (int n = 0; n < sys->N; ++n)
        {
            const double v = new_velocity(before, &after, half, d, n);
            v2 += square(v);
            fastest = fmax(fastest, fabs(v));
        }
    }
    const double wanted_v2 = 3.0 * sys->N * K_B * T_0 / sys->mass;
    const double factor = T_0 > 0.0 ? (double)sqrtl(wanted_v2 / v2) : 1.0;
    StepError error;
    for (int d = 0; d < 3; ++d)
    {
        for (int n = 0; n < sys->N; ++n)
        {
            const double v = new_velocity(before, &after, half, d, n);
            const double x =
                before->x[d][n] + time_step * (before->v[d][n] + half * before->f[d][n]);
            const double far_x = after.x[d][n] - x; // it may have been put back into the box
            const double off_x = fabs(far_x - length * floor(far_x / length + 0.5));
            const double off_v = fabs(after.v[d][n] - factor * v) / fastest;
            error.is_small = error.is_small && off_x <= 4.0 * REAL_EPSILON * length &&
                             off_v <= 16.0 * REAL_EPSILON;
            error.x = fmax(error.x, off_x);
            error.v = fmax(error.v, off_v);
        }
    }
    free_state(&after);
    return error;
}

inline void check_step(const System *sys, const State *before, double T_0)
{
    const StepError error = find_step_error(sys, before, T_0);
    char text[256];
    snprintf(text, sizeof(text),
             "after a step%s a position is off by %.3g A, a velocity by %.3g of the largest",
             T_0 > 0.0 ? " that scales the velocities" : "", error.x, error.v);
    check_true(text, error.is_small);
}

// Checks that the atoms are at the places of `other`. These are where another way of doing `steps`
// steps took them or, with 0, where they were sent. The forces of the two ways differ by rounding,
// and by a pair at the cutoff that only one of them takes.
inline void check_same_state(const System *sys, const State *other, int steps)
{
    State state = copy_state(sys);
    const double length = sys->box.lx;
    double largest_x = 0.0, largest_v = 0.0, fastest = 0.0;
    bool is_finite = true;
    for (int d = 0; d < 3; ++d)
    {
        for (int n = 0; n < sys->N; ++n)
        {
            const double x = (double)state.x[d][n] - other->x[d][n];
            const double off_x = fabs(x - length * floor(x / length + 0.5));
            const double off_v = fabs((double)state.v[d][n] - other->v[d][n]);
            is_finite = is_finite && isfinite(off_x) && isfinite(off_v);
            largest_x = fmax(largest_x, off_x);
            largest_v = fmax(largest_v, off_v);
            fastest = fmax(fastest, fabs((double)other->v[d][n]));
        }
    }
    free_state(&state);
    const double bound_v = 1e-3 * fastest;
    const double bound_x = steps * sys->time_step * bound_v + 16.0 * REAL_EPSILON * length;
    char text[256];
    snprintf(text, sizeof(text),
             "after %d steps in two ways a position differs by %.3g A, a velocity by %.3g of "
             "the largest",
             steps, largest_x, largest_v / fastest);
    check_true(text, is_finite && largest_x <= bound_x && largest_v <= bound_v);
}

inline void check_kinetic(const System *sys, double kinetic, const char *when)
{
    double v2 = 0.0;
    for (int n = 0; n < sys->N; ++n)
    {
        v2 += square(sys->vx[n]) + square(sys->vy[n]) + square(sys->vz[n]);
    }
    char text[256];
    snprintf(text, sizeof(text), said("the kinetic energy %s is %.9g eV, not %.9g"), when, kinetic,
             0.5 * sys->mass * v2);
    check_true(text, fabs(kinetic - 0.5 * sys->mass * v2) <= 1e-6 * kinetic);
}

struct Momentum
{
    long double x[3] = {}; // its rounding must be less than that of the velocities
};

inline Momentum momentum_of(const System *sys)
{
    Momentum momentum;
    for (int n = 0; n < sys->N; ++n)
    {
        momentum.x[0] += (long double)sys->mass * sys->vx[n];
        momentum.x[1] += (long double)sys->mass * sys->vy[n];
        momentum.x[2] += (long double)sys->mass * sys->vz[n];
    }
    return momentum;
}

// Checks that the momentum is what it was before so many steps. Each of the two half steps rounds
// each velocity, so the momentum does a random walk. The scaling of an equilibration also scales
// the momentum that was there before.
inline void check_momentum(const Options *options, const System *sys, double kinetic,
                           const Momentum *before, size_t steps, const char *when)
{
    const Momentum now = momentum_of(sys);
    const double of_atom = sqrt(2.0 * kinetic * sys->mass / sys->N);
    const double bound = 20.0 * REAL_EPSILON * of_atom * sqrt(sys->N * (2.0 * steps + 4.0));
    double largest = 0.0, scaled = 0.0;
    for (int d = 0; d < 3; ++d)
    {
        largest = fmax(largest, (double)fabsl(now.x[d] - before->x[d]));
        scaled = fmax(scaled, (double)fabsl(before->x[d]));
    }
    char text[256];
    snprintf(text, sizeof(text), said("the total momentum %s is off by %.3g times that of an atom"),
             when, largest / of_atom);
    check_true(text, largest <= bound + (options->equilibration > 0 ? scaled : 0.0));
    printf(said("total momentum %s: off by %.2g times that of an atom\n"), when, largest / of_atom);
}

// The pairs within the cutoff. Of more than 300000 atoms, some are looked at, spread over all.
inline double count_pairs(const System *sys)
{
    Cells cells = create_cells(sys);
    const int stride = 1 + sys->N / 300001;
    size_t found = 0, looked_at = 0;
    for (int i = 0; i < sys->N; i += stride)
    {
        ++looked_at;
        found += find_near(&cells, i, sys->x[i], sys->y[i], sys->z[i], CUTOFF * CUTOFF);
    }
    destroy_cells(&cells);
    return 0.5 * (double)found / (double)looked_at * sys->N;
}
