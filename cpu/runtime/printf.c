// printf in kernels: a thread waits with its line until no other lane of the warp can go on.
#include "schedule.h"
#include "printf.h"
#include <stdarg.h>
#include <stdio.h>

// CUDA's printf returns the number of arguments that it has printed.
static int count_arguments(const char *format)
{
    int count = 0;
    for (const char *p = strchr(format, '%'); p != NULL; p = strchr(p, '%'))
    {
        count += p[1] != '%';
        p += p[1] == '%' ? 2 : 1;
    }
    return count;
}

CALLED_BY_KERNELS int cudacpu_vprintf(int position, const char *format, va_list values)
{
    Worker *worker = this_worker;
    if (worker == NULL || !worker->in_kernel)
    {
        return vprintf(format, values);
    }
    if (format == NULL)
    {
        return -1;
    }
    set_preemptible(worker, false);
    char *text = NULL;
    const bool printed = vasprintf(&text, format, values) >= 0;
    if (printed)
    {
        const unsigned thread = worker->current;
        count_the_living(worker);
        print_wait(&worker->print, thread, text, position);
        suspend(worker);
    }
    set_preemptible(worker, true);
    return printed ? count_arguments(format) : -2;
}

CALLED_BY_KERNELS int cudacpu_printf(int position, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int count = cudacpu_vprintf(position, format, values);
    va_end(values);
    return count;
}
