// A device is a number. Each file that keeps something for a device (its error, its memory, its
// queue, its workers) has an array of MAX_DEVICES.
#ifndef CUDACPU_DEVICE_H
#define CUDACPU_DEVICE_H
#include "base.h"

enum
{
    MAX_DEVICES = 8
};

extern THREAD_LOCAL int this_device; // the one that the calling thread has chosen

int number_of_devices(void);
int device_slot(int device);

#endif
