// Names that mean another thing on the other side: a variable of the device that the host reads, and what
// a launch gives to a kernel that is the host's own. nvcc warns of the first; of a kernel's arguments it
// refuses only the lambdas. Each of them is wrong on every GPU.
//
// Certain means, as everywhere here: in a plain function of the user's own file, a name that is declared once
// outside of functions and not again in the function.
#include "rewriter.h"

// ---- Variables of the device ----

//
// The host has a variable of its own for each of the device's, of the same name. A program that uses this one
// alone is right by luck: so the name must be used in device code, too. A pointer that the host sets by
// cudaMalloc and gives to a kernel is such a case, and is never refused.
typedef struct Variable
{
    int name; // where it is declared
    bool is_array, is_pointer;
} Variable;

static Variable *variables;
static int num_variables = -1;

static bool is_declaration_of_device(int i)
{
    static const char *const others[] = {"__managed__", "template", "const",    "constexpr",
                                         "extern",      "typedef",  "__host__", NULL};
    bool device = false;
    for (int k = list_start(i); k < i; ++k)
    {
        if (is_any(k, others) || is(k, "(") || is(k, "{"))
        {
            return false;
        }
        device = device || is(k, "__device__") || is(k, "__constant__");
    }
    static const char *const ends[] = {";", "=", "[", ",", "{", NULL};
    return device && is_of_file(i) && may_be_declared(i) && is_any(i + 1, ends);
}

static void find_variables(void)
{
    int count;
    const int *names = outer_names(&count);
    variables = allocate(NULL, ((size_t)count + 1) * sizeof(*variables));
    num_variables = 0;
    for (int n = 0; n < count; ++n)
    {
        if (is_declaration_of_device(names[n]) && mentions_outside(text_of(names[n]), NULL, 0) == 1)
        {
            variables[num_variables++] =
                (Variable){names[n], is(names[n] + 1, "["),
                           !is_name(names[n] - 1) || is(names[n] - 1, "const")};
        }
    }
}

// The variable of the device that the name at i may be, or NULL.
static const Variable *variable_at(int i)
{
    if (num_variables < 0)
    {
        find_variables();
    }
    for (int n = 0; n < num_variables; ++n)
    {
        if (variables[n].name < i && is_same(i, variables[n].name))
        {
            return &variables[n];
        }
    }
    return NULL;
}

// ---- Where the host reads or writes one ----

// Whether the value of what stands between `before` and `next` is read or changed. An argument of a function
// may be taken by reference, as cudaMemcpyToSymbol takes its symbol; those of printf are values.
static bool is_value(int before, int next)
{
    static const char *const heads[] = {"if", "while", "for", "switch", "return", NULL};
    static const char *const operators[] = {"+", "-", "*", "/", "%", "^", "|", NULL};
    static const char *const ends[] = {"+", "-", "/", "%", "^", "|", ".", NULL};
    const int around = bracket_around(before + 1);
    const bool is_argument = is(around, "(") && is_name(around - 1) && !is_any(around - 1, heads);
    const bool is_reference = is(before, "=") && is(before - 2, "&"); // int &r = d_x
    const bool is_shown = is(before, "<") && is(before - 1, "<");     // std::cout << d_x
    if (is(before, "&") || is(before, "::") || is(before, ".") || is(before, "->") || is(next, "("))
    {
        return false;
    }
    if (is(around - 1, "printf") && (is(before, "(") || is(before, ",")))
    {
        return true;
    }
    return !is_argument && !is_reference &&
           (is(before, "=") || is(before, "return") || is_any(before, operators) || is_shown ||
            is(next, "=") || is_any(next, ends) || (is(before, "(") && is(next, "<")) ||
            (is(before, "(") && is(next, ">")));
}

bool may_be_device_variable(int i)
{
    return variable_at(i) != NULL;
}

static int find_use_on_device(const char *name, int first, int end)
{
    (void)first, (void)end;
    for (int k = 0; k < num_tokens; ++k)
    {
        if (tokens[k].system || tokens[k].outermost || !is(k, name))
        {
            continue;
        }
        const int parameters = function_start(k),
                  body = parameters > 0 ? function_body(parameters) : -1;
        bool on_device = false;
        for (int word = body < 0 ? parameters : declaration_start(parameters - 1);
             word < parameters; ++word)
        {
            on_device = on_device || is(word, "__global__") || is(word, "__device__");
        }
        if (on_device && body < k && closing(body) > k &&
            is_the_outer_one(name, parameters, closing(body), false))
        {
            return true;
        }
    }
    return false;
}

static bool is_used_on_device(const char *name)
{
    return known_answer(USED_ON_DEVICE, name, 0, 0, find_use_on_device);
}

// i is a name in a plain function of the host, which has its parameters at `first` and ends at `end`.
void refuse_device_variable(int i, int first, int end)
{
    const Variable *variable = variable_at(i);
    int next = i + 1;
    while (is(next, "["))
    {
        next = closing(next) + 1;
    }
    if (variable == NULL || (variable->is_array && next == i + 1) || is_unevaluated(i) ||
        (variable->is_pointer && !variable->is_array) || !is_value(i - 1, next) ||
        !is_the_outer_one(text_of(i), first, end, false) || !is_used_on_device(text_of(i)) ||
        is_outer_name_of_system(text_of(i)))
    {
        return;
    }
    refuse_at(i, join(text_of(i), " is a variable of the device: the host reads it by "
                                  "cudaMemcpyFromSymbol and writes it by cudaMemcpyToSymbol"));
}

// ---- What a launch gives to its kernel ----

// Whether the lambda at i, its [, has __device__ behind its brackets or its parameters.
static bool is_device_lambda(int i)
{
    for (int k = closing(i) + 1; k < num_tokens && !is(k, "{"); ++k)
    {
        if (is(k, "__device__"))
        {
            return true;
        }
        k = is(k, "(") ? closing(k) : k;
    }
    return false;
}

static void refuse_lambda_argument(int i)
{
    refuse_at(i, "a lambda that a kernel calls needs __device__ behind its brackets, and "
                 "the flag -extended-lambda");
}

// The [ of `auto name = [...`, if that is the only declaration of the name in these tokens, or -1.
static int lambda_of_name(const char *name, int first, int end)
{
    int found = -1;
    for (int k = first; k < end; ++k)
    {
        if (is(k, name) && may_be_declared(k))
        {
            if (found >= 0 || !is(k - 1, "auto") || !is(k + 1, "=") || !is(k + 2, "["))
            {
                return -1;
            }
            found = k + 2;
        }
    }
    return found;
}

// The argument of a launch from `from` to `to`, in the function with these bounds.
void refuse_argument(int from, int to, int first, int end)
{
    const int name = is(from, "&") ? from + 1 : from;
    if (is(from, "[") && !is(from + 1, "["))
    {
        if (!is_device_lambda(from))
        {
            refuse_lambda_argument(from);
        }
        return;
    }
    if (name + 1 != to || !is_name(name) || !is_of_file(name))
    {
        return;
    }
    const char *text = text_of(name);
    const int lambda = lambda_of_name(text, first, end);
    if (lambda >= 0 && name == from && !is_device_lambda(lambda))
    {
        refuse_lambda_argument(name);
    }
    if (!is_the_outer_one(text, first, end, false))
    {
        return;
    }
    const Variable *found = variable_at(name);
    const Variable *variable = found == NULL || is_outer_name_of_system(text) ? NULL : found;
    if (variable != NULL && (variable->is_array || (name != from && !variable->is_pointer)))
    {
        refuse_at(name, join(text, " is a variable of the device: a kernel uses it by its name, or "
                                   "gets its address by cudaGetSymbolAddress"));
    }
    if (variable != NULL && !variable->is_pointer && is_used_on_device(text))
    {
        refuse_at(name, join(text, " is a variable of the device: the host reads it by "
                                   "cudaMemcpyFromSymbol"));
    }
}
