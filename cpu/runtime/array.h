// CUDA arrays: which there are, and where their elements lie.
#ifndef CUDACPU_ARRAY_STORE_H
#define CUDACPU_ARRAY_STORE_H
#include "base.h"
#include "texel.h"

struct cudaArray
{
    char *data;                   // device memory: rows without gaps, slice after slice
    cudaChannelFormatDesc format; // what the program has asked for ...
    cudaExtent extent;            // ...
    unsigned flags;
    int device;
    TexelFormat texel;
    size_t width, height, slices; // elements; at least 1. The slices are also layers and faces
    size_t pitch, slice;          // bytes from row to row, and from slice to slice
    struct cudaArray *next;
};

typedef enum ArrayState
{
    ARRAY_THERE,
    ARRAY_FREED,
    ARRAY_UNKNOWN
} ArrayState;

void array_add(struct cudaArray *array);
ArrayState array_state(const struct cudaArray *array);
void array_remove(struct cudaArray *array);
void array_reset(int device);
bool array_is_line(const struct cudaArray *array);
const char *array_kind_name(const struct cudaArray *array);
void array_describe(const struct cudaArray *array, char *text, size_t size);

#endif
