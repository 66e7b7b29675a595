// Rows of bytes that a device copies or sets when it comes to it.
#ifndef CUDACPU_COPY_H
#define CUDACPU_COPY_H
#include "base.h"

typedef struct Rows
{
    char *to;
    const char *from; // NULL: set to `value`
    int value;
    size_t element; // how many bytes of `value` are set: 1, 2 or 4; 0 is 1
    size_t pitch_to, pitch_from, width, height;
} Rows;

char *copy_corner(cudaPitchedPtr box, cudaPos at);
void copy_run(int device, const Rows *rows);
uint64_t copy_add(cudaStream_t stream, const Rows *rows);

#endif
