// Where variables and functions of the device live: __shared__, __device__, __constant__.
#include <stdio.h>
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

// The name that the declarator at k declares, or -1, and in *next where the one after it begins.
static int declared_name(int k, int end, int *next)
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

static const char *text_of(int i)
{
    return copy(tokens[i].text, tokens[i].length);
}

// The end of the braces that i is in, or -1.
static int end_of_scope(int i)
{
    for (--i; i >= 0 && !is(i, "{"); --i)
    {
        i = is(i, ")") || is(i, "]") || is(i, "}") ? opening(i) : i;
    }
    return i < 0 ? -1 : closing(i);
}

// No function may have more static shared memory than a block of a GPU. After each declaration the
// sum so far is looked at: its own and that of the last one before it that can be seen from here.
static void limit_shared(int first, int end)
{
    static struct
    {
        int scope_end, number;
    } visible[64];
    static int depth;
    while (depth > 0 && visible[depth - 1].scope_end < first)
    {
        --depth;
    }
    char text[400];
    const char *sum = "0";
    if (depth > 0)
    {
        snprintf(text, sizeof(text), "cudacpu_shared_%d", visible[depth - 1].number);
        sum = join(text, "");
    }
    for (int k = first; k < end;)
    {
        const int name = declared_name(k, end, &k);
        sum = name < 0 ? sum : join(join(sum, " + sizeof("), join(text_of(name), ")"));
    }
    snprintf(text, sizeof(text),
             "}; static_assert(cudacpu_shared_%d <= 49152, \"the kernel uses too much shared data: "
             "static __shared__ variables have 48 KB a block\");",
             first);
    const char *check = join(sum, text);
    snprintf(text, sizeof(text), " enum : unsigned long { cudacpu_shared_%d = ", first);
    put_after(end, join(text, check));
    if (!tokens[first].outermost && depth < (int)(sizeof(visible) / sizeof(*visible)))
    {
        visible[depth].scope_end = end_of_scope(first);
        visible[depth++].number = first;
    }
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
        limit_shared(first, end);
    }
}

// --- __device__, __constant__, __managed__ -------------------------------------------------------

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
