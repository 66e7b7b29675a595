// What a program says, in Chinese where LANG or its like says zh: --help, errors, and the lines
// beside tables. build/zh/messages, which make writes, has a record for each text: the English, a
// tab, the Chinese, a zero byte. A program that make has built finds the file beside its folder. For
// others cpucc defines SUITE_MESSAGES, the name of the file. Without either a program speaks English.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <initializer_list>

#ifndef SUITE_MESSAGES
#define SUITE_MESSAGES ""
#endif

// A file of build/, or NULL: "zh/messages".
static inline FILE *open_built(const char *name)
{
    char path[4096 + 64];
    const ssize_t length = readlink("/proc/self/exe", path, 4096);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    slash = slash != NULL ? slash : path;
    snprintf(slash, 64, "/../%s", name); // beside the program's folder
    FILE *file = fopen(path, "r");
    const size_t length_of_name = strlen("zh/messages");
    if (file == NULL && strlen(SUITE_MESSAGES) > length_of_name)
    {
        const int folder = (int)(strlen(SUITE_MESSAGES) - length_of_name);
        snprintf(path, sizeof(path), "%.*s%s", folder, SUITE_MESSAGES, name);
        file = fopen(path, "r");
    }
    return file;
}

// NULL: in English. The last variable counts most, but LANGUAGE, a list, not in the locale C.
static inline FILE *open_messages(void)
{
    const char *language = "C";
    for (const char *name : {"LANG", "LC_MESSAGES", "LC_ALL", "LANGUAGE"})
    {
        const char *value = getenv(name);
        const bool counts = strcmp(name, "LANGUAGE") != 0 || *language != 'C';
        language = counts && value != NULL && *value != '\0' ? value : language;
    }
    return strncmp(language, "zh", 2) == 0 ? open_built("zh/messages") : NULL;
}

// All records, and an empty one behind them. NULL: in English.
static inline const char *read_messages(void)
{
    FILE *file = open_messages();
    if (file == NULL)
    {
        return NULL;
    }
    const size_t MOST_BYTES = 1 << 20;
    char *messages = (char *)calloc(1, MOST_BYTES + 2);
    if (messages != NULL && fread(messages, 1, MOST_BYTES, file) == MOST_BYTES)
    {
        messages[0] = '\0'; // the last record may be cut short
    }
    fclose(file);
    return messages;
}

// The Chinese of a text, or the text. The text may be a format of printf: its Chinese takes the
// same values.
static inline const char *said(const char *english)
{
    static const char *const messages = read_messages();
    const size_t length = strlen(english);
    const char *record = messages != NULL ? messages : "";
    for (; *record != '\0'; record += strlen(record) + 1)
    {
        if (strncmp(record, english, length) == 0 && record[length] == '\t')
        {
            return record + length + 1;
        }
    }
    return english;
}

// The name of a device. That of the CPU backend, "CPU backend (AMD EPYC, 2 cores)", is words.
static inline const char *device_name(const char *name)
{
    static char chinese[300];
    char model[128];
    int cores;
    if (sscanf(name, "CPU backend (%127[^,], %d core", model, &cores) != 2)
    {
        return name;
    }
    snprintf(chinese, sizeof(chinese), said("CPU backend (%s, cores: %d)"), model, cores);
    return strstr(chinese, "cores:") != NULL ? name : chinese;
}
