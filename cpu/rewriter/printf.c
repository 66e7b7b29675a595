// printf learns its place in the source.
#include <stdio.h>
#include "rewriter.h"

static bool is_declaration_of_printf(int i)
{
    return (is_name(i - 1) && !is(i - 1, "return") && !is(i - 1, "else") && !is(i - 1, "do")) ||
           is(i - 1, ".") || is(i - 1, "->") || (is(i - 1, "::") && !is(i - 2, "std"));
}

void rewrite_printf(int i)
{
    if (tokens[i].system || !is(i + 1, "(") || is_declaration_of_printf(i))
    {
        return;
    }
    char text[64];
    snprintf(text, sizeof(text), "(%d,", i); // tokens count up through the source
    replace(i, "::cudacpu_printf");
    replace(i + 1, join(text, ""));
    if (is(i - 1, "::"))
    {
        replace(i - 1, "");
        replace(i - 2, "");
    }
}
