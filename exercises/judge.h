// The judge's program: no line of the reader is in it. It makes inputs that nobody has seen before,
// lets the child work on them, and looks at what has come out. An exercise has two functions:
//
//   prepare()   makes the cases: add_case, input, output
//   look(c)     says by wrong("id") what is wrong with case c, or nothing
//
//   judge PHASE PROGRAM FOLDER SEED    PHASE: quick, orders, check, count
//
// It prints `id ID` and a line `NAME VALUE` for each value that a sentence may name.
#ifndef EXERCISES_JUDGE_H
#define EXERCISES_JUDGE_H
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <initializer_list>
#include "cases.h"

// ---- Of the exercise ----

static void prepare();
static void look(const Case *c);

// ---- Numbers ----

static uint64_t random_state;

static uint64_t random_bits()
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// From `least` to `most`, both included.
static inline long random_number(long least, long most)
{
    return least + (long)(random_bits() % (uint64_t)(most - least + 1));
}

// ---- Cases ----

static Table *table;
static const char *folder;
enum
{
    POISON = 0xa5 // of each byte of the fences
};

static void give_up(const char *why)
{
    fprintf(stderr, "judge: %s: %s\n", why, strerror(errno));
    exit(5);
}

static inline Case *add_case(std::initializer_list<long> numbers)
{
    if (table->num_cases == MAX_CASES || numbers.size() > MAX_NUMBERS)
    {
        give_up("too many cases or numbers");
    }
    Case *c = &table->cases[table->num_cases++];
    memset(c, 0, sizeof(*c));
    int i = 0;
    for (const long number : numbers)
    {
        c->number[i++] = number;
    }
    return c;
}

static inline char *add_array(Case *c, size_t count, size_t bytes, int is_output)
{
    const size_t offset = (table->used + FENCE + 255) / 256 * 256;
    if (c->num_arrays == MAX_ARRAYS || bytes > SHARED_BYTES - 4096 ||
        offset + bytes + FENCE > SHARED_BYTES)
    {
        give_up("too many arrays or bytes");
    }
    Array *a = &c->arrays[c->num_arrays++];
    a->offset = offset, a->count = count, a->bytes = bytes, a->is_output = is_output;
    char *start = (char *)table + offset;
    memset(start - FENCE, POISON, bytes + 2 * FENCE);
    table->used = offset + bytes + FENCE;
    return start;
}

// An array for the child to read. It has distinct values, in no order: multiples of 1/64 below
// 16384, or whole numbers. Their sums are exact. The exercise may write others into it.
template <class T>
static T *input(Case *c, size_t count)
{
    T *x = (T *)add_array(c, count, count * sizeof(T), 0);
    const uint64_t first = random_bits(), step = random_bits() | 1;
    for (size_t i = 0; i < count; ++i)
    {
        const uint64_t value = (first + i * step) % (1 << 20);
        x[i] = (T)0.5 == (T)0 ? (T)(value + 1) : (T)((value + 1) / 64.0);
    }
    return x;
}

// An array for the child to write. It is poisoned: with values that are wrong, and that differ.
template <class T>
static T *output(Case *c, size_t count)
{
    T *x = (T *)add_array(c, count, count * sizeof(T), 1);
    for (size_t i = 0; i < count; ++i)
    {
        x[i] = (T)(-1 - (double)(random_bits() % (1 << 20)));
    }
    return x;
}

// Array i of a case: inputs as the judge has made them, outputs as the child has left them.
template <class T>
static T *array(const Case *c, int i)
{
    return (T *)((char *)table + c->arrays[i].offset);
}

static const char *kept; // the table and its arrays as the judge has made them

// An array as it was before.
template <class T>
static const T *before(const Case *c, int i)
{
    return (const T *)(kept + c->arrays[i].offset);
}

// Whether nobody has written this element of an output: no copy of it.
template <class T>
static bool is_untouched(const T &value)
{
    const size_t offset = (const char *)&value - (const char *)table;
    return offset < table->used && memcmp(&value, kept + offset, sizeof(T)) == 0;
}

// ---- What is said ----

static const char *said_id;
static char said_values[16384];

// A value for {name} in the sentence. The last one counts.
static inline void value(const char *name, const char *format, ...)
{
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    for (char *p = text; *p != '\0'; ++p)
    {
        *p = *p == '\n' ? ' ' : *p;
    }
    const size_t used = strlen(said_values);
    if (used + strlen(name) + strlen(text) + 3 < sizeof(said_values))
    {
        snprintf(said_values + used, sizeof(said_values) - used, "%s %s\n", name, text);
    }
}

// The sentence of the verdict. The first one counts.
static inline void wrong(const char *id)
{
    if (said_id == NULL)
    {
        said_id = id;
    }
}

// Two short texts that are shown above the sentence: what came out, and what should have.
static inline void show(const char *got, const char *wanted)
{
    value("shown_got", "%s", got);
    value("shown_want", "%s", wanted);
}

static inline const char *text_of(double x)
{
    static char texts[8][40];
    static int next;
    char *text = texts[next++ % 8];
    snprintf(text, sizeof(texts[0]), "%.9g", x);
    return text;
}

// The first of `count` elements that is not within `error` of what it should be, or -1. It gives the
// values {i}, {got} and {want}.
template <class T>
static long first_wrong(const T *got, const T *wanted, long count, double error = 0)
{
    for (long i = 0; i < count; ++i)
    {
        if (!(fabs((double)got[i] - (double)wanted[i]) <= error))
        {
            value("i", "%ld", i);
            value("got", "%s", is_untouched(got[i]) ? "?" : text_of((double)got[i]));
            value("want", "%s", text_of((double)wanted[i]));
            return i;
        }
    }
    return -1;
}

// ---- What the child leaves besides its arrays ----

static inline char *read_file(const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    size_t used = 0, size = 1 << 20;
    char *text = (char *)calloc(size + 1, 1);
    if (file != NULL)
    {
        used = fread(text, 1, size, file);
        fclose(file);
    }
    text[used] = '\0';
    return text;
}

// What case c has printed: its first MB.
static inline char *printed(const Case *c)
{
    char name[32];
    snprintf(name, sizeof(name), "out.%d", (int)(c - table->cases));
    return read_file(name);
}

// The lines of a list of the backend, "launches" or "calls", that case c has made. NULL ends them.
static inline char **lines_of(const Case *c, const char *list)
{
    static char *lines[4096];
    int num = 0, which = -1;
    for (char *line = strtok(read_file(list), "\n"); line != NULL; line = strtok(NULL, "\n"))
    {
        if (sscanf(line, "case %d", &which) != 1 && which == c - table->cases && num < 4095)
        {
            lines[num++] = line;
        }
    }
    lines[num] = NULL;
    return lines;
}

struct Launch
{
    char kernel[200];
    unsigned grid[3], block[3], shared;
};

// Launch number i of case c; false if there is none.
static inline bool launch_of(const Case *c, int i, Launch *l)
{
    char **lines = lines_of(c, "launches");
    for (int k = 0; lines[k] != NULL; ++k)
    {
        if (k == i)
        {
            return sscanf(lines[k], "%199[^:]: grid %ux%ux%u, block %ux%ux%u, shared %u", l->kernel,
                          &l->grid[0], &l->grid[1], &l->grid[2], &l->block[0], &l->block[1],
                          &l->block[2], &l->shared) == 8;
        }
    }
    return false;
}

// A call of the list "calls".
struct Call
{
    int line; // 0 if it is not known
    char name[80], arguments[400];
    int result;
};

// Call number i of case c; false if there is none. That of a launch is called after its kernel, and its
// arguments are grid, block and bytes.
static inline bool call_of(const Case *c, int i, Call *call)
{
    char **lines = lines_of(c, "calls");
    for (int k = 0; k < i; ++k)
    {
        if (lines[k] == NULL)
        {
            return false;
        }
    }
    const char *text = lines[i] != NULL ? strstr(lines[i], ": ") : NULL;
    if (text == NULL)
    {
        return false;
    }
    const char *colon = text;
    while (colon > lines[i] && *--colon != ':')
    {
    }
    call->line = atoi(colon + 1);
    const char *equals = strrchr(text, '=');
    call->result = equals != NULL ? atoi(equals + 1) : -1;
    return sscanf(text, ": %79[^(<]%*[(<]%399[^=]", call->name, call->arguments) == 2;
}

static inline bool is_launch(const Call *call) { return strncmp(call->name, "cuda", 4) != 0; }

// An output for what judged::watch_writes() notes of so many threads.
static inline void notes(Case *c, long threads)
{
    int *noted = output<int>(c, 2 * threads);
    for (long t = 0; t < threads; ++t)
    {
        noted[2 * t] = -1, noted[2 * t + 1] = 0;
    }
}

// How many threads have written several elements of what was watched, by array i: 0 without the checker.
static inline long with_several(const Case *c, int i)
{
    long num = 0;
    for (size_t t = 0; 2 * t < c->arrays[i].count; ++t)
    {
        num += array<int>(c, i)[2 * t + 1] != 0;
    }
    return num;
}

// ---- What was counted: exercises of the kind faster ----

// Whether this run counts what the accesses cost. It has one case, and no other: its numbers are multiples
// of 32, so that the least is reached exactly.
static bool is_count;
static inline bool is_counting() { return is_count; }

// One access of the reader's code: a line may have several. Units are sectors, in shared memory wavefronts.
struct Access
{
    char space[12], access[8]; // global or shared; load or store (an atomic is a store)
    int line;
    long bytes, requests, lanes, units, least, useful; // bytes: of one thread
};

enum
{
    MOST_ACCESSES = 256
};
static Access accesses[MOST_ACCESSES];
static int num_accesses = -1; // not read yet
static long num_threads;      // that were launched

static void take_kernel(const char *line)
{
    long threads;
    // (After name, grid, block and place come an empty value, launches and blocks.)
    const char *values = strstr(line, ",,");
    if (values != NULL && sscanf(values, ",,%*d,%*d,%ld", &threads) == 1)
    {
        num_threads += threads;
    }
}

// A row of the counter's table: "global,KERNEL,FILE,LINE,ACCESS,BYTES,REQUESTS ...". Names may have commas,
// so it is read from the extension of the file on.
static void take_access(const char *line)
{
    Access a;
    memset(&a, 0, sizeof(a));
    const char *place = strstr(line, ".cu,");
    for (const char *next = place; next != NULL; next = strstr(next + 1, ".cu,"))
    {
        place = next;
    }
    if (place == NULL || sscanf(line, "%11[a-z],", a.space) != 1 ||
        sscanf(place, ".cu,%d,%7[a-z],%ld,%ld,%ld,%ld,%ld,%ld,", &a.line, a.access, &a.bytes,
               &a.requests, &a.lanes, &a.units, &a.least, &a.useful) != 8)
    {
        return; // of the judge's own code
    }
    strcpy(a.access, strcmp(a.access, "load") == 0 ? "load" : "store");
    if (num_accesses < MOST_ACCESSES)
    {
        accesses[num_accesses++] = a;
    }
}

// "32", "4.81".
static inline const char *per(double sum, double num)
{
    static char texts[8][40];
    static int next;
    char *text = texts[next++ % 8];
    const double value = num > 0 ? sum / num : 0;
    snprintf(text, sizeof(texts[0]), value < 100 ? "%.3g" : "%.0f", value);
    return text;
}

// The table that the counter has printed at the end of the program. It is there once, or the program has
// printed something like it.
static void read_counts()
{
    if (num_accesses >= 0)
    {
        return;
    }
    num_accesses = 0;
    int num_tables = 0;
    for (char *line = strtok(read_file("err"), "\n"); line != NULL; line = strtok(NULL, "\n"))
    {
        num_tables += strncmp(line, "what,kernel,", 12) == 0;
        if (strncmp(line, "kernel,", 7) == 0)
        {
            take_kernel(line);
        }
        else if (strncmp(line, "global,", 7) == 0 || strncmp(line, "shared,", 7) == 0)
        {
            take_access(line);
        }
    }
    if (num_tables != 1)
    {
        wrong("not_counted");
    }
    char list[8192] = "";
    for (int i = 0; i < num_accesses; ++i)
    {
        const Access *a = &accesses[i];
        const size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%d %s %s %s %s;", a->line, a->space, a->access,
                 per(a->units, a->requests), per(a->least, a->requests));
    }
    value("accesses", "%s", list);
}

// All loads or all stores: how many units 32 numbers of 4 bytes take, and how few would do.
struct Counted
{
    const char *space, *access;
    double now, least;
    double lanes;        // of a request
    const Access *worst; // the one that wastes most; NULL if there is none
};

// What is less than this many times the least is good enough. A block of 100 threads takes 1.16 times
// the least, since it does not begin where a sector does, and a float4 for three numbers 1.33 times. The least
// that a mistake costs is twice: every second number, half of a sector, each number two times.
static const double GOOD_ENOUGH = 1.5;

static inline bool is_wasteful(const Counted &c) { return c.now >= GOOD_ENOUGH * c.least; }

// Weighs "load" or "store" of "global" or "shared" memory by what `numbers` of 4 bytes need, and
// tells it in the verdict beside what the stub takes.
static inline Counted weigh(const char *space, const char *access, double numbers, double at_first)
{
    static char sums[1024];
    read_counts();
    Counted c = {space, access, 0, strcmp(space, "shared") == 0 ? 1.0 : 4.0, 0, NULL};
    long requests = 0, lanes = 0;
    for (int i = 0; i < num_accesses; ++i)
    {
        const Access *a = &accesses[i];
        if (strcmp(a->space, space) == 0 && strcmp(a->access, access) == 0)
        {
            c.now += 32 * a->units / numbers;
            requests += a->requests;
            lanes += a->lanes;
            c.worst = c.worst == NULL || a->units - a->least > c.worst->units - c.worst->least
                          ? a
                          : c.worst;
        }
    }
    c.lanes = requests > 0 ? (double)lanes / requests : 0;
    const size_t used = strlen(sums);
    snprintf(sums + used, sizeof(sums) - used, "%s %s %s %s %s;", space, access, per(at_first, 1),
             per(c.now, 1), per(c.least, 1));
    value("sums", "%s", sums);
    return c;
}

// Says it of one access: {line}, {access}, {units} and {least} of a request, {unit}, {lanes}; {now} and
// {all_least} of 32 numbers.
static inline void wrong_at(const char *id, const Counted &c, const Access *a)
{
    if (a != NULL && said_id == NULL)
    {
        value("line", "%d", a->line);
        value("access", "%s", a->access);
        value("unit", "%s", strcmp(a->space, "shared") == 0 ? "wavefronts" : "sectors");
        value("units", "%s", per(a->units, a->requests));
        value("least", "%s", per(a->least, a->requests));
        value("lanes", "%s", per(a->lanes, a->requests));
    }
    if (said_id == NULL)
    {
        value("now", "%s", per(c.now, 1));
        value("all_least", "%s", per(c.least, 1));
    }
    wrong(id);
}

// What can be said of any kernel. An exercise says before it what it knows better.
static inline void look_at(const Counted &c)
{
    const bool is_load = strcmp(c.access, "load") == 0, is_shared = strcmp(c.space, "shared") == 0;
    if (!is_shared && c.now < 0.99 * c.least)
    {
        wrong_at(is_load ? "loads_too_few" : "stores_too_few", c, NULL);
    }
    if (!is_wasteful(c))
    {
        return;
    }
    const Access *worst = c.worst;
    if (num_threads == 1)
    {
        wrong_at("one_thread", c, worst);
    }
    if (c.lanes < 16)
    {
        wrong_at(c.lanes < 1.01 ? "one_lane" : "few_lanes", c, worst);
    }
    if (worst->units >= GOOD_ENOUGH * worst->least)
    {
        wrong_at(is_shared ? "conflict" : is_load ? "wasteful_load" : "wasteful_store", c, worst);
    }
    wrong_at(is_shared ? "shared_several_times"
             : is_load ? "loads_several_times"
                       : "stores_several_times",
             c, NULL);
}

// ---- The child ----

struct Order
{
    const char *variable, *setting;
};

static double seconds()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void limit(int what, rlim_t most)
{
    const rlimit both = {most, most};
    setrlimit((__rlimit_resource_t)what, &both);
}

static pid_t child;

// Of a file in the folder, as the child is to find it: none, or an empty one in a sandbox, into which
// the file itself is mounted.
static const char *fresh_file(const char *name, bool is_sandbox)
{
    static char path[4096];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (is_sandbox ? truncate(path, 0) != 0 : unlink(path) != 0 && errno != ENOENT)
    {
        _exit(5);
    }
    return path;
}

// What stands before the program in JUDGE_SANDBOX, its words divided by a byte 31: see make/Sandbox.pm.
static char **sandboxed(char *words, const char **program)
{
    static const char *all[1024];
    int num = 0;
    for (char *word = strtok(words, "\x1f"); word != NULL && num < 1000;
         word = strtok(NULL, "\x1f"))
    {
        all[num++] = word;
    }
    for (int i = 0; program[i] != NULL; ++i)
    {
        all[num++] = program[i];
    }
    all[num] = NULL;
    return (char **)all;
}

// A program that waits for nothing ends when the judge does.
static void start(const char *program, int memory, const Order *order, bool is_check)
{
    const pid_t judge = getpid();
    child = fork();
    if (child != 0)
    {
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != judge)
    {
        _exit(5);
    }
    char number[16], out[32];
    char *sandbox = getenv("JUDGE_SANDBOX");
    const int nothing = open("/dev/null", O_RDWR),
              err = open(fresh_file("err", sandbox != NULL), O_WRONLY | O_CREAT, 0666);
    if (nothing < 0 || err < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(err, 2) < 0)
    {
        _exit(5);
    }
    limit(RLIMIT_CPU,
          is_check ? 20 : 10); // (two cores, and a kernel without end is ended after 3 s)
    limit(RLIMIT_FSIZE, 16 << 20);
    limit(RLIMIT_CORE, 0);
    if (!is_check) // (the checker takes much address space, and what it needs has passed before)
    {
        limit(RLIMIT_AS, (rlim_t)4 << 30);
    }
    setenv("CUDACPU_EXACT", "1", 1);
    setenv("CUDACPU_TIMEOUT", "3", 1);
    setenv("CUDACPU_THREADS", "1", 1); // a race has the same result each time
    setenv("CUDACPU_LAUNCHES", fresh_file("launches", sandbox != NULL), 1);
    const char *calls = fresh_file("calls", sandbox != NULL);
    if (getenv("JUDGE_CALLS") != NULL) // (each call then costs some milliseconds)
    {
        setenv("CUDACPU_CALLS", calls, 1);
    }
    setenv("CUDACPU_CHECK_CSV", fresh_file("findings", sandbox != NULL), 1);
    if (is_count)
    {
        setenv("CUDACPU_COUNT", "csv", 1); // to the standard error, when the program ends
    }
    for (int i = 0; i < MAX_CASES && sandbox != NULL; ++i)
    {
        snprintf(out, sizeof(out), "out.%d", i);
        fresh_file(out, true);
    }
    if (order->variable != NULL)
    {
        setenv(order->variable, order->setting, 1);
    }
    snprintf(number, sizeof(number), "%d", memory);
    const char *words[] = {program, number, folder, NULL};
    unsetenv("JUDGE_SANDBOX");
    char **all = sandbox != NULL ? sandboxed(sandbox, words) : (char **)words;
    execvp(all[0], all);
    _exit(5);
}

// Waits for the child, and ends it after `most` seconds.
static void wait_for_child(double most)
{
    const double start = seconds();
    int status;
    for (;;)
    {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
        {
            break;
        }
        if (ended < 0)
        {
            give_up("waitpid");
        }
        if (seconds() - start > most)
        {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            value("ended", "time");
            return;
        }
        usleep(500);
    }
    // (A sandbox ends with 128 and the signal.)
    const bool by_sandbox =
        getenv("JUDGE_SANDBOX") != NULL && WIFEXITED(status) && WEXITSTATUS(status) > 128;
    if (WIFEXITED(status) && !by_sandbox)
    {
        value("ended", "exit %d", WEXITSTATUS(status));
    }
    else
    {
        const int signal = by_sandbox ? WEXITSTATUS(status) - 128 : WTERMSIG(status);
        value("ended", signal == SIGXCPU || signal == SIGKILL ? "time" : "signal %d", signal);
    }
}

// New memory for the table, which no child of before has. Its size stays.
static int share_table()
{
    const int memory = memfd_create("cases", MFD_ALLOW_SEALING);
    if (memory < 0 || ftruncate(memory, SHARED_BYTES) != 0 ||
        fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    {
        give_up("memory");
    }
    const int fixed = table != NULL ? MAP_FIXED : 0;
    void *mapped = mmap(table, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, memory, 0);
    if (mapped == MAP_FAILED)
    {
        give_up("memory");
    }
    table = (Table *)mapped;
    return memory;
}

// A copy takes the place of what is shared: a process that the child has left behind cannot change it.
static void end_sharing(size_t used, int memory)
{
    void *copy = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED)
    {
        give_up("memory");
    }
    memcpy(copy, table, used);
    if (mremap(copy, SHARED_BYTES, SHARED_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, table) ==
        MAP_FAILED)
    {
        give_up("memory");
    }
    close(memory);
}

static void judge_once(const char *program, const Order *order, bool is_check)
{
    const int memory = share_table();
    table->used = sizeof(Table);
    said_values[0] = '\0';
    prepare();
    if (is_count && table->num_cases != 1)
    {
        give_up("one case is counted");
    }
    // What the child must not change is kept.
    const size_t used = table->used;
    char *copy = (char *)malloc(used);
    if (copy == NULL)
    {
        give_up("memory");
    }
    kept = (char *)memcpy(copy, table, used);
    value("order", "%s %s", order->variable != NULL ? order->variable : "usual",
          order->variable != NULL ? order->setting : "");
    start(program, memory, order, is_check);
    wait_for_child(is_check ? 40 : 20);
    end_sharing(used, memory);
    int done[MAX_CASES], errors[MAX_CASES];
    for (int i = 0; i < ((const Table *)kept)->num_cases; ++i)
    {
        done[i] = table->cases[i].is_done;
        errors[i] = table->cases[i].error;
    }
    memcpy(table, kept, sizeof(Table));
    for (int i = 0; i < table->num_cases && said_id == NULL; ++i)
    {
        Case *c = &table->cases[i];
        c->is_done = done[i];
        c->error = errors[i];
        for (int k = 0; k < c->num_arrays; ++k)
        {
            const Array *a = &c->arrays[k];
            char *at = (char *)table + a->offset;
            if (memcmp(at - FENCE, kept + a->offset - FENCE, FENCE) != 0 ||
                memcmp(at + a->bytes, kept + a->offset + a->bytes, FENCE) != 0)
            {
                wrong("wrote_outside");
            }
            if (!a->is_output && memcmp(at, kept + a->offset, a->bytes) != 0)
            {
                wrong("input_changed");
                memcpy(at, kept + a->offset, a->bytes);
            }
        }
        value("case", "%d", i);
        if (!c->is_done)
        {
            wrong("not_ended");
        }
        else if (c->error != 0)
        {
            value("error", "%d", c->error);
            wrong("cuda_error");
        }
        else
        {
            look(c);
        }
    }
    free(copy);
}

int main(int argc, char **argv)
{
    if (argc != 5)
    {
        fprintf(stderr, "judge PHASE PROGRAM FOLDER SEED\n");
        return 5;
    }
    const char *phase = argv[1];
    folder = argv[3];
    random_state = strtoull(argv[4], NULL, 10);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0); // nobody looks into this process for what is expected
    const Order usual[] = {{NULL, NULL}, {NULL, NULL}};
    const Order others[] = {
        {"CUDACPU_ORDER", "1"}, {"CUDACPU_ORDER", "2"}, {"CUDACPU_REVERSE", "1"}, {NULL, NULL}};
    const Order checks[] = {{NULL, NULL}};
    const bool in_orders = strcmp(phase, "orders") == 0, in_check = strcmp(phase, "check") == 0;
    is_count = strcmp(phase, "count") == 0;
    const Order *orders = in_orders ? others : in_check ? checks : usual;
    const int num = in_orders ? 3 : 1;
    for (int i = 0; i < num && said_id == NULL; ++i)
    {
        judge_once(argv[2], &orders[i], in_check);
    }
    printf("id %s\n%s", said_id != NULL ? said_id : "none", said_values);
    return fflush(stdout) == 0 ? 0 : 5;
}

#endif
