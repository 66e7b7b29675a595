// Kernels and their launches.
#include <stdio.h>
#include <string.h>
#include "rewriter.h"

// From __global__ or __device__ to the parameter list: past attributes and everything else in
// brackets that is no parameter list, because no function name stands before it. -1: a variable.
int parameter_list(int i)
{
    static const char *const no_functions[] = {"__attribute__", "decltype", "alignas", NULL};
    for (int k = i + 1; k < num_tokens && !is(k, ";") && !is(k, "{") && !is(k, "="); ++k)
    {
        if (is(k, "operator"))
        {
            k += is(k + 1, "(") ? 3 : 1; // operator() has a pair of its own
            while (k < num_tokens && !is(k, "("))
            {
                ++k;
            }
            return k;
        }
        // The > is that of template<> void k<float>(
        if (is(k, "(") && (is(k - 1, ">") || (is_name(k - 1) && !is_any(k - 1, no_functions))))
        {
            return k;
        }
        if (is(k, "(") || is(k, "["))
        {
            k = closing(k);
        }
    }
    return -1;
}

// The brace that opens the body, or -1: a mere declaration. A constructor's initializers may have
// braces of their own, each after a name.
int function_body(int parameters)
{
    bool initializers = false;
    for (int k = closing(parameters) + 1; k < num_tokens && !is(k, ";") && !is(k, "="); ++k)
    {
        initializers = initializers || is(k, ":");
        if (is(k, "{") && !(initializers && (is_name(k - 1) || is(k - 1, ">"))))
        {
            return k;
        }
        if (is(k, "(") || is(k, "{"))
        {
            k = closing(k);
        }
    }
    return -1;
}

// The end of the class or function that is a template, or i.
int template_end(int i)
{
    if (!is(i + 1, "<"))
    {
        return i;
    }
    for (int k = i + 1; k < num_tokens && !is(k, ";"); ++k)
    {
        if (is(k, "{"))
        {
            return closing(k);
        }
        if (is(k, "("))
        {
            k = closing(k);
        }
    }
    return i;
}

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
    char *name = allocate(NULL, tokens[k].length + 1);
    snprintf(name, tokens[k].length + 1, "%s", tokens[k].text);
    return name;
}

// The text of some tokens on one line, so that no line of the source moves.
static const char *copy_text(int from, int to)
{
    size_t length = 0;
    for (int k = from; k < to; ++k)
    {
        length += tokens[k].length + 1;
    }
    char *text = allocate(NULL, length + 1), *end = text;
    *text = '\0';
    for (int k = from; k < to; ++k)
    {
        end += sprintf(end, "%s%.*s", tokens[k].gap_length > 0 ? " " : "", tokens[k].length,
                       tokens[k].text);
    }
    return text;
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

// The kernel's lambda keeps a copy of each parameter; of a reference it keeps the reference, as a
// GPU's kernel does: ", &x" for each. After a default argument & may be an operator.
static const char *captured_references(int parameters)
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
        }
        defaults = !is(k, ",") && (defaults || is(k, "="));
        k = brackets ? closing(k) : k;
    }
    return captures;
}

// Returns the end of the body, or i where there is none.
int rewrite_global(int i)
{
    replace(i, "");
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
    const char *kernel = join(join("{ ::cudacpu::kernel<", read_signature(parameters)), ">(");
    const char *capture =
        join(join(", [=", captured_references(parameters)), "]() mutable -> void ");
    put_before(body, join(join(kernel, name), capture));
    put_after(end, "); }");
    for (int k = body; k < end; ++k)
    {
        if (is(k, "__func__") || is(k, "__FUNCTION__")) // the compiler would say "operator()"
        {
            replace(k, name);
        }
    }
    return end;
}

// --- launches ------------------------------------------------------------------------------------

// From the > that closes template arguments back to the name before them.
static int before_template_arguments(int k)
{
    int depth = 0;
    for (; k > 0; --k)
    {
        depth += is(k, ">") + 3 * is(k, ">>>") - is(k, "<");
        if (depth <= 0)
        {
            return k - 1;
        }
        if (is(k, ")") || is(k, "]") || is(k, "}"))
        {
            k = opening(k);
        }
    }
    return k;
}

static bool is_operand(int i)
{
    static const char *const words[] = {"return", "else", "do", "case", "co_return", NULL};
    return (is_name(i) && !is_any(i, words)) || is(i, ")") || is(i, "]") || is(i, ">");
}

// Where the expression before <<< begins: name, ns::name<T>, (*pointer), table[i], object.kernel,
// choose(x), and what these may be put together to.
static int kernel_start(int i)
{
    static const char *const statements[] = {"if", "while", "for", "switch", "constexpr", NULL};
    for (int k = i - 1;;)
    {
        while (is(k, ")") || is(k, "]"))
        {
            const int open = opening(k);
            const bool after_condition =
                is(open - 1, ")") && is_any(opening(open - 1) - 1, statements);
            if (!is_operand(open - 1) || is_any(open - 1, statements) || after_condition)
            {
                return open; // (*pointer)
            }
            k = open - 1;
        }
        if (is(k, ">") || is(k, ">>>"))
        {
            k = before_template_arguments(k);
        }
        if (is(k - 1, "template"))
        {
            --k;
        }
        if (!is(k - 1, "::") && !is(k - 1, ".") && !is(k - 1, "->"))
        {
            return k;
        }
        if (is(k - 1, "::") && (!is_operand(k - 2) || is(k - 2, ")") || is(k - 2, "]")))
        {
            return k - 1; // ::kernel
        }
        k -= 2;
    }
}

// How many tokens end a launch's configuration here: >>> is one, >> > three, nothing 0.
static int closes_launch(int i)
{
    const bool apart = is(i, ">") && is(i + 1, ">") && is(i + 2, ">") && is(i + 3, "(");
    return is(i, ">>>") ? 1 : apart && tokens[i + 1].gap_length == 0 ? 3 : 0;
}

void rewrite_launch(int i)
{
    int depth = 0, end = i + 1;
    for (; end < num_tokens && !(depth == 0 && closes_launch(end)) && depth >= 0; ++end)
    {
        depth += is(end, "(") || is(end, "[") || is(end, "{");
        depth -= is(end, ")") || is(end, "]") || is(end, "}");
    }
    const int arguments = end + closes_launch(end);
    if (arguments == end || !is(arguments, "("))
    {
        fail(tokens[i].file, tokens[i].line, "a launch is kernel<<<grid, block>>>(arguments)");
    }
    const char *configuration = copy_text(i + 1, end);
    put_before(kernel_start(i), join(join("(::cudacpu::configure(", configuration), "), "));
    for (int k = i; k < arguments; ++k)
    {
        replace(k, "");
    }
    put_after(closing(arguments), ")");
}
