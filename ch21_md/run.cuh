// A simulation from its command line to its verdict. It knows the stages by their prototypes only.
#pragma once
#include <signal.h>
#include "../common/compare.cuh"
#include "../common/timing.cuh"
#include "checks.cuh"
#include "files.cuh"
#include "initialize.cuh"
#include "simulation.cuh"

inline void read_options(Args *args, Simulation *sim, int argc, char **argv, const char *usage,
                         const char *about)
{
    add_real(args, "temperature", &sim->temperature, 1e-3, 1e5, "in K");
    add_real(args, "density", &sim->density, 1e-2, 10.0, "in g/cm^3");
    add_real(args, "dt", &sim->time_step_fs, 1e-4, 1e3, "time step in fs");
    add_number(args, "steps", &sim->steps, 0, MOST_STEPS, "of the production, if not NE");
    add_number(args, "interval", &sim->interval, 1, MOST_STEPS, "steps between lines of energies");
    if (sim->makes_new_lists)
    {
        add_real(args, "list", &sim->list_cutoff, CUTOFF, 100.0,
                 "in A: pairs up to this distance are in the list; 14.6 with NX from 80 on");
        add_real(args, "short-list", &sim->short_list_cutoff, CUTOFF, 100.0,
                 "in A: those up to this distance are in the short list");
    }
    else
    {
        add_real(args, "list", &sim->list_cutoff, CUTOFF, 100.0,
                 "in A: pairs up to this distance are in the list; the book: 11");
        add_number(args, "mn", &sim->MN, 1, 100000, "room for an atom's neighbours");
    }
    add_flag(args, "shift", &sim->shift, "the pair energy is zero at the cutoff");
    add_flag(args, "xyz", &sim->xyz, "write a trajectory, a frame every interval");
    add_number(args, "checkpoint", &sim->checkpoint, 0, MOST_STEPS,
               "steps between restart files; 0: one at the end, with -o");
    add_text(args, "restart", &sim->restart,
             "go on from this restart file; it says what the system is");
    add_positional(args, "NX", &sim->nx, 1, MOST_CELLS, "cubic cells of 4 atoms in each direction");
    add_positional(args, "NE", &sim->equilibration, 0, MOST_STEPS, "steps of the equilibration");
    // What is wrong with the options or a restart file is found before the device is asked.
    const bool uses_device = args->uses_device;
    args->uses_device = false;
    parse_args(args, argc, argv, usage, about);
    args->uses_device = uses_device;
    sim->args = args;
    sim->block_size = (int)args->block_x;
    sim->seed = args->seed;
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

inline void catch_signals(void)
{
    prepare_removal();
    for (const int number : {SIGINT, SIGTERM})
    {
        if (signal(number, note_signal) == SIG_IGN) // by nohup
        {
            signal(number, SIG_IGN);
        }
    }
}

inline void stop_if_interrupted(const Simulation *sim)
{
    if (g_interrupted)
    {
        fflush(stdout);
        fprintf(stderr, "%s: stopped by signal %d; what was written can be read\n",
                sim->args->program, g_interrupted);
        remove_temporaries();
        signal(g_interrupted, SIG_DFL);
        raise(g_interrupted);
    }
}

// ---- Pieces of the run ----

// Ends the program with status 1: the simulation itself has failed.
inline void give_up(const Simulation *sim, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_error(sim->args->program, format, values);
    va_end(values);
    fprintf(stderr, "\n");
    exit(1);
}

// The list and the forces for the host's positions.
inline void find_neighbor_and_force(Simulation *sim)
{
    const double start = host_clock();
    find_neighbor(sim);
    const NeighborCounts counts = count_neighbors(sim);
    sim->phase_ms[NEIGHBORS] += host_clock() - start;
    if (!sim->makes_new_lists && (size_t)counts.most > sim->MN)
    {
        usage_error(sim->args, "--mn %zu is too little, an atom has %d neighbours", sim->MN,
                    counts.most);
    }
    find_force(sim);
}

inline void give_up_exploded(const Simulation *sim, const char *phase, size_t step)
{
    give_up(sim, "the system has exploded by step %zu of the %s; try a smaller --dt", step, phase);
}

inline Energies measure_or_give_up(Simulation *sim, const char *phase, size_t step)
{
    const Energies energies = measure(sim);
    const double temperature = temperature_of(energies.kinetic, sim->N);
    if (!(temperature < 1e6 && isfinite(energies.potential) && isfinite(energies.virial)))
    {
        give_up_exploded(sim, phase, step);
    }
    return energies;
}

// fetch(), and a look at the positions: where an atom is nowhere, no check could place it.
inline void fetch_or_give_up(Simulation *sim)
{
    fetch(sim);
    for (const real *x : {sim->x, sim->y, sim->z})
    {
        for (int n = 0; n < sim->N; ++n)
        {
            if (!(fabs(x[n]) < 1000.0 * sim->box.lx))
            {
                give_up_exploded(sim, "production", sim->step);
            }
        }
    }
}

// A line on stderr every five seconds.
struct Progress
{
    const Simulation *sim;
    const char *phase;
    size_t first, last; // steps
    double start, shown;
};

inline void show_progress(Progress *progress, size_t step)
{
    const double now = host_clock();
    if (now - progress->shown > 5000.0 && step > progress->first && !progress->sim->is_silent)
    {
        const double ms_per_step = (now - progress->start) / (double)(step - progress->first);
        fflush(stdout);
        fprintf(stderr, "%s: %s, step %zu of %zu, %.4g million atom-steps/s, %.0f s left\n",
                progress->sim->args->program, progress->phase, step, progress->last,
                progress->sim->N * 1e-3 / ms_per_step,
                (double)(progress->last - step) * ms_per_step * 1e-3);
        progress->shown = now;
    }
}

// The steps to the next multiple of `interval`, but none beyond `left`.
inline size_t steps_to(size_t step, size_t interval, size_t left)
{
    return interval == 0 ? left : std::min(left, interval - step % interval);
}

// Checks that no pair within the cutoff has come together that the list does not have.
inline bool check_list(Simulation *sim)
{
    const size_t missing = count_missing(sim);
    char text[256];
    snprintf(text, sizeof(text), "%zu pairs within the cutoff are not in the neighbour list%s",
             missing,
             sim->makes_new_lists ? "" : ", which was made once; a larger --list has them");
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

// The neighbours up to the book's 11 A, at the start.
inline void count_book_neighbors(Simulation *sim, double a)
{
    const double list_cutoff = sim->list_cutoff;
    sim->list_cutoff = BOOK_LIST_CUTOFF;
    send(sim);
    find_neighbor(sim);
    const NeighborCounts counts = count_neighbors(sim);
    check_crystal_neighbors(sim, a, counts);
    printf("at the start: %d neighbours of each atom up to %g A\n", counts.most, sim->list_cutoff);
    sim->list_cutoff = list_cutoff;
    sim->num_builds = 0;
}

// A list that is too short lacks pairs, and their number is known: this checks count_missing. Where
// atoms share a list, it has the other ones of them, however far it reaches. Then it is made so
// short that it has no other pairs.
inline void check_count_missing(Simulation *sim, double a)
{
    const double list_cutoff = sim->list_cutoff;
    const double too_short = (sim->atoms_of_list == 1 ? 0.8 : 0.1) * CUTOFF;
    const auto one = [](double)
    {
        return 1.0;
    };
    const double within = sum_over_lattice(a, CUTOFF, one), others = sim->atoms_of_list - 1;
    const double lacking = // of an atom
        std::max(0.0, within - sum_over_lattice(a, too_short, one) - others);
    sim->list_cutoff = too_short;
    send(sim);
    find_neighbor_and_force(sim); // ends the program if a list has no room for its neighbours
    const size_t missing = count_missing(sim);
    char text[256];
    snprintf(text, sizeof(text), "%zu pairs are found missing from a list up to %g A, not %g",
             missing, too_short, lacking / 2 * sim->N);
    check_true(text, (double)missing == lacking / 2 * sim->N || is_shell(sim, a, CUTOFF) ||
                         is_shell(sim, a, too_short));
    sim->list_cutoff = list_cutoff;
}

// Three steps one by one, and three at once after the list was made twice: both must lead to the
// same places, atom by atom.
inline void check_steps_at_once(Simulation *sim)
{
    const State before = copy_state(sim);
    for (int step = 0; step < 3; ++step)
    {
        advance(sim, 1, false);
    }
    fetch(sim);
    const State one_by_one = copy_state(sim);
    restore_state(sim, before);
    send(sim);
    find_neighbor(sim);
    find_neighbor_and_force(sim);
    advance(sim, 3, false);
    stop_if_interrupted(sim);
    measure_or_give_up(sim, "check of the integration", 3);
    fetch(sim);
    check_same_state(sim, one_by_one, 3);
}

// The checks before the first step. At the start of a crystal there is no force on any atom. So the
// forces are also compared after each atom was moved at random. Two steps from there are compared
// with the equations of motion.
inline void check_start(Simulation *sim, double a)
{
    if (sim->makes_new_lists || sim->N <= 40000) // else it takes a time proportional to N^2
    {
        check_count_missing(sim, a);
    }
    const State crystal = copy_state(sim);
    real *const x[3] = {sim->x, sim->y, sim->z};
    for (int n = 0; n < sim->N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            const double random = random_unit(sim->seed + 1, (uint64_t)n * 3 + d);
            x[d][n] += (real)(0.2 * random - 0.1); // A
        }
    }
    const State sent = copy_state(sim);
    send(sim);
    find_neighbor_and_force(sim);
    fetch(sim);
    check_same_state(sim, sent, 0);
    const Energies energies = measure(sim);
    check_forces(sim, &energies, "after a random shift of all atoms");
    check_gradient(sim);
    for (const bool is_scaled : {false, true})
    {
        const State before = copy_state(sim);
        advance(sim, 1, is_scaled);
        stop_if_interrupted(sim);
        const Energies after = measure_or_give_up(sim, "check of the integration", 1);
        fetch(sim);
        check_step(sim, before, is_scaled);
        check_kinetic(sim, after.kinetic, is_scaled ? "after a scaled step" : "after a step");
    }
    if (sim->makes_new_lists)
    {
        check_steps_at_once(sim);
    }
    restore_state(sim, crystal);
    sim->num_builds = 0;
}

// Returns how many steps it has made.
inline size_t equilibrate(Simulation *sim)
{
    const double start = host_clock();
    Progress progress = {sim, "equilibration", 0, sim->equilibration, start, start};
    size_t step = 0;
    while (step < sim->equilibration)
    {
        const size_t count = steps_to(step, sim->interval, sim->equilibration - step);
        advance(sim, count, true);
        stop_if_interrupted(sim);
        step += count;
        measure_or_give_up(sim, "equilibration", step);
        show_progress(&progress, step);
    }
    return step;
}

// Writes the restart file. A run from it makes its neighbour list there, so this run does, too.
// Then both add the same numbers in the same order.
inline void write_checkpoint(Simulation *sim, Files *files, bool goes_on)
{
    fetch_or_give_up(sim);
    write_restart(files, sim);
    if (goes_on)
    {
        check_list(sim);
        open_restart_output(files, sim);
        send(sim);
        find_neighbor_and_force(sim);
    }
}

inline Energies produce(Simulation *sim, Files *files)
{
    Energies energies = measure_or_give_up(sim, "production", sim->step);
    const bool is_new = *sim->restart == '\0';
    if (is_new)
    {
        sim->energy_at_start = energies.kinetic + energies.potential;
    }
    write_energies_header(files);
    if (is_new)
    {
        write_energies(files, sim, &energies);
    }
    if (is_new && sim->xyz)
    {
        write_frame(files, sim); // the host has the positions of the start
    }
    const size_t last = sim->step + sim->steps;
    const double start = host_clock();
    Progress progress = {sim, "production", sim->step, last, start, start};
    while (sim->step < last)
    {
        const size_t left = steps_to(sim->step, sim->interval, last - sim->step);
        const size_t count = steps_to(sim->step, sim->checkpoint, left);
        advance(sim, count, false);
        stop_if_interrupted(sim);
        sim->step += count;
        if (sim->step % sim->interval == 0 || sim->step == last)
        {
            energies = measure_or_give_up(sim, "production", sim->step);
        }
        if (sim->step % sim->interval == 0)
        {
            write_energies(files, sim, &energies);
            if (sim->xyz)
            {
                fetch(sim);
                write_frame(files, sim);
            }
        }
        if (sim->checkpoint > 0 && sim->step % sim->checkpoint == 0)
        {
            write_checkpoint(sim, files, sim->step < last);
        }
        show_progress(&progress, sim->step);
    }
    return energies;
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
    const double scale = timed > total_ms ? total_ms / timed : 1.0;
    printf("\nproduction: %d atoms, %zu steps\n", sim->N, sim->steps);
    printf("%-12s %12s %7s\n", "phase", ON_GPU ? "s" : "CPU s", "%");
    for (int phase = 0; phase < NUM_PHASES; ++phase)
    {
        const double ms =
            scale * (phase == OTHER ? total_ms / scale - timed : sim->phase_ms[phase]);
        printf("%-12s %12.5g %7.2f\n", names[phase], ms * 1e-3, 100.0 * ms / total_ms);
    }
    printf("%-12s %12.5g %7.2f\n", "all", total_ms * 1e-3, 100.0);
    if (sim->makes_new_lists)
    {
        const double short_cutoff = std::min(sim->short_list_cutoff, sim->list_cutoff);
        print_lists("lists", sim->num_builds, sim->steps, sim->list_cutoff - CUTOFF);
        print_lists("short lists", sim->num_short_lists, sim->steps, short_cutoff - CUTOFF);
    }
    printf("speed: %.5g million atom-steps/s\n",
           total_ms > 0 ? sim->N * 1e-3 * (double)sim->steps / total_ms : 0.0);
}

// ---- The whole ----

inline int run(Simulation *sim)
{
    const Args *args = sim->args;
    const bool is_restart = *sim->restart != '\0';
    FILE *restart = is_restart ? open_restart(sim) : NULL;
    if (sim->steps == SIZE_MAX)
    {
        sim->steps = sim->equilibration;
    }
    if (is_restart)
    {
        sim->equilibration = 0;
    }
    const double a = lattice_of(sim);
    if (sim->makes_new_lists && !is_restart && !is_given(args, "list"))
    {
        // The more atoms, the farther the fastest one moves. With 13.8 A, 10 million atoms at 60 K
        // made 6 lists in 400 steps. With 14.6 A, 20 million atoms made none.
        if (sim->nx >= 80)
        {
            sim->list_cutoff = 14.6;
        }
        // A list that is half a box long at most; but at 13 A a small box is refused.
        sim->list_cutoff = std::min(sim->list_cutoff, std::max(sim->nx * a / 2.0, 13.0));
    }
    const double range = std::max(sim->list_cutoff, BOOK_LIST_CUTOFF);
    if (sim->nx * a < 2.0 * range)
    {
        usage_error(args,
                    "a box of %.4g A is too small for a list up to %g A: NX must be %.0f or more",
                    sim->nx * a, range, ceil(2.0 * range / a));
    }
    initialize_box(sim);
    sim->lj = create_lj(sim->shift);
    sim->time_step = (real)(sim->time_step_fs / TIME_UNIT_CONVERSION);
    double on_host, on_device;
    count_bytes(sim, &on_host, &on_device);
    // The arrays, three copies of the state, the cells of the checks, a frame of the trajectory.
    on_host += sim->N * ((11.0 + 3.0 * 9.0) * sizeof(real) + 3.0 * sizeof(double) +
                         2.0 * sizeof(int) + (sim->xyz ? 40.0 : 0.0));
    require_memory(args, on_host, on_device);

    create_atoms(sim);
    Files files;
    open_files(&files, sim);
    catch_signals();
    if (args->uses_device)
    {
        print_device();
    }
    printf("%d atoms, a box of %.6g A, %g K, %.6g g/cm^3, %g fs, seed %zu, %s\n", sim->N,
           (double)sim->box.lx, sim->temperature, sim->density, sim->time_step_fs,
           (size_t)sim->seed, REAL_NAME);
    create_arrays(sim);

    if (is_restart)
    {
        read_restart_atoms(sim, restart);
    }
    else
    {
        initialize_position(sim);
        initialize_velocity(sim);
        count_book_neighbors(sim, a);
        check_start(sim, a);
    }
    send(sim);
    memset(sim->phase_ms, 0, sizeof(sim->phase_ms));
    find_neighbor_and_force(sim);
    printf("the neighbour list: up to %g A, %d neighbours, made in %.4g s\n", sim->list_cutoff,
           count_neighbors(sim).most, sim->phase_ms[NEIGHBORS] * 1e-3);
    Energies energies = measure_or_give_up(sim, "start", 0);
    fetch(sim);
    check_forces(sim, &energies, "at the start");
    check_momentum(sim, energies.kinetic, sim->step, "at the start");
    if (!is_restart)
    {
        const double ratio = temperature_of(energies.kinetic, sim->N) / sim->temperature;
        check_true("the temperature at the start", fabs(ratio - 1.0) <= 1e-4);
    }
    if (!is_restart)
    {
        check_crystal_energy(sim, a, energies.potential);
        printf("at the start: potential energy %.9g eV per atom, chi-square of the velocities "
               "%.4g\n",
               energies.potential / sim->N, maxwell_chi_square(sim, energies.kinetic));
    }

    const size_t equilibrated = equilibrate(sim), last = sim->step + sim->steps;
    if (sim->equilibration > 0)
    {
        fetch(sim);
    }
    memset(sim->phase_ms, 0, sizeof(sim->phase_ms));
    sim->num_builds = sim->num_short_lists = 0;
    const double start = host_clock();
    energies = produce(sim, &files);
    const double total_ms = host_clock() - start;
    check_true("as many steps as asked for",
               equilibrated == sim->equilibration && sim->step == last);

    fetch_or_give_up(sim);
    if (check_list(sim)) // else the forces are wrong, too
    {
        check_forces(sim, &energies, "at the end");
    }
    check_momentum(sim, energies.kinetic, sim->equilibration + sim->step, "at the end");
    printf("at the end: potential energy %.9g eV per atom, %.5g K, %.5g bar, chi-square of the "
           "velocities %.4g in %d bins\n",
           energies.potential / sim->N, temperature_of(energies.kinetic, sim->N),
           pressure_of(energies.kinetic, energies.virial, sim->box),
           check_velocities(sim, energies.kinetic), MAXWELL_BINS);
    if (files.wanted)
    {
        write_velocities(&files, sim);
    }
    if (files.writes_restart && (sim->checkpoint == 0 || sim->step % sim->checkpoint != 0))
    {
        write_checkpoint(sim, &files, false);
    }
    close_appended(&files.energy);
    close_appended(&files.trajectory);
    print_phases(sim, total_ms);
    destroy_arrays(sim);
    destroy_atoms(sim);
    return verdict();
}
