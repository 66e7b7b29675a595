// Kernels: their bodies become lambdas, which keep the parameters.
#include <stdio.h>
#include <string.h>
#include "rewriter.h"

static const char *name_before(int i)
{
    int k = i - 1;
    while (k > 0 && !is_name(k))
    {
        --k;
    }
    for (int depth = 0; is(i - 1, ">") && k > 0; --k) // k<float>: back over the brackets
    {
        depth += is(k, ">");
        if (is(k, "<") && depth-- <= 0)
        {
            --k;
            break;
        }
    }
    return copy(tokens[k].text, tokens[k].length);
}

// The > of the template arguments that open at i, or i: a mere "less than", or no < at all.
static int template_arguments_end(int i, int end)
{
    int depth = 0;
    for (int k = i; k < end && (k == i || depth > 0); ++k)
    {
        depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
        if (depth <= 0)
        {
            return k;
        }
        if (is(k, "(") || is(k, "[") || is(k, "{"))
        {
            k = closing(k);
        }
    }
    return i;
}

// The first of the tokens from k on that is `mark`, in no brackets; or `end`.
static int find_outside_brackets(int k, int end, const char *mark)
{
    while (k < end && !is(k, mark))
    {
        const bool opens = is(k, "(") || is(k, "[") || is(k, "{");
        k = (opens ? closing(k) : template_arguments_end(k, end)) + 1;
    }
    return k < end ? k : end;
}

// A kernel's type as the text void(int *x, int n): its parameters without their default values. No
// compiler shall complain of those that are unused; nvcc does not.
static const char *read_signature(int parameters)
{
    const int end = closing(parameters);
    const char *signature = "void(";
    for (int k = parameters + 1, stop; k < end; k = stop + 1)
    {
        stop = find_outside_brackets(k, end, ",");
        if (!is(k, ".") && !(is(k, "void") && k + 1 == end))
        {
            put_before(k, "[[maybe_unused]] ");
        }
        signature = join(signature, copy_text(k, find_outside_brackets(k, stop, "=")));
        signature = join(signature, stop < end ? ", " : "");
    }
    return join(signature, ")");
}

// What a kernel is given to be followed: for people "x &n", for the compiler
// ", x, __builtin_addressof(n)".
typedef struct Pointers
{
    const char *names, *values;
} Pointers;

static void add_pointer(Pointers *list, const char *mark, const char *before, int name,
                        const char *after)
{
    const char *text = text_of(name);
    const char *space = list->names[0] != '\0' ? " " : "";
    list->names = join(join(join(list->names, space), mark), text);
    list->values = join(join(join(join(list->values, ", "), before), text), after);
}

// The kernel's lambda keeps a copy of each parameter; of a reference it keeps the reference, as a
// GPU's kernel does: ", &x" for each. After a default argument & may be an operator.
static const char *captured_references(int parameters, Pointers *list)
{
    const char *captures = "";
    bool defaults = false;
    for (int k = parameters + 1; k < closing(parameters); ++k)
    {
        const bool brackets = is(k, "(") || is(k, "[") || is(k, "{");
        const int name = k + 1 + brackets + is(k + 1 + brackets, "__restrict__");
        if (is(k + brackets, "&") && !is(k + brackets - 1, "&") && is_name(name) && !defaults &&
            (is(name + 1, ",") || is(name + 1, "=") || is(name + 1, ")")))
        {
            captures = join(join(captures, ", &"), copy_text(name, name + 1));
            add_pointer(list, "&", "__builtin_addressof(", name, ")");
        }
        defaults = !is(k, ",") && (defaults || is(k, "="));
        k = brackets ? closing(k) : k;
    }
    return captures;
}

// The name of a parameter that is declared as a pointer, T *const name or T name[], or -1.
static int pointer_name(int from, int end)
{
    static const char *const qualifiers[] = {"const", "volatile", "__restrict__", "__restrict",
                                             NULL};
    bool pointer = false;
    for (int k = from; k < end; ++k)
    {
        pointer = is(k, "*") || (pointer && is_any(k, qualifiers));
        if (is_name(k + 1) && !is_any(k + 1, qualifiers) &&
            ((pointer && k + 2 == end) || (k > from && is(k + 2, "[") && k + 2 < end)))
        {
            return k + 1;
        }
        k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : template_arguments_end(k, end);
    }
    return -1;
}

// The parameters that are pointers.
static Pointers list_pointers(int parameters)
{
    const int end = closing(parameters);
    Pointers list = {"", ""};
    for (int k = parameters + 1, stop; k < end; k = stop + 1)
    {
        stop = find_outside_brackets(k, end, ",");
        const int name = pointer_name(k, find_outside_brackets(k, stop, "="));
        if (name >= 0)
        {
            add_pointer(&list, "", "", name, "");
        }
    }
    return list;
}

// __launch_bounds__(n) is __attribute__((cudacpu_bounds(n))) here (cuda_runtime.h). No compiler knows it.
void remove_bounds(int i)
{
    if (is(i - 1, "(") && is(i - 2, "(") && is(i - 3, "__attribute__"))
    {
        for (int k = i - 3; k <= closing(i - 2); ++k)
        {
            replace(k, "");
        }
    }
}

// The kernel tells how many threads its block may have: "::cudacpu_launch_bounds(n); ", or "".
static const char *tell_bounds(int i, int parameters)
{
    int start = i;
    while (start > 0 && !is(start - 1, ";") && !is(start - 1, "}") && !is(start - 1, "{"))
    {
        --start;
    }
    for (int k = start; k < parameters; ++k)
    {
        if (is(k, "cudacpu_bounds") && is(k + 1, "(") && closing(k + 1) > k + 2)
        {
            const int end = find_outside_brackets(k + 2, closing(k + 1), ",");
            return join(join("::cudacpu_launch_bounds((unsigned)(", copy_text(k + 2, end)), ")); ");
        }
    }
    return "";
}

// Returns the end of the body, or i where there is none. A kernel stays a function of its own, which
// can be called by its address: a graph needs it (api_launch.c). The compiler lists the addresses of
// all functions that have a nop for patches at their beginning, so the list is that of the kernels.
int rewrite_global(int i)
{
    replace(i, "__attribute__((noinline, used, patchable_function_entry(1)))");
    const int parameters = parameter_list(i);
    if (parameters < 0)
    {
        fail(tokens[i].file, tokens[i].line, "__global__ without a function after it");
    }
    const int body = function_body(parameters);
    if (body < 0)
    {
        return i;
    }
    const int end = closing(body);
    const char *name = join(join("\"", name_before(parameters)), "\"");
    Pointers pointers = list_pointers(parameters);
    const char *kernel = join(join("{ ", tell_bounds(i, parameters)), "::cudacpu::kernel<");
    kernel = join(join(kernel, read_signature(parameters)), ">(");
    const char *capture =
        join(join(", [=", captured_references(parameters, &pointers)), "]() mutable -> void ");
    const char *names = join(join(", \"", pointers.names), "\"");
    put_before(body, join(join(join(kernel, name), names), capture));
    put_after(end, join(pointers.values, "); }"));
    for (int k = body; k < end; ++k)
    {
        if (is(k, "__func__") || is(k, "__FUNCTION__")) // the compiler would say "operator()"
        {
            replace(k, name);
        }
    }
    return end;
}
