// The parts that all programs share: the command line, the checks before the first step and after
// the last one, and all output. It knows the stages by their prototypes only.
#pragma once
#include <signal.h>
#include "../common/card.cuh"
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/timing.cuh"
#include "checks.cuh"
#include "files.cuh"
#include "initialize.cuh"
#include "simulation.cuh"

const size_t STEPS_TO_LOOK = 100; // so often, at least, a list that was made once is looked at

// A run of a program, with what it knows of its equilibration or its production.
struct Run
{
    Simulation *sim;
    Files files;
    FILE *restart = NULL;   // the file that --restart names
    bool goes_on = false;   // a production that another run has begun
    size_t first_step = 0;  // of this run's production
    Momentum momentum = {}; // at the start
    Energies energies = {}; // at the last look that measured them

    bool writes_output = false;  // in the production
    const char *part = "";       // of the run: "equilibration" or "production"
    size_t done = 0, last = 0;   // steps
    size_t steps_until_look = 0; // from one look to the next; 0: there are none left
    size_t steps_since_look = 0; // how many of these are done
    double start_ms = 0.0, shown_ms = 0.0;

    State before = {};                     // where the equilibration begins: see begin_step()
    bool is_right_step = true;             // as far as end_step() has compared it
    double conserved = NAN, kinetic = NAN; // where the production begins: see check_conservation
};

inline void read_options(Simulation *sim, int argc, char **argv, const char *usage,
                         const char *about)
{
    double lattice = LATTICE;
    add_real("temperature", &sim->temperature, TEMPERATURES[0], TEMPERATURES[1], "in K");
    add_real("density", &sim->density, DENSITIES[0], DENSITIES[1], "in g/cm^3");
    add_real("lattice", &lattice, LATTICES[0], LATTICES[1],
             "instead of --density: the edge of a cubic cell, in A");
    add_real("dt", &sim->time_step_fs, TIME_STEPS[0], TIME_STEPS[1], "time step in fs");
    add_number("steps", &sim->steps, 0, MOST_STEPS, "of the production, if not NE");
    add_number("interval", &sim->interval, 1, MOST_STEPS, "steps between lines of energies");
    if (sim->makes_new_lists)
    {
        add_real("list", &sim->list_cutoff, LISTS[0], LISTS[1],
                 "in A: pairs up to this distance are in the list; 14.6 with NX from 80 on");
        add_real("short-list", &sim->short_list_cutoff, LISTS[0], LISTS[1],
                 "in A: those up to this distance are in the short list");
    }
    else
    {
        add_real("list", &sim->list_cutoff, LISTS[0], LISTS[1],
                 "in A: pairs up to this distance are in the list; the book: 11");
        add_number("mn", &sim->MN, 1, 100000, "room for an atom's neighbours");
    }
    add_flag("shift", &sim->shift, "the pair energy is zero at the cutoff");
    add_flag("xyz", &sim->xyz, "write a trajectory, a frame every interval");
    add_number("checkpoint", &sim->checkpoint, 0, MOST_STEPS,
               "steps between restart files; 0: one at the end, with -o");
    add_text(
        "restart", &sim->restart,
        "a restart file to go on from; with --temperature, --dt or NE a production begins anew",
        "FILE");
    add_positional("NX", &sim->nx, 1, MOST_CELLS, "cubic cells of 4 atoms in each direction");
    add_positional("NE", &sim->equilibration, 0, MOST_STEPS, "steps of the equilibration");
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
        sim->density = density_of(lattice);
    }
    sim->block_size = (int)args.block_x;
    sim->seed = args.seed;
}

// ---- Ctrl-C ----

// The loop over steps looks at g_interrupted. So the first signal ends the program after a whole
// step, and no line is cut. The third one ends it at once. (`timeout` sends two.)
inline void note_signal(int number)
{
    static volatile sig_atomic_t count = 0;
    count = count + 1;
    g_interrupted = number;
    if (count == 3)
    {
        remove_temporaries_on(number);
    }
}

inline void catch_signal(int number)
{
    if (signal(number, note_signal) == SIG_IGN) // by nohup
    {
        signal(number, SIG_IGN);
    }
}

inline void catch_signals(void)
{
    prepare_removal();
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

inline void stop_if_interrupted(void)
{
    if (g_interrupted)
    {
        fflush(stdout);
        fprintf(stderr, "%s: stopped by signal %d; what was written can be read\n", args.program,
                g_interrupted);
        remove_temporaries();
        signal(g_interrupted, SIG_DFL);
        raise(g_interrupted);
    }
}

// ---- Pieces of the run ----

// Ends the program with status 1: the simulation itself has failed.
inline void give_up(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_error(args.program, format, values);
    va_end(values);
    fprintf(stderr, "\n");
    exit(1);
}

// Room for so many neighbours of an atom is enough. A crystal has its list made twice: at its own
// places, and for the check after each atom was moved by up to 0.1 A in each direction. So no pair
// comes nearer by more than 0.35 A. Atoms of a restart file move on before the next list is made,
// so that list may be longer.
inline size_t enough_room(const Simulation *sim, bool is_crystal, int most)
{
    return is_crystal ? (size_t)count_in_lattice(lattice_of(sim), sim->list_cutoff + 0.35)
                      : (size_t)most + most / 4;
}

inline void require_mn(const Simulation *sim, bool is_crystal, int most)
{
    if (!sim->makes_new_lists && (size_t)most > sim->MN)
    {
        usage_error("--mn %zu is too little: an atom has %d neighbours up to %g A; --mn %zu is "
                    "enough",
                    sim->MN, most, sim->list_cutoff, enough_room(sim, is_crystal, most));
    }
}

// The list and the forces for the host's positions.
inline void find_neighbor_and_force(Simulation *sim, bool is_crystal)
{
    const double start = host_clock();
    find_neighbor(sim);
    const NeighborCounts counts = count_neighbors(sim);
    sim->phase_ms[NEIGHBORS] += host_clock() - start;
    require_mn(sim, is_crystal, counts.most);
    find_force(sim);
}

inline void give_up_exploded(const char *part, size_t step)
{
    give_up("the system has exploded by step %zu of the %s; try a smaller --dt", step, part);
}

inline Energies measure_or_give_up(Simulation *sim, const char *part, size_t step)
{
    const Energies energies = measure(sim);
    const double temperature = temperature_of(energies.kinetic, sim->N);
    if (!(temperature < 1e6 && isfinite(energies.potential) && isfinite(energies.virial)))
    {
        give_up_exploded(part, step);
    }
    return energies;
}

// fetch(), and a look at the positions. If one is no number or far too large, the run ends here,
// because the checks could not find the atom's cell.
inline void fetch_or_give_up(Simulation *sim)
{
    fetch(sim);
    const double most = 1000.0 * sim->box.lx;
    for (int n = 0; n < sim->N; ++n)
    {
        if (!(fabs(sim->x[n]) < most && fabs(sim->y[n]) < most && fabs(sim->z[n]) < most))
        {
            give_up_exploded("production", sim->step);
        }
    }
}

// A line on stderr every five seconds.
inline void show_progress(Run *run)
{
    const Simulation *sim = run->sim;
    const double now = host_clock();
    if (now - run->shown_ms > 5000.0 && !sim->is_silent)
    {
        const double ms_per_step = (now - run->start_ms) / (double)run->done;
        fflush(stdout);
        fprintf(stderr, "%s: %s, step %zu of %zu, %.4g million atom-steps/s, %.0f s left\n",
                args.program, run->part, run->done, run->last, sim->N * 1e-3 / ms_per_step,
                (double)(run->last - run->done) * ms_per_step * 1e-3);
        run->shown_ms = now;
    }
}

// Checks that the list has all pairs within the cutoff.
inline bool check_list(Simulation *sim)
{
    const size_t missing = count_missing(sim);
    char text[256];
    snprintf(text, sizeof(text), "%zu pairs within the cutoff are not in the neighbour list%s",
             missing, sim->makes_new_lists ? "" : ", which was made once; try a larger --list");
    return check_true(text, missing == 0);
}

// The velocities of a system in equilibrium have Maxwell's distribution. Five picoseconds are more
// than a solid takes to forget how the velocities began. A right distribution gives more than 70
// once in ten million times.
inline double check_velocities(const Simulation *sim, double kinetic)
{
    const double chi_square = maxwell_chi_square(sim, kinetic);
    const double time_fs = (double)(sim->equilibration + sim->step) * sim->time_step_fs;
    char text[256];
    snprintf(text, sizeof(text),
             "chi-square of the velocities against Maxwell's distribution is %.4g in %d bins",
             chi_square, MAXWELL_BINS);
    check_true(text, time_fs < 5000.0 || chi_square < 70.0);
    return chi_square;
}

// If the list was made once, atoms that were far apart may have come together since, and the list
// lacks their pair. The forces are wrong from then on, so the run ends here.
inline void give_up_if_list_lacks_pairs(const Run *run)
{
    if (lacks_pairs(run->sim))
    {
        give_up(
            "by step %zu of the %s pairs within the cutoff are not in the neighbour list, which "
            "was made once; try a larger --list, a smaller --dt, or ljmd-fast, which makes its "
            "list anew",
            run->done, run->part);
    }
}

// The total energy without the jumps that it makes when a pair crosses the cutoff: with --shift
// there are none.
inline double conserved_energy(const Simulation *sim, const Energies *energies)
{
    const double of_pair = sim->shift ? 0.0 : energy_of_pair(CUTOFF * CUTOFF);
    return energies->kinetic + energies->potential - of_pair * count_pairs(sim);
}

// Velocity Verlet keeps the energy but for an error proportional to dt^2. In units of the kinetic
// energy, with --shift, in double, with 500 atoms and dt in fs, the largest error of all steps was:
//
//     a solid at 60 K, 6 ps     2e-6 dt^2 to 3.5e-6 dt^2 up to dt = 50, where it is 0.8 %
//                               60: 2.5 %; 75: 20 %; 80 and more: the system explodes
//     a melt at 400 K, 4 ps     6e-6 dt^2 to 10e-6 dt^2 up to dt = 20, where it is 0.4 %
//                               30: 3.1 %; 40 and more: the system explodes
//
// Where the error is more than 1 %, it does not follow dt^2 and grows with each step: the system
// heats up by itself. At a given step, the error is about half of the largest. The end is the only
// step that is looked at, so the warning is from 0.5 % on. With 10 % of the kinetic energy the
// temperature is not the one that was asked for: such a run is wrong.
const double WARN_FROM = 0.005, FAIL_FROM = 0.1;

inline void check_conservation(const Run *run)
{
    const Simulation *sim = run->sim;
    const double conserved = conserved_energy(sim, &run->energies);
    const double kinetic = fmin(run->kinetic, run->energies.kinetic);
    const double rounding = 4.0 * REAL_EPSILON * fabs(run->energies.potential);
    const double drift = (fabs(conserved - run->conserved) - rounding) / kinetic;
    char text[256];
    snprintf(text, sizeof(text),
             "the total energy has changed by %.2g %% of the kinetic energy; try a smaller --dt",
             100.0 * drift);
    check_true(text, drift <= FAIL_FROM);
    printf(said("total energy at the end: off by %.2g %% of the kinetic energy\n"),
           100.0 * fmax(drift, 0.0));
    if (drift > WARN_FROM && drift <= FAIL_FROM && !sim->is_silent)
    {
        fflush(stdout);
        fprintf(stderr, "%s: warning: %s\n", args.program, text);
    }
}

// ---- The checks before the first step ----

// The neighbours up to the book's 11 A, at the start.
inline void count_book_neighbors(Simulation *sim, double a)
{
    const double list_cutoff = sim->list_cutoff;
    sim->list_cutoff = BOOK_LIST_CUTOFF;
    send(sim);
    find_neighbor(sim);
    const NeighborCounts counts = count_neighbors(sim);
    check_crystal_neighbors(sim, a, counts);
    printf(said("at the start: %d neighbours of each atom up to %g A\n"), counts.most,
           sim->list_cutoff);
    sim->list_cutoff = list_cutoff;
    sim->num_builds = 0;
}

// Checks count_missing with a list that is too short: the number of pairs that it lacks is known.
// If a cluster of atoms shares a list, this list has all atoms of the cluster, at any distance. So
// it is then made so short that it has no others.
inline void check_count_missing(Simulation *sim, double a)
{
    const double list_cutoff = sim->list_cutoff;
    const double too_short = (sim->atoms_of_list == 1 ? 0.8 : 0.1) * CUTOFF;
    const double within = count_in_lattice(a, CUTOFF), others = sim->atoms_of_list - 1;
    const double lacking = // of an atom
        fmax(0.0, within - count_in_lattice(a, too_short) - others);
    sim->list_cutoff = too_short;
    send(sim);
    find_neighbor(sim);
    find_force(sim);
    const size_t missing = count_missing(sim);
    char text[256];
    snprintf(text, sizeof(text), "%zu pairs are found missing from a list up to %g A, not %g",
             missing, too_short, lacking / 2 * sim->N);
    const bool is_at_shell = is_shell(sim, a, CUTOFF) || is_shell(sim, a, too_short);
    check_true(text, (double)missing == lacking / 2 * sim->N || is_at_shell);
    if (!sim->makes_new_lists) // the atoms have moved farther than 0 A, half of no skin
    {
        sim->list_cutoff = CUTOFF;
        check_true("a list that is too short lacks pairs", lacks_pairs(sim) == (missing > 0));
    }
    sim->list_cutoff = list_cutoff;
}

// Does three steps one by one, and then the same three at once, after the list was made twice. Each
// atom must come to the same place.
inline void check_steps_at_once(Simulation *sim)
{
    State before = copy_state(sim);
    for (int step = 0; step < 3; ++step)
    {
        production(sim, 1);
    }
    fetch(sim);
    State one_by_one = copy_state(sim);
    restore_state(sim, &before);
    send(sim);
    find_neighbor(sim);
    find_neighbor_and_force(sim, true);
    production(sim, 3);
    stop_if_interrupted();
    measure_or_give_up(sim, "check of the integration", 3);
    fetch(sim);
    check_same_state(sim, &one_by_one, 3);
    free_state(&before);
    free_state(&one_by_one);
}

// Moves each atom by up to 0.1 A in each direction.
inline void move_at_random(Simulation *sim)
{
    real *const x[3] = {sim->x, sim->y, sim->z};
    for (int n = 0; n < sim->N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            const double random = random_unit(sim->seed + 1, (uint64_t)n * 3 + d);
            x[d][n] += (real)(0.2 * random - 0.1);
        }
    }
}

// Compares one step from here with the equations of motion.
inline void check_one_step(Simulation *sim, bool is_scaled)
{
    State before = copy_state(sim);
    if (is_scaled)
    {
        equilibration(sim, 1);
    }
    else
    {
        production(sim, 1);
    }
    stop_if_interrupted();
    const Energies after = measure_or_give_up(sim, "check of the integration", 1);
    fetch(sim);
    check_step(sim, &before, is_scaled);
    check_kinetic(sim, after.kinetic, is_scaled ? "after a scaled step" : "after a step");
    free_state(&before);
}

// Each stage by itself. At the start of a crystal there is no force on any atom. So the forces are
// also compared after each atom was moved at random. Two steps from there are compared with the
// equations of motion.
inline void check_start(Run *run)
{
    Simulation *sim = run->sim;
    const double a = lattice_of(sim);
    require_mn(sim, true, (int)count_in_lattice(a, sim->list_cutoff));
    count_book_neighbors(sim, a);
    if (sim->makes_new_lists || sim->N <= 40000) // else it takes a time proportional to N^2
    {
        check_count_missing(sim, a);
    }
    State crystal = copy_state(sim);
    move_at_random(sim);
    State sent = copy_state(sim);
    send(sim);
    find_neighbor_and_force(sim, true);
    fetch(sim);
    check_same_state(sim, &sent, 0);
    free_state(&sent);
    const Energies energies = measure(sim);
    check_forces(sim, &energies, said("after a random shift of all atoms"));
    check_gradient(sim);
    check_one_step(sim, false);
    check_one_step(sim, true);
    if (sim->makes_new_lists)
    {
        check_steps_at_once(sim);
    }
    restore_state(sim, &crystal);
    free_state(&crystal);
    sim->num_builds = 0;
}

// ---- The whole, in the order of main ----

// Takes over what a restart file says. Then: how large is the system, how much memory does it take,
// which files does it write?
inline void open_run(Run *run, Simulation *sim)
{
    run->sim = sim;
    run->restart = *sim->restart != '\0' ? open_restart(sim, &run->goes_on) : NULL;
    if (sim->steps == SIZE_MAX)
    {
        sim->steps = sim->equilibration;
    }
    if (run->restart != NULL && !is_given("NE") && !is_given("temperature"))
    {
        sim->equilibration = 0;
    }
    const double a = lattice_of(sim);
    if (sim->makes_new_lists && run->restart == NULL && !is_given("list"))
    {
        // The more atoms, the farther the fastest one moves. With 13.8 A, 10 million atoms at 60 K
        // made 6 lists in 400 steps. With 14.6 A, 20 million atoms made none.
        if (sim->nx >= 80)
        {
            sim->list_cutoff = 14.6;
        }
        // A list that is half a box long at most; but at 13 A a small box is refused.
        sim->list_cutoff = fmin(sim->list_cutoff, fmax(sim->nx * a / 2.0, 13.0));
    }
    const double range = fmax(sim->list_cutoff, BOOK_LIST_CUTOFF), length = sim->nx * a;
    if (length < 2.0 * range && run->restart != NULL)
    {
        usage_error("a box of %.4g A is too small for a list up to %g A: --list %g at most", length,
                    range, floor(50.0 * length) / 100.0);
    }
    if (length < 2.0 * range)
    {
        usage_error("a box of %.4g A is too small for a list up to %g A: NX must be %.0f or more",
                    length, range, ceil(2.0 * range / a));
    }
    initialize_box(sim);
    sim->energy_shift = sim->shift ? energy_of_pair(CUTOFF * CUTOFF) : 0.0;
    sim->time_step = (real)(sim->time_step_fs / TIME_UNIT_CONVERSION);
    double on_host, on_device;
    count_bytes(sim, &on_host, &on_device);
    // The arrays, three copies of the state, the cells of the checks, a frame of the trajectory.
    on_host += sim->N * ((11.0 + 3.0 * 9.0) * sizeof(real) + 3.0 * sizeof(double) +
                         2.0 * sizeof(int) + (sim->xyz ? 40.0 : 0.0));
    require_memory(on_host, on_device);
    open_files(&run->files, sim);
    catch_signals();
    if (args.uses_device)
    {
        print_device();
    }
    printf(said("%d atoms, a box of %.6g A, %g K, %.6g g/cm^3, %g fs, seed %zu, %s\n"), sim->N,
           (double)sim->box.lx, sim->temperature, sim->density, sim->time_step_fs,
           (size_t)sim->seed, REAL_NAME);
}

// The list and the forces that the first step begins with. All is compared with the reference.
inline void find_first_forces(Run *run)
{
    Simulation *sim = run->sim;
    const bool is_new = run->restart == NULL;
    const double a = lattice_of(sim);
    send(sim);
    memset(sim->phase_ms, 0, sizeof(sim->phase_ms));
    find_neighbor_and_force(sim, is_new);
    printf(said("the neighbour list: up to %g A, %d neighbours, made in %.4g s\n"),
           sim->list_cutoff, count_neighbors(sim).most, sim->phase_ms[NEIGHBORS] * 1e-3);
    const Energies energies = measure_or_give_up(sim, "start", 0);
    fetch(sim);
    check_forces(sim, &energies, said("at the start"));
    run->momentum = momentum_of(sim);
    check_kinetic(sim, energies.kinetic, said("at the start"));
    if (is_new)
    {
        const Momentum none = {};
        check_momentum(sim, energies.kinetic, &none, 0, said("at the start"));
        const double ratio = temperature_of(energies.kinetic, sim->N) / sim->temperature;
        check_true("the temperature at the start", fabs(ratio - 1.0) <= 1e-4);
        check_crystal_energy(sim, a, energies.potential);
        printf(said("at the start: potential energy %.9g eV per atom, chi-square of the velocities "
                    "%.4g\n"),
               energies.potential / sim->N, maxwell_chi_square(sim, energies.kinetic));
    }
}

// So many steps are left until their number is a multiple of `interval`, but `most` at most.
inline size_t steps_to_multiple(const Run *run, size_t interval, size_t most)
{
    const size_t steps = interval - run->done % interval;
    return steps < most ? steps : most;
}

// The host looks when energies or a restart file are to be written. A list that was made once is
// looked at more often.
inline size_t steps_to_look(const Run *run)
{
    const Simulation *sim = run->sim;
    size_t steps = steps_to_multiple(run, sim->interval, run->last - run->done);
    if (sim->checkpoint > 0 && run->writes_output)
    {
        steps = steps_to_multiple(run, sim->checkpoint, steps);
    }
    return sim->makes_new_lists ? steps : steps_to_multiple(run, STEPS_TO_LOOK, steps);
}

inline void begin_part(Run *run, const char *part, size_t first, size_t last)
{
    run->part = part;
    run->done = first;
    run->last = last;
    run->steps_until_look = steps_to_look(run);
    run->steps_since_look = 0;
    run->start_ms = run->shown_ms = host_clock();
}

inline void begin_equilibration(Run *run)
{
    begin_part(run, "equilibration", 0, run->sim->equilibration);
}

// Where a production is begun, its first line is that of step 0.
inline void begin_production(Run *run)
{
    Simulation *sim = run->sim;
    fetch_or_give_up(sim);
    run->energies = measure_or_give_up(sim, "production", sim->step);
    const double ratio = temperature_of(run->energies.kinetic, sim->N) / sim->temperature;
    const bool is_scaled = sim->equilibration == 0 || fabs(ratio - 1.0) <= 1e-4;
    check_true("the equilibration: its first step, how many there were, and the temperature",
               run->is_right_step && run->done == sim->equilibration && is_scaled);
    run->conserved = conserved_energy(sim, &run->energies);
    run->kinetic = run->energies.kinetic;
    write_energies_header(&run->files);
    if (!run->goes_on)
    {
        sim->energy_at_start = run->energies.kinetic + run->energies.potential;
        write_energies(&run->files, sim, &run->energies);
        if (sim->xyz)
        {
            write_frame(&run->files, sim);
        }
    }
    memset(sim->phase_ms, 0, sizeof(sim->phase_ms));
    sim->num_builds = sim->num_short_lists = 0;
    run->first_step = sim->step;
    run->writes_output = true;
    begin_part(run, "production", sim->step, sim->step + sim->steps);
}

// Writes the restart file. A run from it makes its neighbour list there, so this run does, too.
// Then both add the same numbers in the same order.
inline void write_checkpoint(Run *run, bool goes_on)
{
    Simulation *sim = run->sim;
    fetch_or_give_up(sim);
    write_restart(&run->files, sim);
    if (goes_on)
    {
        check_list(sim);
        open_restart_output(&run->files, sim);
        send(sim);
        find_neighbor_and_force(sim, false);
    }
}

inline void write_output(Run *run)
{
    Simulation *sim = run->sim;
    if (sim->step % sim->interval == 0 || run->done == run->last)
    {
        run->energies = measure_or_give_up(sim, "production", sim->step);
    }
    give_up_if_list_lacks_pairs(run);
    if (sim->step % sim->interval == 0)
    {
        write_energies(&run->files, sim, &run->energies);
        if (sim->xyz)
        {
            fetch(sim);
            write_frame(&run->files, sim);
        }
    }
    if (sim->checkpoint > 0 && sim->step % sim->checkpoint == 0)
    {
        write_checkpoint(run, run->done < run->last);
    }
}

// Comes after run->steps_until_look steps.
inline void look(Run *run)
{
    Simulation *sim = run->sim;
    stop_if_interrupted();
    run->done += run->steps_until_look;
    if (run->writes_output)
    {
        sim->step = run->done;
        write_output(run);
    }
    else
    {
        measure_or_give_up(sim, run->part, run->done);
        give_up_if_list_lacks_pairs(run);
    }
    show_progress(run);
    run->steps_until_look = run->done < run->last ? steps_to_look(run) : 0;
    run->steps_since_look = 0;
}

// How many lists the production has made, and how many steps one of them has served on average.
inline void print_lists(const char *which, size_t count, size_t steps, double skin)
{
    printf("%s made: %zu in %zu steps", which, count, steps);
    if (count > 0)
    {
        printf(", %.4g steps each", (double)steps / (double)count);
    }
    printf(", with a skin of %g A\n", skin);
}

// As Tables 21.1, 22.1 and 22.2 of the book.
inline void print_phases(const Simulation *sim, double total_ms)
{
    const char *const names[NUM_PHASES] = {"force", "integration", "neighbours", "other"};
    double timed = 0.0;
    for (int phase = 0; phase < OTHER; ++phase)
    {
        timed += sim->phase_ms[phase];
    }
    // Where one step in many is timed, the sum may be a little more than the whole.
    if (times_every_step())
    {
        check_true("the phases are parts of the whole", timed <= 1.001 * total_ms);
    }
    const bool shows_times = ON_GPU || !args.uses_device;
    const double scale = timed > total_ms ? total_ms / timed : 1.0;
    printf(said("\nproduction: %d atoms, %zu steps\n"), sim->N, sim->steps);
    if (shows_times)
    {
        printf("%-12s %12s %7s\n", "phase", ON_GPU ? "s" : "CPU s", "%");
    }
    for (int phase = 0; phase < NUM_PHASES && shows_times; ++phase)
    {
        const double ms =
            scale * (phase == OTHER ? total_ms / scale - timed : sim->phase_ms[phase]);
        printf("%-12s %12.5g %7.2f\n", names[phase], ms * 1e-3, 100.0 * ms / total_ms);
    }
    if (shows_times)
    {
        printf("%-12s %12.5g %7.2f\n", "all", total_ms * 1e-3, 100.0);
    }
    if (sim->makes_new_lists)
    {
        const double short_cutoff = fmin(sim->short_list_cutoff, sim->list_cutoff);
        print_lists("lists", sim->num_builds, sim->steps, sim->list_cutoff - CUTOFF);
        print_lists("short lists", sim->num_short_lists, sim->steps, short_cutoff - CUTOFF);
    }
    if (!shows_times)
    {
        print_card_run("production: ");
        return;
    }
    printf(said("speed: %.5g million atom-steps/s\n"),
           total_ms > 0 ? sim->N * 1e-3 * (double)sim->steps / total_ms : 0.0);
}

// The files of the end, the checks, and the times.
inline void end_production(Run *run)
{
    const double total_ms = host_clock() - run->start_ms;
    Simulation *sim = run->sim;
    Files *files = &run->files;
    const Energies *energies = &run->energies;
    check_true("as many steps of the production as asked for",
               sim->step == run->first_step + sim->steps);
    fetch_or_give_up(sim);
    if (check_list(sim)) // else the forces are wrong, too
    {
        check_forces(sim, energies, said("at the end"));
        check_conservation(run);
    }
    check_kinetic(sim, energies->kinetic, said("at the end"));
    check_momentum(sim, energies->kinetic, &run->momentum, sim->equilibration + sim->steps,
                   said("at the end"));
    printf(
        said("at the end: potential energy %.9g eV per atom, %.5g K, %.5g bar, chi-square of the "
             "velocities %.4g in %d bins\n"),
        energies->potential / sim->N, temperature_of(energies->kinetic, sim->N),
        pressure_of(energies->kinetic, energies->virial, sim->box),
        check_velocities(sim, energies->kinetic), MAXWELL_BINS);
    if (files->wanted)
    {
        write_velocities(files, sim);
    }
    if (files->writes_restart && (sim->checkpoint == 0 || sim->step % sim->checkpoint != 0))
    {
        write_checkpoint(run, false);
    }
    close_appended(&files->energy);
    close_appended(&files->trajectory);
    print_phases(sim, total_ms);
}
