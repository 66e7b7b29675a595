// Declarations: where they begin and end, and the names that they declare.
#include "rewriter.h"

static bool ends_statement(int i)
{
    return i < 0 || is(i, ";") || is(i, "{") || is(i, "}") || is(i, ":") || is(i, ")");
}

// The declaration that i is in begins here. Attributes belong to it, other brackets do not.
int declaration_start(int i)
{
    while (!ends_statement(i - 1) || (is(i - 1, ")") && (is(opening(i - 1) - 1, "alignas") ||
                                                         is(opening(i - 1) - 1, "__attribute__"))))
    {
        i = is(i - 1, ")") ? opening(i - 1) - 1 : i - 1;
    }
    return i;
}

int declaration_end(int i)
{
    for (; i < num_tokens && !is(i, ";"); ++i)
    {
        if (is(i, "(") || is(i, "{") || is(i, "["))
        {
            i = closing(i);
        }
    }
    return i;
}

// The name that the declarator at k declares, or -1, and in *next where the one after it begins.
int declared_name(int k, int end, int *next)
{
    static const char *const no_names[] = {"__attribute__", "alignas", "decltype", NULL};
    int name = -1, depth = 0;
    bool named = false;
    for (; k < end && !(depth == 0 && is(k, ",")); ++k)
    {
        named = named || is(k, "[") || is(k, "=");
        name = !named && depth == 0 && is_name(k) && !is_any(k, no_names) ? k : name;
        depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
        if (is(k, "(") || is(k, "[") || is(k, "{"))
        {
            k = closing(k);
        }
    }
    *next = k + 1;
    return name;
}

// The brace that i is in, or -1.
int scope_of(int i)
{
    for (--i; i >= 0 && !is(i, "{"); --i)
    {
        i = is(i, ")") || is(i, "]") || is(i, "}") ? opening(i) : i;
    }
    return i;
}
