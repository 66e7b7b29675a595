// Copies into shared memory that are under way. Each word has the number of the latest copy that writes it,
// or a part of it. A thread has a list of its copies, in batches that a commit ends.
#include "async.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../runtime/worker.h"
#include "finding.h"

typedef struct Copy
{
    const char *to;
    size_t bytes;
    const void *pc; // of its issue
    Record issued;
    uint32_t batch;
    uint32_t next; // of its thread, or of those that are free; 0: none
} Copy;

typedef struct Copies
{
    uint32_t oldest, youngest; // 0: none
    uint32_t num_batches;      // that are committed
} Copies;

unsigned async_num_in_flight;
static Copies of_thread[MAX_BLOCK_THREADS];
static Copy *copies; // the first one is none
static uint32_t num_copies = 1, capacity, first_free;
static uint32_t *copy_of_word;
static bool any; // since the block's beginning

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for the checker", errno);
    }
    return memory;
}

static bool is_shared(const void *address, size_t bytes)
{
    const uintptr_t offset = (uintptr_t)address - cudacpu_shared_start;
    return bytes <= cudacpu_shared_bytes && offset <= cudacpu_shared_bytes - bytes;
}

static size_t word_of(const char *address)
{
    return ((uintptr_t)address - cudacpu_shared_start) / 4;
}

// Sets the words of a copy that have the number `from` to `to`.
static void set_words(const Copy *copy, uint32_t from, uint32_t to)
{
    for (size_t i = word_of(copy->to); i <= word_of(copy->to + copy->bytes - 1); ++i)
    {
        copy_of_word[i] = from == 0 || copy_of_word[i] == from ? to : copy_of_word[i];
    }
}

static void forget_oldest(Copies *mine)
{
    const uint32_t number = mine->oldest;
    Copy *copy = &copies[number];
    set_words(copy, number, 0);
    mine->oldest = copy->next;
    mine->youngest = mine->oldest != 0 ? mine->youngest : 0;
    copy->next = first_free;
    first_free = number;
    --async_num_in_flight;
}

// What the block before has not waited for, nobody waits for any more.
void async_begin_block(void)
{
    for (unsigned thread = 0; any && thread < MAX_BLOCK_THREADS; ++thread)
    {
        while (of_thread[thread].oldest != 0)
        {
            forget_oldest(&of_thread[thread]);
        }
        of_thread[thread].num_batches = 0;
    }
    any = false;
}

// A copy to other memory is done when it is issued.
void async_note_copy(unsigned thread, Record now, const void *to, size_t bytes, const void *pc)
{
    if (bytes == 0 || !is_shared(to, bytes))
    {
        return;
    }
    if (copy_of_word == NULL)
    {
        copy_of_word = need(calloc(cudacpu_shared_bytes / 4 + 1, sizeof(*copy_of_word)));
    }
    uint32_t number = first_free;
    if (number == 0)
    {
        if (num_copies >= capacity)
        {
            capacity = 2 * capacity + 256;
            copies = need(realloc(copies, capacity * sizeof(*copies)));
        }
        number = num_copies++;
    }
    else
    {
        first_free = copies[number].next;
    }
    Copies *mine = &of_thread[thread];
    copies[number] = (Copy){to, bytes, pc, now, mine->num_batches, 0};
    *(mine->youngest != 0 ? &copies[mine->youngest].next : &mine->oldest) = number;
    mine->youngest = number;
    set_words(&copies[number], 0, number);
    ++async_num_in_flight;
    any = true;
}

void async_commit(unsigned thread)
{
    ++of_thread[thread].num_batches;
    any = true;
}

// The next copy of a thread that is done when all but the last `num_behind` batches are. False: there
// is none.
bool async_take(unsigned thread, size_t num_behind, const void **to, size_t *bytes, const void **pc)
{
    Copies *mine = &of_thread[thread];
    const Copy *copy = mine->oldest != 0 ? &copies[mine->oldest] : NULL;
    if (copy == NULL || copy->batch + num_behind >= mine->num_batches)
    {
        return false;
    }
    *to = copy->to;
    *bytes = copy->bytes;
    *pc = copy->pc;
    forget_oldest(mine);
    return true;
}

// An access of the block. What a copy writes that is under way, it must not touch.
void async_look(const Record *now, const void *address, size_t bytes)
{
    const char *start = address;
    if (copy_of_word == NULL || bytes == 0 || !is_shared(address, bytes))
    {
        return;
    }
    for (size_t i = word_of(start); i <= word_of(start + bytes - 1); ++i)
    {
        const uint32_t number = copy_of_word[i];
        const Copy *copy = &copies[number];
        if (number != 0 && copy->to < start + bytes && start < copy->to + copy->bytes)
        {
            finding_race(IN_FLIGHT, &copies[number].issued, now, address, bytes);
            return;
        }
    }
}
