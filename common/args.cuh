// Command-line options, the same in every program.
//
//     Args args;
//     args.N = default_size(100000000);
//     args.bytes_per_element = 3 * sizeof(double);
//     parse_args(&args, argc, argv, "-n N -b B", "add3if: why a kernel needs its if");
//
// The usage text names the options of the program. parse_args accepts these and no others, and
// writes --help from the same text. A bad argument ends the program with one line and status 2. So
// does a size that would not fit into memory: nothing has been allocated by then. Without a device
// the program ends here with status 77.
#pragma once
#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <new>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "compare.cuh"
#include "error.cuh"
#include "memory.cuh"
#include "on_gpu.cuh"

const int MAX_OPTIONS = 20; // of our own here, and as many of a program's
const int MAX_FILES = 8;
const int MAX_VERSIONS = 32;

// -n VALUE, --name VALUE, --name alone, or a VALUE alone at its place. An option fills numbers, a
// real number, a flag or a text. The pointers to the others are NULL.
struct Option
{
    const char *name, *value, *help; // "n", "MxN", "rows and columns"
    size_t *numbers[3];              // one number, or several joined by x, ...
    size_t min = 0, max = 0;         // ... each within these
    bool *flag = NULL;
    const char **text = NULL;
    const char *choices = NULL;     // the text is one of these words, separated by spaces
    double *real_number = NULL;     // not only whole ones, ...
    double least = 0.0, most = 0.0; // ... within these
    bool is_positional = false;     // an argument without a dash: NX, the name that the usage has
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
    const char *files[MAX_FILES]; // arguments without an option, where the usage has FILE
    int num_files = 0;            //
    size_t bytes_per_element = 0; // of memory, for an element of N, M x N or M x N x K ...
    size_t bytes_on_host = 0;     // ... on the device, and on the host (default: the same)
    bool uses_device = true;      // false: runs without one, and does not touch one
    const char *program = "";     // without its directory
    const char *usage = "";       //
    Option own[MAX_OPTIONS];      // the program's own options: add_number and its kin
    int num_own = 0;              //

    // What -k chooses from, and the columns of their table: add_versions of versions.cuh.
    struct
    {
        const char *name, *what, *needs;
    } versions[MAX_VERSIONS];
    int num_versions = 0;
    const char *table_columns = "";

    // The options on the command line, each once, by name.
    const char *given[2 * MAX_OPTIONS];
    int num_given = 0;
};

// The book's size on a GPU; on a CPU, what takes about a second.
static inline size_t default_size(size_t book_size, size_t cpu_size = 0)
{
    const size_t hundredth = book_size / 100 + (book_size < 100);
    return ON_GPU ? book_size : cpu_size > 0 ? cpu_size : hundredth;
}

// An error is one line, whatever an argument or a file's name holds: a newline is shown as \n, and
// another control character, which might move the cursor, as \033 or its like.
static inline void print_error(const char *program, const char *format, va_list values)
{
    char text[8192];
    vsnprintf(text, sizeof(text), format, values);
    fflush(stdout);
    fprintf(stderr, "%s: ", program);
    for (const char *c = text; *c != '\0'; ++c)
    {
        if (*c == '\n')
        {
            fprintf(stderr, "\\n");
        }
        else
        {
            fprintf(stderr, iscntrl((unsigned char)*c) ? "\\%03o" : "%c", (unsigned char)*c);
        }
    }
}

// Ends the program with one line and status 2.
static inline void usage_error(const Args *args, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_error(args->program, format, values);
    va_end(values);
    fprintf(stderr, " (see %s --help)\n", args->program);
    exit(2);
}

// A program's own options: --name NUMBER, --name, --name TEXT. Each variable holds its default.
static inline void add_number(Args *args, const char *name, size_t *value, size_t min, size_t max,
                              const char *help, const char *what = "N")
{
    args->own[args->num_own++] = {name, what, help, {value}, min, max};
}

static inline void add_flag(Args *args, const char *name, bool *value, const char *help)
{
    args->own[args->num_own++] = {name, "", help, {}, 0, 0, value};
}

static inline void add_text(Args *args, const char *name, const char **value, const char *help,
                            const char *what = "TEXT")
{
    args->own[args->num_own++] = {name, what, help, {}, 0, 0, NULL, value};
}

// --name NUMBER that need not be whole.
static inline void add_real(Args *args, const char *name, double *value, double least, double most,
                            const char *help, const char *what = "X")
{
    args->own[args->num_own++] = {name, what, help, {}};
    Option *option = &args->own[args->num_own - 1];
    option->real_number = value;
    option->least = least;
    option->most = most;
}

// The next argument without a dash: [NX].
static inline void add_positional(Args *args, const char *name, size_t *value, size_t min,
                                  size_t max, const char *help)
{
    args->own[args->num_own++] = {name, "", help, {value}, min, max};
    args->own[args->num_own - 1].is_positional = true;
}

// One word of several. The help ends with them: "zero or clamp: what lies outside".
static inline void add_choice(Args *args, const char *name, const char **value, const char *choices,
                              const char *help)
{
    add_text(args, name, value, help, "WORD");
    args->own[args->num_own - 1].choices = choices;
}

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

// Whether `text` is one of these words.
static inline bool is_choice(const char *words, const char *text)
{
    return *text != '\0' && strpbrk(text, " .[]") == NULL && has_word(words, text);
}

// The options of this program: those of the table that its usage names, then its own.
static inline int list_options(Args *args, Option *list)
{
    const Option standard[] = {
        {"n", "N", args->size_is, {&args->N}, 1, SIZE_MAX},
        {"n", "MxN", "rows and columns; one: square", {&args->M, &args->N}, 1, SIZE_MAX},
        {"n", "MxNxK", "sizes; one: for all three", {&args->M, &args->N, &args->K}, 1, SIZE_MAX},
        {"b", "B", "threads per block", {&args->block_x}, 1, 1024},
        {"b", "BXxBY", "threads per block; one: square", {&args->block_x, &args->block_y}, 1, 1024},
        {"r", "R", "repeats of each timing", {&args->repeats}, 1, 1000000},
        {"s", "S", "seed of the random data", {&args->seed}, 0, SIZE_MAX},
        {"k", "NAME", "one of the versions below, or all", {}, 0, 0, NULL, &args->version},
        {"o", "PREFIX", "put before the names of files written", {}, 0, 0, NULL, &args->prefix},
        {"book", "", "the book's constants instead of random data", {}, 0, 0, &args->book},
        {"csv", "", "the table as comma-separated values", {}, 0, 0, &args->csv},
    };
    const int num_standard = sizeof(standard) / sizeof(standard[0]);
    int count = 0;
    for (int i = 0; i < num_standard + args->num_own; ++i)
    {
        Option *option = &list[count];
        *option = i < num_standard ? standard[i] : args->own[i - num_standard];
        const char *dashes = option->is_positional ? "" : option->name[1] ? "--" : "-";
        snprintf(option->usage, sizeof(option->usage), "%s%s%s%s", dashes, option->name,
                 *option->value ? " " : "", option->value);
        count += i >= num_standard || has_word(args->usage, option->usage);
    }
    return count;
}

static inline void add_version(Args *args, const char *name, const char *what, const char *needs)
{
    if (args->num_versions == MAX_VERSIONS)
    {
        fprintf(stderr, "args.cuh: more than %d versions\n", MAX_VERSIONS);
        exit(1);
    }
    args->versions[args->num_versions++] = {name, what, needs};
}

// The versions that -k takes, each with its sentence.
static inline void print_versions(const Args *args)
{
    int width = 0;
    for (int i = 0; i < args->num_versions; ++i)
    {
        const int length = strlen(args->versions[i].name);
        width = length > width ? length : width;
    }
    printf("versions for -k:\n");
    for (int i = 0; i < args->num_versions; ++i)
    {
        const char *needs = args->versions[i].needs;
        printf("  %-*s  %s%s%s%s\n", width, args->versions[i].name, args->versions[i].what,
               needs ? " (not here: needs " : "", needs ? needs : "", needs ? ")" : "");
    }
}

// Whether -k has this version.
static inline bool has_version(const Args *args, const char *name)
{
    for (int i = 0; i < args->num_versions; ++i)
    {
        if (strcmp(args->versions[i].name, name) == 0)
        {
            return true;
        }
    }
    return args->num_versions == 0 || strcmp(name, "all") == 0;
}

static inline void print_help(const Args *args, const char *about, const Option *list, int count)
{
    printf("%s\n\nusage: %s", about, args->program);
    for (const bool is_positional : {false, true})
    {
        for (int i = 0; i < count; ++i)
        {
            if (list[i].is_positional == is_positional)
            {
                printf(" [%s]", list[i].usage);
            }
        }
        printf("%s", is_positional ? "" : " [-h]");
    }
    printf("%s%s\n", has_word(args->usage, "[N]") ? " [N]" : "",
           strstr(args->usage, "[FILE]") ? " [FILE ...]" : "");
    for (const Option *option = list; option < list + count; ++option)
    {
        printf("  %-14s  %s", option->usage, option->help);
        const bool has_default = option->numbers[0] != NULL && *option->numbers[0] != SIZE_MAX;
        for (int i = 0; has_default && i < 3 && option->numbers[i] != NULL; ++i)
        {
            printf("%s%zu", i == 0 ? " (default " : "x", *option->numbers[i]);
        }
        if (option->real_number != NULL)
        {
            printf(" (default %.7g", *option->real_number);
        }
        if (option->text != NULL)
        {
            printf(" (default %s", **option->text != '\0' ? *option->text : "none");
        }
        const bool is_open = has_default || option->real_number != NULL || option->text != NULL;
        printf(is_open ? ")\n" : "\n");
    }
    printf("  %-14s  this text\n", "-h, --help");
    if (args->num_versions > 0)
    {
        print_versions(args);
    }
    if (*args->columns != '\0' || *args->table_columns != '\0')
    {
        printf("columns of the table:\n%s%s", args->columns, args->table_columns);
    }
}

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
static inline void set_numbers(const Args *args, const Option *option, const char *text)
{
    size_t numbers[3];
    const char *p = text;
    int given = 0;
    bool right, more;
    do
    {
        right = given < 3 && option->numbers[given] != NULL && read_number(&p, &numbers[given]) &&
                numbers[given] >= option->min && numbers[given] <= option->max;
        more = right && *p == 'x';
        p += more;
        ++given;
    } while (more);
    right = right && *p == '\0' && (given == 1 || given == 3 || option->numbers[given] == NULL);
    if (!right)
    {
        char most[32];
        snprintf(most, sizeof(most), option->max == SIZE_MAX ? "or more" : "to %zu", option->max);
        usage_error(args, "%s takes whole numbers, %zu %s, not '%s'", option->usage, option->min,
                    most, text);
    }
    for (int i = 0; i < 3 && option->numbers[i] != NULL; ++i)
    {
        *option->numbers[i] = numbers[given == 1 ? 0 : i];
    }
}

// A decimal number within the option's bounds.
static inline void set_real(const Args *args, const Option *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (!is_decimal(text) || *end != '\0' || !(value >= option->least && value <= option->most))
    {
        usage_error(args, "%s takes a number, %g to %g, not '%s'", option->usage, option->least,
                    option->most, text);
    }
    *option->real_number = value;
}

// Whether an option is on the command line: "temperature", "s", "NX".
static inline bool is_given(const Args *args, const char *name)
{
    for (int i = 0; i < args->num_given; ++i)
    {
        if (strcmp(args->given[i], name) == 0)
        {
            return true;
        }
    }
    return false;
}

static inline void set_option(Args *args, const Option *option, const char *text)
{
    if (!is_given(args, option->name))
    {
        args->given[args->num_given++] = option->name;
    }
    if (option->flag != NULL)
    {
        *option->flag = true;
    }
    else if (option->real_number != NULL)
    {
        set_real(args, option, text);
    }
    else if (option->text == NULL)
    {
        set_numbers(args, option, text);
    }
    else if (*text == '\0')
    {
        usage_error(args, "%s must not be empty", option->usage);
    }
    else if (option->choices != NULL && !is_choice(option->choices, text))
    {
        usage_error(args, "--%s takes one of: %s; not '%s'", option->name, option->choices, text);
    }
    else
    {
        *option->text = text;
    }
}

// So much of the free memory a program may take. free = 0 means that the amount is not known.
static inline double usable(double free)
{
    return free > 0.0 ? 0.95 * free : (double)(SIZE_MAX / 2);
}

// Ends the program with status 2 if it needs more than is free.
static inline void refuse_if_more(const Args *args, double bytes, double free, const char *whose)
{
    if (!(bytes <= usable(free)))
    {
        usage_error(args, "that size needs %.4g GB of the %s's memory, which has %.4g GB free",
                    bytes * 1e-9, whose, usable(free) * 1e-9);
    }
}

static inline double free_device_memory(void)
{
    size_t device_free, device_total;
    CHECK(cudaMemGetInfo(&device_free, &device_total));
    return (double)device_free;
}

// For a program that computes the bytes of its arrays itself. The host is asked first, so a size
// that the host cannot hold is refused even where there is no device.
static inline void require_memory(const Args *args, double on_host, double on_device)
{
    const double both = ON_GPU ? on_host : on_host + on_device; // the CPU backend's is the host's
    refuse_if_more(args, both, free_host_memory(), "host");
    if (args->uses_device)
    {
        refuse_if_more(args, on_device, free_device_memory(), "device");
    }
}

// Refuses a size that was asked for and takes more than is free. Halves a default.
static inline void fit_size(Args *args, bool asked, double each, double free, const char *whose)
{
    for (;;)
    {
        // in double, because M N K may be more than a size_t holds
        const double count = fmax(args->M, 1.0) * fmax(args->N, 1.0) * fmax(args->K, 1.0);
        const double bytes = fmax(each, 1.0) * count;
        if (bytes <= (each > 0.0 ? usable(free) : usable(0.0)))
        {
            return;
        }
        if (asked || count == 1.0)
        {
            refuse_if_more(args, bytes, each > 0.0 ? free : 0.0, whose);
        }
        for (size_t *size : {&args->M, &args->N, &args->K})
        {
            *size = (*size + 1) / 2;
        }
        fprintf(stderr, "%s: little memory is free: N halved to %zu\n", args->program, args->N);
    }
}

// The same for arrays of bytes_per_element, by halving or refusing the size.
static inline void check_memory(Args *args, bool asked)
{
    const double on_device = args->bytes_per_element;
    const double on_host = args->bytes_on_host > 0 ? args->bytes_on_host : on_device;
    const double both = ON_GPU ? on_host : on_host + on_device;
    fit_size(args, asked, both, free_host_memory(), "host");
    if (args->uses_device)
    {
        fit_size(args, asked, on_device, free_device_memory(), "device");
    }
}

// Fills *args from the command line. `usage` names the options, `about` says what is shown.
static inline void parse_args(Args *args, int argc, char **argv, const char *usage,
                              const char *about)
{
    const char *slash = strrchr(argv[0], '/');
    args->program = slash != NULL ? slash + 1 : argv[0];
    args->usage = usage;
    std::set_new_handler(exit_without_memory);

    Option list[2 * MAX_OPTIONS];
    const int count = list_options(args, list);
    char letters[2 * MAX_OPTIONS] = ":h";
    option longs[2 * MAX_OPTIONS] = {{"help", no_argument, NULL, 'h'}};
    const Option *chosen[256 + 2 * MAX_OPTIONS] = {}; // by the letter or number getopt_long gives
    for (int i = 0, num_longs = 1; i < count; ++i)
    {
        const char *name = list[i].name;
        if (list[i].is_positional)
        {
            continue;
        }
        const int code = name[1] == '\0' ? (unsigned char)name[0] : 256 + i;
        chosen[code] = &list[i];
        if (code < 256)
        {
            strcat(strcat(letters, name), ":");
        }
        else
        {
            longs[num_longs++] = {name, list[i].flag == NULL, NULL, code}; // true: wants a value
        }
    }

    const Option *size = chosen[(int)'n'];
    bool asked = false; // for a size
    for (int c; (c = getopt_long(argc, argv, letters, longs, NULL)) != -1;)
    {
        if (c == 'h')
        {
            print_help(args, about, list, count);
            exit(end_output(0));
        }
        if (c == '?' && optopt != 0 && optopt != 'h' && optopt < 256) // a letter, as z in -zq
        {
            usage_error(args, "-%c is no option of this program", optopt);
        }
        if (c == ':' || c == '?')
        {
            const char *text = argv[optind - 1];
            usage_error(args, "%.*s %s", (int)strcspn(text, "="), text,
                        c == ':'      ? "wants a value"
                        : optopt != 0 ? "takes no value"
                                      : "is no option of this program");
        }
        set_option(args, chosen[c], optarg);
        asked = asked || chosen[c] == size;
    }
    const Option *next = list; // the next positional option
    for (; optind < argc; ++optind)
    {
        const char *text = argv[optind];
        while (next < list + count && !next->is_positional)
        {
            ++next;
        }
        if (next < list + count)
        {
            set_option(args, next++, text);
        }
        else if (size != NULL && has_word(usage, "[N]") && !asked)
        {
            set_option(args, size, text);
            asked = true;
        }
        else if (strstr(usage, "[FILE]") && args->num_files < MAX_FILES && *text != '\0')
        {
            args->files[args->num_files++] = text;
        }
        else
        {
            usage_error(args, "unexpected argument '%s'", text);
        }
    }
    if (args->book && args->book_N > 0 && !asked)
    {
        args->N = args->book_N;
    }
    if (args->csv)
    {
        g_verdict_prefix = "# ";
    }
    if (args->block_x * args->block_y > 1024)
    {
        usage_error(args, "a block has at most 1024 threads, not %zux%zu", args->block_x,
                    args->block_y);
    }
    if (!has_version(args, args->version))
    {
        char names[1024] = "all";
        for (int i = 0; i < args->num_versions; ++i)
        {
            const size_t length = strlen(names);
            snprintf(names + length, sizeof(names) - length, " %s", args->versions[i].name);
        }
        usage_error(args, "-k has no '%s'; there are: %s", args->version, names);
    }
    if (args->num_files == 0) // a file says its size itself
    {
        check_memory(args, asked);
    }
}
