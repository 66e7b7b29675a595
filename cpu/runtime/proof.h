// The proof that kernels will never end: nothing changes any more.
#ifndef CUDACPU_PROOF_H
#define CUDACPU_PROOF_H
#include "worker.h"

typedef struct Range
{
    uintptr_t start, end;
} Range;

uint64_t proof_mix(uint64_t hash, const void *data, size_t bytes);
uint64_t proof_memory(Worker *const *workers, int num_workers, Range own_stack);
void proof_note(Worker *worker);
void proof_compare_waiting(Worker *worker);
bool proof_holds(const Worker *worker);

#endif
