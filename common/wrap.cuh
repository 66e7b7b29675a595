// Text in lines of at most 80 columns, for --help. It is in UTF-8, and a Chinese character has two
// columns.
#pragma once
#include <stdio.h>
#include <string.h>

const int LINE_COLUMNS = 80;

// Bytes of the character that begins here.
static inline size_t character_length(const char *text)
{
    size_t length = 1;
    while ((text[length] & 0xc0) == 0x80)
    {
        ++length;
    }
    return length;
}

// Whether one of these characters begins here.
static inline bool is_one_of(const char *characters, const char *text)
{
    char one[8] = "";
    snprintf(one, sizeof(one), "%.*s", (int)character_length(text), text);
    return *one != '\0' && strstr(characters, one) != NULL;
}

// Chinese characters and their marks begin with U+2E80, but for a few marks.
static inline bool is_wide(const char *text)
{
    return character_length(text) >= 3 &&
           (strncmp(text, "\u2e80", 3) >= 0 || is_one_of("—‘’“”…", text));
}

static inline int columns_of(const char *text, size_t length)
{
    int columns = 0;
    for (const char *c = text; c < text + length; c += character_length(c))
    {
        columns += is_wide(c) ? 2 : 1;
    }
    return columns;
}

// Bytes that stay on one line: a word, a part in brackets, or a Chinese character, each with the
// marks beside it.
static inline size_t piece_length(const char *text)
{
    const char *end = text;
    const char *bracket = *text == '[' ? strchr(text, ']') : NULL;
    if (bracket != NULL)
    {
        return bracket + 1 - text;
    }
    while (is_one_of("(（“‘《【", end))
    {
        end += character_length(end);
    }
    const bool is_chinese = is_wide(end);
    do
    {
        end += *end != '\0' ? character_length(end) : 0;
    } while (!is_chinese && *end != '\0' && *end != ' ' && !is_wide(end));
    while (is_one_of(")，。、；：？！）”’》】…—", end))
    {
        end += character_length(end);
    }
    return end - text;
}

// Prints a text whose first line begins in column `column`, and its other lines in column `indent`.
static inline void print_wrapped(const char *text, int column, int indent)
{
    while (*text != '\0')
    {
        int blanks = strspn(text, " ");
        text += blanks;
        const size_t length = piece_length(text);
        const int columns = columns_of(text, length);
        if (column > indent && column + blanks + columns > LINE_COLUMNS)
        {
            printf("\n");
            column = 0;
            blanks = indent;
        }
        printf("%*s%.*s", blanks, "", (int)length, text);
        column += blanks + columns;
        text += length;
    }
    printf("\n");
}

// Lines that each have a name, two blanks or more, and a text. The text goes on below itself.
static inline void print_columns(const char *lines)
{
    while (*lines != '\0')
    {
        char line[1024];
        snprintf(line, sizeof(line), "%.*s", (int)strcspn(lines, "\n"), lines);
        lines += strlen(line);
        lines += *lines == '\n';
        const char *gap = strstr(line + strspn(line, " "), "  ");
        const char *text = gap != NULL ? gap + strspn(gap, " ") : line;
        print_wrapped(line, 0, columns_of(line, text - line));
    }
}
