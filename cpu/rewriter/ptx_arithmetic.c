// Inline PTX: arithmetic, bits, comparisons, conversions, moves.
#include "ptx.h"
#include <stdio.h>
#include <string.h>

static bool is_in_list(const char *word, const char *list)
{
    const size_t length = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += length)
    {
        if ((p == list || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
        {
            return true;
        }
    }
    return false;
}

// ---- Instructions that are a function of their operands ----

#define INTEGERS "u16 s16 u32 s32 u64 s64"
#define WORDS "u32 s32"
#define LONGS "u32 s32 u64 s64"
#define REALS "f32 f64"

// The shape: of the result, and then of each operand. t the type that the instruction names, w one of
// twice its size, u u32, p a predicate.
typedef struct Function
{
    const char *name, *types, *shape;
} Function;

static const Function FUNCTIONS[] = {
    {"add", INTEGERS, "ttt"},
    {"sub", INTEGERS, "ttt"},
    {"add.sat", "s32", "ttt"},
    {"sub.sat", "s32", "ttt"},
    {"mul.lo", INTEGERS, "ttt"},
    {"mul.hi", INTEGERS, "ttt"},
    {"mul.wide", "u16 s16 u32 s32", "wtt"},
    {"mul24.lo", WORDS, "ttt"},
    {"mul24.hi", WORDS, "ttt"},
    {"mad.lo", INTEGERS, "tttt"},
    {"mad.hi", INTEGERS, "tttt"},
    {"mad.wide", "u16 s16 u32 s32", "wttw"},
    {"mad24.lo", WORDS, "tttt"},
    {"mad24.hi", WORDS, "tttt"},
    {"sad", INTEGERS, "tttt"},
    {"div", INTEGERS, "ttt"},
    {"rem", INTEGERS, "ttt"},
    {"min", INTEGERS " f32 f64", "ttt"},
    {"max", INTEGERS " f32 f64", "ttt"},
    {"abs", "s16 s32 s64 f32 f64", "tt"},
    {"neg", "s16 s32 s64 f32 f64", "tt"},
    {"min.NaN", "f32", "ttt"},
    {"max.NaN", "f32", "ttt"},
    {"add.cc", LONGS, "ttt"},
    {"addc", LONGS, "ttt"},
    {"addc.cc", LONGS, "ttt"},
    {"sub.cc", LONGS, "ttt"},
    {"subc", LONGS, "ttt"},
    {"subc.cc", LONGS, "ttt"},
    {"mad.lo.cc", LONGS, "tttt"},
    {"mad.hi.cc", LONGS, "tttt"},
    {"madc.lo", LONGS, "tttt"},
    {"madc.hi", LONGS, "tttt"},
    {"madc.lo.cc", LONGS, "tttt"},
    {"madc.hi.cc", LONGS, "tttt"},
    {"and", "b16 b32 b64 pred", "ttt"},
    {"or", "b16 b32 b64 pred", "ttt"},
    {"xor", "b16 b32 b64 pred", "ttt"},
    {"not", "b16 b32 b64 pred", "tt"},
    {"cnot", "b16 b32 b64", "tt"},
    {"shl", "b16 b32 b64", "ttu"},
    {"shr", "b16 b32 b64 " INTEGERS, "ttu"},
    {"lop3", "b32", "ttttu"},
    {"popc", "b32 b64", "ut"},
    {"clz", "b32 b64", "ut"},
    {"brev", "b32 b64", "tt"},
    {"bfe", LONGS, "ttuu"},
    {"bfi", "b32 b64", "tttuu"},
    {"bfind", LONGS, "ut"},
    {"bfind.shiftamt", LONGS, "ut"},
    {"prmt", "b32", "tttu"},
    {"shf.l.wrap", "b32", "tttu"},
    {"shf.l.clamp", "b32", "tttu"},
    {"shf.r.wrap", "b32", "tttu"},
    {"shf.r.clamp", "b32", "tttu"},
    {"selp", "b16 b32 b64 f32 f64 " INTEGERS, "tttp"},
    {"copysign", REALS, "ttt"},
    {"testp.finite", REALS, "pt"},
    {"testp.infinite", REALS, "pt"},
    {"testp.number", REALS, "pt"},
    {"testp.notanumber", REALS, "pt"},
    {"testp.normal", REALS, "pt"},
    {"testp.subnormal", REALS, "pt"},
};

// Those that round: a name ends in rn, rz, rm or rp, or in approx or full.
static const Function ROUNDED[] = {
    {"add", REALS, "ttt"},  {"sub", REALS, "ttt"}, {"mul", REALS, "ttt"}, {"fma", REALS, "tttt"},
    {"mad", REALS, "tttt"}, {"div", REALS, "ttt"}, {"rcp", REALS, "tt"},  {"sqrt", REALS, "tt"},
    {"rsqrt", REALS, "tt"}, {"sin", "f32", "tt"},  {"cos", "f32", "tt"},  {"ex2", "f32", "tt"},
    {"lg2", "f32", "tt"},   {"tanh", "f32", "tt"},
};

static const Function *find(const Function *list, size_t count, const char *name, const char *type)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (strcmp(list[i].name, name) == 0 && is_in_list(type, list[i].types))
        {
            return &list[i];
        }
    }
    return NULL;
}

static const char *underlined(const char *name)
{
    char *text = (char *)ptx_format("%s", name);
    for (char *p = text; *p != '\0'; ++p)
    {
        *p = *p == '.' ? '_' : *p;
    }
    return text;
}

static const PtxType *type_of_shape(char shape, const PtxType *type)
{
    char name[8];
    if (shape == 'w')
    {
        snprintf(name, sizeof(name), "%c%d", type->kind, 16 * type->size);
        return ptx_type(name);
    }
    return shape == 'u' ? ptx_type("u32") : shape == 'p' ? ptx_type("pred") : type;
}

static void call(const PtxInstruction *in, const char *function, const char *shape,
                 const PtxType *type, bool flushes, bool saturates)
{
    const char *arguments = "";
    const char *flush = flushes ? "::cudacpu::ptx::flush(" : "", *flush_end = flushes ? ")" : "";
    for (int i = 1; shape[i] != '\0'; ++i)
    {
        const char *value = ptx_get(in, i, type_of_shape(shape[i], type));
        const bool is_real = shape[i] == 't' && type->kind == 'f';
        arguments = ptx_format("%s%s%s%s%s", arguments, i > 1 ? ", " : "", is_real ? flush : "",
                               value, is_real ? flush_end : "");
    }
    if ((int)strlen(shape) != in->num_operands)
    {
        ptx_fail(" %s has %d operands, not %d", in->name, (int)strlen(shape), in->num_operands);
    }
    const PtxType *result = type_of_shape(shape[0], type);
    const char *value =
        ptx_format("%s%s::cudacpu::ptx::%s(%s)%s%s", saturates ? "::cudacpu::ptx::saturate(" : "",
                   flush, underlined(function), arguments, flush_end, saturates ? ")" : "");
    ptx_put(in, 0, result->size, value);
}

static bool is_rounding(const char *part)
{
    return is_in_list(part, "rn rz rm rp approx full");
}

// The approximations of a GPU are of these only; all else needs a rounding.
static bool rounds_as(const char *name, const char *rounding, const PtxType *type)
{
    const bool approximates = is_in_list(rounding, "approx full");
    if (is_in_list(name, "rsqrt sin cos ex2 lg2 tanh"))
    {
        return strcmp(rounding, "approx") == 0;
    }
    if (is_in_list(name, "div"))
    {
        return !approximates || type->size == 4;
    }
    if (is_in_list(name, "rcp sqrt"))
    {
        return !approximates ||
               (strcmp(rounding, "approx") == 0 && (type->size == 4 || strcmp(name, "rcp") == 0));
    }
    return !approximates;
}

static bool function(const PtxInstruction *in)
{
    const char *name = in->parts[0], *rounding = NULL;
    const char *type_name = in->parts[in->num_parts - 1];
    const PtxType *type = ptx_type(type_name);
    bool flushes = false, saturates = false;
    if (type == NULL)
    {
        return false;
    }
    const bool is_real = type->kind == 'f';
    for (int i = 1; i + 1 < in->num_parts; ++i)
    {
        const char *part = in->parts[i];
        if (is_real && is_rounding(part))
        {
            rounding = part;
        }
        else if (is_real && strcmp(part, "ftz") == 0)
        {
            flushes = true;
        }
        else if (is_real && strcmp(part, "sat") == 0)
        {
            saturates = true;
        }
        else
        {
            name = ptx_format("%s.%s", name, part);
        }
    }
    const Function *found = find(ROUNDED, sizeof(ROUNDED) / sizeof(ROUNDED[0]), name, type_name);
    if (found != NULL)
    {
        rounding = rounding != NULL ? rounding : "rn";
        if (!rounds_as(name, rounding, type))
        {
            return false;
        }
        call(in, ptx_format("%s_%s", name, rounding), found->shape, type, flushes, saturates);
        return true;
    }
    found = find(FUNCTIONS, sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]), name, type_name);
    if (found == NULL || rounding != NULL)
    {
        return false;
    }
    const bool bits = is_real && strcmp(name, "selp") != 0;
    const char *function_name = type->kind == 'p' ? ptx_format("%s_pred", name) : name;
    call(in,
         strcmp(name, "not") == 0 || strcmp(name, "and") == 0 || strcmp(name, "or") == 0 ||
                 strcmp(name, "xor") == 0
             ? ptx_format("bit_%s", function_name)
             : function_name,
         found->shape, type, flushes && bits, saturates);
    return true;
}

// ---- Moves ----

static bool pack(const PtxInstruction *in, const PtxType *type)
{
    const PtxOperand *list = &in->operands[1];
    const char *values = "";
    for (int i = 0; i < list->num_elements; ++i)
    {
        if (list->elements[i] == NULL || list->element_size[i] * list->num_elements != type->size)
        {
            ptx_fail(" %s: the elements do not fill %d bits", in->name, 8 * type->size);
        }
        values = ptx_format("%s%s%s", values, i > 0 ? ", " : "", list->elements[i]);
    }
    ptx_put(in, 0, type->size, ptx_format("::cudacpu::ptx::pack<%s>(%s)", type->bits, values));
    return true;
}

static bool unpack(const PtxInstruction *in, const PtxType *type)
{
    const PtxOperand *list = &in->operands[0];
    const int size = type->size / list->num_elements;
    ptx_say("const %s %spacked = %s; ", type->bits, in->prefix,
            ptx_get(in, 1, type->kind == 'f' ? ptx_type(type->size == 8 ? "b64" : "b32") : type));
    for (int i = 0; i < list->num_elements; ++i)
    {
        if (list->elements[i] != NULL && list->element_size[i] != size)
        {
            ptx_fail(" %s: the elements do not fill %d bits", in->name, 8 * type->size);
        }
        if (list->elements[i] != NULL)
        {
            ptx_say("%s = (decltype(%s))(%spacked >> %d); ", list->elements[i], list->elements[i],
                    in->prefix, 8 * size * i);
        }
    }
    return true;
}

static bool move(const PtxInstruction *in)
{
    const PtxType *type = ptx_type(in->parts[in->num_parts - 1]);
    if (type == NULL || in->num_parts != 2 || in->num_operands != 2)
    {
        return false;
    }
    if (in->operands[1].kind == PTX_VECTOR)
    {
        return pack(in, type);
    }
    if (in->operands[0].kind == PTX_VECTOR)
    {
        return unpack(in, type);
    }
    // A narrower register of special ones may be read as a wider number: %clock by mov.u64.
    if (in->operands[1].kind == PTX_VALUE && in->operands[1].size < type->size)
    {
        ptx_put(in, 0, type->size, ptx_format("(%s)%s", type->type, in->operands[1].text));
        return true;
    }
    ptx_put(in, 0, type->size, ptx_get(in, 1, type));
    return true;
}

// ---- Comparisons ----

// setp.lt.and.s32 p|q, a, b, c; and set.lt.u32.s32 d, a, b, which gives ones, or 1.0f.
static bool compare(const PtxInstruction *in, bool sets_predicate)
{
    static const char unsigned_names[] = "lo ls hi hs";
    static const char names[] = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
    const PtxType *type = ptx_type(in->parts[in->num_parts - 1]);
    const char *operation = in->num_parts > 2 ? in->parts[1] : "", *combine = "";
    const PtxType *given = NULL;
    bool flushes = false;
    for (int i = 2; i + 1 < in->num_parts; ++i)
    {
        const char *part = in->parts[i];
        if (is_in_list(part, "and or xor"))
        {
            combine = strcmp(part, "and") == 0 ? "&&" : strcmp(part, "or") == 0 ? "||" : "!=";
        }
        else if (strcmp(part, "ftz") == 0)
        {
            flushes = true;
        }
        else if (!sets_predicate && given == NULL && is_in_list(part, "u32 s32 f32"))
        {
            given = ptx_type(part);
        }
        else
        {
            return false;
        }
    }
    const bool of_real = is_in_list(operation, "equ neu ltu leu gtu geu num nan");
    if (type == NULL || type->kind == 'p' || !is_in_list(operation, names) ||
        (of_real && type->kind != 'f') || (!sets_predicate && given == NULL) ||
        (is_in_list(operation, unsigned_names) && type->kind == 'f'))
    {
        return false;
    }
    const char *function = is_in_list(operation, unsigned_names)
                               ? (operation[0] == 'l' ? (operation[1] == 'o' ? "lt" : "le")
                                                      : (operation[1] == 'i' ? "gt" : "ge"))
                               : operation;
    const char *flush = flushes ? "::cudacpu::ptx::flush" : "";
    ptx_say("const bool %scompared = ::cudacpu::ptx::is_%s(%s(%s), %s(%s)); ", in->prefix, function,
            flush, ptx_get(in, 1, type), flush, ptx_get(in, 2, type));
    if (*combine != '\0')
    {
        ptx_say("const bool %sthird = %s; ", in->prefix, ptx_predicate(in, 3));
    }
    const char *tail = *combine != '\0' ? ptx_format(" %s %sthird", combine, in->prefix) : "";
    const char *first = ptx_format("%scompared%s", in->prefix, tail);
    if (sets_predicate)
    {
        ptx_put(in, 0, PTX_PREDICATE, first);
        if (in->operands[0].second != NULL)
        {
            ptx_say("%s = !%scompared%s; ", in->operands[0].second, in->prefix, tail);
        }
        return true;
    }
    ptx_put(
        in, 0, 4,
        ptx_format(given->kind == 'f' ? "(%s) ? 1.0f : 0.0f" : "(%s) ? 0xffffffffu : 0u", first));
    return true;
}

// slct.u32.s32 d, a, b, c;
static bool select(const PtxInstruction *in)
{
    const int at = ptx_is_part(in, 1, "ftz") ? 2 : 1;
    const PtxType *type = at + 2 == in->num_parts ? ptx_type(in->parts[at]) : NULL;
    const PtxType *sign = ptx_type(in->parts[in->num_parts - 1]);
    if (type == NULL || sign == NULL || !is_in_list(in->parts[in->num_parts - 1], "s32 f32"))
    {
        return false;
    }
    ptx_put(in, 0, type->size,
            ptx_format("%s >= 0 ? %s : %s", ptx_get(in, 3, sign), ptx_get(in, 1, type),
                       ptx_get(in, 2, type)));
    return true;
}

// ---- Conversions ----

// cvt.rn.f32.s32 d, a;
static bool convert(const PtxInstruction *in)
{
    const PtxType *to = in->num_parts > 2 ? ptx_type(in->parts[in->num_parts - 2]) : NULL;
    const PtxType *from = ptx_type(in->parts[in->num_parts - 1]);
    const char *rounding = NULL;
    bool flushes = false, saturates = false;
    for (int i = 1; i + 2 < in->num_parts; ++i)
    {
        const bool rounds = is_in_list(in->parts[i], "rn rz rm rp rni rzi rmi rpi");
        rounding = rounds ? in->parts[i] : rounding;
        flushes = flushes || ptx_is_part(in, i, "ftz");
        saturates = saturates || ptx_is_part(in, i, "sat");
        if (!rounds && !ptx_is_part(in, i, "ftz") && !ptx_is_part(in, i, "sat"))
        {
            return false;
        }
    }
    if (to == NULL || from == NULL || strchr("bp", to->kind) != NULL ||
        strchr("bp", from->kind) != NULL)
    {
        return false;
    }
    const bool to_real = to->kind == 'f', from_real = from->kind == 'f';
    const bool to_integer = rounding != NULL && strlen(rounding) == 3;
    const char *value = ptx_get(in, 1, from);
    value = flushes && from_real && from->size == 4 ? ptx_format("::cudacpu::ptx::flush(%s)", value)
                                                    : value;
    if (!to_real && !from_real)
    {
        value = ptx_format(saturates ? "::cudacpu::ptx::clamp<%s>(%s)" : "(%s)%s", to->type, value);
    }
    else if (!to_real)
    {
        if (!to_integer)
        {
            return false;
        }
        value = ptx_format("::cudacpu::ptx::integer_%s<%s>(%s)", rounding, to->type, value);
    }
    else if (from_real && to->size >= from->size)
    {
        value = rounding != NULL && to_integer
                    ? ptx_format("::cudacpu::ptx::whole_%s(%s)", rounding, value)
                    : value;
        value = ptx_format("(%s)%s", to->type, value);
    }
    else
    {
        if (rounding == NULL || to_integer)
        {
            return false;
        }
        value = ptx_format("::cudacpu::ptx::real_%s<%s>(%s)", rounding, to->type, value);
    }
    if (to_real)
    {
        value = flushes && to->size == 4 ? ptx_format("::cudacpu::ptx::flush(%s)", value) : value;
        value = saturates ? ptx_format("::cudacpu::ptx::saturate(%s)", value) : value;
    }
    ptx_put(in, 0, to->size, value);
    return true;
}

// ---- Inner products of bytes ----

// dp4a.s32.u32 d, a, b, c; dp2a.lo.s32.s32 d, a, b, c;
static bool inner_product(const PtxInstruction *in)
{
    const PtxType *a = in->num_parts > 2 ? ptx_type(in->parts[in->num_parts - 2]) : NULL;
    const PtxType *b = ptx_type(in->parts[in->num_parts - 1]), *u32 = ptx_type("u32");
    const bool four = ptx_is_part(in, 0, "dp4a");
    if (a == NULL || b == NULL || in->num_parts != (four ? 3 : 4) || a->size != 4 || b->size != 4 ||
        (!four && !ptx_is_part(in, 1, "lo") && !ptx_is_part(in, 1, "hi")))
    {
        return false;
    }
    const char *of = a->kind == 's' ? "s" : "u", *by = b->kind == 's' ? "s" : "u";
    ptx_put(in, 0, 4,
            ptx_format("::cudacpu::ptx::%s%s<%s, %s>(%s, %s, %s)", in->parts[0],
                       four ? "" : ptx_format("_%s", in->parts[1]),
                       four ? ptx_type(ptx_format("%s8", of))->type
                            : ptx_type(ptx_format("%s16", of))->type,
                       ptx_type(ptx_format("%s8", by))->type, ptx_get(in, 1, u32),
                       ptx_get(in, 2, u32), ptx_get(in, 3, u32)));
    return true;
}

// prmt.b32 has modes after its type.
static bool permute(const PtxInstruction *in)
{
    const PtxType *u32 = ptx_type("u32");
    const char *mode = in->num_parts == 3 ? in->parts[2] : "";
    if (!ptx_is_part(in, 1, "b32") || !is_in_list(mode, "f4e b4e rc8 ecl ecr rc16"))
    {
        return false;
    }
    ptx_put(in, 0, 4,
            ptx_format("::cudacpu::ptx::prmt_%s(%s, %s, %s)", mode, ptx_get(in, 1, u32),
                       ptx_get(in, 2, u32), ptx_get(in, 3, u32)));
    return true;
}

bool ptx_arithmetic(const PtxInstruction *in)
{
    static const struct
    {
        const char *name;
        bool (*write)(const PtxInstruction *in);
    } instructions[] = {{"mov", move},
                        {"slct", select},
                        {"cvt", convert},
                        {"dp4a", inner_product},
                        {"dp2a", inner_product}};
    for (size_t i = 0; i < sizeof(instructions) / sizeof(instructions[0]); ++i)
    {
        if (ptx_is_part(in, 0, instructions[i].name))
        {
            return instructions[i].write(in);
        }
    }
    if (ptx_is_part(in, 0, "setp") || ptx_is_part(in, 0, "set"))
    {
        return compare(in, ptx_is_part(in, 0, "setp"));
    }
    return ptx_is_part(in, 0, "prmt") && in->num_parts == 3 ? permute(in) : function(in);
}
