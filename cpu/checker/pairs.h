// A finding as it is kept, its pair of lines, and the pairs that are one mistake.
#ifndef CUDACPU_PAIRS_H
#define CUDACPU_PAIRS_H
#include "finding.h"

// How near to each other two threads are.
typedef enum Distance
{
    LANES,
    WARPS,
    BLOCKS,
    LAUNCHES
} Distance;

typedef struct Finding
{
    FindingKind kind;
    uint32_t sites[2];
    uint64_t times;
    Record before, now; // of the first time
    uint32_t reader;    // where the host has read what a copy has brought
    const void *address;
    size_t bytes;
    char where[600];        // what lies at the address
    bool met;               // the two blocks have used one atomic or volatile word
    Distance widest;        // of all times
    struct Finding *leader; // another one of the same mistake, which is told; NULL: none
    bool printed;
    bool told;
    bool counted;            // one of the lines of the summary; another one has the same lines else
    struct Finding *next;    // of its bucket
    struct Finding *younger; // of all
} Finding;

const char *pairs_line(const Finding *f, int which);
bool pairs_same_lines(const Finding *a, const Finding *b);
void pairs_find_leaders(Finding *oldest);
const Finding *pairs_leader(const Finding *f);
size_t pairs_num_led(const Finding *oldest, const Finding *leader);
void pairs_print_led(const Finding *oldest, const Finding *leader, const char *before);

#endif
