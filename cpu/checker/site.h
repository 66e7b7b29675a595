// Places in the code: where an access stands. Each has a number.
#ifndef CUDACPU_SITE_H
#define CUDACPU_SITE_H
#include "../runtime/base.h"

enum
{
    SITE_BITS = 20,
    SITE_CALLERS = 16,
    SITE_NUM_RECENT = 4096
};

typedef struct Site
{
    const void *pcs[SITE_CALLERS]; // innermost first; all but the first are NULL for an access
    bool guards;     // a plain read that an atomic that compares of the same word follows, ...
    bool guards_not; // ... or of another word
    bool unguarded;  // an atomic that compares, with no plain read of the word before it
    bool resolved;
    bool known;       // that is in the program's own source
    const char *line; // "file.cu:12" or "line unknown", once it was asked for
} Site;

// The places that were asked for last.
typedef struct SiteRecent
{
    const void *pc;
    uint32_t site;
} SiteRecent;
extern SiteRecent site_recent[SITE_NUM_RECENT];

static inline SiteRecent *site_recent_of(const void *pc)
{
    return &site_recent[(uintptr_t)pc * 0x9e3779b97f4a7c15u >> 52];
}

uint32_t site_of_new(const void *pc);

// The number of an instruction.
static inline uint32_t site_of(const void *pc)
{
    const SiteRecent *r = site_recent_of(pc);
    return __builtin_expect(r->pc == pc, 1) ? r->site : site_of_new(pc);
}

uint32_t site_of_line(const char *file, int line);
uint32_t site_of_callers(void *const *pcs, int num);
Site *site_at(uint32_t number);
const char *site_line(uint32_t number);
bool site_is_known(uint32_t number);
void site_note_guard(uint32_t number, bool same);
uint32_t site_with_guard(uint32_t i);

#endif
