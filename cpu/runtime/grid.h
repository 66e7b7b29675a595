// Grids over the workers of a device.
#ifndef CUDACPU_GRID_H
#define CUDACPU_GRID_H
#include "launch_state.h"

void grid_prepare(int device);
void grid_run(Launch *launch);
struct Op *grid_operation(const Launch *launch);
int number_of_workers(void);

#endif
