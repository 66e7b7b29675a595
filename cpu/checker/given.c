// What calls of the API give to the program: handles, pointers, numbers, structures.
#include "../runtime/check.h"
#include "../runtime/report.h"
#include "access.h"
#include "lock.h"
#include "shadow.h"
#include "unwritten.h"

extern char __start_cudacpu_text, __stop_cudacpu_text;

// Where the program has called the API: the innermost place outside of the runtime.
static const void *caller(void)
{
    void *callers[MAX_CALLERS];
    const int num = report_callers(callers, NULL);
    for (int i = 0; i < num; ++i)
    {
        const char *at = callers[i];
        if (at < &__start_cudacpu_text || at >= &__stop_cudacpu_text)
        {
            return at;
        }
    }
    return NULL;
}

void check_given(const void *to, size_t bytes)
{
    if (shadow_chunk(to) != NULL)
    {
        access_note(to, bytes, IS_WRITE, caller());
    }
    if (unwritten_any)
    {
        lock_take();
        unwritten_set_written(to, bytes);
        lock_give();
    }
}
