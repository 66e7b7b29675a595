// Inline PTX: loads, stores, atomics, fences, addresses, asynchronous copies.
#include "ptx.h"
#include <string.h>

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_one_of(const char *part, const char *const *list)
{
    while (*list != NULL && strcmp(part, *list) != 0)
    {
        ++list;
    }
    return *list != NULL;
}

static bool is_space(const char *part)
{
    static const char *const spaces[] = {"global", "shared", "shared::cta", "local", "const", NULL};
    return is_one_of(part, spaces);
}

static bool is_scope(const char *part)
{
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys", "gl", NULL};
    return is_one_of(part, scopes);
}

// How the caches may handle it, which a CPU does not take.
static bool is_hint(const char *part)
{
    static const char *const hints[] = {"ca", "cg", "cs", "cv",   "lu",
                                        "nc", "wb", "wt", "weak", NULL};
    return is_one_of(part, hints) || begins(part, "L1::") || begins(part, "L2::");
}

static bool is_shared(const PtxInstruction *in)
{
    return ptx_has(in, "shared") || ptx_has(in, "shared::cta");
}

static const char *fence_of(const PtxInstruction *in)
{
    return ptx_has(in, "cta")   ? "__threadfence_block()"
           : ptx_has(in, "sys") ? "__threadfence_system()"
                                : "__threadfence()";
}

// The address as a pointer to the type.
static const char *pointer(const PtxInstruction *in, int operand, const char *type, bool shared)
{
    const PtxOperand *address = &in->operands[operand];
    if (operand >= in->num_operands || address->kind != PTX_ADDRESS)
    {
        ptx_fail(" %s: operand %d is no address", in->name, operand + 1);
    }
    if (!shared && address->size != 8 && address->size != PTX_ANY)
    {
        ptx_fail(" %s: the address has %d bits", in->name, 8 * address->size);
    }
    return ptx_format("::cudacpu::ptx::%s<%s>(%s, %s)", shared ? "shared" : "global", type,
                      address->text, address->offset);
}

// ---- Loads and stores ----

typedef struct Access
{
    const PtxType *type;
    int elements;
    bool shared, is_volatile, acquires, releases;
} Access;

static bool read_access(const PtxInstruction *in, Access *access)
{
    *access = (Access){.elements = 1, .shared = is_shared(in)};
    for (int i = 1; i < in->num_parts; ++i)
    {
        const char *part = in->parts[i];
        if (strcmp(part, "volatile") == 0 || strcmp(part, "relaxed") == 0)
        {
            access->is_volatile = true;
        }
        else if (strcmp(part, "acquire") == 0)
        {
            access->is_volatile = access->acquires = true;
        }
        else if (strcmp(part, "release") == 0)
        {
            access->is_volatile = access->releases = true;
        }
        else if (strcmp(part, "v2") == 0 || strcmp(part, "v4") == 0)
        {
            access->elements = part[1] - '0';
        }
        else if (i + 1 == in->num_parts)
        {
            access->type = ptx_type(part);
        }
        else if (!is_space(part) && !is_scope(part) && !is_hint(part))
        {
            return false;
        }
    }
    return access->type != NULL && access->type->kind != 'p';
}

static void check_elements(const PtxInstruction *in, int operand, const Access *access)
{
    const PtxOperand *list = &in->operands[operand];
    if (operand >= in->num_operands || list->kind != PTX_VECTOR ||
        list->num_elements != access->elements)
    {
        ptx_fail(" %s: operand %d is no list of %d registers", in->name, operand + 1,
                 access->elements);
    }
    for (int i = 0; i < list->num_elements; ++i)
    {
        const int size = list->element_size[i];
        if (list->elements[i] != NULL && size != PTX_ANY && size < access->type->size)
        {
            ptx_fail(" %s: element %d has %d bits", in->name, i + 1, 8 * size);
        }
    }
}

static bool load(const PtxInstruction *in)
{
    Access access;
    if (!read_access(in, &access) || access.releases)
    {
        return false;
    }
    const char *kind = access.is_volatile ? "load_volatile" : "load";
    const char *from = pointer(in, 1, ptx_format("const %s", access.type->type), access.shared);
    if (access.elements == 1)
    {
        ptx_put(in, 0, access.type->size, ptx_format("::cudacpu::ptx::%s(%s)", kind, from));
    }
    else
    {
        check_elements(in, 0, &access);
        ptx_say("const auto %sloaded = ::cudacpu::ptx::%s_vector<%d>(%s); ", in->prefix, kind,
                access.elements, from);
        for (int i = 0; i < access.elements; ++i)
        {
            if (in->operands[0].elements[i] != NULL)
            {
                ptx_say("::cudacpu::ptx::put(%s, %sloaded.x[%d]); ", in->operands[0].elements[i],
                        in->prefix, i);
            }
        }
    }
    if (access.acquires)
    {
        ptx_say("%s; ", fence_of(in));
    }
    return true;
}

static bool store(const PtxInstruction *in)
{
    Access access;
    if (!read_access(in, &access) || access.acquires)
    {
        return false;
    }
    if (access.releases)
    {
        ptx_say("%s; ", fence_of(in));
    }
    const char *kind = access.is_volatile ? "store_volatile" : "store";
    const char *to = pointer(in, 0, access.type->type, access.shared);
    if (access.elements == 1)
    {
        ptx_say("::cudacpu::ptx::%s(%s, %s); ", kind, to, ptx_get(in, 1, access.type));
        return true;
    }
    check_elements(in, 1, &access);
    const char *values = "";
    for (int i = 0; i < access.elements; ++i)
    {
        const char *element = in->operands[1].elements[i];
        values = ptx_format("%s%s::cudacpu::ptx::get<%s>(%s)", values, i > 0 ? ", " : "",
                            access.type->type, element != NULL ? element : "0u");
    }
    ptx_say("::cudacpu::ptx::%s_vector<%d>(%s, {{%s}}); ", kind, access.elements, to, values);
    return true;
}

// ---- Atomics ----

// atom.global.add.u32 d, [a], b; and red without d.
static bool atomic(const PtxInstruction *in, bool gives)
{
    static const struct
    {
        const char *operation, *function, *types;
    } functions[] = {
        {"add", "atomicAdd", "u32 s32 u64 s64 f32 f64"},
        {"min", "atomicMin", "u32 s32 u64 s64"},
        {"max", "atomicMax", "u32 s32 u64 s64"},
        {"exch", "atomicExch", "b32 b64"},
        {"cas", "atomicCAS", "b16 b32 b64"},
        {"and", "atomicAnd", "b32 b64"},
        {"or", "atomicOr", "b32 b64"},
        {"xor", "atomicXor", "b32 b64"},
        {"inc", "atomicInc", "u32"},
        {"dec", "atomicDec", "u32"},
    };
    const char *function = NULL, *types = "";
    bool acquires = false, releases = false;
    for (int i = 1; i + 1 < in->num_parts; ++i)
    {
        const char *part = in->parts[i];
        bool known = is_space(part) || is_scope(part) || strcmp(part, "relaxed") == 0;
        for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); ++f)
        {
            if (strcmp(part, functions[f].operation) == 0)
            {
                function = functions[f].function;
                types = functions[f].types;
                known = true;
            }
        }
        const bool both = strcmp(part, "acq_rel") == 0;
        acquires = acquires || both || strcmp(part, "acquire") == 0;
        releases = releases || both || strcmp(part, "release") == 0;
        if (!known && !both && strcmp(part, "acquire") != 0 && strcmp(part, "release") != 0)
        {
            return false;
        }
    }
    const char *name = in->parts[in->num_parts - 1];
    const PtxType *type = ptx_type(name);
    if (function == NULL || type == NULL || strstr(types, name) == NULL)
    {
        return false;
    }
    const bool adds_signed = strcmp(name, "s64") == 0 && strcmp(function, "atomicAdd") == 0;
    const PtxType *used = adds_signed ? ptx_type("u64") : type;
    const char *scope = ptx_has(in, "cta") ? "_block" : ptx_has(in, "sys") ? "_system" : "";
    const char *second =
        strcmp(function, "atomicCAS") == 0 ? ptx_format(", %s", ptx_get(in, gives + 2, used)) : "";
    const char *call =
        ptx_format("%s%s(%s, %s%s)", function, scope, pointer(in, gives, used->type, is_shared(in)),
                   ptx_get(in, gives + 1, used), second);
    if (releases)
    {
        ptx_say("%s; ", fence_of(in));
    }
    if (gives)
    {
        ptx_put(in, 0, type->size, call);
    }
    else
    {
        ptx_say("%s; ", call);
    }
    if (acquires)
    {
        ptx_say("%s; ", fence_of(in));
    }
    return true;
}

// ---- Fences ----

// membar.gl, fence.acq_rel.gpu
static bool fence(const PtxInstruction *in)
{
    bool scope = false;
    for (int i = 1; i < in->num_parts; ++i)
    {
        scope = scope || is_scope(in->parts[i]);
        if (!is_scope(in->parts[i]) && !ptx_is_part(in, i, "sc") && !ptx_is_part(in, i, "acq_rel"))
        {
            return false;
        }
    }
    ptx_say("%s; ", fence_of(in));
    return scope;
}

// ---- Addresses ----

// cvta.to.shared.u64 d, a; and cvta.shared.u64 d, a;
static bool convert_address(const PtxInstruction *in)
{
    const bool to = ptx_is_part(in, 1, "to");
    const char *type_name = in->parts[in->num_parts - 1];
    if (in->num_parts != 3 + to || !is_space(in->parts[1 + to]) ||
        (strcmp(type_name, "u64") != 0 && strcmp(type_name, "u32") != 0))
    {
        return false;
    }
    const PtxType *type = ptx_type(type_name), *wide = ptx_type("u64");
    const char *value = ptx_get(in, 1, type);
    if (is_shared(in))
    {
        value = to ? ptx_format("__cvta_generic_to_shared((const void *)%s)", ptx_get(in, 1, wide))
                   : ptx_format("::cudacpu::ptx::bits_of(__cvta_shared_to_generic(%s))", value);
    }
    ptx_put(in, 0, type->size, ptx_format("(%s)%s", type->type, value));
    return true;
}

// isspacep.shared p, a;
static bool test_address(const PtxInstruction *in)
{
    static const struct
    {
        const char *space, *function;
    } functions[] = {{"global", "__isGlobal"},
                     {"shared", "__isShared"},
                     {"shared::cta", "__isShared"},
                     {"local", "__isLocal"},
                     {"const", "__isConstant"}};
    for (size_t i = 0; in->num_parts == 2 && i < sizeof(functions) / sizeof(functions[0]); ++i)
    {
        if (ptx_is_part(in, 1, functions[i].space))
        {
            ptx_put(in, 0, PTX_PREDICATE,
                    ptx_format("%s((const void *)%s) != 0", functions[i].function,
                               ptx_get(in, 1, ptx_type("u64"))));
            return true;
        }
    }
    return false;
}

// ---- Asynchronous copies ----

static bool copy_async(const PtxInstruction *in)
{
    const PtxType *u32 = ptx_type("u32");
    if (ptx_is_part(in, 2, "commit_group"))
    {
        ptx_say("__pipeline_commit(); ");
        return in->num_parts == 3;
    }
    if (ptx_is_part(in, 2, "wait_all"))
    {
        ptx_say("__pipeline_commit(); __pipeline_wait_prior(0); ");
        return in->num_parts == 3;
    }
    if (ptx_is_part(in, 2, "wait_group"))
    {
        ptx_say("__pipeline_wait_prior(%s); ", ptx_get(in, 0, u32));
        return in->num_parts == 3;
    }
    bool hinted = false;
    for (int i = 2; i < in->num_parts; ++i)
    {
        if (!is_hint(in->parts[i]) && !is_space(in->parts[i]))
        {
            return false;
        }
        hinted = hinted || ptx_is_part(in, i, "L2::cache_hint");
    }
    if ((!ptx_is_part(in, 2, "ca") && !ptx_is_part(in, 2, "cg")) || !is_shared(in) ||
        !ptx_has(in, "global") || in->num_operands < 3)
    {
        return false;
    }
    const char *bytes = ptx_get(in, 2, u32);
    const bool partly = in->num_operands - hinted > 3;
    ptx_say("::cudacpu::ptx::copy_async(%s, %s, %s, %s); ", pointer(in, 0, "char", true),
            pointer(in, 1, "const char", false), bytes, partly ? ptx_get(in, 3, u32) : bytes);
    return true;
}

bool ptx_memory(const PtxInstruction *in)
{
    const char *name = in->parts[0];
    if (strcmp(name, "ld") == 0 || strcmp(name, "ldu") == 0)
    {
        return load(in);
    }
    if (strcmp(name, "st") == 0)
    {
        return store(in);
    }
    if (strcmp(name, "atom") == 0 || strcmp(name, "red") == 0)
    {
        return !ptx_is_part(in, 1, "async") && atomic(in, name[0] == 'a');
    }
    if (strcmp(name, "membar") == 0 || strcmp(name, "fence") == 0)
    {
        return fence(in);
    }
    if (strcmp(name, "cvta") == 0)
    {
        return convert_address(in);
    }
    if (strcmp(name, "isspacep") == 0)
    {
        return test_address(in);
    }
    if (strcmp(name, "cp") == 0 && ptx_is_part(in, 1, "async"))
    {
        return copy_async(in);
    }
    if (strcmp(name, "createpolicy") == 0) // for a hint
    {
        ptx_put(in, 0, 8, "0ull");
        return true;
    }
    return strcmp(name, "prefetch") == 0 || strcmp(name, "prefetchu") == 0;
}
