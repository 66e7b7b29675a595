// Was no update lost?
//
// A call is a step from the value that it returned to the value that it left. Calls that happened
// one at a time are a walk: it starts at the word's first value, takes each step once, and ends at
// the word's last value.
//
// There is such a walk if two conditions hold. Each value is left as often as it is reached, except
// the first value and the last one. And all steps are connected. Euler proved in 1736 that a walk
// needs both conditions. Hierholzer proved that they are enough; his proof appeared in 1873.
//
// If an update was lost, there is no walk: two steps leave the same value, which was reached only
// once.
#pragma once
#include <stdlib.h>
#include <string.h>
#include "../common/data.cuh"
#include "atomics_rules.cuh"

struct Step
{
    uint64 from, to;
};

inline int compare_values(const void *a, const void *b)
{
    const uint64 x = *(const uint64 *)a, y = *(const uint64 *)b;
    return (x > y) - (x < y);
}

inline size_t root_of(size_t *parent, size_t v)
{
    while (parent[v] != v)
    {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

// The values that occur, in order, each of them once.
struct Values
{
    uint64 *values;
    size_t count;
};

inline Values values_of(const Step *steps, size_t num_steps, uint64 first, uint64 last)
{
    uint64 *all = (uint64 *)malloc((2 * num_steps + 2) * sizeof(uint64));
    for (size_t i = 0; i < num_steps; ++i)
    {
        all[2 * i] = steps[i].from;
        all[2 * i + 1] = steps[i].to;
    }
    all[2 * num_steps] = first;
    all[2 * num_steps + 1] = last;
    qsort(all, 2 * num_steps + 2, sizeof(uint64), compare_values);
    size_t count = 1;
    for (size_t i = 1; i < 2 * num_steps + 2; ++i)
    {
        if (all[i] != all[count - 1])
        {
            all[count++] = all[i];
        }
    }
    return {all, count};
}

inline size_t place_of(const Values *v, uint64 value)
{
    return (const uint64 *)bsearch(&value, v->values, v->count, sizeof(uint64), compare_values) -
           v->values;
}

// Whether the steps can be taken one after the other, from `first` to `last`.
inline bool is_walk(const Step *steps, size_t num_steps, uint64 first, uint64 last)
{
    const Values values = values_of(steps, num_steps, first, last);
    // How much more often each value is left than reached. Connected values have the same root.
    int *surplus = (int *)calloc(values.count, sizeof(int));
    size_t *parent = (size_t *)malloc(values.count * sizeof(size_t));
    for (size_t v = 0; v < values.count; ++v)
    {
        parent[v] = v;
    }
    for (size_t i = 0; i < num_steps; ++i)
    {
        const size_t from = place_of(&values, steps[i].from), to = place_of(&values, steps[i].to);
        ++surplus[from];
        --surplus[to];
        parent[root_of(parent, from)] = root_of(parent, to);
    }
    --surplus[place_of(&values, first)];
    ++surplus[place_of(&values, last)];
    const size_t root = root_of(parent, place_of(&values, first));
    bool right = true;
    for (size_t v = 0; v < values.count; ++v)
    {
        right = right && surplus[v] == 0 && root_of(parent, v) == root;
    }
    free(values.values);
    free(surplus);
    free(parent);
    return right;
}

// A value as a number. Different values of a type get different numbers.
template <typename T>
uint64 key(T value)
{
    uint64 bits = 0;
    memcpy(&bits, &value, sizeof(value));
    return bits;
}

inline uint64 key(Wide value) { return hash_bits(value.x, value.y); }
