// Where the threads of a block stand.
#ifndef CUDACPU_STANDING_H
#define CUDACPU_STANDING_H
#include "worker.h"

void standing_note(const Worker *worker, double seconds);
void standing_say(void);

#endif
