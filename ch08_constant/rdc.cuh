// What rdc.cu and rdc-there.cu share: declarations, as any header has them.
#pragma once

const int NUM_VALUES = 2;

// Defined here, so each file that includes this line gets a variable of its own.
static __constant__ int c_own[NUM_VALUES];

// Only declared here: rdc.cu defines it, and all files mean that one.
extern __constant__ int c_shared[NUM_VALUES];

// What one file sees: the values, read by a kernel of its own, and where the device has them.
struct View
{
    int own[NUM_VALUES], shared[NUM_VALUES];
    void *own_address, *shared_address;
};

View view_there(void);
void set_there(const int *own, const int *shared);
