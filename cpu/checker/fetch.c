// What fetches from textures read, and what surfaces read and write. The runtime does that for a
// kernel; compiled code has no access there.
#include "../runtime/check.h"
#include "access.h"
#include "shadow.h"

void check_access(const void *address, size_t bytes, bool writes, const void *pc)
{
    if (shadow_chunk(address) != NULL)
    {
        access_note(address, bytes, writes ? IS_WRITE : 0, pc);
    }
}
