// The names that -k takes, each with its sentence for --help. versions.cuh adds those of a table.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.cuh"

const int MAX_VERSIONS = 32;

struct VersionName
{
    const char *name, *what, *needs; // needs: what it cannot do without, or NULL
    bool is_missing;                 // here
};

inline VersionName g_versions[MAX_VERSIONS];
inline int g_num_versions = 0;

// For --help.
static inline void print_versions(void)
{
    int width = 0;
    for (int i = 0; i < g_num_versions; ++i)
    {
        const int length = strlen(g_versions[i].name);
        width = length > width ? length : width;
    }
    puts(said("versions for -k:"));
    for (int i = 0; i < g_num_versions; ++i)
    {
        const char *needs = g_versions[i].is_missing ? g_versions[i].needs : NULL;
        char text[1024];
        const char *format = needs ? said("%s (not here: needs %s)") : "%s";
        snprintf(text, sizeof(text), format, said(g_versions[i].what), needs ? said(needs) : "");
        printf("  %-*s  ", width, g_versions[i].name);
        print_wrapped(text, width + 4, width + 4);
    }
}

static inline void describe_versions(void)
{
    for (int i = 0; i < g_num_versions; ++i)
    {
        const char *needs = g_versions[i].needs;
        printf("version\t%s\t%s\t%s\n", g_versions[i].name, g_versions[i].what, needs ? needs : "");
    }
}

// Ends the program with status 2 if -k has another name.
static inline void check_version_name(void)
{
    char names[1024] = "all";
    bool found = strcmp(args.version, "all") == 0;
    for (int i = 0; i < g_num_versions; ++i)
    {
        found = found || strcmp(args.version, g_versions[i].name) == 0;
        const size_t length = strlen(names);
        snprintf(names + length, sizeof(names) - length, " %s", g_versions[i].name);
    }
    if (!found)
    {
        usage_error("-k has no '%s'; there are: %s", args.version, names);
    }
}

static inline void add_row(const char *name, const char *what, const char *needs, bool is_missing)
{
    if (g_num_versions == MAX_VERSIONS)
    {
        fprintf(stderr, "version_names.cuh: more than %d versions\n", MAX_VERSIONS);
        exit(1);
    }
    g_versions[g_num_versions++] = {name, what, needs, is_missing};
    args.check_version = check_version_name;
    args.print_versions = print_versions;
    args.describe_versions = describe_versions;
}

// `needs` is what is missing here, or NULL.
static inline void add_version(const char *name, const char *what, const char *needs)
{
    add_row(name, what, needs, needs != NULL);
}
