// The list of launches that CUDACPU_LAUNCHES=FILE asks for. Each launch adds a line when it begins.
#include "launch_log.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *file; // NULL: nobody asks
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The end of the program: the list cannot be written.
static _Noreturn void refuse(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    const int error = errno;
    while (atomic_flag_test_and_set(&ending))
    {
        pause(); // another thread has said so
    }
    fflush(stdout);
    char name[256];
    show_wish("CUDACPU_LAUNCHES", name, sizeof(name));
    fprintf(stderr, "CPU backend: CUDACPU_LAUNCHES: cannot write to \"%s\": %s\n", name,
            strerror(error));
    _exit(3);
}

static void open_file(void)
{
    const char *name = getenv("CUDACPU_LAUNCHES");
    if (name == NULL)
    {
        return;
    }
    file = fopen(name, "a");
    if (file == NULL)
    {
        refuse();
    }
    setvbuf(file, NULL, _IOLBF, 0); // a program that is ended leaves what it has launched
}

void launch_log_note(const Launch *launch)
{
    pthread_once(&once, open_file);
    if (file != NULL &&
        fprintf(file, "%s: grid %ux%ux%u, block %ux%ux%u, shared %u bytes, device %d\n",
                launch->name, launch->grid.x, launch->grid.y, launch->grid.z, launch->block.x,
                launch->block.y, launch->block.z, launch->shared_bytes, launch->device) < 0)
    {
        refuse();
    }
}
