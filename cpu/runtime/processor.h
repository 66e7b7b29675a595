// What a signal tells of the instruction that it interrupted: another thing on each processor.
// `frame` is the third argument of a signal's handler.
#ifndef CUDACPU_PROCESSOR_H
#define CUDACPU_PROCESSOR_H
#include "base.h"
#include <signal.h>

typedef struct Part
{
    const void *start;
    size_t bytes;
} Part;

enum
{
    MAX_REGISTER_PARTS = 3
};

void *processor_pc(const void *frame);
const char *processor_stack_pointer(const void *frame);
int processor_registers(const void *frame, Part *parts);
bool processor_rounds_otherwise(const void *frame);
const char *processor_access(const void *frame, const void *address);
bool processor_is_no_address(const siginfo_t *info);
bool processor_is_alignment_trap(const void *pc);
bool processor_jumps_to_itself(const void *pc);

#endif
