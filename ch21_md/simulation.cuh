// What all versions of the program share: what a simulation is made of, and the prototypes of the
// stages. ljmd-cpu includes the stages of neighbor_host.cuh, force_host.cuh and integrate_host.cuh,
// and ljmd those of neighbor_device.cuh, force_device.cuh and integrate_device.cuh. ljmd-force
// takes the first two of the device and integrates on the host. The other programs have stages of
// their own.
#pragma once
#include "../common/args.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "host_arrays.cuh"
#include "physics.cuh"

// What the time of the production is spent on.
enum Phase
{
    FORCE,
    INTEGRATION,
    NEIGHBORS,
    OTHER,
    NUM_PHASES
};

struct Arrays; // a version's own arrays, such as those on the device

// The atoms and their box: what the stages work on. initialize_system() and create_system() make it
// as the options say.
struct System
{
    Box box = {};
    int N = 0;                 // atoms
    real mass = MASS;          // amu
    real time_step = 0;        // in our unit
    double energy_shift = 0.0; // with --shift, U(r) at the cutoff

    // Of the neighbour list: see Options.
    double list_cutoff = 0.0, short_list_cutoff = 0.0;
    size_t MN = 0;

    // The atoms on the host, in a fixed order: positions, velocities, forces, and each atom's part
    // of the potential energy and of the virial.
    real *x = NULL, *y = NULL, *z = NULL;
    real *vx = NULL, *vy = NULL, *vz = NULL;
    real *fx = NULL, *fy = NULL, *fz = NULL;
    real *pe = NULL, *virial = NULL;
    Arrays *arrays = NULL;

    bool has_exploded = false; // noted by ljmd-fast and ljmd-multi
    bool never_wraps = false;  // in their check: see check_ways() in fast_steps.cuh
};

// What is counted and timed while the program runs.
struct Statistics
{
    size_t step = 0;              // of the production, so far
    double energy_at_start = NAN; // kinetic and potential energy at step 0 of the production

    bool is_last_step = false;        // before the host looks: see begin_phase
    double phase_ms[NUM_PHASES] = {}; // of the production
    size_t num_builds = 0;            // of the neighbour list
    size_t num_short_lists = 0;       // made in ljmd-fast and ljmd-multi
    size_t list_steps = 0;            // that the list has served ...
    size_t last_list_steps = 32;      // ... and the list before; at the start a guess
};

struct Energies
{
    double kinetic, potential; // eV, of all atoms
    double virial;             // eV: the sum of r.F over all pairs
};

// ---- The stages ----

// Memory that the version takes in addition to the host's arrays above.
void count_bytes(const System *sys, double *on_host, double *on_device);

void create_arrays(System *sys);
void destroy_arrays(System *sys);

// The host's positions and velocities are new. Takes them to where the next stages work.
void send(System *sys);

// Brings all arrays above to the host.
void fetch(System *sys);

// Makes the neighbour list for the host's positions. send() or fetch() comes before it.
void find_neighbor(System *sys);

// The fewest and the most neighbours that an atom has.
struct NeighborCounts
{
    int least, most;
};
NeighborCounts count_neighbors(System *sys);

inline NeighborCounts range_of(const int *counts, int N)
{
    NeighborCounts range = {counts[0], counts[0]};
    for (int n = 1; n < N; ++n)
    {
        range.least = counts[n] < range.least ? counts[n] : range.least;
        range.most = counts[n] > range.most ? counts[n] : range.most;
    }
    return range;
}

// How many pairs within the cutoff are not in the list. fetch() comes before it.
size_t count_missing(System *sys);

// Whether there is such a pair now. Its two atoms were farther apart than the list reaches when the
// list was made, and they are within the cutoff now. So one of them has moved by half the skin,
// which is how far the list reaches beyond the cutoff. Few atoms have moved so far, so looking at
// them alone takes little time.
bool lacks_pairs(System *sys);

// Whether a step is integrated on the host. Then it needs the forces there.
bool integrates_on_host(void);

// The forces on all atoms, their potential energies, and their parts of the virial.
void find_force(System *sys);

// Half a step of velocity Verlet. The first half moves the atoms, too.
enum Half
{
    FIRST_HALF,
    SECOND_HALF
};
void integrate(System *sys, Half half);

// Multiplies all velocities by one factor, so that the temperature becomes T_0.
void scale_velocity(System *sys, double T_0);

// Adds up the energies of all atoms, in double and in a fixed order.
Energies measure(System *sys);

// Whole steps of velocity Verlet. In the equilibration the velocities are scaled after each.
// ljmd-fast and ljmd-multi note their lists and times in `statistics`.
void equilibration(System *sys, Statistics *statistics, double T_0, size_t steps);
void production(System *sys, Statistics *statistics, size_t steps);

// The phases of a step: begin_phase ends the phase before it. end_phases comes after so many steps,
// when the host looks.
void begin_phase(Statistics *statistics, Phase phase);
void end_phases(Statistics *statistics, size_t steps);

// Whether the phases of every step are timed. If not, those of one step in many are.
bool times_every_step(void);

// ---- Set by Ctrl-C and by kill ----

inline volatile int g_interrupted = 0; // the number of the signal
