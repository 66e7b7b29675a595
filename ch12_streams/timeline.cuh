// A timeline in text: a row for each line, a column for each slice of time.
//
//     const Span spans[] = {{"copy in", 0.0, 1.0}, {"kernel", 1.0, 2.2}, {"copy in", 1.0, 2.0}};
//     print_timeline(spans, 3);
//
//     copy in  1111111111111111111111111112222222222222222222222222222
//     kernel                              111111111111111111111111111111111
//     ms       0              0.55           1.1            1.65           2.2
//
// The spans of a line are numbered in the order in which they are given: 1 to 9, a to z, and from
// the beginning again. A * stands where spans of the same line overlap. Times are in milliseconds.
// The timeline begins with the earliest span. Where there is no GPU nothing overlaps: what the
// program printed on a card stands there instead.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../common/card.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"

const int TIMELINE_COLUMNS = 60;
const int TIMELINE_TICKS = 4; // parts of the scale

typedef struct Span
{
    const char *line;  // the name of its row
    double start, end; // ms since any moment that all spans share
} Span;

// The character of one column: what the spans of this line do between the times `from` and `to`.
static inline char timeline_character(const Span *spans, int num_spans, const char *line,
                                      double from, double to)
{
    const char *const numbers = "123456789abcdefghijklmnopqrstuvwxyz";
    double longest = 0.0, sum = 0.0;
    char character = ' ';
    int number = 0; // of the span within its line
    for (int i = 0; i < num_spans; ++i)
    {
        if (strcmp(spans[i].line, line) != 0)
        {
            continue;
        }
        const double time = fmin(spans[i].end, to) - fmax(spans[i].start, from);
        if (time > 0.0)
        {
            sum += time;
        }
        if (time > longest)
        {
            longest = time;
            character = numbers[number % strlen(numbers)];
        }
        ++number;
    }
    // Spans that only follow each other fill the slice once at most.
    return sum > 1.5 * (to - from) ? '*' : character;
}

// Whether an earlier span belongs to the same line. The line has its row already then.
static inline bool timeline_has_row(const Span *spans, int i)
{
    for (int j = 0; j < i; ++j)
    {
        if (strcmp(spans[j].line, spans[i].line) == 0)
        {
            return true;
        }
    }
    return false;
}

static inline void print_timeline(const Span *spans, int num_spans)
{
    if (!ON_GPU)
    {
        print_card_run();
        return;
    }
    if (num_spans == 0)
    {
        return;
    }
    double first = spans[0].start, last = spans[0].end;
    int width = (int)strlen(TIME_UNIT); // of the longest name
    for (int i = 0; i < num_spans; ++i)
    {
        const int length = (int)strlen(spans[i].line);
        first = fmin(first, spans[i].start);
        last = fmax(last, spans[i].end);
        width = length > width ? length : width;
    }

    const double slice = (last - first) / TIMELINE_COLUMNS;
    for (int i = 0; i < num_spans; ++i)
    {
        if (timeline_has_row(spans, i))
        {
            continue;
        }
        char row[TIMELINE_COLUMNS + 1] = "";
        int length = 0; // without the blanks at the end
        for (int column = 0; column < TIMELINE_COLUMNS; ++column)
        {
            const double from = first + column * slice;
            row[column] = timeline_character(spans, num_spans, spans[i].line, from, from + slice);
            if (row[column] != ' ')
            {
                length = column + 1;
            }
        }
        row[length] = '\0';
        print_note("%-*s  %s\n", width, spans[i].line, row);
    }

    // The scale: a number at the beginning of each part, and one at the end.
    char scale[2 * TIMELINE_COLUMNS] = "";
    int length = 0;
    for (int tick = 0; tick <= TIMELINE_TICKS; ++tick)
    {
        const int column = tick * TIMELINE_COLUMNS / TIMELINE_TICKS;
        length += snprintf(scale + length, sizeof(scale) - length, "%*s%.3g", column - length, "",
                           column * slice);
    }
    print_note("%-*s  %s\n", width, TIME_UNIT, scale);
}
