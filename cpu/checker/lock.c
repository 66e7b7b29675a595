#include "lock.h"
#include <pthread.h>
#include <sched.h>

bool lock_needed; // from the program's first thread on

static atomic_flag busy = ATOMIC_FLAG_INIT;

void lock_wait(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    {
        sched_yield();
    }
}

void lock_open(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;

void lock_take_kernel(void)
{
    pthread_mutex_lock(&kernel);
}

void lock_give_kernel(void)
{
    pthread_mutex_unlock(&kernel);
}
