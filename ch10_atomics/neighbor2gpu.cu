// neighbor2gpu: which atoms are neighbours, on the device: all pairs with atomics and without, and
// cells
//
// From:    Listings 10.4 and 10.5, Table 10.2, sections 10.3.2 and 10.3.3, Fig. 10.1 and 10.2
// Compile: nvcc -O3 neighbor2gpu.cu
// Run:     ./a.out -n 22464
// Versions:
//   cpu        all pairs on the host: Listing 10.3
//   cpu-cells  cells on the host, O(N)
//   atomic     a thread for an atom; every pair once, each entering itself in the other's list
//   no-atomic  every pair twice, so that a thread writes its own list only
//   cells      O(N): sorted into cells, an atom looks into nine; all of it timed
// Checks:  12
// Sizes:   1 33 1000 200003
//
// --wrong tries the two ways that the book warns of, too; how many lists then differ is luck.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/versions.cuh"
#include "cells.cuh"

// Which place in a list is mine, and from now on nobody else's? Reading the count and adding to
// it must be one, and what counts is the value that it was added to: atomicAdd returns it.
__device__ int place_atomic(int *NN)
{
    return atomicAdd(NN, 1);
}

// WRONG: a load, an addition, a store. Two threads may load the same count before either stores:
// they get the same place, one neighbour is lost, and the count is one short.
__device__ int place_plain(int *NN)
{
    return (*NN)++;
}

// WRONG: the count comes out right, but between the load and the addition others may have added,
// so that two threads write to one place and another stays empty.
__device__ int place_ignored(int *NN)
{
    const int k = *NN;
    atomicAdd(NN, 1);
    return k;
}

// Listing 10.4, mended: the counts are zeroed before the launch, since a block that comes late
// would wipe out what others have counted; and a full list is not overrun.
template <int (*take_place)(int *)>
__global__ void find_atomic(NeighborList list, const real *d_x, const real *d_y, int N)
{
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N)
    {
        const real x1 = d_x[n1], y1 = d_y[n1];
        for (int n2 = n1 + 1; n2 < N; ++n2)
        {
            if (is_near(d_x[n2] - x1, d_y[n2] - y1))
            {
                write_neighbor(list, n1, take_place(&list.NN[n1]), n2);
                write_neighbor(list, n2, take_place(&list.NN[n2]), n1);
            }
        }
    }
}

// Listing 10.5. Twice the distances, but the count is in a register, the lists come out in the
// same order each time, and the threads of a warp write the k-th entries of 32 lists side by side.
__global__ void find_no_atomic(NeighborList list, const real *d_x, const real *d_y, int N)
{
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N)
    {
        int count = 0;
        const real x1 = d_x[n1], y1 = d_y[n1];
        for (int n2 = 0; n2 < N; ++n2)
        {
            if (is_near(d_x[n2] - x1, d_y[n2] - y1) && n2 != n1)
            {
                write_neighbor(list, n1, count++, n2);
            }
        }
        list.NN[n1] = count;
    }
}

// ---- O(N): the atoms are sorted into buckets, and each looks into nine ----

// How many atoms each bucket has. The value returned numbers them, and is kept for move_atoms.
__global__ void count_atoms(Cells cells, const real *d_x, const real *d_y, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        cells.ranks[n] = atomicAdd(&cells.counts[bucket_of(cells.ring, d_x[n], d_y[n])], 1);
    }
}

// Room for each bucket. Buckets need not lie in order, only apart, so this takes no scan: again it
// is the value returned that matters. Each block adds up its own, in shared memory, so that a
// block and not a bucket goes to the sum that all share.
__global__ void give_rooms(Cells cells)
{
    __shared__ int s_sum, s_begin;
    const unsigned int bucket = blockIdx.x * blockDim.x + threadIdx.x;
    const int count = bucket < cells.num_buckets ? cells.counts[bucket] : 0;
    if (threadIdx.x == 0)
    {
        s_sum = 0;
    }
    __syncthreads();
    const int before = count > 0 ? atomicAdd(&s_sum, count) : 0;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        s_begin = atomicAdd(&cells.counts[cells.num_buckets], s_sum);
    }
    __syncthreads();
    if (bucket < cells.num_buckets)
    {
        cells.rooms[bucket] = make_int2(s_begin + before, s_begin + before + count);
    }
}

__global__ void move_atoms(Cells cells, const real *d_x, const real *d_y, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const Atom atom = {d_x[n], d_y[n], n, {}};
        const int2 room = cells.rooms[bucket_of(cells.ring, atom.x, atom.y)];
        cells.atoms[room.x + cells.ranks[n]] = atom;
    }
}

// A thread takes an atom where it lies now, so that neighbouring threads look into the same
// buckets. All nine rooms are asked for before any is needed.
__global__ void find_in_cells(NeighborList list, Cells cells, int N)
{
    const int slot1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (slot1 < N)
    {
        int count = 0;
        const Atom atom1 = cells.atoms[slot1];
        const unsigned int bucket = bucket_of(cells.ring, atom1.x, atom1.y);
        int2 rooms[9];
#pragma unroll
        for (int i = 0; i < 9; ++i)
        {
            rooms[i] = cells.rooms[bucket_near(cells.ring, bucket, i)];
        }
#pragma unroll
        for (int i = 0; i < 9; ++i)
        {
            for (int slot2 = rooms[i].x; slot2 < rooms[i].y; ++slot2)
            {
                const Atom atom2 = cells.atoms[slot2];
                if (is_near(atom2.x - atom1.x, atom2.y - atom1.y) && slot2 != slot1)
                {
                    write_neighbor(list, atom1.n, count++, atom2.n);
                }
            }
        }
        list.NN[atom1.n] = count;
    }
}

struct Problem
{
    unsigned int N, grid_size, block_size;
    Points points, d_points;
    NeighborList reference, list, d_list; // the lists' layout is the version's
    Cells cells;
};

NeighborList lay_out(Problem *p, Layout layout)
{
    p->list = layout(p->N, p->list.MN, p->list.NN, p->list.NL);
    return layout(p->N, p->list.MN, p->d_list.NN, p->d_list.NL);
}

template <auto find>
void on_host(Problem *p)
{
    lay_out(p, list_by_atom);
    find(&p->list, &p->points);
}

template <int (*take_place)(int *)>
void pairs_once(Problem *p)
{
    const NeighborList list = lay_out(p, list_by_atom);
    CHECK(cudaMemsetAsync(p->d_list.NN, 0, p->N * sizeof(int)));
    find_atomic<take_place>
        <<<p->grid_size, p->block_size>>>(list, p->d_points.x, p->d_points.y, p->N);
}

void pairs_twice(Problem *p)
{
    const NeighborList list = lay_out(p, list_by_rank);
    find_no_atomic<<<p->grid_size, p->block_size>>>(list, p->d_points.x, p->d_points.y, p->N);
}

void in_cells(Problem *p)
{
    const NeighborList list = lay_out(p, list_by_rank);
    const Cells *cells = &p->cells;
    const unsigned int for_buckets = (cells->num_buckets + p->block_size - 1) / p->block_size;
    CHECK(cudaMemsetAsync(cells->counts, 0, (cells->num_buckets + 1) * sizeof(int)));
    count_atoms<<<p->grid_size, p->block_size>>>(*cells, p->d_points.x, p->d_points.y, p->N);
    give_rooms<<<for_buckets, p->block_size>>>(*cells);
    move_atoms<<<p->grid_size, p->block_size>>>(*cells, p->d_points.x, p->d_points.y, p->N);
    find_in_cells<<<p->grid_size, p->block_size>>>(list, *cells, p->N);
}

// The result in the table is the number of entries, the error that of atoms whose list differs.
Outcome check(const Problem *p, const Version<Problem> *version)
{
    const size_t different = count_different(&p->list, &p->reference);
    check_true(version->name, different == 0);
    return {(double)num_entries(&p->list), (double)different};
}

template <int (*take_place)(int *)>
void show_wrong(Problem *p, const char *name)
{
    const size_t bytes = p->N * sizeof(int);
    CHECK(cudaMemset(p->d_list.NL, POISON_BYTE, bytes * p->list.MN));
    pairs_once<take_place>(p);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p->list.NN, p->d_list.NN, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(p->list.NL, p->d_list.NL, bytes * p->list.MN, cudaMemcpyDeviceToHost));
    printf("%s%s: the lists of %zu atoms of %u differ\n", g_verdict_prefix, name,
           count_different(&p->list, &p->reference), p->N);
}

Version<Problem> versions[] = {
    {"cpu", on_host<find_neighbor>, ON_HOST, 0.0, SQUARE_LIMIT_TEXT},
    {"cpu-cells", on_host<find_neighbor_cells>, ON_HOST},
    {"atomic", pairs_once<place_atomic>, ON_DEVICE, 0.0, SQUARE_LIMIT_TEXT},
    {"no-atomic", pairs_twice, ON_DEVICE, 0.0, SQUARE_LIMIT_TEXT},
    {"cells", in_cells},
};

int main(int argc, char **argv)
{
    bool wrong = false;
    Input input;
    Args args;
    args.N = default_size(22464, 2000);
    args.bytes_per_element = 2 * sizeof(real) + 4 * sizeof(int) + 2 * sizeof(int2) + sizeof(Atom);
    args.bytes_on_host = BYTES_ON_HOST;
    args.versions = version_names(versions);
    add_input(&args, &input);
    add_flag(&args, "wrong", &wrong, "try the two wrong ways, too");
    parse_args(&args, argc, argv,
               "-n N -b B -r R -s S -k NAME -o PREFIX --csv [--mn N] [--xy TEXT] [--wrong]",
               "neighbor2gpu: which atoms are neighbours, on the device: all pairs with atomics "
               "and without, and cells");
    Problem p = {};
    p.block_size = args.block_x;
    p.points = open_points(&args, &input);
    p.N = p.points.N;
    if (wrong && p.N > SQUARE_LIMIT)
    {
        usage_error(&args, "--wrong takes %s", SQUARE_LIMIT_TEXT);
    }
    p.reference = find_reference(&args, &input, &p.points);
    p.list = create_list(p.N, input.MN);
    p.cells = create_cells(p.N);
    p.grid_size = (p.N + p.block_size - 1) / p.block_size;
    p.d_points = copy_to_device(&p.points);
    p.d_list = create_device_list(p.N, input.MN);

    for (Version<Problem> &version : versions)
    {
        version.launch =
            p.N > SQUARE_LIMIT && version.needs == SQUARE_LIMIT_TEXT ? NULL : version.launch;
    }
    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.list.NN, p.d_list.NN, p.N * sizeof(int)};
    ladder.outputs[1] = {p.list.NL, p.d_list.NL, p.N * sizeof(int) * input.MN};
    ladder.bytes = p.N * (2 * sizeof(real) + sizeof(int)) + sizeof(int) * num_entries(&p.reference);
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);
    if (wrong)
    {
        show_wrong<place_plain>(&p, "wrong, a plain ++");
        show_wrong<place_ignored>(&p, "wrong, the value returned ignored");
    }
    write_figures(&args, &p.reference, &p.points);

    free_cells(&p.cells);
    free_device_list(&p.d_list);
    free_device_points(&p.d_points);
    free_points(&p.points);
    free_list(&p.list);
    free_list(&p.reference);
    return verdict();
}
