// One access of the program's.
#ifndef CUDACPU_ACCESS_H
#define CUDACPU_ACCESS_H
#include "shadow.h"

void access_note(const void *address, size_t bytes, uint32_t what, const void *pc);
void access_bulk(const void *address, size_t bytes, uint32_t what, uint32_t site);
void access_note_copied(const void *address, size_t bytes, uint32_t what, const void *pc);
bool access_is_first(const void *address, size_t bytes);
void access_note_first(const void *address, size_t bytes, const void *pc);
void access_note_index(const char *text, const void *pc);

#endif
