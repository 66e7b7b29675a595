// Where variables and functions of the device live: __shared__, __device__, __constant__.
#include "rewriter.h"

static bool ends_statement(int i)
{
    return i < 0 || is(i, ";") || is(i, "{") || is(i, "}") || is(i, ":") || is(i, ")");
}

// The declaration that i is in begins here. Attributes belong to it, other brackets do not.
static int declaration_start(int i)
{
    while (!ends_statement(i - 1) || (is(i - 1, ")") && (is(opening(i - 1) - 1, "alignas") ||
                                                         is(opening(i - 1) - 1, "__attribute__"))))
    {
        i = is(i - 1, ")") ? opening(i - 1) - 1 : i - 1;
    }
    return i;
}

static int declaration_end(int i)
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

// A block's threads share an OS thread, so what they share is a variable of that thread. Dynamic
// shared memory is one array under as many names as there are declarations of it. In a template,
// where g++ forgets such a second name, a reference does the same.
void rewrite_shared(int i, bool in_template)
{
    const int first = declaration_start(i), end = declaration_end(i);
    bool is_extern = false;
    for (int k = first; k < end; ++k)
    {
        if (is(k, "extern") || is(k, "static"))
        {
            is_extern = is_extern || is(k, "extern");
            replace(k, "");
        }
    }
    int bracket = i;
    while (bracket < end && !is(bracket, "["))
    {
        ++bracket;
    }
    if (is_extern && in_template)
    {
        replace(i, "__attribute__((unused))");
        put_before(bracket - 1, "(&");
        put_after(bracket - 1, ")");
        put_before(end, " = ::cudacpu::DynamicShared()");
    }
    else if (is_extern)
    {
        replace(i, "extern __thread");
        put_before(end, " __asm__(\"cudacpu_dynamic_shared\")");
    }
    else
    {
        replace(i, "static thread_local");
    }
}

// --- __device__, __constant__, __managed__ -----------------------------------------------------------

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
    last_first = first;
    const int parameters = head.host || !is(i, "__device__") ? -1 : parameter_list(i);
    const int body = parameters < 0 ? -1 : function_body(parameters);
    return body < 0 ? i : closing(body);
}
