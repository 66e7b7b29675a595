// Which kernel a function is.
//
// A kernel is a host function that passes its body to cudacpu_launch (cuda_runtime.h). The program
// knows the address of the function; a launch needs `run`, the body. To find `run`, this file calls
// the function, if it is in the table of kernels, with meaningless arguments while `probe` is set.
// cudacpu_launch then launches nothing and passes `run` to kernel_probed, with `call`, which calls
// the kernel with arguments of its types.
#include "kernel.h"
#include <pthread.h>
#include <stdlib.h>
#include <unwind.h>

// The addresses of the program's kernels: see rewrite_global. Where a function begins with a landing
// place for jumps (endbr64, bti), the nop stands behind it.
extern const char *const __start___patchable_function_entries[] __attribute__((weak));
extern const char *const __stop___patchable_function_entries[] __attribute__((weak));

static bool is_kernel(const char *function)
{
    for (const char *const *at = __start___patchable_function_entries;
         at < __stop___patchable_function_entries; ++at)
    {
        if (*at == function || *at == function + 4)
        {
            return true;
        }
    }
    return false;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Kernel *_Atomic kernels; // never shrinks, so that launches may read it without the lock
static THREAD_LOCAL Kernel *probe;

// Enough for all parameters a kernel can have. The registers hold pointers to zeros, since objects
// that cannot be copied bytewise are passed by address.
typedef struct Parameters
{
    const void *words[512];
} Parameters;

typedef void Function(const void *, const void *, const void *, const void *, const void *,
                      const void *, const void *, const void *, Parameters);

bool kernel_probed(const char *name, void (*run)(const void *), void (*call)(const void *, void **),
                   unsigned bounds)
{
    if (probe == NULL)
    {
        return false;
    }
    probe->name = name;
    probe->run = run;
    probe->call = call;
    probe->bounds = bounds;
    return true;
}

static Kernel *find_function(const void *function)
{
    Kernel *k = kernels;
    while (k != NULL && k->function != function)
    {
        k = k->next;
    }
    return k;
}

// The kernel that a function is, or NULL.
Kernel *kernel_of(const void *function)
{
    static const char zeros[4096] __attribute__((aligned(4096)));
    if (!is_kernel(function))
    {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    Kernel *k = find_function(function);
    if (k == NULL && (k = calloc(1, sizeof(*k))) != NULL)
    {
        Parameters rest;
        for (size_t i = 0; i < sizeof(rest.words) / sizeof(*rest.words); ++i)
        {
            rest.words[i] = zeros;
        }
        probe = k;
        ((Function *)function)(zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros, rest);
        probe = NULL;
        k->function = function;
        k->shared_limit = STATIC_SHARED_LIMIT;
        k->carveout = -1;
        k->next = kernels;
        kernels = k;
    }
    pthread_mutex_unlock(&lock);
    return k != NULL && k->run != NULL ? k : NULL;
}

// The function that a place in its code belongs to, which may be a kernel.
const void *kernel_at(const void *place)
{
    const char *function = _Unwind_FindEnclosingFunction((char *)place - 1); // the call ended there
    // On AArch64 what is known of the function begins behind the nop.
    return is_kernel(function) || !is_kernel(function - 4) ? function : function - 4;
}

size_t kernel_shared_limit(void (*run)(const void *))
{
    for (Kernel *k = kernels; k != NULL; k = k->next)
    {
        if (k->run == run)
        {
            return k->shared_limit;
        }
    }
    return STATIC_SHARED_LIMIT;
}

void kernel_reset(void)
{
    for (Kernel *k = kernels; k != NULL; k = k->next)
    {
        k->shared_limit = STATIC_SHARED_LIMIT;
        k->carveout = -1;
    }
}
