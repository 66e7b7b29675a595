// For query, attributes and peak-rates: which devices are asked. For the last two also the list of
// what they say.
#pragma once
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"

// There are `count` devices. Asked are those from `first` to `last`.
struct Devices
{
    int count, first, last;
};

static inline void add_device_option(size_t *device)
{
    args.uses_device = false; // else parse_args would ask device 0
    add_number("device", device, 0, INT_MAX, "the number of the device to ask");
}

// This device, or all. The first one becomes the current device, before any call that uses one.
static inline Devices choose_devices(size_t device, bool all)
{
    int count;
    CHECK(cudaGetDeviceCount(&count)); // without a device: one line, and status 77
    if (device >= (size_t)count)
    {
        const char *list = getenv("CUDA_VISIBLE_DEVICES");
        usage_error("there is no device %zu: of %d seen here the last is number %d%s%s", device,
                    count, count - 1, list != NULL ? said(", with CUDA_VISIBLE_DEVICES=") : "",
                    list != NULL ? list : "");
    }
    const int first = all ? 0 : device, last = all ? count - 1 : device;
    CHECK(cudaSetDevice(first));
    return {count, first, last};
}

// A row of the list: a line of text, or with --csv comma-separated values.
static inline void print_row(int device, const char *label, const char *unit, const char *format,
                             ...)
{
    char value[512];
    va_list values;
    va_start(values, format);
    vsnprintf(value, sizeof(value), format, values);
    va_end(values);
    if (args.csv)
    {
        printf("%d,\"%s\",\"%s\",%s\n", device, label, value, unit);
    }
    else
    {
        printf("%-44s %s%s%s\n", label, value, *unit != '\0' ? " " : "", unit);
    }
}

static inline void print_titles(void)
{
    if (args.csv)
    {
        printf("device,property,value,unit\n");
    }
}
