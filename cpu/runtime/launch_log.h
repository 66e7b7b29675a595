// The list of launches that CUDACPU_LAUNCHES=FILE asks for.
#ifndef CUDACPU_LAUNCH_LOG_H
#define CUDACPU_LAUNCH_LOG_H
#include "launch_state.h"

void launch_log_note(const Launch *launch);

#endif
