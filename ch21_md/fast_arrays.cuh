// The arrays that ljmd-fast and ljmd-multi have on a device, and how they are filled from those of
// the host and brought back.
//
// Inside, lengths are in units of R_MIN, the distance at which the potential has its minimum. With
// rho = r / R_MIN the potential is epsilon * (rho^-12 - 2 rho^-6), and the force is (12 epsilon /
// R_MIN) * (rho^-8 - rho^-14) * (the vector in this unit). The constants are gone from the loop
// over pairs: it saves one multiplication for each pair.
#pragma once
#include <numeric>
#include <vector>
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
inline double short_cutoff(const Simulation *sim)
{
    return std::min(sim->list_cutoff, sim->short_list_cutoff);
}

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
inline Grid create_grid(const Simulation *sim)
{
    Grid grid = {};
    const double length[3] = {sim->box.lx, sim->box.ly, sim->box.lz};
    // A cell has four atoms on average. The crystal's cell has four, too. With the origin between
    // two of its layers, no atom swings from one cell to another.
    const double width = cbrt(4.0 * length[0] * length[1] * length[2] / sim->N);
    grid.num_cells = 1;
    for (int d = 0; d < 3; ++d)
    {
        grid.n[d] = std::max(1, (int)(length[d] / width + 0.5));
        grid.length[d] = (real)(length[d] / R_MIN);
        grid.width[d] = (real)(length[d] / R_MIN / grid.n[d]);
        grid.origin[d] = (real)(-0.25 * length[d] / R_MIN / grid.n[d]);
        grid.num_cells *= grid.n[d];
    }
    grid.num_y = grid.n[1];
    return grid;
}

inline size_t count_clusters(size_t N) { return (N + CLUSTER - 1) / CLUSTER; }

// What is behind the end of a short list: see end_short_list().
__host__ __device__ inline int room_for_end(int lanes) { return 2 * ROUNDS * lanes; }

// Room in a list for so many entries and its end. Each list begins at a whole line of the cache.
inline int capacity_for(double entries, int lanes)
{
    return ((int)entries / 32 + 1) * 32 + room_for_end(lanes);
}

// Room in the list of a cluster: the atoms in a sphere, and more because a cluster has a size.
inline int choose_capacity(const Simulation *sim, int lanes)
{
    const double volume = (double)sim->box.lx * sim->box.ly * sim->box.lz;
    const double range = sim->list_cutoff + 0.5 * cbrt(4.0 * volume / sim->N);
    const double atoms = 4.0 / 3.0 * 3.14159265358979 * range * range * range * sim->N / volume;
    return capacity_for(1.2 * atoms, lanes);
}

// Cells whose atoms the device knows.
inline size_t count_known_cells(const Grid &grid)
{
    return (size_t)grid.n[0] * grid.num_y * grid.n[2];
}

// The numbers of the cells' first atoms: for each piece of a halo there is one more than cells.
inline size_t count_starts(const Grid &grid) { return count_known_cells(grid) + 1 + grid.num_y; }

// Bytes of the arrays of a device.
inline double count_domain_bytes(const Simulation *sim, const Domain *d)
{
    const double atoms = d->room, places = atoms + d->halo_room + 1;
    return 2.0 * places * sizeof(Real4) + atoms * (6.0 * sizeof(Real4) + 6.0 * sizeof(int)) +
           atoms / CLUSTER * (2.0 * choose_capacity(sim, d->lanes) + 2.0) * sizeof(int) +
           4.0 * count_starts(d->grid) * sizeof(int);
}

template <typename T>
inline void allocate(T **array, size_t count)
{
    CHECK(cudaMalloc((void **)array, count * sizeof(T)));
}

inline void allocate_lists(Domain *d)
{
    allocate(&d->list, (size_t)d->room / CLUSTER * d->capacity);
    allocate(&d->short_list, (size_t)d->room / CLUSTER * d->capacity);
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
    return (int)((std::max(count, (size_t)1) + block_size - 1) / block_size);
}

size_t scan_bytes(const Domain *d);

// The device's number, its cells and the room for atoms are known. The device is the current one.
inline void create_domain(const Simulation *sim, Domain *d)
{
    d->capacity = choose_capacity(sim, d->lanes);
    const size_t room = d->room, places = room + d->halo_room + 1;
    const size_t num_clusters = room / CLUSTER;
    for (Real4 **array : {&d->positions[0], &d->positions[1]})
    {
        allocate(array, places);
        CHECK(cudaMemset(*array, POISON_BYTE, places * sizeof(Real4)));
        const Real4 far_away = nowhere(0);
        CHECK(cudaMemcpy(*array + far_atom(d), &far_away, sizeof(Real4), cudaMemcpyHostToDevice));
    }
    for (Real4 **array : {&d->velocities, &d->forces, &d->sorted_velocities, &d->list_positions,
                          &d->short_positions})
    {
        allocate(array, room);
        // A kernel that does nothing must not pass.
        CHECK(cudaMemset(*array, POISON_BYTE, room * sizeof(Real4)));
    }
    Real4 shifts[27];
    for (int code = 0; code < 27; ++code)
    {
        shifts[code] = {(code % 3 - 1) * d->grid.length[0], (code / 3 % 3 - 1) * d->grid.length[1],
                        (code / 9 - 1) * d->grid.length[2], 0};
    }
    allocate(&d->shifts, 27);
    CHECK(cudaMemcpy(d->shifts, shifts, sizeof(shifts), cudaMemcpyHostToDevice));

    for (int **array : {&d->ids, &d->sorted_ids, &d->cells, &d->slots})
    {
        allocate(array, room);
    }
    allocate(&d->counts, d->grid.num_cells + 1);
    allocate(&d->starts, count_starts(d->grid));
    allocate(&d->places, room);
    allocate(&d->ranges, count_known_cells(d->grid));
    d->scan_bytes = scan_bytes(d);
    CHECK(cudaMalloc(&d->scan_storage, d->scan_bytes));
    allocate_lists(d);
    allocate(&d->list_lengths, num_clusters);
    allocate(&d->short_lengths, num_clusters);
    allocate(&d->status, 1);
    CHECK(cudaMallocHost((void **)&d->h_status, sizeof(Status)));
    allocate(&d->parts, 3 * (size_t)(count_parts(num_clusters, d->lanes) + 3));
    allocate(&d->sums, 3 * d->num_devices);
    allocate(&d->least, 1);
    allocate(&d->most, 1);
    allocate(&d->missing, 1);
}

inline void destroy_domain(Domain *d)
{
    for (void *array : {(void *)d->positions[0],
                        (void *)d->positions[1],
                        (void *)d->velocities,
                        (void *)d->forces,
                        (void *)d->sorted_velocities,
                        (void *)d->list_positions,
                        (void *)d->short_positions,
                        (void *)d->shifts,
                        (void *)d->ids,
                        (void *)d->sorted_ids,
                        (void *)d->cells,
                        (void *)d->slots,
                        (void *)d->counts,
                        (void *)d->starts,
                        (void *)d->places,
                        (void *)d->ranges,
                        d->scan_storage,
                        (void *)d->list,
                        (void *)d->short_list,
                        (void *)d->list_lengths,
                        (void *)d->short_lengths,
                        (void *)d->status,
                        (void *)d->parts,
                        (void *)d->sums,
                        (void *)d->least,
                        (void *)d->most,
                        (void *)d->missing})
    {
        CHECK(cudaFree(array));
    }
    CHECK(cudaFreeHost(d->h_status));
}

// From here on the device has N atoms. Atoms that are not there fill the last cluster.
inline void set_number_of_atoms(Domain *d, int N)
{
    d->N = N;
    d->num_clusters = (int)count_clusters(N);
    const Real4 missing[CLUSTER] = {nowhere(1), nowhere(2), nowhere(3), nowhere(4)};
    const int count = d->num_clusters * CLUSTER - N;
    for (Real4 *array : d->positions)
    {
        CHECK(cudaMemcpyAsync(array + N, missing, count * sizeof(Real4), cudaMemcpyHostToDevice,
                              d->stream));
    }
}

// In units of R_MIN.
inline Real4 to_reduced(real x, real y, real z)
{
    return {(real)(x / R_MIN), (real)(y / R_MIN), (real)(z / R_MIN), 0};
}

// Gives the device these atoms of the host. The device is the current one.
inline void send_atoms(const Simulation *sim, Domain *d, const std::vector<int> &ids)
{
    const size_t N = ids.size(), bytes = N * sizeof(Real4);
    std::vector<Real4> atoms(N);
    for (size_t n = 0; n < N; ++n)
    {
        atoms[n] = to_reduced(sim->x[ids[n]], sim->y[ids[n]], sim->z[ids[n]]);
    }
    CHECK(cudaMemcpy(d->positions[d->now], atoms.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->ids, ids.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    for (size_t n = 0; n < N; ++n)
    {
        atoms[n] = to_reduced(sim->vx[ids[n]], sim->vy[ids[n]], sim->vz[ids[n]]);
    }
    CHECK(cudaMemcpy(d->velocities, atoms.data(), bytes, cudaMemcpyHostToDevice));
    d->N = (int)N;
}

// Brings the device's atoms to their places in the host's arrays. An atom's share of the energy is
// not kept: the blocks add the energies up at once.
inline void fetch_atoms(Simulation *sim, const Domain *d)
{
    const size_t N = d->N, bytes = N * sizeof(Real4);
    std::vector<Real4> atoms(N);
    std::vector<int> ids(N);
    CHECK(cudaMemcpy(ids.data(), d->ids, N * sizeof(int), cudaMemcpyDeviceToHost));
    const auto bring = [&](const Real4 *array, double unit, real *x, real *y, real *z)
    {
        CHECK(cudaMemcpy(atoms.data(), array, bytes, cudaMemcpyDeviceToHost));
        for (size_t n = 0; n < N; ++n)
        {
            x[ids[n]] = (real)(atoms[n].x * unit);
            y[ids[n]] = (real)(atoms[n].y * unit);
            z[ids[n]] = (real)(atoms[n].z * unit);
        }
    };
    bring(d->positions[d->now], R_MIN, sim->x, sim->y, sim->z);
    bring(d->velocities, R_MIN, sim->vx, sim->vy, sim->vz);
    bring(d->forces, 12.0 * EPSILON / R_MIN, sim->fx, sim->fy, sim->fz);
}
