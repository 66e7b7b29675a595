// histogram: counting keys by bins: where all add to the same few numbers, what does it take?
//
// From:    section 10.2, and beyond the book
// Compile: nvcc -O3 histogram.cu
// Run:     ./a.out -n 134217728 --bins 256
// Versions:
//   cpu      one loop
//   global   an atomicAdd in global memory for each key
//   runs     16 bytes a load; one addition for keys that follow each other in one bin
//   shared   counts of the block's own, in shared memory; added up once at its end
//   copies   such counts for each warp
//   vectors  copies, and four loads of 16 bytes under way in each thread
//   packed   runs in shared memory, two counts in a word, so that 65536 bins have room there
// Checks:  176 (208 on a GPU)
//
// Tables for random, sorted, skewed and constant keys, with 256 and with 65536 bins: what is best
// for one is not for the other. --data and --bins choose.

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "histogram.cuh"

void count_cpu(Problem *p)
{
    std::fill_n(p->h_counts, p->bins, 0u);
    for (size_t n = 0; n < p->N; ++n)
    {
        ++p->h_counts[bin_of(p->h_keys[n], (unsigned int)p->bins)];
    }
}

// Atomics on global memory are done by the L2 cache: many at once, but on one address one after
// the other. The fewer bins, the longer the queues.
__global__ void count_global(const uint32_t *keys, size_t N, unsigned int *counts,
                             unsigned int bins)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        atomicAdd(&counts[bin_of(keys[n], bins)], 1);
    }
}

// Calls add(bin, times) for four keys, once for those that follow each other in one bin.
template <typename Add>
__device__ void add_runs(uint4 keys, unsigned int bins, Add add)
{
    const unsigned int bin[4] = {bin_of(keys.x, bins), bin_of(keys.y, bins), bin_of(keys.z, bins),
                                 bin_of(keys.w, bins)};
    unsigned int times = 1;
#pragma unroll
    for (int i = 1; i < 4; ++i)
    {
        if (bin[i] != bin[i - 1])
        {
            add(bin[i - 1], times);
            times = 0;
        }
        ++times;
    }
    add(bin[3], times);
}

// Sorted keys come in runs: four additions become one. Random ones gain only by the loads.
__global__ void count_runs(const uint32_t *keys, size_t N, unsigned int *counts, unsigned int bins)
{
    const auto add = [&](unsigned int bin, unsigned int times)
    {
        atomicAdd(&counts[bin], times);
    };
    for_keys<1>(
        keys, N, [&](uint4 four) { add_runs(four, bins, add); },
        [&](uint32_t key) { add(bin_of(key, bins), 1); });
}

extern __shared__ unsigned int s_counts[];

__device__ void clear_shared(unsigned int words)
{
    for (unsigned int i = threadIdx.x; i < words; i += blockDim.x)
    {
        s_counts[i] = 0;
    }
    __syncthreads();
}

// A copy has one word more than bins: else the same bin of all copies would be in one bank.
__device__ void add_copies(unsigned int *counts, unsigned int bins, unsigned int copies)
{
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    {
        unsigned int sum = 0;
        for (unsigned int copy = 0; copy < copies; ++copy)
        {
            sum += s_counts[copy * (bins + 1) + bin];
        }
        if (sum > 0)
        {
            atomicAdd(&counts[bin], sum);
        }
    }
}

// The queues are now within a block, and in its multiprocessor instead of behind the L2. With
// copies, they are within some of its warps. That 1 is added, and what was there is of no
// interest, lets a multiprocessor add up equal addresses of a warp at once.
__global__ void count_shared(const uint32_t *keys, size_t N, unsigned int *counts,
                             unsigned int bins, unsigned int copies)
{
    clear_shared(copies * (bins + 1));
    unsigned int *mine = s_counts + threadIdx.x / warpSize % copies * (bins + 1);
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        atomicAdd(&mine[bin_of(keys[n], bins)], 1);
    }
    add_copies(counts, bins, copies);
}

// Now that counting is cheap, too few loads under way are what is left to mend.
__global__ void count_vectors(const uint32_t *keys, size_t N, unsigned int *counts,
                              unsigned int bins, unsigned int copies)
{
    clear_shared(copies * (bins + 1));
    unsigned int *mine = s_counts + threadIdx.x / warpSize % copies * (bins + 1);
    const auto add = [&](uint32_t key)
    {
        atomicAdd(&mine[bin_of(key, bins)], 1);
    };
    const auto add_four = [&](uint4 four)
    {
        add(four.x);
        add(four.y);
        add(four.z);
        add(four.w);
    };
    for_keys<4>(keys, N, add_four, add);
    add_copies(counts, bins, copies);
}

// Two counts of 16 bits in a word. A lower one that runs over carries 1 into the upper, an upper
// one runs out of the word. Whoever makes that happen knows by the value returned, and makes up
// for it in the counts proper: so nothing is lost, however often, and in whatever order.
__device__ void add_packed(unsigned int *counts, unsigned int bin, unsigned int times)
{
    const unsigned int added = bin % 2 == 0 ? times : times << 16;
    const unsigned int old = atomicAdd(&s_counts[bin / 2], added);
    if (bin % 2 == 0 && (old & 0xffff) + times > 0xffff)
    {
        atomicAdd(&counts[bin], 0x10000);
        atomicSub(&counts[bin + 1], 1);
    }
    if (old + added < old)
    {
        atomicAdd(&counts[bin | 1], 0x10000);
    }
}

__global__ void count_packed(const uint32_t *keys, size_t N, unsigned int *counts,
                             unsigned int bins)
{
    const unsigned int words = (bins + 1) / 2;
    clear_shared(words);
    const auto add = [&](unsigned int bin, unsigned int times)
    {
        add_packed(counts, bin, times);
    };
    for_keys<4>(
        keys, N, [&](uint4 four) { add_runs(four, bins, add); },
        [&](uint32_t key) { add(bin_of(key, bins), 1); });
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < 2 * words; bin += blockDim.x)
    {
        const unsigned int count = s_counts[bin / 2] >> (bin % 2 * 16) & 0xffff;
        if (count > 0)
        {
            atomicAdd(&counts[bin], count);
        }
    }
}

template <auto kernel>
void plain(Problem *p)
{
    launch(p, kernel, 0);
}

void shared(Problem *p)
{
    launch(p, count_shared, shared_bytes(p, 1), 1u);
}

void copies(Problem *p)
{
    launch(p, count_shared, shared_bytes(p, num_copies(p)), num_copies(p));
}

void vectors(Problem *p)
{
    launch(p, count_vectors, shared_bytes(p, num_copies(p)), num_copies(p));
}

void packed(Problem *p)
{
    launch(p, count_packed, packed_bytes(p));
}

const Version<Problem> all_versions[] = {
    {"cpu", count_cpu, ON_HOST}, {"global", plain<count_global>},
    {"runs", plain<count_runs>}, {"shared", shared},
    {"copies", copies},          {"vectors", vectors},
    {"packed", packed},          {"cub", GPU_ONLY(library), ON_DEVICE, 0.0, "CUB"},
};

// What a version takes of a block's shared memory.
size_t bytes_for(const Problem *p, void (*version)(Problem *))
{
    const bool in_words = version == shared || version == copies || version == vectors;
    return in_words ? shared_bytes(p, 1) : version == packed ? packed_bytes(p) : 0;
}

// The versions that have room for so many bins; no table if none of them is asked for.
void show_table(const Args *args, Problem *p, const char *keys)
{
    const size_t room = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    Version<Problem> versions[sizeof(all_versions) / sizeof(all_versions[0])];
    bool any = false;
    void (*set_up)(Problem *) = GPU_ONLY(create_work);
    for (Version<Problem> &version : versions)
    {
        version = all_versions[&version - versions];
        const bool fits = bytes_for(p, version.launch) <= room;
        version.launch = fits ? version.launch : NULL;
        version.needs = fits ? version.needs : "fewer bins";
        any = any || (version.launch != NULL && is_selected(args, &version));
    }
    if (any)
    {
        char text[64];
        set_up != NULL ? set_up(p) : (void)0;
        snprintf(text, sizeof(text), "%s keys, %zu bins", keys, p->bins);
        Ladder<Problem> ladder = {p, check};
        ladder.outputs[0] = {p->h_counts, p->d_counts, p->bins * sizeof(unsigned int)};
        ladder.bytes = (double)p->N * sizeof(uint32_t);
        ladder.ceiling = READ_CEILING;
        ladder.what = text;
        run_versions(args, &ladder, versions);
    }
}

int main(int argc, char **argv)
{
    size_t bins = 0;
    const char *data = "all";
    Args args;
    args.N = default_size(1 << 25, 1 << 17);
    args.block_x = 1024;
    args.bytes_per_element = sizeof(uint32_t);
    args.versions = version_names(all_versions);
    add_number(&args, "bins", &bins, 0, MAX_BINS, "into how many bins; 0: 256, then 65536");
    add_text(&args, "data", &data, "random, sorted, skewed or constant keys, or all");
    parse_args(&args, argc, argv, "-n N -b B -r R -s S -k NAME --csv [--bins N] [--data TEXT]",
               "histogram: counting keys by bins: where all add to the same few numbers, what does "
               "it take?");
    if (!is_known(data))
    {
        usage_error(&args, "--data has no '%s'", data);
    }
    Problem p = create_problem(&args);
    for (const Distribution &distribution : distributions)
    {
        if (strcmp(data, "all") != 0 && strcmp(data, distribution.name) != 0)
        {
            continue;
        }
        fill_keys(&p, &distribution, args.seed);
        for (size_t usual : {256, 65536})
        {
            p.bins = bins > 0 ? bins : usual;
            count_reference(&p);
            show_table(&args, &p, distribution.name);
            if (bins > 0)
            {
                break;
            }
        }
    }
    free_problem(&p);
    if (g_checks_run == 0)
    {
        fprintf(stderr, "%s: version %s needs a GPU, or fewer bins\n", args.program, args.version);
        return 77;
    }
    return verdict();
}
