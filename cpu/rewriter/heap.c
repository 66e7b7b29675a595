// malloc, free and new in device code, which are for the heap of the kernels. (delete finds out by
// itself whose memory it gets: runtime/heap_delete.c.)
#include "rewriter.h"

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
    else if (is(i, "new") && !is(i - 1, "operator") && !is(i + 1, "("))
    {
        put_after(i, " (::cudacpu::kernel_heap())");
    }
}
