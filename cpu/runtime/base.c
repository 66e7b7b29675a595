// The time, the names of files, and the end of a program that cannot get what the backend needs.
#include "base.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

const char *base_name(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

// The first thread that comes here ends the program. It does not call exit(), because destructors
// might wait for the device, and the device does not go on.
void exhausted(const char *what, int error)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
    {
        pause(); // another thread has said so
    }
    fflush(stdout);
    fprintf(stderr, "CPU backend: cannot get %s: %s\n", what, strerror(error));
    _exit(3);
}
