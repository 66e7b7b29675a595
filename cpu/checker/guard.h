// Plain reads that decide whether the same thread's atomicMin, atomicMax or atomicCAS follows.
#ifndef CUDACPU_GUARD_H
#define CUDACPU_GUARD_H
#include "word.h"

// Whether the threads' reads are remembered: from the first atomic that compares on.
extern bool guard_wanted;

void guard_note_read(Who who, uint32_t site);
void guard_note_comparing(Who who, uint32_t atomic_site);

#endif
