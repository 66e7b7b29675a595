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
#include <unistd.h>
#include "args.cuh"
#include "ceiling.cuh"
#include "compare.cuh"
#include "real.cuh"
#include "timing.cuh"

// A launcher that the CPU backend cannot have: its version is then shown as skipped.
#if ON_GPU
#define GPU_ONLY(launch) launch
#else
#define GPU_ONLY(launch) NULL
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
    double chain = 0.0;          // of a sum: the most additions that one element passes through
    const char *needs = "a GPU"; // why GPU_ONLY: "cuBLAS"
    bool first = false;          // of a group: not compared with the version before
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
    double bytes = 0.0;      // that a launch has to read and write, for GB/s, ...
    double operations = 0.0; // ... or operations, for GFLOP/s
    double each = 1.0;       // the rate counts things of so many operations each, ...
    const char *unit = NULL; // ... in this unit: "Gpair/s"
    Ceiling ceiling = NO_CEILING;
    const char *what = REAL_NAME; // above the table: "exclusive sums of int"
    double other_ceiling = NAN; // with NO_CEILING: one that the program measured, in the same unit
    double cpu_ms = NAN;        // the host's time, where no version on the host is timed
};

// The table's names, for args.versions.
template <typename Problem, int COUNT>
const char *version_names(const Version<Problem> (&versions)[COUNT])
{
    static char names[1024] = "";
    for (const Version<Problem> &version : versions)
    {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof(names) - length, "%s%s", length > 0 ? " " : "",
                 version.name);
    }
    return names;
}

static inline void show_progress(const char *what, const char *name)
{
    if (isatty(STDERR_FILENO))
    {
        fprintf(stderr, "%s %-40s\r", what, name);
    }
}

// What came out of a version: what its `check` returned, and whether all of it was right.
struct Checked
{
    Outcome outcome;
    bool right = false;
};

// Poison, launch, copy back, check.
template <typename Problem>
Checked check_version(const Ladder<Problem> *ladder, const Version<Problem> *version)
{
    show_progress("checking", version->name);
    for (const Output &output : ladder->outputs)
    {
        if (output.host != NULL)
        {
            poison(output.host, output.bytes);
        }
        if (output.device != NULL)
        {
            CHECK(cudaMemset(output.device, POISON_BYTE, output.bytes));
        }
    }
    if (ladder->setup != NULL)
    {
        ladder->setup(ladder->problem);
    }
    version->launch(ladder->problem);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    for (const Output &output : ladder->outputs)
    {
        if (version->where == ON_DEVICE && output.host != NULL && output.device != NULL)
        {
            CHECK(cudaMemcpy(output.host, output.device, output.bytes, cudaMemcpyDeviceToHost));
        }
    }
    const int checks_run = g_checks_run, checks_failed = g_checks_failed;
    Checked checked;
    checked.outcome = ladder->check(ladder->problem, version);
    if (g_checks_run == checks_run)
    {
        check_true("a version whose check compares nothing", false);
    }
    checked.right = g_checks_failed == checks_failed;
    return checked;
}

template <typename Problem>
bool is_selected(const Args *args, const Version<Problem> *version)
{
    return strcmp(args->version, "all") == 0 || strcmp(args->version, version->name) == 0;
}

// Checks the selected versions and times none: for a second set of data, say of small integers.
template <typename Problem, int COUNT>
void check_versions(const Args *args, const Ladder<Problem> *ladder,
                    const Version<Problem> (&versions)[COUNT], Checked *checked = NULL)
{
    int num_checked = 0;
    const char *needs = "";
    for (int i = 0; i < COUNT; ++i)
    {
        const bool selected = is_selected(args, &versions[i]);
        needs = selected ? versions[i].needs : needs;
        if (selected && versions[i].launch != NULL)
        {
            const Checked one = check_version(ladder, &versions[i]);
            if (checked != NULL)
            {
                checked[i] = one;
            }
            ++num_checked;
        }
    }
    if (num_checked == 0)
    {
        fprintf(stderr, "%s: version %s cannot run here: needs %s\n", args->program, args->version,
                needs);
        exit(77);
    }
}

// One number of a row; NAN is printed as nothing.
static inline void print_cell(bool csv, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof(text), format, value);
    const char *shown = isnan(value) ? "" : text + strspn(text, " ");
    csv ? printf(",%s", shown) : printf(" %*s", (int)strlen(text), shown);
}

template <typename Problem>
double ladder_ceiling(const Ladder<Problem> *ladder)
{
    switch (ladder->ceiling)
    {
    case READ_CEILING:
        return read_ceiling(ladder->bytes);
    case COPY_CEILING:
        return copy_ceiling(ladder->bytes);
    case MULTIPLY_ADD_CEILING:
        return multiply_add_ceiling<real>();
    default:
        return ladder->other_ceiling;
    }
}

// A host version gets a tenth of the repeats: it may take a hundred times as long.
template <typename Problem>
Timing time_version(const Args *args, const Ladder<Problem> *ladder,
                    const Version<Problem> *version)
{
    show_progress("timing", version->name);
    const auto launch = [&]
    {
        version->launch(ladder->problem);
    };
    const auto setup = [&]
    {
        ladder->setup != NULL ? ladder->setup(ladder->problem) : (void)0;
    };
    return version->where == ON_DEVICE ? time_kernel(launch, args->repeats, setup)
                                       : time_host(launch, 1 + args->repeats / 10, setup);
}

static inline void print_titles(const Args *args, const char *what, double ceiling,
                                const char *unit)
{
    printf("%s%s, %s = ", g_verdict_prefix, what, args->M > 0 ? "size" : "N");
    args->M > 0 ? printf("%zux%zu", args->M, args->N) : printf("%zu", args->N);
    args->K > 0 ? printf("x%zu", args->K) : 0;
    printf(", median of %zu repeats", args->repeats);
    isnan(ceiling) ? printf("\n") : printf(", ceiling %.1f %s\n", ceiling, unit);
    printf(args->csv ? "version,result,error,%s,deviation,%s,%%,x before,x cpu,remark\n"
                     : "version                   result     error %10s deviation %9s     %% "
                       "x before   x cpu\n",
           TIME_UNIT, unit);
}

inline bool g_device_printed = false; // above the first table is enough

// Checks the selected versions, then times and prints them: the table.
template <typename Problem, int COUNT>
void run_versions(const Args *args, const Ladder<Problem> *ladder,
                  const Version<Problem> (&versions)[COUNT])
{
    const bool csv = args->csv;
    g_verdict_prefix = csv ? "# " : "";
    if (!g_device_printed)
    {
        print_device(g_verdict_prefix);
        g_device_printed = true;
    }
    Checked checked[COUNT];
    check_versions(args, ladder, versions, checked);

    const bool computes = ladder->operations > 0.0;
    const double ceiling = ladder_ceiling(ladder) / ladder->each;
    const double work = (computes ? ladder->operations : ladder->bytes) / ladder->each;
    const char *usual = computes ? "GFLOP/s" : "GB/s";
    print_titles(args, ladder->what, ceiling, ladder->unit != NULL ? ladder->unit : usual);
    double before = NAN, cpu = NAN; // ms
    for (int i = 0; i < COUNT; ++i)
    {
        const Version<Problem> *version = &versions[i];
        if (!is_selected(args, version))
        {
            continue;
        }
        Timing time = {NAN, NAN, NAN, NAN, 0};
        if (checked[i].right)
        {
            time = time_version(args, ladder, version);
            checked[i] = check_version(ladder, version);
        }
        const bool right = checked[i].right;
        const double ms = right ? time.median : NAN; // what is wrong has no speed
        const double rate = work > 0.0 ? work / ms * 1e-6 : NAN;
        before = version->first ? NAN : before;
        cpu = version->where == ON_HOST && isnan(cpu) ? ms : cpu;
        const double host = isnan(cpu) ? ladder->cpu_ms : cpu;
        printf(csv ? "%s" : "%-16s", version->name);
        print_cell(csv, "%15.9g", checked[i].outcome.result);
        print_cell(csv, "%9.2g", checked[i].outcome.error);
        print_cell(csv, "%10.4g", ms);
        print_cell(csv, "%9.2g", right ? time.deviation : NAN);
        print_cell(csv, "%9.1f", rate);
        print_cell(csv, "%5.1f", version->where == ON_DEVICE ? 100.0 * rate / ceiling : NAN);
        print_cell(csv, "%8.2f", before / ms);
        print_cell(csv, "%7.2f", host / ms);
        printf(csv ? "," : "  ");
        const char *skipped = csv ? "\"skipped: needs %s\"\n" : "skipped: needs %s\n";
        version->launch == NULL ? printf(skipped, version->needs)
                                : printf("%s\n", right ? "" : "WRONG");
        fflush(stdout);
        before = isnan(ms) ? before : ms;
    }
}
