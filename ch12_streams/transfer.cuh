// What kernel-transfer and transfer-parts share: the host's arrays in two kinds of memory, the
// streams, and the number of additions.
#pragma once
#include <stdlib.h>
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/is_idle.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "steps.cuh"

enum Memory // of the host's arrays
{
    PINNED,
    PAGEABLE,
    NUM_MEMORIES
};
const char *const MEMORY_NAMES[NUM_MEMORIES] = {"pinned", "pageable"};

static inline real *allocate_in(Memory memory, size_t bytes)
{
    real *numbers = NULL;
    if (memory == PINNED)
    {
        CHECK(cudaMallocHost(&numbers, bytes));
    }
    else
    {
        numbers = (real *)malloc(bytes);
    }
    return numbers;
}

static inline void free_in(Memory memory, real *numbers)
{
    if (memory == PINNED)
    {
        CHECK(cudaFreeHost(numbers));
    }
    else
    {
        free(numbers);
    }
}

// With how many additions launch(additions) takes about `ratio` times as long as copy_in().
static inline int find_additions(double ratio, size_t repeats, void (*copy_in)(void),
                                 void (*launch)(unsigned additions))
{
    Timer timer = new_timer(repeats);
    while (next_run(&timer))
    {
        copy_in();
    }
    return (int)find_num_steps(ratio * timer.median, launch);
}

static inline void create_streams(cudaStream_t *streams, int num)
{
    for (int i = 0; i < num; ++i)
    {
        CHECK(cudaStreamCreate(&streams[i]));
    }
}

static inline void destroy_streams(cudaStream_t *streams, int num)
{
    for (int i = 0; i < num; ++i)
    {
        CHECK(cudaStreamDestroy(streams[i]));
    }
}

static inline void poison_arrays(real *d_x, real *d_y, real *d_z, real *h_z, size_t bytes)
{
    CHECK(cudaMemset(d_x, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    poison(h_z, bytes);
    CHECK(cudaDeviceSynchronize());
}

static inline bool all_are_idle(const cudaStream_t *streams, int num)
{
    bool are_idle = true;
    for (int i = 0; i < num; ++i)
    {
        are_idle = are_idle && is_idle(streams[i]);
    }
    return are_idle;
}
