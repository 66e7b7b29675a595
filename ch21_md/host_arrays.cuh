// Arrays of the host: memory for them, and a search.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"

inline void end_without_memory(void)
{
    fflush(stdout);
    fprintf(stderr, said("%s: the host has no memory left\n"), args.program);
    exit(2);
}

// The array with room for `count` elements of so many bytes each; NULL becomes a new array. Without
// memory the program ends.
inline void *resize_array(void *array, size_t count, size_t bytes)
{
    const size_t some = count > 0 ? count : 1; // for 0 bytes realloc may return NULL
    void *resized = some <= SIZE_MAX / bytes ? realloc(array, some * bytes) : NULL;
    if (resized == NULL)
    {
        end_without_memory();
    }
    return resized;
}

inline void *new_array(size_t count, size_t bytes) { return resize_array(NULL, count, bytes); }

inline int compare_atoms(const void *a, const void *b)
{
    const int first = *(const int *)a, second = *(const int *)b;
    return (first > second) - (first < second);
}

// Whether the number is in a sorted array.
inline bool is_in_array(const int *sorted, int count, int number)
{
    return bsearch(&number, sorted, count, sizeof(int), compare_atoms) != NULL;
}
