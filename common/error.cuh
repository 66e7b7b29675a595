// CHECK(call) for every runtime call, CHECK_LAUNCH() after every kernel launch.
//
// A failure is reported on stderr, with its place and CUDA's own words. The program ends with
// status 3, or with 77 if there is no device.
#pragma once
#include <stdio.h>
#include <stdlib.h>

// do { ... } while (0) makes the macro one statement, so that `if (a) CHECK(b); else c;` compiles.
// No program has a variable called check_status. With the name error_code the macro's own variable
// would hide that of the caller in CHECK(error_code).
#define CHECK(call)                                                \
    do                                                             \
    {                                                              \
        const cudaError_t check_status = (call);                   \
        if (check_status != cudaSuccess)                           \
        {                                                          \
            report_error(__FILE__, __LINE__, #call, check_status); \
        }                                                          \
    } while (0)

// A launch returns nothing, but a bad configuration sets the last error. An error inside the kernel
// shows at the next synchronizing call. Debug builds (nvcc -G) synchronize here, so the report has
// the line of the launch.
#ifdef __CUDACC_DEBUG__
#define CHECK_LAUNCH()                  \
    do                                  \
    {                                   \
        CHECK(cudaGetLastError());      \
        CHECK(cudaDeviceSynchronize()); \
    } while (0)
#else
#define CHECK_LAUNCH() CHECK(cudaGetLastError())
#endif

static inline bool is_without_device(cudaError_t error_code)
{
    return error_code == cudaErrorNoDevice || error_code == cudaErrorInsufficientDriver;
}

static inline void exit_without_device(cudaError_t error_code)
{
    fflush(stdout);
    const bool hidden = getenv("CUDA_VISIBLE_DEVICES") != NULL;
    fprintf(stderr, "no CUDA device to run on: %s; %s\n", cudaGetErrorString(error_code),
            hidden ? "CUDA_VISIBLE_DEVICES may hide it" : "`make BACKEND=cpu` builds for the CPU");
    exit(77);
}

static inline void report_error(const char *file, int line, const char *call,
                                cudaError_t error_code)
{
    if (is_without_device(error_code))
    {
        exit_without_device(error_code);
    }
    fflush(stdout);
    fprintf(stderr, "CUDA error:\n");
    fprintf(stderr, "  File:       %s\n", file);
    fprintf(stderr, "  Line:       %d\n", line);
    fprintf(stderr, "  Call:       %s\n", call);
    fprintf(stderr, "  Error code: %d\n", (int)error_code);
    fprintf(stderr, "  Error name: %s\n", cudaGetErrorName(error_code));
    fprintf(stderr, "  Error text: %s\n", cudaGetErrorString(error_code));
    exit(3);
}

// For programs whose calls are bare, with no CHECK around each: ends the program with status 3 if
// one of them has failed.
static inline void end_if_failed(cudaError_t last_error)
{
    if (last_error != cudaSuccess)
    {
        fflush(stdout);
        fprintf(stderr, "a CUDA call has failed: %s\n", cudaGetErrorString(last_error));
        exit(3);
    }
}
