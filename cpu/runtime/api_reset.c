// cudaDeviceReset: everything that a device has, from the top down.
#include "api_preference.h"
#include "array.h"
#include "capture.h"
#include "device.h"
#include "error.h"
#include "event.h"
#include "graph_memory.h"
#include "heap.h"
#include "kernel.h"
#include "memory.h"
#include "peer.h"
#include "queue.h"
#include "stream.h"
#include "texture.h"
#include "variable.h"

// A real device may or may not recover from a kernel's fault this way. This one does.
cudaError_t cudaDeviceReset(void)
{
    const int device = this_device;
    if (error_forbidden() || error_of_device(device) == cudaErrorNoDevice)
    {
        return error_status();
    }
    queue_wait_all(device);
    memory_reset(device);
    array_reset(device);
    texture_end_all(device);
    heap_reset(device);
    peer_reset(device);
    variable_reset();
    capture_reset(device);
    graph_memory_reset();
    stream_reset(device);
    event_reset(device);
    api_preference_reset(device);
    kernel_reset();
    error_set_device(device, cudaSuccess);
    error_exchange(cudaSuccess);
    return cudaSuccess;
}
