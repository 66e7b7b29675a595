// ljmd-fast: the same physics as fast as the device allows, with a list made anew when needed
//
// From:    sections 22.1.2 and 21.3.3 (beyond the book)
// Compile: nvcc -O3 ljmd-fast.cu
// Run:     ./a.out 10 20000
//
// What makes it fast, compared with ljmd:
//
// - The atoms are sorted by cells, in O(N), whenever the list is made. Neighbours in space are
//   neighbours in memory then.
// - Four atoms, one after the other, are a cluster with one list. 8, 16 or 32 threads share it.
//   Each entry is read once for four atoms, and the threads of a cluster read entries side by side.
// - A step of the production is one kernel: it computes the forces at the positions, finishes the
//   step before, begins the next one, and writes the new positions to a second array.
// - There are two lists. The skin of a list is how far it reaches beyond the cutoff. Two atoms can
//   move towards each other, so a list has all pairs until an atom has moved by half the skin. When
//   an atom has moved by half the short list's skin, the kernel of that step takes a new short list
//   from the long one. When an atom has moved by half the long list's skin, the atoms are sorted
//   and the long list is made anew. So no list ever lacks a pair, in a melt, too.
// - The host does not wait for a step. If the list would lack a pair, the kernel does nothing, and
//   the kernels behind it do nothing either. The host looks from time to time.
//
// The device's side is shared with ljmd-multi. In the order in which it is used: fast_arrays.cuh,
// fast_cells.cuh (sorting), fast_list.cuh (the long list), fast_forces.cuh (the kernel of a step,
// where most of the speed comes from). fast_steps.cuh has the host's loop over steps. Here are the
// stages that this loop and run.cuh call, for one device.

#include "fast_steps.cuh"

struct Arrays
{
    Domain domain; // of the whole box
};

// ---- The arrays ----

Domain plan_domain(const Simulation *sim)
{
    Domain d = {};
    d.num_devices = 1;
    d.grid = create_grid(sim);
    d.room = room_for(sim->N);
    d.lanes = choose_lanes(sim->N);
    return d;
}

void count_bytes(const Simulation *sim, double *on_host, double *on_device)
{
    const Domain d = plan_domain(sim);
    *on_host = sim->N * (double)(sizeof(Real4) + sizeof(int));
    *on_device = count_domain_bytes(sim, &d);
}

void create_arrays(Simulation *sim)
{
    sim->arrays = (Arrays *)new_array(1, sizeof(Arrays));
    sim->arrays->domain = plan_domain(sim);
    if (far_atom(&sim->arrays->domain) > (int)ATOM_MASK)
    {
        usage_error("%d atoms are too many: an entry of a list has %d bits for an atom", sim->N,
                    ATOM_BITS);
    }
    create_domain(sim, &sim->arrays->domain);
}

void destroy_arrays(Simulation *sim)
{
    destroy_domain(&sim->arrays->domain);
    free(sim->arrays);
}

// The atoms are sent in the host's order. So the results do not depend on an earlier sorting.
void send(Simulation *sim)
{
    int *ids = (int *)new_array(sim->N, sizeof(int));
    for (int n = 0; n < sim->N; ++n)
    {
        ids[n] = n;
    }
    send_atoms(sim, &sim->arrays->domain, ids, sim->N);
    free(ids);
}

void fetch(Simulation *sim) { fetch_atoms(sim, &sim->arrays->domain); }

// ---- The list ----

void make_list(Simulation *sim)
{
    Domain *d = &sim->arrays->domain;
    put_atoms_into_cells(d);
    take_order_of_cells(d, sim->N);
    launch_ranges(d, {0, d->grid.n[1], 0, 0, d->starts});
    start_list(sim, d);
}

void make_longer_list(Simulation *sim, int needed)
{
    enlarge_lists(&sim->arrays->domain, needed);
    start_list(sim, &sim->arrays->domain);
}

NeighborCounts count_neighbors(Simulation *sim)
{
    return count_neighbors_of(sim, &sim->arrays->domain);
}

size_t count_missing(Simulation *sim)
{
    return count_missing_of(sim, &sim->arrays->domain) / 2; // each pair was counted twice
}

// ---- A step ----

void exchange_positions(Simulation *sim) { sim->arrays->domain.now = 1 - sim->arrays->domain.now; }

void launch_forces(Simulation *sim, bool kicks, bool moves)
{
    Domain *d = &sim->arrays->domain;
    const Step step = create_step(sim, d, kicks);
    launch_forces_on(d, &step, moves, d->stream);
    if (!moves)
    {
        launch_sums(d, count_parts(d->num_clusters, d->lanes));
    }
    d->phase = (d->phase + 1) % 3;
}

// After the last step of an equilibration the sum of the squared velocities is known.
void launch_move(Simulation *sim, bool scales, bool moves)
{
    Domain *d = &sim->arrays->domain;
    launch_scale_and_move(sim, d, scales, moves);
    d->phase = (d->phase + 1) % 3;
    if (!moves)
    {
        const double v2 = wanted_v2(sim);
        CHECK(cudaMemcpyAsync(d->sums, &v2, sizeof(double), cudaMemcpyHostToDevice, d->stream));
    }
}

Energies measure(Simulation *sim)
{
    double sums[3];
    CHECK(cudaMemcpy(sums, sim->arrays->domain.sums, sizeof(sums), cudaMemcpyDeviceToHost));
    return energies_of(sim, sums);
}

// ---- What the device has noted ----

Report wait_for_report(Simulation *sim)
{
    Domain *d = &sim->arrays->domain;
    CHECK(
        cudaMemcpyAsync(d->h_status, d->status, sizeof(Status), cudaMemcpyDeviceToHost, d->stream));
    CHECK(cudaStreamSynchronize(d->stream));
    const Status *status = d->h_status;
    return {status->flags[d->phase][0], status->steps, status->prunes, status->overflow};
}

void count_from_zero(Simulation *sim)
{
    const Domain *d = &sim->arrays->domain;
    CHECK(cudaMemsetAsync(&d->status->steps, 0, 2 * sizeof(int), d->stream));
}

int main(int argc, char **argv)
{
    Simulation sim; // begins with the values that simulation.cuh gives its members
    Run run;        // and with those of run.cuh
    sim.makes_new_lists = true;
    sim.atoms_of_list = CLUSTER;
    // So far that the solid needs no second long list. With 13.4 A, 1 million atoms at 60 K made 18
    // in 1500 steps. (From NX = 80 on, run.cuh takes 14.6 A.)
    sim.list_cutoff = 13.8;
    read_options(&sim, argc, argv, "-s S -o PREFIX",
                 "ljmd-fast: the same physics as fast as the device allows, with a list made anew "
                 "when needed");
    open_run(&run, &sim); // the size of the system, the files

    create_atoms(&sim);
    create_arrays(&sim);
    if (run.restart == NULL)
    {
        initialize_position(&sim); // a crystal
        initialize_velocity(&sim);
        check_start(&run); // each stage by itself
        check_room(&run);
        check_stops(&run, 1);
    }
    else
    {
        read_restart_atoms(&sim, run.restart);
    }
    find_first_forces(&run); // and the neighbour list

    begin_equilibration(&run);
    while (run.steps_until_look > 0)
    {
        equilibration(&sim, run.steps_until_look);
        look(&run);
    }

    begin_production(&run);
    while (run.steps_until_look > 0)
    {
        production(&sim, run.steps_until_look);
        look(&run);
    }
    end_production(&run);

    destroy_arrays(&sim);
    destroy_atoms(&sim);
    return verdict();
}
