// Reports to the programmer: who did it, where, and what.
#ifndef CUDACPU_REPORT_H
#define CUDACPU_REPORT_H
#include "worker.h"

void report_block_name(const Launch *launch, uint64_t block, char *text, size_t size);
void report_name(const Launch *launch, uint64_t block, unsigned thread, char *text, size_t size);
void report_error(const Worker *worker, unsigned thread, const char *file, int line,
                  const char *what);
void report_warning(Worker *worker, unsigned thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool report_position(void *pc, char *text, size_t size);

#endif
