// Places in the code: where an access stands. Each has a number.
#ifndef CUDACPU_SITE_H
#define CUDACPU_SITE_H
#include "../runtime/base.h"

enum
{
    SITE_BITS = 20,
    SITE_CALLERS = 8
};

typedef struct Site
{
    const void *pcs[SITE_CALLERS]; // innermost first; all but the first are NULL for an access
    bool guards;     // a plain read that an atomic that compares of the same word follows, ...
    bool guards_not; // ... or of another word
    bool resolved;
    char line[120]; // "file.cu:12", once it was asked for
} Site;

uint32_t site_of(const void *pc);
uint32_t site_of_callers(void *const *pcs, int num);
Site *site_at(uint32_t number);
const char *site_line(uint32_t number);
void site_note_guard(uint32_t number, bool same);
uint32_t site_with_guard(uint32_t i);

#endif
