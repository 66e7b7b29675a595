// The watch over the workers.
#ifndef CUDACPU_WATCH_H
#define CUDACPU_WATCH_H
#include "base.h"

#define WATCH_SIGNAL SIGURG // which programs ignore unless they ask for it

// A part of Worker: the states in which the watch has found its block, and how many of the last
// ones were new.
enum
{
    STATES_KEPT = 1 << 15
};
typedef struct Repeats
{
    uint64_t states[STATES_KEPT]; // a hash table; 0 is a free place
    unsigned count;
    uint64_t block;     // num_blocks_run at that time
    double since;       // since then ...
    unsigned seen, new; // ... so many
} Repeats;

struct Worker;
struct Launch;
void watch_add(struct Worker *worker);
void watch_start(void (*call_helpers)(struct Launch *launch));

#endif
