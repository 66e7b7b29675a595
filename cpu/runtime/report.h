// Reports to the programmer: who did it, where, and what.
#ifndef CUDACPU_REPORT_H
#define CUDACPU_REPORT_H
#include "check.h"
#include "worker.h"
#include <stdio.h>

void report_kernel_name(const Launch *launch, char *text, size_t size);
void report_block_name(const Launch *launch, uint64_t block, char *text, size_t size);
void report_name(const Launch *launch, uint64_t block, unsigned thread, char *text, size_t size);
void report_error(const Worker *worker, unsigned thread, const char *file, int line,
                  const char *what);
void report_block(const Worker *worker, const char *what);
void report_fail_if_strict(Worker *worker);
void report_warning(Worker *worker, unsigned thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum
{
    MAX_CALLERS = 32,
    PLACE_LENGTH = 300 // "file.cu:12": the name of a file has at most 255 bytes
};

int report_callers(void **pcs, const void *below);
void report_from(void *const *callers, int num, const char *what);
void report_host(void *const *pcs, int num, const char *what);
cudaError_t report_call(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
cudaError_t report_launch(cudaError_t error, const void *from, const char *name, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));
_Noreturn void report_end_of_launch(const void *from, const char *name, const char *why);
uint16_t report_library_call(void);
bool report_is_copy(const char *function);
bool report_position_of(void *const *pcs, int num, char *text, size_t size);
bool report_position(void *pc, char *text, size_t size);
bool report_position_before(void *pc, char *text, size_t size);
bool report_position_at_begin(void *pc, char *text, size_t size);

// An error that ends the kernel: the checker counts it.
static inline void count_error(const char *file, int line)
{
    if (CUDACPU_CHECKS)
    {
        char where[300];
        snprintf(where, sizeof(where), "%s:%d", base_name(file), line);
        check_reported(where);
    }
}

static inline void report_counted(const Worker *worker, unsigned thread, const char *file, int line,
                                  const char *what)
{
    report_error(worker, thread, file, line, what);
    count_error(file, line);
}

#endif
