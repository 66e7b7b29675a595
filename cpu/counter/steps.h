// The lanes of a warp go in step, from basic block to basic block.
#ifndef CUDACPU_STEPS_H
#define CUDACPU_STEPS_H
#include "../runtime/worker.h"

enum
{
    MAX_ACCESSES = 128 // of a thread within a basic block; the rest is another step
};

// Where a thread is. All lanes of a step are at one place.
typedef struct Spot
{
    uint32_t depth; // bytes of its stack: a function that was called is deeper
    uint32_t stops; // at barriers and exchanges since the basic block began
    const void *pc; // where the basic block begins
} Spot;

typedef enum Access
{
    LOAD,
    STORE,
    ATOMIC
} Access;

// One access of the step, by the lanes that make it.
typedef struct Request
{
    const void *pc;
    Access access;
    bool is_part;   // of a structure whose parts are moved one by one
    uint32_t bytes; // of a lane
    uint32_t lanes;
    const char *address[WARP_SIZE];
} Request;

typedef struct Steps
{
    Spot place[MAX_BLOCK_THREADS];
    bool spins[MAX_BLOCK_THREADS];  // it tries something again and again: the others go first
    bool failed[MAX_BLOCK_THREADS]; // its last atomic has changed nothing
    unsigned char tries[MAX_BLOCK_THREADS]; // in vain, one after the other
    const void *last_pc[MAX_BLOCK_THREADS]; // its last access,
    const void *last_address[MAX_BLOCK_THREADS];
    unsigned char repeats[MAX_BLOCK_THREADS]; // and how often it was the same one, and a load
    unsigned char once[MAX_BLOCK_THREADS]; // how deep it is in functions that are one instruction
    uint32_t kernel;                       // of the tally

    unsigned warp;    // whose step it is
    uint32_t members; // the lanes of the step
    uint32_t left;    // those of them that have not had their turn
    Spot at;          // where they are
    unsigned in_turn; // steps of this warp since another one had a turn

    unsigned num_requests, next; // of the step; which one the current lane makes next
    Request requests[MAX_ACCESSES];
} Steps;

void steps_begin_block(const void *pc, const void *frame);
void steps_begin_once(void);
void steps_begin_atomic(const void *address, uint32_t bytes, const void *pc);
void steps_end_once(void);
void steps_note(const void *address, uint32_t bytes, Access access, bool is_part, const void *pc);

#endif
