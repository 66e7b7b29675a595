// Texture and surface objects: which there are, and what each reads.
#ifndef CUDACPU_TEXTURE_OBJECT_H
#define CUDACPU_TEXTURE_OBJECT_H
#include "array.h"
#include "texel.h"

typedef enum ObjectKind
{
    NO_OBJECT,
    TEXTURE,
    SURFACE
} ObjectKind;

enum
{
    MAX_OBJECT_CALLERS = 32
};

// What a kernel needs of a texture or surface. Sizes are in elements and at least 1, distances in
// bytes.
typedef struct Texture
{
    ObjectKind kind;
    const char *data;
    size_t size[3]; // width, height, depth
    size_t pitch, slice;
    unsigned num_layers; // 6 for each cubemap
    cudaResourceType resource_type;
    unsigned flags; // of the array
    int dimensions; // without those that count layers and faces
    TexelFormat format;
    bool normalized; // channels are read from 0 to 1, or -1 to 1
    cudaTextureDesc how;
    cudacpu_Texel border;

    // what the program has asked for
    cudaResourceDesc resource;
    cudaResourceViewDesc view;

    // The program has destroyed it. Kernels that it has launched before may still use it: this many
    // operations of its device must be done before it is gone.
    int device;
    bool ended;
    uint64_t last_use;
    void *callers[MAX_OBJECT_CALLERS]; // with CUDACPU_LEAKS=1: who has made it, innermost first;
                                       // no one, if a binding has
    int num_callers;
} Texture;

unsigned long long texture_add(const Texture *texture);
bool texture_end(unsigned long long handle, ObjectKind kind);
void texture_end_all(int device);
const Texture *texture_find(unsigned long long handle, ObjectKind kind);
bool texture_was_there(unsigned long long handle);
bool texture_never_ended(size_t *next, Texture *copy);

void texture_describe(const Texture *texture, char *text, size_t size);
_Noreturn void texture_fail(const void *pc, cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void texture_fail_object(const void *pc, unsigned long long handle, ObjectKind kind);

#endif
