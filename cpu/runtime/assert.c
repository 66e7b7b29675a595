// assert() in kernels.
#include "worker.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"

// The compiler calls a kernel's body "kernel(int)::<lambda()>" (g++), or "auto kernel(int)::
// (anonymous class)::operator()()" (clang++). nvcc says "void kernel(int)".
static void kernel_signature(const char *function, char *text, size_t size)
{
    const char *end = strstr(function, "::<lambda");
    end = end != NULL ? end : strstr(function, "::(anonymous class)");
    end = end != NULL ? end : strstr(function, "::(lambda");
    if (end == NULL)
    {
        snprintf(text, size, "%s", function);
        return;
    }
    const char *start = strncmp(function, "auto ", 5) == 0 ? function + 5 : function;
    snprintf(text, size, "%s%.*s", strncmp(start, "void ", 5) == 0 ? "" : "void ",
             (int)(end - start), start);
}

// assert() calls this function when it fails, in kernels and in host code.
void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function)
{
    Worker *worker = worker_if_any();
    if (worker != NULL && worker->in_kernel)
    {
        const dim3 g = worker->launch->grid;
        const uint3 t = worker->index_of[worker->current];
        const uint64_t b = worker->block;
        char text[512];
        kernel_signature(function, text, sizeof(text));
        fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                file, line, text, (unsigned)(b % g.x), (unsigned)(b / g.x % g.y),
                (unsigned)(b / g.x / g.y), t.x, t.y, t.z, condition);
        count_error(file, (int)line);
        worker_abandon(worker, cudaErrorAssert);
    }
    void (*library_fail)(const char *, const char *, unsigned int, const char *);
    *(void **)&library_fail = dlsym(RTLD_NEXT, "__assert_fail");
    if (library_fail != NULL)
    {
        library_fail(condition, file, line, function);
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    abort();
}
