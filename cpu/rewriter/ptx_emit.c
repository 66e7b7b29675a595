// What inline PTX is written as: types, operands in C++, and messages.
#include "ptx.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "rewriter.h"

static char *said;
static size_t length, capacity;
static const char *current_file;
static int current_line;

void ptx_begin(const char *file)
{
    said = NULL;
    length = capacity = 0;
    current_file = file;
    ptx_say("%s", "");
}

// The line of the PTX text that is read.
void ptx_set_line(int line)
{
    current_line = line;
}

static const char *vformat(const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const int needed = vsnprintf(NULL, 0, format, list);
    char *text = allocate(NULL, (size_t)needed + 1);
    vsnprintf(text, (size_t)needed + 1, format, again);
    va_end(again);
    return text;
}

const char *ptx_format(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const char *text = vformat(format, list);
    va_end(list);
    return text;
}

void ptx_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const char *text = vformat(format, list);
    va_end(list);
    const size_t more = strlen(text);
    if (length + more + 1 > capacity)
    {
        capacity = 2 * capacity + more + 1000;
        said = allocate(said, capacity);
    }
    memcpy(said + length, text, more + 1);
    length += more;
}

const char *ptx_said(void)
{
    return said;
}

void ptx_fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail(current_file, current_line, join("inline PTX", vformat(format, list)));
}

// The name has what tells the instruction: mma.sync of mma.sync.aligned.m16n8k16...
void ptx_refuse(const PtxInstruction *in)
{
    static const char *const families[] = {"mma",  "ldmatrix", "stmatrix", "wmma",       "mbarrier",
                                           "cp",   "wgmma",    "tcgen05",  "setmaxnreg", "tex",
                                           "suld", "sust",     "fence",    "barrier",    NULL};
    for (const char *const *family = families; *family != NULL; ++family)
    {
        if (strcmp(in->parts[0], *family) == 0 && in->num_parts > 2)
        {
            const bool third =
                strcmp(in->parts[0], "cp") == 0 || strcmp(in->parts[0], "fence") == 0;
            ptx_fail(" %s.%s%s%s is not supported on the CPU", in->parts[0], in->parts[1],
                     third ? "." : "", third ? in->parts[2] : "");
        }
    }
    ptx_fail(" %s is not supported on the CPU", in->name);
}

// NULL: no type, or one that is not here.
const PtxType *ptx_type(const char *name)
{
    static const PtxType types[] = {
        {"b8", "unsigned char", "unsigned char", 1, 'b'},
        {"u8", "unsigned char", "unsigned char", 1, 'u'},
        {"s8", "signed char", "unsigned char", 1, 's'},
        {"b16", "unsigned short", "unsigned short", 2, 'b'},
        {"u16", "unsigned short", "unsigned short", 2, 'u'},
        {"s16", "short", "unsigned short", 2, 's'},
        {"b32", "unsigned int", "unsigned int", 4, 'b'},
        {"u32", "unsigned int", "unsigned int", 4, 'u'},
        {"s32", "int", "unsigned int", 4, 's'},
        {"b64", "unsigned long long", "unsigned long long", 8, 'b'},
        {"u64", "unsigned long long", "unsigned long long", 8, 'u'},
        {"s64", "long long", "unsigned long long", 8, 's'},
        {"f32", "float", "unsigned int", 4, 'f'},
        {"f64", "double", "unsigned long long", 8, 'f'},
        {"pred", "bool", "bool", PTX_PREDICATE, 'p'},
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i)
    {
        if (strcmp(types[i].name, name) == 0)
        {
            return &types[i];
        }
    }
    return NULL;
}

bool ptx_is_part(const PtxInstruction *in, int i, const char *part)
{
    return i < in->num_parts && strcmp(in->parts[i], part) == 0;
}

bool ptx_has(const PtxInstruction *in, const char *part)
{
    for (int i = 1; i < in->num_parts; ++i)
    {
        if (strcmp(in->parts[i], part) == 0)
        {
            return true;
        }
    }
    return false;
}

// A constant of PTX that is no integer: 0f3F800000, 0d3FF0000000000000, 1.5.
static const char *real_constant(const char *text, const PtxType *type)
{
    const bool minus = *text == '-';
    const char *digits = text + minus, *sign = minus ? "-" : "";
    const bool bits = digits[0] == '0' && strchr("fFdD", digits[1]) != NULL;
    const bool single = bits && strchr("fF", digits[1]) != NULL;
    const char *value = bits ? ptx_format("%s::cudacpu::ptx::get<%s>(0x%sull)", sign,
                                          single ? "float" : "double", digits + 2)
                             : text;
    const char *real = type->size == 8 ? "double" : "float";
    return type->kind == 'f' ? ptx_format("(%s)%s", real, value)
                             : ptx_format("::cudacpu::ptx::bits_of((%s)%s)", real, value);
}

static const PtxOperand *operand_of(const PtxInstruction *in, int operand)
{
    if (operand >= in->num_operands)
    {
        ptx_fail(" %s: an operand is missing", in->name);
    }
    return &in->operands[operand];
}

// Loads, stores and conversions take registers that are wider than their type.
static bool may_be_wider(const PtxInstruction *in)
{
    static const char *const names[] = {"cvt", "ld", "ldu", "st", NULL};
    const char *const *name = names;
    while (*name != NULL && strcmp(in->parts[0], *name) != 0)
    {
        ++name;
    }
    return *name != NULL;
}

// The operand as a value of the type.
const char *ptx_get(const PtxInstruction *in, int operand, const PtxType *type)
{
    const PtxOperand *from = operand_of(in, operand);
    if (type->kind == 'p')
    {
        return ptx_predicate(in, operand);
    }
    switch (from->kind)
    {
    case PTX_INTEGER:
        return ptx_format("(%s)%s", type->type, from->text);
    case PTX_REAL:
        return real_constant(from->text, type);
    case PTX_VALUE:
        if (strcmp(in->parts[0], "mov") != 0)
        {
            ptx_fail(" %s: a special register is an operand of mov only", in->name);
        }
        // fall through
    case PTX_REGISTER:
        if (from->size == PTX_PREDICATE)
        {
            ptx_fail(" %s: a predicate stands where a number belongs", in->name);
        }
        if (from->size != PTX_ANY &&
            (from->size < type->size || (from->size > type->size && !may_be_wider(in))))
        {
            ptx_fail(" %s: operand %d has %d bits", in->name, operand + 1, 8 * from->size);
        }
        return ptx_format("::cudacpu::ptx::get<%s>(%s)", type->type, from->text);
    default:
        ptx_fail(" %s: operand %d is no register and no constant", in->name, operand + 1);
    }
}

const char *ptx_predicate(const PtxInstruction *in, int operand)
{
    const PtxOperand *from = operand_of(in, operand);
    if (from->kind == PTX_INTEGER)
    {
        return ptx_format("(%s(%s) != 0)", from->negated ? "!" : "", from->text);
    }
    if (from->kind != PTX_REGISTER || from->size != PTX_PREDICATE)
    {
        ptx_fail(" %s: operand %d is no predicate", in->name, operand + 1);
    }
    return ptx_format("%s%s", from->negated ? "!" : "", from->text);
}

// Writes the value, an expression of so many bytes, to the operand.
void ptx_put(const PtxInstruction *in, int operand, int size, const char *value)
{
    const PtxOperand *to = operand_of(in, operand);
    if (to->kind == PTX_SINK)
    {
        ptx_say("(void)(%s); ", value);
        return;
    }
    if (to->kind != PTX_REGISTER || (to->size == PTX_PREDICATE) != (size == PTX_PREDICATE))
    {
        ptx_fail(" %s: operand %d is no %s", in->name, operand + 1,
                 size == PTX_PREDICATE ? "predicate" : "register");
    }
    if (to->size < size || (to->size > size && !may_be_wider(in)))
    {
        ptx_fail(" %s: operand %d has %d bits", in->name, operand + 1, 8 * to->size);
    }
    if (size == PTX_PREDICATE)
    {
        ptx_say("%s = %s; ", to->text, value);
    }
    else
    {
        ptx_say("::cudacpu::ptx::put(%s, %s); ", to->text, value);
    }
}
