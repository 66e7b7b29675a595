// Devices take turns, so that a kernel that touches memory of another device faults.
//
// Memory is open or closed for the whole process. While a kernel runs, the memory that its device
// may not reach must be closed. So only devices of which each reaches the other run kernels at
// once; the others take turns, and so do copies, which reach everything.
#include "device_lock.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include "device.h"
#include "memory.h"
#include "peer.h"

// A kernel may wait for a kernel of another device, by a flag in managed memory. So who has waited
// so long goes on, but closes nothing.
static const long PATIENCE = 200000000; // nanoseconds

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Use running[MAX_DEVICES], wanted[MAX_DEVICES];
static uint64_t ticket[MAX_DEVICES], last_ticket; // the smallest ticket is next

static bool exclude_each_other(int a, Use use_a, int b, Use use_b)
{
    return use_a != NO_USE && use_b != NO_USE &&
           (use_a == COPY_USE || use_b == COPY_USE || !peer_reaches(a, b) || !peer_reaches(b, a));
}

static bool may_run(int device)
{
    for (int other = 0; other < number_of_devices(); ++other)
    {
        if (other != device && (exclude_each_other(device, wanted[device], other, running[other]) ||
                                (ticket[other] < ticket[device] &&
                                 exclude_each_other(device, wanted[device], other, wanted[other]))))
        {
            return false;
        }
    }
    return true;
}

static struct timespec end_of_patience(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += PATIENCE;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    return end;
}

// Called before a device runs a kernel or a copy. It runs one at a time.
void device_lock_take(int device, Use use)
{
    if (number_of_devices() <= 1)
    {
        return;
    }
    pthread_mutex_lock(&lock);
    wanted[device] = use;
    ticket[device] = ++last_ticket;
    const struct timespec end = end_of_patience();
    bool patient = true;
    while (patient && !may_run(device))
    {
        patient = pthread_cond_timedwait(&changed, &lock, &end) != ETIMEDOUT;
    }
    wanted[device] = NO_USE;
    running[device] = use;
    if (patient && use == KERNEL_USE)
    {
        memory_close_out_of_reach(device);
    }
    pthread_cond_broadcast(&changed); // who had a larger ticket may no longer have to wait
    pthread_mutex_unlock(&lock);
}

void device_lock_give(int device)
{
    if (number_of_devices() <= 1)
    {
        return;
    }
    pthread_mutex_lock(&lock);
    running[device] = NO_USE;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
