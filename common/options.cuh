// A program's own options: --name NUMBER, --name TEXT, --name, and arguments without a dash.
//
//     size_t steps = 100; // the default
//     add_number("steps", &steps, 1, 1000, "number of steps");
//     parse_args(...);
//
// They are added before parse_args, which fills their variables. --help shows them after the
// options of the suite, in this order.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.cuh"

static inline Option *add_option(const char *name, const char *what, const char *help,
                                 const OptionKind *kind, void *value)
{
    Option *option = &args.own[args.num_own++];
    *option = {name, what, help, kind, {value}};
    return option;
}

static inline Option *add_number(const char *name, size_t *value, size_t min, size_t max,
                                 const char *help, const char *what = "N")
{
    Option *option = add_option(name, what, help, &NUMBERS, value);
    option->min = min;
    option->max = max;
    return option;
}

static inline void add_flag(const char *name, bool *value, const char *help)
{
    add_option(name, "", help, &FLAG, value);
}

static inline void add_text(const char *name, const char **value, const char *help,
                            const char *what = "TEXT")
{
    add_option(name, what, help, &TEXT, value);
}

// ---- A number that need not be whole ----

static inline void set_real(const Option *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (!is_decimal(text) || *end != '\0' || !(value >= option->least && value <= option->most))
    {
        usage_error("%s takes a number, %g to %g, not '%s'", option->usage, option->least,
                    option->most, text);
    }
    *(double *)option->to[0] = value;
}

static inline void show_real(const Option *option, char *text, size_t size)
{
    snprintf(text, size, "%.7g", *(double *)option->to[0]);
}

const OptionKind REAL = {set_real, show_real};

static inline void add_real(const char *name, double *value, double least, double most,
                            const char *help, const char *what = "X")
{
    Option *option = add_option(name, what, help, &REAL, value);
    option->least = least;
    option->most = most;
}

// ---- One word of several ----

// Whether `text` is one of these words.
static inline bool is_choice(const char *words, const char *text)
{
    return *text != '\0' && strpbrk(text, " .[]") == NULL && has_word(words, text);
}

static inline void set_choice(const Option *option, const char *text)
{
    if (*text != '\0' && !is_choice(option->choices, text))
    {
        usage_error("--%s takes one of: %s; not '%s'", option->name, option->choices, text);
    }
    set_text(option, text);
}

const OptionKind CHOICE = {set_choice, show_text};

// The help ends with the words: "zero or clamp: what lies outside".
static inline void add_choice(const char *name, const char **value, const char *choices,
                              const char *help)
{
    add_option(name, "WORD", help, &CHOICE, value)->choices = choices;
}

// ---- Arguments without a dash ----

// The next one takes the argument. False if all have theirs.
static inline bool take_positional(const char *text)
{
    for (int i = 0; i < args.num_options; ++i)
    {
        Option *option = &args.options[i];
        if (option->is_positional && !option->is_given)
        {
            set_option(option, text);
            return true;
        }
    }
    return false;
}

// [NX]
static inline void add_positional(const char *name, size_t *value, size_t min, size_t max,
                                  const char *help)
{
    add_number(name, value, min, max, help, "")->is_positional = true;
    strcat(strcat(strcat(args.arguments, " ["), name), "]");
    args.take_argument = take_positional;
}

// ---- After parse_args ----

// Whether an option is on the command line: "temperature", "s", "NX".
static inline bool is_given(const char *name)
{
    bool found = false;
    for (int i = 0; i < args.num_options; ++i)
    {
        found = found || (args.options[i].is_given && strcmp(args.options[i].name, name) == 0);
    }
    return found;
}
