// versions: a table that finds every kind of wrong version, and prints what it should

#include <math.h>
#include <string.h>
#include "../../common/data.cuh"
#include "../../common/versions.cuh"
#include "child.cuh"

struct Problem
{
    int N, launches;
    float *h_x, *h_y, *reference, *d_x, *d_y;
};

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

static void triple_cpu(Problem *p)
{
    for (int n = 0; n < p->N; ++n)
    {
        p->h_y[n] = 3.0f * p->h_x[n];
    }
}

static void triple_plain(Problem *p)
{
    triple<<<(p->N + 127) / 128, 128>>>(p->d_x, p->d_y, p->N);
}

static void triple_nothing(Problem *) // relies on what the version before left
{
}

static void triple_partly(Problem *p) // forgets the last element
{
    triple<<<(p->N + 127) / 128, 128>>>(p->d_x, p->d_y, p->N - 1);
}

static void triple_nan(Problem *p)
{
    fill<<<(p->N + 127) / 128, 128>>>(p->d_y, NAN, p->N);
}

static void triple_once(Problem *p) // right the first time only
{
    p->launches++ == 0 ? triple_plain(p) : triple_partly(p);
}

// Its result is one of the widest that a sum of floats has come to.
static Outcome check(const Problem *p, const Version<Problem> *version)
{
    check_elements(version->name, p->h_y, p->reference, p->N);
    return {-2.13993418e+09, largest_error(p->h_y, p->reference, p->N)};
}

static Outcome check_nothing(const Problem *, const Version<Problem> *)
{
    return {};
}

const Version<Problem> versions[] = {
    {"cpu", triple_cpu, ON_HOST},
    {"plain", triple_plain},
    {"nothing", triple_nothing},
    {"partly", triple_partly},
    {"nan", triple_nan},
    {"once", triple_once},
    {"library", NULL, ON_DEVICE, 0.0, "a library, or two"},
};

// The program: the ladder over `-k version`, as a table or as --csv.
static int program(const char *version, bool csv, bool with_check)
{
    char *argv[] = {(char *)"test", (char *)"-k", (char *)version, (char *)"--csv", NULL};
    Args args;
    args.N = 1000;
    args.repeats = 3;
    args.versions = version_names(versions);
    parse_args(&args, csv ? 4 : 3, argv, "-k NAME --csv", "test");

    const size_t bytes = args.N * sizeof(float);
    Problem p = {(int)args.N, 0, NULL, NULL, NULL, NULL, NULL};
    for (float **h : {&p.h_x, &p.h_y, &p.reference})
    {
        *h = (float *)malloc(bytes);
    }
    CHECK(cudaMalloc(&p.d_x, bytes));
    CHECK(cudaMalloc(&p.d_y, bytes));
    fill_random(p.h_x, args.N, 1);
    CHECK(cudaMemcpy(p.d_x, p.h_x, bytes, cudaMemcpyHostToDevice));
    triple_cpu(&p);
    memcpy(p.reference, p.h_y, bytes);

    Ladder<Problem> ladder = {&p, with_check ? check : check_nothing};
    ladder.outputs[0] = {p.h_y, p.d_y, bytes};
    ladder.bytes = 2 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);
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
    const Child skipped = run_program("library");
    check_true("a version that cannot run here, and why",
               skipped.status == 77 &&
                   strstr(skipped.output, "library cannot run here: needs a library, or two\n"));

    const Child all = run_program("all");
    printf("%s", all.output);
    check_true("all of them: some are wrong", all.status == 1);
    check_true("the skipped one says why",
               strstr(all.output, "skipped: needs a library, or two\n"));

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
    check_true("titles and seven rows", lines == 8);
    free(text);
    return verdict();
}
