// The table of versions where there is no GPU: what each version would cost on one, counted and not
// timed, and beside it the time that a card has measured.
//
// A column is printed if its numbers differ from row to row.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "card.cuh"
#include "count_columns.cuh"

const int MAX_COUNTED_ROWS = 64;

struct CountedRow
{
    const char *name, *remark;
    double result, error, ms; // ms: of the card
    const char *uncounted;    // what makes it fast that is not counted; NULL: nothing
    Counts counts;
};

// A table, until all of it is known.
struct CountedTable
{
    const char *what;
    char size[64];
    size_t element;     // bytes that a thread loads or stores at a time, as a rule
    const char *always; // keys of columns that are shown in any case; or NULL
    bool shows_result;  // else only with --book
    const char *titles; // the card's table
    int count;
    CountedRow rows[MAX_COUNTED_ROWS];
};

static inline double count_of(const CountedTable *table, int row, int column)
{
    const Counts *counts = &table->rows[row].counts;
    return counts->is_known ? COUNT_COLUMNS[column].value(&counts->sums, table->element) : NAN;
}

// Whether two numbers are to be told apart; NAN is like another NAN.
static inline bool differ(double a, double b)
{
    return isnan(a) != isnan(b) || fabs(a - b) > 0.02 * fmax(fabs(a), fabs(b));
}

// "4", "4.81", "1048576"; "none" or "32-way" of a bank conflict.
static inline void print_count(char text[32], int column, double value)
{
    const double whole = round(value);
    const bool is_whole = fabs(value - whole) < 0.005;
    text[0] = '\0';
    if (isnan(value))
    {
        return;
    }
    if (COUNT_COLUMNS[column].value == count_conflict && !args.csv)
    {
        snprintf(text, 32,
                 value < 1.005 ? "%s"
                 : is_whole    ? "%s%.0f-way"
                               : "%s%.1f-way",
                 value < 1.005 ? said("none") : "", value);
        return;
    }
    snprintf(text, 32,
             is_whole || value >= 1000.0 ? "%.0f"
             : value < 10.0              ? "%.2f"
                                         : "%.1f",
             value);
}

// Twice what would do, or more.
static inline bool is_waste(const CountedTable *table, int column, double value)
{
    return COUNT_COLUMNS[column].is_least_known
               ? value >= 2.0 * table->element
               : COUNT_COLUMNS[column].value == count_conflict && value >= 2.0;
}

// printf does not know that a Chinese letter has three bytes and is two columns wide.
static inline void print_padded(const char *text, int width)
{
    int columns = 0;
    for (const char *c = text; *c != '\0'; ++c)
    {
        columns += (*c & 0xc0) == 0x80 ? 0 : (unsigned char)*c >= 0xe0 ? 2 : 1;
    }
    const int blanks = (width < 0 ? -width : width) - columns;
    width < 0 ? printf("%s%*s", text, blanks > 0 ? blanks : 0, "")
              : printf("%*s%s", blanks > 0 ? blanks : 0, "", text);
}

// Line 0 or 1 of a title.
static inline void print_line_of(const char *title, int line, int width)
{
    char text[64];
    title += line == 0 ? 0 : strcspn(title, "\n") + 1;
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(title, "\n"), title);
    print_padded(text, width);
}

// ---- Which columns ----

// The largest number of a column over the smallest; 1 where there are no two. Wavefronts or atomics that
// only some rows have are a difference.
static inline double spread_of(const CountedTable *table, int column)
{
    const bool is_amount =
        !COUNT_COLUMNS[column].is_least_known && COUNT_COLUMNS[column].value != count_conflict;
    double least = NAN, most = NAN;
    for (int i = 0; i < table->count; ++i)
    {
        const double value = count_of(table, i, column);
        const bool is_none = isnan(value) && is_amount && table->rows[i].counts.is_known;
        least = fmin(least, is_none ? 0.0 : value); // (of NAN and a number it is the number)
        most = fmax(most, value);
    }
    return isnan(most) || most == least ? 1.0 : most / fmax(least, 1e-3 * most);
}

// Whether a column says what another one has said: its numbers are those of the other, times something.
// A bank conflict is that of one access; others of the row have none.
static inline bool says_the_same(const CountedTable *table, int column, int other)
{
    const double tolerance = COUNT_COLUMNS[other].value == count_conflict ? 2.5 : 1.3;
    double first = NAN;
    for (int i = 0; i < table->count; ++i)
    {
        if (isnan(count_of(table, i, column)) != isnan(count_of(table, i, other)))
        {
            return false; // only one of them has anything there
        }
        const double ratio = count_of(table, i, column) / count_of(table, i, other);
        if (isinf(ratio) || ratio == 0.0)
        {
            return false;
        }
        if (isfinite(ratio))
        {
            first = isnan(first) ? ratio : first;
            if (ratio > tolerance * first || first > tolerance * ratio)
            {
                return false;
            }
        }
    }
    return true;
}

struct Shown
{
    bool columns[NUM_COUNT_COLUMNS], result, error, card;
    int name_width;
};

const int MOST_COLUMNS = 6;

static inline bool is_of_an_access(int column)
{
    double (*const value)(const CountSums *, size_t) = COUNT_COLUMNS[column].value;
    return value == count_load_sectors || value == count_store_sectors || value == count_conflict ||
           value == count_constants || value == count_together;
}

static inline bool has_counts(const CountedTable *table, int column)
{
    bool has = false;
    for (int i = 0; i < table->count; ++i)
    {
        has = has || !isnan(count_of(table, i, column));
    }
    return has;
}

// Those whose numbers differ by half or more and that say something new. Of too many those that come
// last in COUNT_COLUMNS are left out. If all rows count alike, or there is only one, what an access of
// a warp takes is shown.
static inline void choose_columns(const CountedTable *table, bool *shown)
{
    int count = 0;
    for (int c = 0; c < NUM_COUNT_COLUMNS; ++c)
    {
        bool is_asked_for =
            table->always != NULL && strstr(table->always, COUNT_COLUMNS[c].key) != NULL;
        is_asked_for = is_asked_for && has_counts(table, c);
        shown[c] = is_asked_for || (spread_of(table, c) >= 1.5 && count < MOST_COLUMNS);
        for (int before = 0; before < c && shown[c] && !is_asked_for; ++before)
        {
            shown[c] = !shown[before] || !says_the_same(table, c, before);
        }
        count += shown[c];
    }
    for (int c = 0; c < NUM_COUNT_COLUMNS && count == 0; ++c)
    {
        for (int i = 0; i < table->count && is_of_an_access(c) && !shown[c]; ++i)
        {
            shown[c] = !isnan(count_of(table, i, c));
        }
    }
}

static inline Shown what_to_show(const CountedTable *table)
{
    Shown shown = {};
    choose_columns(table, shown.columns);
    shown.name_width = 15;
    for (int i = 0; i < table->count; ++i)
    {
        const CountedRow *row = &table->rows[i];
        shown.result = shown.result || ((args.book || table->shows_result) && !isnan(row->result));
        shown.error = shown.error || (!args.book && !isnan(row->error));
        shown.card = shown.card || !isnan(row->ms);
        shown.name_width = fmax(shown.name_width, strlen(row->name));
    }
    return shown;
}

// ---- Text ----

static inline void print_counted_titles(const CountedTable *table, const Shown *shown)
{
    for (int line = 0; line < 3; ++line)
    {
        print_padded(line == 0 ? said("version") : "", -shown->name_width);
        if (shown->result)
        {
            print_padded(line == 0 ? said("result") : "", 16);
        }
        if (shown->error)
        {
            print_padded(line == 0 ? said("error") : "", 10);
        }
        for (int c = 0; c < NUM_COUNT_COLUMNS; ++c)
        {
            const CountColumn *column = &COUNT_COLUMNS[c];
            char least[32] = "";
            if (column->is_least_known)
            {
                snprintf(least, sizeof(least), said("(least %zu)"), table->element);
            }
            if (shown->columns[c])
            {
                line < 2 ? print_line_of(said(column->title), line, 11) : print_padded(least, 11);
            }
        }
        if (shown->card)
        {
            char text[128];
            card_size(table->titles, text, sizeof(text));
            print_padded(line == 0 ? said("ms on an") : line == 1 ? card_run()->name : text, 16);
        }
        printf("\n");
    }
}

static inline void print_counted_row(const CountedTable *table, const Shown *shown, int i)
{
    const bool in_colour = isatty(STDOUT_FILENO);
    const CountedRow *row = &table->rows[i];
    print_padded(row->name, -shown->name_width);
    if (shown->result)
    {
        isnan(row->result) ? printf("%16s", "") : printf(" %15.9g", row->result);
    }
    if (shown->error)
    {
        isnan(row->error) ? printf("%10s", "") : printf(" %9.2g", row->error);
    }
    for (int c = 0; c < NUM_COUNT_COLUMNS; ++c)
    {
        char text[32];
        const double value = count_of(table, i, c);
        const bool is_marked = in_colour && is_waste(table, c, value);
        print_count(text, c, value);
        if (shown->columns[c])
        {
            printf("%s", is_marked ? "\033[33m" : "");
            print_padded(text, 11);
            printf("%s", is_marked ? "\033[0m" : "");
        }
    }
    if (shown->card)
    {
        isnan(row->ms) ? printf("%16s", "") : printf(" %15.4g", row->ms);
    }
    printf("%s%s\n", *row->remark != '\0' ? "  " : "", row->remark);
}

// ---- Where counts do not tell ----

static inline bool is_counted_alike(const CountedTable *table, int a, int b)
{
    for (int c = 0; c < NUM_COUNT_COLUMNS; ++c)
    {
        if (differ(count_of(table, a, c), count_of(table, b, c)))
        {
            return false;
        }
    }
    return true;
}

// Beside a row whose counts are those of the row before, or that has a reason of its own.
static inline void remark_on_uncounted(CountedTable *table)
{
    static char texts[MAX_COUNTED_ROWS][192];
    for (int i = 0; i < table->count; ++i)
    {
        CountedRow *row = &table->rows[i];
        const CountedRow *before = i > 0 ? &table->rows[i - 1] : NULL;
        if (*row->remark != '\0')
        {
            continue;
        }
        if (row->uncounted != NULL)
        {
            row->remark = args.csv ? row->uncounted : said(row->uncounted);
        }
        else if (before != NULL && before->counts.is_known && row->counts.is_known &&
                 is_counted_alike(table, i - 1, i) &&
                 fabs(log(row->ms / before->ms)) > log(1.15)) // false if one is not known
        {
            snprintf(texts[i], sizeof(texts[i]),
                     args.csv ? "counts as %s: the rest is not counted"
                              : said("counts as %s: the rest is not counted"),
                     before->name);
            row->remark = texts[i];
        }
    }
}

// ---- All of it ----

static inline void print_counted_csv(const CountedTable *table)
{
    printf("version,result,error");
    for (int c = 0; c < NUM_COUNT_COLUMNS; ++c)
    {
        printf(",%s", COUNT_COLUMNS[c].key);
    }
    printf(",card_ms,remark\n");
    for (int i = 0; i < table->count; ++i)
    {
        const CountedRow *row = &table->rows[i];
        char number[32];
        printf("%s", row->name);
        const double others[] = {row->result, row->error};
        for (int c = 0; c < 2; ++c)
        {
            isnan(others[c]) ? printf(",") : printf(",%.9g", others[c]);
        }
        for (int c = 0; c < NUM_COUNT_COLUMNS; ++c)
        {
            print_count(number, c, count_of(table, i, c));
            printf(",%s", number);
        }
        isnan(row->ms) ? printf(",") : printf(",%.4g", row->ms);
        printf(strchr(row->remark, ',') != NULL ? ",\"%s\"\n" : ",%s\n", row->remark);
    }
}

static inline void print_counted(CountedTable *table)
{
    bool is_counted = false;
    for (int i = 0; i < table->count; ++i)
    {
        is_counted = is_counted || table->rows[i].counts.is_known;
    }
    remark_on_uncounted(table);
    if (args.csv)
    {
        print_counted_csv(table);
        return;
    }
    const Shown shown = what_to_show(table);
    printf(is_counted ? said("%s, %s: counted on the CPU, not timed\n")
                      : said("%s, %s: not timed\n"),
           said(table->what), table->size);
    print_counted_titles(table, &shown);
    for (int i = 0; i < table->count; ++i)
    {
        print_counted_row(table, &shown, i);
    }
}
