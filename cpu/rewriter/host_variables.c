// Variables of the host in device code: `static size_t M, N;` and a kernel that reads N. nvcc refuses that.
//
// Only where it is certain: the name stands in no system header, each of its declarations outside of functions
// is that of a plain variable, and nothing in the function that uses it may declare the name again. Classes
// are not looked into, because a member may have the name.
#include "rewriter.h"

// ---- Which names are variables of the host ----

typedef enum Mention
{
    OTHER,
    USE,
    HOST_VARIABLE
} Mention;

// The first * or & from k on that belongs to the declarator of the name at `name`, or `name`.
static int first_mark(int k, int name)
{
    for (int depth = 0; k < name; ++k)
    {
        depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
        if (depth == 0 && (is(k, "*") || is(k, "&")))
        {
            return k;
        }
        k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : k;
    }
    return name;
}

static bool has_const(int k, int end)
{
    for (int depth = 0; k < end; ++k)
    {
        depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
        if (depth == 0 && is(k, "const"))
        {
            return true;
        }
        k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : k;
    }
    return false;
}

// Device code knows the value of a constant. It does not know a constant array.
static bool has_known_value(int first, int first_name, int declarator, int name)
{
    int mark = first_mark(declarator, name), last = mark;
    for (; mark < name; mark = first_mark(mark + 1, name))
    {
        last = mark;
    }
    const bool is_const =
        last < name ? has_const(last, name) : has_const(first, first_mark(first, first_name));
    return is_const && (!is(name + 1, "[") || is(name + 2, "["));
}

// Whether what stands behind a name lets it be a variable's. In `int c(5)` that is no type.
static bool ends_variable(int i)
{
    static const char *const ends[] = {";", "=", "[", ",", "{", "__attribute__", NULL};
    const char c = is(i, "(") ? tokens[i + 1].text[0] : ' ';
    return is_any(i, ends) || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '"' ||
           c == '\'';
}

static bool is_variable(int first, int first_name, int declarator, int name)
{
    static const char *const words[] = {"__device__",  "__global__", "__constant__",
                                        "__managed__", "__shared__", "template",
                                        "constexpr",   "consteval",  "constinit",
                                        "operator",    "friend",     "typedef",
                                        "using",       "namespace",  "asm",
                                        "goto",        "texture",    "surface",
                                        NULL}; // (references to textures, until CUDA 12)
    static const char *const heads[] = {"struct", "class", "union", "enum", "typename", NULL};
    bool has_head = false;
    for (int k = first; k < name; ++k)
    {
        has_head = has_head || is_any(k, heads);
        if (is_any(k, words))
        {
            return false;
        }
        k = is(k, "(") || is(k, "{") ? closing(k) : k;
    }
    // struct alignas(16) S { ... } declares no variable.
    return first < name && !is_any(name - 1, heads) && !is(name - 1, ")") && !is(name - 1, "::") &&
           !(has_head && is(name + 1, "{")) && ends_variable(name + 1) &&
           !has_known_value(first, first_name, declarator, name);
}

// What the name at i is there, which is outside of functions and classes.
static Mention mention_at(int i)
{
    static const char *const classes[] = {"struct", "class", "union", "enum", NULL};
    int first = list_start(i);
    const int brace = is(first - 1, "}") ? opening(first - 1) : -1;
    const int head = brace < 0 ? -1 : declaration_start(brace);
    for (int k = head; k >= 0 && k < brace && !is(k, "("); ++k) // struct { int a; } M, N;
    {
        first = is_any(k, classes) ? head : first;
    }
    while (is(first, "[") && is(first + 1, "["))
    {
        first = closing(first) + 1;
    }
    if (is(first - 1, ":") || !(is_name(first) || is(first, "::")))
    {
        return USE; // A::A() : a(1), b(2) {}
    }
    const int end = declaration_end(first);
    int first_name = -1;
    for (int k = first; k <= i;)
    {
        const int declarator = k, name = declared_name(k, end, &k);
        first_name = first_name < 0 ? name : first_name;
        if (name == i)
        {
            return is_variable(first, first_name, declarator, name) ? HOST_VARIABLE : OTHER;
        }
    }
    return is(i - 1, "::") || is(first, "using") ? OTHER : USE;
}

// One place where each is declared.
static int *variables;
static int num_variables = -1;

static void find_variables(void)
{
    int count;
    const int *names = outer_names(&count);
    variables = allocate(NULL, ((size_t)count + 1) * sizeof(*variables));
    num_variables = 0;
    for (int n = 0; n < count; ++n)
    {
        if (mention_at(names[n]) == HOST_VARIABLE)
        {
            variables[num_variables++] = names[n];
        }
    }
}

// Where the variable of the host is declared that the name at i may be; -1: it is none.
static int find_variable(int i)
{
    int n = 0, count;
    while (n < num_variables && !is_same(variables[n], i))
    {
        ++n;
    }
    if (n == num_variables)
    {
        return -1;
    }
    const int *names = outer_names(&count);
    for (int k = 0; k < count; ++k)
    {
        if (is_same(names[k], i) && mention_at(names[k]) == OTHER)
        {
            return -1;
        }
    }
    return variables[n];
}

// ---- Where device code uses them ----

// Whether the name behind :: is that of the variable: ::N, or s::N of a namespace s.
static bool is_qualified(int i, int variable)
{
    const int brace = scope_of(variable);
    return is_name(i - 2)
               ? brace >= 0 && is(brace - 1, text_of(i - 2)) && is(brace - 2, "namespace")
               : !is(i - 2, ">");
}

// Whether nothing from `first` to `end` may declare the name at i.
static bool is_declared_outside(int i, int first, int end)
{
    const char *name = text_of(i);
    for (int k = first; k < end; ++k)
    {
        if (is(k, name) && may_be_declared(k))
        {
            return false;
        }
    }
    return true;
}

// Whether a system header may declare the name. Most of its mentions are parameters and arguments of templates.
static bool may_be_of_system(const char *name)
{
    static const char *const next[] = {"(", ";", "=", "{", "[", NULL};
    for (int k = 0; k < num_tokens; ++k)
    {
        if (tokens[k].system && tokens[k].outermost && is(k, name) && is_any(k + 1, next))
        {
            return true;
        }
        const int end = is(k, "template") && is(k + 1, "<") ? template_end(k + 1) : k;
        k = end > k ? end - 1 : is(k, "(") && closing(k) > k ? closing(k) : k;
    }
    return false;
}

// Whether the name at i, which nothing in its function declares, is that of the variable. A variable outside of
// namespaces cannot have the name of something else that is seen there.
static bool is_seen(int i, int variable, int first)
{
    const int space = scope_of(variable);
    return space < 0 || space == scope_of(first) || !may_be_of_system(text_of(i));
}

static void refuse_variable(int i, int first, int end)
{
    const int variable = find_variable(i);
    if (variable < 0 || variable > i || is(i - 1, ".") || is(i - 1, "->") || is_unevaluated(i) ||
        (is(i - 1, "::") ? !is_qualified(i, variable)
                         : !is_declared_outside(i, first, end) || !is_seen(i, variable, first)))
    {
        return;
    }
    refuse_at(i, join(text_of(i), " is a variable of the host: give its value to the kernel, or "
                                  "write __device__ before its definition"));
}

// Names that may be anything, code that may be left out.
static bool has_uncertain_names(int first, int end)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};
    for (int i = first; i < end; ++i)
    {
        if (is_any(i, words) || (is(i, "if") && is(i + 1, "constexpr")))
        {
            return true;
        }
    }
    return false;
}

// What __global__ or __device__ at i stands before: a function, or the parameters of a lambda. In a header,
// a function that is the host's, too, may have a part for each side.
void refuse_host_variables(int i)
{
    const int parameters = parameter_list(i);
    const int body = parameters < 0 ? -1 : function_body(parameters);
    if (body < 0 || tokens[body].system)
    {
        return;
    }
    const bool is_lambda = !tokens[i].outermost;
    const int outer =
        is_lambda ? function_start(i) : parameters; // the parameters of the function around
    const int first = outer > 0 ? list_start(outer - 1) : -1;
    if (first < 0 || (is_lambda && !is(i - 1, "]") && !(is(i - 1, "__host__") && is(i - 2, "]"))) ||
        is(outer - 2, "::") || is(first - 1, ":") || function_body(outer) > body ||
        closing(function_body(outer)) < body || has_uncertain_names(outer, closing(body)))
    {
        return;
    }
    bool both = false;
    for (int k = first; k < parameters; ++k)
    {
        both = both || is(k, "__host__");
    }
    if ((both && !is_of_file(body)) || (!is_lambda && !is_named_elsewhere(first, parameters)))
    {
        return;
    }
    if (num_variables < 0)
    {
        find_variables();
    }
    for (int k = body; num_variables > 0 && k < closing(body); ++k)
    {
        if (is_name(k) && !tokens[k].system)
        {
            refuse_variable(k, first, closing(body));
        }
    }
}
