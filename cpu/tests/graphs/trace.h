// The accesses of the generated codes. In a program for the checker these macros are the plain
// accesses. In one for the oracle (-DORACLE) each of them also notes what it does, in a list.
#ifndef TRACE_H
#define TRACE_H
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#ifdef ORACLE
#include <signal.h>

// The backend's clock must not give another thread its turn in the middle of a note.
static int hold_the_clock()
{
    sigset_t clock;
    sigemptyset(&clock);
    sigaddset(&clock, SIGURG);
    return pthread_sigmask(SIG_BLOCK, &clock, NULL);
}
static const int no_clock = hold_the_clock();

enum
{
    WRITES = 1,
    STRONG = 2, // an atomic, or volatile
    OF_BLOCK = 4,
    MIN_MAX = 8
};
struct Access
{
    const char *address;
    int bytes, line, kind, block, thread, barriers, warp_syncs;
    double value;
};
const int MOST_ACCESSES = 1 << 21;
__device__ Access trace[MOST_ACCESSES];
__device__ int num_accesses;
__device__ int num_barriers[128][1024], num_warp_syncs[128][1024];

__device__ inline void note(const void *address, int bytes, int kind, double value, int line)
{
    const int b = blockIdx.x, t = threadIdx.x;
    const int i = num_accesses++; // the oracle runs on one core
    if (i < MOST_ACCESSES)
    {
        trace[i] = {(const char *)address, bytes, line, kind, b, t, num_barriers[b][t],
                    num_warp_syncs[b][t],  value};
    }
}

#define NOTE(x, kind, value) note((const void *)&(x), sizeof(x), kind, (double)(value), __LINE__)
#define LD(x) (*(NOTE(x, 0, 0), &(x)))
#define VLD(x) (*(NOTE(x, STRONG, 0), (volatile decltype(x + 0) *)&(x)))
#define ST(x, v)                 \
    do                           \
    {                            \
        const auto value_ = (v); \
        NOTE(x, WRITES, value_); \
        (x) = value_;            \
    } while (0)
#define VST(x, v)                                   \
    do                                              \
    {                                               \
        const auto value_ = (v);                    \
        NOTE(x, WRITES | STRONG, value_);           \
        *(volatile decltype(x + 0) *)&(x) = value_; \
    } while (0)
#define ATOMIC(f, x, kind, v)                 \
    ({                                        \
        const auto value_ = (v);              \
        NOTE(x, WRITES | STRONG | (kind), 0); \
        f(&(x), value_);                      \
    })
#define BAR() (++num_barriers[blockIdx.x][threadIdx.x], __syncthreads())
#define WARP_SYNCED ++num_warp_syncs[blockIdx.x][threadIdx.x]
#else
#define LD(x) (x)
#define VLD(x) (*(volatile decltype(x + 0) *)&(x))
#define ST(x, v) ((x) = (v))
#define VST(x, v) (*(volatile decltype(x + 0) *)&(x) = (v))
#define ATOMIC(f, x, kind, v) f(&(x), v)
#define BAR() __syncthreads()
#define WARP_SYNCED (void)0
#endif
#define ADD(x, v) ATOMIC(atomicAdd, x, 0, v)
#define ADD_BLOCK(x, v) ATOMIC(atomicAdd_block, x, OF_BLOCK, v)
#define MAX(x, v) ATOMIC(atomicMax, x, MIN_MAX, v)
#define MAX_BLOCK(x, v) ATOMIC(atomicMax_block, x, MIN_MAX | OF_BLOCK, v)
#define MIN(x, v) ATOMIC(atomicMin, x, MIN_MAX, v)
#define EXCH(x, v) ATOMIC(atomicExch, x, 0, v)
#define OR(x, v) ATOMIC(atomicOr, x, 0, v)
#define WSYNC() (WARP_SYNCED, __syncwarp())
#define DOWN(v, d) (WARP_SYNCED, __shfl_down_sync(0xffffffff, v, d))
#define BROADCAST(v) (WARP_SYNCED, __shfl_sync(0xffffffff, v, 0))
#define BALLOT(c) (WARP_SYNCED, __ballot_sync(0xffffffff, c))

// --- graphs --------------------------------------------------------------------------------------

// A directed graph in compressed rows, with the sources of the edges as well.
struct Graph
{
    int num_vertices, num_edges;
    std::vector<int> index, list, source;
};

inline unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// A ring, so that each vertex has neighbours, and random edges. One vertex has many.
inline Graph make_graph(int num_vertices, unsigned seed)
{
    Graph g;
    g.num_vertices = num_vertices;
    g.index.push_back(0);
    for (int v = 0; v < num_vertices; ++v)
    {
        std::set<int> neighbours;
        neighbours.insert((v + 1) % num_vertices);
        const int degree = v == 1 ? num_vertices / 2 : next_random(&seed) % 5;
        for (int i = 0; i < degree; ++i)
        {
            neighbours.insert(next_random(&seed) % num_vertices);
        }
        for (int n : neighbours)
        {
            g.list.push_back(n);
            g.source.push_back(v);
        }
        g.index.push_back((int)g.list.size());
    }
    g.num_edges = (int)g.list.size();
    return g;
}

// What the kernels work on. Each array begins with the same numbers for each code.
struct Arrays
{
    int *index, *list, *source, *worklist, *size;
    void *data1, *data2;
    std::vector<std::pair<const char *, size_t>> ranges;

    template <class T>
    T *copy(const std::vector<T> &values)
    {
        T *d;
        cudaMalloc(&d, values.size() * sizeof(T));
        cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
        ranges.push_back({(const char *)d, values.size() * sizeof(T)});
        return d;
    }
    template <class T>
    void make(const Graph &g)
    {
        index = copy(g.index);
        list = copy(g.list);
        source = copy(g.source);
        worklist = copy(std::vector<int>(2 * g.num_edges + 1, -1));
        size = copy(std::vector<int>(3, 0));
        std::vector<T> one(g.num_vertices), two(g.num_vertices);
        for (int v = 0; v < g.num_vertices; ++v)
        {
            one[v] = (T)v;
            two[v] = (T)((v * 37 + 11) % 101);
        }
        data1 = copy(one);
        data2 = copy(two);
    }
    void free_all()
    {
        for (void *p : {(void *)index, (void *)list, (void *)source, (void *)worklist, (void *)size,
                        data1, data2})
        {
            cudaFree(p);
        }
        ranges.clear();
    }
};

// --- the oracle ----------------------------------------------------------------------------------

#ifdef ORACLE
static bool is_shared(const Arrays &arrays, const char *p)
{
    for (auto &r : arrays.ranges)
    {
        if (p >= r.first - 64 && p < r.first + r.second + 64)
        {
            return false;
        }
    }
    return true;
}

static bool is_ordered(const Access &a, const Access &b)
{
    if (a.block != b.block)
    {
        return false;
    }
    return a.thread == b.thread || a.barriers != b.barriers ||
           (a.thread / 32 == b.thread / 32 && a.warp_syncs != b.warp_syncs);
}

static bool may_race(const Access &a, const Access &b)
{
    if (((a.kind | b.kind) & WRITES) == 0 || is_ordered(a, b))
    {
        return false;
    }
    const bool narrow = ((a.kind | b.kind) & OF_BLOCK) != 0 && a.block != b.block;
    return (a.kind & STRONG) == 0 || (b.kind & STRONG) == 0 || narrow;
}

// A line that reads plainly is a guard if the next atomic that compares of the same thread is always
// of the word that it has read.
static std::set<int> guards, no_guards;
static void look_for_guards(int num)
{
    std::map<std::pair<int, int>, std::map<int, const char *>> reads; // of a thread: by line
    for (int i = 0; i < num; ++i)
    {
        const Access &a = trace[i];
        auto &mine = reads[{a.block, a.thread}];
        if (a.kind == 0)
        {
            mine[a.line] = a.address;
        }
        if (a.kind & MIN_MAX)
        {
            for (auto &read : mine)
            {
                (read.second == a.address ? guards : no_guards).insert(read.first);
            }
            mine.clear();
        }
    }
}

struct Pair
{
    int first, second;
    bool strong, same_value,
        min_max; // min_max: the lines are a plain read, and an atomicMin or Max
    bool operator<(const Pair &p) const
    {
        return memcmp(this, &p, sizeof(p)) < 0;
    }
};
static std::set<Pair> pairs;
static std::set<int> outside;

// Looks at all pairs of accesses of one launch.
static void look_at_launch(const Arrays &arrays)
{
    const int num = num_accesses;
    if (num >= MOST_ACCESSES)
    {
        printf("too many accesses\n");
        exit(2);
    }
    look_for_guards(num);
    for (int i = 0; i < num; ++i)
    {
        const Access &a = trace[i];
        const bool shared = is_shared(arrays, a.address);
        bool inside = shared;
        for (auto &r : arrays.ranges)
        {
            inside |= a.address >= r.first && a.address + a.bytes <= r.first + r.second;
        }
        if (!inside)
        {
            outside.insert(a.line);
            continue; // it is no word of the program's
        }
        for (int k = 0; k < i; ++k)
        {
            const Access &b = trace[k];
            if (a.address + a.bytes <= b.address || b.address + b.bytes <= a.address)
            {
                continue;
            }
            if (may_race(a, b) && !(shared && a.block != b.block))
            {
                Pair p;
                memset(&p, 0, sizeof(p));
                p.first = a.line < b.line ? a.line : b.line;
                p.second = a.line < b.line ? b.line : a.line;
                p.strong = (a.kind & STRONG) && (b.kind & STRONG);
                p.same_value = a.line == b.line && a.kind == WRITES && b.kind == WRITES &&
                               a.block == b.block && a.thread / 32 == b.thread / 32 &&
                               a.value == b.value;
                p.min_max =
                    (a.kind == 0 && (b.kind & MIN_MAX)) || (b.kind == 0 && (a.kind & MIN_MAX));
                if (p.min_max) // the plain read comes first
                {
                    p.first = a.kind == 0 ? a.line : b.line;
                    p.second = a.kind == 0 ? b.line : a.line;
                }
                pairs.insert(p);
            }
        }
    }
    num_accesses = 0;
    memset(num_barriers, 0, sizeof(num_barriers));
    memset(num_warp_syncs, 0, sizeof(num_warp_syncs));
}

// As the checker's list: what was found, and the lines.
static void tell()
{
    for (const Pair &p : pairs)
    {
        const char *kind = p.strong       ? "scope"
                           : p.same_value ? "same-value"
                           : p.min_max && guards.count(p.first) && !no_guards.count(p.first)
                               ? "checked-compare"
                               : "race";
        const int low = p.first < p.second ? p.first : p.second, high = p.first + p.second - low;
        printf(low == high ? "%s %d\n" : "%s %d %d\n", kind, low, high);
    }
    for (int line : outside)
    {
        printf("out-of-bounds %d\n", line);
    }
}
#else
static void look_at_launch(const Arrays &)
{
}
static void tell()
{
}
#endif
#endif
