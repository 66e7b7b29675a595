// What our headers call at asynchronous copies into shared memory. The copy itself is done at once, by
// memcpy. Its write counts when it is issued, and again when its thread has waited for it: what is
// between is nobody's to read.
#include "../runtime/check.h"
#include "../runtime/worker.h"
#include "access.h"
#include "async.h"
#include "lock.h"
#include "site.h"
#include "threads.h"

void cudacpu_check_copy_issued(const void *to, size_t bytes);
void cudacpu_check_copy_issued(const void *to, size_t bytes)
{
    const char *pc = (const char *)__builtin_return_address(0) - 1;
    const Worker *worker = this_worker;
    if (worker == NULL || !worker->in_kernel)
    {
        return;
    }
    lock_take();
    const unsigned thread = worker->current;
    const Record now = {threads_now.sequence, threads_when(thread),
                        IS_WRITE | IS_BULK | site_of(pc) << SITE_SHIFT};
    async_note_copy(thread, now, to, bytes, pc);
    lock_give();
}

void cudacpu_check_copies_committed(void);
void cudacpu_check_copies_committed(void)
{
    const Worker *worker = this_worker;
    if (worker != NULL && worker->in_kernel)
    {
        async_commit(worker->current);
    }
}

// The thread waits for all but its last `num_behind` batches.
void cudacpu_check_copies_waited(size_t num_behind);
void cudacpu_check_copies_waited(size_t num_behind)
{
    const Worker *worker = this_worker;
    const void *to, *pc;
    size_t bytes;
    while (worker != NULL && worker->in_kernel &&
           async_take(worker->current, num_behind, &to, &bytes, &pc))
    {
        access_note(to, bytes, IS_WRITE | IS_BULK, pc);
    }
}
