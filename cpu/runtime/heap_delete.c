// new and delete in kernels. A program that uses new there gets these functions: delete may be given
// memory of either kind, and must know which.
#include "heap.h"
#include "worker.h"

CALLED_BY_KERNELS void *cudacpu_kernel_new(size_t bytes, const char *file, int line)
{
    return cudacpu_kernel_malloc(bytes, file, line);
}

// As C++ names them: operator delete and delete[], without and with the size.
#define DELETE(name, ...)                                                 \
    CALLED_BY_KERNELS __attribute__((weak)) void name(__VA_ARGS__);       \
    void name(__VA_ARGS__)                                                \
    {                                                                     \
        heap_free_from(pointer, (char *)__builtin_return_address(0) - 1); \
    }
DELETE(_ZdlPv, void *pointer)
DELETE(_ZdaPv, void *pointer)
DELETE(_ZdlPvm, void *pointer, size_t bytes __attribute__((unused)))
DELETE(_ZdaPvm, void *pointer, size_t bytes __attribute__((unused)))
