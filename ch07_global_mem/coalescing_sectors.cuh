// Which elements the warps of a kernel access, and in how many sectors of memory these lie.
//
// The kernels of coalescing.cu add numbers of any type. For the count they add tags. A tag in x or
// in y holds the number of its element. The sum of two tags holds both numbers and the thread that
// added them. So z tells afterwards which elements each thread has accessed.
#pragma once
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <algorithm>
#include <vector>
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
    std::vector<Tag> tags(N + 1);
    for (unsigned int n = 0; n <= N; ++n)
    {
        tags[n] = {n, n, NO_THREAD};
    }
    for (Tag **array : {&arrays.x, &arrays.y, &arrays.z})
    {
        CHECK(cudaMalloc(array, (N + 1) * sizeof(Tag)));
        CHECK(cudaMemcpy(*array, tags.data(), (N + 1) * sizeof(Tag), cudaMemcpyHostToDevice));
    }
    return arrays;
}

static inline void free_tags(const TagArrays *arrays)
{
    for (Tag *array : {arrays->x, arrays->y, arrays->z})
    {
        CHECK(cudaFree(array));
    }
}

// A thread that has added, and the elements of x, y and z that it accessed.
struct Access
{
    unsigned int thread, x, y, z;
};

// Calls `launch`, which adds tags. Returns the accesses in the order of the threads.
template <typename Launch>
std::vector<Access> trace(const TagArrays *arrays, Launch launch)
{
    std::vector<Tag> tags(arrays->N + 1);
    const size_t bytes = tags.size() * sizeof(Tag);
    CHECK(cudaMemset(arrays->z, 0xff, bytes)); // NO_THREAD in all of them
    launch();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(tags.data(), arrays->z, bytes, cudaMemcpyDeviceToHost));

    std::vector<Access> accesses;
    for (unsigned int n = 0; n < tags.size(); ++n)
    {
        if (tags[n].thread != NO_THREAD)
        {
            accesses.push_back({tags[n].thread, tags[n].x, tags[n].y, n});
        }
    }
    std::sort(accesses.begin(), accesses.end(),
              [](const Access &a, const Access &b) { return a.thread < b.thread; });
    return accesses;
}

static inline size_t count_distinct(std::vector<uintptr_t> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return std::unique(numbers.begin(), numbers.end()) - numbers.begin();
}

// The bytes of one array that warps want, and the sectors in which these bytes lie.
struct Traffic
{
    size_t warps = 0, wanted = 0, sectors = 0;

    double per_warp() const { return (double)sectors / warps; }

    double degree() const { return 100.0 * wanted / (sectors * SECTOR_BYTES); }
};

// The traffic of the first `num_warps` warps. `element` is &Access::x, y or z; `array` is where
// this array of reals begins.
static inline Traffic count_traffic(const std::vector<Access> &accesses,
                                    unsigned int Access::*element, const real *array,
                                    size_t num_warps = SIZE_MAX)
{
    Traffic traffic;
    for (size_t i = 0; i < accesses.size() && accesses[i].thread / WARP_SIZE < num_warps;)
    {
        const size_t warp = accesses[i].thread / WARP_SIZE;
        std::vector<uintptr_t> addresses, sectors;
        for (; i < accesses.size() && accesses[i].thread / WARP_SIZE == warp; ++i)
        {
            addresses.push_back((uintptr_t)(array + accesses[i].*element));
            sectors.push_back(addresses.back() / SECTOR_BYTES);
        }
        ++traffic.warps;
        traffic.wanted += count_distinct(addresses) * sizeof(real);
        traffic.sectors += count_distinct(sectors);
    }
    return traffic;
}

// Whether the first thread that accessed something and another one write to the same sector of z.
static inline bool are_in_one_sector(const std::vector<Access> &accesses, const real *z,
                                     unsigned int thread)
{
    const auto other = std::find_if(accesses.begin(), accesses.end(),
                                    [&](const Access &a) { return a.thread == thread; });
    return other != accesses.end() && (uintptr_t)(z + accesses[0].z) / SECTOR_BYTES ==
                                          (uintptr_t)(z + other->z) / SECTOR_BYTES;
}
