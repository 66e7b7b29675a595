// When no thread of a block can go on.
#ifndef CUDACPU_DEADLOCK_H
#define CUDACPU_DEADLOCK_H
#include "worker.h"

void deadlock_note_sites(Worker *worker);
_Noreturn void deadlock(Worker *worker);

#endif
