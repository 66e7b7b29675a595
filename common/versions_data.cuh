// A table of versions of one computation: each is checked, timed, and printed as a row.
//
//     struct Data // what the versions work on
//     {
//         size_t N;
//         const real *h_x, *d_x;
//         real *h_y, *d_y;
//         const double *reference;
//     };
//
//     void launch_plain(Data *data)
//     {
//         triple<<<data->grid_size, BLOCK_SIZE>>>(data->d_x, data->d_y, data->N);
//     }
//
//     void check_triples(Table<Data> *table, const Data *data)
//     {
//         check_elements(table->checking, data->h_y, data->reference, data->N);
//     }
//
//     const Version<Data> VERSIONS[] = {
//         {"cpu", "a loop on the host", ON_HOST, triple_on_host, check_triples},
//         {"plain", "a thread for each number", ON_DEVICE, launch_plain, check_triples},
//     };
//
//     add_versions(VERSIONS); // for -k and --help, before parse_args
//     ...
//     Table<Data> table;
//     table.data = &data;
//     table.outputs[0] = {h_y, d_y, bytes};
//     table.bytes = 2.0 * bytes;
//     table.ceiling = copy_ceiling; // of ceiling.cuh
//     run_versions(&table, VERSIONS);
//     return verdict();
//
// Every version is checked before any is timed. It is checked once more after its own timing, so
// one that is right only the first time fails too. Every output is poisoned before each check, so
// no version passes on what another one left. What a device version wrote is copied to the host,
// and its check finds it in the same place as the result of a host version.
#pragma once
#include <unistd.h>
#include "args.cuh"
#include "compare.cuh"
#include "real.cuh"
#include "timing.cuh"
#include "version_names.cuh"

// The old form, by templates, until the last chapter has left it: see versions.cuh.

enum RunsOn
{
    ON_HOST,  // timed by the host's clock; its outputs are on the host
    ON_DEVICE // timed by events; its outputs are on the device
};

template <typename Data>
struct Table;

// A row of the table. What is seldom needed comes last.
template <typename Data>
struct Version
{
    const char *name, *what; // the word for -k, and the sentence that --help shows
    RunsOn place;
    void (*run)(Data *data); // NULL: this version cannot be had here
    void (*check)(Table<Data> *table, const Data *data);
    bool (*can_run)(const Data *data); // NULL: always. Where it is false the row is skipped, ...
    const char *needs;                 // ... for want of this: "cuBLAS", "at most 1024 bins"
    bool starts_group;                 // "x before" compares no two groups
};

// Where a result lies: either place may be NULL.
struct OutputArray
{
    void *host, *device;
    size_t bytes;
};

const int MAX_OUTPUT_ARRAYS = 4;

// What all rows of a table have in common.
template <typename Data>
struct Table
{
    Data *data = NULL;
    void (*setup)(Data *data) = NULL; // untimed, before every run: zeroed counters, say
    OutputArray outputs[MAX_OUTPUT_ARRAYS] = {};
    double bytes = 0.0;      // that a run has to read and write, for GB/s, ...
    double operations = 0.0; // ... or operations, for GFLOP/s
    double each = 1.0;       // the rate counts things of so many operations each, ...
    const char *unit = NULL; // ... in this unit: "Gpair/s"
    double (*ceiling)(size_t bytes) =
        NULL;                     // read_ceiling, copy_ceiling, multiply_add_ceiling<real>
    double other_ceiling = NAN;   // with NULL: one that the program measured, in `unit`
    double cpu_ms = NAN;          // the host's time, where no version on the host is timed
    const char *what = REAL_NAME; // above the table: "exclusive sums of int"

    const char *checking = "";        // the name of the row that is checked
    double result = NAN, error = NAN; // of this row; a check may set them for the table
};

// The meaning of the table's columns, for --help.
const char *const TABLE_COLUMNS =
    "  result     what the version computed, if that is one number\n"
    "  error      how far the result is from the reference\n"
    "  ms         the median time of a run (on the CPU backend: CPU ms)\n"
    "  deviation  the standard deviation of these times\n"
    "  GB/s       bytes that have to be read and written, over the time; or GFLOP/s, ...\n"
    "  %          this rate in percent of the ceiling, which was measured on this device\n"
    "  x before   the time of the row before over this row's\n"
    "  x cpu      the time of the first row on the host over this row's\n";

// Gives the table's names and sentences to -k and --help. A program with two tables calls it twice.
template <typename Data, int COUNT>
void add_versions(const Version<Data> (&versions)[COUNT])
{
    for (const Version<Data> &version : versions)
    {
        add_row(version.name, version.what, version.needs, version.run == NULL);
    }
    args.table_columns = TABLE_COLUMNS;
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

template <typename Data>
bool can_run(const Version<Data> *version, const Data *data)
{
    return version->run != NULL && (version->can_run == NULL || version->can_run(data));
}

template <typename Data>
void set_up(const Table<Data> *table)
{
    if (table->setup != NULL)
    {
        table->setup(table->data);
    }
}

// Poison, run, copy back, check.
template <typename Data>
Checked check_version(Table<Data> *table, const Version<Data> *version)
{
    show_progress("checking", version->name);
    for (const OutputArray &output : table->outputs)
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
    set_up(table);
    version->run(table->data);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    for (const OutputArray &output : table->outputs)
    {
        if (version->place == ON_DEVICE && output.host != NULL && output.device != NULL)
        {
            CHECK(cudaMemcpy(output.host, output.device, output.bytes, cudaMemcpyDeviceToHost));
        }
    }

    const int checks_run = g_checks_run, checks_failed = g_checks_failed;
    table->checking = version->name;
    table->result = table->error = NAN;
    version->check(table, table->data);
    if (g_checks_run == checks_run)
    {
        check_true("a version whose check compares nothing", false);
    }
    return {table->result, table->error, g_checks_failed == checks_failed};
}

static inline bool is_selected(const char *name)
{
    return strcmp(args.version, "all") == 0 || strcmp(args.version, name) == 0;
}

// Whether there is a row that is asked for and can run.
template <typename Data, int COUNT>
bool any_can_run(const Data *data, const Version<Data> (&versions)[COUNT])
{
    for (const Version<Data> &version : versions)
    {
        if (is_selected(version.name) && can_run(&version, data))
        {
            return true;
        }
    }
    return false;
}

// Checks the selected versions and times none: for a second set of data, say of small integers.
template <typename Data, int COUNT>
void check_versions(Table<Data> *table, const Version<Data> (&versions)[COUNT],
                    Checked *checked = NULL)
{
    const char *needs = "";
    for (int i = 0; i < COUNT; ++i)
    {
        if (!is_selected(versions[i].name))
        {
            continue;
        }
        needs = versions[i].needs;
        if (can_run(&versions[i], table->data))
        {
            const Checked one = check_version(table, &versions[i]);
            if (checked != NULL)
            {
                checked[i] = one;
            }
        }
    }
    if (!any_can_run(table->data, versions))
    {
        fprintf(stderr, said("%s: version %s cannot run here: needs %s\n"), args.program,
                args.version, said(needs));
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

// A host version gets a tenth of the repeats, because it may take a hundred times as long.
template <typename Data>
Timing time_version(const Table<Data> *table, const Version<Data> *version)
{
    show_progress("timing", version->name);
    const auto run = [=]
    {
        version->run(table->data);
    };
    const auto setup = [=]
    {
        set_up(table);
    };
    return version->place == ON_HOST ? time_host(run, 1 + args.repeats / 10, setup)
                                     : time_kernel(run, args.repeats, setup);
}

static inline void print_titles(const char *what, double ceiling, const char *unit)
{
    char size[64], top[64] = "";
    if (args.K > 0)
    {
        snprintf(size, sizeof(size), "size = %zux%zux%zu", args.M, args.N, args.K);
    }
    else if (args.M > 0)
    {
        snprintf(size, sizeof(size), "size = %zux%zu", args.M, args.N);
    }
    else
    {
        snprintf(size, sizeof(size), "N = %zu", args.N);
    }
    if (!isnan(ceiling))
    {
        snprintf(top, sizeof(top), said(", ceiling %.1f %s"), ceiling, unit);
    }
    print_note("%s, %s, median of %zu repeats%s\n", said(what), size, args.repeats, top);
    printf(args.csv ? "version,result,error,%s,deviation,%s,%%,x before,x cpu,remark\n"
                    : "version                   result     error %10s deviation %9s     %% "
                      "x before   x cpu\n",
           TIME_UNIT, unit);
}

// Checks the selected versions, then times and prints them: the table.
template <typename Data, int COUNT>
void run_versions(Table<Data> *table, const Version<Data> (&versions)[COUNT])
{
    print_device_once();
    Checked checked[COUNT];
    check_versions(table, versions, checked);

    const bool csv = args.csv, computes = table->operations > 0.0;
    const double measured = table->ceiling ? table->ceiling(table->bytes) : table->other_ceiling;
    const double ceiling = measured / table->each;
    const double work = (computes ? table->operations : table->bytes) / table->each;
    const char *usual_unit = computes ? "GFLOP/s" : "GB/s";
    print_titles(table->what, ceiling, table->unit != NULL ? table->unit : usual_unit);
    double before = NAN, cpu = NAN; // ms
    for (int i = 0; i < COUNT; ++i)
    {
        const Version<Data> *version = &versions[i];
        if (!is_selected(version->name))
        {
            continue;
        }
        Timing time = {NAN, NAN, NAN, NAN, 0};
        if (checked[i].right)
        {
            time = time_version(table, version);
            checked[i] = check_version(table, version);
        }
        if (!checked[i].right) // what is wrong has no speed
        {
            time.median = time.deviation = NAN;
        }
        if (version->starts_group)
        {
            before = NAN;
        }
        if (version->place == ON_HOST && isnan(cpu))
        {
            cpu = time.median;
        }
        const double ms = time.median, rate = work > 0.0 ? work / ms * 1e-6 : NAN;
        const double percent = version->place == ON_HOST ? NAN : 100.0 * rate / ceiling;
        printf(csv ? "%s" : "%-16s", version->name);
        print_cell(csv, "%15.9g", checked[i].result);
        print_cell(csv, "%9.2g", checked[i].error);
        print_cell(csv, "%10.4g", ms);
        print_cell(csv, "%9.2g", time.deviation);
        print_cell(csv, "%9.1f", rate);
        print_cell(csv, "%5.1f", percent);
        print_cell(csv, "%8.2f", before / ms);
        print_cell(csv, "%7.2f", (isnan(cpu) ? table->cpu_ms : cpu) / ms);
        printf(csv ? "," : "  ");
        if (!can_run(version, table->data))
        {
            const char *skipped = csv ? "\"skipped: needs %s\"\n" : said("skipped: needs %s\n");
            printf(skipped, csv ? version->needs : said(version->needs));
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
