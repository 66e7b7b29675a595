// Phases that are kernels: their launches return at once, so the host's clock does not see them. A
// synchronization in each step would slow the program down. So events time one step of each
// advance(), the last one, and its times count for all steps of that advance(). When the last step
// is launched, the device has work waiting, so its kernels run back to back as in most steps.
#pragma once
#include "simulation.cuh"

const int MOST_EVENTS = 4; // integration, force, integration, and what follows
static cudaEvent_t g_events[MOST_EVENTS];
static Phase g_phases[MOST_EVENTS]; // what begins at each event
static int g_num_events = 0;

void begin_phase(Simulation *, Phase phase, bool is_last)
{
    if (is_last)
    {
        if (g_events[g_num_events] == NULL)
        {
            CHECK(cudaEventCreate(&g_events[g_num_events]));
        }
        CHECK(cudaEventRecord(g_events[g_num_events]));
        g_phases[g_num_events++] = phase;
    }
}

void end_phases(Simulation *sim, size_t steps)
{
    if (g_num_events > 0)
    {
        CHECK(cudaEventSynchronize(g_events[g_num_events - 1]));
    }
    for (int i = 0; i + 1 < g_num_events; ++i)
    {
        float elapsed = 0.0f;
        CHECK(cudaEventElapsedTime(&elapsed, g_events[i], g_events[i + 1]));
        sim->phase_ms[g_phases[i]] += (double)elapsed * steps;
    }
    g_num_events = 0;
}

bool times_every_step(void)
{
    return false;
}
