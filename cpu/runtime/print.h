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
    unsigned doubts[MAX_WARPS];      // whether the other lanes will ever come; see watch.c
} Print;

// The thread waits, with or without a text.
static inline void print_wait(Print *print, unsigned thread, char *text, int position)
{
    const unsigned warp = thread / WARP_SIZE;
    print->text[thread] = text;
    print->position[thread] = position;
    print->waiting[warp] |= 1u << thread % WARP_SIZE;
    print->doubts[warp] = 0;
}

uint32_t print_warp(Print *print, unsigned warp);
void print_drop(Print *print, unsigned num_warps);
void print_flush(void);

#endif
