// What a thread does that CUDA does not allow, and a GPU mostly lets pass.
#ifndef CUDACPU_MISTAKE_H
#define CUDACPU_MISTAKE_H
#include "check.h"
#include "worker.h"

void mistake_report(Worker *worker, unsigned thread, CheckMistake kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
