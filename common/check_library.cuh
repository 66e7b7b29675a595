// The report on a library's status, and exit 3: common to all headers check_LIB.cuh.
//
// The libraries are no part of the runtime, and each has its own status codes. Each header defines
// a macro like CHECK for one library, and includes only the declarations of this library.
#pragma once
#include <stdio.h>
#include <stdlib.h>

// `text` is the call as written (#call here would be as expanded: cublasCreate_v2); `name` is a
// function from the status to its name.
#define CHECK_LIBRARY(library, call, text, success, name)                              \
    do                                                                                 \
    {                                                                                  \
        const auto check_status = (call);                                              \
        if (check_status != (success))                                                 \
        {                                                                              \
            report_library_error(library, __FILE__, __LINE__, text, (int)check_status, \
                                 name(check_status));                                  \
        }                                                                              \
    } while (0)

// A line of the switch by which a library without names of its own gets them.
#define STATUS_NAME(status) \
    case status:            \
        return #status;

static inline void report_library_error(const char *library, const char *file, int line,
                                        const char *call, int code, const char *name)
{
    fflush(stdout);
    fprintf(stderr, "%s error:\n", library);
    fprintf(stderr, "  File:       %s\n", file);
    fprintf(stderr, "  Line:       %d\n", line);
    fprintf(stderr, "  Call:       %s\n", call);
    fprintf(stderr, "  Error code: %d\n", code);
    fprintf(stderr, "  Error name: %s\n", name);
    exit(3);
}
