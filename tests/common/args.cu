// args: a program with every option there is, that prints what it understood
//
// Without arguments it exits 0 and passes its checks. With them it is tested from outside:
//
//     arguments                        status   stdout contains
//     -h                               0        usage: args [-n MxNxK] [-b BXxBY]
//     --help                           0        --steps N       number of steps (default 7)
//     --help                           0        --name WORD     a name (default none)
//     --help                           0        slow  all the same
//     --help                           0        this  is that
//     -n 5                             0        M=5 N=5 K=5
//     -n 1e2x33x7                      0        M=100 N=33 K=7
//     -n 64x64x64 -b 16                0        b=16x16
//     -b 32x8 -r 3 -s 0                0        b=32x8 r=3 s=0
//     -s 18446744073709551615          0        s=18446744073709551615
//     -k fast -o out/                  0        k=fast o=out/
//     --book --csv --fast --steps 9    0        book=1 csv=1 fast=1 steps=9
//     --name x one two                 0        name=x files=one,two,
//     one --name x two                 0        name=x files=one,two,
//     one -- --name -                  0        name= files=one,--name,-,
//     -s5 --steps=9 --name -x          0        s=5
//
//     -n 0, -n -5, -n abc, -n 1e99, -n '', -n 5x, -n 5x5, -n 1x2x3x4, -n 0x10, -n ' 5', -n 5.5,
//     -n 18446744073709551615, -n 1e7x1e7x1e7, -b 0, -b 2000, -b 33x32, -b 64, -r 0, -s -1,
//     -k nosuch, -k '', -k 'fast slow', -o '', --steps 0, --steps 101, --steps, --name '',
//     --csv=1, --nosuch, -z, -n:       2, nothing on stdout, one line on stderr
//     --hel                            2        (stderr) args: --hel is no option
//     --versio                         2        (stderr) args: --versio is no option
//     --n=5                            2        (stderr) args: --n is no option
//     --step 5                         2        (stderr) args: --step is no option
//     --c                              2        (stderr) args: --c is no option
//     -k nosuch                        2        (stderr) all fast slow
//     -n 2e6x2e6x3e6                   2        (stderr) 000000000 GB of
//     -zq                              2        (stderr) args: -z is no option
//     -z                               2        (stderr) args: -z is no option
//     --nosuch=3                       2        (stderr) args: --nosuch is no option
//     --csv=3                          2        (stderr) args: --csv takes no value
//     --help=3                         2        (stderr) args: --help takes no value
//     --steps                          2        (stderr) args: --steps wants a value
//     -n                               2        (stderr) args: -n wants a value

#include "../../common/args.cuh"
#include "../../common/compare.cuh"
#include "../../common/options.cuh"
#include "../../common/version_names.cuh"
#include "../../ch03_framework/image.cuh"
#include "child.cuh"

// What N becomes when `argument` is given as -n; 0 if it is refused with status 2 and one line.
static size_t size_of(const char *argument)
{
    const Child child = run_child(
        [&]
        {
            char *argv[] = {(char *)"test", (char *)"-n", (char *)argument, NULL};
            args.bytes_per_element = 8;
            args.uses_device = false; // sizes are refused even where there is no device
            parse_args(3, argv, "-n N", "test");
            printf("%zu\n", args.N);
            return 0;
        });
    const char *newline = strchr(child.output, '\n');
    const bool one_line = newline != NULL && newline[1] == '\0';
    check_true("one line comes out, with status 0 or 2",
               one_line && (child.status == 0 || child.status == 2));
    return child.status == 0 ? strtoull(child.output, NULL, 10) : 0;
}

// What --dt and the two arguments without a dash become: "5 10 20".
static const char *understood(const char *dt, const char *first, const char *second)
{
    static Child child;
    child = run_child(
        [&]
        {
            char *argv[] = {(char *)"test", (char *)"--dt", (char *)dt,
                            (char *)first,  (char *)second, NULL};
            double number = 5.0;
            size_t nx = 1, steps = 2;
            args.uses_device = false;
            add_real("dt", &number, 0.5, 1000.0, "time step");
            add_positional("NX", &nx, 1, 100, "cells");
            add_positional("NE", &steps, 0, 1000, "steps");
            parse_args(3 + (first != NULL) + (second != NULL), argv, "", "test");
            printf("%g %zu %zu", number, nx, steps);
            return 0;
        });
    return child.status == 2 ? "refused" : child.output;
}

int main(int argc, char **argv)
{
    if (argc == 1)
    {
        const char *bad[] = {"0",
                             "-5",
                             "abc",
                             "1e99",
                             "",
                             "5x",
                             "0x10",
                             " 5",
                             "+5",
                             "5.5",
                             "1e",
                             "1e-3",
                             "5 ",
                             "18446744073709551615",
                             "inf",
                             "nan",
                             "1e15",
                             "--",
                             "18446744073709551616"};
        for (const char *text : bad)
        {
            check_true(text, size_of(text) == 0);
        }
        check_true("1048579", size_of("1048579") == 1048579);
        check_true("1e3", size_of("1e3") == 1000);
        check_true("--dt 0.5", strcmp(understood("0.5", NULL, NULL), "0.5 1 2") == 0);
        check_true("--dt 1e2 7", strcmp(understood("1e2", "7", NULL), "100 7 2") == 0);
        check_true("--dt 2.5 7 0", strcmp(understood("2.5", "7", "0"), "2.5 7 0") == 0);
        for (const char *text : {"", " 1", "-1", "+1", ".5", "0.4", "1001", "nan", "inf", "0x1p3",
                                 "1,5", "1e99", "5 ", "5x"})
        {
            check_true(text, strcmp(understood(text, NULL, NULL), "refused") == 0);
        }
        check_true("NX 0", strcmp(understood("1", "0", NULL), "refused") == 0);
        check_true("NX 1.5", strcmp(understood("1", "1.5", NULL), "refused") == 0);
        check_true("NE 1001", strcmp(understood("1", "1", "1001"), "refused") == 0);
    }
    check_true("has_word finds whole words only",
               has_word("-n MxN -s S", "-n MxN") && has_word("-n MxN -s S", "-s S") &&
                   !has_word("-n MxNxK", "-n MxN") && !has_word("-n MxN", "-n M") &&
                   !has_word("", "-n N") && has_word("-n N [N]", "[N]"));

    size_t steps = 7;
    bool fast = false;
    const char *name = "";
    args.M = 10;
    args.N = 20;
    args.K = 30;
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 8;
    add_version("fast", "as fast as it gets", NULL);
    add_version("slow", "all the same", NULL);
    args.columns = "  this  is that\n";
    add_number("steps", &steps, 1, 100, "number of steps");
    add_flag("fast", &fast, "no hesitation");
    add_text("name", &name, "a name", "WORD");
    add_files();
    parse_args(argc, argv, "-n MxNxK -b BXxBY -r R -s S -k NAME -o PREFIX --book --csv [FILE]",
               "args: a program with every option there is, that prints what it understood");
    printf("M=%zu N=%zu K=%zu b=%zux%zu r=%zu s=%zu k=%s o=%s book=%d csv=%d fast=%d steps=%zu "
           "name=%s files=",
           args.M, args.N, args.K, args.block_x, args.block_y, args.repeats, args.seed,
           args.version, args.prefix, args.book, args.csv, fast, steps, name);
    for (int i = 0; i < args.num_files; ++i)
    {
        printf("%s,", args.files[i]);
    }
    printf("\n");
    return verdict();
}
