// Reports: kernel, block, thread, file and line, and what is wrong there.
//
// Source lines come from the line tables in the program, read with binutils' addr2line, which every
// g++ brings along.
#include "report.h"
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>
#include "base.h"
#include "error.h"
#include "turns.h"

// --- source lines --------------------------------------------------------------------------------

static bool contains_any(const char *path, const char *const *parts)
{
    while (*parts != NULL && strstr(path, *parts) == NULL)
    {
        ++parts;
    }
    return *parts != NULL;
}

// cpucc and rules.mk have given this name to the folder of the backend.
static bool is_ours(const char *path)
{
    return strncmp(path, "/cpucc/", 7) == 0;
}

// A function of the headers of the backend.
static bool is_of_headers(const char *function)
{
    return strncmp(function, "_ZN7cudacpu", 11) == 0 || strncmp(function, "_ZNK7cudacpu", 12) == 0;
}

// Headers of the system's, and Thrust's: the line of interest is in the file that includes them.
static bool is_library(const char *path)
{
    static const char *const libraries[] = {"/include/c++/", "/include/thrust/", "/include/cub/",
                                            "/include/cccl/", NULL};
    return strncmp(path, "/usr/include/", 13) == 0 || strncmp(path, "/usr/lib/", 9) == 0 ||
           contains_any(path, libraries);
}

// A library that the system brings, the C library for example.
static bool is_of_system(const char *file)
{
    return strncmp(file, "/lib", 4) == 0 || strncmp(file, "/usr/lib", 8) == 0;
}

extern char __executable_start; // of the program itself

typedef struct Position
{
    char line[PLACE_LENGTH]; // "file.cu:12"
    char call[64];           // the last call into the runtime on the way there: "cudaFree"; or ""
    bool is_of_header;       // the function there is one of ours, into which a kernel was inlined
} Position;

// A pipe, read without memory of malloc: the heap may be broken.
typedef struct Reader
{
    int pipe;
    ssize_t at, end;
    char text[1024];
} Reader;

// What is longer than `size` is cut.
static bool read_line(Reader *reader, char *line, size_t size)
{
    for (size_t length = 0;;)
    {
        if (reader->at == reader->end)
        {
            do
            {
                reader->end = read(reader->pipe, reader->text, sizeof(reader->text));
            } while (reader->end < 0 && errno == EINTR);
            reader->at = 0;
            if (reader->end <= 0)
            {
                reader->end = 0;
                return false;
            }
        }
        const char c = reader->text[reader->at++];
        if (c == '\n')
        {
            line[length] = '\0';
            return true;
        }
        if (length + 1 < size)
        {
            line[length++] = c;
        }
    }
}

// Whether a function is X::X(const X &), X::operator=(X &&) or the like: its mangled name ends with
// C2ERKS_ or aSEOS0_. Most are the compiler's, and have the line of the structure.
bool report_is_copy(const char *function)
{
    const char *same = strrchr(function, 'S');
    if (same == NULL || strcmp(same + 1 + strspn(same + 1, "0123456789"), "_") != 0 ||
        same - function < 6)
    {
        return false;
    }
    const int type = strncmp(same - 3, "ERK", 3) == 0 ? 3 : strncmp(same - 2, "EO", 2) == 0 ? 2 : 0;
    const char *name = same - type - 2;
    return type > 0 && ((name[0] == 'C' && name[1] >= '0' && name[1] <= '9') ||
                        (name[0] == 'a' && name[1] == 'S'));
}

// Reads what addr2line -f says: pairs of lines, a function and a place. The first place that is not
// the backend's own is the position. Of a copy it is the place that copies, if that is known. An
// unknown place is "??:0", or ":?" in the compiler's library, of which AArch64's atomic functions are.
static bool read_position(int pipe, Position *position, bool skips_headers)
{
    Reader reader = {.pipe = pipe};
    char function[1024], place[4096];
    while (read_line(&reader, function, sizeof(function)) &&
           read_line(&reader, place, sizeof(place)))
    {
        char *note = strstr(place, " (discriminator");
        if (note != NULL)
        {
            *note = '\0';
        }
        if (is_ours(place))
        {
            if (strncmp(function, "cu", 2) == 0 && strncmp(function, "cudacpu", 7) != 0)
            {
                char *version = strstr(function, "_v2");
                snprintf(position->call, sizeof(position->call), "%.*s",
                         (int)(version != NULL ? version - function : 63), function);
            }
        }
        else if (!(skips_headers && is_of_headers(function)) && place[0] != '?' &&
                 place[0] != ':' && !is_library(place))
        {
            const char *slash = strrchr(place, '/');
            position->is_of_header = is_of_headers(function);
            snprintf(position->line, sizeof(position->line), "%.299s",
                     slash != NULL ? slash + 1 : place);
            if (!report_is_copy(function))
            {
                return true;
            }
        }
    }
    return position->line[0] != '\0';
}

enum
{
    ADDRESS_LENGTH = 20
};

// Starts addr2line for the first addresses of a list that lie in one file; *num is how many these
// are. Returns its output, or -1. posix_spawn takes memory of malloc, whose lock may be taken: the fault
// that is reported may be one of malloc itself.
static int start_addr2line(void *const *pcs, int *num, pid_t *child)
{
    Dl_info info, other;
    const int most = *num;
    *num = 1;
    if (dladdr(pcs[0], &info) == 0)
    {
        return -1;
    }
    while (*num < most && dladdr(pcs[*num], &other) != 0 && other.dli_fbase == info.dli_fbase)
    {
        ++*num;
    }
    const ElfW(Ehdr) *header = info.dli_fbase;
    const uintptr_t base = header->e_type == ET_DYN ? (uintptr_t)info.dli_fbase : 0;
    const bool is_program = info.dli_fbase == &__executable_start;
    char file[4096], addresses[MAX_CALLERS][ADDRESS_LENGTH];
    const ssize_t length = is_program ? readlink("/proc/self/exe", file, sizeof(file) - 1) : -1;
    file[length > 0 ? length : 0] = '\0';
    const char *arguments[MAX_CALLERS + 5] = {"addr2line", "-fie",
                                              length > 0 ? file : info.dli_fname};
    for (int i = 0; i < *num; ++i)
    {
        snprintf(addresses[i], ADDRESS_LENGTH, "0x%zx", (size_t)((uintptr_t)pcs[i] - base));
        arguments[3 + i] = addresses[i];
    }
    int ends[2];
    if (is_of_system(info.dli_fname) || pipe2(ends, O_CLOEXEC) != 0)
    {
        return -1;
    }
    *child = vfork();
    if (*child == 0)
    {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, 2);
        dup2(ends[1], 1);
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    close(ends[1]);
    if (*child < 0)
    {
        close(ends[0]);
    }
    return *child < 0 ? -1 : ends[0];
}

// Finds the first of some addresses, innermost first, that is in the program's own source.
static bool look_for_position(void *const *pcs, int num, Position *position, bool skips_headers)
{
    *position = (Position){"", "", false};
    bool found = false;
    while (num > 0 && !found)
    {
        int group = num;
        pid_t child;
        const int output = start_addr2line(pcs, &group, &child);
        if (output >= 0)
        {
            found = read_position(output, position, skips_headers);
            close(output);
            waitpid(child, NULL, 0);
        }
        pcs += group;
        num -= group;
    }
    return found;
}

static bool find_position(void *const *pcs, int num, Position *position)
{
    return look_for_position(pcs, num, position, false);
}

// "file.cu:12" of the first of some instructions, innermost first, that is the program's own.
bool report_position_of(void *const *pcs, int num, char *text, size_t size)
{
    Position position;
    const bool found = find_position(pcs, num, &position);
    if (found)
    {
        snprintf(text, size, "%s", position.line);
    }
    return found;
}

// "file.cu:12" of an instruction.
bool report_position(void *pc, char *text, size_t size)
{
    return pc != NULL && report_position_of(&pc, 1, text, size);
}

// The same where a function ends. Its last instructions may be those of a header of ours.
bool report_position_before(void *pc, char *text, size_t size)
{
    const void *function = _Unwind_FindEnclosingFunction(pc);
    void *pcs[MAX_CALLERS];
    int num = 0;
    for (char *p = pc; num < MAX_CALLERS && function != NULL && p >= (const char *)function; p -= 8)
    {
        pcs[num++] = p;
    }
    Position position;
    const bool found = num > 0 && find_position(pcs, num, &position);
    snprintf(text, size, "%s", found ? position.line : "");
    return found;
}

// The same where a function begins. A kernel may have become a part of a function of our headers, whose
// beginning has a line of the header.
bool report_position_at_begin(void *pc, char *text, size_t size)
{
    Position position;
    bool found = find_position(&pc, 1, &position);
    if (!found || position.is_of_header)
    {
        void *pcs[MAX_CALLERS];
        for (int i = 0; i < MAX_CALLERS; ++i)
        {
            pcs[i] = (char *)pc + 4 * i;
        }
        Position behind;
        const bool is_behind = look_for_position(pcs, MAX_CALLERS, &behind, true);
        position = is_behind ? behind : position;
        found |= is_behind;
    }
    snprintf(text, size, "%s", found ? position.line : "");
    return found;
}

// --- calls of the host ---------------------------------------------------------------------------

// Who has called us, innermost first, each at its call. The function that `below` is in, if it is
// not NULL, and what that has called, are left out.
int report_callers(void **pcs, const void *below)
{
    void *returns[MAX_CALLERS];
    const int num = backtrace(returns, MAX_CALLERS);
    int first = 0;
    for (int i = 0; below != NULL && i < num; ++i)
    {
        const bool same = _Unwind_FindEnclosingFunction((char *)returns[i] - 1) ==
                          _Unwind_FindEnclosingFunction((char *)below - 1);
        first = same ? i + 1 : first;
    }
    for (int i = first; i < num; ++i)
    {
        pcs[i - first] = (char *)returns[i] - 1;
    }
    return num - first;
}

static void report_at(const Position *position, bool known, const char *what)
{
    fflush(stdout);
    fprintf(stderr, "CPU backend: %s%s%s:\n  %s\n", position->call,
            position->call[0] != '\0' ? ", " : "", known ? position->line : "line unknown", what);
}

// Reports what a call did that these had called.
void report_from(void *const *callers, int num, const char *what)
{
    Position position;
    const bool known = find_position(callers, num, &position);
    report_at(&position, known, what);
}

// Reports what ended the host's code: the first of these addresses is where it stood.
void report_host(void *const *pcs, int num, const char *what)
{
    Position position;
    const bool known = find_position(pcs, num, &position);
    const bool is_call = known && position.call[0] != '\0';
    fflush(stdout);
    fprintf(stderr, "CPU backend: %s%s%s: %s\n", is_call ? position.call : "host code at",
            is_call ? ", " : " ", known ? position.line : "an unknown place", what);
}

// Explains the error of a call, notes it and returns it.
cudaError_t report_call(cudaError_t error, const char *format, ...)
{
    char what[600];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof(what), format, values);
    va_end(values);
    void *pcs[MAX_CALLERS];
    report_from(pcs, report_callers(pcs, NULL), what);
    return error_note(error);
}

// The same for a launch, whose code returns to `from`: the program's, or cudaLaunchKernel's.
cudaError_t report_launch(cudaError_t error, const void *from, const char *name, const char *format,
                          ...)
{
    char why[400], what[600];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof(why), format, values);
    va_end(values);
    snprintf(what, sizeof(what), "kernel %s is not launched: %s", name, why);
    void *pcs[MAX_CALLERS] = {(char *)from - 1};
    Position position;
    const bool known = find_position(pcs, 1, &position) ||
                       find_position(pcs, report_callers(pcs, from), &position);
    position.call[0] = '\0';
    report_at(&position, known, what);
    return error_note(error);
}

// A kernel that must not run where it is called, so that the program ends. The call in the kernel
// returns to `from`.
_Noreturn void report_end_of_launch(const void *from, const char *name, const char *why)
{
    char what[600];
    snprintf(what, sizeof(what), "kernel %s %s", name, why);
    void *pcs[MAX_CALLERS];
    Position position;
    const bool known = find_position(pcs, report_callers(pcs, from), &position);
    position.call[0] = '\0';
    report_at(&position, known, what);
    abort();
}

// --- calls of libraries -----------------------------------------------------------------------------

// A kernel of cuBLAS, for example, has no line of the program. What does is the call of cuBLAS, which
// may have returned long ago. So who called is noted at the launch, for the last launches of all.
enum
{
    MAX_CALLS = 64
};
typedef struct LibraryCall
{
    uint16_t number;
    int num;
    void *pcs[MAX_CALLERS];
} LibraryCall;

static LibraryCall library_calls[MAX_CALLS];
static uint16_t num_library_calls;
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

// Returns the number of the call, which is not 0.
uint16_t report_library_call(void)
{
    void *pcs[MAX_CALLERS];
    const int num = report_callers(pcs, NULL);
    pthread_mutex_lock(&library_lock);
    num_library_calls += num_library_calls == UINT16_MAX ? 2 : 1;
    const uint16_t number = num_library_calls;
    LibraryCall *call = &library_calls[number % MAX_CALLS];
    *call = (LibraryCall){.number = number, .num = num};
    memcpy(call->pcs, pcs, sizeof(pcs));
    pthread_mutex_unlock(&library_lock);
    return number;
}

// "kernel sum", and of a library "kernel gemm of cublasSgemm at x.cu:12".
void report_kernel_name(const Launch *launch, char *text, size_t size)
{
    const LibraryCall *call = &library_calls[launch->call % MAX_CALLS];
    Position position;
    if (launch->call != 0 && call->number == launch->call &&
        find_position(call->pcs, call->num, &position))
    {
        snprintf(text, size, "kernel %s of %s at %s", launch->name, position.call, position.line);
    }
    else
    {
        snprintf(text, size, "kernel %s", launch->name);
    }
}

// --- threads of kernels --------------------------------------------------------------------------

void report_block_name(const Launch *launch, uint64_t block, char *text, size_t size)
{
    const dim3 g = launch->grid;
    report_kernel_name(launch, text, size);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, ", block (%u,%u,%u)", (unsigned)(block % g.x),
             (unsigned)(block / g.x % g.y), (unsigned)(block / g.x / g.y));
}

void report_name(const Launch *launch, uint64_t block, unsigned thread, char *text, size_t size)
{
    const dim3 b = launch->block;
    report_block_name(launch, block, text, size);
    const size_t used = strlen(text);
    const unsigned t = turns_thread(thread, b.x * b.y * b.z);
    snprintf(text + used, size - used, ", thread (%u,%u,%u)", t % b.x, t / b.x % b.y,
             t / b.x / b.y);
}

void report_error(const Worker *worker, unsigned thread, const char *file, int line,
                  const char *what)
{
    char who[512];
    report_name(worker->launch, worker->block, thread, who, sizeof(who));
    fprintf(stderr, "CPU backend: %s, %s:%d:\n  %s\n", who, base_name(file), line, what);
}

// What was found when a block had ended.
void report_block(const Worker *worker, const char *what)
{
    char who[512];
    report_block_name(worker->launch, worker->block, who, sizeof(who));
    fprintf(stderr, "CPU backend: %s wrote outside shared memory:\n  %s\n", who, what);
}

void report_fail_if_strict(Worker *worker)
{
    if (wished("CUDACPU_STRICT"))
    {
        launch_fail(worker->launch, cudaErrorLaunchFailure);
    }
}

static void warn(Worker *worker, unsigned thread, const char *format, va_list values)
{
    char what[400];
    vsnprintf(what, sizeof(what), format, values);
    report_error(worker, thread, worker->file[thread], worker->line[thread], what);
    report_fail_if_strict(worker);
}

// Reports a mistake that a GPU mostly lets pass: once for each launch. With CUDACPU_STRICT=1 it is
// an error.
void report_warning(Worker *worker, unsigned thread, const char *format, ...)
{
    if (!atomic_exchange(&worker->launch->warned, 1))
    {
        va_list values;
        va_start(values, format);
        warn(worker, thread, format, values);
        va_end(values);
    }
}
