// malloc, free and new in device code, which are for the heap of the kernels. A file that has new or
// delete there gets a delete that finds out whose memory it is given.
#include "rewriter.h"

static bool has_delete;

static bool is_call(int i)
{
    const bool is_declared =
        is_name(i - 1) && !is(i - 1, "return") && !is(i - 1, "else") && !is(i - 1, "do");
    return is(i + 1, "(") && !is_declared && !is(i - 1, ".") && !is(i - 1, "->") &&
           (!is(i - 1, "::") || is(i - 2, "std") || !is_name(i - 2));
}

static void call_ours(int i, const char *name)
{
    replace(i, name);
    if (is(i - 1, "::"))
    {
        replace(i - 1, "");
        if (is(i - 2, "std"))
        {
            replace(i - 2, "");
        }
    }
}

void rewrite_heap(int i)
{
    if (tokens[i].system)
    {
        return;
    }
    if (is(i, "malloc") && is_call(i))
    {
        call_ours(i, "::cudacpu::kernel_malloc");
    }
    else if (is(i, "free") && is_call(i))
    {
        call_ours(i, "::cudacpu::kernel_free");
    }
    has_delete = has_delete || (is(i, "delete") && !is(i - 1, "operator") && !is(i - 1, "="));
    if (is(i, "new") && !is(i - 1, "operator") && !is(i + 1, "("))
    {
        put_after(i, " (::cudacpu::kernel_heap())");
        has_delete = true;
    }
}

void tell_of_delete(void)
{
    static const char *const forms[] = {"delete(void *p)", "delete[](void *p)",
                                        "delete(void *p, decltype(sizeof(0)))",
                                        "delete[](void *p, decltype(sizeof(0)))", NULL};
    for (const char *const *form = forms; has_delete && *form != NULL; ++form)
    {
        put_after(num_tokens - 1,
                  join(join(" __attribute__((weak)) void operator ", *form),
                       " noexcept { ::cudacpu_kernel_delete(p, __builtin_return_address(0)); }"));
    }
}
