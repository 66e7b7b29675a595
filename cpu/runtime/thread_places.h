// Where the threads of a block stand.
#ifndef CUDACPU_THREAD_PLACES_H
#define CUDACPU_THREAD_PLACES_H
#include "worker.h"

void thread_places_note(const Worker *worker, double seconds);
void thread_places_say(void);

#endif
