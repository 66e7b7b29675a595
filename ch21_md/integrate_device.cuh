// Integration, scaling and sums on the device, a thread for each atom.
#pragma once
#include "arrays_device.cuh"

void send(System *sys)
{
    Arrays *d = sys->arrays;
    copy_to_device(sys, d->x, sys->x);
    copy_to_device(sys, d->y, sys->y);
    copy_to_device(sys, d->z, sys->z);
    copy_to_device(sys, d->vx, sys->vx);
    copy_to_device(sys, d->vy, sys->vy);
    copy_to_device(sys, d->vz, sys->vz);
}

void fetch(System *sys)
{
    Arrays *d = sys->arrays;
    copy_to_host(sys, sys->x, d->x);
    copy_to_host(sys, sys->y, d->y);
    copy_to_host(sys, sys->z, d->z);
    copy_to_host(sys, sys->vx, d->vx);
    copy_to_host(sys, sys->vy, d->vy);
    copy_to_host(sys, sys->vz, d->vz);
    copy_to_host(sys, sys->fx, d->fx);
    copy_to_host(sys, sys->fy, d->fy);
    copy_to_host(sys, sys->fz, d->fz);
    copy_to_host(sys, sys->pe, d->pe);
    copy_to_host(sys, sys->virial, d->virial);
}

bool integrates_on_host(void) { return false; }

// Equations 21.28 and 21.29 of the book.
__global__ void gpu_integrate_1(int N, real time_step, real half_step_over_mass, real *d_x,
                                real *d_y, real *d_z, real *d_vx, real *d_vy, real *d_vz,
                                const real *d_fx, const real *d_fy, const real *d_fz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        const real vx = d_vx[i] + half_step_over_mass * d_fx[i];
        const real vy = d_vy[i] + half_step_over_mass * d_fy[i];
        const real vz = d_vz[i] + half_step_over_mass * d_fz[i];
        d_vx[i] = vx;
        d_vy[i] = vy;
        d_vz[i] = vz;
        d_x[i] += time_step * vx;
        d_y[i] += time_step * vy;
        d_z[i] += time_step * vz;
    }
}

// Equation 21.31.
__global__ void gpu_integrate_2(int N, real half_step_over_mass, real *d_vx, real *d_vy, real *d_vz,
                                const real *d_fx, const real *d_fy, const real *d_fz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        d_vx[i] += half_step_over_mass * d_fx[i];
        d_vy[i] += half_step_over_mass * d_fy[i];
        d_vz[i] += half_step_over_mass * d_fz[i];
    }
}

void integrate(System *sys, Half half)
{
    Arrays *d = sys->arrays;
    const int block_size = (int)args.block_x;
    const int grid_size = (sys->N - 1) / block_size + 1;
    const real half_step_over_mass = sys->time_step / 2 / sys->mass;
    if (half == FIRST_HALF)
    {
        gpu_integrate_1<<<grid_size, block_size>>>(sys->N, sys->time_step, half_step_over_mass,
                                                   d->x, d->y, d->z, d->vx, d->vy, d->vz, d->fx,
                                                   d->fy, d->fz);
    }
    else
    {
        gpu_integrate_2<<<grid_size, block_size>>>(sys->N, half_step_over_mass, d->vx, d->vy, d->vz,
                                                   d->fx, d->fy, d->fz);
    }
    CHECK_LAUNCH();
}

// ---- Sums ----

// A block adds up its part of the atoms: each thread some atoms, then the threads in a tree. The
// number of blocks depends on N only. So the order of the additions is fixed, and so is each bit.
const int SUM_BLOCK_SIZE = 256;
const int MOST_SUM_BLOCKS = 256; // a block of the second kernel has a thread for each of them

inline int count_sum_blocks(int N)
{
    const int wanted = (N - 1) / SUM_BLOCK_SIZE + 1;
    return wanted < MOST_SUM_BLOCKS ? wanted : MOST_SUM_BLOCKS;
}

// The sum of a value of each thread of the block, for all of them.
__device__ double sum_in_block(double value)
{
    __shared__ double s_sum[SUM_BLOCK_SIZE];
    s_sum[threadIdx.x] = value;
    __syncthreads();
    for (int offset = SUM_BLOCK_SIZE / 2; offset > 0; offset /= 2)
    {
        if (threadIdx.x < (unsigned int)offset)
        {
            s_sum[threadIdx.x] += s_sum[threadIdx.x + offset];
        }
        __syncthreads();
    }
    const double sum = s_sum[0];
    __syncthreads(); // the next sum writes s_sum
    return sum;
}

// Block b writes its part of the sum of all v^2.
__global__ void gpu_sum_v2(int N, const real *d_vx, const real *d_vy, const real *d_vz,
                           double *d_parts)
{
    double v2 = 0.0;
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < N; n += gridDim.x * blockDim.x)
    {
        const double vx = d_vx[n], vy = d_vy[n], vz = d_vz[n];
        v2 += vx * vx + vy * vy + vz * vz;
    }
    const double sum = sum_in_block(v2);
    if (threadIdx.x == 0)
    {
        d_parts[blockIdx.x] = sum;
    }
}

// The same for a plain sum.
__global__ void gpu_sum(int N, const real *d_x, double *d_parts)
{
    double x = 0.0;
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < N; n += gridDim.x * blockDim.x)
    {
        x += d_x[n];
    }
    const double sum = sum_in_block(x);
    if (threadIdx.x == 0)
    {
        d_parts[blockIdx.x] = sum;
    }
}

// Equation 21.3. Every block adds up the parts of the sum of v^2 once more: that takes less time
// than a copy to the host and back.
__global__ void gpu_scale_velocity(int N, int num_parts, const double *d_parts, double wanted_v2,
                                   real *d_vx, real *d_vy, real *d_vz)
{
    const double v2 = sum_in_block((int)threadIdx.x < num_parts ? d_parts[threadIdx.x] : 0.0);
    const real factor = (real)sqrt(wanted_v2 / v2);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        d_vx[i] *= factor;
        d_vy[i] *= factor;
        d_vz[i] *= factor;
    }
}

void scale_velocity(System *sys, double T_0)
{
    Arrays *d = sys->arrays;
    const int num_parts = count_sum_blocks(sys->N);
    gpu_sum_v2<<<num_parts, SUM_BLOCK_SIZE>>>(sys->N, d->vx, d->vy, d->vz, d->parts);
    CHECK_LAUNCH();
    const int grid_size = (sys->N - 1) / SUM_BLOCK_SIZE + 1;
    const double wanted_v2 = 3.0 * sys->N * K_B * T_0 / sys->mass;
    gpu_scale_velocity<<<grid_size, SUM_BLOCK_SIZE>>>(sys->N, num_parts, d->parts, wanted_v2, d->vx,
                                                      d->vy, d->vz);
    CHECK_LAUNCH();
}

// The host adds up the parts of three sums.
Energies measure(System *sys)
{
    Arrays *d = sys->arrays;
    const int num_parts = count_sum_blocks(sys->N);
    gpu_sum_v2<<<num_parts, SUM_BLOCK_SIZE>>>(sys->N, d->vx, d->vy, d->vz, d->parts);
    gpu_sum<<<num_parts, SUM_BLOCK_SIZE>>>(sys->N, d->pe, d->parts + num_parts);
    gpu_sum<<<num_parts, SUM_BLOCK_SIZE>>>(sys->N, d->virial, d->parts + 2 * num_parts);
    CHECK_LAUNCH();
    double parts[3 * MOST_SUM_BLOCKS], sums[3] = {};
    const size_t bytes = 3 * num_parts * sizeof(double);
    CHECK(cudaMemcpy(parts, d->parts, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3 * num_parts; ++i)
    {
        sums[i / num_parts] += parts[i];
    }
    return {0.5 * sys->mass * sums[0], sums[1], sums[2]};
}

// ---- The phases ----

// They are kernels, and launches return at once, so the host's clock does not see them. A
// synchronization in each step would slow the program down. So events time one step, the last
// one before the host looks, and its times count for all steps since the look before. When the last
// step is launched, the device has work waiting, so its kernels run back to back as in most steps.
const int MOST_EVENTS = 4; // integration, force, integration, and what follows
static cudaEvent_t g_events[MOST_EVENTS];
static Phase g_phases[MOST_EVENTS]; // what begins at each event
static int g_num_events = 0;

void begin_phase(Statistics *statistics, Phase phase)
{
    if (statistics->is_last_step)
    {
        if (g_events[g_num_events] == NULL)
        {
            CHECK(cudaEventCreate(&g_events[g_num_events]));
        }
        CHECK(cudaEventRecord(g_events[g_num_events]));
        g_phases[g_num_events++] = phase;
    }
}

void end_phases(Statistics *statistics, size_t steps)
{
    if (g_num_events > 0)
    {
        CHECK(cudaEventSynchronize(g_events[g_num_events - 1]));
    }
    for (int i = 0; i + 1 < g_num_events; ++i)
    {
        float elapsed = 0.0f;
        CHECK(cudaEventElapsedTime(&elapsed, g_events[i], g_events[i + 1]));
        statistics->phase_ms[g_phases[i]] += (double)elapsed * steps;
    }
    g_num_events = 0;
}

bool times_every_step(void) { return false; }
