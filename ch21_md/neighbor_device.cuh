// The neighbour list on the device: Listing 10.5 with periodic boundaries, O(N^2).
#pragma once
#include "arrays_device.cuh"

// Each thread tests all atoms and writes the list of its own atom. Neighbours come in the order of
// their numbers. Entry k of all lists lies side by side, so gpu_find_force reads it coalesced.
__global__ void gpu_find_neighbor(int N, int MN, Box box, real cutoff_square, const real *d_x,
                                  const real *d_y, const real *d_z, int *d_NN, int *d_NL)
{
    const int n1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (n1 < N)
    {
        int count = 0;
        const real x1 = d_x[n1];
        const real y1 = d_y[n1];
        const real z1 = d_z[n1];
        for (int n2 = 0; n2 < N; ++n2)
        {
            real x12 = d_x[n2] - x1;
            real y12 = d_y[n2] - y1;
            real z12 = d_z[n2] - z1;
            apply_mic(box, &x12, &y12, &z12);
            const real distance_square = x12 * x12 + y12 * y12 + z12 * z12;
            if (distance_square < cutoff_square && n2 != n1)
            {
                if (count < MN)
                {
                    d_NL[(size_t)count * N + n1] = n2;
                }
                ++count;
            }
        }
        d_NN[n1] = count;
    }
}

// Whether n2 is in the list of n1. The lists are sorted, so a binary search finds an entry.
__device__ bool is_in_list(int N, const int *d_NN, const int *d_NL, int n1, int n2)
{
    int first = 0, last = d_NN[n1]; // n2 is among these entries, if it is there
    while (first < last)
    {
        const int middle = (first + last) / 2;
        if (d_NL[(size_t)middle * N + n1] < n2)
        {
            first = middle + 1;
        }
        else
        {
            last = middle;
        }
    }
    return first < d_NN[n1] && d_NL[(size_t)first * N + n1] == n2;
}

const int MISSING_BLOCK_SIZE = 128;

// Counts the pairs within the cutoff of the force that are not in the list, each pair twice. It
// looks only at atoms that have moved far since the list was made: the square is at least
// moved_square. They are few, so all threads of a block look for the neighbours of each.
__global__ void gpu_count_missing(int N, Box box, real cutoff_square, real moved_square,
                                  const real *d_x, const real *d_y, const real *d_z,
                                  const real *d_x0, const real *d_y0, const real *d_z0,
                                  const int *d_NN, const int *d_NL, unsigned long long *d_missing)
{
    __shared__ int s_moved[MISSING_BLOCK_SIZE];
    __shared__ int s_num_moved;
    if (threadIdx.x == 0)
    {
        s_num_moved = 0;
    }
    __syncthreads();
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const real x = d_x[n] - d_x0[n];
        const real y = d_y[n] - d_y0[n];
        const real z = d_z[n] - d_z0[n];
        if (!(x * x + y * y + z * z < moved_square)) // also if it is not a number
        {
            s_moved[atomicAdd(&s_num_moved, 1)] = n;
        }
    }
    __syncthreads();
    unsigned long long missing = 0;
    for (int m = 0; m < s_num_moved; ++m)
    {
        const int n1 = s_moved[m];
        for (int n2 = threadIdx.x; n2 < N; n2 += blockDim.x)
        {
            real x12 = d_x[n2] - d_x[n1];
            real y12 = d_y[n2] - d_y[n1];
            real z12 = d_z[n2] - d_z[n1];
            apply_mic(box, &x12, &y12, &z12);
            const real distance_square = x12 * x12 + y12 * y12 + z12 * z12;
            if (distance_square < cutoff_square && n2 != n1)
            {
                missing += !is_in_list(N, d_NN, d_NL, n1, n2);
            }
        }
    }
    if (missing > 0)
    {
        atomicAdd(d_missing, missing);
    }
}

void find_neighbor(System *sys)
{
    Arrays *d = sys->arrays;
    copy_to_device(sys, d->x, sys->x);
    copy_to_device(sys, d->y, sys->y);
    copy_to_device(sys, d->z, sys->z);
    const int block_size = 128;
    const int grid_size = (sys->N - 1) / block_size + 1;
    const real cutoff_square = (real)(sys->list_cutoff * sys->list_cutoff);
    gpu_find_neighbor<<<grid_size, block_size>>>(sys->N, (int)sys->MN, sys->box, cutoff_square,
                                                 d->x, d->y, d->z, d->NN, d->NL);
    CHECK_LAUNCH();
    const size_t bytes = sys->N * sizeof(real);
    CHECK(cudaMemcpy(d->x0, d->x, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d->y0, d->y, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d->z0, d->z, bytes, cudaMemcpyDeviceToDevice));
}

NeighborCounts count_neighbors(System *sys)
{
    int *NN = (int *)new_array(sys->N, sizeof(int));
    CHECK(cudaMemcpy(NN, sys->arrays->NN, sys->N * sizeof(int), cudaMemcpyDeviceToHost));
    const NeighborCounts counts = range_of(NN, sys->N);
    free(NN);
    return counts;
}

static size_t count_missing_of(System *sys, double moved)
{
    Arrays *d = sys->arrays;
    CHECK(cudaMemset(d->missing, 0, sizeof(unsigned long long)));
    const int grid_size = (sys->N - 1) / MISSING_BLOCK_SIZE + 1;
    gpu_count_missing<<<grid_size, MISSING_BLOCK_SIZE>>>(
        sys->N, sys->box, (real)(CUTOFF * CUTOFF), (real)(moved * moved), d->x, d->y, d->z, d->x0,
        d->y0, d->z0, d->NN, d->NL, d->missing);
    CHECK_LAUNCH();
    unsigned long long missing = ~0ull; // the copy sets each byte
    CHECK(cudaMemcpy(&missing, d->missing, sizeof(missing), cudaMemcpyDeviceToHost));
    return (size_t)missing;
}

size_t count_missing(System *sys)
{
    Arrays *d = sys->arrays;
    copy_to_device(sys, d->x, sys->x);
    copy_to_device(sys, d->y, sys->y);
    copy_to_device(sys, d->z, sys->z);
    return count_missing_of(sys, 0.0) / 2; // of all atoms: each pair was counted twice
}

bool lacks_pairs(System *sys) { return count_missing_of(sys, (sys->list_cutoff - CUTOFF) / 2) > 0; }
