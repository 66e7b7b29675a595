// --help in Chinese, where LANG or its like says zh. build/zh/messages, which make writes, has a
// record for each text: the English, a tab, the Chinese, a zero byte. A program that make has built
// finds the file there. One that was compiled by hand speaks English.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    char path[4096 + 32];
    const ssize_t length = readlink("/proc/self/exe", path, 4096);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash != NULL ? slash : path, "/../zh/messages"); // beside the program's folder
    return strncmp(language, "zh", 2) == 0 ? fopen(path, "r") : NULL;
}

// The Chinese of a text, which stays until the next call; or the text.
static inline const char *said(const char *english)
{
    static FILE *const messages = open_messages();
    static char *record = NULL;
    static size_t size = 0;
    const size_t length = strlen(english);
    bool more = messages != NULL && fseek(messages, 0, SEEK_SET) == 0;
    while (more && (more = getdelim(&record, &size, '\0', messages) > 0))
    {
        if (strncmp(record, english, length) == 0 && record[length] == '\t')
        {
            return record + length + 1;
        }
    }
    return english;
}
