// What a copy has brought to the host that was never written.
#ifndef CUDACPU_UNWRITTEN_H
#define CUDACPU_UNWRITTEN_H
#include "shadow.h"

extern bool unwritten_any; // there is some in memory that the shadow does not know: the host's own

// All of these with the checker's lock.
void unwritten_copy(char *to, const char *from, size_t bytes, uint32_t site, uint32_t sequence);
void unwritten_set_written(const char *start, size_t bytes);
bool unwritten_is_read(const char *start, size_t bytes, uint32_t what);
bool unwritten_tell(const char *address, size_t bytes, uint32_t reader);

#endif
