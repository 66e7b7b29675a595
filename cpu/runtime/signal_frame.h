// What a signal tells of the instruction that it interrupted: another thing on each processor.
// `frame` is the third argument of a signal's handler.
#ifndef CUDACPU_SIGNAL_FRAME_H
#define CUDACPU_SIGNAL_FRAME_H
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

void *signal_frame_pc(const void *frame);
const char *signal_frame_stack_pointer(const void *frame);
int signal_frame_registers(const void *frame, Part *parts);
bool signal_frame_rounds_otherwise(const void *frame);
const char *signal_frame_access(const void *frame, const void *address);
bool signal_frame_is_no_address(const siginfo_t *info);
bool signal_frame_is_misaligned(const void *frame, void **address, const char **access);
bool signal_frame_is_alignment_trap(const void *pc);
void *signal_frame_return(const void *frame);
bool signal_frame_is_pointer_call(const void *after);
bool signal_frame_jumps_to_itself(const void *pc);

#endif
