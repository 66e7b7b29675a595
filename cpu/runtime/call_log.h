// The list of calls that CUDACPU_CALLS=FILE asks for.
#ifndef CUDACPU_CALL_LOG_H
#define CUDACPU_CALL_LOG_H
#include <stdbool.h>
#include "../include/cuda_runtime_api.h"

extern bool call_log_is_wanted; // from before main on

cudaError_t call_log_note(cudaError_t result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void call_log_note_launch(cudaError_t result, const void *from, const char *name, dim3 grid,
                          dim3 block, size_t shared_bytes);

// `result`, which is noted if somebody asks, with the call in the words of `format`.
#define CALL(result, ...)                                                                          \
    ({                                                                                             \
        const cudaError_t returned = (result);                                                     \
        __builtin_expect(call_log_is_wanted, 0) ? call_log_note(returned, __VA_ARGS__) : returned; \
    })

#endif
