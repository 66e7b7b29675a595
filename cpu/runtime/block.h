// Blocks, one after the other, on the calling OS thread.
#ifndef CUDACPU_BLOCK_H
#define CUDACPU_BLOCK_H
#include "worker.h"

Worker *block_worker(void);
void block_begin(Worker *worker, const Launch *launch);
bool block_run(Worker *worker, Launch *launch, uint64_t block);

// Blocks that are parked: each has a worker of its own.
Worker *block_take_resident(void);
void block_enter(Worker *worker);
void block_leave(Worker *worker);
bool block_go_on(Worker *worker);
void block_abandon_parked(Worker *worker);
void block_give_back(Worker *worker);

#endif
