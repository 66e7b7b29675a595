// Graphs that can be launched: one operation in the queue runs all nodes, one after the other.
//
// A launch runs a program, the nodes' work in order. A program does not change: after an update the
// next launch makes a new one, and the launches that are under way keep theirs.
#include "graph_exec.h"
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "copy.h"
#include "error.h"
#include "event.h"
#include "grid.h"
#include "host_function.h"
#include "queue.h"
#include "stream.h"

// For the checker: who does a work, and the works that it comes after, as places in the program.
typedef struct Branch
{
    const void *node;
    size_t count;
    size_t *before;
} Branch;

typedef struct Program
{
    atomic_int users; // the graph, and each launch under way
    size_t count, capacity;
    Work *work;
    Branch *branches;
} Program;

typedef struct GraphOp
{
    Op op;
    Program *program;
} GraphOp;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cudaGraphExec_t free_execs;
static Handles execs; // all there have been

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for a graph", errno);
    }
    return memory;
}

// --- programs ------------------------------------------------------------------------------------

static const Work NOTHING = {.type = cudaGraphNodeTypeEmpty};

// Returns its place.
static size_t add_work(Program *program, Work work, Branch branch)
{
    if (program->count == program->capacity)
    {
        program->capacity = 2 * program->capacity + 8;
        program->work = need(realloc(program->work, program->capacity * sizeof(*program->work)));
        program->branches =
            need(realloc(program->branches, program->capacity * sizeof(*program->branches)));
    }
    program->work[program->count] = work;
    program->branches[program->count] = branch;
    return program->count++;
}

// What a node comes after. `root` is what the whole graph comes after, if it is a node's.
static Branch branch_of(cudaGraphNode_t node, const size_t *places, const size_t *root)
{
    const Nodes *before = &node->before;
    Branch branch = {node, 0, need(malloc((before->count + 1) * sizeof(size_t)))};
    for (size_t i = 0; i < before->count; ++i)
    {
        branch.before[branch.count++] = places[before->all[i]->place];
    }
    if (before->count == 0 && root != NULL)
    {
        branch.before[branch.count++] = *root;
    }
    return branch;
}

// The works from `first` on.
static Branch branch_after_all(const void *node, size_t first, size_t end)
{
    Branch branch = {node, 0, need(malloc((end - first) * sizeof(size_t)))};
    for (size_t i = first; i < end; ++i)
    {
        branch.before[branch.count++] = i;
    }
    return branch;
}

// The checker has to know of each node, also of those that do nothing but order others.
static void add_graph(Program *program, cudaGraph_t graph, const size_t *root)
{
    Nodes order;
    graph_order(graph, &order);
    size_t *places = CUDACPU_CHECKS ? need(calloc(order.count + 1, sizeof(*places))) : NULL;
    for (size_t i = 0; i < order.count; ++i)
    {
        const cudaGraphNode_t node = order.all[i];
        const Branch branch = CUDACPU_CHECKS ? branch_of(node, places, root) : (Branch){0};
        if (CUDACPU_CHECKS && node->work.type == cudaGraphNodeTypeGraph)
        {
            const cudaGraph_t child = node->work.child;
            const size_t first = add_work(program, NOTHING, branch);
            program->branches[first].node = child;
            add_graph(program, child, &first);
            places[node->place] =
                add_work(program, NOTHING, branch_after_all(node, first, program->count));
            continue;
        }
        if (node->work.type == cudaGraphNodeTypeGraph)
        {
            add_graph(program, node->work.child, NULL);
            continue;
        }
        // A queue that keeps the order of issue has nothing to do for an event that is waited for.
        const bool does_nothing =
            node->disabled || node->work.type == cudaGraphNodeTypeEmpty ||
            (node->work.type == cudaGraphNodeTypeWaitEvent && !queue_is_late() && !CUDACPU_CHECKS);
        if (CUDACPU_CHECKS || !does_nothing)
        {
            const Work work = does_nothing ? NOTHING : work_share(&node->work);
            const size_t place = add_work(program, work, branch);
            if (CUDACPU_CHECKS)
            {
                places[node->place] = place;
            }
        }
    }
    free(places);
    nodes_clear(&order);
}

static void drop_program(Program *program)
{
    if (program == NULL || atomic_fetch_sub(&program->users, 1) != 1)
    {
        return;
    }
    for (size_t i = 0; i < program->count; ++i)
    {
        work_drop(&program->work[i]);
        free(program->branches[i].before);
    }
    free(program->work);
    free(program->branches);
    free(program);
}

// --- running -------------------------------------------------------------------------------------

static void run_copy(int device, const cudaMemcpy3DParms *p)
{
    const size_t slice_to = p->dstPtr.pitch * p->dstPtr.ysize;
    const size_t slice_from = p->srcPtr.pitch * p->srcPtr.ysize;
    for (size_t z = 0; z < p->extent.depth; ++z)
    {
        copy_run(device, &(Rows){.to = copy_corner(p->dstPtr, p->dstPos) + z * slice_to,
                                 .from = copy_corner(p->srcPtr, p->srcPos) + z * slice_from,
                                 .pitch_to = p->dstPtr.pitch,
                                 .pitch_from = p->srcPtr.pitch,
                                 .width = p->extent.width,
                                 .height = p->extent.height});
    }
}

static void run_set(int device, const cudaMemsetParams *p)
{
    copy_run(device, &(Rows){.to = p->dst,
                             .value = (int)p->value,
                             .element = p->elementSize,
                             .pitch_to = p->pitch,
                             .width = p->width * p->elementSize,
                             .height = p->height});
}

// Memory that is fresh holds anything.
static void run_allocate(int device, const GraphMemory *memory)
{
    enum
    {
        FILL_LIMIT = 16 << 20,
        PATTERN = 0xcd
    };
    copy_run(device, &(Rows){.to = memory->pointer,
                             .value = PATTERN,
                             .width = memory->bytes < FILL_LIMIT ? memory->bytes : FILL_LIMIT,
                             .height = 1});
}

static void run_work(int device, const Work *work)
{
    switch (work->type)
    {
    case cudaGraphNodeTypeKernel:
    {
        Launch launch = work->kernel.launch;
        grid_run(&launch);
        break;
    }
    case cudaGraphNodeTypeMemcpy:
        run_copy(device, &work->copy);
        break;
    case cudaGraphNodeTypeMemset:
        run_set(device, &work->set);
        break;
    case cudaGraphNodeTypeHost:
        host_function_run(device,
                          &(HostFunction){.function = work->host.fn, .data = work->host.userData});
        break;
    case cudaGraphNodeTypeEventRecord:
        event_reached(work->event, 0.0);
        break;
    case cudaGraphNodeTypeMemAlloc:
        run_allocate(device, work->memory);
        break;
    default:
        break;
    }
}

static void run_graph(Op *op)
{
    Program *program = ((GraphOp *)op)->program;
    for (size_t i = 0; i < program->count; ++i)
    {
        const Branch *branch = &program->branches[i];
        check_node_begin(branch->node, branch->count, branch->before);
        run_work(op->device, &program->work[i]);
        check_node_end();
    }
    check_graph_end();
    drop_program(program);
}

// --- graphs that can be launched -----------------------------------------------------------------

bool exec_exists(cudaGraphExec_t exec)
{
    return exec != NULL && handle_is_known(&execs, exec) && exec->alive;
}

cudaGraphExec_t exec_create(cudaGraph_t graph, unsigned long long flags)
{
    pthread_mutex_lock(&lock);
    cudaGraphExec_t exec = free_execs;
    if (exec != NULL)
    {
        free_execs = exec->next;
    }
    pthread_mutex_unlock(&lock);
    if (exec == NULL)
    {
        exec = need(malloc(sizeof(*exec)));
        handle_add(&execs, &exec->handle);
    }
    *exec = (struct CUgraphExec_st){
        .handle = exec->handle, .alive = true, .graph = graph_clone(graph), .flags = flags};
    exec->graph->owned = true;
    return exec;
}

// The next launch makes a new program.
void exec_forget_program(cudaGraphExec_t exec)
{
    drop_program(exec->program);
    exec->program = NULL;
}

// Launches under way go on.
void exec_destroy(cudaGraphExec_t exec)
{
    exec_forget_program(exec);
    graph_destroy(exec->graph);
    exec->alive = false;
    pthread_mutex_lock(&lock);
    exec->next = free_execs;
    free_execs = exec;
    pthread_mutex_unlock(&lock);
}

// The node, one of the launchable graph's own, gets other work, which becomes the node's.
void exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, const Work *work)
{
    if (node->work.type == cudaGraphNodeTypeGraph)
    {
        graph_destroy(node->work.child);
    }
    work_drop(&node->work);
    node->work = *work;
    exec_forget_program(exec);
}

static void make_program(cudaGraphExec_t exec)
{
    exec->program = need(malloc(sizeof(*exec->program)));
    *exec->program = (Program){.users = 1};
    add_graph(exec->program, exec->graph, NULL);
}

// Whether the graph can be launched into a stream of the device: its kernels must be of the same
// one, and memory that an earlier launch has allocated must have been freed.
cudaError_t exec_check_launch(cudaGraphExec_t exec, int device)
{
    if (exec->program == NULL)
    {
        make_program(exec);
    }
    const Program *program = exec->program;
    for (size_t i = 0; i < program->count; ++i)
    {
        const Work *work = &program->work[i];
        if (work->type == cudaGraphNodeTypeKernel && work->kernel.launch.device != device)
        {
            fprintf(stderr, "CPU backend: a graph with kernels of another device than its stream's "
                            "is not supported\n");
            return cudaErrorNotSupported;
        }
        if (work->type == cudaGraphNodeTypeMemAlloc && work->memory->taken &&
            !(exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
        {
            return cudaErrorInvalidValue;
        }
    }
    return cudaSuccess;
}

// What a launch changes as soon as it is issued.
static void note_launch(const Work *work, int device, uint64_t sequence)
{
    if (work->type == cudaGraphNodeTypeEventRecord)
    {
        event_will_be_reached(work->event, device, sequence);
    }
    if (work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree)
    {
        work->memory->taken = work->type == cudaGraphNodeTypeMemAlloc;
    }
}

// exec_check_launch has allowed it.
void exec_launch(cudaGraphExec_t exec, cudaStream_t stream)
{
    Program *program = exec->program;
    grid_prepare(stream_of(stream)->device);
    for (size_t i = 0; (queue_is_late() || CUDACPU_CHECKS) && i < program->count; ++i)
    {
        if (program->work[i].type == cudaGraphNodeTypeWaitEvent) // the whole graph waits for it
        {
            event_hold(program->work[i].event, stream);
        }
    }
    for (size_t i = 0; CUDACPU_CHECKS && i < program->count; ++i)
    {
        check_node_issue(program->branches[i].node);
    }
    atomic_fetch_add(&program->users, 1);
    GraphOp *op = queue_allocate(sizeof(*op));
    *op = (GraphOp){.op.run = run_graph, .program = program};
    const uint64_t sequence = stream_add(stream, &op->op);
    for (size_t i = 0; i < program->count; ++i)
    {
        note_launch(&program->work[i], stream_of(stream)->device, sequence);
    }
}
