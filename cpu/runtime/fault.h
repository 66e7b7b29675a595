// Signals: a wrong address, a division by zero, a kernel that goes round in a loop.
#ifndef CUDACPU_FAULT_H
#define CUDACPU_FAULT_H
#include "base.h"

enum
{
    TRACE_DEPTH = 8
};

// A worker's: what ended its block.
typedef struct Fault
{
    int error;
    int signal;
    void *trace[TRACE_DEPTH]; // where, and who called, as far as that is known
    void *address;
    const char *access;
} Fault;

struct Worker;
void fault_prepare_thread(void);
void fault_report_signal(struct Worker *worker);
void fault_let_host_in(void);
_Noreturn void fault_hang(struct Worker *worker, const void *context);

#endif
