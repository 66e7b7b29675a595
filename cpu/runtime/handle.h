// Handles that a program may give us: which of them we have made.
#ifndef CUDACPU_HANDLE_H
#define CUDACPU_HANDLE_H
#include "base.h"

// The first member of what a handle leads to. Such memory is never freed.
typedef struct Handle
{
    struct Handle *older;
} Handle;

typedef struct Handle *_Atomic Handles; // of one kind: the latest one

void handle_add(Handles *handles, Handle *handle);
bool handle_is_known(Handles *handles, const void *handle);

#endif
