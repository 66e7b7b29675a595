// Launches: kernel<<<grid, block>>>(arguments).
#include "rewriter.h"

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
