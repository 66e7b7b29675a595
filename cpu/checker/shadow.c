// The tables of the shadow. Address space is reserved, and memory taken only where it is touched.
#include "shadow.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum
{
    MOST_MORE = 1 << 28,
    MOST_UNUSED = 1 << 24
};

Chunk **shadow_chunks;
More *shadow_more;
static uint32_t num_more;
static Chunk **unused; // chunks of memory that is gone: they are zero
static size_t num_unused;

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
    {
        exhausted("address space for the checker", errno);
    }
    return memory;
}

// The chunk of an address. What is in a new one is not known, but where all of it is set next.
static Chunk *chunk_for(uintptr_t address, bool all_is_set)
{
    if (shadow_chunks == NULL)
    {
        shadow_chunks = reserve(NUM_CHUNKS * sizeof(*shadow_chunks));
        shadow_more = reserve(MOST_MORE * sizeof(*shadow_more));
        unused = reserve(MOST_UNUSED * sizeof(*unused));
    }
    Chunk **chunk = &shadow_chunks[address >> CHUNK_SHIFT];
    if (*chunk == NULL)
    {
        *chunk = num_unused > 0 ? unused[--num_unused] : reserve(sizeof(Chunk));
        if (!all_is_set)
        {
            memset((*chunk)->set, 0xff, sizeof((*chunk)->set));
        }
    }
    return *chunk;
}

// Zeros, and whole pages go back to the system.
static void clear(char *start, char *end)
{
    const uintptr_t page = 4096;
    char *first = (char *)(((uintptr_t)start + page - 1) & -page);
    char *last = (char *)((uintptr_t)end & -page);
    if (first >= last || madvise(first, last - first, MADV_DONTNEED) != 0)
    {
        memset(start, 0, end - start);
        return;
    }
    memset(start, 0, first - start);
    memset(last, 0, end - last);
}

static void set_bits(uint8_t *bits, size_t from, size_t to, bool value)
{
    for (; from < to && from % 8 != 0; ++from)
    {
        bits[from / 8] = (bits[from / 8] & ~(1u << from % 8)) | value << from % 8;
    }
    if (to - from >= 8)
    {
        memset(bits + from / 8, value ? 0xff : 0, (to - from) / 8);
        from += (to - from) / 8 * 8;
    }
    for (; from < to; ++from)
    {
        bits[from / 8] = (bits[from / 8] & ~(1u << from % 8)) | value << from % 8;
    }
}

// Calls for each chunk of a range: where the part begins in the chunk, and where it ends.
#define FOR_PARTS(start, bytes, at, from, to)                                           \
    for (uintptr_t at = (uintptr_t)(start), end_ = at + (bytes), from, to;              \
         at < end_ &&                                                                   \
         (from = at % CHUNK_BYTES,                                                      \
         to = end_ - at < CHUNK_BYTES - from ? from + (end_ - at) : CHUNK_BYTES, true); \
         at += to - from)

void shadow_set_state(const char *start, size_t bytes, State state)
{
    FOR_PARTS(start, bytes, at, from, to)
    {
        const bool is_all = from == 0 && to == CHUNK_BYTES;
        if (state == UNKNOWN && shadow_chunk((void *)at) == NULL)
        {
            continue;
        }
        Chunk *chunk = chunk_for(at, is_all);
        if (is_all && state == UNKNOWN && num_unused < MOST_UNUSED)
        {
            clear((char *)chunk, (char *)(chunk + 1));
            unused[num_unused++] = chunk;
            shadow_chunks[at >> CHUNK_SHIFT] = NULL;
        }
        else if (is_all && state == OUTSIDE)
        {
            clear((char *)chunk, (char *)chunk->words);
        }
        else
        {
            set_bits(chunk->valid, from, to, state & 1);
            set_bits(chunk->set, from, to, state >> 1);
        }
    }
}

// The bytes, if they are the program's, have a value now.
void shadow_set_written(const char *start, size_t bytes)
{
    FOR_PARTS(start, bytes, at, from, to)
    {
        Chunk *chunk = shadow_chunk((void *)at);
        for (size_t i = from; chunk != NULL && i < to;)
        {
            const size_t first = i % 8, num = to - i < 8 - first ? to - i : 8 - first;
            chunk->set[i / 8] |= chunk->valid[i / 8] & ((1u << num) - 1) << first;
            i += num;
        }
    }
}

// A byte of the program's has none any more: it is a copy of one that has none.
void shadow_set_unwritten(const char *byte)
{
    Chunk *chunk = shadow_chunk(byte);
    const size_t at = (uintptr_t)byte % CHUNK_BYTES;
    if (chunk != NULL && (chunk->valid[at / 8] >> at % 8 & 1) != 0)
    {
        set_bits(chunk->set, at, at + 1, false);
    }
}

// The accesses to a range no longer count: the memory is freed, or another's now.
void shadow_forget(const char *start, size_t bytes)
{
    FOR_PARTS(start, bytes, at, from, to)
    {
        Chunk *chunk = shadow_chunk((void *)at);
        if (chunk != NULL)
        {
            clear((char *)&chunk->words[from / 4], (char *)&chunk->words[(to + 3) / 4]);
        }
    }
}

// The parts of chains that are used no more, each with the next in `next`.
static uint32_t unused_more;

uint32_t shadow_new_more(void)
{
    const uint32_t number = unused_more;
    if (number != 0)
    {
        unused_more = shadow_more[number].next;
        memset(&shadow_more[number], 0, sizeof(*shadow_more));
        return number;
    }
    if (++num_more == MOST_MORE)
    {
        exhausted("memory for the checker's records", ENOMEM);
    }
    return num_more;
}

// Returns the next of its chain.
uint32_t shadow_free_more(uint32_t number)
{
    const uint32_t next = shadow_more[number].next;
    shadow_more[number].next = unused_more;
    unused_more = number;
    return next;
}
