// For a program that computes the bytes of its arrays itself, after parse_args.
#pragma once
#include "args.cuh"

// Ends the program with status 2 if they do not fit. The host is asked first, so a size that the
// host cannot hold is refused even where there is no device.
static inline void require_memory(double on_host, double on_device)
{
    const double both = ON_GPU ? on_host : on_host + on_device; // the CPU backend's is the host's
    refuse_if_more(both, room_on_host(), said("host"));
    if (args.uses_device)
    {
        refuse_if_more(on_device, free_device_memory(), said("device"));
    }
}
