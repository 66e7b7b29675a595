// A program may give a variable that it has never set. What such a handle leads to must not be read.
#include "handle.h"

enum
{
    MAX_KNOWN = 64 // 2 to the power of 64 - 58 below
};

void handle_add(Handles *handles, Handle *handle)
{
    handle->older = atomic_load(handles);
    while (!atomic_compare_exchange_weak(handles, &handle->older, handle))
    {
    }
}

// Whether the handle is one of these, and none made up. The last ones are kept.
bool handle_is_known(Handles *handles, const void *handle)
{
    static THREAD_LOCAL struct
    {
        const Handles *handles;
        const void *handle;
    } known[MAX_KNOWN], *place;
    place = &known[(uintptr_t)handle * 0x9e3779b97f4a7c15u >> 58];
    if (place->handle == handle && place->handles == handles)
    {
        return true;
    }
    const Handle *other = atomic_load(handles);
    while (other != NULL && other != handle)
    {
        other = other->older;
    }
    if (other != NULL)
    {
        place->handles = handles;
        place->handle = handle;
    }
    return other != NULL;
}
