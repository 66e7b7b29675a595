// Volatile shared memory in device code. Where a kernel reads or writes it, the lanes of a warp
// keep in step (include/cudacpu_in_step.h). So each access is wrapped:
//
//   v[i] += v[i + 32];    in_step_write<P>(v)[i] += in_step_read<Q>(v)[i + 32];
//
// P and Q are places in the source. The wrappers look at the types: what is not volatile, or not
// shared, stays an ordinary access. So it does no harm to wrap too much.
//
// Global memory is summed in this way, too. Where a function writes one element of a pointer and reads
// another one, as in the line above, the wrappers are in_step_write_any and in_step_read_any. They keep in
// step whatever memory it is. A flag that is set and polled has no such line, and costs nothing.
#include <stdio.h>
#include "rewriter.h"

static bool adjoins(int i) // the token before it
{
    return i > 0 && tokens[i].gap_length == 0;
}

// --- reads and writes --------------------------------------------------------------------------

// True if what ends before i is assigned to: = += <<= ++ and so on follow.
static bool is_assigned(int i)
{
    static const char *const operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", NULL};
    const bool shifts = (is(i, "<") && is(i + 1, "<")) || (is(i, ">") && is(i + 1, ">"));
    if (is(i, "="))
    {
        return !(is(i + 1, "=") && adjoins(i + 1));
    }
    if ((is(i, "+") || is(i, "-")) && is(i + 1, tokens[i].text[0] == '+' ? "+" : "-"))
    {
        return adjoins(i + 1) && adjoins(i);
    }
    return (is_any(i, operators) && is(i + 1, "=") && adjoins(i + 1)) ||
           (shifts && is(i + 2, "=") && adjoins(i + 2));
}

// i is the ) of if (...), while (...) and their like: a statement follows.
static bool ends_condition(int i)
{
    static const char *const words[] = {"if", "constexpr", "while", "for", "switch", NULL};
    return is(i, ")") && is_any(opening(i) - 1, words);
}

// True if an expression could end with i, so that an operator after it has two operands.
static bool ends_operand(int i)
{
    static const char *const words[] = {"return", "else", "do", "case", "throw", NULL};
    const char first = i >= 0 ? tokens[i].text[0] : ';';
    return (is(i, ")") && !ends_condition(i)) || is(i, "]") || (is_name(i) && !is_any(i, words)) ||
           (first >= '0' && first <= '9');
}

static bool is_unary(int i, const char *operator)
{
    return is(i, operator) && !ends_operand(i - 1) && !(is(i - 1, operator) && adjoins(i));
}

// ++ or -- stands before i.
static bool is_incremented(int i)
{
    return (is(i - 1, "+") && is(i - 2, "+") && adjoins(i - 1)) ||
           (is(i - 1, "-") && is(i - 2, "-") && adjoins(i - 1));
}

static int after_subscripts(int i)
{
    while (is(i, "["))
    {
        i = closing(i) + 1;
    }
    return i;
}

// Whether i is in the parentheses of while (...).
static bool is_in_while(int i)
{
    int k = bracket_around(i);
    while (k >= 0 && !is(k, "{") && !(is(k, "(") && is(k - 1, "while")))
    {
        k = bracket_around(k);
    }
    return is(k, "(");
}

static bool has_name(int first, int end)
{
    while (first < end && !is_name(first))
    {
        ++first;
    }
    return first < end;
}

static bool same_text(int a, int end_of_a, int b, int end_of_b)
{
    bool same = end_of_a - a == end_of_b - b;
    for (; same && a < end_of_a; ++a, ++b)
    {
        same = is_same(a, b);
    }
    return same;
}

// Whether a use of the name after `name` and before `end` reads another element than that which `write`
// writes: v[t + 32] where v[t] is written. One that only a loop waits for is none.
static bool reads_another(int name, int end, int write)
{
    const int last = after_subscripts(write + 1);
    for (int k = name + 1; k < end; ++k)
    {
        const int after = is_same(k, name) && is(k + 1, "[") ? after_subscripts(k + 1) : -1;
        if (after > 0 && k != write && !is_assigned(after) && !is_unary(k - 1, "&") &&
            (has_name(k + 1, after) || has_name(write + 1, last)) &&
            !same_text(k + 1, after, write + 1, last) && !is_in_while(k))
        {
            return true;
        }
    }
    return false;
}

static bool is_summed(int name, int end)
{
    for (int k = name + 1; k < end; ++k)
    {
        if (is_same(k, name) && is(k + 1, "[") && is_assigned(after_subscripts(k + 1)) &&
            reads_another(name, end, k))
        {
            return true;
        }
    }
    return false;
}

// Wraps the tokens from `first` to `last`, after which the access ends at `end`. tokens count up
// through the source, so their numbers are the places.
static void wrap(int first, int last, int end, const char *what)
{
    char text[100];
    snprintf(text, sizeof(text), "::cudacpu::in_step_%s%s<%d>(",
             is_assigned(end) || is_incremented(first) ? "write" : "read", what, first);
    put_before(first, join(text, ""));
    put_after(last, ")");
}

// k names a pointer, and a star stands before it. After ) this is no product, but *v after a cast,
// because pointers are not multiplied.
static bool is_dereferenced(int k)
{
    return is_unary(k - 1, "*") || (is(k - 1, "*") && is(k - 2, ")"));
}

// k names a pointer or an array: wraps v[i], *v, *v++ and *(v + i), but neither &v[i] nor v itself.
static void wrap_element(int k, const char *memory)
{
    if (is(k + 1, "["))
    {
        if (!is_unary(k - 1, "&"))
        {
            wrap(k, k, after_subscripts(k + 1), memory);
        }
    }
    else if (is_dereferenced(k))
    {
        const bool steps = is_assigned(k + 1) && !is(k + 1, "=") && !is(k + 2, "=");
        const int last = steps ? k + 2 : k;
        wrap(k, last, last + 1, memory);
    }
    else if (is(k - 1, "(") && is_unary(k - 2, "*"))
    {
        wrap(k - 1, closing(k - 1), closing(k - 1) + 1, memory);
    }
}

// Wraps each use of the name at `name` from there to `end`.
static void wrap_uses(int name, int end, bool is_scalar)
{
    const char *memory = !is_scalar && is_summed(name, end) ? "_any" : "";
    for (int k = name + 1; k < end; ++k)
    {
        if (!is_same(k, name) || is(k - 1, ".") || is(k - 1, "->") || is(k - 1, "::"))
        {
            continue;
        }
        if (!is_scalar)
        {
            wrap_element(k, memory);
        }
        else if (!is_unary(k - 1, "&"))
        {
            wrap(k, k, k + 1, "_value");
        }
    }
}

// --- declarations ------------------------------------------------------------------------------

// The name that is declared from k on, before `end`, or -1; *next is behind its declarator.
static int declarator(int k, int end, int *next, bool *is_pointer)
{
    int name = -1, depth = 0;
    bool named = false;
    *is_pointer = false;
    for (; k < end && !(depth == 0 && is(k, ",")); ++k)
    {
        if (!named && is(k, "(") && is(k + 1, "*") && is_name(k + 2) && is(k + 3, ")")) // (*v)[64]
        {
            name = k + 2;
            *is_pointer = true;
        }
        named = named || is(k, "[") || is(k, "=") || is(k, "(") || is(k, "{");
        *is_pointer = *is_pointer || (!named && is(k, "*"));
        name = !named && depth == 0 && is_name(k) ? k : name;
        depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
        if (is(k, "(") || is(k, "[") || is(k, "{"))
        {
            k = closing(k);
        }
    }
    *next = k + 1;
    return name;
}

// A statement from `first` to its end declares volatile variables, which are known up to scope_end.
static void rewrite_variables(int first, int end, int scope_end)
{
    bool is_shared = false, is_pointer;
    for (int k = first; k < end; ++k)
    {
        is_shared = is_shared || is(k, "__shared__");
    }
    for (int k = first; k < end;)
    {
        const int name = declarator(k, end, &k, &is_pointer);
        const bool is_array = name >= 0 && is(name + 1, "[");
        if (name >= 0 && (is_pointer || is_shared))
        {
            wrap_uses(name, scope_end, !is_pointer && !is_array);
        }
    }
}

// A kernel's parameters never point to shared memory, but they may be summed; those of its functions may
// point to it.
static bool is_of_kernel(int parameters)
{
    int k = parameters - 1;
    while (k > 0 && !is(k, ";") && !is(k, "}") && !is(k, "{") && !is(k, "__global__"))
    {
        k = is(k, ")") || is(k, "]") ? opening(k) - 1 : k - 1;
    }
    return is(k, "__global__");
}

static void rewrite_parameter(int i, int parameters)
{
    const int body = function_body(parameters);
    if (body < 0)
    {
        return;
    }
    bool is_pointer;
    int next;
    const int name = declarator(i, closing(parameters), &next, &is_pointer);
    if (name >= 0 && (is_pointer || is(name + 1, "[")) &&
        (!is_of_kernel(parameters) || is_summed(name, closing(body))))
    {
        wrap_uses(name, closing(body), false);
    }
}

// (volatile T *)x: wraps *(volatile T *)x and ((volatile T *)x)[i].
static void rewrite_cast(int open)
{
    const int outer = open - 1;
    if (is(outer, "(") && is(closing(outer) + 1, "["))
    {
        wrap(outer, closing(outer), after_subscripts(closing(outer) + 1), "");
        return;
    }
    if (!is_unary(open - 1, "*"))
    {
        return;
    }
    int last = closing(open) + 1; // of what is cast
    while (is(last, "&") || is(last, "*"))
    {
        ++last;
    }
    last = is(last, "(") ? closing(last) : last;
    while (is(last + 1, "[") || is(last + 1, "(") || is(last + 1, ".") || is(last + 1, "->"))
    {
        last = is(last + 1, "[") || is(last + 1, "(") ? closing(last + 1) : last + 2;
    }
    wrap(open, last, last + 1, "");
}

// i is `volatile` in device code.
void rewrite_volatile(int i)
{
    const int open = bracket_around(i);
    if (open < 0 || is(open, "["))
    {
        return;
    }
    if (is(open, "(") && !is(open - 1, "for"))
    {
        if (is(closing(open) - 1, "*"))
        {
            rewrite_cast(open);
        }
        else
        {
            rewrite_parameter(i, open);
        }
        return;
    }
    int first = i, end = i;
    while (first - 1 > open && !is(first - 1, ";") && !is(first - 1, "}") && !is(first - 1, ":"))
    {
        first = is(first - 1, ")") ? opening(first - 1) : first - 1;
    }
    while (end < closing(open) && !is(end, ";"))
    {
        end = is(end, "(") || is(end, "[") || is(end, "{") ? closing(end) + 1 : end + 1;
    }
    const int scope = is(open, "{") ? open : bracket_around(open);
    rewrite_variables(first, end, closing(scope));
}
