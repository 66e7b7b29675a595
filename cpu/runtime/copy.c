// Copies and sets in a stream.
#include "copy.h"
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "count.h"
#include "device.h"
#include "error.h"
#include "memory.h"
#include "queue.h"
#include "stream.h"
#include "device_lock.h"

typedef struct CopyOp
{
    Op op;
    Rows rows;
} CopyOp;

// Where a position in a pitched box lies.
char *copy_corner(cudaPitchedPtr p, cudaPos at)
{
    return p.ptr == NULL ? NULL : (char *)p.ptr + (at.z * p.ysize + at.y) * p.pitch + at.x;
}

static void set_row(char *to, const Rows *r)
{
    if (r->element <= 1)
    {
        memset(to, r->value, r->width);
        return;
    }
    for (size_t x = 0; x < r->width; x += r->element)
    {
        memcpy(to + x, &r->value, r->element); // the low bytes
    }
}

// With several devices, another one may free the memory meanwhile. False: it has done so already.
static bool hold(int device, const Rows *r)
{
    const bool to_is_there = memory_hold(r->to);
    const bool from_is_there = r->from == NULL || memory_hold(r->from);
    if (to_is_there && from_is_there)
    {
        return true;
    }
    fprintf(stderr,
            "CPU backend: a copy of device %d is not done: another device has freed its %s since "
            "the copy was issued\n",
            device, to_is_there ? "source" : "destination");
    error_set_device(device, cudaErrorIllegalAddress);
    if (to_is_there)
    {
        memory_let_go(r->to);
    }
    if (from_is_there && r->from != NULL)
    {
        memory_let_go(r->from);
    }
    return false;
}

static void let_go(const Rows *r)
{
    memory_let_go(r->to);
    if (r->from != NULL)
    {
        memory_let_go(r->from);
    }
}

// Only what crosses between host and device counts, and all of it does that the device alone can reach.
static void note_copy(const Rows *r)
{
    if (CUDACPU_COUNTS && r->from != NULL)
    {
        const bool to = memory_place(r->to, r->width) == ON_DEVICE,
                   from = memory_place(r->from, r->width) == ON_DEVICE;
        count_copy(r->width * r->height, to && !from, from && !to);
    }
}

// Copies or sets now, on the thread that works off the queue.
void copy_run(int device, const Rows *r)
{
    const bool holds = number_of_devices() > 1;
    if (error_of_device(device) != cudaSuccess || (holds && !hold(device, r)))
    {
        return; // after a kernel's fault a device moves no more data
    }
    device_lock_take(device, COPY_USE);
    memory_open(r->to, device);
    memory_protect_constant(r->to, false);
    if (r->from != NULL)
    {
        memory_open(r->from, device);
    }
    note_copy(r);
    for (size_t y = 0; y < r->height; ++y)
    {
        char *to = r->to + y * r->pitch_to;
        check_copy(to, r->from != NULL ? r->from + y * r->pitch_from : NULL, r->width);
        if (r->from == NULL)
        {
            set_row(to, r);
        }
        else
        {
            memmove(to, r->from + y * r->pitch_from, r->width);
        }
    }
    memory_protect_constant(r->to, true);
    device_lock_give(device);
    if (holds)
    {
        let_go(r);
    }
}

static void run_copy(Op *op)
{
    copy_run(op->device, &((CopyOp *)op)->rows);
}

uint64_t copy_add(cudaStream_t stream, const Rows *rows)
{
    CopyOp *op = queue_allocate(sizeof(*op));
    *op = (CopyOp){.op.run = run_copy, .rows = *rows};
    const int device = stream_of(stream)->device;
    const uint64_t sequence = stream_add(stream, &op->op);
    if (number_of_devices() > 1)
    {
        memory_note_copy(rows->to, device, sequence);
        memory_note_copy(rows->from, device, sequence);
    }
    return sequence;
}
