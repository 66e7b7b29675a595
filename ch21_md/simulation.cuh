// What all versions of the program share: the state of a simulation, and the prototypes of the
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

const double BOOK_LIST_CUTOFF = 11.0;       // A: the book's list has the pairs up to this distance
const size_t MOST_STEPS = 1000000000000000; // 10^15
const size_t MOST_CELLS = 800; // in each direction: 4 * 800^3 atoms can be counted by an int

// What the options take, and what the header of a restart file may say: from, to.
const double TEMPERATURES[2] = {1e-3, 1e5}; // K
const double DENSITIES[2] = {1e-2, 10.0};   // g/cm^3
const double LATTICES[2] = {1.0, 100.0};    // A
const double TIME_STEPS[2] = {1e-4, 1e3};   // fs
const double LISTS[2] = {CUTOFF, 100.0};    // A

inline bool is_within(const double limits[2], double value) // false for NaN
{
    return value >= limits[0] && value <= limits[1];
}

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

struct Simulation
{
    bool makes_new_lists = false; // when the atoms have moved; else one list serves all steps
    int atoms_of_list = 1;        // that share a list

    // What the command line says.
    size_t nx = default_size(10, 5);                // cubic cells in each direction
    size_t equilibration = default_size(1000, 100); // steps
    size_t steps = SIZE_MAX;                        // of the production; SIZE_MAX: as many
    size_t interval = 100;                          // steps from one line of energies to the next
    size_t checkpoint = 0;           // steps from one restart file to the next; 0: one at the end
    double list_cutoff = 12.2;       // A: pairs up to this distance are in the list
    double short_list_cutoff = 11.0; // A: of the list that ljmd-fast and ljmd-multi take from it
    size_t MN = 256;                 // room for the neighbours of an atom
    bool is_silent = false;          // not the first of several processes: it writes nothing
    double temperature = 60.0;       // K
    double density = DENSITY;        // g/cm^3
    double time_step_fs = 5.0;       //
    bool shift = false;              // the pair energy is zero at the cutoff
    bool xyz = false;                // write the trajectory
    const char *restart = "";        // file to go on from
    int block_size = 128;            //
    uint64_t seed = 1;               //

    // The physics.
    double energy_shift = 0.0; // with --shift, U(r) at the cutoff
    Box box = {};
    int N = 0;                    // atoms
    real mass = MASS;             //
    real time_step = 0;           // in our unit
    size_t step = 0;              // of the production, so far
    double energy_at_start = NAN; // kinetic and potential energy at step 0 of the production

    // The atoms on the host, in a fixed order: positions, velocities, forces, and each atom's part
    // of the potential energy and of the virial.
    real *x = NULL, *y = NULL, *z = NULL;
    real *vx = NULL, *vy = NULL, *vz = NULL;
    real *fx = NULL, *fy = NULL, *fz = NULL;
    real *pe = NULL, *virial = NULL;
    Arrays *arrays = NULL;

    bool is_last_step = false;        // before the host looks: see begin_phase
    double phase_ms[NUM_PHASES] = {}; // of the production
    size_t num_builds = 0;            // of the neighbour list
    size_t num_short_lists = 0;       // made in ljmd-fast and ljmd-multi
    size_t list_steps = 0;            // that their list has served ...
    size_t last_list_steps = 32;      // ... and the list before; at the start a guess
    bool has_exploded = false;        // noted by them
};

struct Energies
{
    double kinetic, potential; // eV, of all atoms
    double virial;             // eV: the sum of r.F over all pairs
};

// ---- The stages ----

// Memory that the version takes in addition to the host's arrays above.
void count_bytes(const Simulation *sim, double *on_host, double *on_device);

void create_arrays(Simulation *sim);
void destroy_arrays(Simulation *sim);

// The host's positions and velocities are new. Takes them to where the next stages work.
void send(Simulation *sim);

// Brings all arrays above to the host.
void fetch(Simulation *sim);

// Makes the neighbour list for the host's positions. send() or fetch() comes before it.
void find_neighbor(Simulation *sim);

// The fewest and the most neighbours that an atom has.
struct NeighborCounts
{
    int least, most;
};
NeighborCounts count_neighbors(Simulation *sim);

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
size_t count_missing(Simulation *sim);

// Whether there is such a pair now. Its two atoms were farther apart than the list reaches when the
// list was made, and they are within the cutoff now. So one of them has moved by half the skin,
// which is how far the list reaches beyond the cutoff. Few atoms have moved so far, so looking at
// them alone takes little time.
bool lacks_pairs(Simulation *sim);

// Whether a step is integrated on the host. Then it needs the forces there.
bool integrates_on_host(void);

// The forces on all atoms, their potential energies, and their parts of the virial.
void find_force(Simulation *sim);

// Half a step of velocity Verlet. The first half moves the atoms, too.
enum Half
{
    FIRST_HALF,
    SECOND_HALF
};
void integrate(Simulation *sim, Half half);

// Multiplies all velocities by one factor, so that the temperature becomes sim->temperature.
void scale_velocity(Simulation *sim);

// Adds up the energies of all atoms, in double and in a fixed order.
Energies measure(Simulation *sim);

// Whole steps of velocity Verlet. In the equilibration the velocities are scaled after each.
void equilibration(Simulation *sim, size_t steps);
void production(Simulation *sim, size_t steps);

// The phases of a step: begin_phase ends the phase before it. end_phases comes after so many steps,
// when the host looks.
void begin_phase(Simulation *sim, Phase phase);
void end_phases(Simulation *sim, size_t steps);

// Whether the phases of every step are timed. If not, those of one step in many are.
bool times_every_step(void);

// ---- Set by Ctrl-C and by kill ----

inline volatile int g_interrupted = 0; // the number of the signal
