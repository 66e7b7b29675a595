// A table of versions of one computation: each is checked, timed, and printed as a row.
//
//     void run_plain(void) { triple<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, N); }
//     void check(void) { check_elements(g_row, h_y, reference, N); } // g_row: the name of the row
//
//     const Version VERSIONS[] = {
//         {"cpu", "a loop on the host", run_cpu, check, ON_HOST},
//         {"plain", "a thread for each number", run_plain, check},
//     };
//     const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);
//
//     add_versions(VERSIONS, NUM_VERSIONS); // for -k and --help, before parse_args
//     ...
//     Table table = {};
//     table.outputs[0] = {h_y, d_y, bytes};
//     table.bytes = 2.0 * bytes;
//     table.ceiling = copy_ceiling(2 * bytes); // of ceiling.cuh
//     run_versions(&table, VERSIONS, NUM_VERSIONS);
//     return verdict();
//
// Every version is checked before any is timed. It is checked once more after its own timing, so
// one that is right only the first time fails too. Every output is poisoned before each check, and
// so is the memory that a version will allocate. So no version passes on what another one left.
// What a version on the device wrote is copied to the host, and its check finds it in the same
// place as the result of a version on the host.
#pragma once
#include <unistd.h>
#include "args.cuh"
#include "compare.cuh"
#include "counted.cuh"
#include "real.cuh"
#include "table.cuh"
#include "timing.cuh"
#include "version_names.cuh"

enum RunsOn
{
    ON_DEVICE,  // timed by events; its outputs are on the device
    BY_LIBRARY, // the same, but its kernels are not ours: a CPU does not count them
    ON_HOST     // timed by the host's clock; its outputs are on the host
};

// A row of the table. What is seldom needed comes last.
struct Version
{
    const char *name, *what; // the word for -k, and the sentence that --help shows
    void (*run)(void);       // NULL: this version cannot be had here, for want of `needs`
    void (*check)(void);     // of its result
    RunsOn place;            // ON_DEVICE if it is left out
    bool (*can_run)(void);   // NULL: always. Where it is false the row is skipped, ...
    const char *needs;       // ... for want of this: "cuBLAS", "at most 1024 bins"
    bool starts_group;       // "x before" compares no two groups
    const char *uncounted; // what makes it fast and is not counted on a CPU: "more loads under way"
};

// Where a result lies: either place may be NULL.
struct OutputArray
{
    void *host, *device;
    size_t bytes;
};

const int MAX_OUTPUT_ARRAYS = 4;
const int MAX_TEMPORARIES = 6;

// What all rows of a table have in common.
struct Table
{
    void (*set_up)(void); // before each run, not timed: zeroed counters, say; NULL: nothing
    OutputArray outputs[MAX_OUTPUT_ARRAYS];
    size_t temporaries[MAX_TEMPORARIES]; // bytes of each array that a version allocates by itself
    double bytes;                        // that a run has to read and write, for GB/s, ...
    double operations;                   // ... or operations, for GFLOP/s
    double ceiling;                      // of this rate, in GB/s or GFLOP/s; 0: not known
    double each;        // the rate counts things of so many operations each; 0: of one, ...
    const char *unit;   // ... in this unit: "Gpair/s"; NULL: GB/s or GFLOP/s
    double cpu_ms;      // the host's time, where no version on the host is timed; 0: none
    const char *what;   // above the table: "exclusive sums of int"; NULL: the name of `real`
    size_t element;     // bytes that a thread loads at a time, as a rule; 0: those of a `real`
    const char *told;   // options of the program's own that `what` tells: "bins data"
    const char *always; // keys of counts that are shown in any case: "together"
    bool shows_result;  // also where there is no GPU: pi, say
};

// The meaning of the table's columns, for --help.
const char *const TABLE_COLUMNS =
    "  result     what the version computed, if that is one number\n"
    "  error      how far the result is from the reference\n"
    "  ms         the median time of a run\n"
    "  deviation  the standard deviation of these times\n"
    "  GB/s       bytes that have to be read and written, over the time; or GFLOP/s, ...\n"
    "  %          this rate in percent of the ceiling, which was measured on this device\n"
    "  x before   the time of the row before over this row's\n"
    "  x cpu      the time of the first row on the host over this row's\n";

// ---- Which rows there are ----

struct VersionArray
{
    const Version *versions;
    int count;
};

const int MAX_TABLES = 8;
static VersionArray g_tables[MAX_TABLES]; // of this program
static int g_num_tables;

// Gives the table's names and sentences to -k and --help. A program with two tables calls it twice.
static inline void add_versions(const Version *versions, int count)
{
    for (int i = 0; i < count; ++i)
    {
        add_row(versions[i].name, versions[i].what, versions[i].needs, versions[i].run == NULL);
    }
    if (g_num_tables == MAX_TABLES)
    {
        fprintf(stderr, "versions.cuh: more than %d tables\n", MAX_TABLES);
        exit(1);
    }
    g_tables[g_num_tables++] = {versions, count};
    args.table_columns = ON_GPU ? TABLE_COLUMNS : COUNTED_COLUMNS;
}

static inline bool is_selected(const char *name)
{
    return strcmp(args.version, "all") == 0 || strcmp(args.version, name) == 0;
}

static inline bool can_run(const Version *version)
{
    return version->run != NULL && (version->can_run == NULL || version->can_run());
}

// Whether there is a row that is asked for and can run.
static inline bool any_can_run(const Version *versions, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (is_selected(versions[i].name) && can_run(&versions[i]))
        {
            return true;
        }
    }
    return false;
}

// Ends the program with status 77 if no table has a row that is asked for and can run.
static inline void require_versions(void)
{
    const char *needs = "";
    for (int t = 0; t < g_num_tables; ++t)
    {
        const Version *versions = g_tables[t].versions;
        const int count = g_tables[t].count;
        if (any_can_run(versions, count))
        {
            return;
        }
        for (int i = 0; i < count; ++i)
        {
            needs = is_selected(versions[i].name) ? versions[i].needs : needs;
        }
    }
    fprintf(stderr, said("%s: version %s cannot run here: needs %s\n"), args.program, args.version,
            said(needs));
    exit(77);
}

// ---- Checking ----

// A version that allocates may get the memory of the version before it, with that one's result in
// it. So this memory is allocated, poisoned and freed before.
static inline void spoil_temporaries(const Table *table)
{
    void *memory[MAX_TEMPORARIES] = {};
    for (int i = 0; i < MAX_TEMPORARIES && table->temporaries[i] > 0; ++i)
    {
        CHECK(cudaMalloc(&memory[i], table->temporaries[i]));
        CHECK(cudaMemset(memory[i], POISON_BYTE, table->temporaries[i]));
    }
    for (int i = MAX_TEMPORARIES - 1; i >= 0; --i)
    {
        CHECK(cudaFree(memory[i])); // of NULL it does nothing
    }
}

static inline void poison_outputs(const Table *table)
{
    for (int i = 0; i < MAX_OUTPUT_ARRAYS; ++i)
    {
        const OutputArray *output = &table->outputs[i];
        if (output->host != NULL)
        {
            poison(output->host, output->bytes);
        }
        if (output->device != NULL)
        {
            CHECK(cudaMemset(output->device, POISON_BYTE, output->bytes));
        }
    }
}

static inline void copy_outputs(const Table *table)
{
    for (int i = 0; i < MAX_OUTPUT_ARRAYS; ++i)
    {
        const OutputArray *output = &table->outputs[i];
        if (output->host != NULL && output->device != NULL)
        {
            CHECK(cudaMemcpy(output->host, output->device, output->bytes, cudaMemcpyDeviceToHost));
        }
    }
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
    double result, error;
    bool is_right;
};

// Poison, run, copy back, check.
static inline Checked check_version(const Table *table, const Version *version)
{
    if (only_counts()) // the program that has started this one checks
    {
        return {NAN, NAN, true};
    }
    show_progress("checking", version->name);
    poison_outputs(table);
    spoil_temporaries(table);
    if (table->set_up != NULL)
    {
        table->set_up();
    }
    version->run();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    if (version->place != ON_HOST)
    {
        copy_outputs(table);
    }

    const int checks_run = g_checks_run, checks_failed = g_checks_failed;
    g_row = version->name;
    g_result = g_error = NAN;
    version->check();
    if (g_checks_run == checks_run)
    {
        check_true("a version whose check compares nothing", false);
    }
    return {g_result, g_error, g_checks_failed == checks_failed};
}

// Checks the selected versions and times none: for a second set of data, say of small integers. What
// came out goes to `checked`, if that is not NULL.
static inline void check_versions(const Table *table, const Version *versions, int count,
                                  Checked *checked = NULL)
{
    require_versions();
    for (int i = 0; i < count; ++i)
    {
        Checked one = {NAN, NAN, false};
        if (is_selected(versions[i].name) && can_run(&versions[i]))
        {
            one = check_version(table, &versions[i]);
        }
        if (checked != NULL)
        {
            checked[i] = one;
        }
    }
}

// ---- The table ----

// A host version gets a tenth of the repeats, because it may take a hundred times as long.
static inline Timer time_version(const Table *table, const Version *version)
{
    show_progress("timing", version->name);
    Timer timer =
        version->place == ON_HOST ? new_host_timer(1 + args.repeats / 10) : new_timer(args.repeats);
    while (next_run(&timer))
    {
        if (table->set_up != NULL)
        {
            table->set_up();
            begin_timing(&timer);
        }
        version->run();
    }
    return timer;
}

static inline void size_text(char *text, size_t size)
{
    if (args.K > 0)
    {
        snprintf(text, size, said("size = %zux%zux%zu"), args.M, args.N, args.K);
    }
    else if (args.M > 0)
    {
        snprintf(text, size, said("size = %zux%zu"), args.M, args.N);
    }
    else
    {
        snprintf(text, size, "N = %zu", args.N);
    }
}

// The line above the titles.
static inline void print_what(const char *what, double ceiling, const char *unit)
{
    char size[64], top[64] = "";
    size_text(size, sizeof(size));
    if (ceiling > 0.0)
    {
        snprintf(top, sizeof(top), said(", ceiling %.1f %s"), ceiling, unit);
    }
    print_note("%s, %s, median of %zu repeats%s\n", said(what), size, args.repeats, top);
}

// A number, or NAN in place of 0, which means that the table has none.
static inline double or_none(double value) { return value > 0.0 ? value : NAN; }

static inline const char *remark_on(const Version *version, bool is_right)
{
    static char text[256];
    if (can_run(version))
    {
        return is_right ? "" : "WRONG";
    }
    snprintf(text, sizeof(text), args.csv ? "skipped: needs %s" : said("skipped: needs %s"),
             args.csv ? version->needs : said(version->needs));
    return text;
}

// Whether the table is to be counted: there is no GPU, and not all of it is work of the host.
static inline bool is_to_be_counted(const Version *versions, int count)
{
    bool has_kernels = false;
    for (int i = 0; i < count; ++i)
    {
        has_kernels = has_kernels || versions[i].place != ON_HOST;
    }
    return !ON_GPU && has_kernels;
}

// The table without a GPU: one run of each version is counted, none is timed. As where it is timed, each is
// checked again behind this run.
static inline void count_versions(const Table *table, const Version *versions, int count,
                                  Checked *checked, int number)
{
    CountedTable counted = {};
    counted.what = table->what != NULL ? table->what : REAL_NAME;
    counted.element = table->element > 0 ? table->element : sizeof(real);
    counted.always = table->always;
    counted.titles = card_table(counted.what, number);
    counted.shows_result = table->shows_result;
    size_text(counted.size, sizeof(counted.size));
    for (int i = 0; i < count; ++i)
    {
        const Version *version = &versions[i];
        if (!is_selected(version->name))
        {
            continue;
        }
        Counts counts = {};
        if (can_run(version) && version->place == ON_DEVICE)
        {
            counts = time_version(table, version).counts;
        }
        if (checked[i].is_right)
        {
            checked[i] = check_version(table, version);
        }
        CountedRow row = {version->name, "", checked[i].result, checked[i].error, NAN};
        row.counts = counts;
        const bool is_shown = checked[i].is_right || !can_run(version);
        if (version->place != ON_HOST && is_shown && !is_another_run(table->told))
        {
            row.ms = card_ms(counted.titles, version->name);
        }
        row.uncounted = version->place != BY_LIBRARY ? version->uncounted
                        : args.csv                   ? "not counted: a library"
                                                     : said("not counted: a library");
        row.remark = strdup(remark_on(version, checked[i].is_right));
        row.counts.is_known = row.counts.is_known && checked[i].is_right;
        counted.rows[counted.count++] = row;
    }
    print_counted(&counted);
}

// Checks the selected versions, then times and prints them: the table.
static inline void run_versions(const Table *table, const Version *versions, int count)
{
    static int number = -1; // of this table
    ++number;
    require_versions();
    if (!any_can_run(versions, count)) // another table has the row that is asked for
    {
        return;
    }
    print_device_once();
    Checked checked[MAX_VERSIONS];
    check_versions(table, versions, count, checked);
    if (is_to_be_counted(versions, count))
    {
        count_versions(table, versions, count, checked, number);
        return;
    }

    const bool computes = table->operations > 0.0;
    const double each = table->each > 0.0 ? table->each : 1.0;
    const double work = (computes ? table->operations : table->bytes) / each;
    const double ceiling = table->ceiling / each;
    const char *unit = table->unit != NULL ? table->unit : computes ? "GFLOP/s" : "GB/s";
    print_what(table->what != NULL ? table->what : REAL_NAME, ceiling, unit);
    const Column COLUMNS[] = {{"version", "%-16s"},  {"result", "%15.9g"},   {"error", "%9.2g"},
                              {TIME_UNIT, "%10.4g"}, {"deviation", "%9.2g"}, {unit, "%9.1f"},
                              {"%", "%5.1f"},        {"x before", "%8.2f"},  {"x cpu", "%7.2f"},
                              {"remark", " %s"}};
    begin_table(COLUMNS, 10);
    double before = NAN, cpu = or_none(table->cpu_ms); // ms
    bool has_cpu_row = false;
    for (int i = 0; i < count; ++i)
    {
        const Version *version = &versions[i];
        if (!is_selected(version->name))
        {
            continue;
        }
        double ms = NAN, deviation = NAN;
        if (checked[i].is_right)
        {
            const Timer timer = time_version(table, version);
            checked[i] = check_version(table, version);
            ms = checked[i].is_right ? timer.median : NAN; // what is wrong has no speed
            deviation = checked[i].is_right ? timer.deviation : NAN;
        }
        before = version->starts_group ? NAN : before;
        if (version->place == ON_HOST && !has_cpu_row && !isnan(ms))
        {
            cpu = ms;
            has_cpu_row = true;
        }
        const double rate = rate_of(work, ms);
        put_text(version->name);
        put(checked[i].result);
        put(checked[i].error);
        put(ms);
        put(deviation);
        put(rate);
        put(version->place == ON_HOST ? NAN : percent_of(rate, ceiling));
        put(times_as_fast(before, ms));
        put(times_as_fast(cpu, ms));
        put_text(remark_on(version, checked[i].is_right));
        end_row();
        before = isnan(ms) ? before : ms;
    }
}
