// Where instructions stand in the source: all at once, by one addr2line for every so many. It takes
// milliseconds to start.
#include "places.h"
#include "../runtime/report.h"
#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>
#include <stdbool.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ElfW(Ehdr) __executable_start;

enum
{
    AT_ONCE = 200,
    LENGTH = 4096
};

// The program's own, and not of the backend's headers.
static bool is_own(const char *place)
{
    return place[0] == '/' && strncmp(place, "/cpucc/", 7) != 0 && strncmp(place, "/usr/", 5) != 0;
}

static SourcePlace place_in(char *text)
{
    char *colon = strrchr(text, ':');
    const int line = colon != NULL ? atoi(colon + 1) : 0;
    if (colon == NULL || line <= 0)
    {
        return (SourcePlace){NULL, 0};
    }
    *colon = '\0';
    return (SourcePlace){strdup(text), line};
}

// addr2line -a -f -i says the address, and then a function and a place for each function that is a part of
// the next. The first place that is the program's own counts, but of a copy that the compiler has made up
// the place that copies, if that is known.
static void read_places(FILE *said, SourcePlace *places, size_t num)
{
    char function[LENGTH], place[LENGTH];
    size_t i = 0;
    bool is_certain = false;
    while (fgets(function, sizeof(function), said) != NULL)
    {
        function[strcspn(function, "\n")] = '\0';
        if (strncmp(function, "0x", 2) == 0)
        {
            ++i;
            is_certain = false;
        }
        else if (fgets(place, sizeof(place), said) != NULL && i > 0 && i <= num && !is_certain)
        {
            place[strcspn(place, "\n")] = '\0';
            if (is_own(place))
            {
                is_certain = !report_is_copy(function);
                free(places[i - 1].file);
                places[i - 1] = place_in(place);
            }
        }
    }
}

// What addr2line says of some places, for the caller to pclose().
static FILE *ask(const void *const *pcs, size_t num)
{
    const uintptr_t base = __executable_start.e_type == ET_DYN ? (uintptr_t)&__executable_start : 0;
    char command[64 + AT_ONCE * 24];
    int length =
        snprintf(command, sizeof(command), "exec addr2line -afie /proc/%d/exe", (int)getpid());
    for (size_t i = 0; i < num; ++i)
    {
        length += snprintf(command + length, sizeof(command) - length, " 0x%zx",
                           (size_t)((uintptr_t)pcs[i] - base));
    }
    return popen(command, "re");
}

static void look_up(const void *const *pcs, size_t num, SourcePlace *places)
{
    FILE *said = ask(pcs, num);
    if (said != NULL)
    {
        read_places(said, places, num);
        pclose(said);
    }
}

// An array for the caller to free, with the files in it.
SourcePlace *places_of(const void *const *pcs, size_t num)
{
    SourcePlace *places = calloc(num + 1, sizeof(*places));
    for (size_t i = 0; places != NULL && i < num; i += AT_ONCE)
    {
        look_up(pcs + i, num - i < AT_ONCE ? num - i : AT_ONCE, places + i);
    }
    return places;
}

// A line of a file, for the caller to free. NULL: it cannot be read.
char *places_whole(const char *file, int line)
{
    FILE *source = fopen(file, "re");
    char text[LENGTH], *found = NULL;
    for (int i = 1; source != NULL && fgets(text, sizeof(text), source) != NULL && found == NULL;
         ++i)
    {
        if (i == line)
        {
            text[strcspn(text, "\r\n")] = '\0';
            found = strdup(text);
        }
    }
    if (source != NULL)
    {
        fclose(source);
    }
    return found;
}

// The same without its margin.
char *places_text(const char *file, int line)
{
    char *whole = places_whole(file, line);
    char *text = whole != NULL ? strdup(whole + strspn(whole, " \t")) : NULL;
    free(whole);
    return text;
}

// ---- Members of vectors -------------------------------------------------------------------------

static bool is_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether a member is one of threadIdx and its kin.
static bool is_of_index(const char *text, const char *dot)
{
    static const char *const NAMES[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (int i = 0; i < 4; ++i)
    {
        const size_t length = strlen(NAMES[i]);
        if ((size_t)(dot - text) >= length && strncmp(dot - length, NAMES[i], length) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool has_member(const char *text)
{
    for (const char *p = text; *p != '\0'; ++p)
    {
        const int width = *p == '.' ? 1 : p[0] == '-' && p[1] == '>' ? 2 : 0;
        if (width > 0 && strchr("xyzw", p[width]) != NULL && p[width] != '\0' &&
            !is_letter(p[width + 1]) && !is_of_index(text, p))
        {
            return true;
        }
    }
    return false;
}

typedef struct Answer
{
    const void *pc;
    bool has_member;
} Answer;

// Cuts the line of an assignment behind what it stores to.
static void keep_target(char *text)
{
    for (char *p = text; (p = strchr(p, '=')) != NULL; ++p)
    {
        if (p[1] == '=')
        {
            ++p;
        }
        else if (p == text || strchr("<>!", p[-1]) == NULL)
        {
            *p = '\0';
            return;
        }
    }
}

// Whether the line of an instruction names x, y, z or w of something: where it is a store, of what it stores
// to. Each is looked up once.
bool places_name_member(const void *pc, bool is_store)
{
    static Answer *answers;
    static size_t num;
    for (size_t i = 0; i < num; ++i)
    {
        if (answers[i].pc == pc)
        {
            return answers[i].has_member;
        }
    }
    SourcePlace *place = places_of(&pc, 1);
    char *text =
        place != NULL && place->file != NULL ? places_text(place->file, place->line) : NULL;
    Answer *more = realloc(answers, (num + 1) * sizeof(*more));
    if (text != NULL && is_store)
    {
        keep_target(text);
    }
    const bool found = text != NULL && has_member(text);
    if (more != NULL)
    {
        answers = more;
        answers[num++] = (Answer){pc, found};
    }
    free(text);
    free(place != NULL ? place->file : NULL);
    free(place);
    return found;
}

// ---- Functions ----------------------------------------------------------------------------------

typedef struct Functions
{
    const void *pc;
    char *names; // of all functions that an instruction is a part of, as the linker has them
} Functions;

static char *functions_of(const void *pc)
{
    char *names = NULL, line[LENGTH];
    size_t length = 0;
    FILE *said = ask(&pc, 1), *out = open_memstream(&names, &length);
    for (size_t i = 0; said != NULL && out != NULL && fgets(line, sizeof(line), said) != NULL; ++i)
    {
        if (i % 2 == 1) // the address, and then a function and a place, again and again
        {
            fputs(line, out);
        }
    }
    if (said != NULL)
    {
        pclose(said);
    }
    if (out != NULL)
    {
        fclose(out);
    }
    return names;
}

// Whether a function that has this instruction has a parameter of such a type, or is a member of it: its name
// as the linker has it, "9Structure". Each instruction is looked up once.
bool places_name_type(const void *pc, const char *type)
{
    static Functions *known;
    static size_t num;
    size_t i = 0;
    while (i < num && known[i].pc != pc)
    {
        ++i;
    }
    if (i == num)
    {
        Functions *more = realloc(known, (num + 1) * sizeof(*more));
        if (more == NULL)
        {
            return false;
        }
        known = more;
        known[num++] = (Functions){pc, functions_of(pc)};
    }
    return known[i].names != NULL && strstr(known[i].names, type) != NULL;
}
