// The calls about peers: which device may reach the memory of which other one.
#include "api_device.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "peer.h"
#include "queue.h"

// Every device can reach every other one, once that is enabled.
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (can == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error =
        api_check_device(device) != cudaSuccess ? api_check_device(device) : api_check_device(peer);
    GIVE(can, error == cudaSuccess && device != peer);
    return error_note(error);
}

// Lets the current device reach the peer's memory, and no more: not the peer the current device's.
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    if (flags != cudaPeerAccessDefault)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (api_check_device(peer) != cudaSuccess)
    {
        return error_note(api_check_device(peer));
    }
    if (peer == this_device) // a device is not its own peer
    {
        return error_note(cudaErrorPeerAccessUnsupported);
    }
    if (!error_none())
    {
        return error_status();
    }
    return peer_set(this_device, peer, true) ? error_status()
                                             : error_note(cudaErrorPeerAccessAlreadyEnabled);
}

// What has been launched before still reaches the peer.
cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    if (api_check_device(peer) != cudaSuccess)
    {
        return error_note(api_check_device(peer));
    }
    if (!error_none())
    {
        return error_status();
    }
    queue_wait_all(this_device);
    return peer_set(this_device, peer, false) ? error_status()
                                              : error_note(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr which, int device, int peer)
{
    if (value == NULL || which < cudaDevP2PAttrPerformanceRank ||
        which > cudaDevP2PAttrCudaArrayAccessSupported)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (device == peer || api_check_device(device) == cudaErrorInvalidDevice ||
        api_check_device(peer) == cudaErrorInvalidDevice)
    {
        return error_note(cudaErrorInvalidDevice);
    }
    // All links are alike: what one allows, all do.
    GIVE(value, which != cudaDevP2PAttrPerformanceRank);
    return error_status();
}
