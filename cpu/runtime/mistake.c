// What a thread does that CUDA does not allow, and a GPU mostly lets pass. The checker lists it, each place
// once. Without the checker it is said once for each launch.
#include "mistake.h"
#include <stdarg.h>
#include <stdio.h>
#include "report.h"

void mistake_report(Worker *worker, unsigned thread, CheckMistake kind, const char *format, ...)
{
    char what[400];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof(what), format, values);
    va_end(values);
    if (CUDACPU_CHECKS)
    {
        check_mistake(worker, thread, kind, what);
        report_fail_if_strict(worker);
    }
    else
    {
        report_warning(worker, thread, "%s", what);
    }
}
