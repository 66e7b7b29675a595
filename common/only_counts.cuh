// Of the two programs that make builds where there is no GPU, the counted one: see counts.cuh.
#pragma once
#include "on_gpu.cuh"

#if ON_GPU
static inline bool only_counts(void) { return false; }
#else
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

const char *const COUNTS_TO = "SUITE_COUNTS_TO"; // the number of the pipe to the plain program

// Whether a plain program has started this one. Then it only counts: it checks nothing and writes no file.
static inline bool only_counts(void)
{
    static const bool answer = getenv(COUNTS_TO) != NULL;
    return answer;
}

// It ends with the plain program. (This runs before main.)
__attribute__((constructor)) static inline void end_with_plain(void)
{
    if (only_counts())
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
}
#endif
