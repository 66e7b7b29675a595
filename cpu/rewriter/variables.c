// Where variables and functions of the device live: __device__, __constant__, __managed__.
#include <stdio.h>
#include "rewriter.h"

static const char *const INLINE[] = {"inline", "static", "constexpr", "const", NULL};
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

// The compiler keeps a variable that is const in read-only memory. One that is inline may be defined
// in several files.
static bool can_be_guarded(int first, int end, const Head *head)
{
    static const char *const others[] = {"const", "constexpr", "inline", "thread_local", NULL};
    bool can = !head->is_inline && !head->specializes && !tokens[end].system;
    for (int k = first; k < end && !is(k, "="); ++k)
    {
        can = can && !is_any(k, others);
        k = is(k, "{") || is(k, "(") || is(k, "[") ? closing(k) : k;
    }
    return can;
}

// The token after the declarator of `name`: = { , or ;
static int declarator_end(int name)
{
    int k = name + 1;
    while (is(k, ")") || is(k, "[") || is(k, "("))
    {
        k = is(k, ")") ? k + 1 : closing(k) + 1;
    }
    return k;
}

// Whether a variable holds zeros at first: a number, vector or pointer without a value.
static bool is_zero_at_first(int first, int name)
{
    static const char *const types[] = {
        "bool",    "char",    "short",    "int",      "long",     "float",    "double",  "float2",
        "float3",  "float4",  "double2",  "double3",  "double4",  "int2",     "int3",    "int4",
        "uint",    "uint2",   "uint3",    "uint4",    "size_t",   "int8_t",   "int16_t", "int32_t",
        "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "unsigned", "*",       NULL};
    const int end = declarator_end(name);
    for (int k = first; k < name; ++k)
    {
        if (is_any(k, types))
        {
            return is(end, ",") || is(end, ";");
        }
        k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : k;
    }
    return false;
}

// The variable gets pages of its own, and a page after them that the runtime closes, whose name is
// returned. A section's part number 1 comes after the variable, which is in part 0.
static const char *put_between_guards(int first, int name, int end)
{
    const bool zero = is_zero_at_first(first, name);
    const char *data = zero ? "bss" : "data", *bits = zero ? "nobits" : "progbits";
    char text[400], guard[40];
    snprintf(text, sizeof(text), " __attribute__((section(\".%s.cudacpu_%d\"), aligned(4096))) ",
             data, name);
    put_before(declarator_end(name), join(text, ""));
    snprintf(guard, sizeof(guard), "cudacpu_guard_%d", name);
    snprintf(text, sizeof(text),
             " __asm__(\".pushsection .%s.cudacpu_%d,1,\\\"aw\\\",@%s\\n.balign 4096\\n%s:\\n"
             ".skip 4096\\n.popsection\");"
             " extern \"C\" __attribute__((visibility(\"hidden\"))) char %s[];",
             data, name, bits, guard, guard);
    put_after(end, join(text, ""));
    return join(guard, "");
}

static bool has_unknown_variables;

// At the end of the text: whether there are device variables that are not made known.
void tell_of_unknown_variables(void)
{
    if (has_unknown_variables)
    {
        put_after(num_tokens - 1, " static const ::cudacpu::UnknownVariables cudacpu_unknown;");
    }
}

// The runtime has to know where a variable is, to call it managed and to set it back to its first
// value. (Those of templates and classes have more than one address, or a longer name.)
static void make_known(int first, const Head *head)
{
    if (head->function || head->external >= 0)
    {
        return;
    }
    if (head->member || is(first, "template"))
    {
        has_unknown_variables = true;
        return;
    }
    const int end = declaration_end(first);
    const bool guarded = can_be_guarded(first, end, head);
    const char *kind = "cudacpu_device";
    for (int k = first; k < end; ++k)
    {
        kind = is(k, "__managed__")    ? "cudacpu_managed"
               : is(k, "__constant__") ? "cudacpu_constant"
                                       : kind;
    }
    for (int k = first; k < end;)
    {
        char text[400];
        const int name = declared_name(k, end, &k);
        if (name >= 0)
        {
            const char *guard = guarded ? put_between_guards(first, name, end) : "nullptr";
            snprintf(text, sizeof(text),
                     " static const ::cudacpu::Variable cudacpu_variable_%d"
                     " __attribute__((init_priority(65000)))(%.100s, \"%.100s\", "
                     "%s, %s);",
                     name, text_of(name), text_of(name), kind, guard);
            put_after(end, join(text, ""));
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
    has_unknown_variables = has_unknown_variables || (!tokens[i].outermost && !tokens[i].system &&
                                                      !head.function && is_any(first, INLINE));
    last_first = first;
    const int parameters = head.host || !is(i, "__device__") ? -1 : parameter_list(i);
    const int body = parameters < 0 ? -1 : function_body(parameters);
    return body < 0 ? i : closing(body);
}
