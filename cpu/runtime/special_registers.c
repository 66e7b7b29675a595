// What inline PTX and its kin ask for: registers that tell of the processor and the launch, spaces of
// addresses, and the end of a thread.
#include "base.h"
#include "memory.h"
#include "worker.h"

// As many multiprocessors as the device says that it has. Each OS thread that runs blocks stands for one.
unsigned int cudacpu_nsmid(void)
{
    return NUM_MULTIPROCESSORS;
}

unsigned int cudacpu_smid(void)
{
    static atomic_uint num_asked;
    static THREAD_LOCAL unsigned own; // and 1 more
    if (own == 0)
    {
        own = 1 + atomic_fetch_add(&num_asked, 1);
    }
    return (own - 1) % cudacpu_nsmid();
}

unsigned int cudacpu_dynamic_smem_size(void)
{
    return this_worker->launch->shared_bytes;
}

int cudacpu_is_constant(const void *address)
{
    Worker *worker = worker_if_any();
    const bool preemptible = worker != NULL && worker->preemptible;
    if (preemptible)
    {
        set_preemptible(worker, false);
    }
    Allocation of;
    const bool constant = memory_copy_of(address, &of) && of.kind == CONSTANT;
    if (preemptible)
    {
        set_preemptible(worker, true);
    }
    return constant;
}

// On the stack of the thread that runs.
int cudacpu_is_local(const void *address)
{
    const Worker *worker = this_worker;
    if (worker == NULL || worker->running == NULL)
    {
        return 0;
    }
    const char *stack = worker->running->stack;
    return (uintptr_t)address - (uintptr_t)stack < worker->running->bytes;
}
