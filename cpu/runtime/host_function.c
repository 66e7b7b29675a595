// Functions of the host that a device calls when it comes to them.
#include "host_function.h"
#include "error.h"
#include "queue.h"
#include "stream.h"

typedef struct HostOp
{
    Op op;
    HostFunction function;
} HostOp;

// Calls it now, on the thread that works off the queue.
void host_function_run(int device, const HostFunction *f)
{
    // The thread may be one that waits for the device: it keeps its own last error.
    const cudaError_t before = error_exchange(cudaSuccess), failed = error_of_device(device);
    error_forbid(true);
    if (f->function == NULL)
    {
        f->callback(f->stream, failed, f->data);
    }
    else if (failed == cudaSuccess) // after a kernel's fault nothing more is called
    {
        f->function(f->data);
    }
    error_forbid(false);
    error_exchange(before);
}

static void run_function(Op *op)
{
    host_function_run(op->device, &((HostOp *)op)->function);
}

void host_function_add(const HostFunction *function)
{
    HostOp *op = queue_allocate(sizeof(*op));
    *op = (HostOp){.op.run = run_function, .function = *function};
    stream_add(function->stream, &op->op);
}
