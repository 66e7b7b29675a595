// What judge and child share: a table of cases with their arrays, in memory that both have mapped.
#ifndef EXERCISES_CASES_H
#define EXERCISES_CASES_H
#include <stddef.h>

enum
{
    MAX_CASES = 64,
    MAX_NUMBERS = 8,
    MAX_ARRAYS = 8,
    FENCE = 64,              // bytes before and behind each array
    SHARED_BYTES = 256 << 20 // what is not used costs nothing
};

struct Array
{
    size_t offset; // from the table
    size_t count, bytes;
    int is_output;
};

// One call of what the reader has written: its numbers, as N, and its arrays.
struct Case
{
    long number[MAX_NUMBERS];
    int num_arrays;
    Array arrays[MAX_ARRAYS];
    int is_done; // by the child
    int error;   // what CUDA says after it
};

struct Table
{
    int num_cases;
    size_t used;
    Case cases[MAX_CASES];
};

#endif
