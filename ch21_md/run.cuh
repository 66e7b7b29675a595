// The parts that all programs share: the start and the end, the checks before the first step and
// after the last one, and all output. It knows the stages by their prototypes only.
#pragma once
#include <signal.h>
#include "../common/card.cuh"
#include "../common/compare.cuh"
#include "../common/require_memory.cuh"
#include "../common/timing.cuh"
#include "checks.cuh"
#include "files.cuh"
#include "initialize.cuh"
#include "md_options.cuh"
#include "simulation.cuh"

const size_t STEPS_TO_LOOK = 100; // so often, at least, a list that was made once is looked at

// A run of a program, with what it knows of its equilibration or its production.
struct Run
{
    Options *options;
    System *sys;
    Statistics *statistics;

    Files files = {};
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
inline size_t enough_room(const Run *run, bool is_crystal, int most)
{
    return is_crystal
               ? (size_t)count_in_lattice(lattice_of(run->options), run->sys->list_cutoff + 0.35)
               : (size_t)most + most / 4;
}

inline void require_mn(const Run *run, bool is_crystal, int most)
{
    const System *sys = run->sys;
    if (!run->options->makes_new_lists && (size_t)most > sys->MN)
    {
        usage_error("--mn %zu is too little: an atom has %d neighbours up to %g A; --mn %zu is "
                    "enough",
                    sys->MN, most, sys->list_cutoff, enough_room(run, is_crystal, most));
    }
}

// The list and the forces for the host's positions.
inline void find_neighbor_and_force(Run *run, bool is_crystal)
{
    Statistics *statistics = run->statistics;
    const double start = host_clock();
    find_neighbor(run->sys);
    const NeighborCounts counts = count_neighbors(run->sys);
    statistics->phase_ms[NEIGHBORS] += host_clock() - start;
    ++statistics->num_builds;
    statistics->list_steps = 0;
    require_mn(run, is_crystal, counts.most);
    find_force(run->sys);
}

inline void give_up_exploded(const char *part, size_t step)
{
    give_up("the system has exploded by step %zu of the %s; try a smaller --dt", step, part);
}

inline Energies measure_or_give_up(System *sys, const char *part, size_t step)
{
    const Energies energies = measure(sys);
    const double temperature = temperature_of(energies.kinetic, sys->N);
    if (!(temperature < 1e6 && isfinite(energies.potential) && isfinite(energies.virial)))
    {
        give_up_exploded(part, step);
    }
    return energies;
}

// fetch(), and a look at the positions. If one is no number or far too large, the run ends here,
// because the checks could not find the atom's cell.
inline void fetch_or_give_up(Run *run)
{
    System *sys = run->sys;
    fetch(sys);
    const double most = 1000.0 * sys->box.lx;
    for (int n = 0; n < sys->N; ++n)
    {
        if (!(fabs(sys->x[n]) < most && fabs(sys->y[n]) < most && fabs(sys->z[n]) < most))
        {
            give_up_exploded("production", run->statistics->step);
        }
    }
}

// A line on stderr every five seconds.
inline void show_progress(Run *run)
{
    const double now = host_clock();
    if (now - run->shown_ms > 5000.0 && !run->options->is_silent)
    {
        const double ms_per_step = (now - run->start_ms) / (double)run->done;
        fflush(stdout);
        fprintf(stderr, "%s: %s, step %zu of %zu, %.4g million atom-steps/s, %.0f s left\n",
                args.program, run->part, run->done, run->last, run->sys->N * 1e-3 / ms_per_step,
                (double)(run->last - run->done) * ms_per_step * 1e-3);
        run->shown_ms = now;
    }
}

// Checks that the list has all pairs within the cutoff.
inline bool check_list(Run *run)
{
    const size_t missing = count_missing(run->sys);
    char text[256];
    snprintf(text, sizeof(text), "%zu pairs within the cutoff are not in the neighbour list%s",
             missing,
             run->options->makes_new_lists ? "" : ", which was made once; try a larger --list");
    return check_true(text, missing == 0);
}

// The velocities of a system in equilibrium have Maxwell's distribution. Five picoseconds are more
// than a solid takes to forget how the velocities began. A right distribution gives more than 70
// once in ten million times.
inline double check_velocities(const Run *run, double kinetic)
{
    const double chi_square = maxwell_chi_square(run->sys, kinetic);
    const size_t steps = run->options->equilibration + run->statistics->step;
    const double time_fs = (double)steps * run->options->time_step_fs;
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
    if (lacks_pairs(run->sys))
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
inline double conserved_energy(const System *sys, const Energies *energies)
{
    const double of_pair = energy_of_pair(CUTOFF * CUTOFF) - sys->energy_shift;
    return energies->kinetic + energies->potential - of_pair * count_pairs(sys);
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
    const double conserved = conserved_energy(run->sys, &run->energies);
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
    if (drift > WARN_FROM && drift <= FAIL_FROM && !run->options->is_silent)
    {
        fflush(stdout);
        fprintf(stderr, "%s: warning: %s\n", args.program, text);
    }
}

// ---- The checks before the first step ----

// The neighbours up to the book's 11 A, at the start.
inline void count_book_neighbors(System *sys, double a)
{
    const double list_cutoff = sys->list_cutoff;
    sys->list_cutoff = BOOK_LIST_CUTOFF;
    send(sys);
    find_neighbor(sys);
    const NeighborCounts counts = count_neighbors(sys);
    check_crystal_neighbors(sys, a, counts);
    printf(said("at the start: %d neighbours of each atom up to %g A\n"), counts.most,
           sys->list_cutoff);
    sys->list_cutoff = list_cutoff;
}

// Checks count_missing with a list that is too short: the number of pairs that it lacks is known.
// If a cluster of atoms shares a list, this list has all atoms of the cluster, at any distance. So
// it is then made so short that it has no others.
inline void check_count_missing(const Options *options, System *sys, double a)
{
    const double list_cutoff = sys->list_cutoff;
    const double too_short = (options->atoms_of_list == 1 ? 0.8 : 0.1) * CUTOFF;
    const double within = count_in_lattice(a, CUTOFF), others = options->atoms_of_list - 1;
    const double lacking = // of an atom
        fmax(0.0, within - count_in_lattice(a, too_short) - others);
    sys->list_cutoff = too_short;
    send(sys);
    find_neighbor(sys);
    find_force(sys);
    const size_t missing = count_missing(sys);
    char text[256];
    snprintf(text, sizeof(text), "%zu pairs are found missing from a list up to %g A, not %g",
             missing, too_short, lacking / 2 * sys->N);
    const bool is_at_shell = is_shell(sys, a, CUTOFF) || is_shell(sys, a, too_short);
    check_true(text, (double)missing == lacking / 2 * sys->N || is_at_shell);
    if (!options->makes_new_lists) // the atoms have moved farther than 0 A, half of no skin
    {
        sys->list_cutoff = CUTOFF;
        check_true("a list that is too short lacks pairs", lacks_pairs(sys) == (missing > 0));
    }
    sys->list_cutoff = list_cutoff;
}

// Does three steps one by one, and then the same three at once, after the list was made twice. Each
// atom must come to the same place.
inline void check_steps_at_once(Run *run)
{
    System *sys = run->sys;
    State before = copy_state(sys);
    for (int step = 0; step < 3; ++step)
    {
        production(sys, run->statistics, 1);
    }
    fetch(sys);
    State one_by_one = copy_state(sys);
    restore_state(sys, &before);
    send(sys);
    find_neighbor(sys);
    find_neighbor_and_force(run, true);
    production(sys, run->statistics, 3);
    stop_if_interrupted();
    measure_or_give_up(sys, "check of the integration", 3);
    fetch(sys);
    check_same_state(sys, &one_by_one, 3);
    free_state(&before);
    free_state(&one_by_one);
}

// Moves each atom by up to 0.1 A in each direction.
inline void move_at_random(System *sys, uint64_t seed)
{
    real *const x[3] = {sys->x, sys->y, sys->z};
    for (int n = 0; n < sys->N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            const double random = random_unit(seed + 1, (uint64_t)n * 3 + d);
            x[d][n] += (real)(0.2 * random - 0.1);
        }
    }
}

// Compares one step from here with the equations of motion.
inline void check_one_step(Run *run, bool is_scaled)
{
    System *sys = run->sys;
    const double T_0 = is_scaled ? run->options->temperature : 0.0;
    State before = copy_state(sys);
    if (is_scaled)
    {
        equilibration(sys, run->statistics, T_0, 1);
    }
    else
    {
        production(sys, run->statistics, 1);
    }
    stop_if_interrupted();
    const Energies after = measure_or_give_up(sys, "check of the integration", 1);
    fetch(sys);
    check_step(sys, &before, T_0);
    check_kinetic(sys, after.kinetic, is_scaled ? "after a scaled step" : "after a step");
    free_state(&before);
}

// Each stage by itself, if this is a new crystal. At its start there is no force on any atom. So
// the forces are also compared after each atom was moved at random. Two steps from there are
// compared with the equations of motion.
inline void check_start(Run *run)
{
    if (run->restart != NULL)
    {
        return;
    }
    const Options *options = run->options;
    System *sys = run->sys;
    const double a = lattice_of(options);
    require_mn(run, true, (int)count_in_lattice(a, sys->list_cutoff));
    count_book_neighbors(sys, a);
    if (options->makes_new_lists || sys->N <= 40000) // else it takes a time proportional to N^2
    {
        check_count_missing(options, sys, a);
    }
    State crystal = copy_state(sys);
    move_at_random(sys, options->seed);
    State sent = copy_state(sys);
    send(sys);
    find_neighbor_and_force(run, true);
    fetch(sys);
    check_same_state(sys, &sent, 0);
    free_state(&sent);
    const Energies energies = measure(sys);
    check_forces(sys, &energies, said("after a random shift of all atoms"));
    check_gradient(sys, options->seed);
    check_one_step(run, false);
    check_one_step(run, true);
    if (options->makes_new_lists)
    {
        check_steps_at_once(run);
    }
    restore_state(sys, &crystal);
    free_state(&crystal);
}

// ---- The whole, in the order of main ----

// Takes over what a restart file says. Then: how large is the system, how much memory does it take,
// which files does it write?
inline void open_run(Run *run)
{
    Options *options = run->options;
    System *sys = run->sys;
    const bool restarts = *options->restart != '\0';
    run->restart = restarts ? open_restart(options, run->statistics, &run->goes_on) : NULL;
    complete_options(options, restarts);
    require_long_box(options, restarts);
    initialize_system(options, sys);
    double on_host, on_device;
    count_bytes(sys, &on_host, &on_device);
    // The arrays, three copies of the state, the cells of the checks, a frame of the trajectory.
    on_host += sys->N * ((11.0 + 3.0 * 9.0) * sizeof(real) + 3.0 * sizeof(double) +
                         2.0 * sizeof(int) + (options->xyz ? 40.0 : 0.0));
    require_memory(on_host, on_device);
    open_files(&run->files, options);
    catch_signals();
    if (args.uses_device)
    {
        print_device();
    }
    printf(said("%d atoms, a box of %.6g A, %g K, %.6g g/cm^3, %g fs, seed %zu, %s\n"), sys->N,
           (double)sys->box.lx, options->temperature, options->density, options->time_step_fs,
           (size_t)options->seed, REAL_NAME);
}

// A crystal with random velocities, or the atoms of the restart file.
inline void create_system(Run *run)
{
    const Options *options = run->options;
    System *sys = run->sys;
    create_atoms(sys);
    create_arrays(sys);
    if (run->restart == NULL)
    {
        initialize_position(sys, options->nx, lattice_of(options));
        initialize_velocity(sys, options->temperature, options->seed);
    }
    else
    {
        read_restart_atoms(options, sys, run->restart);
    }
}

inline void destroy_system(Run *run)
{
    destroy_arrays(run->sys);
    destroy_atoms(run->sys);
}

// The list and the forces that the first step begins with. All is compared with the reference.
inline void find_first_forces(Run *run)
{
    const Options *options = run->options;
    System *sys = run->sys;
    Statistics *statistics = run->statistics;
    const bool is_new = run->restart == NULL;
    send(sys);
    memset(statistics->phase_ms, 0, sizeof(statistics->phase_ms));
    find_neighbor_and_force(run, is_new);
    printf(said("the neighbour list: up to %g A, %d neighbours, made in %.4g s\n"),
           sys->list_cutoff, count_neighbors(sys).most, statistics->phase_ms[NEIGHBORS] * 1e-3);
    const Energies energies = measure_or_give_up(sys, "start", 0);
    fetch(sys);
    check_forces(sys, &energies, said("at the start"));
    run->momentum = momentum_of(sys);
    check_kinetic(sys, energies.kinetic, said("at the start"));
    if (is_new)
    {
        const Momentum none = {};
        check_momentum(options, sys, energies.kinetic, &none, 0, said("at the start"));
        const double ratio = temperature_of(energies.kinetic, sys->N) / options->temperature;
        check_true("the temperature at the start", fabs(ratio - 1.0) <= 1e-4);
        check_crystal_energy(sys, lattice_of(options), energies.potential);
        printf(said("at the start: potential energy %.9g eV per atom, chi-square of the velocities "
                    "%.4g\n"),
               energies.potential / sys->N, maxwell_chi_square(sys, energies.kinetic));
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
    const Options *options = run->options;
    size_t steps = steps_to_multiple(run, options->interval, run->last - run->done);
    if (options->checkpoint > 0 && run->writes_output)
    {
        steps = steps_to_multiple(run, options->checkpoint, steps);
    }
    return options->makes_new_lists ? steps : steps_to_multiple(run, STEPS_TO_LOOK, steps);
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
    begin_part(run, "equilibration", 0, run->options->equilibration);
}

// Where a production is begun, its first line is that of step 0.
inline void begin_production(Run *run)
{
    const Options *options = run->options;
    System *sys = run->sys;
    Statistics *statistics = run->statistics;
    fetch_or_give_up(run);
    run->energies = measure_or_give_up(sys, "production", statistics->step);
    const double ratio = temperature_of(run->energies.kinetic, sys->N) / options->temperature;
    const bool is_scaled = options->equilibration == 0 || fabs(ratio - 1.0) <= 1e-4;
    check_true("the equilibration: its first step, how many there were, and the temperature",
               run->is_right_step && run->done == options->equilibration && is_scaled);
    run->conserved = conserved_energy(sys, &run->energies);
    run->kinetic = run->energies.kinetic;
    write_energies_header(&run->files);
    if (!run->goes_on)
    {
        statistics->energy_at_start = run->energies.kinetic + run->energies.potential;
        write_energies(&run->files, sys, statistics, &run->energies);
        if (options->xyz)
        {
            write_frame(&run->files, options, sys, statistics->step);
        }
    }
    memset(statistics->phase_ms, 0, sizeof(statistics->phase_ms));
    statistics->num_builds = statistics->num_short_lists = 0;
    run->first_step = statistics->step;
    run->writes_output = true;
    begin_part(run, "production", statistics->step, statistics->step + options->steps);
}

// Writes the restart file. A run from it makes its neighbour list there, so this run does, too.
// Then both add the same numbers in the same order.
inline void write_checkpoint(Run *run, bool goes_on)
{
    fetch_or_give_up(run);
    write_restart(&run->files, run->options, run->sys, run->statistics);
    if (goes_on)
    {
        check_list(run);
        open_restart_output(&run->files, run->options);
        send(run->sys);
        find_neighbor_and_force(run, false);
    }
}

inline void write_output(Run *run)
{
    const Options *options = run->options;
    System *sys = run->sys;
    const size_t step = run->statistics->step;
    if (step % options->interval == 0 || run->done == run->last)
    {
        run->energies = measure_or_give_up(sys, "production", step);
    }
    give_up_if_list_lacks_pairs(run);
    if (step % options->interval == 0)
    {
        write_energies(&run->files, sys, run->statistics, &run->energies);
        if (options->xyz)
        {
            fetch(sys);
            write_frame(&run->files, options, sys, step);
        }
    }
    if (options->checkpoint > 0 && step % options->checkpoint == 0)
    {
        write_checkpoint(run, run->done < run->last);
    }
}

// Comes after run->steps_until_look steps.
inline void look(Run *run)
{
    stop_if_interrupted();
    run->done += run->steps_until_look;
    if (run->writes_output)
    {
        run->statistics->step = run->done;
        write_output(run);
    }
    else
    {
        measure_or_give_up(run->sys, run->part, run->done);
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
inline void print_phases(const Run *run, double total_ms)
{
    const Options *options = run->options;
    const Statistics *statistics = run->statistics;
    const int N = run->sys->N;
    const size_t steps = options->steps;
    const char *const names[NUM_PHASES] = {"force", "integration", "neighbours", "other"};
    double timed = 0.0;
    for (int phase = 0; phase < OTHER; ++phase)
    {
        timed += statistics->phase_ms[phase];
    }
    // Where one step in many is timed, the sum may be a little more than the whole.
    if (times_every_step())
    {
        check_true("the phases are parts of the whole", timed <= 1.001 * total_ms);
    }
    const bool shows_times = ON_GPU || !args.uses_device;
    const double scale = timed > total_ms ? total_ms / timed : 1.0;
    printf(said("\nproduction: %d atoms, %zu steps\n"), N, steps);
    if (shows_times)
    {
        printf("%-12s %12s %7s\n", "phase", ON_GPU ? "s" : "CPU s", "%");
    }
    for (int phase = 0; phase < NUM_PHASES && shows_times; ++phase)
    {
        const double ms =
            scale * (phase == OTHER ? total_ms / scale - timed : statistics->phase_ms[phase]);
        printf("%-12s %12.5g %7.2f\n", names[phase], ms * 1e-3, 100.0 * ms / total_ms);
    }
    if (shows_times)
    {
        printf("%-12s %12.5g %7.2f\n", "all", total_ms * 1e-3, 100.0);
    }
    if (options->makes_new_lists)
    {
        const double short_cutoff = fmin(options->short_list_cutoff, options->list_cutoff);
        print_lists("lists", statistics->num_builds, steps, options->list_cutoff - CUTOFF);
        print_lists("short lists", statistics->num_short_lists, steps, short_cutoff - CUTOFF);
    }
    if (!shows_times)
    {
        print_card_run("production: ");
        return;
    }
    printf(said("speed: %.5g million atom-steps/s\n"),
           total_ms > 0 ? N * 1e-3 * (double)steps / total_ms : 0.0);
}

// The files of the end, the checks, and the times.
inline void end_production(Run *run)
{
    const double total_ms = host_clock() - run->start_ms;
    const Options *options = run->options;
    const System *sys = run->sys;
    const size_t step = run->statistics->step;
    Files *files = &run->files;
    const Energies *energies = &run->energies;
    check_true("as many steps of the production as asked for",
               step == run->first_step + options->steps);
    fetch_or_give_up(run);
    if (check_list(run)) // else the forces are wrong, too
    {
        check_forces(sys, energies, said("at the end"));
        check_conservation(run);
    }
    check_kinetic(sys, energies->kinetic, said("at the end"));
    check_momentum(options, sys, energies->kinetic, &run->momentum,
                   options->equilibration + options->steps, said("at the end"));
    printf(
        said("at the end: potential energy %.9g eV per atom, %.5g K, %.5g bar, chi-square of the "
             "velocities %.4g in %d bins\n"),
        energies->potential / sys->N, temperature_of(energies->kinetic, sys->N),
        pressure_of(energies->kinetic, energies->virial, sys->box),
        check_velocities(run, energies->kinetic), MAXWELL_BINS);
    if (files->wanted)
    {
        write_velocities(files, options, sys);
    }
    if (files->writes_restart && (options->checkpoint == 0 || step % options->checkpoint != 0))
    {
        write_checkpoint(run, false);
    }
    close_appended(&files->energy);
    close_appended(&files->trajectory);
    print_phases(run, total_ms);
}
