// A table of versions of one computation: each is checked, timed, and printed as a row.
//
//     const Version versions[] = {
//         on_host("cpu", [&] { triple_reference(h_x, h_y, N); }),
//         on_device("plain", [&] { triple<<<grid_size, block_size>>>(d_x, d_y, N); }),
//         skipped("library", "cuBLAS"), // where ON_GPU is 0
//     };
//     args.versions = version_names(versions); // for -k, before parse_args
//     ...
//     Ladder ladder;
//     ladder.check = [&] { check_elements(ladder.checking, h_y, reference, N); };
//     ladder.outputs[0] = {h_y, d_y, bytes};
//     ladder.bytes = 2.0 * bytes;
//     ladder.ceiling = COPY_CEILING;
//     run_versions(&args, &ladder, versions);
//     return verdict();
//
// The rows stand in main before the arguments are read. They hold main's variables by reference, so
// the launches see the values that main gives these later. Initialise the variables all the same.
//
// Every version is checked before any is timed. It is checked once more after its own timing, so
// one that is right only the first time fails too. Every output is poisoned before each check, so
// no version passes on what another one left. What a device version wrote is copied to the host,
// and `check` finds it in the same place as the result of a host version.
#pragma once
#include <unistd.h>
#include "args.cuh"
#include "ceiling.cuh"
#include "compare.cuh"
#include "real.cuh"
#include "timing.cuh"

// Any lambda without arguments, kept as long as the program runs. (std::function does the same,
// but its header makes a program take half as long again to compile.)
template <typename Result>
struct Closure
{
    Result (*call)(const void *lambda) = NULL;
    const void *lambda = NULL;

    Closure() = default;
    template <typename Lambda>
    Closure(Lambda given)
        : call([](const void *kept) { return (*(const Lambda *)kept)(); }),
          lambda(new Lambda(given))
    {
    }
    Result operator()() const
    {
        return call(lambda);
    }
    explicit operator bool() const
    {
        return call != NULL;
    }
};

typedef Closure<void> Step;
typedef Closure<bool> Condition;

// A row of the table.
struct Version
{
    const char *name;
    Step launch = {};          // none: always skipped
    Step check = {};           // of this row alone; none: the ladder's
    bool is_on_host = false;   // timed by the host's clock; wrote its outputs on the host
    Condition condition = {};  // the row is skipped where this is false
    const char *needs = "";    // what a skipped row lacks: "cuBLAS", "at most 1024 bins"
    bool starts_group = false; // "x before" compares no two groups

    // The row runs only where this holds: on_device(...).only_if([&] { return N <= 1024; }, "...").
    Version only_if(Condition holds, const char *what_it_needs) const
    {
        Version version = *this;
        version.condition = holds;
        version.needs = what_it_needs;
        return version;
    }

    // The first row of a group of rows.
    Version first_of_group(void) const
    {
        Version version = *this;
        version.starts_group = true;
        return version;
    }
};

// A version that runs on the device. `check` is for a row whose right answer is not the others'.
static inline __noinline__ Version on_device(const char *name, Step launch, Step check = Step())
{
    return {name, launch, check};
}

// A version that runs on the host.
static inline __noinline__ Version on_host(const char *name, Step launch, Step check = Step())
{
    return {name, launch, check, true};
}

// A version that cannot be had here.
static inline Version skipped(const char *name, const char *needs)
{
    Version version = {name};
    version.needs = needs;
    return version;
}

static inline bool can_run(const Version *version)
{
    return version->launch && (!version->condition || version->condition());
}

// Where a result lies: either place may be NULL.
struct OutputArray
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

const int MAX_OUTPUT_ARRAYS = 4;

// What all rows of a table have in common.
struct Ladder
{
    Step setup; // untimed, before every launch: zeroed counters, say
    Step check; // of the outputs, after a launch
    OutputArray outputs[MAX_OUTPUT_ARRAYS] = {};
    double bytes = 0.0;      // that a launch has to read and write, for GB/s, ...
    double operations = 0.0; // ... or operations, for GFLOP/s
    double each = 1.0;       // the rate counts things of so many operations each, ...
    const char *unit = NULL; // ... in this unit: "Gpair/s"
    Ceiling ceiling = NO_CEILING;
    double other_ceiling = NAN;   // with NO_CEILING: one that the program measured, in `unit`
    double cpu_ms = NAN;          // the host's time, where no version on the host is timed
    const char *what = REAL_NAME; // above the table: "exclusive sums of int"

    const char *checking = "";        // the name of the row that is checked
    double result = NAN, error = NAN; // of this row; a check may set them for the table
};

// The table's names, for args.versions.
template <int COUNT>
const char *version_names(const Version (&versions)[COUNT])
{
    static char names[1024] = "";
    size_t length = 0;
    for (const Version &version : versions)
    {
        length += snprintf(names + length, sizeof(names) - length, "%s%s", length > 0 ? " " : "",
                           version.name);
        if (length >= sizeof(names))
        {
            fprintf(stderr, "versions.cuh: the names of the versions are too long\n");
            exit(1);
        }
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

// What came out of a version's check.
struct Checked
{
    double result = NAN, error = NAN;
    bool right = false;
};

// Poison, launch, copy back, check.
static inline Checked check_version(Ladder *ladder, const Version *version)
{
    show_progress("checking", version->name);
    for (const OutputArray &output : ladder->outputs)
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
    if (ladder->setup)
    {
        ladder->setup();
    }
    version->launch();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    for (const OutputArray &output : ladder->outputs)
    {
        if (!version->is_on_host && output.host != NULL && output.device != NULL)
        {
            CHECK(cudaMemcpy(output.host, output.device, output.bytes, cudaMemcpyDeviceToHost));
        }
    }

    const int checks_run = g_checks_run, checks_failed = g_checks_failed;
    ladder->checking = version->name;
    ladder->result = ladder->error = NAN;
    if (version->check)
    {
        version->check();
    }
    else
    {
        ladder->check();
    }
    if (g_checks_run == checks_run)
    {
        check_true("a version whose check compares nothing", false);
    }
    return {ladder->result, ladder->error, g_checks_failed == checks_failed};
}

static inline bool is_selected(const Args *args, const Version *version)
{
    return strcmp(args->version, "all") == 0 || strcmp(args->version, version->name) == 0;
}

// Whether there is a row that is asked for and can run.
template <int COUNT>
bool any_can_run(const Args *args, const Version (&versions)[COUNT])
{
    for (const Version &version : versions)
    {
        if (is_selected(args, &version) && can_run(&version))
        {
            return true;
        }
    }
    return false;
}

// Checks the selected versions and times none: for a second set of data, say of small integers.
template <int COUNT>
void check_versions(const Args *args, Ladder *ladder, const Version (&versions)[COUNT],
                    Checked *checked = NULL)
{
    const char *needs = "";
    for (int i = 0; i < COUNT; ++i)
    {
        if (!is_selected(args, &versions[i]))
        {
            continue;
        }
        needs = versions[i].needs;
        if (can_run(&versions[i]))
        {
            const Checked one = check_version(ladder, &versions[i]);
            if (checked != NULL)
            {
                checked[i] = one;
            }
        }
    }
    if (!any_can_run(args, versions))
    {
        fprintf(stderr, "%s: version %s cannot run here: needs %s\n", args->program, args->version,
                needs);
        exit(77);
    }
}

// One number of a row. NAN is printed as nothing.
static inline __noinline__ void print_cell(bool csv, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof(text), format, value);
    const char *shown = isnan(value) ? "" : text + strspn(text, " ");
    if (csv)
    {
        printf(",%s", shown);
    }
    else
    {
        printf(" %*s", (int)strlen(text), shown);
    }
}

static inline double ladder_ceiling(const Ladder *ladder)
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

// A host version gets a tenth of the repeats, because it may take a hundred times as long.
static inline Timing time_version(const Args *args, const Ladder *ladder, const Version *version)
{
    show_progress("timing", version->name);
    const auto setup = [&]
    {
        if (ladder->setup)
        {
            ladder->setup();
        }
    };
    return version->is_on_host ? time_host(version->launch, 1 + args->repeats / 10, setup)
                               : time_kernel(version->launch, args->repeats, setup);
}

static inline void print_titles(const Args *args, const char *what, double ceiling,
                                const char *unit)
{
    char size[64], top[64] = "";
    if (args->K > 0)
    {
        snprintf(size, sizeof(size), "size = %zux%zux%zu", args->M, args->N, args->K);
    }
    else if (args->M > 0)
    {
        snprintf(size, sizeof(size), "size = %zux%zu", args->M, args->N);
    }
    else
    {
        snprintf(size, sizeof(size), "N = %zu", args->N);
    }
    if (!isnan(ceiling))
    {
        snprintf(top, sizeof(top), ", ceiling %.1f %s", ceiling, unit);
    }
    print_note("%s, %s, median of %zu repeats%s\n", what, size, args->repeats, top);
    printf(args->csv ? "version,result,error,%s,deviation,%s,%%,x before,x cpu,remark\n"
                     : "version                   result     error %10s deviation %9s     %% "
                       "x before   x cpu\n",
           TIME_UNIT, unit);
}

// Checks the selected versions, then times and prints them: the table.
template <int COUNT>
void run_versions(const Args *args, Ladder *ladder, const Version (&versions)[COUNT])
{
    print_device_once();
    Checked checked[COUNT];
    check_versions(args, ladder, versions, checked);

    const bool csv = args->csv, computes = ladder->operations > 0.0;
    const double ceiling = ladder_ceiling(ladder) / ladder->each;
    const double work = (computes ? ladder->operations : ladder->bytes) / ladder->each;
    const char *usual_unit = computes ? "GFLOP/s" : "GB/s";
    print_titles(args, ladder->what, ceiling, ladder->unit != NULL ? ladder->unit : usual_unit);
    double before = NAN, cpu = NAN; // ms
    for (int i = 0; i < COUNT; ++i)
    {
        const Version *version = &versions[i];
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
        if (!checked[i].right) // what is wrong has no speed
        {
            time.median = time.deviation = NAN;
        }
        if (version->starts_group)
        {
            before = NAN;
        }
        if (version->is_on_host && isnan(cpu))
        {
            cpu = time.median;
        }
        const double ms = time.median, rate = work > 0.0 ? work / ms * 1e-6 : NAN;
        const double percent = version->is_on_host ? NAN : 100.0 * rate / ceiling;
        printf(csv ? "%s" : "%-16s", version->name);
        print_cell(csv, "%15.9g", checked[i].result);
        print_cell(csv, "%9.2g", checked[i].error);
        print_cell(csv, "%10.4g", ms);
        print_cell(csv, "%9.2g", time.deviation);
        print_cell(csv, "%9.1f", rate);
        print_cell(csv, "%5.1f", percent);
        print_cell(csv, "%8.2f", before / ms);
        print_cell(csv, "%7.2f", (isnan(cpu) ? ladder->cpu_ms : cpu) / ms);
        printf(csv ? "," : "  ");
        if (!can_run(version))
        {
            printf(csv ? "\"skipped: needs %s\"\n" : "skipped: needs %s\n", version->needs);
        }
        else
        {
            printf("%s\n", checked[i].right ? "" : "WRONG");
        }
        fflush(stdout);
        if (!isnan(ms))
        {
            before = ms;
        }
    }
}
