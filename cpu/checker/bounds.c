// Indices of arrays whose size the compiler knows (-fsanitize=bounds): local arrays, too.
#include <stdio.h>
#include "../runtime/worker.h"
#include "access.h"
#include "finding.h"
#include "site.h"

// As the compilers lay them out.
typedef struct TypeText
{
    uint16_t kind, info;
    char name[]; // "'int [5]'"
} TypeText;

typedef struct BoundsData
{
    const char *file;
    uint32_t line, column;
    const TypeText *array, *index;
} BoundsData;

static long signed_value(const TypeText *type, uintptr_t value)
{
    const unsigned bits = 1u << (type->info >> 1), unused = bits < 64 ? 64 - bits : 0;
    return type->info & 1 ? (long)(value << unused) >> unused : (long)value;
}

void __ubsan_handle_out_of_bounds(const BoundsData *data, uintptr_t index);
void __ubsan_handle_out_of_bounds(const BoundsData *data, uintptr_t index)
{
    char text[200];
    snprintf(text, sizeof(text), "index %ld of an array %s", signed_value(data->index, index),
             data->array->name);
    access_note_index(text, (char *)__builtin_return_address(0) - 1);
}

void __ubsan_handle_out_of_bounds_abort(const BoundsData *data, uintptr_t index);
void __ubsan_handle_out_of_bounds_abort(const BoundsData *data, uintptr_t index)
{
    __ubsan_handle_out_of_bounds(data, index);
}
