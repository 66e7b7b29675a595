// table: titles and rows as text and as --csv, and what follows from a time

#include <string.h>
#include "../../common/table.cuh"
#include "child.cuh"

static const Column COLUMNS[] = {{"name", "%-6s"},
                                 {"ms", "%8.3g"},
                                 {"GB/s", "%7.1f"},
                                 {"% of GB/s", "%6.1f", "%"},
                                 {"remark", " %s"}};

static int print_table(bool csv)
{
    args.csv = csv;
    begin_table(COLUMNS, 5);
    for (int i = 0; i < 2; ++i)
    {
        const double ms = i == 0 ? 2.0 : NAN;
        put_text(i == 0 ? "one" : "two");
        put(ms);
        put(rate_of(3e9, ms));
        put(percent_of(rate_of(3e9, ms), 2000.0));
        put_text(i == 0 ? "" : "slow, and WRONG");
        end_row();
    }
    return 0;
}

// A row of the wrong cells is an error of the program.
static int print_wrong(int which)
{
    begin_table(COLUMNS, which == 2 ? 1 : 2);
    which == 0 ? put(1.0) : put_text("one");
    which == 1 ? end_row() : put_text("two");
    return 0;
}

int main(void)
{
    const Child text = run_child([] { return print_table(false); });
    check_true("as text",
               strcmp(text.output, "name         ms    GB/s      %\n"
                                   "one           2  1500.0   75.0  \n"
                                   "two                             slow, and WRONG\n") == 0);
    const Child csv = run_child([] { return print_table(true); });
    check_true("as --csv", strcmp(csv.output, "name,ms,GB/s,% of GB/s,remark\n"
                                              "one,2,1500.0,75.0,\n"
                                              "two,,,,\"slow, and WRONG\"\n") == 0);
    for (int which = 0; which < 4; ++which)
    {
        const Child wrong = run_child([=] { return print_wrong(which); });
        check_true("a row with a cell that is wrong, missing or one too many",
                   wrong.status == 1 && strstr(wrong.output, "table.cuh: ") != NULL);
    }
    check_true("a rate", rate_of(5e6, 0.5) == 10.0 && isnan(rate_of(0.0, 1.0)));
    check_true("a percentage", percent_of(1.0, 8.0) == 12.5 && isnan(percent_of(1.0, 0.0)) &&
                                   isnan(percent_of(1.0, NAN)));
    check_true("times as fast", times_as_fast(3.0, 2.0) == 1.5);
    return verdict();
}
