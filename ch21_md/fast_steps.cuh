// The host's loop over steps in ljmd-fast and ljmd-multi: it launches steps and looks from time to
// time whether a list has to be made.
#pragma once
#include "fast_forces.cuh"
#include "run.cuh"

// ---- What ljmd-fast does on one device, and ljmd-multi on several ----

// The forces at the positions. kicks: and the second half of the step before. moves: and the first
// half of the next one; else the energies are added up.
void launch_forces(System *sys, bool kicks, bool moves);

// The first half of a step, in place. If T_0 is not 0, the velocities are first scaled to this
// temperature. After the last step of an equilibration (moves: false) they are only scaled.
void launch_move(System *sys, double T_0, bool moves);

// Sorts the atoms and makes the long list. A report has to come before the next forces: with it a
// device knows whether it may wrap entries. That does not change before the atoms are sorted again.
void make_list(System *sys);

// Makes the list once more, with room for so many entries.
void make_longer_list(System *sys, int needed);

// The positions that a step would read become those that it would write.
void exchange_positions(System *sys);

// What the devices have noted since the list was made, or since count_from_zero().
struct Report
{
    int flag, steps, prunes, overflow; // see Status
    bool wraps;                        // all devices of the process wrap entries
};
Report wait_for_report(System *sys);
void count_from_zero(System *sys);

// ---- The start ----

void find_neighbor(System *sys)
{
    make_list(sys);
    const Report report = wait_for_report(sys);
    if (report.overflow > 0)
    {
        make_longer_list(sys, report.overflow);
    }
}

void find_force(System *sys) { launch_forces(sys, false, false); }

// ---- Steps ----

// Launches `count` steps, which are the next ones of `left` steps. If T_0 is not 0, they are steps
// of an equilibration.
inline void launch_steps(System *sys, size_t count, size_t left, double T_0)
{
    const bool scales = T_0 > 0.0;
    for (size_t i = 0; i < count; ++i)
    {
        const bool is_last = i + 1 == left;
        const bool moves = !scales && !is_last;
        launch_forces(sys, true, moves);
        if (moves)
        {
            exchange_positions(sys);
        }
        else if (scales)
        {
            launch_move(sys, T_0, !is_last);
        }
    }
}

// How many steps to launch before the host looks again: about as many as the last list served. When
// this list has served so many, only a few more, or an eighth of the steps it has served. A look
// takes about as long as a step of a few thousand atoms. But a kernel that does nothing takes time,
// too: its blocks have to begin and end.
inline size_t choose_batch(const Statistics *statistics, int N)
{
    const int per_million = 1000000 / N;
    const size_t few = per_million < 2 ? 2 : per_million > 32 ? 32 : per_million;
    const size_t steps = statistics->list_steps, expected = statistics->last_list_steps;
    if (expected > steps + few)
    {
        return expected - steps;
    }
    return steps / 8 > few ? steps / 8 : few;
}

// Does the steps. The host launches some of them, and then reads the flag. If the flag says STOP, a
// kernel has found that the list would lack pairs, and no later kernel has done anything. Then the
// lists are made anew, and the forces are computed with them.
inline void advance(System *sys, Statistics *statistics, double T_0, size_t steps)
{
    if (steps == 0)
    {
        return;
    }
    const double start = host_clock();
    double rebuilding = 0.0;
    size_t done = 0;
    launch_move(sys, 0.0, true);
    while (done < steps && !g_interrupted)
    {
        const size_t left = steps - done, batch = choose_batch(statistics, sys->N);
        const size_t count = left < batch ? left : batch;
        count_from_zero(sys);
        launch_steps(sys, count, left, T_0);
        const Report report = wait_for_report(sys);
        const size_t finished = report.steps;
        done += finished;
        statistics->list_steps += finished;
        statistics->num_short_lists += report.prunes;
        if (!(report.flag & STOP))
        {
            continue;
        }
        const bool moved_by_forces = T_0 == 0.0;
        const size_t launched_moves = count - (count == left ? 1 : 0);
        if (moved_by_forces && (launched_moves - finished) % 2 == 1)
        {
            exchange_positions(sys); // steps that did nothing
        }
        if (report.flag & EXPLODED)
        {
            sys->has_exploded = true;
            break;
        }
        const double rebuild_start = host_clock();
        if (report.overflow > 0)
        {
            make_longer_list(sys, report.overflow);
        }
        else
        {
            statistics->last_list_steps = statistics->list_steps;
            make_list(sys);
            ++statistics->num_builds;
        }
        statistics->list_steps = 0;
        wait_for_report(sys);
        rebuilding += host_clock() - rebuild_start;
    }
    statistics->phase_ms[NEIGHBORS] += rebuilding;
    statistics->phase_ms[FORCE] += host_clock() - start - rebuilding;
}

void equilibration(System *sys, Statistics *statistics, double T_0, size_t steps)
{
    advance(sys, statistics, T_0, steps);
}

void production(System *sys, Statistics *statistics, size_t steps)
{
    advance(sys, statistics, 0.0, steps);
}

// The lists are made anew before they lack a pair.
bool lacks_pairs(System *) { return false; }

// The energies from the three sums of all devices.
inline Energies energies_of(const System *sys, const double sums[3])
{
    if (sys->has_exploded)
    {
        return {NAN, NAN, NAN};
    }
    // Each pair was counted twice.
    return {0.5 * sys->mass * R_MIN * R_MIN * sums[0], 0.5 * EPSILON * sums[1],
            0.5 * 12.0 * EPSILON * sums[2]};
}

bool times_every_step(void) { return true; }

// ---- Its check ----

// A list without room must stop the kernels until there is more. Here there is first room for a few
// entries, and then for hardly more than the longest list has. The short lists are as long as the
// long ones.
inline void check_room(Run *run)
{
    System *sys = run->sys;
    if (run->restart != NULL || sys->N > 300000)
    {
        return;
    }
    State crystal = copy_state(sys);
    const double short_list_cutoff = sys->short_list_cutoff;
    sys->short_list_cutoff = sys->list_cutoff;
    move_at_random(sys, run->options->seed);
    send(sys);
    make_list(sys);
    make_longer_list(sys, 1);
    const int longest = wait_for_report(sys).overflow;
    make_longer_list(sys, (int)(longest / 1.1) + 1); // enlarge_lists() takes a tenth more
    find_force(sys);
    production(sys, run->statistics, 2); // the second step reads the short lists
    stop_if_interrupted();
    fetch_or_give_up(run);
    const size_t wrong = count_wrong_forces(sys);
    char text[128];
    snprintf(text, sizeof(text), "with full lists of up to %d entries %zu forces are wrong",
             longest, wrong);
    check_true(text, longest > 0 && wrong == 0);
    sys->short_list_cutoff = short_list_cutoff;
    restore_state(sys, &crystal);
    free_state(&crystal);
    make_longer_list(sys, longest);
}

// An atom that moves far in one step must stop the kernels of all devices until there is a new
// list. A device that goes on adds forces of the old list, and those of the new one after that. An
// atom of each device moves so in turn: by 6 A, from its place in the crystal to a hole beside
// another one. In a large system this check would take long.
inline void check_stops(Run *run, int num_devices)
{
    System *sys = run->sys;
    if (run->restart != NULL || sys->N > 300000)
    {
        return;
    }
    const double a = lattice_of(run->options);
    const size_t last_list_steps = run->statistics->last_list_steps;
    State crystal = copy_state(sys);
    StepError largest;
    size_t wrong = 0;
    for (int device = 0; device < num_devices; ++device)
    {
        const double middle =
            (device + 0.5) / num_devices * run->options->nx * a; // of its part of the box
        int n = 0;
        for (int i = 0; i < sys->N; ++i)
        {
            n = fabs(sys->y[i] - middle) < fabs(sys->y[n] - middle) ? i : n;
        }
        move_at_random(sys, run->options->seed);
        sys->vx[n] = (real)(0.5 * a / sys->time_step);
        sys->vy[n] = (real)(a / sys->time_step);
        send(sys);
        find_neighbor_and_force(run, true);
        fetch(sys);
        State before = copy_state(sys);
        production(sys, run->statistics, 1);
        stop_if_interrupted();
        fetch_or_give_up(run);
        const StepError error = find_step_error(sys, &before, 0.0);
        free_state(&before);
        largest.x = fmax(largest.x, error.x);
        largest.v = fmax(largest.v, error.v);
        largest.is_small = largest.is_small && error.is_small;
        wrong += count_wrong_forces(sys);
        restore_state(sys, &crystal);
    }
    char text[256];
    snprintf(text, sizeof(text),
             "after a step in which an atom moves far a position is off by %.3g A, a velocity by "
             "%.3g of the largest, and %zu forces are wrong",
             largest.x, largest.v, wrong);
    check_true(text, largest.is_small && wrong == 0);

    // Where no atom moves far, no list is made: no flag is left from the steps before.
    const int steps = 8;
    double fastest2 = 0.0;
    for (int n = 0; n < sys->N; ++n)
    {
        const double v2 = square(sys->vx[n]) + square(sys->vy[n]) + square(sys->vz[n]);
        fastest2 = fmax(fastest2, v2);
    }
    const bool moves_far =
        steps * sqrt(fastest2) * sys->time_step > (short_cutoff(sys) - CUTOFF) / 4.0;
    send(sys);
    find_neighbor_and_force(run, true);
    run->statistics->num_short_lists = 0;
    production(sys, run->statistics, steps);
    stop_if_interrupted();
    check_true("no short list is made before an atom has moved far",
               run->statistics->num_short_lists == 0 || moves_far);
    restore_state(sys, &crystal);
    free_state(&crystal);
    run->statistics->last_list_steps = last_list_steps;
}

// The forces and the motion with each way to see an entry in another box: see fast_forces.cuh. One
// of them is always the table of shifts. The other one is what the host chooses, so in a small box
// it is the table, too.
inline void check_ways(Run *run)
{
    System *sys = run->sys;
    if (run->restart != NULL || sys->N > 300000)
    {
        return;
    }
    const int steps = 3;
    const size_t last_list_steps = run->statistics->last_list_steps;
    State crystal = copy_state(sys), by_table = {};
    size_t wrong = 0;
    bool wraps = false;
    for (int way = 0; way < 2; ++way)
    {
        sys->never_wraps = way == 0;
        move_at_random(sys, run->options->seed);
        send(sys);
        find_neighbor_and_force(run, true);
        production(sys, run->statistics, steps);
        wraps = wait_for_report(sys).wraps;
        stop_if_interrupted();
        fetch_or_give_up(run);
        wrong += count_wrong_forces(sys);
        if (way == 0)
        {
            check_true("with never_wraps the table of shifts is read", !wraps);
            by_table = copy_state(sys);
        }
        else
        {
            check_same_state(sys, &by_table, steps);
        }
        restore_state(sys, &crystal);
    }
    char text[128];
    snprintf(text, sizeof(text), "with entries in another box %zu forces are wrong", wrong);
    check_true(text, wrong == 0);
    printf("entries in another box: %s\n", wraps ? "wrapped" : "by the table of shifts");
    free_state(&crystal);
    free_state(&by_table);
    run->statistics->last_list_steps = last_list_steps;
}
