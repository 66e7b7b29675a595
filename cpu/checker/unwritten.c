// What a copy has brought to the host that was never written, as the end of an array where the grid was
// rounded down.
//
// In memory that the runtime knows the bits of the shadow say what is not written. The host's own memory
// has none, so here it gets a bit for each byte that a copy has left unwritten. Much of the host's code
// is not seen when it writes. So the value that was copied is kept, and a byte that has another one now
// has been written.
//
// To copy is no mistake, and neither is the padding of a structure, which nobody reads. So a copy is told
// when the host reads such a byte: once, with all that it has left unwritten.
#include "unwritten.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "finding.h"
#include "order.h"

enum
{
    MOST_COPIES = 4096,
    MOST_PADDING = 15 // bytes: what is longer is no gap in a structure
};

typedef struct Part
{
    uint8_t unwritten[CHUNK_BYTES / 8];
    uint8_t value[CHUNK_BYTES];
} Part;

typedef struct Copy
{
    const char *to;
    size_t bytes; // of a copy of rows, from its first to its last
    uint32_t site, sequence;
    bool told;
} Copy;

bool unwritten_any;
static Part **parts; // by address >> CHUNK_SHIFT
static Copy copies[MOST_COPIES];
static size_t num_copies; // that there were; the last ones are kept

static Part *part_at(uintptr_t address)
{
    const uintptr_t number = address >> CHUNK_SHIFT;
    return parts != NULL && number < NUM_CHUNKS ? parts[number] : NULL;
}

static Part *part_for(uintptr_t address)
{
    if (parts == NULL)
    {
        parts = mmap(NULL, NUM_CHUNKS * sizeof(*parts), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        parts = parts != MAP_FAILED ? parts : NULL;
    }
    Part **part = parts != NULL ? &parts[address >> CHUNK_SHIFT] : NULL;
    if (part != NULL && *part == NULL)
    {
        *part = calloc(1, sizeof(**part));
    }
    if (part == NULL || *part == NULL)
    {
        exhausted("memory for the checker", errno);
    }
    unwritten_any = true;
    return *part;
}

// Whether the shadow knows what is written here.
static bool is_known(uintptr_t address)
{
    const Chunk *chunk = shadow_chunk((void *)address);
    return chunk != NULL && (shadow_nibble(chunk->valid, address) >> address % 4 & 1) != 0;
}

static bool is_unwritten(uintptr_t address)
{
    const size_t at = address % CHUNK_BYTES;
    if (is_known(address))
    {
        return (shadow_nibble(shadow_chunk((void *)address)->set, address) >> address % 4 & 1) == 0;
    }
    const Part *part = part_at(address);
    return part != NULL && (part->unwritten[at / 8] >> at % 8 & 1) != 0 &&
           part->value[at] == *(const volatile uint8_t *)address;
}

// The first byte from `at` on that is unwritten, or is not; `end` if there is none.
static uintptr_t next(uintptr_t at, uintptr_t end, bool unwritten)
{
    while (at < end)
    {
        const Chunk *chunk = shadow_chunk((void *)at);
        const Part *part = part_at(at);
        const size_t i = at % CHUNK_BYTES / 8;
        uint64_t set = 0; // of 64 bytes at once
        if (unwritten && at % 64 == 0 && chunk != NULL && part == NULL)
        {
            memcpy(&set, &chunk->set[i], sizeof(set));
        }
        if (set == UINT64_MAX)
        {
            at += 64;
            continue;
        }
        if (unwritten && at % 8 == 0 && (chunk == NULL || chunk->set[i] == 0xff) &&
            (part == NULL || part->unwritten[i] == 0))
        {
            at += chunk == NULL && part == NULL ? CHUNK_BYTES - at % CHUNK_BYTES : 8;
            continue;
        }
        if (!unwritten && at % 8 == 0 && chunk != NULL && chunk->valid[i] == 0xff &&
            chunk->set[i] == 0)
        {
            at += 8;
            continue;
        }
        if (is_unwritten(at) == unwritten)
        {
            return at;
        }
        ++at;
    }
    return end;
}

void unwritten_set_written(const char *start, size_t bytes)
{
    for (uintptr_t at = (uintptr_t)start, end = at + bytes; unwritten_any && at < end;)
    {
        Part *part = part_at(at);
        const size_t i = at % CHUNK_BYTES;
        const bool is_byte = part != NULL && (i % 8 != 0 || end - at < 8);
        if (part != NULL)
        {
            part->unwritten[i / 8] &= is_byte ? ~(1u << i % 8) : 0;
        }
        at += part == NULL ? CHUNK_BYTES - i : is_byte ? 1 : 8;
    }
}

// The rows of an operation are one copy: where the first one went, and the copy's end as far as it is known.
static Copy begin(const char *to, size_t bytes, uint32_t site, uint32_t sequence)
{
    static Copy latest;
    const bool goes_on = latest.sequence == sequence && latest.site == site && to > latest.to &&
                         order_task(sequence)->kind == TASK_OPERATION;
    latest = goes_on ? latest : (Copy){to, bytes, site, sequence, false};
    latest.bytes = (size_t)(to - latest.to) + bytes;
    return latest;
}

// A copy to the same place takes the place of the one before it.
static void remember(const Copy *copy, bool is_new)
{
    const size_t kept = num_copies < MOST_COPIES ? num_copies : MOST_COPIES;
    size_t i = 0;
    while (i < kept && (copies[i].to != copy->to || copies[i].site != copy->site))
    {
        ++i;
    }
    if (i < kept || is_new)
    {
        copies[i < kept ? i : num_copies++ % MOST_COPIES] = *copy;
    }
}

// Kernels copy structures, mostly of whole words that are written.
static inline bool is_usual(uintptr_t at, size_t bytes)
{
    const Chunk *chunk = shadow_chunk((void *)at);
    if (unwritten_any || bytes > 64 || (at | bytes) % 4 != 0 ||
        at % CHUNK_BYTES + bytes > CHUNK_BYTES)
    {
        return false;
    }
    unsigned set = 15;
    for (uintptr_t end = at + bytes; chunk != NULL && at < end; at += 4)
    {
        set &= shadow_nibble(chunk->set, at);
    }
    return set == 15;
}

// Before the bytes are copied. What is not written is not written in the copy, either. `site` is 0 where
// a kernel copies: that is not told.
void unwritten_copy(char *to, const char *from, size_t bytes, uint32_t site, uint32_t sequence)
{
    const uintptr_t start = (uintptr_t)from, end = start + bytes;
    if (site == 0 && is_usual(start, bytes))
    {
        return;
    }
    bool some = false;
    uintptr_t at = next(start, end, true);
    unwritten_set_written(to, at - start);
    while (at < end)
    {
        const uintptr_t written = next(at, end, false);
        for (uintptr_t target; at < written; ++at)
        {
            target = (uintptr_t)to + (at - start);
            if (is_known(target))
            {
                shadow_set_unwritten((char *)target);
                continue;
            }
            Part *part = part_for(target);
            part->unwritten[target % CHUNK_BYTES / 8] |= 1u << target % 8;
            part->value[target % CHUNK_BYTES] = *(const volatile uint8_t *)at;
        }
        some = true;
        at = next(written, end, true);
        unwritten_set_written(to + (written - start), at - written);
    }
    if (site != 0)
    {
        const Copy copy = begin(to, bytes, site, sequence);
        if (some || num_copies > 0)
        {
            remember(&copy, some);
        }
    }
}

// Whether the host reads what nobody has written. Of an access of more than 4 bytes all bytes must be
// unwritten. A read of very many bytes may go over padding.
bool unwritten_is_read(const char *start, size_t bytes, uint32_t what)
{
    const uintptr_t first = (uintptr_t)start, end = first + bytes;
    const size_t most_others = (what & IS_BULK) != 0 ? MOST_PADDING : 0;
    for (uintptr_t at = next(first, end, true), written; at < end; at = next(written, end, true))
    {
        written = next(at, end, false);
        if (written - at == bytes || bytes <= 4 || (most_others > 0 && written - at > most_others))
        {
            return true;
        }
    }
    return false;
}

static Copy *copy_to(const char *address)
{
    const size_t kept = num_copies < MOST_COPIES ? num_copies : MOST_COPIES;
    for (size_t i = 0; i < kept; ++i)
    {
        Copy *copy = &copies[(num_copies - 1 - i) % MOST_COPIES];
        if (address >= copy->to && address < copy->to + copy->bytes)
        {
            return copy;
        }
    }
    return NULL;
}

// How many bytes the copy has left unwritten, in runs that are longer than `least`; and where these begin.
static size_t count(const Copy *copy, size_t least, size_t *first)
{
    const uintptr_t start = (uintptr_t)copy->to, end = start + copy->bytes;
    size_t sum = 0;
    for (uintptr_t at = next(start, end, true), written; at < end; at = next(written, end, true))
    {
        written = next(at, end, false);
        if (written - at > least)
        {
            *first = sum == 0 ? at - start : *first;
            sum += written - at;
        }
    }
    return sum;
}

// The host reads bytes that nobody has written, at the place `reader`. False: no copy has brought them.
bool unwritten_tell(const char *address, size_t bytes, uint32_t reader)
{
    Copy *copy = copy_to(address);
    if (copy == NULL || copy->told)
    {
        return copy != NULL;
    }
    const uintptr_t start = (uintptr_t)copy->to, end = start + copy->bytes;
    const uintptr_t at = (uintptr_t)address;
    const size_t size = bytes <= 16 ? bytes : 1;
    // A gap in a structure is as short as what was read where the program has left out elements.
    uintptr_t low = at;
    while (low > start && is_unwritten(low - 1))
    {
        --low;
    }
    const bool is_long = next(next(low, end, true), end, false) - low > MOST_PADDING;
    size_t first = 0;
    const size_t sum = count(copy, is_long ? MOST_PADDING : 0, &first);
    char text[200], element[60] = "";
    if (size > 1)
    {
        snprintf(element, sizeof(element), " (element %zu, of %zu bytes)",
                 (first + size - 1) / size, size);
    }
    snprintf(text, sizeof(text), "%zu of its %zu bytes were never written, from byte %zu on%s", sum,
             copy->bytes, first, element);
    const Record now = {copy->sequence, 0, IS_WRITE | IS_BULK | copy->site << SITE_SHIFT};
    finding_copy(&now, text, reader);
    copy->told = true;
    unwritten_set_written(copy->to, copy->bytes);
    return true;
}
