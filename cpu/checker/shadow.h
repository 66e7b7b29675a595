// What the checker knows of each byte of the memory that kernels use.
//
// Memory is in chunks of 64 kB. A chunk has two bits for each byte, and for each word of four bytes
// the last accesses: three records in place, and as many more as it takes in a chain. That is 10.25
// bytes for a byte.
#ifndef CUDACPU_SHADOW_H
#define CUDACPU_SHADOW_H
#include "../runtime/base.h"

enum
{
    CHUNK_SHIFT = 16,
    CHUNK_BYTES = 1 << CHUNK_SHIFT,
    RECORDS_IN_PLACE = 3,
    RECORDS_IN_MORE = 4
};

// An access. A record whose sequence number is 0 is empty.
typedef struct Record
{
    uint32_t sequence; // the block, or the task: order.h
    uint32_t when;     // of a thread of a block: the time in its block << 10 | the thread
    uint32_t what;     // see below
} Record;

// The bits of `what`. Accesses with the same bits are alike.
enum
{
    IS_WRITE = 1 << 0,
    IS_VOLATILE = 1 << 1,
    IS_ATOMIC = 1 << 2,
    IS_STRONG = IS_VOLATILE | IS_ATOMIC,
    SCOPE_SHIFT = 3,       // of an atomic: a Scope
    IS_COMPARING = 1 << 5, // atomicMin, atomicMax, atomicCAS
    IS_UPDATE = 1 << 3,    // of a volatile write: of a word that the thread has just read
    IS_SUM = 1 << 4,       // ... of what it has just read in another volatile word
    IS_BULK = 1 << 6,      // a copy
    IS_FREE = 1 << 7,      // the end of an allocation
    MASK_SHIFT = 8,        // which of the word's four bytes
    SITE_SHIFT = 12
};

typedef enum Scope
{
    SCOPE_BLOCK,
    SCOPE_DEVICE,
    SCOPE_SYSTEM
} Scope;

typedef struct Word
{
    Record records[RECORDS_IN_PLACE];
    uint32_t more; // the first of its chain; 0: none
} Word;

typedef struct More
{
    Record records[RECORDS_IN_MORE];
    uint32_t next;
} More;

// Of the bits of a byte:    valid  set
//   no memory of the program  0     0     beside an allocation, or freed: takes no memory here
//   not known                 0     1     of the host, or nothing's; so is all that has no chunk
//   fresh                     1     0
//   written                   1     1
typedef struct Chunk
{
    uint8_t valid[CHUNK_BYTES / 8], set[CHUNK_BYTES / 8];
    Word words[CHUNK_BYTES / 4];
} Chunk;

#define NUM_CHUNKS (1ul << (47 - CHUNK_SHIFT))
extern Chunk **shadow_chunks; // by address >> CHUNK_SHIFT
extern More *shadow_more;

static inline Chunk *shadow_chunk(const void *address)
{
    const uintptr_t number = (uintptr_t)address >> CHUNK_SHIFT;
    return shadow_chunks != NULL && number < NUM_CHUNKS ? shadow_chunks[number] : NULL;
}

// The four bits of the word that an address is in.
static inline unsigned shadow_nibble(const uint8_t *bits, uintptr_t address)
{
    return bits[address % CHUNK_BYTES / 8] >> (address & 4) & 15;
}

typedef enum State
{
    OUTSIDE = 0,
    UNKNOWN = 2,
    FRESH = 1,
    WRITTEN = 3
} State;

void shadow_set_state(const char *start, size_t bytes, State state);
void shadow_set_written(const char *start, size_t bytes);
void shadow_set_unwritten(const char *byte);
void shadow_forget(const char *start, size_t bytes);
uint32_t shadow_new_more(void);
uint32_t shadow_free_more(uint32_t number);

#endif
