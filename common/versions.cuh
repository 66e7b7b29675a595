// A table of versions of one computation: checked one by one, timed, and printed as a ladder.
//
//     struct Problem { size_t N; real *h_x, *h_y, *d_x, *d_y; };
//
//     void triple_cpu(Problem *p) { ... fills p->h_y ... }
//     void triple_plain(Problem *p) { triple<<<(p->N + 127) / 128, 128>>>(p->d_x, p->d_y, p->N); }
//
//     Outcome check(const Problem *p, const Version<Problem> *version)
//     {
//         check_elements(version->name, p->h_y, p->reference, p->N);
//         return {};
//     }
//
//     const Version<Problem> versions[] = {{"cpu", triple_cpu, ON_HOST}, {"plain", triple_plain}};
//
//     args.versions = version_names(versions); // for -k, before parse_args
//     Ladder<Problem> ladder = {&problem, check};
//     ladder.outputs[0] = {problem.h_y, problem.d_y, bytes};
//     ladder.bytes = 2 * bytes;
//     ladder.ceiling = COPY_CEILING;
//     run_versions(&args, &ladder, versions);
//     return verdict();
//
// Every version is checked before any is timed, and once more after its own timing: one that is
// right only the first time fails too. Before each check every output is poisoned, so that no
// version passes on what another left; what a device version left on the device is then copied
// to the host, where `check` finds it as it finds what a host version wrote.
#pragma once
#include "args.cuh"
#include "ceiling.cuh"
#include "compare.cuh"
#include "real.cuh"
#include "timing.cuh"

// A launcher that the CPU backend cannot have: its version is then shown as skipped.
#if ON_GPU
#    define GPU_ONLY(launch) launch
#else
#    define GPU_ONLY(launch) NULL
#endif

enum Where
{
    ON_DEVICE, // timed by events; its outputs are copied to the host
    ON_HOST
};

template <typename Problem>
struct Version
{
    const char *name;
    void (*launch)(Problem *);
    Where where = ON_DEVICE;
    double chain = 0.0;      // of a sum: the most additions that one element passes through
    const char *needs = "a GPU"; // why GPU_ONLY: "cuBLAS"
};

// What `check` returns for the table, beside the check_... it calls; NAN prints as nothing.
struct Outcome
{
    double result = NAN, error = NAN;
};

// Where a result lies: either may be NULL.
struct Output
{
    void *host, *device;
    size_t bytes;
};

enum Ceiling
{
    NO_CEILING,
    READ_CEILING,
    COPY_CEILING,
    MULTIPLY_ADD_CEILING
};

const int MAX_OUTPUTS = 4;

template <typename Problem>
struct Ladder
{
    Problem *problem;
    Outcome (*check)(const Problem *, const Version<Problem> *);
    void (*setup)(Problem *) = NULL; // untimed, before every launch: zeroed counters, say
    Output outputs[MAX_OUTPUTS] = {};
    double bytes = 0.0;        // that a launch has to read and write, for GB/s, ...
    double operations = 0.0;   // ... or operations, for GFLOP/s
    Ceiling ceiling = NO_CEILING;
};
