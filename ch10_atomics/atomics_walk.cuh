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
#include <algorithm>
#include <string.h>
#include <vector>
#include "../common/data.cuh"
#include "atomics_rules.cuh"

struct Step
{
    uint64 from, to;
};

inline size_t root_of(std::vector<size_t> &parent, size_t v)
{
    while (parent[v] != v)
    {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

// Whether the steps can be taken one after the other, from `first` to `last`.
inline bool is_walk(const std::vector<Step> &steps, uint64 first, uint64 last)
{
    std::vector<uint64> values = {first, last};
    for (const Step &step : steps)
    {
        values.push_back(step.from);
        values.push_back(step.to);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto place = [&](uint64 value)
    {
        return (size_t)(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    };
    std::vector<int> surplus(values.size(), 0); // how much more often a value is left than reached
    std::vector<size_t> parent(values.size());  // connected values have the same root
    for (size_t v = 0; v < parent.size(); ++v)
    {
        parent[v] = v;
    }
    for (const Step &step : steps)
    {
        const size_t from = place(step.from), to = place(step.to);
        ++surplus[from];
        --surplus[to];
        parent[root_of(parent, from)] = root_of(parent, to);
    }
    --surplus[place(first)];
    ++surplus[place(last)];
    const size_t root = root_of(parent, place(first));
    bool right = true;
    for (size_t v = 0; v < values.size(); ++v)
    {
        right = right && surplus[v] == 0 && root_of(parent, v) == root;
    }
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
