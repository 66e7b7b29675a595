// Command-line options, the same in every program. `args` has their values.
//
//     args.N = default_size(100000000);
//     args.bytes_per_element = 3 * sizeof(double);
//     parse_args(argc, argv, "-n N -b B", "add3if: why a kernel needs its if");
//
// The usage text names the options of the program. parse_args accepts these and no others, and
// writes --help from the same text. --version says the version of the suite. A bad argument ends
// the program with one line and status 2. So does a size that would not fit into memory: nothing
// has been allocated by then. Without a device the program ends here with status 77. A program's
// own options are in options.cuh.
#pragma once
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "by_hand.cuh"
#include "compare.cuh"
#include "on_gpu.cuh"
#include "report.cuh"

const char SUITE_VERSION[] = "0.11.0"; // `make index` writes it, from CHANGELOG.md

const int MAX_OPTIONS = 20; // of the suite, and as many of a program
const int MAX_FILES = 8;

struct Args;
struct Option;

// What an option takes: NUMBERS, TEXT or FLAG, and those of options.cuh.
struct OptionKind
{
    void (*set)(const Option *option, const char *text);         // or a usage_error
    void (*show)(const Option *option, char *text, size_t size); // its default as text: "5", or ""
};

// -n VALUE, --name VALUE, --name alone, or a VALUE alone at its place.
struct Option
{
    const char *name, *value, *help; // "n", "MxN", "rows and columns"
    const OptionKind *kind;
    void *to[4] = {};               // the variable to set; several are joined by x: 3 at most
    size_t min = 0, max = SIZE_MAX; // of numbers
    double least = 0.0, most = 0.0; // of a real number
    const char *choices = NULL;     // words of which the text is one, separated by spaces
    bool is_positional = false;     // an argument without a dash: NX
    bool is_given = false;          // on the command line
    char usage[64] = "";            // "-n MxN"
};

struct Args
{
    size_t M = 0, N = 0, K = 0;  // -n: N, MxN or MxNxK; the program presets its default
    size_t block_x = 128;        // -b B or BXxBY
    size_t block_y = 1;          //
    size_t repeats = 20;         // -r
    size_t seed = 1;             // -s
    const char *version = "all"; // -k: the name of one version, or "all"
    const char *columns = "";    // --help: what the program's own columns mean, a line each
    const char *size_is = "number of elements"; // --help: what -n N is
    const char *prefix = "";                    // -o, put before the names of files written
    bool book = false;            // --book: the book's constants instead of random data
    size_t book_N = 0;            // N with --book, unless -n says another; 0: as without
    bool csv = false;             // --csv
    const char *files[MAX_FILES]; // that a program reads, if it takes them as arguments
    int num_files = 0;            //
    size_t bytes_per_element = 0; // of memory, for an element of N, M x N or M x N x K ...
    size_t bytes_on_host = 0;     // ... on the device, and on the host (default: the same)
    bool uses_device = true;      // false: runs without one, and does not touch one
    const char *program = program_invocation_short_name;
    const char *usage = "";
    Option own[MAX_OPTIONS]; // the program's own options: see options.cuh
    int num_own = 0;
    Option options[2 * MAX_OPTIONS]; // those that its usage names, then its own
    int num_options = 0;

    // Hooks of options.cuh and of version_names.cuh. NULL: the program does without them.
    bool (*take_argument)(const char *text) = NULL; // false: there is no place for it
    char arguments[64] = "";                        // " [NX] [FILE ...]"
    void (*check_version)(void) = NULL;
    void (*print_versions)(void) = NULL;
    void (*describe_versions)(void) = NULL;
    const char *table_columns = ""; // those that all tables of versions have, as `columns`
};

inline Args args; // one for the whole program, of however many source files

// The book's size on a GPU; on a CPU, what takes about a second.
static inline size_t default_size(size_t book_size, size_t cpu_size = 0)
{
    const size_t hundredth = book_size / 100 + (book_size < 100);
    return ON_GPU ? book_size : cpu_size > 0 ? cpu_size : hundredth;
}

// An error is one line, whatever an argument or a file's name holds: a newline or another control
// character, which might move the cursor, is shown as ?.
static inline void print_error(const char *program, const char *format, va_list values)
{
    char text[8192];
    vsnprintf(text, sizeof(text), said(format), values);
    for (char *c = text; *c != '\0'; ++c)
    {
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    }
    fflush(stdout);
    fprintf(stderr, "%s: %s", program, text);
}

// Ends the program with one line and status 2.
static inline void usage_error(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_error(args.program, format, values);
    va_end(values);
    fprintf(stderr, said(" (see %s --help)\n"), args.program);
    exit(2);
}

// ---- Memory ----

// So much of the free memory a program may take. free = 0 means that the amount is not known.
static inline double usable(double free)
{
    return free > 0.0 ? 0.95 * free : (double)(SIZE_MAX / 2);
}

// Of so many GB the whole ones from 1000 on, which are printed with all digits: never as 1.8e+06.
static inline double in_gb(double bytes)
{
    return bytes < 1e12 ? bytes * 1e-9 : round(bytes * 1e-9);
}

static inline int digits(double gb) { return gb < 1000.0 ? 4 : 15; }

// Ends the program with status 2 if it needs more than is free.
static inline void refuse_if_more(double bytes, double free, const char *whose)
{
    const double needed = in_gb(bytes), there = in_gb(usable(free));
    if (!(bytes <= usable(free)) && free <= 0.0)
    {
        usage_error("that size is too large");
    }
    if (!(bytes <= usable(free)))
    {
        usage_error("that size needs %.*g GB of the %s's memory, which has %.*g GB free",
                    digits(needed), needed, whose, digits(there), there);
    }
}

static inline double free_device_memory(void)
{
    size_t device_free, device_total;
    const cudaError_t status = cudaMemGetInfo(&device_free, &device_total);
    if (status != cudaSuccess)
    {
        report_error(__FILE__, __LINE__, "cudaMemGetInfo(&device_free, &device_total)", status);
    }
    return (double)device_free;
}

// Refuses a size that was asked for and takes more than is free. Halves a default.
static inline void fit_size(bool asked, double each, double free, const char *whose)
{
    for (;;)
    {
        // in double, because M N K may be more than a size_t holds
        const double count = fmax(args.M, 1.0) * fmax(args.N, 1.0) * fmax(args.K, 1.0);
        const double bytes = fmax(each, 1.0) * count, room = each > 0.0 ? free : 0.0;
        if (bytes <= usable(room))
        {
            return;
        }
        if (asked || count == 1.0)
        {
            refuse_if_more(bytes, room, whose);
        }
        args.M = (args.M + 1) / 2;
        args.N = (args.N + 1) / 2;
        args.K = (args.K + 1) / 2;
        fprintf(stderr, said("%s: little memory is free: N halved to %zu\n"), args.program, args.N);
    }
}

// Whether arrays of bytes_per_element fit. The host is asked first, so a size that the host cannot
// hold is refused even where there is no device.
static inline void check_memory(bool asked)
{
    const double on_device = args.bytes_per_element;
    const double on_host = args.bytes_on_host > 0 ? args.bytes_on_host : on_device;
    const double both = ON_GPU ? on_host : on_host + on_device; // the CPU backend's is the host's
    fit_size(asked, both, room_on_host(), said("host"));
    if (args.uses_device)
    {
        fit_size(asked, on_device, free_device_memory(), said("device"));
    }
}

// ---- Options ----

// Whether a decimal number begins here: digits, and more of them behind a point. strtod also takes
// " 5", ".5", "5.", "0x5", "nan" and "inf".
static inline bool is_decimal(const char *text)
{
    const char *rest = text + strspn(text, "0123456789");
    return rest > text && (*rest != '.' || isdigit((unsigned char)rest[1])) &&
           strncasecmp(text, "0x", 2) != 0;
}

// A whole number, also as 1e8; *text moves on to where it ends. False if it is none or too large.
static inline bool read_number(const char **text, size_t *number)
{
    char *end;
    const long double value = strtold(*text, &end); // holds every size_t, as double does not
    if (!is_decimal(*text) || value > SIZE_MAX || value != floorl(value))
    {
        return false;
    }
    *text = end;
    *number = (size_t)value;
    return true;
}

// One number for all that the option has, or one for each.
static inline void set_numbers(const Option *option, const char *text)
{
    size_t numbers[3];
    const char *p = text;
    int given = 0;
    bool right, more;
    do
    {
        right = option->to[given] != NULL && read_number(&p, &numbers[given]) &&
                numbers[given] >= option->min && numbers[given] <= option->max;
        more = right && *p == 'x';
        p += more;
        ++given;
    } while (more);
    if (!right || *p != '\0' || (given > 1 && option->to[given] != NULL))
    {
        if (option->max == SIZE_MAX)
        {
            usage_error("%s takes whole numbers, %zu or more, not '%s'", option->usage, option->min,
                        text);
        }
        usage_error("%s takes whole numbers, %zu to %zu, not '%s'", option->usage, option->min,
                    option->max, text);
    }
    for (int i = 0; option->to[i] != NULL; ++i)
    {
        *(size_t *)option->to[i] = numbers[given == 1 ? 0 : i];
    }
}

// SIZE_MAX is no default to be shown: the help says what comes instead.
static inline void show_numbers(const Option *option, char *text, size_t size)
{
    const bool has_default = *(size_t *)option->to[0] != SIZE_MAX;
    size_t length = 0;
    for (int i = 0; has_default && option->to[i] != NULL; ++i)
    {
        const char *format = i == 0 ? "%zu" : "x%zu";
        length += snprintf(text + length, size - length, format, *(size_t *)option->to[i]);
    }
}

static inline void set_text(const Option *option, const char *text)
{
    if (*text == '\0')
    {
        usage_error("%s must not be empty", option->usage);
    }
    *(const char **)option->to[0] = text;
}

static inline void show_text(const Option *option, char *text, size_t size)
{
    const char *value = *(const char **)option->to[0];
    snprintf(text, size, "%s", *value != '\0' ? value : said("none"));
}

static inline void set_flag(const Option *option, const char *) { *(bool *)option->to[0] = true; }

static inline void show_nothing(const Option *, char *, size_t) {}

const OptionKind NUMBERS = {set_numbers, show_numbers}; // size_t
const OptionKind TEXT = {set_text, show_text};          // const char *
const OptionKind FLAG = {set_flag, show_nothing};       // bool

// "-n MxN" is one of the words of "-n MxN -s S"; "-n M" and "-n MxNxK" are not.
static inline bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *p = words; (p = strstr(p, word)) != NULL; ++p)
    {
        if ((p == words || strchr(" [", p[-1]) != NULL) && strchr(" ].", p[length]) != NULL)
        {
            return true;
        }
    }
    return false;
}

// The options of this program: those of the table that its usage names, then its own.
static inline void list_options(void)
{
    size_t *x = &args.block_x, *y = &args.block_y;
    const Option standard[] = {
        {"n", "N", args.size_is, &NUMBERS, {&args.N}, 1},
        {"n", "MxN", "rows and columns; one: square", &NUMBERS, {&args.M, &args.N}, 1},
        {"n", "MxNxK", "sizes; one: for all three", &NUMBERS, {&args.M, &args.N, &args.K}, 1},
        {"b", "B", "threads per block", &NUMBERS, {x}, 1, 1024},
        {"b", "BXxBY", "threads per block; one: square", &NUMBERS, {x, y}, 1, 1024},
        {"r", "R", "repeats of each measurement", &NUMBERS, {&args.repeats}, 1, 1000000},
        {"s", "S", "seed of the random data", &NUMBERS, {&args.seed}},
        {"k", "NAME", "one of the versions below, or all", &TEXT, {&args.version}},
        {"o", "PREFIX", "put before the names of files written", &TEXT, {&args.prefix}},
        {"book", "", "the book's constants instead of random data", &FLAG, {&args.book}},
        {"csv", "", "the table as comma-separated values", &FLAG, {&args.csv}},
    };
    const int num_standard = sizeof(standard) / sizeof(standard[0]);
    for (int i = 0; i < num_standard + args.num_own; ++i)
    {
        Option *option = &args.options[args.num_options];
        *option = i < num_standard ? standard[i] : args.own[i - num_standard];
        const char *dashes = option->is_positional ? "" : option->name[1] ? "--" : "-";
        snprintf(option->usage, sizeof(option->usage), "%s%s%s%s", dashes, option->name,
                 *option->value ? " " : "", option->value);
        args.num_options += i >= num_standard || has_word(args.usage, option->usage);
    }
}

// "  -n N            number of elements (default 5)"
static inline void print_option(const char *usage, const char *help, const char *value)
{
    char text[1024];
    const char *format = *value != '\0' ? said("%s (default %s)") : "%s";
    snprintf(text, sizeof(text), format, help, value);
    const int column = printf("  %-14s  ", usage);
    print_wrapped(text, column, 18);
}

static inline void print_help(const char *about)
{
    print_wrapped(said(about), 0, 0);
    char usage[4096];
    size_t length = snprintf(usage, sizeof(usage), "%s%s ", said("usage: "), args.program);
    const int indent = columns_of(usage, length);
    const Option *end = args.options + args.num_options;
    for (const Option *option = args.options; option < end; ++option)
    {
        if (!option->is_positional)
        {
            length += snprintf(usage + length, sizeof(usage) - length, "[%s] ", option->usage);
        }
    }
    snprintf(usage + length, sizeof(usage) - length, "[-h]%s%s", args.arguments,
             has_word(args.usage, "[N]") ? " [N]" : "");
    printf("\n");
    print_wrapped(usage, 0, indent);
    for (const Option *option = args.options; option < end; ++option)
    {
        char value[256] = "";
        option->kind->show(option, value, sizeof(value));
        print_option(option->usage, said(option->help), value);
    }
    print_option("-h, --help", said("this text"), "");
    print_option("--version", said("the version of the suite"), "");
    if (args.print_versions != NULL)
    {
        args.print_versions();
    }
    if (*args.columns != '\0' || *args.table_columns != '\0')
    {
        puts(said("columns of the table:"));
        print_columns(said(args.columns));
        print_columns(said(args.table_columns));
    }
}

// --describe, for scripts: the options, and the versions with what they need, a line each.
static inline void describe(void)
{
    for (const Option *option = args.options; option < args.options + args.num_options; ++option)
    {
        printf("%s\t%s\n", option->is_positional ? "argument" : "option", option->usage);
    }
    if (has_word(args.usage, "[N]"))
    {
        printf("argument\tN\n");
    }
    if (strstr(args.arguments, "[FILE") != NULL)
    {
        printf("argument\tFILE\n");
    }
    if (args.describe_versions != NULL)
    {
        args.describe_versions();
    }
}

static inline void set_option(Option *option, const char *text)
{
    option->is_given = true;
    option->kind->set(option, text);
}

// Bytes of the option at the beginning of an argument: -n of -n5, --name of --name=5.
static inline size_t option_length(const char *text)
{
    return text[1] == '-' ? strcspn(text, "=") : 2;
}

// Whether the argument begins with this option. Its name must be whole: --nam is not --name.
static inline bool is_option(const char *text, const char *dashes, const char *name)
{
    const size_t length = option_length(text), before = strlen(dashes);
    return length == before + strlen(name) && strncmp(text, dashes, before) == 0 &&
           strncmp(text + before, name, length - before) == 0;
}

static inline Option *find_option(const char *text)
{
    for (Option *option = args.options; option < args.options + args.num_options; ++option)
    {
        const char *dashes = option->name[1] == '\0' ? "-" : "--";
        if (!option->is_positional && is_option(text, dashes, option->name))
        {
            return option;
        }
    }
    return NULL;
}

// Sets the option argv[0]. Its value stands behind it, or is argv[1]. Returns how many of the two
// it took.
static inline int take_option(char **argv, const char *about)
{
    const char *text = argv[0], *rest = text + option_length(text);
    const int length = (int)option_length(text);
    const bool is_help = is_option(text, "-", "h") || is_option(text, "--", "help");
    const bool is_version = is_option(text, "--", "version");
    const bool is_describe = is_option(text, "--", "describe");
    Option *option = find_option(text);
    const bool takes_value = option != NULL && *option->value != '\0';
    if (option == NULL && !is_help && !is_version && !is_describe)
    {
        usage_error("%.*s is no option of this program", length, text);
    }
    if (*rest == '=' && text[1] == '-' && !takes_value)
    {
        usage_error("%.*s takes no value", length, text);
    }
    if (is_help)
    {
        print_help(about);
        exit(end_output(0));
    }
    if (is_describe)
    {
        describe();
        exit(end_output(0));
    }
    if (is_version)
    {
        printf("%s (cuda-programs) %s\n", args.program, SUITE_VERSION);
        exit(end_output(0));
    }
    if (!takes_value || *rest != '\0')
    {
        set_option(option, rest + (text[1] == '-' && takes_value)); // behind =
        return 1;
    }
    if (argv[1] == NULL)
    {
        usage_error("%s wants a value", text);
    }
    set_option(option, argv[1]);
    return 2;
}

// Fills `args` from the command line. `usage` names the options, `about` says what is shown.
static inline void parse_args(int argc, char **argv, const char *usage, const char *about)
{
    args.usage = usage;
    list_options();

    // The options first. What stands between them, and all behind --, comes to the front.
    int num_arguments = 0;
    bool are_options = true;
    for (int i = 1; i < argc;)
    {
        const bool has_dash = argv[i][0] == '-' && argv[i][1] != '\0';
        if (are_options && strcmp(argv[i], "--") == 0)
        {
            are_options = false;
            ++i;
        }
        else if (are_options && has_dash)
        {
            i += take_option(&argv[i], about);
        }
        else
        {
            argv[num_arguments++] = argv[i++];
        }
    }

    Option *size = find_option("-n");
    for (int i = 0; i < num_arguments; ++i)
    {
        if (size != NULL && has_word(usage, "[N]") && !size->is_given)
        {
            set_option(size, argv[i]);
        }
        else if (args.take_argument == NULL || !args.take_argument(argv[i]))
        {
            usage_error("unexpected argument '%s'", argv[i]);
        }
    }
    const bool asked = size != NULL && size->is_given;
    if (args.book && args.book_N > 0 && !asked)
    {
        args.N = args.book_N;
    }
    g_verdict_prefix = args.csv ? "# " : "";
    if (args.block_x * args.block_y > 1024)
    {
        usage_error("a block has at most 1024 threads, not %zux%zu", args.block_x, args.block_y);
    }
    if (args.check_version != NULL)
    {
        args.check_version();
    }
    if (args.num_files == 0) // a file says its size itself
    {
        check_memory(asked);
    }
}
