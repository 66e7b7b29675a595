// What every file of the runtime needs.
#ifndef CUDACPU_BASE_H
#define CUDACPU_BASE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cuda_runtime_api.h"

enum
{
    WARP_SIZE = 32,
    MAX_BLOCK_THREADS = 1024,
    MAX_WARPS = MAX_BLOCK_THREADS / WARP_SIZE,
    NO_THREAD = MAX_BLOCK_THREADS,

    CACHE_LINE = 64,

    NUM_MULTIPROCESSORS = 8, // that a device says it has, whatever the machine is

    STATIC_SHARED_LIMIT = 48 * 1024,
    DYNAMIC_SHARED_LIMIT = 227 * 1024
};

// The runtime is linked into the program, so its thread-local variables have fixed places, and no
// table has to be read to find them.
#define THREAD_LOCAL __thread __attribute__((tls_model("local-exec")))

// For fields that each turn of a thread sets, and others read soon after. A processor that reads a
// part of eight bytes of which another part has just been written waits until the write is done.
#define OFTEN_SET _Alignas(8)

double seconds_now(void);
const char *base_name(const char *path);
int wished_count(const char *variable, int most, int otherwise);
double wished_number(const char *variable, double least, double most, double otherwise);
void show_wish(const char *variable, char *text, size_t size);
bool wished(const char *variable);
_Noreturn void exhausted(const char *what, int error);

#endif
