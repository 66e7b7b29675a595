// What kernels print: the lines of a warp that are ready, and the buffer they go to.
#ifndef CUDACPU_PRINT_H
#define CUDACPU_PRINT_H
#include "base.h"

// A part of Worker.
typedef struct Print
{
    uint32_t waiting[MAX_WARPS]; // threads whose line waits for the rest of the warp
    char *text[MAX_BLOCK_THREADS];
    int position[MAX_BLOCK_THREADS]; // of the printf, in the source
} Print;

uint32_t print_warp(Print *print, unsigned warp);
void print_drop(Print *print, unsigned num_warps);
void print_flush(void);

#endif
