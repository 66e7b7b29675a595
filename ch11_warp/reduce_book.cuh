// For reduce with --book: Table 11.1 of the book.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"

const size_t BOOK_N = 100000000;

// The results of Table 11.1, for 10^8 floats that are all 1.23.
const struct
{
    const char *version;
    double result;
    const char *why;
} TABLE_11_1[] = {
    {"cpu", 33554432.0, "2^25: from here on floats are 4 apart, and adding 1.23 changes nothing"},
    {"global", 123633392.0,
     "781250 sums of 157.44 are added; where floats are 8 apart, each adds 160"},
    {"static", 123633392.0, "(the same sums, one after the other)"},
    {"dynamic", 123633392.0, ""},
    {"atomic", 123633392.0, "(so do atomic additions)"},
    {"syncwarp", 123633392.0, ""},
    {"shfl", 123633392.0, ""},
    {"cg", 123633392.0, ""},
    {"parallelism", 123000064.0,
     "a thread adds 76 or 77 numbers, then come halves: addends of similar size"},
    {"static-memory", 123000064.0, ""},
};

// --book: the results beside those of Table 11.1. Every machine must reproduce these: all elements
// are equal, so the order of atomic additions changes nothing.
static inline void show_table_11_1(const Table *table, const Version *versions, int count,
                                   const Total *total, size_t N)
{
    const bool is_books = N == BOOK_N && sizeof(real) == sizeof(float);
    const int num_rows = sizeof(TABLE_11_1) / sizeof(TABLE_11_1[0]);
    check_true("all numbers are the book's", fabs(total->sum / N - 1.23) <= 1e-7);
    print_device();
    print_note("%s, %zu times 1.23, exactly added %.9g%s\n", REAL_NAME, N, total->sum,
               is_books ? "" : said(" (Table 11.1 has 10^8 floats)"));
    const Column COLUMNS[] = {
        {"version", "%-16s"}, {"result", "%13.1f"}, {"book", "%12.1f"}, {"remark", " %s"}};

    Checked checked[MAX_VERSIONS];
    check_versions(table, versions, count, checked);
    begin_table(COLUMNS, 4);
    for (int i = 0; i < count; ++i)
    {
        if (!is_selected(versions[i].name))
        {
            continue;
        }
        double book = NAN;
        const char *why = "";
        for (int j = 0; j < num_rows && is_books; ++j)
        {
            if (strcmp(TABLE_11_1[j].version, versions[i].name) == 0)
            {
                book = TABLE_11_1[j].result;
                why = TABLE_11_1[j].why;
                check_true(versions[i].name, checked[i].result == book);
            }
        }
        put_text(versions[i].name);
        put(checked[i].result);
        put(book);
        put_text(why);
        end_row();
    }
}
