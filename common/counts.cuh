// What a piece of a program costs on a GPU, counted on a CPU. Where there is a GPU nothing is counted.
//
//     begin_counts();
//     add<<<grid_size, block_size>>>(d_x, d_y, N);
//     const Counts counts = end_counts(); // it waits for the kernels
//
// Counting makes a kernel slow. So make builds a program twice: reduce, and counted/reduce by
// cpucc --count. The plain one checks, and starts the counted one with its own arguments. That makes
// the same runs and sends what each has cost, and checks nothing. A program that was compiled by
// cpucc --count alone counts by itself.
#pragma once
#include "only_counts.cuh"

// Sums over the requests of warps. A request is one execution of one access by the lanes that are there.
struct AccessSums
{
    double requests, lanes; // lanes: each that took part in a request counts
    double units,
        least; // sectors of global memory, wavefronts of shared, addresses of constant memory
};

struct CountSums
{
    AccessSums loads, stores; // of global memory
    AccessSums shared;        // loads and stores
    AccessSums constants;
    AccessSums global_atomics, shared_atomics;
    double together; // of both: the sum of the most lanes at one address
    double conflict; // shared memory: wavefronts over the least, of the access that wastes most
    double launches, blocks, threads, warps;
    double barriers;               // each block at each barrier
    double exchanges;              // shuffles and votes of a warp
    double steps, active;          // basic blocks of a warp, and their lanes
    double parted;                 // after how many lanes went different ways
    double to_device, from_device; // bytes copied
};

struct Counts
{
    bool is_known;
    CountSums sums;
};

#if ON_GPU
static inline void begin_counts(void) {}
static inline Counts end_counts(void) { return {}; }
#else
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "error.cuh"

#ifdef CUDACPU_COUNTER
#include <cudacpu_counts.h>

static inline AccessSums sums_of(const cudacpu_access *a)
{
    return {a->requests, a->lanes, a->units, a->least};
}

static inline CountSums all_sums(void)
{
    cudacpu_counts c;
    CountSums sums;
    cudacpu_end_counts(&c);
    sums.loads = sums_of(&c.loads);
    sums.stores = sums_of(&c.stores);
    sums.shared = sums_of(&c.shared);
    sums.constants = sums_of(&c.constants);
    sums.global_atomics = sums_of(&c.global_atomics);
    sums.shared_atomics = sums_of(&c.shared_atomics);
    sums.together = c.together;
    sums.conflict = c.conflict;
    sums.launches = c.launches;
    sums.blocks = c.blocks;
    sums.threads = c.threads;
    sums.warps = c.warps;
    sums.barriers = c.barriers;
    sums.exchanges = c.exchanges;
    sums.steps = c.steps;
    sums.active = c.active;
    sums.parted = c.parted;
    sums.to_device = c.to_device;
    sums.from_device = c.from_device;
    return sums;
}

static inline void begin_counts(void) { cudacpu_begin_counts(); }

static inline Counts end_counts(void)
{
    const Counts counts = {true, all_sums()};
    CHECK_LAUNCH();
    if (only_counts())
    {
        const ssize_t size = sizeof(counts.sums);
        if (write(atoi(getenv(COUNTS_TO)), &counts.sums, size) != size)
        {
            exit(1); // the plain program has ended
        }
    }
    return counts;
}
#else
inline int g_counts_from = -1; // the pipe from the counted program
inline pid_t g_counted;        // that program; 0: none has been started, -1: there is none

static inline void end_counted(void)
{
    kill(g_counted, SIGKILL);
    waitpid(g_counted, NULL, 0);
}

// counted/reduce, beside the program reduce.
static inline void counted_program(char path[4096 + 16])
{
    const ssize_t length = readlink("/proc/self/exe", path, 4096);
    path[length > 0 ? length : 0] = '\0';
    char *name = strrchr(path, '/');
    if (name != NULL)
    {
        memmove(name + 8, name, strlen(name) + 1);
        memcpy(name, "/counted", 8);
    }
}

// The arguments of this program, as it was started.
static inline char **own_arguments(void)
{
    static char text[1 << 16];
    static char *arguments[1024];
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, sizeof(text) - 1) : -1;
    close(file);
    int count = 0;
    for (ssize_t at = 0; at < length && count < 1023; at += strlen(text + at) + 1)
    {
        arguments[count++] = text + at;
    }
    return arguments;
}

// Starts the counted program, once. CUDACPU_COUNT=none: none is wanted.
static inline void start_counted(void)
{
    const char *wish = getenv("CUDACPU_COUNT");
    char path[4096 + 16], number[16];
    int ends[2];
    if (g_counted != 0)
    {
        return;
    }
    g_counted = -1;
    counted_program(path);
    if ((wish != NULL && strcmp(wish, "none") == 0) || access(path, X_OK) != 0 ||
        pipe2(ends, O_CLOEXEC) != 0)
    {
        return;
    }
    const int to = fcntl(ends[1], F_DUPFD, 3); // without O_CLOEXEC
    snprintf(number, sizeof(number), "%d", to);
    setenv(COUNTS_TO, number, 1);
    setenv("CUDACPU_COUNT", "none", 1); // its tables at the end
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&g_counted, path, &actions, NULL, own_arguments(), environ) == 0)
    {
        g_counts_from = ends[0];
        atexit(end_counted);
    }
    else
    {
        g_counted = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    unsetenv(COUNTS_TO);
    wish != NULL ? setenv("CUDACPU_COUNT", wish, 1) : unsetenv("CUDACPU_COUNT");
    close(ends[1]);
    close(to);
}

static inline void begin_counts(void) { start_counted(); }

// What the counted program says of the same run.
static inline Counts end_counts(void)
{
    Counts counts = {};
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    size_t have = 0;
    ssize_t more = 1;
    while (g_counts_from >= 0 && have < sizeof(counts.sums) && more > 0)
    {
        more = read(g_counts_from, (char *)&counts.sums + have, sizeof(counts.sums) - have);
        have += more > 0 ? more : 0;
        more = more < 0 && errno == EINTR ? 1 : more;
    }
    counts.is_known = have == sizeof(counts.sums);
    return counts;
}
#endif
#endif
