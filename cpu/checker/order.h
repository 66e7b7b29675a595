// What comes before what: the work of streams and of the host.
//
// A task is a launch, a copy or another operation of a stream, or what the host does between two of
// its calls. Each has a range of sequence numbers, in the order in which they ran: a launch one for
// each block. Which task a number belongs to is looked up.
#ifndef CUDACPU_ORDER_H
#define CUDACPU_ORDER_H
#include "../runtime/base.h"
#include "../runtime/launch_state.h"

typedef enum TaskKind
{
    TASK_HOST,
    TASK_OPERATION, // a copy, a set, a free, a host function
    TASK_KERNEL
} TaskKind;

typedef struct Task
{
    uint32_t first; // its first sequence number
    uint32_t clock; // of its agent
    uint32_t site;  // of the call that issued it
    uint16_t agent; // a stream, or the host
    uint8_t kind;
    const char *name; // of a kernel
    dim3 grid, block;
} Task;

const Task *order_task(uint32_t sequence);
bool order_before(const Task *task);
bool order_is_node(const Task *task);              // of a graph
bool order_is_in_default_stream(const Task *task); // the one that waits for the others
uint32_t order_sequence(void); // of what this OS thread does now, outside kernels
uint32_t order_begin_launch(const Launch *launch);

extern uint32_t order_floor; // what has a lower number is before all that comes
extern THREAD_LOCAL uint32_t
    order_all_before; // what has a lower number is before the operation that runs

// A thread of the kernel that runs has written a flag after its fence of the system, or one without such a
// fence; the host has read such a word.
void order_tell(const void *word);
void order_untell(const void *word);
void order_hear(const void *word);

uint32_t order_site_of_now(void); // the call that issued the operation that runs; 0: the host's own

#endif
