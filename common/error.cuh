// CHECK(call) for every runtime call, CHECK_LAUNCH() after every kernel launch.
//
// A failure is reported on stderr, with its place and CUDA's own words. The program ends with
// status 3, or with 77 if there is no device.
#pragma once
#include "report.cuh"

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
