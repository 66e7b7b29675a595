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
    FAULT,         // what the runtime has reported
    SAME_VALUE,    // from here on notes: lanes of one store write one value
    CHECKED_COMPARE,
    UNWRITTEN_COPY, // a copy, of bytes that the host then reads
    ACTIVE_MASK,    // of __activemask in a branch
    NUM_FINDING_KINDS,
    FIRST_NOTE = SAME_VALUE
} FindingKind;

// These note a finding: with the checker's lock, on any stack, and in no handler.
// Two accesses of a word. Of a kind that has one place only, the first one is empty.
void finding_race(FindingKind kind, const Record *before, const Record *now, const void *address,
                  size_t bytes);
void finding_access(FindingKind kind, const Record *now, const void *address, size_t bytes);
void finding_mistake(FindingKind kind, const Record *before, const Record *now, const char *text);
void finding_index(const Record *now, const char *text);
void finding_copy(const Record *now, const char *text, uint32_t reader);

// These look up lines, which starts addr2line: from the worker's own stack when a kernel has ended,
// and from the program's end.
void finding_print_new(void);
void finding_tell_all(void);

// A finding keeps an address. What lies there the allocations and the block know, and these tell
// the checker of memory: so they stand above it, and register who asks them (describe.c).
typedef void FindingDescriber(const void *address, char *text, size_t size);
void finding_set_describer(FindingDescriber *describer);

extern int finding_num_new;      // that are not described yet
void finding_describe_all(void); // on any stack, a fiber's too, without the checker's lock

extern const bool cudacpu_check_strict __attribute__((weak)); // in the program: notes are errors

static inline void finding_describe_new(void)
{
    if (__builtin_expect(finding_num_new > 0, 0))
    {
        finding_describe_all();
    }
}

#endif
