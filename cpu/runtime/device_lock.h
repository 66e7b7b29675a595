// Devices use memory in turn: several devices share the machine's one set of page tables.
#ifndef CUDACPU_DEVICE_LOCK_H
#define CUDACPU_DEVICE_LOCK_H
#include "base.h"

typedef enum
{
    NO_USE,
    KERNEL_USE,
    COPY_USE
} Use;

void device_lock_take(int device, Use use);
void device_lock_give(int device);

#endif
