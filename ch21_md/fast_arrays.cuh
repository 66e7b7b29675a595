// The arrays of ljmd-fast, and how they are filled from the host's and brought back.
//
// Inside, lengths are in units of R_MIN, the distance at which the potential has its minimum. With
// rho = r / R_MIN the potential is epsilon * (rho^-12 - 2 rho^-6), and the force is (12 epsilon /
// R_MIN) * (rho^-8 - rho^-14) * (the vector in this unit). The constants are gone from the loop
// over pairs: it saves one multiplication for each pair.
#pragma once
#include <vector>
#include "simulation.cuh"

const double R_MIN = SIGMA * 1.122462048309373; // 2^(1/6) sigma, in A

// Four reals that are read and written in one instruction.
struct alignas(4 * sizeof(real)) Real4
{
    real x, y, z, w;
};

const int CLUSTER = 4; // atoms of a cluster: see fast_cells.cuh

// The cells, in which the atoms are sorted: see fast_cells.cuh.
struct Grid
{
    int n[3]; // cells in each direction
    int num_cells;
    real origin[3], width[3], length[3]; // length: of the box
};

// What must be done before the next forces are computed.
enum Flag
{
    MAKE_SHORT_LIST = 1,
    STOP = 2, // the list has to be made, and the kernels do nothing until then
    EXPLODED = 4
};

// What the kernels tell each other and the host. A kernel reads one of the three flags, writes the
// next one, and clears the one after that.
struct Status
{
    int flags[3];
    int steps;    // how often the forces were computed
    int prunes;   // how often a short list was made
    int overflow; // 0, or the length of a list that has no room
};

// The atoms are sorted. Atom i was atom ids[i] on the host.
struct Arrays
{
    Grid grid;
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

    unsigned int *list, *short_list; // see fast_list.cuh
    int *list_lengths, *short_lengths;

    Status *status;
    Status *h_status;     // pinned memory of the host
    int phase;            // 0, 1, 2: which flag the next kernel reads
    double *parts, *sums; // of the energies: of each block, and of all
    int num_parts;
    int *least, *most; // numbers of neighbours

    size_t list_steps, last_list_steps; // how many steps the list has served, and the one before
    bool has_exploded;
};

const int STEP_BLOCK_SIZE = 128;
const int SORT_BLOCK_SIZE = 128;

// The short list saves pairs: see fast_list.cuh. Beyond half of its skin it is made anew from the
// list, and beyond half of the list's skin the list is made anew.
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
    return grid;
}

inline size_t count_clusters(const Simulation *sim)
{
    return ((size_t)sim->N + CLUSTER - 1) / CLUSTER;
}

// Places for atoms: those that fill the last cluster are far away.
inline size_t count_places(const Simulation *sim)
{
    return count_clusters(sim) * CLUSTER + 1;
}

// Room in the list of a cluster: the atoms in a sphere, and more because a cluster has a size.
inline int choose_capacity(const Simulation *sim)
{
    const double volume = (double)sim->box.lx * sim->box.ly * sim->box.lz;
    const double range = sim->list_cutoff + 0.5 * cbrt(4.0 * volume / sim->N);
    const double atoms = 4.0 / 3.0 * 3.14159265358979 * range * range * range * sim->N / volume;
    return ((int)(1.2 * atoms) / 32 + 4) * 32;
}

void count_bytes(const Simulation *sim, double *on_host, double *on_device)
{
    *on_host = count_places(sim) * (double)sizeof(Real4);
    *on_device = count_places(sim) * (8.0 * sizeof(Real4) + 6.0 * sizeof(int)) +
                 (double)count_clusters(sim) * (2.0 * choose_capacity(sim) + 2.0) * sizeof(int);
}

template <typename T>
inline void allocate(T **array, size_t count)
{
    CHECK(cudaMalloc((void **)array, count * sizeof(T)));
}

inline void allocate_lists(Arrays *d)
{
    allocate(&d->list, (size_t)d->num_clusters * d->capacity);
    allocate(&d->short_list, (size_t)d->num_clusters * d->capacity);
}

size_t scan_bytes(const Arrays *d);

void create_arrays(Simulation *sim)
{
    Arrays *d = new Arrays();
    sim->arrays = d;
    d->grid = create_grid(sim);
    d->num_clusters = (int)count_clusters(sim);
    d->capacity = choose_capacity(sim);
    d->lanes = choose_lanes(sim->N);
    const size_t places = count_places(sim), N = sim->N, num_cells = d->grid.num_cells;

    for (Real4 **array : {&d->positions[0], &d->positions[1], &d->velocities, &d->forces,
                          &d->sorted_velocities, &d->list_positions, &d->short_positions})
    {
        allocate(array, places);
        // A kernel that does nothing must not pass.
        CHECK(cudaMemset(*array, POISON_BYTE, places * sizeof(Real4)));
    }
    // Atoms that are not there: they fill the last cluster and the ends of lists.
    const Real4 far_away = {(real)1e4, (real)1e4, (real)1e4, 0};
    const std::vector<Real4> nowhere(places - N, far_away);
    for (Real4 *array : d->positions)
    {
        CHECK(cudaMemcpy(array + N, nowhere.data(), nowhere.size() * sizeof(Real4),
                         cudaMemcpyHostToDevice));
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
        allocate(array, N);
    }
    allocate(&d->counts, num_cells + 1);
    allocate(&d->starts, num_cells + 1);
    allocate(&d->places, N);
    allocate(&d->ranges, num_cells);
    d->scan_bytes = scan_bytes(d);
    CHECK(cudaMalloc(&d->scan_storage, d->scan_bytes));
    allocate_lists(d);
    allocate(&d->list_lengths, d->num_clusters);
    allocate(&d->short_lengths, d->num_clusters);
    allocate(&d->status, 1);
    CHECK(cudaMallocHost((void **)&d->h_status, sizeof(Status)));
    d->num_parts = ((size_t)d->num_clusters * d->lanes - 1) / STEP_BLOCK_SIZE + 1;
    allocate(&d->parts, 3 * (size_t)d->num_parts);
    allocate(&d->sums, 3);
    allocate(&d->least, 1);
    allocate(&d->most, 1);
    d->last_list_steps = 32; // so far a guess
}

void destroy_arrays(Simulation *sim)
{
    Arrays *d = sim->arrays;
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
                        (void *)d->most})
    {
        CHECK(cudaFree(array));
    }
    CHECK(cudaFreeHost(d->h_status));
    delete d;
}

// Units of R_MIN and back.
inline Real4 to_reduced(real x, real y, real z)
{
    return {(real)(x / R_MIN), (real)(y / R_MIN), (real)(z / R_MIN), 0};
}

// The atoms come in the host's order, so what follows does not depend on the order they had here.
void send(Simulation *sim)
{
    Arrays *d = sim->arrays;
    const size_t N = sim->N, bytes = N * sizeof(Real4);
    std::vector<Real4> atoms(N);
    std::vector<int> ids(N);
    for (size_t n = 0; n < N; ++n)
    {
        atoms[n] = to_reduced(sim->x[n], sim->y[n], sim->z[n]);
        ids[n] = (int)n;
    }
    CHECK(cudaMemcpy(d->positions[d->now], atoms.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->ids, ids.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    for (size_t n = 0; n < N; ++n)
    {
        atoms[n] = to_reduced(sim->vx[n], sim->vy[n], sim->vz[n]);
    }
    CHECK(cudaMemcpy(d->velocities, atoms.data(), bytes, cudaMemcpyHostToDevice));
}

// An atom's share of the energy is not kept: the blocks add the energies up at once.
void fetch(Simulation *sim)
{
    const Arrays *d = sim->arrays;
    const size_t N = sim->N, bytes = N * sizeof(Real4);
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
