// Which blocks of a launch a block has met at atomic or volatile words. That orders nothing by itself; a
// finding says so.
#ifndef CUDACPU_MEET_H
#define CUDACPU_MEET_H
#include "shadow.h"

void meet_note(uint32_t sequence, uint32_t launch, const void *address, uint32_t what);
bool meet_has_met(uint32_t before, uint32_t now);

#endif
