// Copies and sets in a stream.
#include "copy.h"
#include <string.h>
#include "error.h"
#include "memory.h"
#include "queue.h"
#include "stream.h"
#include "turn.h"

typedef struct CopyOp
{
    Op op;
    Rows rows;
} CopyOp;

static void run_copy(Op *op)
{
    const Rows *r = &((CopyOp *)op)->rows;
    if (error_of_device(op->device) != cudaSuccess)
    {
        return; // after a kernel's fault a device moves no more data
    }
    turn_take(op->device, COPY_TURN);
    memory_open(r->to, op->device);
    if (r->from != NULL)
    {
        memory_open(r->from, op->device);
    }
    for (size_t y = 0; y < r->height; ++y)
    {
        char *to = r->to + y * r->pitch_to;
        if (r->from == NULL)
        {
            memset(to, r->value, r->width);
        }
        else
        {
            memmove(to, r->from + y * r->pitch_from, r->width);
        }
    }
    turn_give(op->device);
}

uint64_t copy_add(cudaStream_t stream, const Rows *rows)
{
    CopyOp *op = queue_allocate(sizeof(*op));
    *op = (CopyOp){.op.run = run_copy, .rows = *rows};
    return stream_add(stream, &op->op);
}
