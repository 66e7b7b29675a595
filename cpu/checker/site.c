// Places in the code, in a table of hashes. Entry 0 is none.
#include "site.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <errno.h>
#include "../runtime/report.h"

enum
{
    NUM_SITES = 1 << SITE_BITS
};

static Site *sites;
static uint32_t num_sites;

SiteRecent site_recent[SITE_NUM_RECENT];

static void make(void)
{
    sites = mmap(NULL, sizeof(*sites) * NUM_SITES, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (sites == MAP_FAILED)
    {
        exhausted("memory for the checker's places in the code", errno);
    }
}

static uint64_t hash_of(const void *const *pcs)
{
    uint64_t hash = 0;
    for (int i = 0; i < SITE_CALLERS; ++i)
    {
        hash = (hash ^ (uintptr_t)pcs[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

// With more than 786432 places the last ones share a number.
static uint32_t find(const void *const *pcs)
{
    if (sites == NULL)
    {
        make();
    }
    uint32_t i = hash_of(pcs) % NUM_SITES;
    i += i == 0;
    while (sites[i].pcs[0] != NULL && memcmp(sites[i].pcs, pcs, sizeof(sites[i].pcs)) != 0)
    {
        i = i + 1 < NUM_SITES ? i + 1 : 1;
    }
    if (sites[i].pcs[0] == NULL && num_sites < NUM_SITES / 4 * 3)
    {
        memcpy(sites[i].pcs, pcs, sizeof(sites[i].pcs));
        ++num_sites;
    }
    return i;
}

uint32_t site_of_new(const void *pc)
{
    const void *pcs[SITE_CALLERS] = {pc};
    SiteRecent *r = site_recent_of(pc);
    r->site = find(pcs);
    r->pc = pc;
    return r->site;
}

static const char *kept(const char *line)
{
    const char *copy = strdup(line);
    if (copy == NULL)
    {
        exhausted("memory for the checker's places in the code", errno);
    }
    return copy;
}

// The number of a line that a call of our headers has named.
uint32_t site_of_line(const char *file, int line)
{
    const void *pcs[SITE_CALLERS] = {file, (const void *)(uintptr_t)line};
    const uint32_t number = find(pcs);
    Site *site = &sites[number];
    if (!site->resolved)
    {
        char text[PLACE_LENGTH];
        snprintf(text, sizeof(text), "%s:%d", base_name(file), line);
        site->resolved = site->known = true;
        site->line = kept(text);
    }
    return number;
}

// The number of a call of the host's.
uint32_t site_of_callers(void *const *callers, int num)
{
    const void *pcs[SITE_CALLERS] = {NULL};
    for (int i = 0; i < num && i < SITE_CALLERS; ++i)
    {
        pcs[i] = callers[i];
    }
    return pcs[0] != NULL ? find(pcs) : 0;
}

Site *site_at(uint32_t number)
{
    if (sites == NULL)
    {
        make();
    }
    return &sites[number];
}

// "file.cu:12".
const char *site_line(uint32_t number)
{
    Site *site = site_at(number);
    if (!site->resolved)
    {
        int num = 0;
        while (num < SITE_CALLERS && site->pcs[num] != NULL)
        {
            ++num;
        }
        site->resolved = true;
        char line[PLACE_LENGTH];
        site->known =
            number != 0 && report_position_of((void *const *)site->pcs, num, line, sizeof(line));
        site->line = site->known ? kept(line) : "line unknown";
    }
    return site->line;
}

// Whether its line is: not within a library.
bool site_is_known(uint32_t number)
{
    site_line(number);
    return site_at(number)->known;
}

// --- reads that an atomic that compares follows ------------------------------------------------

enum
{
    MOST_GUARDS = 4096
};
static uint32_t with_guard[MOST_GUARDS], num_with_guard;

// A thread's plain read at the place was followed by its atomic that compares of the same word, or
// of another one.
void site_note_guard(uint32_t number, bool same)
{
    Site *site = &sites[number];
    if (!site->guards && !site->guards_not && num_with_guard < MOST_GUARDS)
    {
        with_guard[num_with_guard++] = number;
    }
    *(same ? &site->guards : &site->guards_not) = true;
}

// The i-th place of which that is known; 0: there are no more.
uint32_t site_with_guard(uint32_t i)
{
    return i < num_with_guard ? with_guard[i] : 0;
}
