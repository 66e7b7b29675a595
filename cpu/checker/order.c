// The order of tasks: vector clocks, with one entry for each agent. An agent is a stream, or the host;
// all threads of the host are one, because how these wait for each other is not seen.
#include "order.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../runtime/check.h"
#include "../runtime/queue.h"
#include "../runtime/report.h"
#include "lock.h"
#include "site.h"

enum
{
    MAX_AGENTS = 4096,
    HOST = 0
};

typedef struct Clocks
{
    uint32_t num;
    uint32_t at[];
} Clocks;

typedef struct Agent
{
    const void *stream;
    CheckStream kind;
    int device;
    uint32_t clock;
    Clocks *last; // of its latest operation
} Agent;

// What an operation comes after.
typedef struct Issue
{
    Clocks *clocks;
    uint32_t agent, clock, site;
} Issue;

static Agent agents[MAX_AGENTS] = {[HOST] = {.clock = 1}};
static uint32_t num_agents = 1;
static Clocks *host_clocks;

static Task *tasks;
static size_t num_tasks, capacity;
static uint32_t next_sequence = 1, host_sequence;
uint32_t order_floor = 1;
THREAD_LOCAL uint32_t order_all_before = 1;
static THREAD_LOCAL const Issue *now;      // the operation that this OS thread runs; NULL: none
static THREAD_LOCAL uint32_t now_sequence; // its latest task's; 0: none yet

// The clocks of each operation of a device, by its number.
typedef struct Numbered
{
    Clocks **clocks;
    size_t capacity;
} Numbered;
static Numbered numbered[8];

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for the checker", errno);
    }
    return memory;
}

// --- clocks --------------------------------------------------------------------------------------

// A copy with room for each agent that there is.
static Clocks *copy_of(const Clocks *from)
{
    Clocks *copy = need(calloc(1, sizeof(Clocks) + num_agents * sizeof(uint32_t)));
    copy->num = num_agents;
    if (from != NULL)
    {
        memcpy(copy->at, from->at, from->num * sizeof(uint32_t));
    }
    return copy;
}

static void join(Clocks *into, const Clocks *other)
{
    for (uint32_t i = 0; other != NULL && i < other->num && i < into->num; ++i)
    {
        into->at[i] = into->at[i] < other->at[i] ? other->at[i] : into->at[i];
    }
}

static bool covers(const Clocks *clocks, uint32_t agent, uint32_t clock)
{
    return clocks != NULL && agent < clocks->num && clocks->at[agent] >= clock;
}

static void host_joins(const Clocks *other)
{
    Clocks *joined = copy_of(host_clocks);
    joined->at[HOST] = agents[HOST].clock;
    join(joined, other);
    free(host_clocks);
    host_clocks = joined;
    bool all = true;
    for (uint32_t a = 1; a < num_agents && all; ++a)
    {
        all = covers(joined, a, agents[a].clock);
    }
    if (all)
    {
        order_floor = next_sequence;
        host_sequence = 0;
    }
}

// HOST: it is not known.
static uint32_t find_agent(const void *stream)
{
    uint32_t a = num_agents - 1;
    while (a != HOST && agents[a].stream != stream)
    {
        --a;
    }
    return a;
}

static uint32_t agent_of(const void *stream, CheckStream kind, int device)
{
    const uint32_t a = find_agent(stream);
    if (a != HOST)
    {
        agents[a].kind = kind; // the stream may be a destroyed one's place
        agents[a].device = device;
        return a;
    }
    if (num_agents == MAX_AGENTS)
    {
        exhausted("room for so many streams in the checker", ENOMEM);
    }
    agents[num_agents] = (Agent){.stream = stream, .kind = kind, .device = device};
    return num_agents++;
}

// --- operations ----------------------------------------------------------------------------------

static bool waits_for(const Agent *a, const Agent *other)
{
    return a->device == other->device && a != other && other != &agents[HOST] &&
           ((a->kind == CHECK_LEGACY && other->kind == CHECK_BLOCKING) ||
            (a->kind == CHECK_BLOCKING && other->kind == CHECK_LEGACY));
}

void check_issue(Op *op, const void *stream, CheckStream kind, int device)
{
    void *callers[MAX_CALLERS];
    const int num = report_callers(callers, NULL);
    Issue *issue = need(malloc(sizeof(*issue)));
    lock_take();
    const uint32_t a = agent_of(stream, kind, device);
    Clocks *clocks = copy_of(host_clocks);
    clocks->at[HOST] = agents[HOST].clock;
    join(clocks, agents[a].last);
    for (uint32_t other = 1; other < num_agents; ++other)
    {
        if (waits_for(&agents[a], &agents[other]))
        {
            join(clocks, agents[other].last);
        }
    }
    clocks->at[a] = ++agents[a].clock;
    agents[a].last = clocks;
    *issue = (Issue){clocks, a, agents[a].clock,
                     site_of_callers(callers + (num > 2 ? 2 : 0), num > 2 ? num - 2 : num)};
    op->issue = issue;
    ++agents[HOST].clock; // what the host does from now on is not before the operation
    host_sequence = 0;
    lock_give();
}

void check_added(const Op *op)
{
    lock_take();
    Numbered *n = &numbered[op->device];
    if (op->sequence >= n->capacity)
    {
        const size_t before = n->capacity;
        n->capacity = 2 * op->sequence + 64;
        n->clocks = need(realloc(n->clocks, n->capacity * sizeof(*n->clocks)));
        memset(n->clocks + before, 0, (n->capacity - before) * sizeof(*n->clocks));
    }
    n->clocks[op->sequence] = op->issue != NULL ? op->issue->clocks : NULL;
    lock_give();
}

static const Clocks *clocks_of(int device, uint64_t number)
{
    return number < numbered[device].capacity ? numbered[device].clocks[number] : NULL;
}

// True if all agents but its own are known to an operation, up to now.
static bool knows_all(const Issue *issue)
{
    bool all = true;
    for (uint32_t a = 0; a < num_agents && all; ++a)
    {
        // The host's latest clock began with the issue of the operation.
        all = a == issue->agent || covers(issue->clocks, a, agents[a].clock - (a == HOST));
    }
    return all;
}

static void begin(const Issue *issue)
{
    now = issue;
    now_sequence = 0;
    order_all_before = now != NULL && knows_all(now) ? next_sequence : order_floor;
}

void check_op_begin(const Op *op)
{
    lock_take();
    begin(op->issue);
    lock_give();
}

void check_op_end(const Op *op)
{
    free(op->issue);
    now = NULL;
}

// --- the nodes of a graph ------------------------------------------------------------------------

// A node is an agent, too. Its clocks are those of the operation and of the nodes before it.
typedef struct Graph
{
    const Issue *operation;
    Issue node; // that runs
    size_t num, capacity;
    Clocks **ended; // of each node that has run
} Graph;
static THREAD_LOCAL Graph graph;

void check_node_issue(const void *node)
{
    lock_take();
    if (num_agents < MAX_AGENTS / 2) // the nodes of more run one after the other
    {
        agent_of(node, CHECK_NONBLOCKING, -1);
    }
    lock_give();
}

void check_node_begin(const void *node, size_t num_before, const size_t *before)
{
    lock_take();
    graph.operation = graph.operation != NULL ? graph.operation : now;
    if (graph.num == graph.capacity)
    {
        graph.capacity = 2 * graph.capacity + 8;
        graph.ended = need(realloc(graph.ended, graph.capacity * sizeof(*graph.ended)));
    }
    Clocks *clocks = copy_of(graph.operation->clocks);
    for (size_t i = 0; i < num_before; ++i)
    {
        join(clocks, graph.ended[before[i]]);
    }
    graph.ended[graph.num++] = clocks;
    const uint32_t a = find_agent(node);
    if (a != HOST)
    {
        clocks->at[a] = ++agents[a].clock;
        graph.node = (Issue){clocks, a, agents[a].clock, graph.operation->site};
        begin(&graph.node);
    }
    lock_give();
}

void check_node_end(void)
{
    lock_take();
    begin(graph.operation);
    lock_give();
}

// The operation's clocks are those of all its nodes.
void check_graph_end(void)
{
    lock_take();
    for (size_t i = 0; i < graph.num; ++i)
    {
        join(graph.operation->clocks, graph.ended[i]);
        free(graph.ended[i]);
    }
    free(graph.ended);
    graph = (Graph){0};
    lock_give();
}

// --- waits ---------------------------------------------------------------------------------------

void check_hold(const void *stream, CheckStream kind, int its, int device, uint64_t number)
{
    lock_take();
    Agent *a = &agents[agent_of(stream, kind, its)];
    Clocks *joined = copy_of(a->last);
    join(joined, clocks_of(device, number));
    a->last = joined;
    lock_give();
}

static THREAD_LOCAL bool orders_nothing;

void check_wait_begin(bool nothing)
{
    orders_nothing = nothing;
}

void check_wait_end(void)
{
    orders_nothing = false;
}

void check_waited(int device, uint64_t number)
{
    if (orders_nothing)
    {
        return;
    }
    lock_take();
    host_joins(clocks_of(device, number));
    lock_give();
}

void check_waited_all(int device)
{
    lock_take();
    for (uint32_t a = 1; a < num_agents; ++a)
    {
        if (agents[a].device == device)
        {
            host_joins(agents[a].last);
        }
    }
    lock_give();
}

// --- tasks ---------------------------------------------------------------------------------------

static Task *new_task(TaskKind kind, uint64_t num)
{
    if (num_tasks == capacity)
    {
        capacity = 2 * capacity + 64;
        tasks = need(realloc(tasks, capacity * sizeof(*tasks)));
    }
    if (num >= UINT32_MAX - next_sequence)
    {
        exhausted("numbers for so many blocks in the checker", ENOMEM);
    }
    Task *task = &tasks[num_tasks++];
    *task = (Task){.first = next_sequence, .kind = kind};
    task->agent = now != NULL ? now->agent : HOST;
    task->clock = now != NULL ? now->clock : agents[HOST].clock;
    task->site = now != NULL ? now->site : 0;
    next_sequence += (uint32_t)num;
    return task;
}

const Task *order_task(uint32_t sequence)
{
    size_t low = 0, high = num_tasks;
    while (high - low > 1)
    {
        const size_t middle = (low + high) / 2;
        *(tasks[middle].first <= sequence ? &low : &high) = middle;
    }
    return &tasks[low];
}

// Whether a task that has run is before what this OS thread does now.
bool order_before(const Task *task)
{
    const uint32_t agent = now != NULL ? now->agent : HOST;
    return task->agent == agent ||
           covers(now != NULL ? now->clocks : host_clocks, task->agent, task->clock);
}

bool order_is_node(const Task *task)
{
    return task->agent != HOST && agents[task->agent].device < 0;
}

bool order_is_in_default_stream(const Task *task)
{
    return task->agent != HOST && agents[task->agent].kind == CHECK_LEGACY;
}

uint32_t order_sequence(void)
{
    uint32_t *sequence = now != NULL ? &now_sequence : &host_sequence;
    if (*sequence == 0)
    {
        *sequence = new_task(now != NULL ? TASK_OPERATION : TASK_HOST, 1)->first;
    }
    return *sequence;
}

// --- flags that the host reads -------------------------------------------------------------------

// The words that a kernel has written last after a fence of the system, as a flag for a host that looks at
// it while the kernel runs. With the flag the host knows of the whole launch: which threads are
// before the flag is not looked at.
enum
{
    TOLD_BUCKETS = 1 << 12,
    MOST_TOLD = 1 << 16
};
typedef struct Told
{
    const void *word;
    const Clocks *clocks; // of the launch; NULL: written without such a fence since
    struct Told *older;
} Told;
static Told *told[TOLD_BUCKETS];
static unsigned num_told;
static const Clocks *launch_clocks; // of the launch that runs
static Clocks *launch_told;         // a copy that stays; NULL: none yet

static Told **told_bucket(const void *word)
{
    return &told[(uintptr_t)word / 4 * 0x9e3779b97f4a7c15u >> 52];
}

static Told *told_of(const void *word)
{
    Told *t = *told_bucket(word);
    while (t != NULL && t->word != word)
    {
        t = t->older;
    }
    return t;
}

void order_tell(const void *word)
{
    lock_take();
    launch_told = launch_told != NULL ? launch_told : copy_of(launch_clocks);
    Told *t = told_of(word);
    if (t == NULL && num_told < MOST_TOLD)
    {
        Told **bucket = told_bucket(word);
        t = need(malloc(sizeof(*t)));
        *t = (Told){.word = word, .older = *bucket};
        *bucket = t;
        ++num_told;
    }
    if (t != NULL)
    {
        t->clocks = launch_told;
    }
    lock_give();
}

void order_untell(const void *word)
{
    lock_take();
    Told *t = num_told > 0 ? told_of(word) : NULL;
    if (t != NULL)
    {
        t->clocks = NULL;
    }
    lock_give();
}

void order_hear(const void *word)
{
    lock_take();
    const Told *t = num_told > 0 && now == NULL ? told_of(word) : NULL;
    if (t != NULL && t->clocks != NULL)
    {
        host_joins(t->clocks);
    }
    lock_give();
}

// The number of its first block.
uint32_t order_begin_launch(const Launch *launch)
{
    launch_clocks = now != NULL ? now->clocks : host_clocks;
    launch_told = NULL;
    Task *task = new_task(TASK_KERNEL, launch->num_blocks);
    task->name = launch->name;
    task->grid = launch->grid;
    task->block = launch->block;
    now_sequence = 0;
    order_all_before = order_all_before > order_floor ? task->first : order_floor;
    return task->first;
}

uint32_t order_site_of_now(void)
{
    return now != NULL ? now->site : 0;
}
