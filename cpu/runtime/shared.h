// The shared memory of the block that a worker runs.
#ifndef CUDACPU_SHARED_H
#define CUDACPU_SHARED_H
#include "base.h"

enum
{
    MAX_SHARED_VARIABLES = 512
};

typedef struct SharedVariable
{
    const char *name;
    char *start;
    size_t bytes;
    void **place; // where its declaration looks for `start`
} SharedVariable;

// A part of Worker.
typedef struct Shared
{
    char *memory;      // with its guards; NULL: none yet
    char *static_end;  // here begins the guard behind static variables, ...
    char *dynamic_end; // ... and here the one behind dynamic memory
    char *lowest;      // where the last of the variables below begins
    size_t dynamic_bytes;
    unsigned num; // variables that this launch has declared, from the guard downwards
    SharedVariable variables[MAX_SHARED_VARIABLES];
} Shared;

struct Worker;
void shared_begin(struct Worker *worker, size_t dynamic_bytes);
void shared_enter(struct Worker *worker);
void shared_leave(struct Worker *worker);
char *shared_dynamic(const Shared *shared);
bool shared_overwritten(const Shared *shared, char *text, size_t size);
bool shared_describe(const Shared *shared, const void *address, char *text, size_t size);

#endif
