// The list of ljmd-fast and ljmd-multi: for each cluster of four atoms, every atom that is within
// the list's cutoff of one of them. One entry serves four atoms, so the list is shorter than four
// lists, and an atom that is read once is used four times.
//
// An entry is the number of an atom and a code for the box that the atom is seen in: the box itself
// or one of the 26 around it.
#pragma once
#include "../common/require_memory.cuh"
#include "fast_cells.cuh"

const int ATOM_BITS = 27;
const unsigned int ATOM_MASK = (1u << ATOM_BITS) - 1;
const unsigned int THIS_BOX = 13; // the code of no shift at all: (0 + 1) + 3 (0 + 1) + 9 (0 + 1)
const unsigned int ALL_LANES = 0xffffffff;

__device__ inline real distance_square(Real4 p, Real4 q)
{
    const real x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return x * x + y * y + z * z;
}

// How far two intervals are from each other; 0 if they overlap.
__device__ inline real gap(real low1, real high1, real low2, real high2)
{
    return max((real)0, max(low2 - high1, low1 - high2));
}

// The atoms of up to eight cells, four lanes for each cell, that are within the cutoff. Returns the
// new length of the list.
__device__ inline int append_cells(const int2 *s_cells, int num_cells, const Real4 *own,
                                   real cutoff2, const Real4 *positions, const Real4 *shifts,
                                   int capacity, unsigned int *list, int length, int lane)
{
    const int c = lane / 4;
    const int2 cell = c < num_cells ? s_cells[c] : make_int2(0, 0);
    const int count = cell.y >> 5;
    const unsigned int code = cell.y & 31;
    const Real4 shift = shifts[code];
    for (int k = lane % 4; __any_sync(ALL_LANES, k < count); k += 4)
    {
        const int j = cell.x + k;
        bool is_near = false;
        if (k < count)
        {
            Real4 p = positions[j];
            p.x += shift.x;
            p.y += shift.y;
            p.z += shift.z;
            for (int a = 0; a < CLUSTER; ++a)
            {
                is_near = is_near || distance_square(own[a], p) < cutoff2;
            }
        }
        const unsigned int near_lanes = __ballot_sync(ALL_LANES, is_near);
        const int place = length + __popc(near_lanes & ((1u << lane) - 1));
        if (is_near && place < capacity)
        {
            list[place] = (unsigned int)j | code << ATOM_BITS;
        }
        length += __popc(near_lanes);
    }
    return length;
}

const int LIST_WARPS = 4; // in a block
const int CELLS_AT_ONCE = 8;

// A warp for each cluster. It goes through the cells around the cluster, 8 x 4 at a time. Those
// that come near enough are kept in shared memory until there are eight of them.
__global__ void build_list(Grid grid, int N, int num_clusters, real cutoff, const Real4 *positions,
                           const Real4 *shifts, const int2 *ranges, int capacity, int room,
                           real most_extent, unsigned int *list, int *lengths, Status *status,
                           int *flag)
{
    __shared__ int2 s_cells[LIST_WARPS][32 + CELLS_AT_ONCE];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int cluster = blockIdx.x * LIST_WARPS + warp;
    if (cluster >= num_clusters)
    {
        return;
    }
    int2 *const s_near = s_cells[warp];
    Real4 own[CLUSTER];
    real low[3], high[3]; // of a box around the cluster
    for (int a = 0; a < CLUSTER; ++a)
    {
        own[a] = positions[min(cluster * CLUSTER + a, N - 1)];
        const real place[3] = {own[a].x, own[a].y, own[a].z};
        for (int d = 0; d < 3; ++d)
        {
            low[d] = a == 0 ? place[d] : min(low[d], place[d]);
            high[d] = a == 0 ? place[d] : max(high[d], place[d]);
        }
    }
    const real cutoff2 = cutoff * cutoff;
    int first[3], last[3]; // the cells that the cutoff reaches
    for (int d = 0; d < 3; ++d)
    {
        first[d] = (int)floor((low[d] - cutoff - grid.origin[d]) / grid.width[d]);
        last[d] = (int)floor((high[d] + cutoff - grid.origin[d]) / grid.width[d]);
    }
    bool reaches_out = false, is_wide = false; // out of the box; more than most_extent
    for (int d = 0; d < 3; ++d)
    {
        reaches_out = reaches_out || first[d] < 0 || last[d] >= grid.n[d];
        is_wide = is_wide || !(high[d] - low[d] <= most_extent); // also if it is not a number
    }
    if (lane == 0 && is_wide)
    {
        atomicOr(&status->wide, 1);
    }
    unsigned int *const my_list = list + (size_t)cluster * capacity;
    int length = 0, num_near = 0;
    for (int z = first[2]; z <= last[2]; ++z)
    {
        const real bottom = grid.origin[2] + z * grid.width[2];
        const real gap_z = gap(low[2], high[2], bottom, bottom + grid.width[2]);
        const int shift_z = z < 0 ? -1 : z >= grid.n[2] ? 1 : 0;
        for (int y0 = first[1]; y0 <= last[1]; y0 += 4)
        {
            const int y = y0 + lane / 8;
            const real front = grid.origin[1] + y * grid.width[1];
            const real gap_y = gap(low[1], high[1], front, front + grid.width[1]);
            const int shift_y = y < 0 ? -1 : y >= grid.n[1] ? 1 : 0;
            for (int x0 = first[0]; x0 <= last[0]; x0 += 8)
            {
                const int x = x0 + lane % 8;
                const real left = grid.origin[0] + x * grid.width[0];
                const real gap_x = gap(low[0], high[0], left, left + grid.width[0]);
                const int shift_x = x < 0 ? -1 : x >= grid.n[0] ? 1 : 0;
                bool is_near = y <= last[1] && x <= last[0] &&
                               gap_x * gap_x + gap_y * gap_y + gap_z * gap_z < cutoff2;
                int2 cell = make_int2(0, 0);
                if (is_near)
                {
                    const int in_box_x = x - shift_x * grid.n[0];
                    const int in_box_y = y - shift_y * grid.n[1];
                    const int in_box_z = z - shift_z * grid.n[2];
                    cell = ranges[known_cell(grid, in_box_x, in_box_y, in_box_z)];
                    is_near = cell.y > 0;
                    cell.y = cell.y << 5 | ((shift_x + 1) + 3 * (shift_y + 1) + 9 * (shift_z + 1));
                }
                const unsigned int near_lanes = __ballot_sync(ALL_LANES, is_near);
                if (is_near)
                {
                    s_near[num_near + __popc(near_lanes & ((1u << lane) - 1))] = cell;
                }
                num_near += __popc(near_lanes);
                __syncwarp();
                int done = 0;
                for (; num_near - done >= CELLS_AT_ONCE; done += CELLS_AT_ONCE)
                {
                    length = append_cells(s_near + done, CELLS_AT_ONCE, own, cutoff2, positions,
                                          shifts, room, my_list, length, lane);
                }
                num_near -= done; // fewer than eight are left: they move to the front
                const int2 left_over = lane < num_near ? s_near[done + lane] : make_int2(0, 0);
                __syncwarp();
                if (lane < num_near)
                {
                    s_near[lane] = left_over;
                }
                __syncwarp();
            }
        }
    }
    length = append_cells(s_near, num_near, own, cutoff2, positions, shifts, room, my_list, length,
                          lane);
    if (length > room)
    {
        if (lane == 0)
        {
            atomicMax(&status->overflow, length);
            atomicOr(flag, STOP);
        }
        length = room;
    }
    if (lane == 0)
    {
        lengths[cluster] = 2 * length + reaches_out; // some entries may be in another box
    }
}

// How many neighbours within the cutoff the atoms have: a thread for each atom.
__global__ void count_near(int N, real cutoff2, const Real4 *positions, const Real4 *shifts,
                           int capacity, const unsigned int *list, const int *lengths, int *least,
                           int *most)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const Real4 own = positions[n];
        const unsigned int *const my_list = list + (size_t)(n / CLUSTER) * capacity;
        int count = -1; // the atom itself is in the list
        for (int k = 0; k < lengths[n / CLUSTER] / 2; ++k)
        {
            Real4 p = positions[my_list[k] & ATOM_MASK];
            const Real4 shift = shifts[my_list[k] >> ATOM_BITS];
            p.x += shift.x;
            p.y += shift.y;
            p.z += shift.z;
            count += distance_square(own, p) < cutoff2;
        }
        atomicMin(least, count);
        atomicMax(most, count);
    }
}

// Whether atom j is within the cutoff of p, seen in the box with this code.
__device__ inline bool is_near(Real4 p, const Real4 *positions, const Real4 *shifts, int j,
                               int code, real cutoff2)
{
    Real4 q = positions[j];
    const Real4 shift = shifts[code];
    q.x += shift.x;
    q.y += shift.y;
    q.z += shift.z;
    return distance_square(p, q) < cutoff2;
}

// How many pairs within the cutoff are not in the list: a thread for each atom. It looks at all
// cells that the range reaches: the cutoff, and as far as an atom may have moved since it was put
// into its cell.
__global__ void count_missing_pairs(Grid grid, int N, real cutoff2, real range,
                                    const Real4 *positions, const Real4 *shifts, const int2 *ranges,
                                    int capacity, const unsigned int *list, const int *lengths,
                                    unsigned long long *missing)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= N)
    {
        return;
    }
    const Real4 own = positions[n];
    int difference = 0;
    const unsigned int *const my_list = list + (size_t)(n / CLUSTER) * capacity;
    for (int k = 0; k < lengths[n / CLUSTER] / 2; ++k)
    {
        const unsigned int entry = my_list[k];
        difference -=
            is_near(own, positions, shifts, entry & ATOM_MASK, entry >> ATOM_BITS, cutoff2);
    }
    const real place[3] = {own.x, own.y, own.z};
    int first[3], last[3];
    for (int d = 0; d < 3; ++d)
    {
        first[d] = (int)floor((place[d] - range - grid.origin[d]) / grid.width[d]);
        last[d] = (int)floor((place[d] + range - grid.origin[d]) / grid.width[d]);
    }
    for (int z = first[2]; z <= last[2]; ++z)
    {
        const int shift_z = z < 0 ? -1 : z >= grid.n[2] ? 1 : 0;
        for (int y = first[1]; y <= last[1]; ++y)
        {
            const int shift_y = y < 0 ? -1 : y >= grid.n[1] ? 1 : 0;
            for (int x = first[0]; x <= last[0]; ++x)
            {
                const int shift_x = x < 0 ? -1 : x >= grid.n[0] ? 1 : 0;
                const int code = (shift_x + 1) + 3 * (shift_y + 1) + 9 * (shift_z + 1);
                const int2 cell =
                    ranges[known_cell(grid, x - shift_x * grid.n[0], y - shift_y * grid.n[1],
                                      z - shift_z * grid.n[2])];
                for (int j = cell.x; j < cell.x + cell.y; ++j)
                {
                    difference += is_near(own, positions, shifts, j, code, cutoff2);
                }
            }
        }
    }
    if (difference != 0)
    {
        atomicAdd(missing, (unsigned long long)abs(difference));
    }
}

// How far the atoms of a cluster may be from each other in each direction, so that the kernels of a
// step may wrap entries (see "Entries in another box" in fast_forces.cuh). Where one cluster is
// wider, or this is negative, they read the table of shifts.
//
// Take one direction. L is the length of the box, R the list's cutoff, E what this returns, and m
// half the list's skin. When the list is made, all atoms are between o, where the box begins, and
// o + L. While it serves, an atom has moved by m at most, also one of another device. So it is
// between o - m and o + L + m. wrap_cluster() takes the cluster to the first half of the box or to
// the half before it. Its first atom is then at x, and
//     o - L/2 <= x <= o + L/2.
// Of an entry at p, wrap_entry() makes q. If p <= x + L/2, q is p. Then q - x <= L/2 and
// q - x >= (o - m) - (o + L/2). Else q is p - L. Then q - x > -L/2 and
// q - x <= (o + m) - (o - L/2). So in both cases
//     |q - x| <= L/2 + m.
// Let t be where the entry should be seen: as the list saw it, beside the cluster at x. When
// the list was made, t was within R of an atom of the cluster, and that atom was within E of the
// first one. Then both ends moved by m at most. So
//     |t - x| < R + E + 2 m.
// q and t are images of the same atom, so they differ by a multiple of L. They differ by less than
// L/2 + m + R + E + 2 m. If this is L at most, they are equal: each entry is seen where it should
// be. That gives
//     E = L/2 - R - 3 m.
// The shortest direction decides. On several devices L is still the length of the whole box: an
// atom of a halo is where its owner has it, and no device has a box of its own. 0.01 is more than
// what rounding adds.
//
// The atoms of nowhere() are wrapped like all others and must stay far away. They do in a box that
// is at most a quarter as long as they are far.
inline double most_extent(const System *sys, const Grid *grid)
{
    const double shortest = fmin(grid->length[0], fmin(grid->length[1], grid->length[2]));
    const double longest = fmax(grid->length[0], fmax(grid->length[1], grid->length[2]));
    if (sys->never_wraps || longest > 0.25 * nowhere(0).x)
    {
        return -1.0;
    }
    return shortest / 2 - (sys->list_cutoff + 3 * most_move(sys)) / R_MIN - 0.01;
}

// Makes the long list. The first step will take the short list from it.
inline void start_list(const System *sys, Domain *d)
{
    int *const flags = d->status->flags[d->phase]; // an address on the device
    Status status = {};
    status.flags[d->phase][d->device] = MAKE_SHORT_LIST;
    *d->h_status = status;
    CHECK(
        cudaMemcpyAsync(d->status, d->h_status, sizeof(Status), cudaMemcpyHostToDevice, d->stream));
    build_list<<<blocks_for(d->num_clusters, LIST_WARPS), 32 * LIST_WARPS, 0, d->stream>>>(
        d->grid, d->N, d->num_clusters, (real)(sys->list_cutoff / R_MIN), d->positions[d->now],
        d->shifts, d->ranges, d->capacity, d->capacity - room_for_end(d->lanes),
        (real)most_extent(sys, &d->grid), d->list, d->list_lengths, d->status, &flags[d->device]);
    CHECK_LAUNCH();
}

// Where a list has no room, all get more. Such a list stops the kernels that use it.
inline void enlarge_lists(Domain *d, int needed)
{
    CHECK(cudaFree(d->list));
    CHECK(cudaFree(d->short_list));
    d->capacity = capacity_for(1.1 * needed, d->lanes);
    const double bytes = 2.0 * (d->room / CLUSTER) * d->capacity * sizeof(int);
    require_memory(ON_GPU ? 0 : bytes, bytes);
    allocate_lists(d);
}

// The numbers of neighbours up to the list's cutoff, of all atoms of the device.
inline NeighborCounts count_neighbors_of(const System *sys, Domain *d)
{
    const real cutoff = (real)(sys->list_cutoff / R_MIN);
    NeighborCounts counts = {INT_MAX, -1}; // any number is less than the first, more than the other
    CHECK(cudaMemcpy(d->least, &counts.least, sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->most, &counts.most, sizeof(int), cudaMemcpyHostToDevice));
    count_near<<<blocks_for(d->N, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
        d->N, cutoff * cutoff, d->positions[d->now], d->shifts, d->capacity, d->list,
        d->list_lengths, d->least, d->most);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&counts.least, d->least, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&counts.most, d->most, sizeof(int), cudaMemcpyDeviceToHost));
    return counts;
}

// How many neighbours within the cutoff are not in the lists of the device's atoms.
inline size_t count_missing_of(const System *sys, Domain *d)
{
    const double cutoff = CUTOFF / R_MIN;
    unsigned long long missing = ~0ull; // the copy sets each byte
    CHECK(cudaMemset(d->missing, 0, sizeof(missing)));
    count_missing_pairs<<<blocks_for(d->N, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
        d->grid, d->N, (real)(cutoff * cutoff), (real)(cutoff + most_move(sys) / R_MIN),
        d->positions[d->now], d->shifts, d->ranges, d->capacity, d->list, d->list_lengths,
        d->missing);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&missing, d->missing, sizeof(missing), cudaMemcpyDeviceToHost));
    return missing;
}
