// versions: a table that finds every kind of wrong version, and prints what it should

#include <math.h>
#include <string.h>
#include "../../common/data.cuh"
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

// The program: the ladder over `-k version`, as a table or as --csv.
static int program(const char *version, bool csv, bool with_check)
{
    const int N = 1000, block_size = 128, grid_size = (N + block_size - 1) / block_size;
    const size_t bytes = N * sizeof(float);
    int launches = 0, setups = 0, is_set_up = 0;
    float *h_x = NULL, *h_y = NULL, *reference = NULL, *d_x = NULL, *d_y = NULL;
    const auto triple_first = [&](int count)
    {
        triple<<<grid_size, block_size>>>(d_x, d_y, count);
    };
    const Version versions[] = {
        on_host("cpu",
                [&]
                {
                    for (int n = 0; n < N; ++n)
                    {
                        h_y[n] = 3.0f * h_x[n];
                    }
                }),
        on_device("plain", [&] { triple_first(N); }),
        on_device("nothing", [] {}), // relies on what the version before left
        on_device("partly", [&] { triple_first(N - 1); }),
        on_device("nan", [&] { fill<<<grid_size, block_size>>>(d_y, NAN, N); }),
        on_device("once", [&] { triple_first(launches++ == 0 ? N : N - 1); }),
        on_device(
            "copy", [&] { CHECK(cudaMemcpyAsync(d_y, d_x, bytes, cudaMemcpyDeviceToDevice)); },
            [&] { check_elements("copy", h_y, h_x, N); })
            .first_of_group(),
        on_device("unset", // without the setup before each launch it would be right once
                  [&]
                  {
                      triple_first(is_set_up ? N : 0);
                      is_set_up = 0;
                  }),
        on_device("small", [&] { triple_first(N); })
            .only_if([&] { return N <= 10; }, "10 elements at most"),
        on_device("large", [&] { triple_first(N); }).only_if([&] { return N > 10; }, "more"),
        skipped("library", "a library, or two"),
    };
    char *argv[] = {(char *)"test", (char *)"-k", (char *)version, (char *)"--csv", NULL};
    Args args;
    args.N = N;
    args.repeats = 3;
    args.versions = version_names(versions);
    parse_args(&args, csv ? 4 : 3, argv, "-k NAME --csv", "test");

    for (float **h : {&h_x, &h_y, &reference})
    {
        *h = (float *)malloc(bytes);
    }
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    fill_random(h_x, N, 1);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    for (int n = 0; n < N; ++n)
    {
        reference[n] = 3.0f * h_x[n];
    }

    Ladder ladder;
    ladder.setup = [&]
    {
        is_set_up = 1;
        ++setups;
    };
    ladder.check = [&]
    {
        if (with_check)
        {
            check_elements(ladder.checking, h_y, reference, N);
            ladder.result = -2.13993418e+09; // one of the widest that a sum of floats has come to
            ladder.error = largest_error(h_y, reference, N);
        }
    };
    ladder.outputs[0] = {h_y, d_y, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);
    print_note("%d setups\n", setups);
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
