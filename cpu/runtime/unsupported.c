// Device functions that need a GPU.
#include "report.h"
#include <stdio.h>

// The kernel ends with error 801, and a line that says what it wanted.
void cudacpu_unsupported(const char *feature, const char *file, int line)
{
    Worker *worker = this_worker;
    char what[300];
    snprintf(what, sizeof(what), "%s needs a GPU: the CPU backend does not have it", feature);
    report_counted(worker, worker->current, file, line, what);
    worker_abandon(worker, cudaErrorNotSupported);
}
