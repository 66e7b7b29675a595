// Volatile writes of what the thread has just read.
#ifndef CUDACPU_VOLATILE_H
#define CUDACPU_VOLATILE_H
#include "shadow.h"

void volatile_note_read(unsigned thread, const void *address, uint32_t site);
uint32_t volatile_note_write(unsigned thread, const void *address, uint32_t site);

#endif
