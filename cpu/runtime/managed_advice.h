// What the program has said of managed memory: where it should be, who reads it.
#ifndef CUDACPU_MANAGED_ADVICE_H
#define CUDACPU_MANAGED_ADVICE_H
#include "base.h"

typedef enum
{
    READ_MOSTLY, // 1 or 0
    PREFERRED,   // a device, cudaCpuDeviceId, or cudaInvalidDeviceId
    PREFETCHED,  // the same
    ACCESSED_BY  // 1 or 0: by the host; the topics that follow are for the devices, in order
} Topic;

void managed_advice_note(const void *start, size_t bytes, int topic, int value);
int managed_advice_of(const void *start, size_t bytes, int topic, int none);
void managed_advice_forget(const void *start, size_t bytes);

#endif
