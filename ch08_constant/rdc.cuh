// The header that rdc.cu and rdc-there.cu both include.
#pragma once

const int NUM_VALUES = 2;

// A definition: each file that includes this line gets a variable of its own.
static __constant__ int c_own[NUM_VALUES];

// A declaration: rdc.cu defines the variable, and both files mean that one.
extern __constant__ int c_shared[NUM_VALUES];

// What one file sees: the values that its own kernel reads, and their addresses on the device.
struct View
{
    int own[NUM_VALUES], shared[NUM_VALUES];
    void *own_address, *shared_address;
};

View view_there(void);
void set_there(const int *own, const int *shared);
