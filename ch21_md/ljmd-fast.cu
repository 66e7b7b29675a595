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

Domain plan_domain(const System *sys)
{
    Domain d = {};
    d.num_devices = 1;
    d.grid = create_grid(sys);
    d.room = room_for(sys->N);
    d.lanes = choose_lanes(sys->N);
    return d;
}

void count_bytes(const System *sys, double *on_host, double *on_device)
{
    const Domain d = plan_domain(sys);
    *on_host = sys->N * (double)(sizeof(Real4) + sizeof(int));
    *on_device = count_domain_bytes(sys, &d);
}

void create_arrays(System *sys)
{
    sys->arrays = (Arrays *)new_array(1, sizeof(Arrays));
    sys->arrays->domain = plan_domain(sys);
    if (far_atom(&sys->arrays->domain) > (int)ATOM_MASK)
    {
        usage_error("%d atoms are too many: an entry of a list has %d bits for an atom", sys->N,
                    ATOM_BITS);
    }
    create_domain(sys, &sys->arrays->domain);
}

void destroy_arrays(System *sys)
{
    destroy_domain(&sys->arrays->domain);
    free(sys->arrays);
}

// The atoms are sent in the host's order. So the results do not depend on an earlier sorting.
void send(System *sys)
{
    int *ids = (int *)new_array(sys->N, sizeof(int));
    for (int n = 0; n < sys->N; ++n)
    {
        ids[n] = n;
    }
    send_atoms(sys, &sys->arrays->domain, ids, sys->N);
    free(ids);
}

void fetch(System *sys) { fetch_atoms(sys, &sys->arrays->domain); }

// ---- The list ----

void make_list(System *sys)
{
    Domain *d = &sys->arrays->domain;
    put_atoms_into_cells(d);
    take_order_of_cells(d, sys->N);
    launch_ranges(d, {0, d->grid.n[1], 0, 0, d->starts});
    start_list(sys, d);
}

void make_longer_list(System *sys, int needed)
{
    enlarge_lists(&sys->arrays->domain, needed);
    start_list(sys, &sys->arrays->domain);
}

NeighborCounts count_neighbors(System *sys)
{
    return count_neighbors_of(sys, &sys->arrays->domain);
}

size_t count_missing(System *sys)
{
    return count_missing_of(sys, &sys->arrays->domain) / 2; // each pair was counted twice
}

// ---- A step ----

void exchange_positions(System *sys) { sys->arrays->domain.now = 1 - sys->arrays->domain.now; }

void launch_forces(System *sys, bool kicks, bool moves)
{
    Domain *d = &sys->arrays->domain;
    const Step step = create_step(sys, d, kicks);
    launch_forces_on(d, &step, moves, d->stream);
    if (!moves)
    {
        launch_sums(d, count_parts(d->num_clusters, d->lanes));
    }
    d->phase = (d->phase + 1) % 3;
}

// After the last step of an equilibration the sum of the squared velocities is known.
void launch_move(System *sys, double T_0, bool moves)
{
    Domain *d = &sys->arrays->domain;
    launch_scale_and_move(sys, d, T_0, moves);
    d->phase = (d->phase + 1) % 3;
    if (!moves)
    {
        const double v2 = wanted_v2(sys, T_0);
        CHECK(cudaMemcpyAsync(d->sums, &v2, sizeof(double), cudaMemcpyHostToDevice, d->stream));
    }
}

Energies measure(System *sys)
{
    double sums[3];
    CHECK(cudaMemcpy(sums, sys->arrays->domain.sums, sizeof(sums), cudaMemcpyDeviceToHost));
    return energies_of(sys, sums);
}

// ---- What the device has noted ----

Report wait_for_report(System *sys)
{
    Domain *d = &sys->arrays->domain;
    CHECK(
        cudaMemcpyAsync(d->h_status, d->status, sizeof(Status), cudaMemcpyDeviceToHost, d->stream));
    CHECK(cudaStreamSynchronize(d->stream));
    const Status *status = d->h_status;
    d->wraps = !status->wide;
    return {status->flags[d->phase][0], status->steps, status->prunes, status->overflow, d->wraps};
}

void count_from_zero(System *sys)
{
    const Domain *d = &sys->arrays->domain;
    CHECK(cudaMemsetAsync(&d->status->steps, 0, 2 * sizeof(int), d->stream));
}

// Their members begin with the values that md_options.cuh, simulation.cuh and run.cuh give them.
static Options options;       // what the command line says
static System sys;            // the atoms and their box
static Statistics statistics; // what is counted and timed
static Run run = {&options, &sys, &statistics};

int main(int argc, char **argv)
{
    options.makes_new_lists = true;
    options.atoms_of_list = CLUSTER;
    // So far that the solid needs no second long list. With 13.4 A, 1 million atoms at 60 K made 18
    // in 1500 steps. (From NX = 80 on, md_options.cuh takes 14.6 A.)
    options.list_cutoff = 13.8;
    read_options(&options, argc, argv, "-s S -o PREFIX",
                 "ljmd-fast: the same physics as fast as the device allows, with a list made anew "
                 "when needed");
    open_run(&run);      // the restart file, the size of the system, the files to write
    create_system(&run); // a crystal, or the atoms of the restart file
    check_start(&run);   // of a crystal: each stage by itself
    check_room(&run);
    check_stops(&run, 1);
    check_ways(&run);
    find_first_forces(&run); // and the neighbour list

    begin_equilibration(&run);
    while (run.steps_until_look > 0)
    {
        equilibration(&sys, &statistics, options.temperature, run.steps_until_look);
        look(&run);
    }

    begin_production(&run);
    while (run.steps_until_look > 0)
    {
        production(&sys, &statistics, run.steps_until_look);
        look(&run);
    }
    end_production(&run);

    destroy_system(&run);
    return verdict();
}
