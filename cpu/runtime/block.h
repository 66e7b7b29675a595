// Blocks, one after the other, on the calling OS thread.
#ifndef CUDACPU_BLOCK_H
#define CUDACPU_BLOCK_H
#include "worker.h"

Worker *block_worker(void);
void block_begin(Worker *worker, const Launch *launch);
void block_run(Worker *worker, Launch *launch, uint64_t block);

#endif
