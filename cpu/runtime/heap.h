// The memory of malloc, free, new and delete in kernels.
#ifndef CUDACPU_HEAP_H
#define CUDACPU_HEAP_H
#include "base.h"

extern bool heap_is_used; // by some kernel, so that heap_overwritten has something to look at

bool heap_set_limit(int device, size_t bytes);
bool heap_overwritten(int device, char *text, size_t size);
void heap_reset(int device);
void cudacpu_kernel_delete(void *pointer, void *from);
void cudacpu_kernel_free(void *pointer, const char *file, int line);
void *cudacpu_kernel_malloc(size_t bytes, const char *file, int line);

#endif
