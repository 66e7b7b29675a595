// ljmd-multi: the same physics on several devices, each with the atoms in a slab of the box
//
// From:    section 22.2, which is empty in the book
// Chinese: 用多个设备做同样的模拟，每个设备负责盒子中的一片
// Compile: nvcc -O3 ljmd-multi.cu
// Run:     ./a.out 100 1000
// Options: -s S -o PREFIX --devices N --temperature X --density X --dt X --steps N --interval N
//          --list X --short-list X --shift --xyz --checkpoint N --restart TEXT [NX] [NE]
// Sizes:   5 6 8
// Also:    5 150 --temperature 400 --density 1.6; 6 60 --list 11 --short-list 10.4 --shift;
//          14 4 --density 0.25
// Checks:  30
//
// It computes as ljmd-fast does, with the same kernels. Read ljmd-fast first. New here:
//
// - The box is cut across y into slabs, one for each device. A slab is some rows of columns of
//   cells. Rows are one piece of the order of the cells, so a slab's atoms are one piece of the
//   sorted atoms.
// - A device also needs the atoms of the rows beside its slab: its halo. In each step the owners
//   copy their new positions there. As they are sorted, a few copies of whole pieces are enough.
// - The atoms of the first and the last rows of a slab are its border. Only they are copied to
//   other devices, and only their lists reach into the halo. The kernel for the border runs first.
//   While its new positions are copied, the kernel for the inner atoms runs.
// - At the end of a step each device waits until the others have finished it, by events. The host
//   does not wait, and launches many steps ahead.
// - What one device notes holds for all: its flag is copied to the others in each step.
// - When the list is made anew, atoms that have left their slab move to another device.
//
// One device has no border, and then this is ljmd-fast. Without a GPU, CUDACPU_DEVICES=4 shows four
// devices.

#include "fast_steps.cuh"
#include "run.cuh"

// Rows of another device, one after the other, as a part of a halo.
struct HaloPiece
{
    int owner, first_row, num_rows;
    int first_start;           // where the numbers of its cells' first atoms are among `starts`
    int first_atom, num_atoms; // on the owner
    int place;                 // of the first of them in the device's positions
};

// A device and its rows of columns of cells.
struct Slab
{
    Domain domain;
    int first_row, num_rows;
    std::vector<HaloPiece> halo;
    std::vector<int> row_starts; // the first atom of each own row, and at the end their number
    int inner_first, inner_end;  // clusters; those before and behind are the border
    cudaStream_t border_stream;  // the domain's own stream is for the inner atoms
    cudaEvent_t border_is_done;  // computed and copied to the other devices
    cudaEvent_t step_is_done;    // of this device ...
    cudaEvent_t all_are_done;    // ... and of all others
    int *counter;                // on the device
};

struct Arrays
{
    int num_devices;
    int border_rows; // at each end of a slab
    Slab slabs[MOST_DEVICES];
};

// ---- Cutting the box ----

// The layers of cells in y before a row. A row has two layers. The last one may have only one.
int layers_before(const Grid &grid, int row)
{
    return std::min(2 * row, grid.n[1]);
}

// The cells before a row, in the order of the cells.
int cells_before(const Grid &grid, int row)
{
    return layers_before(grid, row) * grid.n[0] * grid.n[2];
}

int count_rows(const Grid &grid)
{
    return (grid.n[1] + 1) / 2;
}

// As many devices as --devices says, or all, but not more than the box has rows.
int choose_devices(const Simulation *sim)
{
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    const int rows = count_rows(create_grid(sim)), most = std::min(count, MOST_DEVICES);
    if (sim->devices > (size_t)most)
    {
        usage_error(sim->args, "--devices %zu: there are only %d", sim->devices, most);
    }
    if (sim->devices > (size_t)rows)
    {
        usage_error(sim->args, "--devices %zu: this box can be cut into %d slabs at most",
                    sim->devices, rows);
    }
    return sim->devices > 0 ? (int)sim->devices : std::min(most, rows);
}

// So many rows that a list cannot reach across them.
int choose_border_rows(const Simulation *sim)
{
    const Grid grid = create_grid(sim);
    const double range = std::max(sim->list_cutoff, BOOK_LIST_CUTOFF) / R_MIN;
    const int layers = (int)(range / grid.width[1] + 0.001) + 1;
    return (layers + grid.n[1] % 2 + 1) / 2; // the last row may have one layer
}

// The rows of each device.
void cut_box(Arrays *a, int num_rows)
{
    for (int device = 0; device < a->num_devices; ++device)
    {
        Slab *slab = &a->slabs[device];
        slab->first_row = num_rows * device / a->num_devices;
        slab->num_rows = num_rows * (device + 1) / a->num_devices - slab->first_row;
    }
}

int owner_of_row(const Arrays *a, int row)
{
    int owner = 0;
    while (row >= a->slabs[owner].first_row + a->slabs[owner].num_rows)
    {
        ++owner;
    }
    return owner;
}

// Adds a row to the halo of a slab.
void add_to_halo(const Arrays *a, Slab *slab, int row)
{
    const int owner = owner_of_row(a, row);
    if (!slab->halo.empty())
    {
        HaloPiece *last = &slab->halo.back();
        if (last->owner == owner && last->first_row + last->num_rows == row)
        {
            ++last->num_rows;
            return;
        }
    }
    slab->halo.push_back({owner, row, 1, 0, 0, 0, 0});
}

// The halo is the rows behind the slab and those before it. The box is periodic. A row that is both
// is taken once.
void plan_slab(const Simulation *sim, const Arrays *a, Slab *slab)
{
    Domain *d = &slab->domain;
    d->grid = create_grid(sim);
    Grid &grid = d->grid;
    const int rows = count_rows(grid), end_row = slab->first_row + slab->num_rows;
    const int behind = std::min(a->border_rows, rows - slab->num_rows);
    const int before = std::min(a->border_rows, rows - slab->num_rows - behind);
    for (int k = 0; k < behind; ++k)
    {
        add_to_halo(a, slab, (end_row + k) % rows);
    }
    for (int k = 0; k < before; ++k)
    {
        add_to_halo(a, slab, (slab->first_row + rows - before + k) % rows);
    }
    grid.first_cell = cells_before(grid, slab->first_row);
    grid.num_cells = cells_before(grid, end_row) - grid.first_cell;
    grid.first_y = layers_before(grid, (slab->first_row + rows - before) % rows);
    grid.num_y = layers_before(grid, end_row) - layers_before(grid, slab->first_row);
    int next_start = grid.num_cells + 1; // behind those of the slab's own cells
    for (HaloPiece &piece : slab->halo)
    {
        const int end = piece.first_row + piece.num_rows;
        grid.num_y += layers_before(grid, end) - layers_before(grid, piece.first_row);
        piece.first_start = next_start;
        next_start += cells_before(grid, end) - cells_before(grid, piece.first_row) + 1;
    }

    // An eighth more than on average, because atoms wander. But there are N in all.
    const double atoms_of_row = (double)sim->N / rows;
    const auto room_for = [&](double num_rows)
    {
        const double atoms = std::min(1.125 * num_rows * atoms_of_row + 1024.0, (double)sim->N);
        return (int)count_clusters((size_t)atoms) * CLUSTER;
    };
    d->num_devices = a->num_devices;
    d->room = room_for((rows + a->num_devices - 1) / a->num_devices); // the same on all devices
    d->halo_room = slab->halo.empty() ? 0 : room_for(before + behind);
    d->lanes = choose_lanes(sim->N / a->num_devices);
}

void plan_slabs(const Simulation *sim, Arrays *a)
{
    a->num_devices = choose_devices(sim);
    a->border_rows = choose_border_rows(sim);
    cut_box(a, count_rows(create_grid(sim)));
    for (int device = 0; device < a->num_devices; ++device)
    {
        a->slabs[device].domain.device = device;
        plan_slab(sim, a, &a->slabs[device]);
    }
}

// ---- The arrays ----

// Calls work(slab) for each slab. Its device is the current one then.
template <typename Work>
void for_each_slab(Arrays *a, Work work)
{
    for (int device = 0; device < a->num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        work(&a->slabs[device]);
    }
}

void wait_for_devices(Arrays *a)
{
    for_each_slab(a, [](Slab *) { CHECK(cudaDeviceSynchronize()); });
}

// The devices of the CPU backend share the host's memory.
void count_bytes(const Simulation *sim, double *on_host, double *on_device)
{
    Arrays a = {};
    plan_slabs(sim, &a);
    *on_device = 0;
    double on_all = 0;
    for (int device = 0; device < a.num_devices; ++device)
    {
        const double bytes = count_domain_bytes(sim, &a.slabs[device].domain);
        *on_device = std::max(*on_device, bytes);
        on_all += bytes;
    }
    *on_host =
        sim->N * (double)(sizeof(Real4) + 3 * sizeof(int)) + (ON_GPU ? 0.0 : on_all - *on_device);
}

// Lets each device reach the memory of each other one, where that is possible. Then copies between
// them go directly, and else through the host. Returns whether all can.
bool enable_peer_access(Arrays *a)
{
    bool all_can = true;
    for_each_slab(a,
                  [&](const Slab *slab)
                  {
                      for (int peer = 0; peer < a->num_devices; ++peer)
                      {
                          int can = 0;
                          if (peer == slab->domain.device)
                          {
                              continue;
                          }
                          CHECK(cudaDeviceCanAccessPeer(&can, slab->domain.device, peer));
                          if (can)
                          {
                              CHECK(cudaDeviceEnablePeerAccess(peer, 0));
                          }
                          all_can = all_can && can;
                      }
                  });
    return all_can;
}

void create_arrays(Simulation *sim)
{
    Arrays *a = new Arrays();
    sim->arrays = a;
    plan_slabs(sim, a);
    for_each_slab(
        a,
        [&](Slab *slab)
        {
            Domain *d = &slab->domain;
            if (ON_GPU)
            {
                require_memory(sim->args, 0, count_domain_bytes(sim, d));
            }
            int least = 0, greatest = 0; // priorities
            CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
            CHECK(cudaStreamCreateWithPriority(&d->stream, cudaStreamDefault, least));
            CHECK(cudaStreamCreateWithPriority(&slab->border_stream, cudaStreamDefault, greatest));
            for (cudaEvent_t *event :
                 {&slab->border_is_done, &slab->step_is_done, &slab->all_are_done})
            {
                CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
            }
            create_domain(sim, d);
            allocate(&slab->counter, 1);
            slab->row_starts.resize(slab->num_rows + 1);
        });
    const bool is_direct = enable_peer_access(a);
    CHECK(cudaSetDevice(0));
    const int rows = count_rows(a->slabs[0].domain.grid);
    printf("devices: %d, with %d to %d of %d rows of cells each%s\n", a->num_devices,
           rows / a->num_devices, (rows - 1) / a->num_devices + 1, rows,
           a->num_devices == 1 ? ""
           : is_direct         ? "; copies between them go directly"
                               : "; copies between them go through the host");
}

void destroy_arrays(Simulation *sim)
{
    for_each_slab(
        sim->arrays,
        [](Slab *slab)
        {
            CHECK(cudaStreamDestroy(slab->domain.stream));
            CHECK(cudaStreamDestroy(slab->border_stream));
            for (cudaEvent_t event : {slab->border_is_done, slab->step_is_done, slab->all_are_done})
            {
                CHECK(cudaEventDestroy(event));
            }
            CHECK(cudaFree(slab->counter));
            destroy_domain(&slab->domain);
        });
    delete sim->arrays;
}

void require_room(const Simulation *sim, int device, size_t needed, size_t room)
{
    if (needed > room)
    {
        usage_error(sim->args, "device %d has room for %zu atoms, and not %zu; try fewer --devices",
                    device, room, needed);
    }
}

// Each atom goes to the device whose slab it is in, or but for rounding is in.
void send(Simulation *sim)
{
    Arrays *a = sim->arrays;
    const Grid grid = a->slabs[0].domain.grid;
    std::vector<int> ids[MOST_DEVICES];
    for (int n = 0; n < sim->N; ++n)
    {
        const double cells = (sim->y[n] / R_MIN - grid.origin[1]) / grid.width[1];
        const int layer = (int)(cells - grid.n[1] * floor(cells / grid.n[1]));
        ids[owner_of_row(a, std::min(layer, grid.n[1] - 1) / 2)].push_back(n);
    }
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      Domain *d = &slab->domain;
                      require_room(sim, d->device, ids[d->device].size(), d->room);
                      send_atoms(sim, d, ids[d->device]);
                  });
}

void fetch(Simulation *sim)
{
    for_each_slab(sim->arrays, [&](const Slab *slab) { fetch_atoms(sim, &slab->domain); });
}

// ---- What the devices tell each other ----

// A device copies a few numbers to the same place on all others. place(domain) is their address.
template <typename Place>
void copy_to_others(const Arrays *a, int device, size_t count, Place place)
{
    const Domain *from = &a->slabs[device].domain;
    for (int other = 0; other < a->num_devices; ++other)
    {
        if (other != device)
        {
            const auto *source = place(from);
            CHECK(cudaMemcpyPeerAsync(place(&a->slabs[other].domain), other, source, device,
                                      count * sizeof(*source), from->stream));
        }
    }
}

// The device's flag of one of the three rows.
void copy_flag_to_others(const Arrays *a, int device, int row)
{
    copy_to_others(a, device, 1, [&](const Domain *d) { return &d->status->flags[row][device]; });
}

void copy_sums_to_others(const Arrays *a, int device)
{
    copy_to_others(a, device, 3, [&](const Domain *d) { return d->sums + 3 * device; });
}

// The device's border goes to the halos of other devices.
void copy_border_to_others(const Arrays *a, const Slab *slab, int which, cudaStream_t stream)
{
    const Domain *from = &slab->domain;
    for (int other = 0; other < a->num_devices; ++other)
    {
        const Domain *to = &a->slabs[other].domain;
        for (const HaloPiece &piece : a->slabs[other].halo)
        {
            if (piece.owner == from->device && piece.num_atoms > 0)
            {
                CHECK(cudaMemcpyPeerAsync(to->positions[which] + piece.place, other,
                                          from->positions[which] + piece.first_atom, from->device,
                                          piece.num_atoms * sizeof(Real4), stream));
            }
        }
    }
}

// What is launched from here on waits until all devices have done what was launched before.
void join_devices(Arrays *a)
{
    if (a->num_devices == 1)
    {
        return;
    }
    for_each_slab(a, [](Slab *slab)
                  { CHECK(cudaEventRecord(slab->step_is_done, slab->domain.stream)); });
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      for (int other = 0; other < a->num_devices; ++other)
                      {
                          if (other != slab->domain.device)
                          {
                              CHECK(cudaStreamWaitEvent(slab->domain.stream,
                                                        a->slabs[other].step_is_done, 0));
                          }
                      }
                      CHECK(cudaEventRecord(slab->all_are_done, slab->domain.stream));
                  });
}

// ---- Atoms that have left their slab ----

// Atoms on their way from one device to another.
struct Travellers
{
    Real4 *positions, *velocities;
    int *ids;
};

Travellers own_atoms(const Domain *d)
{
    return {d->positions[d->now], d->velocities, d->ids};
}

// The arrays that sorting will write to are free until then.
Travellers outbox(const Domain *d)
{
    return {d->positions[1 - d->now], d->sorted_velocities, d->sorted_ids};
}

// And these have nothing that is needed once a new list is to be made.
Travellers inbox(const Domain *d)
{
    return {d->forces, d->short_positions, d->slots};
}

__device__ inline void copy_traveller(Travellers from, int i, Travellers to, int k)
{
    to.positions[k] = from.positions[i];
    to.velocities[k] = from.velocities[i];
    to.ids[k] = from.ids[i];
}

// Copies the atoms that have left the slab to the outbox, in no fixed order: sorting will make one.
__global__ void take_out(Grid grid, int N, Travellers own, Travellers outbox, int *num_leaving)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && own_cell(grid, wrap(grid, own.positions[i])) < 0)
    {
        copy_traveller(own, i, outbox, atomicAdd(num_leaving, 1));
    }
}

// Of the atoms that another device sent to all, takes those that are in the slab.
__global__ void take_in(Grid grid, int count, Travellers inbox, Travellers own, int room, int *N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && own_cell(grid, wrap(grid, inbox.positions[i])) >= 0)
    {
        const int k = atomicAdd(N, 1);
        if (k < room)
        {
            copy_traveller(inbox, i, own, k);
        }
    }
}

int read_counter(const Slab *slab)
{
    int count = 0;
    CHECK(cudaMemcpy(&count, slab->counter, sizeof(int), cudaMemcpyDeviceToHost));
    return count;
}

// Copies what one device sends to another one, and takes in what belongs there.
void deliver(const Slab *from, Slab *to, int count)
{
    Domain *d = &to->domain;
    const Travellers sent = outbox(&from->domain), received = inbox(d);
    const int sender = from->domain.device;
    const auto copy = [&](auto *target, const auto *source)
    {
        CHECK(cudaMemcpyPeerAsync(target, d->device, source, sender, count * sizeof(*target),
                                  d->stream));
    };
    copy(received.positions, sent.positions);
    copy(received.velocities, sent.velocities);
    copy(received.ids, sent.ids);
    take_in<<<blocks_for(count, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
        d->grid, count, received, own_atoms(d), d->room, to->counter);
    CHECK_LAUNCH();
}

// Atoms that have left their slab are appended to those of the device where they are now. Sorting
// leaves them out where they were. They are few, so each device gets those of all others, and looks
// which are its own.
void migrate(const Simulation *sim)
{
    Arrays *a = sim->arrays;
    int num_leaving[MOST_DEVICES];
    for_each_slab(
        a,
        [&](Slab *slab)
        {
            Domain *d = &slab->domain;
            CHECK(cudaMemsetAsync(slab->counter, 0, sizeof(int), d->stream));
            take_out<<<blocks_for(d->N, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
                d->grid, d->N, own_atoms(d), outbox(d), slab->counter);
            CHECK_LAUNCH();
        });
    for_each_slab(a, [&](Slab *slab) { num_leaving[slab->domain.device] = read_counter(slab); });
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      CHECK(cudaMemcpyAsync(slab->counter, &slab->domain.N, sizeof(int),
                                            cudaMemcpyHostToDevice, slab->domain.stream));
                      for (int other = 0; other < a->num_devices; ++other)
                      {
                          if (other != slab->domain.device && num_leaving[other] > 0)
                          {
                              deliver(&a->slabs[other], slab, num_leaving[other]);
                          }
                      }
                  });
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      Domain *d = &slab->domain;
                      d->N = read_counter(slab);
                      require_room(sim, d->device, d->N, d->room);
                  });
}

// ---- The list ----

// The first atom of each row of the slab, and the number of atoms.
void find_rows(Slab *slab)
{
    const Domain *d = &slab->domain;
    const size_t cells_of_row = cells_before(d->grid, 1);
    CHECK(cudaMemcpy2D(slab->row_starts.data(), sizeof(int), d->starts, cells_of_row * sizeof(int),
                       sizeof(int), slab->num_rows, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&slab->row_starts[slab->num_rows], d->starts + d->grid.num_cells, sizeof(int),
                     cudaMemcpyDeviceToHost));
}

// Where the pieces of the halo are on their owners and will be here, and which clusters are the
// border: those with an atom of the outer rows.
void place_halo(const Simulation *sim, Slab *slab)
{
    const Arrays *a = sim->arrays;
    const Domain *d = &slab->domain;
    int num_atoms = 0;
    for (HaloPiece &piece : slab->halo)
    {
        const Slab *owner = &a->slabs[piece.owner];
        const int *row_starts = &owner->row_starts[piece.first_row - owner->first_row];
        piece.first_atom = row_starts[0];
        piece.num_atoms = row_starts[piece.num_rows] - row_starts[0];
        piece.place = d->room + num_atoms;
        num_atoms += piece.num_atoms;
    }
    require_room(sim, d->device, num_atoms, d->halo_room);
    slab->inner_first = 0;
    slab->inner_end = d->num_clusters;
    if (!slab->halo.empty())
    {
        const int first_row = std::min(a->border_rows, slab->num_rows);
        const int end_row = std::max(slab->num_rows - a->border_rows, first_row);
        slab->inner_first = (int)count_clusters(slab->row_starts[first_row]);
        slab->inner_end = std::max(slab->row_starts[end_row] / CLUSTER, slab->inner_first);
    }
}

// The halo gets the numbers of its cells' atoms, from the owners.
void copy_starts(const Arrays *a, Slab *slab)
{
    Domain *d = &slab->domain;
    for (const HaloPiece &piece : slab->halo)
    {
        const Domain *owner = &a->slabs[piece.owner].domain;
        const int first_cell = cells_before(d->grid, piece.first_row);
        const int end_cell = cells_before(d->grid, piece.first_row + piece.num_rows);
        CHECK(cudaMemcpyPeerAsync(d->starts + piece.first_start, d->device,
                                  owner->starts + (first_cell - owner->grid.first_cell),
                                  owner->device, (end_cell - first_cell + 1) * sizeof(int),
                                  d->stream));
    }
}

// Where the atoms of all cells are that the device knows.
void find_all_ranges(Slab *slab)
{
    Domain *d = &slab->domain;
    const auto find = [&](int first_row, int num_rows, int first_atom, const int *starts)
    {
        const int first_y = layers_before(d->grid, first_row);
        launch_ranges(d, {first_y, layers_before(d->grid, first_row + num_rows) - first_y,
                          cells_before(d->grid, first_row), first_atom, starts});
    };
    find(slab->first_row, slab->num_rows, 0, d->starts);
    for (const HaloPiece &piece : slab->halo)
    {
        find(piece.first_row, piece.num_rows, piece.place, d->starts + piece.first_start);
    }
}

// A list of a device that has no room stops all devices.
void start_lists(Simulation *sim)
{
    Arrays *a = sim->arrays;
    for_each_slab(a, [&](Slab *slab) { start_list(sim, &slab->domain); });
    wait_for_devices(a);
    for_each_slab(a, [&](Slab *slab)
                  { copy_flag_to_others(a, slab->domain.device, slab->domain.phase); });
    join_devices(a);
}

void make_list(Simulation *sim)
{
    Arrays *a = sim->arrays;
    migrate(sim);
    for_each_slab(a, [](Slab *slab) { put_atoms_into_cells(&slab->domain); });
    size_t num_atoms = 0;
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      find_rows(slab);
                      take_order_of_cells(&slab->domain, slab->row_starts[slab->num_rows]);
                      num_atoms += slab->domain.N;
                      if (slab->domain.N == 0)
                      {
                          give_up(sim, "device %d has no atoms left; try fewer --devices",
                                  slab->domain.device);
                      }
                  });
    if (num_atoms != (size_t)sim->N)
    {
        give_up(sim, "%zu of %d atoms are in a slab", num_atoms, sim->N);
    }
    for_each_slab(a, [&](Slab *slab) { place_halo(sim, slab); });
    wait_for_devices(a); // all have sorted their atoms
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      copy_starts(a, slab);
                      copy_border_to_others(a, slab, slab->domain.now, slab->domain.stream);
                  });
    wait_for_devices(a); // all have their halos
    for_each_slab(a, find_all_ranges);
    start_lists(sim);
}

void make_longer_list(Simulation *sim, int needed)
{
    for_each_slab(sim->arrays, [&](Slab *slab) { enlarge_lists(sim, &slab->domain, needed); });
    start_lists(sim);
}

NeighborCounts count_neighbors(Simulation *sim)
{
    NeighborCounts counts = {INT_MAX, 0};
    for_each_slab(sim->arrays,
                  [&](Slab *slab)
                  {
                      const NeighborCounts own = count_neighbors_of(sim, &slab->domain);
                      counts.least = std::min(counts.least, own.least);
                      counts.most = std::max(counts.most, own.most);
                  });
    return counts;
}

// Each pair is counted twice, perhaps on two devices.
size_t count_missing(Simulation *sim)
{
    size_t missing = 0;
    for_each_slab(sim->arrays,
                  [&](Slab *slab) { missing += count_missing_of(sim, &slab->domain); });
    return missing / 2;
}

// ---- A step ----

void exchange_positions(Simulation *sim)
{
    for_each_slab(sim->arrays, [](Slab *slab) { slab->domain.now = 1 - slab->domain.now; });
}

// The row of flags for the next kernels goes to all devices, and they wait for each other.
void end_kernels(Arrays *a)
{
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      const int next = (slab->domain.phase + 1) % 3;
                      copy_flag_to_others(a, slab->domain.device, next);
                      slab->domain.phase = next;
                  });
    join_devices(a);
}

// Launches the clusters from `first` to `end` - 1. Their parts of the energies come behind those of
// the launches before.
void launch_clusters(const Domain *d, Step *step, int first, int end, bool moves,
                     cudaStream_t stream)
{
    if (first < end)
    {
        step->first_cluster = first;
        step->end_cluster = end;
        launch_forces_on(d, *step, moves, stream);
        step->first_part += count_parts(end - first, d->lanes);
    }
}

void launch_forces(Simulation *sim, bool kicks, bool moves)
{
    Arrays *a = sim->arrays;
    for_each_slab(
        a,
        [&](Slab *slab)
        {
            const Domain *d = &slab->domain;
            Step step = create_step(sim, d, kicks);
            if (!slab->halo.empty())
            {
                const cudaStream_t stream = slab->border_stream;
                CHECK(cudaStreamWaitEvent(stream, slab->all_are_done, 0));
                launch_clusters(d, &step, 0, slab->inner_first, moves, stream);
                launch_clusters(d, &step, slab->inner_end, d->num_clusters, moves, stream);
                if (moves)
                {
                    copy_border_to_others(a, slab, 1 - d->now, stream);
                }
                CHECK(cudaEventRecord(slab->border_is_done, stream));
            }
            launch_clusters(d, &step, slab->inner_first, slab->inner_end, moves, d->stream);
            if (!slab->halo.empty())
            {
                CHECK(cudaStreamWaitEvent(d->stream, slab->border_is_done, 0));
            }
            if (!moves)
            {
                launch_sums(d, step.first_part);
                copy_sums_to_others(a, d->device);
            }
        });
    end_kernels(a);
}

// After the last step of an equilibration the sum of the squared velocities is known. The first
// device keeps it.
void launch_move(Simulation *sim, bool scales, bool moves)
{
    Arrays *a = sim->arrays;
    for_each_slab(a,
                  [&](Slab *slab)
                  {
                      const Domain *d = &slab->domain;
                      launch_scale_and_move(sim, d, scales, moves);
                      if (moves)
                      {
                          copy_border_to_others(a, slab, d->now, d->stream);
                          return;
                      }
                      const double v2 = d->device == 0 ? wanted_v2(sim) : 0.0;
                      CHECK(cudaMemcpyAsync(d->sums + 3 * d->device, &v2, sizeof(double),
                                            cudaMemcpyHostToDevice, d->stream));
                  });
    end_kernels(a);
}

// The sums of the devices are added in the order of the devices.
Energies measure(Simulation *sim)
{
    double sums[3] = {};
    for_each_slab(sim->arrays,
                  [&](const Slab *slab)
                  {
                      double own[3];
                      CHECK(cudaMemcpy(own, slab->domain.sums + 3 * slab->domain.device,
                                       sizeof(own), cudaMemcpyDeviceToHost));
                      for (int q = 0; q < 3; ++q)
                      {
                          sums[q] += own[q];
                      }
                  });
    return energies_of(sim, sums);
}

// ---- What the devices have noted ----

Report wait_for_report(Simulation *sim)
{
    Report report = {};
    for_each_slab(sim->arrays,
                  [](Slab *slab)
                  {
                      const Domain *d = &slab->domain;
                      CHECK(cudaMemcpyAsync(d->h_status, d->status, sizeof(Status),
                                            cudaMemcpyDeviceToHost, d->stream));
                  });
    for_each_slab(sim->arrays,
                  [&](Slab *slab)
                  {
                      const Domain *d = &slab->domain;
                      CHECK(cudaStreamSynchronize(d->stream));
                      report.flag |= d->h_status->flags[d->phase][d->device];
                      report.overflow = std::max(report.overflow, d->h_status->overflow);
                  });
    const Status *first = sim->arrays->slabs[0].domain.h_status; // all have done the same steps
    report.steps = first->steps;
    report.prunes = first->prunes;
    return report;
}

// The kernel that counts may be in the border's stream, which waits for this event.
void count_from_zero(Simulation *sim)
{
    for_each_slab(sim->arrays,
                  [](Slab *slab)
                  {
                      const Domain *d = &slab->domain;
                      CHECK(cudaMemsetAsync(&d->status->steps, 0, 2 * sizeof(int), d->stream));
                      CHECK(cudaEventRecord(slab->all_are_done, d->stream));
                  });
}

int main(int argc, char **argv)
{
    Args args;
    Simulation sim;
    sim.makes_new_lists = true;
    sim.atoms_of_list = CLUSTER;
    sim.list_cutoff = 13.0;
    add_number(&args, "devices", &sim.devices, 1, MOST_DEVICES, "default: all");
    read_options(
        &args, &sim, argc, argv, "-s S -o PREFIX",
        "ljmd-multi: the same physics on several devices, each with the atoms in a slab of "
        "the box");
    return run(&sim);
}
