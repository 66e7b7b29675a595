// A step of ljmd-fast and ljmd-multi: one kernel with the forces and the integration. The section
// "The forces" has the work for each pair, and "The kernels of a step" has the rest.
#pragma once
#include "../common/launch.cuh"
#include "fast_list.cuh"

// ---- The forces ----

// 1 / r2. In float, the instruction with an error of one unit in the last place is enough.
__device__ inline float inverse_of(float r2)
{
#if ON_GPU
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(r2));
    return result;
#else
    return 1.0f / r2;
#endif
}

// In double. The approximation has 23 right bits. Each step of Newton's method doubles them, so two
// give all 53. A division takes longer: it also handles numbers that do not occur here.
__device__ inline double inverse_of(double r2)
{
    double result = inverse_of((float)r2);
    result = fma(result, fma(-r2, result, 1.0), result);
    return fma(result, fma(-r2, result, 1.0), result);
}

// Whether 0 < r2 < cutoff2; r2 is never 0. As bits, a negative number is larger than all positive
// ones.
__device__ inline bool is_within(float r2, float cutoff2)
{
    return __float_as_uint(r2) < __float_as_uint(cutoff2);
}

__device__ inline bool is_within(double r2, double cutoff2) { return r2 > 0 && r2 < cutoff2; }

// What the atoms of a cluster have collected so far.
struct Sums
{
    real x[CLUSTER], y[CLUSTER], z[CLUSTER];
    real potential, virial;
};

// Adds what atom p does to the four atoms of a cluster. The cluster's own atoms are in its list, so
// p may be the atom itself. Then r2 is -1e-30, and that is not within. To any other r2 the small
// number makes no difference. Returns the smallest r2.
template <bool WITH_ENERGY>
__device__ inline real add_pairs(const Real4 *own, Real4 p, real cutoff2, real energy_shift,
                                 Sums *sums)
{
    real nearest = 0;
#pragma unroll
    for (int a = 0; a < CLUSTER; ++a)
    {
        const real x = p.x - own[a].x, y = p.y - own[a].y, z = p.z - own[a].z;
        const real r2 = fma(z, z, fma(y, y, fma(x, x, (real)-1e-30)));
        const real r2inv = inverse_of(r2);
        const real r4inv = r2inv * r2inv, r8inv = r4inv * r4inv;
        const real r6inv = r4inv * r2inv;
        const real f = fma(-r6inv, r8inv, r8inv); // r^-8 - r^-14
        if (is_within(r2, cutoff2))
        {
            sums->x[a] += f * x;
            sums->y[a] += f * y;
            sums->z[a] += f * z;
            if (WITH_ENERGY)
            {
                sums->potential += r6inv * r6inv - 2 * r6inv - energy_shift;
                sums->virial -= f * r2;
            }
        }
        nearest = a == 0 ? r2 : min(nearest, r2);
    }
    return nearest;
}

// All that the kernels of a step need.
struct Step
{
    int N, capacity, far_atom;
    int first_cluster, end_cluster; // of this launch, ...
    int first_part;                 // ... and where its parts of the energies begin
    int phase, device, num_devices;
    real cutoff2, short_cutoff2, energy_shift, time_step, half_kick;
    real most_short_move2, most_list_move2; // the squares of half the skins
    const Real4 *positions;
    Real4 *new_positions, *velocities, *forces, *short_positions;
    const Real4 *list_positions, *shifts;
    const unsigned int *list;
    unsigned int *short_list;
    const int *list_lengths;
    int *short_lengths;
    Status *status;
    Status *others[MOST_DEVICES]; // in the memory of other devices
    int num_others;
    double *parts;
    const double *sums;
    real length[3], half[3], middle[3]; // of the box: see wrap_cluster()
};

// ---- Entries in another box ----
//
// The atom of an entry may be seen in another box than its own. There are two ways to see it there:
//
// - By the table of shifts. An entry has a code for its box, and the table has the shift for it.
//   This is right in all boxes.
// - By wrapping. The atom is seen in the box in which it is nearest to the cluster. That takes a
//   comparison and an addition in each direction, and no read. The short list needs no codes, so
//   its entries are numbers of atoms. With a code the number has to be taken out of each entry
//   first, also where no entry is in another box. Wrapping is right if no cluster is too wide for
//   the box: see most_extent() in fast_list.cuh.
//
// build_list() looks how wide the clusters are, and the host chooses. WRAPS: by wrapping. SHIFTED:
// some entries of the warp's clusters are in another box. Else nothing is shifted.

__device__ inline Real4 read_shifted(const Step &step, unsigned int entry)
{
    Real4 p = step.positions[entry & ATOM_MASK];
    const Real4 shift = step.shifts[entry >> ATOM_BITS];
    p.x += shift.x;
    p.y += shift.y;
    p.z += shift.z;
    return p;
}

// The position of an entry of the long list: without WRAPS where it is seen.
template <bool WRAPS, bool SHIFTED>
__device__ inline Real4 read_entry(const Step &step, unsigned int entry)
{
    return SHIFTED && !WRAPS ? read_shifted(step, entry) : step.positions[entry & ATOM_MASK];
}

// That of an entry of the short list.
template <bool WRAPS, bool SHIFTED>
__device__ inline Real4 read_short_entry(const Step &step, unsigned int entry)
{
    return WRAPS ? step.positions[entry] : read_entry<WRAPS, SHIFTED>(step, entry);
}

// Half a box from a cluster's first atom on. An atom behind it is seen one box before.
struct Limit
{
    real x, y, z;
};

// A cluster in the second half of the box is seen one box before. So no entry has to be seen one
// box behind its own, and one comparison in a direction is enough.
__device__ inline Limit wrap_cluster(const Step &step, Real4 *own)
{
    const real x = own[0].x > step.middle[0] ? -step.length[0] : (real)0;
    const real y = own[0].y > step.middle[1] ? -step.length[1] : (real)0;
    const real z = own[0].z > step.middle[2] ? -step.length[2] : (real)0;
#pragma unroll
    for (int a = 0; a < CLUSTER; ++a)
    {
        own[a].x += x;
        own[a].y += y;
        own[a].z += z;
    }
    return {own[0].x + step.half[0], own[0].y + step.half[1], own[0].z + step.half[2]};
}

// An entry where it is seen, if it is not there by read_entry().
template <bool WRAPS, bool SHIFTED>
__device__ inline Real4 wrap_entry(const Step &step, Real4 p, Limit limit)
{
    if (WRAPS && SHIFTED)
    {
        if (p.x > limit.x)
        {
            p.x += -step.length[0];
        }
        if (p.y > limit.y)
        {
            p.y += -step.length[1];
        }
        if (p.z > limit.z)
        {
            p.z += -step.length[2];
        }
    }
    return p;
}

// ---- The loops over the lists ----

// Entry k of the short list is for lane k % lanes, in round k / lanes. A lane reads its entries of
// four rounds in one instruction. So these four stand side by side.
struct alignas(ROUNDS * sizeof(int)) Entries
{
    unsigned int of_round[ROUNDS];
};

template <int LANES>
__device__ inline unsigned int place_of_entry(unsigned int k)
{
    const unsigned int round = k / LANES;
    return (round / ROUNDS * LANES + k % LANES) * ROUNDS + round % ROUNDS;
}

// The entries behind the end of the short list are an atom that is far away. They fill the last
// four rounds, and the four after them: the loop over the list reads so far ahead.
template <int LANES>
__device__ inline void end_short_list(unsigned int *list, unsigned int length, int lane,
                                      unsigned int far_atom)
{
    const unsigned int at_once = ROUNDS * LANES;
    const unsigned int end = (length + at_once - 1) / at_once * at_once + at_once;
    for (unsigned int k = length + lane; k < end; k += LANES)
    {
        list[place_of_entry<LANES>(k)] = far_atom;
    }
}

// The read of the position for round r + 4 begins right after round r has been computed. So four
// reads are always under way, and a warp seldom waits for memory. `entries` are those of the lane,
// `next` the first of them, and `left` is how many rounds it has.
template <int LANES, bool WRAPS, bool SHIFTED, bool WITH_ENERGY>
__device__ inline void add_short_list(const Step &step, const Real4 *own, Limit limit,
                                      const Entries *entries, Entries next, int left, Sums *sums)
{
    if (left <= 0)
    {
        return;
    }
    Real4 p[ROUNDS];
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r)
    {
        p[r] = read_short_entry<WRAPS, SHIFTED>(step, next.of_round[r]);
    }
    entries += LANES;
    next = *entries;
    for (;;)
    {
#pragma unroll
        for (int r = 0; r < ROUNDS; ++r)
        {
            add_pairs<WITH_ENERGY>(own, wrap_entry<WRAPS, SHIFTED>(step, p[r], limit), step.cutoff2,
                                   step.energy_shift, sums);
            if (left <= r + 1)
            {
                return;
            }
            p[r] = read_short_entry<WRAPS, SHIFTED>(step, next.of_round[r]);
        }
        left -= ROUNDS;
        entries += LANES;
        next = *entries;
    }
}

// The same with the long list. Entries within the short list's cutoff become the short list, in the
// same order. This happens seldom, so it is simpler: each round reads the position for the next
// round and the entry for the one after it. More reads ahead would need more registers. Registers
// are given to the whole kernel, so every step would have fewer warps on a multiprocessor. The
// lists of a warp's clusters differ in length, but the warp stays together for its votes. Lanes
// behind the last cluster come along, too, but do not write: exists is false.
template <int LANES, bool WRAPS, bool SHIFTED, bool WITH_ENERGY>
__device__ inline void add_list(const Step &step, const Real4 *own, Limit limit,
                                const unsigned int *list, int length, int lane, bool exists,
                                unsigned int *short_list, int *short_length, Sums *sums)
{
    const int warp_lane = threadIdx.x % 32;
    const unsigned int lanes_before = (1u << warp_lane) - 1;
    const unsigned int group = (ALL_LANES >> (32 - LANES)) << (warp_lane - lane);
    const unsigned int kept = WRAPS ? ATOM_MASK : ~0u; // of an entry, in the short list
    int most = length;                                 // of the clusters of the warp
    for (int offset = LANES; offset < 32; offset *= 2)
    {
        most = max(most, __shfl_xor_sync(ALL_LANES, most, offset));
    }
    const unsigned int far_atom = (unsigned int)step.far_atom | THIS_BOX << ATOM_BITS;
    int num_short = 0;
    bool shifted = false;
    unsigned int next = lane < length ? list[lane] : far_atom;
    unsigned int after_next = lane + LANES < length ? list[lane + LANES] : far_atom;
    Real4 next_p = read_entry<WRAPS, SHIFTED>(step, next);
    for (int k = lane; k - lane < most; k += LANES)
    {
        const unsigned int entry = next;
        const Real4 p = wrap_entry<WRAPS, SHIFTED>(step, next_p, limit);
        next = after_next;
        after_next = k + 2 * LANES < length ? list[k + 2 * LANES] : far_atom;
        next_p = read_entry<WRAPS, SHIFTED>(step, next);
        const real nearest = add_pairs<WITH_ENERGY>(own, p, step.cutoff2, step.energy_shift, sums);
        const bool is_near = exists && nearest < step.short_cutoff2;
        const unsigned int near_lanes = __ballot_sync(ALL_LANES, is_near) & group;
        if (is_near)
        {
            const int place = num_short + __popc(near_lanes & lanes_before);
            short_list[place_of_entry<LANES>(place)] = entry & kept;
            shifted = shifted || (SHIFTED && entry >> ATOM_BITS != THIS_BOX);
        }
        num_short += __popc(near_lanes);
    }
    const bool any_shifted = (__ballot_sync(ALL_LANES, shifted) & group) != 0;
    if (exists)
    {
        end_short_list<LANES>(short_list, num_short, lane, far_atom & kept);
        if (lane == 0)
        {
            *short_length = 2 * num_short + any_shifted;
        }
    }
}

// With the long list or the short one.
template <int LANES, bool WRAPS, bool SHIFTED, bool WITH_ENERGY>
__device__ inline void add_all(const Step &step, Real4 *own, int mine, int length, int lane,
                               bool exists, bool makes_list, Sums *sums)
{
    unsigned int *const short_list = step.short_list + (size_t)mine * step.capacity;
    const Limit limit = WRAPS && SHIFTED ? wrap_cluster(step, own) : Limit{};
    if (makes_list)
    {
        add_list<LANES, WRAPS, SHIFTED, WITH_ENERGY>(
            step, own, limit, step.list + (size_t)mine * step.capacity, length, lane, exists,
            short_list, &step.short_lengths[mine], sums);
        return;
    }
    const Entries *const entries = (const Entries *)short_list + lane;
    const int left = (length - lane + LANES - 1) / LANES;
    add_short_list<LANES, WRAPS, SHIFTED, WITH_ENERGY>(step, own, limit, entries, *entries, left,
                                                       sums);
}

// The sum of `value` over the group's lanes at offsets OFFSET, OFFSET / 2, ..., 1.
template <int OFFSET>
__device__ inline real sum_over_lanes(real value)
{
    for (int offset = OFFSET; offset > 0; offset /= 2)
    {
        value += __shfl_xor_sync(ALL_LANES, value, offset);
    }
    return value;
}

// One component of the force on the four atoms, summed over the lanes of the group. Lane a gets
// that of atom a. Each lane has four sums, one for each atom. First it gives two of them to its
// partner and takes over the partner's other two. Then it gives one and takes one. After two
// exchanges a lane has one sum, not four.
template <int LANES>
__device__ inline real sum_of_cluster(const real *f, int lane)
{
    const bool upper = lane & (LANES / 2);
    const real first =
        (upper ? f[2] : f[0]) + __shfl_xor_sync(ALL_LANES, upper ? f[0] : f[2], LANES / 2);
    const real second =
        (upper ? f[3] : f[1]) + __shfl_xor_sync(ALL_LANES, upper ? f[1] : f[3], LANES / 2);
    const bool odd = lane & (LANES / 4);
    real sum = (odd ? second : first) + __shfl_xor_sync(ALL_LANES, odd ? first : second, LANES / 4);
    sum = sum_over_lanes<LANES / 8>(sum);
    return __shfl_sync(ALL_LANES, sum, lane % CLUSTER * (LANES / 4), LANES);
}

// ---- The kernels of a step ----

// Sets bits of the device's flag in the row that the next kernels read. All threads only set bits.
// So the order of the threads does not matter. The first thread that sets a bit also sets it in the
// memories of the other devices. That is seldom, so it costs nothing.
__device__ inline void set_flag(const Step &step, int bits)
{
    const int row = (step.phase + 1) % 3;
    const int before = atomicOr(&step.status->flags[row][step.device], bits);
    if ((before | bits) == before)
    {
        return;
    }
    for (int k = 0; k < step.num_others; ++k)
    {
        atomicOr_system(&step.others[k]->flags[row][step.device], bits);
    }
}

// Notes that an atom has moved so far that a list must be made before the next forces. An atom that
// moved more than ten cutoffs means that the simulation has exploded.
__device__ inline void note_move(const Step &step, Real4 p, Real4 list_p, Real4 short_p)
{
    const real list_move2 = distance_square(p, list_p);
    if (!(list_move2 <= step.most_list_move2)) // also if it is not a number
    {
        set_flag(step, list_move2 < 100 * step.cutoff2 ? STOP : STOP | EXPLODED);
    }
    else if (!(distance_square(p, short_p) <= step.most_short_move2))
    {
        set_flag(step, MAKE_SHORT_LIST);
    }
}

// Each kernel begins with this. It reads its row of flags: a note of one device holds for all. It
// clears the flags of the kernel after the next one. If a flag says STOP, it sets the next kernel's
// flag, too. Each device does that for itself. While a kernel runs, its row does not change, so all
// threads of all blocks read the same.
__device__ inline int read_flags(const Step &step)
{
    int flag = step.status->flags[step.phase][0];
    for (int device = 1; device < step.num_devices; ++device)
    {
        flag |= step.status->flags[step.phase][device];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
    {
        for (int device = 0; device < step.num_devices; ++device)
        {
            step.status->flags[(step.phase + 2) % 3][device] = 0;
        }
        if (flag & STOP)
        {
            atomicOr(&step.status->flags[(step.phase + 1) % 3][step.device], flag);
        }
    }
    return flag;
}

// Three sums over a block, in a fixed order. s_sums[q][0] becomes the sum of the numbers q of all
// threads.
template <int BLOCK_SIZE>
__device__ inline void add_up_in_block(double (*s_sums)[BLOCK_SIZE])
{
    __syncthreads();
    for (int offset = BLOCK_SIZE / 2; offset > 0; offset /= 2)
    {
        if ((int)threadIdx.x < offset)
        {
            for (int q = 0; q < 3; ++q)
            {
                s_sums[q][threadIdx.x] += s_sums[q][threadIdx.x + offset];
            }
        }
        __syncthreads();
    }
}

// So many blocks are to fit on a multiprocessor; 0: the compiler decides. In float 8 fit if a
// thread has at most 64 registers. For the H100 the compiler gave an earlier version of this kernel
// 72, with which 7 fit. With 64 nothing had to go to local memory, and a step of 256000 atoms took
// 4 % less time. With the table of shifts this bound sends something there. Without it the compiler
// of CUDA 13.0 gives that kernel 64, too.
constexpr int blocks_at_once(bool wraps, bool moves)
{
    return wraps && moves && sizeof(real) == sizeof(float) ? 8 : 0;
}

// Computes the forces and adds half a step of them to the velocities: this ends the step before.
// With MOVES it adds another half step and moves the atoms: this begins the next step.
template <int LANES, bool WRAPS, bool MOVES>
__global__ void __launch_bounds__(STEP_BLOCK_SIZE, blocks_at_once(WRAPS, MOVES))
    find_forces(Step step)
{
    wait_for_previous_launch();
    const int flag = read_flags(step);
    if (flag & STOP)
    {
        return;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && step.first_part == 0) // the first launch of a step
    {
        ++step.status->steps;
        step.status->prunes += flag == MAKE_SHORT_LIST;
    }
    const int lane = threadIdx.x % LANES;
    const int cluster = step.first_cluster + (blockIdx.x * STEP_BLOCK_SIZE + threadIdx.x) / LANES;
    const bool exists = cluster < step.end_cluster;
    const int mine = exists ? cluster : step.end_cluster - 1; // a warp stays together
    Real4 own[CLUSTER];
#pragma unroll
    for (int a = 0; a < CLUSTER; ++a)
    {
        own[a] = step.positions[mine * CLUSTER + a];
    }
    Sums sums = {};
    // Twice the length, and 1 more if an entry is in another box. If that is so for one cluster of
    // the warp, the whole warp takes the way that is right for all. Lanes behind the last cluster
    // have empty lists.
    const bool makes_list = flag & MAKE_SHORT_LIST;
    const int length = !exists      ? 0
                       : makes_list ? step.list_lengths[mine]
                                    : step.short_lengths[mine];
    if (__any_sync(ALL_LANES, length & 1))
    {
        add_all<LANES, WRAPS, true, !MOVES>(step, own, mine, length / 2, lane, exists, makes_list,
                                            &sums);
    }
    else
    {
        add_all<LANES, WRAPS, false, !MOVES>(step, own, mine, length / 2, lane, exists, makes_list,
                                             &sums);
    }
    const real fx = sum_of_cluster<LANES>(sums.x, lane);
    const real fy = sum_of_cluster<LANES>(sums.y, lane);
    const real fz = sum_of_cluster<LANES>(sums.z, lane);

    // Lane a goes on with atom a.
    const int n = mine * CLUSTER + lane;
    const bool has_atom = exists && lane < CLUSTER && n < step.N;
    double kinetic = 0;
    if (has_atom)
    {
        Real4 p = step.positions[n]; // own[] may be one box before
        Real4 short_p = step.short_positions[n];
        if (makes_list)
        {
            short_p = p;
            step.short_positions[n] = p;
        }
        Real4 v = step.velocities[n];
        v.x += step.half_kick * fx;
        v.y += step.half_kick * fy;
        v.z += step.half_kick * fz;
        if (MOVES)
        {
            v.x += step.half_kick * fx;
            v.y += step.half_kick * fy;
            v.z += step.half_kick * fz;
            p.x += step.time_step * v.x;
            p.y += step.time_step * v.y;
            p.z += step.time_step * v.z;
            step.new_positions[n] = p;
            note_move(step, p, step.list_positions[n], short_p);
        }
        else
        {
            step.forces[n] = {fx, fy, fz, 0};
            kinetic = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
        }
        step.velocities[n] = v;
    }
    if (!MOVES)
    {
        // The block's part of the energies, in a fixed order.
        __shared__ double s_sums[3][STEP_BLOCK_SIZE];
        s_sums[0][threadIdx.x] = kinetic;
        s_sums[1][threadIdx.x] = exists ? (double)sums.potential : 0.0;
        s_sums[2][threadIdx.x] = exists ? (double)sums.virial : 0.0;
        add_up_in_block(s_sums);
        if (threadIdx.x < 3)
        {
            step.parts[3 * (size_t)(step.first_part + blockIdx.x) + threadIdx.x] =
                s_sums[threadIdx.x][0];
        }
    }
}

const int SUM_BLOCK_SIZE = 1024;

// One block adds up the parts of all, in a fixed order.
__global__ void sum_parts(int num_parts, const double *parts, double *sums)
{
    __shared__ double s_sums[3][SUM_BLOCK_SIZE];
    for (int q = 0; q < 3; ++q)
    {
        double sum = 0;
        for (int n = threadIdx.x; n < num_parts; n += SUM_BLOCK_SIZE)
        {
            sum += parts[3 * (size_t)n + q];
        }
        s_sums[q][threadIdx.x] = sum;
    }
    add_up_in_block(s_sums);
    if (threadIdx.x < 3)
    {
        sums[threadIdx.x] = s_sums[threadIdx.x][0];
    }
}

// The first half of a step by itself, at the start and in the equilibration. If wanted_v2 is not 0,
// all velocities are first multiplied by one factor, so that the sum of their squares over all
// devices becomes wanted_v2. moves: false after the last step, where they are only scaled.
__global__ void scale_and_move(Step step, double wanted_v2, bool moves)
{
    if (read_flags(step) & STOP)
    {
        return;
    }
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < step.N)
    {
        double v2 = step.sums[0];
        for (int device = 1; device < step.num_devices; ++device)
        {
            v2 += step.sums[3 * device];
        }
        const real factor = wanted_v2 > 0 ? (real)sqrt(wanted_v2 / v2) : (real)1;
        const Real4 f = step.forces[n];
        Real4 v = step.velocities[n];
        v.x *= factor;
        v.y *= factor;
        v.z *= factor;
        if (moves)
        {
            v.x += step.half_kick * f.x;
            v.y += step.half_kick * f.y;
            v.z += step.half_kick * f.z;
            Real4 p = step.positions[n];
            p.x += step.time_step * v.x;
            p.y += step.time_step * v.y;
            p.z += step.time_step * v.z;
            step.new_positions[n] = p;
            note_move(step, p, step.list_positions[n], step.short_positions[n]);
        }
        step.velocities[n] = v;
    }
}

// ---- Launching them ----

inline real square_of(double x) { return (real)(x * x); }

inline Step create_step(const System *sys, const Domain *d, bool kicks)
{
    Step step = {};
    step.N = d->N;
    step.capacity = d->capacity;
    step.far_atom = far_atom(d);
    step.end_cluster = d->num_clusters;
    step.phase = d->phase;
    step.device = d->device;
    step.num_devices = d->num_devices;
    step.cutoff2 = square_of(CUTOFF / R_MIN);
    step.short_cutoff2 = square_of(short_cutoff(sys) / R_MIN);
    step.energy_shift = (real)(sys->energy_shift / EPSILON);
    step.time_step = sys->time_step;
    step.half_kick =
        !kicks ? 0 : (real)(12.0 * EPSILON / (R_MIN * R_MIN) / sys->mass * sys->time_step / 2);
    step.most_short_move2 = square_of((short_cutoff(sys) - CUTOFF) / 2 / R_MIN);
    step.most_list_move2 = square_of((sys->list_cutoff - CUTOFF) / 2 / R_MIN);
    step.positions = d->positions[d->now];
    step.new_positions = d->positions[1 - d->now];
    step.velocities = d->velocities;
    step.forces = d->forces;
    step.short_positions = d->short_positions;
    step.list_positions = d->list_positions;
    step.shifts = d->shifts;
    step.list = d->list;
    step.short_list = d->short_list;
    step.list_lengths = d->list_lengths;
    step.short_lengths = d->short_lengths;
    step.status = d->status;
    memcpy(step.others, d->others, sizeof(step.others));
    step.num_others = d->num_others;
    step.parts = d->parts;
    step.sums = d->sums;
    for (int k = 0; k < 3; ++k)
    {
        step.length[k] = d->grid.length[k];
        step.half[k] = d->grid.length[k] / 2;
        step.middle[k] = d->grid.origin[k] + step.half[k];
    }
    return step;
}

// On one device the kernels of a production follow each other in one stream. Each needs what the
// one before it has written. find_forces() with MOVES is launched early: the device prepares the
// launch while the kernel before it still runs. What makes that right:
//
// - The first statement of find_forces() waits until the kernel before it has ended and its results
//   are visible. All threads do this, before they read or write anything. So no kernel ends before
//   the one before it, and a kernel that waits for the one before it has waited for all earlier
//   ones. It needs that: its new positions replace those that the kernel before it read, and it
//   clears the flags that the kernel before it read.
// - No other kernel is launched early. The same is true of find_forces() without MOVES. They, and
//   copies and cudaMemset, begin when all is done that was launched before them in the stream.
//
// find_forces() does not call let_next_launch_begin(). With that as its first statement 20000 steps
// of 4000 atoms took 1.5 times as long (H100, float), and 10000 steps of 32000 atoms 4 % longer.
// With 500, 108000 and 256000 atoms the times were the same. Each kernel let blocks of the next one
// begin, so those of several later kernels probably stood on the multiprocessors and waited.
//
// With several devices a kernel also has to wait for events of other streams. What the attribute
// means behind such a wait is not said, so they are launched as usual.
template <int LANES, bool WRAPS>
inline void launch_find_forces(const Domain *d, const Step *step, bool moves, cudaStream_t stream)
{
    const int grid_size = count_parts(step->end_cluster - step->first_cluster, d->lanes);
    if (moves && d->num_devices == 1)
    {
        launch_early(find_forces<LANES, WRAPS, true>, grid_size, STEP_BLOCK_SIZE, stream, *step);
    }
    else if (moves)
    {
        find_forces<LANES, WRAPS, true><<<grid_size, STEP_BLOCK_SIZE, 0, stream>>>(*step);
    }
    else
    {
        find_forces<LANES, WRAPS, false><<<grid_size, STEP_BLOCK_SIZE, 0, stream>>>(*step);
    }
    CHECK_LAUNCH();
}

template <bool WRAPS>
inline void launch_for_lanes(const Domain *d, const Step *step, bool moves, cudaStream_t stream)
{
    if (d->lanes == 32)
    {
        launch_find_forces<32, WRAPS>(d, step, moves, stream);
    }
    else if (d->lanes == 16)
    {
        launch_find_forces<16, WRAPS>(d, step, moves, stream);
    }
    else
    {
        launch_find_forces<8, WRAPS>(d, step, moves, stream);
    }
}

// The forces on the atoms of the step's clusters.
inline void launch_forces_on(const Domain *d, const Step *step, bool moves, cudaStream_t stream)
{
    if (d->wraps)
    {
        launch_for_lanes<true>(d, step, moves, stream);
    }
    else
    {
        launch_for_lanes<false>(d, step, moves, stream);
    }
}

// The device's sums of the energies, from the parts of its blocks.
inline void launch_sums(const Domain *d, int num_parts)
{
    sum_parts<<<1, SUM_BLOCK_SIZE, 0, d->stream>>>(num_parts, d->parts, d->sums + 3 * d->device);
    CHECK_LAUNCH();
}

// What the sum of the squared velocities of all atoms is at temperature T_0.
inline double wanted_v2(const System *sys, double T_0)
{
    return 3.0 * sys->N * K_B * T_0 / sys->mass / (R_MIN * R_MIN);
}

// The first half of a step of the device's atoms, in place. With T_0 = 0 nothing is scaled.
inline void launch_scale_and_move(const System *sys, const Domain *d, double T_0, bool moves)
{
    Step step = create_step(sys, d, true);
    step.new_positions = d->positions[d->now];
    scale_and_move<<<blocks_for(d->N, SORT_BLOCK_SIZE), SORT_BLOCK_SIZE, 0, d->stream>>>(
        step, wanted_v2(sys, T_0), moves);
    CHECK_LAUNCH();
}
