// The output of kernels is collected here. It comes out when the host synchronizes.
#include "print.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;
static char *print_buffer;
static size_t print_length, print_capacity;
static const size_t PRINT_LIMIT = 64 << 20; // more is not kept, but comes out at once

// The caller holds the lock.
static void write_out(void)
{
    if (print_length > 0)
    {
        fwrite(print_buffer, 1, print_length, stdout);
        print_length = 0;
    }
}

static void print_add(const char *text, size_t length)
{
    if (length == 0)
    {
        return;
    }
    pthread_mutex_lock(&print_lock);
    if (print_length + length > PRINT_LIMIT)
    {
        write_out();
    }
    if (print_length + length > print_capacity)
    {
        const size_t capacity = 2 * (print_length + length) + 4096;
        char *larger = realloc(print_buffer, capacity);
        if (larger == NULL) // as on a GPU whose buffer is full: the rest is lost
        {
            pthread_mutex_unlock(&print_lock);
            return;
        }
        print_buffer = larger;
        print_capacity = capacity;
    }
    memcpy(print_buffer + print_length, text, length);
    print_length += length;
    pthread_mutex_unlock(&print_lock);
}

void print_flush(void)
{
    pthread_mutex_lock(&print_lock);
    write_out();
    pthread_mutex_unlock(&print_lock);
}

// Prints what the lanes of a warp have ready for the printf that stands first in the source, in
// the order of the lanes, as a GPU's warp in lockstep would. Returns these lanes: they go on. A
// lane without a text only waits for its turn.
uint32_t print_warp(Print *print, unsigned warp)
{
    int first = -1;
    uint32_t printed = 0;
    for (uint32_t rest = print->waiting[warp]; rest != 0; rest &= rest - 1)
    {
        const int position = print->position[warp * WARP_SIZE + __builtin_ctz(rest)];
        first = first < 0 || position < first ? position : first;
    }
    for (uint32_t rest = print->waiting[warp]; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest), thread = warp * WARP_SIZE + lane;
        if (print->position[thread] == first)
        {
            if (print->text[thread] != NULL)
            {
                print_add(print->text[thread], strlen(print->text[thread]));
                free(print->text[thread]);
                print->text[thread] = NULL;
            }
            printed |= 1u << lane;
        }
    }
    print->waiting[warp] &= ~printed;
    return printed;
}

// Drops the lines that an abandoned block has not printed yet.
void print_drop(Print *print, unsigned num_warps)
{
    for (unsigned warp = 0; warp < num_warps; ++warp)
    {
        for (uint32_t rest = print->waiting[warp]; rest != 0; rest &= rest - 1)
        {
            const unsigned thread = warp * WARP_SIZE + __builtin_ctz(rest);
            free(print->text[thread]);
            print->text[thread] = NULL;
        }
        print->waiting[warp] = 0;
    }
}
