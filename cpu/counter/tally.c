// What was counted, in two tables: kernels, and accesses in a table of hashes.
#include "tally.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // several devices count at once
static KernelCount *kernels;
static unsigned num_kernels, room_of_kernels;
static Site *sites;
static size_t num_sites, room_of_sites;
static CopyCount copies;

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for the counter", errno);
    }
    return memory;
}

// ---- Kernels ------------------------------------------------------------------------------------

// CUDACPU_COUNT=launches: each launch counts for itself.
static bool is_by_launch(void)
{
    static int is = -1;
    if (is < 0)
    {
        const char *how = getenv("CUDACPU_COUNT");
        is = how != NULL && strcmp(how, "launches") == 0;
    }
    return is;
}

// The number of a kernel, or else one more that is as many as there are; the caller holds the lock. (A
// launch is one of the last. What it was stored in may be another launch's now.)
static uint32_t find_kernel(const Launch *launch)
{
    for (uint32_t i = num_kernels; i-- > 0;)
    {
        if (kernels[i].run == launch->run && (!is_by_launch() || kernels[i].launch == launch))
        {
            return i;
        }
    }
    return num_kernels;
}

static uint32_t find_or_add_kernel(const Launch *launch, bool begins)
{
    const uint32_t found = begins && is_by_launch() ? num_kernels : find_kernel(launch);
    if (found < num_kernels)
    {
        return found;
    }
    if (num_kernels == room_of_kernels)
    {
        room_of_kernels = 2 * room_of_kernels + 16;
        kernels = need(realloc(kernels, room_of_kernels * sizeof(*kernels)));
    }
    kernels[num_kernels] =
        (KernelCount){.name = launch->name, .run = launch->run, .launch = launch};
    return num_kernels++;
}

uint32_t tally_kernel(const Launch *launch)
{
    pthread_mutex_lock(&lock);
    const uint32_t kernel = find_or_add_kernel(launch, false);
    pthread_mutex_unlock(&lock);
    return kernel;
}

void count_launch(const Launch *launch)
{
    pthread_mutex_lock(&lock);
    const uint32_t kernel = find_or_add_kernel(launch, true); // (this may move the table)
    KernelCount *k = &kernels[kernel];
    k->launches++;
    k->grid = launch->grid;
    k->block = launch->block;
    pthread_mutex_unlock(&lock);
}

void tally_block(uint32_t kernel, unsigned threads)
{
    pthread_mutex_lock(&lock);
    kernels[kernel].blocks++;
    kernels[kernel].threads += threads;
    kernels[kernel].warps += (threads + WARP_SIZE - 1) / WARP_SIZE;
    pthread_mutex_unlock(&lock);
}

void count_barrier(Worker *worker)
{
    pthread_mutex_lock(&lock);
    kernels[worker->steps->kernel].barriers++;
    pthread_mutex_unlock(&lock);
}

void count_exchange(Worker *worker, unsigned warp, uint32_t lanes)
{
    (void)warp, (void)lanes;
    pthread_mutex_lock(&lock);
    kernels[worker->steps->kernel].exchanges++;
    pthread_mutex_unlock(&lock);
}

void count_copy(size_t bytes, bool to_device, bool from_device)
{
    pthread_mutex_lock(&lock);
    copies.to_device += to_device ? bytes : 0;
    copies.from_device += from_device ? bytes : 0;
    pthread_mutex_unlock(&lock);
}

// ---- Accesses -----------------------------------------------------------------------------------

static bool is_it(const Site *site, const Site *wanted)
{
    return site->pc == wanted->pc && site->kernel == wanted->kernel &&
           site->space == wanted->space && site->access == wanted->access &&
           site->bytes == wanted->bytes;
}

static Site *slot_of(const Site *wanted)
{
    const uint64_t mixed = ((uintptr_t)wanted->pc ^ (uint64_t)wanted->kernel << 48 ^
                            wanted->space << 20 ^ wanted->bytes << 24) *
                           0x9e3779b97f4a7c15u;
    size_t i = (mixed >> 32) & (room_of_sites - 1);
    while (sites[i].pc != NULL && !is_it(&sites[i], wanted))
    {
        i = (i + 1) & (room_of_sites - 1);
    }
    return &sites[i];
}

static void grow(void)
{
    Site *old = sites;
    const size_t num_old = room_of_sites;
    room_of_sites = num_old == 0 ? 1024 : 2 * num_old;
    sites = need(calloc(room_of_sites, sizeof(*sites)));
    for (size_t i = 0; i < num_old; ++i)
    {
        if (old[i].pc != NULL)
        {
            *slot_of(&old[i]) = old[i];
        }
    }
    free(old);
}

static Site *find_site(const Site *wanted)
{
    if (2 * num_sites >= room_of_sites)
    {
        grow();
    }
    Site *site = slot_of(wanted);
    if (site->pc == NULL)
    {
        *site = *wanted;
        ++num_sites;
    }
    return site;
}

// How far a lane's address is from that of the lane before, if that is the same for all.
static void note_distance(Site *site, const Request *request)
{
    for (uint32_t pairs = request->lanes & request->lanes >> 1; pairs != 0; pairs &= pairs - 1)
    {
        const unsigned lane = __builtin_ctz(pairs);
        const int64_t apart = request->address[lane + 1] - request->address[lane];
        site->differs |= site->has_neighbours && apart != site->apart;
        site->has_neighbours = true;
        site->apart = apart;
    }
}

static void note_request(uint32_t kernel, const Request *request, Space space)
{
    const Cost cost = cost_of(request, space);
    Site *site = find_site(&(Site){.pc = request->pc,
                                   .kernel = kernel,
                                   .space = space,
                                   .access = request->access,
                                   .bytes = request->bytes});
    site->sums.requests++;
    site->sums.lanes += __builtin_popcount(request->lanes);
    site->sums.units += cost.units;
    site->sums.least += cost.least;
    site->useful += cost.useful;
    site->sums.together += cost.together;
    site->worst = cost.units > site->worst ? cost.units : site->worst;
    note_distance(site, request);
}

// The lanes of a request whose addresses lie in one space.
static void note_lanes(uint32_t kernel, const Request *request)
{
    uint32_t lanes[CONSTANTS + 1] = {0};
    for (uint32_t rest = request->lanes; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest);
        lanes[cost_space(request->address[lane])] |= 1u << lane;
    }
    for (Space space = GLOBAL; space <= CONSTANTS; ++space)
    {
        if (lanes[space] == request->lanes)
        {
            note_request(kernel, request, space);
        }
        else if (lanes[space] != 0)
        {
            Request part = *request;
            part.lanes = lanes[space];
            note_request(kernel, &part, space);
        }
    }
}

void tally_step(uint32_t kernel, uint32_t lanes, bool parted, Request *requests, unsigned num)
{
    pthread_mutex_lock(&lock);
    kernels[kernel].steps++;
    kernels[kernel].lanes += __builtin_popcount(lanes);
    kernels[kernel].parted += parted;
    num = cost_join(requests, num);
    for (unsigned i = 0; i < num; ++i)
    {
        note_lanes(kernel, &requests[i]);
    }
    pthread_mutex_unlock(&lock);
}

// ---- At the end ---------------------------------------------------------------------------------

unsigned tally_num_kernels(void)
{
    return num_kernels;
}

const KernelCount *tally_kernel_at(unsigned i)
{
    return &kernels[i];
}

CopyCount tally_copies(void)
{
    return copies;
}

// A copy of the accesses of a kernel, for the caller to free.
Site *tally_sites_of(uint32_t kernel, size_t *num)
{
    Site *list = need(malloc((num_sites + 1) * sizeof(*list)));
    *num = 0;
    for (size_t i = 0; i < room_of_sites; ++i)
    {
        if (sites[i].pc != NULL && sites[i].kernel == kernel)
        {
            list[(*num)++] = sites[i];
        }
    }
    return list;
}

Site *tally_all_sites(size_t *room)
{
    *room = room_of_sites;
    return sites;
}
