// clock() and clock64().
#include "machine.h"
#include "worker.h"
#include <time.h>

static long long nanoseconds(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// Ticks of the clock whose rate is in the device's properties. A program that divides by this rate
// gets seconds.
long long cudacpu_clock(void)
{
    Worker *worker = worker_if_any();
    if (worker != NULL)
    {
        worker->num_clock_reads++;
    }
    static int khz; // the same for every thread that sets it
    if (khz == 0)
    {
        const int rate = cpu_clock_khz();
        khz = rate > 0 ? rate : 1000000;
    }
    return (long long)(nanoseconds(CLOCK_MONOTONIC) * 1e-6 * khz);
}

// C and CUDA have each a clock(). In a kernel it counts ticks, in host code the process's time.
clock_t clock(void)
{
    const Worker *worker = worker_if_any();
    return worker != NULL && worker->in_kernel
               ? cudacpu_clock()
               : nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / (1000000000 / CLOCKS_PER_SEC);
}
