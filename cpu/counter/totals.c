// What the program itself asks: sums over all kernels since it began to count.
#include <string.h>
#include "../include/cudacpu_counts.h"
#include "../include/cuda_runtime_api.h"
#include "tally.h"

// As it was when the program began to count.
static KernelCount kernels_before;
static CopyCount copies_before;

static KernelCount sum_of_kernels(void)
{
    KernelCount sum = {0};
    for (unsigned i = 0; i < tally_num_kernels(); ++i)
    {
        const KernelCount *k = tally_kernel_at(i);
        sum.launches += k->launches;
        sum.blocks += k->blocks;
        sum.threads += k->threads;
        sum.warps += k->warps;
        sum.barriers += k->barriers;
        sum.exchanges += k->exchanges;
        sum.steps += k->steps;
        sum.lanes += k->lanes;
        sum.parted += k->parted;
    }
    return sum;
}

void cudacpu_begin_counts(void)
{
    cudaDeviceSynchronize();
    size_t room;
    Site *sites = tally_all_sites(&room);
    for (size_t i = 0; i < room; ++i)
    {
        sites[i].before = sites[i].sums;
    }
    kernels_before = sum_of_kernels();
    copies_before = tally_copies();
}

// Where the requests of an access belong.
static struct cudacpu_access *place_of(struct cudacpu_counts *counts, const Site *site)
{
    const bool is_shared = site->space == SHARED;
    return site->access == ATOMIC ? is_shared ? &counts->shared_atomics : &counts->global_atomics
           : is_shared            ? &counts->shared
           : site->space == CONSTANTS ? &counts->constants
           : site->access == LOAD     ? &counts->loads
                                      : &counts->stores;
}

void cudacpu_end_counts(struct cudacpu_counts *counts)
{
    cudaDeviceSynchronize();
    memset(counts, 0, sizeof(*counts));
    size_t room;
    const Site *sites = tally_all_sites(&room);
    double most_wasted = 0.0;
    for (size_t i = 0; i < room; ++i)
    {
        const Site *site = &sites[i];
        const double units = site->sums.units - site->before.units,
                     least = site->sums.least - site->before.least;
        if (site->pc == NULL || site->sums.requests == site->before.requests)
        {
            continue;
        }
        struct cudacpu_access *access = place_of(counts, site);
        access->requests += site->sums.requests - site->before.requests;
        access->lanes += site->sums.lanes - site->before.lanes;
        access->units += units;
        access->least += least;
        counts->together +=
            site->access != ATOMIC ? 0 : site->sums.together - site->before.together;
        if (access == &counts->shared && (counts->conflict == 0.0 || units - least > most_wasted))
        {
            most_wasted = units - least;
            counts->conflict = units / least;
        }
    }
    const KernelCount sum = sum_of_kernels(), *before = &kernels_before;
    const CopyCount copies = tally_copies();
    counts->launches = sum.launches - before->launches;
    counts->blocks = sum.blocks - before->blocks;
    counts->threads = sum.threads - before->threads;
    counts->warps = sum.warps - before->warps;
    counts->barriers = sum.barriers - before->barriers;
    counts->exchanges = sum.exchanges - before->exchanges;
    counts->steps = sum.steps - before->steps;
    counts->active = sum.lanes - before->lanes;
    counts->parted = sum.parted - before->parted;
    counts->to_device = copies.to_device - copies_before.to_device;
    counts->from_device = copies.from_device - copies_before.from_device;
}
