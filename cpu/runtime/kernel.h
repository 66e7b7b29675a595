// The kernels that the program has asked for.
#ifndef CUDACPU_KERNEL_H
#define CUDACPU_KERNEL_H
#include "base.h"

typedef struct Kernel
{
    const void *function; // NULL until the program has asked for it
    const char *name;
    void (*run)(const void *);
    void (*call)(const void *function, void **arguments);
    atomic_size_t shared_limit; // of dynamic shared memory
    unsigned bounds;            // of __launch_bounds__; 0: none
    int carveout;
    struct Kernel *_Atomic next;
} Kernel;

Kernel *kernel_of(const void *function);
bool kernel_probed(const char *name, void (*run)(const void *), void (*call)(const void *, void **),
                   unsigned bounds);
const void *kernel_at(const void *place);
size_t kernel_shared_limit(void (*run)(const void *));
void kernel_reset(void);

#endif
