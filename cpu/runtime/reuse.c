// Memory that was freed and is handed out again, with what it holds, as a GPU often does it. A program that
// forgets to write its result may find the right one there, from the work before.
//
// Kept memory is closed like all freed memory, so an access through the old pointer faults until the memory is
// handed out again. memory.c calls all this with its lock held.
#include "reuse.h"
#include <sys/mman.h>

static const size_t MOST_KEPT = (size_t)256 << 20; // bytes, of all devices

static uint64_t num_frees;
static size_t kept; // bytes

bool reuse_is_on(void)
{
    static atomic_int on = -1;
    if (on < 0)
    {
        on = wished("CUDACPU_REUSE");
    }
    return on;
}

// The memory is not handed out again, and its pages go back to the system.
void reuse_forget(Allocation *freed)
{
    kept -= freed->number_of_free != 0 ? freed->page_bytes : 0;
    freed->number_of_free = 0;
    madvise(freed->pages, freed->page_bytes, MADV_DONTNEED);
}

static Allocation *oldest(Allocation *all, size_t count)
{
    Allocation *found = NULL;
    for (Allocation *a = all; a < all + count; ++a)
    {
        if (a->number_of_free != 0 && (found == NULL || a->number_of_free < found->number_of_free))
        {
            found = a;
        }
    }
    return found;
}

// Memory of this kind has been freed. Where too much is kept, what was freed first goes, but not this.
void reuse_keep(Allocation *all, size_t count, Allocation *freed, Kind kind)
{
    freed->kind_before = kind;
    freed->number_of_free = ++num_frees;
    kept += freed->page_bytes;
    for (Allocation *a; kept > MOST_KEPT && (a = oldest(all, count)) != freed;)
    {
        reuse_forget(a);
    }
}

// Of the kept memory of this device, size and kind, what was freed last; NULL: there is none.
Allocation *reuse_find(Allocation *all, size_t count, int device, size_t bytes, Kind kind)
{
    Allocation *found = NULL;
    for (Allocation *a = all; a < all + count; ++a)
    {
        if (a->number_of_free != 0 && a->device == device && a->bytes == bytes &&
            a->kind_before == kind && (found == NULL || a->number_of_free > found->number_of_free))
        {
            found = a;
        }
    }
    if (found != NULL)
    {
        kept -= found->page_bytes;
        found->number_of_free = 0;
    }
    return found;
}
