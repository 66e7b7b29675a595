// Copies and sets in a stream.
#include "copy.h"
#include <string.h>
#include "error.h"
#include "memory.h"
#include "queue.h"
#include "stream.h"

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
    memory_open(r->to);
    if (r->from == NULL)
    {
        for (size_t y = 0; y < r->height; ++y)
        {
            memset(r->to + y * r->pitch_to, r->value, r->width);
        }
        return;
    }
    memory_open(r->from);
    for (size_t y = 0; y < r->height; ++y)
    {
        memmove(r->to + y * r->pitch_to, r->from + y * r->pitch_from, r->width);
    }
}

uint64_t copy_add(cudaStream_t stream, const Rows *rows)
{
    CopyOp *op = queue_allocate(sizeof(*op));
    *op = (CopyOp){.op.run = run_copy, .rows = *rows};
    return stream_add(stream, &op->op);
}
