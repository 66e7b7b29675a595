// A function that comes to its end without the return of its value. What such a function does is
// undefined: an optimizing compiler lets it run into the code behind it. So the compiler puts a call of
// this in its place (-fsanitize=return).
#include <stdio.h>
#include "report.h"

typedef struct Missing // the compilers' layout
{
    const char *file;
    uint32_t line, column; // of the function
} Missing;

_Noreturn __attribute__((weak)) void __ubsan_handle_missing_return(const Missing *where)
{
    static const char what[] =
        "a function ends without the return of its value: the function that begins here";
    Worker *worker = worker_if_any();
    if (worker != NULL && worker->in_kernel)
    {
        set_preemptible(worker, false);
        if (launch_fail(worker->launch, cudaErrorLaunchFailure))
        {
            report_counted(worker, worker->current, where->file, (int)where->line, what);
        }
        worker_abandon(worker, cudaErrorLaunchFailure);
    }
    fflush(stdout);
    fprintf(stderr, "CPU backend: host code at %s:%d: %s\n", base_name(where->file),
            (int)where->line, what);
    abort();
}
