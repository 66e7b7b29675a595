// The host's loop over steps in ljmd-fast and ljmd-multi: it launches steps and looks from time to
// time whether a list has to be made.
#pragma once
#include "fast_forces.cuh"
#include "run.cuh"

// ---- What ljmd-fast does on one device, and ljmd-multi on several ----

// The forces at the positions. kicks: and the second half of the step before. moves: and the first
// half of the next one; else the energies are added up.
void launch_forces(Simulation *sim, bool kicks, bool moves);

// The first half of a step, in place. After the last step of an equilibration (moves: false) the
// velocities are only scaled.
void launch_move(Simulation *sim, bool scales, bool moves);

// Sorts the atoms and makes the long list.
void make_list(Simulation *sim);

// Makes it once more, with room for so many entries.
void make_longer_list(Simulation *sim, int needed);

// The positions that a step would read become those that it would write.
void exchange_positions(Simulation *sim);

// What the devices have noted since the list was made, or since count_from_zero().
struct Report
{
    int flag, steps, prunes, overflow; // see Status
};
Report wait_for_report(Simulation *sim);
void count_from_zero(Simulation *sim);

// ---- The start ----

void find_neighbor(Simulation *sim)
{
    make_list(sim);
    const Report report = wait_for_report(sim);
    if (report.overflow > 0)
    {
        make_longer_list(sim, report.overflow);
    }
    sim->list_steps = 0;
    ++sim->num_builds;
}

void find_force(Simulation *sim) { launch_forces(sim, false, false); }

// ---- Steps ----

// Launches `count` steps, which are the next ones of `left` steps.
inline void launch_steps(Simulation *sim, size_t count, size_t left, bool scales)
{
    for (size_t i = 0; i < count; ++i)
    {
        const bool is_last = i + 1 == left;
        const bool moves = !scales && !is_last;
        launch_forces(sim, true, moves);
        if (moves)
        {
            exchange_positions(sim);
        }
        else if (scales)
        {
            launch_move(sim, true, !is_last);
        }
    }
}

// How many steps to launch before the host looks again: about as many as the last list served. When
// this list has served so many, only a few more, or an eighth of the steps it has served. A look
// takes about as long as a step of a few thousand atoms. But a kernel that does nothing takes time,
// too: its blocks have to begin and end.
inline size_t choose_batch(const Simulation *sim)
{
    const int per_million = 1000000 / sim->N;
    const size_t few = per_million < 2 ? 2 : per_million > 32 ? 32 : per_million;
    const size_t steps = sim->list_steps, expected = sim->last_list_steps;
    if (expected > steps + few)
    {
        return expected - steps;
    }
    return steps / 8 > few ? steps / 8 : few;
}

// Does the steps. The host launches some of them, and then reads the flag. If the flag says STOP, a
// kernel has found that the list would lack pairs, and no later kernel has done anything. Then the
// lists are made anew, and the forces are computed with them.
inline void advance(Simulation *sim, size_t steps, bool scale_temperature)
{
    if (steps == 0)
    {
        return;
    }
    const double start = host_clock();
    double rebuilding = 0.0;
    size_t done = 0;
    launch_move(sim, false, true);
    while (done < steps && !g_interrupted)
    {
        const size_t left = steps - done, batch = choose_batch(sim);
        const size_t count = left < batch ? left : batch;
        count_from_zero(sim);
        launch_steps(sim, count, left, scale_temperature);
        const Report report = wait_for_report(sim);
        const size_t finished = report.steps;
        done += finished;
        sim->list_steps += finished;
        sim->num_short_lists += report.prunes;
        if (!(report.flag & STOP))
        {
            continue;
        }
        const bool moved_by_forces = !scale_temperature;
        const size_t launched_moves = count - (count == left ? 1 : 0);
        if (moved_by_forces && (launched_moves - finished) % 2 == 1)
        {
            exchange_positions(sim); // steps that did nothing
        }
        if (report.flag & EXPLODED)
        {
            sim->has_exploded = true;
            break;
        }
        const double rebuild_start = host_clock();
        if (report.overflow > 0)
        {
            make_longer_list(sim, report.overflow);
        }
        else
        {
            sim->last_list_steps = sim->list_steps;
            make_list(sim);
            ++sim->num_builds;
        }
        sim->list_steps = 0;
        wait_for_report(sim);
        rebuilding += host_clock() - rebuild_start;
    }
    sim->phase_ms[NEIGHBORS] += rebuilding;
    sim->phase_ms[FORCE] += host_clock() - start - rebuilding;
}

void equilibration(Simulation *sim, size_t steps) { advance(sim, steps, true); }

void production(Simulation *sim, size_t steps) { advance(sim, steps, false); }

// The lists are made anew before they lack a pair.
bool lacks_pairs(Simulation *) { return false; }

// The energies from the three sums of all devices.
inline Energies energies_of(const Simulation *sim, const double sums[3])
{
    if (sim->has_exploded)
    {
        return {NAN, NAN, NAN};
    }
    // Each pair was counted twice.
    return {0.5 * sim->mass * R_MIN * R_MIN * sums[0], 0.5 * EPSILON * sums[1],
            0.5 * 12.0 * EPSILON * sums[2]};
}

bool times_every_step(void) { return true; }

// ---- Its check ----

// A list without room must stop the kernels until there is more. Here there is first room for a few
// entries, and then for hardly more than the longest list has. The short lists are as long as the
// long ones.
inline void check_room(Run *run)
{
    Simulation *sim = run->sim;
    if (sim->N > 300000)
    {
        return;
    }
    State crystal = copy_state(sim);
    const double short_list_cutoff = sim->short_list_cutoff;
    sim->short_list_cutoff = sim->list_cutoff;
    move_at_random(sim);
    send(sim);
    make_list(sim);
    make_longer_list(sim, 1);
    const int longest = wait_for_report(sim).overflow;
    make_longer_list(sim, (int)(longest / 1.1) + 1); // enlarge_lists() takes a tenth more
    find_force(sim);
    production(sim, 2); // the second step reads the short lists
    stop_if_interrupted();
    fetch_or_give_up(sim);
    const size_t wrong = count_wrong_forces(sim);
    char text[128];
    snprintf(text, sizeof(text), "with full lists of up to %d entries %zu forces are wrong",
             longest, wrong);
    check_true(text, longest > 0 && wrong == 0);
    sim->short_list_cutoff = short_list_cutoff;
    restore_state(sim, &crystal);
    free_state(&crystal);
    make_longer_list(sim, longest);
}

// An atom that moves far in one step must stop the kernels of all devices until there is a new
// list. A device that goes on adds forces of the old list, and those of the new one after that. An
// atom of each device moves so in turn: by 6 A, from its place in the crystal to a hole beside
// another one. In a large system this check would take long.
inline void check_stops(Run *run, int num_devices)
{
    Simulation *sim = run->sim;
    if (sim->N > 300000)
    {
        return;
    }
    const double a = lattice_of(sim);
    const size_t last_list_steps = sim->last_list_steps;
    State crystal = copy_state(sim);
    StepError largest;
    size_t wrong = 0;
    for (int device = 0; device < num_devices; ++device)
    {
        const double middle = (device + 0.5) / num_devices * sim->nx * a; // of its part of the box
        int n = 0;
        for (int i = 0; i < sim->N; ++i)
        {
            n = fabs(sim->y[i] - middle) < fabs(sim->y[n] - middle) ? i : n;
        }
        move_at_random(sim);
        sim->vx[n] = (real)(0.5 * a / sim->time_step);
        sim->vy[n] = (real)(a / sim->time_step);
        send(sim);
        find_neighbor_and_force(sim, true);
        fetch(sim);
        State before = copy_state(sim);
        production(sim, 1);
        stop_if_interrupted();
        fetch_or_give_up(sim);
        const StepError error = find_step_error(sim, &before, false);
        free_state(&before);
        largest.x = fmax(largest.x, error.x);
        largest.v = fmax(largest.v, error.v);
        largest.is_small = largest.is_small && error.is_small;
        wrong += count_wrong_forces(sim);
        restore_state(sim, &crystal);
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
    for (int n = 0; n < sim->N; ++n)
    {
        const double v2 = square(sim->vx[n]) + square(sim->vy[n]) + square(sim->vz[n]);
        fastest2 = fmax(fastest2, v2);
    }
    const bool moves_far =
        steps * sqrt(fastest2) * sim->time_step > (short_cutoff(sim) - CUTOFF) / 4.0;
    send(sim);
    find_neighbor_and_force(sim, true);
    sim->num_short_lists = 0;
    production(sim, steps);
    stop_if_interrupted();
    check_true("no short list is made before an atom has moved far",
               sim->num_short_lists == 0 || moves_far);
    restore_state(sim, &crystal);
    free_state(&crystal);
    sim->last_list_steps = last_list_steps;
}
