// Rows of bytes that a device copies or sets when it comes to it.
#ifndef CUDACPU_COPY_H
#define CUDACPU_COPY_H
#include "base.h"

typedef struct Rows
{
    char *to;
    const char *from; // NULL: set to `value`
    int value;
    size_t pitch_to, pitch_from, width, height;
} Rows;

uint64_t copy_add(cudaStream_t stream, const Rows *rows);

#endif
