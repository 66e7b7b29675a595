// The program's own handlers of signals that the runtime needs itself.
#ifndef CUDACPU_PROGRAM_HANDLERS_H
#define CUDACPU_PROGRAM_HANDLERS_H
#include <signal.h>
#include "base.h"

void program_handlers_take(int number, void (*handler)(int, siginfo_t *, void *), int blocked);
bool program_handlers_call(int number, siginfo_t *info, void *frame);
_Noreturn void program_handlers_die(int number);

#endif
