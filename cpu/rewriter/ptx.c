// Inline PTX in device code becomes C++.
//
//   asm volatile("add.s32 %0, %1, 1;" : "=r"(y) : "r"(x));
//
//   do { auto &&r0 = (y); unsigned v0 = 0; const auto r1 = (x); const unsigned v1 = bits(r1);
//        put(v0, add(get<int>(v1), (int)1)); give(r0, v0); } while (0);
//
// A register is an unsigned number of its size. Each instruction takes its bits as the type that its name
// says. ptx_arithmetic.c, ptx_memory.c and ptx_threads.c have the instructions, and
// include/cudacpu_ptx.h has what they call. What is not there is refused by name.
#include "ptx.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rewriter.h"

enum
{
    MAX_REGISTERS = 512,
    MAX_DEPTH = 16
};

static PtxRegister registers[MAX_REGISTERS];
static int num_registers;
static const char *prefix;       // of all names in C++
static const char *declarations; // of the registers that the text declares

// ---- The text, and the line of each of its characters ----

static char *text;
static int *line_of;
static size_t text_length, text_capacity;

static void add_character(char c, int line)
{
    if (text_length + 1 >= text_capacity)
    {
        text_capacity = 2 * text_capacity + 1000;
        text = allocate(text, text_capacity);
        line_of = allocate(line_of, text_capacity * sizeof(*line_of));
    }
    text[text_length] = c;
    line_of[text_length++] = line;
    text[text_length] = '\0';
    line_of[text_length] = line;
}

static void add_raw(const Token *token)
{
    const char *p = memchr(token->text, '(', (size_t)token->length);
    const char *start = memchr(token->text, '"', (size_t)token->length);
    if (p == NULL) // the compiler will say what is wrong
    {
        return;
    }
    const char *end = token->text + token->length - 1 - (p - start); // before )x"
    int line = token->line;
    for (++p; p < end; ++p)
    {
        add_character(*p, line);
        line += *p == '\n';
    }
}

static void add_string(const Token *token)
{
    if (token->text[0] == 'R')
    {
        add_raw(token);
        return;
    }
    for (const char *p = token->text + 1; p < token->text + token->length - 1; ++p)
    {
        char c = *p;
        if (c == '\\')
        {
            ++p;
            c = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? ' ' : *p;
            if (*p == '\n') // the string goes on in the next line
            {
                continue;
            }
        }
        add_character(c, token->line);
    }
}

static void remove_comments(void)
{
    for (char *p = text; *p != '\0'; ++p)
    {
        const char *end = NULL;
        if (p[0] == '/' && p[1] == '/')
        {
            end = p + strcspn(p, "\n");
        }
        else if (p[0] == '/' && p[1] == '*')
        {
            end = strstr(p + 2, "*/");
            end = end != NULL ? end + 2 : p + strlen(p);
        }
        for (; end != NULL && p < end - 1; ++p)
        {
            *p = ' ';
        }
        if (end != NULL)
        {
            *p = ' ';
        }
    }
}

// ---- Names ----

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\n\r\f\v");
}

// As C++ can have it.
static const char *plain_name(const char *name)
{
    char *plain = join(name, "");
    for (char *p = plain; *p != '\0'; ++p)
    {
        *p = isalnum((unsigned char)*p) ? *p : '_';
    }
    return plain;
}

static const PtxRegister *find_register(const char *name)
{
    for (int i = num_registers - 1; i >= 0; --i)
    {
        if (registers[i].known && strcmp(registers[i].name, name) == 0)
        {
            return &registers[i];
        }
    }
    return NULL;
}

static void add_register(const char *name, const char *variable, int size)
{
    if (num_registers == MAX_REGISTERS)
    {
        ptx_fail(": more than %d registers", MAX_REGISTERS);
    }
    registers[num_registers++] =
        (PtxRegister){.name = name, .variable = variable, .size = size, .known = true};
}

static const char *type_of_size(int size)
{
    return size == 0   ? "bool"
           : size == 1 ? "unsigned char"
           : size == 2 ? "unsigned short"
           : size == 4 ? "unsigned int"
                       : "unsigned long long";
}

static void declare(const char *name, const PtxType *type)
{
    const char *variable = ptx_format("%s%s_%d", prefix, plain_name(name), num_registers);
    add_register(name, variable, type->size);
    declarations = ptx_format("%s%s %s __attribute__((unused)) = 0; ", declarations,
                              type_of_size(type->size), variable);
}

// .reg .u32 a, b<4>;
static const char *read_registers(const char *p)
{
    p = skip_blanks(p);
    if (*p == '.' && p[1] == 'v' && isdigit((unsigned char)p[2]))
    {
        ptx_fail(" .reg .v%c is not supported on the CPU", p[2]);
    }
    const char *end = p;
    while (*end == '.' || is_of_name(*end))
    {
        ++end;
    }
    const char *name = copy(p, end - p);
    const PtxType *type = *p == '.' ? ptx_type(name + 1) : NULL;
    if (type == NULL)
    {
        ptx_fail(" .reg %s is not supported on the CPU", name);
    }
    for (p = end;;)
    {
        p = skip_blanks(p);
        for (end = p; is_of_name(*end);)
        {
            ++end;
        }
        if (end == p)
        {
            ptx_fail(" .reg: a name is missing");
        }
        p += p[0] == '%' && p[1] == '%';
        name = copy(p, end - p);
        p = skip_blanks(end);
        if (*p == '<')
        {
            char *rest;
            const long count = strtol(p + 1, &rest, 10);
            for (long i = 0; i < count; ++i)
            {
                declare(ptx_format("%s%ld", name, i), type);
            }
            p = skip_blanks(*rest == '>' ? rest + 1 : rest);
        }
        else
        {
            declare(name, type);
        }
        if (*p != ',')
        {
            return p;
        }
        ++p;
    }
}

// ---- Operands ----

static const char *read_constant(const char *p, PtxOperand *operand)
{
    const char *start = p;
    p += *p == '-' || *p == '+';
    const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    const bool bits = p[0] == '0' && p[1] != '\0' && strchr("fFdD", p[1]) != NULL;
    bool real = bits;
    while (isalnum((unsigned char)*p) || *p == '.' ||
           ((*p == '-' || *p == '+') && !hex && !bits && (p[-1] == 'e' || p[-1] == 'E')))
    {
        real = real || *p == '.';
        ++p;
    }
    int length = p - start;
    operand->size = PTX_ANY;
    operand->kind = real ? PTX_REAL : PTX_INTEGER;
    if (real)
    {
        operand->text = copy(start, length);
        return p;
    }
    length -= start[length - 1] == 'U' || start[length - 1] == 'u';
    operand->text =
        *start == '-'
            ? ptx_format("-(long long)%s", copy(start + 1, length - 1))
            : ptx_format("%sull", copy(start + (*start == '+'), length - (*start == '+')));
    return p;
}

// A register, a special register or a label.
static const char *read_name(const char *p, PtxOperand *operand)
{
    const bool doubled = p[0] == '%' && p[1] == '%';
    p += doubled;
    const char *end = p;
    while (is_of_name(*end))
    {
        ++end;
    }
    // The components of special registers: %tid.x
    const char *dot = *end == '.' && isalpha((unsigned char)end[1]) ? end + 1 : NULL;
    const char *name = copy(p, end - p);
    const PtxRegister *found = find_register(name);
    if (found != NULL)
    {
        operand->kind = found->size == PTX_ANY ? PTX_INTEGER : PTX_REGISTER;
        operand->text = found->variable;
        operand->size = found->size;
        return end;
    }
    if (name[0] == '%' && isdigit((unsigned char)name[1]) && !doubled)
    {
        ptx_fail(": asm has no operand %s", name);
    }
    if (name[0] == '%')
    {
        end = dot != NULL ? dot + 1 : end;
        name = copy(p + 1, end - p - 1);
        operand->kind = PTX_VALUE;
        operand->text = ptx_special_register(name, &operand->size);
        if (operand->text == NULL)
        {
            ptx_fail(": the register %%%s is not supported on the CPU", name);
        }
        return end;
    }
    if (strcmp(name, "WARP_SZ") == 0)
    {
        *operand = (PtxOperand){.kind = PTX_INTEGER, .text = "32", .size = PTX_ANY};
        return end;
    }
    operand->kind = strcmp(name, "_") == 0 ? PTX_SINK : PTX_LABEL;
    operand->text = name;
    return end;
}

static const char *read_simple(const char *p, PtxOperand *operand)
{
    p = skip_blanks(p);
    operand->negated = *p == '!';
    p = skip_blanks(p + operand->negated);
    if (isdigit((unsigned char)*p) || *p == '-' || *p == '+')
    {
        return read_constant(p, operand);
    }
    if (!is_of_name(*p))
    {
        ptx_fail(": an operand is missing before '%.20s'", p);
    }
    return read_name(p, operand);
}

static const char *read_vector(const char *p, PtxOperand *operand)
{
    operand->kind = PTX_VECTOR;
    do
    {
        PtxOperand element = {0};
        p = skip_blanks(read_simple(p + 1, &element));
        if (operand->num_elements == PTX_MAX_ELEMENTS || element.kind == PTX_LABEL)
        {
            ptx_fail(": a vector has an element that is no register");
        }
        operand->elements[operand->num_elements] = element.kind == PTX_SINK ? NULL : element.text;
        operand->element_size[operand->num_elements++] = element.size;
    } while (*p == ',');
    if (*p != '}')
    {
        ptx_fail(": a vector without its }");
    }
    return p + 1;
}

static const char *read_address(const char *p, PtxOperand *operand)
{
    p = skip_blanks(read_simple(p + 1, operand));
    if (operand->kind == PTX_LABEL)
    {
        ptx_fail(": the variable %s is not supported on the CPU: give its address as an operand",
                 operand->text);
    }
    operand->kind = PTX_ADDRESS;
    operand->offset = "0";
    if (*p == '+' || *p == '-')
    {
        PtxOperand offset = {0};
        const bool minus = *p == '-';
        p = skip_blanks(read_simple(p + 1, &offset));
        if (offset.kind != PTX_INTEGER)
        {
            ptx_fail(": an address has an offset that is no constant");
        }
        operand->offset = ptx_format("%s(long long)(%s)", minus ? "-" : "", offset.text);
    }
    if (*p != ']')
    {
        ptx_fail(": an address without its ]");
    }
    return p + 1;
}

static const char *read_operand(const char *p, PtxOperand *operand)
{
    p = skip_blanks(p);
    if (*p == '{')
    {
        p = read_vector(p, operand);
    }
    else if (*p == '[')
    {
        p = read_address(p, operand);
    }
    else
    {
        p = read_simple(p, operand);
    }
    p = skip_blanks(p);
    if (*p == '|')
    {
        PtxOperand second = {0};
        p = skip_blanks(read_simple(p + 1, &second));
        if (second.kind == PTX_REGISTER && second.size == PTX_PREDICATE)
        {
            operand->second = second.text;
        }
        else if (second.kind != PTX_SINK)
        {
            ptx_fail(": what stands behind | is no predicate");
        }
    }
    return p;
}

// ---- Instructions ----

static const char *read_parts(const char *p, PtxInstruction *in)
{
    const char *start = p;
    while (is_of_name(*p) || *p == '.' || *p == ':')
    {
        ++p;
    }
    in->name = copy(start, p - start);
    for (const char *part = in->name; in->num_parts < PTX_MAX_PARTS;)
    {
        const size_t length = strcspn(part, ".");
        in->parts[in->num_parts++] = copy(part, length);
        if (part[length] == '\0')
        {
            return p;
        }
        part += length + 1;
    }
    ptx_fail(" %s is not supported on the CPU", in->name);
}

// The names of labels are those of one asm. What is declared lies before the first one.
static const char *label_of(const char *name)
{
    return ptx_format("%slabel_%s", prefix, plain_name(name));
}

// Whether the text has the label.
static bool has_label(const char *name)
{
    const size_t length = strlen(name);
    for (const char *p = text; (p = strstr(p, name)) != NULL; p += length)
    {
        const char *end = skip_blanks(p + length);
        if (*end == ':' && end[1] != ':' && (p == text || !is_of_name(p[-1])))
        {
            return true;
        }
    }
    return false;
}

static void emit(const PtxInstruction *in)
{
    const PtxOperand *first = &in->operands[0];
    if (strcmp(in->parts[0], "bra") == 0 && in->num_operands == 1 && first->kind == PTX_LABEL)
    {
        if (!has_label(first->text))
        {
            ptx_fail(" bra: the label %s is missing", first->text);
        }
        ptx_say("goto %s; ", label_of(first->text));
    }
    else if (!ptx_arithmetic(in) && !ptx_memory(in) && !ptx_threads(in))
    {
        ptx_refuse(in);
    }
}

// What is not here is refused before its operands are read, which may be of a kind of their own.
static bool is_known(const PtxInstruction *in)
{
    static const char *const names[] = {
        "abs",     "activemask", "add",       "addc",      "and",   "atom",         "bar",
        "barrier", "bfe",        "bfi",       "bfind",     "bra",   "brev",         "brkpt",
        "clz",     "cnot",       "copysign",  "cos",       "cp",    "createpolicy", "cvt",
        "cvta",    "div",        "dp2a",      "dp4a",      "elect", "ex2",          "exit",
        "fence",   "fma",        "isspacep",  "ld",        "ldu",   "lg2",          "lop3",
        "mad",     "mad24",      "madc",      "match",     "max",   "membar",       "min",
        "mov",     "mul",        "mul24",     "nanosleep", "neg",   "not",          "or",
        "popc",    "prefetch",   "prefetchu", "prmt",      "rcp",   "red",          "redux",
        "rem",     "rsqrt",      "sad",       "selp",      "set",   "setp",         "shf",
        "shfl",    "shl",        "shr",       "sin",       "slct",  "sqrt",         "st",
        "sub",     "subc",       "tanh",      "testp",     "trap",  "vote",         "xor",
        NULL};
    static const char *const parts[] = {"bulk", "mbarrier", "async", "proxy", NULL};
    bool known = false;
    for (const char *const *name = names; *name != NULL; ++name)
    {
        known = known || strcmp(in->parts[0], *name) == 0;
    }
    const bool copies = strcmp(in->parts[0], "cp") == 0;
    for (int i = 1; i < in->num_parts; ++i)
    {
        for (const char *const *part = parts; *part != NULL; ++part)
        {
            known = known && (strcmp(in->parts[i], *part) != 0 || (copies && i == 1));
        }
    }
    return known;
}

// From the instruction, or its guard, to the semicolon.
static const char *read_instruction(const char *p)
{
    PtxInstruction in = {.prefix = prefix};
    PtxOperand guard = {0};
    if (*p == '@')
    {
        p = skip_blanks(read_simple(p + 1, &guard));
        if (guard.kind != PTX_REGISTER || guard.size != PTX_PREDICATE)
        {
            ptx_fail(": what stands behind @ is no predicate");
        }
        ptx_say("if (%s%s) ", guard.negated ? "!" : "", guard.text);
    }
    p = skip_blanks(read_parts(p, &in));
    if (!is_known(&in))
    {
        ptx_refuse(&in);
    }
    while (*p != ';' && *p != '\0' && *p != '}')
    {
        if (in.num_operands == PTX_MAX_OPERANDS)
        {
            ptx_refuse(&in);
        }
        p = skip_blanks(read_operand(p, &in.operands[in.num_operands++]));
        if (*p != ',' && *p != ';' && *p != '\0' && *p != '}')
        {
            ptx_fail(" %s: '%.1s' is not expected", in.name, p);
        }
        p = *p == ',' ? skip_blanks(p + 1) : p;
    }
    ptx_say("{ ");
    emit(&in);
    ptx_say("} ");
    return p;
}

static const char *read_directive(const char *p)
{
    const char *end = p + 1;
    while (is_of_name(*end))
    {
        ++end;
    }
    const char *name = copy(p, end - p);
    if (strcmp(name, ".reg") == 0)
    {
        return read_registers(end);
    }
    if (strcmp(name, ".pragma") != 0)
    {
        ptx_fail(" %s is not supported on the CPU", name);
    }
    return end + strcspn(end, ";");
}

// NAME: before a statement.
static const char *label_end(const char *p)
{
    const char *end = p;
    while (is_of_name(*end))
    {
        ++end;
    }
    end = end > p ? skip_blanks(end) : p;
    return *end == ':' && end[1] != ':' ? end : NULL;
}

static void read_statements(int last_line)
{
    int scope[MAX_DEPTH], depth = 0, line = last_line;
    for (const char *p = skip_blanks(text); *p != '\0'; p = skip_blanks(p))
    {
        ptx_set_line(line_of[p - text]);
        if (line_of[p - text] != line)
        {
            line = line_of[p - text];
            ptx_say("\n# %d \"%s\"\n", line, prefix + strlen(prefix) + 1);
        }
        const char *colon = label_end(p);
        if (*p == ';')
        {
            ++p;
        }
        else if (*p == '{')
        {
            if (depth == MAX_DEPTH)
            {
                ptx_fail(": more than %d scopes", MAX_DEPTH);
            }
            scope[depth++] = num_registers;
            ++p;
        }
        else if (*p == '}')
        {
            if (depth == 0)
            {
                ptx_fail(": } without its {");
            }
            for (int i = scope[--depth]; i < num_registers; ++i)
            {
                registers[i].known = false;
            }
            ++p;
        }
        else if (*p == '.')
        {
            p = read_directive(p);
        }
        else if (colon != NULL)
        {
            const char *end = p;
            while (is_of_name(*end))
            {
                ++end;
            }
            ptx_say("%s: __attribute__((unused)); ", label_of(copy(p, end - p)));
            p = colon + 1;
        }
        else if (*p == '@' || isalpha((unsigned char)*p))
        {
            p = read_instruction(p);
        }
        else
        {
            ptx_fail(": '%.1s' is not expected", p);
        }
    }
    if (depth > 0)
    {
        ptx_fail(": { without its }");
    }
    if (line != last_line)
    {
        ptx_say("\n# %d \"%s\"\n", last_line, prefix + strlen(prefix) + 1);
    }
}

// ---- The statement ----

typedef struct Statement
{
    int first, open, close; // asm, its brackets
    bool is_volatile;
} Statement;

static bool is_string(int i)
{
    return tokens[i].text[0] == '"' ||
           (tokens[i].text[0] == 'R' && tokens[i].length > 1 && tokens[i].text[1] == '"');
}

static int size_of_constraint(char c, const char *constraint)
{
    switch (c)
    {
    case 'h':
        return 2;
    case 'r':
    case 'f':
        return 4;
    case 'l':
    case 'd':
        return 8;
    case 'n':
        return PTX_ANY;
    default:
        ptx_fail(": the constraint \"%s\" is not supported on the CPU", constraint);
    }
}

// The text of a constraint, which may be several strings: "=" "r". *end is the token behind it.
static const char *read_constraint(int i, int *end)
{
    const char *constraint = "";
    for (; is_string(i); ++i)
    {
        constraint = join(constraint, copy(tokens[i].text + 1, tokens[i].length - 2));
        replace(i, "");
    }
    *end = i;
    return constraint;
}

// "=r"(x) at i. Returns the token behind it. The value's own tokens stay.
static int rewrite_operand(int i, int number, bool is_output)
{
    int bracket;
    const char *constraint = read_constraint(i, &bracket);
    const bool writes = *constraint == '=' || *constraint == '+', reads = *constraint != '=';
    const char kind = constraint[strspn(constraint, "=+&")];
    ptx_set_line(tokens[i].line);
    const int size = size_of_constraint(kind, constraint);
    if (writes != is_output || !is(bracket, "("))
    {
        ptx_fail(": the constraint \"%s\" belongs to an %s", constraint,
                 writes ? "output" : "input");
    }
    const int end = closing(bracket);
    const char *variable = ptx_format("%s%d", prefix, number), *type = type_of_size(size);
    const char *reference = ptx_format("%sof_%d", prefix, number);
    if (size == PTX_ANY)
    {
        replace(i,
                ptx_format("const long long %s __attribute__((unused)) = (long long)", variable));
        put_after(end, "; ");
    }
    else
    {
        replace(i, ptx_format(is_output ? "auto &&%s = " : "const auto %s = ", reference));
        put_after(end,
                  ptx_format("; static_assert(::cudacpu::ptx::Fits<decltype(%s), %d, %s>::value, "
                             "\"inline PTX: operand %%%d is not of the size and kind that its "
                             "constraint \\\"%c\\\" says\"); ",
                             reference, size, strchr("fd", kind) != NULL ? "true" : "false", number,
                             kind));
        put_after(end, reads ? ptx_format("%s %s __attribute__((unused)) = "
                                          "::cudacpu::ptx::bits_of_size<%s>(%s); ",
                                          type, variable, type, reference)
                             : ptx_format("%s %s = 0; ", type, variable));
    }
    add_register(ptx_format("%%%d", number), variable, size);
    return end + 1;
}

// What follows the text: outputs, inputs, clobbers. Returns what gives the outputs to the program.
static const char *rewrite_operands(int i, int close)
{
    const char *given = "";
    int section = 0, number = 0;
    while (i < close)
    {
        if (is(i, ":") || is(i, "::"))
        {
            section += is(i, ":") ? 1 : 2;
            replace(i++, "");
        }
        else if (is(i, ","))
        {
            replace(i++, "");
        }
        else if (section < 3 && is_string(i))
        {
            i = rewrite_operand(i, number, section == 1);
            if (section == 1)
            {
                given = ptx_format("%s::cudacpu::ptx::give(%sof_%d, %s%d); ", given, prefix, number,
                                   prefix, number);
            }
            ++number;
        }
        else if (section == 3 && is_string(i))
        {
            replace(i++, "");
        }
        else
        {
            ptx_set_line(tokens[i].line);
            ptx_fail(": '%s' is not expected", text_of(i));
        }
    }
    return given;
}

bool is_asm(int i)
{
    return is(i, "asm") || is(i, "__asm__") || is(i, "__asm");
}

static bool find_statement(int i, Statement *s)
{
    static const char *const words[] = {"volatile", "__volatile__", "__volatile", "inline", NULL};
    s->first = i;
    s->open = i + 1;
    while (is_any(s->open, words))
    {
        ++s->open;
    }
    if (!is(s->open, "(") || !is_string(s->open + 1))
    {
        return false;
    }
    s->close = closing(s->open);
    return true;
}

// i is `asm` in device code.
void rewrite_ptx(int i)
{
    Statement s;
    if (!find_statement(i, &s))
    {
        return;
    }
    const Token *last = &tokens[s.close];
    // The name of the file stands behind the prefix.
    char *names = join(ptx_format("cudacpu_ptx%d_", i), join(" ", last->file));
    *strchr(names, ' ') = '\0';
    prefix = names;
    declarations = "";
    num_registers = 0;
    text_length = 0;
    ptx_begin(last->file);
    ptx_set_line(tokens[i].line);
    add_character(' ', tokens[i].line);
    int after = s.open + 1;
    for (; after < s.close && is_string(after); ++after)
    {
        add_string(&tokens[after]);
        replace(after, "");
    }
    for (int k = s.first; k <= s.open; ++k)
    {
        replace(k, "");
    }
    replace(i, "do { ");
    remove_comments();
    const char *given = rewrite_operands(after, s.close);
    read_statements(last->line);
    const bool empty = *skip_blanks(text) == '\0';
    replace(s.close, ptx_format("%s%s%s%s} while (0)", declarations, ptx_said(), given,
                                empty ? "__asm__ volatile(\"\" ::: \"memory\"); " : ""));
}
