// What was counted, at the end of the program, to the standard error: a table for each kernel, the worst
// access first. CUDACPU_COUNT=csv prints it as a file of values, =annotate each kernel's text with the
// numbers beside it, =none nothing.
#include "show.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "places.h"
#include "tally.h"

enum
{
    SECTOR = 32,
    TEXT_BYTES = 30
};

typedef struct Row
{
    Site site;
    SourcePlace place;
    int number; // which access of its kind in the line; 0: the only one
} Row;

static const char *const SPACES[] = {"", "global", "shared", "constant"};
static const char *const UNITS[] = {"", "sectors", "wavefronts", "addresses"};
static const char *const UNITS_A_REQUEST[] = {"", "sectors/req", "waves/req", "addrs/req"};
static const char *const UNITS_SHORT[] = {"", "sectors", "waves", "addrs"};
static const char *const ACCESSES[] = {"load", "store", "atomic"};

// ---- Rows ---------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    return x->place.line != y->place.line
               ? (x->place.line > y->place.line) - (x->place.line < y->place.line)
               : (x->site.pc > y->site.pc) - (x->site.pc < y->site.pc);
}

static uint64_t waste(const Site *site)
{
    return site->sums.units - site->sums.least;
}

static int by_waste(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    const uint64_t first = waste(&x->site), second = waste(&y->site);
    return x->site.space != y->site.space
               ? (x->site.space > y->site.space) - (x->site.space < y->site.space)
           : first != second ? (first < second) - (first > second)
                             : by_place(a, b);
}

static bool is_alike(const Row *a, const Row *b)
{
    return a->place.line == b->place.line && a->site.space == b->site.space &&
           a->site.access == b->site.access && a->site.bytes == b->site.bytes;
}

// Numbers the accesses of a line that differ by nothing else.
static void number_rows(Row *rows, size_t num)
{
    for (size_t i = 0; i < num; ++i)
    {
        int before = 0, others = 0;
        for (size_t k = 0; k < num; ++k)
        {
            before += k < i && is_alike(&rows[k], &rows[i]);
            others += k != i && is_alike(&rows[k], &rows[i]);
        }
        rows[i].number = others > 0 ? before + 1 : 0;
    }
}

static Row *rows_of(uint32_t kernel, size_t *num)
{
    Site *sites = tally_sites_of(kernel, num);
    Row *rows = calloc(*num + 1, sizeof(*rows));
    const void **pcs = calloc(*num + 1, sizeof(*pcs));
    if (rows == NULL || pcs == NULL)
    {
        exhausted("memory for the counter", errno);
    }
    for (size_t i = 0; i < *num; ++i)
    {
        pcs[i] = sites[i].pc;
    }
    SourcePlace *places = places_of(pcs, *num);
    for (size_t i = 0; i < *num; ++i)
    {
        rows[i] = (Row){sites[i], places != NULL ? places[i] : (SourcePlace){NULL, 0}, 0};
    }
    free(sites);
    free(pcs);
    free(places);
    qsort(rows, *num, sizeof(*rows), by_place);
    number_rows(rows, *num);
    return rows;
}

static void free_rows(Row *rows, size_t num)
{
    for (size_t i = 0; i < num; ++i)
    {
        free(rows[i].place.file);
    }
    free(rows);
}

// ---- The table ----------------------------------------------------------------------------------

// "4" or "4.81".
static const char *per(uint64_t sum, uint64_t num, char text[32])
{
    const double value = num > 0 ? (double)sum / num : 0.0;
    snprintf(text, 32, num > 0 && sum % num == 0 ? "%.0f" : "%.2f", value);
    return text;
}

// "32x32", "256".
static const char *extent(dim3 d, char text[48])
{
    snprintf(text, 48, d.z > 1 ? "%ux%ux%u" : d.y > 1 ? "%ux%u" : "%u", d.x, d.y, d.z);
    return text;
}

static void print_head(const KernelCount *k)
{
    char grid[48], block[48];
    fprintf(stderr, "\ncounted: %s", k->name);
    if (k->launches > 1)
    {
        fprintf(stderr, ", %" PRIu64 " launches together, the last one ", k->launches);
    }
    fprintf(stderr, "<<<%s, %s>>>\n", extent(k->grid, grid), extent(k->block, block));
    const double active = k->steps > 0 ? 100.0 * k->lanes / (WARP_SIZE * (double)k->steps) : 100.0;
    char barriers[32], exchanges[32];
    fprintf(stderr, "  lanes active %.1f %%, warps split %" PRIu64 " times", active, k->parted);
    fprintf(stderr, "; barriers a thread %s, exchanges a warp %s\n",
            per(k->barriers, k->blocks, barriers), per(k->exchanges, k->warps, exchanges));
}

// How many bytes of a line are shown: no part of a letter of several bytes.
static int shown_of(const char *text, size_t most)
{
    const size_t length = strlen(text);
    size_t shown = length < most ? length : most;
    while (shown > 0 && shown < length && ((unsigned char)text[shown] & 0xc0) == 0x80)
    {
        --shown;
    }
    return (int)shown;
}

// "load 4 B #2".
static const char *access_name(const Row *row, char text[48])
{
    char number[16] = "";
    if (row->number > 0)
    {
        snprintf(number, sizeof(number), " #%d", row->number);
    }
    snprintf(text, 48, "%s %u B%s", ACCESSES[row->site.access], row->site.bytes, number);
    return text;
}

// The last column: the share of the bytes moved that is used, the most turns of a request, or of an atomic how
// many lanes are at one address.
static const char *last_value(const Site *s, char text[48])
{
    char lanes[32];
    text[0] = '\0';
    if (s->access == ATOMIC)
    {
        snprintf(text, 48, "%s at 1", per(s->sums.together, s->sums.requests, lanes));
    }
    else if (s->space == GLOBAL)
    {
        snprintf(text, 32, "%.1f %%", 100.0 * s->useful / (SECTOR * (double)s->sums.units));
    }
    else if (s->space == SHARED)
    {
        snprintf(text, 32, "%u", s->worst);
    }
    return text;
}

static void print_row(const Row *row)
{
    const Site *s = &row->site;
    char line[32] = "?", which[48], units[32], least[32], last[48];
    if (row->place.file != NULL)
    {
        snprintf(line, sizeof(line), "%d", row->place.line);
    }
    char *text = row->place.file != NULL ? places_text(row->place.file, row->place.line) : NULL;
    const bool is_cut = text != NULL && strlen(text) > TEXT_BYTES;
    fprintf(stderr, "  %5s  %-14s %10" PRIu64 " %11s %9s %10s  %.*s%s\n", line,
            access_name(row, which), s->sums.requests, per(s->sums.units, s->sums.requests, units),
            per(s->sums.least, s->sums.requests, least), last_value(s, last),
            text != NULL ? shown_of(text, is_cut ? TEXT_BYTES - 3 : TEXT_BYTES) : 0,
            text != NULL ? text : "", is_cut ? "..." : "");
    free(text);
}

// Whether one sentence is enough for both.
static bool is_said_by(const Row *row, const Row *other)
{
    const Site *a = &row->site, *b = &other->site;
    return row->place.line == other->place.line && a->space == b->space && a->access == b->access &&
           a->sums.units * b->sums.requests == b->sums.units * a->sums.requests &&
           a->apart == b->apart && a->differs == b->differs;
}

static bool is_wasteful(const Site *s)
{
    return s->sums.units >= 2 * s->sums.least;
}

// Atomics of more than a few lanes on one address go one after the other.
static bool is_crowded(const Site *s)
{
    return s->access == ATOMIC && s->sums.together > 4 * s->sums.requests;
}

static void print_distance(const Site *s)
{
    if (s->has_neighbours && !s->differs && s->apart != 0)
    {
        fprintf(stderr, ": neighbouring threads %s %" PRId64 " bytes apart%s",
                s->access == LOAD    ? "read"
                : s->access == STORE ? "write"
                                     : "change",
                s->apart < 0 ? -s->apart : s->apart,
                s->space == SHARED && s->apart % 128 == 0 ? ", in one bank" : "");
    }
}

// One sentence where half is wasted, or more.
static void print_advice(const Row *row)
{
    const Site *s = &row->site;
    char units[32], least[32], which[48];
    fprintf(stderr, "  line %d, %s: a warp ", row->place.line, access_name(row, which));
    per(s->sums.units, s->sums.requests, units);
    if (is_crowded(s))
    {
        fprintf(stderr, "changes one address by %s lanes, one after the other\n",
                per(s->sums.together, s->sums.requests, units));
    }
    else if (s->space == CONSTANTS)
    {
        fprintf(stderr, "reads %s different addresses of constant memory, one after the other\n",
                units);
    }
    else
    {
        fprintf(stderr, "takes %s %s where %s would do", units, UNITS[s->space],
                per(s->sums.least, s->sums.requests, least));
        print_distance(s);
        fprintf(stderr, "\n");
    }
}

static void print_all_advice(const Row *rows, size_t num)
{
    for (size_t i = 0; i < num; ++i)
    {
        const Site *s = &rows[i].site;
        bool is_said = (!is_wasteful(s) && !is_crowded(s)) || rows[i].place.file == NULL;
        for (size_t k = 0; k < i && !is_said; ++k)
        {
            is_said = is_said_by(&rows[i], &rows[k]);
        }
        if (!is_said)
        {
            print_advice(&rows[i]);
        }
    }
}

static const char *last_column(Space space)
{
    return space == GLOBAL ? "used" : space == SHARED ? "worst" : "";
}

static void print_kernel(uint32_t kernel)
{
    size_t num;
    Row *rows = rows_of(kernel, &num);
    qsort(rows, num, sizeof(*rows), by_waste);
    print_head(tally_kernel_at(kernel));
    for (size_t i = 0; i < num; ++i)
    {
        const Space space = rows[i].site.space;
        if (i == 0 || rows[i - 1].site.space != space)
        {
            fprintf(stderr, "  %5s  %-14s %10s %11s %9s %10s\n", "line", SPACES[space], "requests",
                    UNITS_A_REQUEST[space], "least/req", last_column(space));
        }
        print_row(&rows[i]);
    }
    print_all_advice(rows, num);
    free_rows(rows, num);
}

// ---- A kernel's text with the numbers beside it ---------------------------------------------------

enum
{
    MARGIN = 30
};

// "load 32 sectors (4)": units of a request, and how few would do.
static void print_numbers(const Site *s, char *text, size_t size)
{
    char units[32], least[40] = "", fewest[32];
    if (s->sums.units != s->sums.least)
    {
        snprintf(least, sizeof(least), " (%s)", per(s->sums.least, s->sums.requests, fewest));
    }
    snprintf(text, size, "%s %s %s%s", ACCESSES[s->access],
             per(s->sums.units, s->sums.requests, units), UNITS_SHORT[s->space], least);
}

// The last line up to `line` that has the kernel's name before a bracket: there it begins.
static int first_line_of(const char *file, const char *kernel, int line)
{
    int first = line;
    for (int i = line; i > 0 && first == line; --i)
    {
        char *text = places_text(file, i);
        const char *name = text != NULL ? strstr(text, kernel) : NULL;
        first = name != NULL && name[strcspn(name, "(;")] == '(' ? i : first;
        free(text);
    }
    return first;
}

static bool is_at(const Row *row, const char *file, int line)
{
    return row->place.line == line && row->place.file != NULL && strcmp(row->place.file, file) == 0;
}

// A line, with its first access beside it. Further ones stand below.
static void annotate_line(const Row *rows, size_t num, const char *file, int line)
{
    char *text = places_whole(file, line);
    bool is_printed = false;
    for (size_t i = 0; i < num; ++i)
    {
        if (is_at(&rows[i], file, line))
        {
            char numbers[160];
            print_numbers(&rows[i].site, numbers, sizeof(numbers));
            is_printed ? fprintf(stderr, "%*s      |\n", MARGIN, numbers)
                       : fprintf(stderr, "%*s %4d | %s\n", MARGIN, numbers, line,
                                 text != NULL ? text : "");
            is_printed = true;
        }
    }
    if (!is_printed)
    {
        fprintf(stderr, "%*s %4d | %s\n", MARGIN, "", line, text != NULL ? text : "");
    }
    free(text);
}

// From the line where the kernel begins to the last one with an access; of other functions the same lines.
static void annotate(uint32_t kernel)
{
    const KernelCount *k = tally_kernel_at(kernel);
    size_t num;
    Row *rows = rows_of(kernel, &num);
    print_head(k);
    for (size_t i = 0; i < num;)
    {
        const char *file = rows[i].place.file;
        size_t end = i + 1;
        while (end < num && file != NULL && rows[end].place.file != NULL &&
               strcmp(file, rows[end].place.file) == 0 &&
               rows[end].place.line - rows[end - 1].place.line < 30)
        {
            ++end;
        }
        if (file != NULL)
        {
            const int line = rows[i].place.line, first = first_line_of(file, k->name, line);
            for (int at = line - first < 30 ? first : line; at <= rows[end - 1].place.line; ++at)
            {
                annotate_line(rows, num, file, at);
            }
        }
        i = end;
    }
    free_rows(rows, num);
}

// ---- The other forms ----------------------------------------------------------------------------

extern const char __executable_start[]; // of the linker

static void print_csv(uint32_t kernel)
{
    const KernelCount *k = tally_kernel_at(kernel);
    size_t num;
    Row *rows = rows_of(kernel, &num);
    char grid[48], block[48];
    // (The last one is where its code is: nm and c++filt make of it the arguments of a template.)
    fprintf(stderr,
            "kernel,%s,%s,%s,%#tx,,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
            k->name, extent(k->grid, grid), extent(k->block, block),
            (const char *)k->run - __executable_start, k->launches, k->blocks, k->threads,
            k->barriers, k->exchanges, k->steps, k->lanes, k->parted);
    for (size_t i = 0; i < num; ++i)
    {
        const Site *s = &rows[i].site;
        fprintf(stderr,
                "%s,%s,%s,%d,%s,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%u,%" PRIu64 ",\n",
                SPACES[s->space], k->name, rows[i].place.file != NULL ? rows[i].place.file : "",
                rows[i].place.line, ACCESSES[s->access], s->bytes, s->sums.requests, s->sums.lanes,
                s->sums.units, s->sums.least, s->useful, s->worst, s->sums.together);
    }
    free_rows(rows, num);
}

static void print_copies(void)
{
    const CopyCount copies = tally_copies();
    if (copies.to_device + copies.from_device > 0)
    {
        fprintf(stderr, "\ncopied to the device %" PRIu64 " bytes, back %" PRIu64 " bytes\n",
                copies.to_device, copies.from_device);
    }
}

static void show(void)
{
    const char *how = getenv("CUDACPU_COUNT");
    if (how != NULL && strcmp(how, "none") == 0)
    {
        return;
    }
    const bool is_csv = how != NULL && (strcmp(how, "csv") == 0 || strcmp(how, "launches") == 0),
               is_text = how != NULL && strcmp(how, "annotate") == 0;
    fflush(stdout);
    if (is_csv)
    {
        fprintf(stderr,
                "what,kernel,file,line,access,bytes,requests,lanes,units,least,useful,worst,"
                "together,\n");
    }
    for (uint32_t i = 0; i < tally_num_kernels(); ++i)
    {
        is_csv ? print_csv(i) : is_text ? annotate(i) : print_kernel(i);
    }
    if (is_text)
    {
        fprintf(stderr, "\n(of one request, on average; in brackets how few would do)\n");
    }
    if (!is_csv)
    {
        print_copies();
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void ask(void)
{
    const char *how = getenv("CUDACPU_COUNT");
    if (how != NULL && strcmp(how, "csv") != 0 && strcmp(how, "launches") != 0 &&
        strcmp(how, "annotate") != 0 && strcmp(how, "none") != 0)
    {
        char shown[256];
        show_wish("CUDACPU_COUNT", shown, sizeof(shown));
        fprintf(stderr,
                "CPU backend: CUDACPU_COUNT must be csv, launches, annotate or none, not \"%s\"\n",
                shown);
        _exit(3);
    }
    atexit(show);
}
void show_at_exit(void)
{
    pthread_once(&once, ask);
}
