// A notice of a block that does not end: where its threads stand.
//
// The worker notes it in a signal handler, where little is allowed. The watch finds the lines and
// says it.
#include "thread_places.h"
#include <stdio.h>
#include <string.h>
#include "report.h"

enum
{
    MAX_STANDS = 64
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
    unsigned num_stands, num_threads, num_fresh, num_returned;
    Stand stands[MAX_STANDS];
} notice;
static atomic_int state; // 0: no notice, 1: being written, 2: to be said

static Stand stand_of(const Worker *worker, unsigned thread)
{
    void *pc = worker->repeats.pc[thread]; // NULL: the watch has never found it running
    Stand stand = {"running", NULL, worker->file[thread], worker->line[thread], 1};
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
        stand = (Stand){pc != NULL ? "running" : "ready to go on", pc, NULL, 0, 1};
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

// In the tick's handler, on a fiber: takes no memory and prints nothing.
// The block has run for so long. If there is a notice that has not been said yet, one is enough.
void thread_places_note(const Worker *worker, double seconds)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&state, &none, 1))
    {
        return;
    }
    report_block_name(worker->launch, worker->block, notice.who, sizeof(notice.who));
    notice.seconds = seconds;
    notice.num_stands = notice.num_fresh = notice.num_returned = 0;
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
        else
        {
            notice.num_returned++;
        }
    }
    atomic_store(&state, 2);
}

// What threads do, and in which line. Instructions of the same line become one place.
typedef struct Place
{
    const char *does;
    char where[256];
    unsigned num_threads;
} Place;

static void find_line(const Stand *stand, char *text, size_t size)
{
    if (stand->file != NULL)
    {
        snprintf(text, size, ", %s:%d", base_name(stand->file), stand->line);
        return;
    }
    char line[250];
    const bool known = report_position(stand->pc, line, sizeof(line));
    snprintf(text, size, "%s%s", known ? ", " : "", known ? line : "");
}

// Returns how many places there are. More than `most` are not told.
static unsigned find_places(Place *places, unsigned most)
{
    unsigned num_places = 0;
    for (unsigned i = 0; i < notice.num_stands; ++i)
    {
        Place place = {.does = notice.stands[i].does};
        find_line(&notice.stands[i], place.where, sizeof(place.where));
        unsigned k = 0;
        while (k < num_places &&
               (places[k].does != place.does || strcmp(places[k].where, place.where) != 0))
        {
            ++k;
        }
        if (k == num_places && k < most)
        {
            places[num_places++] = place;
        }
        if (k < num_places)
        {
            places[k].num_threads += notice.stands[i].num_threads;
        }
    }
    return num_places;
}

static void say_place(unsigned number, const char *does, const char *where)
{
    if (number > 0)
    {
        fprintf(stderr, "  %u %s %s%s\n", number, number == 1 ? "is" : "are", does, where);
    }
}

// Says the notice if there is one.
void thread_places_say(void)
{
    enum
    {
        MOST = 8
    };
    if (atomic_load(&state) != 2)
    {
        return;
    }
    Place places[MOST];
    const unsigned num_places = find_places(places, MOST);
    fprintf(
        stderr,
        "CPU backend: %s: has not ended in %.3g s and goes on (CUDACPU_TIMEOUT=SECONDS would end "
        "it). Of its %u threads\n",
        notice.who, notice.seconds, notice.num_threads);
    for (unsigned i = 0; i < num_places; ++i)
    {
        say_place(places[i].num_threads, places[i].does, places[i].where);
    }
    say_place(notice.num_fresh, "still to begin", "");
    say_place(notice.num_returned, "done", "");
    atomic_store(&state, 0);
}
