// The time, the names of files, numbers from the environment, and the end of a program that cannot
// get what the backend needs.
#include "base.h"
#include <ctype.h>
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

// The value of a variable of the environment, on one line.
void show_wish(const char *variable, char *text, size_t size)
{
    snprintf(text, size, "%s", getenv(variable));
    for (char *p = text; *p != '\0'; ++p)
    {
        *p = iscntrl((unsigned char)*p) ? '?' : *p;
    }
}

// The end of the program: a variable of the environment is not what it must be.
static _Noreturn void refuse(const char *variable, const char *must_be)
{
    char value[100];
    show_wish(variable, value, sizeof(value));
    fflush(stdout);
    fprintf(stderr, "CPU backend: %s must be %s, not \"%s\"\n", variable, must_be, value);
    _exit(3);
}

static _Noreturn void refuse_number(const char *variable, double low, double high)
{
    char range[80];
    snprintf(range, sizeof(range), "a number from %g to %g", low, high);
    refuse(variable, range);
}

// Whether a variable of the environment is 1. It may be 0, empty or not there.
bool wished(const char *variable)
{
    const char *wish = getenv(variable);
    if (wish == NULL || *wish == '\0' || strcmp(wish, "0") == 0)
    {
        return false;
    }
    if (strcmp(wish, "1") != 0)
    {
        refuse(variable, "0 or 1");
    }
    return true;
}

// Before main, so that a wrong value is told whether or not the variable comes to be used.
static __attribute__((constructor)) void check_environment(void)
{
    static const char *const switches[] = {"CUDACPU_STRICT", "CUDACPU_EXACT",   "CUDACPU_LEAKS",
                                           "CUDACPU_LATE",   "CUDACPU_REVERSE", "CUDACPU_PEAK",
                                           "CUDACPU_REUSE"};
    for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); ++i)
    {
        wished(switches[i]);
    }
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
        refuse_number(variable, 1, most);
    }
    return (int)number;
}

// The same from `least` to `most`; it may be a fraction.
double wished_number(const char *variable, double least, double most, double otherwise)
{
    const char *wish = getenv(variable);
    if (wish == NULL)
    {
        return otherwise;
    }
    char *end;
    const double number = strtod(wish, &end);
    if ((*wish != '.' && (*wish < '0' || *wish > '9')) || *end != '\0' ||
        !(number >= least && number <= most))
    {
        refuse_number(variable, least, most);
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
