// A table: its titles and its rows, as text or, with --csv, as comma-separated values.
//
//     const Column COLUMNS[] = {{"stride", "%6.0f"}, {TIME_UNIT, "%10.4g"}, {"GB/s", "%9.1f"}};
//     begin_table(COLUMNS, 3);
//     for (...)
//     {
//         put(stride);
//         put(timer.median);
//         put(rate_of(bytes, timer.median));
//         end_row();
//     }
//
// A table of times is begun by begin_timed_table. Where there is no GPU, times would mislead: what this
// program printed on a card stands there instead, once for all its tables. With --csv the rows are the
// program's own, without times.
//
// The format of a column is one of printf, for a double or, with %s, for a text. It says how wide the
// column is. A number that is NAN is left out. A column whose format begins with a blank ends the
// row, two blanks behind the others. If its title is "remark", it is not shown in the text.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.cuh"
#include "card.cuh"

struct Column
{
    const char *title, *format;
    const char *short_title; // for the text, if `title` is too wide for it
};

static const Column *g_columns; // of the table that is being printed
static int g_num_columns;
static int g_column;     // the next one of the row
static bool g_is_hidden; // the table is not printed

// ---- What follows from a time, for all tables ----

// 10^9 things a second: GB/s of bytes, GFLOP/s of operations. NAN if there are none.
static inline double rate_of(double amount, double ms)
{
    return amount > 0.0 ? amount / ms * 1e-6 : NAN;
}

// NAN if the whole is not known.
static inline double percent_of(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : NAN;
}

// How many times as fast this is as what took `other_ms`.
static inline double times_as_fast(double other_ms, double ms) { return other_ms / ms; }

// ---- Titles and rows ----

static inline void put_cell(const char *text)
{
    const char *format = g_columns[g_column].format;
    const int width = atoi(format + (*format == '%' ? 1 : 2)); // negative: on the left
    if (g_is_hidden)
    {
    }
    else if (args.csv)
    {
        const bool is_quoted = strchr(text, ',') != NULL;
        printf(is_quoted ? "%s\"%s\"" : "%s%s", g_column > 0 ? "," : "", text);
    }
    else
    {
        printf("%s%*s", g_column == 0 ? "" : *format == ' ' ? "  " : " ", width, text);
    }
    ++g_column;
}

// A cell more than there are columns, or one of the wrong kind, is an error of the program.
static inline void check_cell(bool is_text)
{
    const bool is_there = g_column < g_num_columns;
    if (!is_there || (strchr(g_columns[g_column].format, 's') != NULL) != is_text)
    {
        fprintf(stderr, "table.cuh: column %d of %d is no %s\n", g_column + 1, g_num_columns,
                is_text ? "text" : "number");
        exit(1);
    }
}

static inline void put(double value)
{
    check_cell(false);
    char text[64];
    snprintf(text, sizeof(text), g_columns[g_column].format, value);
    const char *number = text + strspn(text, " ");
    text[strcspn(number, " ") + (number - text)] = '\0'; // a column on the left
    put_cell(isnan(value) ? "" : number);
}

static inline void put_text(const char *text)
{
    check_cell(true);
    put_cell(text);
}

static inline void end_row(void)
{
    if (g_column != g_num_columns)
    {
        fprintf(stderr, "table.cuh: a row has %d of %d columns\n", g_column, g_num_columns);
        exit(1);
    }
    printf(g_is_hidden ? "" : "\n");
    fflush(stdout); // a row may take long, and is to be read at once
    g_column = 0;
}

static inline void begin_any_table(const Column *columns, int count, bool is_hidden)
{
    g_is_hidden = is_hidden;
    g_columns = columns;
    g_num_columns = count;
    for (g_column = 0; g_column < count;)
    {
        const Column *column = &columns[g_column];
        const bool has_title = args.csv || strcmp(column->title, "remark") != 0;
        if (has_title)
        {
            const bool is_short = !args.csv && column->short_title != NULL;
            put_cell(is_short ? column->short_title : column->title);
        }
        else
        {
            ++g_column;
        }
    }
    end_row();
}

static inline void begin_table(const Column *columns, int count)
{
    begin_any_table(columns, count, false);
}

// The line of titles, as a card's run has it.
static inline void card_titles(const Column *columns, int count, char *line, size_t room)
{
    line[0] = '\0';
    for (int c = 0; c < count; ++c)
    {
        const char *title =
            columns[c].short_title != NULL ? columns[c].short_title : columns[c].title;
        const bool is_shown = strcmp(title, "remark") != 0;
        const size_t length = strlen(line);
        snprintf(line + length, room - length, " %s",
                 !is_shown                        ? ""
                 : strncmp(title, "CPU ", 4) == 0 ? title + 4
                                                  : title);
    }
}

static inline void begin_timed_table(const Column *columns, int count, const char *card_from = "")
{
    if (!ON_GPU)
    {
        char titles[512];
        card_titles(columns, count, titles, sizeof(titles));
        print_card_run(card_from, titles);
    }
    begin_any_table(columns, count, !ON_GPU && !args.csv);
}

// A number that follows from a time, also from one that the host's clock has given.
static inline void put_timed(double value) { put(ON_GPU ? value : NAN); }

// A line beside a table of times.
#define print_timed_note(...) (ON_GPU ? print_note(__VA_ARGS__) : (void)0)
