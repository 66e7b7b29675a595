// Asynchronous copies into shared memory, from their issue to the wait of the thread that issued them.
#ifndef CUDACPU_ASYNC_H
#define CUDACPU_ASYNC_H
#include "shadow.h"

extern unsigned async_num_in_flight;

void async_begin_block(void);
void async_note_copy(unsigned thread, Record now, const void *to, size_t bytes, const void *pc);
void async_commit(unsigned thread);
bool async_take(unsigned thread, size_t num_behind, const void **to, size_t *bytes,
                const void **pc);
void async_look(const Record *now, const void *address, size_t bytes);

#endif
