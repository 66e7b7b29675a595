// Signals: a wrong address, a division by zero, a kernel that goes round in a loop.
#ifndef CUDACPU_FAULT_H
#define CUDACPU_FAULT_H
#include "base.h"

enum
{
    TRACE_DEPTH = 16
};

// Why a kernel is ended without a signal. They take the place of its number.
enum
{
    HANGS = -1,
    TIMED_OUT = -2,
    CHECKED_TOO_LONG = -4,
    STACK_OVERWRITTEN = -3
};

// A part of Worker: why its block ended.
typedef struct Fault
{
    int error;
    int signal;
    void *trace[TRACE_DEPTH]; // the instruction, and its callers as far as they are known
    void *address;
    bool is_mapped;     // there is memory, but not for this access
    bool is_no_address; // the processor has not even tried: the highest bits are wrong
    bool is_misaligned;
    bool is_call; // of a function where none is
    const char *access;
} Fault;

struct Worker;
void fault_prepare_thread(struct Worker *worker);
void fault_leave_thread(void);
void fault_report_signal(struct Worker *worker);
void fault_let_host_in(void);
_Noreturn void fault_endless(struct Worker *worker, const void *frame, int reason);

#endif
