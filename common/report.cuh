// What is said of a CUDA call that has failed, and with which status the program then ends.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "by_hand.cuh"

// The place of the call and CUDA's own words. Ends the program with status 3, or with 77 if there
// is no device. CHECK of error.cuh calls it.
static inline void report_error(const char *file, int line, const char *call,
                                cudaError_t error_code)
{
    fflush(stdout);
    if (error_code == cudaErrorNoDevice || error_code == cudaErrorInsufficientDriver)
    {
        const bool hidden = getenv("CUDA_VISIBLE_DEVICES") != NULL;
        fprintf(stderr, said("no CUDA device to run on: %s; %s\n"), cudaGetErrorString(error_code),
                hidden ? said("CUDA_VISIBLE_DEVICES may hide it")
                       : said("`make BACKEND=cpu` builds for the CPU"));
        exit(77);
    }
    fputs(said("CUDA error:\n"), stderr);
    fprintf(stderr, said("  File:       %s\n"), file);
    fprintf(stderr, said("  Line:       %d\n"), line);
    fprintf(stderr, said("  Call:       %s\n"), call);
    fprintf(stderr, said("  Error code: %d\n"), (int)error_code);
    fprintf(stderr, said("  Error name: %s\n"), cudaGetErrorName(error_code));
    fprintf(stderr, said("  Error text: %s\n"), cudaGetErrorString(error_code));
    exit(3);
}

// For programs whose calls are bare, with no CHECK around each: ends the program with status 3 if
// one of them has failed.
static inline void end_if_failed(cudaError_t last_error)
{
    if (last_error != cudaSuccess)
    {
        fflush(stdout);
        fprintf(stderr, said("a CUDA call has failed: %s\n"), cudaGetErrorString(last_error));
        exit(3);
    }
}
