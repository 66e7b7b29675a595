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
    char name[64];     // "H100"
    const char *lines; // what the program printed, each line after 4 blanks; NULL: not known
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
        copy_value(text, "device: NVIDIA ", known.name, sizeof(known.name));
        known.name[strcspn(known.name, " ")] = '\0'; // "H100 80GB HBM3"
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

// Whether the line above these titles begins with `what`.
static inline bool is_table_of(const char *titles, const char *what)
{
    const char *line = titles - 1;
    while (line > card_run()->lines && line[-1] != '\n')
    {
        --line;
    }
    const size_t length = strlen(what);
    return strncmp(line, "    ", 4) == 0 && strncmp(line + 4, what, length) == 0 &&
           line[4 + length] == ',';
}

// The table of `what`: the one with this number, from 0 on, or else the first one, as the program may
// have been told to show another one. Returns its line of titles. NULL: there is none.
static inline const char *card_table(const char *what, int number)
{
    const char *from = card_run()->lines, *found = NULL;
    const char *const end = from != NULL ? from + strlen(from) : NULL;
    for (int i = 0; from != NULL; ++i)
    {
        const char *line = find_line(from, end, "    version ");
        if (line != NULL && is_table_of(line, what) && (found == NULL || i == number))
        {
            found = line;
        }
        from = line != NULL ? end_of(line) + 1 : NULL;
    }
    return found;
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
    value = value != NULL                  ? value + 7
            : strstr(text, "N = ") != NULL ? strstr(text, "N = ") + 4
                                           : "";
    snprintf(size, room, "%.*s", (int)strcspn(value, ","), value);
}

// Whether this run differs from the card's in more than its size: other blocks, or an option of the
// program's own that `told`, a list of names, has not: by those it chooses a table, which says so.
static inline bool is_another_run(const char *told)
{
    for (int i = 0; i < args.num_options; ++i)
    {
        const char *name = args.options[i].name, *const ALIKE[] = {"n", "k", "r", "s", "csv"};
        bool is_alike = !args.options[i].is_given || (told != NULL && strstr(told, name) != NULL);
        for (int a = 0; a < 5; ++a)
        {
            is_alike = is_alike || strcmp(name, ALIKE[a]) == 0;
        }
        if (!is_alike)
        {
            return true;
        }
    }
    return false;
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
    const size_t last =
        title + 3 - titles + too_wide; // its titles and its numbers end in one column
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

// Whether two lines are alike but for their blanks.
static inline bool is_same_line(const char *a, const char *b)
{
    for (;; ++a, ++b)
    {
        a += strspn(a, " ");
        b += strspn(b, " ");
        const bool ends = *a == '\0' || *a == '\n';
        if (ends || *a != *b)
        {
            return ends && (*b == '\0' || *b == '\n');
        }
    }
}

// Whether the program printed such a line there. One that has another table since then did not.
static inline bool has_card_line(const char *wanted)
{
    const char *line = card_run()->lines;
    while (line != NULL && *line != '\0' && !is_same_line(line, wanted))
    {
        line = end_of(line) + (*end_of(line) == '\n');
    }
    return line != NULL && *line != '\0';
}

// All that the program printed there, but for the device and the verdict. With `from`, only what comes
// from the line on that begins so: what stands above it this program has printed itself. With `titles`,
// only if there is a line of these. Once, however often it is called.
static inline void print_card_run(const char *from = "", const char *titles = NULL)
{
    static bool is_printed = false;
    if (is_printed || args.csv)
    {
        return;
    }
    is_printed = true;
    char start[128];
    snprintf(start, sizeof(start), "    %s", from);
    const char *line = card_run()->lines;
    if (line == NULL || (titles != NULL && !has_card_line(titles)))
    {
        puts(said("a CPU cannot show these times, and there is no file with those of a GPU"));
        return;
    }
    printf(said("a CPU cannot show these times; on an %s this program printed:\n"),
           card_run()->name);
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
