// What the graph programs share: the frontier on which a round works, and a row of their tables.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "graphs.cuh"

// ---- The frontier ----

// The algorithms run in rounds. A round works on the frontier: the vertices that were found or
// changed in the round before. The frontier is a queue in an array. Any number of threads append to
// the next one at the same time: atomicAdd on its size returns a place that no other thread gets.
struct Frontier
{
    unsigned capacity, size, rounds; // room for so many vertices; how many there are; rounds so far
    unsigned *d_now, *d_next, *d_next_size;
};

inline Frontier create_frontier(unsigned capacity)
{
    Frontier frontier = {capacity, 0, 0};
    CHECK(cudaMalloc(&frontier.d_now, capacity * sizeof(unsigned)));
    CHECK(cudaMalloc(&frontier.d_next, capacity * sizeof(unsigned)));
    CHECK(cudaMalloc(&frontier.d_next_size, sizeof(unsigned)));
    return frontier;
}

inline void free_frontier(Frontier *frontier)
{
    CHECK(cudaFree(frontier->d_now));
    CHECK(cudaFree(frontier->d_next));
    CHECK(cudaFree(frontier->d_next_size));
}

// The frontier is the source alone. Its distance is 0, and all others are not reached.
inline void start_at(Frontier *frontier, unsigned source, unsigned *d_distance)
{
    CHECK(cudaMemset(d_distance, 0xff, frontier->capacity * sizeof(unsigned))); // UNREACHED
    CHECK(cudaMemset(d_distance + source, 0, sizeof(unsigned)));
    CHECK(cudaMemcpy(frontier->d_now, &source, sizeof(unsigned), cudaMemcpyHostToDevice));
    frontier->size = 1;
    frontier->rounds = 0;
}

inline void begin_round(Frontier *frontier)
{
    ++frontier->rounds;
    CHECK(cudaMemset(frontier->d_next_size, 0, sizeof(unsigned)));
}

// The next frontier becomes the frontier.
inline void end_round(Frontier *frontier)
{
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&frontier->size, frontier->d_next_size, sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
    if (frontier->size > frontier->capacity)
    {
        check_true("a queue is too short", false);
        fprintf(stderr, "it holds %u vertices, and %u were appended\n", frontier->capacity,
                frontier->size);
        frontier->size = 0;
    }
    unsigned *d_used = frontier->d_now;
    frontier->d_now = frontier->d_next;
    frontier->d_next = d_used;
}

inline unsigned blocks_for(unsigned threads, unsigned block_size)
{
    return (threads + block_size - 1) / block_size;
}

// A copy of so many bytes. There may be none: a graph without edges.
inline void *to_device(const void *host, size_t bytes)
{
    void *device;
    CHECK(cudaMalloc(&device, bytes > 0 ? bytes : 1));
    CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    return device;
}

// ---- Results ----

struct Reach
{
    unsigned long long reached, sum; // vertices, and the sum of their distances
    unsigned farthest;
    size_t edges; // between vertices that are reached
};

inline Reach measure_reach(const Graph *g, const unsigned *distance)
{
    Reach reach = {};
    for (unsigned v = 0; v < g->N; ++v)
    {
        if (distance[v] != UNREACHED)
        {
            ++reach.reached;
            reach.sum += distance[v];
            reach.farthest = distance[v] > reach.farthest ? distance[v] : reach.farthest;
            reach.edges += g->offsets[v + 1] - g->offsets[v];
        }
    }
    reach.edges /= 2;
    return reach;
}

// For --help.
const char *const GRAPH_COLUMNS =
    "  rounds          how many rounds the device needed\n"
    "  ms              the median time on the device\n"
    "  10^6 edges/s    millions of edges between vertices that are reached, over this time\n"
    "  host ms         the time of the reference on the host\n"
    "  x host          the host's time over the device's\n"
    "  Without a GPU there are no times, but counts:\n"
    "  sectors a load  pieces of 32 bytes that a warp asks for; 4 would do\n"
    "  atomics         atomic operations of threads, in global memory\n"
    "  active lanes    of the 32 of a warp, the mean\n";

// Without a GPU the work is counted, and not timed.
inline void print_titles(void)
{
    static const Column TIMES[] = {
        {"graph", "%-6s"},     {"vertices", "%9.0f"}, {"edges", "%10.0f"},
        {"rounds", "%6.0f"},   {TIME_UNIT, "%10.4g"}, {"10^6 edges/s", "%12.1f"},
        {"host ms", "%10.4g"}, {"x host", "%7.2f"},   {"found", " %s"}};
    static const Column COUNTS[] = {{"graph", "%-6s"},
                                    {"vertices", "%9.0f"},
                                    {"edges", "%10.0f"},
                                    {"rounds", "%6.0f"},
                                    {"sectors a load", "%14.1f"},
                                    {"atomics", "%10.0f"},
                                    {"active lanes", "%12.1f"},
                                    {"found", " %s"}};
    if (ON_GPU)
    {
        print_note("median of %zu repeats\n", args.repeats);
    }
    else
    {
        print_note("counted on the CPU, not timed; 4 sectors a load are the least\n");
    }
    ON_GPU ? begin_table(TIMES, 9) : begin_table(COUNTS, 8);
}

// Of one search.
inline Timer new_search_timer(void) { return ON_GPU ? new_host_timer(args.repeats) : new_timer(1); }

// Copies to `found` what the last run left in d_result. It must be equal to what the reference
// wrote to `expected`.
inline void check_result(const char *name, const Graph *g, const unsigned *d_result,
                         unsigned *found, const unsigned *expected)
{
    const size_t bytes = g->N * sizeof(unsigned);
    poison(found, bytes);
    CHECK(cudaMemcpy(found, d_result, bytes, cudaMemcpyDeviceToHost));
    check_elements(name, found, expected, g->N);
}

inline void put_times(double edges, double ms, double host_ms)
{
    put(ms);
    put(rate_of(1e3 * edges, ms)); // 10^6, not 10^9, a second
    put(host_ms);
    put(times_as_fast(host_ms, ms));
}

inline void put_counts(const Counts *counts)
{
    const bool is_known = counts->is_known;
    put(is_known ? 4.0 * counts->sums.loads.units / counts->sums.loads.least : NAN);
    put(is_known ? counts->sums.global_atomics.lanes : NAN);
    put(is_known ? counts->sums.active / counts->sums.steps : NAN);
}

// A row: the times of the device and of the host, or what was counted, and at its end what was
// found, in words.
inline void print_row(const char *name, const Graph *g, unsigned rounds, const unsigned *found,
                      double ms, const Counts *counts, double host_ms, const char *in_words)
{
    put_text(name);
    put(g->N);
    put(g->offsets[g->N] / 2);
    put(rounds);
    if (ON_GPU)
    {
        // All edges, if all are reached.
        put_times(measure_reach(g, found).edges, ms, host_ms);
    }
    else
    {
        put_counts(counts);
    }
    put_text(in_words);
    end_row();
}
