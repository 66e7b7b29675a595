// __activemask: which lanes are at the same place at the same time?
//
// Here lanes run one by one, so a lane that asks waits until no lane of its warp can go on. A
// printf waits in the same way. So each lane that asks prints an empty text, with a position that
// stands for the line that asks. The lanes that are released together are at the same place.
#include "printf.h"
#include "worker.h"

static THREAD_LOCAL int waits_at[MAX_BLOCK_THREADS];        // a position; 0: it does not ask
static THREAD_LOCAL uint32_t active_met[MAX_BLOCK_THREADS]; // the lanes that were released together

// A number for each place in the source. It is larger than the position of any printf, so printf
// goes first; a line that stands first in its file has the smaller number.
static int position_of(const char *file, int line)
{
    unsigned hash = 0;
    for (const char *c = file; *c != '\0'; ++c)
    {
        hash = hash * 31 + (unsigned char)*c;
    }
    return 0x40000000 | (line & 0x3fffff) << 8 | (hash & 0xff);
}

CALLED_BY_KERNELS uint32_t cudacpu_activemask(const char *file, int line)
{
    Worker *worker = this_worker;
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    const int position = position_of(file, line);
    waits_at[thread] = position;
    worker->file[thread] = file;
    worker->line[thread] = line;
    cudacpu_printf(position, "%s", "");
    if (waits_at[thread] != 0) // the first of those released notes who they are
    {
        uint32_t together = 0;
        for (uint32_t rest = worker->ready[warp] | 1u << thread % WARP_SIZE; rest != 0;
             rest &= rest - 1)
        {
            const unsigned lane = __builtin_ctz(rest), other = warp * WARP_SIZE + lane;
            together |= (uint32_t)(waits_at[other] == position) << lane;
        }
        for (uint32_t rest = together; rest != 0; rest &= rest - 1)
        {
            const unsigned other = warp * WARP_SIZE + __builtin_ctz(rest);
            waits_at[other] = 0;
            active_met[other] = together;
        }
    }
    return active_met[thread];
}
