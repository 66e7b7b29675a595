// A notice of a block that does not end: where its threads stand.
//
// The worker notes it in a signal handler, where little is allowed. The watch finds the lines and
// says it.
#include "standing.h"
#include <stdio.h>
#include <string.h>
#include "report.h"

enum
{
    MAX_STANDS = 64,
    PLACE_BYTES = 256,
    MAX_PLACES = 8
};

// Threads of which each does the same at the same place.
typedef struct Stand
{
    const char *does;
    void *pc; // or else:
    const char *file;
    int line;
    unsigned num_threads;
} Stand;

static struct
{
    char who[512];
    double seconds;
    unsigned num_stands, num_threads, num_fresh;
    Stand stands[MAX_STANDS];
} notice;
static atomic_int state; // 0: no notice, 1: being written, 2: to be said

static Stand stand_of(const Worker *worker, unsigned thread)
{
    Stand stand = {.does = "running",
                   .file = worker->file[thread],
                   .line = worker->line[thread],
                   .num_threads = 1};
    if (is_in(worker->barrier.at, thread))
    {
        stand.does = "at __syncthreads";
        stand.file = worker->barrier.file;
        stand.line = worker->barrier.line;
    }
    else if (is_in(worker->warp.at, thread))
    {
        stand.does = "at a warp-level operation";
    }
    else if (!is_in(worker->print.waiting, thread) || stand.file == NULL)
    {
        stand = (Stand){"running", worker->repeats.pc[thread], NULL, 0, 1};
    }
    return stand;
}

// Where there are too many different ones, the last is counted as one of the last kept.
static void add_stand(Stand stand)
{
    unsigned i = 0;
    while (i < notice.num_stands &&
           (notice.stands[i].does != stand.does || notice.stands[i].pc != stand.pc ||
            notice.stands[i].file != stand.file || notice.stands[i].line != stand.line))
    {
        ++i;
    }
    if (i < notice.num_stands || i == MAX_STANDS)
    {
        notice.stands[i < MAX_STANDS ? i : MAX_STANDS - 1].num_threads++;
    }
    else
    {
        notice.stands[notice.num_stands++] = stand;
    }
}

// The block has run for so long. If there is a notice that has not been said yet, one is enough.
void standing_note(const Worker *worker, double seconds)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&state, &none, 1))
    {
        return;
    }
    report_block_name(worker->launch, worker->block, notice.who, sizeof(notice.who));
    notice.seconds = seconds;
    notice.num_stands = notice.num_fresh = 0;
    notice.num_threads = worker->num_threads;
    for (unsigned thread = 0; thread < worker->num_threads; ++thread)
    {
        if (thread >= worker->fresh)
        {
            notice.num_fresh++;
        }
        else if (is_in(worker->live, thread))
        {
            add_stand(stand_of(worker, thread));
        }
    }
    atomic_store(&state, 2);
}

// Instructions of the same line become one place.
static unsigned find_places(char places[][PLACE_BYTES], const char *does[], unsigned counts[])
{
    unsigned num_places = 0;
    for (unsigned i = 0; i < notice.num_stands; ++i)
    {
        const Stand *stand = &notice.stands[i];
        char place[PLACE_BYTES];
        if (stand->file != NULL)
        {
            snprintf(place, sizeof(place), "%s:%d", base_name(stand->file), stand->line);
        }
        else if (!report_position(stand->pc, place, sizeof(place)))
        {
            snprintf(place, sizeof(place), "line unknown");
        }
        unsigned k = 0;
        while (k < num_places && (does[k] != stand->does || strcmp(places[k], place) != 0))
        {
            ++k;
        }
        if (k == MAX_PLACES)
        {
            continue;
        }
        if (k == num_places)
        {
            snprintf(places[k], PLACE_BYTES, "%s", place);
            does[k] = stand->does;
            counts[k] = 0;
            ++num_places;
        }
        counts[k] += stand->num_threads;
    }
    return num_places;
}

// Says the notice if there is one.
void standing_say(void)
{
    if (atomic_load(&state) != 2)
    {
        return;
    }
    char places[MAX_PLACES][PLACE_BYTES];
    const char *does[MAX_PLACES];
    unsigned counts[MAX_PLACES];
    const unsigned num_places = find_places(places, does, counts);
    fprintf(
        stderr,
        "CPU backend: %s: has not ended in %.3g s and goes on (CUDACPU_TIMEOUT=SECONDS would end "
        "it). Of its %u threads\n",
        notice.who, notice.seconds, notice.num_threads);
    for (unsigned i = 0; i < num_places; ++i)
    {
        fprintf(stderr, "  %u %s %s, %s\n", counts[i], counts[i] == 1 ? "is" : "are", does[i],
                places[i]);
    }
    if (notice.num_fresh > 0)
    {
        fprintf(stderr, "  %u %s not begun\n", notice.num_fresh,
                notice.num_fresh == 1 ? "has" : "have");
    }
    atomic_store(&state, 0);
}
