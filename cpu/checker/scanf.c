// scanf and its kin: they write to managed or pinned memory what the format says.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "libc.h"

// The bytes of a number by its modifier: hh h l ll j z t L.
static size_t bytes_of(const char *modifier, size_t length, char conversion)
{
    const bool is_real = strchr("aAeEfFgG", conversion) != NULL;
    const char first = length > 0 ? modifier[0] : ' ';
    if (conversion == 'p')
    {
        return sizeof(void *);
    }
    if (is_real)
    {
        return first == 'l' ? sizeof(double) : first == 'L' ? sizeof(long double) : sizeof(float);
    }
    return first == 'h'                      ? (length == 2 ? sizeof(char) : sizeof(short))
           : strchr("ljztqL", first) != NULL ? sizeof(long)
                                             : sizeof(int);
}

// Notes what a call with this format has written that has assigned `num` values.
static void note_assigned(const char *p, va_list values, int num, const void *pc)
{
    while (*p != '\0')
    {
        if (*p++ != '%')
        {
            continue;
        }
        const bool skips = *p == '*';
        p += skips;
        char *after;
        const unsigned long width = strtoul(p, &after, 10);
        p = after;
        const char *modifier = p;
        p += strspn(p, "hljztqLm");
        const size_t length = (size_t)(p - modifier);
        const char conversion = *p;
        if (conversion == '\0')
        {
            return;
        }
        ++p;
        if (conversion == '[') // up to the bracket, which may be the first of the set
        {
            p += *p == '^';
            p += *p == ']';
            const char *end = strchr(p, ']');
            p = end != NULL ? end + 1 : p + strlen(p);
        }
        if (conversion == '%' || skips)
        {
            continue;
        }
        if (conversion != 'n' && num-- <= 0) // the call has ended here
        {
            return;
        }
        char *to = va_arg(values, char *);
        const bool is_text = conversion == 's' || conversion == '[';
        const bool is_wide = memchr(modifier, 'l', length) != NULL;
        if (memchr(modifier, 'm', length) != NULL) // it has allocated memory
        {
            libc_note_write(to, sizeof(char *), pc);
        }
        else if (is_text || conversion == 'c')
        {
            const size_t unit = is_wide ? sizeof(wchar_t) : 1;
            const size_t count = conversion == 'c' ? (width > 0 ? width : 1)
                                 : is_wide         ? wcslen((wchar_t *)to) + 1
                                                   : strlen(to) + 1;
            libc_note_write(to, count * unit, pc);
        }
        else
        {
            libc_note_write(to, bytes_of(modifier, length, conversion), pc);
        }
    }
}

#define PC __builtin_return_address(0)
// The function of the library, which takes the place of each of its names, and what of it takes a list.
#define SCANF(name, T, call)                             \
    int __wrap_##name(T *from, const char *format, ...); \
    int __wrap_##name(T *from, const char *format, ...)  \
    {                                                    \
        va_list values, again;                           \
        va_start(values, format);                        \
        va_copy(again, values);                          \
        const int num = call(from, format, values);      \
        note_assigned(format, again, num, PC);           \
        va_end(again);                                   \
        va_end(values);                                  \
        return num;                                      \
    }
SCANF(sscanf, const char, vsscanf)
SCANF(__isoc99_sscanf, const char, vsscanf)
SCANF(__isoc23_sscanf, const char, vsscanf)
SCANF(fscanf, FILE, vfscanf)
SCANF(__isoc99_fscanf, FILE, vfscanf)
SCANF(__isoc23_fscanf, FILE, vfscanf)

#define SCANF_OF_INPUT(name)                    \
    int __wrap_##name(const char *format, ...); \
    int __wrap_##name(const char *format, ...)  \
    {                                           \
        va_list values, again;                  \
        va_start(values, format);               \
        va_copy(again, values);                 \
        const int num = vscanf(format, values); \
        note_assigned(format, again, num, PC);  \
        va_end(again);                          \
        va_end(values);                         \
        return num;                             \
    }
SCANF_OF_INPUT(scanf)
SCANF_OF_INPUT(__isoc99_scanf)
SCANF_OF_INPUT(__isoc23_scanf)
