// Reports: kernel, block, thread, file and line, and what is wrong there.
//
// Source lines come from the line tables in the program, read with binutils' addr2line, which every
// g++ brings along.
#include "report.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Finds "file.cu:12" of an instruction: of the innermost function that is not the backend's own.
bool report_position(void *pc, char *text, size_t size)
{
    Dl_info info;
    if (pc == NULL || dladdr(pc, &info) == 0)
    {
        return false;
    }
    const ElfW(Ehdr) *header = info.dli_fbase;
    const uintptr_t base = header->e_type == ET_DYN ? (uintptr_t)info.dli_fbase : 0;
    char exe[4096];
    const ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    if (length <= 0 || memchr(exe, '\'', length) != NULL)
    {
        return false;
    }
    exe[length] = '\0';
    char command[4400];
    snprintf(command, sizeof(command), "addr2line -i -e '%s' 0x%zx 2>/dev/null", exe,
             (size_t)((uintptr_t)pc - base));
    FILE *pipe = popen(command, "r");
    bool found = false;
    char line[4096];
    while (pipe != NULL && fgets(line, sizeof(line), pipe) != NULL)
    {
        line[strcspn(line, " \n")] = '\0'; // drops "(discriminator 3)" too
        if (!found && line[0] != '?' && strstr(line, "/cpu/include/") == NULL &&
            strstr(line, "/cpu/runtime/") == NULL && strncmp(line, "/usr/", 5) != 0)
        {
            const char *slash = strrchr(line, '/');
            snprintf(text, size, "%s", slash != NULL ? slash + 1 : line);
            found = true;
        }
    }
    if (pipe != NULL)
    {
        pclose(pipe);
    }
    return found;
}

void report_block_name(const Launch *launch, uint64_t block, char *text, size_t size)
{
    const dim3 g = launch->grid;
    snprintf(text, size, "kernel %s, block (%u,%u,%u)", launch->name, (unsigned)(block % g.x),
             (unsigned)(block / g.x % g.y), (unsigned)(block / g.x / g.y));
}

void report_name(const Launch *launch, uint64_t block, unsigned thread, char *text, size_t size)
{
    const dim3 b = launch->block;
    report_block_name(launch, block, text, size);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, ", thread (%u,%u,%u)", thread % b.x, thread / b.x % b.y,
             thread / b.x / b.y);
}

void report_error(const Worker *worker, unsigned thread, const char *file, int line,
                  const char *what)
{
    char who[512];
    report_name(worker->launch, worker->block, thread, who, sizeof(who));
    fprintf(stderr, "CPU backend: %s, %s:%d:\n  %s\n", who, base_name(file), line, what);
}

// Reports a mistake that a GPU mostly lets pass: once for each launch. With CUDACPU_STRICT=1 it is
// an error.
void report_warning(Worker *worker, unsigned thread, const char *format, ...)
{
    if (atomic_exchange(&worker->launch->warned, 1))
    {
        return;
    }
    char what[400];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof(what), format, values);
    va_end(values);
    report_error(worker, thread, worker->file[thread], worker->line[thread], what);
    const char *strict = getenv("CUDACPU_STRICT");
    if (strict != NULL && strcmp(strict, "1") == 0)
    {
        launch_fail(worker->launch, cudaErrorLaunchFailure);
    }
}
