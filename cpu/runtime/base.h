// What every file of the runtime needs: the time, and an end where the machine has no more to give.
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

    STATIC_SHARED_LIMIT = 48 * 1024,
    DYNAMIC_SHARED_LIMIT = 227 * 1024
};

// The runtime is part of the program, not of a library that is loaded later: its variables of a
// thread are found without a look at a table.
#define THREAD_LOCAL __thread __attribute__((tls_model("local-exec")))

double seconds_now(void);
const char *base_name(const char *path);
_Noreturn void exhausted(const char *what, int error);

#endif
