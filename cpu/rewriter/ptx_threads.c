// Inline PTX: what the threads of a warp or a block do together, and what ends or delays a thread.
#include "ptx.h"
#include <string.h>

static const PtxType *last_type(const PtxInstruction *in)
{
    return ptx_type(in->parts[in->num_parts - 1]);
}

// shfl.sync.up.b32 d|p, a, b, c, mask;
static bool shuffle(const PtxInstruction *in)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
    const PtxType *u32 = ptx_type("u32");
    bool known = false;
    for (const char *const *mode = modes; *mode != NULL; ++mode)
    {
        known = known || ptx_is_part(in, 2, *mode);
    }
    if (!ptx_is_part(in, 1, "sync") || !known || !ptx_is_part(in, 3, "b32") || in->num_parts != 4)
    {
        return false;
    }
    ptx_say("bool %sinside = false; ", in->prefix);
    ptx_put(in, 0, 4,
            ptx_format("::cudacpu::ptx::shuffle_%s(%s, %s, %s, %s, &%sinside)", in->parts[2],
                       ptx_get(in, 1, u32), ptx_get(in, 2, u32), ptx_get(in, 3, u32),
                       ptx_get(in, 4, u32), in->prefix));
    if (in->operands[0].second != NULL)
    {
        ptx_say("%s = %sinside; ", in->operands[0].second, in->prefix);
    }
    return true;
}

// vote.sync.any.pred p, q, mask;
static bool vote(const PtxInstruction *in)
{
    static const char *const kinds[] = {"all", "any", "uni", "ballot", NULL};
    for (const char *const *kind = kinds; *kind != NULL && in->num_parts == 4; ++kind)
    {
        if (ptx_is_part(in, 1, "sync") && ptx_is_part(in, 2, *kind))
        {
            const bool ballot = strcmp(*kind, "ballot") == 0;
            const char *call = ptx_format("__%s_sync(%s, %s)", *kind,
                                          ptx_get(in, 2, ptx_type("u32")), ptx_predicate(in, 1));
            ptx_put(in, 0, ballot ? 4 : PTX_PREDICATE, ballot ? call : ptx_format("%s != 0", call));
            return last_type(in) != NULL;
        }
    }
    return false;
}

// match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask;
static bool match(const PtxInstruction *in)
{
    const PtxType *type = last_type(in);
    const bool all = ptx_is_part(in, 1, "all");
    if (type == NULL || !ptx_is_part(in, 2, "sync") || in->num_parts != 4 ||
        (!all && !ptx_is_part(in, 1, "any")))
    {
        return false;
    }
    const char *mask = ptx_get(in, 2, ptx_type("u32")), *value = ptx_get(in, 1, type);
    if (!all)
    {
        ptx_put(in, 0, 4, ptx_format("__match_any_sync(%s, %s)", mask, value));
        return true;
    }
    ptx_say("int %sall = 0; ", in->prefix);
    ptx_put(in, 0, 4, ptx_format("__match_all_sync(%s, %s, &%sall)", mask, value, in->prefix));
    if (in->operands[0].second != NULL)
    {
        ptx_say("%s = %sall != 0; ", in->operands[0].second, in->prefix);
    }
    return true;
}

// redux.sync.add.s32 d, a, mask;
static bool reduce(const PtxInstruction *in)
{
    static const char *const operations[] = {"add", "min", "max", "and", "or", "xor", NULL};
    const PtxType *type = last_type(in);
    for (const char *const *op = operations; *op != NULL; ++op)
    {
        if (type != NULL && type->size == 4 && type->kind != 'f' && ptx_is_part(in, 1, "sync") &&
            ptx_is_part(in, 2, *op) && in->num_parts == 4)
        {
            ptx_put(in, 0, 4,
                    ptx_format("__reduce_%s_sync(%s, %s)", *op, ptx_get(in, 2, ptx_type("u32")),
                               ptx_get(in, 1, type)));
            return true;
        }
    }
    return false;
}

// bar.sync 0; bar.sync 0, 256; bar.red.popc.u32 d, 0, p; bar.warp.sync mask; and barrier for bar.
static bool barrier(const PtxInstruction *in)
{
    const PtxType *u32 = ptx_type("u32");
    const int at = ptx_is_part(in, 1, "cta") ? 2 : 1;
    const int last =
        ptx_is_part(in, in->num_parts - 1, "aligned") ? in->num_parts - 1 : in->num_parts;
    if (ptx_is_part(in, at, "warp") && ptx_is_part(in, at + 1, "sync") && last == at + 2)
    {
        ptx_say("__syncwarp(%s); ", ptx_get(in, 0, u32));
        return true;
    }
    if (ptx_is_part(in, at, "sync") && last == at + 1)
    {
        ptx_say("::cudacpu::ptx::whole_block(%s); (void)(%s); __syncthreads(); ",
                in->num_operands > 1 ? ptx_get(in, 1, u32) : "0u", ptx_get(in, 0, u32));
        return true;
    }
    const bool counts = ptx_is_part(in, at + 1, "popc");
    if (ptx_is_part(in, at, "red") && in->num_operands > 2 &&
        (counts || ptx_is_part(in, at + 1, "and") || ptx_is_part(in, at + 1, "or")))
    {
        const int condition = in->num_operands - 1;
        const char *call = ptx_format("__syncthreads_%s(%s)", counts ? "count" : in->parts[at + 1],
                                      ptx_predicate(in, condition));
        ptx_say("::cudacpu::ptx::whole_block(%s); ",
                in->num_operands > 3 ? ptx_get(in, 2, u32) : "0u");
        ptx_put(in, 0, counts ? 4 : PTX_PREDICATE, counts ? call : ptx_format("%s != 0", call));
        return true;
    }
    return false;
}

bool ptx_threads(const PtxInstruction *in)
{
    static const struct
    {
        const char *name;
        bool (*write)(const PtxInstruction *in);
    } instructions[] = {{"shfl", shuffle}, {"vote", vote},   {"match", match},
                        {"redux", reduce}, {"bar", barrier}, {"barrier", barrier}};
    const char *name = in->parts[0];
    for (size_t i = 0; i < sizeof(instructions) / sizeof(instructions[0]); ++i)
    {
        if (strcmp(name, instructions[i].name) == 0)
        {
            return instructions[i].write(in);
        }
    }
    if (strcmp(name, "activemask") == 0)
    {
        ptx_put(in, 0, 4, "__activemask()");
        return true;
    }
    if (strcmp(name, "elect") == 0 && ptx_is_part(in, 1, "sync"))
    {
        ptx_say("const unsigned int %sleader = __ffs((int)__ballot_sync(%s, 1)) - 1; ", in->prefix,
                ptx_get(in, 1, ptx_type("u32")));
        ptx_put(in, 0, 4, ptx_format("%sleader", in->prefix));
        if (in->operands[0].second != NULL)
        {
            ptx_say("%s = %sleader == ::cudacpu::lane(); ", in->operands[0].second, in->prefix);
        }
        return true;
    }
    if (strcmp(name, "nanosleep") == 0)
    {
        ptx_say("__nanosleep(%s); ", ptx_get(in, 0, ptx_type("u32")));
        return true;
    }
    if (strcmp(name, "trap") == 0)
    {
        ptx_say("::cudacpu::ptx::trap(); ");
        return true;
    }
    if (strcmp(name, "exit") == 0)
    {
        ptx_say("cudacpu_exit(); ");
        return true;
    }
    return strcmp(name, "brkpt") == 0;
}
