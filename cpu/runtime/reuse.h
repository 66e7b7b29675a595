// CUDACPU_REUSE=1: memory that was freed is handed out again, with what it holds.
#ifndef CUDACPU_REUSE_H
#define CUDACPU_REUSE_H
#include "memory.h"

bool reuse_is_on(void);
void reuse_keep(Allocation *all, size_t count, Allocation *freed, Kind kind);
Allocation *reuse_find(Allocation *all, size_t count, int device, size_t bytes, Kind kind);
void reuse_forget(Allocation *freed);

#endif
