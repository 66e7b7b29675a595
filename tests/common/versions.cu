// versions: a table that finds every kind of wrong version, and prints what it should

#include <math.h>
#include <string.h>
#include "../../common/ceiling.cuh"
#include "../../common/data.cuh"
#include "../../common/largest_error.cuh"
#include "../../common/versions.cuh"
#include "child.cuh"

__global__ void triple(const float *x, float *y, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        y[n] = 3.0f * x[n];
    }
}

__global__ void fill(float *y, float value, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        y[n] = value;
    }
}

const int N = 1000, BLOCK_SIZE = 128, GRID_SIZE = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;

static float *h_x, *h_y, *reference, *d_x, *d_y;
static float *d_kept; // of a version that allocates: see keep
static bool with_check;
static int launches, setups;
static bool is_set_up;

static void triple_first(int count) { triple<<<GRID_SIZE, BLOCK_SIZE>>>(d_x, d_y, count); }

static void run_cpu(void)
{
    for (int n = 0; n < N; ++n)
    {
        h_y[n] = 3.0f * h_x[n];
    }
}

static void run_plain(void) { triple_first(N); }
static void run_nothing(void) {}
static void run_partly(void) { triple_first(N - 1); }
static void run_nan(void) { fill<<<GRID_SIZE, BLOCK_SIZE>>>(d_y, NAN, N); }
static void run_once(void) { triple_first(launches++ == 0 ? N : N - 1); }
static void run_copy(void)
{
    CHECK(cudaMemcpyAsync(d_y, d_x, N * sizeof(float), cudaMemcpyDeviceToDevice));
}

// Without the set-up before each run it would be right once.
static void run_unset(void)
{
    triple_first(is_set_up ? N : 0);
    is_set_up = false;
}

// The result goes to memory of its own, from where it is copied. Where nothing is launched, this memory
// may still have the result of the run before.
static void triple_in_own_memory(bool launches_it)
{
    CHECK(cudaMalloc(&d_kept, N * sizeof(float)));
    if (launches_it)
    {
        triple<<<GRID_SIZE, BLOCK_SIZE>>>(d_x, d_kept, N);
    }
    CHECK(cudaMemcpy(d_y, d_kept, N * sizeof(float), cudaMemcpyDeviceToDevice));
    CHECK(cudaFree(d_kept));
}

static void run_allocates(void) { triple_in_own_memory(true); }
static void run_stale(void) { triple_in_own_memory(false); }

static void count_setup(void)
{
    is_set_up = true;
    ++setups;
}

static void check_triples(void)
{
    if (with_check)
    {
        check_elements(g_row, h_y, reference, N);
        g_result = -2.13993418e+09; // one of the widest that a sum of floats has come to
        g_error = largest_error(h_y, reference, N);
    }
}

static void check_copy(void) { check_elements("copy", h_y, h_x, N); }
static bool is_small(void) { return N <= 10; }
static bool is_large(void) { return N > 10; }

const Version VERSIONS[] = {
    {"cpu", "a loop", run_cpu, check_triples, ON_HOST},
    {"plain", "a thread each", run_plain, check_triples},
    {"nothing", "relies on the row before", run_nothing, check_triples},
    {"allocates", "has memory of its own", run_allocates, check_triples},
    {"stale", "relies on what that memory held", run_stale, check_triples},
    {"partly", "one too few", run_partly, check_triples},
    {"nan", "no numbers", run_nan, check_triples},
    {"once", "right the first time", run_once, check_triples},
    {"copy", "another right answer", run_copy, check_copy, ON_DEVICE, NULL, "", true},
    {"unset", "wants its setup", run_unset, check_triples},
    {"small", "for few", run_plain, check_triples, ON_DEVICE, is_small, "10 elements at most"},
    {"large", "for many", run_plain, check_triples, ON_DEVICE, is_large, "more"},
    {"library", "not to be had", NULL, check_triples, ON_DEVICE, NULL, "a library, or two"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// A second table: of the rows that are asked for it may have others than the first.
const Version OTHERS[] = {
    {"other", "of the second table", run_plain, check_triples},
    {"small", "for few, here too", run_plain, check_triples, ON_DEVICE, is_small, "few elements"},
};
const int NUM_OTHERS = sizeof(OTHERS) / sizeof(OTHERS[0]);

// The program: the tables over `-k version`, as text or as --csv.
static int program(const char *version, bool csv, bool is_checked, bool has_two)
{
    char *argv[] = {(char *)"test", (char *)"-k", (char *)version, (char *)"--csv", NULL};
    args.N = N;
    args.repeats = 3;
    add_versions(VERSIONS, NUM_VERSIONS);
    if (has_two)
    {
        add_versions(OTHERS, NUM_OTHERS);
    }
    parse_args(csv ? 4 : 3, argv, "-k NAME --csv", "test");

    const size_t bytes = N * sizeof(float);
    with_check = is_checked;
    h_x = (float *)malloc(bytes);
    h_y = (float *)malloc(bytes);
    reference = (float *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    fill_random(h_x, N, 1);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    for (int n = 0; n < N; ++n)
    {
        reference[n] = 3.0f * h_x[n];
    }

    Table table = {};
    table.set_up = count_setup;
    table.outputs[0] = {h_y, d_y, bytes};
    table.temporaries[0] = bytes;
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    if (has_two)
    {
        run_versions(&table, OTHERS, NUM_OTHERS);
    }
    print_note("%d setups\n", setups);
    return verdict();
}

static Child run_program(const char *version, bool csv = false, bool is_checked = true,
                         bool has_two = false)
{
    return run_child([&] { return program(version, csv, is_checked, has_two); });
}

// Columns of a line: one more than its commas, of which those between quotes do not count.
static int columns_of(const char *line)
{
    int columns = 1;
    bool quoted = false;
    for (; *line != '\n' && *line != '\0'; ++line)
    {
        quoted = quoted != (*line == '"');
        columns += *line == ',' && !quoted;
    }
    return columns;
}

// How long the line is that begins with this word.
static size_t length_of(const char *output, const char *word)
{
    char start[32];
    snprintf(start, sizeof(start), "\n%s ", word);
    const char *line = strstr(output, start);
    return line != NULL ? strcspn(line + 1, "\n") : 0;
}

int main(void)
{
    const Child plain = run_program("plain");
    if (plain.status == 77)
    {
        fprintf(stderr, "%s", plain.output);
        return 77;
    }
    printf("%s", plain.output);
    check_true("a right version passes", plain.status == 0);
    check_true("checked before and after its timing", strstr(plain.output, "PASS: 2 checks"));
    check_true("the first line names the device", strncmp(plain.output, "device: ", 8) == 0);
    const size_t blanks = ON_GPU ? 2 : 0; // before the remark
    check_true("columns are as wide as what stands in them",
               length_of(plain.output, "plain") == length_of(plain.output, "version") + blanks);
    check_true("others are not run", strstr(plain.output, "cpu  ") == NULL);
    check_true("without a GPU nothing is timed",
               (strstr(plain.output, " ms ") != NULL) == (ON_GPU != 0));
    for (const char *right : {"cpu", "copy", "unset", "large", "allocates"})
    {
        const Child child = run_program(right);
        check_true(right, child.status == 0);
    }
    // checked, warmed up, timed three times, checked again; or checked, counted, checked again
    const char *all_setups = ON_GPU ? "\n6 setups\n" : "\n3 setups\n";
    check_true("a setup for each launch", strstr(plain.output, all_setups) != NULL);
    for (const char *wrong : {"nothing", "partly", "nan", "once"})
    {
        const Child child = run_program(wrong);
        check_true(wrong, child.status == 1 && strstr(child.output, "WRONG\n") != NULL);
    }
    check_true("a check that compares nothing fails",
               run_program("plain", false, false).status == 1);

    const Child unknown = run_program("nosuch");
    check_true("an unknown version",
               unknown.status == 2 && strstr(unknown.output, "all cpu plain nothing allocates"));
    const Child help = run_child(
        []
        {
            char *argv[] = {(char *)"test", (char *)"--help", NULL};
            add_versions(VERSIONS, NUM_VERSIONS);
            parse_args(2, argv, "-k NAME", "test");
            return 1;
        });
    check_true("--help has the sentence of each version, and what is not to be had here",
               help.status == 0 && strstr(help.output, "\n  cpu        a loop\n") &&
                   strstr(help.output, "library    not to be had (not here: needs a library, or "));
    check_true("--help explains the columns",
               strstr(help.output, ON_GPU ? "\n  x before   the time" : "\n  sectors a load "));
    const Child skipped = run_program("library");
    check_true("a version that cannot run here, and why",
               skipped.status == 77 &&
                   strstr(skipped.output, "library cannot run here: needs a library, or two\n"));

    const Child small = run_program("small");
    check_true("a version that cannot take this size, and why",
               small.status == 77 &&
                   strstr(small.output, "small cannot run here: needs 10 elements at most\n"));

    const Child other = run_program("other", false, true, true);
    check_true("a row of the second table alone",
               other.status == 0 && strstr(other.output, "\nother  "));
    const char *titles = strstr(other.output, "version  ");
    check_true("the first table is not printed then",
               titles != NULL && strstr(titles + 1, "version  ") == NULL);
    check_true("no table has the row here", run_program("small", false, true, true).status == 77);

    const Child all = run_program("all");
    printf("%s", all.output);
    check_true("all of them: some are wrong", all.status == 1);
    const char *stale = strstr(all.output, "\nstale ");
    check_true("what a version allocates has no result of the one before",
               stale != NULL &&
                   strncmp(stale + 1 + length_of(all.output, "stale") - 5, "WRONG", 5) == 0);
    check_true("the skipped one says why",
               strstr(all.output, "skipped: needs a library, or two\n"));
    check_true("so does one of the wrong size",
               strstr(all.output, "skipped: needs 10 elements at most\n"));
    const char *copy = strstr(all.output, "\ncopy ");
    check_true("the first of a group is not compared with the row before",
               !ON_GPU || (copy != NULL && strncmp(copy + 1 + length_of(all.output, "copy") - 18,
                                                   "         ", 9) == 0));

    const Child csv = run_program("all", true);
    char *text = strdup(csv.output);
    int lines = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
    {
        if (*line != '#' && strncmp(line, "WRONG", 5) != 0)
        {
            const int columns = ON_GPU ? 10 : 5 + NUM_COUNT_COLUMNS;
            check_true("a line of all columns", columns_of(line) == columns);
            ++lines;
        }
    }
    check_true("titles and thirteen rows", lines == 14);
    free(text);
    return verdict();
}
