// The tokens of the preprocessed text: reading, brackets, replacing, writing.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rewriter.h"

// Before the first token and behind the last one stands an empty one: who looks at a neighbour needs not ask
// whether there is one.
Token *tokens;
int num_tokens;
static int max_tokens; // with the two
static char *input;

void *allocate(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (memory == NULL)
    {
        fprintf(stderr, "rewrite: out of memory\n");
        exit(1);
    }
    return memory;
}

_Noreturn void fail(const char *file, int line, const char *message)
{
    fprintf(stderr, "%s:%d: error: %s\n", file, line, message);
    exit(1);
}

char *join(const char *a, const char *b)
{
    const size_t length = strlen(a) + strlen(b) + 1;
    char *text = allocate(NULL, length);
    snprintf(text, length, "%s%s", a, b);
    return text;
}

char *copy(const char *text, int length)
{
    char *copied = allocate(NULL, length + 1);
    memcpy(copied, text, length);
    copied[length] = '\0';
    return copied;
}

// --- reading -------------------------------------------------------------------------------------

// A byte of 0 would end the text. Compilers take no notice of it, so it becomes a blank.
static void remove_zeros(char *text, size_t length)
{
    for (char *p = text; (p = memchr(p, '\0', length - (size_t)(p - text))) != NULL;)
    {
        *p = ' ';
    }
}

static char *read_text(FILE *file)
{
    size_t length = 0, capacity = 1 << 20;
    char *text = allocate(NULL, capacity);
    for (size_t got; (got = fread(text + length, 1, capacity - length - 1, file)) > 0;)
    {
        length += got;
        if (capacity - length < 2)
        {
            capacity *= 2;
            text = allocate(text, capacity);
        }
    }
    if (ferror(file))
    {
        fprintf(stderr, "rewrite: cannot read the text\n");
        exit(1);
    }
    remove_zeros(text, length);
    text[length] = '\0';
    return text;
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

// The end of << < at p, or NULL. nvcc takes it for a launch, and nothing else begins so.
static const char *spaced_launch(const char *p)
{
    const size_t blanks = strncmp(p, "<<", 2) == 0 ? strspn(p + 2, " \t") : 0;
    return blanks > 0 && p[2 + blanks] == '<' ? p + 3 + blanks : NULL;
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

// The current place, which line markers change: # 12 "file.cu" 1 3. The flag 1 enters a header,
// 2 returns from it, 3 marks system headers.
typedef struct Place
{
    const char *file;
    int line;
    bool system;
    const char *refusal; // what the header being read cannot be had for
} Place;

// How long the name of a file is in a marker, where it stands with a backslash before each quote.
static int marked_length(const char *name)
{
    int length = 0;
    while (name[length] != '"' && name[length] != '\n' && name[length] != '\0')
    {
        length += name[length] == '\\' && name[length + 1] != '\0' ? 2 : 1;
    }
    return length;
}

static void read_marker(const char *p, Place *place)
{
    char *name;
    const long number = strtol(p + 1, &name, 10);
    const int length = strncmp(name, " \"", 2) == 0 ? marked_length(name + 2) : 0;
    if (length == 0 || name[2 + length] != '"')
    {
        return;
    }
    name += 2;
    bool returns = false;
    place->line = number - 1;
    place->system = false;
    for (const char *flag = name + length + 1; *flag != '\n' && *flag != '\0'; ++flag)
    {
        returns = returns || *flag == '2';
        place->system = place->system || *flag == '3';
    }
    if (strncmp(place->file, name, length) != 0 || place->file[length] != '\0')
    {
        place->file = copy(name, length);
    }
    if (place->refusal != NULL && returns && !place->system)
    {
        fail(place->file, place->line, place->refusal); // number is the line after the #include
    }
}

Missing missing[MAX_MISSING];
int num_missing;

// #pragma cudacpu_without PREFIX LIBRARY
static void read_missing(const char *p)
{
    const int prefix = strcspn(p, " "), library = strcspn(p, "\n") - prefix - 1;
    if (num_missing < MAX_MISSING && library > 0)
    {
        missing[num_missing++] = (Missing){copy(p, prefix), copy(p + prefix + 1, library)};
    }
}

// Besides markers there are pragmas. Headers of what cannot be had here (include/gpu-only)
// consist of one. That of a library names the prefix of its functions and types: who includes the
// header need not use them. Another one names what it is, and the message names the line that
// includes it.
static void read_directive(const char *p, Place *place)
{
    static const struct
    {
        const char *pragma, *message;
    } refusals[] = {
        {"#pragma cudacpu_needs_gpu ", " needs a GPU: the CPU backend cannot run it"},
        {"#pragma cudacpu_needs_toolkit ", " needs the CUDA toolkit: CUDA_HOME names it"},
    };
    static const char without[] = "#pragma cudacpu_without ";
    read_marker(p, place);
    if (strncmp(p, without, strlen(without)) == 0)
    {
        read_missing(p + strlen(without));
    }
    for (int i = 0; i < 2 && place->refusal == NULL; ++i)
    {
        const size_t length = strlen(refusals[i].pragma);
        if (strncmp(p, refusals[i].pragma, length) == 0)
        {
            const char *name = p + length;
            place->refusal = join(copy(name, strcspn(name, "\n")), refusals[i].message);
        }
    }
}

// Room for one more token, and for the empty ones.
static void make_room(void)
{
    static Token *all;
    if (num_tokens + 2 >= max_tokens)
    {
        max_tokens = 2 * max_tokens + 65536;
        all = allocate(all, (size_t)max_tokens * sizeof(*all));
        all[0] = (Token){.text = "", .gap = "", .file = "", .system = true, .partner = -1};
        tokens = all + 1;
    }
}

static void add_token(Token token)
{
    make_room();
    tokens[num_tokens++] = token;
}

static void end_tokens(void)
{
    make_room();
    const Token *last = &tokens[num_tokens - 1];
    tokens[num_tokens] = (Token){.text = "",
                                 .gap = "",
                                 .file = last->file,
                                 .line = last->line,
                                 .system = true,
                                 .partner = -1};
}

static void split_input(void)
{
    const char *p = input, *gap = input;
    Place place = {.file = "", .line = 1};
    bool fresh_line = true;
    while (*p != '\0')
    {
        if (*p == '\n')
        {
            ++place.line;
            ++p;
            fresh_line = true;
        }
        else if (isspace((unsigned char)*p))
        {
            ++p;
        }
        else if (*p == '#' && fresh_line)
        {
            read_directive(p, &place);
            p += strcspn(p, "\n");
        }
        else
        {
            fresh_line = false;
            const char *const apart = spaced_launch(p); // << <, as editors format it
            const char *end = apart != NULL ? apart : skip_token(p);
            add_token((Token){.text = apart != NULL ? "<<<" : p,
                              .length = apart != NULL ? 3 : end - p,
                              .width = end - p,
                              .gap = gap,
                              .gap_length = p - gap,
                              .system = place.system,
                              .line = place.line,
                              .file = place.file});
            for (; p < end; ++p)
            {
                place.line += *p == '\n';
            }
            gap = end;
        }
    }
    end_tokens();
}

// --- brackets ------------------------------------------------------------------------------------

bool is(int i, const char *text)
{
    return i >= 0 && i < num_tokens && tokens[i].text[0] == text[0] &&
           strncmp(tokens[i].text, text, tokens[i].length) == 0 && text[tokens[i].length] == '\0';
}

// Whether two tokens have the same text.
bool is_same(int i, int k)
{
    return tokens[i].length == tokens[k].length &&
           memcmp(tokens[i].text, tokens[k].text, (size_t)tokens[i].length) == 0;
}

bool is_any(int i, const char *const *texts)
{
    while (*texts != NULL && !is(i, *texts))
    {
        ++texts;
    }
    return *texts != NULL;
}

bool is_name(int i)
{
    return i >= 0 && i < num_tokens && is_word(tokens[i].text[0]) &&
           !isdigit((unsigned char)tokens[i].text[0]);
}

static int partner(int i)
{
    const bool is_there = i >= 0 && i < num_tokens;
    if (!is_there || tokens[i].partner < 0)
    {
        const Token *at = &tokens[is_there ? i : num_tokens];
        fail(at->file, at->line, "a bracket without its partner");
    }
    return tokens[i].partner;
}

// The token that closes the bracket at i.
int closing(int i)
{
    return partner(i);
}

// The token that opens the bracket closed at i.
int opening(int i)
{
    return partner(i);
}

// Whether the brace at i opens a namespace or extern "C".
static bool opens_namespace(int i)
{
    if (is(i - 2, "extern") && tokens[i - 1].text[0] == '"')
    {
        return true;
    }
    int k = i - 1;
    while (is_name(k) || is(k, "::") || is(k, ")") || is(k, "]"))
    {
        if (is(k, "namespace"))
        {
            return true;
        }
        k = (is(k, ")") || is(k, "]") ? opening(k) : k) - 1;
    }
    return false;
}

static void match_brackets(void)
{
    int *open = allocate(NULL, (num_tokens + 1) * sizeof(*open)); // the brackets that are open, ...
    bool *transparent = allocate(NULL, num_tokens + 1);           // ... and which are namespaces'
    int depth = 0, opaque = 0;
    for (int i = 0; i < num_tokens; ++i)
    {
        tokens[i].partner = -1;
        if ((is(i, ")") || is(i, "]") || is(i, "}")) && depth > 0)
        {
            opaque -= !transparent[--depth];
            tokens[i].partner = open[depth];
            tokens[open[depth]].partner = i;
        }
        tokens[i].outermost = opaque == 0;
        if (is(i, "(") || is(i, "[") || is(i, "{"))
        {
            transparent[depth] = is(i, "{") && opaque == 0 && opens_namespace(i);
            opaque += !transparent[depth];
            open[depth++] = i;
        }
    }
    free(open);
    free(transparent);
}

void read_tokens(void)
{
    input = read_text(stdin);
    split_input();
    match_brackets();
}

// --- replacing -----------------------------------------------------------------------------------

void replace(int i, const char *text)
{
    tokens[i].instead = text;
}

void put_before(int i, const char *text)
{
    tokens[i].before = tokens[i].before == NULL ? text : join(text, tokens[i].before);
}

void put_after(int i, const char *text)
{
    tokens[i].after = tokens[i].after == NULL ? text : join(tokens[i].after, text);
}

// --- writing -------------------------------------------------------------------------------------

static bool is_pragma_of_nvcc(const char *line)
{
    static const char *const pragmas[] = {"unroll",      "nounroll", "nv_", "diag_",
                                          "hd_warning_", "cudacpu_", NULL};
    if (strncmp(line, "#pragma ", 8) != 0)
    {
        return false;
    }
    for (const char *const *pragma = pragmas; *pragma != NULL; ++pragma)
    {
        if (strncmp(line + 8, *pragma, strlen(*pragma)) == 0)
        {
            return true;
        }
    }
    return false;
}

static FILE *output;

// White space and line markers, without the pragmas that only nvcc knows.
static void write_gap(const char *gap, int length)
{
    for (const char *p = gap, *end = gap + length; p < end;)
    {
        const char *line_end = memchr(p, '\n', end - p);
        const int n = (line_end == NULL ? end : line_end + 1) - p;
        const char *word = p + strspn(p, " \t");
        if (is_pragma_of_nvcc(word))
        {
            putc('\n', output);
        }
        else
        {
            fwrite(p, 1, n, output);
        }
        p += n;
    }
}

static void write_token(const Token *token)
{
    write_gap(token->gap, token->gap_length);
    fputs(token->before != NULL ? token->before : "", output);
    if (token->instead != NULL)
    {
        fputs(token->instead, output);
    }
    else
    {
        fwrite(token->text, 1, token->length, output);
    }
    fputs(token->after != NULL ? token->after : "", output);
}

// Whether the input has the token, and the gap before it, as they are to be written.
static bool is_unchanged(const Token *token)
{
    return token->before == NULL && token->instead == NULL && token->after == NULL &&
           token->text == token->gap + token->gap_length &&
           memchr(token->gap, '#', token->gap_length) == NULL;
}

// Most tokens are unchanged. A row of them is written at once.
static void write_tokens(void)
{
    const char *row = input;
    for (int i = 0; i < num_tokens; ++i)
    {
        const Token *token = &tokens[i];
        if (!is_unchanged(token))
        {
            fwrite(row, 1, token->gap - row, output);
            write_token(token);
            row = token->gap + token->gap_length + token->width;
        }
    }
    const Token *last = &tokens[num_tokens - 1];
    const char *end = num_tokens > 0 ? last->gap + last->gap_length + last->width : row;
    fwrite(row, 1, (size_t)(end - row), output);
    putc('\n', output);
}

// A precompiled header (cpucc -precompile) stands for the rewritten text that it was made from, if
// ours begins with the same bytes. The file that -known names has this text after its first line,
// which names the header beside it. Our own first line names the source.
static const char *skip_known(const char *text, const char *known_file)
{
    FILE *file = fopen(known_file, "r");
    if (file == NULL)
    {
        return text;
    }
    char *known = read_text(file);
    fclose(file);
    const char *begin = strchr(text, '\n'), *known_text = strchr(known, '\n');
    const size_t length = known_text == NULL ? 0 : strlen(known_text);
    if (begin != NULL && length > 0 && strncmp(begin, known_text, length) == 0)
    {
        const char *slash = strrchr(known_file, '/');
        const int directory = slash == NULL ? 0 : slash + 1 - known_file;
        printf("%.*s\n#pragma GCC pch_preprocess \"%.*s%.*s\"\n", (int)(begin - text), text,
               directory, known_file, (int)(known_text - known), known);
        text = begin + length;
    }
    free(known);
    return text;
}

void write_output(const char *known_file)
{
    char *text = NULL;
    size_t length = 0;
    output = open_memstream(&text, &length);
    if (output == NULL)
    {
        fail("rewrite", 0, "out of memory");
    }
    write_tokens();
    if (fclose(output) != 0)
    {
        fail("rewrite", 0, "out of memory");
    }
    fputs(known_file != NULL ? skip_known(text, known_file) : text, stdout);
    free(text);
}

const char *text_of(int i)
{
    return copy(tokens[i].text, tokens[i].length);
}

// The text of some tokens on one line, so that no line of the source moves.
const char *copy_text(int from, int to)
{
    size_t length = 0;
    for (int k = from; k < to; ++k)
    {
        length += tokens[k].length + 1;
    }
    char *text = allocate(NULL, length + 1), *end = text;
    *text = '\0';
    for (int k = from; k < to; ++k)
    {
        end += sprintf(end, "%s%.*s", tokens[k].gap_length > 0 ? " " : "", tokens[k].length,
                       tokens[k].text);
    }
    return text;
}
