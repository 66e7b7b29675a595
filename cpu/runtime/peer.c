// Peer access goes one way: that device 0 may reach the memory of device 1 does not let device 1
// reach the memory of device 0.
#include "peer.h"
#include "device.h"

static atomic_uint reach[MAX_DEVICES]; // of each device, a bit for each that it may reach

// Whether kernels of a device may touch memory of the owner.
bool peer_reaches(int device, int owner)
{
    return device == owner || (atomic_load(&reach[device]) >> owner & 1) != 0;
}

// Grants the access or takes it away. False if that is as it was.
bool peer_set(int device, int owner, bool yes)
{
    const unsigned bit = 1u << owner;
    const unsigned before =
        yes ? atomic_fetch_or(&reach[device], bit) : atomic_fetch_and(&reach[device], ~bit);
    return ((before & bit) != 0) != yes;
}

// After a reset the device reaches no other, and none reaches it.
void peer_reset(int device)
{
    atomic_store(&reach[device], 0);
    for (int other = 0; other < MAX_DEVICES; ++other)
    {
        atomic_fetch_and(&reach[other], ~(1u << device));
    }
}
