// The processor's name, clock, caches and cores, and the machine's memory.
#include "machine.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// "model name : AMD EPYC" of /proc/cpuinfo, without the key; "" where the kernel does not say.
static void read_cpuinfo(const char *key, char *value, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(value, size, "%s", "");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
    {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) == 0 && colon != NULL)
        {
            snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " "));
            value[strcspn(value, "\n")] = '\0';
            break;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
}

void machine_model(char *text, size_t size)
{
    read_cpuinfo("model name", text, size);
}

int cpu_clock_khz(void)
{
    char text[64];
    double mhz = 0.0;
    read_cpuinfo("cpu MHz", text, sizeof(text));
    return sscanf(text, "%lf", &mhz) == 1 ? (int)(mhz * 1000.0) : 0;
}

int last_level_cache(void)
{
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (int)bytes : (int)sysconf(_SC_LEVEL2_CACHE_SIZE);
}

// What `ulimit -v` leaves the process; SIZE_MAX without a limit.
size_t machine_address_space(void)
{
    struct rlimit most;
    const bool limited = getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
    return limited ? most.rlim_cur : SIZE_MAX;
}

static size_t read_meminfo(const char *key)
{
    size_t kilobytes = 0, length = strlen(key);
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
    {
        if (strncmp(line, key, length) == 0)
        {
            kilobytes = strtoull(line + length, NULL, 10);
            break;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return kilobytes * 1024;
}

void machine_memory(size_t *available, size_t *total)
{
    *available = read_meminfo("MemAvailable:");
    *total = read_meminfo("MemTotal:");
}

// The cores that this process may run on.
int machine_cores(void)
{
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}
