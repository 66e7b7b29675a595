// Advice about managed memory. It changes nothing here, but a program may ask for it.
#include "managed_advice.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum
{
    PAGE = 4096
};

typedef struct Advice
{
    uintptr_t start, end; // whole pages
    int topic, value;
    struct Advice *older;
} Advice;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Advice *newest;

static uintptr_t first_page(const void *start)
{
    return (uintptr_t)start / PAGE * PAGE;
}

static uintptr_t end_of_pages(const void *start, size_t bytes)
{
    return ((uintptr_t)start + bytes + PAGE - 1) / PAGE * PAGE;
}

// Drops what lies within these pages, of one topic or (-1) of all. The caller holds the lock.
static void drop(uintptr_t start, uintptr_t end, int topic)
{
    for (Advice **link = &newest; *link != NULL;)
    {
        Advice *a = *link;
        if (a->start >= start && a->end <= end && (topic < 0 || a->topic == topic))
        {
            *link = a->older;
            free(a);
        }
        else
        {
            link = &a->older;
        }
    }
}

void managed_advice_note(const void *start, size_t bytes, int topic, int value)
{
    Advice *a = malloc(sizeof(*a));
    if (a == NULL)
    {
        exhausted("memory for advice", errno);
    }
    *a = (Advice){first_page(start), end_of_pages(start, bytes), topic, value, NULL};
    pthread_mutex_lock(&lock);
    drop(a->start, a->end, topic);
    a->older = newest;
    newest = a;
    pthread_mutex_unlock(&lock);
}

// Whether all of the pages have one value, which is in *value once *known. Newer advice hides older.
static bool agree(const Advice *a, uintptr_t start, uintptr_t end, int topic, int none, int *value,
                  bool *known)
{
    if (start >= end)
    {
        return true;
    }
    while (a != NULL && (a->topic != topic || a->end <= start || a->start >= end))
    {
        a = a->older;
    }
    const int found = a != NULL ? a->value : none;
    if (*known && found != *value)
    {
        return false;
    }
    *value = found;
    *known = true;
    return a == NULL || (agree(a->older, start, a->start, topic, none, value, known) &&
                         agree(a->older, a->end, end, topic, none, value, known));
}

// The value that all pages have, or `none`.
int managed_advice_of(const void *start, size_t bytes, int topic, int none)
{
    int value = none;
    bool known = false;
    pthread_mutex_lock(&lock);
    const bool same =
        agree(newest, first_page(start), end_of_pages(start, bytes), topic, none, &value, &known);
    pthread_mutex_unlock(&lock);
    return same ? value : none;
}

// The memory has been freed.
void managed_advice_forget(const void *start, size_t bytes)
{
    pthread_mutex_lock(&lock);
    drop(first_page(start), end_of_pages(start, bytes), -1);
    pthread_mutex_unlock(&lock);
}
