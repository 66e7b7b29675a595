// Thrust returns no status: it throws exceptions, and a failed kernel or allocation is one of them.
// After report_thrust_errors() an exception that the program does not catch ends it with what the
// exception says, and with status 3, as CHECK does.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <exception>

static inline void end_by_exception(void)
{
    fflush(stdout);
    try
    {
        std::rethrow_exception(std::current_exception());
    }
    catch (const std::exception &exception) // thrust::system_error and std::bad_alloc are such
    {
        fprintf(stderr, "Thrust error: %s\n", exception.what());
    }
    catch (...)
    {
        fprintf(stderr, "Thrust error: an exception of an unknown type\n");
    }
    _Exit(3);
}

static inline void report_thrust_errors(void) { std::set_terminate(end_by_exception); }
