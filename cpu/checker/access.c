// One access: is it within the program's memory, was what it reads ever written, and is it ordered
// with the accesses before it?
#include "access.h"
#include "async.h"
#include "../runtime/check.h"
#include "../runtime/worker.h"
#include "finding.h"
#include "guard.h"
#include "lock.h"
#include "meet.h"
#include "order.h"
#include "site.h"
#include "threads.h"
#include "unwritten.h"
#include "word.h"

static inline __attribute__((always_inline)) Who find_who(const void *address, size_t bytes)
{
    const Worker *worker = this_worker;
    const bool in_kernel = worker != NULL && worker->in_kernel;
    const unsigned thread = in_kernel ? worker->current : 0;
    return (Who){
        .sequence = in_kernel ? threads_now.sequence : order_sequence(),
        .when = in_kernel ? threads_when(thread) : 0,
        .thread = thread,
        .in_kernel = in_kernel,
        .address = address,
        .bytes = bytes,
    };
}

// An access of a few bytes: no byte of it may be outside, and of a read one must have been written.
static void look_at_state(const Chunk *chunk, Who who, uint32_t what, uint32_t site)
{
    const uintptr_t start = (uintptr_t)who.address, end = start + who.bytes;
    bool outside = false, written = false, unwritten = false;
    for (uintptr_t at = start; at < end;)
    {
        const size_t here = at % 4, left = end - at, num = left < 4 - here ? left : 4 - here;
        const unsigned mask = ((1u << num) - 1) << here;
        chunk = at % CHUNK_BYTES == 0 ? shadow_chunk((void *)at) : chunk;
        const unsigned valid = chunk != NULL ? shadow_nibble(chunk->valid, at) & mask : 0;
        const unsigned set = chunk != NULL ? shadow_nibble(chunk->set, at) & mask : mask;
        outside |= (mask & ~set & ~valid) != 0;
        written |= (set & valid) != 0;
        unwritten |= (valid & ~set) != 0;
        at += num;
    }
    const Record now = {who.sequence, who.when, what | site << SITE_SHIFT};
    if (outside)
    {
        finding_access(OUT_OF_BOUNDS, &now, who.address, who.bytes);
    }
    else if (unwritten && (what & IS_BULK) == 0 &&
             ((what & IS_WRITE) == 0 || (what & IS_ATOMIC) != 0) && (!written || who.bytes <= 4))
    {
        if (who.in_kernel || !unwritten_tell(who.address, who.bytes, site))
        {
            finding_access(NEVER_WRITTEN, &now, who.address, who.bytes);
        }
        shadow_set_written(who.address, who.bytes); // said once
    }
}

static void note_words(Who who, uint32_t what, uint32_t site)
{
    uintptr_t at = (uintptr_t)who.address;
    const uintptr_t end = at + who.bytes;
    while (at < end)
    {
        Chunk *chunk = shadow_chunk((void *)at);
        const size_t here = at % 4, left = end - at, num = left < 4 - here ? left : 4 - here;
        const unsigned mask = ((1u << num) - 1) << here;
        if (chunk == NULL)
        {
            at += num;
            continue;
        }
        if ((shadow_nibble(chunk->valid, at) & mask) != 0)
        {
            const Record now = {who.sequence, who.when,
                                what | mask << MASK_SHIFT | site << SITE_SHIFT};
            Word *word = &chunk->words[at % CHUNK_BYTES / 4];
            if (!word_knows(word, now.sequence, now.when, now.what))
            {
                word_note(word, now.sequence, now.when, now.what, &who, (void *)(at - here));
            }
        }
        at += num;
    }
}

// Whole words of the program's memory, which have been written if they are read.
static inline bool are_usual(const Chunk *chunk, uintptr_t at, size_t bytes, uint32_t what)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || (at & (bytes - 1)) != 0)
    {
        return false;
    }
    const bool reads = (what & IS_WRITE) == 0 || (what & IS_ATOMIC) != 0;
    for (uintptr_t end = at + bytes; at < end; at += 4)
    {
        const unsigned valid = shadow_nibble(chunk->valid, at);
        const unsigned set = reads ? shadow_nibble(chunk->set, at) : 15;
        if ((valid & set) != 15)
        {
            return false;
        }
    }
    return true;
}

static inline __attribute__((always_inline)) void note_usual(Chunk *chunk, Who who, uint32_t what,
                                                             uint32_t site)
{
    const uint32_t sequence = who.sequence, when = who.when;
    const uint32_t all = what | 15u << MASK_SHIFT | site << SITE_SHIFT;
    const uintptr_t start = (uintptr_t)who.address;
    for (uintptr_t at = start; at < start + who.bytes; at += 4)
    {
        Word *word = &chunk->words[at % CHUNK_BYTES / 4];
        if ((what & IS_WRITE) != 0)
        {
            chunk->set[at % CHUNK_BYTES / 8] |= 15u << (at & 4);
        }
        if (!word_knows(word, sequence, when, all))
        {
            const Who same = who; // so that it is in memory only here
            word_note(word, sequence, when, all, &same, (void *)at);
        }
    }
}

static __attribute__((noinline)) void note_any(Chunk *chunk, Who who, uint32_t what, uint32_t site)
{
    look_at_state(chunk, who, what, site);
    if (what & IS_WRITE)
    {
        shadow_set_written(who.address, who.bytes);
    }
    note_words(who, what, site);
}

static __attribute__((noinline)) void note_guard(Who who, uint32_t what, uint32_t site)
{
    if (who.in_kernel && (what & (IS_WRITE | IS_STRONG)) == 0)
    {
        guard_note_read(who, site);
    }
    else if (who.in_kernel && (what & IS_COMPARING) != 0)
    {
        guard_note_comparing(who, site);
    }
}

// An access of the program's code, of at most a few words.
void access_note(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    Chunk *chunk = shadow_chunk(address);
    if (chunk == NULL)
    {
        return;
    }
    lock_take();
    word_settle();
    const Who who = find_who(address, bytes);
    const uint32_t site = site_of(pc);
    if (are_usual(chunk, (uintptr_t)address, bytes, what))
    {
        note_usual(chunk, who, what, site);
    }
    else
    {
        note_any(chunk, who, what, site);
    }
    if (__builtin_expect(guard_wanted, 0))
    {
        note_guard(who, what, site);
    }
    guard_wanted |= (what & IS_COMPARING) != 0;
    if ((what & IS_STRONG) != 0 && who.in_kernel)
    {
        meet_note(who.sequence, threads_now.launch, address, what);
    }
    if (__builtin_expect(async_num_in_flight > 0, 0) && who.in_kernel)
    {
        const Record now = {who.sequence, who.when, what | site << SITE_SHIFT};
        async_look(&now, address, bytes);
    }
    lock_give();
    finding_describe_new();
}

// Whether an exchange finds memory that was never written. It counts as written from now on.
bool access_is_first(const void *address, size_t bytes)
{
    bool is_first = false;
    lock_take();
    for (uintptr_t at = (uintptr_t)address, end = at + bytes; at < end; ++at)
    {
        const Chunk *chunk = shadow_chunk((void *)at);
        const unsigned bit = 1u << at % 4;
        is_first |= chunk != NULL && (shadow_nibble(chunk->valid, at) & bit) != 0 &&
                    (shadow_nibble(chunk->set, at) & bit) == 0;
    }
    if (is_first)
    {
        shadow_set_written(address, bytes);
    }
    lock_give();
    return is_first;
}

// The result of such an exchange is used.
void access_note_first(const void *address, size_t bytes, const void *pc)
{
    lock_take();
    const Who who = find_who(address, bytes);
    const Record now = {who.sequence, who.when, IS_WRITE | IS_ATOMIC | site_of(pc) << SITE_SHIFT};
    finding_access(NEVER_WRITTEN, &now, address, bytes);
    lock_give();
    finding_describe_new();
}

// An access of the host's to memory that only a copy has to do with.
void access_note_copied(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    if (this_worker != NULL && this_worker->in_kernel)
    {
        return;
    }
    lock_take();
    if (what & IS_WRITE)
    {
        unwritten_set_written(address, bytes);
    }
    else if (unwritten_is_read(address, bytes, what))
    {
        unwritten_tell(address, bytes, site_of(pc));
    }
    lock_give();
}

// An index that is outside its array. The access itself may be anywhere.
void access_note_index(const char *text, const void *pc)
{
    lock_take();
    word_settle();
    const Who who = find_who(text, 0);
    const Record now = {who.sequence, who.when, site_of(pc) << SITE_SHIFT};
    finding_index(&now, text);
    lock_give();
    finding_describe_new();
}

// An access of many bytes that has no place in the program's code: of the call `site`.
void access_bulk(const void *address, size_t bytes, uint32_t what, uint32_t site)
{
    lock_take();
    word_settle();
    const Who who = find_who(address, bytes);
    note_words(who, what | IS_BULK, site);
    lock_give();
}
