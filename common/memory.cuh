// How much memory the host has left, asked before taking it. (cudaMemGetInfo tells the device's.)
#pragma once
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include "by_hand.cuh"

// Reads a file of the Linux kernel line by line. Returns the first number that `format` matches at
// the start of a line, or 0.
static inline double kernel_number(const char *directory, const char *name, const char *format)
{
    double number = 0.0;
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
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

// Bytes that a container (a "control group") can still give. The pages of files that it holds count
// as free, because it drops them when memory is short.
static inline double free_in_group(const char *group)
{
    const double most = kernel_number(group, "memory.max", "%lf");
    const double files = kernel_number(group, "memory.stat", " inactive_file %lf") +
                         kernel_number(group, "memory.stat", " active_file %lf");
    return most > 0.0 ? most - kernel_number(group, "memory.current", "%lf") + files : INFINITY;
}

// Bytes that `ulimit -v` still allows. Only half of them, because stacks, libraries and threads
// that start later need addresses too.
static inline double free_addresses(void)
{
    struct rlimit most;
    const bool limited = getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
    const double mapped = kernel_number("/proc/self", "statm", "%lf") * sysconf(_SC_PAGESIZE);
    return limited ? 0.5 * (most.rlim_cur - mapped) : INFINITY;
}

// Bytes that this process can still have. 0 if that is not known.
static inline double free_host_memory(void)
{
    const double machine = 1024.0 * kernel_number("/proc", "meminfo", " MemAvailable: %lf");
    const double most = fmin(free_in_group("/sys/fs/cgroup"), free_addresses());
    const double least = machine > 0.0 ? fmin(machine, most) : most;
    return isinf(least) ? 0.0 : fmax(least, 1.0);
}

// In place of std::bad_alloc, for std::set_new_handler.
static inline void exit_without_memory(void)
{
    fflush(stdout);
    fprintf(stderr, said("%s: the host has no memory left\n"), program_invocation_short_name);
    exit(2);
}
