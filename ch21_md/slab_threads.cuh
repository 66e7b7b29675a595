// A thread of the host for each slab of ljmd-multi. A launch, a copy or an event takes the host
// about 2 us, and a device needs 11 of them or more for a step. With four devices and few atoms one
// thread for all is slower than they are. Here each thread launches for one device, and all meet
// twice in a step.
#pragma once
#include <pthread.h>
#include <sched.h>

// The work of slab k, and what it has to know.
typedef void SlabWork(int k, const void *order);

// The threads of the slabs. The first is main's own.
struct Crew
{
    int num_threads = 1;
    pthread_t threads[MOST_DEVICES];
    int numbers[MOST_DEVICES]; // of their slabs
    SlabWork *work = NULL;     // of this round; NULL: the threads end
    const void *order = NULL;
    unsigned round = 0;           // how often there was work
    alignas(64) int num_done = 0; // threads, in this round; others wait for `round` meanwhile
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t has_work = PTHREAD_COND_INITIALIZER;
};
static Crew g_crew;

// A thread looks so often before it lets others have the core. The next work mostly comes within a
// few us, and to wake a thread takes longer.
const int MOST_LOOKS = 20000;

inline unsigned latest_round(void) { return __atomic_load_n(&g_crew.round, __ATOMIC_ACQUIRE); }

// Until there is a round after this one.
inline void wait_for_work(unsigned round)
{
    for (int i = 0; i < MOST_LOOKS; ++i)
    {
        if (latest_round() != round)
        {
            return;
        }
    }
    pthread_mutex_lock(&g_crew.mutex);
    while (latest_round() == round)
    {
        pthread_cond_wait(&g_crew.has_work, &g_crew.mutex);
    }
    pthread_mutex_unlock(&g_crew.mutex);
}

inline void *work_for_slab(void *number)
{
    const int k = *(const int *)number;
    unsigned round = 0;
    while (true)
    {
        wait_for_work(round++);
        if (g_crew.work == NULL)
        {
            return NULL;
        }
        g_crew.work(k, g_crew.order);
        __atomic_add_fetch(&g_crew.num_done, 1, __ATOMIC_RELEASE);
    }
}

// Tells the other threads that there is work.
inline void begin_round(SlabWork *work, const void *order)
{
    g_crew.work = work;
    g_crew.order = order;
    g_crew.num_done = 0;
    pthread_mutex_lock(&g_crew.mutex);
    __atomic_add_fetch(&g_crew.round, 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&g_crew.has_work);
    pthread_mutex_unlock(&g_crew.mutex);
}

// Does the work of each slab, and comes back when all is done.
inline void for_each_slab(int num_slabs, SlabWork *work, const void *order)
{
    if (g_crew.num_threads < num_slabs)
    {
        for (int k = 0; k < num_slabs; ++k)
        {
            work(k, order);
        }
        return;
    }
    if (num_slabs > 1)
    {
        begin_round(work, order);
    }
    work(0, order);
    for (int looks = 0; __atomic_load_n(&g_crew.num_done, __ATOMIC_ACQUIRE) < num_slabs - 1;)
    {
        looks < MOST_LOOKS ? (void)++looks : (void)sched_yield();
    }
}

// If a thread cannot be had, main's does the work of all slabs.
inline void create_crew(int num_slabs)
{
    for (int k = 1; k < num_slabs; ++k)
    {
        g_crew.numbers[k] = k;
        if (pthread_create(&g_crew.threads[k], NULL, work_for_slab, &g_crew.numbers[k]) != 0)
        {
            return;
        }
        ++g_crew.num_threads;
    }
}

inline void destroy_crew(void)
{
    begin_round(NULL, NULL);
    for (int k = 1; k < g_crew.num_threads; ++k)
    {
        pthread_join(g_crew.threads[k], NULL);
    }
    g_crew.num_threads = 1;
}
