// The list of CUDA arrays. Programs have few, so it is looked through from its start.
#include "array.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MAX_FREED = 256 // of so many it is known that they were freed
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cudaArray *arrays;
static const void *freed[MAX_FREED];
static unsigned num_freed;

void array_add(struct cudaArray *array)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_FREED; ++i)
    {
        freed[i] = freed[i] == array ? NULL : freed[i];
    }
    array->next = arrays;
    arrays = array;
    pthread_mutex_unlock(&lock);
}

static struct cudaArray **find(const struct cudaArray *array)
{
    struct cudaArray **at = &arrays;
    while (*at != NULL && *at != array)
    {
        at = &(*at)->next;
    }
    return at;
}

// Whether a handle of the program's is that of an array.
ArrayState array_state(const struct cudaArray *array)
{
    pthread_mutex_lock(&lock);
    ArrayState state = *find(array) != NULL ? ARRAY_THERE : ARRAY_UNKNOWN;
    for (int i = 0; i < MAX_FREED && state == ARRAY_UNKNOWN && array != NULL; ++i)
    {
        state = freed[i] == array ? ARRAY_FREED : ARRAY_UNKNOWN;
    }
    pthread_mutex_unlock(&lock);
    return state;
}

static void forget(struct cudaArray **at)
{
    struct cudaArray *array = *at;
    *at = array->next;
    freed[num_freed++ % MAX_FREED] = array;
    free(array);
}

void array_remove(struct cudaArray *array)
{
    pthread_mutex_lock(&lock);
    struct cudaArray **at = find(array);
    if (*at != NULL)
    {
        forget(at);
    }
    pthread_mutex_unlock(&lock);
}

// cudaDeviceReset has freed their memory.
void array_reset(int device)
{
    pthread_mutex_lock(&lock);
    for (struct cudaArray **at = &arrays; *at != NULL;)
    {
        if ((*at)->device == device)
        {
            forget(at);
        }
        else
        {
            at = &(*at)->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

// Of one dimension: it has a height of 0.
bool array_is_line(const struct cudaArray *array)
{
    return array->extent.height == 0;
}

const char *array_kind_name(const struct cudaArray *a)
{
    const bool is_layered = (a->flags & cudaArrayLayered) != 0;
    return (a->flags & cudaArrayCubemap) != 0 ? is_layered ? "layered cubemap" : "cubemap"
           : is_layered          ? array_is_line(a) ? "layered 1-D array" : "layered 2-D array"
           : array_is_line(a)    ? "1-D array"
           : a->extent.depth > 0 ? "3-D array"
                                 : "2-D array";
}

// "a 2-D array of 64 x 32 elements of 4 bytes"
void array_describe(const struct cudaArray *a, char *text, size_t size)
{
    char extent[80];
    const bool has_slices = a->extent.depth > 0;
    if (array_is_line(a) && !has_slices)
    {
        snprintf(extent, sizeof(extent), "%zu", a->width);
    }
    else if (array_is_line(a) || !has_slices)
    {
        snprintf(extent, sizeof(extent), "%zu x %zu", a->width, has_slices ? a->slices : a->height);
    }
    else
    {
        snprintf(extent, sizeof(extent), "%zu x %zu x %zu", a->width, a->height, a->slices);
    }
    snprintf(text, size, "a %s of %s elements of %u bytes", array_kind_name(a), extent,
             a->texel.bytes);
}
