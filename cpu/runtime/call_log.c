// The list of calls that CUDACPU_CALLS=FILE asks for: a line for each call that has returned.
#include "call_log.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base.h"
#include "report.h"

bool call_log_is_wanted;
static int file = -1;

// The end of the program: the list cannot be written.
static _Noreturn void refuse(void)
{
    const int error = errno;
    char name[256];
    fflush(stdout);
    show_wish("CUDACPU_CALLS", name, sizeof(name));
    fprintf(stderr, "CPU backend: CUDACPU_CALLS: cannot write to \"%s\": %s\n", name,
            strerror(error));
    _exit(3);
}

static __attribute__((constructor(101))) void open_file(void)
{
    const char *name = getenv("CUDACPU_CALLS");
    if (name != NULL)
    {
        file = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
        {
            refuse();
        }
        call_log_is_wanted = true;
    }
}

// One write for a line: lines of several threads do not mix.
static void write_line(const char *call, cudaError_t result, const char *position)
{
    char line[1000];
    const int length = snprintf(line, sizeof(line), "%s: %s = %d\n", position, call, (int)result);
    const size_t bytes = length < (int)sizeof(line) ? (size_t)length : sizeof(line) - 1;
    size_t done = 0;
    while (done < bytes)
    {
        const ssize_t written = write(file, line + done, bytes - done);
        if (written < 0 && errno != EINTR)
        {
            refuse();
        }
        done += written > 0 ? (size_t)written : 0;
    }
}

enum
{
    MAX_PLACES = 256
};

// Where a call stands. To ask addr2line takes milliseconds, so places are kept.
static void place_of(void *const *pcs, int num, char *text, size_t size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct
    {
        uint64_t key;
        char text[300];
    } places[MAX_PLACES];
    uint64_t key = 1;
    for (int i = 0; i < num; ++i)
    {
        key = (key ^ (uintptr_t)pcs[i]) * 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
    }
    pthread_mutex_lock(&lock);
    const size_t slot = key % MAX_PLACES;
    if (places[slot].key != key)
    {
        char *known = places[slot].text;
        if (!report_position_of(pcs, num, known, sizeof(places[slot].text)))
        {
            snprintf(known, sizeof(places[slot].text), "?");
        }
        places[slot].key = key;
    }
    snprintf(text, size, "%s", places[slot].text);
    pthread_mutex_unlock(&lock);
}

cudaError_t call_log_note(cudaError_t result, const char *format, ...)
{
    char call[600];
    va_list values;
    va_start(values, format);
    vsnprintf(call, sizeof(call), format, values);
    va_end(values);
    void *pcs[MAX_CALLERS];
    char position[300];
    place_of(pcs, report_callers(pcs, NULL), position, sizeof(position));
    write_line(call, result, position);
    return result;
}

void call_log_note_launch(cudaError_t result, const void *from, const char *name, dim3 grid,
                          dim3 block, size_t shared_bytes)
{
    char call[600];
    snprintf(call, sizeof(call), "%.300s<<<(%u, %u, %u), (%u, %u, %u), %zu>>>", name, grid.x,
             grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
    void *pcs[MAX_CALLERS] = {(char *)from - 1};
    char position[300];
    place_of(pcs, 1, position, sizeof(position));
    if (strcmp(position, "?") == 0)
    {
        place_of(pcs, report_callers(pcs, from), position, sizeof(position));
    }
    write_line(call, result, position);
}
