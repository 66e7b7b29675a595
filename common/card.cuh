// What this program printed on a GPU, for where there is none: from a result file of `make bench
// PLAIN=1`, which make copies to build/card.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.cuh"
#include "real.cuh"

struct CardRun
{
    char name[64], file[64]; // "NVIDIA H200", "2026-11-27-nvidia-h200"
    const char *lines;       // what the program printed, each line after 4 blanks; NULL: not known
};

// The end of a line: its newline, or the end of the text.
static inline const char *end_of(const char *line) { return line + strcspn(line, "\n"); }

// The line that begins with `start`, up to `limit`, or NULL.
static inline const char *find_line(const char *from, const char *limit, const char *start)
{
    for (const char *line = from; line < limit && *line != '\0';
         line = end_of(line) + (*end_of(line) == '\n'))
    {
        if (strncmp(line, start, strlen(start)) == 0)
        {
            return line;
        }
    }
    return NULL;
}

static inline void copy_value(const char *text, const char *key, char *value, size_t size)
{
    const char *line = find_line(text, text + strlen(text), key);
    if (line != NULL)
    {
        line += strlen(key);
        snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

static inline char *read_card(void)
{
    const size_t MOST_BYTES = 1 << 22;
    FILE *file = open_built("card");
    char *text = file != NULL ? (char *)calloc(1, MOST_BYTES + 1) : NULL;
    if (text != NULL)
    {
        text[fread(text, 1, MOST_BYTES, file)] = '\0';
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return text;
}

// The card's run of this program without arguments.
static inline const CardRun *card_run(void)
{
    static CardRun known = {};
    static bool is_read = false;
    char *text = is_read ? NULL : read_card();
    is_read = true;
    if (text != NULL)
    {
        char command[256];
        copy_value(text, "device: ", known.name, sizeof(known.name));
        copy_value(text, "file: ", known.file, sizeof(known.file));
        snprintf(command, sizeof(command), "$ %s%s\n", sizeof(real) == 8 ? "dp/" : "",
                 args.program);
        char *line = (char *)find_line(text, text + strlen(text), command);
        if (line != NULL)
        {
            known.lines = end_of(line) + 1;
            char *end = strstr(line, "\n\n$ ");
            (end != NULL ? end : line + strlen(line))[0] = '\0';
        }
    }
    return &known;
}

// ---- A row of a table of versions ----

// The table with this number, from 0 on: its line of titles. NULL: there is none.
static inline const char *card_table(int number)
{
    const char *from = card_run()->lines, *line = NULL;
    const char *const end = from != NULL ? from + strlen(from) : NULL;
    for (int i = 0; from != NULL && i <= number; ++i)
    {
        line = find_line(from, end, "    version ");
        from = line != NULL ? end_of(line) + 1 : NULL;
    }
    return line;
}

// The size above this table: "10000x10000", "100000000".
static inline void card_size(const char *titles, char *size, size_t room)
{
    const char *line = titles - 1;
    while (line > card_run()->lines && line[-1] != '\n')
    {
        --line;
    }
    char text[256];
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
    const char *value = strstr(text, "size = ");
    value = value != NULL ? value + 7 : strstr(text, "N = ") != NULL ? strstr(text, "N = ") + 4 : "";
    snprintf(size, room, "%.*s", (int)strcspn(value, ","), value);
}

// The median time of a row, in ms, or NAN.
static inline double card_ms(const char *titles, const char *name)
{
    const char *const title = titles != NULL ? strstr(titles, " ms ") : NULL;
    if (title == NULL || title > end_of(titles))
    {
        return NAN;
    }
    char start[128];
    snprintf(start, sizeof(start), "    %s ", name);
    const char *const end = titles + strlen(titles);
    const char *next = find_line(end_of(titles) + 1, end, "    version "); // this table ends there
    const char *row = find_line(end_of(titles) + 1, next != NULL ? next : end, start);
    if (row == NULL)
    {
        return NAN;
    }
    const size_t too_wide = strlen(name) > 16 ? strlen(name) - 16 : 0;
    const size_t last = title + 3 - titles + too_wide; // its titles and its numbers end in one column
    char cell[16] = "";
    if (last <= strcspn(row, "\n"))
    {
        snprintf(cell, sizeof(cell), "%.10s", row + last - 10);
    }
    char *rest;
    const double ms = strtod(cell, &rest);
    return rest != cell && *rest == '\0' ? ms : NAN;
}

// ---- A table that only a card can show ----

// All that the program printed there, but for the device and the verdict. With `from`, only what comes
// from the line on that begins so: what stands above it this program has printed itself. Once, however
// often it is called.
static inline void print_card_run(const char *from = "")
{
    static bool is_printed = false;
    if (is_printed || args.csv)
    {
        return;
    }
    is_printed = true;
    const char *line = card_run()->lines;
    if (line == NULL)
    {
        puts(said("a CPU cannot show these times, and there is no file with those of a GPU"));
        return;
    }
    printf(said("a CPU cannot show these times; on an %s this program printed:\n"), card_run()->name);
    char start[64];
    snprintf(start, sizeof(start), "    %s", from);
    const char *first = find_line(line, line + strlen(line), start);
    line = first != NULL ? first : line;
    for (; *line != '\0'; line = end_of(line) + (*end_of(line) == '\n'))
    {
        if (strncmp(line, "    device: ", 12) != 0 && strncmp(line, "    PASS", 8) != 0)
        {
            printf("%.*s\n", (int)strcspn(line, "\n"), line);
        }
    }
}
