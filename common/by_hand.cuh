// A program that is compiled by hand does without these, for a page that is easier to read: texts in
// Chinese, lines of --help that are broken, memory limits of containers. make puts common/suite on
// the path of the includes, where they are.
#pragma once
#if __has_include(<suite.cuh>)
#include <suite.cuh>
#else
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline const char *said(const char *english) { return english; }

static inline FILE *open_built(const char *) { return NULL; } // there is no build/

static inline const char *device_name(const char *name) { return name; }

static inline void print_wrapped(const char *text, int, int) { printf("%s\n", text); }

static inline void print_columns(const char *lines) { printf("%s", lines); }

static inline int columns_of(const char *, size_t length) { return (int)length; }

// Bytes of memory that the host has.
static inline double room_on_host(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}
#endif
