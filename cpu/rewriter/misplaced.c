// What belongs to a kernel or to the device, in code that is not theirs: a launch of a plain function, a
// call of a kernel without <<< >>>, of a device function by the host, and the like. Only where it is
// certain that nvcc refuses it, too: in a function that is no template and no member, of the user's own
// file, and for names that this file declares in one way only.
#include "rewriter.h"
#include <stddef.h>

typedef struct Function
{
    int parameters, body, end;
    bool on_device; // too
} Function;

// The function that i is in, if it is a plain one.
static bool find_function(int i, Function *f)
{
    static const char *const sides[] = {"__device__", "__global__", NULL};
    int body = i;
    while (body > 0 && !(is(body, "{") && tokens[body].outermost))
    {
        --body;
    }
    if (tokens[i].outermost || body <= 0 || !is(body - 1, ")") || opening(body - 1) < 1)
    {
        return false;
    }
    const int parameters = opening(body - 1), name = parameters - 1;
    const int first = is_name(name) ? declaration_start(name) : name;
    if (first >= name || !is_of_file(name) || is(name - 1, "::") || is(first, "template"))
    {
        return false;
    }
    *f = (Function){.parameters = parameters, .body = body, .end = closing(body)};
    for (int k = first; k < name; ++k)
    {
        f->on_device = f->on_device || is_any(k, sides);
    }
    return f->end > i && !is_uncertain(first, f->end);
}

// Whether a function of the host has a lambda, whose code may be the device's.
static bool has_lambda(const Function *f)
{
    for (int k = f->body; k < f->end; ++k)
    {
        const bool opens = is(k, "[") && !is_name(k - 1) && !is(k - 1, ")") && !is(k - 1, "]");
        if (opens || is(k, "__device__"))
        {
            return true;
        }
    }
    return false;
}

typedef enum Side
{
    UNKNOWN,
    OF_KERNEL,
    OF_DEVICE
} Side;

static Side side_of_declaration(int i)
{
    static const char *const others[] = {"__host__",  "template", "friend", "constexpr",
                                         "consteval", "typedef",  "using",  NULL};
    const int start = declaration_start(i);
    bool kernel = false, device = false;
    for (int k = start; k < i; ++k)
    {
        kernel = kernel || is(k, "__global__");
        device = device || is(k, "__device__");
        if (is_any(k, others))
        {
            return UNKNOWN;
        }
    }
    const bool plain = is_of_file(i) && start < i && is(i + 1, "(") && !is(i - 1, "::");
    return !plain || kernel == device ? UNKNOWN : kernel ? OF_KERNEL : OF_DEVICE;
}

static int find_side(const char *name, int first, int end)
{
    (void)first, (void)end;
    enum
    {
        MOST = 16
    };
    int places[MOST];
    const int count = mentions_outside(name, places, MOST);
    if (count == 0 || count > MOST || is_outer_name_of_system(name))
    {
        return UNKNOWN;
    }
    const Side side = side_of_declaration(places[0]);
    for (int n = 1; n < count; ++n)
    {
        if (side_of_declaration(places[n]) != side)
        {
            return UNKNOWN;
        }
    }
    for (int k = 0; k < num_tokens; ++k) // a member, or a friend that is defined in its class
    {
        if (is(k, name) && !tokens[k].outermost && !tokens[k].system && may_be_declared(k))
        {
            return UNKNOWN;
        }
    }
    return side;
}

// What all declarations of a name say.
static Side side_of(const char *name)
{
    return (Side)known_answer(SIDE_OF, name, 0, 0, find_side);
}

static bool is_of_device_library(int i)
{
    static const char *const names[] = {
        "__syncthreads", "__syncwarp",       "__threadfence",   "__shfl_sync", "__shfl_up_sync",
        "atomicAdd",     "__shfl_down_sync", "__shfl_xor_sync", "atomicCAS",   NULL};
    return is_any(i, names) && kind_of(text_of(i)) == UNDECLARED;
}

static void refuse_call(int i)
{
    const char *name = text_of(i);
    const bool of_library = is_of_device_library(i);
    const Side side = of_library ? OF_DEVICE : side_of(name);
    Function f;
    if (side == UNKNOWN || !find_function(i, &f) || is_unevaluated(i) ||
        !is_the_outer_one(name, f.parameters, f.end, false))
    {
        return;
    }
    if (side == OF_KERNEL)
    {
        refuse_at(i, join(name, " is a kernel: a call of it needs <<<grid, block>>>"));
    }
    if (!f.on_device && !has_lambda(&f))
    {
        refuse_at(i,
                  join(name, of_library ? " is for device code only"
                                        : " is a function of the device: the host can call it with "
                                          "__host__ __device__ before its definition"));
    }
}

static bool is_member(int i)
{
    return is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "::");
}

// The ( of a launch's arguments, where the launch is at i.
static int arguments_of(int i)
{
    while (i < num_tokens && !(is(i, ">>>") || (is(i, ">") && is(i + 1, ">") && is(i + 2, ">"))))
    {
        i = is(i, "(") || is(i, "[") || is(i, "{") ? closing(i) + 1 : i + 1;
    }
    return is(i, ">>>") ? i + 1 : i + 3;
}

// f or &f as an argument of a launch.
static void refuse_function_argument(int from, int to, const Function *f)
{
    const int name = is(from, "&") ? from + 1 : from;
    if (name + 1 == to && is_name(name) && is_of_file(name) &&
        is_the_outer_one(text_of(name), f->parameters, f->end, false) &&
        (kind_of(text_of(name)) == FUNCTION || side_of(text_of(name)) == OF_DEVICE))
    {
        refuse_at(name, join(text_of(name),
                             ": its address is the host's. A kernel can call what it reads "
                             "from a __device__ variable that holds the function's address"));
    }
}

static void refuse_arguments(int open, const Function *f)
{
    for (int from = open + 1; from < closing(open);)
    {
        int to = from;
        while (to < closing(open) && !is(to, ","))
        {
            to = is(to, "(") || is(to, "[") || is(to, "{") ? closing(to) + 1 : to + 1;
        }
        refuse_argument(from, to, f->parameters, f->end);
        refuse_function_argument(from, to, f);
        from = to + 1;
    }
}

static void refuse_of_host(int i)
{
    Function f;
    if (is(i, "<<<") && is(arguments_of(i), "(") && find_function(i, &f) && !f.on_device)
    {
        refuse_arguments(arguments_of(i), &f);
    }
    if (is_name(i) && may_be_device_variable(i) && find_function(i, &f) && !f.on_device &&
        !has_lambda(&f))
    {
        refuse_device_variable(i, f.parameters, f.end);
    }
}

void refuse_misplaced(int i)
{
    Function f;
    // What is a macro, as CUDA's words are, counts for the preprocessor to the header that has it.
    const bool is_shared = is(i, "__shared__");
    if (tokens[i].outermost || !is_of_file(is_shared ? i + 1 : i) || is_member(i))
    {
        return;
    }
    refuse_of_host(i);
    if (is_name(i) && is(i + 1, "("))
    {
        refuse_call(i);
    }
    if (is_name(i) && is(i + 1, "<<<") && kind_of(text_of(i)) == FUNCTION && find_function(i, &f) &&
        is_the_outer_one(text_of(i), f.parameters, f.end, false))
    {
        refuse_at(i, join(text_of(i), " is a function of the host: a kernel has __global__ before "
                                      "its definition"));
    }
    if (is_shared && !is(i - 1, "extern") && !is(i + 1, "extern") && find_function(i, &f) &&
        !f.on_device && !has_lambda(&f))
    {
        refuse_at(i, "__shared__ is for variables of device code");
    }
}

// struct A { __global__ void k() { ... } };
void refuse_member_kernel(int i)
{
    static const char *const classes[] = {"struct", "class", "union", NULL};
    const int brace = scope_of(i);
    if (brace < 0 || !is_of_file(i + 1) || is(brace - 1, ")"))
    {
        return;
    }
    for (int k = declaration_start(i); k < i || !(is(k, "(") || is(k, ";")); ++k)
    {
        if (is(k, "friend") || k + 1 == num_tokens)
        {
            return;
        }
    }
    int depth = 0;
    for (int k = brace - 1; k >= 0 && !is(k, ";") && !is(k, "{") && !is(k, "}"); --k)
    {
        depth += is(k, ">") + 3 * is(k, ">>>") - is(k, "<");
        if (depth == 0 && is_any(k, classes))
        {
            refuse_at(i, "a kernel cannot be a member of a class");
        }
    }
}
