// What the checker has found.
#ifndef CUDACPU_FINDING_H
#define CUDACPU_FINDING_H
#include "shadow.h"

typedef enum FindingKind
{
    RACE,
    RACE_SCOPE,    // atomics whose scope does not reach the other thread
    FREED_IN_USE,  // memory that is freed while it may be in use
    NEVER_WRITTEN, // a read
    OUT_OF_BOUNDS,
    IN_FLIGHT,     // what an asynchronous copy writes that is not waited for
    WRONG_MASK,    // of an exchange between lanes
    WRONG_BARRIER, // two that meet
    FAULT,      // what the runtime has reported
    SAME_VALUE, // from here on notes: lanes of one store write one value
    CHECKED_COMPARE,
    ACTIVE_MASK, // of __activemask in a branch
    NUM_FINDING_KINDS,
    FIRST_NOTE = SAME_VALUE
} FindingKind;

// Two accesses of a word. Of a kind that has one place only, the first one is empty.
void finding_race(FindingKind kind, const Record *before, const Record *now, const void *address,
                  size_t bytes);
void finding_access(FindingKind kind, const Record *now, const void *address, size_t bytes);
void finding_mistake(FindingKind kind, const Record *before, const Record *now, const char *text);
void finding_index(const Record *now, const char *text);
void finding_print_new(void);
void finding_tell_all(void);

extern const bool cudacpu_check_strict __attribute__((weak)); // in the program: notes are errors

extern int finding_num_new; // that are not described yet
void finding_describe_all(void);

static inline void finding_describe_new(void)
{
    if (__builtin_expect(finding_num_new > 0, 0))
    {
        finding_describe_all();
    }
}

#endif
