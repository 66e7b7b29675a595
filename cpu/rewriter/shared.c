// __shared__ variables become references to memory of the worker that runs the block.
//
// A reference is a local variable, so a lambda that uses it has to capture it; a static variable
// needs no capture. A file's own variable gets such a reference in each function that uses it.
#include <stdio.h>
#include "rewriter.h"

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
        visible[depth].scope_end = closing(scope_of(first));
        visible[depth++].number = first;
    }
}

// What the reference to a variable is initialized with.
static const char *reference_to(const char *name, int place, const char *alignment)
{
    char text[400];
    if (place < 0)
    {
        return " = ::cudacpu::DynamicShared()";
    }
    snprintf(text, sizeof(text), " = ::cudacpu::Shared{cudacpu_place_%d, \"%.100s\", %s}", place,
             name, alignment);
    return join(text, "");
}

// Takes the alignments away, which a reference cannot have, and gives them to an empty struct.
// Returns what asks for them: "alignof(cudacpu_aligned_12)", or "1".
static const char *take_alignment(int first, int end)
{
    const char *attributes = "";
    for (int k = first; k < end; ++k)
    {
        const bool opens = is(k + 1, "(") && k + 1 < end;
        const bool gnu = is(k, "__attribute__") && opens && is(k + 3, "aligned");
        if (gnu || (is(k, "alignas") && opens))
        {
            const int last = closing(k + 1);
            attributes = join(join(attributes, copy_text(k, last + 1)), " ");
            for (; k <= last; ++k)
            {
                replace(k, "");
            }
            --k;
        }
        k = is(k, "{") ? closing(k) : k;
    }
    if (*attributes == '\0')
    {
        return "1";
    }
    char name[60];
    snprintf(name, sizeof(name), "cudacpu_aligned_%d", first);
    put_before(first, join(join("struct ", attributes), join(name, " {}; ")));
    return join(join("alignof(", name), ")");
}

static bool is_use(int k, const char *name)
{
    return is(k, name) && !is(k - 1, ".") && !is(k - 1, "->") && !is(k - 1, "::");
}

static bool uses(int from, int to, const char *name)
{
    while (from < to && !is_use(from, name))
    {
        ++from;
    }
    return from < to;
}

// The ] of the lambda that begins at i, or -1.
static int captures_end(int i)
{
    if (!is(i, "[") || is(i + 1, "[") || is(i - 1, "[") || is(i - 1, ")") || is(i - 1, "]") ||
        (is_name(i - 1) && !is(i - 1, "return")))
    {
        return -1;
    }
    const int end = closing(i);
    return is(end + 1, "(") || is(end + 1, "{") || is_name(end + 1) ? end : -1;
}

// Each lambda from `from` to `to` that uses the variable keeps a reference to it.
static void capture_in_lambdas(int from, int to, const char *name)
{
    for (int k = from; k < to; ++k)
    {
        const int end = captures_end(k);
        int body = end;
        while (body >= 0 && body < to && !is(body, "{") && !is(body, ";"))
        {
            body = is(body, "(") ? closing(body) + 1 : body + 1;
        }
        const bool all = is(k + 1, "&") && (is(k + 2, "]") || is(k + 2, ","));
        if (end >= 0 && !all && is(body, "{") && uses(body, closing(body), name) &&
            !uses(k, end, name))
        {
            const bool first = end == k + 1 && tokens[k].after == NULL;
            put_after(end - 1, join(first ? "&" : ", &", name));
        }
    }
}

// The brace that opens the function around i, if it is one of the device; or -1.
static int device_function_around(int i)
{
    int body = -1;
    for (int k = scope_of(i); k >= 0; k = tokens[k].outermost ? -1 : scope_of(k))
    {
        body = is(k - 1, ")") || is(k - 1, "const") || is(k - 1, "noexcept") ? k : body;
    }
    int k = body;
    while (k > 0 && !is(k, ")"))
    {
        --k;
    }
    for (k = body < 0 ? 0 : declaration_start(opening(k) - 1); k < body; ++k)
    {
        if (is(k, "__device__") || is(k, "__global__"))
        {
            return body;
        }
    }
    return -1;
}

// A variable of the file: declared there, and a reference in each function that uses it.
static void refer_in_functions(int end, const char *name, const char *reference)
{
    const char *declaration = join(join(join(" [[maybe_unused]] decltype(", name), ") &"), name);
    const int scope = scope_of(end), to = scope < 0 ? num_tokens : closing(scope);
    for (int k = end; k < to; ++k)
    {
        const int body = is_use(k, name) ? device_function_around(k) : -1;
        if (body >= 0)
        {
            put_after(body, join(join(declaration, reference), ";"));
            capture_in_lambdas(body + 1, closing(body), name);
            k = closing(body);
        }
    }
}

// One variable of a declaration; `stop` is where the next one begins.
static void rewrite_variable(int name, int stop, int place, const char *alignment, bool of_file)
{
    const char *text = text_of(name);
    const char *reference = reference_to(text, place, alignment);
    if (of_file)
    {
        refer_in_functions(stop, text, reference);
        return;
    }
    const bool brackets = is(name + 1, "[") || is(name + 1, "(");
    put_before(name, brackets ? "(&" : "&");
    put_after(name, brackets ? ")" : "");
    put_before(stop, reference);
    capture_in_lambdas(stop, closing(scope_of(stop)), text);
}

// Where a declaration ends without its ;, which the compiler would not tell where a name comes next.
static void refuse_without_end(int from, int end)
{
    static const char *const statements[] = {"if", "for", "while", "do", "switch", "return", NULL};
    static const char *const go_on[] = {"[",       ",", ";", "=", "{", "(", ")", "__attribute__",
                                        "alignas", NULL};
    for (int k = from; k <= end; ++k)
    {
        if (is_any(k, statements) || (is(k - 1, "]") && !is_any(k, go_on)))
        {
            fail(tokens[k - 1].file, tokens[k - 1].line,
                 "expected ';' after the declaration of a __shared__ variable");
        }
        if (is(k, "=") || is(k, "{"))
        {
            return;
        }
        k = is(k, "(") || is(k, "[") ? closing(k) : k;
    }
}

void rewrite_shared(int i)
{
    const int first = declaration_start(i), end = declaration_end(i);
    refuse_without_end(i, end);
    const bool of_file = tokens[first].outermost;
    bool dynamic = false;
    for (int k = first; k < end && !is(k, "{"); ++k)
    {
        if (is(k, "extern") || is(k, "static"))
        {
            dynamic = dynamic || is(k, "extern");
            replace(k, "");
        }
    }
    replace(i, dynamic || of_file ? "__attribute__((unused))" : "");
    if (of_file)
    {
        put_before(first, "extern ");
    }
    const char *alignment = take_alignment(first, end);
    for (int k = first; k < end;)
    {
        const int name = declared_name(k, end, &k);
        const int stop = k - 1;
        if (name >= 0 && !dynamic)
        {
            char text[100];
            snprintf(text, sizeof(text),
                     "static thread_local void *cudacpu_place_%d __attribute__((unused)); ", name);
            put_before(first, join(text, ""));
        }
        if (name >= 0)
        {
            rewrite_variable(name, stop, dynamic ? -1 : name, alignment, of_file);
        }
    }
    if (!dynamic)
    {
        limit_shared(first, end);
    }
}
