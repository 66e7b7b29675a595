// Which elements the warps of a kernel access, and in how many sectors of memory these lie.
//
// The kernels of coalescing.cu add numbers of any type. For the count they add tags. A tag in x or
// in y holds the number of its element. The sum of two tags holds both numbers and the thread that
// added them. So z tells afterwards which elements each thread has accessed.
#pragma once
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "../common/error.cuh"
#include "../common/real.cuh"

const size_t WARP_SIZE = 32;
const size_t SECTOR_BYTES = 32;
const size_t MOST_TAGS = 1 << 18; // enough to see the pattern

struct Tag
{
    unsigned int x, y; // numbers of elements
    unsigned int thread;
};

const unsigned int NO_THREAD = UINT_MAX; // in an element of z that no thread has written

__device__ inline Tag operator+(Tag from_x, Tag from_y)
{
    return {from_x.x, from_y.y, blockIdx.x * blockDim.x + threadIdx.x};
}

// Arrays of N + 1 tags on the device, and the grid for N threads.
struct TagArrays
{
    size_t N;
    unsigned int grid_size;
    Tag *x, *y, *z;
};

static inline TagArrays allocate_tags(size_t N, unsigned int block_size)
{
    TagArrays arrays = {N, (unsigned int)((N - 1) / block_size + 1), NULL, NULL, NULL};
    const size_t bytes = (N + 1) * sizeof(Tag);
    Tag *tags = (Tag *)malloc(bytes);
    for (unsigned int n = 0; n <= N; ++n)
    {
        tags[n] = {n, n, NO_THREAD};
    }
    CHECK(cudaMalloc(&arrays.x, bytes));
    CHECK(cudaMalloc(&arrays.y, bytes));
    CHECK(cudaMalloc(&arrays.z, bytes));
    CHECK(cudaMemcpy(arrays.x, tags, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(arrays.y, tags, bytes, cudaMemcpyHostToDevice));
    free(tags);
    return arrays;
}

static inline void free_tags(const TagArrays *arrays)
{
    CHECK(cudaFree(arrays->x));
    CHECK(cudaFree(arrays->y));
    CHECK(cudaFree(arrays->z));
}

// To be called before a kernel adds tags.
static inline void clear_tags(const TagArrays *arrays)
{
    const size_t bytes = (arrays->N + 1) * sizeof(Tag);
    CHECK(cudaMemset(arrays->z, 0xff, bytes)); // NO_THREAD in all of them
}

// The three arrays of a kernel.
enum Array
{
    X,
    Y,
    Z
};

// A thread that has added, and the elements of x, y and z that it accessed.
struct Access
{
    unsigned int thread, element[3];
};

struct Accesses
{
    Access *list;
    size_t count;
};

static inline int compare_threads(const void *a, const void *b)
{
    const unsigned int x = ((const Access *)a)->thread, y = ((const Access *)b)->thread;
    return (x > y) - (x < y);
}

// After a kernel has added tags: the accesses in the order of the threads. The list is to be freed.
static inline Accesses find_accesses(const TagArrays *arrays)
{
    const size_t bytes = (arrays->N + 1) * sizeof(Tag);
    Tag *tags = (Tag *)malloc(bytes);
    CHECK(cudaMemcpy(tags, arrays->z, bytes, cudaMemcpyDeviceToHost));

    Accesses accesses = {(Access *)malloc((arrays->N + 1) * sizeof(Access)), 0};
    for (unsigned int n = 0; n <= arrays->N; ++n)
    {
        if (tags[n].thread != NO_THREAD)
        {
            accesses.list[accesses.count++] = {tags[n].thread, {tags[n].x, tags[n].y, n}};
        }
    }
    qsort(accesses.list, accesses.count, sizeof(Access), compare_threads);
    free(tags);
    return accesses;
}

// The bytes of one array that warps want, and the sectors in which these bytes lie.
struct Traffic
{
    size_t warps, wanted, sectors;
};

static inline double sectors_per_warp(const Traffic *traffic)
{
    return (double)traffic->sectors / traffic->warps;
}

static inline double degree(const Traffic *traffic)
{
    return 100.0 * traffic->wanted / (traffic->sectors * SECTOR_BYTES);
}

static inline size_t sector_of(const real *element) { return (uintptr_t)element / SECTOR_BYTES; }

// The traffic of the first `num_warps` warps. `array` is X, Y or Z; `begin` is where this array of
// reals begins.
static inline Traffic count_traffic(const Accesses *accesses, Array array, const real *begin,
                                    size_t num_warps)
{
    Traffic traffic = {0, 0, 0};
    size_t first = 0; // of the warp's accesses
    for (size_t i = 0; i < accesses->count; ++i)
    {
        const Access *list = accesses->list;
        const size_t warp = list[i].thread / WARP_SIZE;
        if (warp >= num_warps)
        {
            break;
        }
        if (i == 0 || warp != list[i - 1].thread / WARP_SIZE)
        {
            first = i;
            ++traffic.warps;
        }
        const real *element = begin + list[i].element[array];
        bool is_new = true, has_new_sector = true;
        for (size_t before = first; before < i; ++before)
        {
            const real *other = begin + list[before].element[array];
            is_new = is_new && element != other;
            has_new_sector = has_new_sector && sector_of(element) != sector_of(other);
        }
        traffic.wanted += is_new ? sizeof(real) : 0;
        traffic.sectors += has_new_sector;
    }
    return traffic;
}

// Whether the first thread that accessed something and another one write to the same sector of z.
static inline bool are_in_one_sector(const Accesses *accesses, const real *z, unsigned int thread)
{
    const Access *list = accesses->list;
    for (size_t i = 0; i < accesses->count; ++i)
    {
        if (list[i].thread == thread)
        {
            return sector_of(z + list[0].element[Z]) == sector_of(z + list[i].element[Z]);
        }
    }
    return false;
}
