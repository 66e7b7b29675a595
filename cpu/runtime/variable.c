// Variables of the device and their first values, which cudaDeviceReset gives back to them.
#include "variable.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"

typedef struct Variable
{
    char *address;
    size_t bytes;
    void *value; // NULL: zeros
    struct Variable *next;
} Variable;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Variable *variables;

static bool is_zero(const char *p, size_t bytes)
{
    return *p == 0 && memcmp(p, p + 1, bytes - 1) == 0;
}

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for a variable's first value", errno);
    }
    return memory;
}

// Called before main, as soon as the variable has its value.
void cudacpu_add_variable(void *address, size_t bytes, const char *name, cudacpu_variable_kind kind,
                          void *guard)
{
    static const Kind KINDS[] = {
        [cudacpu_device] = SYMBOL, [cudacpu_constant] = CONSTANT, [cudacpu_managed] = VARIABLE};
    Variable *variable = need(malloc(sizeof(*variable)));
    *variable = (Variable){.address = address, .bytes = bytes};
    if (!is_zero(address, bytes))
    {
        variable->value = memcpy(need(malloc(bytes)), address, bytes);
    }
    pthread_mutex_lock(&lock);
    variable->next = variables;
    variables = variable;
    pthread_mutex_unlock(&lock);
    memory_add_variable(address, bytes, name, KINDS[kind], guard);
}

void variable_reset(void)
{
    pthread_mutex_lock(&lock);
    for (const Variable *v = variables; v != NULL; v = v->next)
    {
        memory_protect_constant(v->address, false);
        if (v->value == NULL)
        {
            memset(v->address, 0, v->bytes);
        }
        else
        {
            memcpy(v->address, v->value, v->bytes);
        }
        memory_protect_constant(v->address, true);
    }
    pthread_mutex_unlock(&lock);
}
