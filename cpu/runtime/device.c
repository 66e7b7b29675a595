// Which devices there are, and which one a thread uses.
#include "device.h"
#include <stdlib.h>
#include <string.h>

THREAD_LOCAL int this_device;

// CUDA_VISIBLE_DEVICES is unset, or its list begins with our device: by number, by UUID, or by the
// start of the UUID.
static bool is_visible(void)
{
    static const char UUID[] = "GPU-00000000-0000-0000-0000-000000000000";
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (list == NULL || strncmp(list, "GPU-", 4) == 0)
    {
        return list == NULL || strncmp(list, UUID, strcspn(list, ",")) == 0;
    }
    char *end;
    return strtol(list, &end, 10) == 0 && end > list && (*end == '\0' || *end == ',');
}

// One, unless CUDA_VISIBLE_DEVICES hides it. The first call decides.
int number_of_devices(void)
{
    static atomic_int known = -1;
    if (atomic_load(&known) < 0)
    {
        atomic_store(&known, is_visible());
    }
    return atomic_load(&known);
}
