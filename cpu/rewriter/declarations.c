// Declarations: where they begin and end, the names that they declare, and whether a name is declared
// where it stands.
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

// The declaration that i is in begins here, also where i is behind the initial value of another name: N in
// `int M = f(3), N` and `S M = {1, 2}, N`, or where a class is defined before the name.
int list_start(int i)
{
    int k = declaration_start(i);
    while (k > 0 && !is_name(k) &&
           ((is(k - 1, ")") && !is(k, "::")) || (is(k - 1, "}") && is(k, ","))))
    {
        k = declaration_start(opening(k - 1));
    }
    return k;
}

// ---- Whether a name is declared where it stands ----

// The bracket that i is in, or -1.
int bracket_around(int i)
{
    for (--i; i >= 0 && !is(i, "(") && !is(i, "[") && !is(i, "{"); --i)
    {
        i = is(i, ")") || is(i, "]") || is(i, "}") ? opening(i) : i;
    }
    return i;
}

static bool is_operator_word(int i)
{
    static const char *const words[] = {"return", "else", "do",  "case", "throw",  "new",
                                        "delete", "not",  "and", "or",   "sizeof", NULL};
    return is_any(i, words);
}

static bool is_mark(int i)
{
    static const char *const marks[] = {"*", "&", "__restrict__", "__restrict", NULL};
    return is_any(i, marks);
}

static bool is_assignment(int i)
{
    return is(i, "=") && !is(i + 1, "=");
}

// The < of the template arguments that end at i, or -1: a comparison.
static int template_start(int i)
{
    static const char *const others[] = {";", "=", "|", "?", "(", "[", "{", "}", "||", NULL};
    for (int k = i, depth = 0; k > 0 && !is_any(k, others); --k)
    {
        depth += is(k, ">") + 3 * is(k, ">>>") - is(k, "<");
        if (depth <= 0)
        {
            return depth == 0 && is_name(k - 1) ? k : -1;
        }
        if (is(k, "&") && is(k - 1, "&") && !is(k + 1, ">") && !is(k + 1, ","))
        {
            return -1;
        }
        k = is(k, ")") || is(k, "]") ? opening(k) : k;
    }
    return -1;
}

// The token after the template arguments that begin at the < at i, or -1.
int template_end(int i)
{
    static const char *const others[] = {";", ")", "]", "{", "}", NULL};
    for (int k = i, depth = 0; k < num_tokens && !is_any(k, others); ++k)
    {
        depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
        if (depth <= 0)
        {
            return k + 1;
        }
        k = is(k, "(") || is(k, "[") ? closing(k) : k;
    }
    return -1;
}

// The first token of the type that ends at i, as std of std::pair<int, int>; -1: it is no type.
static int type_start(int i)
{
    for (;;)
    {
        i = is(i, ">") ? template_start(i) - 1 : i;
        if (!is_name(i) || !is(i - 1, "::"))
        {
            return is_name(i) ? i : -1;
        }
        if (!is_name(i - 2) && !is(i - 2, ">"))
        {
            return i - 1;
        }
        i -= 2;
    }
}

// Whether the parenthesis at i opens a list of parameters.
static bool opens_parameters(int i)
{
    if (is(i - 1, "]"))
    {
        const int before = opening(i - 1) - 1;
        return !is_name(before) && !is(before, ")") && !is(before, "]");
    }
    return is_name(i - 1) &&
           (tokens[i - 1].outermost || (is_name(i - 2) && !is_operator_word(i - 2)));
}

static bool semicolon_follows(int i)
{
    while (i < num_tokens && !is(i, ";") && !is(i, ")") && !is(i, "]") && !is(i, "}"))
    {
        i = (is(i, "(") || is(i, "[") || is(i, "{") ? closing(i) : i) + 1;
    }
    return is(i, ";");
}

// Whether a type and the name at i stand behind the token `before`. Both could be factors, too.
static bool can_declare_after(int before, int i)
{
    static const char *const heads[] = {"for", "if", "while", "switch", NULL};
    const int around = is(before, ",") ? bracket_around(before) : before;
    if (is_name(before))
    {
        return !is_operator_word(before);
    }
    if (before < 0 || is(before, ";") || is(before, "{") || is(before, "}"))
    {
        return semicolon_follows(i) || is(i + 1, ":");
    }
    if (is(before, ")"))
    {
        return is(opening(before) - 1, "alignas") || is(opening(before) - 1, "__attribute__");
    }
    if (is(before, "]"))
    {
        return is(before - 1, "]");
    }
    if (is(around, "("))
    {
        const bool has_value = is_assignment(i + 1) || is(i + 1, ":") || is(i + 1, ";");
        return opens_parameters(around) || is(around - 1, "catch") ||
               (is_any(around - 1, heads) && has_value);
    }
    return is(before, ":") && is_assignment(i + 1);
}

// Whether what ends at `end` is a type, and the name at i is declared with it.
static bool is_type_of(int end, int i)
{
    static const char *const types[] = {"int",  "float", "double",   "char",   "bool",
                                        "long", "short", "unsigned", "signed", "size_t",
                                        "void", "auto",  NULL};
    const int start = type_start(end);
    return start >= 0 && (is_any(end, types) || can_declare_after(start - 1, i));
}

// Whether a statement that begins at k has a type first and a name then.
static bool begins_declaration(int k)
{
    static const char *const attributes[] = {"alignas", "__attribute__", NULL};
    while (is(k, "case") || is(k, "[") || (is_name(k) && is(k + 1, ":"))) // [[attribute]], label:
    {
        k = is(k, "[") ? closing(k) : k;
        while (!is(k, ":") && !is(k, "]") && !is(k, ";") && k < num_tokens)
        {
            ++k;
        }
        ++k;
    }
    while (!is_operator_word(k))
    {
        k += is(k, "::");
        if (!is_name(k))
        {
            return false;
        }
        if (is_any(k, attributes))
        {
            return true;
        }
        k = is(k + 1, "<") ? template_end(k + 1) : k + 1;
        if (!is(k, "::"))
        {
            const bool marked = is_mark(k);
            while (is_mark(k))
            {
                ++k;
            }
            return is_name(k) || (marked && is(k, "("));
        }
    }
    return false;
}

static bool opens_captures(int i)
{
    return is(i - 1, "auto") || !(is_name(i - 1) || is(i - 1, ")") || is(i - 1, "]"));
}

// Whether the comma stands between two names that are declared.
static bool separates_declared(int comma)
{
    const int around = bracket_around(comma);
    if (is(around, "["))
    {
        return opens_captures(around);
    }
    int start = comma;
    while (start - 1 > around && !is(start - 1, ";") &&
           !(is(start - 1, "}") && !is(start, ",") && !is(start, "(")))
    {
        const int k = start - 1;
        start = is(k, ")") || is(k, "]") || is(k, "}") ? opening(k) : k;
    }
    return (!is(around, "(") || (is(around - 1, "for") && start == around + 1)) &&
           semicolon_follows(comma) && begins_declaration(start);
}

// Whether the name at i may be declared there: after a type, in a list of declarators, or between
// the brackets of a lambda. Where it cannot be told, it may.
bool may_be_declared(int i)
{
    if (is_name(i - 1) && !is_mark(i - 1))
    {
        return !is_operator_word(i - 1);
    }
    if (is(i - 1, "::"))
    {
        return is(declaration_start(i), "using");
    }
    int k = i - 1;
    while (is_mark(k))
    {
        --k;
    }
    if (is(k, ">") || (k < i - 1 && is_name(k)))
    {
        return is_type_of(k, i);
    }
    if (is(k, ","))
    {
        return separates_declared(k);
    }
    if (is(k, "["))
    {
        return opens_captures(k);
    }
    // int (*row)[3], int (*function)(int)
    return k < i - 1 && is(k, "(") && is_name(k - 1) && !is_operator_word(k - 1) &&
           is(i + 1, ")") && (is(i + 2, "[") || is(i + 2, "("));
}
