// ljmd-multi: the same physics on several devices, each with the atoms in a slab of the box
//
// From:    section 22.2, which is empty in the book
// Order:   after ljmd-fast
// Compile: nvcc -O3 ljmd-multi.cu
// Run:     ./a.out 100 1000
// Uses:    MPI
//
// It computes as ljmd-fast does, with the same kernels. Read ljmd-fast first. New here:
//
// - The box is cut across y into slabs, one for each device. Two layers of cells in y are a row. A
//   slab is some whole rows. The order of the cells takes one row after the other. So the atoms of
//   a slab are one piece of the sorted atoms.
// - A device also needs the atoms of the rows beside its slab: its halo. In each step the owners
//   copy their new positions there. As they are sorted, a few copies of whole pieces are enough.
// - The atoms of the first and the last rows of a slab are its border. Only they are copied to
//   other devices, and only their lists reach into the halo. The kernel for the border runs first.
//   While its new positions are copied, the kernel for the inner atoms runs.
// - At the end of a step each device waits until the others have finished it, by events. The host
//   does not wait, and launches many steps ahead. It has a thread for each device. With
//   --one-thread it has one for all.
// - If an atom of one device has moved too far, all devices need new lists. The atom's thread notes
//   that in its device's flag, and writes it into the memories of all other devices, too.
// - When the list is made anew, atoms that have left their slab move to another device.
//
// One device has no border, and then this is ljmd-fast. With --share several slabs may be on one
// device: on a machine with one GPU, `./a.out 100 1000 --devices 2 --share` does all that is listed
// above. Without a GPU, CUDACPU_DEVICES=4 shows four devices.
//
// `mpirun -n 4 ./a.out --mpi` has four processes with a device each. The Makefile compiles that in
// where MPI is installed. By hand it is nvcc -O3 -DHAVE_MPI -DHAVE_NCCL ljmd-multi.cu -lmpi -lnccl,
// perhaps with -I and -L. The numbers are the same to the last bit as with one process.

#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "fast_steps.cuh"
#include "multi_processes.cuh"
#include "slab_threads.cuh"

// What the command line says of the slabs.
static size_t g_num_slabs = 0;         // 0: as many as devices
static bool g_slabs_may_share = false; // several slabs on one device
static bool g_has_one_thread = false;  // which launches the work of all slabs

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
    Domain domain; // its device is the slab's number
    int gpu;       // CUDA's number of the device, if the slab is one of this process
    int first_row, num_rows;
    HaloPiece halo[MOST_DEVICES];  // rows behind it, and before it
    int num_pieces;                // of the halo; one device may own a piece on each side
    int row_starts[MOST_ROWS + 1]; // the first atom of each own row, and behind them their number
    int inner_first, inner_end;    // clusters; those before and behind are the border
    cudaStream_t border_stream;    // the domain's own stream is for the inner atoms
    cudaEvent_t border_is_done;    // computed and copied to the other devices
    cudaEvent_t step_is_done;      // of this device ...
    cudaEvent_t all_are_done;      // ... and of all others
    int *counter;                  // on the device
};

struct Arrays
{
    int num_devices;
    int border_rows;   // at each end of a slab
    bool writes_flags; // a device's kernels write their flags into the memories of the others
    Slab slabs[MOST_DEVICES];
    Slab *own; // the slabs of this process: all of them, or one
    int num_own;
};

// Slab k of this process. Its device becomes the current one.
Slab *use_slab(const Arrays *a, int k)
{
    CHECK(cudaSetDevice(a->own[k].gpu));
    return &a->own[k];
}

// ---- Cutting the box ----

// The layers of cells in y before a row. A row has two layers. The last one may have only one.
int layers_before(Grid grid, int row) { return 2 * row < grid.n[1] ? 2 * row : grid.n[1]; }

// The cells before a row, in the order of the cells.
int cells_before(Grid grid, int row) { return layers_before(grid, row) * grid.n[0] * grid.n[2]; }

int count_rows(Grid grid) { return (grid.n[1] + 1) / 2; }

int count_gpus(void)
{
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    return count;
}

// As many devices as --devices says, or all, but not more than the box has rows. With several
// processes, one for each.
int choose_devices(const System *sys)
{
    const int rows = count_rows(create_grid(sys)), num_gpus = count_gpus();
    const int most = num_gpus < MOST_DEVICES ? num_gpus : MOST_DEVICES;
    if (g_processes.wanted && g_processes.count > rows)
    {
        usage_error("--mpi: %d processes, but this box can be cut into %d slabs at most",
                    g_processes.count, rows);
    }
    if (g_processes.wanted)
    {
        return g_processes.count;
    }
    if (g_num_slabs > (size_t)most && !g_slabs_may_share)
    {
        usage_error("--devices %zu: there are only %d; with --share they may be one", g_num_slabs,
                    most);
    }
    if (g_num_slabs > (size_t)rows)
    {
        usage_error("--devices %zu: this box can be cut into %d slabs at most", g_num_slabs, rows);
    }
    if (g_num_slabs > 0)
    {
        return (int)g_num_slabs;
    }
    return most < rows ? most : rows;
}

// So many rows that a list cannot reach across them.
int choose_border_rows(const System *sys)
{
    const Grid grid = create_grid(sys);
    const double range = fmax(sys->list_cutoff, BOOK_LIST_CUTOFF) / R_MIN;
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
    if (slab->num_pieces > 0)
    {
        HaloPiece *last = &slab->halo[slab->num_pieces - 1];
        if (last->owner == owner && last->first_row + last->num_rows == row)
        {
            ++last->num_rows;
            return;
        }
    }
    slab->halo[slab->num_pieces++] = {owner, row, 1, 0, 0, 0, 0};
}

// The halo is the rows behind the slab and those before it. The box is periodic. A row that is both
// is taken once.
void plan_slab(const System *sys, const Arrays *a, Slab *slab)
{
    Domain *d = &slab->domain;
    Grid grid = create_grid(sys);
    const int rows = count_rows(grid), end_row = slab->first_row + slab->num_rows;
    const int others = rows - slab->num_rows;
    const int behind = a->border_rows < others ? a->border_rows : others;
    const int before = a->border_rows < others - behind ? a->border_rows : others - behind;
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
    for (int k = 0; k < slab->num_pieces; ++k)
    {
        HaloPiece *piece = &slab->halo[k];
        const int end = piece->first_row + piece->num_rows;
        grid.num_y += layers_before(grid, end) - layers_before(grid, piece->first_row);
        piece->first_start = next_start;
        next_start += cells_before(grid, end) - cells_before(grid, piece->first_row) + 1;
    }
    d->grid = grid;

    // An eighth more than on average, because atoms wander. But there are N in all.
    const double atoms_of_row = (double)sys->N / rows;
    const int most_rows = (rows + a->num_devices - 1) / a->num_devices; // of a slab
    const double most = 1.125 * most_rows * atoms_of_row + 1024.0;
    const double most_in_halo = 1.125 * (before + behind) * atoms_of_row + 1024.0;
    d->num_devices = a->num_devices;
    d->room = room_for(fmin(most, sys->N)); // the same on all devices
    d->halo_room = slab->num_pieces == 0 ? 0 : room_for(fmin(most_in_halo, sys->N));
    d->lanes = choose_lanes(sys->N / a->num_devices);
}

// Plans how the box is cut, without memory on the devices. free() comes in the end.
Arrays *create_plan(const System *sys)
{
    Arrays *a = (Arrays *)new_array(1, sizeof(Arrays));
    *a = {};
    const int num_gpus = count_gpus();
    a->num_devices = choose_devices(sys);
    a->border_rows = choose_border_rows(sys);
    cut_box(a, count_rows(create_grid(sys)));
    for (int device = 0; device < a->num_devices; ++device)
    {
        Slab *slab = &a->slabs[device];
        slab->domain.device = device;
        plan_slab(sys, a, slab);
        slab->gpu = device % num_gpus;
    }
    a->own = a->slabs;
    a->num_own = a->num_devices;
    if (g_processes.wanted)
    {
        a->own = &a->slabs[g_processes.number];
        a->num_own = 1;
        a->own->gpu = g_processes.device;
    }
    return a;
}

// ---- The arrays ----

void wait_for_devices(Arrays *a)
{
    for (int k = 0; k < a->num_own; ++k)
    {
        use_slab(a, k);
        CHECK(cudaDeviceSynchronize());
    }
}

// The devices of the CPU backend share the host's memory.
void count_bytes(const System *sys, double *on_host, double *on_device)
{
    Arrays *a = create_plan(sys);
    double on_all = 0.0;
    *on_device = 0.0; // of the GPU that has most
    for (int k = 0; k < a->num_own; ++k)
    {
        on_all += count_domain_bytes(sys, &a->own[k].domain);
        double on_gpu = 0.0; // of slab k
        for (int other = 0; other < a->num_own; ++other)
        {
            const bool is_there = a->own[other].gpu == a->own[k].gpu;
            on_gpu += is_there ? count_domain_bytes(sys, &a->own[other].domain) : 0.0;
        }
        *on_device = fmax(*on_device, on_gpu);
    }
    free(a);
    *on_host =
        sys->N * (double)(sizeof(Real4) + 3 * sizeof(int)) + (ON_GPU ? 0.0 : on_all - *on_device);
}

// The first slab of a GPU has its number. With --share others may follow.
bool is_first_of_gpu(const Slab *slab) { return slab->domain.device == slab->gpu; }

// Lets each device reach the memory of each other one, where that is possible. Then copies between
// them go directly, and else through the host. Returns whether all can. If all can also set bits in
// the other memories, the kernels write their flags there.
bool enable_peer_access(Arrays *a)
{
    bool all_can = true;
    a->writes_flags = a->num_own == a->num_devices; // not into those of other processes
    for (int k = 0; k < a->num_own; ++k)
    {
        const Slab *slab = use_slab(a, k);
        for (int other = 0; other < a->num_own; ++other)
        {
            const Slab *peer = &a->own[other];
            int can = 0;
            if (peer == slab || !is_first_of_gpu(peer) || !is_first_of_gpu(slab))
            {
                continue;
            }
            CHECK(cudaDeviceCanAccessPeer(&can, slab->gpu, peer->gpu));
            if (can)
            {
                CHECK(cudaDeviceEnablePeerAccess(peer->gpu, 0));
            }
            all_can = all_can && can;
            CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrNativeAtomicSupported, slab->gpu,
                                            peer->gpu));
            a->writes_flags = a->writes_flags && all_can && can;
        }
    }
    return all_can;
}

// The kernels of each device get to know where the flags of the others are.
void exchange_addresses(Arrays *a)
{
    for (int k = 0; k < a->num_own; ++k)
    {
        Domain *d = &a->own[k].domain;
        for (int other = 0; other < a->num_own; ++other)
        {
            if (other != k)
            {
                d->others[d->num_others++] = a->own[other].domain.status;
            }
        }
    }
}

void create_arrays(System *sys)
{
    Arrays *a = create_plan(sys);
    sys->arrays = a;
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        Domain *d = &slab->domain;
        if ((double)d->room + d->halo_room > ATOM_MASK)
        {
            usage_error("device %d would have too many atoms: an entry of a list has %d "
                        "bits for an atom; try more --devices",
                        d->device, ATOM_BITS);
        }
        if (ON_GPU)
        {
            require_memory(0, count_domain_bytes(sys, d));
        }
        int least = 0, greatest = 0; // priorities
        CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        CHECK(cudaStreamCreateWithPriority(&d->stream, cudaStreamDefault, least));
        CHECK(cudaStreamCreateWithPriority(&slab->border_stream, cudaStreamDefault, greatest));
        CHECK(cudaEventCreateWithFlags(&slab->border_is_done, cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&slab->step_is_done, cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&slab->all_are_done, cudaEventDisableTiming));
        create_domain(sys, d);
        CHECK(cudaMalloc(&slab->counter, sizeof(int)));
    }
    const bool is_direct = enable_peer_access(a);
    if (a->writes_flags)
    {
        exchange_addresses(a);
    }
    CHECK(cudaSetDevice(g_processes.device));
    if (!g_has_one_thread)
    {
        create_crew(a->num_own);
    }
    const int rows = count_rows(a->slabs[0].domain.grid);
    const char *way = g_processes.wanted ? BETWEEN_PROCESSES
                      : is_direct        ? "directly"
                                         : "through the host";
    const int num_gpus = count_gpus();
    char sharing[40] = "";
    if (!g_processes.wanted && num_gpus < a->num_devices)
    {
        snprintf(sharing, sizeof(sharing), " (they share %d)", num_gpus);
    }
    printf("devices: %d%s, with %d to %d of %d rows of cells each; copies between them go %s\n",
           a->num_devices, sharing, rows / a->num_devices, (rows - 1) / a->num_devices + 1, rows,
           way);
}

void destroy_arrays(System *sys)
{
    Arrays *a = sys->arrays;
    destroy_crew();
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        CHECK(cudaStreamDestroy(slab->domain.stream));
        CHECK(cudaStreamDestroy(slab->border_stream));
        CHECK(cudaEventDestroy(slab->border_is_done));
        CHECK(cudaEventDestroy(slab->step_is_done));
        CHECK(cudaEventDestroy(slab->all_are_done));
        CHECK(cudaFree(slab->counter));
        destroy_domain(&slab->domain);
    }
    free(a);
}

void require_room(int device, size_t needed, size_t room)
{
    if (needed > room)
    {
        usage_error("device %d has room for %zu atoms, and not %zu; try fewer --devices", device,
                    room, needed);
    }
}

// The device of an atom at this y.
int device_of(const Arrays *a, real y)
{
    const Grid *grid = &a->slabs[0].domain.grid;
    const double cells = (y / R_MIN - grid->origin[1]) / grid->width[1];
    const int layer = (int)(cells - grid->n[1] * floor(cells / grid->n[1]));
    return owner_of_row(a, (layer < grid->n[1] ? layer : grid->n[1] - 1) / 2);
}

// Each atom goes to the device whose slab it is in. Near a face, rounding may choose the device
// beside it. Then migrate() moves the atom before the first list is made.
void send(System *sys)
{
    Arrays *a = sys->arrays;
    int *devices = (int *)new_array(sys->N, sizeof(int)); // of the atoms
    int *ids = (int *)new_array(sys->N, sizeof(int));     // of those of one device
    for (int n = 0; n < sys->N; ++n)
    {
        devices[n] = device_of(a, sys->y[n]);
    }
    for (int k = 0; k < a->num_own; ++k)
    {
        Domain *d = &use_slab(a, k)->domain;
        size_t count = 0;
        for (int n = 0; n < sys->N; ++n)
        {
            if (devices[n] == d->device)
            {
                ids[count++] = n;
            }
        }
        require_room(d->device, count, d->room);
        send_atoms(sys, d, ids, count);
    }
    free(devices);
    free(ids);
}

// Each process gets all atoms.
void fetch(System *sys)
{
    const Arrays *a = sys->arrays;
    real *const arrays[9] = {sys->x,  sys->y,  sys->z,  sys->vx, sys->vy,
                             sys->vz, sys->fx, sys->fy, sys->fz};
    for (int i = 0; i < 9 && g_processes.wanted; ++i)
    {
        memset(arrays[i], 0, sys->N * sizeof(real));
    }
    for (int k = 0; k < a->num_own; ++k)
    {
        fetch_atoms(sys, &use_slab(a, k)->domain);
    }
    for (int i = 0; i < 9; ++i)
    {
        add_reals_over_processes(arrays[i], sys->N);
    }
}

// ---- What the devices tell each other ----

cudaStream_t stream_of(const Slab *slab, bool is_border)
{
    return is_border ? slab->border_stream : slab->domain.stream;
}

// Copies memory of one device to that of another one. In one process the copy goes into the
// sender's stream. With several, one of them sends and another one receives. The copies stand
// between begin_transfers() and end_transfers().
void copy_between(const Arrays *a, int from, int to, void *target, const void *source, size_t bytes,
                  bool is_border)
{
    const Slab *sender = &a->slabs[from], *receiver = &a->slabs[to];
    if (a->num_own == a->num_devices)
    {
        CHECK(cudaMemcpyPeerAsync(target, receiver->gpu, source, sender->gpu, bytes,
                                  stream_of(sender, is_border)));
    }
    else if (sender == a->own)
    {
        send_to(to, source, bytes, stream_of(sender, is_border));
    }
    else if (receiver == a->own)
    {
        receive_from(from, target, bytes, stream_of(receiver, is_border));
    }
}

// Whether the thread of this slab has part in a copy. In one process that of the sender has.
bool has_part(const Arrays *a, const Slab *slab, int sender)
{
    return a->num_own < a->num_devices || sender == slab->domain.device;
}

// A slab's device copies a few numbers to the same place on all others. On each device there is an
// array, numbers[device], in which every device has so many bytes.
void copy_to_all(const Arrays *a, const Slab *slab, void *const *numbers, size_t bytes)
{
    begin_transfers();
    for (int from = 0; from < a->num_devices; ++from)
    {
        for (int to = 0; to < a->num_devices; ++to)
        {
            if (from != to && has_part(a, slab, from))
            {
                copy_between(a, from, to, (char *)numbers[to] + from * bytes,
                             (const char *)numbers[from] + from * bytes, bytes, false);
            }
        }
    }
    end_transfers();
}

// The device copies its flag of one row to the others: once when a list was made, and in each step
// if its kernels cannot write there.
void copy_flags(const Arrays *a, const Slab *slab, int row)
{
    void *flags[MOST_DEVICES];
    for (int device = 0; device < a->num_devices; ++device)
    {
        flags[device] = a->slabs[device].domain.status->flags[row];
    }
    copy_to_all(a, slab, flags, sizeof(int));
}

void copy_sums(const Arrays *a, const Slab *slab)
{
    void *sums[MOST_DEVICES];
    for (int device = 0; device < a->num_devices; ++device)
    {
        sums[device] = a->slabs[device].domain.sums;
    }
    copy_to_all(a, slab, sums, 3 * sizeof(double));
}

// The slab's borders go to the halos of other devices.
void copy_borders(const Arrays *a, const Slab *slab, int which, bool is_border)
{
    begin_transfers();
    for (int to = 0; to < a->num_devices; ++to)
    {
        Real4 *const target = a->slabs[to].domain.positions[which];
        for (int k = 0; k < a->slabs[to].num_pieces; ++k)
        {
            const HaloPiece *piece = &a->slabs[to].halo[k];
            const Real4 *source = a->slabs[piece->owner].domain.positions[which];
            if (has_part(a, slab, piece->owner))
            {
                copy_between(a, piece->owner, to, target + piece->place, source + piece->first_atom,
                             piece->num_atoms * sizeof(Real4), is_border);
            }
        }
    }
    end_transfers();
}

// Marks the end of what the slab's device does before it waits for the others.
void end_step_of(const Arrays *a, const Slab *slab)
{
    if (a->num_devices > 1)
    {
        CHECK(cudaEventRecord(slab->step_is_done, slab->domain.stream));
    }
}

// The device waits until the work of all others is done that was launched before their
// marks. (The devices of several processes have already waited for each other's flags.)
void wait_for_others(int k, const void *order)
{
    const Arrays *a = (const Arrays *)order;
    const Slab *slab = use_slab(a, k);
    for (int other = 0; other < a->num_own; ++other)
    {
        if (other != k)
        {
            CHECK(cudaStreamWaitEvent(slab->domain.stream, a->own[other].step_is_done, 0));
        }
    }
    CHECK(cudaEventRecord(slab->all_are_done, slab->domain.stream));
}

// All devices end the work before their marks before any of them begins what is launched after
// this. Each event has to be recorded before another device's stream is told to wait for it. So the
// threads have met before this.
void join_devices(const Arrays *a)
{
    if (a->num_devices > 1)
    {
        for_each_slab(a->num_own, wait_for_others, a);
    }
}

// ---- Atoms that have left their slab ----

// Atoms on their way from one device to another.
struct Travellers
{
    Real4 *positions, *velocities;
    int *ids;
};

Travellers own_atoms(const Domain *d) { return {d->positions[d->now], d->velocities, d->ids}; }

// The arrays that sorting will write to are free until then.
Travellers outbox(const Domain *d)
{
    return {d->positions[1 - d->now], d->sorted_velocities, d->sorted_ids};
}

// These arrays are free, too, when a new list is to be made: it replaces what they hold.
Travellers inbox(const Domain *d) { return {d->forces, d->short_positions, d->slots}; }

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

// The devices from `first` to `end` - 1 copy their outboxes to the inboxes of all others, one after
// the other. Then each device takes in what belongs to it.
void deliver(Arrays *a, int first, int end, const int *num_leaving)
{
    int num_sent[MOST_DEVICES] = {}; // to each device
    begin_transfers();
    for (int from = first; from < end; ++from)
    {
        const Travellers sent = outbox(&a->slabs[from].domain);
        for (int to = 0; to < a->num_devices; ++to)
        {
            if (to == from || num_leaving[from] == 0)
            {
                continue;
            }
            const Travellers received = inbox(&a->slabs[to].domain);
            const int count = num_leaving[from], place = num_sent[to];
            copy_between(a, from, to, received.positions + place, sent.positions,
                         count * sizeof(Real4), false);
            copy_between(a, from, to, received.velocities + place, sent.velocities,
                         count * sizeof(Real4), false);
            copy_between(a, from, to, received.ids + place, sent.ids, count * sizeof(int), false);
            num_sent[to] += count;
        }
    }
    end_transfers();
    wait_for_devices(a);
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        Domain *d = &slab->domain;
        const int count = num_sent[d->device];
        take_in<<<blocks_for(count, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
            d->grid, count, inbox(d), own_atoms(d), d->room, slab->counter);
        CHECK_LAUNCH();
    }
    wait_for_devices(a);
}

// Atoms that have left their slab are appended to those of the device where they are now. Sorting
// leaves them out where they were. They are few, so each device gets those of all others, and looks
// which are its own.
void migrate(const System *sys)
{
    Arrays *a = sys->arrays;
    int num_leaving[MOST_DEVICES] = {};
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        Domain *d = &slab->domain;
        CHECK(cudaMemsetAsync(slab->counter, 0, sizeof(int), d->stream));
        take_out<<<blocks_for(d->N, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
            d->grid, d->N, own_atoms(d), outbox(d), slab->counter);
        CHECK_LAUNCH();
    }
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        num_leaving[slab->domain.device] = read_counter(slab);
    }
    add_ints_over_processes(num_leaving, a->num_devices);
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        CHECK(cudaMemcpy(slab->counter, &slab->domain.N, sizeof(int), cudaMemcpyHostToDevice));
    }
    for (int first = 0, end = 0; first < a->num_devices; first = end)
    {
        int count = 0; // as many devices at once as an inbox has room for, which is one at least
        while (end < a->num_devices && count + num_leaving[end] <= a->own->domain.room)
        {
            count += num_leaving[end++];
        }
        if (count > 0)
        {
            deliver(a, first, end, num_leaving);
        }
    }
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        Domain *d = &slab->domain;
        d->N = read_counter(slab);
        require_room(d->device, d->N, d->room);
    }
}

// ---- The list ----

// The first atom of each row of the slab, and the number of atoms.
void find_rows(Slab *slab)
{
    const Domain *d = &slab->domain;
    const size_t cells_of_row = cells_before(d->grid, 1);
    CHECK(cudaMemcpy2D(slab->row_starts, sizeof(int), d->starts, cells_of_row * sizeof(int),
                       sizeof(int), slab->num_rows, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&slab->row_starts[slab->num_rows], d->starts + d->grid.num_cells, sizeof(int),
                     cudaMemcpyDeviceToHost));
}

// Where the pieces of the halo are on their owners and will be here, and which clusters are the
// border: those with an atom of the outer rows.
void place_halo(const System *sys, Slab *slab)
{
    const Arrays *a = sys->arrays;
    const Domain *d = &slab->domain;
    int num_atoms = 0;
    for (int k = 0; k < slab->num_pieces; ++k)
    {
        HaloPiece *piece = &slab->halo[k];
        const Slab *owner = &a->slabs[piece->owner];
        const int *row_starts = &owner->row_starts[piece->first_row - owner->first_row];
        piece->first_atom = row_starts[0];
        piece->num_atoms = row_starts[piece->num_rows] - row_starts[0];
        piece->place = d->room + num_atoms;
        num_atoms += piece->num_atoms;
    }
    require_room(d->device, num_atoms, d->halo_room);
    slab->inner_first = 0;
    slab->inner_end = d->num_clusters;
    if (slab->num_pieces > 0)
    {
        const int rows = slab->num_rows, border_rows = a->border_rows;
        const int first_row = border_rows < rows ? border_rows : rows;
        const int end_row = rows - border_rows > first_row ? rows - border_rows : first_row;
        const int end = slab->row_starts[end_row] / CLUSTER;
        slab->inner_first = (int)count_clusters(slab->row_starts[first_row]);
        slab->inner_end = end > slab->inner_first ? end : slab->inner_first;
    }
}

// The halos get the numbers of their cells' atoms, from the owners.
void copy_starts(const Arrays *a)
{
    begin_transfers();
    for (int to = 0; to < a->num_devices; ++to)
    {
        for (int k = 0; k < a->slabs[to].num_pieces; ++k)
        {
            const HaloPiece *piece = &a->slabs[to].halo[k];
            const Domain *owner = &a->slabs[piece->owner].domain;
            const int first_cell = cells_before(owner->grid, piece->first_row);
            const int end_cell = cells_before(owner->grid, piece->first_row + piece->num_rows);
            copy_between(a, piece->owner, to, a->slabs[to].domain.starts + piece->first_start,
                         owner->starts + (first_cell - owner->grid.first_cell),
                         (end_cell - first_cell + 1) * sizeof(int), false);
        }
    }
    end_transfers();
}

void find_ranges_of_rows(Domain *d, int first_row, int num_rows, int first_atom, const int *starts)
{
    const int first_y = layers_before(d->grid, first_row);
    launch_ranges(d, {first_y, layers_before(d->grid, first_row + num_rows) - first_y,
                      cells_before(d->grid, first_row), first_atom, starts});
}

// Where the atoms of all cells are that the device knows.
void find_all_ranges(Slab *slab)
{
    Domain *d = &slab->domain;
    find_ranges_of_rows(d, slab->first_row, slab->num_rows, 0, d->starts);
    for (int k = 0; k < slab->num_pieces; ++k)
    {
        const HaloPiece *piece = &slab->halo[k];
        find_ranges_of_rows(d, piece->first_row, piece->num_rows, piece->place,
                            d->starts + piece->first_start);
    }
}

// A list of a device that has no room stops all devices.
void start_lists(System *sys)
{
    Arrays *a = sys->arrays;
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        start_list(sys, &slab->domain);
    }
    wait_for_devices(a);
    for (int k = 0; k < a->num_own; ++k)
    {
        const Slab *slab = use_slab(a, k);
        copy_flags(a, slab, slab->domain.phase);
        end_step_of(a, slab);
    }
    join_devices(a);
}

void make_list(System *sys)
{
    Arrays *a = sys->arrays;
    migrate(sys);
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        put_atoms_into_cells(&slab->domain);
    }
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        find_rows(slab);
    }
    size_t num_atoms = 0;
    for (int device = 0; device < a->num_devices; ++device)
    {
        Slab *slab = &a->slabs[device];
        take_over_from(device, slab->row_starts, slab->num_rows + 1);
        const int count = slab->row_starts[slab->num_rows];
        num_atoms += count;
        if (count == 0)
        {
            give_up("device %d has no atoms left; try fewer devices", device);
        }
    }
    if (num_atoms != (size_t)sys->N)
    {
        give_up("%zu of %d atoms are in a slab", num_atoms, sys->N);
    }
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        take_order_of_cells(&slab->domain, slab->row_starts[slab->num_rows]);
    }
    for (int device = 0; device < a->num_devices; ++device)
    {
        place_halo(sys, &a->slabs[device]);
    }
    wait_for_devices(a); // all have sorted their atoms
    copy_starts(a);
    for (int k = 0; k < a->num_own; ++k)
    {
        const Slab *slab = use_slab(a, k);
        copy_borders(a, slab, slab->domain.now, false);
    }
    wait_for_devices(a); // all have their halos
    for (int k = 0; k < a->num_own; ++k)
    {
        Slab *slab = use_slab(a, k);
        find_all_ranges(slab);
    }
    start_lists(sys);
}

void make_longer_list(System *sys, int needed)
{
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Slab *slab = use_slab(sys->arrays, k);
        enlarge_lists(&slab->domain, needed);
    }
    start_lists(sys);
}

NeighborCounts count_neighbors(System *sys)
{
    NeighborCounts counts = {INT_MAX, 0};
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Slab *slab = use_slab(sys->arrays, k);
        const NeighborCounts own = count_neighbors_of(sys, &slab->domain);
        counts.least = own.least < counts.least ? own.least : counts.least;
        counts.most = own.most > counts.most ? own.most : counts.most;
    }
    counts.least = -most_over_processes(-counts.least);
    counts.most = most_over_processes(counts.most);
    return counts;
}

// Each pair is counted twice, perhaps on two devices.
size_t count_missing(System *sys)
{
    double missing = 0.0;
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Slab *slab = use_slab(sys->arrays, k);
        missing += count_missing_of(sys, &slab->domain);
    }
    add_doubles_over_processes(&missing, 1);
    return (size_t)missing / 2;
}

// ---- A step ----

void exchange_positions(System *sys)
{
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Domain *d = &sys->arrays->own[k].domain;
        d->now = 1 - d->now;
    }
}

// What the threads are told of a launch.
struct Order
{
    const System *sys;
    bool kicks, moves; // see launch_forces()
    double T_0;
};

// The row of flags for the next kernels goes to all devices, if the kernels have not written it
// there.
void end_kernels(const Arrays *a, Slab *slab)
{
    slab->domain.phase = (slab->domain.phase + 1) % 3;
    if (!a->writes_flags)
    {
        copy_flags(a, slab, slab->domain.phase);
    }
    end_step_of(a, slab);
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
        launch_forces_on(d, step, moves, stream);
        step->first_part += count_parts(end - first, d->lanes);
    }
}

// First the border, then its copies, and while these go on, the inner clusters.
void launch_forces_of_slab(int k, const void *data)
{
    const Order *order = (const Order *)data;
    const System *sys = order->sys;
    const Arrays *a = sys->arrays;
    Slab *slab = use_slab(a, k);
    Domain *d = &slab->domain;
    const bool moves = order->moves;
    Step step = create_step(sys, d, order->kicks);
    if (slab->num_pieces > 0)
    {
        const cudaStream_t stream = slab->border_stream;
        CHECK(cudaStreamWaitEvent(stream, slab->all_are_done, 0));
        launch_clusters(d, &step, 0, slab->inner_first, moves, stream);
        launch_clusters(d, &step, slab->inner_end, d->num_clusters, moves, stream);
    }
    if (moves)
    {
        copy_borders(a, slab, 1 - d->now, true);
    }
    launch_clusters(d, &step, slab->inner_first, slab->inner_end, moves, d->stream);
    if (slab->num_pieces > 0)
    {
        CHECK(cudaEventRecord(slab->border_is_done, slab->border_stream));
        CHECK(cudaStreamWaitEvent(d->stream, slab->border_is_done, 0));
    }
    if (!moves)
    {
        launch_sums(d, step.first_part);
        copy_sums(a, slab);
    }
    end_kernels(a, slab);
}

void launch_forces(System *sys, bool kicks, bool moves)
{
    const Order order = {sys, kicks, moves, 0.0};
    for_each_slab(sys->arrays->num_own, launch_forces_of_slab, &order);
    join_devices(sys->arrays);
}

// The first device keeps the wanted sum and the others keep 0, because measure() adds the numbers
// of all devices.
void launch_move_of_slab(int k, const void *data)
{
    const Order *order = (const Order *)data;
    const System *sys = order->sys;
    const Arrays *a = sys->arrays;
    Slab *slab = use_slab(a, k);
    Domain *d = &slab->domain;
    launch_scale_and_move(sys, d, order->T_0, order->moves);
    if (order->moves)
    {
        copy_borders(a, slab, d->now, false);
    }
    else
    {
        const double v2 = d->device == 0 ? wanted_v2(sys, order->T_0) : 0.0;
        CHECK(cudaMemcpyAsync(d->sums + 3 * d->device, &v2, sizeof(double), cudaMemcpyHostToDevice,
                              d->stream));
    }
    end_kernels(a, slab);
}

// After the last step of an equilibration the velocities are only scaled: `moves` is false. The sum
// of their squares is then wanted_v2.
void launch_move(System *sys, double T_0, bool moves)
{
    const Order order = {sys, false, moves, T_0};
    for_each_slab(sys->arrays->num_own, launch_move_of_slab, &order);
    join_devices(sys->arrays);
}

// The sums of the devices are added in the order of the devices.
Energies measure(System *sys)
{
    double of_devices[3 * MOST_DEVICES] = {}, sums[3] = {};
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        const Slab *slab = use_slab(sys->arrays, k);
        const int first = 3 * slab->domain.device;
        CHECK(cudaMemcpy(&of_devices[first], slab->domain.sums + first, 3 * sizeof(double),
                         cudaMemcpyDeviceToHost));
    }
    add_doubles_over_processes(of_devices, 3 * sys->arrays->num_devices);
    for (int n = 0; n < 3 * sys->arrays->num_devices; ++n)
    {
        sums[n % 3] += of_devices[n];
    }
    return energies_of(sys, sums);
}

// ---- What the devices have noted ----

Report wait_for_report(System *sys)
{
    Report report = {};
    report.wraps = true;
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Slab *slab = use_slab(sys->arrays, k);
        const Domain *d = &slab->domain;
        CHECK(cudaMemcpyAsync(d->h_status, d->status, sizeof(Status), cudaMemcpyDeviceToHost,
                              d->stream));
    }
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Slab *slab = use_slab(sys->arrays, k);
        Domain *d = &slab->domain;
        CHECK(cudaStreamSynchronize(d->stream));
        d->wraps = !d->h_status->wide;
        report.wraps = report.wraps && d->wraps;
        report.flag |= d->h_status->flags[d->phase][d->device];
        const int overflow = d->h_status->overflow;
        report.overflow = overflow > report.overflow ? overflow : report.overflow;
    }
    report.flag = bits_over_processes(report.flag);
    report.overflow = most_over_processes(report.overflow);
    const int signal = most_over_processes(g_interrupted);
    if (signal > 0)
    {
        g_interrupted = signal; // all processes stop at the same step
    }
    const Status *first = sys->arrays->own->domain.h_status; // all have done the same steps
    report.steps = first->steps;
    report.prunes = first->prunes;
    return report;
}

// The kernel that counts may be in the border's stream, which waits for this event.
void count_from_zero(System *sys)
{
    for (int k = 0; k < sys->arrays->num_own; ++k)
    {
        Slab *slab = use_slab(sys->arrays, k);
        const Domain *d = &slab->domain;
        CHECK(cudaMemsetAsync(&d->status->steps, 0, 2 * sizeof(int), d->stream));
        CHECK(cudaEventRecord(slab->all_are_done, d->stream));
    }
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
    options.list_cutoff = 13.8;
    add_number("devices", &g_num_slabs, 0, MOST_DEVICES, "how many devices; 0: all");
    add_flag("share", &g_slabs_may_share, "several of the N devices may be one: for trying it out");
    add_flag("one-thread", &g_has_one_thread, "one thread of the host launches for all devices");
    add_flag("mpi", &g_processes.wanted, "a device for each process, as mpirun starts them");
    read_options(
        &options, argc, argv, "-s S -o PREFIX",
        "ljmd-multi: the same physics on several devices, each with the atoms in a slab of "
        "the box");
    if (g_slabs_may_share && g_num_slabs == 0)
    {
        usage_error("--share: say with --devices how many there are to be");
    }
    if (g_processes.wanted && g_slabs_may_share)
    {
        usage_error("--share: with --mpi each process has a device of its own");
    }
    if (g_processes.wanted)
    {
        join_processes(&options);
    }
    open_run(&run);      // the restart file, the size of the system, the files to write
    create_system(&run); // a crystal, or the atoms of the restart file
    check_start(&run);   // of a crystal: each stage by itself
    check_room(&run);
    check_stops(&run, sys.arrays->num_devices);
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
    leave_processes();
    return verdict();
}
