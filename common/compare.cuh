// Comparing a result with its reference, and the verdict that becomes the exit status.
//
// Every check counts. A program is right only if at least one check ran and none failed. NaN
// never passes: each test asks whether the error is within bounds, never whether it is outside.
#pragma once
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "by_hand.cuh"

// One count for the whole program, of however many source files.
inline int g_checks_run = 0;
inline int g_checks_failed = 0;
inline const char *g_verdict_prefix = ""; // "# " with --csv: a line that is no row of the table

// Of the row of a table that is checked: its name, and what its check says of it for the table.
inline const char *g_row = "";
inline double g_result = NAN, g_error = NAN;

// A line beside a table. With --csv it begins with "# ", so that programs can skip it. Where LANG
// says zh it is in Chinese.
static inline void print_note(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs(g_verdict_prefix, stdout);
    vprintf(said(format), values);
    va_end(values);
}

// Counts one check; `right` is its outcome, `what` names what was compared.
static inline bool check_true(const char *what, bool right)
{
    g_checks_run++;
    if (!right)
    {
        g_checks_failed++;
        fflush(stdout);
        fprintf(stderr, said("WRONG: %s\n"), said(what));
    }
    return right;
}

// Elements of a result against a double reference: |result - reference| <= tolerance |reference|.
// With tolerance 0 they must be equal, also to the last bit of a 64-bit integer. A reference that
// is infinite must be equal too, because no finite number is close to it. A failure reports the
// first wrong element and the number of wrong ones. To compare no elements is a failure.
template <typename T, typename R>
bool check_elements(const char *what, const T *result, const R *reference, size_t N,
                    double tolerance = 0.0)
{
    size_t wrong = 0, first = 0;
    for (size_t n = 0; n < N; ++n)
    {
        const double is = (double)result[n], should = (double)reference[n];
        const bool equal = is == should && (R)result[n] == reference[n];
        const bool close = fabs(is - should) <= tolerance * fabs(should) && fabs(should) <= DBL_MAX;
        if (!(equal || (close && tolerance > 0.0)) && wrong++ == 0)
        {
            first = n;
        }
    }
    char text[256];
    if (N == 0)
    {
        snprintf(text, sizeof(text), said("%s: there are no elements to compare"), said(what));
    }
    else if (wrong > 0)
    {
        snprintf(text, sizeof(text),
                 said("%s: element %zu is %.9g, not %.9g; %zu of %zu are wrong"), said(what), first,
                 (double)result[first], (double)reference[first], wrong, N);
    }
    return check_true(wrong > 0 || N == 0 ? text : what, wrong == 0 && N > 0);
}

// No right result consists of this byte. As float and as double it makes a huge but finite number
// (a careless comparison would let NaN pass), and as an integer a number far from zero.
const int POISON_BYTE = 0x7f;

static inline void poison(void *host_memory, size_t bytes)
{
    if (bytes > 0) // memset may not be given NULL, not even for no bytes
    {
        memset(host_memory, POISON_BYTE, bytes);
    }
}

// Returns `status`, or 2 if the printed text could not be written, as on a full disk. To a script a
// table that is cut short must not look like success.
static inline int end_output(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
    {
        fputs(said("what was printed cannot be written\n"), stderr);
        return 2;
    }
    return status;
}

// The last line of a program that checks itself, and its exit status. Scripts read PASS, so it is
// the same in each language.
static inline int verdict(void)
{
    if (g_checks_run == 0)
    {
        print_note("FAIL: nothing was checked\n");
    }
    else if (g_checks_failed > 0)
    {
        print_note("FAIL: %d of %d checks\n", g_checks_failed, g_checks_run);
    }
    else
    {
        const char *s = g_checks_run == 1 ? "" : "s";
        printf("%sPASS: %d check%s\n", g_verdict_prefix, g_checks_run, s);
    }
    return end_output(g_checks_run == 0 || g_checks_failed > 0);
}
