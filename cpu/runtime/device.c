// Which devices there are, and which one a thread uses.
#include "device.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

THREAD_LOCAL int this_device;

// CUDACPU_DEVICES devices are in the machine, each in its slot. CUDA_VISIBLE_DEVICES chooses among
// them, and gives them their order.
static int num_visible;
static int slots[MAX_DEVICES];

static int devices_in_machine(void)
{
    return wished_count("CUDACPU_DEVICES", MAX_DEVICES, 1);
}

// The slot that an entry of the list names, by number, by UUID, or by the start of the UUID; or -1.
static int named_slot(const char *entry, int num_slots)
{
    const size_t length = strcspn(entry, ",");
    if (strncmp(entry, "GPU-", 4) == 0)
    {
        for (int slot = 0; slot < num_slots; ++slot)
        {
            char uuid[64];
            snprintf(uuid, sizeof(uuid), "GPU-00000000-0000-0000-0000-%012x", slot);
            if (strncmp(entry, uuid, length) == 0)
            {
                return slot;
            }
        }
        return -1;
    }
    char *end;
    const long slot = strtol(entry, &end, 10);
    return end > entry && (*end == '\0' || *end == ',') && slot >= 0 && slot < num_slots ? (int)slot
                                                                                         : -1;
}

static bool is_listed(int slot)
{
    for (int i = 0; i < num_visible; ++i)
    {
        if (slots[i] == slot)
        {
            return true;
        }
    }
    return false;
}

// The list ends at its first entry that names no device, or one that it has named before.
static void look(void)
{
    const int num_slots = devices_in_machine();
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (list == NULL)
    {
        for (; num_visible < num_slots; ++num_visible)
        {
            slots[num_visible] = num_visible;
        }
        return;
    }
    for (int slot; (slot = named_slot(list, num_slots)) >= 0 && !is_listed(slot);)
    {
        slots[num_visible++] = slot;
        list += strcspn(list, ",");
        if (*list++ == '\0')
        {
            return;
        }
    }
}

static void look_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
}

int number_of_devices(void)
{
    look_once();
    return num_visible;
}

// Where in the machine a device is. The number stays the same when CUDA_VISIBLE_DEVICES changes.
int device_slot(int device)
{
    look_once();
    return slots[device];
}
