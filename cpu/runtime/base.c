// The time, the names of files, numbers from the environment, and the end of a program that cannot
// get what the backend needs.
#include "base.h"
#include <stdio.h>
#include <stdlib.h>
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

// The end of the program: a variable of the environment is not what it must be.
static _Noreturn void refuse(const char *variable, int low, double high)
{
    fflush(stdout);
    fprintf(stderr, "CPU backend: %s must be a number from %d to %g, not \"%s\"\n", variable, low,
            high, getenv(variable));
    _exit(3);
}

// The number from 1 to `most` that a variable of the environment names; where it is not set,
// `otherwise`.
int wished_count(const char *variable, int most, int otherwise)
{
    const char *wish = getenv(variable);
    if (wish == NULL)
    {
        return otherwise;
    }
    char *end;
    const long number = strtol(wish, &end, 10);
    if (*wish < '0' || *wish > '9' || *end != '\0' || number < 1 || number > most)
    {
        refuse(variable, 1, most);
    }
    return (int)number;
}

// The same from 0 to `most`; it may be a fraction.
double wished_number(const char *variable, double most, double otherwise)
{
    const char *wish = getenv(variable);
    if (wish == NULL)
    {
        return otherwise;
    }
    char *end;
    const double number = strtod(wish, &end);
    if ((*wish != '.' && (*wish < '0' || *wish > '9')) || *end != '\0' || !(number <= most))
    {
        refuse(variable, 0, most);
    }
    return number;
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
