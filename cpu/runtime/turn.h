// Turns: several devices share the machine's one set of page tables.
#ifndef CUDACPU_TURN_H
#define CUDACPU_TURN_H
#include "base.h"

typedef enum
{
    NO_TURN,
    KERNEL_TURN,
    COPY_TURN
} Turn;

void turn_take(int device, Turn turn);
void turn_give(int device);

#endif
