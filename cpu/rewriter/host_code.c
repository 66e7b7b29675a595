// What belongs to the other side. First: what device code cannot do, where it is certain that nvcc refuses
// it, too: exceptions, arrays of variable length, and the use of functions that are the host's alone.
// host_variables.c has the variables.
//
// Certain means: a function that is no template and no member, in the user's own file, and a name
// that this file declares once, or as overloads that are all the host's.
#include "rewriter.h"
#include <stdio.h>
#include <string.h>

// A question about a name looks at all tokens of a function or of the file. The same one comes again for
// each use of the name, so the latest answers are kept.
int known_answer(Question question, const char *name, int first, int end,
                 int (*find)(const char *, int, int))
{
    enum
    {
        NUM_KEPT = 1024
    };
    static struct
    {
        Question question;
        const char *name; // NULL: none
        int first, end, answer;
    } kept[NUM_KEPT];
    unsigned place = (unsigned)question * 31 + (unsigned)first * 37 + (unsigned)end * 41;
    for (const char *p = name; *p != '\0'; ++p)
    {
        place = place * 33 + (unsigned char)*p;
    }
    place %= NUM_KEPT;
    if (kept[place].name == NULL || kept[place].question != question ||
        kept[place].first != first || kept[place].end != end || strcmp(kept[place].name, name) != 0)
    {
        const int answer = find(name, first, end); // which may ask, too
        kept[place].question = question;
        kept[place].name = join(name, "");
        kept[place].first = first;
        kept[place].end = end;
        kept[place].answer = answer;
    }
    return kept[place].answer;
}

bool is_of_file(int i)
{
    const char *main_file = tokens[num_tokens - 1].file;
    return !tokens[i].system &&
           (tokens[i].file == main_file || strcmp(tokens[i].file, main_file) == 0);
}

// ---- The names that stand outside of functions, classes and parameter lists ----

static int *outer; // of no system header
static int num_outer = -1;

static void find_outer_names(void)
{
    if (num_outer >= 0)
    {
        return;
    }
    outer = allocate(NULL, ((size_t)num_tokens + 1) * sizeof(*outer));
    num_outer = 0;
    for (int i = 0; i < num_tokens; ++i)
    {
        if (tokens[i].outermost && !tokens[i].system && is_name(i))
        {
            outer[num_outer++] = i;
        }
        i = tokens[i].outermost && is(i, "(") && closing(i) > i ? closing(i) : i;
    }
}

const int *outer_names(int *count)
{
    find_outer_names();
    *count = num_outer;
    return outer;
}

static int find_outer_name_of_system(const char *name, int first, int end)
{
    (void)first, (void)end;
    for (int i = 0; i < num_tokens; ++i)
    {
        if (tokens[i].system && tokens[i].outermost && is(i, name))
        {
            return true;
        }
        i = tokens[i].outermost && is(i, "(") && closing(i) > i ? closing(i) : i;
    }
    return false;
}

bool is_outer_name_of_system(const char *name)
{
    return known_answer(NAMES_SYSTEM, name, 0, 0, find_outer_name_of_system);
}

// The number of mentions of the name outside of functions and classes, and in *places where they are.
int mentions_outside(const char *name, int *places, int most)
{
    find_outer_names();
    int found = 0;
    for (int n = 0; n < num_outer; ++n)
    {
        if (is(outer[n], name) && found++ < most)
        {
            places[found - 1] = outer[n];
        }
    }
    return found;
}

// Whether the declaration of the name at i makes it more than a plain function of the host.
static bool is_more_than_plain(int i)
{
    static const char *const words[] = {
        "__device__", "__global__", "__constant__", "__managed__", "__shared__",
        "template",   "constexpr",  "consteval",    "operator",    "friend",
        "typedef",    "using",      "namespace",    "asm",         NULL};
    for (int k = declaration_start(i); k < i; ++k)
    {
        if (is_any(k, words))
        {
            return true;
        }
    }
    return is(i - 1, "::") || !is(i + 1, "(");
}

static int find_kind(const char *name, int first, int end)
{
    (void)first, (void)end;
    find_outer_names();
    int declarations = 0, bodies = 0;
    for (int n = 0; n < num_outer; ++n)
    {
        const int i = outer[n];
        if (!is(i, name))
        {
            continue;
        }
        if (!is_of_file(i) || is_more_than_plain(i) || !is_name(declaration_start(i)) ||
            declaration_start(i) == i)
        {
            return NOT_CERTAIN;
        }
        ++declarations;
        bodies += function_body(i + 1) >= 0;
    }
    if (declarations == 0)
    {
        return UNDECLARED;
    }
    return bodies == 0 || is_outer_name_of_system(name) ? NOT_CERTAIN : FUNCTION;
}

Kind kind_of(const char *name)
{
    return (Kind)known_answer(KIND_OF, name, 0, 0, find_kind);
}

// ---- How a function uses a name ----

static bool is_of_object(int i)
{
    return is(i - 1, ".") || is(i - 1, "->");
}

static bool find_the_outer_one(const char *name, int first, int end, bool called)
{
    for (int k = first; k < end; ++k)
    {
        if (is(k, name) && !is_of_object(k) &&
            (is(k - 1, "::") || may_be_declared(k) || (called && !is(k + 1, "("))))
        {
            return false;
        }
    }
    return true;
}

static int is_outer_named(const char *name, int first, int end)
{
    return find_the_outer_one(name, first, end, false);
}

static int is_outer_called(const char *name, int first, int end)
{
    return find_the_outer_one(name, first, end, true);
}

// Whether each mention of the name in these tokens means what stands outside of functions, or a member of
// an object.
bool is_the_outer_one(const char *name, int first, int end, bool called)
{
    return called ? known_answer(OUTER_CALLED, name, first, end, is_outer_called)
                  : known_answer(OUTER_NAMED, name, first, end, is_outer_named);
}

bool is_unevaluated(int i)
{
    static const char *const words[] = {"sizeof",  "decltype", "noexcept",
                                        "alignof", "typeid",   NULL};
    // What is known of the statement up to `at`, for the next question is mostly about the same one: a word
    // with no bracket behind it, and where the brackets of the others end.
    static int at = -1, brackets_end;
    static bool has_bare_word;
    int k = i;
    while (k > 0 && k != at && !is(k, ";") && !is(k, "{") && !is(k, "}"))
    {
        --k;
    }
    if (k != at)
    {
        has_bare_word = false;
        brackets_end = -1;
    }
    for (++k; k <= i; ++k)
    {
        const bool is_word = is_any(k, words), has_bracket = is_word && is(k + 1, "(");
        has_bare_word = has_bare_word || (is_word && !has_bracket);
        brackets_end = has_bracket && closing(k + 1) > brackets_end ? closing(k + 1) : brackets_end;
    }
    at = i;
    return has_bare_word || brackets_end > i;
}

_Noreturn void refuse_at(int i, const char *message)
{
    fail(tokens[i].file, tokens[i].line, message);
}

// Functions of C's library that no device has.
static bool is_of_library(int i)
{
    static const char *const names[] = {
        "exit",    "abort",  "rand",   "srand",  "time",   "sleep",  "usleep", "system", "getenv",
        "fprintf", "puts",   "fputs",  "fopen",  "fclose", "fflush", "scanf",  "fscanf", "fread",
        "fwrite",  "strlen", "strcmp", "strcpy", "strcat", "strtol", "atoi",   "atof",   NULL};
    return is_any(i, names);
}

// Functions of CUDA that kernels cannot call, not even those that launch kernels.
static bool is_of_host_api(int i)
{
    static const char *const names[] = {"cudaMemcpy",
                                        "cudaMemset",
                                        "cudaSetDevice",
                                        "cudaMallocManaged",
                                        "cudaDeviceReset",
                                        "cudaDeviceSynchronize",
                                        "cudaStreamSynchronize",
                                        NULL};
    return is_any(i, names);
}

static void refuse_name(int i, int first, int end)
{
    const bool called = is(i + 1, "(");
    const char *name = text_of(i);
    const bool stream = is(i + 1, "<") && is(i + 2, "<") && (is(i, "cout") || is(i, "cerr"));
    if (is_unevaluated(i))
    {
        return;
    }
    if (stream && is(i - 1, "::") && is(i - 2, "std"))
    {
        refuse_at(i, join(join("device code cannot use std::", name), ": printf prints there"));
    }
    if (!called || is_of_object(i) || !is_the_outer_one(name, first, end, true))
    {
        return;
    }
    const Kind kind = kind_of(name);
    if (kind == UNDECLARED && is_of_library(i))
    {
        refuse_at(i,
                  join(join("device code cannot call ", name),
                       is(i, "exit") || is(i, "abort") ? ": return, or __trap() to stop the kernel"
                                                       : ", a function of the host's C library"));
    }
    if (kind == UNDECLARED && is_of_host_api(i))
    {
        refuse_at(i, join(join("device code cannot call ", name), ", a function of the host"));
    }
    if (kind == FUNCTION)
    {
        refuse_at(i, join(name, " is a function of the host: device code can call it with "
                                "__device__ before its definition"));
    }
}

// nvcc does not look into a static or inline function, or a template, that no other text names.
bool is_named_elsewhere(int first, int parameters)
{
    static const char *const words[] = {"static",          "inline",   "__inline__",
                                        "__forceinline__", "template", NULL};
    bool named = true;
    for (int i = first; i < parameters; ++i)
    {
        named = named && !is_any(i, words);
    }
    const char *name = text_of(parameters - 1);
    for (int i = 0; i < num_tokens && !named; ++i)
    {
        const bool declares =
            tokens[i].outermost && is(i + 1, "("); // it, or another one of this name
        named = !declares && !tokens[i].system && is(i, name);
    }
    return named;
}

// nvcc takes no array of variable length in device code. The compiler knows which is one.
static const char *line_marker(int i)
{
    char line[40];
    snprintf(line, sizeof(line), "\n# %d \"", tokens[i].line);
    return join(join(line, tokens[i].file), "\"\n");
}

static void forbid_variable_length(int body, int end)
{
    put_after(body, join("\n#pragma GCC diagnostic push\n#pragma GCC diagnostic error \"-Wvla\"",
                         line_marker(body)));
    // g++ has switched the warning on for good.
    // After the brace: where a semicolon is missing before it, the compiler shall say so.
    put_after(end, join("\n#pragma GCC diagnostic pop\n#pragma GCC diagnostic ignored \"-Wvla\"",
                        line_marker(end)));
}

// Names that may be anything, code that may be left out.
bool is_uncertain(int first, int end)
{
    static const char *const words[] = {"struct", "class",   "union", "enum",
                                        "using",  "typedef", NULL};
    for (int i = first; i < end; ++i)
    {
        if (is_any(i, words) || (is(i, "if") && is(i + 1, "constexpr")))
        {
            return true;
        }
    }
    return false;
}

// The parameters of the device code from `first`, where its declaration begins, to the brace `end`; -1 where it
// is not certain what its names are.
int certain_parameters(int first, int end)
{
    find_outer_names();
    const int parameters = parameter_list(first - 1);
    return parameters < 0 || !is_of_file(parameters - 1) || !tokens[first].outermost ||
                   is(first, "template") || is(parameters - 2, "::") || is_uncertain(first, end) ||
                   !is_named_elsewhere(first, parameters)
               ? -1
               : parameters;
}

void refuse_host_code(int first, int end)
{
    const int parameters = certain_parameters(first, end);
    if (parameters < 0)
    {
        return;
    }
    for (int i = function_body(parameters) + 1; i < end; ++i)
    {
        if (is(i, "throw") || is(i, "try"))
        {
            refuse_at(i, "device code cannot throw or catch an exception");
        }
        if (is(i, "thread_local") || is(i, "dynamic_cast"))
        {
            refuse_at(i, join("device code has no ", text_of(i)));
        }
        if (is_name(i) && is_of_file(i))
        {
            refuse_name(i, parameters, end);
        }
    }
    forbid_variable_length(function_body(parameters), end);
}

// [=] __device__ (int x) { ... }, with __host__ before it or not, in code of the host.
void refuse_lambda(int i, bool extended)
{
    const int end = is(i - 1, "__host__") ? i - 2 : i - 1;
    if (!is_of_file(end) || !is(end, "]") || is(end - 1, "]"))
    {
        return;
    }
    if (!extended)
    {
        refuse_at(i, "a lambda with __device__ needs the flag -extended-lambda");
    }
    for (int k = opening(end) + 1; k < end; ++k)
    {
        if (is(k, "&") && (is(k - 1, "[") || is(k - 1, ",")) &&
            (is_name(k + 1) || is(k + 1, ",") || k + 1 == end))
        {
            refuse_at(k, "a lambda with __device__ cannot capture by reference: take [=]");
        }
        k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : k;
    }
}

// ---- The host takes the name of a device variable for its address ----

static bool is_device_variable(const char *name)
{
    int found = 0;
    for (int n = 0; n < num_outer; ++n)
    {
        const int i = outer[n];
        bool device = false, other = false;
        for (int k = declaration_start(i); is(i, name) && k < i; ++k)
        {
            device = device || is(k, "__device__") || is(k, "__constant__");
            other = other || is(k, "__managed__") || is(k, "template") || is(k, "(");
        }
        found += is(i, name) ? (device && !other && !is(i + 1, "(") ? 1 : 2) : 0;
    }
    return found == 1;
}

int function_start(int i)
{
    while (i > 0 && !(is(i, "{") && tokens[i].outermost))
    {
        --i;
    }
    while (i > 0 && !(is(i, "(") && tokens[i].outermost))
    {
        --i;
    }
    return i;
}

// cudaMemcpy(d_x, ...) and cudaMemcpy(&d_x, ...): a GPU's runtime gets the address of a variable of
// the host that stands for d_x, and returns error 1. So does ours, for the address of this symbol.
static void replace_variable(int first, int end)
{
    const int name = is(first, "&") ? first + 1 : first;
    if (name + 1 == end && is_name(name) && is_of_file(name) && is_device_variable(text_of(name)) &&
        is_the_outer_one(text_of(name), function_start(name), name, false))
    {
        replace(first, "");
        replace(name, "((void *)cudacpu_symbol)");
    }
}

void rewrite_copy(int i)
{
    static const char *const copies[] = {"cudaMemcpy", "cudaMemcpyAsync", "cudaMemset",
                                         "cudaMemsetAsync", NULL};
    if (!is_any(i, copies) || !is(i + 1, "(") || tokens[i].system || tokens[i].outermost)
    {
        return;
    }
    find_outer_names();
    const int end = closing(i + 1);
    for (int k = i + 2, argument = 0; k < end && argument < 2; ++argument)
    {
        int next = k;
        while (next < end && !is(next, ","))
        {
            const bool bracket = is(next, "(") || is(next, "[") || is(next, "{");
            next = bracket ? closing(next) + 1 : next + 1;
        }
        replace_variable(k, next);
        k = next + 1;
    }
}
