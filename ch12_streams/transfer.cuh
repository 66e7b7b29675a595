// What kernel-transfer and transfer-parts share: the host's arrays in two kinds of memory, the
// number of additions, and a check of the streams.
#pragma once
#include <stdlib.h>
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

static inline bool all_are_idle(const cudaStream_t *streams, int num)
{
    bool are_idle = true;
    for (int i = 0; i < num; ++i)
    {
        are_idle = are_idle && is_idle(streams[i]);
    }
    return are_idle;
}
