// Where instructions stand in the source.
#ifndef CUDACPU_PLACES_H
#define CUDACPU_PLACES_H
#include <stdbool.h>
#include <stddef.h>

typedef struct SourcePlace
{
    char *file; // its path; NULL: not known
    int line;
} SourcePlace;

SourcePlace *places_of(const void *const *pcs, size_t num);
bool places_name_member(const void *pc, bool is_store);
bool places_name_type(const void *pc, const char *type);
char *places_whole(const char *file, int line);
char *places_text(const char *file, int line);

#endif
