// Turns preprocessed CUDA C++ into C++ that any compiler reads. Standard input to standard output.
//
// Five things need rewriting; all else is macros and headers (cpu/include).
//
//   kernel<<<g, b>>>(x)            (::cudacpu::configure(g, b), kernel(x))
//   __global__ void k(int n) {B}   void k(int n) { ::cudacpu::kernel("k", [=]() mutable {B}); }
//   __shared__ float s[8];         static __thread float s[8];
//   extern __shared__ float s[];   extern __thread float s[] __asm__("cudacpu_dynamic_shared");
//   printf(                        ::cudacpu_printf(position in the source,
//
// A launch thus is an ordinary call of the kernel: overloads, templates, default arguments and
// conversions are the compiler's business. Lines stay where they are, so that errors and debuggers
// show the source as written.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Token
{
    const char *text;
    int length;
    const char *gap; // white space and line markers before it
    int gap_length;
    bool system;         // of a system header
    int line;            // where it stands, for error messages
    const char *file;    //
    const char *before;  // what to write in its place: before, ...
    const char *instead; // ... instead (NULL: itself), ...
    const char *after;   // ... and after it
} Token;

static Token *tokens;
static int num_tokens, max_tokens;
static char *input;

static void *allocate(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (memory == NULL)
    {
        fprintf(stderr, "rewrite: out of memory\n");
        exit(1);
    }
    return memory;
}

static void fail(const Token *token, const char *message)
{
    fprintf(stderr, "%s:%d: error: %s\n", token->file, token->line, message);
    exit(1);
}

static char *join(const char *a, const char *b)
{
    const size_t length = strlen(a) + strlen(b) + 1;
    char *text = allocate(NULL, length);
    snprintf(text, length, "%s%s", a, b);
    return text;
}

// --- reading -------------------------------------------------------------------------------------

static void read_input(void)
{
    size_t length = 0, capacity = 1 << 20;
    input = allocate(NULL, capacity);
    for (size_t got; (got = fread(input + length, 1, capacity - length - 1, stdin)) > 0;)
    {
        length += got;
        if (capacity - length < 2)
        {
            capacity *= 2;
            input = allocate(input, capacity);
        }
    }
    input[length] = '\0';
}

static const char *skip_quoted(const char *p)
{
    const char quote = *p++;
    while (*p != '\0' && *p != quote)
    {
        p += *p == '\\' && p[1] != '\0' ? 2 : 1;
    }
    return *p == '\0' ? p : p + 1;
}

// R"x( ... )x": p stands at the quote.
static const char *skip_raw(const char *p)
{
    const char *open = strchr(p, '(');
    if (open == NULL || open - p > 17)
    {
        return skip_quoted(p);
    }
    char close[24];
    snprintf(close, sizeof(close), ")%.*s\"", (int)(open - p - 1), p + 1);
    const char *end = strstr(open, close);
    return end == NULL ? p + strlen(p) : end + strlen(close);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static const char *skip_token(const char *p)
{
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
    {
        while (is_word(*p) || *p == '.' || (*p == '\'' && is_word(p[1])) ||
               ((*p == '+' || *p == '-') && strchr("eEpP", p[-1]) != NULL))
        {
            ++p;
        }
        return p;
    }
    if (is_word(*p))
    {
        const char *start = p;
        while (is_word(*p))
        {
            ++p;
        }
        if (*p == '"' && p[-1] == 'R' && p - start <= 3)
        {
            return skip_raw(p);
        }
        return p;
    }
    if (*p == '"' || *p == '\'')
    {
        return skip_quoted(p);
    }
    if (strncmp(p, "<<<", 3) == 0 || strncmp(p, ">>>", 3) == 0)
    {
        return p + 3;
    }
    if (strncmp(p, "::", 2) == 0 || strncmp(p, "->", 2) == 0)
    {
        return p + 2;
    }
    return p + 1;
}

// # 12 "file.cu" 1 3: the flag 3 marks system headers.
static void read_marker(const char *p, int *line, const char **file, bool *system)
{
    int number, used = 0;
    char name[4096];
    if (sscanf(p, "# %d \"%4095[^\"]\"%n", &number, name, &used) == 2 && used > 0)
    {
        const char *end = strchr(p, '\n');
        *line = number - 1;
        *file = join(name, "");
        *system = false;
        for (const char *flag = p + used; flag != end && *flag != '\0'; ++flag)
        {
            *system = *system || *flag == '3';
        }
    }
}

static void read_tokens(void)
{
    const char *p = input, *gap = input, *file = "";
    int line = 1;
    bool system = false, fresh_line = true;
    while (*p != '\0')
    {
        if (*p == '\n')
        {
            ++line;
            ++p;
            fresh_line = true;
        }
        else if (isspace((unsigned char)*p))
        {
            ++p;
        }
        else if (*p == '#' && fresh_line)
        {
            read_marker(p, &line, &file, &system);
            p += strcspn(p, "\n");
        }
        else
        {
            fresh_line = false;
            const char *end = skip_token(p);
            if (num_tokens == max_tokens)
            {
                max_tokens = 2 * max_tokens + 65536;
                tokens = allocate(tokens, max_tokens * sizeof(*tokens));
            }
            tokens[num_tokens++] = (Token){.text = p,
                                           .length = end - p,
                                           .gap = gap,
                                           .gap_length = p - gap,
                                           .system = system,
                                           .line = line,
                                           .file = file};
            for (; p < end; ++p)
            {
                line += *p == '\n';
            }
            gap = end;
        }
    }
}

static bool is(int i, const char *text)
{
    return i >= 0 && i < num_tokens && (int)strlen(text) == tokens[i].length &&
           strncmp(tokens[i].text, text, tokens[i].length) == 0;
}

static bool is_name(int i)
{
    return i >= 0 && i < num_tokens && is_word(tokens[i].text[0]) &&
           !isdigit((unsigned char)tokens[i].text[0]);
}

// The token that closes the bracket at i.
static int closing(int i)
{
    int depth = 0;
    for (int k = i; k < num_tokens; ++k)
    {
        depth += is(k, "(") || is(k, "[") || is(k, "{");
        depth -= is(k, ")") || is(k, "]") || is(k, "}");
        if (depth == 0)
        {
            return k;
        }
    }
    fail(&tokens[i], "a bracket without its partner");
    return 0;
}

// The token that opens the bracket closed at i.
static int opening(int i)
{
    int depth = 0;
    for (int k = i; k >= 0; --k)
    {
        depth += is(k, ")") || is(k, "]") || is(k, "}");
        depth -= is(k, "(") || is(k, "[") || is(k, "{");
        if (depth == 0)
        {
            return k;
        }
    }
    fail(&tokens[i], "a bracket without its partner");
    return 0;
}

// --- kernels -------------------------------------------------------------------------------------

static void replace(int i, const char *text)
{
    tokens[i].instead = text;
}

static void put_before(int i, const char *text)
{
    tokens[i].before = tokens[i].before == NULL ? text : join(text, tokens[i].before);
}

static void put_after(int i, const char *text)
{
    tokens[i].after = tokens[i].after == NULL ? text : join(tokens[i].after, text);
}

// From __global__ to the parameter list: past attributes and everything else in brackets that is
// no parameter list, because no function name stands before it.
static int parameter_list(int i)
{
    for (int k = i + 1; k < num_tokens; ++k)
    {
        if (is(k, "(") && is_name(k - 1) && !is(k - 1, "__attribute__") && !is(k - 1, "decltype") &&
            !is(k - 1, "alignas"))
        {
            return k;
        }
        if (is(k, "(") && is(k - 1, ">")) // template<> void k<float>(
        {
            return k;
        }
        if (is(k, "(") || is(k, "["))
        {
            k = closing(k);
        }
        else if (is(k, ";") || is(k, "{"))
        {
            break;
        }
    }
    fail(&tokens[i], "__global__ without a function after it");
    return 0;
}

static const char *name_before(int i)
{
    int k = i - 1;
    while (k > 0 && !is_name(k))
    {
        --k;
    }
    for (int depth = 0; is(i - 1, ">") && k > 0; --k) // k<float>: back over the brackets
    {
        depth += is(k, ">");
        if (is(k, "<") && depth-- <= 0)
        {
            --k;
            break;
        }
    }
    char *name = allocate(NULL, tokens[k].length + 1);
    snprintf(name, tokens[k].length + 1, "%s", tokens[k].text);
    return name;
}

static void rewrite_global(int i)
{
    replace(i, "");
    const int parameters = parameter_list(i);
    int k = closing(parameters) + 1;
    while (k < num_tokens && !is(k, ";") && !is(k, "{"))
    {
        k = is(k, "(") ? closing(k) + 1 : k + 1;
    }
    if (is(k, "{"))
    {
        char text[512];
        snprintf(text, sizeof(text), "{ ::cudacpu::kernel(\"%s\", [=]() mutable -> void ",
                 name_before(parameters));
        put_before(k, join(text, ""));
        put_after(closing(k), "); }");
    }
}

// --- launches ------------------------------------------------------------------------------------

// The text of some tokens on one line, so that no line of the source moves.
static const char *copy_text(int from, int to)
{
    size_t length = 0;
    for (int k = from; k < to; ++k)
    {
        length += tokens[k].length + 1;
    }
    char *text = allocate(NULL, length + 1), *end = text;
    for (int k = from; k < to; ++k)
    {
        end += sprintf(end, "%s%.*s", tokens[k].gap_length > 0 ? " " : "", tokens[k].length,
                       tokens[k].text);
    }
    *end = '\0';
    return text;
}

// Where the expression before <<< begins: name, ns::name<T>, (*pointer), table[i], object.kernel.
static int kernel_start(int i)
{
    int k = i - 1;
    if (is(k, ">"))
    {
        int depth = 0;
        for (; k >= 0; --k)
        {
            depth += is(k, ">");
            depth -= is(k, "<");
            if (is(k, ")") || is(k, "]"))
            {
                k = opening(k);
            }
            if (depth == 0)
            {
                break;
            }
        }
        --k;
    }
    for (;;)
    {
        while (is(k, "]"))
        {
            k = opening(k) - 1;
        }
        if (is(k, ")"))
        {
            k = opening(k);
            if (is_name(k - 1)) // function(...)<<<: a call that returns the kernel
            {
                --k;
            }
        }
        if (is(k - 1, "template"))
        {
            --k;
        }
        if (is(k - 1, "::") || is(k - 1, ".") || is(k - 1, "->"))
        {
            --k;
            if (is_name(k - 1) || is(k - 1, "]") || is(k - 1, ")"))
            {
                --k;
                continue;
            }
        }
        return k;
    }
}

static void rewrite_launch(int i)
{
    int depth = 0, end = i + 1;
    for (; end < num_tokens && !(depth == 0 && is(end, ">>>")); ++end)
    {
        depth += is(end, "(") || is(end, "[") || is(end, "{");
        depth -= is(end, ")") || is(end, "]") || is(end, "}");
    }
    if (end + 1 >= num_tokens || !is(end + 1, "("))
    {
        fail(&tokens[i], "a launch needs kernel<<<grid, block>>>(arguments)");
    }
    const char *configuration = copy_text(i + 1, end);
    put_before(kernel_start(i), join(join("(::cudacpu::configure(", configuration), "), "));
    for (int k = i; k <= end; ++k)
    {
        replace(k, "");
    }
    put_after(closing(end + 1), ")");
}

// --- shared memory, printf and the rest --------------------------------------------------------------

static bool ends_statement(int i)
{
    return i < 0 || is(i, ";") || is(i, "{") || is(i, "}") || is(i, ":") || is(i, ")");
}

static void rewrite_shared(int i)
{
    int first = i, semicolon = i;
    while (!ends_statement(first - 1))
    {
        --first;
    }
    bool is_extern = false;
    int k = first;
    for (; semicolon < num_tokens && !is(semicolon, ";"); ++semicolon)
    {
        if (is(semicolon, "(") || is(semicolon, "{"))
        {
            semicolon = closing(semicolon);
        }
    }
    for (k = first; k < semicolon; ++k)
    {
        if (is(k, "extern") || is(k, "static"))
        {
            is_extern = is_extern || is(k, "extern");
            replace(k, "");
        }
    }
    replace(i, "");
    put_before(first, is_extern ? " extern __thread " : " static __thread ");
    if (is_extern)
    {
        put_before(semicolon, " __asm__(\"cudacpu_dynamic_shared\")");
    }
}

static bool is_declaration_of_printf(int i)
{
    return (is_name(i - 1) && !is(i - 1, "return") && !is(i - 1, "else") && !is(i - 1, "do")) ||
           is(i - 1, ".") || is(i - 1, "->") || (is(i - 1, "::") && !is(i - 2, "std"));
}

static void rewrite_printf(int i)
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

static void rewrite_all(void)
{
    for (int i = 0; i < num_tokens; ++i)
    {
        if (!is_name(i) && !is(i, "<<<"))
        {
            continue;
        }
        if (is(i, "__global__"))
        {
            rewrite_global(i);
        }
        else if (is(i, "<<<"))
        {
            rewrite_launch(i);
        }
        else if (is(i, "__shared__"))
        {
            rewrite_shared(i);
        }
        else if (is(i, "printf"))
        {
            rewrite_printf(i);
        }
        else if (is(i, "__noinline__") && !is(i - 1, "(") && !is(i - 1, ","))
        {
            replace(i, "__attribute__((noinline))");
        }
        else if ((is(i, "asm") || is(i, "__asm__") || is(i, "__asm")) && !tokens[i].system)
        {
            fail(&tokens[i], "inline PTX: the CPU backend cannot run it; it needs a GPU");
        }
    }
}

// --- writing -------------------------------------------------------------------------------------

// White space and line markers, without the pragmas that only nvcc knows.
static void write_gap(const char *gap, int length)
{
    for (const char *p = gap, *end = gap + length; p < end;)
    {
        const char *line_end = memchr(p, '\n', end - p);
        const int n = (line_end == NULL ? end : line_end + 1) - p;
        const char *word = p + strspn(p, " \t");
        if (strncmp(word, "#pragma unroll", 14) == 0 || strncmp(word, "#pragma nv_", 11) == 0)
        {
            putchar('\n');
        }
        else
        {
            fwrite(p, 1, n, stdout);
        }
        p += n;
    }
}

static void write_output(void)
{
    for (int i = 0; i < num_tokens; ++i)
    {
        const Token *token = &tokens[i];
        write_gap(token->gap, token->gap_length);
        fputs(token->before != NULL ? token->before : "", stdout);
        if (token->instead != NULL)
        {
            fputs(token->instead, stdout);
        }
        else
        {
            fwrite(token->text, 1, token->length, stdout);
        }
        fputs(token->after != NULL ? token->after : "", stdout);
    }
    putchar('\n');
}

int main(void)
{
    read_input();
    read_tokens();
    rewrite_all();
    write_output();
    return fflush(stdout) == 0 ? 0 : 1;
}
