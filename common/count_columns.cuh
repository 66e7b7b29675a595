// The columns of a table where there is no GPU: what each one counts.
// docs/reading-results.md says what each one means.
#pragma once
#include <math.h>
#include "counts.cuh"

// What a run has cost, in the terms of a table's column.
struct CountColumn
{
    const char *key;   // for --csv
    const char *title; // in two lines
    double (*value)(const CountSums *counts, size_t element);
    bool is_least_known; // it is the size of an element: 4 sectors for 32 floats
};

// As many sectors as a request by 32 lanes would take, an element each.
static inline double sectors_of(const AccessSums *access, size_t element)
{
    return access->requests > 0.0 ? element * access->units / access->least : NAN;
}

static inline double count_load_sectors(const CountSums *c, size_t element)
{
    return sectors_of(&c->loads, element);
}

static inline double count_store_sectors(const CountSums *c, size_t element)
{
    return sectors_of(&c->stores, element);
}

const double SECTOR_KIB = 32.0 / 1024.0;

static inline double count_loaded(const CountSums *c, size_t)
{
    return SECTOR_KIB * c->loads.units;
}

static inline double count_stored(const CountSums *c, size_t)
{
    return SECTOR_KIB * c->stores.units;
}

static inline double count_conflict(const CountSums *c, size_t)
{
    return c->shared.requests > 0.0 ? c->conflict : NAN;
}

// An empty cell in place of 0: there is nothing of the kind.
static inline double if_any(double count) { return count > 0.0 ? count : NAN; }

static inline double count_wavefronts(const CountSums *c, size_t)
{
    return if_any(c->shared.units);
}

static inline double count_requests(const CountSums *c, size_t)
{
    return if_any(c->loads.requests + c->stores.requests);
}

static inline double count_constants(const CountSums *c, size_t)
{
    return c->constants.requests > 0.0 ? c->constants.units / c->constants.requests : NAN;
}

static inline double count_global_atomics(const CountSums *c, size_t)
{
    return if_any(c->global_atomics.lanes);
}

static inline double count_shared_atomics(const CountSums *c, size_t)
{
    return if_any(c->shared_atomics.lanes);
}

static inline double count_together(const CountSums *c, size_t)
{
    const double requests = c->global_atomics.requests + c->shared_atomics.requests;
    return requests > 0.0 ? c->together / requests : NAN;
}

static inline double count_active(const CountSums *c, size_t)
{
    return c->steps > 0.0 ? c->active / c->steps : NAN;
}

static inline double count_barriers(const CountSums *c, size_t)
{
    return c->blocks > 0.0 ? c->barriers / c->blocks : NAN;
}

static inline double count_exchanges(const CountSums *c, size_t)
{
    return c->warps > 0.0 ? c->exchanges / c->warps : NAN;
}

static inline double count_threads(const CountSums *c, size_t) { return c->threads; }

static inline double count_launches(const CountSums *c, size_t) { return c->launches; }

static inline double count_copied(const CountSums *c, size_t)
{
    return (c->to_device + c->from_device) / 1024.0;
}

// The meaning of the columns, for --help.
const char *const COUNTED_COLUMNS =
    "  error              how far the result is from the reference\n"
    "  sectors a load     pieces of 32 bytes that a warp's load of 32 elements asks for\n"
    "  sectors a store    the same for what it writes\n"
    "  bank conflict      how many turns the worst access to shared memory takes\n"
    "  loaded, stored     KiB of all the sectors that warps ask for\n"
    "  shared wavefronts  turns of shared memory, all together\n"
    "  atomics in global  atomic operations of threads; or in shared memory\n"
    "  lanes at 1 address that a warp's atomic operation has, the mean\n"
    "  constants a load   different addresses of constant memory, the mean\n"
    "  requests of warps  loads and stores of global memory that warps make\n"
    "  active lanes       of the 32 of a warp, the mean\n"
    "  barriers a thread  that it waits at; shuffles a warp: that it makes\n"
    "  kernels launched, copied KiB, threads in all: of one run\n"
    "  ms on a card       what this card has measured, at the size below it\n";

// The most telling ones come first.
const CountColumn COUNT_COLUMNS[] = {
    {"load_sectors", "sectors\na load", count_load_sectors, true},
    {"store_sectors", "sectors\na store", count_store_sectors, true},
    {"bank_conflict", "bank\nconflict", count_conflict, false},
    {"loaded_kib", "loaded\nKiB", count_loaded, false},
    {"stored_kib", "stored\nKiB", count_stored, false},
    {"wavefronts", "shared\nwavefronts", count_wavefronts, false},
    {"global_atomics", "atomics in\nglobal", count_global_atomics, false},
    {"shared_atomics", "atomics in\nshared", count_shared_atomics, false},
    {"together", "lanes at\n1 address", count_together, false},
    {"constant_addresses", "constants\na load", count_constants, false},
    {"requests", "requests\nof warps", count_requests, false},
    {"active_lanes", "active\nlanes", count_active, false},
    {"barriers", "barriers\na thread", count_barriers, false},
    {"exchanges", "shuffles\na warp", count_exchanges, false},
    {"launches", "kernels\nlaunched", count_launches, false},
    {"copied_kib", "copied\nKiB", count_copied, false},
    {"threads", "threads\nin all", count_threads, false},
};
const int NUM_COUNT_COLUMNS = sizeof(COUNT_COLUMNS) / sizeof(COUNT_COLUMNS[0]);
