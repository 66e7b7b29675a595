// Copies into shared memory that are under way. Each word has the number of the copy that writes it. A
// thread has a list of its copies, in batches that a commit ends.
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

static uint32_t *word_at(const char *address)
{
    return &copy_of_word[((uintptr_t)address - cudacpu_shared_start) / 4];
}

// Sets the words of a copy that have the number `from` to `to`.
static void set_words(const Copy *copy, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < copy->bytes; i += 4)
    {
        uint32_t *word = word_at(copy->to + i);
        *word = from == 0 || *word == from ? to : *word;
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
    if (copy_of_word == NULL || !is_shared(address, bytes))
    {
        return;
    }
    for (size_t i = 0; i < bytes; i += 4)
    {
        const uint32_t number = *word_at((const char *)address + i);
        if (number != 0)
        {
            finding_race(IN_FLIGHT, &copies[number].issued, now, address, bytes);
            return;
        }
    }
}
