// The list of launches that CUDACPU_LAUNCHES=FILE asks for.
#ifndef CUDACPU_LAUNCHES_H
#define CUDACPU_LAUNCHES_H
#include "launch.h"

void launches_note(const Launch *launch);

#endif
