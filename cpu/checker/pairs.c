// The pair of lines that a finding has, and the pairs that are one mistake.
#include "pairs.h"
#include <stdio.h>
#include <string.h>
#include "order.h"
#include "site.h"

// The line of one of the two, or within a library that of its call.
const char *pairs_line(const Finding *f, int which)
{
    const uint32_t site = f->sites[which];
    const Record *r = which == 0 ? &f->before : &f->now;
    const uint32_t call = site != 0 && !site_is_known(site) ? order_task(r->sequence)->site : 0;
    return site_line(call != 0 ? call : site);
}

// In one order or the other.
bool pairs_same_lines(const Finding *a, const Finding *b)
{
    const char *a0 = pairs_line(a, 0), *a1 = pairs_line(a, 1);
    const char *b0 = pairs_line(b, 0), *b1 = pairs_line(b, 1);
    return (strcmp(a0, b0) == 0 && strcmp(a1, b1) == 0) ||
           (strcmp(a0, b1) == 0 && strcmp(a1, b0) == 0);
}

// A missing barrier makes many pairs of lines race. They are of one kernel and one array, and each has a
// line in common with another one. The first of them is told, with the lines of the others.
enum
{
    MOST_PAIRS = 6 // whose lines are told
};

// "a device allocation of 4000 bytes, allocated at x.cu:7": where is "byte 8 of" it.
static const char *array_of(const Finding *f)
{
    const char *of = strncmp(f->where, "byte ", 5) == 0 ? strstr(f->where, " of ") : NULL;
    return of != NULL ? of + 4 : NULL;
}

static bool are_one_mistake(const Finding *a, const Finding *b)
{
    const char *array = array_of(a), *other = array_of(b);
    if (a->kind != b->kind || a->before.sequence == 0 || array == NULL || other == NULL ||
        strcmp(array, other) != 0)
    {
        return false;
    }
    const char *a0 = pairs_line(a, 0), *a1 = pairs_line(a, 1);
    const char *b0 = pairs_line(b, 0), *b1 = pairs_line(b, 1);
    const Task *of_a = order_task(a->now.sequence), *of_b = order_task(b->now.sequence);
    if (of_a->kind != of_b->kind || of_a->kind == TASK_OPERATION)
    {
        return false;
    }
    // The host makes its mistake at its own line.
    return of_a->kind == TASK_HOST ? strcmp(a1, b1) == 0
                                   : strcmp(of_a->name, of_b->name) == 0 &&
                                         (strcmp(a0, b0) == 0 || strcmp(a0, b1) == 0 ||
                                          strcmp(a1, b0) == 0 || strcmp(a1, b1) == 0);
}

static Finding *leader_of(Finding *f)
{
    while (f->leader != NULL)
    {
        f = f->leader;
    }
    return f;
}

// The finding that is told for this one: it, or another one.
const Finding *pairs_leader(const Finding *f)
{
    return leader_of((Finding *)f);
}

void pairs_find_leaders(Finding *oldest)
{
    for (Finding *f = oldest; f != NULL; f = f->younger)
    {
        f->leader = NULL;
        for (Finding *g = f->counted ? oldest : f; g != f; g = g->younger)
        {
            Finding *mine = leader_of(f), *its = leader_of(g);
            if (g->counted && mine != its && are_one_mistake(f, g))
            {
                // The older one leads: it may have been told. (`its` is older than f, or f's other one.)
                Finding *first = its;
                for (Finding *h = oldest; h != its && mine != f; h = h->younger)
                {
                    first = h == mine ? mine : first;
                }
                *(first == its ? &mine->leader : &its->leader) = first;
            }
        }
    }
}

size_t pairs_num_led(const Finding *oldest, const Finding *leader)
{
    size_t num = 0;
    for (const Finding *f = oldest; f != NULL; f = f->younger)
    {
        num += f->counted && f != leader && pairs_leader(f) == leader;
    }
    return num;
}

// "; 2 more pairs of lines: x.cu:7 and x.cu:9, x.cu:8 and x.cu:9".
void pairs_print_led(const Finding *oldest, const Finding *leader, const char *before)
{
    const size_t num = pairs_num_led(oldest, leader);
    size_t told = 0;
    for (const Finding *f = num > 0 ? oldest : NULL; f != NULL && told < MOST_PAIRS; f = f->younger)
    {
        if (f->counted && f != leader && pairs_leader(f) == leader)
        {
            told == 0
                ? fprintf(stderr, "%s%zu more pair%s of lines: ", before, num, num == 1 ? "" : "s")
                : fprintf(stderr, ", ");
            fprintf(stderr, "%s and %s", pairs_line(f, 1), pairs_line(f, 0));
            ++told;
        }
    }
    if (num > MOST_PAIRS)
    {
        fprintf(stderr, ", ...");
    }
}
