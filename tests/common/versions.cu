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

// What the versions work on.
struct Data
{
    float *h_x, *h_y, *reference, *d_x, *d_y;
    bool with_check;
    int launches, setups, is_set_up;
};

static void triple_first(Data *data, int count)
{
    triple<<<GRID_SIZE, BLOCK_SIZE>>>(data->d_x, data->d_y, count);
}

static void triple_on_host(Data *data)
{
    for (int n = 0; n < N; ++n)
    {
        data->h_y[n] = 3.0f * data->h_x[n];
    }
}

// Without the setup before each run it would be right once.
static void run_unset(Data *data)
{
    triple_first(data, data->is_set_up ? N : 0);
    data->is_set_up = 0;
}

static void count_setup(Data *data)
{
    data->is_set_up = 1;
    ++data->setups;
}

static void check_triples(Table<Data> *table, const Data *data)
{
    if (data->with_check)
    {
        check_elements(table->checking, data->h_y, data->reference, N);
        table->result = -2.13993418e+09; // one of the widest that a sum of floats has come to
        table->error = largest_error(data->h_y, data->reference, N);
    }
}

static void check_copy(Table<Data> *, const Data *data)
{
    check_elements("copy", data->h_y, data->h_x, N);
}

typedef Data *D;
const size_t BYTES = N * sizeof(float);
void (*const run_library)(Data *) = NULL;
const Version<Data> VERSIONS[] = {
    {"cpu", "a loop", ON_HOST, triple_on_host, check_triples},
    {"plain", "a thread each", ON_DEVICE, [](D d) { triple_first(d, N); }, check_triples},
    {"nothing", "relies on the row before", ON_DEVICE, [](D) {}, check_triples},
    {"partly", "one too few", ON_DEVICE, [](D d) { triple_first(d, N - 1); }, check_triples},
    {"nan", "no numbers", ON_DEVICE, [](D d) { fill<<<GRID_SIZE, BLOCK_SIZE>>>(d->d_y, NAN, N); },
     check_triples},
    {"once", "right the first time", ON_DEVICE,
     [](D d) { triple_first(d, d->launches++ == 0 ? N : N - 1); }, check_triples},
    {"copy", "another right answer", ON_DEVICE,
     [](D d) { CHECK(cudaMemcpyAsync(d->d_y, d->d_x, BYTES, cudaMemcpyDeviceToDevice)); },
     check_copy, NULL, "", true},
    {"unset", "wants its setup", ON_DEVICE, run_unset, check_triples},
    {"small", "for few", ON_DEVICE, [](D d) { triple_first(d, N); }, check_triples,
     [](const Data *) { return N <= 10; }, "10 elements at most"},
    {"large", "for many", ON_DEVICE, [](D d) { triple_first(d, N); }, check_triples,
     [](const Data *) { return N > 10; }, "more"},
    {"library", "not to be had", ON_DEVICE, run_library, check_triples, NULL, "a library, or two"},
};

// The program: the table over `-k version`, as a table or as --csv.
static int program(const char *version, bool csv, bool with_check)
{
    char *argv[] = {(char *)"test", (char *)"-k", (char *)version, (char *)"--csv", NULL};
    Args args;
    args.N = N;
    args.repeats = 3;
    add_versions(&args, VERSIONS);
    parse_args(&args, csv ? 4 : 3, argv, "-k NAME --csv", "test");

    Data data = {};
    data.with_check = with_check;
    for (float **h : {&data.h_x, &data.h_y, &data.reference})
    {
        *h = (float *)malloc(BYTES);
    }
    CHECK(cudaMalloc(&data.d_x, BYTES));
    CHECK(cudaMalloc(&data.d_y, BYTES));
    fill_random(data.h_x, N, 1);
    CHECK(cudaMemcpy(data.d_x, data.h_x, BYTES, cudaMemcpyHostToDevice));
    for (int n = 0; n < N; ++n)
    {
        data.reference[n] = 3.0f * data.h_x[n];
    }

    Table<Data> table;
    table.data = &data;
    table.setup = count_setup;
    table.outputs[0] = {data.h_y, data.d_y, BYTES};
    table.bytes = 2.0 * BYTES;
    table.ceiling = copy_ceiling;
    run_versions(&args, &table, VERSIONS);
    print_note("%d setups\n", data.setups);
    return verdict();
}

static Child run_program(const char *version, bool csv = false, bool with_check = true)
{
    return run_child([&] { return program(version, csv, with_check); });
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
    check_true("columns are as wide as what stands in them, and two blanks end a row",
               length_of(plain.output, "plain") == length_of(plain.output, "version") + 2);
    check_true("others are not run", strstr(plain.output, "cpu  ") == NULL);
    check_true("a CPU's times say so", (strstr(plain.output, "CPU ms") != NULL) == (ON_GPU == 0));
    for (const char *right : {"cpu", "copy", "unset", "large"})
    {
        const Child child = run_program(right);
        check_true(right, child.status == 0);
    }
    // checked, warmed up, timed three times, checked again
    check_true("a setup for each launch", strstr(plain.output, "\n6 setups\n") != NULL);
    for (const char *wrong : {"nothing", "partly", "nan", "once"})
    {
        const Child child = run_program(wrong);
        check_true(wrong, child.status == 1 && strstr(child.output, "WRONG\n") != NULL);
    }
    check_true("a check that compares nothing fails",
               run_program("plain", false, false).status == 1);

    const Child unknown = run_program("nosuch");
    check_true("an unknown version",
               unknown.status == 2 && strstr(unknown.output, "all cpu plain nothing partly"));
    const Child help = run_child(
        []
        {
            char *argv[] = {(char *)"test", (char *)"--help", NULL};
            Args args;
            add_versions(&args, VERSIONS);
            parse_args(&args, 2, argv, "-k NAME", "test");
            return 1;
        });
    check_true("--help has the sentence of each version, and what is not to be had here",
               help.status == 0 && strstr(help.output, "\n  cpu      a loop\n") &&
                   strstr(help.output, "library  not to be had (not here: needs a library, or "));
    check_true("--help explains the columns", strstr(help.output, "\n  x before   the time"));
    const Child skipped = run_program("library");
    check_true("a version that cannot run here, and why",
               skipped.status == 77 &&
                   strstr(skipped.output, "library cannot run here: needs a library, or two\n"));

    const Child small = run_program("small");
    check_true("a version that cannot take this size, and why",
               small.status == 77 &&
                   strstr(small.output, "small cannot run here: needs 10 elements at most\n"));

    const Child all = run_program("all");
    printf("%s", all.output);
    check_true("all of them: some are wrong", all.status == 1);
    check_true("the skipped one says why",
               strstr(all.output, "skipped: needs a library, or two\n"));
    check_true("so does one of the wrong size",
               strstr(all.output, "skipped: needs 10 elements at most\n"));
    const char *copy = strstr(all.output, "\ncopy ");
    check_true("the first of a group is not compared with the row before",
               copy != NULL &&
                   strncmp(copy + 1 + length_of(all.output, "copy") - 18, "         ", 9) == 0);

    const Child csv = run_program("all", true);
    char *text = strdup(csv.output);
    int lines = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
    {
        if (*line != '#' && strncmp(line, "WRONG", 5) != 0)
        {
            check_true("a line of ten columns", columns_of(line) == 10);
            ++lines;
        }
    }
    check_true("titles and eleven rows", lines == 12);
    free(text);
    return verdict();
}
