// How much memory the host has left, asked before taking it. (cudaMemGetInfo tells the device's.)
#pragma once
#include <stdio.h>

// The first number that `format` matches at the start of a line of a file of the Linux kernel's; 0
// if there is none.
static inline double kernel_number(const char *path, const char *format)
{
    double number = 0.0;
    FILE *file = fopen(path, "r");
    if (file != NULL)
    {
        while (fscanf(file, format, &number) == 0 && fscanf(file, "%*[^\n] ") != EOF)
        {
        }
        fclose(file);
    }
    return number;
}

// Bytes that the machine, or the container we are in, can give; 0 if neither says.
static inline double free_host_memory(void)
{
    const double machine = 1024.0 * kernel_number("/proc/meminfo", " MemAvailable: %lf");
    const double container = kernel_number("/sys/fs/cgroup/memory.max", "%lf");
    return container > 0.0 && (machine == 0.0 || container < machine) ? container : machine;
}
