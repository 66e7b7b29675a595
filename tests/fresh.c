// For make plant: fresh memory of malloc is full of bytes 0xff, which are NaN in float and in double.
// A program that forgets to fill an array then computes with NaN. (glibc's own MALLOC_PERTURB_ has
// every byte but this one.) Loaded by LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

void *malloc(size_t bytes)
{
    static void *(*next)(size_t);
    if (next == NULL)
    {
#ifdef __x86_64__
        next =
            (void *(*)(size_t))dlvsym(RTLD_NEXT, "malloc", "GLIBC_2.2.5"); // of the heap's checks
#else
        next = (void *(*)(size_t))dlvsym(RTLD_NEXT, "malloc", "GLIBC_2.17");
#endif
    }
    void *memory = next(bytes);
    if (memory != NULL)
    {
        memset(memory, 0xff, bytes);
    }
    return memory;
}
