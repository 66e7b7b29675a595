// What lies at the address of a finding, in words. This asks the runtime's files that call the checker, so
// it stands above them: it is registered, and no file of these calls it.
#include "describe.h"
#include <stdio.h>
#include "../runtime/memory.h"
#include "../runtime/report.h"
#include "../runtime/worker.h"
#include "finding.h"

// "byte 128 of a device allocation of 4000 bytes".
static void describe(const void *address, char *text, size_t size)
{
    const Worker *worker = worker_if_any();
    const char *p = address;
    if (worker != NULL && worker->in_kernel &&
        (uintptr_t)p - cudacpu_shared_start < cudacpu_shared_bytes)
    {
        const Shared *shared = &worker->shared;
        for (unsigned i = 0; i < shared->num; ++i)
        {
            const SharedVariable *v = &shared->variables[i];
            if (p >= v->start && p < v->start + v->bytes)
            {
                snprintf(text, size, "byte %zu of __shared__ variable %s (%zu bytes)",
                         (size_t)(p - v->start), v->name, v->bytes);
                return;
            }
        }
        const char *dynamic = shared_dynamic(shared);
        if (p >= dynamic && p < dynamic + shared->dynamic_bytes)
        {
            snprintf(text, size, "byte %zu of the dynamic shared memory (%zu bytes)",
                     (size_t)(p - dynamic), shared->dynamic_bytes);
            return;
        }
        shared_describe(shared, address, text, size);
        return;
    }
    Allocation a;
    if (memory_copy_of(address, &a) && a.kind != FREED && p >= a.start && p < a.start + a.bytes)
    {
        char line[PLACE_LENGTH];
        const bool known =
            a.callers != NULL && report_position_of(a.callers, a.num_callers, line, sizeof(line));
        snprintf(text, size, "byte %zu of %s %s%s of %zu bytes%s%s", (size_t)(p - a.start),
                 a.name != NULL ? "the variable" : "a",
                 a.name != NULL ? a.name : memory_kind_name(a.kind),
                 a.name != NULL ? "" : " allocation", a.bytes, known ? ", allocated at " : "",
                 known ? line : "");
    }
    else if (!memory_describe(address, text, size))
    {
        snprintf(text, size, "address %p", address);
    }
}

void describe_register(void)
{
    finding_set_describer(describe);
}
