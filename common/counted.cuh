// The table of versions where there is no GPU: what each version would cost on one, counted and not
// timed, and beside it the time that a card has measured.
//
// A column is printed if its numbers differ from row to row. docs/reading-results.md says what each
// one means.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "card.cuh"
#include "counts.cuh"

// What a run has cost, in the terms of a table's column.
struct CountColumn
{
    const char *key;   // for --csv
    const char *title; // in two lines
    double (*value)(const CountSums *counts, size_t element);
    bool is_least_known; // it is the size of an element: 4 sectors for 32 floats
};

// As many sectors as a request by 32 lanes would take, an element each.
static inline double sectors_of(const AccessSums *access, size_t element)
{
    return access->requests > 0.0 ? element * access->units / access->least : NAN;
}

static inline double count_load_sectors(const CountSums *c, size_t element)
{
    return sectors_of(&c->loads, element);
}

static inline double count_store_sectors(const CountSums *c, size_t element)
{
    return sectors_of(&c->stores, element);
}

const double SECTOR_KIB = 32.0 / 1024.0;

static inline double count_loaded(const CountSums *c, size_t)
{
    return SECTOR_KIB * c->loads.units;
}

static inline double count_stored(const CountSums *c, size_t)
{
    return SECTOR_KIB * c->stores.units;
}

static inline double count_conflict(const CountSums *c, size_t)
{
    return c->shared.requests > 0.0 ? c->conflict : NAN;
}

// An empty cell in place of 0: there is nothing of the kind.
static inline double if_any(double count) { return count > 0.0 ? count : NAN; }

static inline double count_wavefronts(const CountSums *c, size_t)
{
    return if_any(c->shared.units);
}

static inline double count_requests(const CountSums *c, size_t)
{
    return if_any(c->loads.requests + c->stores.requests);
}

static inline double count_constants(const CountSums *c, size_t)
{
    return c->constants.requests > 0.0 ? c->constants.units / c->constants.requests : NAN;
}

static inline double count_global_atomics(const CountSums *c, size_t)
{
    return if_any(c->global_atomics.lanes);
}

static inline double count_shared_atomics(const CountSums *c, size_t)
{
    return if_any(c->shared_atomics.lanes);
}

static inline double count_together(const CountSums *c, size_t)
{
    const double requests = c->global_atomics.requests + c->shared_atomics.requests;
    return requests > 0.0 ? c->together / requests : NAN;
}

static inline double count_active(const CountSums *c, size_t)
{
    return c->steps > 0.0 ? c->active / c->steps : NAN;
}

static inline double count_barriers(const CountSums *c, size_t)
{
    return c->blocks > 0.0 ? c->barriers / c->blocks : NAN;
}

static inline double count_exchanges(const CountSums *c, size_t)
{
    return c->warps > 0.0 ? c->exchanges / c->warps : NAN;
}

static inline double count_threads(const CountSums *c, size_t) { return c->threads; }

static inline double count_launches(const CountSums *c, size_t) { return c->launches; }

static inline double count_copied(const CountSums *c, size_t)
{
    return (c->to_device + c->from_device) / 1024.0;
}

// The meaning of the columns, for --help.
const char *const COUNTED_COLUMNS =
    "  error              how far the result is from the reference\n"
    "  sectors a load     pieces of 32 bytes that a warp's load of 32 elements asks for\n"
    "  sectors a store    the same for what it writes\n"
    "  bank conflict      how many turns the worst access to shared memory takes\n"
    "  loaded, stored     KiB of all the sectors that warps ask for\n"
    "  shared wavefronts  turns of shared memory, all together\n"
    "  atomics in global  atomic operations of threads; or in shared memory\n"
    "  lanes at 1 address that a warp's atomic operation has, the mean\n"
    "  constants a load   different addresses of constant memory, the mean\n"
    "  requests of warps  loads and stores of global memory that warps make\n"
    "  active lanes       of the 32 of a warp, the mean\n"
    "  barriers a thread  that it waits at; shuffles a warp: that it makes\n"
    "  kernels launched, copied KiB, threads in all: of one run\n"
    "  ms on an H100      what this card has measured, at the size below it\n";

// The most telling ones come first.
const CountColumn COUNT_COLUMNS[] = {
    {"load_sectors", "sectors\na load", count_load_sectors, true},
    {"store_sectors", "sectors\na store", count_store_sectors, true},
    {"bank_conflict", "bank\nconflict", count_conflict, false},
    {"loaded_kib", "loaded\nKiB", count_loaded, false},
    {"stored_kib", "stored\nKiB", count_stored, false},
    {"wavefronts", "shared\nwavefronts", count_wavefronts, false},
    {"global_atomics", "atomics in\nglobal", count_global_atomics, false},
    {"shared_atomics", "atomics in\nshared", count_shared_atomics, false},
    {"together", "lanes at\n1 address", count_together, false},
    {"constant_addresses", "constants\na load", count_constants, false},
    {"requests", "requests\nof warps", count_requests, false},
    {"active_lanes", "active\nlanes", count_active, false},
    {"barriers", "barriers\na thread", count_barriers, false},
    {"exchanges", "shuffles\na warp", count_exchanges, false},
    {"launches", "kernels\nlaunched", count_launches, false},
    {"copied_kib", "copied\nKiB", count_copied, false},
    {"threads", "threads\nin all", count_threads, false},
};
const int NUM_COUNT_COLUMNS = sizeof(COUNT_COLUMNS) / sizeof(COUNT_COLUMNS[0]);

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
