// The options of all programs of the chapter: what they are, and what follows from them.
#pragma once
#include "../common/args.cuh"
#include "../common/options.cuh"
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

// What a program, its command line and a restart file say of a run. open_run() completes this, and
// nothing changes it after that.
struct Options
{
    // What the program says.
    bool makes_new_lists = false; // when the atoms have moved; else one list serves all steps
    int atoms_of_list = 1;        // that share a list
    bool is_silent = false;       // not the first of several processes: it writes nothing

    // What the command line says.
    size_t nx = default_size(10, 5);                // cubic cells in each direction
    size_t equilibration = default_size(1000, 100); // steps
    size_t steps = SIZE_MAX;                        // of the production; SIZE_MAX: as many
    size_t interval = 100;                          // steps from one line of energies to the next
    size_t checkpoint = 0;           // steps from one restart file to the next; 0: one at the end
    double list_cutoff = 12.2;       // A: pairs up to this distance are in the list
    double short_list_cutoff = 11.0; // A: of the list that ljmd-fast and ljmd-multi take from it
    size_t MN = 256;                 // room for the neighbours of an atom
    double temperature = 60.0;       // K
    double density = DENSITY;        // g/cm^3
    double time_step_fs = 5.0;       //
    bool shift = false;              // the pair energy is zero at the cutoff
    bool xyz = false;                // write the trajectory
    const char *restart = "";        // file to go on from
    uint64_t seed = 1;               //
};

// The density of a crystal whose cubic cells have this edge.
inline double density_of(double lattice)
{
    const double ratio = LATTICE / lattice;
    return DENSITY * ratio * ratio * ratio;
}

// The edge of a cubic cell at the density that was asked for.
inline double lattice_of(const Options *options)
{
    return LATTICE * cbrt(DENSITY / options->density);
}

inline void read_options(Options *options, int argc, char **argv, const char *usage,
                         const char *about)
{
    double lattice = LATTICE;
    add_real("temperature", &options->temperature, TEMPERATURES[0], TEMPERATURES[1], "in K");
    add_real("density", &options->density, DENSITIES[0], DENSITIES[1], "in g/cm^3");
    add_real("lattice", &lattice, LATTICES[0], LATTICES[1],
             "instead of --density: the edge of a cubic cell, in A");
    add_real("dt", &options->time_step_fs, TIME_STEPS[0], TIME_STEPS[1], "time step in fs");
    add_number("steps", &options->steps, 0, MOST_STEPS, "of the production, if not NE");
    add_number("interval", &options->interval, 1, MOST_STEPS, "steps between lines of energies");
    if (options->makes_new_lists)
    {
        add_real("list", &options->list_cutoff, LISTS[0], LISTS[1],
                 "in A: pairs up to this distance are in the list; 14.6 with NX from 80 on");
        add_real("short-list", &options->short_list_cutoff, LISTS[0], LISTS[1],
                 "in A: those up to this distance are in the short list");
    }
    else
    {
        add_real("list", &options->list_cutoff, LISTS[0], LISTS[1],
                 "in A: pairs up to this distance are in the list; the book: 11");
        add_number("mn", &options->MN, 1, 100000, "room for an atom's neighbours");
    }
    add_flag("shift", &options->shift, "the pair energy is zero at the cutoff");
    add_flag("xyz", &options->xyz, "write a trajectory, a frame every interval");
    add_number("checkpoint", &options->checkpoint, 0, MOST_STEPS,
               "steps between restart files; 0: one at the end, with -o");
    add_text(
        "restart", &options->restart,
        "a restart file to go on from; with --temperature, --dt or NE a production begins anew",
        "FILE");
    add_positional("NX", &options->nx, 1, MOST_CELLS, "cubic cells of 4 atoms in each direction");
    add_positional("NE", &options->equilibration, 0, MOST_STEPS, "steps of the equilibration");
    // What is wrong with the options or a restart file is found before the device is asked.
    const bool uses_device = args.uses_device;
    args.uses_device = false;
    parse_args(argc, argv, usage, about);
    args.uses_device = uses_device;
    if (is_given("lattice") && is_given("density"))
    {
        usage_error("--lattice and --density say the same thing; leave one of them out");
    }
    if (is_given("lattice"))
    {
        options->density = density_of(lattice);
    }
    options->seed = args.seed;
}

// What the options leave open: the numbers of steps, and how far the list reaches.
inline void complete_options(Options *options, bool restarts)
{
    if (options->steps == SIZE_MAX)
    {
        options->steps = options->equilibration;
    }
    if (restarts && !is_given("NE") && !is_given("temperature"))
    {
        options->equilibration = 0;
    }
    if (options->makes_new_lists && !restarts && !is_given("list"))
    {
        // The more atoms, the farther the fastest one moves. With 13.8 A, 10 million atoms at 60 K
        // made 6 lists in 400 steps. With 14.6 A, 20 million atoms made none.
        if (options->nx >= 80)
        {
            options->list_cutoff = 14.6;
        }
        // A list that is half a box long at most; but at 13 A a small box is refused.
        const double length = options->nx * lattice_of(options);
        options->list_cutoff = fmin(options->list_cutoff, fmax(length / 2.0, 13.0));
    }
}

// Of the images of a pair, one at most is nearer than half a box, and apply_mic() finds it. So the
// list may reach half a box.
inline void require_long_box(const Options *options, bool restarts)
{
    const double a = lattice_of(options), length = options->nx * a;
    const double range = fmax(options->list_cutoff, BOOK_LIST_CUTOFF);
    if (length < 2.0 * range && restarts)
    {
        usage_error("a box of %.4g A is too small for a list up to %g A: --list %g at most", length,
                    range, floor(50.0 * length) / 100.0);
    }
    if (length < 2.0 * range)
    {
        usage_error("a box of %.4g A is too small for a list up to %g A: NX must be %.0f or more",
                    length, range, ceil(2.0 * range / a));
    }
}
