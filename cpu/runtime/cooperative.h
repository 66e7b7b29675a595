// Cooperative launches.
#ifndef CUDACPU_COOPERATIVE_H
#define CUDACPU_COOPERATIVE_H
#include "launch_state.h"

void cooperative_begin(Launch *launch);
void cooperative_run(Launch *launch, int num_os_threads);

#endif
