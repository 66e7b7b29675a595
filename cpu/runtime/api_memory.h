// What other calls need of those that allocate.
#ifndef CUDACPU_API_MEMORY_H
#define CUDACPU_API_MEMORY_H
#include "memory.h"

cudaError_t api_allocate(int device, void **pointer, size_t bytes, Kind kind, unsigned int flags);
bool api_lists_leaks(void);
void api_await_users(const void *pointer);

#endif
