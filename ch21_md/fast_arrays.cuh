// The arrays that ljmd-fast and ljmd-multi have on a device, and how they are filled from those of
// the host and brought back.
//
// Inside, lengths are in units of R_MIN, the distance at which the potential has its minimum. With
// rho = r / R_MIN the potential is epsilon * (rho^-12 - 2 rho^-6), and the force is (12 epsilon /
// R_MIN) * (rho^-8 - rho^-14) * (the vector in this unit). The constants are gone from the loop
// over pairs: it saves one multiplication for each pair.
#pragma once
#include "md_options.cuh"
#include "simulation.cuh"

const double R_MIN = SIGMA * 1.122462048309373; // 2^(1/6) sigma, in A

// Four reals that are read and written in one instruction.
struct alignas(4 * sizeof(real)) Real4
{
    real x, y, z, w;
};

const int CLUSTER = 4; // atoms of a cluster: see fast_cells.cuh
const int ROUNDS = 4;  // entries of the short list that a lane reads at once
const int MOST_DEVICES = 16;

// The cells of the box, in which the atoms are sorted, and which of them are the device's: see
// fast_cells.cuh. In ljmd-fast all of them are.
struct Grid
{
    int n[3];                            // cells in each direction
    real origin[3], width[3], length[3]; // length: of the box
    int first_cell, num_cells;           // the device's own cells, in the order of cell_rank
    int first_y, num_y; // the layers of cells in y that it knows: its own, and halos around them
};

const int MOST_ROWS = MOST_CELLS / 2 + 1; // of cells: see cell_rank() in fast_cells.cuh

// What must be done before the next forces are computed.
enum Flag
{
    MAKE_SHORT_LIST = 1,
    STOP = 2, // the list has to be made, and the kernels do nothing until then
    EXPLODED = 4
};

// What the kernels tell each other and the host. A kernel reads one of the three rows of flags,
// writes the next one, and clears the one after that. Each device has a flag in a row. What it
// writes there, it also writes into the memory of the other devices, or it is copied to them.
struct Status
{
    int flags[3][MOST_DEVICES];
    int steps;    // how often the forces were computed
    int prunes;   // how often a short list was made
    int overflow; // 0, or the length of a list that has no room
    int wide;     // 1 if a cluster is too wide for wrapping: see most_extent() in fast_list.cuh
};

// What one device has: the atoms in its part of the box. In ljmd-fast that is the whole box. The
// atoms are sorted. Atom i was atom ids[i] on the host. Behind the room for the device's atoms the
// positions have room for a halo: atoms of other devices. The last place is far away.
struct Domain
{
    int device, num_devices; // its number, and how many there are
    cudaStream_t stream;
    Grid grid;
    int N;               // atoms of this device
    int room, halo_room; // for so many atoms
    int num_clusters;
    int capacity; // of the list of a cluster
    int lanes;    // threads that share a cluster
    bool wraps;   // how entries in another box are seen there: see fast_forces.cuh

    Real4 *positions[2]; // a step reads the one and writes the other
    int now;             // which of them has the present positions
    Real4 *velocities, *forces;
    int *ids;
    Real4 *sorted_velocities; // where sorting writes
    int *sorted_ids;
    Real4 *list_positions, *short_positions; // when the list and the short list were made
    Real4 *shifts;                           // of the 27 boxes around and with the box

    int *cells, *slots, *counts, *starts; // see fast_cells.cuh
    int2 *places, *ranges;
    void *scan_storage;
    size_t scan_bytes;

    unsigned int *list, *short_list; // see fast_list.cuh and fast_forces.cuh
    int *list_lengths, *short_lengths;

    Status *status;
    Status *h_status;             // pinned memory of the host
    int phase;                    // 0, 1, 2: which row of flags the next kernel reads
    Status *others[MOST_DEVICES]; // of other devices, if its kernels write there ...
    int num_others;               // ... and how many
    double *parts, *sums;         // of the energies: of each block, and of each device
    int *least, *most;            // numbers of neighbours
    unsigned long long *missing;  // neighbours
};

const int STEP_BLOCK_SIZE = 128;
const int SORT_BLOCK_SIZE = 128;

// The short list saves pairs: see add_list() in fast_forces.cuh. The skin of a list is how far it
// reaches beyond the cutoff. When an atom has moved by half the short list's skin, the short list
// is made anew from the long one. When an atom has moved by half the long list's skin, the long
// list is made anew.
inline double short_cutoff(const System *sys)
{
    return fmin(sys->list_cutoff, sys->short_list_cutoff);
}

// How far an atom may move before the long list is made anew, in A.
inline double most_move(const System *sys) { return fmax(0.0, (sys->list_cutoff - CUTOFF) / 2); }

// The more atoms there are, the fewer threads share a cluster: sums over them take less time then,
// but there are fewer threads.
inline int choose_lanes(int N)
{
    if (!ON_GPU)
    {
        return 8;
    }
    return N < 20000 ? 32 : N < 100000 ? 16 : 8;
}

// The whole box is the device's.
inline Grid create_grid(const System *sys)
{
    Grid grid = {};
    const double length[3] = {sys->box.lx, sys->box.ly, sys->box.lz};
    // A cell has four atoms on average. The crystal's cell has four, too. With the origin between
    // two of its layers, no atom swings from one cell to another.
    const double width = cbrt(4.0 * length[0] * length[1] * length[2] / sys->N);
    grid.num_cells = 1;
    for (int d = 0; d < 3; ++d)
    {
        const int cells = (int)(length[d] / width + 0.5);
        grid.n[d] = cells > 1 ? cells : 1;
        grid.length[d] = (real)(length[d] / R_MIN);
        grid.width[d] = (real)(length[d] / R_MIN / grid.n[d]);
        grid.origin[d] = (real)(-0.25 * length[d] / R_MIN / grid.n[d]);
        grid.num_cells *= grid.n[d];
    }
    grid.num_y = grid.n[1];
    return grid;
}

inline size_t count_clusters(size_t N) { return (N + CLUSTER - 1) / CLUSTER; }

// Room for so many atoms, in whole clusters.
inline int room_for(double atoms) { return (int)count_clusters((size_t)atoms) * CLUSTER; }

// What is behind the end of a short list: see end_short_list().
__host__ __device__ inline int room_for_end(int lanes) { return 2 * ROUNDS * lanes; }

// Room in a list for so many entries and its end. Each list begins at a whole line of the cache.
inline int capacity_for(double entries, int lanes)
{
    return ((int)entries / 32 + 1) * 32 + room_for_end(lanes);
}

// Room in the list of a cluster: the atoms in a sphere, and more because a cluster has a size.
inline int choose_capacity(const System *sys, int lanes)
{
    const double volume = (double)sys->box.lx * sys->box.ly * sys->box.lz;
    const double range = sys->list_cutoff + 0.5 * cbrt(4.0 * volume / sys->N);
    const double atoms = 4.0 / 3.0 * 3.14159265358979 * range * range * range * sys->N / volume;
    return capacity_for(1.2 * atoms, lanes);
}

// Cells whose atoms the device knows.
inline size_t count_known_cells(Grid grid) { return (size_t)grid.n[0] * grid.num_y * grid.n[2]; }

// The numbers of the cells' first atoms: for each piece of a halo there is one more than cells.
inline size_t count_starts(Grid grid) { return count_known_cells(grid) + 1 + grid.num_y; }

// Bytes of the arrays of a device.
inline double count_domain_bytes(const System *sys, const Domain *d)
{
    const double atoms = d->room, places = atoms + d->halo_room + 1;
    return 2.0 * places * sizeof(Real4) + atoms * (6.0 * sizeof(Real4) + 6.0 * sizeof(int)) +
           atoms / CLUSTER * (2.0 * choose_capacity(sys, d->lanes) + 2.0) * sizeof(int) +
           4.0 * count_starts(d->grid) * sizeof(int);
}

inline void allocate_lists(Domain *d)
{
    const size_t bytes = (size_t)d->room / CLUSTER * d->capacity * sizeof(unsigned int);
    CHECK(cudaMalloc(&d->list, bytes));
    CHECK(cudaMalloc(&d->short_list, bytes));
}

// The place of an atom that is far away from all others. It stands at the ends of lists.
inline int far_atom(const Domain *d) { return d->room + d->halo_room; }

// A place for number n of the atoms that fill the last cluster and do not exist. These places are
// far away from all atoms, and far from each other.
inline Real4 nowhere(int n) { return {(real)1e4, (real)1e4, (real)(1e4 + 100.0 * n), 0}; }

inline int count_parts(size_t num_clusters, int lanes)
{
    return (int)((num_clusters * lanes + STEP_BLOCK_SIZE - 1) / STEP_BLOCK_SIZE);
}

// So many blocks that each of `count` threads exists, and one at least.
inline int blocks_for(size_t count, int block_size)
{
    return count == 0 ? 1 : (int)((count + block_size - 1) / block_size);
}

size_t scan_bytes(const Domain *d);

// An array on the device for so many atoms. A kernel that does nothing must not pass.
inline Real4 *create_atoms_on_device(size_t count)
{
    Real4 *atoms;
    CHECK(cudaMalloc(&atoms, count * sizeof(Real4)));
    CHECK(cudaMemset(atoms, POISON_BYTE, count * sizeof(Real4)));
    return atoms;
}

inline void create_shifts(Domain *d)
{
    Real4 shifts[27];
    for (int code = 0; code < 27; ++code)
    {
        shifts[code] = {(code % 3 - 1) * d->grid.length[0], (code / 3 % 3 - 1) * d->grid.length[1],
                        (code / 9 - 1) * d->grid.length[2], 0};
    }
    CHECK(cudaMalloc(&d->shifts, sizeof(shifts)));
    CHECK(cudaMemcpy(d->shifts, shifts, sizeof(shifts), cudaMemcpyHostToDevice));
}

// The device's number, its cells and the room for atoms are known. The device is the current one.
inline void create_domain(const System *sys, Domain *d)
{
    d->capacity = choose_capacity(sys, d->lanes);
    const size_t room = d->room, places = room + d->halo_room + 1;
    const size_t num_clusters = room / CLUSTER;
    for (int i = 0; i < 2; ++i)
    {
        const Real4 far_away = nowhere(0);
        d->positions[i] = create_atoms_on_device(places);
        CHECK(cudaMemcpy(d->positions[i] + far_atom(d), &far_away, sizeof(Real4),
                         cudaMemcpyHostToDevice));
    }
    d->velocities = create_atoms_on_device(room);
    d->forces = create_atoms_on_device(room);
    d->sorted_velocities = create_atoms_on_device(room);
    d->list_positions = create_atoms_on_device(room);
    d->short_positions = create_atoms_on_device(room);
    create_shifts(d);

    CHECK(cudaMalloc(&d->ids, room * sizeof(int)));
    CHECK(cudaMalloc(&d->sorted_ids, room * sizeof(int)));
    CHECK(cudaMalloc(&d->cells, room * sizeof(int)));
    CHECK(cudaMalloc(&d->slots, room * sizeof(int)));
    CHECK(cudaMalloc(&d->counts, (d->grid.num_cells + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d->starts, count_starts(d->grid) * sizeof(int)));
    CHECK(cudaMalloc(&d->places, room * sizeof(int2)));
    CHECK(cudaMalloc(&d->ranges, count_known_cells(d->grid) * sizeof(int2)));
    d->scan_bytes = scan_bytes(d);
    CHECK(cudaMalloc(&d->scan_storage, d->scan_bytes));
    allocate_lists(d);
    CHECK(cudaMalloc(&d->list_lengths, num_clusters * sizeof(int)));
    CHECK(cudaMalloc(&d->short_lengths, num_clusters * sizeof(int)));
    CHECK(cudaMalloc(&d->status, sizeof(Status)));
    CHECK(cudaMallocHost(&d->h_status, sizeof(Status)));
    const size_t num_parts = count_parts(num_clusters, d->lanes) + 3;
    CHECK(cudaMalloc(&d->parts, 3 * num_parts * sizeof(double)));
    // A step that was stopped leaves parts as they are, and sum_parts() reads them all the same.
    CHECK(cudaMemset(d->parts, 0, 3 * num_parts * sizeof(double)));
    CHECK(cudaMalloc(&d->sums, 3 * d->num_devices * sizeof(double)));
    CHECK(cudaMalloc(&d->least, sizeof(int)));
    CHECK(cudaMalloc(&d->most, sizeof(int)));
    CHECK(cudaMalloc(&d->missing, sizeof(unsigned long long)));
}

inline void destroy_domain(Domain *d)
{
    CHECK(cudaFree(d->positions[0]));
    CHECK(cudaFree(d->positions[1]));
    CHECK(cudaFree(d->velocities));
    CHECK(cudaFree(d->forces));
    CHECK(cudaFree(d->sorted_velocities));
    CHECK(cudaFree(d->list_positions));
    CHECK(cudaFree(d->short_positions));
    CHECK(cudaFree(d->shifts));
    CHECK(cudaFree(d->ids));
    CHECK(cudaFree(d->sorted_ids));
    CHECK(cudaFree(d->cells));
    CHECK(cudaFree(d->slots));
    CHECK(cudaFree(d->counts));
    CHECK(cudaFree(d->starts));
    CHECK(cudaFree(d->places));
    CHECK(cudaFree(d->ranges));
    CHECK(cudaFree(d->scan_storage));
    CHECK(cudaFree(d->list));
    CHECK(cudaFree(d->short_list));
    CHECK(cudaFree(d->list_lengths));
    CHECK(cudaFree(d->short_lengths));
    CHECK(cudaFree(d->status));
    CHECK(cudaFreeHost(d->h_status));
    CHECK(cudaFree(d->parts));
    CHECK(cudaFree(d->sums));
    CHECK(cudaFree(d->least));
    CHECK(cudaFree(d->most));
    CHECK(cudaFree(d->missing));
}

// From here on the device has N atoms. Atoms that are not there fill the last cluster.
inline void set_number_of_atoms(Domain *d, int N)
{
    d->N = N;
    d->num_clusters = (int)count_clusters(N);
    const Real4 missing[CLUSTER] = {nowhere(1), nowhere(2), nowhere(3), nowhere(4)};
    const int count = d->num_clusters * CLUSTER - N;
    for (int i = 0; i < 2; ++i)
    {
        CHECK(cudaMemcpyAsync(d->positions[i] + N, missing, count * sizeof(Real4),
                              cudaMemcpyHostToDevice, d->stream));
    }
}

// In units of R_MIN.
inline Real4 to_reduced(real x, real y, real z)
{
    return {(real)(x / R_MIN), (real)(y / R_MIN), (real)(z / R_MIN), 0};
}

// Gives the device N atoms of the host, those with these numbers. The device is the current one.
inline void send_atoms(const System *sys, Domain *d, const int *ids, size_t N)
{
    Real4 *atoms = (Real4 *)new_array(N, sizeof(Real4));
    for (size_t n = 0; n < N; ++n)
    {
        atoms[n] = to_reduced(sys->x[ids[n]], sys->y[ids[n]], sys->z[ids[n]]);
    }
    CHECK(cudaMemcpy(d->positions[d->now], atoms, N * sizeof(Real4), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->ids, ids, N * sizeof(int), cudaMemcpyHostToDevice));
    for (size_t n = 0; n < N; ++n)
    {
        atoms[n] = to_reduced(sys->vx[ids[n]], sys->vy[ids[n]], sys->vz[ids[n]]);
    }
    CHECK(cudaMemcpy(d->velocities, atoms, N * sizeof(Real4), cudaMemcpyHostToDevice));
    d->N = (int)N;
    free(atoms);
}

// Brings N vectors of the device, in another unit, to their atoms' places in arrays of the host.
// `atoms` is room for them.
inline void fetch_vectors(const Real4 *vectors, double unit, const int *ids, size_t N, Real4 *atoms,
                          real *x, real *y, real *z)
{
    CHECK(cudaMemcpy(atoms, vectors, N * sizeof(Real4), cudaMemcpyDeviceToHost));
    for (size_t n = 0; n < N; ++n)
    {
        x[ids[n]] = (real)(atoms[n].x * unit);
        y[ids[n]] = (real)(atoms[n].y * unit);
        z[ids[n]] = (real)(atoms[n].z * unit);
    }
}

// Brings the device's atoms to their places in the host's arrays. An atom's share of the energy is
// not kept: the blocks add the energies up at once.
inline void fetch_atoms(System *sys, const Domain *d)
{
    const size_t N = d->N;
    const double unit_of_force = 12.0 * EPSILON / R_MIN;
    Real4 *atoms = (Real4 *)new_array(N, sizeof(Real4));
    int *ids = (int *)new_array(N, sizeof(int));
    CHECK(cudaMemcpy(ids, d->ids, N * sizeof(int), cudaMemcpyDeviceToHost));
    fetch_vectors(d->positions[d->now], R_MIN, ids, N, atoms, sys->x, sys->y, sys->z);
    fetch_vectors(d->velocities, R_MIN, ids, N, atoms, sys->vx, sys->vy, sys->vz);
    fetch_vectors(d->forces, unit_of_force, ids, N, atoms, sys->fx, sys->fy, sys->fz);
    free(atoms);
    free(ids);
}
