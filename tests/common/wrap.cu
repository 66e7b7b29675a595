// wrap: lines of at most 80 columns, of which a Chinese character has two

#include <stdio.h>
#include "../../common/compare.cuh"
#include "../../common/wrap.cuh"
#include "child.cuh"

static Child wrapped(const char *text, int column, int indent)
{
    return run_child(
        [&]
        {
            print_wrapped(text, column, indent);
            return 0;
        });
}

// The most columns of a line.
static int widest(const char *text)
{
    int most = 0;
    for (; *text != '\0'; text += strcspn(text, "\n") + 1)
    {
        const int columns = columns_of(text, strcspn(text, "\n"));
        most = columns > most ? columns : most;
    }
    return most;
}

int main(void)
{
    check_true("columns", columns_of("N = 5", 5) == 5 && columns_of("线程，N", 10) == 7);
    const char *text = "one two three four five six seven eight nine ten eleven twelve thirteen";
    const Child first = wrapped(text, 20, 18); // 60 columns are left for 71
    check_true("a text goes on below itself",
               strcmp(first.output, "one two three four five six seven eight nine ten eleven\n"
                                    "                  twelve thirteen\n") == 0);
    const Child full = wrapped("12345678 12", 69, 4);
    check_true("80 columns fit", strcmp(full.output, "12345678 12\n") == 0);
    const Child over = wrapped("12345678 123", 69, 4);
    check_true("81 do not", strcmp(over.output, "12345678\n    123\n") == 0);
    const Child brackets = wrapped("usage: x [-n N] [--name WORD]", 53, 9);
    check_true("what stands in brackets stays together",
               strcmp(brackets.output, "usage: x [-n N]\n         [--name WORD]\n") == 0);
    const Child chinese = wrapped("每个线程计算一个元素，然后写入全局内存。", 43, 4);
    check_true("a mark does not begin a line",
               strcmp(chinese.output, "每个线程计算一个元素，然后写入全局内\n    存。\n") == 0);
    char word[200];
    memset(word, 'x', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    check_true("a word that is too long has a line of its own",
               widest(wrapped(word, 0, 4).output) == 199);
    const Child columns = run_child(
        []
        {
            print_columns(
                "  x before   the time of the row before over this row's, which is longer here\n"
                "  %          a rate\n");
            return 0;
        });
    check_true(
        "columns of a table",
        strcmp(columns.output,
               "  x before   the time of the row before over this row's, which is longer here\n"
               "  %          a rate\n") == 0);
    return verdict();
}
