// Where variables and functions of the device live: __device__, __constant__, __managed__.
#include <stdio.h>
#include "rewriter.h"

static const char *const HEAD_ENDS[] = {"=", ";", "{", "[", "(", ",", NULL};

// What a declaration of a file's outermost level says in front of the name.
typedef struct Head
{
    int external; // the token `extern`, or -1
    bool host, is_static, is_inline, specializes, instantiates, member, function;
} Head;

static Head read_head(int first)
{
    Head head = {.external = -1};
    int k = first;
    while (is(k, "template"))
    {
        head.instantiates = !is(k + 1, "<");
        head.specializes = is(k + 2, ">");
        int depth = 0;
        for (++k; is(k, "<") || depth > 0; ++k)
        {
            depth += is(k, "<") - is(k, ">") - 3 * is(k, ">>>");
            k = is(k, "(") ? closing(k) : k;
            if (depth == 0)
            {
                ++k;
                break;
            }
        }
    }
    for (; k < num_tokens; ++k)
    {
        if ((is(k, "__attribute__") || is(k, "decltype") || is(k, "alignas")) && is(k + 1, "("))
        {
            k = closing(k + 1);
            continue;
        }
        head.host = head.host || is(k, "__host__");
        head.is_static = head.is_static || is(k, "static");
        head.is_inline = head.is_inline || is(k, "inline");
        head.external = is(k, "extern") ? k : head.external;
        if (is(k, "operator") || is_any(k, HEAD_ENDS))
        {
            break;
        }
    }
    head.function = is(k, "operator") || is(k, "(");
    head.member = is(is(k, "operator") ? k - 1 : k - 2, "::");
    return head;
}

// Gives what is declared here internal linkage, as nvcc does unless told -rdc=true: two files may
// then have a __device__ function of the same name, and each its own.
static void make_internal(int i, const Head *head)
{
    const bool explicit_c = is(head->external + 1, "\"C\"");
    if (head->host || head->is_static || head->instantiates || (head->member && !head->function))
    {
        return;
    }
    if (head->member || head->specializes)
    {
        replace(i, head->function && !head->is_inline ? "inline" : "");
        return;
    }
    if (head->external >= 0 && !head->function && !explicit_c)
    {
        return; // of another file: an error without -rdc=true, here found by the linker
    }
    if (is(i - 1, "*") || is(i - 1, "&"))
    {
        return;
    }
    if (head->external >= 0)
    {
        replace(head->external, "");
        replace(head->external + 1, explicit_c ? "" : tokens[head->external + 1].instead);
    }
    replace(i, "static __attribute__((unused))");
}

// The runtime has to know where a variable is, to call it managed and to set it back to its first
// value. (Those of templates and classes have more than one address, or a longer name.)
static void make_known(int first, const Head *head)
{
    if (head->function || head->member || head->external >= 0 || is(first, "template"))
    {
        return;
    }
    const int end = declaration_end(first);
    bool managed = false;
    for (int k = first; k < end; ++k)
    {
        managed = managed || is(k, "__managed__");
    }
    for (int k = first; k < end;)
    {
        char text[80];
        const int name = declared_name(k, end, &k);
        if (name >= 0)
        {
            snprintf(text, sizeof(text), " static const ::cudacpu::Variable cudacpu_variable_%d(",
                     name);
            put_after(end, join(join(text, text_of(name)), managed ? ", true);" : ", false);"));
        }
    }
}

// A lambda: [=] __device__ (int x) { ... }
static bool is_lambda(int i)
{
    return is(i - 1, "]") && !is(i - 2, "]");
}

static int lambda_end(int i)
{
    while (i < num_tokens && !is(i, "{"))
    {
        i = is(i, "(") ? closing(i) + 1 : i + 1;
    }
    return closing(i);
}

// Returns the end of the code that runs on the device only, or i.
int rewrite_device(int i, bool separate)
{
    static int last_first = -1;
    replace(i, "");
    if (is_lambda(i) || (is(i - 1, "__host__") && is_lambda(i - 1)))
    {
        return is(i - 1, "__host__") || is(i + 1, "__host__") ? i : lambda_end(i);
    }
    const int first = declaration_start(i);
    const Head head = read_head(first);
    if (tokens[i].outermost && !separate && first != last_first)
    {
        make_internal(i, &head);
    }
    if (tokens[i].outermost && first != last_first)
    {
        make_known(first, &head);
    }
    last_first = first;
    const int parameters = head.host || !is(i, "__device__") ? -1 : parameter_list(i);
    const int body = parameters < 0 ? -1 : function_body(parameters);
    return body < 0 ? i : closing(body);
}
